# RUN: %python %s
"""The text of everything that is refused, and that nothing is launched then."""

import unittest
import unittest.mock

import fakes
from fakes import Tensor
from lpgemm import runtime


def program(*kernels, **options):
    library = fakes.Library(**options)
    document = fakes.manifest(*kernels)
    return library, runtime.Program(b"", document, driver=runtime.Driver(library))


class OperandErrorTest(unittest.TestCase):
    def refuse(self, expected, *kernels, **given):
        library, loaded = program(*kernels)
        with self.assertRaises(runtime.OperandError) as caught:
            loaded.run(stream=0, **fakes.operands(**given))
        self.assertEqual(str(caught.exception), "f_kernel: " + expected)
        self.assertEqual(library.launches(), [])

    def test_names(self):
        needed = "lhs, rhs, lhs_scale, rhs_scale, init"
        self.refuse(f"no operand 'bias'; expected {needed}", bias=1)
        library, loaded = program()
        with self.assertRaises(runtime.OperandError) as caught:
            loaded.prepare(lhs=1, init=2)
        text = "f_kernel: no value for rhs, lhs_scale, rhs_scale"
        self.assertEqual(str(caught.exception), text)

    def test_no_tensor(self):
        self.refuse("rhs: expected a tensor of a CUDA device, got list", rhs=[1])
        self.refuse(
            "rhs: expected memory of a CUDA device, got 'cpu'",
            rhs=Tensor("float8_e4m3fn", (200, 256), device="cpu"),
        )

    def test_type(self):
        self.refuse(
            "lhs: expected elements of type f8E4M3FN, got f8E5M2",
            lhs=Tensor("float8_e5m2", (300, 256)),
        )
        self.refuse(
            "lhs: expected elements of type f8E4M3FN, got ui8;"
            " lpgemm.runtime.view(tensor, 'f8E4M3FN') says what bits are",
            lhs=Tensor("uint8", (300, 256)),
        )
        self.refuse(
            "init: expected elements of type bf16, got ui8",
            init=Tensor("uint8", (300, 200)),
        )
        self.refuse(
            "lhs: no kernel has elements of type torch.complex64",
            lhs=Tensor("complex64", (300, 256)),
        )

    def test_type_of_interface(self):
        self.refuse(
            "init: expected elements of type bf16, got ui16;"
            " lpgemm.runtime.view(tensor, 'bf16') says what bits are",
            init=fakes.Interface("<u2", (300, 200)),
        )
        for text in ("<c8", ">f4", "|V2"):
            self.refuse(
                f"init: no kernel has elements of type '{text}'",
                init=fakes.Interface(text, (300, 200)),
            )
        self.refuse(
            "lhs_scale: expected an array without a mask",
            lhs_scale=fakes.Interface("<f4", (300, 2), mask=object()),
        )
        codes = fakes.Interface("<u2", (300, 200), read_only=True)
        self.refuse(
            "init: expected memory that may be written, got a read-only array",
            init=runtime.view(codes, "bf16"),
        )

    def test_shape(self):
        self.refuse(
            "rhs: expected the shape [N, K] = [200, 256], got [200, 255]",
            rhs=Tensor("float8_e4m3fn", (200, 255)),
        )
        self.refuse(
            "lhs_scale: expected the shape [M, ceil(K / 128)] = [300, 2], got [2, 300]",
            lhs_scale=Tensor("float32", (2, 300)),
        )
        self.refuse(
            "lhs: expected the shape [M, K], got [256]",
            lhs=Tensor("float8_e4m3fn", (256,)),
        )

    def test_single_element(self):
        kernel = fakes.kernel()
        kernel["arguments"][2]["shape"] = []
        self.refuse(
            "lhs_scale: expected the shape [], got [2]",
            kernel,
            lhs_scale=Tensor("float32", (2,)),
        )
        library, loaded = program(kernel)
        for shape in ((), (1,), (1, 1)):
            scale = Tensor("float32", shape)
            loaded.run(stream=0, **fakes.operands(lhs_scale=scale))

    def test_extent(self):
        kernel = fakes.kernel()
        kernel["arguments"].append(fakes.extent("L"))
        self.refuse("L: no operand shows this extent, pass L=", kernel)
        self.refuse("L: expected a number, got str", kernel, L="7")
        self.refuse(
            "lhs: expected the shape [M, K] = [299, 256], got [300, 256]", M=299
        )
        library, loaded = program(kernel)
        loaded.run(stream=0, L=7, **fakes.operands())
        self.assertEqual(len(library.launches()), 1)

    def test_memory(self):
        self.refuse(
            "lhs: expected adjacent elements in dimension 1: a stride of 1 bytes, got"
            " 300 bytes",
            lhs=Tensor("float8_e4m3fn", (300, 256), (1, 300)),
        )
        self.refuse(
            "init: expected a stride in dimension 0 of a result, got 0",
            init=Tensor("bfloat16", (300, 200), (0, 1)),
        )
        self.refuse(
            "lhs: expected no negative stride in dimension 0, got -256 bytes",
            lhs=Tensor("float8_e4m3fn", (300, 256), (-256, 1)),
        )
        self.refuse(
            "init: expected an address aligned to 2 bytes, got 0x1001",
            init=Tensor("bfloat16", (300, 200), address=0x1001),
        )

    def test_unit(self):
        kernel = fakes.kernel()
        kernel["arguments"][8]["unit_bytes"] = 16
        self.refuse(
            "lhs_pitch: expected a multiple of 16 bytes, got 260",
            kernel,
            lhs=Tensor("float8_e4m3fn", (300, 256), (260, 1)),
        )

    def test_checks(self):
        self.refuse("M: expected at most 100000, got 100001", m=100001)
        wide = Tensor("float8_e4m3fn", (300, 256), (65540, 1))
        self.refuse(
            "lhs_pitch: expected at most 65536 unless M <= 1, got 65540", lhs=wide
        )
        library, loaded = program()
        wide = Tensor("float8_e4m3fn", (1, 256), (65540, 1))
        loaded.run(stream=0, **fakes.operands(m=1, lhs=wide))
        self.assertEqual(len(library.launches()), 1)

    def test_devices(self):
        self.refuse(
            "rhs: expected device 0, that of lhs, got 1",
            rhs=Tensor("float8_e4m3fn", (200, 256), device="cuda:1"),
        )

    def test_tensor_map(self):
        kernel = fakes.kernel()
        kernel["arguments"][10]["element_type"] = "f8E5M2"
        self.refuse("lhs: expected a tensor map of f8E4M3FN, got f8E5M2", kernel)
        kernel = fakes.kernel()
        kernel["arguments"][0]["element_type"] = "i32"
        kernel["arguments"][10]["element_type"] = "i32"
        self.refuse(
            "lhs: expected a type that tensor maps have, got i32",
            kernel,
            lhs=Tensor("int32", (300, 256)),
        )

    def test_factor(self):
        kernel = fakes.kernel()
        kernel["arguments"].append({"name": "alpha", "kind": "factor", "type": "f32"})
        self.refuse("no value for alpha", kernel)
        self.refuse("alpha: expected a number, got list", kernel, alpha=[1])

    def test_products(self):
        library = fakes.Library()
        document = fakes.manifest(fakes.kernel("f"), fakes.kernel("g"))
        document["launches"] *= 2
        document["launches"] = [
            {**document["launches"][0], "steps": [{"kind": "launch", "kernel": name}]}
            for name in ("f", "g")
        ]
        loaded = runtime.Program(b"", document, driver=runtime.Driver(library))
        self.assertEqual(list(loaded), ["f", "g"])
        with self.assertRaises(runtime.OperandError) as caught:
            loaded.run(**fakes.operands())
        text = "expected a program of one product, got 2: name one of f, g"
        self.assertEqual(str(caught.exception), text)
        with self.assertRaisesRegex(KeyError, "no product 'h'; expected one of f, g"):
            loaded["h"]

    def test_cluster(self):
        library, loaded = program(fakes.kernel(grid=["3 * M", "1", "1"]))
        with self.assertRaises(runtime.ManifestError) as caught:
            loaded.prepare(**fakes.operands(m=3))
        self.assertEqual(
            str(caught.exception),
            "f_kernel: grid: expected a multiple of the 2 workgroups of a cluster, got"
            " 3 * M = 9",
        )


