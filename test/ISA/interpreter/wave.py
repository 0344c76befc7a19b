# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The registers of a wave, and which of them may be read.

A register is undefined until written, and pending from the issue of the load
that writes it to the s_waitcnt that covers the load. Vector registers have lanes
that are defined one by one; what is pending is so as a whole, for the hardware
waits for registers and not for lanes. Sets of registers are bits of integers.
"""

import collections

import numpy as np

from .text import Fault

LANES = 64
ALL = (1 << LANES) - 1
U32 = 0xFFFFFFFF
# Accumulation registers follow the other vector registers (ISA, "VGPRs").
FIRST_ACC, NUM_VECTOR = 256, 512
# ISA, "SGPR operands".
VCC, M0, EXEC, NUM_SCALAR = 106, 124, 126, 128
SCALAR_NAMES = {
    "vcc": VCC, "vcc_lo": VCC, "vcc_hi": VCC + 1, "m0": M0,
    "exec": EXEC, "exec_lo": EXEC, "exec_hi": EXEC + 1,
}  # fmt: skip


def to_mask(bits):
    """Bits of an integer as one bool for each lane."""
    packed = np.frombuffer(int(bits).to_bytes(8, "little"), np.uint8)
    return np.unpackbits(packed, bitorder="little").astype(bool)


def to_bits(mask):
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def spread(values):
    """What is equal in all lanes, as an array of all."""
    return values if len(values) == LANES else np.full(LANES, values[0])


def register_name(is_scalar, index):
    if is_scalar:
        names = {VCC: "vcc_lo", VCC + 1: "vcc_hi", M0: "m0", EXEC: "exec_lo", EXEC + 1: "exec_hi"}
        return names.get(index, f"s{index}")
    return f"v{index}" if index < FIRST_ACC else f"a{index - FIRST_ACC}"


def first_of(bits):
    return (bits & -bits).bit_length() - 1


def sum_registers(queue):
    """The vector registers that a queue of flights writes."""
    total = 0
    for flight in queue:
        total |= flight.registers
    return total


class Wave:
    def __init__(self, number, lanes, group, arguments, machine):
        """Registers as the descriptors that text.EXPECTED allows make them
        (AMDGPUUsage, "Initial Kernel Execution State"): the address of the
        arguments, the workgroup, and the work item, which every lane has."""
        self.memory, self.lds, self.timing = machine
        self.number, self.pc, self.line, self.state, self.scc = number, 0, 0, "run", None
        # A NaN, and no plausible address.
        self.vector = np.full((NUM_VECTOR, LANES), 0xFFA5A5A5, np.uint32)
        self.lanes_defined = np.zeros((NUM_VECTOR, LANES), bool)
        self.scalar = [0] * NUM_SCALAR
        self.defined, self.pending, self.pending_scalar = 1, 0, 0
        self.scalar_defined = 0
        self.vector[0] = number * LANES + np.arange(LANES)
        for index, value in enumerate([arguments & U32, arguments >> 32, group]):
            self.write_scalar(index, value)
        self.write_scalar64(EXEC, (1 << lanes) - 1)
        # What is in flight, the oldest first, and how often a wait waited for some.
        self.waited = collections.Counter()
        self.vector_queue, self.lgkm_queue = collections.deque(), collections.deque()

    def write_scalar(self, index, value):
        self.scalar[index] = value & U32
        self.scalar_defined |= 1 << index
        if index >= EXEC:
            self.update_exec()

    def write_scalar64(self, index, value):
        self.scalar[index], self.scalar[index + 1] = value & U32, value >> 32 & U32
        self.scalar_defined |= 3 << index
        if index == EXEC:
            self.update_exec()

    def scalar64(self, index):
        return self.scalar[index] | self.scalar[index + 1] << 32

    def update_exec(self):
        bits = self.scalar64(EXEC)
        self.exec, self.all_lanes = to_mask(bits), bits == ALL

    def write_vector(self, index, value, lanes=None):
        """Writes the active lanes, or those given."""
        if lanes is None and self.all_lanes:
            self.vector[index] = value
            self.defined |= 1 << index
            return
        lanes = self.exec if lanes is None else lanes
        np.copyto(self.vector[index], value, where=lanes, casting="unsafe")
        if not self.defined >> index & 1:
            self.lanes_defined[index] |= lanes
            if self.lanes_defined[index].all():
                self.defined |= 1 << index

    def undefined_lanes(self, registers):
        """Where one of the registers is undefined; None if there is no such lane."""
        missing, lanes = registers & ~self.defined, None
        while missing:
            undefined = ~self.lanes_defined[first_of(missing)]
            lanes = undefined if lanes is None else lanes | undefined
            missing &= missing - 1
        return lanes

    def undefine(self, index, lanes, written=True):
        """Of the lanes just written, those are undefined after all. May be None."""
        if lanes is None:
            return
        lanes = lanes & written
        if self.defined >> index & 1:
            self.lanes_defined[index] = True
        self.lanes_defined[index] &= ~lanes
        self.defined &= ~(1 << index)

    def require_lanes(self, registers, lanes):
        """Fails if one of the registers is undefined in one of the lanes."""
        missing = registers & ~self.defined
        while missing:
            index = first_of(missing)
            missing &= missing - 1
            bad = lanes & ~self.lanes_defined[index]
            if bad.any():
                lane = int(np.argmax(bad))
                raise Fault(f"{register_name(False, index)} is undefined in lane {lane}")

    def require(self, step):
        """Fails if what an instruction reads is not there, or if what it writes
        would be written again by what is in flight."""
        early = step.touched & self.pending
        if step.queue:
            # Loads of one kind return in order: one may write what another has
            # not written yet.
            early &= step.reads | ~sum_registers(getattr(self, step.queue))
        if early:
            raise Fault(f"{register_name(False, first_of(early))} has a load in flight")
        early = step.touched_scalar & self.pending_scalar
        if early:
            raise Fault(f"{register_name(True, first_of(early))} has a load in flight")
        missing = step.reads_scalar & ~self.scalar_defined
        if missing:
            raise Fault(f"{register_name(True, first_of(missing))} is undefined")
        if step.lanes is not None:
            self.require_lanes(step.reads, self.exec if step.lanes is False else step.lanes)
