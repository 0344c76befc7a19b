//===- HostCalls.cpp - calls of the host runtime --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/HostCalls.h"

#include "lpgemm/Runtime/HostRuntime.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// Calls a function of HostRuntime.h that returns an i32.
static Value buildCall(OpBuilder &b, Location loc, StringRef name,
                       ValueRange operands) {
  auto module =
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(module.getBody());
    func::FuncOp::create(b, module.getLoc(), name,
                         b.getFunctionType(operands.getTypes(), b.getI32Type()))
        .setPrivate();
  }
  return func::CallOp::create(b, loc, name, b.getI32Type(), operands)
      .getResult(0);
}

static void assertThat(OpBuilder &b, Location loc,
                       arith::CmpIPredicate predicate, Value code,
                       const Twine &message) {
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value holds = arith::CmpIOp::create(b, loc, predicate, code, zero);
  cf::AssertOp::create(b, loc, holds, message.str());
}

Value lpgemm::buildMultiprocessorCount(OpBuilder &b, Location loc,
                                       StringRef op) {
  Value count = buildCall(b, loc, "lpgemmGetMultiprocessorCount", {});
  assertThat(b, loc, arith::CmpIPredicate::sgt, count,
             op + ": the multiprocessors of the device are not known");
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), count);
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// Codes of 8 bits are moved as they are.
static std::optional<LpgemmTensorElement> lookupTensorElement(Type type) {
  if (type.isIntOrFloat() && type.getIntOrFloatBitWidth() == 8)
    return LpgemmTensorElementUInt8;
  if (type.isF16())
    return LpgemmTensorElementFloat16;
  if (type.isBF16())
    return LpgemmTensorElementBFloat16;
  if (type.isF32())
    return LpgemmTensorElementFloat32;
  return std::nullopt;
}

bool lpgemm::hasTensorElement(Type elementType) {
  return lookupTensorElement(elementType).has_value();
}

/// Memory for a map that lives as long as the function.
static Value allocateMap(OpBuilder &b, Location loc) {
  // CUDA driver API, cuTensorMapEncodeTiled.
  constexpr unsigned kAlignment = 64;
  OpBuilder::InsertionGuard guard(b);
  Operation *parent = b.getInsertionBlock()->getParentOp();
  auto function = dyn_cast<FunctionOpInterface>(parent);
  if (!function)
    function = parent->getParentOfType<FunctionOpInterface>();
  b.setInsertionPointToStart(&function.getFunctionBody().front());
  Value one = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(1));
  return LLVM::AllocaOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext()),
      getTensorMapType(b.getContext()), one, kAlignment);
}

Value lpgemm::buildTensorMap(OpBuilder &b, Location loc, StringRef op,
                             const KernelArgument &map,
                             const HostMatrixValues &matrix) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
  };
  auto extent = [&](Value value) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
  };
  Value address = allocateMap(b, loc);
  SmallVector<Value> operands = {
      address,
      matrix.base,
      number(*lookupTensorElement(matrix.elementType)),
      extent(matrix.cols),
      extent(matrix.rows),
      matrix.pitchBytes};
  if (matrix.entries)
    operands.append({extent(matrix.entries), matrix.entryBytes});
  operands.append(
      {number(map.box[0]), number(map.box[1]), number(map.swizzleBytes)});
  Value code = buildCall(b, loc,
                         matrix.entries ? "lpgemmEncodeBatchTensorMap"
                                        : "lpgemmEncodeTensorMap",
                         operands);
  assertThat(b, loc, arith::CmpIPredicate::eq, code,
             op + ": the tensor map of " + map.subject + " cannot be encoded");
  return address;
}
