# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libLPGEMM-C.so: where it is, and the signatures of its functions."""

import ctypes
import functools
import os
import pathlib

NAME = "libLPGEMM-C.so"
VARIABLE = "LPGEMM_LIBRARY"


class LibraryError(OSError):
    """There is no usable libLPGEMM-C.so."""


class StringRef(ctypes.Structure):
    """MlirStringRef. What it points to must be kept elsewhere."""

    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    @classmethod
    def of(cls, content):
        return cls(ctypes.cast(ctypes.c_char_p(content), ctypes.c_void_p), len(content))

    def __bytes__(self):
        return ctypes.string_at(self.data, self.length) if self.length else b""

    def __str__(self):
        return bytes(self).decode(errors="replace")


class LogicalResult(ctypes.Structure):
    _fields_ = [("value", ctypes.c_int8)]


class CompileOptions(ctypes.Structure):
    _fields_ = [(field, StringRef) for field in ("name", "chip", "emit", "toolkit")]


class CompileResult(ctypes.Structure):
    _fields_ = [("ptr", ctypes.c_void_p)]


class Diagnostic(ctypes.Structure):
    _fields_ = [("ptr", ctypes.c_void_p)]


# Result and arguments of each function, as include/lpgemm-c/Compile.h has them.
SIGNATURES = {
    "lpgemmCompile": (CompileResult, StringRef, CompileOptions),
    "lpgemmCompileResultDestroy": (None, CompileResult),
    "lpgemmCompileResultGetStatus": (LogicalResult, CompileResult),
    "lpgemmCompileResultGetArtifact": (StringRef, CompileResult),
    "lpgemmCompileResultGetManifest": (StringRef, CompileResult),
    "lpgemmCompileResultGetError": (StringRef, CompileResult),
    "lpgemmCompileResultGetNumDiagnostics": (ctypes.c_ssize_t, CompileResult),
    "lpgemmCompileResultGetDiagnostic": (Diagnostic, CompileResult, ctypes.c_ssize_t),
    "lpgemmDiagnosticGetSeverity": (ctypes.c_int, Diagnostic),
    "lpgemmDiagnosticGetFile": (StringRef, Diagnostic),
    "lpgemmDiagnosticGetLine": (ctypes.c_uint, Diagnostic),
    "lpgemmDiagnosticGetColumn": (ctypes.c_uint, Diagnostic),
    "lpgemmDiagnosticGetMessage": (StringRef, Diagnostic),
    "lpgemmDiagnosticGetNumNotes": (ctypes.c_ssize_t, Diagnostic),
    "lpgemmDiagnosticGetNote": (Diagnostic, Diagnostic, ctypes.c_ssize_t),
}


def find():
    """The path of the library.

    That is what the environment variable LPGEMM_LIBRARY names, if it is set.
    Else an installed package takes the library it was installed with, and one in
    the source tree takes that of the build folder.
    """
    if named := os.environ.get(VARIABLE):
        if os.path.isfile(named):
            return pathlib.Path(named)
        raise LibraryError(f"{VARIABLE} names no file: {named}")
    root = pathlib.Path(__file__).resolve().parents[2]
    candidates = [root / NAME, root / "build" / "lib" / NAME]
    for path in candidates:
        if path.is_file():
            return path
    tried = " or ".join(map(str, candidates))
    raise LibraryError(f"no {tried}: build LPGEMM, or let {VARIABLE} name the library")


def open_library(path):
    """The library at a path, with the signatures of its functions."""
    try:
        library = ctypes.CDLL(str(path))
        for name, (result, *arguments) in SIGNATURES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise LibraryError(f"cannot use {path}: {error}") from None
    return library


@functools.lru_cache(maxsize=None)
def load():
    """The library, loaded once in a process."""
    return open_library(find())
