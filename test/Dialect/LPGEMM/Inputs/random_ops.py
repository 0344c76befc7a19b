#!/usr/bin/env python3
"""Prints random valid ops of the dialect as modules, split by `// -----`.

usage: random_ops.py COUNT SEED [--bytes]

Extents are small, often 0, 1 or dynamic. Operands may be results of casts.
`--bytes`: no elements of less than a byte, which a memref does not hold;
without it all operands are tensors.
"""

import random
import sys

FN8 = ["f8E4M3FN", "f8E5M2"]
FNUZ = ["f8E4M3FNUZ", "f8E5M2FNUZ"]
NARROW = ["f6E2M3FN", "f6E3M2FN", "f4E2M1FN"]
WIDE = ["f32", "bf16", "f16"]
E8M0, E4M3, FP4 = "f8E8M0FNU", "f8E4M3FN", "f4E2M1FN"
RULES = {E8M0: ["rceil", "floor", "ceil", "even"], E4M3: ["amax"]}
# Shape of R by B scales in each layout, and the types and blocks that it takes.
LAYOUTS = {
    "row": (lambda r, b, e: [r, b], None, None),
    "col": (lambda r, b, e: [b, up(r, 4)], None, None),
    "mn_tma": (
        lambda r, b, e: [b, up(r, 8 if e == "bf16" else 4)],
        ["f32", "bf16"],
        None,
    ),
    "mn_tma_ue8m0x4": (lambda r, b, e: [cdiv(b, 4), up(r, 4), 4], [E8M0], (1, None)),
    "blk128x128": (lambda r, b, e: [r, up(b, 4)], ["f32"], (128, 128)),
    "swz128x4": (
        lambda r, b, e: [cdiv(r, 128), cdiv(b, 4), 32, 4, 4],
        [E8M0, E4M3],
        (1, None),
    ),
    "amd32x8": (
        lambda r, b, e: [8 * cdiv(r, 256), cdiv(b, 8), 4, 16, 2, 2],
        [E8M0],
        (1, 32),
    ),
}
rng = random.Random()


