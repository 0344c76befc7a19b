//===- QuantizeOps.cpp - quantization and packing -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (Qn), (Pn) are constraints in docs/spec.md.

#include "DestinationOps.h"
#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/ScopedPrinter.h"

#define GET_OP_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMQuantizeOps.cpp.inc"

using namespace mlir;
using namespace mlir::lpgemm;

static int64_t rankOf(Value value) {
  return cast<ShapedType>(value.getType()).getRank();
}

//===----------------------------------------------------------------------===//
// lpgemm.quantize and lpgemm.dequantize
//===----------------------------------------------------------------------===//

namespace {
/// A matrix of values, the codes for it and their scales.
struct QuantizedMatrix {
  Value values, codes, scale, tensorScale;
  StringRef valuesName, codesName, scaleName, tensorScaleName;
  ScaleAttr kind;
  bool transposed;
  TypeAttr packed;

  Type codeType() const {
    return packed ? packed.getValue() : getElementTypeOrSelf(codes);
  }
};
} // namespace

/// (Q9) All shapes follow from that of the values.
static ShapeContract buildContract(const QuantizedMatrix &matrix) {
  ShapeContract contract;
  SmallVector<AffineExpr> batch =
      addBatchExtents(contract, matrix.values, matrix.valuesName);
  int64_t batchDims = batch.size();
  AffineExpr r = contract.addExtent("R", matrix.values,
                                    batchDims + (matrix.transposed ? 1 : 0),
                                    matrix.valuesName);
  AffineExpr k = contract.addExtent("K", matrix.values,
                                    batchDims + (matrix.transposed ? 0 : 1),
                                    matrix.valuesName);
  SmallVector<AffineExpr> dims = batch;
  dims.append({matrix.transposed ? k : r, matrix.transposed ? r : k});
  contract.addOperand(matrix.valuesName, matrix.values, dims);
  if (matrix.packed)
    dims.back() =
        (dims.back() * matrix.codeType().getIntOrFloatBitWidth()).ceilDiv(8);
  contract.addOperand(matrix.codesName, matrix.codes, dims);
  if (matrix.scale) {
    SmallVector<AffineExpr> scale = batch;
    llvm::append_range(
        scale, matrix.kind.getStorageShape(r, k, matrix.transposed,
                                           getElementTypeOrSelf(matrix.scale)));
    contract.addOperand(matrix.scaleName, matrix.scale, scale);
  }
  contract.addOperand(matrix.tensorScaleName, matrix.tensorScale, {});
  return contract;
}

/// (Q1), (Q2): types of values and codes.
static LogicalResult verifyElementTypes(Operation *op,
                                        const QuantizedMatrix &matrix) {
  if (rankOf(matrix.values) < 2)
    return op->emitOpError()
           << "expects " << matrix.valuesName
           << " to have at least rank 2, but got " << matrix.values.getType();
  if (!isWideFloat(getElementTypeOrSelf(matrix.values)))
    return op->emitOpError()
           << "expects " << matrix.valuesName
           << " to have element type 'f32', 'bf16' or 'f16', but got "
           << getElementTypeOrSelf(matrix.values);
  if (matrix.packed && !isSubByteFloat(matrix.codeType()))
    return op->emitOpError() << "expects " << matrix.codesName
                             << "_packed to be 'f6E2M3FN', 'f6E3M2FN' or "
                                "'f4E2M1FN', but got "
                             << matrix.codeType();
  if (matrix.packed && !getElementTypeOrSelf(matrix.codes).isSignlessInteger(8))
    return op->emitOpError() << "expects packed " << matrix.codesName
                             << " to have element type 'i8', but got "
                             << getElementTypeOrSelf(matrix.codes);
  Type code = matrix.codeType();
  if (!isFP8(code) && !isSubByteFloat(code) && !code.isSignlessInteger(8))
    return op->emitOpError()
           << "expects " << matrix.codesName
           << " to have an FP8, FP6 or FP4 element type or 'i8', but got "
           << code;
  return success();
}

