# RUN: %python %s
"""Expressions and manifests: what is read, and the text of every refusal."""

import fractions
import json
import pathlib
import tempfile
import unittest

import fakes
from lpgemm.runtime import Manifest, ManifestError
from lpgemm.runtime.expression import Expression, ExpressionError


class ExpressionTest(unittest.TestCase):
    def test_values(self):
        values = {"M": 300, "N": 200, "batch_0": 3}
        cases = {
            "1": 1,
            "M": 300,
            "ceil(M / 128)": 3,
            "floor(M / 128)": 2,
            "M / 128 * 128": 300,
            "M / 128": fractions.Fraction(300, 128),
            "M % 128": 44,
            "0 - M % 7": -6,
            "batch_0 * ceil(M / 128) * ceil(N / 128)": 18,
            "2 * (M + N)": 1000,
            "M <= 1": False,
            "ceil(N / 256) <= 1": True,
            "M % 4 == 0": True,
        }
        for text, expected in cases.items():
            self.assertEqual(Expression(text)(values), expected, text)
            self.assertEqual(str(Expression(text)), text)

    def test_large_values_are_exact(self):
        self.assertEqual(Expression("ceil(M / 3)")({"M": 2**62}), (2**62 + 2) // 3)

    def test_name(self):
        self.assertEqual(Expression("M").name, "M")
        for text in ("1", "M + 1", "ceil(M / 2)"):
            self.assertIsNone(Expression(text).name, text)

    def test_refused(self):
        cases = {
            "": "malformed expression ''",
            "M +": "malformed expression 'M +'",
            "__import__('os')": "'__import__('os')': unexpected '__import__('os')'",
            "M.real": "'M.real': unexpected 'M.real'",
            "M ** 2": "'M ** 2': unexpected 'M ** 2'",
            "1 + True": "'1 + True': unexpected 'True'",
            "1.5 * M": "'1.5 * M': unexpected '1.5'",
            "ceil(M, N)": "'ceil(M, N)': unexpected 'ceil(M, N)'",
            "ceil(x=M)": "'ceil(x=M)': unexpected 'ceil(x=M)'",
            "1 < M < 3": "'1 < M < 3': unexpected '1 < M < 3'",
            "M if M else N": "'M if M else N': unexpected 'M if M else N'",
            "[M for M in N]": "'[M for M in N]': unexpected '[M for M in N]'",
        }
        for text, expected in cases.items():
            with self.assertRaises(ExpressionError) as caught:
                Expression(text)
            self.assertEqual(str(caught.exception), expected)
        with self.assertRaisesRegex(ExpressionError, "malformed expression"):
            Expression("(" * 5000)

    def test_no_value(self):
        with self.assertRaises(ExpressionError) as caught:
            Expression("M + X")({"M": 1})
        self.assertEqual(str(caught.exception), "'M + X': no value for 'X'")
        for text in ("1 / M", "1 % M"):
            with self.assertRaises(ExpressionError) as caught:
                Expression(text)({"M": 0})
            self.assertEqual(str(caught.exception), f"'{text}': division by zero")


class ManifestTest(unittest.TestCase):
    def refuse(self, expected, *kernels, **fields):
        with self.assertRaises(ManifestError) as caught:
            Manifest.parse(fakes.manifest(*kernels, **fields), "m.json")
        self.assertEqual(str(caught.exception), "m.json: " + expected)

    def refuse_argument(self, expected, **fields):
        """In the map of lhs, the argument at index 10."""
        kernel = fakes.kernel()
        kernel["arguments"][10].update(fields)
        self.refuse("kernels[0]: arguments[10]: " + expected, kernel)

    def test_kernel(self):
        manifest = Manifest.parse(fakes.manifest())
        (product,) = manifest.products
        (kernel,) = product.kernels
        self.assertEqual((manifest.chip, product.name), ("sm_90a", "f_kernel"))
        self.assertEqual(product.function, "f")
        self.assertEqual([a.name for a in kernel.of_kind("extent")], ["M", "N", "K"])
        self.assertEqual(kernel.block, (384, 1, 1))
        self.assertEqual(kernel.cluster, (2, 1, 1))
        self.assertTrue(kernel.persistent)
        self.assertEqual(kernel.dynamic_shared_memory_bytes, 200000)
        lhs_map, _ = kernel.of_kind("tensor_map")
        self.assertEqual((lhs_map.operand, lhs_map.box), ("lhs", (128, 64)))
        self.assertEqual(str(kernel.checks[1].unless), "M <= 1")

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "f.json"
            with self.assertRaisesRegex(
                ManifestError, f"cannot read {path}: .*No such"
            ):
                Manifest.read(path)
            path.write_text("{")
            with self.assertRaisesRegex(
                ManifestError, f"cannot read {path}: Expecting"
            ):
                Manifest.read(path)
            path.write_text(json.dumps(fakes.manifest()))
            self.assertEqual(Manifest.read(path).chip, "sm_90a")

    def test_text(self):
        text = json.dumps(fakes.manifest())
        for document in (text, text.encode(), bytearray(text.encode())):
            self.assertEqual(Manifest.parse(document).chip, "sm_90a")
        for document in (b"", "{", b"\xff", "[" * 100000):
            with self.assertRaisesRegex(ManifestError, "^cannot read manifest: "):
                Manifest.parse(document)

    def test_no_document(self):
        cases = {
            "an object, got null": None,
            "an object, got set": {1},
            "an object, got NaN": float("nan"),
        }
        for expected, document in cases.items():
            with self.assertRaises(ManifestError) as caught:
                Manifest.parse(document)
            self.assertEqual(str(caught.exception), f"manifest: expected {expected}")
        self.refuse("chip: expected a name, got bytes", chip=b"sm_90a")
        with self.assertRaises(ManifestError) as caught:
            Manifest.read(b"f.json")
        text = "manifest: expected a path, got bytes"
        self.assertEqual(str(caught.exception), text)

    def test_what_cannot_be_launched(self):
        self.refuse("format_version: expected version 3, got 2", format_version=2)
        self.refuse(
            'chip: expected a chip of NVIDIA, such as sm_90a, got "gfx950"',
            chip="gfx950",
        )
        self.refuse('emit: expected one of binary, got "isa"', emit="isa")
        self.refuse(
            "kernels[0]: kernel 'f_kernel' says nothing of its arguments, so that it"
            " cannot be launched",
            fakes.kernel(arguments=None),
        )
        document = fakes.manifest()
        document["launches"][0]["workspace_bytes"] = 16
        with self.assertRaises(ManifestError) as caught:
            Manifest.parse(document, "m")
        self.assertEqual(
            str(caught.exception),
            "m: launches[0]: workspace_bytes: expected 0: a launch allocates nothing,"
            " got 16",
        )

    def test_malformed(self):
        self.refuse("kernels: expected an array, got 3", kernels=3)
        self.refuse("kernels[0]: expected an object, got 3", kernels=[3])
        self.refuse("launches[0]: steps[0]: no kernel 'f_kernel'", kernels=[])
        self.refuse(
            'kernels[0]: grid: expected three values, along x, y, z, got ["M"]',
            fakes.kernel(grid=["M"]),
        )
        self.refuse(
            "kernels[0]: grid[1]: malformed expression '1 +'",
            fakes.kernel(grid=["M", "1 +", "1"]),
        )
        self.refuse(
            "kernels[0]: grid: expected all workgroups of a persistent kernel along x,"
            ' got ["M", "N", "1"]',
            fakes.kernel(grid=["M", "N", "1"]),
        )
        self.refuse(
            "kernels[0]: persistent: expected a boolean, got 1",
            fakes.kernel(persistent=1),
        )
        self.refuse(
            f"kernels[0]: block[0]: expected a number from 1 to {2**63 - 1}, got 0",
            fakes.kernel(block=[0, 1, 1]),
        )

    def test_no_key(self):
        kernel = fakes.kernel()
        del kernel["persistent"]
        self.refuse("kernels[0]: no key 'persistent'", kernel)

    def test_arguments(self):
        self.refuse_argument(
            "kind: expected one of operand, extent, pitch, stride, factor, tensor_map,"
            ' got "map"',
            kind="map",
        )
        self.refuse_argument(
            'type: expected one of tensor_map, got "address"', type="address"
        )
        self.refuse_argument("operand: no operand 'x'", operand="x")
        self.refuse_argument(
            "box[1]: expected a number from 1 to 256, got 257", box=[1, 257]
        )
        self.refuse_argument(
            "box: expected two extents, the innermost first, got [1]", box=[1]
        )
        self.refuse_argument(
            "swizzle_bytes: expected one of 0, 32, 64, 128, got 16", swizzle_bytes=16
        )
        self.refuse_argument("a second 'lhs'", name="lhs")

    def edit(self, path, value):
        """A manifest with another value somewhere; none deletes the key."""
        document = fakes.manifest()
        *parents, last = path
        node = document
        for key in parents:
            node = node[key]
        if value is None:
            del node[last]
        else:
            node[last] = value
        return document

    def test_every_field(self):
        """Each field of each object is of its type, and there is no other one."""
        document, paths = fakes.manifest(), []

        def collect(node, path):
            for key, value in node.items() if isinstance(node, dict) else enumerate(node):
                paths.append((*path, key))
                if isinstance(value, (dict, list)):
                    collect(value, (*path, key))

        collect(document, ())
        self.assertGreater(len(paths), 100)
        for path in paths:
            for wrong in (1.5, [[]], {"a": 1}, -1, "\n"):
                with self.assertRaises(ManifestError, msg=f"{path}: {wrong}") as caught:
                    Manifest.parse(self.edit(path, wrong), "m")
                self.assertRegex(str(caught.exception), r"^m: [^\n]+$")
            if isinstance(path[-1], str):
                with self.assertRaisesRegex(ManifestError, f"no key '{path[-1]}'"):
                    Manifest.parse(self.edit(path, None))
                with self.assertRaisesRegex(ManifestError, "unknown key 'more'"):
                    Manifest.parse(self.edit((*path[:-1], "more"), 1))

    def test_edited(self):
        kernel = ("kernels", 0)
        cases = {
            "format_version: expected version 3, got 3.0": (("format_version",), 3.0),
            "chip: expected a name, got 90": (("chip",), 90),
            "tool: expected one of lpgemm-compile, got \"nvcc\"": (("tool",), "nvcc"),
            "kernels[0]: block: expected 1024 in all at most, got [1024, 2, 1]": (
                (*kernel, "block"),
                [1024, 2, 1],
            ),
            "kernels[0]: cluster: expected 16 in all at most, got [32, 1, 1]": (
                (*kernel, "cluster"),
                [32, 1, 1],
            ),
            "kernels[0]: dynamic_shared_memory_bytes: expected a number from 0 to"
            " 2147483647, got -1": ((*kernel, "dynamic_shared_memory_bytes"), -1),
            "kernels[0]: schedule: expected a text like #lpgemm\\.schedule<.*>, got"
            ' "fast"': ((*kernel, "schedule"), "fast"),
            "kernels[0]: resources: registers: expected a number from 0 to"
            f" {2**63 - 1}, got true": ((*kernel, "resources", "registers"), True),
            "kernels[0]: grid[0]: no argument 'L' for 'ceil(L / 128)'": (
                (*kernel, "grid", 0),
                "ceil(L / 128)",
            ),
            "kernels[0]: grid[0]: expected a number, not a comparison, got \"M <= 1\"": (
                (*kernel, "grid", 0),
                "M <= 1",
            ),
            "kernels[0]: checks[1]: unless: expected a comparison, got \"M\"": (
                (*kernel, "checks", 1, "unless"),
                "M",
            ),
            "kernels[0]: checks[1]: value: no argument 'rhs_pitch' for 'rhs_pitch'": (
                (*kernel, "checks", 1, "value"),
                "rhs_pitch",
            ),
            "kernels[0]: arguments[0]: shape[1]: no argument 'L' for 'L'": (
                (*kernel, "arguments", 0, "shape"),
                ["M", "L"],
            ),
            "kernels[0]: arguments[0]: unknown key 'box'": (
                (*kernel, "arguments", 0, "box"),
                [1, 1],
            ),
            "kernels[0]: arguments[5]: type: expected one of i32, got \"i64\"": (
                (*kernel, "arguments", 5, "type"),
                "i64",
            ),
            "kernels[0]: arguments[10]: swizzle_bytes: expected one of 0, 32, 64, 128,"
            " got 128.0": ((*kernel, "arguments", 10, "swizzle_bytes"), 128.0),
            "launches[0]: workspace_bytes: expected 0: a launch allocates nothing, got"
            " false": (("launches", 0, "workspace_bytes"), False),
            "launches[0]: steps: expected one launch, behind what fills, got []": (
                ("launches", 0, "steps"),
                [],
            ),
        }
        for expected, (path, value) in cases.items():
            with self.assertRaises(ManifestError) as caught:
                Manifest.parse(self.edit(path, value), "m")
            self.assertEqual(str(caught.exception), "m: " + expected)

    def test_twice(self):
        document = fakes.manifest()
        document["kernels"] *= 2
        with self.assertRaises(ManifestError) as caught:
            Manifest.parse(document, "m")
        text = "m: kernels[1]: a second kernel 'f_kernel'"
        self.assertEqual(str(caught.exception), text)
        with self.assertRaises(ManifestError) as caught:
            Manifest.parse('{"chip": "sm_80", "chip": "sm_90a"}', "m")
        text = "cannot read m: a second key 'chip' in an object"
        self.assertEqual(str(caught.exception), text)


if __name__ == "__main__":
    unittest.main()
