"""Prints type, shape and elements of arrays, one a line."""

import sys

import numpy as np

for path in sys.argv[1:]:
    array = np.load(path)
    print(array.dtype, array.shape, *array.ravel())
