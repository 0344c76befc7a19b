"""Converts numbers in the epilogue of a kernel, and compares bit by bit.

usage: run_results.py [--chip=CHIP] [--count=N] [--seed=S]

Every FP8 type, saturating or not, as the result of a product whose T is a bias
of N numbers of each exponent of f32, with all that rounding depends on: ties,
their neighbours, subnormals, zeros, infinities and NaN. Every FP8 type as C, all
codes. The kernel runs in the emulator and is compared with the reference.
Prints a line for each case; fails if one of them fails.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

TYPES = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"]

# (G-12) With an alpha of zero T is the bias, or C, with its sign.
PROGRAM = """
func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
             %x: tensor<{x}>, %s: tensor<f32>, %d: tensor<?x?x{d}>)
    -> tensor<?x?x{d}> {{
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) alpha(0.0)
      {clauses}
      outs(%d : tensor<?x?x{d}>) transpose_b {overflow} -> tensor<?x?x{d}>
  return %0 : tensor<?x?x{d}>
}}
"""


def make_numbers(rng, count):
    """f32 numbers: of each exponent `count` with mantissas that matter."""
    exponents = np.arange(256, dtype=np.uint32)[:, None] << 23
    random = rng.integers(0, 1 << 23, (256, count), dtype=np.uint32)
    # Few leading bits are numbers of a format or ties, or next to these.
    leading = rng.integers(0, 64, (256, count), dtype=np.uint32) << 17
    below, above = leading - 1 & 0x7FFFFF, leading + 1
    bits = (exponents | np.concatenate([random, leading, below, above], axis=1)).ravel()
    signs = rng.integers(0, 2, bits.size, dtype=np.uint32) << 31
    special = np.array([0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000], np.uint32)
    return np.concatenate([bits | signs, special]).view(np.float32)


def run(folder, chip, program, arguments, size):
    """What lpgemm-run prints, and whether the results are equal."""
    module = folder / "program.mlir"
    module.write_text(program)
    command = ["lpgemm-run", module, f"--chip={chip}", "--device=emulate"]
    command += ["--init=normal:1", f"--size={size}", "--compare=reference"]
    command += ["--tolerance=bits", "--poison"]
    for index, value in arguments.items():
        if isinstance(value, np.ndarray):
            np.save(folder / f"{index}.npy", value)
            value = folder / f"{index}.npy"
        command.append(f"--arg={index}={value}")
    done = subprocess.run(command, capture_output=True, text=True)
    return (done.stdout + done.stderr).strip(), done.returncode == 0


def make_cases(rng, count):
    """Name, program, arguments and size of each case."""
    numbers = make_numbers(rng, count)
    # Under a power of two the factor of the result rounds nothing.
    with np.errstate(all="ignore"):
        scales = {1.0: numbers, 2.0**-20: numbers * np.float32(2**20)}
    for d in TYPES:
        for overflow in ["sat", "nosat"]:
            program = PROGRAM.format(
                x="?xf32",
                d=d,
                clauses="bias(%x : tensor<?xf32>, n) d_scale(%s : tensor<f32>)",
                overflow=f"overflow = {overflow}",
            )
            for scale, values in scales.items():
                name = f"{d} {overflow} {scale}"
                yield name, program, {2: values, 3: scale}, f"1x{values.size}x0"
    for c in TYPES:
        program = PROGRAM.format(
            x=f"?x?x{c}",
            d="f32",
            clauses=f"c(%x : tensor<?x?x{c}>) c_scale(%s : tensor<f32>)",
            overflow="",
        )
        codes = np.arange(256, dtype=np.uint8)[None, :]
        yield f"c {c}", program, {2: codes, 3: 0.75}, "1x256x0"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chip", default="gfx950")
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    failures = 0
    rng = np.random.default_rng(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        for name, program, arguments, size in make_cases(rng, args.count):
            line, ok = run(pathlib.Path(folder), args.chip, program, arguments, size)
            print(f"{name}: {line}")
            failures += not ok
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
