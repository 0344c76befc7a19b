#!/usr/bin/env python3
# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steady loops of kernels for AMD GPUs in one model, beside those of Triton.

Compiles the kernels of utils/kernel_limits.toml, and Triton's if it is there, and
prints a table. No GPU is needed; nothing is measured.
"""

import argparse
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "utils"))

import kernel_figures

COLUMNS = {
    "kernel": "", "VGPR": "vgpr", "spills": "spills", "MFMA": "mfma",
    "instructions each": "per_mfma", "conflicts": "conflicts", "clocks": "cycles",
    "matrix cores": "utilisation",
}  # fmt: skip
FORMATS = {"cycles": "{:.0f}", "utilisation": "{:.0%}", "per_mfma": "{:.2f}"}


def list_ours(compiler):
    entries = kernel_figures.read_table(ROOT / "utils/kernel_limits.toml")
    with tempfile.TemporaryDirectory() as folder:
        for entry in entries:
            yield entry["name"], kernel_figures.compile_entry(entry, folder, compiler)


def list_peers():
    try:
        import triton_amd_kernels as peer
    except ImportError as error:
        print(f"Triton is left out: {error}", file=sys.stderr)
        return
    for name in peer.KERNELS:
        yield f"{name}, Triton {peer.triton.__version__}", peer.compile_kernel(name)


def make_row(name, text, options):
    found = kernel_figures.measure(name, text, **options)
    numbers = {key: found.numbers[key] for key in list(COLUMNS.values())[1:]}
    cells = ["unknown" if n is None else FORMATS.get(key, "{}").format(n) for key, n in numbers.items()]
    return f"| {name} | {' | '.join(cells)} | {found.bound} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="lpgemm-compile")
    parser.add_argument("--global-latency", type=kernel_figures.parse_clocks, metavar="CLOCKS", help="else that of docs/loop-model.md")
    args = parser.parse_args()
    options = {} if args.global_latency is None else {"global_latency": args.global_latency}
    print(f"| {' | '.join([*COLUMNS, 'bound by'])} |")
    print("|" + "---|" * (len(COLUMNS) + 1))
    try:
        for name, text in [*list_ours(args.compiler), *list_peers()]:
            print(make_row(name, text, options))
    except (kernel_figures.Fault, OSError) as fault:
        print(f"amd_loops.py: error: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