class OverlapTest(unittest.TestCase):
    """(C25) What is written is memory of its own."""

    def run_with(self, *arguments, **given):
        kernel = fakes.kernel()
        kernel["arguments"] += arguments
        library, loaded = program(kernel)
        loaded.run(stream=0, **fakes.operands(**given))
        self.assertEqual(len(library.launches()), 1)

    def refuse(self, other, *arguments, **given):
        with self.assertRaises(runtime.OperandError) as caught:
            self.run_with(*arguments, **given)
        text = f"f_kernel: init: expected memory of its own, got some of {other}"
        self.assertEqual(str(caught.exception), text)

    def test_what_is_read(self):
        lhs = Tensor("float8_e4m3fn", (300, 256), address=0x60000000)
        behind, before = 0x60000000 + 300 * 256, 0x60000000 - 300 * 200 * 2
        for address in (0x60000000, behind - 2, before + 2):
            init = Tensor("bfloat16", (300, 200), address=address)
            self.refuse("lhs", lhs=lhs, init=init)
        for address in (behind, before):
            init = Tensor("bfloat16", (300, 200), address=address)
            self.run_with(lhs=lhs, init=init)

    def test_operands_that_are_read_may_be_one(self):
        both = Tensor("float8_e4m3fn", (300, 256), address=0x10000000)
        self.run_with(n=300, lhs=both, rhs=both)

    def test_in_place(self):
        init = Tensor("bfloat16", (300, 200), (208, 1), address=0x70000000)
        for name in ("c", "epilogue_0"):
            same = fakes.operand(name, "bf16", ["M", "N"])
            self.run_with(same, init=init, **{name: init})
            # Another pitch, another place, the other way round.
            for other in (
                Tensor("bfloat16", (300, 200), (200, 1), address=0x70000000),
                Tensor("bfloat16", (300, 200), (208, 1), address=0x70000002),
            ):
                self.refuse(name, same, init=init, **{name: other})
            turned = fakes.operand(name, "bf16", ["N", "M"])
            square = Tensor("bfloat16", (200, 200), address=0x70000000)
            self.refuse(name, turned, m=200, init=square, **{name: square})
        bias = fakes.operand("bias", "bf16", ["N"])
        self.refuse("bias", bias, init=init, bias=Tensor("bfloat16", (200,), address=0x70000000))

    def test_beside(self):
        """Columns of one matrix."""
        c = fakes.operand("c", "bf16", ["M", "N"])
        init = Tensor("bfloat16", (300, 200), (400, 1), address=0x70000000)
        right = Tensor("bfloat16", (300, 200), (400, 1), address=0x70000000 + 400)
        self.run_with(c, init=init, c=right)
        self.run_with(c, init=right, c=init)
        near = Tensor("bfloat16", (300, 200), (400, 1), address=0x70000000 + 398)
        self.refuse("c", c, init=init, c=near)
        self.refuse("c", c, init=near, c=init)