/// (Q3), (Q4): types of codes that the kind scales, and of scales.
static LogicalResult verifyScaleTypes(Operation *op,
                                      const QuantizedMatrix &matrix) {
  Type code = matrix.codeType();
  if (!matrix.kind.scalesElementType(code))
    return op->emitOpError()
           << "expects " << matrix.codesName << " of element type " << code
           << " to have a scale of kind "
           << describeScaleKinds(code, {ScaleKind::Row, ScaleKind::Column})
           << ", but got " << matrix.kind.getKindName();
  if (!matrix.scale)
    return success();
  Type scale = getElementTypeOrSelf(matrix.scale);
  if (!matrix.kind.takesElementType(scale))
    return op->emitOpError()
           << "expects " << matrix.scaleName << " of kind "
           << matrix.kind.getKindName() << " to have element type "
           << matrix.kind.describeElementTypes() << ", but got " << scale;
  if (!matrix.kind.layoutTakesElementType(scale))
    return op->emitOpError()
           << "expects " << matrix.scaleName << " in layout "
           << stringifyScaleLayout(matrix.kind.getLayout())
           << " to have element type "
           << matrix.kind.describeLayoutElementTypes() << ", but got " << scale;
  // That would be MXINT8, whose codes count 1/64.
  if (code.isInteger(8) && isa<Float8E8M0FNUType>(scale))
    return op->emitOpError()
           << "expects " << matrix.scaleName
           << " of 'i8' codes to have element type 'f32' or 'bf16', but got "
           << scale;
  return success();
}

static LogicalResult verifyTypes(Operation *op, const QuantizedMatrix &matrix) {
  return failure(failed(verifyElementTypes(op, matrix)) ||
                 failed(verifyScaleTypes(op, matrix)));
}

/// (Q5) A second level belongs to blocks along K, and is one f32.
static LogicalResult verifyTensorScale(Operation *op, StringRef name,
                                       Value value, ScaleAttr kind) {
  if (!value)
    return success();
  if (!kind.hasKBlocks())
    return op->emitOpError()
           << "expects " << name
           << " with a scale with blocks along K only, such as <nvfp4>, but "
              "got <"
           << kind.getKindName() << ">";
  if (!getElementTypeOrSelf(value).isF32() || rankOf(value) != 0)
    return op->emitOpError() << "expects " << name
                             << " to be one 'f32', but got " << value.getType();
  return success();
}

static QuantizedMatrix describe(QuantizeOp op) {
  bool given = op.getScale() != nullptr;
  return {op.getInput(),
          op.getInit(),
          given ? op.getScale() : op.getScaleInit(),
          op.getTensorScale() ? op.getTensorScale() : op.getTensorScaleInit(),
          "input",
          "init",
          given ? "scale" : "scale_outs",
          op.getTensorScale() ? "tensor_scale" : "tensor_scale_outs",
          op.getKind(),
          op.getTransposed(),
          op.getInitPackedAttr()};
}

static QuantizedMatrix describe(DequantizeOp op) {
  return {op.getInit(),
          op.getInput(),
          op.getScale(),
          op.getTensorScale(),
          "init",
          "input",
          "scale",
          "tensor_scale",
          op.getKind(),
          op.getTransposed(),
          op.getInputPackedAttr()};
}

ShapeContract QuantizeOp::getShapeContract() {
  ShapeContract contract = buildContract(describe(*this));
  contract.addOperand("amax", getAmax(), {});
  return contract;
}

ShapeContract DequantizeOp::getShapeContract() {
  return buildContract(describe(*this));
}

