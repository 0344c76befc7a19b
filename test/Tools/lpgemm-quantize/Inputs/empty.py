"""Writes the header of an f32 matrix of 2^60 rows of no columns."""

import sys

import numpy as np

header = {"descr": "<f4", "fortran_order": False, "shape": (2**60, 0)}
with open(sys.argv[1], "wb") as file:
    np.lib.format.write_array_header_1_0(file, header)
