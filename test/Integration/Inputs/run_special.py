"""Runs a product on NaN elements and extreme scales, and compares.

usage: run_special.py PROGRAM

Each case is compared with the reference, and that with NumPy: where they are
NaN, and elsewhere the values. Under both instructions: one takes the scales, one
leaves them to the kernel.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from lpgemm import formats

M, N, K = 19, 21, 100
BLOCKS = -(-K // 32)
SCHEDULES = [
    "",
    "<tile = [32, 32, 128], waves = [2, 2], instr = mfma_f32_16x16x32_fp8,"
    " home = <a = shared, b = reg>, stages = 1>",
]


def make_case(rng, edit):
    """Finite codes and moderate scales, changed by `edit`."""
    a, b = (rng.integers(0, 127, (r, K)) | rng.choice([0, 128], (r, K)) for r in (M, N))
    sa, sb = (rng.integers(120, 134, (r, BLOCKS)) for r in (M, N))
    edit(a, b, sa, sb)
    return [x.astype(np.uint8) for x in (a, b, sa, sb)]


def nan_elements(a, b, sa, sb):
    a[3, 7], a[5, 99], b[2, 0] = 0x7F, 0xFF, 0xFF


def nan_scales(a, b, sa, sb):
    sa[3, 1], sb[4, 3] = 255, 255
    a[3, 32:64] = 0


def smallest_by_largest(a, b, sa, sb):
    sa[:], sb[:] = 0, 254


def products_above_f32(a, b, sa, sb):
    """Scales whose product is 2^129, elements of 2^-9."""
    sa[:], sb[:], a[:], b[:] = 192, 191, 1, 1


def products_below_f32(a, b, sa, sb):
    """Scales whose product is 2^-150, elements of 448."""
    sa[:], sb[:], a[:], b[:] = 52, 52, 0x7E, 0x7E


def results_below_f32(a, b, sa, sb):
    """Each block of K is rounded in the subnormal range."""
    sa[:], sb[:] = 52, 52


def largest_on_zero(a, b, sa, sb):
    sa[:], sb[:], a[:] = 254, 254, 0


CASES = [
    nan_elements,
    nan_scales,
    smallest_by_largest,
    products_above_f32,
    products_below_f32,
    results_below_f32,
    largest_on_zero,
]


def run(program, arrays, folder, options):
    for name, array in zip(["a", "b", "sa", "sb"], arrays):
        np.save(folder / f"{name}.npy", array)
    command = ["lpgemm-run", program, "--chip=gfx950", *options, "-o", "d.npy"]
    command += [f"--arg={name}.npy" for name in ["a", "b", "sa", "sb"]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.returncode == 0, (done.stdout + done.stderr).strip()


def check(case, program, folder):
    """The lines of one case, and whether it is right."""
    arrays = make_case(np.random.default_rng(5), case)
    ok, line = run(program, arrays, folder, ["--device=reference"])
    if not ok:
        return False, line
    reference = np.load(folder / "d.npy")
    with np.errstate(all="ignore"):
        a, b, sa, sb = arrays
        expected = formats.matmul_reference(a, sa, b, sb).astype(np.float32)
    # The order of the sum differs: one unit in the last place.
    if not np.allclose(reference, expected, rtol=2e-7, atol=2e-45, equal_nan=True):
        return False, "the reference differs from NumPy"
    options = ["--device=emulate", "--poison", "--compare=reference"]
    return run(program, arrays, folder, options)


def main():
    text = pathlib.Path(sys.argv[1]).read_text()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for number, schedule in enumerate(SCHEDULES):
            program = folder / "program.mlir"
            by_hand = f"transpose_b schedule({schedule})" if schedule else "transpose_b"
            program.write_text(text.replace("transpose_b", by_hand))
            for case in CASES:
                ok, line = check(case, program, folder)
                print(f"{case.__name__}, schedule {number}: {line}")
                failures += not ok
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
