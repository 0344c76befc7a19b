//===- MatmulOp.cpp - lpgemm.matmul ---------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

#define GET_OP_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMOps.cpp.inc"

using namespace mlir;
using namespace mlir::lpgemm;

SmallVector<Value> MatmulOp::getInputs() {
  SmallVector<Value> inputs = {getLhs(), getRhs()};
  for (Value scale : {getLhsScale(), getRhsScale()})
    if (scale)
      inputs.push_back(scale);
  return inputs;
}

//===----------------------------------------------------------------------===//
// Verifier. (Cn) are the constraints of lpgemm.matmul in docs/spec.md.
//===----------------------------------------------------------------------===//

namespace {
/// An operand with the name that diagnostics give it.
struct NamedOperand {
  StringRef name;
  Value value;

  ShapedType type() const { return cast<ShapedType>(value.getType()); }
};
} // namespace

/// "tensor", "memref" or "global".
static StringRef formOf(Type type) {
  return isa<RankedTensorType>(type) ? "tensor"
         : isa<MemRefType>(type)     ? "memref"
                                     : "global";
}

static std::string extent(int64_t size) {
  return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

/// Dimension `dim` of `operand`, called `what`, must be `expected`, which is
/// that of `source`. Unknown extents are left to run time.
static LogicalResult verifyDim(MatmulOp op, NamedOperand operand, unsigned dim,
                               StringRef what, int64_t expected,
                               const Twine &source) {
  int64_t actual = operand.type().getDimSize(dim);
  if (ShapedType::isDynamic(actual) || ShapedType::isDynamic(expected) ||
      actual == expected)
    return success();
  return op.emitOpError() << "expects " << operand.name << " dimension " << dim
                          << " (" << what << ") to be " << extent(expected)
                          << ", " << source << ", but got " << extent(actual);
}

/// (C11) what the type says about memory beyond extents and strides: nothing.
/// A lowering would have to drop it.
static LogicalResult verifyMemory(MatmulOp op, NamedOperand operand) {
  if (auto tensor = dyn_cast<RankedTensorType>(operand.value.getType()))
    if (Attribute encoding = tensor.getEncoding())
      return op.emitOpError() << "expects " << operand.name
                              << " to have no encoding, but got " << encoding;
  auto memref = dyn_cast<MemRefType>(operand.value.getType());
  if (!memref)
    return success();
  if (Attribute space = memref.getMemorySpace())
    return op.emitOpError()
           << "expects " << operand.name
           << " to be in the default memory space, but got " << space;
  if (!memref.isStrided())
    return op.emitOpError() << "expects " << operand.name
                            << " to have a strided layout, but got " << memref;
  return success();
}

/// (C1) one form, (C2) rank 2.
static LogicalResult verifyForms(MatmulOp op, ArrayRef<NamedOperand> operands) {
  StringRef form = formOf(operands.front().value.getType());
  for (const NamedOperand &operand : operands) {
    auto type = dyn_cast<ShapedType>(operand.value.getType());
    if (!type.hasRank() || type.getRank() != 2)
      return op.emitOpError() << "expects " << operand.name
                              << " to have rank 2, but got " << type;
    if (formOf(type) != form)
      return op.emitOpError() << "expects " << operand.name << " to be a "
                              << form << " like lhs, but got " << Type(type);
    if (failed(verifyMemory(op, operand)))
      return failure();
  }
  return success();
}

/// (C3), (C4): the extents of lhs, rhs and init.
static LogicalResult verifyShapes(MatmulOp op, NamedOperand lhs,
                                  NamedOperand rhs, NamedOperand init) {
  int64_t k = lhs.type().getDimSize(1);
  if (failed(verifyDim(op, rhs, op.getRhsKDim(), "K", k, "K of lhs")))
    return failure();
  if (failed(verifyDim(op, init, 0, "M", lhs.type().getDimSize(0), "M of lhs")))
    return failure();
  return verifyDim(op, init, 1, "N", rhs.type().getDimSize(op.getRhsNDim()),
                   "N of rhs");
}

/// (C5), (C6): element types.
static LogicalResult verifyElementTypes(MatmulOp op, NamedOperand lhs,
                                        NamedOperand rhs, NamedOperand init) {
  for (const NamedOperand &operand : {lhs, rhs})
    if (!isa<Float8E4M3FNType, Float8E5M2Type>(operand.type().getElementType()))
      return op.emitOpError()
             << "expects " << operand.name
             << " to have element type 'f8E4M3FN' or 'f8E5M2', but got "
             << operand.type().getElementType();
  if (!init.type().getElementType().isF32())
    return op.emitOpError() << "expects init to have element type 'f32', but "
                               "got "
                            << init.type().getElementType();
  return success();
}

/// (C7) to (C9): the scale of one operand, whose K lies in dimension `kDim`.
static LogicalResult verifyScale(MatmulOp op, NamedOperand operand,
                                 unsigned kDim, NamedOperand scale,
                                 std::optional<ScaleAttr> kind) {
  if (!scale.value || !kind)
    return op.emitOpError() << "expects " << scale.name
                            << " with its kind, such as <mx>, but got none";
  ShapedType type = scale.type();
  if (!isa<Float8E8M0FNUType>(type.getElementType()))
    return op.emitOpError() << "expects " << scale.name
                            << " of kind mx to have element type 'f8E8M0FNU', "
                               "but got "
                            << type.getElementType();
  int64_t k = operand.type().getDimSize(kDim);
  int64_t blocks =
      ShapedType::isDynamic(k) ? k : llvm::divideCeil(k, kind->getBlock());
  if (failed(verifyDim(op, scale, 1 - kDim, kDim ? "rows" : "columns",
                       operand.type().getDimSize(1 - kDim),
                       "that of " + operand.name)))
    return failure();
  return verifyDim(op, scale, kDim, "K blocks", blocks,
                   "ceil(K / " + Twine(kind->getBlock()) + ") of " +
                       operand.name);
}

/// (C10): a result for tensors only, of the type of init.
static LogicalResult verifyResult(MatmulOp op) {
  Type init = op.getInit().getType();
  if (!isa<RankedTensorType>(init)) {
    if (op.getResult())
      return op.emitOpError() << "expects no result with a " << formOf(init)
                              << " init, but got " << op.getResult().getType();
    return success();
  }
  if (!op.getResult())
    return op.emitOpError("expects a result with a tensor init, but got none");
  if (op.getResult().getType() != init)
    return op.emitOpError() << "expects the result type to be that of init, "
                            << init << ", but got " << op.getResult().getType();
  return success();
}

LogicalResult MatmulOp::verify() {
  NamedOperand lhs{"lhs", getLhs()}, rhs{"rhs", getRhs()},
      lhsScale{"lhs_scale", getLhsScale()},
      rhsScale{"rhs_scale", getRhsScale()}, init{"init", getInit()};
  SmallVector<NamedOperand> present = {lhs, rhs};
  for (const NamedOperand &scale : {lhsScale, rhsScale})
    if (scale.value)
      present.push_back(scale);
  present.push_back(init);
  if (failed(verifyForms(*this, present)) ||
      failed(verifyShapes(*this, lhs, rhs, init)) ||
      failed(verifyElementTypes(*this, lhs, rhs, init)) ||
      failed(verifyScale(*this, lhs, 1, lhsScale, getLhsScaleKind())) ||
      failed(
          verifyScale(*this, rhs, getRhsKDim(), rhsScale, getRhsScaleKind())))
    return failure();
  return verifyResult(*this);
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

MutableOperandRange MatmulOp::getDpsInitsMutable() {
  if (isa<GlobalType>(getInit().getType()))
    return MutableOperandRange(*this, /*start=*/0, /*length=*/0);
  return getInitMutable();
}

void MatmulOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (hasPureTensorSemantics())
    return;
  bool global = isa<GlobalType>(getInit().getType());
  SideEffects::Resource *resource =
      global ? static_cast<SideEffects::Resource *>(GlobalMemory::get())
             : SideEffects::DefaultResource::get();
  for (OpOperand &operand : (*this)->getOpOperands())
    if (&operand != &getInitMutable())
      effects.emplace_back(MemoryEffects::Read::get(), &operand, resource);
  effects.emplace_back(MemoryEffects::Write::get(), &getInitMutable(),
                       resource);
}

LogicalResult
MatmulOp::reifyResultShapes(OpBuilder &b,
                            ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  reifiedReturnShapes = {tensor::getMixedSizes(b, getLoc(), getInit())};
  return success();
}

bool MatmulOp::bufferizesToMemoryRead(OpOperand &operand,
                                      const bufferization::AnalysisState &) {
  return !isDpsInit(&operand);
}

bool MatmulOp::bufferizesToMemoryWrite(OpOperand &operand,
                                       const bufferization::AnalysisState &) {
  return isDpsInit(&operand);
}

bufferization::AliasingValueList
MatmulOp::getAliasingValues(OpOperand &operand,
                            const bufferization::AnalysisState &) {
  if (!isDpsInit(&operand))
    return {};
  return {{getResult(), bufferization::BufferRelation::Equivalent}};
}

LogicalResult MatmulOp::bufferize(RewriterBase &rewriter,
                                  const bufferization::BufferizationOptions &o,
                                  bufferization::BufferizationState &state) {
  if (!hasPureTensorSemantics())
    return success();
  SmallVector<Value> buffers;
  for (Value operand : getOperands()) {
    FailureOr<Value> buffer =
        bufferization::getBuffer(rewriter, operand, o, state);
    if (failed(buffer))
      return failure();
    buffers.push_back(*buffer);
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(*this);
  mlir::clone(rewriter, *this, /*newResultTypes=*/TypeRange(), buffers);
  bufferization::replaceOpWithBufferizedValues(rewriter, *this, buffers.back());
  return success();
}
