# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products in Triton for AMD GPUs, as a peer: plain ones, as its tutorials have
them. lhs is M x K, rhs N x K, the result M x N; all extents are whole tiles.
"""

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def plain(lhs, rhs, out, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    left = lhs + rows[:, None] * k + depth[None, :]
    right = rhs + columns[None, :] * k + depth[:, None]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(k // BK):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += BK
        right += BK
    tl.store(out + rows[:, None] * n + columns[None, :], total.to(tl.bfloat16))


@triton.jit
def scaled(
    lhs, rhs, lhs_scale, rhs_scale, out, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PACK: tl.constexpr, KIND: tl.constexpr,
):  # fmt: skip
    """Scales of 32 elements along K, K last; PACK elements in a byte."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth, blocks = tl.arange(0, BK // PACK), tl.arange(0, BK // 32)
    left = lhs + rows[:, None] * (k // PACK) + depth[None, :]
    right = rhs + columns[None, :] * (k // PACK) + depth[:, None]
    left_scale = lhs_scale + rows[:, None] * (k // 32) + blocks[None, :]
    right_scale = rhs_scale + columns[:, None] * (k // 32) + blocks[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(k // BK):
        a, b = tl.load(left), tl.load(right)
        total = tl.dot_scaled(a, tl.load(left_scale), KIND, b, tl.load(right_scale), KIND, total)
        left += BK // PACK
        right += BK // PACK
        left_scale += BK // 32
        right_scale += BK // 32
    tl.store(out + rows[:, None] * n + columns[None, :], total.to(tl.bfloat16))


# By name: the kernel, the chip, the pointers' types, and its constants.
KERNELS = {
    "gfx950 MXFP8": (scaled, "gfx950", ["*fp8e4nv", "*fp8e4nv", "*u8", "*u8"],
                     {"BM": 256, "BN": 256, "BK": 128, "PACK": 1, "KIND": "e4m3"}),
    "gfx950 MXFP4": (scaled, "gfx950", ["*u8"] * 4,
                     {"BM": 256, "BN": 256, "BK": 256, "PACK": 2, "KIND": "e2m1"}),
    "gfx942 FP8": (plain, "gfx942", ["*fp8e4b8", "*fp8e4b8"], {"BM": 256, "BN": 256, "BK": 64}),
}  # fmt: skip


def compile_kernel(name):
    """The assembly, with 8 waves and 2 stages; extents are multiples of 16."""
    kernel, chip, types, constants = KERNELS[name]
    types = dict(zip(kernel.arg_names, [*types, "*bf16", "i32", "i32"]))
    positions = {kernel.arg_names.index(key): key for key in types}
    attributes = {(position,): [["tt.divisibility", 16]] for position in positions}
    source = ASTSource(kernel, {**types, **{key: "constexpr" for key in constants}},
                       {(kernel.arg_names.index(k),): v for k, v in constants.items()}, attributes)  # fmt: skip
    target = GPUTarget("hip", chip, 64)
    return triton.compile(source, target=target, options={"num_warps": 8, "num_stages": 2}).asm["amdgcn"]
