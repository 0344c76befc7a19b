# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vector instructions that no table of vector.py describes: packed ones, those
that convert to small floats, those with a carry, those across lanes."""

import numpy as np

from . import formats
from .operands import reader, reader64, scalar_reader
from .text import Fault
from .vector import U, high_half, make_source, make_store, wide
from .wave import LANES, spread, to_bits, to_mask

LANE_BITS = np.arange(LANES)


def make_packed(function, sources):
    """Two f32 in a pair of registers; op_sel and op_sel_hi say which half of each
    source the low and the high result take (ISA, "Packed Math")."""

    def handler(code):
        code.expect(1 + sources)
        index = code.write_vector(0, 2)
        low = code.take("op_sel", (0,) * sources)
        high = code.take("op_sel_hi", (1,) * sources)
        signs = code.take("neg_lo", (0,) * sources), code.take("neg_hi", (0,) * sources)
        halves = [make_half(code, sources, *entry) for entry in zip((low, high), signs)]

        def execute(w):
            # Both are read before one is written.
            found = [(w.undefined_lanes(r), function(*[read(w) for read in reads])) for reads, r in halves]
            for i, (undefined, value) in enumerate(found):
                w.write_vector(index + i, value.view(U))
                w.undefine(index + i, undefined, w.exec)

        return execute

    return handler


def make_half(code, sources, half, sign):
    """Of one result, how its sources are read, and the registers they are in."""
    operands, reads, registers = [code.read(i, 2) for i in range(1, 1 + sources)], [], 0
    for operand, chosen, negate in zip(operands, half, sign):
        if chosen and not operand.is_register:
            raise Fault("a constant has no high half")
        read, flip = reader(operand, chosen), U(negate << 31)
        reads.append(lambda w, r=read, f=flip: (r(w) ^ f).view(np.float32))
        code.release(operand, 3)
        registers |= code.release(operand, 1 << chosen)
    return reads, registers


def packed_move(code):
    """The low result is of the first source, the high one of the second; op_sel
    says which half of each (ISA, V_PK_MOV_B32)."""
    code.expect(3)
    index, halves = code.write_vector(0, 2), code.take("op_sel", (0, 0))
    reads = [reader(code.read(i, 2), half) for i, half in enumerate(halves, 1)]

    def execute(w):
        values = [read(w).copy() for read in reads]
        for i, value in enumerate(values):
            w.write_vector(index + i, value)

    return execute


def make_convert_fp8(which):
    """Two f32 to fp8 or bf8 in one half of a register. The other is kept, but
    need not be defined."""

    def handler(code):
        code.expect(3)
        kind = formats.FORMATS[formats.FP8[code.chip][which]]
        first, second = make_source(code, 1, "f"), make_source(code, 2, "f")
        index, offset = code.write_vector(0), 16 * code.take("op_sel", (0, 0, 0))[2]

        def execute(w):
            codes = kind.encode(first(w)) | kind.encode(second(w)) << U(8)
            kept = w.vector[index] & U(0xFFFF << 16 - offset)
            w.write_vector(index, codes << U(offset) | kept)

        return execute

    return handler


def fma_mixlo(code):
    """f32 sources, f16 in the low half of the result. The high one is kept, but
    need not be defined."""
    code.expect(4)
    if any(code.take("op_sel_hi", (0, 0, 0))) or any(code.take("op_sel", (0, 0, 0))):
        raise Fault("unknown modifier 'op_sel'")
    reads = [make_source(code, i, "f") for i in (1, 2, 3)]
    index = code.write_vector(0)

    def execute(w):
        half = formats.fused(*[read(w) for read in reads]).astype(np.float16).view(np.uint16)
        w.write_vector(index, half.astype(U) | w.vector[index] & U(0xFFFF0000))

    return execute


def make_bit_table(mask):
    """Bit 4a + 2b + c of the modifier is the result for bits a, b, c. The half
    that a result of 16 bits leaves open is filled with what nobody expects."""

    def handler(code):
        code.expect(4)
        table = code.take("bitop3", 0)
        reads = [make_source(code, i, "u") for i in (1, 2, 3)]
        store = make_store(code, "u")
        fill = U(0xA5A5A5A5 & ~mask)

        def execute(w):
            sources, result = [read(w) for read in reads], U(0)
            for i in range(8):
                if table >> i & 1:
                    terms = [s if i >> 2 - j & 1 else ~s for j, s in enumerate(sources)]
                    result = result | terms[0] & terms[1] & terms[2]
            store(w, np.asarray(result, U) & U(mask) | fill)

        return execute

    return handler


def make_carry(sign, has_carry_in, is_reversed=False):
    """Carry out, and perhaps in, as a mask of lanes. What is subtracted is the
    first source if `is_reversed`."""

    def handler(code):
        code.expect(4 + has_carry_in)
        index, carry = code.write_vector(0), code.write_scalar(1, 2)
        first, second = reader(code.read(2 + is_reversed)), reader(code.read(3 - is_reversed))
        mask = scalar_reader(code.read(4, 2), 2) if has_carry_in else lambda w: 0

        def execute(w):
            a, b = first(w).astype(np.int64), second(w).astype(np.int64)
            total = a + sign * (b + to_mask(mask(w)))
            out = (total < 0) | (total > 0xFFFFFFFF)
            w.write_vector(index, total.astype(U))
            w.write_scalar64(carry, to_bits(out & w.exec))

        return execute

    return handler


def mad_u64_u32(code):
    code.expect(5)
    index, carry = code.write_vector(0, 2), code.write_scalar(1, 2)
    first, second = reader(code.read(2)), reader(code.read(3))
    source = code.read(4, 2)
    # Where only the low half matters, the high one may be undefined.
    addend, high = reader64(source), code.release(source, 2)

    def execute(w):
        product, c = wide(first(w)) * wide(second(w)), addend(w)
        undefined = w.undefined_lanes(high)
        total = product + c
        w.write_vector(index, total.astype(U))
        w.write_vector(index + 1, high_half(total))
        w.undefine(index + 1, undefined, w.exec)
        w.write_scalar64(carry, to_bits(spread(total < c) & w.exec))

    return execute


def read_first_lane(code):
    code.expect(2)
    index, operand = code.write_scalar(0), code.read(1)
    read, registers, code.lanes = reader(operand), operand.registers(), None

    def execute(w):
        # Lane 0 if none is active.
        lane = int(np.argmax(w.exec))
        if operand.kind == "vector":
            w.require_lanes(registers, LANE_BITS == lane)
        w.write_scalar(index, int(spread(read(w))[lane]))

    return execute


def read_lane(code):
    code.expect(3)
    index, operand, lane = code.write_scalar(0), code.read(1), scalar_reader(code.read(2))
    registers, code.lanes = operand.registers(), None

    def execute(w):
        chosen = lane(w) % LANES
        undefined = w.undefined_lanes(registers)
        w.write_scalar(index, int(w.vector[operand.index][chosen]))
        if undefined is not None and undefined[chosen]:
            w.scalar_defined &= ~(1 << index)

    return execute


def write_lane(code):
    """Also spills scalar registers that are undefined, which a lane is then."""
    code.expect(3)
    index, source, lane = code.write_vector(0), code.read(1), scalar_reader(code.read(2))
    value, registers = scalar_reader(source), code.release(source, 1, "scalar")

    def execute(w):
        chosen = LANE_BITS == lane(w) % LANES
        w.write_vector(index, U(value(w)), chosen)
        if registers & ~w.scalar_defined:
            w.undefine(index, chosen)

    return execute


def make_bit_count(first):
    """Bits of a mask in front of the lane, of one half of the lanes."""

    def handler(code):
        code.expect(3)
        index, mask, addend = code.write_vector(0), reader(code.read(1)), reader(code.read(2))
        below = np.array([(1 << min(max(lane - first, 0), 32)) - 1 for lane in range(LANES)], U)

        def execute(w):
            bits = spread(mask(w) & below).astype("<u4").reshape(LANES, 1)
            counts = np.unpackbits(bits.view(np.uint8), axis=1).sum(1).astype(U)
            w.write_vector(index, counts + addend(w))

        return execute

    return handler


def list_handlers():
    fp32 = {"add": (lambda a, b: a + b, 2), "mul": (lambda a, b: a * b, 2), "fma": (formats.fused, 3)}
    handlers = {f"v_pk_{name}_f32": make_packed(*entry) for name, entry in fp32.items()}
    handlers |= {
        "v_pk_mov_b32": packed_move,
        "v_cvt_pk_fp8_f32": make_convert_fp8(0),
        "v_cvt_pk_bf8_f32": make_convert_fp8(1),
        "v_fma_mixlo_f16": fma_mixlo,
        "v_bitop3_b32": make_bit_table(0xFFFFFFFF),
        "v_bitop3_b16": make_bit_table(0xFFFF),
        "v_add_co_u32": make_carry(1, False),
        "v_sub_co_u32": make_carry(-1, False),
        "v_addc_co_u32": make_carry(1, True),
        "v_subb_co_u32": make_carry(-1, True),
        "v_subrev_co_u32": make_carry(-1, False, is_reversed=True),
        "v_subbrev_co_u32": make_carry(-1, True, is_reversed=True),
        "v_mad_u64_u32": mad_u64_u32,
        "v_readfirstlane_b32": read_first_lane,
        "v_readlane_b32": read_lane,
        "v_writelane_b32": write_lane,
        "v_mbcnt_lo_u32_b32": make_bit_count(0),
        "v_mbcnt_hi_u32_b32": make_bit_count(32),
    }
    return handlers
