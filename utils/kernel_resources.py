#!/usr/bin/env python3
# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles kernels for NVIDIA chips with the schedules that are chosen.

usage: kernel_resources.py [--chip=CHIP] [--only=REGEX] [--times] [--sizes] [--list]

Prints for each product what ptxas says: registers, bytes that are spilled, and
warnings of a loss (C75xx). Ends with 1 if there is one. --only takes those whose
line matches; --times adds the seconds of processor time to PTX and to a cubin.
--sizes prints, instead of all that, lines of LLVM IR: what compiling takes goes
with them, and they are the same on every machine.
"""

import argparse
import dataclasses
import itertools
import json
import math
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

E8M0 = "f8E8M0FNU"
# A scale: its kind, the elements along M or N and along K that share one (0:
# all), and its type.
ROW, COLUMN = ("row", 1, 0, "f32"), ("column", 1, 0, "f32")
TENSOR = ("tensor", 0, 0, "f32")
ROWS_32, ROWS_128, SQUARE = ("1x32", 1, 32, "f32"), ("1x128", 1, 128, "f32"), ("128x128", 128, 128, "f32")


def of_type(scale, element):
    return (*scale[:3], element)


MX = ("mx", 1, 32, E8M0)
SCALES = {
    "no scales": (None, None),
    "tensor": (TENSOR, TENSOR),
    "row x column": (ROW, COLUMN),
    "1x128 x 128x128": (ROWS_128, SQUARE),
    "1x128 x 1x128": (ROWS_128, ROWS_128),
    "128x128 x 128x128": (SQUARE, SQUARE),
    "1x128 x none": (ROWS_128, None),
    "none x 128x128": (None, SQUARE),
    "BF16 1x128 x 1x128": (of_type(ROWS_128, "bf16"),) * 2,
    "E8M0 1x128 x 128x128": (of_type(ROWS_128, E8M0), of_type(SQUARE, E8M0)),
    "E8M0 1x128 x 1x128": (of_type(ROWS_128, E8M0),) * 2,
    "E8M0 128x128 x 128x128": (of_type(SQUARE, E8M0),) * 2,
    "1x32 x 1x32": (ROWS_32, ROWS_32),
    "mx x mx": (MX, MX),
}
# Those that only instructions of a warp take.
WARP_SCALES = {"1x32 x 1x32", "mx x mx"}
PAIRS = [("f8E4M3FN", "f8E4M3FN"), ("f8E4M3FN", "f8E5M2"), ("bf16", "bf16"), ("f16", "f16"), ("i8", "i8")]
EPILOGUES = {
    "plain": set(),
    "C, bias": {"C", "bias"},
    "functions": {"functions"},
    "amax": {"amax"},
    "FP8": {"FP8"},
    "everything": {"C", "bias", "functions", "amax", "FP8"},
}
SHAPES = ["dynamic", (8192, 8192, 8192), (512, 2112, 7168), (16, 4096, 7168), (130, 257, 384)]
CHIPS = ["sm_80", "sm_89", "sm_90a"]
# SiLU and the approximated GELU.
FUNCTIONS = """epilogue(%t) {
      %one = arith.constant 1.0 : f32
      %half = arith.constant 0.5 : f32
      %root = arith.constant 0.7978845608 : f32
      %cubic = arith.constant 0.044715 : f32
      %minus = arith.negf %t : f32
      %power = math.exp %minus : f32
      %more = arith.addf %power, %one : f32
      %silu = arith.divf %t, %more : f32
      %square = arith.mulf %silu, %silu : f32
      %cube = arith.mulf %square, %silu : f32
      %inner = math.fma %cube, %cubic, %silu : f32
      %scaled = arith.mulf %inner, %root : f32
      %tanh = math.tanh %scaled : f32
      %up = arith.addf %tanh, %one : f32
      %halved = arith.mulf %silu, %half : f32
      %gelu = arith.mulf %halved, %up : f32
      lpgemm.yield %gelu : f32
    }"""


@dataclasses.dataclass(frozen=True)
class Case:
    chip: str
    pair: tuple
    scales: str
    epilogue: str
    shape: object

    def name(self):
        shape = "x".join(map(str, self.shape)) if isinstance(self.shape, tuple) else self.shape
        return f"{self.chip}, {' x '.join(self.pair)}, {self.scales}, {self.epilogue}, {shape}"

    def is_legal(self):
        """(C5, C8) What a chip multiplies, and with which scales."""
        if self.chip == "sm_90a" and (self.pair[0] == "i8" or self.scales in WARP_SCALES):
            return False
        return self.pair[0].startswith("f8") or self.scales in ("no scales", "tensor")[: 1 + (self.pair[0] == "i8")]

    def tensor(self, dims, element):
        dims = ["?" if self.shape == "dynamic" else d for d in dims]
        return f"tensor<{''.join(f'{d}x' for d in dims)}{element}>"

    def text(self):
        m, n, k = (8192,) * 3 if self.shape == "dynamic" else self.shape
        parts = EPILOGUES[self.epilogue]
        arguments, clauses = [], []

        def add(name, shaped):
            arguments.append(f"%{name}: {shaped}")
            return f"%{name} : {shaped}"

        lhs, rhs = self.tensor([m, k], self.pair[0]), self.tensor([n, k], self.pair[1])
        result = self.tensor([m, n], "f8E4M3FN" if "FP8" in parts else "bf16")
        arguments += [f"%a: {lhs}", f"%b: {rhs}"]
        for side, extent, scale in zip(("lhs", "rhs"), (m, n), SCALES[self.scales]):
            if scale:
                kind, outer, along, element = scale
                dims = [math.ceil(e / block) for e, block in ((extent, outer), (k, along)) if block]
                clauses.append(f"{side}_scale({add('s' + side, self.tensor(dims, element))}, <{kind}>)")
        if "C" in parts:
            clauses.append(f"beta(%beta) c({add('c', self.tensor([m, n], 'bf16'))})")
            arguments.append("%beta: f32")
        if "bias" in parts:
            clauses.append(f"bias({add('bias', self.tensor([n], 'bf16'))}, n)")
        if "FP8" in parts:
            clauses.append(f"d_scale({add('ds', 'tensor<f32>')})")
        results = [result]
        clauses.append(f"outs({add('d', result)})")
        if "amax" in parts:
            clauses.append(f"amax({add('m', 'tensor<f32>')})")
            results.append("tensor<f32>")
        clauses.append("transpose_b")
        if "functions" in parts:
            clauses.append(FUNCTIONS)
        types, names = ", ".join(results), ", ".join(f"%r#{i}" for i in range(len(results)))
        body = "\n    ".join([f"ins(%a, %b : {lhs}, {rhs})", *clauses])
        return (
            f"func.func @f({', '.join(arguments)}) -> ({types}) {{\n"
            f"  %r:{len(results)} = lpgemm.matmul {body} -> {types}\n"
            f"  return {names} : {types}\n}}\n"
        )


def list_cases():
    for values in itertools.product(CHIPS, PAIRS, SCALES, EPILOGUES, SHAPES):
        case = Case(*values)
        if case.is_legal():
            yield case


def get_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def describe_failure(done):
    """Its first error; or how it ended, as a compiler that is killed says nothing."""
    if done.returncode < 0:
        return f"lpgemm-compile was killed by {signal.Signals(-done.returncode).name}"
    return next(iter(done.stderr.splitlines()), f"lpgemm-compile ended with {done.returncode} and said nothing")


def compile_case(case, folder, *options):
    """What the compiler says, and how long it takes."""
    start = get_seconds()
    command = ["lpgemm-compile", folder / "f.mlir", f"--chip={case.chip}", *options]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"kernel_resources.py: error: cannot run lpgemm-compile: {error.strerror}; is it in PATH?")
    if done.returncode:
        sys.exit(f"kernel_resources.py: error: {case.name()}: {describe_failure(done)}")
    return done.stderr, get_seconds() - start


def check(case, folder, has_times):
    """Prints a line; whether ptxas found registers for all kernels, and no loss."""
    (folder / "f.mlir").write_text(case.text())
    said, to_cubin = compile_case(case, folder, f"--manifest={folder / 'f.json'}", "-o", folder / "f.cubin")
    resources = [kernel["resources"] for kernel in json.loads((folder / "f.json").read_text())["kernels"]]
    spills = sum(r["spill_store_bytes"] + r["spill_load_bytes"] for r in resources)
    losses = sorted(set(re.findall(r"C75\d\d", said)))
    line = f"{case.name()}: {max(r['registers'] for r in resources)} registers, {spills} bytes spilled"
    line += f", {', '.join(losses) or 'no loss'}"
    if has_times:
        _, to_ptx = compile_case(case, folder, "--emit=isa", "--quiet", "-o", folder / "f.ptx")
        line += f", PTX {to_ptx:.2f} s, cubin {to_cubin:.2f} s"
    print(line, flush=True)
    return spills == 0 and not losses


def print_size(case, folder):
    (folder / "f.mlir").write_text(case.text())
    compile_case(case, folder, "--emit=llvm", "--quiet", "-o", folder / "f.ll")
    lines = (folder / "f.ll").read_text().count("\n")
    print(f"{case.name()}: {lines} lines of LLVM IR", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chip", choices=CHIPS)
    parser.add_argument("--only", type=re.compile, default=re.compile(""), metavar="REGEX")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--sizes", action="store_true")
    parser.add_argument("--list", action="store_true", help="print the products")
    args = parser.parse_args()
    cases = [c for c in list_cases() if args.chip in (None, c.chip) and args.only.search(c.name())]
    if args.list:
        print("\n".join(case.name() for case in cases))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        if args.sizes:
            for case in cases:
                print_size(case, pathlib.Path(folder))
            return not cases
        good = [check(case, pathlib.Path(folder), args.times) for case in cases]
    print(f"{sum(good)} of {len(good)} products: nothing spilled, no loss")
    return not cases or not all(good)


if __name__ == "__main__":
    sys.exit(main())
