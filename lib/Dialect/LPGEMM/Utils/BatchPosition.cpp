//===- BatchPosition.cpp - which entry of a batch -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/BatchPosition.h"

#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::lpgemm;

Value lpgemm::buildBatchEntry(OpBuilder &b, Location loc,
                              const KernelInterface &interface,
                              ValueRange extents) {
  if (interface.getNumBatch() == 0)
    return {};
  Value entry = gpu::BlockIdOp::create(b, loc, gpu::Dimension::x);
  for (AffineExpr tiles : ArrayRef(interface.tiles).take_back(2))
    entry = arith::DivUIOp::create(b, loc, entry,
                                   buildExtentExpr(b, loc, tiles, extents));
  return entry;
}

SmallVector<Value> lpgemm::buildBatchPosition(OpBuilder &b, Location loc,
                                              const KernelInterface &interface,
                                              ValueRange extents) {
  SmallVector<Value> position(interface.getNumBatch());
  Value entry = buildBatchEntry(b, loc, interface, extents);
  if (!entry)
    return position;
  for (unsigned dim = position.size() - 1; dim != 0; --dim) {
    position[dim] = arith::RemUIOp::create(b, loc, entry, extents[dim]);
    entry = arith::DivUIOp::create(b, loc, entry, extents[dim]);
  }
  position[0] = entry;
  return position;
}