def cdiv(a, b):
    return -(-a // b)


def up(a, b):
    return cdiv(a, b) * b


def chance(p):
    return rng.random() < p


class Function:
    """One function with one op. Its arguments are the op's operands."""

    def __init__(self, narrow):
        self.form = "tensor" if narrow or chance(0.7) else "memref"
        self.arguments, self.casts, self.results = [], [], []

    def value(self, prefix, kind):
        name = f"%{prefix}{len(self.arguments)}"
        self.arguments.append(f"{name}: {kind}")
        return name

    def operand(self, shape, element, fixed=(), result=False):
        """`name : type`. Dimensions in `fixed` stay static."""
        dims = [
            str(d) if i in fixed or chance(0.6) else "?" for i, d in enumerate(shape)
        ]
        kind = f"{self.form}<{''.join(d + 'x' for d in dims)}{element}>"
        name = self.value("v", kind)
        if self.form == "tensor" and not fixed and chance(0.2):
            dynamic = f"tensor<{'?x' * len(dims)}{element}>"
            self.casts.append(f"  {name}c = tensor.cast {name} : {kind} to {dynamic}\n")
            name, kind = name + "c", dynamic
        if result and self.form == "tensor":
            self.results.append(kind)
        return name, kind

    def clause(self, name, shape, element, tail="", **kwargs):
        value, kind = self.operand(shape, element, **kwargs)
        return f"{name}({value} : {kind}{tail})"

    def text(self, parts):
        op = " ".join(part for part in parts if part)
        arguments = ", ".join(self.arguments)
        casts = "".join(self.casts)
        if self.form == "memref":
            return f"func.func @f({arguments}) {{\n{casts}  {op}\n  return\n}}\n"
        types = ", ".join(self.results)
        names = ", ".join(f"%r#{i}" for i in range(len(self.results)))
        return (
            f"func.func @f({arguments}) -> ({types}) {{\n{casts}"
            f"  %r:{len(self.results)} = {op} -> {types}\n"
            f"  return {names} : {types}\n}}\n"
        )


def extent():
    return rng.choice([0, 1, 2, 3, 5, 16, 17, 31, 32, 33, 64, 100, 128, 129, 200])


def scale_of(element, vector, k_blocks=None, outer_one=False):
    """A kind with its block sizes, and a scale type, for such elements."""
    kinds = ["tensor", vector, "block", "block"]
    if element in FN8 + NARROW:
        kinds += ["mx", "mx"]
    if element == FP4:
        kinds += ["nvfp4", "nvfp4_2d"]
    if outer_one or k_blocks:
        kinds = [k for k in kinds if k in ("block", "mx", "nvfp4")]
    kind = rng.choice(kinds)
    if kind == "block":
        g = k_blocks or rng.choice([16, 32, 64, 128])
        outer = 1 if outer_one or chance(0.5) else g
        # i8 under f8E8M0FNU would be MXINT8, which is refused.
        types = ["f32", "bf16"] + ([E8M0] if element != "i8" else [])
        return f"{outer}x{g}", (outer, g), rng.choice(types)
    if kind == "tensor":
        return kind, None, "f32"
    if kind == vector:
        return kind, (1, 0), rng.choice(["f32", "bf16"])
    if kind == "mx":
        return kind, (1, 32), E8M0
    return kind, ((1, 16) if kind == "nvfp4" else (16, 16)), E4M3


def scale_shape(kind, blocks, element, rows, k, k_first, layouts=None):
    """Shape and attribute of the scales of a matrix."""
    if blocks is None:
        return [], f"<{kind}>"
    if blocks[1] == 0:
        return [rows], f"<{kind}>"
    fitting = [
        name
        for name, (_, types, fits) in LAYOUTS.items()
        if (not types or element in types)
        and (not fits or (fits[0] == blocks[0] and fits[1] in (None, blocks[1])))
        and (not layouts or name in layouts)
    ]
    layout = rng.choice(["row", rng.choice(fitting)])
    shape = LAYOUTS[layout][0](cdiv(rows, blocks[0]), cdiv(k, blocks[1]), element)
    if layout == "row":
        return (shape[::-1] if k_first else shape), f"<{kind}>"
    return shape, f"<{kind}, layout = {layout}>"


def operand_types(narrow):
    group = rng.choice([FN8 + FNUZ + narrow] * 5 + [["i8"], ["bf16"], ["f16"]])
    a = rng.choice(group)
    return a, rng.choice(group if a in FN8 + FNUZ + narrow else [a])


def epilogue(f, shape):
    if chance(0.5):
        return ""
    operands, lines = ["%t"], []
    for i in range(rng.randint(0, 3)):
        picks = [rng.choice([d, d, None]) for d in range(len(shape))][
            : rng.randint(0, len(shape))
        ]
        rng.shuffle(picks)
        element = rng.choice(["f32", "bf16", "i32"])
        value, kind = f.operand([1 if p is None else shape[p] for p in picks], element)
        dims = ", ".join(f"d{d}" for d in range(len(shape)))
        map_ = f"affine_map<({dims}) -> ({', '.join('0' if p is None else f'd{p}' for p in picks)})>"
        operands.append(f"%e{i} = {value} : {kind} by {map_}")
        if element == "f32":
            lines.append(f"    %x{i} = arith.addf %t, %e{i} : f32\n")
    last = lines[-1].split()[0] if lines else "%t"
    return (
        f"epilogue({', '.join(operands)}) {{\n{''.join(lines)}"
        f"    lpgemm.yield {last} : f32\n  }}"
    )


def addends(f, lead, m, n, element):
    parts = []
    if chance(0.3):
        parts.append(
            rng.choice(
                [
                    "alpha(2.5)",
                    "alpha(1.0)",
                    "alpha(0.0)",
                    f"alpha({f.value('a', 'f32')})",
                ]
            )
        )
    if chance(0.4):
        parts.append(rng.choice(["", "beta(0.0)", f"beta({f.value('b', 'f32')})"]))
        parts.append(f.clause("c", lead + [m, n], rng.choice(WIDE + FN8)))
        parts.append(f.clause("c_scale", [], "f32") if chance(0.5) else "")
    if chance(0.3):
        axis = rng.choice("mn")
        parts.append(
            f.clause("bias", [m if axis == "m" else n], rng.choice(WIDE), f", {axis}")
        )
    if element in FN8 + FNUZ and chance(0.5):
        parts.append(f.clause("d_scale", [], "f32"))
    return parts


def side(f, name, element, lead, rows, k, k_first, fine=None, **only):
    """The scale of one side, and its blocks along K."""
    if element in WIDE or chance(0.3):
        return [], None
    kind, blocks, scale = scale_of(
        element,
        "row" if name == "lhs" else "column",
        fine,
        only.get("outer_one", False),
    )
    shape, attribute = scale_shape(
        kind, blocks, scale, rows, k, k_first, only.get("layouts")
    )
    if only.get("flat") and blocks and blocks[1]:
        lead = []
    parts = [f.clause(f"{name}_scale", lead + shape, scale, f", {attribute}")]
    if kind.startswith("nvfp4") and chance(0.5):
        parts.append(f.clause(f"{name}_tensor_scale", [], "f32"))
    return parts, blocks[1] if blocks else None


def in_order(parts):
    """Clauses in the order of the syntax."""
    names = ["lhs_scale", "rhs_scale", "lhs_tensor_scale", "rhs_tensor_scale"]
    return sorted(parts, key=lambda part: names.index(part.split("(")[0]))


def product(narrow):
    f = Function(narrow)
    a, b = operand_types(narrow)
    mode = rng.choice(["", "", "contiguous", "masked", "k_grouped"])
    m, n, k, g = extent(), extent(), extent(), rng.randint(0, 4)
    batch = [] if mode else [rng.randint(0, 3) for _ in range(rng.choice([0, 0, 1, 5]))]
    lead = {
        "contiguous": ([], [g], []),
        "masked": ([g], [g], [g]),
        "k_grouped": ([], [], [g]),
    }.get(mode, (batch, batch, batch))
    ta, tb = chance(0.3), chance(0.5)
    lhs = f.operand(lead[0] + ([k, m] if ta else [m, k]), a)
    rhs = f.operand(lead[1] + ([n, k] if tb else [k, n]), b)
    parts = [
        f"lpgemm.{'grouped_matmul ' + mode if mode else 'matmul'}",
        f"ins({lhs[0]}, {rhs[0]} : {lhs[1]}, {rhs[1]})",
    ]
    if mode:
        parts.append(f.clause("groups", [g], rng.choice(["i32", "i64"])))
        parts.append("group_align = 16" if mode != "masked" and chance(0.3) else "")
        parts.append("uncovered = keep" if mode != "k_grouped" and chance(0.3) else "")
    only = {
        "flat": mode == "k_grouped",
        "layouts": (
            ["row", "col", "mn_tma"]
            if mode == "k_grouped"
            else [x for x in LAYOUTS if x != "amd32x8"] if mode else None
        ),
    }
    plain = a == "i8" and chance(0.3)
    scales, fine = (
        ([], None)
        if plain
        else side(
            f,
            "lhs",
            a,
            [] if mode == "contiguous" else lead[0],
            m,
            k,
            ta,
            outer_one=bool(mode),
            **only,
        )
    )
    if not plain:
        scales += side(
            f,
            "rhs",
            b,
            lead[1],
            n,
            k,
            not tb,
            fine,
            outer_one=fine is not None and fine < 32,
            **only,
        )[0]
    d = "i32" if plain else rng.choice(WIDE + FN8 + FNUZ)
    parts += in_order(scales)
    parts += [] if plain else addends(f, lead[2], m, n, d)
    parts.append(f.clause("outs", lead[2] + [m, n], d, result=True))
    parts.append(
        f.clause("amax", [], "f32", result=True) if not plain and chance(0.2) else ""
    )
    parts += ["transpose_a" if ta else "", "transpose_b" if tb else ""]
    parts.append("promote_k = 128" if chance(0.2) else "")
    parts.append("deterministic" if chance(0.2) else "")
    parts.append("" if plain else epilogue(f, lead[2] + [m, n]))
    return f.text(parts)


def quantized(narrow):
    f = Function(narrow)
    code = rng.choice(FN8 + FNUZ + narrow + ["i8"])
    kind, blocks, scale = scale_of(code, "row")
    rows, k, transposed = extent(), extent(), chance(0.3)
    batch = [rng.randint(0, 3) for _ in range(rng.choice([0, 0, 1, 5]))]
    matrix = batch + ([k, rows] if transposed else [rows, k])
    shape, attribute = scale_shape(kind, blocks, scale, rows, k, transposed)
    tail = [attribute, "transposed" if transposed else ""]
    nvfp4 = kind.startswith("nvfp4")
    if chance(0.4):
        parts = [
            "lpgemm.dequantize",
            f.clause("ins", matrix, code),
            f.clause("scale", batch + shape, scale),
            f.clause("tensor_scale", [], "f32") if nvfp4 else "",
            f.clause("outs", matrix, rng.choice(WIDE), result=True),
        ]
        return f.text(parts + tail)
    rule = rng.choice(RULES.get(scale, ["amax", "pow2"]))
    found = chance(0.8)
    parts = [
        "lpgemm.quantize",
        f.clause("ins", matrix, rng.choice(WIDE)),
        "" if found else f.clause("scale", batch + shape, scale),
        f.clause("outs", matrix, code, result=True),
    ]
    if found:
        parts.append(
            f.clause("scale_outs", batch + shape, scale, f", {rule}", result=True)
        )
        parts.append(
            f.clause("tensor_scale_outs", [], "f32", result=True) if nvfp4 else ""
        )
    parts.append(f.clause("amax", [], "f32", result=True) if chance(0.3) else "")
    parts += tail + (["round = sr seed = 7"] if chance(0.2) else [])
    return f.text(parts + (["reciprocal"] if chance(0.2) else []))


def packed_scales(narrow):
    f = Function(narrow)
    kind, blocks, scale = scale_of(
        rng.choice(FN8 + [FP4]), "row", outer_one=chance(0.5) or None
    )
    while not blocks or not blocks[1]:
        kind, blocks, scale = scale_of(rng.choice(FN8 + [FP4]), "row")
    rows, k, transposed = extent(), extent(), chance(0.3)
    batch = [rng.randint(0, 3) for _ in range(rng.choice([0, 0, 2]))]
    shape, attribute = scale_shape(kind, blocks, scale, rows, k, transposed)
    plain = [cdiv(rows, blocks[0]), cdiv(k, blocks[1])]
    pair = [batch + (plain[::-1] if transposed else plain), batch + shape]
    unpack = chance(0.5)
    parts = [
        f"lpgemm.{'unpack' if unpack else 'pack'}_scales",
        f.clause("ins", pair[unpack], scale),
        f.clause("outs", pair[not unpack], scale, result=True),
        attribute,
    ]
    return f.text(parts + (["transposed"] if transposed else []))


def packed_weights(narrow):
    f = Function(narrow)
    element = rng.choice(FN8 + FNUZ + ["i8"] + [t for t in narrow if t == FP4])
    lane = 32 if element == FP4 else 16
    n, k = 16 * rng.randint(0, 5), 2 * lane * rng.randint(0, 5)
    batch = [rng.randint(0, 3) for _ in range(rng.choice([0, 0, 2]))]
    pair = [batch + [n, k], batch + [n // 16, k // lane, 16, lane]]
    unpack = chance(0.5)
    return f.text(
        [
            f"lpgemm.{'unpack' if unpack else 'pack'}_weights w16x16",
            f.clause("ins", pair[unpack], element),
            f.clause("outs", pair[not unpack], element, result=True),
        ]
    )


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    narrow = [] if "--bytes" in sys.argv[3:] else NARROW
    rng.seed(seed)
    kinds = [product] * 4 + [quantized] * 2 + [packed_scales, packed_weights]
    print("// -----\n".join(rng.choice(kinds)(narrow) for _ in range(count)), end="")


if __name__ == "__main__":
    main()
