# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Test data. Run as a program it writes one matrix:

    python3 -m lpgemm.testing normal 130 70 --seed=1 --poison -o a.npy
"""

import argparse

import numpy as np


def normal(rng, rows, columns):
    """Normally distributed values."""
    return rng.standard_normal((rows, columns))


def wide(rng, rows, columns):
    """Magnitudes of all binades of f32, subnormal ones too, both zeros."""
    values = rng.uniform(1, 2, (rows, columns))
    values *= 2.0 ** rng.integers(-149, 128, (rows, columns))
    values[rng.random((rows, columns)) < 0.1] = 0
    return np.where(rng.random((rows, columns)) < 0.5, -values, values)


def outliers(rng, rows, columns):
    """Normal values with one column in a hundred a hundred times as large."""
    return normal(rng, rows, columns) * np.where(rng.random(columns) < 0.01, 100, 1)


def ties(rng, rows, columns):
    """Small multiples of a quarter: many of them are ties of some format."""
    return rng.integers(-64, 65, (rows, columns)) / 4


KINDS = {"normal": normal, "wide": wide, "outliers": outliers, "ties": ties}


def make_matrix(kind, rows, columns, seed, poison=False):
    """A float32 matrix; `poison` puts in a NaN and infinities."""
    rng = np.random.default_rng(seed)
    values = KINDS[kind](rng, rows, columns).astype(np.float32)
    if poison:
        for value in (np.nan, np.inf, -np.inf):
            values[rng.integers(rows), rng.integers(columns)] = value
    return values


def main():
    parser = argparse.ArgumentParser(description="Write a random matrix.")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("rows", type=int)
    parser.add_argument("columns", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--poison", action="store_true", help="add NaN and infinities")
    parser.add_argument("-o", dest="output", required=True)
    args = parser.parse_args()
    np.save(
        args.output,
        make_matrix(args.kind, args.rows, args.columns, args.seed, args.poison),
    )


if __name__ == "__main__":
    main()
