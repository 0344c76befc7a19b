"""Runs a product after every pass of its pipeline, and compares.

usage: run_stages.py PROGRAM MxNxK [--chip=CHIP] [--k-by-n] [--schedule=SCHEDULE]

The program goes through the passes of lpgemm-lower-to-rocdl, or for a chip of
NVIDIA of lpgemm-lower-to-nvvm, one by one. What
is there after each of them is printed as text, taken down from there by the
passes without which nothing can be lowered, and run in the emulator on random
data with padding full of NaN. With --k-by-n the program's rhs is stored K x N.
Prints a line for each pass; fails if one of them fails.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

# (flag of the pass, what a pipeline calls it, whether lowering needs it).
TO_TILES = [
    ("lpgemm-attach-target", "lpgemm-attach-target{chip=CHIP}", True),
    ("lpgemm-bufferize", "lpgemm-bufferize", True),
    ("lpgemm-select-schedule", "lpgemm-select-schedule", True),
    ("lpgemm-outline", "lpgemm-outline", True),
    ("lpgemm-tile", "gpu.module(lpgemm-tile)", True),
    ("lpgemm-split-subchannels", "gpu.module(lpgemm-split-subchannels)", True),
]
TO_ROCDL = TO_TILES + [
    ("lpgemm-promote", "gpu.module(lpgemm-promote)", False),
    ("lpgemm-assign-layouts", "gpu.module(lpgemm-assign-layouts)", True),
    ("lpgemm-split-loops", "gpu.module(lpgemm-split-loops)", False),
    ("lpgemm-assign-pipeline", "gpu.module(lpgemm-assign-pipeline)", False),
    ("lpgemm-expand-pipeline", "gpu.module(lpgemm-expand-pipeline)", True),
    ("lpgemm-stage-results", "gpu.module(lpgemm-stage-results)", False),
    ("convert-lpgemm-to-amdgpu", "gpu.module(convert-lpgemm-to-amdgpu)", True),
    ("lpgemm-insert-waits", "gpu.module(lpgemm-insert-waits)", True),
    ("lpgemm-lower-to-rocdl", "lpgemm-lower-to-rocdl{chip=CHIP}", True),
]
# Products read shared memory, which needs promotion, and a wave of the kernel
# does nothing but load, which needs roles. Accumulators may be where they fall.
TO_NVVM = TO_TILES + [
    ("lpgemm-promote", "gpu.module(lpgemm-promote)", True),
    ("lpgemm-assign-layouts", "gpu.module(lpgemm-assign-layouts)", True),
    ("lpgemm-assign-pipeline", "gpu.module(lpgemm-assign-pipeline)", True),
    ("lpgemm-expand-pipeline", "gpu.module(lpgemm-expand-pipeline)", True),
    ("lpgemm-pin-accumulators", "gpu.module(lpgemm-pin-accumulators)", False),
    ("lpgemm-finalize-abi", "lpgemm-finalize-abi", True),
    ("convert-lpgemm-to-nvvm", "gpu.module(convert-lpgemm-to-nvvm)", True),
    ("lpgemm-insert-waits", "gpu.module(lpgemm-insert-waits)", True),
    ("lpgemm-lower-to-nvvm", "lpgemm-lower-to-nvvm{chip=CHIP}", True),
]


def apply(passes, chip, source, dest):
    """Runs the passes on a file; dest holds text that parses on its own."""
    pipeline = ",".join(text.replace("CHIP", chip) for _, text, _ in passes)
    subprocess.run(
        ["lpgemm-opt", source, f"--pass-pipeline=builtin.module({pipeline})"]
        + ["--mlir-print-op-on-diagnostic=false", "-o", dest],
        check=True,
    )


def run(module, chip, reference, size):
    """The verdict that lpgemm-run prints, and whether it succeeded."""
    result = subprocess.run(
        ["lpgemm-run", module, f"--chip={chip}", "--device=emulate"]
        + ["--init=normal:1", f"--size={size}", "--poison"]
        + ["--compare=reference", f"--reference={reference}"],
        capture_output=True,
        text=True,
    )
    if result.returncode == 0:
        return result.stdout.splitlines()[0], True
    return (result.stdout + result.stderr).strip(), False


def make_program(text, k_by_n, schedule):
    """The program with another storage of rhs and another schedule."""
    assert text.count("transpose_b") == 1
    storage = "" if k_by_n else "transpose_b"
    by_hand = f" schedule({schedule})" if schedule else ""
    return text.replace("transpose_b", storage + by_hand)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("size")
    parser.add_argument("--chip", default="gfx950")
    parser.add_argument("--k-by-n", action="store_true")
    parser.add_argument("--schedule")
    args = parser.parse_args()
    passes = TO_NVVM if args.chip.startswith("sm_") else TO_ROCDL
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        stage, low = folder / "stage.mlir", folder / "low.mlir"
        text = pathlib.Path(args.program).read_text()
        program = folder / "program.mlir"
        program.write_text(make_program(text, args.k_by_n, args.schedule))
        source = program
        for i, (flag, _, _) in enumerate(passes):
            apply(passes[i : i + 1], args.chip, source, stage)
            apply([p for p in passes[i + 1 :] if p[2]], args.chip, stage, low)
            line, ok = run(low, args.chip, program, args.size)
            print(f"{flag}: {line}")
            failures += not ok
            source = stage
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
