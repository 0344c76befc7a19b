"""Runs program.mlir of a folder by lpgemm-run, for the scripts beside this one."""

import subprocess

import numpy as np


def run(folder, arrays, options):
    """Returns its result, or None and what was said."""
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    command = ["lpgemm-run", "program.mlir", *options, "-o", "d.npy"]
    command += [f"--arg={name}.npy" for name in arrays]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        return None, (done.stdout + done.stderr).strip()
    return np.load(folder / "d.npy"), ""
