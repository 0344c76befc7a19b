//===- HostRuntime.h - what host code of kernels calls ----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The functions that the host code of kernels for NVIDIA GPUs calls. They load
// the CUDA driver, libcuda, when they first need it, and are about the device
// of the current context, or device 0 where there is none. A program that runs
// such host code links LPGEMMHostRuntime, or defines them itself: the emulator
// does.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_RUNTIME_HOSTRUNTIME_H
#define LPGEMM_RUNTIME_HOSTRUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What the elements of a tensor map are, numbered as CUtensorMapDataType of
/// the CUDA driver API.
typedef enum LpgemmTensorElement {
  LpgemmTensorElementUInt8 = 0,
  LpgemmTensorElementFloat16 = 6,
  LpgemmTensorElementFloat32 = 7,
  LpgemmTensorElementBFloat16 = 9
} LpgemmTensorElement;

/// Writes a CUtensorMap, 128 bytes at `map`, which is a multiple of 64: of a
/// matrix of `rows` by `cols` elements whose rows are `pitchBytes` apart, for
/// copies of `boxRows` by `boxCols` elements, with a swizzle of 0, 32, 64 or
/// 128 bytes. All bytes are 0 where no map describes the matrix: its kernel
/// looks at the matrix in the same way (docs/manifest.md).
/// Returns 0, or another number after a line on stderr.
int32_t lpgemmEncodeTensorMap(void *map, const void *base, int32_t element,
                              int64_t cols, int64_t rows, int64_t pitchBytes,
                              int32_t boxCols, int32_t boxRows,
                              int32_t swizzleBytes);

/// The same for a batch of `entries` matrices that start `entryBytes` apart, as
/// a map of three dimensions; a copy moves a box of one of them.
int32_t lpgemmEncodeBatchTensorMap(void *map, const void *base, int32_t element,
                                   int64_t cols, int64_t rows,
                                   int64_t pitchBytes, int64_t entries,
                                   int64_t entryBytes, int32_t boxCols,
                                   int32_t boxRows, int32_t swizzleBytes);

/// Of the device. Returns 0 after a line on stderr.
int32_t lpgemmGetMultiprocessorCount(void);

/// Names the caller's stream, a CUstream, for the launches of this thread that
/// name none themselves, if they are made through LaunchRuntime.h: they are
/// enqueued there, and nothing waits for them. Without one, each has a stream
/// of its own and is waited for.
void lpgemmSetStream(void *stream);
void lpgemmUnsetStream(void);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // LPGEMM_RUNTIME_HOSTRUNTIME_H
