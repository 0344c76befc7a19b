# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor maps: what the tensor memory accelerator reads a matrix by."""

import ctypes
import dataclasses
from typing import Tuple

from lpgemm.runtime.operand import BITS

MAP_BYTES = 128
MAP_ALIGNMENT = 64
# CUtensorMapDataType: all that has 8 bits, and by name.
UINT8 = 0
DATA_TYPES = {"f16": 6, "f32": 7, "bf16": 9}
# CUtensorMapSwizzle.
SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
# What cuTensorMapEncodeTiled takes (CUDA driver API).
ADDRESS_ALIGNMENT = 16
STRIDE_ALIGNMENT = 16
MAX_EXTENT = 2**32
STRIDE_LIMIT = 2**40


@dataclasses.dataclass(frozen=True)
class TensorMap:
    """The arguments of cuTensorMapEncodeTiled; dimensions innermost first.

    The third dimension, if there is one, is that of a batch.
    """

    data_type: int
    address: int
    extents: Tuple[int, ...]
    strides: Tuple[int, ...]
    box: Tuple[int, ...]
    swizzle: int

    def is_describable(self):
        """Whether a tensor map can say it (docs/manifest.md)."""
        return (
            self.address % ADDRESS_ALIGNMENT == 0
            and all(stride % STRIDE_ALIGNMENT == 0 for stride in self.strides)
            and all(0 <= stride < STRIDE_LIMIT for stride in self.strides)
            and all(0 < extent <= MAX_EXTENT for extent in self.extents)
        )

    def encode(self, driver):
        """The map, in memory of the host; zeros where none can say it."""
        storage = (ctypes.c_uint8 * (MAP_BYTES + MAP_ALIGNMENT))()
        padding = -ctypes.addressof(storage) % MAP_ALIGNMENT
        block = (ctypes.c_uint8 * MAP_BYTES).from_buffer(storage, padding)
        if self.is_describable():
            driver.encode_tensor_map(
                ctypes.addressof(block),
                self.data_type,
                self.address,
                self.extents,
                self.strides,
                self.box,
                self.swizzle,
            )
        return block


def data_type(element_type):
    """The CUtensorMapDataType, or None."""
    if BITS.get(element_type) == 8:
        return UINT8
    return DATA_TYPES.get(element_type)


def describe(argument, fit):
    """The map of an operand that fits: a matrix, or a batch of them."""
    operand = fit.operand
    rows, columns = (operand.shape[dim] for dim in fit.matrix)
    pitch = fit.pitch()
    if rows == 1:
        # There is no next row, whatever the stride.
        length = operand.row_bytes(columns)
        pitch = -(-length // STRIDE_ALIGNMENT) * STRIDE_ALIGNMENT
    return TensorMap(
        data_type(argument.element_type),
        operand.address,
        (columns, rows, *(operand.shape[dim] for dim in fit.batch)),
        (pitch, *(operand.strides[dim] for dim in fit.batch)),
        (*argument.box, *(1 for _ in fit.batch)),
        SWIZZLES[argument.swizzle_bytes],
    )
