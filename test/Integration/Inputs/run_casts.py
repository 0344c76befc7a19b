"""Multiplies every code of every FP8 format by one, and compares.

usage: run_casts.py

Under instructions that take the codes as they are, with other codes (C-17), or as
bf16 (C-10). rhs is the identity matrix, so that the product is lhs; a tensor scale
of one stands for a product that has scales. Each code is at each place of
a lane: alone in its row, as it may be NaN, and among the other finite ones. The
result is compared with the reference, and that with the tables of `formats`.
"""

import pathlib
import sys
import tempfile

import numpy as np

from lpgemm import formats
from run_program import run

K = 32
FP8 = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"]
INSTRUCTIONS = [None, ("mfma_f32_16x16x16_bf16", 16), ("mfma_f32_32x32x8_bf16", 32)]
PROGRAM = """\
func.func @f(%a: tensor<?x?x{0}>, %b: tensor<?x?x{0}>, %s: tensor<f32>,
             %d: tensor<?x?xf32>) -> tensor<?x?xf32> {{
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?x{0}>, tensor<?x?x{0}>)
      rhs_scale(%s : tensor<f32>, <tensor>) outs(%d : tensor<?x?xf32>)
      transpose_b {1} -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}}
"""


def make_lhs(element):
    """All codes, alone and together with each other."""
    codes = np.arange(256)
    alone = np.zeros((K, 256, K), np.uint8)
    for place in range(K):
        alone[place, :, place] = codes
    finite = codes[np.isfinite(formats.decode(codes, element))]
    together = np.stack([np.roll(finite, i)[:K] for i in range(len(finite))])
    return np.concatenate([alone.reshape(-1, K), together]).astype(np.uint8)


def multiply(a, element):
    """The product with the identity; not finite times zero is NaN."""
    values = formats.decode(a, element)
    rows = ~np.isfinite(values).all(axis=1)
    places = np.isinf(values)
    result = np.where(rows[:, None] & ~places, np.nan, values)
    return result.astype(np.float32)


def check(folder, chip, element, instruction):
    """What is wrong with one case; "ok" if it is right."""
    one = formats.encode(np.eye(K), element).astype(np.uint8)
    arrays = {"a": make_lhs(element), "b": one, "s": np.array(1, np.float32)}
    schedule = ""
    if instruction:
        name, extent = instruction
        schedule = (
            f"schedule(<tile = [{extent}, {extent}, {K}], waves = [1, 1], instr = {name},"
            " home = <a = shared, b = reg>, stages = 1>)"
        )
    program = PROGRAM.format(element, schedule)
    (folder / "program.mlir").write_text(program)
    options = [["--device=reference"], ["--device=emulate", f"--chip={chip}"]]
    expected = multiply(arrays["a"], element)
    for device in options:
        if device[0] == "--device=emulate" and chip == "gfx942" and not instruction:
            # (C-17) The FNUZ formats have no infinity.
            expected[np.isinf(expected)] = np.nan
        got, error = run(folder, arrays, device)
        if error:
            return error
        same = (got == expected) | (np.isnan(got) & np.isnan(expected))
        if not same.all():
            wrong = np.argwhere(~same)
            row, column = wrong[0]
            return (
                f"{device[0]}: {len(wrong)} elements differ, first [{row}, {column}]:"
                f" got {got[row, column]}, expected {expected[row, column]}"
            )
    return "ok"


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for chip in ["gfx942", "gfx950"]:
            for element in FP8:
                for instruction in INSTRUCTIONS:
                    verdict = check(pathlib.Path(folder), chip, element, instruction)
                    print(f"{chip}, {element}, {instruction and instruction[0]}: {verdict}")
                    failures += verdict != "ok"
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
