"""Runs random products under random schedules on random shapes, and compares.

usage: run_random.py [--count=N] [--seed=S]

Each case draws a chip, element types, a scale for each side on its own, its
layout, the storage of rhs, and a schedule that suits them; or none, which leaves it to
lpgemm-select-schedule. It runs in the emulator under NaN in the padding, in a
random order of lanes, against the reference: within the bound on random data,
bit by bit on data whose sums are exact. Prints a line for each case; a case that
fails can be run alone by its seed.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

OCP = ["f8E4M3FN", "f8E5M2"]
FP8 = OCP + ["f8E4M3FNUZ", "f8E5M2FNUZ"]
# Name, extent of M and N, K, and the types that the chips take, also converted.
INSTRUCTIONS = {
    "gfx942": [
        ("mfma_f32_16x16x32_fp8", 16, 32, FP8),
        ("mfma_f32_32x32x16_fp8", 32, 16, FP8),
        ("mfma_i32_16x16x32_i8", 16, 32, ["i8"]),
        ("mfma_i32_32x32x16_i8", 32, 16, ["i8"]),
        ("mfma_f32_16x16x16_bf16", 16, 16, FP8),
        ("mfma_f32_32x32x8_bf16", 32, 8, FP8),
    ],
}
INSTRUCTIONS["gfx950"] = [
    (name, extent, k, OCP if "fp8" in name else types)
    for name, extent, k, types in INSTRUCTIONS["gfx942"]
] + [
    ("mfma_scale_f32_16x16x128_f8f6f4", 16, 128, OCP),
    ("mfma_scale_f32_32x32x64_f8f6f4", 32, 64, OCP),
]
BLOCKS = [16, 32, 48, 64, 128, 256]
EXTENTS = [1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 100, 129]
K_EXTENTS = [0, 1, 31, 32, 33, 64, 96, 127, 128, 129, 160, 257, 300]
SHARED_BYTES = 64 * 1024
# Layouts of scales: whether they hold a scale, and what a tensor of them has
# behind two free dimensions.
LAYOUTS = {
    "row": (lambda scale: True, ""),
    "col": (lambda scale: True, ""),
    "mn_tma": (lambda scale: scale.type in ("f32", "bf16"), ""),
    "mn_tma_ue8m0x4": (lambda scale: scale.type == "f8E8M0FNU", "4x"),
    "swz128x4": (lambda scale: scale.type == "f8E8M0FNU", "32x4x4x"),
    "amd32x8": (lambda s: s.type == "f8E8M0FNU" and s.block == 32, "4x16x2x2x"),
}


class Scale:
    """A scale of one side: its kind, type, and the elements of K that share one."""

    def __init__(self, rng, side, element):
        by_outer = {"lhs": "row", "rhs": "column"}[side]
        kinds = [None, "tensor", by_outer, "1xG", "1xG", "1xG"]
        kinds += ["mx"] * 2 * (element in OCP)
        self.side, self.kind, self.block = side, rng.choice(kinds), None
        self.layout, inner = "row", ""
        if not self.kind:
            return
        self.type, rank = "f32", 0
        if self.kind == by_outer:
            self.type, rank = rng.choice(["f32", "bf16"]), 1
        if self.kind == "mx":
            self.type, self.block, rank = "f8E8M0FNU", 32, 2
        if self.kind == "1xG":
            types = ["f32", "bf16"] + ["f8E8M0FNU"] * (element != "i8")
            self.type, self.block, rank = rng.choice(types), rng.choice(BLOCKS), 2
            self.kind = f"1x{self.block}"
        if self.block:
            layouts = [name for name, (holds, _) in LAYOUTS.items() if holds(self)]
            self.layout = rng.choice(["row"] + layouts)
            inner = LAYOUTS[self.layout][1]
        self.shaped = f"tensor<{'?x' * rank}{inner}{self.type}>"

    def argument(self):
        return f"%{self.side}_s: {self.shaped}" if self.kind else None

    def clause(self):
        if not self.kind:
            return ""
        kind = self.kind + f", layout = {self.layout}" * (self.layout != "row")
        return f"{self.side}_scale(%{self.side}_s : {self.shaped}, <{kind}>)"

    def is_promoted(self, instruction):
        """Whether it varies along K and the instruction does not apply it."""
        if not self.block:
            return False
        rides = self.block == 32 and self.type == "f8E8M0FNU"
        return not (rides and "mfma_scale" in instruction)


def draw_scales(rng, types):
    """One for each side; the longer of two blocks is a multiple of the other."""
    while True:
        scales = [Scale(rng, *side) for side in zip(["lhs", "rhs"], types)]
        blocks = [s.block for s in scales if s.block]
        if not blocks or max(blocks) % min(blocks) == 0:
            return scales


def suits(instruction, scales, k, tile_k):
    """Whether tiles of K, and instructions, end where blocks of scales do."""
    return all(
        (tile_k % s.block == 0 or s.block % tile_k == 0)
        and not (s.is_promoted(instruction) and s.block % k)
        for s in scales
        if s.block
    )


def may_be_staged(waves, extent, tile, homes, result):
    """Whether a row of instructions of the result fits a buffer of a side."""
    result_bytes = {"f32": 4, "bf16": 2, "f16": 2}[result]
    room = max(side * tile[2] * (home == "shared") for side, home in zip(tile, homes))
    return waves[0] * extent * tile[1] * result_bytes <= room


def make_schedule(rng, chip, types, scales, result):
    """A schedule that lpgemm-select-schedule accepts; empty: its own choice."""
    fitting = [
        (name, extent, k, tile_k)
        for name, extent, k, taken in INSTRUCTIONS[chip]
        for tile_k in (k, 2 * k, 3 * k, 4 * k)
        if set(types) <= set(taken) and suits(name, scales, k, tile_k)
    ]
    if not fitting or rng.random() < 0.15:
        return ""
    name, extent, _, tile_k = rng.choice(fitting)
    waves = rng.choice([(1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (1, 4)])
    tile_m, tile_n = (count * extent * rng.choice([1, 2]) for count in waves)
    homes = ["reg"]
    # Rows in shared memory are whole pieces of 16 bytes.
    if tile_k % 16 == 0 and (tile_m + tile_n) * tile_k <= SHARED_BYTES:
        homes.append("shared")
    a, b = (rng.choice(homes) for _ in range(2))
    path = ""
    if may_be_staged(waves, extent, (tile_m, tile_n, tile_k), (a, b), result):
        path = rng.choice(["", ", epilogue = staged", ", epilogue = staged"])
    return (
        f"schedule(<tile = [{tile_m}, {tile_n}, {tile_k}], waves = [{waves[0]}, {waves[1]}],"
        f" instr = {name}, home = <a = {a}, b = {b}>, stages = {rng.choice([1, 2])}{path}>)"
    )


def make_program(rng, chip):
    """The text of a random product."""
    types = ["i8", "i8"] if rng.random() < 0.2 else [rng.choice(FP8) for _ in range(2)]
    scales = draw_scales(rng, types)
    result = rng.choice(["f32", "f32", "bf16", "f16"])
    schedule = make_schedule(rng, chip, types, scales, result)
    storage = rng.choice(["transpose_b", ""])
    a, b = (f"tensor<?x?x{t}>" for t in types)
    d = f"tensor<?x?x{result}>"
    arguments = [f"%a: {a}", f"%b: {b}"]
    arguments += [s.argument() for s in scales if s.kind] + [f"%d: {d}"]
    clauses = [f"ins(%a, %b : {a}, {b})"] + [s.clause() for s in scales]
    clauses += [f"outs(%d : {d})", storage, schedule]
    return (
        f"func.func @f({', '.join(arguments)}) -> {d} {{\n"
        f"  %0 = lpgemm.matmul {' '.join(c for c in clauses if c)} -> {d}\n"
        f"  return %0 : {d}\n}}\n"
    )


def run_case(seed, folder):
    """The lines of one case, and whether it is right."""
    rng = random.Random(seed)
    chip = rng.choice(sorted(INSTRUCTIONS))
    module = folder / "program.mlir"
    module.write_text(make_program(rng, chip))
    size = f"{rng.choice(EXTENTS)}x{rng.choice(EXTENTS)}x{rng.choice(K_EXTENTS)}"
    kind = rng.choice(["normal", "codes", "exact"])
    command = ["lpgemm-run", module, f"--chip={chip}", "--device=emulate"]
    command += [f"--init={kind}:{seed}", f"--size={size}", "--compare=reference"]
    command += [f"--emulator-order=random:{seed}"]
    command += ["--poison"] * rng.randrange(2)
    done = subprocess.run(command, capture_output=True, text=True)
    ok = done.returncode == 0
    verdict = done.stdout.split("\n")[0] if ok else done.stdout + done.stderr
    clauses = module.read_text().splitlines()[1].split("lpgemm.matmul ")[1]
    return f"seed {seed}: {chip}, {size}, {kind}, {clauses}: {verdict}", ok


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            line, ok = run_case(seed, pathlib.Path(folder))
            print(line)
            failures += not ok
    print(f"{args.count - failures} of {args.count} right")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
