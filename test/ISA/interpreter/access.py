# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions that access memory: scalar loads, buffers, global memory, LDS."""

import re

import numpy as np

from .memory import check_alignment
from .operands import reader, reader64, scalar_reader
from .text import Fault
from .waits import Flight
from .wave import LANES, M0, spread

# Words of a register that an access fills, and how short ones are extended.
WIDTHS = {
    "ubyte": (1, False), "sbyte": (1, True), "ushort": (2, False), "sshort": (2, True),
    "byte": (1, False), "short": (2, False), "dword": (4, False), "dwordx2": (8, False),
    "dwordx3": (12, False), "dwordx4": (16, False),
}  # fmt: skip
LDS_WIDTHS = {
    "u8": (1, False), "i8": (1, True), "u16": (2, False), "i16": (2, True), "b8": (1, False),
    "b16": (2, False), "b32": (4, False), "b64": (8, False), "b96": (12, False), "b128": (16, False),
}  # fmt: skip


def to_words(data, as_signed):
    """Bytes of each lane as words, one row for each register."""
    size = data.shape[1]
    if size < 4:
        values = np.ascontiguousarray(data).view({1: np.int8, 2: np.int16}[size])
        wide = values.astype(np.int32).view(np.uint32)
        return (wide if as_signed else wide & np.uint32((1 << 8 * size) - 1)).T
    return np.ascontiguousarray(data).view("<u4").T


