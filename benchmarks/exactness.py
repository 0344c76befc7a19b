# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How exact the sums of a kernel are: its result in f32, of random codes and
scales, beside the product of the same codes and scales in f64."""

import math
import pathlib

import torch

import candidates
import cases
from lpgemm import runtime

SHAPES = ((512, 512, 4096), (130, 272, 16384))


def sqnr(actual, exact):
    """The squared norm of the exact product over that of the error, in dB."""
    error = (actual.double() - exact).norm()
    return math.inf if error == 0 else float(20 * torch.log10(exact.norm() / error))


def exact_product(case, kind):
    lhs, rhs = case.scaled_operands(kind, torch.float64)
    return lhs @ rhs.t()


def measure(folder, kind):
    """The kind, the shape and the dB of each shape; none without a kernel."""
    path = pathlib.Path(folder) / f"{kind}.f32.cubin"
    if not path.is_file():
        return
    program = runtime.load(path)
    product = program[next(iter(program))]
    arguments = {a.name: a for k in product.record.kernels for a in k.arguments}
    for shape in SHAPES:
        case = cases.Case(cases.Shape(*shape), rotated=False)
        result = torch.full(shape[:2], math.nan, dtype=torch.float32, device="cuda")
        scales = {
            name: candidates.lay_out(arguments[name], scale)
            for name, scale in zip(("lhs_scale", "rhs_scale"), case.scales[kind])
        }
        product.prepare(lhs=case.lhs[0], rhs=case.rhs[0], init=result, **scales)()
        torch.cuda.synchronize()
        yield case.shape, sqnr(result, exact_product(case, kind))
