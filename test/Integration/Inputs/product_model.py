"""The matrix products of the dialect in NumPy, as docs/spec.md defines them.

Written from the formulas alone: operands and scales are expanded to full float64
matrices, layouts are reshapes and transpositions. A `Product` draws one random
op; `program()` is its text, `arrays()` its arguments, `results()` what it gives.
"""

import numpy as np

from lpgemm import formats

FP8 = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"]
MX_TYPES = ["f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"]
FLOATS = FP8 + MX_TYPES[2:]
NUMPY_TYPES = {"f32": np.float32, "f16": np.float16, "i8": np.int8, "i32": np.int32}


def ceil_div(a, b):
    return -(-a // b)


def round_bf16(values):
    """The bits of the bfloat16 next to float64 values, by one rounding."""
    single = values.astype(np.float32)
    # Rounding to odd in the first step makes the second one right.
    bits = single.view(np.uint32).astype(np.int64)
    inexact = (single.astype(np.float64) != values) & np.isfinite(values)
    away = np.abs(single.astype(np.float64)) > np.abs(values)
    bits = np.where(inexact, np.where(away, bits - 1, bits) | 1, bits)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    nan = np.isnan(values)
    return np.where(nan, 0x7FC0, rounded).astype(np.uint16)


def to_array(values, name):
    """What an .npy file holds for values of an element type."""
    if name == "f8E8M0FNU":  # powers of two
        return (np.log2(values) + 127).astype(np.uint8)
    if name in formats.TABLES:
        return formats.encode(values, name)
    if name == "bf16":
        return round_bf16(np.asarray(values, dtype=np.float64))
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(NUMPY_TYPES[name])


def to_values(array, name):
    """The float64 values of such an array."""
    if name in formats.TABLES:
        return formats.decode(array, name)
    if name == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64)


def pad_to(scales, rows, columns):
    """With NaN, which must not matter (C13), whatever the type of the scales."""
    value = np.nan if scales.dtype == np.float32 else np.iinfo(scales.dtype).max
    padded = np.full(scales.shape[:-2] + (rows, columns), value, scales.dtype)
    padded[..., : scales.shape[-2], : scales.shape[-1]] = scales
    return padded


