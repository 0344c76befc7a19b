# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches kernels as their manifest says (docs/manifest.md)."""

import collections
import dataclasses
import math
import struct

import numpy as np

from .memory import GAP, Memory
from .text import Fault, parse_kernel
from .workgroup import Workgroup, decode_kernel

# Bits of an element in memory, and the type of an array with one.
ELEMENTS = {
    "f32": (32, np.float32), "i32": (32, np.int32), "bf16": (16, np.uint16), "f16": (16, np.float16),
    "i8": (8, np.int8), "f6E2M3FN": (6, np.uint8), "f6E3M2FN": (6, np.uint8), "f4E2M1FN": (4, np.uint8),
}  # fmt: skip
FORMATS = {"address": "<Q", "i32": "<i", "i64": "<q", "f32": "<f"}
# What rows and arguments are surrounded by: a NaN in every float, -1 in integers.
POISON = 0xFF
ALIGNED = 16
# Persistent workgroups that are launched at most: few, so that they go on.
HELD = 3


def lookup_element(name):
    return ELEMENTS.get(name, (8, np.uint8))


def evaluate(expression, names):
    """An expression of a manifest. `/` is exact where it matters: within ceil
    and floor, of integers."""
    functions = {"ceil": math.ceil, "floor": math.floor}
    return int(eval(expression, {"__builtins__": {}}, {**functions, **names}))  # noqa: S307


def pack_row(codes, bits):
    """Codes of less than a byte, the first in the lowest bits, filled up with 0."""
    planes = codes[:, None] >> np.arange(bits) & 1
    return np.packbits(planes.astype(np.uint8).reshape(-1), bitorder="little")


def unpack_row(row, bits, count):
    planes = np.unpackbits(row, bitorder="little")[: bits * count].reshape(count, bits)
    return (planes << np.arange(bits)).sum(1).astype(np.uint8)


