# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scalar instructions without memory (ISA, "Scalar ALU operations").

Values are unsigned integers.
"""

from .operands import scalar_reader
from .text import Fault
from .wave import EXEC, U32, VCC

U64 = (1 << 64) - 1


def signed(value, bits=32):
    return value - (1 << bits) if value >> bits - 1 else value


def add_signed(a, b):
    total = signed(a) + signed(b)
    return total, total != signed(total & U32)


def subtract_signed(a, b):
    total = signed(a) - signed(b)
    return total, total != signed(total & U32)


def pick(larger, as_signed):
    key = signed if as_signed else int

    def choose(a, b):
        is_first = key(a) > key(b) if larger else key(a) < key(b)
        return (a if is_first else b), is_first

    return choose


def field(a, b):
    return a >> (b & 31) & (1 << (b >> 16 & 127)) - 1


def signed_field(a, b):
    bits = b >> 16 & 127
    return signed(field(a, b), bits) & U32 if bits else 0


def count_zeros(bits):
    """In front of the first one; -1 where there is none (s_flbit)."""
    return lambda a: bits - a.bit_length() if a else U32


def shift_add(amount):
    def compute(a, b):
        total = (a << amount) + b
        return total, total > U32

    return compute


def find_first_one(a):
    return (a & -a).bit_length() - 1 if a else U32


# By name: words of the result, words of the sources, a function of the sources,
# and what becomes of SCC: it is kept, set where the result is not 0, or given
# by the function beside the result.
KEEP, NONZERO, GIVEN = range(3)
OPERATIONS = {
    "s_mov_b32": (1, (1,), lambda a: a, KEEP),
    "s_mov_b64": (2, (2,), lambda a: a, KEEP),
    "s_movk_i32": (1, (1,), lambda a: signed(a & 0xFFFF, 16), KEEP),
    "s_not_b32": (1, (1,), lambda a: ~a & U32, NONZERO),
    "s_not_b64": (2, (2,), lambda a: ~a & U64, NONZERO),
    "s_brev_b32": (1, (1,), lambda a: int(f"{a:032b}"[::-1], 2), KEEP),
    "s_ff1_i32_b32": (1, (1,), find_first_one, KEEP),
    "s_ff1_i32_b64": (1, (2,), find_first_one, KEEP),
    "s_flbit_i32_b32": (1, (1,), count_zeros(32), KEEP),
    "s_flbit_i32_b64": (1, (2,), count_zeros(64), KEEP),
    "s_sext_i32_i16": (1, (1,), lambda a: signed(a & 0xFFFF, 16), KEEP),
    "s_sext_i32_i8": (1, (1,), lambda a: signed(a & 0xFF, 8), KEEP),
    "s_abs_i32": (1, (1,), lambda a: abs(signed(a)), NONZERO),
    "s_add_i32": (1, (1, 1), add_signed, GIVEN),
    "s_sub_i32": (1, (1, 1), subtract_signed, GIVEN),
    "s_add_u32": (1, (1, 1), lambda a, b: (a + b, a + b > U32), GIVEN),
    "s_sub_u32": (1, (1, 1), lambda a, b: (a - b, b > a), GIVEN),
    "s_mul_i32": (1, (1, 1), lambda a, b: a * b, KEEP),
    "s_mul_hi_u32": (1, (1, 1), lambda a, b: a * b >> 32, KEEP),
    "s_mul_hi_i32": (1, (1, 1), lambda a, b: signed(a) * signed(b) >> 32, KEEP),
    "s_min_i32": (1, (1, 1), pick(False, True), GIVEN),
    "s_min_u32": (1, (1, 1), pick(False, False), GIVEN),
    "s_max_i32": (1, (1, 1), pick(True, True), GIVEN),
    "s_max_u32": (1, (1, 1), pick(True, False), GIVEN),
    "s_bfe_u32": (1, (1, 1), field, NONZERO),
    "s_bfe_i32": (1, (1, 1), signed_field, NONZERO),
    "s_lshl_b32": (1, (1, 1), lambda a, b: a << (b & 31) & U32, NONZERO),
    "s_lshr_b32": (1, (1, 1), lambda a, b: a >> (b & 31), NONZERO),
    "s_ashr_i32": (1, (1, 1), lambda a, b: signed(a) >> (b & 31) & U32, NONZERO),
    "s_lshl_b64": (2, (2, 1), lambda a, b: a << (b & 63) & U64, NONZERO),
    "s_lshr_b64": (2, (2, 1), lambda a, b: a >> (b & 63), NONZERO),
    "s_ashr_i64": (2, (2, 1), lambda a, b: signed(a, 64) >> (b & 63) & U64, NONZERO),
    "s_pack_ll_b32_b16": (1, (1, 1), lambda a, b: a & 0xFFFF | b << 16, KEEP),
    "s_pack_lh_b32_b16": (1, (1, 1), lambda a, b: a & 0xFFFF | b & 0xFFFF0000, KEEP),
    "s_pack_hh_b32_b16": (1, (1, 1), lambda a, b: a >> 16 | b & 0xFFFF0000, KEEP),
    "s_bfm_b32": (1, (1, 1), lambda a, b: (1 << (a & 31)) - 1 << (b & 31), KEEP),
}
LOGIC = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "andn2": lambda a, b: a & ~b,
    "orn2": lambda a, b: a | ~b,
    "nand": lambda a, b: ~(a & b),
    "nor": lambda a, b: ~(a | b),
    "xnor": lambda a, b: ~(a ^ b),
}
for words in (1, 2):
    mask = (1 << 32 * words) - 1
    for name, function in LOGIC.items():
        OPERATIONS[f"s_{name}_b{32 * words}"] = (
            words, (words, words), lambda a, b, f=function, m=mask: f(a, b) & m, NONZERO,
        )  # fmt: skip
for amount in range(1, 5):
    OPERATIONS[f"s_lshl{amount}_add_u32"] = (1, (1, 1), shift_add(amount), GIVEN)

COMPARISONS = {
    "eq": lambda a, b: a == b,
    "lg": lambda a, b: a != b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
}


def writer(code, position, words):
    index = code.write_scalar(position, words)
    if words == 2:
        return lambda w, value: w.write_scalar64(index, value)
    return lambda w, value: w.write_scalar(index, value)


def read_scc(wave):
    if wave.scc is None:
        raise Fault("scc is undefined")
    return wave.scc


def make_operation(words, sources, function, rule):
    def handler(code):
        code.expect(1 + len(sources))
        write = writer(code, 0, words)
        reads = [scalar_reader(code.read(i, n), n) for i, n in enumerate(sources, 1)]

        def execute(w):
            value = function(*[read(w) for read in reads])
            if rule == GIVEN:
                value, w.scc = value[0], int(value[1])
            elif rule == NONZERO:
                w.scc = int(value != 0)
            write(w, value)

        return execute

    return handler


def make_comparison(compare, words, as_signed, has_constant):
    def handler(code):
        code.expect(2)
        first = scalar_reader(code.read(0, words), words)
        second = scalar_reader(code.read(1, words), words)
        if has_constant:
            value = second(None) & 0xFFFF
            value = signed(value, 16) & U32 if as_signed else value
            second = lambda w: value
        key = signed if as_signed else int

        def execute(w):
            w.scc = int(compare(key(first(w)), key(second(w))))

        return execute

    return handler


def make_with_constant(function, rule):
    """The first source is the destination, the second a constant of 16 bits."""

    def handler(code):
        code.expect(2)
        first = scalar_reader(code.read(0))
        write = writer(code, 0, 1)
        value = signed(scalar_reader(code.read(1))(None) & 0xFFFF, 16) & U32

        def execute(w):
            result = function(first(w), value)
            if rule == GIVEN:
                result, w.scc = result[0], int(result[1])
            write(w, result)

        return execute

    return handler


def make_bit_set(value):
    """One bit of the destination, which the source has the number of."""

    def handler(code):
        code.expect(2)
        old, number = scalar_reader(code.read(0)), scalar_reader(code.read(1))
        write = writer(code, 0, 1)

        def execute(w):
            bit = 1 << (number(w) & 31)
            write(w, old(w) | bit if value else old(w) & ~bit & U32)

        return execute

    return handler


def make_with_carry(sign):
    def handler(code):
        code.expect(3)
        write = writer(code, 0, 1)
        first, second = scalar_reader(code.read(1)), scalar_reader(code.read(2))

        def execute(w):
            total = first(w) + sign * (second(w) + read_scc(w))
            w.scc = int(not 0 <= total <= U32)
            write(w, total)

        return execute

    return handler


def make_select(words):
    def handler(code):
        code.expect(3)
        write = writer(code, 0, words)
        reads = [scalar_reader(code.read(i, words), words) for i in (2, 1)]
        return lambda w: write(w, reads[read_scc(w)](w))

    return handler


def make_save_exec(function):
    """EXEC is kept in the destination and combined with the source."""

    def handler(code):
        code.expect(2)
        write, source = writer(code, 0, 2), scalar_reader(code.read(1, 2), 2)

        def execute(w):
            mask, old = source(w), w.scalar64(EXEC)
            result = function(mask, old) & U64
            write(w, old)
            w.write_scalar64(EXEC, result)
            w.scc = int(result != 0)

        return execute

    return handler


# Conditions of branches: the register that is read, and whether to go.
CONDITIONS = {
    "scc0": (None, lambda w: not read_scc(w)),
    "scc1": (None, lambda w: read_scc(w)),
    "vccz": (VCC, lambda w: not w.scalar64(VCC)),
    "vccnz": (VCC, lambda w: w.scalar64(VCC)),
    "execz": (EXEC, lambda w: not w.scalar64(EXEC)),
    "execnz": (EXEC, lambda w: w.scalar64(EXEC)),
}


def list_handlers():
    handlers = {name: make_operation(*entry) for name, entry in OPERATIONS.items()}
    for name, compare in COMPARISONS.items():
        for suffix, words, as_signed in (("i32", 1, True), ("u32", 1, False), ("u64", 2, False)):
            handlers[f"s_cmp_{name}_{suffix}"] = make_comparison(compare, words, as_signed, False)
            handlers[f"s_cmpk_{name}_{suffix}"] = make_comparison(compare, words, as_signed, True)
    handlers["s_addk_i32"] = make_with_constant(add_signed, GIVEN)
    handlers["s_mulk_i32"] = make_with_constant(lambda a, b: a * b, KEEP)
    handlers["s_bitset0_b32"], handlers["s_bitset1_b32"] = make_bit_set(0), make_bit_set(1)
    handlers["s_addc_u32"], handlers["s_subb_u32"] = make_with_carry(1), make_with_carry(-1)
    handlers["s_cselect_b32"], handlers["s_cselect_b64"] = make_select(1), make_select(2)
    for name, function in LOGIC.items():
        handlers[f"s_{name}_saveexec_b64"] = make_save_exec(function)
    return handlers
