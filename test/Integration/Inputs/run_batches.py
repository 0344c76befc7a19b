"""Runs an MX product with random batches and layouts of scales, and compares.

usage: run_batches.py PROGRAM [--count=N] [--seed=S]

Each case writes a storage of rhs, layouts of the scales and a batch, of which
operands may lack dimensions, into the program, and runs it in the emulator, in a
random order of lanes, half of them under NaN in the padding of rows, against the
reference. Prints a line for each case; one that fails can be run alone by its
seed.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

# Layouts of scales, and what a tensor of them has behind two free dimensions.
LAYOUTS = {"row": "", "col": "", "mn_tma_ue8m0x4": "4x", "swz128x4": "32x4x4x", "amd32x8": "4x16x2x2x"}
BATCHES = [[], [1], [2], [2, 3], [3, 2], [2, 0]]
EXTENTS = [1, 2, 17, 33, 65, 129, 260]
K_EXTENTS = [0, 1, 31, 33, 128, 129, 300]


def make_lead(rng, batch):
    """The dimensions of the batch that an operand has: the last ones, of which
    some are broadcast."""
    kept = batch[rng.randrange(len(batch) + 1) :]
    return "".join(rng.choice(["1x", "?x", "?x", f"{n}x"]) for n in kept)


def take_turns(text, old, types):
    """The program with `types`, one after the other, in place of `old`."""
    before, *after = text.split(old)
    assert after and len(after) % len(types) == 0
    return before + "".join(types[i % len(types)] + part for i, part in enumerate(after))


def make_program(text, rng, batch, layouts):
    assert text.count("transpose_b") == 1 and text.count("<mx>") == 2
    text = text.replace("transpose_b", rng.choice(["transpose_b", ""]))
    matrices = [f"tensor<{make_lead(rng, batch)}?x?xf8E4M3FN>" for _ in "ab"]
    scales = [f"tensor<{make_lead(rng, batch)}?x?x{LAYOUTS[l]}f8E8M0FNU>" for l in layouts]
    text = take_turns(text, "tensor<?x?xf8E4M3FN>", matrices)
    text = take_turns(text, "tensor<?x?xf8E8M0FNU>", scales)
    text = take_turns(text, "<mx>", [f"<mx, layout = {l}>" for l in layouts])
    result = "".join(rng.choice(["?x", f"{n}x"]) for n in batch)
    return text.replace("tensor<?x?xf32>", f"tensor<{result}?x?xf32>")


def run_case(text, seed, folder):
    """The line of one case, and whether it is right."""
    rng = random.Random(seed)
    # Every layout, and with the next seeds every batch.
    layouts = [sorted(LAYOUTS)[seed % len(LAYOUTS)], rng.choice(sorted(LAYOUTS))]
    batch = BATCHES[seed % len(BATCHES)]
    module = folder / "program.mlir"
    module.write_text(make_program(text, rng, batch, layouts))
    sizes = batch + [rng.choice(EXTENTS), rng.choice(EXTENTS), rng.choice(K_EXTENTS)]
    size = "x".join(map(str, sizes))
    kind = rng.choice(["normal", "codes", "exact"])
    command = ["lpgemm-run", module, "--chip=gfx950", "--device=emulate"]
    command += [f"--init={kind}:{seed}", f"--size={size}", "--compare=reference"]
    command += [f"--emulator-order=random:{seed}"] + ["--poison"] * rng.randrange(2)
    done = subprocess.run(command, capture_output=True, text=True)
    output = (done.stdout + done.stderr).strip()
    return f"seed {seed}: {size}, {kind}, {' x '.join(layouts)}: {output}", done.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    text = pathlib.Path(args.program).read_text()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            line, ok = run_case(text, seed, pathlib.Path(folder))
            print(line)
            failures += not ok
    print(f"{args.count - failures} of {args.count} right")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
