"""Writes NAME=DTYPE:SHAPE arrays of ones into a folder."""

import os
import sys

import numpy as np

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for argument in sys.argv[2:]:
    name, dtype, shape = argument.replace("=", ":").split(":")
    shape = [int(extent) for extent in shape.split("x")]
    np.save(os.path.join(folder, name), np.ones(shape, dtype))
