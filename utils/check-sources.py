#!/usr/bin/env python3
"""Checks what clang-format does not: banners, include guards, sizes.

usage: check-sources.py [ROOT]

Prints one line for each fault, `file:line: error: text`.
"""
import os
import re
import sys

# A tool's main file only wires libraries together.
MAIN_FILE = re.compile(r"tools/([^/]+)/\1\.cpp$")
MAX_MAIN_LINES = 60
MAX_LINES = 600
SUFFIXES = (".cpp", ".h", ".td", ".c", ".py", ".sh", ".mlir", ".test")
FOLDERS = ("include", "lib", "tools", "test", "utils", "python", "benchmarks")
LICENSE = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


def sources(root):
    for folder in FOLDERS:
        for path, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                if name.endswith(SUFFIXES):
                    yield os.path.relpath(os.path.join(path, name), root)


def check_size(path, lines):
    limit = MAX_MAIN_LINES if MAIN_FILE.match(path) else MAX_LINES
    if len(lines) > limit:
        yield limit + 1, f"expected at most {limit} lines, got {len(lines)}"


def check_banner(path, lines):
    name = os.path.basename(path)
    if not re.fullmatch(
        rf"//===- {re.escape(name)} - .+ -+(\*- .+ -\*-)?===//", lines[0]
    ):
        yield 1, f"expected the banner of {name}, got '{lines[0]}'"
    elif len(lines[0]) != 80:
        yield 1, f"expected a banner of 80 columns, got {len(lines[0])}"
    if LICENSE not in lines[:8]:
        yield 1, "expected the license identifier in the first lines"


def check_guard(path, lines):
    guard = re.sub(r"\W", "_", re.sub(r"^include/", "", path)).upper()
    if f"#ifndef {guard}" not in lines:
        yield 1, f"expected the include guard {guard}"


def checks(path):
    yield check_size
    if path.endswith((".cpp", ".h", ".td", ".c")):
        yield check_banner
    if path.startswith("include/") and path.endswith((".h", ".td")):
        yield check_guard


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    faults = 0
    for path in sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().splitlines() or [""]
        for check in checks(path):
            for line, text in check(path, lines):
                print(f"{path}:{line}: error: {text}", file=sys.stderr)
                faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
