# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How kernels are timed.

An H200 at full load is limited by its power: within milliseconds its clock falls
by a third. Long kernels are timed in a burst after a rest, which repeats within
about a percent; sustained times depend on what ran before. Short ones are timed
as replays of a CUDA graph, without the time of the host.
"""

import math
import statistics
import time

import torch

REST_SECONDS = 0.25
SHORT_REST_SECONDS = 0.05
BURST_CALLS = 8
GRAPH_SECONDS = 2e-3
SUSTAINED_SECONDS = 40e-3
REPLAYS = (5, 40)


def _events():
    return torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)


def _elapsed(start, end):
    return start.elapsed_time(end) * 1e-3


def burst(calls):
    """Seconds of a call, of about eight right after a rest."""
    torch.cuda.synchronize()
    time.sleep(REST_SECONDS)
    for call in calls:
        call()
    torch.cuda.synchronize()
    time.sleep(SHORT_REST_SECONDS)
    start, end = _events()
    for call in calls:
        call()
    rounds = max(1, BURST_CALLS // len(calls))
    start.record()
    for _ in range(rounds):
        for call in calls:
            call()
    end.record()
    torch.cuda.synchronize()
    return _elapsed(start, end) / (rounds * len(calls))


class Replay:
    """A CUDA graph of a number of calls over all buffers."""

    def __init__(self, calls):
        self._stream = torch.cuda.Stream()
        with torch.cuda.stream(self._stream):
            for call in calls:
                call()
            start, end = _events()
            start.record()
            for call in calls:
                call()
            end.record()
            self._stream.synchronize()
            each = max(_elapsed(start, end) / len(calls), 2e-6)
            rounds = max(1, math.ceil(GRAPH_SECONDS / each / len(calls)))
            self._count = rounds * len(calls)
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph, stream=self._stream):
                for _ in range(rounds):
                    for call in calls:
                        call()

    def time(self, seconds=SUSTAINED_SECONDS):
        """Seconds of a call: the median of the replays."""
        with torch.cuda.stream(self._stream):
            self._graph.replay()
            start, end = _events()
            start.record()
            self._graph.replay()
            end.record()
            self._stream.synchronize()
            count = math.ceil(seconds / max(_elapsed(start, end), 1e-6))
            pairs = [_events() for _ in range(min(max(count, REPLAYS[0]), REPLAYS[1]))]
            for start, end in pairs:
                start.record()
                self._graph.replay()
                end.record()
            self._stream.synchronize()
        return statistics.median(_elapsed(*pair) for pair in pairs) / self._count


class Burst:
    """As Replay, for long kernels."""

    def __init__(self, calls):
        self._calls = calls

    def time(self):
        return burst(self._calls)


def timer(shape, calls):
    return Replay(calls) if shape.is_small else Burst(calls)
