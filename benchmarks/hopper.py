#!/usr/bin/env python3
# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and times LPGEMM's kernels beside others on a Hopper GPU.

    benchmarks/hopper.py --kernels DIR --json results.json

DIR has cubins with their manifests; benchmarks/README.md says how they are made
and what is printed. The exit code is 1 if a kernel of LPGEMM is wrong.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "python")]

import torch

import candidates
import cases
import exactness
import report
import timing
import warmup

ROUNDS = {True: 3, False: 2}
# Share of the budget that compiling the peers' kernels may take.
WARM_SHARE = 0.5


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kernels", required=True, metavar="DIR")
    parser.add_argument("--kinds", default="tensor,block", help="of scales")
    parser.add_argument(
        "--shapes", default="large,small", help="large, small, or MxNxK, with commas"
    )
    parser.add_argument("--draw", type=int, default=0, help="number of other shapes")
    parser.add_argument("--seed", type=int, help="of the drawn shapes and the data")
    parser.add_argument("--budget-seconds", type=float, default=600)
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--check-only", action="store_true")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    args.kinds = args.kinds.split(",")
    unknown = [kind for kind in args.kinds if kind not in candidates.PEERS]
    if unknown:
        known = ", ".join(candidates.PEERS)
        parser.error(f"unknown kind '{unknown[0]}', expected one of {known}")
    return args


