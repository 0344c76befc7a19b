# RUN: %python %s
"""Launches: what the driver is told, and the text of what is refused before."""

import ctypes
import gc
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import weakref

import fakes
from lpgemm import runtime


def program(*kernels, library=None, **fields):
    library = library or fakes.Library()
    document = fakes.manifest(*kernels, **fields)
    result = runtime.Program(b"image", document, driver=runtime.Driver(library))
    return library, result


def batch_kernel():
    """rhs is the same for the whole batch."""
    return fakes.kernel(
        arguments=[
            fakes.operand("lhs", "f8E4M3FN", ["batch_0", "M", "K"]),
            fakes.operand("rhs", "f8E4M3FN", ["1", "N", "K"]),
            fakes.operand("init", "bf16", ["batch_0", "M", "N"], written=True),
            *map(fakes.extent, ("batch_0", "M", "N", "K")),
            fakes.pitch("lhs", 1),
            fakes.pitch("rhs", 1),
            {
                "name": "lhs_stride_0",
                "kind": "stride",
                "type": "i64",
                "operand": "lhs",
                "unit_bytes": 1,
                "extent": "batch_0",
            },
            {"name": "alpha", "kind": "factor", "type": "f32"},
        ],
        checks=[],
        grid=["batch_0 * ceil(M / 128) * ceil(N / 128)", "1", "1"],
        cluster=None,
        persistent=False,
        dynamic_shared_memory_bytes=0,
    )


