"""Runs programs by lpgemm-run, for the scripts beside this one."""

import argparse
import pathlib
import subprocess
import tempfile


def run(folder, arrays, options, results=("d",)):
    """Runs program.mlir of a folder; returns its results, or the only one, or None
    and what was said."""
    # Only here: scripts that have no arrays need no numpy.
    import numpy as np

    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    command = ["lpgemm-run", "program.mlir", *options]
    command += ["-o", ",".join(f"{name}.npy" for name in results)]
    command += [f"--arg={name}.npy" for name in arrays]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        return None, (done.stdout + done.stderr).strip()
    found = [np.load(folder / f"{name}.npy") for name in results]
    return found[0] if len(found) == 1 else found, ""


def compare(module, text, chip, size, *options):
    """Writes a program and runs its kernels in the emulator, under NaN in the
    padding, beside the reference. What is wrong, or nothing."""
    module.write_text(text)
    command = ["lpgemm-run", module, f"--chip={chip}", "--device=emulate", "--poison"]
    command += ["--init=normal:1", f"--size={size}", "--compare=reference", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{size}: {done.stdout}{done.stderr}"


def run_cases(checks):
    """Prints a line for each of `checks`, or the one that --case names: pairs of a
    name and a function of a folder, which returns what is wrong, or nothing. The
    status to end with: 1 if one of them fails."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", type=int)
    args = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, check) in enumerate(checks):
            if args.case not in (None, number):
                continue
            error = check(pathlib.Path(folder))
            print(f"case {number}, {name}: {error or 'ok'}", flush=True)
            failures += bool(error)
    return failures != 0