/// (Q6) Scales are given, or found by a rule.
static LogicalResult verifyScaleSource(QuantizeOp op) {
  if ((op.getScale() != nullptr) == (op.getScaleInit() != nullptr))
    return op.emitOpError() << "expects either scale or scale_outs, but got "
                            << (op.getScale() ? "both" : "neither");
  if (op.getTensorScale() && op.getTensorScaleInit())
    return op.emitOpError(
        "expects either tensor_scale or tensor_scale_outs, but got both");
  Value found = op.getScaleInit();
  if (op.getTensorScaleInit() &&
      !(found && isa<Float8E4M3FNType>(getElementTypeOrSelf(found)))) {
    InFlightDiagnostic error =
        op.emitOpError("expects tensor_scale_outs with scale_outs of type "
                       "'f8E4M3FN' only, but got ");
    if (found)
      return error << getElementTypeOrSelf(found);
    return error << "none";
  }
  if ((found != nullptr) != op.getRule().has_value())
    return op.emitOpError()
           << "expects scale_outs with a rule, such as rceil, but got only the "
           << (found ? "scales" : "rule");
  if (!found)
    return success();
  return verifyScaleRule(op, getElementTypeOrSelf(found), *op.getRule());
}

/// (Q7) Options that mean nothing without others.
static LogicalResult verifyOptions(QuantizeOp op) {
  Type code = describe(op).codeType();
  Value found = op.getScaleInit();
  Type scale = getElementTypeOrSelf(found ? found : op.getScale());
  bool stochastic = op.getRound() == RoundingMode::Stochastic;
  std::string foundType = found ? llvm::to_string(scale) : "none";
  struct {
    StringRef option;
    bool given, fits;
    StringRef needs;
    std::string actual;
  } options[] = {{"overflow = nosat", op.getOverflow() == OverflowMode::NoSat,
                  isFP8(code), "FP8 codes", llvm::to_string(code)},
                 {"seed", op.getSeed().has_value(), stochastic, "round = sr",
                  "round = " + stringifyRoundingMode(op.getRound()).str()},
                 {"tensor_scale", op.getTensorScale() != nullptr,
                  isa<Float8E4M3FNType>(scale), "scales of type f8E4M3FN",
                  llvm::to_string(scale)},
                 {"amax_floor", op.getAmaxFloorAttr() != nullptr,
                  found != nullptr, "scale_outs", foundType},
                 {"min_scale", op.getMinScaleAttr() != nullptr,
                  found && isa<Float8E4M3FNType>(scale),
                  "scale_outs of type f8E4M3FN", foundType},
                 {"percentile", op.getPercentileAttr() != nullptr,
                  found && op.getKind().getKind() == ScaleKind::Tensor,
                  "scale_outs of kind tensor",
                  found ? op.getKind().getKindName() : foundType},
                 {"saturate_scale", op.getSaturateScale(),
                  found && isa<Float8E8M0FNUType>(scale),
                  "scale_outs of type f8E8M0FNU", foundType}};
  for (const auto &option : options)
    if (option.given && !option.fits)
      return op.emitOpError()
             << "expects " << option.option << " with " << option.needs
             << " only, but got " << option.actual;
  if (stochastic && !op.getSeed())
    return op.emitOpError("expects round = sr with a seed, but got none");
  return success();
}

/// (Q7) Values of options.
static LogicalResult verifyLimits(QuantizeOp op) {
  std::pair<StringRef, FloatAttr> limits[] = {
      {"amax_floor", op.getAmaxFloorAttr()},
      {"min_scale", op.getMinScaleAttr()}};
  for (auto [option, limit] : limits)
    if (limit &&
        !(limit.getValueAsDouble() >= 0 && limit.getValue().isFinite()))
      return op.emitOpError()
             << "expects " << option << " to be finite and at least 0, but got "
             << limit.getValueAsDouble();
  if (auto percentile = op.getPercentileAttr())
    if (double p = percentile.getValueAsDouble(); !(p > 0 && p <= 1))
      return op.emitOpError() << "expects percentile in (0, 1], but got " << p;
  return success();
}

