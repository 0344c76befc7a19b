//===- GlobalTile.cpp - a tile of global memory ---------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

GlobalTile::GlobalTile(ImplicitLocOpBuilder &b, const GlobalValues &global,
                       GlobalType type)
    : b(b), global(global), elementType(type.getElementType()),
      unitBytes(lpgemm::getUnitBytes(type.getElementType())) {}

Value GlobalTile::isInside(Value row, Value col) {
  auto isBelow = [&](Value position, Value extent) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, position,
                                 extent);
  };
  return arith::AndIOp::create(b, isBelow(row, global.rows),
                               isBelow(col, global.cols));
}

Value GlobalTile::getAddress(Value row, Value col) {
  Value element = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(indexToI64(b, row), global.pitch),
      indexToI64(b, col));
  return LLVM::GEPOp::create(b, global.ptr.getType(), getBitsType(), global.ptr,
                             element);
}

Value GlobalTile::getBehind(Value address, int64_t count) {
  return LLVM::GEPOp::create(b, address.getType(), getBitsType(), address,
                             LLVM::GEPArg(count));
}

/// An element outside is read at the edge of the matrix, which has one.
Value GlobalTile::load(Value row, Value col) {
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto clamp = [&](Value position, Value extent) -> Value {
    Value last = b.createOrFold<arith::SubIOp>(extent, one);
    return b.createOrFold<arith::MinSIOp>(position, last);
  };
  Value address = getAddress(clamp(row, global.rows), clamp(col, global.cols));
  Value loaded = LLVM::LoadOp::create(b, getBitsType(), address);
  return arith::SelectOp::create(b, isInside(row, col), loaded, getFill());
}

Value GlobalTile::loadIfInside(Value row, Value col) {
  auto ifOp = scf::IfOp::create(
      b, isInside(row, col),
      [&](OpBuilder &, Location) {
        Value loaded =
            LLVM::LoadOp::create(b, getBitsType(), getAddress(row, col));
        scf::YieldOp::create(b, loaded);
      },
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, getFill()); });
  return ifOp.getResult(0);
}

SmallVector<Value>
GlobalTile::ifNotEmpty(function_ref<SmallVector<Value>()> build) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  SmallVector<Type> types;
  auto ifOp = scf::IfOp::create(
      b, isInside(zero, zero),
      [&](OpBuilder &, Location) {
        SmallVector<Value> loaded = build();
        llvm::append_range(types, ValueRange(loaded).getTypes());
        scf::YieldOp::create(b, loaded);
      },
      [&](OpBuilder &, Location) {
        auto fill = [&](Type type) -> Value {
          return type == getBitsType()
                     ? getFill()
                     : arith::ConstantOp::create(b, b.getZeroAttr(type));
        };
        scf::YieldOp::create(b, llvm::map_to_vector(types, fill));
      });
  return llvm::to_vector_of<Value>(ifOp.getResults());
}

Value GlobalTile::getFill() {
  int64_t fill = isa<Float8E8M0FNUType>(elementType) ? kScaleOne : 0;
  return arith::ConstantOp::create(b, IntegerAttr::get(getBitsType(), fill));
}
