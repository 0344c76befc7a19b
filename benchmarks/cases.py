# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The products that are measured: their data and references."""

import math

import torch

from shapes import BLOCK, ODD, SMALL_M, Shape, draw, listed

# Buffers are rotated so that none of them is still in the cache.
ROTATED_BYTES = 200e6
DTYPE = torch.float8_e4m3fn


def _codes(rows, columns, pitch=None):
    """Values over most of the range of the type."""
    values = torch.randn(rows, pitch or columns, device="cuda") * 50
    return values.clamp(-448, 448).to(DTYPE)[:, :columns]


def _factors(*shape):
    return torch.rand(*shape, device="cuda") * 0.01 + 0.002


class Case:
    """Fresh random operands of a shape; `padded` rows are not adjacent."""

    def __init__(self, shape, padded=False, rotated=True):
        m, n, k = shape.m, shape.n, shape.k
        self.shape = shape
        count = max(2, math.ceil(ROTATED_BYTES / shape.bytes)) if rotated else 1
        pitches = (k + BLOCK, n + BLOCK) if padded else (k, n)
        self.lhs = [_codes(m, k, pitches[0]) for _ in range(count)]
        self.rhs = [_codes(n, k, pitches[0]) for _ in range(count)]
        self.outputs = [
            torch.empty(m, pitches[1], dtype=torch.bfloat16, device="cuda")[:, :n]
            for _ in range(count)
        ]
        blocks = math.ceil(k / BLOCK)
        self.scales = {
            "tensor": (_factors(1)[0], _factors(1)[0]),
            "row": (_factors(m), _factors(n)),
            "block": (_factors(m, blocks), _factors(math.ceil(n / BLOCK), blocks)),
        }
        self._references = {}

    @property
    def count(self):
        return len(self.lhs)

    def reference(self, kind):
        """In f32, of the first buffers."""
        if kind not in self._references:
            self._references[kind] = getattr(self, f"_{kind}_reference")()
        return self._references[kind]

    def scaled_operands(self, kind, dtype=torch.float32):
        """Both sides with their scales. In f64 each is exact."""
        lhs, rhs = self.scales[kind]
        if kind == "row":
            lhs, rhs = lhs[:, None], rhs[:, None]
        if kind == "block":
            k, n = self.shape.k, self.shape.n
            lhs = lhs.repeat_interleave(BLOCK, 1)[:, :k]
            rhs = rhs.repeat_interleave(BLOCK, 0)[:n].repeat_interleave(BLOCK, 1)[:, :k]
        return self.lhs[0].to(dtype) * lhs, self.rhs[0].to(dtype) * rhs

    def _product(self):
        return self.lhs[0].float() @ self.rhs[0].float().t()

    def _tensor_reference(self):
        lhs, rhs = self.scales["tensor"]
        return self._product() * (lhs * rhs)

    def _row_reference(self):
        lhs, rhs = self.scales["row"]
        return self._product() * lhs[:, None] * rhs[None, :]

    def _block_reference(self):
        lhs, rhs = self.scaled_operands("block")
        return lhs @ rhs.t()


# The largest relative error of rounding to bf16.
ROUNDING = 2.0**-8
# FP8 products are added 32 at a time to an accumulator that cuts off what is
# below 13 bits of fraction (docs/spec.md, "Hopper FP8"): half of the last bit, on
# average. Sums of random data grow, so that no part exceeds the whole by much.
ADDED_AT_A_TIME = 32
CUT_OFF = 2.0**-14


def max_error(kind, shape):
    """Of what error() returns. With K up to 2^14 one wrong element exceeds it,
    and so does a block of K that is left out."""
    chain = min(shape.k, BLOCK) if kind == "block" else shape.k
    return ROUNDING + chain / ADDED_AT_A_TIME * CUT_OFF


def error(actual, expected):
    """The norm of the error relative to that of the result, or the largest error
    relative to the largest magnitude, if that is larger; infinite if an element is
    not finite."""
    actual = actual.float()
    if not bool(torch.isfinite(actual).all()):
        return math.inf
    difference = actual - expected
    norm = difference.norm() / expected.norm()
    largest = difference.abs().max() / expected.abs().max()
    return float(torch.maximum(norm, largest))
