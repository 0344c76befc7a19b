# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the manifest of a compilation, which docs/manifest.md describes."""

import dataclasses
import json
import os
import pathlib
import re
from typing import Optional, Tuple

from lpgemm.runtime.expression import Expression, ExpressionError

FORMAT_VERSION = 3
TYPES = {
    "operand": ("address",),
    "extent": ("i32", "i64"),
    "pitch": ("i32", "i64"),
    "stride": ("i32", "i64"),
    "factor": ("f32",),
    "tensor_map": ("tensor_map",),
}
# CU_TENSOR_MAP_SWIZZLE_*, but those with larger atoms.
SWIZZLES = (0, 32, 64, 128)
# CUDA driver API, cuTensorMapEncodeTiled: boxDim.
MAX_BOX = 256


class ManifestError(ValueError):
    """A manifest that is malformed, or of what cannot be launched."""


@dataclasses.dataclass(frozen=True)
class Argument:
    """Of a kernel. Which fields are set depends on the kind."""

    name: str
    kind: str
    type: str
    element_type: Optional[str] = None
    shape: Tuple[Expression, ...] = ()
    scale: Optional[str] = None
    written: bool = False
    operand: Optional[str] = None
    unit_bytes: int = 0
    extent: Optional[str] = None
    box: Tuple[int, ...] = ()
    swizzle_bytes: int = 0


@dataclasses.dataclass(frozen=True)
class Check:
    """What must hold before a launch."""

    value: Expression
    at_most: int
    unless: Optional[Expression]


@dataclasses.dataclass(frozen=True)
class Kernel:
    """What a launch must know of a kernel."""

    name: str
    arguments: Tuple[Argument, ...]
    grid: Tuple[Expression, ...]
    block: Tuple[int, ...]
    cluster: Tuple[int, ...]
    persistent: bool
    dynamic_shared_memory_bytes: int
    checks: Tuple[Check, ...]

    def of_kind(self, *kinds):
        return [argument for argument in self.arguments if argument.kind in kinds]


@dataclasses.dataclass(frozen=True)
class ProductRecord:
    """A product: its kernels, in the order in which they are launched."""

    name: str
    function: str
    kernels: Tuple[Kernel, ...]


@dataclasses.dataclass(frozen=True)
class Manifest:
    chip: str
    products: Tuple[ProductRecord, ...]

    @classmethod
    def parse(cls, document, source="manifest"):
        """Of a JSON document, parsed or not; `source` is what errors call it."""
        if isinstance(document, (str, bytes, bytearray)):
            document = _load(document, source)
        return _read_manifest(Node(document, source))

    @classmethod
    def read(cls, path):
        if not isinstance(path, (str, os.PathLike)):
            actual = type(path).__name__
            raise ManifestError(f"manifest: expected a path, got {actual}")
        try:
            text = pathlib.Path(path).read_bytes()
        except (OSError, ValueError) as error:
            raise ManifestError(f"cannot read {path}: {error}") from None
        return cls.parse(text, str(path))


def _load(text, source):
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"cannot read {source}: {error}") from None


class Node:
    """A value of a JSON document and its place, which errors name."""

    def __init__(self, value, place):
        self.value, self.place = value, place

    def fail(self, expected):
        try:
            text = json.dumps(self.value)
        except (TypeError, ValueError):
            # A document that was parsed elsewhere may hold anything.
            text = type(self.value).__name__
        text = text if len(text) <= 40 else text[:37] + "..."
        raise ManifestError(f"{self.place}: expected {expected}, got {text}")

    def get(self, key):
        if not isinstance(self.value, dict):
            self.fail("an object")
        if key not in self.value:
            raise ManifestError(f"{self.place}: no key '{key}'")
        return Node(self.value[key], f"{self.place}: {key}")

    def items(self):
        if not isinstance(self.value, list):
            self.fail("an array")
        return [Node(v, f"{self.place}[{i}]") for i, v in enumerate(self.value)]

    def text(self, pattern=r".+"):
        if not isinstance(self.value, str) or not re.fullmatch(pattern, self.value):
            self.fail("a name" if pattern == r".+" else f"a text like {pattern}")
        return self.value

    def integer(self, least=0, most=2**63 - 1):
        if type(self.value) is not int or not least <= self.value <= most:
            self.fail(f"a number from {least} to {most}")
        return self.value

    def boolean(self):
        return self.value if isinstance(self.value, bool) else self.fail("a boolean")

    def one_of(self, choices):
        if self.value not in choices:
            self.fail("one of " + ", ".join(map(str, choices)))
        return self.value

    def expression(self):
        try:
            return Expression(self.text())
        except ExpressionError as error:
            raise ManifestError(f"{self.place}: {error}") from None

    def optional(self, read):
        return None if self.value is None else read(self)

    def triple(self, read):
        items = self.items()
        if len(items) != 3:
            self.fail("three values, along x, y, z")
        return tuple(read(item) for item in items)