LogicalResult QuantizeOp::verify() {
  static constexpr StringLiteral kNames[] = {
      "input", "scale",      "tensor_scale",
      "init",  "scale_outs", "tensor_scale_outs",
      "amax"};
  SmallVector<StringRef> names = getSegmentNames(*this, kNames);
  if (failed(verifyRequiredOperands(*this, names, {"input", "init"})) ||
      failed(verifyOperandForms(*this, names)) ||
      failed(verifyTypes(*this, describe(*this))) ||
      failed(verifyScaleSource(*this)) ||
      failed(verifyTensorScale(*this, "tensor_scale", getTensorScale(),
                               getKind())) ||
      failed(verifyTensorScale(*this, "tensor_scale_outs", getTensorScaleInit(),
                               getKind())) ||
      failed(verifyOptions(*this)) || failed(verifyLimits(*this)))
    return failure();
  // (Q8)
  if (Value amax = getAmax(); amax && !getElementTypeOrSelf(amax).isF32())
    return emitOpError() << "expects amax to have element type 'f32', but got "
                         << getElementTypeOrSelf(amax);
  if (failed(verifyShapeContract(*this, getShapeContract())) ||
      failed(verifyDestinationMemory(*this, names, getNumDestinations())))
    return failure();
  return verifyDestinationResults(
      *this, ArrayRef(names).take_back(getNumDestinations()));
}

LogicalResult DequantizeOp::verify() {
  SmallVector<StringRef> names = {"input", "scale"};
  if (getTensorScale())
    names.push_back("tensor_scale");
  names.push_back("init");
  if (failed(verifyOperandForms(*this, names)) ||
      failed(verifyTypes(*this, describe(*this))) ||
      failed(verifyTensorScale(*this, "tensor_scale", getTensorScale(),
                               getKind())) ||
      failed(verifyShapeContract(*this, getShapeContract())) ||
      failed(verifyDestinationMemory(*this, names, getNumDestinations())))
    return failure();
  return verifyDestinationResults(*this, {"init"});
}

unsigned QuantizeOp::getNumDestinations() {
  return 1 + (getScaleInit() ? 1 : 0) + (getTensorScaleInit() ? 1 : 0) +
         (getAmax() ? 1 : 0);
}
bool QuantizeOp::readsDestinations() { return false; }
unsigned DequantizeOp::getNumDestinations() { return 1; }
bool DequantizeOp::readsDestinations() { return false; }

//===----------------------------------------------------------------------===//
// Packing of scales
//===----------------------------------------------------------------------===//

/// (P4) Shapes follow from the scales in layout row.
static ShapeContract buildContract(StringRef rowName, Value row,
                                   StringRef packedName, Value packed,
                                   ScaleAttr kind, bool transposed) {
  ShapeContract contract;
  SmallVector<AffineExpr> batch = addBatchExtents(contract, row, rowName);
  int64_t batchDims = batch.size();
  AffineExpr rows = contract.addExtent(
      "rows", row, batchDims + (transposed ? 1 : 0), rowName);
  AffineExpr blocks = contract.addExtent(
      "K blocks", row, batchDims + (transposed ? 0 : 1), rowName);
  SmallVector<AffineExpr> rowDims = batch, packedDims = batch;
  rowDims.append({transposed ? blocks : rows, transposed ? rows : blocks});
  llvm::append_range(packedDims,
                     kind.getLayoutShape(rows, blocks, transposed,
                                         getElementTypeOrSelf(packed)));
  contract.addOperand(rowName, row, rowDims);
  contract.addOperand(packedName, packed, packedDims);
  return contract;
}

ShapeContract PackScalesOp::getShapeContract() {
  return buildContract("input", getInput(), "init", getInit(), getKind(),
                       getTransposed());
}
ShapeContract UnpackScalesOp::getShapeContract() {
  return buildContract("init", getInit(), "input", getInput(), getKind(),
                       getTransposed());
}

