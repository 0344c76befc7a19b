# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures and a model of the steady loop of kernels for gfx942 and gfx950.

Reads assembly, of this compiler or another. docs/loop-model.md says what is
modelled, where the numbers come from, and what is left out.
"""
