# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles products with the schedules that are chosen, and prints what spills."""

import json
import pathlib
import subprocess
import sys

# Operands, scales of both sides with their shapes, and the chip.
MX = ("<mx>", "{r}x{k32}xf8E8M0FNU", "<mx>", "{c}x{k32}xf8E8M0FNU")
BLOCKS = ("<1x128>", "{r}x{k128}xf32", "<128x128>", "{c128}x{k128}xf32")
KINDS = {
    "mxfp8": ("f8E4M3FN", MX, "gfx950"),
    "mxfp4": ("f4E2M1FN", MX, "gfx950"),
    "tensor": ("f8E4M3FN", None, "gfx950"),
    "ocp blocks": ("f8E4M3FN", BLOCKS, "gfx950"),
    "bf16": ("bf16", None, "gfx950"),
    "bf16 on gfx942": ("bf16", None, "gfx942"),
    "fp8": ("f8E4M3FN", None, "gfx942"),
    "fnuz": ("f8E4M3FNUZ", None, "gfx942"),
    "blocks": ("f8E4M3FNUZ", BLOCKS, "gfx942"),
    "mxfp8 in software": ("f8E4M3FN", MX, "gfx942"),
}
SHAPES = [(8192, 8192, 8192), (2048, 2048, 512), (256, 4096, 4096), (1, 4096, 4096), (4096, 24, 4096), (17, 33, 65)]


def make_program(kind, m, n, k):
    element, scales, _ = KINDS[kind]
    lhs, rhs, result = f"tensor<{m}x{k}x{element}>", f"tensor<{n}x{k}x{element}>", f"tensor<{m}x{n}xbf16>"
    arguments, clauses = f"%a: {lhs}, %b: {rhs}, %d: {result}", ""
    if scales:
        sizes = {"r": m, "c": n, "c128": -(-n // 128), "k32": -(-k // 32), "k128": -(-k // 128)}
        sa, sb = (f"tensor<{shape.format(**sizes)}>" for shape in scales[1::2])
        arguments += f", %sa: {sa}, %sb: {sb}"
        clauses = f"lhs_scale(%sa : {sa}, {scales[0]}) rhs_scale(%sb : {sb}, {scales[2]})"
    return f"""func.func @f({arguments}) -> {result} {{
  %0 = lpgemm.matmul ins(%a, %b : {lhs}, {rhs}) {clauses}
      outs(%d : {result}) transpose_b -> {result}
  return %0 : {result}
}}
"""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    program, manifest = folder / "f.mlir", folder / "f.json"
    for kind, (_, _, chip) in KINDS.items():
        for shape in SHAPES:
            program.write_text(make_program(kind, *shape))
            command = ["lpgemm-compile", program, f"--chip={chip}", "--quiet", "-o", folder / "f.o"]
            subprocess.run([*command, f"--manifest={manifest}"], check=True, stderr=subprocess.DEVNULL)
            kernels = json.loads(manifest.read_text())["kernels"]
            spills = sum(kernel["resources"]["vector_spills"] for kernel in kernels)
            scratch = sum(kernel["resources"]["scratch_bytes"] for kernel in kernels)
            print(f"{kind} {shape}: {len(kernels)} kernels, {spills} spills, {scratch} bytes of scratch")


main()
