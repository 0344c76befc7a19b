//===- LPGEMM.h - lpgemm dialect --------------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMM_H
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMM_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMEnums.h"
#include "lpgemm/Dialect/LPGEMM/IR/ShapeContract.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMOpsDialect.h.inc"

namespace mlir::lpgemm {

/// Memory that is read and written by tile ops; what lies in registers is a
/// value and has no effects.
struct GlobalMemory : SideEffects::Resource::Base<GlobalMemory> {
  StringRef getName() final { return "LPGEMM::GlobalMemory"; }
};
struct SharedMemory : SideEffects::Resource::Base<SharedMemory> {
  StringRef getName() final { return "LPGEMM::SharedMemory"; }
};
/// State of barriers and of the queues that tokens stand for.
struct SyncState : SideEffects::Resource::Base<SyncState> {
  StringRef getName() final { return "LPGEMM::SyncState"; }
};

} // namespace mlir::lpgemm

#define GET_ATTRDEF_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMTypes.h.inc"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMInterfaces.h.inc"

// Tile ops first: one of them is a parent of lpgemm.yield.
#define GET_OP_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMTileOps.h.inc"
#define GET_OP_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMPipeOps.h.inc"

#define GET_OP_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMOps.h.inc"
#define GET_OP_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMQuantizeOps.h.inc"

namespace mlir::lpgemm {

/// Discardable attribute with the `TargetAttr` of a module or gpu.module.
inline constexpr StringLiteral kTargetAttrName = "lpgemm.target";
/// Discardable attribute with the `ScheduleAttr` of an outlined kernel.
inline constexpr StringLiteral kScheduleAttrName = "lpgemm.schedule";

/// Names of roles (`lpgemm.roles`): waves that multiply, and that load.
inline constexpr StringLiteral kMmaRoleName = "mma";
inline constexpr StringLiteral kLoadRoleName = "load";

/// A clone of an op on tensors or memrefs, on `operands`, with results of types
/// `results`. (mlir::clone does not take an op with an empty region.)
Operation *cloneOnto(OpBuilder &b, Operation *op, ValueRange operands,
                     TypeRange results = {});

/// The target of the closest enclosing op that has one; null if there is none.
TargetAttr lookupTarget(Operation *op);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMM_H
