//===- HostRuntime.cpp - what host code of kernels calls ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Runtime/HostRuntime.h"

#include "lpgemm/Runtime/CudaDriver.h"
#include "lpgemm/Runtime/TensorMapRules.h"
#include <cstring>

using namespace mlir::lpgemm;
using namespace mlir::lpgemm::cuda;

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

// Numbers of cuda.h.

/// CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
/// CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE: zeros.
static constexpr int kNoInterleave = 0, kL2Promotion128 = 2, kFillZeros = 0;
/// sizeof(CUtensorMap).
static constexpr size_t kMapBytes = 128;

/// 0 for what is none.
static int64_t getElementBytes(int32_t element) {
  switch (element) {
  case LpgemmTensorElementUInt8:
    return 1;
  case LpgemmTensorElementFloat16:
  case LpgemmTensorElementBFloat16:
    return 2;
  case LpgemmTensorElementFloat32:
    return 4;
  default:
    return 0;
  }
}

/// Of a map of `rank` dimensions, of which the third is that of the batch.
static int32_t encode(void *map, const void *base, int32_t element, int rank,
                      const uint64_t *dims, const uint64_t *strides,
                      int32_t boxCols, int32_t boxRows, int32_t swizzleBytes) {
  ContextScope scope;
  if (!scope.isValid())
    return 1;
  // CU_TENSOR_MAP_SWIZZLE_NONE, _32B, _64B and _128B are 0 to 3.
  int swizzle = 0;
  for (int32_t bytes = 32; bytes <= swizzleBytes; bytes *= 2)
    ++swizzle;
  const uint32_t box[] = {static_cast<uint32_t>(boxCols),
                          static_cast<uint32_t>(boxRows), 1};
  const uint32_t elementStrides[] = {1, 1, 1};
  int code = scope->encodeTiled(
      map, element, rank, const_cast<void *>(base), dims, strides, box,
      elementStrides, kNoInterleave, swizzle, kL2Promotion128, kFillZeros);
  return check("cuTensorMapEncodeTiled", code) ? 0 : 1;
}

int32_t lpgemmEncodeTensorMap(void *map, const void *base, int32_t element,
                              int64_t cols, int64_t rows, int64_t pitchBytes,
                              int32_t boxCols, int32_t boxRows,
                              int32_t swizzleBytes) {
  std::memset(map, 0, kMapBytes);
  int64_t stride =
      getTensorMapStride(cols, rows, pitchBytes, getElementBytes(element));
  if (!hasTensorMap(reinterpret_cast<uintptr_t>(base), cols, rows, stride))
    return 0;
  const uint64_t dims[] = {static_cast<uint64_t>(cols),
                           static_cast<uint64_t>(rows)};
  const uint64_t strides[] = {static_cast<uint64_t>(stride)};
  return encode(map, base, element, /*rank=*/2, dims, strides, boxCols, boxRows,
                swizzleBytes);
}

int32_t lpgemmEncodeBatchTensorMap(void *map, const void *base, int32_t element,
                                   int64_t cols, int64_t rows,
                                   int64_t pitchBytes, int64_t entries,
                                   int64_t entryBytes, int32_t boxCols,
                                   int32_t boxRows, int32_t swizzleBytes) {
  std::memset(map, 0, kMapBytes);
  int64_t stride =
      getTensorMapStride(cols, rows, pitchBytes, getElementBytes(element));
  if (!hasTensorMap(reinterpret_cast<uintptr_t>(base), cols, rows, stride) ||
      !hasTensorMapEntries(entries, entryBytes))
    return 0;
  const uint64_t dims[] = {static_cast<uint64_t>(cols),
                           static_cast<uint64_t>(rows),
                           static_cast<uint64_t>(entries)};
  const uint64_t strides[] = {static_cast<uint64_t>(stride),
                              static_cast<uint64_t>(entryBytes)};
  return encode(map, base, element, /*rank=*/3, dims, strides, boxCols, boxRows,
                swizzleBytes);
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

int32_t lpgemmGetMultiprocessorCount() {
  ContextScope scope;
  if (!scope.isValid())
    return 0;
  int device = 0, count = 0;
  bool isGood =
      check("cuCtxGetDevice", scope->getCurrentDevice(&device)) &&
      check("cuDeviceGetAttribute",
            scope->getAttribute(&count, kMultiprocessorCount, device));
  return isGood ? count : 0;
}
