# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The products that prove-kernels.py runs: cases and their programs.

The rules named are those of docs/spec.md.
"""

import collections
import dataclasses
import functools
import itertools
import math
import random

from kernel_families import (
    BATCHES, EXTENTS, F32, FAMILIES, FLOATS, INITS, KINDS, LAYOUTS, OCP8, STORAGES, WIDE,
    WIDE_SCALE,
)  # fmt: skip

AXES = [
    "layout", "storage", "result", "epilogue", "batch", "schedule", "extents", "init",
    "promotion", "run",
]  # fmt: skip


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
    promotion: str
    run: str
    seed: int

    def family(self):
        return FAMILIES[self.chip]

    def name(self):
        """What the case is, in one line; no two cases have the same."""
        fields = [" x ".join(self.pair), self.kind, "x".join(map(str, self.shape))]
        fields += [self.scale_type, " x ".join(self.layouts), self.storage, self.result]
        fields += [self.epilogue, f"batch {self.batch}", self.schedule, self.extents, self.init]
        if len(self.family().promotions) > 1:
            fields += [f"promotion {self.promotion}"]
        fields += [self.run]
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


def draw_layouts(rng, family, scales, drawn):
    for scale in scales:
        fitting = [l for l in family.layouts if scale and LAYOUTS[l][0](scale, scale_type(scale, drawn))]
        yield rng.choice(fitting or ["row"])


def draw_epilogue(rng, family, result, is_exact):
    # (C6) A result of i32 is the sum alone.
    if result == "i32":
        return rng.choice(["none"])
    unfit = ["functions"] * is_exact + ["nosat"] * (not result.startswith("f8"))
    return rng.choice([e for e in family.epilogues if e not in unfit])


def draw_case(chip, pair, kind, index, turn=0):
    """A case of one shape: the other axes follow from the arguments."""
    rng, family = random.Random(f"{chip} {pair} {kind} {index} {turn}"), FAMILIES[chip]
    base = random.Random(f"{pair} {kind}").randrange(8) + turn
    drawn = rng.choice(WIDE_SCALE)
    layouts = tuple(draw_layouts(rng, family, KINDS[kind], drawn))
    results = [r for r in family.results if r != "i32"]
    sums_i32 = pair[0] == "i8" and kind == "none"
    result = rng.choice(family.results + ["i32"] * 3 if sums_i32 else results)
    # Each base has data of all kinds, and two shapes with the default schedule.
    is_exact = (index + base) % 2 == 1
    # Sums of i8 always are, so that results are judged as if no function followed.
    epilogue = draw_epilogue(rng, family, result, is_exact or pair[0] == "i8")
    init = "exact" if is_exact else rng.choice(INITS[:1] if pair[0] in WIDE else INITS[:2])
    is_default = (index + base) % 8 in (1, 4)
    storage, batch = rng.choice(family.storages), rng.choice(list(BATCHES))
    by_hand = family.list_schedules(pair, kind, storage)[1:]
    by_hand = [name for name in by_hand if family.allows(family.schedules[name], batch)]
    return Case(
        chip, pair, kind, family.shapes[index], drawn, layouts, storage, result, epilogue,
        batch, "default" if is_default else rng.choice(by_hand),
        rng.choice(EXTENTS), init, seed=rng.randrange(1, 1000),
        promotion=draw_promotion(rng, family, pair), run=rng.choice(list(family.runs)),
    )  # fmt: skip


def draw_promotion(rng, family, pair):
    """(G-8) Other sums than those of FP8 are not limited."""
    return rng.choice(list(family.promotions)) if pair[0] in FLOATS else "default"


def list_bases(chips):
    """Chip, types and kind of scales of all legal products."""
    for chip in chips:
        for pair, kind in itertools.product(FAMILIES[chip].pairs, FAMILIES[chip].kinds):
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
    return 80 if is_rare else 8


@functools.cache
def list_chip_cases(chip):
    """Each base with each shape once; then what has two values of two axes that
    no case before had."""
    bases, shapes, met, cases = list(list_bases([chip])), FAMILIES[chip].shapes, set(), []
    for turn in range(max(count_turns(*base[1:]) for base in bases)):
        for base in bases:
            if turn >= count_turns(*base[1:]):
                continue
            for i in range(len(shapes)):
                case = draw_case(*base, i, turn)
                pairs = set(itertools.combinations(features(case), 2))
                if turn == 0 or not pairs <= met:
                    cases.append(case)
                met |= pairs
    return cases


def list_cases(chips):
    """All cases, in an order of which every part has some of everything: the
    first ones have every base with one shape."""
    rng, keyed = random.Random(0), []
    for chip in chips:
        shapes = FAMILIES[chip].shapes
        for case in list_chip_cases(chip):
            base = random.Random(f"{case.pair} {case.kind}").randrange(len(shapes))
            keyed.append(((shapes.index(case.shape) + base) % len(shapes), rng.random(), case))
    return [case for *_, case in sorted(keyed, key=lambda entry: entry[:2])]


def count_layouts(family, kind):
    """How many layouts the scales of a product may have, of each type."""
    scales = [s for s in KINDS[kind] if s]
    total = 0
    for drawn in WIDE_SCALE if any(len(s.types) > 1 for s in scales) else F32:
        total += math.prod(
            sum(bool(LAYOUTS[l][0](s, scale_type(s, drawn))) for l in family.layouts) for s in scales
        )
    return total


def count_schedules(family):
    """How many schedules there are, for all batches together."""
    return sum(family.allows(s, batch) for s in family.schedules.values() for batch in BATCHES)


def count_product(chips):
    """How many cases the product of all axes has."""
    total = 0
    for chip, pair, kind in list_bases(chips):
        family = FAMILIES[chip]
        sums_i32 = pair[0] == "i8" and kind == "none"
        results = [r for r in family.results if r != "i32"]
        narrow = sum(r.startswith("f8") for r in results)
        followed = len(results) * len(family.epilogues) + sums_i32
        if "nosat" in family.epilogues:
            followed -= len(results) - narrow
        inits = len(INITS) - (pair[0] in WIDE)
        promotions = len(family.promotions) if pair[0] in FLOATS else 1
        rest = [family.shapes, family.storages, EXTENTS, family.runs]
        rest = count_schedules(family) * math.prod(map(len, rest))
        total += count_layouts(family, kind) * followed * inits * promotions * rest
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


# What becomes of %t and the element %x of a matrix.
REGIONS = {
    "region": """
      %zero = arith.constant 0.0 : f32
      %relu = arith.maximumf %t, %zero : f32
      %x32 = arith.extf %x : bf16 to f32
      %sum = arith.addf %relu, %x32 : f32
      lpgemm.yield %sum : f32""",
    # SiLU and GELU, by an exponential and by erf, exact and approximated.
    "functions": """
      %one = arith.constant 1.0 : f32
      %x32 = arith.extf %x : bf16 to f32
      %minus = arith.negf %t : f32
      %power = math.exp %minus FLAGS : f32
      %more = arith.addf %power, %one : f32
      %silu = arith.divf %t, %more FLAGS : f32
      %erf = math.erf %x32 : f32
      %tanh = math.tanh %silu FLAGS : f32
      %up = arith.addf %erf, %one : f32
      %sum = math.fma %up, %tanh, %silu : f32
      lpgemm.yield %sum : f32""",
}


class Program:
    """The text of a case's function."""

    def __init__(self, case, default_instruction):
        self.case, self.arguments = case, []
        self.batch = BATCHES[case.batch]
        self.m, self.n, self.k = case.shape
        self.schedule = case.family().make_schedule(case, default_instruction)

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
        elif what == "FP8 C":
            c = self.tensor([self.m, self.n], OCP8[self.case.seed % 2], self.batch)
            yield f"c({self.add('c', c)}) c_scale({self.add('sc', 'tensor<f32>')})"
        elif what == "constant alpha":
            yield "alpha(-2.0)"
        elif what.startswith("bias"):
            extent = self.m if what == "bias m" else self.n
            yield f"bias({self.add('bias', self.tensor([extent], 'f32'))}, {what[-1]})"
        if self.case.result.startswith("f8"):
            yield f"d_scale({self.add('ds', 'tensor<f32>')})"

    def region(self, residual):
        if self.case.epilogue not in REGIONS:
            return ""
        flags = "fastmath<afn, arcp>" if self.case.seed % 2 else ""
        body = REGIONS[self.case.epilogue].replace("FLAGS", flags)
        return f"epilogue(%t, %x = %res : {residual}) {{{body}\n    }}"

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
        if case.epilogue in REGIONS:
            self.add("res", residual)
        clauses.append(f"outs({self.add('d', d)})")
        if case.epilogue == "amax":
            clauses.append(f"amax({self.add('amax', 'tensor<f32>')})")
        clauses += ["transpose_a"] * transpose_a + ["transpose_b"] * transpose_b
        clauses += ["overflow = nosat"] * (case.epilogue == "nosat")
        clauses += [case.family().promotions[case.promotion], self.schedule, self.region(residual)]
        types, names = ", ".join(results), ", ".join(f"%r#{i}" for i in range(len(results)))
        return (
            f"func.func @f({', '.join(self.arguments)}) -> ({types}) {{\n"
            f"  %r:{len(results)} = lpgemm.matmul\n    "
            + "\n    ".join(c for c in clauses if c)
            + f" -> {types}\n  return {names} : {types}\n}}\n"
        )
