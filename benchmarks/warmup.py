# Part of the LPGEMM project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles in parallel what peers would compile at their first call.

Triton and DeepGEMM keep compiled kernels on disk, so that processes that do
nothing else make the first call of the measuring process a quick one.
"""

import faulthandler
import functools
import multiprocessing
import time

import torch

import candidates
import cases


@functools.lru_cache(maxsize=1)
def _triton_case(is_small):
    # Any extents that are multiples of 16 are the same to the compiler.
    m = cases.SMALL_M if is_small else 512
    return cases.Case(cases.Shape(m, 1024, 1024), rotated=False)


def _compile_triton(kind, is_small, config):
    for call in candidates.triton_calls(_triton_case(is_small), kind, config):
        call()


def _compile_deepgemm(shape):
    for call in candidates.deepgemm(cases.Case(shape, rotated=False))[0]:
        call()


def _work(tasks):
    """Prints what fails; the measurement will meet the error again."""
    faulthandler.enable()
    for function, *arguments in tasks:
        try:
            function(*arguments)
            torch.cuda.synchronize()
        except Exception as error:
            text = ", ".join(map(str, arguments))
            print(f"{function.__name__}({text}): {error}", flush=True)


def tasks(shapes, kinds):
    """By the peer."""
    sizes = {shape.is_small for shape in shapes}
    result = {
        "Triton": [
            (_compile_triton, kind, is_small, config)
            for (kind, is_small), configs in candidates.TRITON.items()
            if kind in kinds and is_small in sizes
            for config in configs
        ]
    }
    if "block" in kinds and candidates.has_deepgemm():
        result["DeepGEMM"] = [(_compile_deepgemm, shape) for shape in shapes]
    return result


def _join(process, end):
    """Whether the process ended by itself, and how."""
    process.join(max(0, end - time.monotonic()))
    if process.is_alive():
        process.terminate()
        process.join()
        return 0
    return process.exitcode


def warm(shapes, kinds, workers, seconds):
    """The peers that end a process, which are not to be called here.

    Whatever is not compiled in time is compiled later.
    """
    end = time.monotonic() + seconds
    context = multiprocessing.get_context("spawn")
    processes = [
        (peer, context.Process(target=_work, args=(everything[first::workers],)))
        for peer, everything in tasks(shapes, kinds).items()
        for first in range(min(workers, len(everything)))
    ]
    for _, process in processes:
        process.start()
    return {peer for peer, process in processes if _join(process, end) != 0}
