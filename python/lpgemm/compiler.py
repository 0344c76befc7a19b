# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the text of a module to an artifact, as lpgemm-compile does."""

import contextlib
import dataclasses
import json

from lpgemm import library

# In the order of MlirDiagnosticSeverity.
SEVERITIES = ("error", "warning", "note", "remark")


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """What the compiler says about a place in the source.

    `file` is empty, and `line` and `column` are 0, if it is about no place.
    """

    severity: str
    message: str
    file: str
    line: int
    column: int
    notes: tuple["Diagnostic", ...] = ()

    def __str__(self):
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        lines = [f"{place}{self.severity}: {self.message}", *map(str, self.notes)]
        return "\n".join(lines)


class CompileError(Exception):
    """A module that was not compiled.

    `reason` is one line. `diagnostics` say where; there is none if the fault is
    not in the source, such as an unknown chip.
    """

    def __init__(self, reason, diagnostics=()):
        super().__init__(reason, diagnostics)
        self.reason = reason
        self.diagnostics = diagnostics

    def __str__(self):
        return "\n".join([*map(str, self.diagnostics), self.reason])


@dataclasses.dataclass(frozen=True)
class Artifact:
    """What a module was compiled to: its bytes, for which chip, of which kind.

    `manifest` is what a program needs to launch the kernels, as docs/manifest.md
    describes it. `diagnostics` are warnings and remarks.
    """

    content: bytes = dataclasses.field(repr=False)
    chip: str
    emit: str
    manifest: dict = dataclasses.field(repr=False)
    diagnostics: tuple[Diagnostic, ...] = ()

    def __bytes__(self):
        return self.content

    @property
    def text(self):
        """The content of any kind but "binary" as a string."""
        return self.content.decode()


def _read_diagnostic(lib, diagnostic):
    notes = range(lib.lpgemmDiagnosticGetNumNotes(diagnostic))
    return Diagnostic(
        severity=SEVERITIES[lib.lpgemmDiagnosticGetSeverity(diagnostic)],
        message=str(lib.lpgemmDiagnosticGetMessage(diagnostic)),
        file=str(lib.lpgemmDiagnosticGetFile(diagnostic)),
        line=lib.lpgemmDiagnosticGetLine(diagnostic),
        column=lib.lpgemmDiagnosticGetColumn(diagnostic),
        notes=tuple(
            _read_diagnostic(lib, lib.lpgemmDiagnosticGetNote(diagnostic, pos))
            for pos in notes
        ),
    )


def _read_diagnostics(lib, result):
    return tuple(
        _read_diagnostic(lib, lib.lpgemmCompileResultGetDiagnostic(result, pos))
        for pos in range(lib.lpgemmCompileResultGetNumDiagnostics(result))
    )


def compile(source, chip="gfx950", emit="binary", *, filename="<source>", toolkit=""):
    """Compiles a module and returns an Artifact.

    `source` is the module at any stage: text as str, or text or bytecode as
    bytes. `emit` is "mlir" (host code and lowered kernels), or, of the kernels
    alone, "llvm" (LLVM IR), "isa" (assembly, or PTX) or "binary" (an HSACO, or a
    cubin). `filename` is what locations call the source. `toolkit` is a ROCm
    installation whose linker is used: by default the one that ROCM_PATH names,
    or else LLVM's. For a chip of NVIDIA it is a CUDA toolkit, whose ptxas is
    used: by default the one that CUDA_PATH names, /usr/local/cuda, or that of
    PATH.

    Raises CompileError if the module is not compiled, and LibraryError if there
    is no library. Nothing is printed.
    """
    content = source.encode() if isinstance(source, str) else bytes(source)
    if not chip or not emit:
        raise ValueError("expected the names of a chip and of what to emit")
    lib = library.load()
    # Keeps the bytes that the options point to.
    texts = [text.encode() for text in (filename, chip, emit, toolkit)]
    options = library.CompileOptions(*map(library.StringRef.of, texts))
    result = lib.lpgemmCompile(library.StringRef.of(content), options)
    with contextlib.ExitStack() as stack:
        stack.callback(lib.lpgemmCompileResultDestroy, result)
        diagnostics = _read_diagnostics(lib, result)
        if not lib.lpgemmCompileResultGetStatus(result).value:
            reason = str(lib.lpgemmCompileResultGetError(result))
            raise CompileError(reason, diagnostics)
        content = bytes(lib.lpgemmCompileResultGetArtifact(result))
        manifest = json.loads(bytes(lib.lpgemmCompileResultGetManifest(result)))
    return Artifact(content, chip, emit, manifest, diagnostics)
