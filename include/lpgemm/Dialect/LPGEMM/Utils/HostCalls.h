//===- HostCalls.h - calls of the host runtime ------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_UTILS_HOSTCALLS_H
#define LPGEMM_DIALECT_LPGEMM_UTILS_HOSTCALLS_H

#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "mlir/IR/Builders.h"

namespace mlir::lpgemm {

/// The number of multiprocessors of the device, as an index. `op` is what a
/// failing assertion speaks of.
Value buildMultiprocessorCount(OpBuilder &b, Location loc, StringRef op);

/// A matrix in host code, or a batch of them.
struct HostMatrixValues {
  Value base;       // !llvm.ptr
  Value cols, rows; // index
  Value pitchBytes; // i64
  Type elementType;
  // Of a batch; else null.
  Value entries = {};    // index
  Value entryBytes = {}; // i64, from one matrix to the next
};

/// Whether elements of this type may be in a tensor map.
bool hasTensorElement(Type elementType);

/// Encodes `map`, a tensor map of the interface of the kernel for `op`, and
/// returns its address, a !llvm.ptr.
Value buildTensorMap(OpBuilder &b, Location loc, StringRef op,
                     const KernelArgument &map, const HostMatrixValues &matrix);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_UTILS_HOSTCALLS_H
