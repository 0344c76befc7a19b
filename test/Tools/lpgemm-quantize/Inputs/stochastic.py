"""Stochastic rounding to f8E4M3FN with one scale, by its definition (C-16).

usage: stochastic.py IN.npy SEED [CODES.npy]: writes a matrix of values that
are none of the format's, or checks the codes of it.
"""

import sys

import numpy as np

from lpgemm import formats

MASK = 2**64 - 1


def random_bits(seed, index):
    z = (seed + 0x9E3779B97F4A7C15 * (index + 1)) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return (z ^ (z >> 31)) >> 32


def encode(value, random):
    table = formats.TABLES["f8E4M3FN"][:0x7F]
    magnitude = abs(float(value))
    below = np.searchsorted(table, magnitude, side="right") - 1
    if below == 0x7E:
        fraction = 0.0
    else:
        fraction = (magnitude - table[below]) / (table[below + 1] - table[below])
    code = below + (int(fraction * 2**32) > random)
    return code | (0x80 if value < 0 else 0)


def main():
    path, seed = sys.argv[1], int(sys.argv[2])
    if len(sys.argv) == 3:
        values = np.random.default_rng(1).standard_normal((7, 33))
        np.save(path, values.astype(np.float32))
        return
    values, codes = np.load(path), np.load(sys.argv[3])
    quotients = values / np.float32(np.abs(values).max() / np.float32(448))
    expected = [encode(v, random_bits(seed, i)) for i, v in enumerate(quotients.flat)]
    np.testing.assert_array_equal(codes.ravel(), expected)
    assert (codes != formats.encode(quotients)).any()


if __name__ == "__main__":
    main()
