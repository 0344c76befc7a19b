//===- LdsTile.cpp - tiles in a workgroup attribution ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lpgemm;

Value LdsTile::loadBytes(Value offset, int64_t bytes) {
  Value index = arith::IndexCastOp::create(b, b.getIndexType(), offset);
  if (bytes == 1)
    return memref::LoadOp::create(b, memref, index);
  return vector::LoadOp::create(b, VectorType::get(bytes, b.getI8Type()),
                                memref, index, /*nontemporal=*/false,
                                llvm::Align(bytes));
}

void LdsTile::storeBytes(Value offset, Value value, int64_t bytes) {
  Value index = arith::IndexCastOp::create(b, b.getIndexType(), offset);
  if (bytes == 1)
    memref::StoreOp::create(b, value, memref, index);
  else
    vector::StoreOp::create(b, value, memref, index, /*nontemporal=*/false,
                            llvm::Align(bytes));
}
