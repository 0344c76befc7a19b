# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers: small floats by their definitions, and exact steps of f32.

OCP 8-bit Floating Point Specification; OCP Microscaling Formats; for FNUZ,
"8-bit Numerical Formats for Deep Neural Networks" (arXiv 2206.02915).
"""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Format:
    """A float of sign, exponent and mantissa. `special`: what codes beside the
    numbers there are: "ieee", "nan" (all ones), "fnuz" (minus zero is NaN)."""

    bits: int
    mantissa: int
    bias: int
    special: str = ""

    def table(self):
        """The values of all codes, in double."""
        codes = np.arange(1 << self.bits)
        sign = codes >> self.bits - 1
        magnitude = codes & (1 << self.bits - 1) - 1
        exponent, mantissa = magnitude >> self.mantissa, magnitude & (1 << self.mantissa) - 1
        fraction = mantissa + ((exponent > 0) << self.mantissa)
        values = np.ldexp(fraction.astype(float), np.maximum(exponent, 1) - self.bias - self.mantissa)
        top = (1 << self.bits - 1 - self.mantissa) - 1
        if self.special == "ieee":
            values[exponent == top] = np.inf
            values[(exponent == top) & (mantissa > 0)] = np.nan
        elif self.special == "nan":
            values[magnitude == (1 << self.bits - 1) - 1] = np.nan
        values = np.where(sign == 1, -values, values)
        if self.special == "fnuz":
            values[1 << self.bits - 1] = np.nan
        return values

    def encode(self, values):
        """Codes of the nearest numbers, ties to even. What is too large becomes
        infinity where there is one, else NaN."""
        values = np.asarray(values, np.float64)
        size = np.abs(values)
        is_number = np.isfinite(size) & (size > 0)
        exponent = np.where(is_number, np.frexp(size)[1] - 1, 1 - self.bias)
        exponent = np.maximum(exponent, 1 - self.bias)
        steps = np.rint(np.ldexp(np.where(is_number, size, 0), self.mantissa - exponent))
        # A step beyond the largest mantissa carries into the exponent.
        codes = (exponent + self.bias - 1 << self.mantissa) + steps.astype(np.int64)
        sign_bit = 1 << self.bits - 1
        nan = sign_bit if self.special == "fnuz" else sign_bit - 1
        infinity = (sign_bit - 1) >> self.mantissa << self.mantissa if self.special == "ieee" else nan
        largest = {"ieee": infinity - 1, "nan": nan - 1}.get(self.special, sign_bit - 1)
        codes = np.where((codes > largest) | np.isinf(size), infinity, codes)
        sign = np.where(np.signbit(values), sign_bit, 0)
        if self.special == "fnuz":
            sign = np.where((codes == 0) | (codes == nan), 0, sign)
        return np.where(np.isnan(size), nan, codes | sign).astype(np.uint32)


FORMATS = {
    "f8E4M3FN": Format(8, 3, 7, "nan"),
    "f8E5M2": Format(8, 2, 15, "ieee"),
    "f8E4M3FNUZ": Format(8, 3, 8, "fnuz"),
    "f8E5M2FNUZ": Format(8, 2, 16, "fnuz"),
    "f6E2M3FN": Format(6, 3, 1),
    "f6E3M2FN": Format(6, 2, 3),
    "f4E2M1FN": Format(4, 1, 1),
}
TABLES = {name: entry.table() for name, entry in FORMATS.items()}
# fp8 and bf8 of instructions without a format of their own (ISA, "FP8").
FP8 = {"gfx942": ("f8E4M3FNUZ", "f8E5M2FNUZ"), "gfx950": ("f8E4M3FN", "f8E5M2")}

E8M0 = np.ldexp(1.0, np.arange(256) - 127)
E8M0[255] = np.nan


def to_bf16(bits):
    """The nearest bf16 of f32, ties to even; a NaN stays one."""
    rounded = bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1)) >> np.uint32(16)
    nan = (bits & np.uint32(0x7FFFFFFF)) > 0x7F800000
    return np.where(nan, bits >> np.uint32(16) | np.uint32(0x40), rounded)


def fused(a, b, c):
    """a * b + c of f32 with one rounding. The product is exact in double; the
    sum is rounded to odd there, so that the second rounding is harmless."""
    product = a.astype(np.float64) * b
    addend = c.astype(np.float64)
    total = product + addend
    part = total - product
    error = (product - (total - part)) + (addend - part)
    bits = np.ascontiguousarray(total).view(np.int64)
    away = (error > 0) == (total > 0)
    odd = bits + np.where(bits & 1, 0, np.where(away, 1, -1))
    inexact = (error != 0) & np.isfinite(total)
    return np.where(inexact, odd, bits).view(np.float64).astype(np.float32)


def quiet(bits):
    return bits | np.uint32(0x400000)


def is_signaling(bits):
    magnitude = bits & np.uint32(0x7FFFFFFF)
    return (magnitude > 0x7F800000) & (magnitude < 0x7FC00000)


def pick_number(a, b, larger):
    """The larger or smaller of two f32, given as bits (ISA, V_MAX_F32 with
    IEEE_MODE): a number rather than a quiet NaN, a signaling NaN made quiet."""
    a, b = np.broadcast_arrays(a, b)
    x, y = np.ascontiguousarray(a).view(np.float32), np.ascontiguousarray(b).view(np.float32)
    # Zeros compare by their signs.
    first = (x > y) | ((x == y) & (a < b)) if larger else (x < y) | ((x == y) & (a > b))
    result = np.where(first | np.isnan(y), a, b)
    result = np.where(np.isnan(x), b, result)
    result = np.where(is_signaling(b), quiet(b), result)
    return np.where(is_signaling(a), quiet(a), result)


def pick_median(a, b, c):
    """ISA, V_MED3_F32: the minimum of all if one is a NaN."""
    low = pick_number(pick_number(a, b, False), c, False)
    x, y, z = (np.ascontiguousarray(v).view(np.float32) for v in np.broadcast_arrays(a, b, c))
    high = np.maximum(np.maximum(x, y), z)
    rest = np.where(y == high, pick_number(a, c, True), pick_number(a, b, True))
    rest = np.where(x == high, pick_number(b, c, True), rest)
    return np.where(np.isnan(x) | np.isnan(y) | np.isnan(z), low, rest)


def pick_maximum(a, b, c, larger=True):
    """IEEE 754-2019 maximum or minimum: a NaN if one is (ISA, V_MAXIMUM3_F32)."""
    result = pick_number(pick_number(a, b, larger), c, larger)
    for bits in (c, b, a):
        value = np.ascontiguousarray(bits).view(np.float32)
        result = np.where(np.isnan(value), quiet(bits), result)
    return result
