"""Runs a product under random schedules on random shapes, and compares.

usage: run_random.py PROGRAM [--count=N] [--seed=S]

Each case writes a legal schedule and a storage of rhs into the program, and
runs it in the emulator under NaN in the padding, in a random order of lanes,
against the reference: within the bound on random data, bit by bit on data whose
sums are exact. Prints a line for each case; a case that fails can be run alone
by its seed.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

CHIP = "gfx950"
# Name, M, N and K of the instruction, and the types that it takes.
INSTRUCTIONS = [
    ("mfma_scale_f32_16x16x128_f8f6f4", 16, 16, 128, ["f8E4M3FN", "f8E5M2"]),
    ("mfma_f32_16x16x32_fp8_fp8", 16, 16, 32, ["f8E4M3FN"]),
]
# How rhs is stored, and what says so.
STORAGE = {"N x K": "transpose_b", "K x N": ""}
EXTENTS = [1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 100, 129]
K_EXTENTS = [0, 1, 31, 32, 33, 64, 96, 127, 128, 129, 160, 257, 300]


def make_schedule(rng):
    """A schedule that lpgemm-select-schedule accepts, and types for A and B."""
    instr, m, n, k, types = rng.choice(INSTRUCTIONS)
    waves = rng.choice([(1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (1, 4)])
    tile_m = waves[0] * m * rng.choice([1, 2])
    tile_n = waves[1] * n * rng.choice([1, 2])
    tile_k = k * rng.choice([1, 2])
    a, b = (rng.choice(["shared", "reg"]) for _ in range(2))
    schedule = (
        f"<tile = [{tile_m}, {tile_n}, {tile_k}], waves = [{waves[0]}, {waves[1]}],"
        f" instr = {instr}, home = <a = {a}, b = {b}>>"
    )
    return schedule, rng.choice(types), rng.choice(types)


def make_program(text, storage, schedule, type_a, type_b):
    """The program with another schedule, and other storage and element types."""
    assert text.count("transpose_b") == 1
    assert text.count("tensor<?x?xf8E4M3FN>") == 4
    text = text.replace("transpose_b", f"{STORAGE[storage]} schedule({schedule})")
    # In the program the types of A and B take turns.
    before, *after = text.split("f8E4M3FN")
    types = [type_a, type_b] * 2
    return before + "".join(t + part for t, part in zip(types, after))


def run_case(program, seed, folder):
    """The lines of one case, and whether it is right."""
    rng = random.Random(seed)
    schedule, type_a, type_b = make_schedule(rng)
    storage = rng.choice(sorted(STORAGE))
    module = folder / "program.mlir"
    text = pathlib.Path(program).read_text()
    module.write_text(make_program(text, storage, schedule, type_a, type_b))
    size = f"{rng.choice(EXTENTS)}x{rng.choice(EXTENTS)}x{rng.choice(K_EXTENTS)}"
    kind = rng.choice(["normal", "codes", "exact"])
    command = ["lpgemm-run", module, f"--chip={CHIP}", "--device=emulate"]
    command += [f"--init={kind}:{seed}", f"--size={size}", "--compare=reference"]
    command += [f"--emulator-order=random:{seed}"]
    command += ["--poison"] * rng.randrange(2)
    done = subprocess.run(command, capture_output=True, text=True)
    output = (done.stdout + done.stderr).strip()
    case = f"seed {seed}: {type_a} x {type_b} stored {storage}, {size}, {kind}"
    return f"{case}, {schedule}: {output}", done.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            line, ok = run_case(args.program, seed, pathlib.Path(folder))
            print(line)
            failures += not ok
    print(f"{args.count - failures} of {args.count} right")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