class ViewTest(unittest.TestCase):
    def read(self, *arguments, **options):
        from lpgemm.runtime import operand

        return operand.read("x", runtime.view(*arguments, **options))

    def test_bytes(self):
        view = self.read(Tensor("uint8", (3, 8), (16, 1)), "f8E5M2")
        self.assertEqual((view.element_type, view.shape), ("f8E5M2", (3, 8)))
        self.assertEqual(view.strides, (16, 1))

    def test_wider_elements(self):
        view = self.read(Tensor("uint8", (3, 8), (16, 1)), "bf16")
        self.assertEqual((view.shape, view.strides), ((3, 4), (16, 2)))
        view = self.read(Tensor("int32", (3, 8)), "f32")
        self.assertEqual((view.shape, view.strides), ((3, 8), (32, 4)))

    def test_packed(self):
        packed = Tensor("uint8", (3, 8), (16, 1))
        self.assertEqual(self.read(packed, "f4E2M1FN").shape, (3, 16))
        self.assertEqual(self.read(packed, "f6E2M3FN").shape, (3, 10))
        odd = self.read(packed, "f4E2M1FN", shape=(3, 15))
        self.assertEqual((odd.shape, odd.strides), ((3, 15), (16, 1)))

    def test_pairs(self):
        from lpgemm.runtime import operand

        pairs = operand.read("x", Tensor("float4_e2m1fn_x2", (3, 8)))
        self.assertEqual((pairs.element_type, pairs.shape), ("f4E2M1FN", (3, 16)))

    def test_refused(self):
        cases = (
            ("x: cannot view f32 as f8E4M3FN", Tensor("float32", (3, 8)), "f8E4M3FN"),
            (
                "x: expected the bytes of a row to be adjacent",
                Tensor("uint8", (3, 8), (1, 3)),
                "f4E2M1FN",
            ),
            (
                "x: expected rows of full bf16 elements, got 7 bytes",
                Tensor("uint8", (3, 7)),
                "bf16",
            ),
        )
        for expected, tensor, name in cases:
            with self.assertRaises(runtime.OperandError) as caught:
                self.read(tensor, name)
            self.assertEqual(str(caught.exception), expected)
        with self.assertRaisesRegex(
            runtime.OperandError,
            r"x: expected a shape of at most \[3, 16\], got \[3, 17\]",
        ):
            self.read(Tensor("uint8", (3, 8)), "f4E2M1FN", shape=(3, 17))
        with self.assertRaisesRegex(
            runtime.OperandError, "view: expected one of f8E4M3FN, .*, got 'f8'"
        ):
            runtime.view(None, "f8")


