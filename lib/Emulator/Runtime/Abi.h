//===- Abi.h - what generated code calls ------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The functions behind EmulatorOps.def. The convention, which the lowering
// follows but for the operations of kind Custom:
//   - the site, except for Pure operations;
//   - a result that is not an i32, i64, f32 or pointer: where to put it, and
//     its size in bytes;
//   - the operands; what is none of those types goes by address and size;
//   - the attributes, as i32.
// A CallData operation passes its result and its first operand by address and
// size whatever the type; a CallTwoData operation and a matrix instruction
// their first two. Then an LdsRead passes whether its value is in flight at a
// barrier, a CallOfChip operation passes the Chip, a matrix
// instruction its number in MfmaTable.h, and a scaled one whether the scales
// are used.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_ABI_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_ABI_H

#include "NVVM/Abi.h"
#include "NVVM/AsyncAbi.h"
#include "ROCDL/Abi.h"
#include "lpgemm/Emulator/Runtime.h"

// NOLINTBEGIN(readability-identifier-naming): names of operations.
extern "C" {

void emu_launch(const mlir::lpgemm::emulator::KernelInfo *info,
                mlir::lpgemm::emulator::KernelEntry entry, int64_t gridX,
                int64_t gridY, int64_t gridZ, int64_t blockX, int64_t blockY,
                int64_t blockZ, int64_t clusterX, int64_t clusterY,
                int64_t clusterZ, int64_t dynamicLdsBytes, void **args);

// A global of the kernel's module, for the time of a launch.
void emu_add_global(const void *data, int64_t bytes, const char *name);
void emu_remove_global(const void *data);
// Before a pass through a loop, or a call.
void emu_step(uint32_t site);
// Returns the divisor.
uint64_t emu_divisor(uint32_t site, uint64_t divisor);

/// A parameter that is passed by value: kernels may read it.
void emu_parameter(const void *data, uint64_t bytes);

void emu_unreachable(uint32_t site);

/// Shared memory of the current workgroup.
void *emu_lds_base();

// What a JIT may give the host part of a program for malloc, aligned_alloc and
// free: memory that kernels may access.
void *lpgemm_emu_alloc(size_t bytes);
void *lpgemm_emu_aligned_alloc(size_t alignment, size_t bytes);
void lpgemm_emu_free(void *data);

// And for the functions of lpgemm/Runtime/HostRuntime.h.
int32_t lpgemm_emu_encode_tensor_map(void *map, const void *base,
                                     int32_t element, int64_t cols,
                                     int64_t rows, int64_t pitchBytes,
                                     int32_t boxCols, int32_t boxRows,
                                     int32_t swizzleBytes);
int32_t lpgemm_emu_encode_batch_tensor_map(void *map, const void *base,
                                           int32_t element, int64_t cols,
                                           int64_t rows, int64_t pitchBytes,
                                           int64_t entries, int64_t entryBytes,
                                           int32_t boxCols, int32_t boxRows,
                                           int32_t swizzleBytes);
int32_t lpgemm_emu_multiprocessor_count();

} // extern "C"
// NOLINTEND(readability-identifier-naming)

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_ABI_H
