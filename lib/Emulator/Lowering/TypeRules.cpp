//===- TypeRules.cpp - types that kernels may have ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypeRules.h"

#include "OpCall.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

/// Registers of a lane hold less: 512 of 4 bytes on AMD, 255 on NVIDIA.
static constexpr uint64_t kMaxValueBytes = 4096;

bool mlir::lpgemm::emulator::isHuge(Type type) {
  constexpr uint64_t kMaxElements = uint64_t(1) << 31;
  return type
      .walk([&](LLVM::LLVMArrayType array) {
        return array.getNumElements() > kMaxElements ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

/// What no device has: a part of a type, or null.
static Type findForeignPart(Type type) {
  Type found;
  type.walk([&](Type part) {
    auto vector = dyn_cast<VectorType>(part);
    bool isForeign =
        (vector && (vector.isScalable() ||
                    !vector.getElementType().isIntOrIndexOrFloat())) ||
        isa<LLVM::LLVMX86AMXType, LLVM::LLVMTargetExtType,
            LLVM::LLVMPPCFP128Type, Float80Type, Float128Type>(part);
    if (!isForeign)
      return WalkResult::advance();
    found = part;
    return WalkResult::interrupt();
  });
  return found;
}

LogicalResult mlir::lpgemm::emulator::checkTypes(Operation *op) {
  for (Type type :
       llvm::concat<Type>(op->getOperandTypes(), op->getResultTypes())) {
    if (Type part = findForeignPart(type))
      return op->emitError("emulator does not model values of type ") << part;
    if (isHuge(type) || (isa<IntegerType, VectorType, LLVM::LLVMArrayType,
                             LLVM::LLVMStructType>(type) &&
                         getBytes(op, type) > kMaxValueBytes))
      return op->emitError("emulator models values of at most ")
             << kMaxValueBytes << " bytes, got " << type;
  }
  auto isWide = [](Type type) { return type.getIntOrFloatBitWidth() > 64; };
  if (isa<LLVM::SDivOp, LLVM::UDivOp, LLVM::SRemOp, LLVM::URemOp>(op) &&
      isWide(getElementTypeOrSelf(op->getResult(0).getType())))
    return op->emitError("emulator models divisions of at most 64 bits, got ")
           << op->getResult(0).getType();
  return success();
}
