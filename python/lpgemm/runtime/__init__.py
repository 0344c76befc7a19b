# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches compiled kernels on NVIDIA GPUs.

    program = lpgemm.runtime.load("matmul.cubin")  # reads matmul.cubin.json too
    program.run(lhs=a, rhs=b, lhs_scale=sa, rhs_scale=sb, init=d)

Operands are PyTorch tensors, or what has `__cuda_array_interface__`. A launch
that is to be repeated, or captured in a CUDA graph, is prepared once:

    launch = program.prepare(lhs=a, rhs=b, lhs_scale=sa, rhs_scale=sb, init=d)
    launch()

Nothing but the CUDA driver is needed, and that only at the first preparation.
"""

from lpgemm.runtime.driver import Driver, DriverError
from lpgemm.runtime.kernel import Launch, Product, Program, load
from lpgemm.runtime.manifest import Manifest, ManifestError
from lpgemm.runtime.operand import OperandError, view

__all__ = [
    "Driver",
    "DriverError",
    "Launch",
    "Manifest",
    "ManifestError",
    "OperandError",
    "Product",
    "Program",
    "load",
    "view",
]