class LaunchTest(unittest.TestCase):
    def test_launch(self):
        library, loaded = program()
        launch = loaded.prepare(**fakes.operands())
        self.assertEqual(library.named("cuModuleLoadData")[0][1], b"image")
        self.assertEqual(library.named("cuModuleGetFunction")[0][2], b"f_kernel")
        # MAX_DYNAMIC_SHARED_SIZE_BYTES.
        self.assertEqual(library.named("cuFuncSetAttribute"), [(1002, 8, 200000)])
        self.assertEqual(library.launches(), [])
        launch(stream=77)
        launch(stream=77)
        expected = (1002, (8, 1, 1), (384, 1, 1), 200000, 77)
        self.assertEqual(library.launches(), [expected] * 2)

    def test_parameters(self):
        library, loaded = program()
        kept = loaded.run(stream=0, **fakes.operands(m=300, n=200, k=256))
        (launch,) = library.named("cuLaunchKernel")
        addresses = [fakes.parameter(launch, i, ctypes.c_uint64) for i in range(5)]
        self.assertEqual(addresses, [0x10000000, 0x20000000, 0x30000000, 0x40000000, 0x50000000])
        extents = [fakes.parameter(launch, i, ctypes.c_int32) for i in (5, 6, 7)]
        self.assertEqual(extents, [300, 200, 256])
        pitches = [fakes.parameter(launch, i, ctypes.c_int64) for i in (8, 9)]
        self.assertEqual(pitches, [256, 200])
        for position in (10, 11):
            block = ctypes.string_at(launch[9][position], 128)
            self.assertEqual(block, b"\xab" * 128)
            self.assertEqual(launch[9][position] % 64, 0)
        self.assertIsInstance(kept, runtime.Launch)

    def test_manifest_as_text(self):
        text = json.dumps(fakes.manifest()).encode()
        driver = runtime.Driver(fakes.Library())
        loaded = runtime.Program(b"image", text, driver=driver)
        self.assertEqual(list(loaded), ["f_kernel"])

    def test_mask(self):
        """A bool is a byte of 0 or 1, and so is an i8 that a region tests."""
        kernel = fakes.kernel()
        kernel["arguments"].append(fakes.operand("epilogue_0", "i8", ["M", "N"]))
        library, loaded = program(kernel)
        for mask in (
            fakes.Tensor("bool", (300, 200), address=0x60000000),
            fakes.Interface("|b1", (300, 200), address=0x60000000),
            fakes.Interface("|i1", (300, 200), address=0x60000000),
            runtime.view(fakes.Interface("|u1", (300, 200), address=0x60000000), "i8"),
        ):
            loaded.run(stream=0, **fakes.operands(epilogue_0=mask))
            launch = library.named("cuLaunchKernel")[-1]
            self.assertEqual(fakes.parameter(launch, 12, ctypes.c_uint64), 0x60000000)

    def test_codes_of_interface(self):
        library, loaded = program()
        codes = fakes.Interface("<u2", (300, 200), address=0x70000000)
        loaded.run(stream=0, **fakes.operands(init=runtime.view(codes, "bf16")))
        self.assertEqual(library.maps[1]["address"], 0x70000000)
        self.assertEqual(library.maps[1]["extents"], [200, 300])
        self.assertEqual(library.maps[1]["strides"], [400])

    def test_nothing_is_encoded_again(self):
        library, loaded = program()
        launch = loaded.prepare(**fakes.operands())
        launch(stream=0)
        before = len(library.calls)
        launch(stream=0)
        names = [name for name, _ in library.calls[before:]]
        self.assertEqual(
            names, ["cuCtxPushCurrent_v2", "cuLaunchKernel", "cuCtxPopCurrent_v2"]
        )

    def test_operands_live_as_long_as_the_launch(self):
        _, loaded = program()
        given = fakes.operands()
        lhs = weakref.ref(given["lhs"])
        launch = loaded.prepare(**given)
        del given
        gc.collect()
        self.assertIsNotNone(lhs())
        del launch
        gc.collect()
        self.assertIsNone(lhs())

    def test_persistent_grid(self):
        # 2 * 16 * 32 tiles; 132 multiprocessors, or 131, in clusters of two.
        for count, expected in ((132, 132), (131, 130)):
            library, loaded = program(library=fakes.Library(multiprocessors=count))
            loaded.run(stream=0, **fakes.operands(4096, 4096, 128))
            self.assertEqual(library.launches()[0][1], (expected, 1, 1))

    def test_grid_that_is_not_persistent(self):
        library, loaded = program(fakes.kernel(persistent=False))
        loaded.run(stream=0, **fakes.operands(4096, 4096, 128))
        self.assertEqual(library.launches()[0][1], (1024, 1, 1))

    def test_nothing_to_launch(self):
        library, loaded = program()
        loaded.run(stream=0, **fakes.operands(m=0))
        self.assertEqual(library.launches(), [])

    def test_fill_comes_first_and_alone(self):
        fill = fakes.kernel(
            "f_fill",
            arguments=[fakes.operand("amax", "f32", [], written=True)],
            grid=["1", "1", "1"],
            block=[1, 1, 1],
            cluster=None,
            persistent=False,
            dynamic_shared_memory_bytes=0,
            checks=[],
        )
        library, loaded = program(fill, fakes.kernel())
        amax = fakes.Tensor("float32", (1,), address=0x60000000)
        loaded.run(stream=0, **fakes.operands(), amax=amax)
        blocks = [launch[2] for launch in library.launches()]
        self.assertEqual(blocks, [(1, 1, 1), (384, 1, 1)])
        loaded.run(stream=0, **fakes.operands(m=0), amax=amax)
        self.assertEqual(library.launches()[2][2], (1, 1, 1))
        self.assertEqual(len(library.launches()), 3)

    def test_batch_and_factor(self):
        library, loaded = program(batch_kernel())
        kept = loaded["f_kernel"].run(
            stream=0,
            lhs=fakes.Tensor("float8_e4m3fn", (3, 5, 128), (9000, 256, 1)),
            rhs=fakes.Tensor("float8_e4m3fn", (1, 7, 128)),
            init=fakes.Tensor("bfloat16", (3, 5, 7), address=0x50000000),
            alpha=0.5,
        )
        (launch,) = library.named("cuLaunchKernel")
        self.assertEqual(launch[1], 3)
        extents = [fakes.parameter(launch, i, ctypes.c_int32) for i in (3, 4, 5, 6)]
        self.assertEqual(extents, [3, 5, 7, 128])
        numbers = [fakes.parameter(launch, i, ctypes.c_int64) for i in (7, 8, 9)]
        self.assertEqual(numbers, [256, 128, 9000])
        self.assertEqual(fakes.parameter(launch, 10, ctypes.c_float), 0.5)
        self.assertIsInstance(kept, runtime.Launch)

    def test_other_arrays(self):
        class Array:
            def __init__(self, typestr, shape, strides=None, address=0x100):
                self.__cuda_array_interface__ = {
                    "typestr": typestr,
                    "shape": shape,
                    "strides": strides,
                    "data": (address, False),
                    "version": 3,
                }

        library, loaded = program()
        given = fakes.operands()
        codes = Array("|u1", (300, 256), (512, 1), 0x900)
        given["lhs"] = runtime.view(codes, "f8E4M3FN")
        given["lhs_scale"] = Array("<f4", (300, 2))
        kept = loaded.run(stream=0, **given)
        (launch,) = library.named("cuLaunchKernel")
        self.assertEqual(fakes.parameter(launch, 0, ctypes.c_uint64), 0x900)
        self.assertEqual(fakes.parameter(launch, 8, ctypes.c_int64), 512)
        self.assertIsInstance(kept, runtime.Launch)

    def test_device_of_the_operands(self):
        library, loaded = program()
        names = ("lhs", "rhs", "lhs_scale", "rhs_scale", "init")
        given = fakes.operands()
        for name in names:
            given[name].device.index = 1
        loaded.run(stream=0, **given)
        self.assertEqual(library.named("cuDevicePrimaryCtxRetain")[0][1], 1)
        self.assertEqual(library.named("cuCtxPushCurrent_v2")[-1], (501,))

    def test_stream_objects(self):
        library, loaded = program()
        launch = loaded.prepare(**fakes.operands())
        for attribute in ("cuda_stream", "ptr"):
            launch(type("Stream", (), {attribute: 9})())
            self.assertEqual(library.launches()[-1][4], 9)
        # Without PyTorch, the default stream.
        launch()
        self.assertEqual(library.launches()[-1][4], 0)

    def test_load(self):
        with tempfile.TemporaryDirectory() as folder:
            cubin = pathlib.Path(folder) / "f.cubin"
            cubin.write_bytes(b"image")
            (cubin.parent / "f.cubin.json").write_text(json.dumps(fakes.manifest()))
            self.assertEqual(list(runtime.load(cubin)), ["f_kernel"])
            other = cubin.parent / "other.json"
            document = fakes.manifest(fakes.kernel("g_kernel"))
            other.write_text(json.dumps(document))
            self.assertEqual(list(runtime.load(cubin, other)), ["g_kernel"])

    def test_import_needs_nothing(self):
        code = (
            "import lpgemm.runtime, sys; print([m for m in ('torch', 'numpy')"
            " if m in sys.modules])"
        )
        text = subprocess.check_output([sys.executable, "-c", code], text=True)
        self.assertEqual(text, "[]\n")


