# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vector instructions without memory (ISA, "Vector ALU operations").

Tables say for each instruction what it reads and gives; letters stand for

  u i f  32 bits: unsigned, signed, f32        q  64 bits, unsigned
  w s    low 16 bits: unsigned, signed, with zero above in a result
  b      32 bits, with the sign changed where the text says so
  h      f16 in the low half                   m  a bit for each lane, scalar
"""

import operator

import numpy as np

from . import formats
from .operands import reader, reader64, scalar_reader
from .text import Fault
from .wave import spread, to_bits, to_mask

U = np.uint32
np.seterr(all="ignore")


def wide(a):
    return a.astype(np.uint64)


def join(high, low):
    return wide(high) << np.uint64(32) | wide(low)


def high_half(product):
    return (product >> np.uint64(32)).astype(U)


def low24(a):
    return a & U(0xFFFFFF)


def signed24(a):
    return (a << U(8)).view(np.int32) >> np.int32(8)


def shift(a):
    return a & U(31)


def field(a, offset, width):
    width = shift(width)
    return a >> shift(offset) & ((U(1) << width) - U(1))


def signed_field(a, offset, width):
    width = shift(width)
    gap = U(32) - width
    bits = field(a, offset, width) << (gap & U(31))
    return np.where(width == 0, 0, bits.view(np.int32) >> (gap & U(31)).astype(np.int32))


def permute(a, b, selector):
    """Bytes of a, above, and b; selectors from 12 on are constants and signs
    (ISA, V_PERM_B32)."""
    both, result = join(a, b), 0
    for i in range(4):
        index = wide(selector) >> np.uint64(8 * i) & np.uint64(255)
        byte = both >> (np.uint64(8) * (index & np.uint64(7))) & np.uint64(255)
        sign_shift = np.uint64(16) * (index & np.uint64(3)) + np.uint64(15)
        sign = (both >> sign_shift & np.uint64(1)) * np.uint64(255)
        byte = np.where(index >= 8, sign, byte)
        byte = np.where(index >= 12, np.where(index == 12, 0, 255), byte).astype(np.uint64)
        result = result | byte << np.uint64(8 * i)
    return result.astype(U)


def reverse_bits(a):
    masks = (0x55555555, 0x33333333, 0x0F0F0F0F, 0x00FF00FF, 0x0000FFFF)
    for step, mask in zip((1, 2, 4, 8, 16), masks):
        a = (a >> U(step) & U(mask)) | (a & U(mask)) << U(step)
    return a


def median(a, b, c):
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def to_integer(low, high, kind):
    """Conversion of f32 toward zero; NaN gives 0, what is too large the limit."""

    def convert(a):
        value = np.nan_to_num(np.trunc(a.astype(np.float64)), nan=0, posinf=high, neginf=low)
        return np.clip(value, low, high).astype(kind)

    return convert


def as_float(function):
    """A function of bits as one of f32."""
    return lambda *sources: function(*[a.view(U) for a in sources]).view(np.float32)


def scale_by_power(a, exponent):
    return np.ldexp(a.astype(np.float64), exponent.astype(np.int64)).astype(np.float32)


def pack_bf16(a, b):
    return formats.to_bf16(a.view(U)) | formats.to_bf16(b.view(U)) << U(16)


def pack_halves(a, b):
    """Two f16, the first one below."""
    return a.view(np.uint16).astype(U) | b.view(np.uint16).astype(U) << U(16)


OPERATIONS = {
    "v_mov_b32": ("u", "u", lambda a: a),
    "v_mov_b64": ("q", "q", lambda a: a),
    "v_accvgpr_read_b32": ("u", "u", lambda a: a),
    "v_accvgpr_write_b32": ("u", "u", lambda a: a),
    "v_accvgpr_mov_b32": ("u", "u", lambda a: a),
    "v_not_b32": ("u", "u", lambda a: ~a),
    "v_bfrev_b32": ("u", "u", reverse_bits),
    "v_add_u32": ("u", "uu", lambda a, b: a + b),
    "v_sub_u32": ("u", "uu", lambda a, b: a - b),
    "v_subrev_u32": ("u", "uu", lambda a, b: b - a),
    "v_and_b32": ("u", "uu", lambda a, b: a & b),
    "v_or_b32": ("u", "uu", lambda a, b: a | b),
    "v_xor_b32": ("u", "uu", lambda a, b: a ^ b),
    "v_lshlrev_b32": ("u", "uu", lambda a, b: b << shift(a)),
    "v_lshrrev_b32": ("u", "uu", lambda a, b: b >> shift(a)),
    "v_ashrrev_i32": ("i", "ui", lambda a, b: b >> shift(a).astype(np.int32)),
    "v_min_u32": ("u", "uu", np.minimum),
    "v_max_u32": ("u", "uu", np.maximum),
    "v_min_i32": ("i", "ii", np.minimum),
    "v_max_i32": ("i", "ii", np.maximum),
    "v_med3_i32": ("i", "iii", median),
    "v_med3_u32": ("u", "uuu", median),
    "v_max3_u32": ("u", "uuu", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
    "v_max3_i32": ("i", "iii", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
    "v_min3_u32": ("u", "uuu", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
    "v_min3_i32": ("i", "iii", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
    "v_add3_u32": ("u", "uuu", lambda a, b, c: a + b + c),
    "v_or3_b32": ("u", "uuu", lambda a, b, c: a | b | c),
    "v_and_or_b32": ("u", "uuu", lambda a, b, c: a & b | c),
    "v_lshl_or_b32": ("u", "uuu", lambda a, b, c: a << shift(b) | c),
    "v_lshl_add_u32": ("u", "uuu", lambda a, b, c: (a << shift(b)) + c),
    "v_add_lshl_u32": ("u", "uuu", lambda a, b, c: a + b << shift(c)),
    "v_xad_u32": ("u", "uuu", lambda a, b, c: (a ^ b) + c),
    "v_bfe_u32": ("u", "uuu", field),
    "v_bfe_i32": ("i", "uuu", signed_field),
    "v_bfi_b32": ("u", "uuu", lambda a, b, c: a & b | ~a & c),
    "v_perm_b32": ("u", "uuu", permute),
    "v_alignbit_b32": ("u", "uuu", lambda a, b, c: join(a, b) >> wide(shift(c))),
    "v_alignbyte_b32": ("u", "uuu", lambda a, b, c: join(a, b) >> wide(U(8) * (c & U(3)))),
    "v_mul_lo_u32": ("u", "uu", lambda a, b: a * b),
    "v_mul_hi_u32": ("u", "uu", lambda a, b: high_half(wide(a) * wide(b))),
    "v_mul_hi_i32": ("i", "ii", lambda a, b: a.astype(np.int64) * b >> np.int64(32)),
    "v_mul_u32_u24": ("u", "uu", lambda a, b: low24(a) * low24(b)),
    "v_mul_i32_i24": ("i", "uu", lambda a, b: signed24(a) * signed24(b)),
    "v_mad_u32_u24": ("u", "uuu", lambda a, b, c: low24(a) * low24(b) + c),
    "v_mad_i32_i24": ("i", "uui", lambda a, b, c: signed24(a) * signed24(b) + c),
    "v_lshl_add_u64": ("q", "quq", lambda a, b, c: (a << wide(b & U(7))) + c),
    "v_lshlrev_b64": ("q", "uq", lambda a, b: b << wide(a & U(63))),
    "v_lshrrev_b64": ("q", "uq", lambda a, b: b >> wide(a & U(63))),
    "v_add_u16": ("w", "ww", lambda a, b: a + b),
    "v_sub_u16": ("w", "ww", lambda a, b: a - b),
    "v_mul_lo_u16": ("w", "ww", lambda a, b: a * b),
    "v_lshlrev_b16": ("w", "ww", lambda a, b: b << (a & U(15))),
    "v_lshrrev_b16": ("w", "ww", lambda a, b: b >> (a & U(15))),
    "v_min_u16": ("w", "ww", np.minimum),
    "v_max_u16": ("w", "ww", np.maximum),
    "v_cndmask_b32": ("u", "bbm", lambda a, b, mask: np.where(mask, b, a)),
    "v_add_f32": ("f", "ff", lambda a, b: a + b),
    "v_sub_f32": ("f", "ff", lambda a, b: a - b),
    "v_subrev_f32": ("f", "ff", lambda a, b: b - a),
    "v_mul_f32": ("f", "ff", lambda a, b: a * b),
    "v_fma_f32": ("f", "fff", formats.fused),
    "v_max_f32": ("f", "ff", as_float(lambda a, b: formats.pick_number(a, b, True))),
    "v_min_f32": ("f", "ff", as_float(lambda a, b: formats.pick_number(a, b, False))),
    "v_med3_f32": ("f", "fff", as_float(formats.pick_median)),
    "v_maximum3_f32": ("f", "fff", as_float(formats.pick_maximum)),
    "v_minimum3_f32": ("f", "fff", as_float(lambda *s: formats.pick_maximum(*s, larger=False))),
    "v_ldexp_f32": ("f", "fi", scale_by_power),
    "v_rcp_f32": ("f", "f", lambda a: np.float32(1) / a),
    "v_rcp_iflag_f32": ("f", "f", lambda a: np.float32(1) / a),
    "v_sqrt_f32": ("f", "f", np.sqrt),
    "v_rsq_f32": ("f", "f", lambda a: (1 / np.sqrt(a.astype(np.float64))).astype(np.float32)),
    "v_exp_f32": ("f", "f", lambda a: np.exp2(a.astype(np.float64)).astype(np.float32)),
    "v_log_f32": ("f", "f", lambda a: np.log2(a.astype(np.float64)).astype(np.float32)),
    "v_floor_f32": ("f", "f", np.floor),
    "v_rndne_f32": ("f", "f", np.rint),
    "v_trunc_f32": ("f", "f", np.trunc),
    "v_cvt_f32_u32": ("f", "u", lambda a: a.astype(np.float32)),
    "v_cvt_f32_i32": ("f", "i", lambda a: a.astype(np.float32)),
    "v_cvt_u32_f32": ("u", "f", to_integer(0, 2**32 - 1, U)),
    "v_cvt_i32_f32": ("i", "f", to_integer(-(2**31), 2**31 - 1, np.int32)),
    "v_cvt_f16_f32": ("h", "f", lambda a: a.astype(np.float16)),
    "v_cvt_f32_f16": ("f", "h", lambda a: a.astype(np.float32)),
    "v_cvt_f32_ubyte0": ("f", "u", lambda a: (a & U(255)).astype(np.float32)),
    "v_cvt_pk_bf16_f32": ("u", "ff", pack_bf16),
    "v_cvt_pk_f16_f32": ("u", "ff", lambda a, b: pack_halves(a.astype(np.float16), b.astype(np.float16))),
    "v_pack_b32_f16": ("u", "hh", pack_halves),
}  # fmt: skip

COMPARISONS = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
# Of floats: not equal is "lg", without NaN; each has its negation.
FLOAT_COMPARISONS = {name: function for name, function in COMPARISONS.items() if name != "ne"} | {
    "lg": lambda a, b: (a < b) | (a > b),
    "o": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    "u": lambda a, b: np.isnan(a) | np.isnan(b),
}

VIEWS = {"i": np.int32, "f": np.float32}
SELECTIONS = {f"BYTE_{i}": (8 * i, 0xFF) for i in range(4)}
SELECTIONS |= {f"WORD_{i}": (16 * i, 0xFFFF) for i in range(2)} | {"DWORD": (0, 0xFFFFFFFF)}


def change_sign(read, operand):
    def changed(w):
        bits = read(w)
        bits = bits & U(0x7FFFFFFF) if operand.absolute else bits
        return bits ^ U(0x80000000) if operand.negate else bits

    return changed


def select_bits(read, selection, extend):
    offset, mask = SELECTIONS[selection]
    if not extend:
        return lambda w: read(w) >> U(offset) & U(mask)
    sign = U((mask >> 1) + 1)
    return lambda w: ((read(w) >> U(offset) & U(mask)) ^ sign) - sign


def make_source(code, position, letter):
    """How a source is read, by the letter of its kind."""
    if letter == "m":
        read = scalar_reader(code.read(position, 2), 2)
        return lambda w: to_mask(read(w))
    operand = code.read(position, 2 if letter == "q" else 1)
    has_sign = operand.negate or operand.absolute
    if (has_sign and letter not in "fb") or (letter in "qh" and operand.kind == "real"):
        raise Fault(f"operand {position}: unknown form")
    if letter == "q":
        return reader64(operand)
    read = reader(operand)
    selection = code.take(f"src{position - 1}_sel", "DWORD")
    if selection != "DWORD" or operand.extend:
        read = select_bits(read, selection, operand.extend)
    if has_sign:
        read = change_sign(read, operand)
    if letter in VIEWS:
        kind = VIEWS[letter]
        return lambda w: read(w).view(kind)
    if letter == "w":
        return lambda w: read(w) & U(0xFFFF)
    if letter == "s":
        return lambda w: (read(w) << U(16)).view(np.int32) >> np.int32(16)
    if letter == "h":
        return lambda w: read(w).astype(np.uint16).view(np.float16)
    return read


def to_word(value, letter):
    """A result as the bits of a register."""
    if letter == "f":
        return np.asarray(value, np.float32).view(U)
    if letter == "h":
        return value.view(np.uint16).astype(U)
    return value.astype(U) & U(0xFFFF) if letter == "w" else value.astype(U)


def make_store(code, letter):
    """How the result is written to operand 0."""
    if letter == "m":
        index = code.write_scalar(0, 2)
        return lambda w, v: w.write_scalar64(index, to_bits(spread(v) & w.exec))
    if letter == "q":
        index = code.write_vector(0, 2)

        def store64(w, value):
            w.write_vector(index, value.astype(U))
            w.write_vector(index + 1, high_half(value))

        return store64
    index = code.write_vector(0)
    selection, unused = code.take("dst_sel", "DWORD"), code.take("dst_unused", "UNUSED_PAD")
    if selection == "DWORD":
        return lambda w, value: w.write_vector(index, to_word(value, letter))
    offset, mask = SELECTIONS[selection]
    if unused not in ("UNUSED_PAD", "UNUSED_PRESERVE"):
        raise Fault(f"unknown modifier 'dst_unused:{unused}'")
    kept = 0
    if unused == "UNUSED_PRESERVE":
        code.read(0)
        kept = ~(mask << offset) & 0xFFFFFFFF

    def store_part(w, value):
        part = (to_word(value, letter) & U(mask)) << U(offset)
        w.write_vector(index, part | w.vector[index] & U(kept))

    return store_part


def saturate(name, result, function):
    """The function with the modifier clamp."""
    if name == "v_add_u32":
        return lambda a, b: np.minimum(wide(a) + wide(b), np.uint64(0xFFFFFFFF))
    if name == "v_sub_u32":
        return lambda a, b: np.where(a > b, a - b, 0)
    if result != "f":
        raise Fault("unknown modifier 'clamp'")
    # DX10_CLAMP makes a NaN 0.
    return lambda *sources: np.clip(np.nan_to_num(function(*sources), nan=0.0), 0, 1)


def make_operation(name, result, sources, function):
    def handler(code):
        code.expect(1 + len(sources))
        reads = [make_source(code, i, letter) for i, letter in enumerate(sources, 1)]
        store = make_store(code, result)
        compute = saturate(name, result, function) if code.take("clamp", 0) else function
        return lambda w: store(w, compute(*[read(w) for read in reads]))

    return handler


def list_comparisons():
    kinds = {"u32": "u", "i32": "i", "u16": "w", "i16": "s", "u64": "q"}
    for name, function in COMPARISONS.items():
        for suffix, letter in kinds.items():
            yield f"v_cmp_{name}_{suffix}", ("m", letter * 2, function)
    for name, function in FLOAT_COMPARISONS.items():
        yield f"v_cmp_{name}_f32", ("m", "ff", function)
        if name not in ("o", "u"):
            negation = "neq" if name == "eq" else f"n{name}"
            yield f"v_cmp_{negation}_f32", ("m", "ff", lambda a, b, f=function: ~f(a, b))


def list_handlers():
    entries = {**OPERATIONS, **dict(list_comparisons())}
    return {name: make_operation(name, *entry) for name, entry in entries.items()}
