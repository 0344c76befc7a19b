# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random operands: every finite code, scales of different powers of two."""

import numpy as np

from .formats import TABLES
from .text import Fault


def draw_scales(rng, element, shape):
    if element == "f8E8M0FNU":
        return rng.integers(121, 134, shape).astype(np.uint8)
    if element == "f8E4M3FN":
        # Positive, up to 240.
        return rng.integers(0x08, 0x78, shape).astype(np.uint8)
    return draw_floats(np.ldexp(rng.uniform(1, 2, shape), rng.integers(-4, 5, shape)), element)


def draw_floats(values, element):
    values = np.asarray(values, np.float32)
    if element == "bf16":
        return (values.view(np.uint32) >> np.uint32(16)).astype(np.uint16)
    return values.astype(np.float16) if element == "f16" else values


def draw(rng, operand):
    """An array for an operand; elements of less than 32 bits are their codes."""
    element, shape = operand.element, operand.shape
    if operand.name.endswith("scale"):
        return draw_scales(rng, element, shape)
    if element in TABLES:
        finite = np.flatnonzero(np.isfinite(TABLES[element]))
        return rng.choice(finite, shape).astype(np.uint8)
    if element == "i8":
        return rng.integers(-128, 128, shape).astype(np.int8)
    if element in ("f32", "bf16", "f16"):
        return draw_floats(rng.standard_normal(shape), element)
    raise Fault(f"{operand.name}: no random values of type {element}")


def draw_all(operands, seed):
    rng = np.random.default_rng(seed)
    return {name: draw(rng, operand) for name, operand in operands.items() if not operand.is_written}
