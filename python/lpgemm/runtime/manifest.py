# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the manifest of a compilation, which docs/manifest.md describes.

Every field is to be as lpgemm-compile writes it, also those that no launch needs:
a manifest that was edited, or is of another version, is refused.
"""

import dataclasses
import json
import math
import os
import pathlib
import re
from typing import Optional, Tuple

from lpgemm.runtime.expression import Expression, ExpressionError
from lpgemm.runtime.operand import BITS

FORMAT_VERSION = 3
TYPES = {
    "operand": "address",
    "extent": "i32",
    "pitch": "i64",
    "stride": "i64",
    "factor": "f32",
    "tensor_map": "tensor_map",
}
# CU_TENSOR_MAP_SWIZZLE_*, but those with larger atoms.
SWIZZLES = (0, 32, 64, 128)
# CUDA driver API, cuTensorMapEncodeTiled: boxDim.
MAX_BOX = 256
# CUDA C++ Programming Guide, "Compute Capabilities": threads of a block, and blocks
# of a cluster, 16 where the kernel asks for more than is portable.
MAX_THREADS, MAX_CLUSTER = 1024, 16


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


def _make_object(pairs):
    names = [name for name, _ in pairs]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise ValueError(f"a second key {name!r} in an object")
    return dict(pairs)


def _load(text, source):
    try:
        return json.loads(text, object_pairs_hook=_make_object)
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

    def read(self, readers):
        """What `readers` make of the values of an object that has their keys and
        no others."""
        values = {key: read(self.get(key)) for key, read in readers.items()}
        for key in self.value:
            if key not in readers:
                raise ManifestError(f"{self.place}: unknown key {key!r}")
        return values

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
        # True is 1, and 128.0 is 128, but neither is what is written.
        if not any(type(self.value) is type(c) and self.value == c for c in choices):
            self.fail("one of " + ", ".join(map(str, choices)))
        return self.value

    def expression(self, is_condition=False):
        try:
            expression = Expression(self.text())
        except ExpressionError as error:
            raise ManifestError(f"{self.place}: {error}") from None
        if expression.is_condition != is_condition:
            self.fail("a comparison" if is_condition else "a number, not a comparison")
        return expression

    def condition(self):
        return self.expression(is_condition=True)

    def optional(self, read):
        return None if self.value is None else read(self)

    def triple(self, read):
        items = self.items()
        if len(items) != 3:
            self.fail("three values, along x, y, z")
        return tuple(read(item) for item in items)

    def counts(self, most):
        """Three of them, whose product is limited, too."""
        counts = self.triple(lambda item: item.integer(1))
        if math.prod(counts) > most:
            self.fail(f"{most} in all at most")
        return counts


def _read_box(node):
    box = tuple(item.integer(1, MAX_BOX) for item in node.items())
    if len(box) != 2:
        node.fail("two extents, the innermost first")
    return box


def _read_shape(node):
    return tuple(item.expression() for item in node.items())


def _read_attribute(name):
    """The text of an attribute of the dialect, or null."""
    return lambda node: node.optional(lambda n: n.text(rf"#lpgemm\.{name}<.*>"))


def _read_element_type(node):
    return node.one_of(tuple(BITS))


def _read_number(node):
    return node.integer()


def _read_text_or_null(node):
    return node.optional(Node.text)


# By the kind of an argument: the keys that others do not have.
ARGUMENT_KEYS = {
    "operand": {
        "element_type": _read_element_type,
        "shape": _read_shape,
        "scale": _read_attribute("scale"),
        "written": Node.boolean,
    },
    "extent": {},
    "pitch": {"operand": Node.text, "unit_bytes": lambda node: node.integer(1)},
    "stride": {
        "operand": Node.text,
        "unit_bytes": lambda node: node.integer(1),
        "extent": Node.text,
    },
    "factor": {},
    "tensor_map": {
        "element_type": _read_element_type,
        "operand": Node.text,
        "box": _read_box,
        "swizzle_bytes": lambda node: node.one_of(SWIZZLES),
    },
}


def _read_argument(node):
    kind = node.get("kind").one_of(tuple(TYPES))
    readers = {
        "name": lambda item: item.text(r"[A-Za-z_]\w*"),
        "kind": lambda item: kind,
        "type": lambda item: item.one_of((TYPES[kind],)),
    }
    return Argument(**node.read(readers | ARGUMENT_KEYS[kind]))


def _read_check(node):
    readers = {
        "value": Node.expression,
        "at_most": _read_number,
        "unless": lambda item: item.optional(Node.condition),
    }
    return Check(**node.read(readers))


def _check_names(node, arguments):
    """Names are unique, and what is referred to exists."""
    names = set()
    known = {
        kind: {a.name for a in arguments if a.kind == kind}
        for kind in ("operand", "extent")
    }
    for item, argument in zip(node.items(), arguments):
        if argument.name in names:
            raise ManifestError(f"{item.place}: a second '{argument.name}'")
        names.add(argument.name)
        for kind in known:
            name = getattr(argument, kind)
            if name is not None and name not in known[kind]:
                raise ManifestError(f"{item.get(kind).place}: no {kind} '{name}'")
        for shape, expression in zip(_items(item, "shape"), argument.shape):
            _check_expression(shape, expression, known["extent"])


def _items(node, key):
    return node.get(key).items() if key in node.value else ()


def _check_expression(node, expression, known):
    for name in sorted(expression.names - known):
        raise ManifestError(f"{node.place}: no argument '{name}' for '{expression}'")


def _check_expressions(node, kernel):
    """A grid is of extents; what is checked may also be a distance."""
    extents = {a.name for a in kernel.of_kind("extent")}
    numbers = extents | {a.name for a in kernel.of_kind("pitch", "stride")}
    for item, expression in zip(_items(node, "grid"), kernel.grid):
        _check_expression(item, expression, extents)
    for item, check in zip(_items(node, "checks"), kernel.checks):
        for key in ("value", "unless"):
            if (expression := getattr(check, key)) is not None:
                _check_expression(item.get(key), expression, numbers)


def _read_cluster(node):
    return node.counts(MAX_CLUSTER)


SOURCE = {
    "op": Node.text,
    "function": Node.text,
    "location": _read_text_or_null,
}
RESOURCES = {
    "registers": _read_number,
    "spill_store_bytes": _read_number,
    "spill_load_bytes": _read_number,
    "stack_bytes": _read_number,
    "static_shared_memory_bytes": _read_number,
    "barriers": _read_number,
}
KERNEL = {
    "name": Node.text,
    "source": lambda node: node.read(SOURCE),
    "schedule": _read_attribute("schedule"),
    "arguments": lambda node: tuple(map(_read_argument, node.items())),
    "grid": lambda node: node.triple(Node.expression),
    "checks": lambda node: tuple(map(_read_check, node.items())),
    "block": lambda node: node.counts(MAX_THREADS),
    "cluster": lambda node: node.optional(_read_cluster) or (1, 1, 1),
    "persistent": Node.boolean,
    "dynamic_shared_memory_bytes": lambda node: node.integer(0, 2**31 - 1),
    "resources": lambda node: node.read(RESOURCES),
}


def _read_kernel(node):
    name = node.get("name").text()
    for key in ("arguments", "grid", "checks", "block"):
        if node.get(key).value is None:
            raise ManifestError(
                f"{node.place}: kernel '{name}' says nothing of its {key}, so that it"
                " cannot be launched"
            )
    values = node.read(KERNEL)
    fields = {field.name: values[field.name] for field in dataclasses.fields(Kernel)}
    kernel = Kernel(**fields)
    _check_names(node.get("arguments"), kernel.arguments)
    _check_expressions(node, kernel)
    if kernel.persistent and [e.text for e in kernel.grid[1:]] != ["1", "1"]:
        node.get("grid").fail("all workgroups of a persistent kernel along x")
    return kernel


def _read_kernels(node):
    kernels = {}
    for item in node.items():
        kernel = _read_kernel(item)
        if kernel.name in kernels:
            raise ManifestError(f"{item.place}: a second kernel '{kernel.name}'")
        kernels[kernel.name] = kernel
    return kernels


def _read_steps(node, kernels):
    """Kernels that fill, and that of the product itself."""
    steps = []
    for step in node.items():
        values = step.read(
            {"kind": lambda item: item.one_of(("fill", "launch")), "kernel": Node.text}
        )
        if values["kernel"] not in kernels:
            raise ManifestError(f"{step.place}: no kernel '{values['kernel']}'")
        steps.append(values)
    kinds = [step["kind"] for step in steps]
    if kinds != ["fill"] * (len(kinds) - 1) + ["launch"]:
        node.fail("one launch, behind what fills")
    return tuple(kernels[step["kernel"]] for step in steps)


def _read_workspace(node):
    if type(node.value) is not int or node.value != 0:
        node.fail("0: a launch allocates nothing")
    return 0


def _read_product(node, kernels):
    readers = SOURCE | {
        "workspace_bytes": _read_workspace,
        "steps": lambda item: _read_steps(item, kernels),
    }
    values = node.read(readers)
    steps = values["steps"]
    return ProductRecord(steps[-1].name, values["function"], steps)


def _read_version(node):
    if type(node.value) is not int or node.value != FORMAT_VERSION:
        node.fail(f"version {FORMAT_VERSION}")
    return node.value


def _read_chip(node):
    if not re.fullmatch(r"sm_\d+[af]?", node.text()):
        node.fail("a chip of NVIDIA, such as sm_90a")
    return node.value


def _read_manifest(node):
    # The version first: another one may have other keys.
    _read_version(node.get("format_version"))
    kernels = {}
    readers = {
        "format_version": _read_version,
        "tool": lambda item: item.one_of(("lpgemm-compile",)),
        "tool_version": Node.text,
        "llvm_version": Node.text,
        "chip": _read_chip,
        "emit": lambda item: item.one_of(("binary",)),
        "kernels": lambda item: kernels.update(_read_kernels(item)),
        "launches": lambda item: tuple(_read_product(i, kernels) for i in item.items()),
    }
    values = node.read(readers)
    return Manifest(values["chip"], values["launches"])
