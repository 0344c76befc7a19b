//===- HostFunctions.cpp - the host runtime, emulated ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"

#include "lpgemm/Emulator/Runtime.h"
#include "lpgemm/Emulator/TensorMap.h"
#include "lpgemm/Runtime/TensorMapRules.h"

#include <cstdio>
#include <cstring>

using namespace mlir::lpgemm;
using namespace mlir::lpgemm::emulator;

// The functions of lpgemm/Runtime/HostRuntime.h, for the device that is
// emulated.

/// The matrix, and what copies of it move; false if there is no map of it.
static bool describeMatrix(TensorMapDesc &desc, const void *base,
                           int32_t element, int64_t cols, int64_t rows,
                           int64_t pitchBytes, int32_t boxCols, int32_t boxRows,
                           int32_t swizzleBytes) {
  desc.address = reinterpret_cast<uintptr_t>(base);
  desc.type = static_cast<TensorType>(element);
  desc.rank = 2;
  int64_t stride =
      getTensorMapStride(cols, rows, pitchBytes, tensorTypeBytes(desc.type));
  if (!hasTensorMap(desc.address, cols, rows, stride))
    return false;
  desc.dims[0] = cols;
  desc.dims[1] = rows;
  desc.strides[0] = stride;
  desc.box[0] = boxCols;
  desc.box[1] = boxRows;
  int swizzle = 0;
  for (int32_t bytes = 32; bytes <= swizzleBytes; bytes *= 2)
    ++swizzle;
  desc.swizzle = static_cast<TensorSwizzle>(swizzle);
  return true;
}

static int32_t encode(const TensorMapDesc &desc, void *map) {
  std::string fault = encodeTensorMap(desc, map);
  if (!fault.empty())
    std::fprintf(stderr, "lpgemm: tensor map: %s\n", fault.c_str());
  return fault.empty() ? 0 : 1;
}

int32_t lpgemm_emu_encode_tensor_map(void *map, const void *base,
                                     int32_t element, int64_t cols,
                                     int64_t rows, int64_t pitchBytes,
                                     int32_t boxCols, int32_t boxRows,
                                     int32_t swizzleBytes) {
  std::memset(map, 0, kTensorMapBytes);
  TensorMapDesc desc;
  if (!describeMatrix(desc, base, element, cols, rows, pitchBytes, boxCols,
                      boxRows, swizzleBytes))
    return 0;
  return encode(desc, map);
}

int32_t lpgemm_emu_encode_batch_tensor_map(void *map, const void *base,
                                           int32_t element, int64_t cols,
                                           int64_t rows, int64_t pitchBytes,
                                           int64_t entries, int64_t entryBytes,
                                           int32_t boxCols, int32_t boxRows,
                                           int32_t swizzleBytes) {
  std::memset(map, 0, kTensorMapBytes);
  TensorMapDesc desc;
  if (!describeMatrix(desc, base, element, cols, rows, pitchBytes, boxCols,
                      boxRows, swizzleBytes) ||
      !hasTensorMapEntries(entries, entryBytes))
    return 0;
  desc.rank = 3;
  desc.dims[2] = entries;
  desc.strides[1] = entryBytes;
  return encode(desc, map);
}

int32_t lpgemm_emu_multiprocessor_count() {
  return static_cast<int32_t>(getOptions().multiprocessors);
}
