# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a compute unit does in a clock. docs/loop-model.md has the sources."""

import dataclasses
import re

from .assembly import Fault

LANES, SIMDS = 64, 4
# Clocks between two turns of a SIMD, which is also a pass of its pipeline.
TURN = 4


@dataclasses.dataclass(frozen=True)
class Machine:
    """Rates in bytes and times in clocks; `read_phases` and `write_phases` by the
    size of an access: banks, and lanes that are served together."""

    lds_bytes: int
    read_phases: dict
    write_phases: dict
    # Assumed; options of the command.
    lds_latency: int = 64
    global_latency: int = 320
    scalar_latency: int = 320
    branch: int = 32
    global_rate: int = 64
    lds_write_rate: int = 128
    # ISA: counters of 6 and 4 bits.
    most_vector: int = 63
    most_lgkm: int = 15
    registers: int = 512
    granule: int = 8
    waves_per_simd: int = 8


def in_order(size):
    return [list(range(i, i + size)) for i in range(0, LANES, size)]


def both_halves(*groups):
    """Groups of the lanes 0 to 31, and the same of the others."""
    lanes = [[lane for first, last in group for lane in range(first, last + 1)] for group in groups]
    return lanes + [[lane + 32 for lane in group] for group in lanes]


WIDE_950 = both_halves([(0, 3), (12, 15), (20, 27)], [(4, 11), (16, 19), (28, 31)])
EIGHTS = both_halves(
    [(0, 3), (20, 23)], [(4, 7), (16, 19)], [(8, 11), (28, 31)], [(12, 15), (24, 27)]
)
WRITES = {4: (32, in_order(32)), 8: (32, in_order(16)), 12: (32, EIGHTS), 16: (32, in_order(8))}
MACHINES = {
    "gfx942": Machine(
        65536, {4: (32, in_order(32)), 8: (32, in_order(16)), 12: (32, EIGHTS), 16: (32, EIGHTS)}, WRITES
    ),
    "gfx950": Machine(
        163840, {4: (64, in_order(64)), 8: (64, in_order(32)), 12: (32, EIGHTS), 16: (64, WIDE_950)}, WRITES
    ),
}  # fmt: skip

# Passes of 4 clocks. By rows and columns, the K of a pass for 8-bit elements,
# and for smaller ones.
NAME = re.compile(r"v_s?mfmac?_(?:scale_)?(?:f32|i32)_(16x16|32x32)x(\d+)_(\w+)")
DEPTH_PER_PASS = {"16x16": 8, "32x32": 2}
ELEMENTS = {"f8f6f4": 2, "fp8": 1, "bf8": 1, "i8": 1, "f16": 0.5, "bf16": 0.5}


def count_matrix_clocks(instruction, chip):
    """Clocks that an MFMA keeps the matrix core of its SIMD busy."""
    found = NAME.fullmatch(instruction.name)
    kind = found[3].partition("_")[0] if found else ""
    if kind not in ELEMENTS:
        raise Fault(f"line {instruction.line}: unknown instruction '{instruction.name}'")
    depth = DEPTH_PER_PASS[found[1]] * ELEMENTS[kind]
    if kind == "f8f6f4":
        # 8 bits of either operand halve the rate; these are the values 0 and 1.
        formats = [instruction.modifier(name) for name in ("cbsz", "blgp")]
        depth *= 1 if min(formats) < 2 else 2
    elif chip == "gfx950" and int(found[2]) > {"16x16": 32, "32x32": 16}[found[1]] * ELEMENTS[kind]:
        # Instructions that gfx950 adds have twice the rate.
        depth *= 2
    return TURN * round(int(found[2]) / depth)


SLOW = re.compile(r"v_(exp|log|rcp|rcp_iflag|rsq|sqrt|sin|cos)_f(16|32)|v_cvt_(f32|[iu]32)_(f32|[iu]32)")


def count_vector_clocks(instruction):
    return 4 * TURN if SLOW.fullmatch(instruction.name) else TURN


SIZES = {"ubyte": 1, "sbyte": 1, "byte": 1, "ushort": 2, "sshort": 2, "short": 2, "dword": 4,
         "dwordx2": 8, "dwordx3": 12, "dwordx4": 16}  # fmt: skip
LDS_NAME = re.compile(r"ds_(?:read|write)(2|2st64)?_(?:tr\d*_)?[ubi]?(\d+)")


def count_lane_bytes(instruction):
    """Bytes of a lane that an access of global memory moves."""
    words = [SIZES[word] for word in instruction.name.split("_") if word in SIZES]
    return words[0] if words else 4


def list_lds_accesses(instruction):
    """Size in bytes, and distance, of the one or two accesses to LDS."""
    if "_tr" in instruction.name:
        size = {"b64": 8, "b96": 12}[next(w for w in ("b64", "b96") if w in instruction.name)]
        return [(size, instruction.modifier("offset"))]
    found = LDS_NAME.match(instruction.name)
    size = max(int(found[2]) // 8, 1) if found else 4
    if not found or not found[1]:
        return [(size, instruction.modifier("offset"))]
    unit = size * (64 if found[1] == "2st64" else 1)
    return [(size, unit * instruction.modifier(name)) for name in ("offset0", "offset1")]


def count_bank_clocks(machine, is_write, size, addresses=None):
    """Clocks that LDS needs for an access: with addresses, by the words that
    lanes served together want of each bank; else without conflicts."""
    banks, phases = (machine.write_phases if is_write else machine.read_phases)[max(size, 4)]
    if addresses is None:
        return len(phases)
    total = 0
    for lanes in phases:
        words = {}
        for lane in lanes:
            first = int(addresses[lane]) // 4
            for word in range(first, first + max(size // 4, 1)):
                words.setdefault(word % banks, set()).add(word)
        total += max(len(found) for found in words.values())
    return total
