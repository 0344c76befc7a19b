"""Results by way of shared memory, on every shape of an edge.

usage: run_staged.py [--case=N]

Each case is a chip, a type of the result, and a schedule with `epilogue = staged`:
all rows at once or in rounds, both shapes of instructions, copies through
registers and by the engine, parts of a tile. Each runs on shapes whose rows are
whole pieces of 16 bytes or not, under NaN in the padding, and is compared with the
reference. Prints a line for each case; fails if one of them fails.
"""

import sys

from run_program import compare, run_cases

PROGRAM = """
func.func @f(%a: tensor<?x?x{a}>, %b: tensor<?x?x{a}>, %x: tensor<?xf32>,
             %d: tensor<?x?x{d}>) -> tensor<?x?x{d}> {{
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?x{a}>, tensor<?x?x{a}>)
      bias(%x : tensor<?xf32>, n) outs(%d : tensor<?x?x{d}>) transpose_b
      schedule(<tile = [{tile}], waves = [{waves}], instr = {instr},
                home = <a = shared, b = {home}>, {rest}, epilogue = staged>)
      -> tensor<?x?x{d}>
  return %0 : tensor<?x?x{d}>
}}
"""
MX16, MX32 = "mfma_scale_f32_16x16x128_f8f6f4", "mfma_scale_f32_32x32x64_f8f6f4"
FP8_16, FP8_32 = "mfma_f32_16x16x32_fp8", "mfma_f32_32x32x16_fp8"
# Chip, types of operands and result, tile, waves, instruction, home of B, the rest.
CASES = [
    ("gfx950", "f8E4M3FN", "bf16", "64, 64, 128", "2, 2", MX16, "shared", "stages = 2"),
    ("gfx950", "f8E4M3FN", "f8E5M2", "64, 64, 128", "2, 2", MX16, "shared", "stages = 1"),
    ("gfx950", "f8E4M3FN", "f32", "64, 64, 128", "2, 2", MX16, "shared", "stages = 1"),
    ("gfx950", "f8E4M3FN", "f16", "64, 64, 128", "2, 1", MX32, "shared", "stages = 1"),
    ("gfx950", "f8E4M3FN", "bf16", "128, 48, 128", "4, 1", MX16, "reg", "stages = 2"),
    ("gfx950", "f8E4M3FN", "bf16", "16, 16, 128", "1, 1", MX16, "shared", "stages = 1"),
    ("gfx950", "f8E4M3FN", "bf16", "128, 128, 128", "2, 2", MX16, "shared", "stages = 3"),
    ("gfx950", "f8E4M3FN", "f8E4M3FN", "128, 128, 128", "2, 4", MX16, "shared",
     "stages = 2, strategy = ping_pong"),
    ("gfx950", "f8E4M3FN", "bf16", "64, 64, 128", "2, 2", MX16, "shared",
     "stages = 2, persistent = true"),
    ("gfx942", "f8E4M3FNUZ", "bf16", "64, 64, 128", "2, 2", FP8_16, "shared", "stages = 2"),
    ("gfx942", "f8E4M3FNUZ", "f8E4M3FNUZ", "64, 96, 64", "2, 3", FP8_16, "shared", "stages = 2"),
    ("gfx942", "f8E4M3FNUZ", "bf16", "64, 128, 64", "1, 2", FP8_32, "shared", "stages = 1"),
    ("gfx942", "f8E4M3FNUZ", "f16", "32, 32, 32", "1, 1", FP8_16, "shared", "stages = 2"),
]  # fmt: skip
SIZES = ["130x128x160", "65x97x128", "17x24x0"]


def check(case, folder):
    """What is wrong, or nothing."""
    keys = ["a", "d", "tile", "waves", "instr", "home", "rest"]
    text = PROGRAM.format(**dict(zip(keys, case[1:])))
    errors = (compare(folder / "program.mlir", text, case[0], size) for size in SIZES)
    return next(filter(None, errors), "")


if __name__ == "__main__":
    sys.exit(run_cases([(", ".join(case), lambda folder, case=case: check(case, folder)) for case in CASES]))
