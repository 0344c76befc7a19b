//===- LPGEMMDialect.cpp - lpgemm dialect ---------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMOpsDialect.cpp.inc"

using namespace mlir;
using namespace mlir::lpgemm;

void LPGEMMDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMQuantizeOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMTileOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMPipeOps.cpp.inc"
      >();
}

LogicalResult LPGEMMDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kTargetAttrName && !isa<TargetAttr>(attr.getValue()))
    return op->emitOpError()
           << "expects attribute '" << name
           << "' to be a #lpgemm.target, but got " << attr.getValue();
  if (name == kScheduleAttrName && !isa<ScheduleAttr>(attr.getValue()))
    return op->emitOpError()
           << "expects attribute '" << name
           << "' to be a #lpgemm.schedule, but got " << attr.getValue();
  return success();
}

TargetAttr lpgemm::lookupTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto target = op->getAttrOfType<TargetAttr>(kTargetAttrName))
      return target;
  return {};
}
