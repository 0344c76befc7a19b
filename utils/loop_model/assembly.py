# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The assembly of one kernel: instructions, blocks and metadata."""

import dataclasses
import re

from amdgpu_text import Fault, find_chip, find_metadata, is_label, read_body, split_instruction


@dataclasses.dataclass(frozen=True)
class Instruction:
    """An instruction; `name` is without the suffix of its encoding."""

    line: int
    text: str
    name: str
    operands: tuple
    kind: str

    def modifier(self, name, default=0):
        found = re.search(rf"\b{name}:(0x[0-9a-f]+|\d+)", self.text)
        return int(found[1], 0) if found else default


@dataclasses.dataclass
class Block:
    """Instructions up to a label or behind a branch, and where they lead to."""

    instructions: list
    successors: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Kernel:
    name: str
    chip: str
    blocks: list
    metadata: dict


# By the start of the name; the first that fits.
KINDS = [
    ("v_mfma", "mfma"), ("v_smfmac", "mfma"), ("v_", "valu"), ("ds_write", "lds_write"),
    ("ds_", "lds_read"), ("buffer_inv", "control"), ("buffer_wbl2", "control"),
    ("buffer_", "vmem"), ("global_", "vmem"), ("flat_", "vmem"), ("scratch_", "vmem"),
    ("s_load", "smem"), ("s_buffer_load", "smem"), ("s_waitcnt", "wait"),
    ("s_barrier", "barrier"), ("s_nop", "nop"), ("s_sleep", "nop"), ("s_setprio", "control"),
    ("s_endpgm", "end"), ("s_branch", "branch"), ("s_cbranch", "branch"), ("s_", "salu"),
]  # fmt: skip


def find_kind(name, text):
    kind = next((kind for start, kind in KINDS if name.startswith(start)), None)
    if kind is None:
        raise Fault(f"unknown instruction '{name}'")
    return "dma" if kind == "vmem" and re.search(r"\blds$|\blds\s", text) else kind


def parse_instruction(number, line):
    name, parts = split_instruction(line)
    # A modifier follows its operand behind a space.
    operands = tuple(part.split()[0] for part in parts if part)
    return Instruction(number, line, name, operands, find_kind(name, line))


def parse_blocks(text, name):
    """The blocks of a kernel, linked by their branches."""
    blocks, labels = [Block([])], {}
    for number, line in read_body(text, name):
        if is_label(line):
            if blocks[-1].instructions:
                blocks.append(Block([]))
            labels[line[:-1]] = len(blocks) - 1
        else:
            blocks[-1].instructions.append(parse_instruction(number, line))
            if blocks[-1].instructions[-1].kind in ("branch", "end"):
                blocks.append(Block([]))
    for index, block in enumerate(blocks):
        last = block.instructions[-1] if block.instructions else None
        if last and last.kind == "branch":
            if last.operands[0] not in labels:
                raise Fault(f"line {last.line}: unknown label '{last.operands[0]}'")
            block.successors.append(labels[last.operands[0]])
        ends = last and (last.kind == "end" or last.name == "s_branch")
        if not ends and index + 1 < len(blocks):
            block.successors.append(index + 1)
    return blocks


def parse_metadata(text, name):
    """Numbers of the kernel's entry in the metadata."""
    numbers = re.findall(r"^(?:    )?\.(\w+): +(\d+)$", find_metadata(text, name), re.M)
    return {key: int(value) for key, value in numbers}


def parse_kernels(text):
    """The kernels of a module, by their names."""
    chip = find_chip(text)
    if not chip:
        raise Fault("expected a line .amdgcn_target")
    names = re.findall(r"^\s*\.amdhsa_kernel (\S+)", text, re.M)
    if not names:
        raise Fault("expected a kernel")
    return {name: Kernel(name, chip, parse_blocks(text, name), parse_metadata(text, name)) for name in names}
