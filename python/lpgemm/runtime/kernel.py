# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a cubin and its manifest to launches."""

import ctypes
import math
import operator
import pathlib
import re
import sys

from lpgemm.runtime import driver as cuda
from lpgemm.runtime import operand as operands
from lpgemm.runtime import overlap, tensormap
from lpgemm.runtime.expression import ExpressionError
from lpgemm.runtime.manifest import Manifest, ManifestError
from lpgemm.runtime.operand import OperandError

C_TYPES = {"i32": ctypes.c_int32, "i64": ctypes.c_int64, "f32": ctypes.c_float}
# A persistent kernel takes a whole multiprocessor for each workgroup.
WORKGROUPS_PER_MULTIPROCESSOR = 1


def load(cubin, manifest=None):
    """The program of a cubin; its manifest is beside it unless named."""
    path = pathlib.Path(cubin)
    described = Manifest.read(manifest or f"{path}.json")
    return Program(path.read_bytes(), described)


class Program:
    """Compiled kernels and what launches them. Nothing is loaded yet."""

    def __init__(self, image, manifest, driver=None):
        if not isinstance(manifest, Manifest):
            manifest = Manifest.parse(manifest)
        self.manifest = manifest
        self._image = bytes(image)
        self._driver = driver
        self._modules, self._functions = {}, {}
        self._products = {
            record.name: Product(self, record) for record in manifest.products
        }

    @property
    def driver(self):
        if self._driver is None:
            self._driver = cuda.default()
        return self._driver

    def __iter__(self):
        return iter(self._products)

    def __getitem__(self, name):
        """The product whose kernel, or whose only function, has this name."""
        if name in self._products:
            return self._products[name]
        found = [p for p in self._products.values() if p.record.function == name]
        if len(found) != 1:
            known = ", ".join(self._products)
            raise KeyError(f"no product '{name}'; expected one of {known}")
        return found[0]

    def _only(self):
        if len(self._products) != 1:
            raise OperandError(
                f"expected a program of one product, got {len(self._products)}: name"
                f" one of {', '.join(self._products)}"
            )
        return next(iter(self._products.values()))

    def prepare(self, **values):
        return self._only().prepare(**values)

    def run(self, stream=None, **values):
        return self._only().run(stream, **values)

    def function(self, ordinal, kernel):
        """The kernel on a device, whose context is current."""
        key = (ordinal, kernel.name)
        if key not in self._functions:
            self._functions[key] = self._load_function(ordinal, kernel)
        return self._functions[key]

    def _load_function(self, ordinal, kernel):
        if ordinal not in self._modules:
            self._check_chip(ordinal)
            self._modules[ordinal] = self.driver.load_module(self._image)
        function = self.driver.function(self._modules[ordinal], kernel.name)
        if kernel.dynamic_shared_memory_bytes:
            self.driver.set_dynamic_shared_memory(
                function, kernel.dynamic_shared_memory_bytes
            )
        return function

    def _check_chip(self, ordinal):
        major = self.driver.attribute(ordinal, cuda.COMPUTE_CAPABILITY_MAJOR)
        minor = self.driver.attribute(ordinal, cuda.COMPUTE_CAPABILITY_MINOR)
        number, suffix = re.fullmatch(r"sm_(\d+)(\D?)", self.manifest.chip).groups()
        expected = divmod(int(number), 10)
        # Code for a chip runs on later ones of its generation, unless it uses
        # what only that chip has (CUDA C++ Programming Guide, "Compute
        # Capability").
        fits = (
            (major, minor) == expected
            if suffix
            else (major == expected[0] and minor >= expected[1])
        )
        if not fits:
            raise OperandError(
                f"device {ordinal}: expected compute capability"
                f" {expected[0]}.{expected[1]} for {self.manifest.chip}, got"
                f" {major}.{minor}"
            )


class Product:
    """One product of a program: the kernels that compute it."""

    def __init__(self, program, record):
        self._program, self.record = program, record

    def prepare(self, **values):
        """A Launch on these operands.

        Alpha and beta are numbers; an extent that no operand shows may be given
        by its name. Raises OperandError if something does not fit.
        """
        try:
            binding = Binding(self.record, values)
            return Launch(self._program, self.record, binding)
        except (OperandError, ExpressionError) as error:
            raise OperandError(f"{self.record.name}: {error}") from None

    def run(self, stream=None, **values):
        """Prepares and launches once."""
        launch = self.prepare(**values)
        launch(stream)
        return launch


def _one_of(names):
    return ", ".join(dict.fromkeys(names))