def describe_machine():
    machine = {"device": torch.cuda.get_device_name(), "torch": torch.__version__}
    for package in ("nvidia-cublas", "triton", "deep_gemm"):
        try:
            machine[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            machine[package] = None
    if machine["deep_gemm"] is None and candidates.has_deepgemm():
        import deep_gemm

        machine["deep_gemm"] = deep_gemm.__version__
    return machine


def check(case, candidate):
    """The error of the result, into memory that was NaN."""
    case.outputs[0].fill_(float("nan"))
    candidate.calls[0]()
    torch.cuda.synchronize()
    return cases.error(case.outputs[0], case.reference(candidate.kind))


class DeviceLost(RuntimeError):
    """A kernel made the context unusable: nothing can be measured after it."""


def check_device(culprit):
    try:
        torch.cuda.synchronize()
    except RuntimeError:
        raise DeviceLost(culprit) from None


class Benchmark:
    def __init__(self, args):
        self.args = args
        self.kernels = candidates.Kernels(args.kernels)
        self.results = report.Results()
        self.done = []
        self.exactness = []
        self.unusable = set()
        self.end = time.monotonic() + args.budget_seconds

    def left(self):
        return self.end - time.monotonic()

    def check_odd_shapes(self):
        """Kernels for any shape, where nothing is a multiple of a tile."""
        kinds = [k for k in self.kernels.generic() if k in self.args.kinds]
        for m, n, k in cases.ODD if kinds else ():
            for padded in (False, True):
                shape = cases.Shape(m, n, k, drawn=True)
                case = cases.Case(shape, padded=padded, rotated=False)
                for kind in kinds:
                    candidate = self._make_ours(case, kind)
                    if candidate is not None:
                        label = f"{kind} {shape}{', padded rows' if padded else ''}"
                        print(f"checked {label}: error {candidate.error:.1e}")

    def measure_exactness(self):
        for kind in self.args.kinds:
            for shape, decibels in exactness.measure(self.args.kernels, kind):
                self.exactness.append(
                    {"kind": kind, "shape": (shape.m, shape.n, shape.k), "sqnr": decibels}
                )
                print(f"{kind} {shape}: SQNR of the sums {decibels:.1f} dB", flush=True)

    def _make_ours(self, case, kind):
        if self.kernels.find(kind, case.shape) is None:
            return None
        name = f"LPGEMM {kind}"
        return self._make(case, name, kind, lambda: self.kernels.candidate(kind, case))

    def _make(self, case, name, kind, make):
        """A candidate whose result is right, ready to be timed, or None."""
        try:
            candidate = make()
            candidate.error = check(case, candidate)
            if not self.args.check_only:
                candidate.timer = timing.timer(case.shape, candidate.calls)
        except Exception as error:
            reason = str(error).splitlines()[0] if str(error) else repr(error)
            self._reject(case.shape, name, kind, reason)
            check_device(f"{case.shape} {name}")
            return None
        bound = cases.max_error(kind, case.shape)
        if candidate.error <= bound:
            return candidate
        reason = f"wrong result, error {candidate.error:.1e} above {bound:.1e}"
        self._reject(case.shape, name, kind, reason)
        return None

    def _reject(self, shape, name, kind, reason):
        print(f"{shape} {name}: {reason}", flush=True)
        self.results.add(shape, name, kind, error=reason)

    def _candidates(self, case):
        for kind in self.args.kinds:
            yield self._make_ours(case, kind)
        if self.args.no_peers:
            return
        for name, kind, make in candidates.peers(self.args.kinds, self.unusable):
            yield self._make(
                case,
                name,
                kind,
                lambda: candidates.Candidate(name, kind, *make(case)),
            )

    def measure(self, shape):
        """All candidates, interleaved."""
        case = cases.Case(shape)
        found = [c for c in self._candidates(case) if c is not None]
        if self.args.check_only:
            return
        for _ in range(ROUNDS[shape.is_small]):
            for candidate in found:
                candidate.times.append(candidate.timer.time())
        for candidate in found:
            self.results.add(
                shape,
                candidate.name,
                candidate.kind,
                candidate.times,
                note=candidate.note,
            )
        texts = [f"{c.name} {min(c.times) * 1e6:.1f}" for c in found]
        print(f"{shape}: " + "; ".join(texts), flush=True)

    def run(self, shapes):
        """Measures what the budget suffices for."""
        slowest = 0.0
        for shape in shapes:
            if self.left() < 1.5 * slowest:
                break
            start = time.monotonic()
            self.measure(shape)
            torch.cuda.empty_cache()
            slowest = max(slowest, time.monotonic() - start)
            self.done.append(shape)


def finish(benchmark, machine, seed, shapes):
    """Prints and writes the results; the exit code."""
    results, args, done = benchmark.results, benchmark.args, benchmark.done
    results.print_times(done, args.kinds)
    results.print_ratios(done, args.kinds)
    missed = [str(shape) for shape in shapes if shape not in done]
    if missed:
        print(f"\nnot measured: {', '.join(missed)}")
    for row in results.wrong():
        print(f"WRONG: {row['candidate']} {row['shape']}: {row['error']}")
    if args.json:
        document = {"machine": machine, "seed": seed, "missed": missed}
        document["exactness"] = benchmark.exactness
        document["results"] = results.rows
        pathlib.Path(args.json).write_text(json.dumps(document, indent=1) + "\n")
    return 1 if results.wrong() else 0


def main():
    args = parse_arguments()
    seed = args.seed if args.seed is not None else time.time_ns() % 2**32
    machine = describe_machine()
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    print(f"seed {seed}", flush=True)
    torch.manual_seed(seed)
    torch.backends.cuda.matmul.allow_tf32 = False
    shapes = cases.listed(args.shapes) if args.shapes else []
    shapes += cases.draw(args.draw, random.Random(seed))
    benchmark = Benchmark(args)
    if not benchmark.kernels:
        sys.exit(f"hopper.py: no .cubin in {args.kernels}")
    if not args.no_peers:
        seconds = WARM_SHARE * args.budget_seconds
        benchmark.unusable = warmup.warm(shapes, args.kinds, args.workers, seconds)
        for peer in sorted(benchmark.unusable):
            print(f"{peer} ends its process, and is left out", flush=True)
    try:
        benchmark.check_odd_shapes()
        benchmark.measure_exactness()
        benchmark.run(shapes)
    except DeviceLost as error:
        print(f"the device is lost after {error}")
    return finish(benchmark, machine, seed, shapes)


if __name__ == "__main__":
    sys.exit(main())