/// (P1) to (P3): scales with blocks along K, of a type that kind and layout
/// take.
static LogicalResult verifyScalePacking(Operation *op, ScaleAttr kind,
                                        Value row) {
  Value input = op->getOperand(0), init = op->getOperand(1);
  if (failed(verifyOperandForms(op, {"input", "init"})))
    return failure();
  if (!kind.hasKBlocks())
    return op->emitOpError() << "expects scales with blocks along K, such as "
                                "<mx>, but got <"
                             << kind.getKindName() << ">";
  if (rankOf(row) < 2)
    return op->emitOpError() << "expects scales in layout row to have at least "
                                "rank 2, but got "
                             << row.getType();
  Type type = getElementTypeOrSelf(input);
  if (type != getElementTypeOrSelf(init))
    return op->emitOpError()
           << "expects init to have the element type of "
              "input, "
           << type << ", but got " << getElementTypeOrSelf(init);
  if (!kind.takesElementType(type) || !kind.layoutTakesElementType(type))
    return op->emitOpError()
           << "expects scales of kind " << kind.getKindName()
           << " to have element type " << kind.describeElementTypes()
           << ", and in layout " << stringifyScaleLayout(kind.getLayout())
           << " " << kind.describeLayoutElementTypes() << ", but got " << type;
  return success();
}

LogicalResult PackScalesOp::verify() {
  if (failed(verifyScalePacking(*this, getKind(), getInput())) ||
      failed(verifyShapeContract(*this, getShapeContract())) ||
      failed(verifyDestinationMemory(*this, {"input", "init"},
                                     getNumDestinations())))
    return failure();
  return verifyDestinationResults(*this, {"init"});
}

LogicalResult UnpackScalesOp::verify() {
  if (failed(verifyScalePacking(*this, getKind(), getInit())) ||
      failed(verifyShapeContract(*this, getShapeContract())) ||
      failed(verifyDestinationMemory(*this, {"input", "init"},
                                     getNumDestinations())))
    return failure();
  return verifyDestinationResults(*this, {"init"});
}

unsigned PackScalesOp::getNumDestinations() { return 1; }
bool PackScalesOp::readsDestinations() { return false; }
unsigned UnpackScalesOp::getNumDestinations() { return 1; }
bool UnpackScalesOp::readsDestinations() { return false; }

//===----------------------------------------------------------------------===//
// Packing of weights
//===----------------------------------------------------------------------===//

/// Elements, bytes of packed ones, in the 16 bytes that a lane reads (L-9).
static int64_t getLaneElements(Type element) {
  return 128 / element.getIntOrFloatBitWidth();
}

static ShapeContract buildContract(StringRef rowsName, Value rows,
                                   StringRef tilesName, Value tiles,
                                   TypeAttr packedType) {
  ShapeContract contract;
  SmallVector<AffineExpr> batch = addBatchExtents(contract, rows, rowsName);
  int64_t batchDims = batch.size();
  AffineExpr n = contract.addExtent("N", rows, batchDims, rowsName);
  AffineExpr k = contract.addExtent(packedType ? "bytes of K" : "K", rows,
                                    batchDims + 1, rowsName);
  int64_t lane = getLaneElements(getElementTypeOrSelf(rows));
  auto constant = [&](int64_t value) {
    return getAffineConstantExpr(value, rows.getContext());
  };
  SmallVector<AffineExpr> rowDims = batch, tileDims = batch;
  rowDims.append({n, k});
  tileDims.append(
      {n.floorDiv(16), k.floorDiv(lane), constant(16), constant(lane)});
  contract.addOperand(rowsName, rows, rowDims);
  contract.addOperand(tilesName, tiles, tileDims);
  return contract;
}

ShapeContract PackWeightsOp::getShapeContract() {
  return buildContract("input", getInput(), "init", getInit(), getPackedAttr());
}
ShapeContract UnpackWeightsOp::getShapeContract() {
  return buildContract("init", getInit(), "input", getInput(), getPackedAttr());
}

