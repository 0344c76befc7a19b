# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of a compute unit: when each wave issues what, in turns of 4 clocks."""

import collections
import dataclasses

from . import machine
from .assembly import Fault

SETTLE, MEASURE = 4, 6
MAX_CLOCKS = 2_000_000
UNITS = {"matrix": "matrix cores", "vector": "vector issue", "lds": "LDS", "global": "global path"}


@dataclasses.dataclass(frozen=True)
class Step:
    """An instruction of the loop: what it needs, and for how many clocks."""

    kind: str
    clocks: int = 0
    lds_clocks: int = 0
    number: int = 0
    waits: tuple = ()


@dataclasses.dataclass
class Result:
    """Clocks of an iteration; by unit, the share of them that it is busy; by
    reason, the share of a wave's time that it cannot issue."""

    cycles: float
    busy: dict
    stalls: dict

    def bound(self):
        """The unit that is busy the most, and what waves wait for if that is not
        nearly always."""
        unit = max(self.busy, key=self.busy.get)
        text = f"{UNITS[unit]} ({self.busy[unit]:.0%} busy)"
        waits = {reason: share for reason, share in self.stalls.items() if reason != "the matrix core"}
        if self.busy[unit] < 0.9 and waits:
            reason = max(waits, key=waits.get)
            text += f", waves wait for {reason} ({waits[reason]:.0%} of their time)"
        return text


class Wave:
    def __init__(self, steps, simd, group, is_late):
        self.steps, self.simd, self.group = steps, simd, group
        self.position, self.iteration, self.ready, self.priority = 0, 0, 0, 0
        self.last_issue = -1
        # A wave that meets one barrier more in front of the loop has it before it.
        self.pending_barriers, self.is_at_barrier = is_late, False
        self.vector, self.lgkm = collections.deque(), collections.deque()
        self.ends = []

    def step(self):
        return Step("barrier") if self.pending_barriers else self.steps[self.position]

    def advance(self, ready):
        self.ready = ready
        if self.pending_barriers:
            self.pending_barriers -= 1
            return
        self.position += 1
        if self.position == len(self.steps):
            self.position, self.iteration = 0, self.iteration + 1
            self.ends.append(ready)


