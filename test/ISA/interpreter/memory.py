# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes of global memory and of LDS."""

import numpy as np

from .text import Fault

# Between allocations, so that what goes past one meets none.
GAP = 1 << 12
BASE = 0x7F1200000000


class Memory:
    """Global memory: allocations of bytes, each with space around it that must
    not be accessed."""

    def __init__(self, size):
        self.bytes, self.valid = np.zeros(size, np.uint8), np.zeros(size, bool)
        self.used = GAP

    def allocate(self, data, alignment=256):
        """The address of a copy of the bytes."""
        start = -(-self.used // alignment) * alignment
        self.used = start + len(data) + GAP
        if self.used > len(self.bytes):
            raise Fault("out of memory")
        self.bytes[start : start + len(data)] = data
        self.valid[start : start + len(data)] = True
        return BASE + start

    def view(self, address, size):
        return self.bytes[address - BASE : address - BASE + size]

    def holds(self, address, size):
        start = address - BASE
        return 0 <= start <= len(self.bytes) - size and bool(self.valid[start : start + size].all())

    def places(self, addresses, size):
        """Where the bytes at the addresses are: one row for each address."""
        places = (addresses - BASE)[:, None] + np.arange(size)
        outside = (places < 0) | (places >= len(self.bytes))
        outside |= ~self.valid[np.where(outside, 0, places)]
        if outside.any():
            bad = int(np.argmax(outside.any(1)))
            raise Fault(f"global memory at {int(addresses[bad]):#x} is not allocated")
        return places

    def load(self, addresses, size):
        return self.bytes[self.places(addresses, size)]

    def store(self, addresses, data):
        self.bytes[self.places(addresses, data.shape[1])] = data


class Lds:
    """LDS of a workgroup, and which bytes of it were written."""

    def __init__(self, size):
        self.bytes, self.written = np.full(size, 0xFF, np.uint8), np.zeros(size, bool)

    def places(self, addresses, size):
        places = addresses[:, None] + np.arange(size)
        outside = (places < 0) | (places >= len(self.bytes))
        if outside.any():
            bad = int(places[outside][0])
            raise Fault(f"LDS at {bad} is out of the {len(self.bytes)} bytes of the kernel")
        return places

    def load(self, addresses, size):
        places = self.places(addresses, size)
        missing = ~self.written[places]
        if missing.any():
            raise Fault(f"LDS at {int(places[missing][0])} is undefined")
        return self.bytes[places]

    def store(self, addresses, data):
        places = self.places(addresses, data.shape[1])
        self.bytes[places], self.written[places] = data, True


def check_alignment(addresses, alignment, what):
    bad = addresses % alignment != 0
    if bad.any():
        raise Fault(f"{what} at {int(addresses[bad][0]):#x} is not aligned to {alignment} bytes")
