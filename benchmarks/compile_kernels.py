#!/usr/bin/env python3
# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels that hopper.py measures, each from one lpgemm.matmul.

    benchmarks/compile_kernels.py --output DIR

For each kind KIND.cubin is a kernel for any shape, and KIND.MxNxK.cubin one that
is compiled for the shape, with the schedule that the model of docs/schedules.md
chooses for it. KIND.f32.cubin is a kernel for any shape whose result is not
rounded: hopper.py tells from it how exact the sums are.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys

import shapes as shapes_of

# Clauses of lpgemm.matmul. One chain of sums, as in the fast forms of the peers,
# has to be asked for: the default is to promote.
CLAUSES = {
    "tensor": ("<tensor>", "<tensor>"),
    "row": ("<row>", "<column>"),
    "block": ("<1x128, layout = mn_tma>", "<128x128>"),
}
PROMOTION = {"tensor": "promote_k = 0", "row": "promote_k = 0", "block": ""}


def tensor(shape: list, element: str) -> str:
    """The tensor type; None is an extent that is not known."""
    extents = ["?" if extent is None else str(extent) for extent in shape]
    return f"tensor<{'x'.join([*extents, element])}>"


def scale_types(kind: str, m, n, k) -> dict:
    """Types of the scales of both sides."""
    if kind == "tensor":
        return {"sa": tensor([], "f32"), "sb": tensor([], "f32")}
    if kind == "row":
        return {"sa": tensor([m], "f32"), "sb": tensor([n], "f32")}
    blocks = None if k is None else -(-k // 128)
    # Rows of 16 bytes (docs/spec.md, SL-2).
    rows = None if m is None else -(-m // 4) * 4
    columns = None if n is None else -(-n // 128)
    return {"sa": tensor([blocks, rows], "f32"), "sb": tensor([columns, blocks], "f32")}


def source(kind: str, shape=None, result="bf16") -> str:
    """The module: D[M][N] = A[M][K] B[N][K]^T."""
    m, n, k = shape or (None, None, None)
    types = {
        "a": tensor([m, k], "f8E4M3FN"),
        "b": tensor([n, k], "f8E4M3FN"),
        "d": tensor([m, n], result),
        **scale_types(kind, m, n, k),
    }
    lhs, rhs = CLAUSES[kind]
    names = ("a", "b", "sa", "sb", "d")
    arguments = ", ".join(f"%{name}: {types[name]}" for name in names)
    return (
        f"func.func @{kind}({arguments}) -> {types['d']} {{\n"
        f"  %0 = lpgemm.matmul ins(%a, %b : {types['a']}, {types['b']})\n"
        f"      lhs_scale(%sa : {types['sa']}, {lhs})\n"
        f"      rhs_scale(%sb : {types['sb']}, {rhs})\n"
        f"      outs(%d : {types['d']}) transpose_b {PROMOTION[kind]}\n"
        f"      -> {types['d']}\n"
        f"  return %0 : {types['d']}\n}}\n"
    )


def compile_kernel(
    compiler: str, folder: pathlib.Path, kind: str, shape=None, result="bf16"
) -> bool:
    """Writes the source, the cubin and its manifest; says what went wrong."""
    name = kind if shape is None else f"{kind}.{'x'.join(map(str, shape))}"
    if result != "bf16":
        name += f".{result}"
    path = folder / f"{name}.mlir"
    path.write_text(source(kind, shape, result))
    cubin = folder / f"{name}.cubin"
    command = [compiler, str(path), "--chip=sm_90a", "--emit=binary", "-o", str(cubin)]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        print(f"{compiler}: {error.strerror}", file=sys.stderr)
        return False
    if done.returncode or "warning" in done.stderr:
        print(f"{name}: {done.stderr.strip()}", file=sys.stderr)
    return done.returncode == 0


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--compiler", default="lpgemm-compile")
    parser.add_argument("--kinds", default="tensor,block,row")
    parser.add_argument(
        "--shapes",
        default="any,large,small",
        help="`any`, and what --shapes of hopper.py takes",
    )
    parser.add_argument(
        "--draw",
        type=int,
        default=0,
        help="number of other shapes: those of hopper.py with the same --seed",
    )
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.kinds = options.kinds.split(",")
    for kind in options.kinds:
        if kind not in CLAUSES:
            known = ", ".join(CLAUSES)
            parser.error(f"unknown kind '{kind}', expected one of {known}")
    for name in options.shapes.split(","):
        if not re.fullmatch(r"any|large|small|\d+x\d+x\d+", name):
            expected = "any, large, small or MxNxK"
            parser.error(f"unknown shape '{name}', expected {expected}")
    if options.draw < 0:
        parser.error(f"expected --draw of at least 0, but got {options.draw}")
    try:
        options.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"{options.output}: {error.strerror}")
    return options


def list_shapes(options) -> list:
    """Extents of each kernel; None is a kernel for any shape."""
    names = options.shapes.split(",")
    listed = ",".join(name for name in names if name != "any")
    found = shapes_of.listed(listed) if listed else []
    found += shapes_of.draw(options.draw, random.Random(options.seed))
    shapes = [(shape.m, shape.n, shape.k) for shape in found]
    return [None, *shapes] if "any" in names else shapes


def main() -> int:
    options = parse_arguments()
    results = [
        compile_kernel(options.compiler, options.output, kind, shape)
        for kind in options.kinds
        for shape in list_shapes(options)
    ]
    if None in list_shapes(options):
        results += [
            compile_kernel(options.compiler, options.output, kind, result="f32")
            for kind in options.kinds
        ]
    print(f"{sum(results)} of {len(results)} kernels compiled")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