def _read_extent_of_box(node):
    return node.integer(1, MAX_BOX)


def _read_argument(node):
    kind = node.get("kind").one_of(tuple(TYPES))
    fields = {
        "name": node.get("name").text(r"[A-Za-z_]\w*"),
        "kind": kind,
        "type": node.get("type").one_of(TYPES[kind]),
    }
    if kind in ("operand", "tensor_map"):
        fields["element_type"] = node.get("element_type").text()
    if kind == "operand":
        fields["shape"] = tuple(e.expression() for e in node.get("shape").items())
        fields["scale"] = node.get("scale").optional(Node.text)
        fields["written"] = node.get("written").boolean()
    if kind in ("pitch", "stride", "tensor_map"):
        fields["operand"] = node.get("operand").text()
    if kind in ("pitch", "stride"):
        fields["unit_bytes"] = node.get("unit_bytes").integer(1)
    if kind == "stride":
        fields["extent"] = node.get("extent").text()
    if kind == "tensor_map":
        box = node.get("box")
        fields["box"] = tuple(map(_read_extent_of_box, box.items()))
        if len(fields["box"]) != 2:
            box.fail("two extents, the innermost first")
        fields["swizzle_bytes"] = node.get("swizzle_bytes").one_of(SWIZZLES)
    return Argument(**fields)


def _read_check(node):
    return Check(
        node.get("value").expression(),
        node.get("at_most").integer(),
        node.get("unless").optional(Node.expression),
    )


def _check_names(node, arguments):
    """Names are unique, and an operand that is referred to exists."""
    names = set()
    operands = {a.name for a in arguments if a.kind == "operand"}
    for item, argument in zip(node.items(), arguments):
        if argument.name in names:
            raise ManifestError(f"{item.place}: a second '{argument.name}'")
        names.add(argument.name)
        if argument.operand is not None and argument.operand not in operands:
            place = item.get("operand").place
            raise ManifestError(f"{place}: no operand '{argument.operand}'")


def _read_kernel(node):
    name = node.get("name").text()
    for key in ("arguments", "grid", "checks", "block"):
        if node.get(key).value is None:
            raise ManifestError(
                f"{node.place}: kernel '{name}' says nothing of its {key}, so that it"
                " cannot be launched"
            )
    arguments = tuple(map(_read_argument, node.get("arguments").items()))
    _check_names(node.get("arguments"), arguments)
    extent = node.get("cluster").optional(
        lambda cluster: cluster.triple(lambda item: item.integer(1))
    )
    kernel = Kernel(
        name,
        arguments,
        node.get("grid").triple(Node.expression),
        node.get("block").triple(lambda item: item.integer(1)),
        extent or (1, 1, 1),
        node.get("persistent").boolean(),
        node.get("dynamic_shared_memory_bytes").integer(),
        tuple(map(_read_check, node.get("checks").items())),
    )
    if kernel.persistent and [e.text for e in kernel.grid[1:]] != ["1", "1"]:
        node.get("grid").fail("all workgroups of a persistent kernel along x")
    return kernel


def _read_product(node, kernels):
    if node.get("workspace_bytes").integer() != 0:
        node.get("workspace_bytes").fail("0: a launch allocates nothing")
    steps = []
    for step in node.get("steps").items():
        step.get("kind").one_of(("fill", "launch"))
        name = step.get("kernel").text()
        if name not in kernels:
            raise ManifestError(f"{step.place}: no kernel '{name}'")
        steps.append(_read_kernel(kernels[name]))
    if not steps:
        node.get("steps").fail("at least one step")
    # The kernel of the product itself comes last.
    return ProductRecord(steps[-1].name, node.get("function").text(), tuple(steps))


def _read_manifest(node):
    version = node.get("format_version")
    if version.value != FORMAT_VERSION:
        version.fail(f"version {FORMAT_VERSION}")
    chip = node.get("chip").text()
    if not re.fullmatch(r"sm_\d+[af]?", chip):
        node.get("chip").fail("a chip of NVIDIA, such as sm_90a")
    node.get("emit").one_of(("binary",))
    kernels = {item.get("name").text(): item for item in node.get("kernels").items()}
    launches = node.get("launches").items()
    return Manifest(chip, tuple(_read_product(item, kernels) for item in launches))