def store_scales(scales, layout, k_first):
    """Scales (..., R, B) as a layout stores them, by the shapes of its source."""
    lead, (r, b) = scales.shape[:-2], scales.shape[-2:]
    swap = lambda s: np.swapaxes(s, -1, -2)
    size = scales.dtype.itemsize
    if layout == "row":
        return swap(scales) if k_first else scales
    if layout == "col":
        return swap(pad_to(scales, ceil_div(r, 4) * 4, b))
    if layout == "mn_tma":
        unit = 16 // size
        return swap(pad_to(scales, ceil_div(r, unit) * unit, b))
    if layout == "blk128x128":
        return pad_to(scales, r, ceil_div(b, 4) * 4)
    if layout == "mn_tma_ue8m0x4":
        s = pad_to(scales, ceil_div(r, 4) * 4, ceil_div(b, 4) * 4)
        s = s.reshape(*lead, s.shape[-2], s.shape[-1] // 4, 4)
        return np.swapaxes(s, -3, -2)
    n = len(lead)
    if layout == "swz128x4":
        s = pad_to(scales, ceil_div(r, 128) * 128, ceil_div(b, 4) * 4)
        s = s.reshape(*lead, s.shape[-2] // 128, 4, 32, s.shape[-1] // 4, 4)
        return s.transpose(*range(n), n, n + 3, n + 2, n + 1, n + 4)
    assert layout == "amd32x8"
    s = pad_to(scales, ceil_div(r, 256) * 256, ceil_div(b, 8) * 8)
    s = s.reshape(*lead, s.shape[-2] // 32, 2, 16, s.shape[-1] // 8, 2, 4)
    return s.transpose(*range(n), n, n + 3, n + 5, n + 2, n + 4, n + 1)


class Scale:
    """A kind of scale, its type and layout."""

    def __init__(self, rng, side, element, exact, layouts=True):
        outer = {"lhs": "row", "rhs": "column"}[side]
        kinds = ["tensor", outer, "1x128", "1x32", "1x20", "24x24", "128x128", None]
        if element in MX_TYPES:
            kinds += ["mx"] * 3
        if element == "f4E2M1FN":
            kinds += ["nvfp4", "nvfp4", "nvfp4_2d"]
        self.kind = rng.choice(kinds) if element not in ("bf16", "f16") else None
        self.exact = exact
        blocks = {"mx": (1, 32), "nvfp4": (1, 16), "nvfp4_2d": (16, 16)}
        self.block = blocks.get(self.kind)
        if self.kind and self.kind[0].isdigit():
            self.block = tuple(int(n) for n in self.kind.split("x"))
        self.type = self.draw_type(rng, element)
        self.layout = self.draw_layout(rng) if layouts else "row"

    def draw_type(self, rng, element):
        if self.kind == "mx":
            return "f8E8M0FNU"
        if self.kind in ("nvfp4", "nvfp4_2d"):
            return "f8E4M3FN"
        if self.kind == "tensor":
            return "f32"
        types = ["f32", "bf16"]
        if self.block and element != "i8":
            types.append("f8E8M0FNU")
        return str(rng.choice(types))

    def draw_layout(self, rng):
        layouts = ["row"]
        if self.block:
            layouts.append("col")
            layouts += ["mn_tma"] if self.type in ("f32", "bf16") else []
            layouts += ["blk128x128"] if self.kind == "128x128" and self.type == "f32" else []
            if self.block[0] == 1 and self.type == "f8E8M0FNU":
                layouts += ["mn_tma_ue8m0x4", "swz128x4"]
                layouts += ["amd32x8"] if self.block[1] == 32 else []
            if self.kind == "nvfp4":
                layouts.append("swz128x4")
        return str(rng.choice(layouts))

    def text(self):
        layout = "" if self.layout == "row" else f", layout = {self.layout}"
        return f"<{self.kind}{layout}>"

    def draw(self, rng, lead, outer, k):
        """Values (lead, R', B) or (lead, R) or (lead)."""
        shape = tuple(lead)
        if self.block:
            shape += (ceil_div(outer, self.block[0]), ceil_div(k, self.block[1]))
        elif self.kind != "tensor":
            shape += (outer,)
        powers = 2.0 ** rng.integers(-3, 4, shape)
        if self.exact or self.type == "f8E8M0FNU":
            return powers
        return to_values(to_array(powers * rng.uniform(1, 2, shape), self.type), self.type)

    def expand(self, values, lead, outer, k):
        """The scale of each element: (lead, R, K)."""
        if self.block:
            values = np.repeat(values, self.block[0], axis=-2)[..., :outer, :]
            values = np.repeat(values, self.block[1], axis=-1)[..., :k]
        elif self.kind == "tensor":
            values = values[..., None, None]
        else:
            values = values[..., None]
        return np.broadcast_to(values, tuple(lead) + (outer, k))

    def store(self, values, k_first):
        array = to_array(values, self.type)
        return store_scales(array, self.layout, k_first) if self.block else array


def blocks_agree(a, b):
    """(S-5)"""
    if not a.block or not b.block:
        return True
    small, large = sorted([a.block[1], b.block[1]])
    return large % small == 0


class Argument:
    """A function argument: its name, MLIR type and array."""

    def __init__(self, name, array, element, dynamic):
        self.name, self.array, self.element = name, array, element
        dims = "".join(f"{'?' if d else n}x" for n, d in zip(array.shape, dynamic))
        self.type = f"tensor<{dims}{element}>"


class Product:
    """One random product."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        rng = self.rng
        self.arguments, self.clauses = [], []
        self.exact = rng.random() < 0.3
        self.mode = str(rng.choice(["matmul", "matmul", "contiguous", "masked", "k_grouped"]))
        pick = lambda: int(rng.choice([1, 2, 3, 5, 8, 17, 33, 40, 64, 70, 130, 131]))
        self.m, self.n, self.k = pick(), pick(), pick()
        if rng.random() < 0.06:
            setattr(self, str(rng.choice(["m", "n", "k"])), 0)
        self.draw_types()
        self.transpose_a, self.transpose_b = (bool(rng.random() < 0.5) for _ in "ab")
        self.draw_groups()
        self.draw_operands()
        self.draw_epilogue()

    # Drawing ----------------------------------------------------------------

    def argument(self, name, array, element, lead=()):
        """`lead`: the leading dimensions, where some may be broadcast."""
        dynamic = list(self.rng.random(array.ndim) < 0.5)
        for i, (n, full) in enumerate(zip(lead, self.batch[len(self.batch) - len(lead) :])):
            if n != full:  # only a static 1 is broadcast
                dynamic[i] = False
        argument = Argument(name, array, element, dynamic)
        self.arguments.append(argument)
        return f"%{name} : {argument.type}"

    def draw_types(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.12:
            self.types = ["i8", "i8"]
        elif kind < 0.2:
            self.types = [str(rng.choice(["bf16", "f16"]))] * 2
        else:
            self.types = [str(rng.choice(FLOATS)) for _ in range(2)]
        grouped_layouts = self.mode == "matmul"
        while True:
            self.scales = [
                Scale(rng, side, element, self.exact, grouped_layouts)
                for side, element in zip(["lhs", "rhs"], self.types)
            ]
            tall = self.mode in ("contiguous", "masked") and self.scales[0].block and self.scales[0].block[0] > 1
            if blocks_agree(*self.scales) and not tall:
                return

    def draw_groups(self):
        rng = self.rng
        self.batch = ()
        self.groups = None
        if self.mode == "matmul":
            sizes = rng.choice([1, 2, 3, 0], rng.choice([0, 0, 0, 1, 2]), p=[0.32, 0.33, 0.32, 0.03])
            self.batch = tuple(int(n) for n in sizes)
            return
        count = int(rng.choice([1, 2, 5]))
        limit = self.k if self.mode == "k_grouped" else self.m
        if self.mode == "masked":
            self.groups = rng.integers(0, limit + 1, count)
            return
        self.align = int(rng.choice([1, 1, 4]))
        ends = np.sort(rng.integers(0, limit + 1, count))
        # A group ends behind its aligned start, or is empty.
        for g in range(1, count):
            ends[g] = max(ends[g], min(self.aligned(ends[g - 1]), limit))
        self.groups = ends

    def aligned(self, row):
        return ceil_div(int(row), self.align) * self.align

    def ranges(self):
        """Start and end of each group."""
        if self.mode == "masked":
            return [(0, int(n)) for n in self.groups]
        starts = [0] + [self.aligned(end) for end in self.groups[:-1]]
        return [(min(s, int(e)), int(e)) for s, e in zip(starts, self.groups)]

    def draw_values(self, shape, element):
        rng = self.rng
        if self.exact:
            values = rng.integers(-2, 3, shape).astype(np.float64)
        elif element == "i8":
            values = rng.integers(-128, 128, shape).astype(np.float64)
        else:
            values = rng.standard_normal(shape) * 2
        return to_values(to_array(values, element), element)

    def lead(self, side):
        """Leading dimensions of lhs or rhs."""
        if self.mode == "matmul":
            return self.draw_lead()
        grouped = {"contiguous": ["rhs"], "masked": ["lhs", "rhs"], "k_grouped": []}
        return (len(self.groups),) if side in grouped[self.mode] else ()

    def draw_lead(self):
        """Those of the batch, of which the first may be left out, and any broadcast."""
        drop = int(self.rng.integers(0, len(self.batch) + 1))
        return tuple(1 if self.rng.random() < 0.25 else n for n in self.batch[drop:])

    def draw_operands(self):
        texts, self.values, self.scale_values = [], [], []
        leads = [self.lead("lhs"), self.lead("rhs")]
        swapped = [self.transpose_a, not self.transpose_b]
        for name, lead, outer, element, swap in zip(["a", "b"], leads, [self.m, self.n], self.types, swapped):
            values = self.draw_values(lead + (outer, self.k), element)
            self.values.append(values)
            stored = np.swapaxes(values, -1, -2) if swap else values
            texts.append(self.argument(name, to_array(stored, element), element, self.batched(lead)))
        (a, ta), (b, tb) = (t.split(" : ") for t in texts)
        self.inputs = f"ins({a}, {b} : {ta}, {tb})"
        if self.groups is not None:
            array = self.groups.astype(np.int32)
            self.inputs += f" groups({self.argument('groups', array, 'i32')})"
            if self.mode != "masked" and self.align != 1:
                self.inputs += f" group_align = {self.align}"
        for side, scale, lead, outer, swap in zip(["lhs", "rhs"], self.scales, leads, [self.m, self.n], swapped):
            self.draw_scale(side, scale, lead, outer, swap)
        for side, scale in zip(["lhs", "rhs"], self.scales):
            self.draw_tensor_scale(side, scale)

    def batched(self, lead):
        """Of leading dimensions, those of a batch, not of groups."""
        return lead if self.mode == "matmul" else ()

    def draw_scale(self, side, scale, lead, outer, swap):
        if self.mode == "matmul":
            lead = self.draw_lead()
        if not scale.kind:
            self.scale_values.append(np.ones(tuple(lead) + (outer, self.k)))
            return
        k = self.k
        if self.mode == "k_grouped" and scale.block:
            # Each group has blocks of its own.
            parts = [scale.draw(self.rng, lead, outer, e - s) for s, e in self.ranges()]
            full = np.ones(tuple(lead) + (outer, k))
            for part, (start, end) in zip(parts, self.ranges()):
                full[..., start:end] = scale.expand(part, lead, outer, end - start)
            values = np.concatenate(parts, axis=-1)
            self.scale_values.append(full)
        else:
            values = scale.draw(self.rng, lead, outer, k)
            self.scale_values.append(scale.expand(values, lead, outer, k))
        stored = self.argument(f"{side}_s", scale.store(values, swap), scale.type, self.batched(lead))
        self.clauses.append(f"{side}_scale({stored}, {scale.text()})")

    def draw_tensor_scale(self, side, scale):
        self.tensor_scale = getattr(self, "tensor_scale", 1.0)
        if not scale.block or self.rng.random() < 0.6:
            return
        value = np.float32(2.0 ** self.rng.integers(-2, 3))
        self.tensor_scale *= float(value)
        text = self.argument(f"{side}_g", np.array(value), "f32")
        self.clauses.append(f"{side}_tensor_scale({text})")

    def draw_epilogue(self):
        rng = self.rng
        self.result_lead = self.batch if self.mode in ("matmul", "contiguous") else (len(self.groups),)
        self.shape = tuple(self.result_lead) + (self.m, self.n)
        types = ["f32", "bf16", "f16", *FP8]
        plain = self.types[0] == "i8" and not any(s.kind for s in self.scales)
        self.result = "i32" if plain and rng.random() < 0.5 else str(rng.choice(types))
        self.factor = {"alpha": 1.0, "beta": 1.0, "d": 1.0}
        self.c = self.bias = self.extra = None
        self.amax = False
        if self.result == "i32":
            return
        self.draw_factors()
        self.draw_addends()
        if rng.random() < 0.4:
            self.extra = self.draw_extra()
        self.amax = self.mode == "matmul" and rng.random() < 0.3

    def draw_factors(self):
        rng = self.rng
        if rng.random() < 0.3:
            self.factor["alpha"] = float(rng.choice([0.5, 2.0, -1.5, 0.0]))
            self.clauses.append(f"alpha({self.factor['alpha']})")
        if self.result in FP8 and rng.random() < 0.5:
            self.factor["d"] = float(2.0 ** rng.integers(-4, 1))

    def draw_addends(self):
        rng = self.rng
        if rng.random() < 0.3:
            element = str(rng.choice(["f32", "bf16", "f16", "f8E4M3FN", "f8E5M2FNUZ"]))
            lead = self.draw_lead() if self.mode == "matmul" else tuple(self.result_lead)
            self.c = self.draw_values(lead + (self.m, self.n), element)
            if rng.random() < 0.5:
                self.factor["beta"] = float(rng.choice([0.5, -2.0, 0.0]))
                self.clauses.append(f"beta({self.factor['beta']})")
            text = self.argument("c", to_array(self.c, element), element, self.batched(lead))
            self.clauses.append(f"c({text})")
        if rng.random() < 0.4:
            axis = str(rng.choice(["m", "n"]))
            element = str(rng.choice(["f32", "bf16", "f16"]))
            lead = self.draw_lead() if self.mode == "matmul" else ()
            self.bias = self.draw_values(lead + (self.m if axis == "m" else self.n,), element)
            text = self.argument("bias", to_array(self.bias, element), element, lead)
            self.clauses.append(f"bias({text}, {axis})")
            self.bias = np.expand_dims(self.bias, -1 if axis == "m" else -2)
        if self.factor["d"] != 1.0:
            text = self.argument("ds", np.array(np.float32(self.factor["d"])), "f32")
            self.clauses.append(f"d_scale({text})")

    def draw_extra(self):
        """relu(t) + e, e of the shape of D or of a row."""
        full = self.rng.random() < 0.5
        shape = self.shape if full else (self.n,)
        values = self.draw_values(shape, "f32")
        dims = ", ".join(f"d{i}" for i in range(len(self.shape)))
        by = "" if full else f" by affine_map<({dims}) -> (d{len(self.shape) - 1})>"
        self.extra_text = self.argument("e", to_array(values, "f32"), "f32") + by
        return values

    # Text -------------------------------------------------------------------

    def program(self):
        # The destination is an argument as well, filled with NaN.
        inits = [self.argument("d", self.poison(), self.result)]
        clauses = [f"outs({inits[0]})"]
        if self.amax:
            inits.append(self.argument("amax", np.array(np.float32(np.nan)), "f32"))
            clauses.append(f"amax({inits[1]})")
        clauses += ["transpose_a"] * self.transpose_a + ["transpose_b"] * self.transpose_b
        if self.extra is not None:
            clauses.append(
                f"epilogue(%t, %x = {self.extra_text}) {{\n"
                "    %zero = arith.constant 0.0 : f32\n"
                "    %relu = arith.maximumf %t, %zero : f32\n"
                "    %sum = arith.addf %relu, %x : f32\n"
                "    lpgemm.yield %sum : f32\n  }"
            )
        results = ", ".join(i.split(" : ")[1] for i in inits)
        op = "matmul" if self.mode == "matmul" else f"grouped_matmul {self.mode}"
        uncovered = [] if self.mode in ("matmul", "k_grouped") else ["uncovered = zero"]
        body = "\n      ".join([self.inputs, *uncovered, *self.order(clauses)])
        names = ", ".join(f"%r#{i}" for i in range(len(inits)))
        arguments = ", ".join(f"%{a.name}: {a.type}" for a in self.arguments)
        return (
            f"func.func @f({arguments}) -> ({results}) {{\n"
            f"  %r:{len(inits)} = lpgemm.{op}\n      {body} -> {results}\n"
            f"  return {names} : {results}\n}}\n"
        )

    def order(self, tail):
        """The clauses in the order of the syntax."""
        order = ["lhs_scale", "rhs_scale", "lhs_tensor_scale", "rhs_tensor_scale", "alpha", "beta", "c", "bias", "d_scale"]
        return sorted(self.clauses, key=lambda c: order.index(c.split("(")[0])) + tail

    def poison(self):
        if self.result == "i32":
            return np.full(self.shape, 12345, np.int32)
        if self.result == "bf16":
            return np.full(self.shape, 0x7FC0, np.uint16)
        if self.result in FP8:
            return np.full(self.shape, 0x7F if "UZ" not in self.result else 0x80, np.uint8)
        return np.full(self.shape, np.nan, NUMPY_TYPES[self.result])

    # Meaning ----------------------------------------------------------------

    def accumulate(self):
        """The sums, without factors, and the sums of magnitudes."""
        a, b = (v * s for v, s in zip(self.values, self.scale_values))
        if self.mode == "matmul":
            parts = [(np.matmul(x, np.swapaxes(y, -1, -2))) for x, y in [(a, b), (abs(a), abs(b))]]
            return [np.broadcast_to(p, self.shape).copy() for p in parts]
        sums = [np.zeros(self.shape) for _ in range(2)]
        for g, (start, end) in enumerate(self.ranges()):
            for total, (x, y) in zip(sums, [(a, b), (abs(a), abs(b))]):
                if self.mode == "contiguous":
                    total[start:end] = x[start:end] @ y[g].T
                elif self.mode == "masked":
                    total[g, :end] = x[g, :end] @ y[g].T
                else:
                    total[g] = x[:, start:end] @ y[:, start:end].T
        return sums

    def covered(self):
        """Which elements of D the groups cover."""
        mask = np.ones(self.shape, dtype=bool)
        if self.mode in ("matmul", "k_grouped"):
            return mask
        mask[:] = False
        for g, (start, end) in enumerate(self.ranges()):
            mask[(slice(start, end) if self.mode == "contiguous" else (g, slice(end)))] = True
        return mask

    def results(self, rounding=2.0**-53):
        """D_temp in float64 and a bound of what sums with such rounding change.

        Sums of i8 products are exact in f32 for the extents drawn here.
        """
        sums, magnitudes = self.accumulate()
        factor = self.factor["alpha"] * self.tensor_scale
        t = factor * sums if factor else np.zeros(self.shape)
        bound = abs(factor) * magnitudes
        if self.c is not None and self.factor["beta"]:
            t = t + self.factor["beta"] * self.c
            bound = bound + abs(self.factor["beta"] * self.c)
        if self.bias is not None:
            t = t + self.bias
            bound = bound + abs(self.bias)
        slack = 2 * (self.k + 16) * rounding * bound
        if self.extra is not None:
            # The region computes in f32.
            t = np.float64(np.maximum(np.float32(t), np.float32(0)) + np.float32(self.extra))
            slack = slack + 2.0**-22 * (bound + abs(self.extra))
        # Small integers under powers of two: every step in f64 is exact.
        return t, slack * (not self.exact or rounding > 2.0**-53)
