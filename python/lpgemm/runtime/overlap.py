# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether what is written lies where something else is read (C25)."""

from lpgemm.runtime.operand import OperandError


def _extent(operand, limit=None):
    """Bytes from the first to the last one, of the dimensions whose stride is
    less than `limit`."""
    bytes_ = max(1, operand.bits // 8)
    for dim, (extent, stride) in enumerate(zip(operand.shape, operand.strides)):
        if limit is not None and stride >= limit:
            continue
        is_packed_row = operand.bits < 8 and dim == len(operand.shape) - 1
        count = operand.row_bytes(extent) if is_packed_row else extent
        bytes_ += (count - 1) * stride
    return bytes_


def _are_beside(first, second):
    """Whether rows of one lie between those of the other."""
    strides = {
        stride
        for operand in (first, second)
        for extent, stride in zip(operand.shape, operand.strides)
        if extent > 1
    }
    for pitch in strides:
        if any(stride > pitch and stride % pitch for stride in strides):
            continue
        start = (second.address - first.address) % pitch
        if _extent(first, pitch) <= start:
            if start + _extent(second, pitch) <= pitch:
                return True
    return False


def _overlap(first, second):
    if first.is_empty() or second.is_empty():
        return False
    if first.address + _extent(first) <= second.address:
        return False
    if second.address + _extent(second) <= first.address:
        return False
    return not _are_beside(first, second)


def _is_in_place(written, read):
    """Whether each element is read just for the result that takes its place."""
    may_be = read.argument.name == "c" or read.argument.name.startswith("epilogue_")
    if written.argument.name != "init" or not may_be:
        return False
    shapes = [[expr.text for expr in fit.argument.shape] for fit in (written, read)]
    places = [
        (fit.operand.address, fit.operand.bits, fit.operand.shape, fit.operand.strides)
        for fit in (written, read)
    ]
    return shapes[0] == shapes[1] and places[0] == places[1]


def check(fits):
    """Raises OperandError if a written operand is not in memory of its own."""
    for written in fits:
        for other in fits:
            if not written.argument.written or other is written:
                continue
            if not _overlap(written.operand, other.operand):
                continue
            if not _is_in_place(written, other):
                raise OperandError(
                    f"{written.argument.name}: expected memory of its own, got some"
                    f" of {other.argument.name}"
                )
