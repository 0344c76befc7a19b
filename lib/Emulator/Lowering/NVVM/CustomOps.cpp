//===- CustomOps.cpp - NVVM operations with own rules ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CustomOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

static const CustomOp &lookup(Operation *op) {
  static const llvm::StringMap<const CustomOp *> map = [] {
    llvm::StringMap<const CustomOp *> result;
    for (ArrayRef<CustomOp> table :
         {getAsyncCopyOps(), getBarrierOps(), getConversionOps(), getFenceOps(),
          getMBarrierOps(), getMatrixOps(), getRegisterOps(), getWarpOps()})
      for (const CustomOp &entry : table)
        result[entry.name] = &entry;
    return result;
  }();
  return *map.at(op->getName().getStringRef());
}

LogicalResult mlir::lpgemm::emulator::checkCustomOp(Operation *op,
                                                    const EmulatedChip &chip) {
  const CustomOp &entry = lookup(op);
  return entry.check ? entry.check(op, chip) : success();
}

void mlir::lpgemm::emulator::lowerCustomOp(Operation *op, OpCall &call) {
  lookup(op).lower(op, call);
}
