# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The assembly text: instructions, labels, kernel descriptor and metadata."""

import dataclasses
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "utils"))

from amdgpu_text import Fault, find_chip, find_metadata, is_label, read_body, split_instruction


@dataclasses.dataclass(frozen=True)
class Instruction:
    """An instruction as written; `name` is without the suffix of its encoding."""

    line: int
    text: str
    name: str
    operands: tuple
    modifiers: dict


@dataclasses.dataclass
class Kernel:
    name: str
    chip: str
    instructions: list
    labels: dict
    descriptor: dict
    argument_offsets: list
    argument_bytes: int
    lds_bytes: int


FLAGS = {"offen", "lds", "clamp"}
VALUED = {
    "offset", "offset0", "offset1", "cbsz", "blgp", "bitop3",
    "dst_sel", "dst_unused", "src0_sel", "src1_sel",
}  # fmt: skip
COUNTER = re.compile(r"(vmcnt|lgkmcnt|expcnt)\((\d+)\)")
LISTS = {"op_sel", "op_sel_hi", "neg_lo", "neg_hi"}


def parse_modifier(word):
    """A modifier's name and value, or None if the word is none."""
    name, _, value = word.partition(":")
    if found := COUNTER.fullmatch(word):
        return found[1], int(found[2])
    if word in FLAGS:
        return word, 1
    if name in LISTS and re.fullmatch(r"\[[01](,[01])*\]", value):
        return name, tuple(int(digit) for digit in value[1:-1].split(","))
    if name in VALUED and re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", value):
        return name, int(value, 0)
    return (name, value) if name in VALUED and re.fullmatch(r"\w+", value) else None


def parse_instruction(number, line):
    name, operands = split_instruction(line)
    # Modifiers follow the last operand; what is not known stays with it, and is
    # then no operand.
    words, modifiers = operands.pop().split() if operands else [], {}
    while words and (modifier := parse_modifier(words[-1])):
        modifiers[modifier[0]] = modifier[1]
        words.pop()
    if words:
        operands.append(" ".join(words))
    return Instruction(number, line, name, tuple(operands), modifiers)


def parse_body(text, name):
    """Instructions and labels behind the label of a kernel."""
    instructions, labels = [], {}
    for number, line in read_body(text, name):
        if is_label(line):
            labels[line[:-1]] = len(instructions)
        else:
            instructions.append(parse_instruction(number, line))
    return instructions, labels


def parse_descriptor(text, name):
    found = re.search(rf"\.amdhsa_kernel {re.escape(name)}\n(.*?)\.end_amdhsa_kernel", text, re.S)
    if not found:
        raise Fault(f"expected the descriptor .amdhsa_kernel {name}")
    return {key: int(value) for key, value in re.findall(r"\.amdhsa_(\w+) (\d+)", found[1])}


def parse_metadata(text, name):
    """The offsets of the arguments, of the kernel's entry in the metadata."""
    arguments = re.split(r"^      - ", find_metadata(text, name), flags=re.M)[1:]
    arguments = [a for a in arguments if ".value_kind" in a]
    if any("hidden_" in a for a in arguments):
        raise Fault(f"{name}: expected no hidden arguments")
    return [int(re.search(r"\.offset: +(\d+)", a)[1]) for a in arguments]


# What a descriptor may ask for so that registers start as Wave makes them.
EXPECTED = {
    "user_sgpr_count": 2, "user_sgpr_kernarg_segment_ptr": 1, "system_sgpr_workgroup_id_x": 1,
    "system_sgpr_workgroup_id_y": 0, "system_sgpr_workgroup_id_z": 0, "system_vgpr_workitem_id": 0,
    "user_sgpr_kernarg_preload_length": 0, "system_sgpr_workgroup_info": 0,
    "private_segment_fixed_size": 0, "float_round_mode_32": 0, "float_denorm_mode_32": 3,
    "float_denorm_mode_16_64": 3, "dx10_clamp": 1, "ieee_mode": 1, "fp16_overflow": 0,
}  # fmt: skip


def parse_kernel(text, name):
    """The kernel of a name in the text of a module."""
    chip = find_chip(text)
    if chip not in ("gfx942", "gfx950"):
        raise Fault("expected the target gfx942 or gfx950")
    instructions, labels = parse_body(text, name)
    descriptor = parse_descriptor(text, name)
    for key, value in EXPECTED.items():
        if descriptor.get(key) != value:
            raise Fault(f".amdhsa_{key}: expected {value}, got {descriptor.get(key)}")
    return Kernel(
        name, chip, instructions, labels, descriptor, parse_metadata(text, name),
        descriptor["kernarg_size"], descriptor["group_segment_fixed_size"],
    )  # fmt: skip
