# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/coverage.md: which kernels there are, and how many were compared."""

import collections
import itertools
import re

import kernel_cases as kc
import kernel_families as kf

# What a cell of the tables calls an instruction.
SHORT = {
    "mfma_scale_f32_16x16x128_f8f6f4": "MX",
    "mfma_f32_16x16x32_fp8": "FP8",
    "mfma_i32_16x16x32_i8": "I8",
    "mfma_f32_16x16x16_bf16": "BF16",
    "mfma_f32_16x16x16_f16": "F16",
    "mma_m16n8k32_f32_fp8": "SY FP8",
    "mma_m16n8k32_i32_i8": "SY I8",
    "mma_m16n8k16_f32_bf16": "SY BF16",
    "mma_m16n8k16_f32_f16": "SY F16",
    "wgmma_m64k32_f32_fp8": "WG FP8",
    "wgmma_m64k16_f32_bf16": "WG BF16",
    "wgmma_m64k16_f32_f16": "WG F16",
}
# Those of the same operands whose M and N are 32, by their 16 x 16.
WIDE = {
    "mfma_scale_f32_32x32x64_f8f6f4": "mfma_scale_f32_16x16x128_f8f6f4",
    "mfma_f32_32x32x16_fp8": "mfma_f32_16x16x32_fp8",
    "mfma_i32_32x32x16_i8": "mfma_i32_16x16x32_i8",
    "mfma_f32_32x32x8_bf16": "mfma_f32_16x16x16_bf16",
    "mfma_f32_32x32x8_f16": "mfma_f32_16x16x16_f16",
}



def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def count(cases, right):
    return f"{sum(bool(right.get(c.name())) for c in cases)}/{len(cases)}" if cases else "-"


def write_products(chip, cases, instructions, right):
    """A row for each two types, a column for each kind of scales."""
    by_base = collections.defaultdict(list)
    for case in cases:
        if case.chip == chip:
            by_base[case.pair, case.kind].append(case)
    rows, family = [], kf.FAMILIES[chip]
    for pair in family.pairs:
        cells = [" x ".join(pair)]
        for kind in family.kinds:
            instruction = instructions[chip].get((pair, kind))
            instruction = WIDE.get(instruction, instruction)
            cells.append(f"{SHORT[instruction]} {count(by_base[pair, kind], right)}" if instruction else "-")
        rows.append(cells)
    return table(["lhs x rhs", *family.kinds], rows)


# What a family has of each axis.
AXES = {
    "layout": lambda f: f.layouts, "storage": lambda f: f.storages,
    "result": lambda f: f.results, "epilogue": lambda f: f.epilogues,
    "batch": lambda f: kf.BATCHES, "schedule": lambda f: f.schedules,
    "extents": lambda f: kf.EXTENTS, "init": lambda f: kf.INITS,
    "shape": lambda f: f.shapes, "promotion": lambda f: f.promotions, "run": lambda f: f.runs,
}  # fmt: skip


def write_axes(cases, right):
    """A row for each value of the other axes."""
    rows = []
    for axis, list_values in AXES.items():
        # Those of all families, each once.
        for value in dict.fromkeys(v for f in kf.FAMILIES.values() for v in list_values(f)):
            those = [c for c in cases if value in c.values(axis)]
            name = " x ".join(map(str, value)) if axis == "shape" else value
            rows.append([axis, name, *(count([c for c in those if c.chip == chip], right) for chip in kf.CHIPS)])
    return table(["axis", "value", *kf.CHIPS], rows)


def write_refusals(refusals):
    """A row for each error, whatever the element that it names; `refusals` are
    pairs of one and the error."""
    groups = collections.defaultdict(list)
    for refusal, error in refusals:
        masked = error.replace(f"'{refusal.elements}'", "")
        groups[masked if refusal.elements else error].append((refusal.what, refusal.elements, error))
    rows = []
    for found in groups.values():
        whats, elements, errors = zip(*found)
        # In their order, each once.
        whats, elements = ("; ".join(dict.fromkeys(names)) for names in (whats, elements))
        rows.append([whats, elements or "any", errors[0]])
    return table(["what", "elements", "error"], rows)


TEXT = """# Coverage

<!-- Written by utils/prove-kernels.py. -->

Which products there are kernels for, and how many of them were compared: kernels
in the emulator against the reference, under NaN in all padding and in a random
order of lanes, with the checks of the emulator for races, bounds and waits.
Results are judged as [spec.md](spec.md), "Accuracy", says; half of the cases has
data whose results must be equal bit by bit.

```
utils/prove-kernels.py --keep-going --results=FILE --table=docs/coverage.md
```

runs all cases that FILE does not have yet, and writes this page; a test runs a
sample.

- {ran} of {cases} cases had run when this page was written; {wrong} of them were wrong.
- Every pair of types that a chip takes runs under every kind of scales on each shape.
  The rest of a case is drawn from its name: storage, layouts, result and so on, as
  listed under "The other axes". There are so many cases that any two values of two
  axes that go together meet in at least one of them on each chip.
- The product of all axes would be {all} cases.

A cell has the instruction of the default schedule, or that for M and N of 16 in
its place, how many of its cases were right, and how many there are; `-` is refused, as listed at the end. The cases
also have schedules by hand, with the instruction for the same operands whose M
and N are 32; on sm_90a those "up to" a size have fewer columns where the tiles would take
more registers than a thread has. There rows of 16 bytes
are moved by the copy engine and others by threads: each shape has its own mix.
"promotion" is `promote_k`, and "run" when asynchronous copies take effect, each
with another number of multiprocessors for persistent workgroups.

{legend}
"""


def write(instructions, refusals, right):
    """The text of the page."""
    cases = kc.list_cases(kf.CHIPS)
    outcomes = [right[c.name()] for c in cases if c.name() in right]
    legend = table(["cell", "instruction"], [[short, f"`{name}`"] for name, short in SHORT.items()])
    text = TEXT.format(
        ran=len(outcomes), wrong=outcomes.count(False),
        cases=len(cases), all=f"{kc.count_product(kf.CHIPS):,}", legend=legend.strip(),
    )  # fmt: skip
    parts = [text]
    for chip in kf.CHIPS:
        parts += [f"## {chip}\n", write_products(chip, cases, instructions, right)]
    parts += ["## The other axes\n", write_axes(cases, right), "## What is refused\n"]
    parts.append(write_refusals(refusals))
    return "\n".join(parts)


def mask(text):
    """Without the numbers of cases that ran, which are not known here."""
    return re.sub(r"\b\d+(?=/\d+ \|| of \d+ cases had run)", "#", text)


def by_masked(text):
    """Pairs of a line, and its section and what it is without numbers."""
    section = ""
    for line in text.splitlines():
        section = line if line.startswith("#") else section
        yield line, (section, mask(line))


def keep_numbers(text, old):
    """The new text with the numbers of the old one in lines that are the same
    otherwise."""
    known = {key: line for line, key in by_masked(old)}
    return "".join(known.get(key, line) + "\n" for line, key in by_masked(text))


def check(page, instructions, refusals):
    """Whether the page differs from what would be written."""
    expected = mask(write(instructions, refusals, {})).splitlines()
    got = mask(page.read_text()).splitlines() if page.exists() else []
    for i, (want, have) in enumerate(itertools.zip_longest(expected, got)):
        if want != have:
            print(
                f"{page}:{i + 1}: error: expected '{want}', but got '{have}': run "
                "utils/prove-kernels.py --sample=0 --table=docs/coverage.md"
            )
            return True
    return False
