"""Runs random products through the reference and compares with NumPy.

usage: run_products.py [--count=N] [--seed=S] [--accumulate=f64|f32]

Draws ops over types, scales, layouts, storage, batches, groups and epilogues
(product_model.py). Every element must be the conversion of the float64 result,
up to what the order of sums changes; data whose sums are exact must agree to
the bit. Prints a line for each case that differs.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import product_model as model


def agree(product, array, rounding):
    """Which elements of D are right."""
    t, slack = product.results(rounding)
    factor = product.factor["d"]
    low, exact, high = (
        model.to_values(model.to_array(factor * (t + s), product.result), product.result)
        for s in (-slack, 0 * slack, slack)
    )
    got = model.to_values(array, product.result)
    right = (got == exact) | (np.isnan(got) & np.isnan(exact))
    right |= (np.minimum(low, high) <= got) & (got <= np.maximum(low, high))
    return np.where(product.covered(), right, got == 0)


def run_case(seed, folder, options):
    """What is wrong with one case; nothing if it is right."""
    product = model.Product(seed)
    (folder / "program.mlir").write_text(product.program())
    files = []
    for argument in product.arguments:
        files.append(folder / f"{argument.name}.npy")
        np.save(files[-1], argument.array.copy(order="C"))
    outputs = [folder / "out0.npy"] + [folder / "out1.npy"] * product.amax
    command = ["lpgemm-run", folder / "program.mlir", "--device=reference"]
    command += [f"--arg={f}" for f in files]
    command += ["-o", ",".join(map(str, outputs)), *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return (done.stdout + done.stderr).strip()
    rounding = 2.0**-24 if "--accumulate=f32" in options else 2.0**-53
    right = agree(product, np.load(outputs[0]), rounding)
    if not right.all():
        return f"{(~right).sum()} of {right.size} elements differ, first {np.argwhere(~right)[0]}"
    if product.amax:
        t, slack = product.results(rounding)
        expected = np.abs(np.float32(t)).max(initial=0)
        got = float(np.load(outputs[1]))
        if not abs(got - expected) <= 2.0**-22 * expected + slack.max(initial=0):
            return f"amax is {got}, expected {expected}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    args, options = parser.parse_known_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.count):
            error = run_case(seed, pathlib.Path(folder), options)
            if error:
                print(f"seed {seed}: {error}")
                failures += 1
    print(f"{args.count - failures} of {args.count} right")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
