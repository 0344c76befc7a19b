//===- MaterializeStorage.cpp - lpgemm-materialize-storage ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedStorage.h"

#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_MATERIALIZESTORAGEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

/// `op` on bytes: with other operands, and the types of results that go with
/// the converted ones.
static FailureOr<Operation *> retype(Operation *op, ValueRange operands,
                                     const TypeConverter &converter,
                                     ConversionPatternRewriter &rewriter) {
  OperationState state(op->getLoc(), op->getName(), operands, TypeRange(),
                       op->getAttrs());
  if (failed(converter.convertTypes(op->getResultTypes(), state.types)))
    return failure();
  for (Region &region : op->getRegions()) {
    Region *moved = state.addRegion();
    rewriter.inlineRegionBefore(region, *moved, moved->end());
  }
  return rewriter.create(state);
}

static LogicalResult replaceRetyped(Operation *op, ValueRange operands,
                                    const TypeConverter &converter,
                                    ConversionPatternRewriter &rewriter) {
  FailureOr<Operation *> packed = retype(op, operands, converter, rewriter);
  if (failed(packed))
    return failure();
  rewriter.replaceOp(op, *packed);
  return success();
}

//===----------------------------------------------------------------------===//
// lpgemm ops
//===----------------------------------------------------------------------===//

/// The operands of an lpgemm op that may be packed, and the attributes that
/// keep their types.
static SmallVector<std::pair<StringRef, Value>> getMatrices(Operation *op) {
  using Matrices = SmallVector<std::pair<StringRef, Value>>;
  return TypeSwitch<Operation *, Matrices>(op)
      .Case([](ProductInterface op) {
        return Matrices{{"lhs_packed", op.getLhs()},
                        {"rhs_packed", op.getRhs()},
                        {"init_packed", op.getInit()}};
      })
      .Case(
          [](QuantizeOp op) { return Matrices{{"init_packed", op.getInit()}}; })
      .Case([](DequantizeOp op) {
        return Matrices{{"input_packed", op.getInput()}};
      })
      .Case<PackWeightsOp, UnpackWeightsOp>(
          [](auto op) { return Matrices{{"packed", op.getInput()}}; })
      .Default(Matrices());
}

/// The most elements that the bytes of every side that tells no more hold.
static Value unpackK(ProductInterface op, ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value least;
  Type first;
  for (const ProductSide &side : getSides(op)) {
    if (least &&
        side.element.getIntOrFloatBitWidth() == first.getIntOrFloatBitWidth())
      continue;
    Value bytes = tensor::DimOp::create(rewriter, loc,
                                        rewriter.getRemappedValue(side.value),
                                        side.getKPosition());
    Value elements = cast<Value>(
        unpackExtent(rewriter, loc, OpFoldResult(bytes), side.element));
    least =
        least
            ? arith::MinUIOp::create(rewriter, loc, least, elements).getResult()
            : elements;
    first = side.element;
  }
  return least;
}

/// (L-11) K, if a side is packed along it.
static Value buildK(ProductInterface op, ConversionPatternRewriter &rewriter) {
  auto sides = getSides(op);
  if (llvm::none_of(
          sides, [](const ProductSide &side) { return side.isPackedAlongK(); }))
    return {};
  ProductExtent k = findK(op);
  if (!k)
    return unpackK(op, rewriter);
  Location loc = op.getLoc();
  if (k.tensor)
    return tensor::DimOp::create(rewriter, loc,
                                 rewriter.getRemappedValue(k.tensor), k.dim);
  return getValueOrCreateConstantIndexOp(rewriter, loc, k.size);
}

namespace {
struct PackLPGEMMOp : OpInterfaceConversionPattern<ShapeContractInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;
  LogicalResult
  matchAndRewrite(ShapeContractInterface op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    auto product = dyn_cast<ProductInterface>(*op);
    Value k = product && !product.getK() ? buildK(product, rewriter) : Value();
    FailureOr<Operation *> packed =
        retype(op, operands, *getTypeConverter(), rewriter);
    if (failed(packed))
      return failure();
    for (auto [attribute, matrix] : getMatrices(op))
      if (isSubByteFloat(getElementTypeOrSelf(matrix)))
        (*packed)->setAttr(attribute,
                           TypeAttr::get(getElementTypeOrSelf(matrix)));
    if (k)
      TypeSwitch<Operation *>(*packed).Case<MatmulOp, GroupedMatmulOp>(
          [&](auto product) { product.getKMutable().assign(k); });
    rewriter.replaceOp(op, *packed);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Ops of other dialects
//===----------------------------------------------------------------------===//

/// Ops that do not look at the elements.
template <typename OpT>
struct Retype : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    return replaceRetyped(op, adaptor.getOperands(), *this->getTypeConverter(),
                          rewriter);
  }
};

/// New tensors; sizes come first among the operands.
template <typename OpT>
struct PackAllocation : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> operands(adaptor.getOperands());
    auto type = cast<RankedTensorType>(op.getType());
    size_t numSizes = op.getDynamicSizes().size();
    if (numSizes != 0 && type.isDynamicDim(type.getRank() - 1)) {
      Value &size = operands[numSizes - 1];
      size = getValueOrCreateConstantIndexOp(
          rewriter, op.getLoc(),
          packExtent(rewriter, op.getLoc(), size, type.getElementType()));
    }
    return replaceRetyped(op, operands, *this->getTypeConverter(), rewriter);
  }
};

