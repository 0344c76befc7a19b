# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is in flight, and the instructions that wait for it.

A memory instruction has an effect, of which one knows only that it happens
between the issue and the s_waitcnt that covers it; when it does is for the
timing to say. Registers that a load writes are pending until the wait either
way. The effects of one queue happen in the order of their issue (ISA, "Manually
Inserted Wait States"), but for scalar loads, which return in any order.
"""

import dataclasses
import random
from typing import Callable, Optional

from .text import Fault
from .wave import sum_registers


@dataclasses.dataclass(eq=False)
class Flight:
    """A memory instruction in flight. `effect` has been called if it is None."""

    effect: Optional[Callable]
    registers: int = 0
    scalar_registers: int = 0
    line: int = 0

    def land(self):
        if self.effect:
            effect, self.effect = self.effect, None
            try:
                effect()
            except Fault as fault:
                raise Fault(f"{fault}, by the instruction of line {self.line}") from None


class Timing:
    """When effects happen: "late", at the wait; "early", at the issue; or "random",
    at any time between, by a seed."""

    def __init__(self, name, seed):
        self.name, self.random = name, random.Random(seed)

    def issue(self, queue, flight):
        queue.append(flight)
        if self.name == "early":
            flight.land()

    def progress(self, wave):
        """Lets some of what is in flight happen."""
        for queue in (wave.vector_queue, wave.lgkm_queue):
            if queue and self.random.random() < 0.3:
                for flight in list(queue)[: self.random.randrange(1, len(queue) + 1)]:
                    flight.land()


def complete(wave, flights):
    """Lands flights that are in no queue any more. What they write may be
    written by one that is."""
    for flight in flights:
        flight.land()
        wave.pending_scalar &= ~flight.scalar_registers
    wave.pending = sum_registers(wave.vector_queue) | sum_registers(wave.lgkm_queue)


def wait_vector(wave, count):
    """Waits until at most `count` are in flight; how many it waited for."""
    queue = wave.vector_queue
    done = [queue.popleft() for _ in range(len(queue) - count)]
    complete(wave, done)
    return len(done)


def wait_lgkm(wave, count):
    """Of LDS and scalar loads in flight, the oldest of LDS are sure to have
    returned once fewer than their number are left; a scalar load only when
    all are."""
    queue = wave.lgkm_queue
    local = [flight for flight in queue if not flight.scalar_registers]
    done = local[: max(len(local) - count, 0)] if count else list(queue)
    for flight in done:
        queue.remove(flight)
    complete(wave, done)
    return len(done)


WAITS = {"vmcnt": wait_vector, "lgkmcnt": wait_lgkm}


def wait_count(code):
    """Nothing in flight counts in expcnt: it is of exports and GDS."""
    code.expect(0)
    code.take("expcnt", 0)
    counts = {name: code.take(name, None) for name in WAITS}
    waits = [(name, WAITS[name], count) for name, count in counts.items() if count is not None]

    def execute(w):
        for name, wait, count in waits:
            w.waited[w.line, name] += wait(w, count)

    return execute