class DriverErrorTest(unittest.TestCase):
    def test_each_call(self):
        for name in (
            "cuCtxPushCurrent_v2",
            "cuModuleLoadData",
            "cuModuleGetFunction",
            "cuFuncSetAttribute",
            "cuTensorMapEncodeTiled",
            "cuDeviceGet",
            "cuDevicePrimaryCtxRetain",
            "cuDeviceGetAttribute",
            "cuLaunchKernel",
        ):
            library, loaded = program()
            getattr(library, name).status = 700
            with self.assertRaises(runtime.DriverError) as caught:
                loaded.run(stream=0, **fakes.operands())
            text = f"{name}: CUDA_ERROR_X: it broke"
            self.assertEqual(str(caught.exception), text)
            self.assertEqual(caught.exception.name, "CUDA_ERROR_X")

    def test_unknown_error(self):
        library = fakes.Library()
        for name in ("cuInit", "cuGetErrorName", "cuGetErrorString"):
            getattr(library, name).status = 99
        with self.assertRaises(runtime.DriverError) as caught:
            runtime.Driver(library)
        self.assertEqual(str(caught.exception), "cuInit: unknown error 99")

    def test_context_is_left(self):
        library, loaded = program()
        library.cuLaunchKernel.status = 1
        with self.assertRaises(runtime.DriverError):
            loaded.run(stream=0, **fakes.operands())
        pushes = len(library.named("cuCtxPushCurrent_v2"))
        self.assertEqual(len(library.named("cuCtxPopCurrent_v2")), pushes)

    def test_old_driver(self):
        with self.assertRaises(runtime.DriverError) as caught:
            runtime.Driver(fakes.Library(without=("cuTensorMapEncodeTiled",)))
        self.assertEqual(
            str(caught.exception), "cuTensorMapEncodeTiled: the CUDA driver is too old"
        )

    def test_no_driver(self):
        from lpgemm.runtime import driver

        with unittest.mock.patch.object(driver, "LIBRARY", "libnone.so.1"):
            with self.assertRaisesRegex(
                runtime.DriverError, "cannot load the CUDA driver: libnone.so.1: "
            ):
                runtime.Driver()

    def test_chip(self):
        for chip, capability, fits in (
            ("sm_90a", (9, 0), True),
            ("sm_90a", (10, 0), False),
            ("sm_80", (8, 0), True),
            ("sm_80", (8, 9), True),
            ("sm_80", (9, 0), False),
            ("sm_100a", (10, 0), True),
            ("sm_100a", (10, 3), False),
        ):
            library = fakes.Library(capability)
            document = fakes.manifest(chip=chip)
            loaded = runtime.Program(b"", document, driver=runtime.Driver(library))
            if fits:
                loaded.prepare(**fakes.operands())
                continue
            with self.assertRaises(runtime.OperandError) as caught:
                loaded.prepare(**fakes.operands())
            major, minor = divmod(int("".join(filter(str.isdigit, chip))), 10)
            self.assertEqual(
                str(caught.exception),
                f"f_kernel: device 0: expected compute capability {major}.{minor} for"
                f" {chip}, got {capability[0]}.{capability[1]}",
            )


if __name__ == "__main__":
    unittest.main()
