# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shapes that are measured, and what no kernel can beat on them."""

import dataclasses

# N and K of layers of published models.
LAYERS = (
    (2112, 7168),
    (24576, 1536),
    (32768, 512),
    (7168, 16384),
    (4096, 7168),
    (7168, 2048),
)
LARGE = (
    (4096, 4096, 4096),
    (8192, 8192, 8192),
    (4096, 4096, 8192),
    *((4096, n, k) for n, k in LAYERS),
)
SMALL = tuple((m, n, k) for m in (1, 16, 64, 128) for n, k in LAYERS)
# Only checked: extents that no tile divides, and rows apart from each other.
ODD = ((1, 16, 128), (256, 256, 256), (520, 1112, 1152), (64, 2112, 7168))
SMALL_M = 128
# Scales of blocks span so many elements of K, and of N.
BLOCK = 128

# Dense FP8, NVIDIA H200 datasheet; bandwidth as a copy of float32 reaches it.
PEAK_FLOPS = 1979e12
PEAK_BYTES = 4.3e12


@dataclasses.dataclass(frozen=True)
class Shape:
    m: int
    n: int
    k: int
    drawn: bool = False

    def __str__(self):
        return f"{self.m}x{self.n}x{self.k}"

    @property
    def is_small(self):
        return self.m <= SMALL_M

    @property
    def flops(self):
        return 2 * self.m * self.n * self.k

    @property
    def bytes(self):
        return self.m * self.k + self.n * self.k + 2 * self.m * self.n

    @property
    def floor(self):
        """Seconds that no kernel can be faster than."""
        return max(self.flops / PEAK_FLOPS, self.bytes / PEAK_BYTES)


def listed(names):
    """The shapes of the lists `large` and `small`, or MxNxK."""
    lists = {"large": LARGE, "small": SMALL}
    shapes = []
    for name in names.split(","):
        shapes += lists.get(name) or [tuple(map(int, name.split("x")))]
    return [Shape(*shape) for shape in shapes]


def draw(count, rng):
    """Shapes that nobody tuned for; N of the first half is no multiple of 128."""
    known = {(n, k) for n, k in LAYERS}
    shapes = []
    while len(shapes) < count:
        n, k = 16 * rng.randint(40, 800), BLOCK * rng.randint(4, 96)
        if len(shapes) >= (count + 1) // 2:
            n = n // BLOCK * BLOCK
        elif n % BLOCK == 0:
            continue
        is_small = len(shapes) % 2 == 1
        m = rng.randint(1, SMALL_M) if is_small else 4 * rng.randint(1024, 2048)
        if (n, k) not in known:
            shapes.append(Shape(m, n, k, drawn=True))
    return shapes
