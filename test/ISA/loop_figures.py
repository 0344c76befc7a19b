#!/usr/bin/env python3
# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of a kernel's steady loop.

usage: loop_figures.py KERNEL.s

The steady loop is the innermost one with the most matrix instructions: lines from
a label to the branch back to it, with no other branch between. Prints what the
kernel's metadata say of registers and LDS, and the counts of that loop.
"""

import pathlib
import re
import sys

BRANCH = re.compile(r"s_c?branch\w*\s+(\.LBB\w+)")
METADATA = ("vgpr_count", "vgpr_spill_count", "group_segment_fixed_size")


def find_loops(lines):
    """The instructions of each loop without branches but the one at its end."""
    start, label = None, None
    for i, line in enumerate(lines):
        found = BRANCH.match(line)
        if line.startswith(".LBB") and line.endswith(":"):
            start, label = i + 1, line[:-1]
        elif found:
            if start is not None and found[1] == label:
                yield [text for text in lines[start : i + 1] if text and not text.startswith(".")]
            start = None


def main():
    text = pathlib.Path(sys.argv[1]).read_text()
    lines = [line.split(";")[0].strip() for line in text.splitlines()]
    loop = max(find_loops(lines), key=lambda body: sum("v_mfma" in line for line in body))
    for name in METADATA:
        found = re.search(rf"[.]{name}: +(\d+)", text)
        print(f"{name}: {found[1]}")
    print(f"mfma: {sum('v_mfma' in line for line in loop)}")
    print(f"instructions: {len(loop)}")
    waits = [w for line in loop for w in re.findall(r"vmcnt\(\d+\)", line)]
    print(f"waits: {' '.join(waits)}")


if __name__ == "__main__":
    main()
