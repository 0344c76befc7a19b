"""Casts every FP6 and FP4 code to bf16, and compares.

usage: fold_casts.py

A kernel for each code, in which the cast of a tile of that code is a constant
behind canonicalization: the bits of the code's value.
"""

import re
import subprocess
import sys

import numpy as np

from lpgemm import formats

KERNEL = """\
gpu.func @code{code}(%p: !llvm.ptr, %m: index, %ld: i64)
    kernel attributes {{known_block_size = array<i32: 64, 1, 1>}} {{
  %c0 = arith.constant 0 : index
  %g = lpgemm.bind %p[%m, %m] pitch %ld : !llvm.ptr to !lpgemm.global<?x?xbf16>
  %code = arith.constant {value} : {type}
  %a = lpgemm.splat %code
      : {type} to !lpgemm.frag<16x16x{type}, <mfma_f32_16x16x16_bf16, c>>
  %b = lpgemm.cast %a : !lpgemm.frag<16x16x{type}, <mfma_f32_16x16x16_bf16, c>>
      to !lpgemm.frag<16x16xbf16, <mfma_f32_16x16x16_bf16, c>>
  lpgemm.store %b, %g[%c0, %c0] at [%c0, %c0]
      : !lpgemm.frag<16x16xbf16, <mfma_f32_16x16x16_bf16, c>>
      to !lpgemm.global<?x?xbf16>
  gpu.return
}}
"""
MODULE = """\
gpu.module @m attributes {{lpgemm.target = #lpgemm.target<"gfx950">}} {{
{}}}
"""
PIPELINE = "builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))"


def fold(element, values):
    """The bits that the casts of the codes of `values` are folded to: two in a word."""
    kernels = [
        KERNEL.format(code=code, value=repr(float(value)), type=element)
        for code, value in enumerate(values)
    ]
    done = subprocess.run(
        ["lpgemm-opt", f"--pass-pipeline={PIPELINE}"],
        input=MODULE.format("".join(kernels)),
        capture_output=True,
        text=True,
        check=True,
    )
    texts = done.stdout.split("gpu.func @code")[1:]
    found = [re.findall(r"dense<(-?\d+)> : vector<2xi32>", text) for text in texts]
    return [int(bits[0]) & 0xFFFF if len(bits) == 1 else None for bits in found]


def main():
    failures = 0
    for element in ["f6E2M3FN", "f6E3M2FN", "f4E2M1FN"]:
        values = formats.TABLES[element]
        expected = list(values.astype(np.float32).view(np.uint32) >> 16)
        got = fold(element, values)
        wrong = [c for c, (g, e) in enumerate(zip(got, expected, strict=True)) if g != e]
        print(f"{element}: {len(values) - len(wrong)} of {len(values)} right, wrong {wrong}")
        failures += bool(wrong)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
