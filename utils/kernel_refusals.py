# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The products that have no kernel, and the errors that say so."""

import dataclasses
import itertools

import kernel_cases as kc


@dataclasses.dataclass(frozen=True)
class Refusal:
    what: str
    text: str
    expected: str  # A part of the error.
    chips: tuple = tuple(kc.CHIPS)
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


def product(clause="", block=None, t="f8E4M3FN", e="f32", d="f32"):
    """A product with a clause, or a kind of lhs_scale."""
    is_quantized = clause.startswith("scale_outs")
    return PRODUCT.format(
        t=t, e=e, d=d, clause=clause,
        scale=f"lhs_scale(%s : tensor<?x?xf32>, <{block}>)" if block else "",
        more=", tensor<?x?xf8E8M0FNU>" if is_quantized else "",
        n=":2" if is_quantized else "", first="#0" if is_quantized else "",
    )  # fmt: skip


def region(body, element="f32", by=""):
    return f"epilogue(%t, %x = %e : tensor<?x?x{element}>{by}) {{\n{body}\nlpgemm.yield %y : f32 }}"


def schedule(instr, m=128):
    return (
        f"schedule(<tile = [{m}, 128, 128], waves = [1, 1], instr = {instr},"
        " home = <a = reg, b = reg>, stages = 1>)"
    )


# Whatever the elements are.
ANYWHERE = [
    Refusal(
        "`lpgemm.grouped_matmul`",
        GROUPED,
        "has no lowering to kernels yet: only lpgemm.matmul has",
    ),
    Refusal(
        "`scale_outs`",
        product("scale_outs(%o : tensor<?x?xf8E8M0FNU>, <mx>, rceil)", d="f8E4M3FN"),
        "has no lowering to kernels with scale_outs yet",
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
    Refusal(
        "blocks that no instruction's K divides",
        product(block="1x4"),
        "expects their blocks to be multiples of 8 elements of K",
    ),
    Refusal(
        "blocks that no instruction's K divides, of i8",
        product(block="1x8", t="i8"),
        "expects their blocks to be multiples of 16 elements of K",
    ),
    Refusal(
        "schedule: scales that end inside of an instruction",
        product(schedule("mfma_f32_16x16x32_fp8"), block="1x16"),
        "schedule: expects a scale block (16) that is a multiple of the K of mfma_f32_16x16x32_fp8",
    ),
    Refusal(
        "schedule: an instruction for other operands",
        product(schedule("mfma_f32_16x16x16_f16")),
        "schedule: mfma_f32_16x16x16_f16 does not take 'f8E4M3FN' x 'f8E4M3FN'",
    ),
    Refusal(
        "schedule: tiles that need more registers than there are",
        product(schedule("mfma_f32_16x16x32_fp8", m=512)),
        "schedule: expects the tiles of a wave to take at most",
    ),
]


def list_refusals():
    """All of them; of elements that a kind of scales does not fit the products
    with themselves, which the verifier refuses on every chip alike."""
    yield from ANYWHERE
    for kind, element in itertools.product(kc.KINDS, kc.OCP + kc.FNUZ + ["i8"] + kc.WIDE):
        reasons = kc.refusals((element, element), kind)
        if reasons:
            case = kc.draw_case(kc.CHIPS[0], (element, element), kind, 0)
            text = kc.Program(dataclasses.replace(case, schedule="default"), None).text()
            yield Refusal(f"scales {kind}", text, reasons[0], (kc.CHIPS[0],), element)
