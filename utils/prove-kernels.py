#!/usr/bin/env python3
# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels of every kind in the emulator, and compares with the reference.

usage: prove-kernels.py [--chip=CHIP] [--sample=N] [--seed=S] [--jobs=N]
                        [--minutes=M] [--list] [--keep-going]
                        [--results=FILE] [--table=FILE]
       prove-kernels.py --check=FILE

Each case of kernel_cases.py is a process of lpgemm-run, under NaN in all padding
and in a random order of lanes; what must be refused is, with the expected
error. The first fault ends the run, but for --keep-going. --sample runs N cases
with as many values of all axes as possible. With --results outcomes are kept in
a file, and cases that it has as right are not run again. --table writes
docs/coverage.md from the outcomes; without --results it keeps the numbers of
cases in lines that are the same otherwise, so that --sample=0 brings the rest
up to date. --check compares a page with what would be written, but for these
numbers.
"""

import argparse
import bisect
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import coverage_page
import kernel_cases as kc
import kernel_families as kf
import kernel_refusals as kr

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Fault(Exception):
    """Why there can be no run, in one line."""


def find_tool(name):
    tool = shutil.which(name) or shutil.which(ROOT / "build" / "bin" / name)
    if not tool:
        raise Fault(f"no {name} in PATH, nor in {ROOT / 'build' / 'bin'}")
    return tool


def call(folder, text, *command):
    """What a tool prints about a program, and whether it succeeds."""
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".mlir", delete=False) as file:
        file.write(text)
    tool, *options = command
    try:
        done = subprocess.run(
            [find_tool(tool), file.name, *options], capture_output=True, text=True
        )
    except OSError as error:
        raise Fault(f"cannot run {find_tool(tool)}: {error.strerror}") from error
    os.unlink(file.name)
    return done.stdout, done.stderr, done.returncode == 0


def find_instructions(chip, folder):
    """What lpgemm-select-schedule takes for each types and kind of scales."""
    bases = [base[1:] for base in kc.list_bases([chip])]
    texts = []
    for i, base in enumerate(bases):
        case = next(c for c in map(lambda j: kc.draw_case(chip, *base, j), range(8)) if c.schedule == "default")
        texts.append(kc.Program(case, None).text().replace("@f(", f"@f{i}("))
    out, err, ok = call(
        folder, "\n".join(texts), "lpgemm-opt",
        f"--lpgemm-attach-target=chip={chip}", "--lpgemm-select-schedule",
    )  # fmt: skip
    found = re.findall(r"instr = (\w+)", out)
    if not ok or len(found) != len(bases):
        sys.exit(f"lpgemm-select-schedule refuses a product for {chip}:\n{err}")
    return dict(zip(bases, found))


class Prover:
    def __init__(self, chips, folder):
        self.folder = folder
        self.instructions = {chip: find_instructions(chip, folder) for chip in chips}

    def program(self, case):
        return kc.Program(case, self.instructions[case.chip][case.pair, case.kind]).text()

    def command(self, case):
        size = "x".join(str(e) for e in kf.BATCHES[case.batch] + case.shape)
        return [
            "lpgemm-run", f"--chip={case.chip}", "--device=emulate", "--compare=reference",
            f"--size={size}", f"--init={case.init}:{case.seed}", "--poison",
            f"--emulator-order=random:{case.seed}", "--emulator-threads=1",
            *case.family().runs[case.run],
        ]  # fmt: skip

    def run(self, case):
        """What is wrong with a case; None if it is right."""
        text = self.program(case)
        out, err, ok = call(self.folder, text, *self.command(case))
        if ok and re.search(r"^ok: ", out, flags=re.M):
            return None
        return f"{out}{err}{' '.join(self.command(case))}\n{text}"

    def find_errors(self, refusals, chip):
        """The first error about each program; none if it is accepted."""
        text = "// -----\n".join(r.text for r in refusals)
        _, err, _ = call(
            self.folder, text, "lpgemm-opt", "--split-input-file",
            "--mlir-print-op-on-diagnostic=false",
            f"--lpgemm-attach-target=chip={chip}", "--lpgemm-select-schedule",
        )  # fmt: skip
        # By lines of the whole text, of which each program has a range.
        ends = list(itertools.accumulate(r.text.count("\n") + 1 for r in refusals))
        errors = {}
        for line, error in re.findall(r"^[^\n]*\.mlir:(\d+):\d+: error: (.*)$", err, flags=re.M):
            errors.setdefault(refusals[bisect.bisect_left(ends, int(line))], error)
        return errors

    def find_refusals(self, chips):
        """Pairs of a refusal and its error, and what is not as expected."""
        found, faults = {}, []
        for chip in chips:
            refusals = [r for r in kr.list_refusals() if chip in r.chips]
            errors = self.find_errors(refusals, chip)
            for refusal in refusals:
                error = found[refusal] = errors.get(refusal, "none")
                if refusal.expected not in error:
                    faults.append(
                        f"{chip}, {refusal.what}: expected the error '{refusal.expected}',"
                        f" but got '{error}'\n{refusal.text}"
                    )
        return [(r, found[r]) for r in kr.list_refusals() if r in found], faults


class Results:
    """Outcomes of cases by their names, also in a file."""

    def __init__(self, path):
        self.right, self.path = {}, path
        if path and path.exists():
            self.read(path)

    def read(self, path):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            try:
                self.right.update([json.loads(line)])
            except (TypeError, ValueError) as error:
                raise Fault(f"{path}:{number}: no outcome of a case: {error}") from error

    def add(self, case, right):
        self.right[case.name()] = right
        if self.path:
            with self.path.open("a") as file:
                print(json.dumps([case.name(), right]), file=file)


def run_cases(prover, cases, results, args):
    """The number of cases that are wrong."""
    deadline = time.monotonic() + args.minutes * 60
    todo = iter([c for c in cases if not results.right.get(c.name())])
    failures, running = 0, {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        while True:
            stop = (failures and not args.keep_going) or time.monotonic() > deadline
            while not stop and len(running) < args.jobs and (case := next(todo, None)):
                running[pool.submit(prover.run, case)] = case
            if not running:
                return failures
            done, _ = concurrent.futures.wait(running, return_when="FIRST_COMPLETED")
            for future in done:
                case, error = running.pop(future), future.result()
                results.add(case, error is None)
                failures += error is not None
                if error:
                    print(f"{case.name()}\n{error}", flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chip", choices=kf.CHIPS)
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--list", action="store_true", help="print the cases")
    parser.add_argument("--keep-going", action="store_true")
    parser.add_argument("--results", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE")
    return parser.parse_args()


def run(args, chips, folder):
    cases = kc.list_cases(chips)
    if args.sample is not None:
        cases = kc.choose_sample(cases, args.sample, args.seed)
    if args.list:
        print("\n".join(case.name() for case in cases))
        return 0
    prover, results = Prover(chips, folder), Results(args.results)
    refusals, faults = prover.find_refusals(chips)
    for fault in faults:
        print(fault)
    if args.check:
        return bool(faults) | coverage_page.check(args.check, prover.instructions, refusals)
    failures = run_cases(prover, cases, results, args)
    right = sum(bool(results.right.get(case.name())) for case in cases)
    if args.table:
        page = coverage_page.write(prover.instructions, refusals, results.right)
        if not args.results and args.table.exists():
            page = coverage_page.keep_numbers(page, args.table.read_text())
        args.table.write_text(page)
    print(f"{right} of {len(cases)} cases are right, {failures} are wrong")
    print(f"{len(refusals) - len(faults)} of {len(refusals)} refusals are as expected")
    return bool(failures or faults)


def main():
    args = parse_arguments()
    # The page is about all chips.
    chips = [args.chip] if args.chip and not (args.table or args.check) else kf.CHIPS
    with tempfile.TemporaryDirectory() as folder:
        try:
            return run(args, chips, pathlib.Path(folder))
        except (Fault, OSError, UnicodeDecodeError) as fault:
            print(f"prove-kernels.py: error: {fault}", file=sys.stderr)
            return 1


if __name__ == "__main__":
    sys.exit(main())
