# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix instructions: which lane and register holds which element, and sums.

The formulas are those of the ISA's "Matrix Arithmetic Instructions" and of AMD's
matrix instruction calculator (github.com/ROCm/amd_matrix_instruction_calculator);
for f8f6f4, of CDNA4 alone, those that Composable Kernel tests
(test/mx_mfma_op/mx_mfma_op.hpp). With rows = M = N, lane l and L = 64 / rows
lanes for each row:

  A, B   row l % rows; of n elements in a lane the e-th has k = n * (l / rows) + e
         8 bits of f8f6f4: k = 16 * (l / rows) + e % 16 + 16 * L * (e / 16)
  C, D   column l % rows; register i has row 8 * (i / 4) + 4 * (l / 32) + i % 4
         of 32, or 4 * (l / 16) + i of 16
  scale  of k's block of 32: lane row + rows * (k / 32)

Products are summed in double, with C, and rounded once.
"""

import re

import numpy as np

from . import formats
from .operands import reader
from .text import Fault
from .wave import LANES, spread

NAME = re.compile(r"v_mfma_(scale_)?(f32|i32)_(16x16|32x32)x(\d+)_(\w+)")
# By cbsz and blgp (CDNA4 ISA, "F8F6F4").
F8F6F4 = ["f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"]
LANE, ALL_LANES = np.arange(LANES), np.ones(LANES, bool)
SCALE_BLOCK = 32


def decode_codes(words, bits):
    """The codes of each lane, packed into words without gaps, lowest first."""
    raw = np.ascontiguousarray(words.T).astype("<u4").view(np.uint8)
    if bits == 8:
        return raw
    stream = np.unpackbits(raw, axis=1, bitorder="little").reshape(LANES, -1, bits)
    return stream @ (1 << np.arange(bits))


def decode_table(kind):
    table, bits = formats.TABLES[kind], formats.FORMATS[kind].bits
    return lambda words: table[decode_codes(words, bits)]


def decode_16(view):
    def decode(words):
        raw = np.ascontiguousarray(words.T).astype("<u4").view(np.uint16)
        return view(raw).astype(np.float64)

    return decode


def view_bf16(raw):
    return (raw.astype(np.uint32) << np.uint32(16)).view(np.float32)


def decode_i8(words):
    return decode_codes(words, 8).view(np.int8).astype(np.int64)


PLAIN = {
    "f16": (decode_16(lambda raw: raw.view(np.float16)), 16),
    "bf16": (decode_16(view_bf16), 16),
    "i8": (decode_i8, 8),
}


def lookup_types(code, types):
    """For A and B how words are decoded, bits of an element, and whether K comes
    in chunks of 16."""
    if types == "f8f6f4":
        kinds = [code.take(name, 0) for name in ("cbsz", "blgp")]
        if max(kinds) >= len(F8F6F4):
            raise Fault("unknown format of an operand")
        names = [F8F6F4[kind] for kind in kinds]
        bits = [formats.FORMATS[name].bits for name in names]
        return [(decode_table(name), b, b == 8) for name, b in zip(names, bits)]
    if types in PLAIN:
        return [(*PLAIN[types], False)] * 2
    short = dict(zip(("fp8", "bf8"), formats.FP8[code.chip]))
    parts = types.split("_")
    if len(parts) != 2 or not set(parts) <= set(short):
        raise Fault(f"unknown instruction '{code.instruction.name}'")
    return [(decode_table(short[part]), 8, False) for part in parts]


def place_k(rows, elements, is_chunked):
    """The k of each lane and element."""
    group, e = (LANE // rows)[:, None], np.arange(elements)[None, :]
    if is_chunked:
        return 16 * group + e % 16 + 16 * (LANES // rows) * (e // 16)
    return elements * group + e


def place_result(rows):
    """The row of each lane and register of C and D."""
    i = np.arange(rows * rows // LANES)[None, :]
    return 8 * (i // 4) + 4 * (LANE // rows)[:, None] + i % 4


def make_operand(code, position, rows, depth, entry):
    """A function of a wave that gives A or B as rows of K."""
    decode, bits, is_chunked = entry
    elements = rows * depth // LANES
    operand = code.read(position, elements * bits // 32)
    if operand.kind != "vector":
        raise Fault(f"operand {position}: expected vector registers")
    registers = slice(operand.index, operand.index + operand.count)
    row, k = (LANE % rows)[:, None], place_k(rows, elements, is_chunked)

    def read(w):
        values = decode(w.vector[registers])
        matrix = np.empty((rows, depth), values.dtype)
        matrix[row, k] = values
        return matrix

    return read


def make_scale(code, position, rows, depth, selection):
    """A function of a wave that gives the scale of each row and k."""
    read = reader(code.read(position))
    byte = np.uint32(8 * selection)
    blocks = np.arange(depth // SCALE_BLOCK)[None, :]
    lane = np.arange(rows)[:, None] + rows * blocks

    def scales(w):
        codes = spread(read(w) >> byte & np.uint32(0xFF))
        return np.repeat(formats.E8M0[codes][lane], SCALE_BLOCK, axis=1)

    return scales


def make_sides(code, found, rows, depth):
    sides = [make_operand(code, 1 + i, rows, depth, e) for i, e in enumerate(lookup_types(code, found[5]))]
    if not found[1]:
        return sides
    # Of the scale's register, byte op_sel + 2 * op_sel_hi.
    low, high = code.take("op_sel", (0, 0, 0)), code.take("op_sel_hi", (1, 1, 1))
    scales = [make_scale(code, 4 + i, rows, depth, low[i] + 2 * high[i]) for i in range(2)]
    return [lambda w, s=side, f=scale: s(w) * f(w) for side, scale in zip(sides, scales)]


def make_matrix(code):
    found = NAME.fullmatch(code.instruction.name)
    if not found or (found[5] == "f8f6f4" and code.chip != "gfx950"):
        raise Fault(f"unknown instruction '{code.instruction.name}'")
    code.expect(6 if found[1] else 4)
    # Lanes take part whether they are active or not.
    code.lanes = ALL_LANES
    rows, depth = int(found[3].split("x")[0]), int(found[4])
    count, is_integer = rows * rows // LANES, found[2] == "i32"
    first, second = make_sides(code, found, rows, depth)
    dest, start = code.write_vector(0, count), code.read(3, count)
    reads = [reader(start, i if start.is_register else 0) for i in range(count)]
    kind = np.int32 if is_integer else np.float32
    row, column = place_result(rows), (LANE % rows)[:, None]

    def execute(w):
        total = (first(w) @ second(w).T)[row, column]
        bits = np.stack([spread(read(w)) for read in reads], axis=1)
        total = total + np.ascontiguousarray(bits).view(kind)
        result = total.astype(kind).view(np.uint32).T
        for i in range(count):
            w.write_vector(dest + i, result[i], ALL_LANES)

    return execute