struct PackConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, packElements(cast<DenseElementsAttr>(op.getValue())));
    return success();
  }
};

struct PackFill : OpConversionPattern<linalg::FillOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(linalg::FillOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value byte = arith::ConstantOp::create(
        rewriter, op.getLoc(), rewriter.getI8IntegerAttr(*getFillByte(op)));
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, byte, adaptor.getOutputs());
    return success();
  }
};

struct UnpackDim : OpConversionPattern<tensor::DimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tensor::DimOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = op.getSource();
    bool isRow = *op.getConstantIndex() ==
                 cast<ShapedType>(source.getType()).getRank() - 1;
    std::optional<OpFoldResult> known;
    if (isRow)
      known = findRowExtent(source);
    OpFoldResult size =
        known ? *known
              : tensor::DimOp::create(rewriter, loc, adaptor.getSource(),
                                      adaptor.getIndex())
                    .getResult();
    if (isRow && !known)
      size = unpackExtent(rewriter, loc, size, getElementTypeOrSelf(source));
    rewriter.replaceOp(op,
                       getValueOrCreateConstantIndexOp(rewriter, loc, size));
    return success();
  }
};
} // namespace

/// Offset and size of a slice in bytes. What is a value stays one, so that the
/// type of the slice stays dynamic.
static void packSlice(OpBuilder &b, OffsetSizeAndStrideOpInterface op,
                      Value tensor, Value packed,
                      SmallVectorImpl<OpFoldResult> &offsets,
                      SmallVectorImpl<OpFoldResult> &sizes) {
  Location loc = op->getLoc();
  Type element = getElementTypeOrSelf(tensor);
  RowSlice row = getRowSlice(op, tensor);
  offsets.back() = packExtent(b, loc, row.offset, element);
  if (isa<Attribute>(row.size))
    sizes.back() = packExtent(b, loc, row.size, element);
  else if (row.isWhole)
    sizes.back() =
        tensor::DimOp::create(b, loc, packed, sizes.size() - 1).getResult();
  else
    sizes.back() = getValueOrCreateConstantIndexOp(
        b, loc, packExtent(b, loc, row.size, element));
}

namespace {
struct PackExtractSlice : OpConversionPattern<tensor::ExtractSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tensor::ExtractSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto offsets = op.getMixedOffsets(), sizes = op.getMixedSizes();
    packSlice(rewriter, op, op.getSource(), adaptor.getSource(), offsets,
              sizes);
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, getPackedType(op.getType()), adaptor.getSource(), offsets, sizes,
        op.getMixedStrides());
    return success();
  }
};

struct PackInsertSlice : OpConversionPattern<tensor::InsertSliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(tensor::InsertSliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto offsets = op.getMixedOffsets(), sizes = op.getMixedSizes();
    packSlice(rewriter, op, op.getDest(), adaptor.getDest(), offsets, sizes);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, adaptor.getSource(), adaptor.getDest(), offsets, sizes,
        op.getMixedStrides());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct MaterializeStorage
    : lpgemm::impl::MaterializeStoragePassBase<MaterializeStorage> {
  void runOnOperation() override;
};
} // namespace

/// Checks every op before the first is changed.
static LogicalResult verifyModule(ModuleOp module) {
  bool valid = true;
  module.walk([&](Operation *op) { valid &= succeeded(verifyPackable(op)); });
  return success(valid);
}

static void populatePatterns(const TypeConverter &converter,
                             RewritePatternSet &patterns) {
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 converter);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  scf::populateSCFStructuralTypeConversions(converter, patterns);
  patterns.add<PackLPGEMMOp, Retype<tensor::CastOp>, Retype<arith::SelectOp>,
               Retype<bufferization::MaterializeInDestinationOp>,
               PackAllocation<tensor::EmptyOp>,
               PackAllocation<bufferization::AllocTensorOp>, PackConstant,
               PackFill, UnpackDim, PackExtractSlice, PackInsertSlice>(
      converter, patterns.getContext());
}

void MaterializeStorage::runOnOperation() {
  ModuleOp module = getOperation();
  WalkResult unpacked = module.walk([](Operation *op) {
    return findUnpackedType(op) ? WalkResult::interrupt()
                                : WalkResult::advance();
  });
  if (!unpacked.wasInterrupted())
    return markAllAnalysesPreserved();
  if (failed(verifyModule(module)))
    return signalPassFailure();

  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  converter.addConversion([](RankedTensorType type) -> Type {
    return isSubByteFloat(type.getElementType()) ? getPackedType(type) : type;
  });
  RewritePatternSet patterns(&getContext());
  populatePatterns(converter, patterns);
  ConversionTarget target(getContext());
  target.markUnknownOpDynamicallyLegal(
      [](Operation *op) { return !findUnpackedType(op); });
  // A fold could change a value: those of narrow formats are not to be relied
  // on (C-14).
  ConversionConfig config;
  config.foldingMode = DialectConversionFoldingMode::Never;
  if (failed(applyFullConversion(module, target, std::move(patterns), config)))
    signalPassFailure();
}
