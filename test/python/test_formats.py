# RUN: %python %s
"""Checks lpgemm.formats by facts about the formats and by hand calculation."""

import unittest

import numpy as np

from lpgemm import formats, testing

ELEMENT_FORMATS = [name for name in formats.TABLES if name != "f8E8M0FNU"]


class FormatsTest(unittest.TestCase):
    def test_extreme_values(self):
        # The largest finite, smallest normal and smallest subnormal values.
        expected = {
            "f8E4M3FN": (448, 0x7E, 2**-6, 0x08, 2**-9),
            "f8E5M2": (57344, 0x7B, 2**-14, 0x04, 2**-16),
            "f8E4M3FNUZ": (240, 0x7F, 2**-7, 0x08, 2**-10),
            "f8E5M2FNUZ": (57344, 0x7F, 2**-15, 0x04, 2**-17),
            "f6E2M3FN": (7.5, 0x1F, 1, 0x08, 0.125),
            "f6E3M2FN": (28, 0x1F, 0.25, 0x04, 0.0625),
            "f4E2M1FN": (6, 0x7, 1, 0x2, 0.5),
        }
        self.assertEqual(list(expected), ELEMENT_FORMATS)
        for name, (qmax, code, normal, normal_code, subnormal) in expected.items():
            table = formats.TABLES[name]
            self.assertEqual(formats.qmax(name), qmax)
            self.assertEqual(table[code], qmax)
            self.assertEqual(table[normal_code], normal)
            self.assertEqual(table[1], subnormal)

    def test_special_codes(self):
        # Finite values, NaN, infinities.
        expected = {
            "f8E4M3FN": (254, 2, 0),
            "f8E5M2": (248, 6, 2),
            "f8E4M3FNUZ": (255, 1, 0),
            "f8E5M2FNUZ": (255, 1, 0),
            "f6E2M3FN": (64, 0, 0),
            "f6E3M2FN": (64, 0, 0),
            "f4E2M1FN": (16, 0, 0),
            "f8E8M0FNU": (255, 1, 0),
        }
        for name, counts in expected.items():
            t = formats.TABLES[name]
            actual = (np.isfinite(t).sum(), np.isnan(t).sum(), np.isinf(t).sum())
            self.assertEqual(actual, counts, name)
        self.assertEqual(formats.TABLES["f8E5M2"][0xFC], -np.inf)
        self.assertEqual(formats.TABLES["f8E8M0FNU"][0], 2.0**-127)

    def test_fp4_values(self):
        magnitudes = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
        np.testing.assert_array_equal(formats.TABLES["f4E2M1FN"][:8], magnitudes)

    def test_encode_inverts_decode(self):
        for name in ELEMENT_FORMATS:
            codes = np.flatnonzero(np.isfinite(formats.TABLES[name]))
            values = formats.decode(codes, name)
            np.testing.assert_array_equal(formats.encode(values, name), codes, name)

    def test_ties(self):
        values = [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5, -0.25, -2.5, -5, 7]
        codes = [0, 2, 2, 4, 4, 6, 6, 0x8, 0xC, 0xE, 7]
        np.testing.assert_array_equal(formats.encode(values, "f4E2M1FN"), codes)
        # 464 is a tie with the even 448; FNUZ has no negative zero.
        self.assertEqual(formats.encode(464), 0x7E)
        self.assertEqual(formats.encode(-(2.0**-11), "f8E4M3FNUZ"), 0)

    def test_nibbles(self):
        codes = np.array([[0x2, 0xF, 0x1]], np.uint8)
        packed = formats.pack_nibbles(codes)
        np.testing.assert_array_equal(packed, [[0xF2, 0x01]])
        np.testing.assert_array_equal(formats.unpack_nibbles(packed, 3), codes)


class BlockTest(unittest.TestCase):
    def test_goldens(self):
        blocks = [
            ("f8E4M3FN", [448, 1, -0.5], 0x7F, [0x7E, 0x38, 0xB0]),
            ("f8E4M3FN", [449, -448, 1.0625], 0x80, [0x76, 0xF6, 0x30]),
            ("f8E4M3FN", [2.0**-126, -(2.0**-127)], 0x00, [0x40, 0xB8]),
            ("f8E4M3FN", [0.0, -0.0], 0x00, [0x00, 0x00]),
            ("f8E5M2", [61440, 3], 0x80, [0x78, 0x3E]),
            ("f6E2M3FN", [7.75, 1], 0x80, [0x18, 0x04]),
            ("f4E2M1FN", [7, 3, -1], 0x80, [6, 3, 9]),
            ("f4E2M1FN", [0.1, -0.02, 0.05], 0x7A, [5, 9, 3]),
        ]
        for name, values, scale, expected in blocks:
            codes, scales = formats.quantize_mx(np.float32([values]), name)
            np.testing.assert_array_equal(scales, [[scale]])
            np.testing.assert_array_equal(codes, [expected])

    def test_ragged_block(self):
        values = np.full((1, 40), 448.0)
        values[0, 32:] = 1.75
        scales = formats.mx_scales(values)
        np.testing.assert_array_equal(scales, [[0x7F, 0x77]])

    def test_empty(self):
        codes, scales = formats.quantize_mx(np.zeros((3, 0)))
        self.assertEqual((codes.shape, scales.shape), ((3, 0), (3, 0)))


class MatmulTest(unittest.TestCase):
    def test_by_hand(self):
        # 1.0 is 0x38 and -2.0 is 0xC0; the second block has one element.
        a = np.full((1, 33), 0x38, np.uint8)
        b = np.full((2, 33), 0xC0, np.uint8)
        sa = np.uint8([[0x80, 0x7E]])  # 2, 1/2
        sb = np.uint8([[0x7F, 0x7F], [0x81, 0x7F]])  # 1, 1 and 4, 1
        expected = [[32 * 2 * -2 + 0.5 * -2, 32 * 2 * 4 * -2 + 0.5 * -2]]
        actual = formats.matmul_reference(a, sa, b, sb)
        np.testing.assert_array_equal(actual, expected)

    def test_poison(self):
        # G-6: a NaN scale reaches exactly its row, though all elements are zero.
        a = np.zeros((3, 64), np.uint8)
        b = np.zeros((2, 64), np.uint8)
        sa = np.zeros((3, 2), np.uint8)
        sa[1, 1] = 0xFF
        actual = formats.matmul_reference(a, sa, b, np.zeros((2, 2), np.uint8))
        np.testing.assert_array_equal(actual, [[0, 0], [np.nan] * 2, [0, 0]])


class DataTest(unittest.TestCase):
    def test_kinds(self):
        for kind in testing.KINDS:
            values = testing.make_matrix(kind, 5, 70, seed=1)
            self.assertEqual((values.shape, values.dtype), ((5, 70), np.float32))
            self.assertTrue(np.isfinite(values).all())
            again = testing.make_matrix(kind, 5, 70, seed=1)
            np.testing.assert_array_equal(values, again)
        poisoned = testing.make_matrix("normal", 5, 70, seed=1, poison=True)
        self.assertFalse(np.isfinite(poisoned).all())


if __name__ == "__main__":
    unittest.main()
