# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The number formats as tables, MX scales, and the product they stand for.

The tables follow the definitions of the formats: OCP 8-bit Floating Point
Specification (OFP8), OCP Microscaling Formats (MX) Specification v1.0 and, for
the FNUZ formats, arXiv:2206.02915. Codes and scales are arrays of uint8, one
code in a byte. Names such as S-14 are rules of the numeric specification.
"""

import numpy as np

MX_BLOCK = 32


def _minifloat(exponent_bits, mantissa_bits, bias, nan=(), inf=()):
    """The values of all codes of a sign-magnitude format."""
    magnitudes = []
    for exponent in range(2**exponent_bits):
        for mantissa in range(2**mantissa_bits):
            fraction = mantissa / 2**mantissa_bits
            if exponent == 0:
                magnitudes.append(fraction * 2.0 ** (1 - bias))
            else:
                magnitudes.append((1 + fraction) * 2.0 ** (exponent - bias))
    positive = np.array(magnitudes)
    table = np.concatenate([positive, -positive])
    for code in inf:
        table[code] = np.copysign(np.inf, table[code])
    table[list(nan)] = np.nan
    return table


def _e8m0():
    table = np.array([2.0 ** (code - 127) for code in range(256)])
    table[0xFF] = np.nan
    return table


# The value of every code as float64, which holds each of them exactly.
TABLES = {
    "f8E4M3FN": _minifloat(4, 3, 7, nan=(0x7F, 0xFF)),
    "f8E5M2": _minifloat(
        5, 2, 15, nan=(0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF), inf=(0x7C, 0xFC)
    ),
    "f8E4M3FNUZ": _minifloat(4, 3, 8, nan=(0x80,)),
    "f8E5M2FNUZ": _minifloat(5, 2, 16, nan=(0x80,)),
    "f6E2M3FN": _minifloat(2, 3, 1),
    "f6E3M2FN": _minifloat(3, 2, 3),
    "f4E2M1FN": _minifloat(2, 1, 1),
    "f8E8M0FNU": _e8m0(),
}


def qmax(name):
    """The largest finite value of a format."""
    table = TABLES[name]
    return table[np.isfinite(table)].max()


def decode(codes, name="f8E4M3FN"):
    """The values of codes as float64."""
    return TABLES[name][codes]


def encode(values, name="f8E4M3FN"):
    """The codes nearest to finite values, ties to even, saturating (C-1, C-3).

    Searches the table of the positive values, so it shares no arithmetic with an
    encoder that handles exponents and mantissas.
    """
    table = TABLES[name]
    sign_bit = len(table) // 2
    positive = table[:sign_bit]
    positive = positive[np.isfinite(positive)]
    values = np.asarray(values, dtype=np.float64)
    magnitudes = np.minimum(np.abs(values), positive[-1])
    above = np.searchsorted(positive, magnitudes)
    below = np.maximum(above - 1, 0)
    to_above = positive[above] - magnitudes
    to_below = magnitudes - positive[below]
    take_above = (to_above < to_below) | ((to_above == to_below) & (above % 2 == 0))
    codes = np.where(take_above, above, below)
    negative = np.signbit(values)
    if np.isnan(table[sign_bit]):  # no negative zero (C-7)
        negative &= codes != 0
    return np.where(negative, codes + sign_bit, codes).astype(np.uint8)


def pack_nibbles(codes):
    """Packs four-bit codes along the last axis, even index low (L-2)."""
    if codes.shape[-1] % 2:
        codes = np.concatenate([codes, np.zeros_like(codes[..., :1])], axis=-1)
    return codes[..., 0::2] | codes[..., 1::2] << 4


def unpack_nibbles(packed, length):
    """Undoes pack_nibbles; `length` is the number of codes of a row."""
    codes = np.stack([packed & 0xF, packed >> 4], axis=-1)
    return codes.reshape(*packed.shape[:-1], -1)[..., :length]


def _block_amax(values):
    """The largest magnitude of each block; NaN if there is one (S-10)."""
    if values.shape[-1] == 0:
        return np.zeros(values.shape)
    return np.maximum.reduceat(
        np.abs(values), np.arange(0, values.shape[-1], MX_BLOCK), axis=-1
    )


def mx_scales(values, name="f8E4M3FN"):
    """The RCEIL scale of each block of the last axis (S-7, S-10..S-15).

    The smallest power of two, at least 2^-127, that is not less than the
    quotient of the block's largest magnitude and the format's.
    """
    amax = _block_amax(np.asarray(values, dtype=np.float32))
    quotient = amax / np.float32(qmax(name))
    powers = TABLES["f8E8M0FNU"][:0xFF]
    codes = np.minimum(np.searchsorted(powers, quotient), len(powers) - 1)
    return np.where(np.isfinite(amax), codes, 0xFF).astype(np.uint8)


def _spread(blocks, length):
    """Repeats what belongs to a block for each of its elements."""
    return np.repeat(blocks, MX_BLOCK, axis=-1)[..., :length]


def quantize_mx(values, name="f8E4M3FN"):
    """Codes and RCEIL scales of finite values."""
    values = np.asarray(values, dtype=np.float64)
    length = values.shape[-1]
    scales = mx_scales(values, name)
    codes = encode(values / _spread(decode(scales, "f8E8M0FNU"), length), name)
    # Zeros lose their sign where the whole block is zero (S-12).
    codes[_spread(_block_amax(values) == 0, length)] = 0
    return codes, scales


def dequantize_mx(codes, scales, name="f8E4M3FN"):
    """The values, as float64, that codes and scales stand for."""
    return decode(codes, name) * _spread(
        decode(scales, "f8E8M0FNU"), codes.shape[-1]
    )


def matmul_reference(a, sa, b, sb, a_name="f8E4M3FN", b_name="f8E4M3FN"):
    """D[M][N] = A[M][K] B[N][K]^T in float64 from codes and scales.

    Scales are those of blocks along K. Poisoned blocks and elements give NaN in
    every product that uses them (G-6, G-7).
    """
    with np.errstate(invalid="ignore"):
        return dequantize_mx(a, sa, a_name) @ dequantize_mx(b, sb, b_name).T
