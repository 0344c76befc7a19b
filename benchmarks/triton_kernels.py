# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Persistent FP8 products in Triton, with tensor maps, as a peer.

lhs is M x K, rhs N x K, the result M x N. Scales of blocks are those of 1x128
elements of lhs, K first, and of 128x128 of rhs; each sum over 128 of K is
multiplied by them in f32.
"""

import triton
import triton.language as tl


@triton.jit
def _tile(index, rows, columns, GROUP: tl.constexpr):
    """The tiles of GROUP rows one after another, so that they share rhs."""
    group = index // (GROUP * columns)
    first = group * GROUP
    size = min(rows - first, GROUP)
    rest = index % (GROUP * columns)
    return first + rest % size, rest // size


@triton.jit(do_not_specialize=["m"])
def tensor_scales(
    lhs,
    rhs,
    out,
    lhs_scale,
    rhs_scale,
    m,
    n,
    k,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    GROUP: tl.constexpr,
    FLATTEN: tl.constexpr,
):
    rows, columns = tl.cdiv(m, BM), tl.cdiv(n, BN)
    scale = tl.load(lhs_scale) * tl.load(rhs_scale)
    first, step = tl.program_id(0), tl.num_programs(0)
    for index in tl.range(first, rows * columns, step, flatten=FLATTEN):
        row, column = _tile(index, rows, columns, GROUP)
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for block in range(tl.cdiv(k, BK)):
            a = lhs.load([row * BM, block * BK])
            b = rhs.load([column * BN, block * BK])
            total = tl.dot(a, b.T, total)
        out.store([row * BM, column * BN], (total * scale).to(tl.bfloat16))


@triton.jit(do_not_specialize=["m"])
def block_scales(
    lhs,
    rhs,
    out,
    lhs_scale,
    rhs_scale,
    m,
    n,
    k,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    GROUP: tl.constexpr,
    FLATTEN: tl.constexpr,
):
    rows, columns, blocks = tl.cdiv(m, BM), tl.cdiv(n, BN), tl.cdiv(k, BK)
    first, step = tl.program_id(0), tl.num_programs(0)
    for index in tl.range(first, rows * columns, step, flatten=FLATTEN):
        row, column = _tile(index, rows, columns, GROUP)
        offsets = row * BM + tl.arange(0, BM)
        scale_row = column * BN // 128
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for block in range(blocks):
            a = lhs.load([row * BM, block * BK])
            b = rhs.load([column * BN, block * BK])
            sa = tl.load(lhs_scale + block * m + offsets, mask=offsets < m, other=0.0)
            sb = tl.load(rhs_scale + scale_row * blocks + block)
            total += tl.dot(a, b.T) * (sa * sb)[:, None]
        out.store([row * BM, column * BN], total.to(tl.bfloat16))
