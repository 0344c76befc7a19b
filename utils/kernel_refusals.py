# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The products that have no kernel, and the errors that say so."""

import dataclasses
import itertools

import kernel_cases as kc
import kernel_families as kf


@dataclasses.dataclass(frozen=True)
class Refusal:
    what: str
    text: str
    expected: str  # A part of the error.
    chips: tuple = tuple(kf.CHIPS)
    elements: str = ""  # Of lhs and rhs, where these are the reason.


PRODUCT = """func.func @f(%a: tensor<?x?x{t}>, %b: tensor<?x?x{t}>, %s: tensor<?x?xf32>,
    %e: tensor<?x?x{e}>, %o: tensor<?x?xf8E8M0FNU>, %d: tensor<?x?x{d}>)
    -> tensor<?x?x{d}> {{
  %0{n} = lpgemm.matmul ins(%a, %b : tensor<?x?x{t}>, tensor<?x?x{t}>) {scale}
    outs(%d : tensor<?x?x{d}>) {clause} -> tensor<?x?x{d}>{more}
  return %0{first} : tensor<?x?x{d}>
}}
"""
GROUPED = """func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<2x?x?xf8E4M3FN>,
    %g: tensor<2xi32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.grouped_matmul contiguous
    ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<2x?x?xf8E4M3FN>)
    groups(%g : tensor<2xi32>) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""


def product(clause="", block=None, t="f8E4M3FN", e="f32", d="f32", scale="%s : tensor<?x?xf32>"):
    """A product with a clause, or a kind of lhs_scale."""
    is_quantized = clause.startswith("scale_outs")
    return PRODUCT.format(
        t=t, e=e, d=d, clause=clause,
        scale=f"lhs_scale({scale}, <{block}>)" if block else "",
        more=", tensor<?x?xf8E8M0FNU>" if is_quantized else "",
        n=":2" if is_quantized else "", first="#0" if is_quantized else "",
    )  # fmt: skip


def region(body, element="f32", by=""):
    return f"epilogue(%t, %x = %e : tensor<?x?x{element}>{by}) {{\n{body}\nlpgemm.yield %y : f32 }}"


def schedule(fields):
    """The clause; a field that is None is not there."""
    return f"schedule(<{', '.join(f'{k} = {v}' for k, v in fields.items() if v is not None)}>)"


# Whatever the elements are.
ANYWHERE = [
    Refusal(
        "`lpgemm.grouped_matmul`",
        GROUPED,
        "has no lowering to kernels yet: only lpgemm.matmul has",
    ),
    Refusal(
        "`scale_outs` in another layout than `row`",
        product("scale_outs(%o : tensor<?x?xf8E8M0FNU>, <mx, layout = col>, rceil)", d="f8E4M3FN"),
        "has no lowering to kernels with scale_outs of kind mx in layout col yet",
    ),
    Refusal(
        "epilogue: a function that needs a library",
        product(region("%y = math.sin %t : f32")),
        "has no lowering to kernels with 'math.sin' yet",
    ),
    Refusal(
        "epilogue: a function of f64",
        product(
            region(
                "%w = arith.extf %t : f32 to f64\n%v = math.exp %w : f64\n"
                "%y = arith.truncf %v : f64 to f32"
            )
        ),
        "has no lowering to kernels with 'math.exp' of 'f64' yet",
    ),
    Refusal(
        "epilogue: `index`",
        product(
            region(
                "%i = arith.constant 0 : index\n%j = arith.index_cast %i : index to i32\n"
                "%y = arith.sitofp %j : i32 to f32"
            )
        ),
        "has no lowering to kernels with 'index' yet",
    ),
    Refusal(
        "epilogue: an operand of f64",
        product(region("%y = arith.truncf %x : f64 to f32", "f64"), e="f64"),
        "has no lowering to kernels for epilogue operand 0 of 'f64' yet",
    ),
    Refusal(
        "epilogue: a map that has a dimension twice",
        product(region("%y = arith.addf %t, %x : f32", by=" by affine_map<(m, n) -> (m, m)>")),
        "has no lowering to kernels for the map of epilogue operand 0",
    ),
]


#
# AMD
#

AMD = tuple(c for c in kf.CHIPS if kf.FAMILIES[c] in (kf.CDNA3, kf.CDNA4))


def mfma_schedule(**changed):
    """One of FP8 that fits, but for what is changed."""
    fields = {
        "tile": "[128, 128, 128]", "waves": "[2, 2]", "instr": "mfma_f32_16x16x32_fp8",
        "home": "<a = reg, b = reg>", "stages": 1,
    } | changed  # fmt: skip
    return schedule(fields)


BATCHED = """func.func @f(%a: tensor<?x?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {{
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
    outs(%d : tensor<?x?x?xf32>) {clause} -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}}
"""
SHARED = "<a = shared, b = shared>"
MFMA_FAULTS = [
    ("tiles that need more registers than there are", {"tile": "[512, 128, 128]", "waves": "[1, 1]"}, "expects the tiles of a wave to take at most"),
    ("an instruction for other operands", {"instr": "mfma_f32_16x16x16_f16"}, "mfma_f32_16x16x16_f16 does not take"),
    ("roles", {"roles": "<load_regs = 40, mma_regs = 232>"}, "expects no roles"),
    ("a cluster", {"cluster": "[2, 1]"}, "expects no cluster"),
    ("unrolled loops", {"unroll": 2}, "expects unroll of at most 1"),
    ("more slots than waits count", {"stages": 5, "home": SHARED}, "expects stages of at most 4"),
    (
        "stream-K in another order",
        {"persistent": "true", "split_k": 2, "raster": 2},
        "expects raster = 1 with persistent = true and split_k = 2",
    ),
    (
        "stream-K by tiles that its second kernel does not divide",
        {"persistent": "true", "split_k": 2, "tile": "[128, 96, 128]"},
        "expects the N of the tile (96) to be a multiple of",
    ),
    (
        "staged parts of a result",
        {"epilogue": "staged", "split_k": 2, "home": SHARED},
        "expects epilogue = direct with split_k = 2",
    ),
    (
        "a staged result without a buffer",
        {"epilogue": "staged"},
        "expects a buffer of a side's K tile of at least",
    ),
]
# By the chip.
DIRECT_FAULTS = [
    ("gfx942", "slots that an engine copies to", "transpose_b", {"stages": 3, "home": SHARED}, "expects at most 2 stages, and strategy = together, on gfx942"),
    ("gfx942", "halves that take turns", "transpose_b", {"strategy": "ping_pong", "stages": 2, "waves": "[2, 4]"}, "expects at most 2 stages, and strategy = together, on gfx942"),
    ("gfx950", "slots for operands in registers", "transpose_b", {"stages": 3}, "expects operands with K in the last dimension, and home = shared"),
    ("gfx950", "slots for rhs stored K x N", "", {"stages": 3, "home": SHARED}, "expects operands with K in the last dimension, and home = shared"),
    ("gfx950", "slots for tiles that are no whole copies", "transpose_b", {"stages": 3, "home": SHARED, "tile": "[32, 96, 64]", "waves": "[2, 2]"}, "expects a multiple of 4096 bytes in each copy to shared memory"),
    ("gfx950", "turns of too few waves", "transpose_b", {"strategy": "ping_pong", "stages": 2, "home": SHARED}, "expects 2 stages and a multiple of 8 waves with strategy ping_pong"),
]


def list_amd():
    """What, the text, a part of the error and the chips."""
    what = "blocks that no instruction's K divides"
    yield what, product(block="1x4"), "expects their blocks to be multiples of 8 elements of K", AMD
    yield f"{what}, of i8", product(block="1x8", t="i8"), "expects their blocks to be multiples of 16 elements", AMD
    error = "schedule: expects a scale block (16) that is a multiple of the K of mfma_f32_16x16x32_fp8"
    yield "schedule: scales that end inside of an instruction", product(mfma_schedule(), block="1x16"), error, AMD
    for what, changed, error in MFMA_FAULTS:
        yield f"schedule: {what}", product(mfma_schedule(**changed)), f"schedule: {error}", AMD
    for chip, what, storage, changed, error in DIRECT_FAULTS:
        text = product(f"{storage} {mfma_schedule(**changed)}")
        yield f"schedule: {what}", text, f"schedule: {error}", (chip,)
    text = BATCHED.format(clause=mfma_schedule(persistent="true"))
    yield "schedule: persistent workgroups of a batch", text, "schedule: expects persistent = false for a batch", AMD


#
# NVIDIA
#

NVIDIA = tuple(c for c in kf.CHIPS if kf.FAMILIES[c] is kf.NVIDIA)


def wgmma_schedule(**changed):
    """One that fits, but for what is changed; None: not there."""
    fields = {
        "tile": "[128, 128, 128]", "waves": "[2, 1]", "instr": "wgmma_m64k32_f32_fp8",
        "home": "<a = shared, b = shared>", "stages": 2,
        "roles": "<load_regs = 40, mma_regs = 232>",
    } | changed  # fmt: skip
    return f"transpose_b {schedule(fields)}"


E8M0 = "%o : tensor<?x?xf8E8M0FNU>"


def list_nvidia():
    """What, the text and a part of the error."""
    yield "lhs stored K x M", product("transpose_a transpose_b"), "with transpose_a yet: only for lhs stored M x K"
    yield "rhs stored K x N", product(), "without transpose_b yet: only for rhs stored N x K"
    for kind, scale in (("1x64", "%s : tensor<?x?xf32>"), ("1x192", "%s : tensor<?x?xf32>"), ("mx", E8M0)):
        text = product("transpose_b", block=kind, scale=scale)
        yield f"scales {kind}", text, f"for lhs_scale of kind {kind} yet: only for tensor, row, column and blocks"
    text = product("transpose_b", block="128x128, layout = blk128x128")
    yield "layout blk128x128", text, "for lhs_scale in layout blk128x128 yet: only in row, col, mn_tma"
    yield "`promote_k`", product("transpose_b promote_k = 100"), "with promote_k = 100 yet: only with multiples of 128"
    text = product(f"scale_outs({E8M0}, <mx>, rceil) transpose_b", d="f8E4M3FN")
    yield "`scale_outs`", text, "has no lowering to kernels of sm_90a with scale_outs yet"
    text = product("transpose_b epilogue(%t, %u) { lpgemm.yield %t : f32 }")
    yield "an epilogue of pairs", text, "with an epilogue of pairs of columns yet: only of single ones"
    for what, changed, error in WGMMA_FAULTS:
        yield f"schedule: {what}", product(wgmma_schedule(**changed)), f"schedule: {error}"
    text = BATCHED.format(clause=wgmma_schedule(persistent="true"))
    yield "schedule: persistent workgroups of a batch", text, "schedule: expects persistent = false for a batch"


WGMMA_FAULTS = [
    ("operands in registers", {"home": "<a = reg, b = shared>"}, "expects home = <a = shared, b = shared>"),
    ("no roles", {"roles": None}, "expects roles on sm_90a"),
    ("one stage", {"stages": 1}, "expects at least 2 stages"),
    ("a staged result", {"epilogue": "staged"}, "expects epilogue = direct on sm_90a"),
    ("halves that take turns", {"strategy": "ping_pong"}, "expects strategy = together on sm_90a"),
    ("an instruction for other operands", {"instr": "wgmma_m64k16_f32_f16"}, "wgmma_m64k16_f32_f16 does not take"),
    ("M that is no multiple", {"tile": "[192, 128, 128]"}, "expects the M of a wave (96) to be a multiple of 64"),
    ("N that is no multiple", {"tile": "[128, 100, 128]"}, "expects the N of a wave (100) to be a multiple of 8"),
    ("K of other rows than 128 bytes", {"tile": "[128, 128, 64]"}, "expects the K of the tile (64) to be 128"),
    ("more than one box", {"tile": "[320, 32, 128]", "waves": "[1, 1]"}, "expects the M of the tile (320)"),
    (
        "parts of a shared copy that are no groups of rows",
        {"tile": "[128, 24, 128]", "cluster": "[2, 1]"},
        "expects the N of the tile (24) to be a multiple of 16",
    ),
    (
        "more registers than there are",
        {"roles": "<load_regs = 40, mma_regs = 248>"},
        "expects mma_regs of at most 232",
    ),
    ("tiles that need more", {"tile": "[128, 256, 128]"}, "expects the tiles of a wave to take at most 232"),
    ("more shared memory than there is", {"stages": 8}, "expects at most 232448 bytes of shared memory"),
]


#
# NVIDIA, by instructions of a warp
#

SYNC = tuple(c for c in kf.CHIPS if kf.FAMILIES[c] is kf.SYNC)


def sync_schedule(**changed):
    """One of bf16 that fits, but for what is changed."""
    fields = {
        "tile": "[64, 64, 32]", "waves": "[2, 1]", "instr": "mma_m16n8k16_f32_bf16",
        "home": "<a = shared, b = shared>", "stages": 3,
    } | changed  # fmt: skip
    return schedule(fields)


SYNC_FAULTS = [
    ("roles", {"roles": "<load_regs = 40, mma_regs = 232>"}, "expects no roles"),
    ("a cluster", {"cluster": "[2, 1]"}, "expects no cluster"),
    ("a staged result", {"epilogue": "staged"}, "expects epilogue = direct on"),
    ("persistent workgroups", {"persistent": "true"}, "expects persistent = false"),
    ("unrolled loops", {"unroll": 2}, "expects unroll of at most 1"),
    ("K split among workgroups", {"split_k": 2}, "expects split_k of at most 1"),
    ("an instruction for other operands", {"instr": "mma_m16n8k16_f32_f16"}, "mma_m16n8k16_f32_f16 does not take"),
    ("M that is no multiple", {"tile": "[80, 64, 32]"}, "expects the M of a wave (40) to be a multiple of 16"),
    ("N that is no multiple", {"tile": "[64, 60, 32]"}, "expects the N of a wave (60) to be a multiple of 8"),
    ("K that is no multiple", {"tile": "[64, 64, 40]"}, "expects the K of the tile (40) to be a multiple of 16"),
    (
        "more threads than a workgroup has",
        {"tile": "[64, 264, 16]", "waves": "[1, 33]"},
        "expects at most 1024 threads in a workgroup",
    ),
    ("more shared memory than there is", {"tile": "[128, 128, 512]"}, "expects at most"),
    ("tiles that need more registers", {"tile": "[256, 128, 32]"}, "expects the tiles of a wave to take at most 255"),
]


def list_sync():
    """What, the text and a part of the error."""
    for what, changed, error in SYNC_FAULTS:
        yield f"schedule: {what}", product(sync_schedule(**changed), t="bf16"), f"schedule: {error}"
    text = product(sync_schedule(instr="mfma_f32_16x16x16_bf16"), t="bf16")
    yield "schedule: an instruction of another chip", text, "has no instruction mfma_f32_16x16x16_bf16"
    text = product("transpose_b", block="128x128, layout = blk128x128")
    yield "layout blk128x128", text, "for lhs_scale in layout blk128x128 yet: only in row, col, mn_tma"
    text = product("transpose_b", block="1x8", t="i8")
    yield "blocks that no instruction's K divides, of i8", text, "expects their blocks to be multiples of 32"


def list_refusals():
    """All of them; of elements that a kind of scales does not fit the products
    with themselves, which the verifier refuses on every chip alike."""
    yield from ANYWHERE
    for what, text, error, chips in list_amd():
        yield Refusal(what, text, error, chips)
    for what, text, error in list_nvidia():
        yield Refusal(what, text, error, NVIDIA)
    for element in [e for e in kf.OCP + kf.FNUZ + ["i8"] if e not in kf.OCP8]:
        error = "yet: only for both of one of" if element == "i8" else "of element types that sm_90a multiplies"
        yield Refusal("elements", product("transpose_b", t=element), error, NVIDIA, element)
    for what, text, error in list_sync():
        yield Refusal(what, text, error, SYNC)
    text, error = product("promote_k = 16"), "schedule: expects the K of the tile (32) to be at most promote_k (16)"
    yield Refusal("`promote_k`", text, error, ("sm_89",))
    for chip, element in itertools.product(SYNC, [e for e in kf.OCP + kf.FNUZ if e not in kf.OCP8]):
        error = f"of element types that {chip} multiplies"
        yield Refusal("elements", product(t=element), error, (chip,), element)
    for kind, element in itertools.product(kf.CDNA3.kinds, kf.OCP + kf.FNUZ + ["i8"] + kf.WIDE):
        reasons = kc.refusals((element, element), kind)
        if reasons:
            case = kc.draw_case(kf.CHIPS[0], (element, element), kind, 0)
            text = kc.Program(dataclasses.replace(case, schedule="default"), None).text()
            yield Refusal(f"scales {kind}", text, reasons[0], (kf.CHIPS[0],), element)
