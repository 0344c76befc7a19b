"""Runs products of every type of operand in the emulator, and compares.

usage: run_operands.py [--count=N] [--seed=S] [--all]

Each case draws the types of A and B, how they are stored, a legal schedule, a
shape, and whether the program knows it: then the bits behind the last element of
a packed row are poisoned as well. It runs in the emulator under NaN in the
padding, in a random order of lanes, against the reference. With --all every
product of two MX formats is run on every shape of SHAPES, in a schedule and a
storage that take turns. Prints a line for each case that fails; one can be run
alone by its seed.
"""

import argparse
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

CHIP = "gfx950"
MX_TYPES = ["f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"]
# Name, M, N and K of the instruction, and which pairs of types it takes with
# which scales.
MX = ("<mx>", list(itertools.product(MX_TYPES, MX_TYPES)))
BF16, F16 = ("", [("bf16", "bf16")]), ("", [("f16", "f16")])
INSTRUCTIONS = [
    ("mfma_scale_f32_16x16x128_f8f6f4", 16, 16, 128, [MX]),
    ("mfma_scale_f32_32x32x64_f8f6f4", 32, 32, 64, [MX]),
    ("mfma_f32_16x16x16_bf16", 16, 16, 16, [BF16, MX]),
    ("mfma_f32_32x32x8_bf16", 32, 32, 8, [BF16, MX]),
    ("mfma_f32_16x16x16_f16", 16, 16, 16, [F16]),
    ("mfma_f32_32x32x8_f16", 32, 32, 8, [F16]),
]
SHAPES = [(1, 1, 1), (1, 8, 128), (17, 33, 130), (5, 0, 16), (64, 64, 0), (33, 65, 129)]
EXTENTS = [1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 100]
K_EXTENTS = [0, 1, 2, 5, 31, 32, 33, 64, 96, 127, 128, 129, 160, 257]


def make_schedule(rng, instruction, scale):
    instr, m, n, k, _ = instruction
    waves = rng.choice([(1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (1, 4)])
    tile_m = waves[0] * m * rng.choice([1, 2])
    tile_n = waves[1] * n * rng.choice([1, 2])
    tile_k = max(k, 32 if scale else 16) * rng.choice([1, 2])
    a, b = (rng.choice(["shared", "reg"]) for _ in range(2))
    return (
        f"<tile = [{tile_m}, {tile_n}, {tile_k}], waves = [{waves[0]}, {waves[1]}],"
        f" instr = {instr}, home = <a = {a}, b = {b}>, stages = 1>"
    )


def make_program(types, scale, transposed, schedule, shape):
    """One product; the extents of `shape` may be the text "?"."""
    m, n, k = shape
    blocks = k if k == "?" else -(-k // 32)

    def tensor(rows, cols, element, is_transposed):
        if is_transposed:
            rows, cols = cols, rows
        return f"tensor<{rows}x{cols}x{element}>"

    a = tensor(m, k, types[0], transposed[0])
    b = tensor(n, k, types[1], transposed[1])
    sa = tensor(m, blocks, "f8E8M0FNU", transposed[0])
    sb = tensor(n, blocks, "f8E8M0FNU", transposed[1])
    d = tensor(m, n, "f32", False)
    scales = f"lhs_scale(%sa : {sa}, {scale}) rhs_scale(%sb : {sb}, {scale})"
    arguments = f", %sa: {sa}, %sb: {sb}" if scale else ""
    storage = ("transpose_a " if transposed[0] else "") + (
        "" if transposed[1] else "transpose_b "
    )
    return f"""
func.func @f(%a: {a}, %b: {b}{arguments}, %d: {d}) -> {d} {{
  %r = lpgemm.matmul ins(%a, %b : {a}, {b}) {scales if scale else ""}
      outs(%d : {d}) {storage}schedule({schedule}) -> {d}
  return %r : {d}
}}
"""


def run(case, text, shape, seed, init, folder):
    """Whether the case is right; what is wrong is printed."""
    module = folder / "program.mlir"
    module.write_text(text)
    size = "x".join(str(extent) for extent in shape)
    command = ["lpgemm-run", module, f"--chip={CHIP}", "--device=emulate"]
    command += [f"--init={init}:{seed}", f"--size={size}", "--compare=reference"]
    command += [f"--emulator-order=random:{seed}", "--poison"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{case}, {size}, {init}: {done.stdout}{done.stderr}{text}")
    return done.returncode == 0


def run_random(seed, folder):
    rng = random.Random(seed)
    instruction = rng.choice(INSTRUCTIONS)
    scale, pairs = rng.choice(instruction[4])
    types = rng.choice(pairs)
    schedule = make_schedule(rng, instruction, scale)
    transposed = rng.choice([False, False, True]), rng.choice([False, True])
    shape = rng.choice(EXTENTS), rng.choice(EXTENTS), rng.choice(K_EXTENTS)
    known = shape if rng.randrange(2) else ("?", "?", "?")
    text = make_program(types, scale, transposed, schedule, known)
    init = rng.choice(["normal", "codes", "exact"] if scale else ["normal", "exact"])
    return run(f"seed {seed}", text, shape, seed, init, folder)


def run_all(seed, folder):
    rng = random.Random(seed)
    for types, shape in itertools.product(MX[1], SHAPES):
        instruction = rng.choice(INSTRUCTIONS[:2])
        schedule = make_schedule(rng, instruction, MX[0])
        transposed = rng.choice([False, True]), rng.choice([False, True])
        text = make_program(types, MX[0], transposed, schedule, shape)
        yield run(f"{types}", text, shape, seed, "codes", folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        seeds = range(args.seed, args.seed + args.count)
        outcomes = (
            list(run_all(args.seed, folder))
            if args.all
            else [run_random(seed, folder) for seed in seeds]
        )
    print(f"{sum(outcomes)} of {len(outcomes)} right")
    return not all(outcomes)


if __name__ == "__main__":
    sys.exit(main())
