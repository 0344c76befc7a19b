# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is measured: kernels of LPGEMM and those of others.

A candidate has a name, the kind of its scales, and calls, one for each set of
buffers of a case.
"""

import dataclasses
import functools
import importlib.util
import math
import pathlib
from typing import Callable, List

import torch

import timing
from lpgemm import runtime


@dataclasses.dataclass
class Candidate:
    name: str
    kind: str
    calls: List[Callable[[], None]]
    note: str = ""
    # Once the result is checked.
    error: float = math.inf
    timer: object = None
    # In seconds of a call.
    times: List[float] = dataclasses.field(default_factory=list)


def _ceil4(extent):
    return (extent + 3) // 4 * 4


def _as_rows(scales):
    return scales


def _as_columns(scales):
    """K first; `col` and `mn_tma` round up what 16 bytes do not divide."""
    rows, blocks = scales.shape
    padded = torch.zeros(blocks, _ceil4(rows), device=scales.device)
    padded[:, :rows] = scales.t()
    return padded


def _as_blk128x128(scales):
    rows, blocks = scales.shape
    padded = torch.zeros(rows, _ceil4(blocks), device=scales.device)
    padded[:, :blocks] = scales
    return padded


# By the layout that the text of #lpgemm.scale names.
LAYOUTS = {
    "col": _as_columns,
    "mn_tma": _as_columns,
    "blk128x128": _as_blk128x128,
}


def lay_out(argument, scales):
    """The scales as an argument of a kernel wants them."""
    text = argument.scale or ""
    layout = text.rpartition("layout = ")[2].rstrip(">") if "layout" in text else "row"
    return LAYOUTS.get(layout, _as_rows)(scales)


class Kernels:
    """A folder of KIND.cubin and KIND.MxNxK.cubin, with their manifests."""

    def __init__(self, folder):
        self._folder = pathlib.Path(folder)
        self._load = functools.lru_cache(maxsize=None)(runtime.load)

    def __bool__(self):
        return any(self._folder.glob("*.cubin"))

    def generic(self):
        """The kinds that have a kernel for any shape."""
        return [k for k in PEERS if (self._folder / f"{k}.cubin").is_file()]

    def find(self, kind, shape):
        """The path of the kernel for a shape, or None."""
        for name in (f"{kind}.{shape}.cubin", f"{kind}.cubin"):
            if (self._folder / name).is_file():
                return self._folder / name
        return None

    def candidate(self, kind, case):
        path = self.find(kind, case.shape)
        program = self._load(path)
        product = program[next(iter(program))]
        arguments = {a.name: a for k in product.record.kernels for a in k.arguments}
        scales = {
            name: lay_out(arguments[name], scale)
            for name, scale in zip(("lhs_scale", "rhs_scale"), case.scales[kind])
            if name in arguments
        }
        calls = [
            product.prepare(lhs=lhs, rhs=rhs, init=out, **scales)
            for lhs, rhs, out in zip(case.lhs, case.rhs, case.outputs)
        ]
        return Candidate(f"LPGEMM {kind}", kind, calls, path.name)


def _scaled_mm(case, lhs_scale, rhs_scale, fast):
    def call(lhs, rhs, out):
        return lambda: torch._scaled_mm(
            lhs,
            rhs.t(),
            lhs_scale,
            rhs_scale,
            out_dtype=torch.bfloat16,
            use_fast_accum=fast,
            out=out,
        )

    return [call(*buffers) for buffers in zip(case.lhs, case.rhs, case.outputs)], ""


def cublaslt_tensor(case, fast):
    return _scaled_mm(case, *case.scales["tensor"], fast)


def cublaslt_row(case, fast):
    lhs, rhs = case.scales["row"]
    return _scaled_mm(case, lhs[:, None], rhs[None, :], fast)


def cublaslt_block(case):
    # Both are K first, lhs with rows next to each other. Fast accumulation is
    # refused for blocks.
    lhs, rhs = case.scales["block"]
    return _scaled_mm(case, lhs.t().contiguous().t(), rhs.t(), False)


# BM, BN, BK, stages, warps, whether the loops are flattened; by whether M is
# small.
TRITON = {
    ("tensor", False): (
        (128, 256, 128, 3, 8, True),
        (128, 128, 128, 4, 8, True),
        (256, 128, 128, 3, 8, True),
    ),
    ("tensor", True): (
        (64, 32, 128, 6, 4, True),
        (64, 64, 128, 5, 4, True),
        (64, 64, 256, 3, 4, True),
        (64, 128, 128, 4, 4, True),
    ),
    ("block", False): (
        (128, 128, 128, 3, 8, True),
        (128, 128, 128, 4, 8, False),
        (256, 128, 128, 3, 8, False),
    ),
    ("block", True): (
        (64, 32, 128, 6, 4, True),
        (64, 64, 128, 5, 4, True),
        (64, 128, 128, 4, 4, True),
    ),
}
TRITON_GROUP = 8


def triton_calls(case, kind, config):
    import triton_kernels
    from triton.tools.tensor_descriptor import TensorDescriptor

    bm, bn, bk, stages, warps, flatten = config
    shape = case.shape
    tiles = -(-shape.m // bm) * -(-shape.n // bn)
    count = torch.cuda.get_device_properties(0).multi_processor_count
    kernel = getattr(triton_kernels, f"{kind}_scales")[(min(tiles, count),)]
    lhs_scale, rhs_scale = case.scales[kind]
    if kind == "block":
        lhs_scale = lhs_scale.t().contiguous()

    def call(lhs, rhs, out):
        maps = (
            TensorDescriptor.from_tensor(lhs, [bm, bk]),
            TensorDescriptor.from_tensor(rhs, [bn, bk]),
            TensorDescriptor.from_tensor(out, [bm, bn]),
        )
        extents = (shape.m, shape.n, shape.k)
        tile = (bm, bn, bk, TRITON_GROUP, flatten)
        options = {"num_stages": stages, "num_warps": warps}
        return lambda: kernel(*maps, lhs_scale, rhs_scale, *extents, *tile, **options)

    return [call(*buffers) for buffers in zip(case.lhs, case.rhs, case.outputs)]


def triton(case, kind):
    """The fastest configuration for the shape, of those that compile."""
    found, failure = [], None
    for config in TRITON[kind, case.shape.is_small]:
        try:
            calls = triton_calls(case, kind, config)
            seconds = timing.Replay(calls).time(seconds=5e-3)
            found.append((seconds, config, calls))
        except Exception as error:
            failure = error
    if not found:
        raise failure
    _, config, calls = min(found, key=lambda entry: entry[0])
    return calls, "x".join(map(str, config[:5]))


def deepgemm(case):
    import deep_gemm

    lhs_scale, rhs_scale = case.scales["block"]
    lhs_scale = deep_gemm.get_mn_major_tma_aligned_tensor(lhs_scale)

    def call(lhs, rhs, out):
        return lambda: deep_gemm.fp8_gemm_nt(
            (lhs, lhs_scale), (rhs, rhs_scale), out, disable_ue8m0_cast=True
        )

    return [call(*buffers) for buffers in zip(case.lhs, case.rhs, case.outputs)], ""


PEERS = {
    "tensor": {
        "cuBLASLt tensor, fast": lambda case: cublaslt_tensor(case, True),
        "cuBLASLt tensor, slow": lambda case: cublaslt_tensor(case, False),
        "Triton tensor": lambda case: triton(case, "tensor"),
    },
    "row": {
        "cuBLASLt row, fast": lambda case: cublaslt_row(case, True),
    },
    "block": {
        "cuBLASLt block": cublaslt_block,
        "DeepGEMM block": deepgemm,
        "Triton block": lambda case: triton(case, "block"),
    },
}


def has_deepgemm():
    return importlib.util.find_spec("deep_gemm") is not None


def peers(kinds, unusable):
    """Name, kind and maker of each, but those of the `unusable` libraries."""
    if not has_deepgemm():
        unusable = {*unusable, "DeepGEMM"}
    for kind in kinds:
        for name, make in PEERS[kind].items():
            if name.split()[0] not in unusable:
                yield name, kind, make
