# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steady loop of a kernel: the way through an iteration that does the most."""

import dataclasses
import heapq

from .assembly import Fault
from .machine import count_lane_bytes


@dataclasses.dataclass(frozen=True)
class Loop:
    """Blocks of one way through an iteration, the header first, and their
    instructions."""

    path: tuple
    instructions: tuple


def find_dominators(blocks):
    """For each block that is reached, the set of blocks on all ways to it."""
    order, seen = [0], {0}
    for index in order:
        new = [s for s in blocks[index].successors if s not in seen]
        seen.update(new)
        order.extend(new)
    predecessors = {i: [p for p in order if i in blocks[p].successors] for i in order}
    dominators = {i: set(order) for i in order} | {0: {0}}
    changed = True
    while changed:
        changed = False
        for i in order[1:]:
            found = set.intersection(*(dominators[p] for p in predecessors[i])) | {i}
            changed |= found != dominators[i]
            dominators[i] = found
    return dominators, predecessors


def find_loops(blocks):
    """Natural loops: by header, its blocks and the blocks that branch back."""
    dominators, predecessors = find_dominators(blocks)
    loops = {}
    for latch in dominators:
        for header in blocks[latch].successors:
            if header in dominators[latch]:
                members, latches = loops.setdefault(header, ({header}, set()))
                latches.add(latch)
                pending = [latch]
                while pending:
                    block = pending.pop()
                    if block not in members:
                        members.add(block)
                        pending += predecessors[block]
    return loops, dominators


def count_mfma(block):
    return sum(i.kind == "mfma" for i in block.instructions)


def score(block):
    loads = [i for i in block.instructions if i.kind in ("vmem", "dma")]
    return count_mfma(block), sum(map(count_lane_bytes, loads)), -len(block.instructions)


def find_path(blocks, header, members, latches, dominators):
    """The way from the header to a latch with the most MFMAs, of those with the
    most bytes of global memory, of those with the fewest instructions: not that
    which has nothing left to load, nor that of edges. Loops within are passed
    once."""
    # Of each block the score and the way from it on; None if it leads nowhere.
    best, pending, entered = {}, [header], set()
    while pending:
        block = pending[-1]
        # Not back, and not out.
        forward = [s for s in blocks[block].successors if s in members and s not in dominators[block]]
        if block not in entered:
            entered.add(block)
            pending += [s for s in forward if s not in entered]
            continue
        pending.pop()
        if block in best:
            continue
        own = score(blocks[block])
        ways = [(own, (block,))] if block in latches else []
        for rest in filter(None, map(best.get, forward)):
            ways.append((tuple(map(sum, zip(own, rest[0]))), (block, *rest[1])))
        best[block] = max(ways) if ways else None
    return best[header]


def find_steady_loop(kernel):
    blocks = kernel.blocks
    loops, dominators = find_loops(blocks)
    with_mfma = {h: m for h, (m, _) in loops.items() if any(count_mfma(blocks[b]) for b in m)}
    ways = []
    for header, members in with_mfma.items():
        if any(other != header and other in members for other in with_mfma):
            continue
        if way := find_path(blocks, header, members, loops[header][1], dominators):
            ways.append(way)
    if not ways:
        raise Fault(f"{kernel.name}: expected a loop with an MFMA")
    # Of several loops not that of edges, which has ways with more bytes.
    path = max(ways, key=lambda way: (way[0][0], way[0][2]))[1]
    return Loop(path, tuple(i for block in path for i in blocks[block].instructions))


def measure_distances(blocks, target):
    """The fewest instructions from each block to the target."""
    distances, heap = {target: 0}, [(0, target)]
    while heap:
        distance, block = heapq.heappop(heap)
        for p, other in enumerate(blocks):
            new = distance + len(other.instructions)
            if block in other.successors and new < distances.get(p, 1 << 30):
                distances[p] = new
                heapq.heappush(heap, (new, p))
    return distances
