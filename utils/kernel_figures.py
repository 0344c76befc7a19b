#!/usr/bin/env python3
# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints figures of kernels for gfx942 and gfx950, and checks limits.

Reads assembly (lpgemm-compile --emit=isa), or compiles the entries of a table:
a program, a chip and limits. A limit that does not hold ends it with 1.
docs/loop-model.md explains the figures.
"""

import argparse
import dataclasses
import json
import operator
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

try:
    from loop_model import figures, machine
    from loop_model.assembly import Fault
except ImportError as missing:
    sys.exit(f"kernel_figures.py: error: {missing}")

# Of a kernel in a table.
ENTRY = {"name": str, "chip": str, "program": str, "limits": list}
COMPARE = {"<=": operator.le, ">=": operator.ge, "==": operator.eq}
# A hundred times what the largest kernels have.
MAX_BYTES = 1 << 26
MODELLED = ("cycles", "utilisation")
OPTIONS = ("lds_latency", "global_latency", "scalar_latency", "branch", "global_rate")


def parse_limit(text):
    found = re.fullmatch(r"\s*(\w+)\s*(<=|>=|==)\s*(\d+(?:\.\d+)?)\s*", text)
    if not found:
        raise Fault(f"expected NAME<=NUMBER, or >= or ==, got '{text}'")
    return found[1], found[2], float(found[3])


def parse_option(text):
    try:
        return parse_limit(text)
    except Fault as fault:
        raise argparse.ArgumentTypeError(str(fault)) from fault


def parse_clocks(text):
    if not re.fullmatch(r"[1-9]\d{0,6}", text):
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 9999999, got '{text}'")
    return int(text)


def read(path):
    """The text of a file that may be anything, such as one without an end."""
    # Not to wait for a writer that a FIFO may never have.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    with open(descriptor, "rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise Fault(f"{path}: expected at most {MAX_BYTES} bytes")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise Fault(f"{path}: expected text") from error


def read_table(path):
    """The entries of a table of kernels, each with the keys of ENTRY."""
    try:
        entries = tomllib.loads(read(path)).get("kernel")
    except tomllib.TOMLDecodeError as error:
        raise Fault(f"{path}: {error}") from error
    if not entries or not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise Fault(f"{path}: expected [[kernel]]")
    for entry in entries:
        wrong = [key for key, kind in ENTRY.items() if not isinstance(entry.get(key), kind)]
        wrong += [key for key in entry if key not in ENTRY]
        if wrong:
            expected = ", ".join(f"{key} ({kind.__name__})" for key, kind in ENTRY.items())
            raise Fault(f"{path}: expected {expected} for each kernel, but '{wrong[0]}' is not so")
    return entries


def format_number(value):
    if value is None:
        return "unknown"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def check_limits(found, limits):
    """A line for each limit; whether all hold. What is unknown passes none."""
    lines, good = [], True
    for name, relation, limit in limits:
        if name not in found.numbers:
            raise Fault(f"expected a figure, got '{name}'; there are {', '.join(found.numbers)}")
        value = found.numbers[name]
        holds = value is not None and COMPARE[relation](value, limit)
        good &= holds
        verdict = "ok" if holds else "FAILED"
        lines.append(f"  {verdict}: {name} {format_number(value)}, limit {relation} {limit:g}")
    return lines, good


def show(label, found):
    counted = {k: v for k, v in found.numbers.items() if k not in MODELLED}
    print(f"{label}: {found.kernel}, {found.chip}")
    print("  " + ", ".join(f"{name} {format_number(value)}" for name, value in counted.items()))
    print(f"  vmcnt of the waits: {', '.join(map(str, found.vmcnt)) or 'none'}")
    if found.bound:
        cycles, share = (found.numbers[name] for name in MODELLED)
        print(f"  model, not a measurement: {cycles:.0f} clocks an iteration, matrix cores {share:.0%}")
        print(f"  model, bound by: {found.bound}")


def compile_entry(entry, folder, compiler):
    program, output = pathlib.Path(folder, "program.mlir"), pathlib.Path(folder, "program.s")
    program.write_text(entry["program"], encoding="utf-8")
    command = [compiler, program, f"--chip={entry['chip']}", "--emit=isa", "-o", output]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except ValueError as error:
        raise Fault(f"{entry['name']}: {error}") from error
    if done.returncode:
        # Behind remarks.
        lines = done.stderr.strip().splitlines()
        said = [line for line in lines if "error:" in line] + lines
        raise Fault(f"{entry['name']}: {(said or [f'the compiler ends with {done.returncode}'])[0]}")
    return read(output)


def list_sources(args, folder):
    """Label, text and limits of each kernel."""
    for path in args.files:
        yield path.name, read(path), args.limit
    if args.table:
        for entry in read_table(args.table):
            limits = [parse_limit(str(text)) for text in entry["limits"]]
            yield entry["name"], compile_entry(entry, folder, args.compiler), limits + args.limit


def measure(label, text, *arguments, **options):
    try:
        return figures.measure(text, *arguments, **options)
    except Fault as fault:
        raise Fault(f"{label}: {fault}") from fault
    except (ArithmeticError, LookupError, StopIteration, TypeError, ValueError) as error:
        # The assembly is anybody's, and not all that can be wrong in it is checked.
        raise Fault(f"{label}: cannot make sense of the assembly: {error!r}") from error


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE.s")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE.toml", help="compile and check these")
    parser.add_argument("--compiler", default="lpgemm-compile")
    parser.add_argument("--kernel", help="the kernel's name; else that with the most MFMAs")
    parser.add_argument("--limit", action="append", default=[], type=parse_option, metavar="NAME<=NUMBER")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--no-simulation", action="store_true", help="only what can be counted")
    defaults = machine.MACHINES["gfx950"]
    for name in OPTIONS:
        text = f"an assumption of the model (default {getattr(defaults, name)})"
        parser.add_argument(f"--{name.replace('_', '-')}", type=parse_clocks, metavar="N", help=text)
    args = parser.parse_args()
    if not args.files and not args.table:
        parser.error("expected FILE.s or --table")
    return args


def run(args, folder):
    options = {name: getattr(args, name) for name in OPTIONS if getattr(args, name) is not None}
    is_good, everything = True, []
    for label, text, limits in list_sources(args, folder):
        found = measure(label, text, args.kernel, not args.no_simulation, **options)
        lines, holds = check_limits(found, limits)
        is_good &= holds
        if args.json and not holds:
            failed = [line.strip() for line in lines if "FAILED" in line]
            print(f"{label}: {'; '.join(failed)}", file=sys.stderr)
        everything.append({"label": label, **dataclasses.asdict(found)})
        if not args.json:
            show(label, found)
            print("\n".join(lines), end="\n" if lines else "")
    if args.json:
        print(json.dumps(everything, indent=2))
    return is_good


def main():
    args = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        try:
            return 0 if run(args, folder) else 1
        except (Fault, OSError) as fault:
            print(f"kernel_figures.py: error: {fault}", file=sys.stderr)
            return 1


if __name__ == "__main__":
    sys.exit(main())
