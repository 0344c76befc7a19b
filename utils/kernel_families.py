# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the products that prove-kernels.py runs may have, by families of chips.

The rules named are those of docs/spec.md.
"""

import dataclasses
import itertools
import math
import typing

# (C5) What lhs and rhs may be.
OCP8 = ["f8E4M3FN", "f8E5M2"]
OCP = OCP8 + ["f6E2M3FN", "f6E3M2FN", "f4E2M1FN"]
FNUZ = ["f8E4M3FNUZ", "f8E5M2FNUZ"]
WIDE = ["bf16", "f16"]
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
ROW_128_E8M0 = Scale("1x128", 1, 128, E8M0, FLOATS)
ROW_256 = Scale("1x256", 1, 256, WIDE_SCALE, NARROW)
SQUARE_128 = Scale("128x128", 128, 128, WIDE_SCALE, NARROW)
SQUARE_256 = Scale("256x256", 256, 256, WIDE_SCALE, NARROW)
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
    "1x128 x 1x128 E8M0": (ROW_128_E8M0, ROW_128_E8M0),
    "128x128 x 128x128": (SQUARE_128, SQUARE_128),
    "1x256 x 256x256": (ROW_256, SQUARE_256),
    "1x128 x none": (ROW_128, None),
    "none x 128x128": (None, SQUARE_128),
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

# Whether lhs is stored K x M, and rhs N x K.
STORAGES = {"M x K, N x K": (0, 1), "M x K, K x N": (0, 0), "K x M, K x N": (1, 0), "K x M, N x K": (1, 1)}
RESULTS = ["f32", "bf16", "f16", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "i32"]
BATCHES = {"none": (), "2, rhs broadcast": (2,)}
EXTENTS = ["dynamic", "static"]
INITS = ["normal", "codes", "exact"]

# When asynchronous copies take effect, and how many multiprocessors there are.
RUNS = {
    "late": ("--emulator-loads=late", "--emulator-multiprocessors=3"),
    "early": ("--emulator-loads=early", "--emulator-multiprocessors=8"),
    "random": ("--emulator-loads=random", "--emulator-multiprocessors=1"),
}

@dataclasses.dataclass(frozen=True)
class Family:
    """What the products for chips of one kind may have."""

    pairs: list
    kinds: list
    layouts: list
    storages: list
    results: list
    shapes: list
    epilogues: list
    # By names; the first one is "default".
    schedules: dict
    # The names of those for types, kinds of scales and storage.
    list_schedules: typing.Callable
    # The clause of a case's schedule, from the instruction of the default one.
    make_schedule: typing.Callable
    # Options of lpgemm-run.
    runs: dict
    # Whether a schedule goes with a name of BATCHES.
    allows: typing.Callable = lambda schedule, batch: True
    # Elements of K in a sum of narrow accumulators.
    promotions: dict = dataclasses.field(default_factory=lambda: {"default": ""})


def allows_batch(schedule, batch):
    """lpgemm-select-schedule refuses persistent workgroups of a batch."""
    return not (schedule and schedule.persistent and BATCHES[batch])


#
# AMD
#

# By the operands: M, N and K of the two shapes of an instruction.
MFMA = [
    {"mfma_scale_f32_16x16x128_f8f6f4": (16, 128), "mfma_scale_f32_32x32x64_f8f6f4": (32, 64)},
    {"mfma_f32_16x16x32_fp8": (16, 32), "mfma_f32_32x32x16_fp8": (32, 16)},
    {"mfma_i32_16x16x32_i8": (16, 32), "mfma_i32_32x32x16_i8": (32, 16)},
    {"mfma_f32_16x16x16_bf16": (16, 16), "mfma_f32_32x32x8_bf16": (32, 8)},
    {"mfma_f32_16x16x16_f16": (16, 16), "mfma_f32_32x32x8_f16": (32, 8)},
]

@dataclasses.dataclass(frozen=True)
class MfmaSchedule:
    """The M and N of its instruction, and what else it has."""

    extent: int
    home: tuple
    stages: int
    raster: int = 1
    persistent: bool = False
    split_k: int = 1
    strategy: str = "together"
    epilogue: str = "direct"


SHARED, REG, MIXED = ("shared", "shared"), ("reg", "reg"), ("shared", "reg")
MFMA_SCHEDULES = {"default": None} | {
    f"{extent} x {extent}, {home[0]} x {home[1]}, stages {stages}": MfmaSchedule(extent, home, stages)
    for extent in (16, 32)
    for home in (SHARED, MIXED, MIXED[::-1], REG)
    for stages in (1, 2)
} | {
    "16 x 16, stages 2, raster 3": MfmaSchedule(16, SHARED, 2, raster=3),
    "32 x 32, stages 1, raster 2, persistent": MfmaSchedule(32, SHARED, 1, 2, persistent=True),
    "16 x 16, shared x reg, stages 2, persistent": MfmaSchedule(16, MIXED, 2, persistent=True),
    "16 x 16, stages 2, split K 2": MfmaSchedule(16, SHARED, 2, split_k=2),
    "32 x 32, registers, stages 2, raster 2, split K 4": MfmaSchedule(32, REG, 2, 2, split_k=4),
    "16 x 16, stages 1, split K 8": MfmaSchedule(16, SHARED, 1, split_k=8),
    "16 x 16, stages 2, stream-K 4": MfmaSchedule(16, SHARED, 2, persistent=True, split_k=4),
    "32 x 32, stages 1, stream-K 2": MfmaSchedule(32, SHARED, 1, persistent=True, split_k=2),
    "16 x 16, stages 2, staged": MfmaSchedule(16, SHARED, 2, epilogue="staged"),
    "32 x 32, stages 1, raster 2, persistent, staged":
        MfmaSchedule(32, SHARED, 1, 2, persistent=True, epilogue="staged"),
}  # fmt: skip
# Of chips that load 16 bytes to shared memory: copies to slots.
DIRECT_SCHEDULES = {
    "16 x 16, slots 3": MfmaSchedule(16, SHARED, 3),
    "32 x 32, slots 3, raster 2, persistent": MfmaSchedule(32, SHARED, 3, 2, persistent=True),
    "16 x 16, slots 4, split K 2": MfmaSchedule(16, SHARED, 4, split_k=2),
    "16 x 16, slots 3, stream-K 4": MfmaSchedule(16, SHARED, 3, persistent=True, split_k=4),
    "32 x 32, slots 4": MfmaSchedule(32, SHARED, 4),
    "16 x 16, slots 3, persistent, staged": MfmaSchedule(16, SHARED, 3, persistent=True, epilogue="staged"),
    "16 x 16, ping-pong, staged": MfmaSchedule(16, SHARED, 2, strategy="ping_pong", epilogue="staged"),
    "16 x 16, ping-pong": MfmaSchedule(16, SHARED, 2, strategy="ping_pong"),
    "32 x 32, ping-pong, raster 2": MfmaSchedule(32, SHARED, 2, 2, strategy="ping_pong"),
    "16 x 16, ping-pong, persistent": MfmaSchedule(16, SHARED, 2, persistent=True, strategy="ping_pong"),
    "16 x 16, ping-pong, split K 2": MfmaSchedule(16, SHARED, 2, split_k=2, strategy="ping_pong"),
}


def lookup_instruction(instruction, extent):
    """The instruction for the same operands with another M and N; its K."""
    family = next(f for f in MFMA if instruction in f)
    return next((name, k) for name, (e, k) in family.items() if e == extent)


def list_direct_schedules(pair, kind, storage):
    """Also those that copy, where these can; four times, since few can."""
    if STORAGES[storage] != (0, 1) or any(BITS.get(t, 8) == 6 for t in pair):
        return list(MFMA_SCHEDULES)
    # Only operands that the instruction multiplies as they are, and scales that
    # it takes or that are constant along K, have turns.
    has_turns = set(pair) <= set(OCP) or pair[0] in WIDE + ["i8"]
    has_turns &= all(not s or not s.k or s.types == E8M0 and s.k == 32 for s in KINDS[kind])
    found = [n for n, s in DIRECT_SCHEDULES.items() if has_turns or s.strategy == "together"]
    return list(MFMA_SCHEDULES) + 4 * found


def choose_waves(case, s):
    """Both halves of eight waves take turns in parts of the tile."""
    if s.strategy == "ping_pong":
        return [(2, 4), (4, 2)][case.seed % 2]
    if s.stages > 2:
        return (2, 2)
    return [(2, 2), (1, 2), (2, 1)][case.seed % 3] if s.extent == 16 else [(1, 2), (2, 1)][case.seed % 2]


def make_mfma_schedule(case, default_instruction):
    """What the tile's K must be follows from blocks of scales and from rows of
    whole pieces of 16 bytes in shared memory, in which a staged result has room;
    what M and N, from what copies to slots and the second kernel of stream-K move
    at once."""
    s = case.family().schedules[case.schedule]
    if s is None:
        return ""
    name, k = lookup_instruction(default_instruction, s.extent)
    units = [k] + [scale.k for scale in case.scales() if scale and scale.k and scale.k < 128]
    for home, element in zip(s.home, case.pair):
        if home == "shared":
            units.append(128 // math.gcd(128, BITS.get(element, 8)))
    waves = choose_waves(case, s)
    m, n, k = waves[0] * s.extent, waves[1] * s.extent, math.lcm(*units)
    if s.stages > 2 or s.strategy == "ping_pong":
        k = math.lcm(k, *(1024 // BITS.get(element, 8) for element in case.pair))
    if s.strategy == "ping_pong":
        m, n = (max(128, 2 * w * s.extent) for w in waves)
    if s.epilogue == "staged":
        k = math.lcm(k, *(2048 // max(BITS.get(element, 8), 8) for element in case.pair))
    if s.persistent and s.split_k > 1:
        n = math.lcm(n, 4 * s.extent)
    return (
        f"schedule(<tile = [{m}, {n}, {k}],"
        f" waves = [{waves[0]}, {waves[1]}], instr = {name},"
        f" home = <a = {s.home[0]}, b = {s.home[1]}>, stages = {s.stages}, raster = {s.raster},"
        f" persistent = {str(s.persistent).lower()}, split_k = {s.split_k}, strategy = {s.strategy},"
        f" epilogue = {s.epilogue}>)"
    )


def make_amd(schedules, list_schedules):
    return Family(
        pairs=list(itertools.product(OCP + FNUZ, repeat=2)) + [(t, t) for t in ["i8"] + WIDE],
        kinds=[
            "none", "tensor x tensor", "row x column", "1x128 x 128x128", "1x128 x 1x128",
            "1x32 x 1x32", "1x32 x 1x32 E8M0", "mx x mx", "mx x none", "none x mx",
            "mx x 1x128", "nvfp4 x nvfp4", "nvfp4_2d x nvfp4_2d", "nvfp4 x mx",
        ],
        layouts=list(LAYOUTS),
        storages=list(STORAGES),
        results=RESULTS,
        shapes=[
            (1, 1, 1), (1, 8, 128), (17, 33, 130), (128, 128, 128),
            (130, 257, 384), (5, 0, 16), (64, 64, 0), (257, 129, 1000),
        ],
        epilogues=["none", "alpha, beta, C", "constant alpha", "bias m", "bias n", "region", "amax"],
        schedules=schedules,
        list_schedules=list_schedules,
        make_schedule=make_mfma_schedule,
        runs=RUNS,
        allows=allows_batch,
    )  # fmt: skip


CDNA3 = make_amd(MFMA_SCHEDULES, lambda *_: list(MFMA_SCHEDULES))
CDNA4 = make_amd(MFMA_SCHEDULES | DIRECT_SCHEDULES, list_direct_schedules)

#
# NVIDIA
#


@dataclasses.dataclass(frozen=True)
class WgmmaSchedule:
    m: int
    n: int
    waves: tuple
    stages: int
    cluster: tuple = (1, 1)
    raster: int = 1
    persistent: bool = False
    unroll: int = 1
    split_k: int = 1


WGMMA_SCHEDULES = {
    "default": None,
    "up to 128 x 256, cluster 2 x 1, stages 4": WgmmaSchedule(128, 256, (2, 1), 4, (2, 1), 8, True),
    "up to 256 x 128, stages 3, unroll 4": WgmmaSchedule(256, 128, (2, 1), 3, raster=8, persistent=True, unroll=4),
    "up to 128 x 192, cluster 1 x 2, stages 2": WgmmaSchedule(128, 192, (2, 1), 2, (1, 2)),
    "128 x 128, cluster 2 x 2, stages 3": WgmmaSchedule(128, 128, (2, 1), 3, (2, 2), 2, True, 2),
    "128 x 128, waves 1 x 2, stages 2": WgmmaSchedule(128, 128, (1, 2), 2, raster=2),
    "128 x 64, waves 2 x 1, stages 8": WgmmaSchedule(128, 64, (2, 1), 8, persistent=True, unroll=3),
    "64 x 32, waves 1 x 1, stages 3": WgmmaSchedule(64, 32, (1, 1), 3, persistent=True),
    "64 x 8, waves 1 x 1, stages 2": WgmmaSchedule(64, 8, (1, 1), 2, raster=3),
    "up to 128 x 128, split K 2, stages 3": WgmmaSchedule(128, 128, (2, 1), 3, raster=2, split_k=2),
    "64 x 64, split K 4, stages 2": WgmmaSchedule(64, 64, (1, 1), 2, unroll=2, split_k=4),
    "64 x 16, split K 8, stages 4": WgmmaSchedule(64, 16, (1, 1), 4, split_k=8),
}


# Of a thread that multiplies, by the number of its waves.
WGMMA_REGISTERS = {1: 216, 2: 232}


def count_registers(case, schedule, n):
    """Those that the tiles of a thread take (docs/schedules.md)."""
    rows, cols = schedule.m // schedule.waves[0], n // schedule.waves[1]
    count = 40 + rows * cols // 128
    # (G-8) Whether sums leave the accumulator before their end.
    is_limited = case.pair[0] in FLOATS and case.promotion != "none"
    if is_limited or any(s and s.k for s in case.scales()):
        count += 64 * cols // 128
    rhs = case.scales()[1]
    return count + (cols // 4 if rhs and rhs.k and rhs.outer == 1 else 0)


def make_wgmma_schedule(case, default_instruction):
    """With fewer columns where the tiles would take too many registers."""
    s = case.family().schedules[case.schedule]
    if s is None:
        return ""
    registers, n = WGMMA_REGISTERS[math.prod(s.waves)], s.n
    while count_registers(case, s, n) > registers:
        n //= 2
    return (
        f"schedule(<tile = [{s.m}, {n}, {128 * 8 // BITS.get(case.pair[0], 8)}],"
        f" waves = [{s.waves[0]}, {s.waves[1]}], instr = {default_instruction},"
        f" home = <a = shared, b = shared>, stages = {s.stages},"
        f" roles = <load_regs = 40, mma_regs = {registers}>, cluster = [{s.cluster[0]}, {s.cluster[1]}],"
        f" raster = {s.raster}, persistent = {str(s.persistent).lower()}, unroll = {s.unroll},"
        f" split_k = {s.split_k}>)"
    )


BLOCKS_128 = [
    "none", "tensor x tensor", "row x column", "1x128 x 128x128", "1x128 x 1x128",
    "1x128 x 1x128 E8M0", "128x128 x 128x128", "1x256 x 256x256", "1x128 x none", "none x 128x128",
]  # fmt: skip
NVIDIA_EPILOGUES = [
    "none", "alpha, beta, C", "FP8 C", "constant alpha", "bias m", "bias n", "region",
    "functions", "amax", "nosat",
]  # fmt: skip
PROMOTIONS = {"default": "", "none": "promote_k = 0", "256": "promote_k = 256"}

NVIDIA = Family(
    pairs=list(itertools.product(OCP8, repeat=2)) + [(t, t) for t in WIDE],
    kinds=BLOCKS_128,
    layouts=["row", "col", "mn_tma"],
    storages=["M x K, N x K"],
    results=RESULTS[:-1],
    # Rows that the copy engine takes, and rows that it does not; both in one.
    shapes=[
        (1, 1, 1), (0, 8, 128), (17, 33, 130), (128, 128, 128), (130, 257, 384),
        (5, 0, 16), (64, 64, 0), (257, 129, 1000), (264, 400, 272), (520, 144, 1040),
    ],
    epilogues=NVIDIA_EPILOGUES,
    schedules=WGMMA_SCHEDULES,
    list_schedules=lambda *_: list(WGMMA_SCHEDULES),
    make_schedule=make_wgmma_schedule,
    promotions=PROMOTIONS,
    runs=RUNS,
    allows=allows_batch,
)  # fmt: skip

#
# NVIDIA, by instructions of a warp
#


@dataclasses.dataclass(frozen=True)
class SyncSchedule:
    """M and N of a warp, and the bytes of K that a tile of it has at least."""

    m: int
    n: int
    row_bytes: int
    waves: tuple
    home: tuple
    stages: int
    raster: int = 1


SYNC_SCHEDULES = {
    "default": None,
    "48 x 32, waves 1 x 2, stages 3, raster 2": SyncSchedule(48, 32, 64, (1, 2), SHARED, 3, 2),
    "32 x 16, waves 2 x 2, stages 4, rows of 128": SyncSchedule(32, 16, 128, (2, 2), SHARED, 4),
    "16 x 8, waves 3 x 1, stages 2": SyncSchedule(16, 8, 32, (3, 1), SHARED, 2),
    "48 x 24, waves 1 x 1, stages 5, raster 3": SyncSchedule(48, 24, 32, (1, 1), SHARED, 5, 3),
    "32 x 48, waves 2 x 1, stages 1": SyncSchedule(32, 48, 64, (2, 1), SHARED, 1),
    "32 x 16, waves 2 x 2, stages 1, registers": SyncSchedule(32, 16, 64, (2, 2), REG, 1),
    "16 x 32, waves 1 x 2, stages 2, registers": SyncSchedule(16, 32, 32, (1, 2), REG, 2),
    "32 x 32, waves 2 x 1, stages 3, A shared": SyncSchedule(32, 32, 64, (2, 1), MIXED, 3),
    "32 x 32, waves 1 x 2, stages 2, B shared": SyncSchedule(32, 32, 64, (1, 2), MIXED[::-1], 2),
}
SYNC_K = {"i32_i8": 32, "f32_fp8": 32, "f32_bf16": 16, "f32_f16": 16}


def make_sync_schedule(case, default_instruction):
    """K tiles are whole instructions and blocks of scales."""
    s = case.family().schedules[case.schedule]
    if s is None:
        return ""
    unit = next(k for what, k in SYNC_K.items() if default_instruction.endswith(what))
    # An instruction has 32 bytes of K.
    units = [unit, unit * s.row_bytes // 32]
    units += [scale.k for scale in case.scales() if scale and 0 < scale.k < 128]
    return (
        f"schedule(<tile = [{s.m * s.waves[0]}, {s.n * s.waves[1]}, {math.lcm(*units)}],"
        f" waves = [{s.waves[0]}, {s.waves[1]}], instr = {default_instruction},"
        f" home = <a = {s.home[0]}, b = {s.home[1]}>, stages = {s.stages}, raster = {s.raster}>)"
    )


SYNC = Family(
    pairs=NVIDIA.pairs + [("i8", "i8")],
    kinds=BLOCKS_128 + [
        "1x32 x 1x32", "1x32 x 1x32 E8M0", "mx x mx", "mx x none", "none x mx", "mx x 1x128",
    ],
    layouts=NVIDIA.layouts,
    storages=list(STORAGES),
    results=RESULTS,
    shapes=NVIDIA.shapes,
    epilogues=NVIDIA_EPILOGUES,
    schedules=SYNC_SCHEDULES,
    list_schedules=lambda *_: list(SYNC_SCHEDULES),
    make_schedule=make_sync_schedule,
    promotions=PROMOTIONS,
    runs=RUNS,
)  # fmt: skip

FAMILIES = {"gfx942": CDNA3, "gfx950": CDNA4, "sm_80": SYNC, "sm_89": SYNC, "sm_90a": NVIDIA}
CHIPS = list(FAMILIES)
