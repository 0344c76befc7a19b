"""Runs random products through the reference and compares with NumPy.

usage: run_products.py [--count=N] [--seed=S] [--accumulate=f64|f32]
       run_products.py --kernels [--count=N] [--seed=S] [--keep=WHAT]
       run_products.py --layouts [--seed=S]

Draws ops over types, scales, layouts, storage, batches, groups and epilogues
(product_model.py). Every element must be the conversion of the float64 result,
up to what the order of sums changes; data whose sums are exact must agree to
the bit. Prints a line for each case that differs.

With --kernels the kernels run in the emulator, and the result must be within
the tolerance of its type of the reference's; what has no lowering is drawn
anew. --keep=batches draws until there are batch dimensions, --keep=layouts until
there are scales in a layout other than row. --layouts does the same for MX
operands with every layout of their scales and every kind of batch.
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


def write_case(product, folder):
    """The part of a command line that names the program and its arguments."""
    (folder / "program.mlir").write_text(product.program())
    command = ["lpgemm-run", folder / "program.mlir"]
    for argument in product.arguments:
        file = folder / f"{argument.name}.npy"
        np.save(file, argument.array.copy(order="C"))
        command.append(f"--arg={file}")
    return command


LAYOUTS = ["row", "col", "mn_tma_ue8m0x4", "swz128x4", "amd32x8"]
BATCHES = [(), (1,), (2,), (2, 3), (2, 0)]


class MXProduct(model.Product):
    """A product in FP8 with MX scales, those of lhs in `layout`."""

    def __init__(self, seed, layout, batch):
        self.layout, self.full_batch = layout, batch
        super().__init__(seed)

    def draw_types(self):
        rng, self.mode = self.rng, "matmul"
        large = [300] if len(self.full_batch) < 2 else []
        self.m, self.n = (int(rng.choice([1, 17, 70, 130] + large)) for _ in "mn")
        self.k = int(rng.choice([1, 33, 70, 130, 300]))
        self.types = [str(rng.choice(["f8E4M3FN", "f8E5M2"])) for _ in "ab"]
        self.scales = [model.Scale(rng, side, t, self.exact) for side, t in zip(["lhs", "rhs"], self.types)]
        for scale, layout in zip(self.scales, [self.layout, str(rng.choice(LAYOUTS))]):
            scale.kind, scale.block, scale.type, scale.layout = "mx", (1, 32), "f8E8M0FNU", layout

    def draw_groups(self):
        self.transpose_a = False
        self.groups, self.batch = None, self.full_batch


def run_kernel(product, folder, seed):
    """What is wrong with one case, nothing if it is right; False if it has no
    lowering."""
    command = write_case(product, folder)
    command += ["--device=emulate", "--compare=reference", f"--emulator-order=random:{seed}"]
    done = subprocess.run(command, capture_output=True, text=True)
    output = (done.stdout + done.stderr).strip()
    if "has no lowering" in output or "has no matrix instruction" in output:
        return False
    return output if done.returncode else None


def is_kept(product, keep):
    """Whether it has what is asked for."""
    if product.mode != "matmul":
        return False
    has = {"all": True, "batches": product.batch, "layouts": any(s.layout != "row" for s in product.scales)}
    return bool(has[keep])


def run_one(draw, seed, folder, wanted=lambda product: True):
    """Draws until there is a case that has a lowering; the seed behind it, and
    whether it is right."""
    while True:
        product = draw(seed)
        error = run_kernel(product, folder, seed) if wanted(product) else False
        if error:
            print(f"seed {seed}: {error}\n{product.program()}")
        seed += 1
        if error is not False:
            return seed, error is None


def run_kernels(args, folder):
    failures, seed = 0, args.seed
    for _ in range(args.count):
        seed, right = run_one(model.Product, seed, folder, lambda p: is_kept(p, args.keep))
        failures += not right
    return failures


def run_layouts(args, folder):
    failures, seed = 0, args.seed
    cases = [(layout, batch) for layout in LAYOUTS for batch in BATCHES]
    args.count = len(cases)
    for layout, batch in cases:
        seed, right = run_one(lambda s: MXProduct(s, layout, batch), seed, folder)
        failures += not right
    return failures


def run_case(seed, folder, options):
    """What is wrong with one case; nothing if it is right."""
    product = model.Product(seed)
    outputs = [folder / "out0.npy"] + [folder / "out1.npy"] * product.amax
    command = write_case(product, folder) + ["--device=reference"]
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


def run_reference(args, folder, options):
    failures = 0
    for seed in range(args.seed, args.seed + args.count):
        error = run_case(seed, folder, options)
        if error:
            print(f"seed {seed}: {error}")
            failures += 1
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("--layouts", action="store_true")
    parser.add_argument("--keep", choices=["all", "batches", "layouts"], default="all")
    args, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if args.layouts:
            failures = run_layouts(args, folder)
        elif args.kernels:
            failures = run_kernels(args, folder)
        else:
            failures = run_reference(args, folder, options)
    print(f"{args.count - failures} of {args.count} right")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