def make_data(code, position, size, high=False):
    """A function of a wave that gives the bytes to store of the active lanes."""
    count = max(size // 4, 1)
    operand = code.read(position, count)
    if operand.kind != "vector":
        raise Fault(f"operand {position}: expected vector registers")
    first, offset = operand.index, 2 if high else 0

    def data(w):
        words = np.ascontiguousarray(w.vector[first : first + count, w.exec].T)
        return words.view(np.uint8)[:, offset : offset + size]

    return data


def issue(w, queue, effect, registers=0, scalar_registers=0):
    w.pending |= registers
    w.pending_scalar |= scalar_registers
    w.timing.issue(queue, Flight(effect, registers, scalar_registers, w.line))


def fill(w, index, words, lanes):
    """Writes loaded words of the lanes that were active at the issue."""
    for i, row in enumerate(words):
        value = np.zeros(LANES, np.uint32)
        value[lanes] = row
        w.write_vector(index + i, value, lanes)


# Scalar loads.


def make_scalar_load(count):
    def handler(code):
        code.expect(3)
        index, base = code.write_scalar(0, count), scalar_reader(code.read(1, 2), 2)
        offset, registers = scalar_reader(code.read(2)), ((1 << count) - 1) << index

        def execute(w):
            address = np.array([base(w) + offset(w)], np.int64)
            check_alignment(address, 4, "scalar load")

            def effect():
                for i in range(count):
                    # A load may take more than the arguments, if nobody reads it.
                    if w.memory.holds(int(address[0]) + 4 * i, 4):
                        word = w.memory.load(address + 4 * i, 4).view("<u4")
                        w.write_scalar(index + i, int(word[0, 0]))

            w.scalar_defined &= ~registers
            issue(w, w.lgkm_queue, effect, scalar_registers=registers)

        return execute

    return handler


# Buffers.


def make_buffer_address(code, position):
    """Addresses, and offsets with the number of bytes there are. A raw buffer:
    no stride, and the range is one of bytes (ISA, "Buffer Resource Descriptor",
    "Range checking")."""
    has_offset, extra = code.take("offen", 0), code.take("offset", 0)
    offset = reader(code.read(position)) if has_offset else lambda w: np.zeros(1, np.uint32)
    if not has_offset and code.operands[position] != "off":
        raise Fault("expected offen or off")
    resource, base = code.read(position + 1, 4).index, scalar_reader(code.read(position + 2))

    def address(w):
        low, high, records, flags = w.scalar[resource : resource + 4]
        if high >> 16 or flags >> 23 & 1:
            raise Fault("expected a buffer resource without stride")
        scalar = base(w)
        offsets = spread(offset(w).astype(np.int64) + extra)[w.exec] + scalar
        return offsets + (low | (high & 0xFFFF) << 32), offsets, records

    return address


def split_words(offsets, size):
    """Offsets of the parts of an access that are in range or not on their own."""
    part = min(size, 4)
    return part, offsets[:, None] + np.arange(0, size, part)


def load_in_range(memory, addresses, offsets, records, size):
    """Zero for what is out of range."""
    part, starts = split_words(offsets, size)
    inside = starts + part <= records
    data = np.zeros((*starts.shape, part), np.uint8)
    places = (addresses - offsets)[:, None] + starts
    data[inside] = memory.load(places[inside], part)
    return data.reshape(len(offsets), size)


def store_in_range(memory, addresses, offsets, records, data):
    size = data.shape[1]
    part, starts = split_words(offsets, size)
    inside = starts + part <= records
    places = (addresses - offsets)[:, None] + starts
    memory.store(places[inside], data.reshape(*starts.shape, part)[inside])


def make_buffer_load(width):
    size, as_signed = WIDTHS[width]

    def handler(code):
        if code.take("lds", 0):
            return make_load_to_lds(code, size)
        code.expect(4)
        count = max(size // 4, 1)
        index, address = code.write_vector(0, count), make_buffer_address(code, 1)
        registers, code.queue = ((1 << count) - 1) << index, "vector_queue"

        def execute(w):
            where, lanes = address(w), w.exec
            check_alignment(where[0], min(size, 4), "buffer load")

            def effect():
                fill(w, index, to_words(load_in_range(w.memory, *where, size), as_signed), lanes)

            issue(w, w.vector_queue, effect, registers)

        return execute

    return handler


def make_load_to_lds(code, size):
    """Lanes write one after the other from M0 on (ISA, "Buffer Load to LDS";
    more than a word on gfx950 alone)."""
    if size != 4 and not (code.chip == "gfx950" and size in (12, 16)):
        raise Fault("unknown modifier 'lds'")
    code.expect(3)
    extra, address = code.instruction.modifiers.get("offset", 0), make_buffer_address(code, 0)
    code.sets["scalar", False] |= 1 << M0
    lane = np.arange(LANES)

    def execute(w):
        where, dest = address(w), (w.scalar[M0] + extra + size * lane)[w.exec]
        check_alignment(where[0], 4, "buffer load")

        def effect():
            w.lds.store(dest, load_in_range(w.memory, *where, size))

        issue(w, w.vector_queue, effect)

    return execute


def make_buffer_store(width):
    size = WIDTHS[width][0]

    def handler(code):
        code.expect(4)
        data, address = make_data(code, 0, size), make_buffer_address(code, 1)

        def execute(w):
            where, values = address(w), data(w)
            check_alignment(where[0], min(size, 4), "buffer store")
            issue(w, w.vector_queue, lambda: store_in_range(w.memory, *where, values))

        return execute

    return handler


# Global memory.


def make_global_address(code, vector_position, scalar_position):
    """A scalar base and an offset of 32 bits, or an address of each lane."""
    extra = code.take("offset", 0)
    if code.operands[scalar_position] == "off":
        lanes = reader64(code.read(vector_position, 2))
        return lambda w: lanes(w)[w.exec].astype(np.int64) + extra
    base = scalar_reader(code.read(scalar_position, 2), 2)
    offset = reader(code.read(vector_position))
    return lambda w: offset(w)[w.exec].astype(np.int64) + base(w) + extra


def make_global_load(width):
    size, as_signed = WIDTHS[width]

    def handler(code):
        code.expect(3)
        count = max(size // 4, 1)
        index, address = code.write_vector(0, count), make_global_address(code, 1, 2)
        registers, code.queue = ((1 << count) - 1) << index, "vector_queue"

        def execute(w):
            where, lanes = address(w), w.exec
            check_alignment(where, min(size, 4), "global load")

            def effect():
                fill(w, index, to_words(w.memory.load(where, size), as_signed), lanes)

            issue(w, w.vector_queue, effect, registers)

        return execute

    return handler


def make_global_store(width):
    size = WIDTHS[width][0]

    def handler(code):
        code.expect(3)
        address, data = make_global_address(code, 0, 2), make_data(code, 1, size)

        def execute(w):
            where, values = address(w), data(w)
            check_alignment(where, min(size, 4), "global store")
            issue(w, w.vector_queue, lambda: w.memory.store(where, values))

        return execute

    return handler


ATOMICS = {"umax": max, "umin": min, "add": lambda a, b: a + b & 0xFFFFFFFF, "or": lambda a, b: a | b}


def make_global_atomic(function):
    """Without a result."""

    def handler(code):
        code.expect(3)
        address, data = make_global_address(code, 0, 2), make_data(code, 1, 4)

        def execute(w):
            where, values = address(w), data(w).copy().view("<u4")[:, 0]
            check_alignment(where, 4, "global atomic")

            def effect():
                # Lane by lane: several may have the same address.
                for place, value in zip(where, values):
                    place = np.array([place])
                    old = int(w.memory.load(place, 4).view("<u4")[0, 0])
                    new = np.array([[function(old, int(value))]], "<u4")
                    w.memory.store(place, new.view(np.uint8))

            issue(w, w.vector_queue, effect)

        return execute

    return handler


# LDS.


def make_offsets(code, name, size):
    """The distances of the one or two accesses of an instruction. Two have
    offsets in units of their size, or of 64 times it."""
    if "2" not in name:
        return [code.take("offset", 0)]
    unit = size * (64 if "st64" in name else 1)
    return [unit * code.take("offset0", 0), unit * code.take("offset1", 0)]


def make_lds_address(code, position, size, offsets):
    operand = reader(code.read(position))

    def address(w):
        base = spread(operand(w))[w.exec].astype(np.int64)
        places = [base + offset for offset in offsets]
        # Up to 4 bytes may lie anywhere (AMDGPUUsage, "unaligned-access-mode").
        for place in places if size > 4 else []:
            check_alignment(place, 4 if size == 12 else size, "LDS")
        return places

    return address


LDS_NAME = re.compile(r"ds_(read|write)(2|2st64)?_([ubi]\d+)(_d16)?(_hi)?")


def make_permute(code):
    """Each lane takes the word of the lane whose number, four times, it names;
    0 of one that is not active. No memory is touched."""
    code.expect(3)
    index, code.queue = code.write_vector(0), "lgkm_queue"
    place, data, offset = reader(code.read(1)), reader(code.read(2)), code.take("offset", 0)

    def execute(w):
        lanes = w.exec
        source = (spread(place(w)).astype(np.int64) + offset) // 4 % LANES
        active = np.zeros(LANES, np.uint32)
        active[lanes] = spread(data(w))[lanes]
        words = active[source][lanes]
        issue(w, w.lgkm_queue, lambda: fill(w, index, [words], lanes), 1 << index)

    return execute


def handle_lds(code):
    if code.instruction.name == "ds_bpermute_b32":
        return make_permute(code)
    found = LDS_NAME.fullmatch(code.instruction.name)
    is_load = found and found[1] == "read"
    if not found or found[3] not in LDS_WIDTHS or (found[4] and (is_load or not found[5])):
        raise Fault(f"unknown instruction '{code.instruction.name}'")
    size, as_signed = LDS_WIDTHS[found[3]]
    offsets = make_offsets(code, found[2] or "", size)
    if is_load:
        return make_lds_load(code, size, as_signed, offsets)
    return make_lds_store(code, size, offsets, bool(found[5]))


def make_lds_load(code, size, as_signed, offsets):
    code.expect(2)
    count = max(size // 4, 1)
    index = code.write_vector(0, count * len(offsets))
    registers, code.queue = ((1 << count * len(offsets)) - 1) << index, "lgkm_queue"
    address = make_lds_address(code, 1, size, offsets)

    def execute(w):
        where, lanes = address(w), w.exec

        def effect():
            for i, places in enumerate(where):
                fill(w, index + i * count, to_words(w.lds.load(places, size), as_signed), lanes)

        issue(w, w.lgkm_queue, effect, registers)

    return execute


def make_lds_store(code, size, offsets, high):
    code.expect(1 + len(offsets))
    address = make_lds_address(code, 0, size, offsets)
    sources = [make_data(code, i, size, high) for i in range(1, 1 + len(offsets))]

    def execute(w):
        where, values = address(w), [data(w) for data in sources]

        def effect():
            for places, data in zip(where, values):
                w.lds.store(places, data)

        issue(w, w.lgkm_queue, effect)

    return execute


def list_handlers():
    handlers = {f"s_load_dword{f'x{n}' if n > 1 else ''}": make_scalar_load(n) for n in (1, 2, 4, 8, 16)}
    words = [name for name in WIDTHS if name.startswith("dword")]
    for name in words + ["ubyte", "sbyte", "ushort", "sshort"]:
        handlers[f"buffer_load_{name}"] = make_buffer_load(name)
        handlers[f"global_load_{name}"] = make_global_load(name)
    for name in words + ["byte", "short"]:
        handlers[f"buffer_store_{name}"] = make_buffer_store(name)
        handlers[f"global_store_{name}"] = make_global_store(name)
    for name, function in ATOMICS.items():
        handlers[f"global_atomic_{name}"] = make_global_atomic(function)
    return handlers
