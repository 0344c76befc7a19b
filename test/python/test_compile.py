# UNSUPPORTED: sanitizer
# RUN: %python %s %S/../Integration/Inputs/programs %lpgemm_capi lpgemm-compile
"""Compiles from Python: artifacts, every kind of failure, and the library."""

import concurrent.futures
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import lpgemm
from lpgemm import library

PROGRAMS, LIBRARY, TOOL = (pathlib.Path(sys.argv.pop(1)) for _ in range(3))
MXFP8 = PROGRAMS / "mxfp8.mlir"
TESTS = pathlib.Path(__file__).parents[1]
NVIDIA = TESTS / "Tools/lpgemm-compile/Inputs/nvidia.mlir"


def failure(source, **options):
    """The error of a source that is not compiled."""
    try:
        lpgemm.compile(source, **options)
    except lpgemm.CompileError as error:
        return error
    raise AssertionError("expected a CompileError")


class ArtifactTest(unittest.TestCase):
    def test_binary_is_that_of_the_tool(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "out"
            subprocess.run([TOOL, MXFP8, "-o", output, "--quiet"], check=True)
            expected = output.read_bytes()
            manifest = json.loads((pathlib.Path(folder) / "out.json").read_text())
        artifact = lpgemm.compile(MXFP8.read_text(), filename=str(MXFP8))
        self.assertEqual(artifact.manifest, manifest)
        self.assertEqual(artifact.content, expected)
        self.assertEqual(bytes(artifact), expected)
        self.assertEqual((artifact.chip, artifact.emit), ("gfx950", "binary"))
        self.assertEqual(artifact.diagnostics, ())

    def test_manifest_is_that_of_the_tool(self):
        programs = ("fp8-result", "mxfp6-mxfp4", "fp8-batch")
        for program, chip in itertools.product(programs, ("gfx942", "gfx950")):
            source = PROGRAMS / f"{program}.mlir"
            with tempfile.TemporaryDirectory() as folder:
                output = pathlib.Path(folder) / "out"
                command = [TOOL, source, f"--chip={chip}", "-o", output, "--quiet"]
                subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
                manifest = json.loads((pathlib.Path(folder) / "out.json").read_text())
            artifact = lpgemm.compile(
                source.read_text(), chip=chip, filename=str(source)
            )
            self.assertEqual(artifact.manifest, manifest)
            self.assertEqual(manifest["chip"], chip)

    def test_ptx(self):
        artifact = lpgemm.compile(NVIDIA.read_text(), chip="sm_90a", emit="isa")
        self.assertIn(".target sm_90a", artifact.text)
        maps, complaint = artifact.manifest["kernels"]
        self.assertEqual(maps["cluster"], [2, 1, 1])
        self.assertEqual(maps["dynamic_shared_memory_bytes"], 66560)
        self.assertIsNone(complaint["arguments"])

    def test_no_ptxas(self):
        with self.assertRaises(lpgemm.CompileError) as error:
            lpgemm.compile(NVIDIA.read_text(), chip="sm_90a", toolkit="nowhere")
        self.assertEqual(error.exception.reason, "no ptxas at nowhere/bin/ptxas")

    def test_texts(self):
        signs = {
            "mlir": "rocdl.mfma.scale.f32",
            "llvm": "@llvm.amdgcn.mfma.scale.f32",
            "isa": "v_mfma_scale_f32",
        }
        for emit, sign in signs.items():
            artifact = lpgemm.compile(MXFP8.read_bytes(), chip="gfx950", emit=emit)
            self.assertIn(sign, artifact.text)
            self.assertEqual(artifact.emit, emit)

    def test_any_stage(self):
        lowered = lpgemm.compile(MXFP8.read_text(), emit="mlir")
        from_lowered = lpgemm.compile(lowered.text, emit="isa")
        from_source = lpgemm.compile(MXFP8.read_text(), emit="isa")
        self.assertEqual(from_lowered.text, from_source.text)

    def test_several_threads(self):
        source = MXFP8.read_text()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            futures = [pool.submit(lpgemm.compile, source) for _ in range(8)]
            contents = {future.result().content for future in futures}
        self.assertEqual(contents, {lpgemm.compile(source).content})


class FailureTest(unittest.TestCase):
    def test_syntax(self):
        error = failure("func.func @f() {\n  retrun\n}\n", filename="f.mlir")
        self.assertEqual(error.reason, "cannot parse f.mlir")
        (diagnostic,) = error.diagnostics
        place = (diagnostic.file, diagnostic.line, diagnostic.column)
        self.assertEqual(place, ("f.mlir", 2, 3))
        self.assertEqual(diagnostic.severity, "error")
        self.assertIn("'retrun'", diagnostic.message)
        self.assertEqual(diagnostic.notes, ())
        self.assertTrue(str(error).startswith("f.mlir:2:3: error: "), str(error))
        self.assertTrue(str(error).endswith("\ncannot parse f.mlir"), str(error))

    def test_verifier_with_note(self):
        error = failure("func.func private @f()\n  func.func private @f()\n")
        note = lpgemm.Diagnostic(
            "note", "see existing symbol definition here", "<source>", 1, 1
        )
        expected = lpgemm.Diagnostic(
            "error", "redefinition of symbol named 'f'", "<source>", 2, 3, (note,)
        )
        self.assertEqual(error.diagnostics, (expected,))
        self.assertEqual(
            str(error),
            "<source>:2:3: error: redefinition of symbol named 'f'\n"
            "<source>:1:1: note: see existing symbol definition here\n"
            "cannot parse <source>",
        )

    def test_verifier_of_op(self):
        # The first extent of sb is N, which is 8.
        error = failure(
            "func.func @f(%a: tensor<4x32xf8E4M3FN>, %b: tensor<8x32xf8E4M3FN>,\n"
            "    %sa: tensor<4x1xf8E8M0FNU>, %sb: tensor<9x1xf8E8M0FNU>,\n"
            "    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {\n"
            "  %0 = lpgemm.matmul\n"
            "      ins(%a, %b : tensor<4x32xf8E4M3FN>, tensor<8x32xf8E4M3FN>)\n"
            "      lhs_scale(%sa : tensor<4x1xf8E8M0FNU>, <mx>)\n"
            "      rhs_scale(%sb : tensor<9x1xf8E8M0FNU>, <mx>)\n"
            "      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>\n"
            "  return %0 : tensor<4x8xf32>\n"
            "}\n"
        )
        (diagnostic,) = error.diagnostics
        self.assertEqual((diagnostic.line, diagnostic.column), (4, 8))
        self.assertRegex(diagnostic.message, r"'lpgemm.matmul' op .*rhs_scale.*9")

    def test_refused_op(self):
        path = PROGRAMS / "mx-result.mlir"
        error = failure(path.read_text(), filename=str(path), chip="sm_89")
        self.assertEqual(error.reason, f"cannot compile {path} for sm_89")
        (diagnostic,) = error.diagnostics
        place = (diagnostic.file, diagnostic.line, diagnostic.column)
        self.assertEqual(place, (str(path), 7, 10))
        self.assertIn("no lowering to kernels of sm_89 with scale_outs", diagnostic.message)

    def test_not_in_the_source(self):
        source = MXFP8.read_text()
        failures = {
            "unknown chip 'gfx1', expected one of gfx942, gfx950,": {"chip": "gfx1"},
            "no lowering for sm_100a yet": {"chip": "sm_100a"},
            "unknown emit kind 'ptx', expected one of mlir, llvm,": {"emit": "ptx"},
            "no linker at nowhere/llvm/bin/ld.lld": {"toolkit": "nowhere"},
        }
        for reason, options in failures.items():
            error = failure(source, **options)
            self.assertTrue(error.reason.startswith(reason), error.reason)
            self.assertEqual((error.diagnostics, str(error)), ((), error.reason))

    def test_nothing_to_compile(self):
        for source in ("", "func.func private @f()"):
            error = failure(source)
            self.assertEqual(error.reason, "<source>: no kernel to compile")

    def test_arguments(self):
        for options in ({"chip": ""}, {"emit": ""}):
            with self.assertRaises(ValueError):
                lpgemm.compile("", **options)
        with self.assertRaises(TypeError):
            lpgemm.compile(None)

    def test_success_after_failure(self):
        for _ in range(3):
            failure("?")
            self.assertEqual(lpgemm.compile(MXFP8.read_text()).content[:4], b"\x7fELF")

    def test_nothing_is_printed(self):
        code = "import lpgemm\ntry: lpgemm.compile('?')\nexcept lpgemm.CompileError: pass"
        run = [sys.executable, "-c", code]
        done = subprocess.run(run, capture_output=True, check=True)
        self.assertEqual((done.stdout, done.stderr), (b"", b""))


class LibraryTest(unittest.TestCase):
    def test_variable(self):
        with mock.patch.dict(os.environ, {library.VARIABLE: str(LIBRARY)}):
            self.assertEqual(library.find(), LIBRARY)
        with mock.patch.dict(os.environ, {library.VARIABLE: "/none.so"}):
            with self.assertRaisesRegex(
                lpgemm.LibraryError, "LPGEMM_LIBRARY names no file: /none.so"
            ):
                library.find()

    def check_found(self, package, name):
        """A copy of the package finds the library of that name beside it."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            shutil.copytree(pathlib.Path(lpgemm.__file__).parent, root / package)
            environment = {"PYTHONPATH": str((root / package).parent)}
            run = [sys.executable, "-B", "-c"]
            code = "from lpgemm import library; print(library.find())"
            done = subprocess.run(run + [code], env=environment, capture_output=True)
            self.assertRegex(
                done.stderr.decode().splitlines()[-1],
                rf"LibraryError: no {root}/\S+ or {root}/\S+: build LPGEMM, "
                "or let LPGEMM_LIBRARY name the library",
            )
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).touch()
            done = subprocess.run(run + [code], env=environment, capture_output=True)
            self.assertEqual(done.stdout.decode(), f"{root / name}\n")

    def test_source_tree(self):
        self.check_found("python/lpgemm", "build/lib/libLPGEMM-C.so")

    def test_install_tree(self):
        self.check_found("lib/python/lpgemm", "lib/libLPGEMM-C.so")

    def test_unusable(self):
        for path in (pathlib.Path(__file__), "libm.so.6"):
            with self.assertRaisesRegex(lpgemm.LibraryError, f"cannot use {path}: "):
                library.open_library(path)

    def test_numpy_is_not_needed(self):
        code = "import sys, lpgemm; lpgemm.compile; assert 'numpy' not in sys.modules"
        subprocess.run([sys.executable, "-c", code], check=True)


if __name__ == "__main__":
    unittest.main()
