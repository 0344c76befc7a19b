# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program with one product: compiled, given data, compared with the reference."""

import json
import pathlib
import re
import subprocess

import numpy as np

from . import inputs
from .launch import Module, launch
from .text import Fault
from .workgroup import Mode

MODES = [Mode(timing, order) for timing in ("late", "early") for order in ("forward", "reverse")]


def call(*command):
    command = [str(part) for part in command]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise Fault(f"{command[0]} is not in PATH") from None
    if done.returncode:
        raise Fault(f"{done.stdout}{done.stderr}".strip())
    return done.stdout


def add_arguments(parser):
    """What load_product takes."""
    parser.add_argument("program", help=".mlir file with one product")
    parser.add_argument("--chip", required=True, choices=["gfx942", "gfx950"])
    parser.add_argument("--size", required=True, help="of the batch, M, N and K, such as 17x33x130")
    parser.add_argument("--assembly", metavar="FILE.s",
                        help="execute this text; its manifest is FILE.s.json")  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="of the data")


def load_product(args, folder, arrays=None, factors=None):
    """The product of a program, compiled if there is no assembly of it yet."""
    file = pathlib.Path(args.assembly or pathlib.Path(folder) / "kernel.s")
    if not args.assembly:
        call("lpgemm-compile", args.program, f"--chip={args.chip}", "--emit=isa", "--quiet", "-o", file)
    try:
        text, manifest = file.read_text(), json.loads(pathlib.Path(f"{file}.json").read_text())
    except OSError as error:
        raise Fault(f"cannot open {error.filename}") from None
    product = Product(text, manifest, args.size, args.seed, arrays, factors)
    for kernel in product.module.parsed.values():
        if kernel.chip != args.chip:
            raise Fault(f"expected assembly for {args.chip}, got {kernel.chip}")
    return product


def name_extents(size):
    """Extents from text such as 17x33x130: those of the batch, M, N and K."""
    extents = [int(extent) for extent in size.split("x")]
    if len(extents) < 3:
        raise Fault(f"expected a size such as 17x33x130, got '{size}'")
    batch = {f"batch_{i}": extent for i, extent in enumerate(extents[:-3])}
    return batch | dict(zip("MNK", extents[-3:]))


class Product:
    """A kernel with its data."""

    def __init__(self, text, manifest, size, seed, arrays=None, factors=None):
        self.text, self.manifest, self.size = text, manifest, size
        self.module = Module(text, manifest)
        self.scalars = {**name_extents(size), "alpha": 0.75, "beta": -1.5, **(factors or {})}
        drawn = inputs.draw_all(self.module.operands(self.scalars), seed)
        self.arrays = {**drawn, **(arrays or {})}

    def run(self, mode, module=None):
        return launch(module or self.module, mode, self.arrays, self.scalars)

    def run_all(self, modes):
        """The outcomes, which must be equal to the bit."""
        outcomes = []
        for mode in modes:
            try:
                outcomes.append(self.run(mode))
            except Fault as fault:
                raise Fault(f"{fault} ({mode})") from None
            if not equal(outcomes[0].results, outcomes[-1].results):
                raise Fault(f"the results of '{modes[0]}' and '{mode}' differ")
        return outcomes


def equal(first, second):
    return all(first[name].tobytes() == second[name].tobytes() for name in first)


def list_parameters(program):
    """The names of the parameters of the program's function."""
    found = re.search(r"func\.func @\w+\((.*?)\)\s*->", pathlib.Path(program).read_text(), re.S)
    if not found:
        raise Fault(f"{program}: expected a function with a result")
    return re.findall(r"%(\w+):", found[1])


def compare(program, product, results, folder):
    """What lpgemm-run says of the results, with its own tolerance."""
    folder, command = pathlib.Path(folder), []
    parameters = list_parameters(program)
    for i, name in enumerate(parameters):
        if name in product.arrays:
            np.save(folder / f"{name}.npy", product.arrays[name])
            command.append(f"--arg={i}={folder / name}.npy")
        elif name in ("alpha", "beta"):
            command.append(f"--arg={i}={product.scalars[name]}")
        elif name not in results:
            raise Fault(f"{program}: the parameter %{name} is not called as the manifest calls it")
    # Results have the order of their destinations.
    names = sorted(results, key=parameters.index)
    files = [folder / f"{name}.npy" for name in names]
    for name, file in zip(names, files):
        np.save(file, results[name])
    command += [f"--size={product.size}", f"--compare={','.join(map(str, files))}"]
    return call("lpgemm-run", program, *command)
