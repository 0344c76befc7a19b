#!/usr/bin/env python3
"""Checks that each constraint of docs/spec.md has tests and a verifier.

usage: constraints.py SOURCE_ROOT

A constraint is a row `| C1 | ... | `matmul_c1_*` |`. Its number stands in the
name of a function of a `-invalid.mlir` file, and as `(C1)` beside code of the
dialect; `(C1) to (C3)` is all three. Prints one line for each fault.
"""

import glob
import os
import re
import sys

ROW = re.compile(r"^\| ([A-Z]+\d+) \| .* \| (`\w+_\*`) \|$", re.M)
TEST = re.compile(r"^func\.func.* @(\w+?_([a-z]+\d+)(?:_\w+)?)\(", re.M)
MENTION = re.compile(r"\(([A-Z]+)(\d+)\)(?: to \(([A-Z]+)(\d+)\))?")
FAMILY = re.compile(r"(C|GM|Q|P|SC)\d+")


def read(pattern):
    return {path: open(path, encoding="utf-8").read() for path in glob.glob(pattern)}


def mentioned(texts):
    for text in texts:
        for match in MENTION.finditer(text):
            last = int(match[4]) if match[3] == match[1] else int(match[2])
            for number in range(int(match[2]), last + 1):
                yield f"{match[1]}{number}"


def main():
    root = sys.argv[1]
    rows = ROW.findall(read(os.path.join(root, "docs/spec.md")).popitem()[1])
    rules = {rule for rule, _ in rows}
    tests = [
        (path, function, rule.upper())
        for path, text in read(
            os.path.join(root, "test/Dialect/LPGEMM/*-invalid.mlir")
        ).items()
        for function, rule in TEST.findall(text)
    ]
    code = set(mentioned(read(os.path.join(root, "lib/Dialect/LPGEMM/IR/*")).values()))
    faults = []
    for rule, pattern in rows:
        prefix = pattern.strip("`*").rstrip("_")
        if not any(re.match(rf"{prefix}(_|$)", function) for _, function, _ in tests):
            faults.append(f"docs/spec.md: error: no test {pattern} of {rule}")
        if rule not in code:
            faults.append(f"docs/spec.md: error: no verifier says ({rule})")
    for path, function, rule in tests:
        if FAMILY.fullmatch(rule) and rule not in rules:
            faults.append(
                f"{path}: error: {function} names no constraint of docs/spec.md"
            )
    if not rows or not tests:
        faults.append("docs/spec.md: error: found no constraints, or no tests")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
