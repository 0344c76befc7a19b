# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The products that prove-kernels.py runs: tables, cases and their programs.

The rules named are those of docs/spec.md.
"""

import collections
import dataclasses
import functools
import itertools
import math
import random

CHIPS = ["gfx942", "gfx950"]

# (C5) What lhs and rhs may be.
OCP = ["f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"]
FNUZ = ["f8E4M3FNUZ", "f8E5M2FNUZ"]
WIDE = ["bf16", "f16"]
PAIRS = list(itertools.product(OCP + FNUZ, repeat=2)) + [(t, t) for t in ["i8"] + WIDE]
BITS = {"bf16": 16, "f16": 16, "f6E2M3FN": 6, "f6E3M2FN": 6, "f4E2M1FN": 4}  # Else 8.


@dataclasses.dataclass(frozen=True)
class Scale:
    """The scales of one side: elements along M or N, and along K, that share
    one (0: all), the types that a case may draw, and the elements it fits."""

    kind: str
    outer: int
    k: int
    types: tuple
    elements: tuple
    has_tensor_scale: bool = False

    def refusal(self, element):
        """(C8, C14) A part of the error for elements that it does not fit."""
        if element in WIDE:
            return "to have no scale, but got"
        if element not in self.elements:
            takes_any = self.types[0] == "f8E8M0FNU" and self.kind != "mx"
            return "elements to have element type" if takes_any else "to have a scale of kind"
        return None


NARROW = tuple(OCP + FNUZ + ["i8"])
FLOATS = tuple(OCP + FNUZ)
F32, WIDE_SCALE, E8M0, E4M3 = ("f32",), ("f32", "bf16"), ("f8E8M0FNU",), ("f8E4M3FN",)
TENSOR = Scale("tensor", 0, 0, F32, NARROW)
ROW = Scale("row", 1, 0, WIDE_SCALE, NARROW)
COLUMN = Scale("column", 1, 0, WIDE_SCALE, NARROW)
ROW_128 = Scale("1x128", 1, 128, WIDE_SCALE, NARROW)
SQUARE_128 = Scale("128x128", 128, 128, WIDE_SCALE, NARROW)
ROW_32 = Scale("1x32", 1, 32, WIDE_SCALE, NARROW)
ROW_32_E8M0 = Scale("1x32", 1, 32, E8M0, FLOATS)
MX = Scale("mx", 1, 32, E8M0, tuple(OCP))
NVFP4 = Scale("nvfp4", 1, 16, E4M3, ("f4E2M1FN",), True)
NVFP4_2D = Scale("nvfp4_2d", 16, 16, E4M3, ("f4E2M1FN",), True)

KINDS = {
    "none": (None, None),
    "tensor x tensor": (TENSOR, TENSOR),
    "row x column": (ROW, COLUMN),
    "1x128 x 128x128": (ROW_128, SQUARE_128),
    "1x128 x 1x128": (ROW_128, ROW_128),
    "1x32 x 1x32": (ROW_32, ROW_32),
    "1x32 x 1x32 E8M0": (ROW_32_E8M0, ROW_32_E8M0),
    "mx x mx": (MX, MX),
    "mx x none": (MX, None),
    "none x mx": (None, MX),
    "mx x 1x128": (MX, ROW_128),
    "nvfp4 x nvfp4": (NVFP4, NVFP4),
    "nvfp4_2d x nvfp4_2d": (NVFP4_2D, NVFP4_2D),
    "nvfp4 x mx": (NVFP4, MX),
}

# (SL-0 to SL-6) Whether a layout fits a scale of a type, and what stands behind
# its two free dimensions.
LAYOUTS = {
    "row": (lambda s, t: True, ()),
    "col": (lambda s, t: s.k, ()),
    "mn_tma": (lambda s, t: s.k and t in WIDE_SCALE, ()),
    "mn_tma_ue8m0x4": (lambda s, t: s.k and s.outer == 1 and t in E8M0, (4,)),
    "blk128x128": (lambda s, t: s.outer == 128 and t in F32, ()),
    "swz128x4": (lambda s, t: s.k and s.outer == 1 and t in E8M0 + E4M3, (32, 4, 4)),
    "amd32x8": (lambda s, t: s.outer == 1 and s.k == 32 and t in E8M0, (4, 16, 2, 2)),
}

SHAPES = [
    (1, 1, 1),
    (1, 8, 128),
    (17, 33, 130),
    (128, 128, 128),
    (130, 257, 384),
    (5, 0, 16),
    (64, 64, 0),
    (257, 129, 1000),
]
# Whether lhs is stored K x M, and rhs N x K.
STORAGES = {"M x K, N x K": (0, 1), "M x K, K x N": (0, 0), "K x M, K x N": (1, 0), "K x M, N x K": (1, 1)}
RESULTS = ["f32", "bf16", "f16", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "i32"]
EPILOGUES = ["none", "alpha, beta, C", "constant alpha", "bias m", "bias n", "region", "amax"]
BATCHES = {"none": (), "2, rhs broadcast": (2,)}
EXTENTS = ["dynamic", "static"]

# By the operands: M, N and K of the two shapes of an instruction.
INSTRUCTIONS = [
    {"mfma_scale_f32_16x16x128_f8f6f4": (16, 128), "mfma_scale_f32_32x32x64_f8f6f4": (32, 64)},
    {"mfma_f32_16x16x32_fp8": (16, 32), "mfma_f32_32x32x16_fp8": (32, 16)},
    {"mfma_i32_16x16x32_i8": (16, 32), "mfma_i32_32x32x16_i8": (32, 16)},
    {"mfma_f32_16x16x16_bf16": (16, 16), "mfma_f32_32x32x8_bf16": (32, 8)},
    {"mfma_f32_16x16x16_f16": (16, 16), "mfma_f32_32x32x8_f16": (32, 8)},
]
# None is the default one; else M and N of the instruction, homes, stages.
SCHEDULES = {"default": None} | {
    f"{extent} x {extent}, {a} x {b}, stages {stages}": (extent, a, b, stages)
    for extent in (16, 32)
    for a, b in itertools.product(["shared", "reg"], repeat=2)
    for stages in (1, 2)
}
INITS = ["normal", "codes", "exact"]
AXES = ["layout", "storage", "result", "epilogue", "batch", "schedule", "extents", "init"]


def refusals(pair, kind):
    """Parts of the errors of which one is expected; none: the product is legal."""
    sides = zip(pair, KINDS[kind])
    return [r for r in (s.refusal(t) for t, s in sides if s) if r]


@dataclasses.dataclass(frozen=True)
class Case:
    chip: str
    pair: tuple
    kind: str
    shape: tuple
    scale_type: str
    layouts: tuple
    storage: str
    result: str
    epilogue: str
    batch: str
    schedule: str
    extents: str
    init: str
    seed: int

    def name(self):
        """What the case is, in one line; no two cases have the same."""
        fields = [" x ".join(self.pair), self.kind, "x".join(map(str, self.shape))]
        fields += [self.scale_type, " x ".join(self.layouts), self.storage, self.result]
        fields += [self.epilogue, f"batch {self.batch}", self.schedule, self.extents, self.init]
        return f"{self.chip}: {'; '.join(fields)}; seed {self.seed}"

    def scales(self):
        return KINDS[self.kind]

    def values(self, axis):
        """The values that the case has on an axis."""
        if axis == "layout":
            return {l for l, s in zip(self.layouts, self.scales()) if s and s.k}
        return {getattr(self, axis)}


def scale_type(scale, drawn):
    return drawn if drawn in scale.types else scale.types[0]


def draw_case(chip, pair, kind, index, turn=0):
    """A case of one shape: the other axes follow from the arguments."""
    rng = random.Random(f"{chip} {pair} {kind} {index} {turn}")
    base = random.Random(f"{pair} {kind}").randrange(8) + turn
    drawn = rng.choice(WIDE_SCALE)
    layouts = []
    for scale in KINDS[kind]:
        fitting = [l for l, (fits, _) in LAYOUTS.items() if scale and fits(scale, scale_type(scale, drawn))]
        layouts.append(rng.choice(fitting or ["row"]))
    sums_i32 = pair[0] == "i8" and kind == "none"
    result = rng.choice(RESULTS + RESULTS[-1:] * 3 if sums_i32 else RESULTS[:-1])
    # (C6) A result of i32 is the sum alone.
    epilogue = rng.choice(EPILOGUES if result != "i32" else EPILOGUES[:1])
    # Each base has data of all kinds, and two shapes with the default schedule.
    init = "exact" if (index + base) % 2 else rng.choice(INITS[:1] if pair[0] in WIDE else INITS[:2])
    is_default = (index + base) % 8 in (1, 4)
    return Case(
        chip, pair, kind, SHAPES[index], drawn, tuple(layouts),
        rng.choice(list(STORAGES)), result, epilogue, rng.choice(list(BATCHES)),
        "default" if is_default else rng.choice(list(SCHEDULES)[1:]),
        rng.choice(EXTENTS), init, rng.randrange(1, 1000),
    )  # fmt: skip


def list_bases(chips):
    """Chip, types and kind of scales of all legal products."""
    for chip, pair, kind in itertools.product(chips, PAIRS, KINDS):
        if not refusals(pair, kind):
            yield chip, pair, kind


def features(case):
    """What the case has of each axis."""
    found = [(axis, v) for axis in AXES for v in sorted(case.values(axis))]
    found += [("kind", case.kind), ("shape", case.shape)]
    return found + list(zip(["lhs", "rhs"], case.pair))


def count_turns(pair, kind):
    """How often a case is drawn for each shape: often for what few types or
    kinds of scales have."""
    is_rare = pair[0] not in FLOATS or "nvfp4" in kind
    return 40 if is_rare else 3


@functools.cache
def list_chip_cases(chip):
    """Each base with each shape once; then what has two values of two axes that
    no case before had."""
    bases, met, cases = list(list_bases([chip])), set(), []
    for turn in range(max(count_turns(*base[1:]) for base in bases)):
        for base in bases:
            if turn >= count_turns(*base[1:]):
                continue
            for i in range(len(SHAPES)):
                case = draw_case(*base, i, turn)
                pairs = set(itertools.combinations(features(case), 2))
                if turn == 0 or not pairs <= met:
                    cases.append(case)
                met |= pairs
    return cases


def list_cases(chips):
    """All cases, in an order of which every part has some of everything: the
    first eighth has every base with one shape."""
    rng, keyed = random.Random(0), []
    for chip in chips:
        for case in list_chip_cases(chip):
            base = random.Random(f"{case.pair} {case.kind}").randrange(len(SHAPES))
            keyed.append(((SHAPES.index(case.shape) + base) % len(SHAPES), rng.random(), case))
    return [case for *_, case in sorted(keyed, key=lambda entry: entry[:2])]


def count_product(chips):
    """How many cases the product of all axes has."""
    total = 0
    for _, pair, kind in list_bases(chips):
        scales = [s for s in KINDS[kind] if s]
        layouts = 0
        for drawn in WIDE_SCALE if any(len(s.types) > 1 for s in scales) else F32:
            layouts += math.prod(
                sum(bool(fits(s, scale_type(s, drawn))) for fits, _ in LAYOUTS.values()) for s in scales
            )
        sums_i32 = pair[0] == "i8" and kind == "none"
        followed = (len(RESULTS) - 1) * len(EPILOGUES) + sums_i32
        inits = len(INITS) - (pair[0] in WIDE)
        rest = [SHAPES, STORAGES, BATCHES, SCHEDULES, EXTENTS]
        total += layouts * followed * inits * math.prod(map(len, rest))
    return total


def choose_sample(cases, count, seed):
    """Cases that together have as many values of all axes as possible."""
    rng = random.Random(seed)
    seen, chosen = collections.Counter(), []
    for _ in range(min(count, len(cases))):
        some = rng.sample(cases, min(40, len(cases)))
        best = max(some, key=lambda c: sum(1 / (1 + seen[f]) ** 2 for f in features(c)))
        seen.update(features(best))
        chosen.append(best)
    return chosen


# Programs.


def lookup_instruction(instruction, extent):
    """The instruction for the same operands with another M and N; its K."""
    family = next(f for f in INSTRUCTIONS if instruction in f)
    return next((name, k) for name, (e, k) in family.items() if e == extent)


def make_schedule(case, default_instruction):
    """What the tile's K must be follows from blocks of scales and from rows of
    whole pieces of 16 bytes in shared memory."""
    if SCHEDULES[case.schedule] is None:
        return ""
    extent, a, b, stages = SCHEDULES[case.schedule]
    name, k = lookup_instruction(default_instruction, extent)
    units = [k] + [s.k for s in case.scales() if s and s.k and s.k < 128]
    for home, element in zip((a, b), case.pair):
        if home == "shared":
            units.append(128 // math.gcd(128, BITS.get(element, 8)))
    waves = [(2, 2), (1, 2), (2, 1)][case.seed % 3] if extent == 16 else [(1, 2), (2, 1)][case.seed % 2]
    return (
        f"schedule(<tile = [{waves[0] * extent}, {waves[1] * extent}, {math.lcm(*units)}],"
        f" waves = [{waves[0]}, {waves[1]}], instr = {name},"
        f" home = <a = {a}, b = {b}>, stages = {stages}>)"
    )


def round_up(extent, multiple):
    return -(-extent // multiple) * multiple


def scale_dims(scale, layout, element, rows, k, is_k_first):
    """(C9) The shape of the tensor of scales of one side."""
    if not scale.outer:
        return []
    if not scale.k:
        return [rows]
    r, b = -(-rows // scale.outer), -(-k // scale.k)
    size = {"f32": 4, "bf16": 2}.get(element, 1)
    free = {
        "row": [b, r] if is_k_first else [r, b],
        "col": [b, round_up(r, 4)],
        "mn_tma": [b, round_up(r, 16 // size)],
        "mn_tma_ue8m0x4": [-(-b // 4), round_up(r, 4)],
        "blk128x128": [r, round_up(b, 4)],
        "swz128x4": [-(-r // 128), -(-b // 4)],
        "amd32x8": [round_up(r, 256) // 32, -(-b // 8)],
    }[layout]
    return free + list(LAYOUTS[layout][1])


REGION = """epilogue(%t, %x = %res : {d}) {{
      %zero = arith.constant 0.0 : f32
      %relu = arith.maximumf %t, %zero : f32
      %x32 = arith.extf %x : bf16 to f32
      %sum = arith.addf %relu, %x32 : f32
      lpgemm.yield %sum : f32
    }}"""


class Program:
    """The text of a case's function."""

    def __init__(self, case, default_instruction):
        self.case, self.arguments = case, []
        self.batch = BATCHES[case.batch]
        self.m, self.n, self.k = case.shape
        self.schedule = make_schedule(case, default_instruction)

    def tensor(self, dims, element, batch=(), fixed=0):
        """The type; of static extents only the last `fixed` in a dynamic one."""
        dims = [*batch, *dims]
        if self.case.extents == "dynamic":
            dims[: len(dims) - fixed] = ["?"] * (len(dims) - fixed)
        return f"tensor<{''.join(f'{d}x' for d in dims)}{element}>"

    def add(self, name, shaped):
        """An argument; how it is named together with its type."""
        self.arguments.append(f"%{name}: {shaped}")
        return f"%{name} : {shaped}"

    def scale_clauses(self):
        stored_k_first = [STORAGES[self.case.storage][0], not STORAGES[self.case.storage][1]]
        for i, (side, scale) in enumerate(zip(["lhs", "rhs"], self.case.scales())):
            if not scale:
                continue
            element, layout = scale_type(scale, self.case.scale_type), self.case.layouts[i]
            rows = (self.m, self.n)[i]
            dims = scale_dims(scale, layout, element, rows, self.k, stored_k_first[i])
            shared = not scale.outer or i == 1
            shaped = self.tensor(dims, element, () if shared else self.batch, len(LAYOUTS[layout][1]))
            kind = scale.kind + (f", layout = {layout}" if layout != "row" else "")
            yield f"{side}_scale({self.add(f's{side}', shaped)}, <{kind}>)"
        for side, scale in zip(["lhs", "rhs"], self.case.scales()):
            if scale and scale.has_tensor_scale:
                yield f"{side}_tensor_scale({self.add(f'g{side}', 'tensor<f32>')})"

    def factor_clauses(self):
        """What follows the sum, in front of the result."""
        what = self.case.epilogue
        if what == "alpha, beta, C":
            self.arguments += ["%alpha: f32", "%beta: f32"]
            c = self.tensor([self.m, self.n], "bf16", self.batch)
            yield f"alpha(%alpha) beta(%beta) c({self.add('c', c)})"
        elif what == "constant alpha":
            yield "alpha(-2.0)"
        elif what.startswith("bias"):
            extent = self.m if what == "bias m" else self.n
            yield f"bias({self.add('bias', self.tensor([extent], 'f32'))}, {what[-1]})"
        if self.case.result.startswith("f8"):
            yield f"d_scale({self.add('ds', 'tensor<f32>')})"

    def text(self):
        case = self.case
        transpose_a, transpose_b = STORAGES[case.storage]
        a = self.tensor([self.k, self.m] if transpose_a else [self.m, self.k], case.pair[0], self.batch)
        b = self.tensor([self.n, self.k] if transpose_b else [self.k, self.n], case.pair[1])
        d = self.tensor([self.m, self.n], case.result, self.batch)
        self.arguments = [f"%a: {a}", f"%b: {b}"]
        clauses = [f"ins(%a, %b : {a}, {b})", *self.scale_clauses(), *self.factor_clauses()]
        results = [d] + ["tensor<f32>"] * (case.epilogue == "amax")
        residual = self.tensor([self.m, self.n], "bf16", self.batch)
        if case.epilogue == "region":
            self.add("res", residual)
        clauses.append(f"outs({self.add('d', d)})")
        if case.epilogue == "amax":
            clauses.append(f"amax({self.add('amax', 'tensor<f32>')})")
        clauses += ["transpose_a"] * transpose_a + ["transpose_b"] * transpose_b + [self.schedule]
        clauses += [REGION.format(d=residual)] * (case.epilogue == "region")
        types, names = ", ".join(results), ", ".join(f"%r#{i}" for i in range(len(results)))
        return (
            f"func.func @f({', '.join(self.arguments)}) -> ({types}) {{\n"
            f"  %r:{len(results)} = lpgemm.matmul\n    "
            + "\n    ".join(c for c in clauses if c)
            + f" -> {types}\n  return {names} : {types}\n}}\n"
        )
