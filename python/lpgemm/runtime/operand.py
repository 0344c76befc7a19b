# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands: where the memory of an array is, and how its elements lie there."""

import dataclasses
from typing import Optional, Tuple

# Bits of an element of each type that an operand may have in memory.
BITS = {
    "f8E4M3FN": 8,
    "f8E5M2": 8,
    "f8E4M3FNUZ": 8,
    "f8E5M2FNUZ": 8,
    "f8E8M0FNU": 8,
    "f6E2M3FN": 6,
    "f6E3M2FN": 6,
    "f4E2M1FN": 4,
    "bf16": 16,
    "f16": 16,
    "f32": 32,
    "f64": 64,
    "i8": 8,
    "i16": 16,
    "i32": 32,
    "i64": 64,
    "ui8": 8,
    "ui16": 16,
    "ui32": 32,
    "ui64": 64,
}
TORCH_TYPES = {
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e5m2": "f8E5M2",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
    "float8_e8m0fnu": "f8E8M0FNU",
    "float4_e2m1fn_x2": "f4E2M1FN",
    "bfloat16": "bf16",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "ui8",
    "uint16": "ui16",
    "uint32": "ui32",
    "uint64": "ui64",
    # A byte of 0 or 1, which is the same in an i8.
    "bool": "i8",
}
# Of __cuda_array_interface__, without the order of the bytes.
INTERFACE_TYPES = {
    "f2": "f16",
    "f4": "f32",
    "f8": "f64",
    "i1": "i8",
    "i2": "i16",
    "i4": "i32",
    "i8": "i64",
    "u1": "ui8",
    "u2": "ui16",
    "u4": "ui32",
    "u8": "ui64",
    "b1": "i8",
}


class OperandError(ValueError):
    """An operand that does not fit the kernel. Nothing was launched."""


@dataclasses.dataclass(frozen=True)
class View:
    """An array whose bytes are elements of another type; see view()."""

    array: object
    element_type: str
    shape: Optional[Tuple[int, ...]]


def view(array, element_type, shape=None):
    """The array with its bytes seen as elements of an MLIR type.

        view(codes, "f8E4M3FN")                   # uint8, one code a byte
        view(packed, "f4E2M1FN", shape=(m, k))    # uint8, packed rows

    Elements of the array must be as large as those of the type, or bytes. Rows of
    a type of less than a byte are packed and start with a byte; `shape`, in
    elements, tells an extent that is no full number of bytes.
    """
    if element_type not in BITS:
        raise OperandError(
            f"view: expected one of {', '.join(BITS)}, got '{element_type}'"
        )
    return View(array, element_type, None if shape is None else tuple(shape))


@dataclasses.dataclass(frozen=True)
class Operand:
    """Memory of a device. The extents are elements, the strides bytes."""

    address: int
    element_type: str
    shape: Tuple[int, ...]
    strides: Tuple[int, ...]
    # None if the array does not say it.
    device: Optional[int]
    read_only: bool = False

    @property
    def bits(self):
        return BITS[self.element_type]

    def is_empty(self):
        return 0 in self.shape

    def row_bytes(self, elements):
        return (elements * self.bits + 7) // 8


def _read_tensor(name, tensor):
    """Of what looks like a tensor of PyTorch."""
    kind = str(tensor.dtype).replace("torch.", "", 1)
    if kind not in TORCH_TYPES:
        raise OperandError(f"{name}: no kernel has elements of type {tensor.dtype}")
    if tensor.device.type != "cuda":
        raise OperandError(
            f"{name}: expected memory of a CUDA device, got '{tensor.device}'"
        )
    size = tensor.element_size()
    shape = list(tensor.shape)
    if kind.endswith("_x2") and shape:
        shape[-1] *= 2
    return Operand(
        tensor.data_ptr(),
        TORCH_TYPES[kind],
        tuple(shape),
        tuple(stride * size for stride in tensor.stride()),
        tensor.device.index,
    )


def _row_major(shape, size):
    strides = []
    for extent in reversed(shape):
        strides.insert(0, size)
        size *= extent
    return tuple(strides)


