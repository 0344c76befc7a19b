# RUN: mkdir -p %t && %python %s lpgemm-quantize %t
"""Compares lpgemm-quantize with lpgemm.formats, byte by byte."""

import itertools
import pathlib
import subprocess
import sys
import unittest

import numpy as np

from lpgemm import formats, testing

TOOL, FOLDER = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
REAL_DATA = pathlib.Path(__file__).parents[1] / "Integration/Inputs/minilm"
FORMATS = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f6E2M3FN"]
FORMATS += ["f6E3M2FN", "f4E2M1FN"]
MANTISSA_BITS = [3, 2, 3, 2, 3, 2, 1]


def quantize(values, name, *options):
    """Runs the tool; returns codes, one in a byte, and scales."""
    source, q, s = (FOLDER / f for f in ("in.npy", "q.npy", "s.npy"))
    np.save(source, values)
    arguments = [source, f"--format={name}", "-o", q, f"--scales={s}", *options]
    subprocess.run([TOOL, *arguments], check=True)
    codes, scales = np.load(q), np.load(s)
    if name == "f4E2M1FN":
        subprocess.run([TOOL, *arguments, "--packed"], check=True)
        packed = formats.unpack_nibbles(np.load(q), values.shape[1])
        np.testing.assert_array_equal(packed, codes)
    return codes, scales


def block_amax(values, rows, columns):
    """The largest magnitude of each block, and the same for each element."""
    amax = np.maximum.reduceat(np.abs(values), np.arange(0, len(values), rows), axis=0)
    starts = np.arange(0, values.shape[1], columns)
    amax = np.maximum.reduceat(amax, starts, axis=1)
    spread = amax.repeat(rows, axis=0)[: len(values)]
    return amax, spread.repeat(columns, axis=1)[:, : values.shape[1]]


class QuantizeTest(unittest.TestCase):
    def check(self, values, name):
        codes, scales = quantize(values, name)
        expected_codes, expected_scales = formats.quantize_mx(values, name)
        np.testing.assert_array_equal(scales, expected_scales)
        np.testing.assert_array_equal(codes, expected_codes)
        self.assertEqual((codes.dtype, scales.dtype), (np.uint8, np.uint8))
        return codes, scales

    def test_random_data(self):
        shapes = [(1, 1), (7, 32), (33, 70)]
        for name, kind, shape in itertools.product(FORMATS, testing.KINDS, shapes):
            with self.subTest(name=name, kind=kind, shape=shape):
                self.check(testing.make_matrix(kind, *shape, seed=2), name)

    def test_f32_scales(self):
        # S-11: f32 quotients, both of the scale and of the elements.
        values = testing.make_matrix("outliers", 131, 261, seed=5)
        blocks = {"tensor": (131, 261), "row": (1, 261), "column": (131, 1)}
        blocks |= {"1x128": (1, 128), "128x128": (128, 128), "7x5": (7, 5)}
        for (scaling, block), name in itertools.product(blocks.items(), FORMATS):
            with self.subTest(scaling=scaling, name=name):
                codes, scales = quantize(values, name, f"--scale={scaling}")
                qmax = np.float32(formats.qmax(name))
                amax, spread = block_amax(values, *block)
                np.testing.assert_array_equal(scales, amax / qmax)
                expected = formats.encode(values / (spread / qmax), name)
                np.testing.assert_array_equal(codes, expected)

    def test_nvfp4(self):
        # S-16: in f32, from the largest magnitude of the matrix down.
        values = testing.make_matrix("outliers", 70, 130, seed=6)
        tensor = FOLDER / "t.npy"
        for scaling, block in {"nvfp4": (1, 16), "nvfp4_2d": (16, 16)}.items():
            options = [f"--scale={scaling}", f"--tensor-scale={tensor}"]
            codes, scales = quantize(values, "f4E2M1FN", *options)
            encode_scale = np.float32(448 * 6) / np.abs(values).max()
            np.testing.assert_array_equal(np.load(tensor), np.float32(1) / encode_scale)
            amax, _ = block_amax(values, *block)
            expected = formats.encode(amax * (encode_scale / np.float32(6)))
            np.testing.assert_array_equal(scales, expected)
            decoded = formats.decode(scales).astype(np.float32)
            factor = (encode_scale / decoded).repeat(block[0], axis=0)[:70]
            factor = factor.repeat(block[1], axis=1)[:, :130]
            expected = formats.encode(values * factor, "f4E2M1FN")
            np.testing.assert_array_equal(codes, expected)

    def test_half_precision(self):
        values = testing.make_matrix("ties", 5, 70, seed=3).astype(np.float16)
        self.check(values, "f8E4M3FN")

    def test_extreme_scales(self):
        # The scales 2^127 and 2^-127 are the ends of the type.
        values = np.float32([[3e38] * 32 + [1e-45] * 3])
        for name in FORMATS:
            self.check(values, name)

    def test_poisoned_blocks(self):
        # S-13: a block with NaN or infinity is NaN; the others are untouched.
        clean = testing.make_matrix("normal", 9, 70, seed=4)
        poisoned = testing.make_matrix("normal", 9, 70, seed=4, poison=True)
        hit = np.zeros((9, 3), bool)
        rows, columns = np.nonzero(~np.isfinite(poisoned))
        hit[rows, columns // formats.MX_BLOCK] = True
        for name in FORMATS:
            codes, scales = quantize(poisoned, name)
            clean_codes, clean_scales = quantize(clean, name)
            np.testing.assert_array_equal(scales, np.where(hit, 0xFF, clean_scales))
            spread = np.repeat(hit, formats.MX_BLOCK, axis=1)[:, :70]
            np.testing.assert_array_equal(codes[~spread], clean_codes[~spread])
            values = formats.dequantize_mx(codes, scales, name)
            np.testing.assert_array_equal(np.isnan(values), spread)

    def test_real_data(self):
        for file in ("activations.npy", "weights.npy"):
            values = np.load(REAL_DATA / file)
            for name, bits in zip(FORMATS, MANTISSA_BITS):
                codes, scales = self.check(values, name)
                # Rounding errs by half a place, and by half of the smallest
                # subnormal below the normal range.
                error = np.abs(formats.dequantize_mx(codes, scales, name) - values)
                smallest = formats.TABLES[name][1] * formats.decode(scales, "f8E8M0FNU")
                smallest = np.repeat(smallest, formats.MX_BLOCK, axis=1)
                bound = np.maximum(np.abs(values) * 2.0 ** -(bits + 1), smallest / 2)
                self.assertTrue((error <= bound).all())


if __name__ == "__main__":
    unittest.main()