class Binding:
    """The values of all arguments of a product's kernels, checked."""

    def __init__(self, record, given):
        arguments = [a for kernel in record.kernels for a in kernel.arguments]
        self.by_name = {argument.name: argument for argument in arguments}
        self._check_names(given)
        # The memory lives as long as the arrays.
        self.arrays = given
        self.fits, self.values = {}, {}
        for name, argument in self.by_name.items():
            if argument.kind == "operand":
                fit = operands.Fit(argument, operands.read(name, given[name]))
                fit.check_type()
                fit.check_rank()
                self.fits[name] = fit
            elif argument.kind == "factor":
                self.values[name] = self._number(name, given[name], float)
        self._bind_extents(given)
        for fit in self.fits.values():
            fit.check_shape(self.values)
            fit.check_memory()
        overlap.check(self.fits.values())
        for argument in self.by_name.values():
            if argument.kind in ("pitch", "stride"):
                self.values[argument.name] = self._distance(argument)
        self.device = self._find_device()

    def _check_names(self, given):
        needed = [
            a.name for a in self.by_name.values() if a.kind in ("operand", "factor")
        ]
        known = needed + [a.name for a in self.by_name.values() if a.kind == "extent"]
        for name in given:
            if name not in known:
                raise OperandError(f"no operand '{name}'; expected {_one_of(needed)}")
        missing = [name for name in needed if name not in given]
        if missing:
            raise OperandError(f"no value for {_one_of(missing)}")

    @staticmethod
    def _number(name, value, kind):
        try:
            return kind(value)
        except (TypeError, ValueError):
            actual = type(value).__name__
            raise OperandError(f"{name}: expected a number, got {actual}") from None

    def _bind_extents(self, given):
        for name, argument in self.by_name.items():
            if argument.kind == "extent" and name in given:
                self.values[name] = self._number(name, given[name], operator.index)
        for fit in self.fits.values():
            for expr, extent in zip(fit.argument.shape, fit.operand.shape):
                if expr.name is not None:
                    self.values.setdefault(expr.name, extent)
        for name, argument in self.by_name.items():
            if argument.kind == "extent" and name not in self.values:
                raise OperandError(
                    f"{name}: no operand shows this extent, pass {name}="
                )

    def _distance(self, argument):
        fit = self.fits[argument.operand]
        is_pitch = argument.kind == "pitch"
        distance = fit.pitch() if is_pitch else fit.stride(argument.extent)
        if distance % argument.unit_bytes != 0:
            raise OperandError(
                f"{argument.name}: expected a multiple of {argument.unit_bytes} bytes,"
                f" got {distance}"
            )
        return distance // argument.unit_bytes

    def _find_device(self):
        known = {
            name: fit.operand.device
            for name, fit in self.fits.items()
            if fit.operand.device is not None
        }
        for name, device in known.items():
            first = next(iter(known))
            if device != known[first]:
                raise OperandError(
                    f"{name}: expected device {known[first]}, that of {first}, got"
                    f" {device}"
                )
        return next(iter(known.values()), None)

    def check(self, kernel):
        for check in kernel.checks:
            value = check.value(self.values)
            if value <= check.at_most:
                continue
            if check.unless is not None and check.unless(self.values):
                continue
            unless = f" unless {check.unless}" if check.unless else ""
            raise OperandError(
                f"{check.value}: expected at most {check.at_most}{unless}, got {value}"
            )


class Launch:
    """Kernels with their arguments, to be launched any number of times.

    It keeps the operands alive, and allocates nothing when it is called: it can
    be captured in a CUDA graph.
    """

    def __init__(self, program, record, binding):
        self._driver = program.driver
        device = binding.device
        self._device = self._driver.current_device() if device is None else device
        self._context = self._driver.context(self._device)
        for kernel in record.kernels:
            binding.check(kernel)
        self._binding = binding
        self._launches, self._kept = [], []
        with self._driver.current(self._context):
            for kernel in record.kernels:
                self._add(program, kernel)

    def _add(self, program, kernel):
        grid = self._grid(kernel)
        if 0 in grid:
            return
        values = [self._argument(argument) for argument in kernel.arguments]
        addresses = [ctypes.addressof(value) for value in values]
        parameters = (ctypes.c_void_p * len(addresses))(*addresses)
        self._kept += [values, parameters]
        self._launches.append(
            (
                program.function(self._device, kernel),
                grid,
                kernel.block,
                kernel.dynamic_shared_memory_bytes,
                parameters,
            )
        )

    def _grid(self, kernel):
        grid = [expr(self._binding.values) for expr in kernel.grid]
        for extent, cluster, expr in zip(grid, kernel.cluster, kernel.grid):
            if extent != int(extent) or extent < 0 or extent % cluster != 0:
                raise ManifestError(
                    f"{kernel.name}: grid: expected a multiple of the {cluster}"
                    f" workgroups of a cluster, got {expr} = {extent}"
                )
        if kernel.persistent:
            grid[0] = min(grid[0], self._resident(kernel))
        return tuple(grid)

    def _resident(self, kernel):
        """Workgroups that the device holds at once."""
        count = self._driver.attribute(self._device, cuda.MULTIPROCESSOR_COUNT)
        count *= WORKGROUPS_PER_MULTIPROCESSOR
        return count - count % math.prod(kernel.cluster)

    def _argument(self, argument):
        binding = self._binding
        if argument.kind == "operand":
            return ctypes.c_uint64(binding.fits[argument.name].operand.address)
        if argument.kind == "tensor_map":
            fit = binding.fits[argument.operand]
            return self._describe(argument, fit).encode(self._driver)
        return C_TYPES[argument.type](binding.values[argument.name])

    @staticmethod
    def _describe(argument, fit):
        expected = fit.argument.element_type
        if argument.element_type != expected:
            fit.fail(f"a tensor map of {expected}", argument.element_type)
        if len(fit.matrix) != 2 or len(fit.batch) > 1:
            fit.fail(
                "a matrix for a tensor map, in one dimension of a batch at most",
                f"rank {len(fit.argument.shape)}",
            )
        if tensormap.data_type(expected) is None:
            fit.fail("a type that tensor maps have", expected)
        return tensormap.describe(argument, fit)

    def __call__(self, stream=None):
        """Launches on a stream: a handle, or what has one.

        By default that is the stream that is current in PyTorch, or else the
        default stream.
        """
        stream = self._stream(stream)
        with self._driver.current(self._context):
            for function, grid, block, shared_bytes, parameters in self._launches:
                self._driver.launch(
                    function, grid, block, shared_bytes, stream, parameters
                )

    def _stream(self, stream):
        if stream is None:
            torch = sys.modules.get("torch")
            if torch is None:
                return 0
            return torch.cuda.current_stream(self._device).cuda_stream
        for attribute in ("cuda_stream", "ptr"):
            stream = getattr(stream, attribute, stream)
        return stream
