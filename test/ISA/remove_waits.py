#!/usr/bin/env python3
# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Removes every wait and every barrier of a kernel in turn, and runs what is left.

Each removal must be found: a mode stops with an error, or gives another result.
Which waits are needed depends on the path that a size takes, so that --size names
several. What none of them needs is told apart: a wait that is not reached, or has
nothing in flight to wait for. Prints a line for each; fails if one that is needed is not found.
"""

import argparse
import collections
import copy
import dataclasses
import sys
import tempfile

from interpreter.product import MODES, add_arguments, equal, load_product
from interpreter.text import Fault
from interpreter.workgroup import Mode, decode_one

# Waves that run one after the other to a barrier may hide what these find.
MORE_MODES = [Mode("random", "random", seed) for seed in range(4)]


def list_removals(instructions):
    """Index, what is removed, and the instruction without it."""
    for index, instruction in enumerate(instructions):
        if instruction.name == "s_barrier":
            nothing = dataclasses.replace(instruction, name="s_nop", operands=("0",))
            yield index, "s_barrier", nothing
        elif instruction.name == "s_waitcnt":
            for counter in instruction.modifiers:
                rest = {name: n for name, n in instruction.modifiers.items() if name != counter}
                what = f"{counter}({instruction.modifiers[counter]})"
                yield index, what, dataclasses.replace(instruction, modifiers=rest)


class Size:
    """A product of one size, and what its kernels do as they are."""

    def __init__(self, args, size, folder):
        self.size = size
        self.product = load_product(argparse.Namespace(**{**vars(args), "size": size}), folder)
        outcomes = self.product.run_all(MODES)
        self.results, self.waited = outcomes[0].results, collections.Counter()
        for outcome in outcomes:
            self.waited.update(outcome.waited)

    def find_fault(self, module):
        """The mode that shows that something is wrong, and how."""
        for mode in MODES + MORE_MODES:
            try:
                if not equal(self.results, self.product.run(mode, module).results):
                    return f"{mode}: another result"
            except Fault as fault:
                return f"{mode}: {fault}"
        return None

    def judge(self, step, removal):
        index, what, instruction = removal
        if what != "s_barrier":
            count = self.waited.get((instruction.line, what.partition("(")[0]))
            if not count:
                return "not needed", "not reached" if count is None else "nothing was in flight"
        module = copy.copy(self.product.module)
        code = list(module.code[step])
        code[index] = decode_one(module.parsed[step], instruction)
        module.code = {**module.code, step: code}
        if fault := self.find_fault(module):
            return "found", f"{self.size}: {fault}"
        return "NOT FOUND", "all modes give the same result"


def judge(sizes, step, removal):
    """What the first size says that finds a fault, else one that needs the wait."""
    verdicts = []
    for size in sizes:
        verdicts.append(size.judge(step, removal))
        if verdicts[-1][0] == "found":
            break
    return max(verdicts, key=lambda entry: ("not needed", "NOT FOUND", "found").index(entry[0]))


def run(args, folder):
    sizes = [Size(args, size, folder) for size in args.size.split(",")]
    product = sizes[0].product
    counts = collections.Counter()
    for step in product.module.steps:
        for removal in list_removals(product.module.parsed[step].instructions):
            verdict, why = judge(sizes, step, removal)
            counts[removal[1].partition("(")[0], verdict] += 1
            print(f"{removal[2].line}: {removal[1]}: {verdict}: {why}", flush=True)
    for (what, verdict), count in sorted(counts.items()):
        print(f"{what}: {count} {verdict}")
    missed = {what: count for (what, verdict), count in counts.items() if verdict == "NOT FOUND"}
    dead = {"lgkmcnt": args.dead_writes, "vmcnt": args.dead_copies}
    return missed != {what: count for what, count in dead.items() if count}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_arguments(parser)
    help = "waits for writes to LDS that nobody reads: so many may, and must, be NOT FOUND"
    parser.add_argument("--dead-writes", type=int, default=0, metavar="N", help=help)
    help = "the same, of waits for copies to LDS"
    parser.add_argument("--dead-copies", type=int, default=0, metavar="N", help=help)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            return run(args, folder)
        except Fault as fault:
            print(f"{args.assembly or args.program}: error: {fault}", file=sys.stderr)
            return 1


if __name__ == "__main__":
    sys.exit(main())
