# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes the assembly that the back end makes of kernels for gfx942 and gfx950.

docs/isa-interpreter.md says what it models. The rules are from the public
"AMD Instinct MI300" (CDNA3) and "AMD Instinct CDNA4" Instruction Set
Architecture documents, called ISA in comments, and from LLVM's AMDGPUUsage.
"""
