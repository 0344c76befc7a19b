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
FORMATS = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f4E2M1FN"]
MANTISSA_BITS = [3, 2, 3, 2, 1]


def quantize(values, name):
    """Runs the tool; returns codes, one in a byte, and scales."""
    source, q, s = (FOLDER / f for f in ("in.npy", "q.npy", "s.npy"))
    np.save(source, values)
    arguments = [source, f"--format={name}", "--scale=mx", "-o", q, f"--scales={s}"]
    subprocess.run([TOOL, *arguments], check=True)
    codes, scales = np.load(q), np.load(s)
    if name == "f4E2M1FN":
        codes = formats.unpack_nibbles(codes, values.shape[1])
    return codes, scales


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
