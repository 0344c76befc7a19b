//===- ProductOps.cpp - lpgemm.matmul and lpgemm.grouped_matmul -----------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"
#include "ProductContract.h"
#include "ProductSyntax.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMOps.cpp.inc"

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// ProductInterface
//===----------------------------------------------------------------------===//

static Type elementTypeOf(Value value, TypeAttr packed) {
  return packed ? packed.getValue()
                : cast<ShapedType>(value.getType()).getElementType();
}

Type ProductInterface::getLhsElementType() {
  return elementTypeOf(getLhs(), getLhsPackedAttr());
}
Type ProductInterface::getRhsElementType() {
  return elementTypeOf(getRhs(), getRhsPackedAttr());
}
Type ProductInterface::getInitElementType() {
  return elementTypeOf(getInit(), getInitPackedAttr());
}

static bool isZero(FloatAttr attr) { return attr && attr.getValue().isZero(); }
bool ProductInterface::hasZeroAlpha() { return isZero(getStaticAlphaAttr()); }
bool ProductInterface::hasZeroBeta() { return isZero(getStaticBetaAttr()); }

SmallVector<StringRef> ProductInterface::getOperandNames() {
  // In the order of the operands' segments.
  static constexpr StringLiteral kNames[] = {"groups",
                                             "lhs",
                                             "rhs",
                                             "lhs_scale",
                                             "rhs_scale",
                                             "lhs_tensor_scale",
                                             "rhs_tensor_scale",
                                             "alpha",
                                             "beta",
                                             "c",
                                             "c_scale",
                                             "bias",
                                             "d_scale",
                                             "k",
                                             "an epilogue operand",
                                             "init",
                                             "scale_outs",
                                             "amax"};
  bool grouped = isa<GroupedMatmulOp>(*this);
  return getSegmentNames(*this, ArrayRef(kNames).drop_front(grouped ? 0 : 1));
}

static unsigned numDestinations(ProductInterface op) {
  return 1 + (op.getInitScale() ? 1 : 0) + (op.getAmax() ? 1 : 0);
}

