# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of AMD's assembly, as LLVM prints it, for all that reads it."""

import re

# Behind the name of an instruction: how it is encoded.
ENCODING = re.compile(r"_(e32|e64|sdwa|dpp)$")


class Fault(Exception):
    """What is wrong with a text, in one line."""


def find_chip(text):
    """The chip of the module, or None."""
    found = re.search(r'\.amdgcn_target "amdgcn-amd-amdhsa-[^"]*-(gfx\w+)', text)
    return found[1] if found else None


def read_body(text, name):
    """The statements behind the label of a kernel: of each its line, and it
    without comments and with single spaces. One with a colon at its end is a
    label; directives are left out."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith(f"{name}:")), None)
    if start is None:
        raise Fault(f"expected the label {name}")
    for number, line in enumerate(lines[start + 1 :], start + 2):
        line = " ".join(re.sub(r";.*|//.*", "", line).split())
        if line.startswith((".Lfunc_end", ".section")):
            return
        if line and (not line.startswith(".") or is_label(line)):
            yield number, line


def is_label(line):
    return re.fullmatch(r"\S+:", line) is not None


def split_instruction(line):
    """The name without its encoding, and the texts between commas outside of
    brackets; modifiers are in the last one."""
    mnemonic, _, rest = line.partition(" ")
    operands = [part.strip() for part in re.split(r",(?![^\[(]*[\])])", rest)] if rest else []
    return ENCODING.sub("", mnemonic), operands


def find_metadata(text, name):
    """The kernel's entry in the metadata."""
    found = re.search(r"\.amdgpu_metadata\n(.*?)\.end_amdgpu_metadata", text, re.S)
    for entry in re.split(r"^  - ", found[1], flags=re.M)[1:] if found else []:
        if re.search(rf"^    \.name: +{re.escape(name)}$", entry, re.M):
            return entry
    raise Fault(f"expected the metadata of {name}")