/// (P5) to (P7): FP8, i8 or FP4 in whole tiles.
template <typename WeightPackingOp>
static LogicalResult verifyWeightPacking(WeightPackingOp op, StringRef name,
                                         Value rows) {
  if (failed(verifyOperandForms(op, {"input", "init"})))
    return failure();
  if (rankOf(rows) < 2)
    return op->emitOpError()
           << "expects " << name << " to have at least rank 2, but got "
           << rows.getType();
  Type type = getElementTypeOrSelf(rows);
  if (type != getElementTypeOrSelf(op->getOperand(0)) ||
      type != getElementTypeOrSelf(op->getOperand(1)))
    return op->emitOpError()
           << "expects input and init to have the same "
              "element type, but got "
           << getElementTypeOrSelf(op->getOperand(0)) << " and "
           << getElementTypeOrSelf(op->getOperand(1));
  if (!isFP8(type) && !isa<Float4E2M1FNType>(type) &&
      !type.isSignlessInteger(8))
    return op->emitOpError() << "expects weights of FP8, 'f4E2M1FN' or 'i8', "
                                "but got "
                             << type;
  if (TypeAttr packed = op.getPackedAttr();
      packed &&
      (!isa<Float4E2M1FNType>(packed.getValue()) || !type.isSignlessInteger(8)))
    return op->emitOpError() << "expects packed weights to be 'f4E2M1FN' in "
                                "'i8', but got "
                             << packed.getValue() << " in " << type;
  auto shape = cast<ShapedType>(rows.getType()).getShape().take_back(2);
  int64_t units[] = {16, 2 * getLaneElements(type)};
  StringRef dims[] = {"N", op.getPackedAttr() ? "bytes of K" : "K"};
  for (auto [extent, unit, dim] : llvm::zip(shape, units, dims))
    if (!ShapedType::isDynamic(extent) && extent % unit != 0)
      return op->emitOpError()
             << "expects " << dim << " of " << name << " to be a multiple of "
             << unit << " for w16x16, but got " << extent;
  return success();
}

LogicalResult PackWeightsOp::verify() {
  if (failed(verifyWeightPacking(*this, "input", getInput())) ||
      failed(verifyShapeContract(*this, getShapeContract())))
    return failure();
  return verifyDestinationResults(*this, {"init"});
}

LogicalResult UnpackWeightsOp::verify() {
  if (failed(verifyWeightPacking(*this, "init", getInit())) ||
      failed(verifyShapeContract(*this, getShapeContract())))
    return failure();
  return verifyDestinationResults(*this, {"init"});
}

unsigned PackWeightsOp::getNumDestinations() { return 1; }
bool PackWeightsOp::readsDestinations() { return false; }
unsigned UnpackWeightsOp::getNumDestinations() { return 1; }
bool UnpackWeightsOp::readsDestinations() { return false; }

//===----------------------------------------------------------------------===//
// Canonicalization: unpacking what was packed
//===----------------------------------------------------------------------===//

/// Whether the scales that come back have the shape of those that went in.
/// Padding hides it: 5 rows and 6 are packed into the same shape.
static bool haveEqualShapes(Value a, Value b) {
  auto type = cast<RankedTensorType>(a.getType());
  if (type != b.getType())
    return false;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    FailureOr<bool> equal =
        ValueBoundsConstraintSet::areEqual({a, dim}, {b, dim});
    if (failed(equal) || !*equal)
      return false;
  }
  return true;
}

namespace {
/// Packing and unpacking undo each other if the shape comes back.
template <typename SecondOp, typename FirstOp>
struct FoldInverse : OpRewritePattern<SecondOp> {
  using OpRewritePattern<SecondOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(SecondOp op,
                                PatternRewriter &rewriter) const override {
    auto first = op.getInput().template getDefiningOp<FirstOp>();
    if (!first || op->getAttrDictionary() != first->getAttrDictionary() ||
        !haveEqualShapes(first.getInput(), op.getInit()))
      return failure();
    rewriter.replaceOp(op, first.getInput());
    return success();
  }
};
} // namespace

// The other order would drop what the padding holds: only unpacking comes last.
void UnpackScalesOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *context) {
  patterns.add<FoldInverse<UnpackScalesOp, PackScalesOp>>(context);
}
void UnpackWeightsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                  MLIRContext *context) {
  patterns.add<FoldInverse<UnpackWeightsOp, PackWeightsOp>>(context);
}
// Weights have no padding.
void PackWeightsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add<FoldInverse<PackWeightsOp, UnpackWeightsOp>>(context);
}
