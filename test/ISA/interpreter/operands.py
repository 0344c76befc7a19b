# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands as written, and how their values are read."""

import dataclasses
import re
import struct

import numpy as np

from .text import Fault
from .wave import FIRST_ACC, SCALAR_NAMES, U32

REGISTER = re.compile(r"([sva])(?:(\d+)|\[(\d+):(\d+)\])")
INTEGER = re.compile(r"-?(0x[0-9a-f]+|\d+)")
REAL = re.compile(r"-?\d+\.\d+(e[+-]?\d+)?")


@dataclasses.dataclass(frozen=True)
class Operand:
    """Registers from `index` on, or a constant of 64 bits."""

    kind: str
    index: int = 0
    count: int = 1
    value: int = 0
    negate: bool = False
    absolute: bool = False
    extend: bool = False

    def registers(self):
        return ((1 << self.count) - 1) << self.index

    @property
    def is_register(self):
        return self.kind in ("vector", "scalar")


def parse_plain(text):
    if text in SCALAR_NAMES:
        return Operand("scalar", SCALAR_NAMES[text], 2 if text in ("vcc", "exec") else 1)
    if found := REGISTER.fullmatch(text):
        first = int(found[2] or found[3])
        count = int(found[4]) - first + 1 if found[4] else 1
        kind = "scalar" if found[1] == "s" else "vector"
        return Operand(kind, first + FIRST_ACC * (found[1] == "a"), count)
    if INTEGER.fullmatch(text):
        return Operand("integer", value=int(text, 0) & (1 << 64) - 1)
    if REAL.fullmatch(text):
        return Operand("real", value=struct.unpack("<I", struct.pack("<f", float(text)))[0])
    if text == "off":
        return Operand("off")
    raise Fault(f"unknown operand '{text}'")


def parse_operand(text):
    found = re.fullmatch(r"(-?)\|(.+)\|", text)
    if found:
        return dataclasses.replace(parse_plain(found[2]), negate=bool(found[1]), absolute=True)
    if found := re.fullmatch(r"-([sva].*)", text):
        return dataclasses.replace(parse_plain(found[1]), negate=True)
    if found := re.fullmatch(r"sext\((.+)\)", text):
        return dataclasses.replace(parse_plain(found[1]), extend=True)
    return parse_plain(text)


def constant(value):
    array = np.array([value & U32], np.uint32)
    array.setflags(write=False)
    return array


def reader(operand, word=0):
    """A function of a wave that gives one word in all lanes: an array of all
    lanes, or of one element where they are equal."""
    index = operand.index + word
    if operand.kind == "vector":
        return lambda w: w.vector[index]
    if operand.kind == "scalar":
        return lambda w: np.array([w.scalar[index]], np.uint32)
    if operand.kind == "off" or (operand.kind == "real" and word):
        raise Fault("expected a register or an integer")
    value = constant(operand.value >> 32 * word)
    return lambda w: value


def reader64(operand):
    low, high = reader(operand, 0), reader(operand, 1)
    return lambda w: low(w).astype(np.uint64) | high(w).astype(np.uint64) << np.uint64(32)


def scalar_reader(operand, words=1):
    """A function of a wave that gives an integer."""
    index, value = operand.index, operand.value & (1 << 32 * words) - 1
    if operand.kind in ("integer", "real"):
        return lambda w: value
    if operand.kind != "scalar":
        raise Fault("expected a scalar register or a constant")
    if words == 2:
        return lambda w: w.scalar[index] | w.scalar[index + 1] << 32
    return lambda w: w.scalar[index]


class Code:
    """An instruction while it is decoded: what it reads and writes, and which
    parts of its text are understood."""

    def __init__(self, instruction, chip):
        self.instruction, self.chip = instruction, chip
        self.operands = instruction.operands
        self.modifiers = dict(instruction.modifiers)
        for text in self.operands:
            if " " in text:
                raise Fault(f"unknown modifier '{text.split()[-1]}'")
        self.sets = {("vector", False): 0, ("vector", True): 0, ("scalar", False): 0, ("scalar", True): 0}
        # What is read, but need not be defined.
        self.released = {"vector": 0, "scalar": 0}
        # Lanes whose registers are read: None, where the instruction itself sees
        # to it; False, those that are active.
        self.lanes = False
        # The queue of a wave that the instruction writes registers through.
        self.queue = None

    def expect(self, count):
        if len(self.operands) != count:
            raise Fault(f"expected {count} operands, got {len(self.operands)}")

    def take(self, name, default):
        return self.modifiers.pop(name, default)

    def mark(self, operand, is_written):
        if operand.is_register:
            self.sets[operand.kind, is_written] |= operand.registers()

    def operand(self, position, words, is_written):
        if position >= len(self.operands):
            raise Fault(f"expected more than {len(self.operands)} operands")
        operand = parse_operand(self.operands[position])
        if operand.is_register and operand.count != words:
            raise Fault(f"operand {position}: expected {words} registers, got {operand.count}")
        if is_written and not operand.is_register:
            raise Fault(f"operand {position}: expected registers")
        self.mark(operand, is_written)
        return operand

    def read(self, position, words=1):
        return self.operand(position, words, False)

    def write(self, position, words=1):
        return self.operand(position, words, True)

    def write_vector(self, position, words=1):
        operand = self.write(position, words)
        if operand.kind != "vector":
            raise Fault(f"operand {position}: expected vector registers")
        return operand.index

    def write_scalar(self, position, words=1):
        operand = self.write(position, words)
        if operand.kind != "scalar":
            raise Fault(f"operand {position}: expected scalar registers")
        return operand.index

    def release(self, operand, mask, kind="vector"):
        """Some registers of an operand, if it is of that kind, need not be defined,
        but make the result undefined. They are returned."""
        if operand.kind != kind:
            return 0
        registers = mask << operand.index
        self.sets[operand.kind, False] &= ~registers
        self.released[operand.kind] |= registers
        return registers


class Decoded:
    """An instruction that can be executed."""

    __slots__ = ("execute", "reads", "reads_scalar", "writes", "writes_scalar", "touched",
                 "touched_scalar", "lanes", "queue", "instruction")  # fmt: skip

    def __init__(self, code, execute):
        self.execute, self.instruction, self.lanes = execute, code.instruction, code.lanes
        self.queue = code.queue
        self.reads, self.writes = code.sets["vector", False], code.sets["vector", True]
        self.reads_scalar, self.writes_scalar = code.sets["scalar", False], code.sets["scalar", True]
        self.touched = self.reads | self.writes | code.released["vector"]
        self.touched_scalar = self.reads_scalar | self.writes_scalar | code.released["scalar"]


def decode(instruction, chip, handlers):
    try:
        handler = handlers(instruction.name)
        if not handler:
            raise Fault(f"unknown instruction '{instruction.name}'")
        code = Code(instruction, chip)
        execute = handler(code)
        if code.modifiers:
            raise Fault(f"unknown modifier '{next(iter(code.modifiers))}'")
        return Decoded(code, execute)
    except Fault as fault:
        raise Fault(f"line {instruction.line}: {fault} [{instruction.text}]") from None
