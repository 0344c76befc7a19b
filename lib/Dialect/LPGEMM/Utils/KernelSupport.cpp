//===- KernelSupport.cpp - what has a lowering to kernels -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/KernelSupport.h"

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::lpgemm;

/// Lanes that have a block of a row in common find its scale.
static LogicalResult verifyBlockScales(ProductInterface op) {
  if (!op.getInitScale())
    return success();
  ScaleAttr kind = *op.getInitScaleKind();
  if (kind.getKind() == ScaleKind::MX && kind.getLayout() == ScaleLayout::Row)
    return success();
  return op->emitOpError()
         << "has no lowering to kernels with scale_outs of kind "
         << kind.getKindName() << " in layout "
         << stringifyScaleLayout(kind.getLayout())
         << " yet: only of kind mx in layout row";
}

/// (L-11) Bytes do not tell how many elements of a row there are, and kernels
/// take extents from what they are given.
static LogicalResult verifyColumns(ProductInterface op) {
  ShapeContract contract = op.getShapeContract();
  if (llvm::any_of(contract.extents,
                   [](const auto &extent) { return extent.name == "N"; }))
    return success();
  return op->emitOpError(
      "has no lowering to kernels yet where only packed rows "
      "have N, be it static or not: only with transpose_b, "
      "or with c, bias or a scale of columns");
}

/// In kernels a position, and so what it is divided by, has 32 bits.
static LogicalResult verifyBlocks(ProductInterface op) {
  constexpr int64_t kMaxBlock = std::numeric_limits<int32_t>::max();
  for (auto [name, scale] : {std::pair("lhs_scale", op.getLhsScaleKind()),
                             {"rhs_scale", op.getRhsScaleKind()}}) {
    if (!scale)
      continue;
    int64_t block = std::max(scale->getOuterBlock(), scale->getKBlock());
    if (block > kMaxBlock)
      return op->emitOpError()
             << name << ": expects blocks of at most " << kMaxBlock
             << " elements for a kernel, but got " << block;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// What follows the sum
//===----------------------------------------------------------------------===//

/// Lanes have two elements next to each other of what pairs become.
static LogicalResult verifyResult(ProductInterface op) {
  Type type = op.getInitElementType();
  if (!op.getPairs() || 2 * type.getIntOrFloatBitWidth() % 8 == 0)
    return success();
  return op->emitOpError() << "has no lowering to kernels for init of " << type
                           << " behind an epilogue of pairs yet: only for "
                              "'f32', 'bf16', 'f16', FP8 and FP4";
}

/// What needs no library of device functions: what LLVM has instructions for,
/// and what lpgemm-expand-math knows.
static constexpr StringLiteral kMathOps[] = {
    "math.absf",  "math.copysign", "math.erf",       "math.exp",   "math.exp2",
    "math.expm1", "math.fma",      "math.log",       "math.log10", "math.log1p",
    "math.log2",  "math.round",    "math.roundeven", "math.rsqrt", "math.sqrt",
    "math.tanh",  "math.trunc"};
/// Those that LLVM has instructions for in f32 alone.
static constexpr StringLiteral kF32MathOps[] = {"math.exp", "math.log"};

static LogicalResult verifyMathOp(ProductInterface op, Operation &inner) {
  StringRef name = inner.getName().getStringRef();
  if (!llvm::is_contained(kMathOps, name))
    return inner.emitError()
           << "'" << op->getName() << "' epilogue: has no lowering to kernels "
           << "with '" << name << "' yet: only with ops of arith and "
           << llvm::join(ArrayRef(kMathOps), ", ");
  Type type = inner.getResult(0).getType();
  if (llvm::is_contained(kF32MathOps, name) && !type.isF32())
    return inner.emitError()
           << "'" << op->getName()
           << "' epilogue: has no lowering to kernels with '" << name << "' of "
           << type << " yet: only of 'f32'";
  if (isWideFloat(type))
    return success();
  return inner.emitError() << "'" << op->getName()
                           << "' epilogue: has no lowering to kernels with '"
                           << name << "' of " << type
                           << " yet: only of 'f32', 'bf16' and 'f16'";
}

/// In kernels `index` has 32 bits.
static LogicalResult verifyEpilogueOp(ProductInterface op, Operation &inner) {
  if (inner.getName().getDialectNamespace() == "math" &&
      failed(verifyMathOp(op, inner)))
    return failure();
  if (isa<arith::RemFOp>(inner))
    return inner.emitError() << "'" << op->getName()
                             << "' epilogue: has no lowering to kernels with '"
                             << inner.getName() << "' yet";
  for (Type type : llvm::concat<const Type>(inner.getOperandTypes(),
                                            inner.getResultTypes()))
    if (type.isIndex() || type.isTF32())
      return inner.emitError()
             << "'" << op->getName()
             << "' epilogue: has no lowering to kernels with " << type
             << " yet: only with integers and floats "
                "of 16, 32 and 64 bits";
  return success();
}

/// A row and a column of the result at most once, and, where there are both,
/// no batch dimension behind the second of them: elements of a row are
/// contiguous.
static bool isMatrixMap(AffineMap map) {
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return false;
  bool behindBoth = false;
  unsigned numMatrix = 0;
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      bool isBatch = dim.getPosition() + 2 < map.getNumDims();
      behindBoth |= isBatch && numMatrix == 2;
      numMatrix += !isBatch;
    }
  return !behindBoth;
}

static LogicalResult verifyEpilogue(ProductInterface op) {
  if (!op.hasEpilogue())
    return success();
  for (auto [i, operand] : llvm::enumerate(op.getEpilogueOperands())) {
    AffineMap map = cast<AffineMapAttr>(op.getEpilogueMapsAttr()[i]).getValue();
    if (!isMatrixMap(map))
      return op->emitOpError()
             << "has no lowering to kernels for the map of epilogue operand "
             << i << ", " << AffineMapAttr::get(map)
             << ", yet: only for a row and a column, each at most once, and "
                "behind both no batch dimension";
    Type type = getElementTypeOrSelf(operand);
    if (!type.isIntOrFloat() ||
        !llvm::is_contained({8, 16, 32}, type.getIntOrFloatBitWidth()))
      return op->emitOpError()
             << "has no lowering to kernels for epilogue operand " << i
             << " of " << type
             << " yet: only for 'f32', 'bf16', 'f16', 'i32', "
                "'i16' and 'i8'";
  }
  for (Operation &inner : op.getEpilogue().front().without_terminator())
    if (failed(verifyEpilogueOp(op, inner)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

LogicalResult lpgemm::verifyKernelSupport(ProductInterface op) {
  if (!isa<MatmulOp>(op))
    return op->emitOpError("has no lowering to kernels yet: only "
                           "lpgemm.matmul has");
  if (failed(verifyBlockScales(op)) || failed(verifyResult(op)) ||
      failed(verifyColumns(op)) || failed(verifyBlocks(op)))
    return failure();
  return verifyEpilogue(op);
}
