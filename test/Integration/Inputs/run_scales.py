"""Multiplies by extreme scales of every type and side, and compares.

usage: run_scales.py

An element of lhs for each row and one of rhs for each column stand in a block of
zeros, so that a result is one product, which f32 holds if the reference does: both
devices must agree with NumPy to the bit. Scales are drawn so that the product of two
is in the range of f32, unless both are f8E8M0FNU (G-4).
"""

import itertools
import pathlib
import sys
import tempfile

import numpy as np

from lpgemm import formats
from run_program import run

E8M0_CODES = np.arange(256)
F32_VALUES = np.array(
    [0, 2.0**-149, 3 * 2.0**-140, 2.0**-126, 1, -1.5, 2.0**100, np.inf, -np.inf, np.nan]
)
BF16_BITS = np.array([0x0001, 0x0080, 0x3F80, 0xBFC0, 0x7F00, 0x7F80, 0xFF80, 0x7FC0])
# By type: what a file holds, and its values. Moderate ones go with all others.
EXTREME = {
    "f8E8M0FNU": (E8M0_CODES.astype(np.uint8), formats.TABLES["f8E8M0FNU"]),
    "f32": (F32_VALUES.astype(np.float32), F32_VALUES),
    "bf16": (
        BF16_BITS.astype(np.uint16),
        (BF16_BITS << 16).astype(np.uint32).view(np.float32).astype(np.float64),
    ),
}
MODERATE = {
    "f8E8M0FNU": (np.array([126, 127, 129], np.uint8), np.array([0.5, 1, 4])),
    "f32": (np.array([0.5, 1, 1.5], np.float32), np.array([0.5, 1, 1.5])),
    "bf16": (np.array([0x3F00, 0x3F80, 0x4000], np.uint16), np.array([0.5, 1, 2])),
}
# By chip; K is one block, but of mx, in the instruction of gfx950.
ELEMENTS = {"gfx942": "f8E4M3FN", "gfx950": "f8E5M2", "sm_90a": "f8E4M3FN"}
K = {"gfx942": 64, "gfx950": 64, "sm_90a": 128}


def element_type(kind):
    return "f8E8M0FNU" if kind == "mx" else kind


def make_program(kinds, element, k):
    matrix, scales, clauses = f"tensor<?x?x{element}>", "", ""
    for side, kind in zip(["lhs", "rhs"], kinds):
        if kind:
            shaped = f"tensor<?x?x{element_type(kind)}>"
            scales += f"%{side}_s: {shaped}, "
            block = "mx" if kind == "mx" else f"1x{k}"
            clauses += f"{side}_scale(%{side}_s : {shaped}, <{block}>) "
    d = "tensor<?x?xf32>"
    return (
        f"func.func @f(%a: {matrix}, %b: {matrix}, {scales}%d: {d}) -> {d} {{\n"
        f"  %0 = lpgemm.matmul ins(%a, %b : {matrix}, {matrix}) {clauses}"
        f"outs(%d : {d}) transpose_b -> {d}\n  return %0 : {d}\n}}\n"
    )


def make_side(kind, extreme, element, k):
    """Rows of one element, their scales, and the values of both."""
    one = int(formats.encode(np.array([1.0]), element)[0])
    table = EXTREME if extreme else MODERATE
    stored, values = table[element_type(kind)] if kind else (np.zeros(1), np.ones(1))
    matrix = np.zeros((len(values), k), np.uint8)
    matrix[:, 5] = one
    blocks = k // 32 if kind == "mx" else 1
    scales = np.repeat(stored[:, None], blocks, axis=1)
    return matrix, scales, values


def check(folder, chip, kinds, extremes):
    """What is wrong with one case; "ok" if it is right."""
    element, k = ELEMENTS[chip], K[chip]
    sides = [make_side(*s, element, k) for s in zip(kinds, extremes)]
    (folder / "program.mlir").write_text(make_program(kinds, element, k))
    arrays = {"a": sides[0][0], "b": sides[1][0]}
    arrays |= {f"s{i}": s[1] for i, (s, kind) in enumerate(zip(sides, kinds)) if kind}
    with np.errstate(all="ignore"):
        expected = np.outer(sides[0][2], sides[1][2]).astype(np.float32)
    # Where mx cuts the block of the other side, one part is zero, and times an
    # infinite product of scales NaN.
    is_cut = "mx" in kinds and bool({"f32", "bf16"} & set(kinds))
    counts = ~np.isinf(expected) if is_cut else np.full(expected.shape, True)
    for options in [["--device=reference"], ["--device=emulate", f"--chip={chip}"]]:
        got, error = run(folder, arrays, options)
        if error:
            return error
        same = (got == expected) | (np.isnan(got) & np.isnan(expected))
        wrong = np.argwhere(counts & ~same)
        if len(wrong):
            row, column = wrong[0]
            return (
                f"{options[0]}: {len(wrong)} of {got.size} elements differ, first"
                f" [{row}, {column}]: got {got[row, column]!r}, expected {expected[row, column]!r}"
            )
    return "ok"


def make_cases():
    """Chips, pairs of kinds, and which of the two are extreme.

    What gfx950 does not scale in the instruction goes the way of gfx942, and
    sm_90a has no blocks of 32.
    """
    kinds = [None, "f8E8M0FNU", "mx", "f32", "bf16"]
    for chip, *pair in itertools.product(ELEMENTS, kinds, kinds):
        if (chip == "gfx950" and "mx" not in pair) or (chip == "sm_90a" and "mx" in pair):
            continue
        powers = all(element_type(k) == "f8E8M0FNU" for k in pair)
        choices = [(True, True)] if powers else [(True, False), (False, True)]
        for extremes in choices:
            if all(kind or not extreme for kind, extreme in zip(pair, extremes)):
                yield chip, pair, extremes


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for chip, pair, extremes in make_cases():
            verdict = check(pathlib.Path(folder), chip, pair, extremes)
            names = [f"{'extreme ' * e}{k}" for k, e in zip(pair, extremes)]
            print(f"{chip}, {' by '.join(names)}: {verdict}")
            failures += verdict != "ok"
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