def _read_interface(name, array):
    """Of __cuda_array_interface__, whose strides are bytes too."""
    interface = array.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise OperandError(f"{name}: expected an array without a mask")
    kind = INTERFACE_TYPES.get(interface["typestr"].lstrip("<|"))
    if kind is None:
        raise OperandError(
            f"{name}: no kernel has elements of type '{interface['typestr']}'"
        )
    shape = tuple(interface["shape"])
    strides = interface.get("strides") or _row_major(shape, BITS[kind] // 8)
    address, read_only = interface["data"]
    return Operand(address, kind, shape, tuple(strides), None, read_only)


def _apply_view(name, asked, operand):
    bits = BITS[asked.element_type]
    if operand.bits not in (8, bits):
        raise OperandError(
            f"{name}: cannot view {operand.element_type} as {asked.element_type}"
        )
    shape = list(operand.shape)
    if operand.bits != bits:
        if not shape or (shape[-1] > 1 and operand.strides[-1] != 1):
            raise OperandError(f"{name}: expected the bytes of a row to be adjacent")
        if bits > 8 and shape[-1] * 8 % bits != 0:
            raise OperandError(
                f"{name}: expected rows of full {asked.element_type} elements, got"
                f" {shape[-1]} bytes"
            )
        shape[-1] = shape[-1] * 8 // bits
    if asked.shape is not None:
        _check_view_shape(name, asked, shape)
        shape = asked.shape
    strides = operand.strides
    if bits > 8 and operand.bits == 8:
        strides = (*strides[:-1], bits // 8)
    return dataclasses.replace(
        operand, element_type=asked.element_type, shape=tuple(shape), strides=strides
    )


def _check_view_shape(name, asked, held):
    """A view may have fewer elements in a row than its bytes hold."""
    fits = len(asked.shape) == len(held) and asked.shape[:-1] == tuple(held[:-1])
    if not fits or (held and asked.shape[-1] > held[-1]):
        raise OperandError(
            f"{name}: expected a shape of at most {list(held)}, got"
            f" {list(asked.shape)}"
        )


def read(name, array):
    """The operand that `array` is; errors call it `name`."""
    if isinstance(array, View):
        return _apply_view(name, array, read(name, array.array))
    if hasattr(array, "data_ptr"):
        return _read_tensor(name, array)
    if hasattr(array, "__cuda_array_interface__"):
        return _read_interface(name, array)
    raise OperandError(
        f"{name}: expected a tensor of a CUDA device, got {type(array).__name__}"
    )


def _list(values):
    return f"[{', '.join(map(str, values))}]"


class Fit:
    """Whether an operand is what an argument of a kernel asks for."""

    def __init__(self, argument, operand):
        self.argument, self.operand = argument, operand
        # Dimensions of the batch have an extent of it, or are broadcast.
        self.matrix = [
            dim
            for dim, extent in enumerate(argument.shape)
            if extent.text != "1" and not extent.text.startswith("batch_")
        ]
        self.batch = [
            dim
            for dim, extent in enumerate(argument.shape)
            if extent.text.startswith("batch_")
        ]

    def fail(self, expected, actual):
        raise OperandError(f"{self.argument.name}: expected {expected}, got {actual}")

    def check_type(self):
        expected, actual = self.argument.element_type, self.operand.element_type
        if actual == expected:
            return
        hint = f"; lpgemm.runtime.view(tensor, '{expected}') says what bits are"
        wanted, bits = BITS.get(expected, 0), self.operand.bits
        is_viewable = wanted == bits or 0 < wanted < bits == 8
        hint = hint if actual.startswith("ui") and is_viewable else ""
        self.fail(f"elements of type {expected}", actual + hint)

    def check_rank(self):
        expected, actual = self.argument.shape, self.operand.shape
        if not expected and all(extent == 1 for extent in actual):
            return
        if len(expected) != len(actual):
            self.fail(f"the shape {_list(expected)}", _list(actual))

    def check_shape(self, values):
        expected = [expr(values) for expr in self.argument.shape]
        if expected and expected != list(self.operand.shape):
            text = f"the shape {_list(self.argument.shape)}"
            texts = [str(expr) for expr in self.argument.shape]
            if texts != list(map(str, expected)):
                text += f" = {_list(expected)}"
            self.fail(text, _list(self.operand.shape))

    def check_memory(self):
        """Elements of a row are adjacent; those of a result have their places."""
        operand, bytes_ = self.operand, max(1, self.operand.bits // 8)
        if self.argument.written and operand.read_only:
            self.fail("memory that may be written", "a read-only array")
        if operand.address % bytes_ != 0:
            self.fail(f"an address aligned to {bytes_} bytes", hex(operand.address))
        if operand.is_empty():
            return
        for dim, (extent, stride) in enumerate(zip(operand.shape, operand.strides)):
            if stride < 0:
                self.fail(f"no negative stride in dimension {dim}", f"{stride} bytes")
            if self.argument.written and extent > 1 and stride == 0:
                self.fail(f"a stride in dimension {dim} of a result", "0")
        self._check_adjacent()

    def _check_adjacent(self):
        """What follows the first dimension of the matrix is contiguous."""
        operand, stride = self.operand, max(1, self.operand.bits // 8)
        for dim in reversed(self.matrix[1:]):
            extent, actual = operand.shape[dim], operand.strides[dim]
            if extent > 1 and actual != stride:
                self.fail(
                    f"adjacent elements in dimension {dim}: a stride of {stride} bytes",
                    f"{actual} bytes",
                )
            stride *= extent

    def pitch(self):
        """Bytes from one row to the next, or from one element of a vector."""
        return self.operand.strides[self.matrix[0]]

    def stride(self, extent):
        """Bytes from one entry of the batch to the next."""
        texts = [expr.text for expr in self.argument.shape]
        return self.operand.strides[texts.index(extent)]
