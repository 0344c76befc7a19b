"""Operands of programs.mlir, and results in float64 that f32 holds exactly."""

import sys

import numpy as np

M, N, K = 5, 7, 75
folder = sys.argv[1]
rng = np.random.default_rng(1)


def save(name, array):
    np.save(f"{folder}/{name}.npy", array)


magnitudes = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
fp4 = np.concatenate([magnitudes, -magnitudes])
a, b = (rng.integers(0, 16, (rows, K), np.uint8) for rows in (M, N))
save("a4", a)
save("b4", b)
# Scales of 2 and 1/2, in the layouts swz128x4 and amd32x8.
save("sa4", np.full((1, 1, 32, 4, 4), 128, np.uint8))
save("sb4", np.full((8, 1, 4, 16, 2, 2), 126, np.uint8))
save("d4", (fp4[a] @ fp4[b].T).astype(np.float32))

a, b = (rng.integers(-9, 10, shape).astype(np.float32) for shape in ((M, K), (K, N)))
save("a16", a)
save("b16", (b.view(np.uint32) >> 16).astype(np.uint16))
save("c", np.full((M, N), 0x38, np.uint8))  # ones of f8E4M3FN
save("d16", (2 * a.astype(np.float64) @ b - 0.5).astype(np.float32))