class TensorMapTest(unittest.TestCase):
    def maps(self, **given):
        library, loaded = program()
        launch = loaded.prepare(**fakes.operands(**given))
        launch(stream=0)
        (call,) = library.named("cuLaunchKernel")
        blocks = [ctypes.string_at(call[9][i], 128) for i in (10, 11)]
        return library.maps, [block != bytes(128) for block in blocks]

    def test_encoding(self):
        (lhs, init), encoded = self.maps(m=300, n=200, k=256)
        self.assertEqual(encoded, [True, True])
        self.assertEqual(
            lhs,
            {
                "type": 0,
                "rank": 2,
                "address": 0x10000000,
                "extents": [256, 300],
                "strides": [256],
                "box": [128, 64],
                "steps": [1, 1],
                "interleave": 0,
                "swizzle": 3,
                "promotion": 2,
                "fill": 0,
            },
        )
        self.assertEqual((init["type"], init["address"]), (9, 0x50000000))
        self.assertEqual((init["extents"], init["strides"]), ([200, 300], [400]))
        self.assertEqual(init["box"], [64, 16])

    def test_types_and_swizzles(self):
        for dtype, name, number in (
            ("float8_e5m2", "f8E5M2", 0),
            ("float16", "f16", 6),
            ("float32", "f32", 7),
        ):
            for swizzle, code in ((0, 0), (32, 1), (64, 2), (128, 3)):
                kernel = fakes.kernel()
                kernel["arguments"][0]["element_type"] = name
                kernel["arguments"][10].update(element_type=name, swizzle_bytes=swizzle)
                library, loaded = program(kernel)
                lhs = fakes.Tensor(dtype, (300, 256))
                loaded.prepare(**fakes.operands(lhs=lhs))
                self.assertEqual(library.maps[0]["type"], number)
                self.assertEqual(library.maps[0]["swizzle"], code)

    def test_pitch(self):
        lhs = fakes.Tensor("float8_e4m3fn", (300, 256), (1024, 1))
        maps, _ = self.maps(lhs=lhs)
        self.assertEqual(maps[0]["strides"], [1024])

    def test_single_row(self):
        # Its pitch says nothing: the length, rounded up to 16 bytes, is taken.
        lhs = fakes.Tensor("float8_e4m3fn", (1, 200), (3, 1))
        maps, encoded = self.maps(m=1, k=200, lhs=lhs)
        self.assertEqual(encoded, [True, True])
        self.assertEqual(maps[0]["strides"], [208])

    def test_what_no_map_describes(self):
        def lhs(address=0x10000000, pitch=256, k=256):
            return fakes.Tensor("float8_e4m3fn", (300, k), (pitch, 1), address)

        for case in (lhs(address=0x10000008), lhs(pitch=264)):
            maps, encoded = self.maps(lhs=case)
            self.assertEqual(encoded, [False, True])
            self.assertEqual(len(maps), 1)

    def test_limits(self):
        from lpgemm.runtime.tensormap import TensorMap

        def is_describable(extents=(256, 300), pitch=256, stride=None):
            strides = (pitch,) if stride is None else (pitch, stride)
            described = TensorMap(0, 0x10000000, extents, strides, (1, 1), 0)
            return described.is_describable()

        self.assertTrue(is_describable())
        self.assertTrue(is_describable(extents=(2**32, 2**32), pitch=2**40 - 16))
        self.assertFalse(is_describable(extents=(2**32 + 1, 300)))
        self.assertFalse(is_describable(extents=(256, 2**32 + 1)))
        self.assertFalse(is_describable(extents=(0, 300)))
        self.assertFalse(is_describable(extents=(256, 0)))
        self.assertFalse(is_describable(pitch=2**40))
        batch = (256, 300, 7)
        self.assertTrue(is_describable(batch, stride=2**40 - 16))
        self.assertTrue(is_describable(batch, stride=0))
        self.assertFalse(is_describable(batch, stride=2**40))
        self.assertFalse(is_describable(batch, stride=24))
        self.assertFalse(is_describable((256, 300, 0), stride=256))

    def batch_maps(self, lhs):
        """Maps of lhs and rhs, of which the latter is the same for all entries."""
        kernel = batch_kernel()
        kernel["arguments"] += [
            fakes.tensor_map("lhs", "f8E4M3FN", [128, 64]),
            fakes.tensor_map("rhs", "f8E4M3FN", [128, 32]),
        ]
        library, loaded = program(kernel)
        loaded.run(
            stream=0,
            lhs=lhs,
            rhs=fakes.Tensor("float8_e4m3fn", (1, 7, 128), address=0x20000000),
            init=fakes.Tensor("bfloat16", (3, 5, 7), address=0x50000000),
            alpha=0.5,
        )
        return library.maps

    def test_batch(self):
        lhs = fakes.Tensor("float8_e4m3fn", (3, 5, 128), (9008, 256, 1), 0x10000000)
        first, second = self.batch_maps(lhs)
        self.assertEqual((first["rank"], second["rank"]), (3, 2))
        self.assertEqual(first["extents"], [128, 5, 3])
        self.assertEqual(first["strides"], [256, 9008])
        self.assertEqual((first["box"], first["steps"]), ([128, 64, 1], [1, 1, 1]))
        self.assertEqual((second["extents"], second["strides"]), ([128, 7], [128]))
        # The kernel makes the same test.
        odd = fakes.Tensor("float8_e4m3fn", (3, 5, 128), (9000, 256, 1), 0x10000000)
        self.assertEqual(len(self.batch_maps(odd)), 1)

    def test_batch_of_two_dimensions(self):
        kernel = batch_kernel()
        kernel["arguments"][0]["shape"] = ["batch_0", "batch_1", "M", "K"]
        kernel["arguments"].append(fakes.extent("batch_1"))
        kernel["arguments"].append(fakes.tensor_map("lhs", "f8E4M3FN", [128, 64]))
        _, loaded = program(kernel)
        with self.assertRaises(runtime.OperandError) as caught:
            loaded.prepare(
                lhs=fakes.Tensor("float8_e4m3fn", (3, 2, 5, 128), address=0x10000000),
                rhs=fakes.Tensor("float8_e4m3fn", (1, 7, 128), address=0x20000000),
                init=fakes.Tensor("bfloat16", (3, 5, 7), address=0x50000000),
                alpha=0.5,
            )
        self.assertEqual(
            str(caught.exception),
            "f_kernel: lhs: expected a matrix for a tensor map, in one dimension of a"
            " batch at most, got rank 4",
        )


if __name__ == "__main__":
    unittest.main()
