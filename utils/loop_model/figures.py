# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures of a kernel: those that are counted, and those of the model."""

import collections
import dataclasses
import re

from . import addresses, machine, schedule
from .assembly import Fault, parse_kernels
from .loops import find_steady_loop

COUNTER = re.compile(r"(vmcnt|lgkmcnt)\((\d+)\)")
# Of a workgroup: 1024 threads (LLVM AMDGPUUsage).
MAX_WAVES = 16
# VALU instructions that scale and add in f32.
SCALING = re.compile(r"v_(pk_)?(mul|fma|fmac|add|mac|mad|ldexp|dot2\w*)(_legacy)?_f32")


@dataclasses.dataclass
class Figures:
    """By name: `numbers`, None where one is unknown; and words about them."""

    kernel: str
    chip: str
    numbers: dict
    vmcnt: list
    bound: str = ""


def parse_waits(instruction):
    return tuple((name, int(count)) for name, count in COUNTER.findall(instruction.text))


def make_step(instruction, device, chip, lds_clocks):
    """What the model does for an instruction."""
    kind = instruction.kind
    if kind == "mfma":
        return schedule.Step("mfma", machine.count_matrix_clocks(instruction, chip))
    if kind == "valu":
        return schedule.Step("valu", machine.count_vector_clocks(instruction))
    if kind in ("lds_read", "lds_write"):
        return schedule.Step("lds", lds_clocks=lds_clocks[instruction.line])
    if kind in ("vmem", "dma"):
        size = machine.LANES * machine.count_lane_bytes(instruction)
        lds = size // device.lds_write_rate if kind == "dma" else 0
        return schedule.Step("vmem", size // device.global_rate, lds)
    if kind == "wait":
        return schedule.Step("wait", waits=parse_waits(instruction))
    if kind == "nop":
        unit = 64 if instruction.name == "s_sleep" else machine.TURN
        return schedule.Step("idle", unit * (int(instruction.operands[0], 0) + 1))
    if kind == "branch":
        return schedule.Step("idle", device.branch)
    if instruction.name == "s_setprio":
        return schedule.Step("priority", number=int(instruction.operands[0], 0))
    return schedule.Step(kind if kind in ("salu", "smem", "barrier") else "idle", machine.TURN)


def count_loop(loop, chip):
    """What can be counted in the loop."""
    kinds = collections.Counter(i.kind for i in loop.instructions)
    waits = [dict(parse_waits(i)) for i in loop.instructions if i.kind == "wait"]
    vmcnt = [wait["vmcnt"] for wait in waits if "vmcnt" in wait]
    matrix = sum(machine.count_matrix_clocks(i, chip) for i in loop.instructions if i.kind == "mfma")
    vector = [i for i in loop.instructions if i.kind == "valu"]
    clocks = {True: 0, False: 0}
    for i in vector:
        clocks[bool(SCALING.fullmatch(i.name))] += machine.count_vector_clocks(i)
    names = {"lds_reads": "lds_read", "lds_writes": "lds_write", "vmem": "vmem", "dma": "dma",
             "smem": "smem", "barriers": "barrier", "nops": "nop", "waits": "wait"}  # fmt: skip
    numbers = {
        "mfma": kinds["mfma"], "instructions": len(loop.instructions),
        "per_mfma": len(loop.instructions) / kinds["mfma"], "valu": kinds["valu"],
        "salu": kinds["salu"], **{name: kinds[kind] for name, kind in names.items()},
        "vmcnt_waits": len(vmcnt), "vmcnt_zero": vmcnt.count(0), "matrix_clocks": matrix,
        "vector_share": sum(clocks.values()) / matrix, "scaling": clocks[True] / matrix,
    }  # fmt: skip
    return numbers, vmcnt


def count_resources(kernel):
    metadata = kernel.metadata
    return {
        "vgpr": metadata.get("vgpr_count", 0),
        "agpr": metadata.get("agpr_count", 0),
        "sgpr": metadata.get("sgpr_count", 0),
        "spills": metadata.get("vgpr_spill_count", 0),
        "sgpr_spills": metadata.get("sgpr_spill_count", 0),
        "scratch": metadata.get("private_segment_fixed_size", 0),
        "lds": metadata.get("group_segment_fixed_size", 0),
        "waves": -(-metadata.get("max_flat_workgroup_size", 64) // machine.LANES),
    }


def count_groups(device, numbers):
    """How many workgroups a compute unit holds at once, by registers and LDS."""
    granule = device.granule
    registers = max(-(-numbers["vgpr"] // granule) * granule, granule)
    per_simd = min(device.registers // registers, device.waves_per_simd)
    by_registers = per_simd * machine.SIMDS // numbers["waves"]
    by_lds = device.lds_bytes // numbers["lds"] if numbers["lds"] else by_registers
    return max(min(by_registers, by_lds), 1)


def measure_lds(loop, traces, device):
    """Clocks of each LDS access of the loop, and how many of them conflicts
    cost in all; None where an address is unknown."""
    clocks, extra = {}, 0
    for i in loop.instructions:
        if i.kind in ("lds_read", "lds_write"):
            is_write = i.kind == "lds_write"
            accesses = machine.list_lds_accesses(i)
            free = sum(machine.count_bank_clocks(device, is_write, size) for size, _ in accesses)
            found = [trace.clocks[i.line] for trace in traces]
            is_known = None not in found
            clocks[i.line] = max(found) if is_known else free
            extra = extra + clocks[i.line] - free if is_known and extra is not None else None
    return clocks, extra


def measure(text, name=None, simulate=True, **options):
    """The figures of a kernel of a module: the one named, or that with the most
    MFMAs. Options replace fields of the machine."""
    kernels = parse_kernels(text)
    if name is not None and name not in kernels:
        raise Fault(f"expected one of the kernels {', '.join(kernels)}, got {name}")
    count = {k: sum(i.kind == "mfma" for b in kernels[k].blocks for i in b.instructions) for k in kernels}
    kernel = kernels[name or max(count, key=count.get)]
    if kernel.chip not in machine.MACHINES:
        raise Fault(f"{kernel.name}: expected gfx942 or gfx950, got {kernel.chip}")
    device = dataclasses.replace(machine.MACHINES[kernel.chip], **options)
    loop, numbers = find_steady_loop(kernel), count_resources(kernel)
    if not 0 < numbers["waves"] <= MAX_WAVES:
        raise Fault(f"{kernel.name}: expected workgroups of 1 to {MAX_WAVES} waves, got {numbers['waves']}")
    counted, vmcnt = count_loop(loop, kernel.chip)
    traces = [addresses.trace(kernel, loop, i) for i in range(numbers["waves"])]
    clocks, conflicts = measure_lds(loop, traces, device)
    numbers |= counted | {"conflicts": conflicts, "groups": count_groups(device, numbers)}
    figures = Figures(kernel.name, kernel.chip, numbers, vmcnt)
    if simulate:
        program = [make_step(i, device, kernel.chip, clocks) for i in loop.instructions]
        first = min(trace.barriers for trace in traces)
        late = [trace.barriers - first for trace in traces]
        result = schedule.simulate(device, [program] * len(traces), late, numbers["groups"])
        numbers |= {"cycles": result.cycles, "utilisation": result.busy["matrix"]}
        figures.bound = result.bound()
    return figures
