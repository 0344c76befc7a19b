# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LPGEMM for Python: its compiler, and NumPy models of its numbers.

    artifact = lpgemm.compile(text, chip="gfx950", emit="binary")

compiles a module by the C++ code, in libLPGEMM-C.so, which is loaded at the
first call. The modules lpgemm.formats and lpgemm.testing call none of the C++
code: they are a second opinion on it, and the only ones that need NumPy.
"""

from lpgemm.compiler import Artifact, CompileError, Diagnostic, compile
from lpgemm.library import LibraryError

__all__ = ["Artifact", "CompileError", "Diagnostic", "LibraryError", "compile"]
