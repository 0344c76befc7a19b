#!/usr/bin/env python3
# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes the assembly of a product's kernel, and compares with the reference.

The parameters of the program's function are called as the kernel's manifest
calls its arguments: %lhs, %rhs, %lhs_scale, %init and so on. docs/isa-interpreter.md
has an example.
"""

import argparse
import pathlib
import sys
import tempfile

import numpy as np

from interpreter.product import MODES, add_arguments, compare, load_product
from interpreter.text import Fault
from interpreter.workgroup import Mode


def parse_pairs(texts, convert):
    pairs = [text.partition("=") for text in texts]
    return {name: convert(value) for name, _, value in pairs}


def parse_modes(text):
    """Modes from text such as late:forward,random:random:7."""
    parts = [mode.split(":") for mode in text.split(",")]
    return [Mode(timing, order, *map(int, seed)) for timing, order, *seed in parts]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_arguments(parser)
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=FILE.npy")
    parser.add_argument("--factor", action="append", default=[], metavar="NAME=NUMBER")
    parser.add_argument("--modes", type=parse_modes, default=MODES, metavar="TIMING:ORDER[:SEED],...",
                        help="late, early or random; forward, reverse or random")  # fmt: skip
    parser.add_argument("-o", dest="output", type=pathlib.Path, metavar="FOLDER", help="results, .npy")
    return parser.parse_args()


def run(args, folder):
    arrays, factors = parse_pairs(args.arg, np.load), parse_pairs(args.factor, float)
    product = load_product(args, folder, arrays, factors)
    outcomes = product.run_all(args.modes)
    for mode, outcome in zip(args.modes, outcomes):
        print(f"{mode}: {outcome.instructions} instructions")
    if args.output:
        args.output.mkdir(parents=True, exist_ok=True)
        for name, array in outcomes[0].results.items():
            np.save(args.output / f"{name}.npy", array)
    print(compare(args.program, product, outcomes[0].results, folder), end="")


def main():
    args = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        try:
            run(args, folder)
        except Fault as fault:
            print(f"{args.assembly or args.program}: error: {fault}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