class Unit:
    """Waves of one or several workgroups on the 4 SIMDs of a compute unit."""

    def __init__(self, device, programs, barriers, groups):
        self.device, self.time = device, 0
        self.waves = [
            Wave(steps, (group * len(programs) + i) % machine.SIMDS, group, late)
            for group in range(groups)
            for i, (steps, late) in enumerate(zip(programs, barriers))
        ]
        self.matrix_free = [0] * machine.SIMDS
        self.vector_free = [0] * machine.SIMDS
        self.lds_free = self.global_free = 0
        self.stalls = collections.Counter()

    def run(self):
        target = SETTLE + MEASURE
        while any(wave.iteration < target for wave in self.waves):
            for simd in range(machine.SIMDS):
                self.issue_on(simd)
            self.release_barriers()
            self.time += machine.TURN
            if self.time > MAX_CLOCKS:
                raise Fault(f"expected {target} iterations in {MAX_CLOCKS} clocks")
        # Later iterations of waves that are ahead do not count.
        spans = [wave.ends[target - 1] - wave.ends[SETTLE - 1] for wave in self.waves]
        return sum(spans) / len(spans) / MEASURE

    def issue_on(self, simd):
        """One turn of a SIMD: of each kind one instruction, each of another wave.
        The higher priority is served first, then who has waited longer."""
        used = set()
        waves = [w for w in self.waves if w.simd == simd and not w.is_at_barrier]
        for wave in sorted(waves, key=lambda w: (-w.priority, w.last_issue)):
            if wave.ready > self.time:
                continue
            step = wave.step()
            if reason := self.try_issue(wave, step, used):
                self.stalls[reason] += machine.TURN
            else:
                wave.last_issue = self.time

    def try_issue(self, wave, step, used):
        """Issues; or gives the reason why not."""
        handler = getattr(self, f"issue_{step.kind}")
        for queue in (wave.vector, wave.lgkm):
            while queue and queue[0] <= self.time:
                queue.popleft()
        return handler(wave, step, used)

    def issue_wait(self, wave, step, used):
        for name, count in step.waits:
            if len(wave.vector if name == "vmcnt" else wave.lgkm) > count:
                return name
        wave.advance(self.time + machine.TURN)
        return None

    def issue_barrier(self, wave, step, used):
        wave.is_at_barrier = True
        return None

    def issue_idle(self, wave, step, used):
        wave.advance(self.time + step.clocks)
        return None

    def issue_priority(self, wave, step, used):
        wave.priority = step.number
        wave.advance(self.time + machine.TURN)
        return None

    def issue_salu(self, wave, step, used):
        if "salu" in used:
            return "scalar issue"
        used.add("salu")
        wave.advance(self.time + machine.TURN)
        return None

    def issue_smem(self, wave, step, used):
        if "smem" in used or len(wave.lgkm) >= self.device.most_lgkm:
            return "scalar issue"
        used.add("smem")
        wave.lgkm.append(self.time + self.device.scalar_latency)
        wave.advance(self.time + machine.TURN)
        return None

    def take_vector(self, wave, clocks, used):
        if "vector" in used or self.vector_free[wave.simd] > self.time:
            return False
        used.add("vector")
        self.vector_free[wave.simd] = self.time + clocks
        return True

    def issue_valu(self, wave, step, used):
        if not self.take_vector(wave, step.clocks, used):
            return "vector issue"
        wave.advance(self.time + step.clocks)
        return None

    def issue_mfma(self, wave, step, used):
        if self.matrix_free[wave.simd] > self.time:
            return "the matrix core"
        if not self.take_vector(wave, machine.TURN, used):
            return "vector issue"
        self.matrix_free[wave.simd] = self.time + step.clocks
        wave.advance(self.time + machine.TURN)
        return None

    def issue_lds(self, wave, step, used):
        if "lds" in used or len(wave.lgkm) >= self.device.most_lgkm:
            return "LDS issue"
        used.add("lds")
        self.occupy_lds(step.lds_clocks)
        wave.lgkm.append(self.lds_free + self.device.lds_latency)
        wave.advance(self.time + machine.TURN)
        return None

    def occupy_lds(self, clocks):
        self.lds_free = max(self.lds_free, self.time) + clocks

    def issue_vmem(self, wave, step, used):
        if "vmem" in used or len(wave.vector) >= self.device.most_vector:
            return "global issue"
        used.add("vmem")
        self.global_free = max(self.global_free, self.time) + step.clocks
        if step.lds_clocks:
            self.occupy_lds(step.lds_clocks)
        # In order.
        done = max(self.global_free + self.device.global_latency, *(wave.vector or [0]), 0)
        wave.vector.append(done)
        wave.advance(self.time + machine.TURN)
        return None

    def release_barriers(self):
        for group in {wave.group for wave in self.waves}:
            waves = [wave for wave in self.waves if wave.group == group]
            if all(wave.is_at_barrier for wave in waves):
                for wave in waves:
                    wave.is_at_barrier = False
                    wave.advance(self.time + machine.TURN)
            elif any(wave.is_at_barrier for wave in waves):
                self.stalls["barriers"] += machine.TURN * sum(wave.is_at_barrier for wave in waves)


def count_demand(programs):
    """Clocks that an iteration of these waves takes of each unit."""
    demand = collections.Counter()
    for step in (step for steps in programs for step in steps):
        if step.kind == "mfma":
            demand.update(matrix=step.clocks, vector=machine.TURN)
        elif step.kind in ("valu", "vmem"):
            demand["vector" if step.kind == "valu" else "global"] += step.clocks
        demand["lds"] += step.lds_clocks
    return demand


def simulate(device, programs, barriers, groups=1):
    """Runs `groups` workgroups of waves with one program each; `barriers` are
    those that a wave meets in front of the loop beyond those of the others."""
    unit = Unit(device, programs, barriers, groups)
    cycles = unit.run()
    iterations = sum(wave.iteration for wave in unit.waves) / len(unit.waves)
    total = max(unit.time, 1)
    share = cycles * iterations / total
    scale = {"matrix": machine.SIMDS, "vector": machine.SIMDS, "lds": 1, "global": 1}
    demand = count_demand(programs)
    busy = {name: groups * demand[name] / cycles / scale[name] for name in scale}
    stalls = {name: clocks / len(unit.waves) / total * share for name, clocks in unit.stalls.items()}
    return Result(cycles, busy, stalls)
