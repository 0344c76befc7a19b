# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of what was measured."""

import math
import statistics

import cases

REFERENCE_PEERS = {
    "tensor": ("cuBLASLt tensor, fast",),
    "row": ("cuBLASLt row, fast",),
    "block": ("DeepGEMM block", "cuBLASLt block"),
}


class Results:
    """Seconds by shape and candidate; errors of what has none."""

    def __init__(self):
        self.rows = []

    def add(self, shape, candidate, kind, times=(), error=None, note=""):
        self.rows.append(
            {
                "shape": [shape.m, shape.n, shape.k],
                "drawn": shape.drawn,
                "candidate": candidate,
                "kind": kind,
                "seconds": min(times, default=None),
                "times": list(times),
                "error": error,
                "floor_seconds": shape.floor,
                "note": note,
            }
        )

    def _times(self, kind, shape):
        """Seconds of the candidates of a kind."""
        key = [shape.m, shape.n, shape.k]
        rows = [
            row
            for row in self.rows
            if row["shape"] == key and row["kind"] == kind and row["seconds"]
        ]
        return {row["candidate"]: row["seconds"] for row in rows}

    def ratios(self, kind, shape):
        """How many times faster than peers LPGEMM is, and its share of the floor."""
        times = self._times(kind, shape)
        ours = times.pop(f"LPGEMM {kind}", None)
        if ours is None:
            return {}
        result = {"floor": shape.floor / ours}
        if times:
            result["best peer"] = min(times.values()) / ours
        for peer in REFERENCE_PEERS[kind]:
            if peer in times:
                result[peer] = times[peer] / ours
        return result

    def print_times(self, shapes, kinds):
        for kind in kinds:
            names = dict.fromkeys(
                row["candidate"] for row in self.rows if row["kind"] == kind
            )
            if not any(self._times(kind, shape) for shape in shapes):
                continue
            print(f"\n{kind} scales, us")
            print("| M, N, K | floor | " + " | ".join(names) + " |")
            print("|---|---|" + "---|" * len(names))
            for shape in shapes:
                times = self._times(kind, shape)
                if times:
                    seconds = [shape.floor, *map(times.get, names)]
                    cells = " | ".join(map(_microseconds, seconds))
                    print(f"| {_title(shape)} | {cells} |")

    def print_ratios(self, shapes, kinds):
        for kind in kinds:
            columns = ["best peer", *REFERENCE_PEERS[kind], "floor"]
            table = {shape: self.ratios(kind, shape) for shape in shapes}
            table = {shape: row for shape, row in table.items() if row}
            if not table:
                continue
            print(
                f"\n{kind} scales: time of the peer / time of LPGEMM, above 1 is faster"
            )
            print("| M, N, K | " + " | ".join(columns) + " |")
            print("|---|" + "---|" * len(columns))
            for shape, row in table.items():
                print(f"| {_title(shape)} | " + _cells(row, columns) + " |")
            for title, chosen in _groups(table).items():
                print(f"| **{title}** | " + _cells(_means(chosen), columns) + " |")

    def wrong(self):
        return [
            row
            for row in self.rows
            if row["candidate"].startswith("LPGEMM") and row["seconds"] is None
        ]


def _title(shape):
    return f"{shape.m}, {shape.n}, {shape.k}" + (" (drawn)" if shape.drawn else "")


def _microseconds(seconds):
    return "-" if seconds is None else f"{seconds * 1e6:.1f}"


def _cells(row, columns):
    return " | ".join(f"{row[c]:.3f}" if c in row else "-" for c in columns)


def _groups(table):
    groups = {
        f"geometric mean, M > {cases.SMALL_M}": [
            row for shape, row in table.items() if not (shape.is_small or shape.drawn)
        ],
        f"geometric mean, M <= {cases.SMALL_M}": [
            row for shape, row in table.items() if shape.is_small and not shape.drawn
        ],
        "geometric mean, drawn": [row for shape, row in table.items() if shape.drawn],
    }
    return {title: rows for title, rows in groups.items() if rows}


def _means(rows):
    names = {name for row in rows for name in row}
    return {
        name: math.exp(
            statistics.fmean(math.log(row[name]) for row in rows if name in row)
        )
        for name in names
    }