bool lpgemm::isReadWhereWritten(OpOperand &operand) {
  // Rows of a grouped product that no group covers are zero before anything is
  // read.
  auto op = dyn_cast<MatmulOp>(operand.getOwner());
  if (!op)
    return false;
  if (op.getC() && operand == op.getCMutable()[0])
    return true;
  auto extras = op.getEpilogueOperandsMutable();
  for (auto [i, extra] : llvm::enumerate(extras))
    if (operand == extra)
      return cast<AffineMapAttr>(op.getEpilogueMapsAttr()[i])
          .getValue()
          .isIdentity();
  return false;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

ShapeContract MatmulOp::getShapeContract() {
  ShapeContract contract;
  SmallVector<AffineExpr> batch = addBatchExtents(contract, getInit(), "init");
  LeadingDims leading{batch, batch, batch, batch, batch, batch};
  leading.broadcast = true;
  buildProductContract(*this, leading, contract);
  return contract;
}

/// (GM6), (GM7): the leading dimensions of each mode.
ShapeContract GroupedMatmulOp::getShapeContract() {
  ShapeContract contract;
  AffineExpr g = contract.addExtent("G", getGroups(), 0, "groups");
  contract.addOperand("groups", getGroups(), {g});
  LeadingDims leading;
  leading.lhsScale = leading.rhsScale = leading.bias = {g};
  switch (getMode()) {
  case GroupMode::Contiguous:
    leading.rhs = {g};
    leading.rowGroups = true;
    if (getBiasAxis() == Axis::M)
      leading.bias.clear();
    break;
  case GroupMode::Masked:
    leading.lhs = leading.rhs = leading.init = {g};
    break;
  case GroupMode::KGrouped:
    leading.init = {g};
    leading.kGroups = true;
    break;
  }
  buildProductContract(*this, leading, contract);
  return contract;
}

//===----------------------------------------------------------------------===//
// Verifiers. (GMn) are the constraints of grouped_matmul in docs/spec.md.
//===----------------------------------------------------------------------===//

LogicalResult MatmulOp::verify() { return verifyProduct(*this); }

/// (GM1) to (GM3): group metadata.
static LogicalResult verifyGroups(GroupedMatmulOp op) {
  auto groups = cast<ShapedType>(op.getGroups().getType());
  if (groups.getRank() != 1)
    return op.emitOpError()
           << "expects groups to have rank 1, but got " << Type(groups);
  Type type = groups.getElementType();
  if (!type.isSignlessInteger(32) && !type.isSignlessInteger(64))
    return op.emitOpError() << "expects groups to have element type 'i32' or "
                               "'i64', but got "
                            << type;
  if (op.getMode() == GroupMode::Masked && op.getGroupAlign() != 1)
    return op.emitOpError() << "expects no group_align in masked mode, whose "
                               "groups all start at row 0, but got "
                            << op.getGroupAlign();
  if (op.getMode() == GroupMode::KGrouped &&
      op.getUncovered() != Uncovered::Undef)
    return op.emitOpError()
           << "expects no uncovered rows in k_grouped mode, but got "
           << stringifyUncovered(op.getUncovered());
  return success();
}

/// (GM4) The blocks of lhs scales do not cross groups of rows.
static LogicalResult verifyRowGroupScales(GroupedMatmulOp op) {
  std::optional<ScaleAttr> lhs = op.getLhsScaleKind();
  if (op.getMode() == GroupMode::KGrouped || !lhs)
    return success();
  if (lhs->getOuterBlock() > 1)
    return op.emitOpError()
           << "expects lhs_scale blocks of one row in "
           << stringifyGroupMode(op.getMode()) << " mode, such as <1x"
           << lhs->getKBlock() << ">, because others would cross groups, but "
           << "got <" << lhs->getKindName() << ">";
  if (op.getMode() == GroupMode::Contiguous &&
      lhs->getLayout() == ScaleLayout::AMD32x8)
    return op.emitOpError() << "expects another layout of lhs_scale in "
                               "contiguous mode, such as swz128x4, but got "
                               "amd32x8, which tiles across groups";
  return success();
}

/// (GM5) In k_grouped mode the position of a block along K is known at run time
/// only: layouts that do more than stack the blocks are refused.
static LogicalResult verifyKGroupLayouts(GroupedMatmulOp op) {
  if (op.getMode() != GroupMode::KGrouped)
    return success();
  std::pair<StringRef, std::optional<ScaleAttr>> scales[] = {
      {"lhs_scale", op.getLhsScaleKind()}, {"rhs_scale", op.getRhsScaleKind()}};
  for (auto [name, scale] : scales)
    if (scale && scale->hasKBlocks() &&
        scale->getLayout() != ScaleLayout::Row &&
        scale->getLayout() != ScaleLayout::Col &&
        scale->getLayout() != ScaleLayout::MNTMA)
      return op.emitOpError()
             << "expects " << name
             << " to have layout row, col or mn_tma in k_grouped mode, but got "
             << stringifyScaleLayout(scale->getLayout());
  return success();
}

LogicalResult GroupedMatmulOp::verify() {
  auto product = cast<ProductInterface>(getOperation());
  if (failed(verifyRequiredOperands(*this, product.getOperandNames(),
                                    {"groups"})) ||
      failed(verifyGroups(*this)) || failed(verifyRowGroupScales(*this)) ||
      failed(verifyKGroupLayouts(*this)))
    return failure();
  return verifyProduct(*this);
}

//===----------------------------------------------------------------------===//
// Destinations
//===----------------------------------------------------------------------===//

unsigned MatmulOp::getNumDestinations() { return numDestinations(*this); }
bool MatmulOp::readsDestinations() { return false; }

unsigned GroupedMatmulOp::getNumDestinations() {
  return numDestinations(*this);
}
bool GroupedMatmulOp::readsDestinations() {
  return getUncovered() == Uncovered::Keep;
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

namespace {
/// A factor that is a constant other than zero becomes an attribute; zero stays
/// a value, because as an attribute it means that operands are not read (G-12).
/// A factor of 1 goes away.
template <typename ProductOp>
struct FoldFactors : OpRewritePattern<ProductOp> {
  using OpRewritePattern<ProductOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(ProductOp op,
                                PatternRewriter &rewriter) const override {
    bool alpha = fold(rewriter, op, op.getAlphaMutable(),
                      op.getStaticAlphaAttr(), op.getStaticAlphaAttrName());
    bool beta = fold(rewriter, op, op.getBetaMutable(), op.getStaticBetaAttr(),
                     op.getStaticBetaAttrName());
    return success(alpha || beta);
  }

private:
  static bool fold(PatternRewriter &rewriter, ProductOp op,
                   MutableOperandRange operand, FloatAttr constant,
                   StringAttr name) {
    FloatAttr value = constant;
    if (!operand.empty())
      matchPattern(operand[0].get(), m_Constant(&value));
    if (!value || (!constant && value.getValue().isZero()))
      return false;
    bool isOne = value.getValue().isExactlyValue(1.0);
    if (constant && !isOne)
      return false;
    rewriter.modifyOpInPlace(op, [&] {
      operand.clear();
      if (isOne)
        op->removeAttr(name);
      else
        op->setAttr(name, value);
    });
    return true;
  }
};

/// C behind a constant beta of zero is not read (G-12).
template <typename ProductOp>
struct DropUnreadC : OpRewritePattern<ProductOp> {
  using OpRewritePattern<ProductOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(ProductOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getC() || !cast<ProductInterface>(*op).hasZeroBeta())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.getCMutable().clear();
      op.getCScaleMutable().clear();
      op.removeStaticBetaAttr();
    });
    return success();
  }
};

/// Takes the operands of tensor.cast. The tensor dialect's own pattern for
/// destination-style ops does too, but in MLIR 22 it ends in undefined
/// behaviour on a region without blocks, such as that of a product without an
/// epilogue. The benefit puts this one in front of it.
template <typename ProductOp>
struct FoldCasts : OpRewritePattern<ProductOp> {
  explicit FoldCasts(MLIRContext *context)
      : OpRewritePattern<ProductOp>(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(ProductOp op,
                                PatternRewriter &rewriter) const override {
    if (!tensor::hasFoldableTensorCastOperand(op))
      return failure();
    SmallVector<Type> oldTypes(op->getResultTypes());
    SmallVector<Type> newTypes = oldTypes;
    SmallVector<Value> operands = tensor::getUpdatedOperandsAfterCastOpFolding(
        cast<DestinationStyleOpInterface>(*op), newTypes);
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperands(operands);
      for (auto [result, type] : llvm::zip_equal(op->getResults(), newTypes))
        result.setType(type);
    });
    rewriter.setInsertionPointAfter(op);
    for (auto [result, type] : llvm::zip_equal(op->getResults(), oldTypes)) {
      if (result.getType() == type)
        continue;
      auto cast = tensor::CastOp::create(rewriter, op.getLoc(), type, result);
      rewriter.replaceAllUsesExcept(result, cast, cast);
    }
    return success();
  }
};
} // namespace

template <typename ProductOp>
static void addProductPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldFactors<ProductOp>, DropUnreadC<ProductOp>,
               FoldCasts<ProductOp>>(patterns.getContext());
}

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *) {
  addProductPatterns<MatmulOp>(patterns);
}
void GroupedMatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                  MLIRContext *) {
  addProductPatterns<GroupedMatmulOp>(patterns);
}
