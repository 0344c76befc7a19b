"""Compares the layouts of lpgemm-quantize with their definitions in NumPy."""

import subprocess
import sys

import numpy as np


def quantize(*options):
    """Runs the tool on in.npy; returns codes and scales."""
    arguments = [sys.argv[1], "in.npy", "-o", "q.npy", "--scales=s.npy", *options]
    subprocess.run(arguments, check=True)
    return np.load("q.npy"), np.load("s.npy")


def pad(scales, row_multiple, block_multiple, fill=0):
    rows, blocks = (-n % m for n, m in zip(scales.shape, (row_multiple, block_multiple)))
    return np.pad(scales, ((0, rows), (0, blocks)), constant_values=fill)


def swz128x4(scales):
    tiles = pad(scales, 128, 4)
    rows, blocks = tiles.shape
    tiles = tiles.reshape(rows // 128, 4, 32, blocks // 4, 4)
    return tiles.transpose(0, 3, 2, 1, 4)


def amd32x8(scales):
    tiles = pad(scales, 256, 8, fill=0x7F)
    rows, blocks = tiles.shape
    tiles = tiles.reshape(rows // 32, 2, 16, blocks // 8, 2, 4)
    return tiles.transpose(0, 3, 5, 2, 4, 1)


def mn_tma_ue8m0x4(scales):
    words = pad(scales, 4, 4)
    rows, blocks = words.shape
    return words.reshape(rows, blocks // 4, 4).transpose(1, 0, 2)


def check(layout, define, *options):
    codes, scales = quantize(*options)
    other_codes, packed = quantize(*options, f"--layout={layout}")
    np.testing.assert_array_equal(other_codes, codes)
    np.testing.assert_array_equal(packed, define(scales).ravel(), err_msg=layout)
    assert packed.dtype == scales.dtype and packed.ndim == 1
    assert len(np.unique(scales)) > 2


def save(rows, columns):
    rng = np.random.default_rng(rows)
    values = rng.standard_normal((rows, columns)) * 2.0 ** rng.integers(-9, 9, (rows, 1))
    np.save("in", values.astype(np.float32))


save(200, 300)
mx, groups = ["--format=f8E4M3FN"], ["--format=f8E4M3FN", "--scale=1x128"]
check("swz128x4", swz128x4, *mx)
check("amd32x8", amd32x8, *mx)
check("mn_tma_ue8m0x4", mn_tma_ue8m0x4, *groups, "--scale-type=f8E8M0FNU")
check("mn_tma", lambda s: pad(s, 4, 1).T, *groups)
check("col", np.transpose, *groups)
check("col", np.transpose, *groups, "--scale-type=bf16")
nvfp4 = ["--format=f4E2M1FN", "--tensor-scale=t.npy"]
check("swz128x4", swz128x4, *nvfp4, "--scale=nvfp4")
# Each row of the operand has a scale in the layout, as it has for the hardware.
check("swz128x4", lambda s: swz128x4(s.repeat(16, axis=0)[:200]), *nvfp4, "--scale=nvfp4_2d")
save(301, 640)
check("blk128x128", lambda s: pad(s, 1, 4), "--format=f8E4M3FN", "--scale=128x128")
check("mn_tma", lambda s: pad(s, 4, 1).T, *groups)

# Shuffled codes, of bytes and of pairs.
save(48, 192)
for options in (mx, ["--format=f4E2M1FN", "--packed"]):
    codes, _ = quantize(*options)
    shuffled, _ = quantize(*options, "--code-layout=w16x16")
    tiles = codes.reshape(3, 16, -1, 4 if len(options) == 1 else 2, 16)
    expected = tiles.transpose(0, 2, 3, 1, 4).reshape(codes.shape)
    np.testing.assert_array_equal(shuffled, expected)
