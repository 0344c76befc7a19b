# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy models of LPGEMM's number formats and products.

Nothing here calls the C++ code: the package is a second opinion on it.
"""
