"""Products whose results are quantized in blocks, against the reference.

usage: run_mx_results.py [--case=N]

Each case is a chip, a type of codes, a rule for the scales, also with `nosat`, and a
schedule or none.
T is a bias of f32 numbers, of every exponent, with infinities, NaN and blocks of
zeros: no sum rounds it, so codes and scales are to be equal, bit by bit. Then a
product of random operands on a shape whose rows end inside a block. Prints a line
for each case; fails if one of them fails.
"""

import sys

import numpy as np
from run_program import compare, run_cases

PROGRAM = """
func.func @f(%a: tensor<?x?x{a}>, %b: tensor<?x?x{a}>, %x: tensor<?xf32>,
             %d: tensor<?x?x{d}>, %s: tensor<?x?xf8E8M0FNU>)
    -> (tensor<?x?x{d}>, tensor<?x?xf8E8M0FNU>) {{
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<?x?x{a}>, tensor<?x?x{a}>) {alpha}
      bias(%x : tensor<?xf32>, n) outs(%d : tensor<?x?x{d}>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, <mx>, {rule}) transpose_b {overflow} {schedule}
      -> tensor<?x?x{d}>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?x{d}>, tensor<?x?xf8E8M0FNU>
}}
"""
MX16, MX32 = "mfma_scale_f32_16x16x128_f8f6f4", "mfma_scale_f32_32x32x64_f8f6f4"
SCHEDULE = "schedule(<tile = [{}], waves = [{}], instr = {}, home = <a = shared, b = shared>, {}>)"
WIDE = SCHEDULE.format("64, 128, 128", "2, 2", MX16, "stages = 2")
STAGED = SCHEDULE.format("64, 128, 128", "2, 2", MX16, "stages = 1, epilogue = staged")
HALVES = SCHEDULE.format("64, 64, 128", "2, 1", MX32, "stages = 1, epilogue = staged")
PARTS = SCHEDULE.format("128, 256, 128", "2, 4", MX16, "stages = 2, strategy = ping_pong, epilogue = staged")
FP8 = SCHEDULE.format("32, 64, 32", "2, 1", "mfma_f32_16x16x32_fp8", "stages = 2")
# Chip, type of the operands, type of the codes, rule, schedule.
CASES = [
    ("gfx950", "f8E4M3FN", "f8E4M3FN", "rceil", ""),
    ("gfx950", "f8E4M3FN", "f8E4M3FN", "floor", WIDE),
    ("gfx950", "f8E4M3FN", "f8E4M3FN", "ceil", STAGED),
    ("gfx950", "f8E4M3FN", "f8E4M3FN", "even", HALVES),
    ("gfx950", "f8E4M3FN", "f8E5M2", "rceil", HALVES),
    ("gfx950", "f8E4M3FN", "f8E5M2", "even", PARTS),
    # (C-4) Floor leaves numbers beyond the largest code.
    ("gfx950", "f8E4M3FN", "f8E4M3FN", "floor nosat", WIDE),
    ("gfx950", "f8E4M3FN", "f4E2M1FN", "rceil", ""),
    ("gfx950", "f8E4M3FN", "f4E2M1FN", "even", WIDE),
    ("gfx950", "f8E4M3FN", "f4E2M1FN", "floor", HALVES),
    ("gfx950", "f8E4M3FN", "f6E2M3FN", "rceil", STAGED),
    ("gfx950", "f8E4M3FN", "f6E3M2FN", "ceil", WIDE),
    ("gfx942", "f8E4M3FNUZ", "f8E4M3FN", "rceil", ""),
    ("gfx942", "f8E4M3FNUZ", "f4E2M1FN", "even", FP8),
    ("gfx942", "f8E4M3FNUZ", "f8E5M2", "floor", FP8),
]  # fmt: skip


def make_bias(rng):
    """Blocks of 32 numbers: of each exponent one whose largest magnitude is near
    each number where a rule gives another scale, and special ones."""
    blocks = []
    for exponent in range(256):
        mantissa = rng.choice([0, 1, 0x3FFFFF, 0x400000, 0x5FFFFF, 0x600000, 0x600001, 0x700000, 0x7FFFFF])
        largest = np.uint32(exponent << 23 | mantissa)
        others = np.maximum(largest.astype(np.int64) - rng.integers(0, 8 << 23, 32), 0)
        others = others.astype(np.uint32) | rng.integers(0, 2, 32, dtype=np.uint32) << 31
        others[rng.integers(32)] = largest
        blocks.append(others)
    zeros = np.zeros(32, np.uint32)
    zeros[::3] = 1 << 31
    blocks += [zeros, np.full(32, 0x7F800000, np.uint32), np.full(32, 1, np.uint32)]
    blocks[1][7] = 0x7FC00000
    # The last block is cut off.
    return np.concatenate(blocks).view(np.float32)[:-13]


def run_case(case, folder, rng):
    """What is wrong, or nothing."""
    chip, a, d, rule, schedule = case
    rule, *nosat = rule.split()
    bias = make_bias(rng)
    np.save(folder / "bias.npy", bias)
    runs = [
        ("alpha(0.0)", f"3x{bias.size}x0", [f"--arg=2={folder / 'bias.npy'}", "--tolerance=bits"]),
        ("", "70x83x136", []),
        ("", "33x256x64", []),
    ]
    for alpha, size, options in runs:
        text = PROGRAM.format(
            a=a, d=d, rule=rule, schedule=schedule, alpha=alpha,
            overflow="overflow = nosat" if nosat else "",
        )  # fmt: skip
        if error := compare(folder / "program.mlir", text, chip, size, *options):
            return error
    return ""


def main():
    rng = np.random.default_rng(1)
    return run_cases([(", ".join(case), lambda folder, case=case: run_case(case, folder, rng)) for case in CASES])


if __name__ == "__main__":
    sys.exit(main())