class Operand:
    """The layout of an operand: rows of adjacent elements at a pitch that leaves
    space between them."""

    def __init__(self, argument, names):
        self.name, self.element = argument["name"], argument["element_type"]
        self.bits, self.dtype = lookup_element(self.element)
        self.shape = [evaluate(str(extent), names) for extent in argument["shape"]]
        self.is_written = argument["written"]
        # Of a vector the elements are rows; scales of some layouts have more
        # dimensions of a matrix, which are contiguous.
        batch = sum(str(extent).startswith("batch_") for extent in argument["shape"])
        self.dims, inner = self.shape[:batch], self.shape[batch:]
        self.columns = math.prod(inner[1:]) if inner else 1
        self.rows = inner[0] if inner else 1
        self.row_bytes = -(-self.columns * self.bits // 8)
        # Rows of whole pieces of 16 bytes stay aligned, others never are.
        gap = 3 * max(self.bits // 8, 1) if self.row_bytes % ALIGNED else ALIGNED
        self.pitch = self.row_bytes + gap

    def strides(self):
        """Bytes from one entry of each dimension of the batch to the next."""
        sizes, size = [], self.pitch * self.rows
        for extent in reversed(self.dims):
            sizes.insert(0, size)
            size *= extent
        return sizes

    def count_rows(self):
        return math.prod(self.dims) * self.rows

    def to_bytes(self, array):
        """The array's elements in memory, with poison between the rows."""
        data = np.full((self.count_rows(), self.pitch), POISON, np.uint8)
        rows = np.ascontiguousarray(array, self.dtype).reshape(self.count_rows(), self.columns)
        for i, row in enumerate(rows):
            data[i, : self.row_bytes] = pack_row(row, self.bits) if self.bits < 8 else row.view(np.uint8)
        return data.reshape(-1)

    def from_bytes(self, data):
        """The array in memory; fails if the space between rows was written."""
        rows = data.reshape(self.count_rows(), self.pitch)
        if (rows[:, self.row_bytes :] != POISON).any():
            raise Fault(f"{self.name}: the space between rows was written")
        kept = np.ascontiguousarray(rows[:, : self.row_bytes])
        if self.bits < 8:
            return np.array([unpack_row(row, self.bits, self.columns) for row in kept]).reshape(self.shape)
        return kept.view(self.dtype).reshape(self.shape)


class Module:
    """The kernels of an assembly text and of its manifest."""

    def __init__(self, text, manifest):
        self.kernels = {entry["name"]: entry for entry in manifest["kernels"]}
        if len(manifest["launches"]) != 1:
            raise Fault(f"expected one product, got {len(manifest['launches'])}")
        self.workspace_bytes = str(manifest["launches"][0].get("workspace_bytes", 0))
        self.steps = [step["kernel"] for step in manifest["launches"][0]["steps"]]
        self.parsed = {name: parse_kernel(text, name) for name in self.steps}
        self.code = {name: decode_kernel(kernel) for name, kernel in self.parsed.items()}

    def operands(self, extents):
        """All operands of all steps by their names."""
        found = {}
        for step in self.steps:
            for argument in self.kernels[step]["arguments"]:
                if argument["kind"] == "operand":
                    found.setdefault(argument["name"], Operand(argument, extents))
        return found


def make_values(entry, operands, addresses, scalars):
    """The value of each argument of a kernel."""
    for argument in entry["arguments"]:
        name, kind = argument["name"], argument["kind"]
        if kind in ("operand", "workspace"):
            yield argument, addresses[name]
        elif kind in ("pitch", "stride"):
            operand = operands[argument["operand"]]
            dimension = int(name.rpartition("_")[2]) if kind == "stride" else 0
            size = operand.strides()[dimension] if kind == "stride" else operand.pitch
            yield argument, size // argument["unit_bytes"]
        elif name in scalars:
            yield argument, scalars[name]
        else:
            raise Fault(f"expected a value of the argument {name}")


def pack_arguments(kernel, entry, values):
    """The bytes that a kernel's arguments are; what is between them is poison."""
    data = bytearray([POISON]) * kernel.argument_bytes
    if len(entry["arguments"]) != len(kernel.argument_offsets):
        raise Fault(f"{kernel.name}: manifest and metadata differ in the number of arguments")
    for (argument, value), offset in zip(values, kernel.argument_offsets):
        code = struct.pack(FORMATS[argument["type"]], value)
        data[offset : offset + len(code)] = code
    return np.frombuffer(bytes(data), np.uint8)


@dataclasses.dataclass
class Outcome:
    """Results by the names of operands, instructions that ran, and how much
    the wait of each line of the text, and counter, had to wait for."""

    results: dict
    instructions: int
    waited: collections.Counter


def place_operands(operands, arrays, workspace_bytes):
    sizes = {name: operand.count_rows() * operand.pitch for name, operand in operands.items()}
    memory = Memory(sum(sizes.values()) + workspace_bytes + (len(sizes) + 9) * (2 * GAP))
    addresses = {"workspace": memory.allocate(np.full(workspace_bytes, POISON, np.uint8))}
    for name, operand in operands.items():
        data = np.full(sizes[name], POISON, np.uint8)
        if not operand.is_written:
            shape = list(arrays[name].shape)
            if shape != operand.shape:
                raise Fault(f"{name}: expected the shape {operand.shape}, got {shape}")
            data = operand.to_bytes(arrays[name])
        addresses[name] = memory.allocate(data)
    return memory, addresses, sizes


def launch(module, mode, arrays, scalars):
    """Runs all steps of a product. `scalars` are extents and factors."""
    operands = module.operands(scalars)
    memory, addresses, sizes = place_operands(operands, arrays, evaluate(module.workspace_bytes, scalars))
    outcome, workgroups = Outcome({}, 0, collections.Counter()), 0
    for step in module.steps:
        entry, kernel = module.kernels[step], module.parsed[step]
        grid = [evaluate(extent, scalars) for extent in entry["grid"]]
        if grid[1:] != [1, 1]:
            raise Fault(f"{step}: expected a grid of one dimension")
        if entry.get("persistent"):
            workgroups = grid[0] = min(grid[0], HELD)
        values = make_values(entry, operands, addresses, {**scalars, "workgroups": workgroups})
        arguments = memory.allocate(pack_arguments(kernel, entry, values))
        threads = math.prod(entry["block"])
        for group in range(grid[0]):
            workgroup = Workgroup(kernel, module.code[step], memory, mode, threads, group, arguments)
            outcome.instructions += workgroup.run()
            for wave in workgroup.waves:
                outcome.waited.update(wave.waited)
    for name, operand in operands.items():
        data = memory.view(addresses[name], sizes[name])
        if operand.is_written:
            outcome.results[name] = operand.from_bytes(data)
        elif (data != operand.to_bytes(arrays[name])).any():
            raise Fault(f"{name} was written")
    return outcome
