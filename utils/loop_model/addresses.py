# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Addresses of LDS accesses of the steady loop, and barriers in front of it.

Executes integer instructions of one wave along one way: to the loop, and twice
through it. A value is a number for each lane; `exact` is false where an unknown
number, equal in all lanes, is to be added, which moves all lanes by the same
number of banks. What is not known at all is None.
"""

import collections
import dataclasses
import re

import numpy as np

from . import machine
from .loops import measure_distances

WORD = np.uint64(0xFFFFFFFF)
MAX_BLOCKS = 10000


@dataclasses.dataclass(frozen=True)
class Value:
    lanes: np.ndarray
    exact: bool = True

    def is_uniform(self):
        return bool((self.lanes == self.lanes[0]).all())


def uniform(number, exact=True):
    return Value(np.full(machine.LANES, number & 0xFFFFFFFF, np.uint64), exact)


UNKNOWN_SCALAR = uniform(0, False)


def shift_left(a, b):
    return a << (b & np.uint64(31))


def shift_right(a, b):
    return a >> (b & np.uint64(31))


def signed(a):
    return a.astype(np.uint32).view(np.int32).astype(np.int64)


def shift_arithmetic(a, b):
    return (signed(a) >> (b & np.uint64(31)).astype(np.int64)).astype(np.uint64)


def field(a, b, c):
    return shift_right(a, b) & ((np.uint64(1) << (c & np.uint64(31))) - np.uint64(1))


def scalar_field(a, b):
    return field(a, b, b >> np.uint64(16))


def low24(a):
    return a & np.uint64(0xFFFFFF)


def add(a, b):
    return a + b


def subtract(a, b):
    return a - b


def multiply(a, b):
    return a * b


def bit_and(a, b):
    return a & b


def bit_or(a, b):
    return a | b


def bit_xor(a, b):
    return a ^ b


# By name: a function of the sources, and what an unknown uniform addend of each
# does to the result: "+" it stays one, as it does through products with known
# uniform factors; "" it leaves nothing known but that equal lanes stay equal.
OPERATIONS = {
    "mov_b32": (lambda a: a, "+"), "add_u32": (add, "++"), "add_i32": (add, "++"),
    "sub_u32": (subtract, "++"), "sub_i32": (subtract, "++"), "addk_i32": (add, "++"),
    "subrev_u32": (lambda a, b: b - a, "++"), "mul_i32": (multiply, "*"),
    "mul_lo_u32": (multiply, "*"), "mul_u32_u24": (lambda a, b: low24(a) * low24(b), ""),
    "mad_u32_u24": (lambda a, b, c: low24(a) * low24(b) + c, "  +"),
    "lshlrev_b32": (lambda a, b: shift_left(b, a), ""), "lshl_b32": (shift_left, ""),
    "lshrrev_b32": (lambda a, b: shift_right(b, a), ""), "lshr_b32": (shift_right, ""),
    "ashrrev_i32": (lambda a, b: shift_arithmetic(b, a), ""), "ashr_i32": (shift_arithmetic, ""),
    "and_b32": (bit_and, ""), "or_b32": (bit_or, ""), "xor_b32": (bit_xor, ""),
    "andn2_b32": (lambda a, b: a & ~b, ""), "orn2_b32": (lambda a, b: a | ~b, ""),
    "accvgpr_read_b32": (lambda a: a, "+"), "accvgpr_write_b32": (lambda a: a, "+"),
    "not_b32": (lambda a: ~a, ""), "bfe_u32": (field, ""), "movk_i32": (lambda a: a, "+"),
    "lshl_add_u32": (lambda a, b, c: shift_left(a, b) + c, "  +"),
    "add_lshl_u32": (lambda a, b, c: shift_left(a + b, c), ""),
    "lshl_or_b32": (lambda a, b, c: shift_left(a, b) | c, ""),
    "and_or_b32": (lambda a, b, c: a & b | c, ""), "or3_b32": (lambda a, b, c: a | b | c, ""),
    "add3_u32": (lambda a, b, c: a + b + c, "+++"), "xad_u32": (lambda a, b, c: (a ^ b) + c, "  +"),
    "mbcnt_lo_u32_b32": (lambda a, b: b + np.minimum(np.arange(64, dtype=np.uint64), np.uint64(32)), " +"),
    "mbcnt_hi_u32_b32": (
        lambda a, b: b + np.maximum(np.arange(64, dtype=np.int64) - 32, 0).astype(np.uint64), " +"),
}  # fmt: skip
for amount in range(1, 5):
    OPERATIONS[f"lshl{amount}_add_u32"] = (lambda a, b, n=amount: (a << np.uint64(n)) + b, " +")
COMPARISONS = {"eq": np.equal, "lg": np.not_equal, "ne": np.not_equal, "gt": np.greater,
               "ge": np.greater_equal, "lt": np.less, "le": np.less_equal}  # fmt: skip
LOGIC = {"mov": lambda a: a, "and": bit_and, "or": bit_or, "xor": bit_xor,
         "andn2": lambda a, b: a & ~b, "orn2": lambda a, b: a | ~b}  # fmt: skip
CHANGES_SCC = re.compile(r"s_(and|or|xor|not|nand|nor|xnor|add|sub|lsh|ashr|bfe|min|max|abs)")
ALIASES = {"vcc": ("vcc_lo", "vcc_hi"), "exec": ("exec_lo", "exec_hi")}


def list_registers(text):
    """The names of the registers of an operand."""
    if found := re.fullmatch(r"([sva])\[(\d+):(\d+)\]", text):
        return [f"{found[1]}{i}" for i in range(int(found[2]), int(found[3]) + 1)]
    return list(ALIASES.get(text, (text,)))


def bit_table(table):
    def compute(a, b, c):
        result = np.zeros_like(a)
        for i in range(8):
            if table >> i & 1:
                x, y, z = (v if i >> 2 - j & 1 else ~v for j, v in enumerate((a, b, c)))
                result |= x & y & z
        return result

    return compute


class Wave:
    """One wave on its way; `scc` is None where it is unknown."""

    def __init__(self, number):
        self.values = {"v0": Value(np.arange(machine.LANES, dtype=np.uint64) + np.uint64(64 * number))}
        for name in ("exec_lo", "exec_hi"):
            self.values[name] = uniform(0xFFFFFFFF)
        self.scc, self.barriers = None, 0

    def read(self, text):
        if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", text):
            return uniform(int(text, 0))
        # A scalar is equal in all lanes, whatever it is.
        is_vector = re.fullmatch(r"[va]\d+", text) or not re.fullmatch(r"s\d+|m0|(vcc|exec)_(lo|hi)", text)
        return self.values.get(text, None if is_vector else UNKNOWN_SCALAR)

    def write(self, text, value):
        for name in list_registers(text):
            is_vector = re.fullmatch(r"[va]\d+", name)
            self.values[name] = UNKNOWN_SCALAR if value is None and not is_vector else value

    def compute(self, function, rule, sources):
        """The value of an operation; what the sources do not tell is None."""
        if any(source is None for source in sources):
            return None
        lanes = function(*[source.lanes for source in sources]) & WORD
        if all(source.exact for source in sources):
            return Value(lanes)
        rule = rule.ljust(len(sources))
        kept = all(source.exact or mark == "+" for source, mark in zip(sources, rule))
        scaled = rule[0] == "*" and all(s.exact and s.is_uniform() for s in sources if s.exact)
        if kept or (scaled and any(s.exact for s in sources)):
            return Value(lanes, False)
        return UNKNOWN_SCALAR if all(source.is_uniform() for source in sources) else None

    def execute(self, instruction):
        name, operands = instruction.name, instruction.operands
        if instruction.kind == "barrier":
            self.barriers += 1
        if "cmp" in name and name[:2] in ("s_", "v_"):
            return self.compare(name, operands)
        if instruction.kind not in ("salu", "valu", "lds_read", "vmem", "smem", "mfma"):
            return None
        if instruction.kind not in ("salu", "valu"):
            return self.write(operands[0], None) if operands else None
        if instruction.kind == "salu" and CHANGES_SCC.match(name):
            self.scc = None
        return self.calculate(instruction, name[2:], operands)

    def calculate(self, instruction, name, operands):
        sources = operands[1:]
        if name.startswith("cselect") and self.scc is not None:
            return self.copy(operands[0], sources[0] if self.scc else sources[1])
        if name == "readfirstlane_b32":
            source = self.read(sources[0])
            value = uniform(int(source.lanes[0]), source.exact) if source else UNKNOWN_SCALAR
            return self.write(operands[0], value)
        if name.startswith("bitop3"):
            function = bit_table(instruction.modifier("bitop3"))
            return self.write(operands[0], self.compute(function, "", [self.read(s) for s in sources]))
        if found := re.fullmatch(r"(\w+?)_b64", name):
            if found[1] in LOGIC:
                return self.calculate_pair(LOGIC[found[1]], operands)
        if name == "addk_i32":
            sources = (operands[0], *sources)
        if name == "bfe_u32" and len(sources) == 2:
            return self.write(operands[0], self.compute(scalar_field, "", [self.read(s) for s in sources]))
        function, rule = OPERATIONS.get(name, (None, ""))
        value = None
        if function and function.__code__.co_argcount - len(function.__defaults__ or ()) == len(sources):
            value = self.compute(function, rule, [self.read(source) for source in sources])
        return self.write(operands[0], value)

    def copy(self, target, source):
        self.calculate_pair(LOGIC["mov"], (target, source))

    def calculate_pair(self, function, operands):
        """The same of one or two words; an integer is extended by its sign."""
        targets, parts = list_registers(operands[0]), []
        for source in operands[1:]:
            words = list_registers(source)
            if len(words) < len(targets):
                words = [source, "-1" if source.startswith("-") else "0"][: len(targets)]
            parts.append([self.read(word) for word in words])
        values = [self.compute(function, "+", list(column)) for column in zip(*parts)]
        for target, value in zip(targets, values):
            self.write(target, value)

    def compare(self, name, operands):
        found = re.fullmatch(r"([sv])_cmp(k?)_(\w\w)_([iu])32", name)
        sources = [self.read(text) for text in operands[-2:]]
        known = found and all(source is not None and source.exact for source in sources)
        if name.startswith("s_"):
            self.scc = None
        elif operands:
            self.write(operands[0], None)
        if not known:
            return
        convert = signed if found[4] == "i" else (lambda a: a)
        mask = COMPARISONS[found[3]](*[convert(source.lanes) for source in sources])
        if name.startswith("s_"):
            self.scc = bool(mask[0])
            return
        bits = sum(1 << i for i, bit in enumerate(mask) if bit)
        for register, word in zip(list_registers(operands[0]), (bits, bits >> 32)):
            self.write(register, uniform(word))

    def takes_branch(self, name):
        """Whether a conditional branch is taken; None if that is unknown."""
        condition = name.removeprefix("s_cbranch_")
        if condition in ("scc0", "scc1"):
            return None if self.scc is None else self.scc == (condition[-1] == "1")
        register = "vcc" if condition.startswith("vcc") else "exec"
        halves = [self.read(half) for half in ALIASES[register]]
        if not all(half.exact for half in halves):
            return None
        is_zero = not any(int(half.lanes[0]) for half in halves)
        return is_zero == condition.endswith("z") if not condition.endswith("nz") else not is_zero


def choose_next(wave, block, distances):
    """The next block: that of the branch if it is known and leads to the loop,
    else the nearer one."""
    reachable = [s for s in block.successors if s in distances]
    last = block.instructions[-1] if block.instructions else None
    if len(reachable) == 2 and last and last.name.startswith("s_cbranch"):
        taken = wave.takes_branch(last.name)
        if taken is not None:
            return block.successors[0 if taken else 1]
    return min(reachable, key=distances.get)


def walk_to_loop(wave, kernel, loop):
    """Executes what is in front of the loop."""
    distances, block = measure_distances(kernel.blocks, loop.path[0]), 0
    visits = collections.Counter()
    while block != loop.path[0]:
        current = kernel.blocks[block]
        for instruction in current.instructions:
            wave.execute(instruction)
        visits[block] += 1
        # Not around for ever where what ends a loop is unknown.
        if visits[block] > 64 or visits.total() > MAX_BLOCKS:
            block = min((s for s in current.successors if s in distances), key=distances.get)
        else:
            block = choose_next(wave, current, distances)


@dataclasses.dataclass
class Trace:
    """Of one wave: by line of the loop, the clocks of LDS for each access, None
    where an address is unknown; and the barriers in front of the loop."""

    clocks: dict
    barriers: int


def measure_access(wave, instruction, device):
    address = wave.read(instruction.operands[1 if instruction.kind == "lds_read" else 0])
    if address is None or not instruction.name.startswith(("ds_read", "ds_write")):
        return None
    is_write = instruction.kind == "lds_write"
    return sum(
        machine.count_bank_clocks(device, is_write, size, address.lanes + np.uint64(distance))
        for size, distance in machine.list_lds_accesses(instruction)
    )


def trace(kernel, loop, number):
    """Follows a wave."""
    wave, device, clocks = Wave(number), machine.MACHINES[kernel.chip], {}
    walk_to_loop(wave, kernel, loop)
    barriers = wave.barriers
    for _ in range(2):
        for instruction in loop.instructions:
            if instruction.kind in ("lds_read", "lds_write"):
                found, before = measure_access(wave, instruction, device), clocks.get(instruction.line, 0)
                unknown = found is None or before is None
                clocks[instruction.line] = None if unknown else max(found, before)
            wave.execute(instruction)
    return Trace(clocks, barriers)
