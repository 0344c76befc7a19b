# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Waves of a workgroup: which runs when, barriers, and what runs an instruction."""

import random

from . import access, matrix, packed, scalar, vector
from .memory import Lds
from .operands import decode
from .text import Fault
from .waits import Timing, wait_count
from .wave import LANES, Wave

# Nothing here depends on time or on hazards.
IGNORED = ("s_nop", "s_sleep")
# Waves of a workgroup are dealt to the SIMDs of a compute unit in turn.
SIMDS = 4
TABLE = {
    **scalar.list_handlers(), **vector.list_handlers(), **packed.list_handlers(), **access.list_handlers()
}  # fmt: skip


def ignore(code):
    code.expect(1)
    return lambda w: None


def stop_at(state):
    """Ends the run of a wave: at a barrier, or for good."""

    def handler(code):
        code.expect(0)

        def execute(w):
            w.state = state

        return execute

    return handler


def set_priority(code):
    """Waves of one SIMD raise their priority by turns: in one of them only
    between two barriers, or they would wait for the same matrix cores."""
    code.expect(1)
    priority = int(code.operands[0])

    def execute(w):
        first = w.turns.setdefault(w.number % SIMDS, w.number) if priority else w.number
        if first != w.number:
            raise Fault(f"it is the turn of wave {first}, which had this priority since the last barrier")

    return execute


TABLE |= {name: ignore for name in IGNORED}
TABLE["s_setprio"] = set_priority
TABLE |= {"s_barrier": stop_at("barrier"), "s_endpgm": stop_at("end"), "s_waitcnt": wait_count}


def make_branch(labels):
    def handler(code):
        code.expect(1)
        target = labels.get(code.operands[0])
        if target is None:
            raise Fault(f"unknown label '{code.operands[0]}'")
        name = code.instruction.name.rpartition("_")[2]
        register, condition = scalar.CONDITIONS.get(name, (None, lambda w: True))
        if register is not None:
            code.sets["scalar", False] |= 3 << register

        def execute(w):
            if condition(w):
                w.pc = target

        return execute

    return handler


def decode_one(kernel, instruction):
    """An instruction of a kernel, ready to run."""
    branches = {"s_branch"} | {f"s_cbranch_{name}" for name in scalar.CONDITIONS}
    branch = make_branch(kernel.labels)

    def lookup(name):
        if name in branches:
            return branch
        if name.startswith("v_mfma_"):
            return matrix.make_matrix
        return access.handle_lds if name.startswith("ds_") else TABLE.get(name)

    return decode(instruction, kernel.chip, lookup)


def decode_kernel(kernel):
    return [decode_one(kernel, instruction) for instruction in kernel.instructions]


class Mode:
    """One way in which the hardware may run: when memory instructions take
    effect, and in which order waves run: "forward" and "reverse", each until a
    barrier, or "random", with changes anywhere."""

    def __init__(self, timing="late", order="forward", seed=1):
        self.timing, self.order, self.seed = timing, order, seed

    def __str__(self):
        return f"{self.timing}, {self.order}"


class Workgroup:
    def __init__(self, kernel, code, memory, mode, threads, group, arguments):
        self.code, self.mode, self.group = code, mode, group
        self.random = random.Random(f"{mode.seed} {group}")
        machine = memory, Lds(kernel.lds_bytes), Timing(mode.timing, self.random.random())
        lanes = [min(threads - first, LANES) for first in range(0, threads, LANES)]
        self.waves = [Wave(i, n, group, arguments, machine) for i, n in enumerate(lanes)]
        # By SIMDs, the wave that raised its priority since the last barrier.
        self.turns = {}
        for wave in self.waves:
            wave.turns = self.turns

    def run(self, limit=10**7):
        """Runs to the end of all waves. The number of instructions."""
        total = 0
        while running := [w for w in self.waves if w.state == "run"]:
            wave, count = self.choose(running)
            total += self.run_wave(wave, count)
            if total > limit:
                raise Fault(f"line {wave.line}: still running after {limit} instructions")
            if all(w.state != "run" for w in self.waves):
                self.turns.clear()
                # A wave that has ended is not waited for.
                for waiting in self.waves:
                    waiting.state = "run" if waiting.state == "barrier" else waiting.state
        for wave in self.waves:
            for queue in (wave.vector_queue, wave.lgkm_queue):
                while queue:
                    queue.popleft().land()
        return total

    def choose(self, running):
        """The next wave, and how many instructions it runs at most."""
        if self.mode.order == "random":
            return self.random.choice(running), self.random.randrange(1, 100)
        return running[0 if self.mode.order == "forward" else -1], 10**6

    def run_wave(self, wave, count):
        code, is_random = self.code, self.mode.timing == "random"
        for executed in range(1, count + 1):
            if wave.pc >= len(code):
                raise Fault(f"line {wave.line}: the kernel has no end")
            step = code[wave.pc]
            wave.pc += 1
            wave.line = step.instruction.line
            try:
                if (
                    step.reads & ~wave.defined or step.touched & wave.pending
                    or step.touched_scalar & wave.pending_scalar
                    or step.reads_scalar & ~wave.scalar_defined
                ):  # fmt: skip
                    wave.require(step)
                step.execute(wave)
                if is_random:
                    wave.timing.progress(wave)
            except Fault as fault:
                raise Fault(f"{self.place(wave, step)}: {fault} [{step.instruction.text}]") from None
            if wave.state != "run":
                return executed
        return count

    def place(self, wave, step):
        return f"line {step.instruction.line}: workgroup {self.group}, wave {wave.number}"
