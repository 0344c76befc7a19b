//===- ProductVerifier.cpp - constraints of the matrix products -----------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (Cn) are the constraints of lpgemm.matmul in docs/spec.md.

#include "DestinationOps.h"
#include "ProductContract.h"
#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// (C5), (C24): element types
//===----------------------------------------------------------------------===//

static bool isI8(Type type) { return type.isSignlessInteger(8); }
static bool isOperandType(Type type) {
  return isLowPrecisionFloat(type) || isI8(type) || type.isBF16() ||
         type.isF16();
}

static constexpr StringLiteral kOperandTypes =
    "'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', "
    "'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16'";

/// (C24) Packed bytes and what they are packed from.
static LogicalResult verifyPacked(ProductInterface op, StringRef name,
                                  Value value, TypeAttr packed) {
  if (!packed)
    return success();
  Type type = packed.getValue();
  if (!isLowPrecisionFloat(type) || type.getIntOrFloatBitWidth() == 8)
    return op->emitOpError()
           << "expects " << name
           << "_packed to be 'f6E2M3FN', 'f6E3M2FN' or 'f4E2M1FN', but got "
           << type;
  if (!isI8(getElementTypeOrSelf(value)))
    return op->emitOpError() << "expects packed " << name
                             << " to have element type 'i8', but got "
                             << getElementTypeOrSelf(value);
  return success();
}

static LogicalResult verifyPackedOperands(ProductInterface op) {
  TypeAttr lhs = op.getLhsPackedAttr(), rhs = op.getRhsPackedAttr();
  if (failed(verifyPacked(op, "lhs", op.getLhs(), lhs)) ||
      failed(verifyPacked(op, "rhs", op.getRhs(), rhs)) ||
      failed(verifyPacked(op, "init", op.getInit(), op.getInitPackedAttr())))
    return failure();
  APInt k;
  if (op.getK() && matchPattern(op.getK(), m_ConstantInt(&k)) && k.isNegative())
    return op->emitOpError()
           << "expects k to be at least 0, but got " << k.getSExtValue();
  if (lhs && rhs && !op.getTransposeA() && op.getTransposeB() && !op.getK())
    return op->emitOpError("expects k, because neither packed lhs nor packed "
                           "rhs tells K, but got none");
  return success();
}

/// (C5)
static LogicalResult verifyElementTypes(ProductInterface op) {
  Type lhs = op.getLhsElementType(), rhs = op.getRhsElementType();
  std::pair<StringRef, Type> types[] = {{"lhs", lhs}, {"rhs", rhs}};
  for (auto [name, type] : types)
    if (!isOperandType(type))
      return op->emitOpError() << "expects " << name << " to have element type "
                               << kOperandTypes << ", but got " << type;
  if (lhs != rhs && !(isLowPrecisionFloat(lhs) && isLowPrecisionFloat(rhs))) {
    Type narrow = isLowPrecisionFloat(lhs) ? rhs : lhs;
    return op->emitOpError()
           << "expects lhs and rhs to have the same element type, because "
           << narrow << " is not mixed with others, but got " << lhs << " and "
           << rhs;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// (C7), (C8), (C14) to (C17): scales
//===----------------------------------------------------------------------===//

namespace {
/// A scale of one side, or of the result.
struct ScaleOperand {
  StringRef name, of;
  Value value;
  std::optional<ScaleAttr> kind;
  /// The kind with one scale for each row, or column, that does not belong on
  /// this side, and the one that does.
  ScaleKind wrongSide, rightSide;
};
} // namespace

/// (C8), (C17), (C14): the type of a scale, and of what it scales.
static LogicalResult verifyScaleTypes(ProductInterface op,
                                      const ScaleOperand &scale,
                                      Type elementType) {
  Type type = getElementTypeOrSelf(scale.value);
  ScaleAttr kind = *scale.kind;
  if (!kind.takesElementType(type))
    return op->emitOpError()
           << "expects " << scale.name << " of kind " << kind.getKindName()
           << " to have element type " << kind.describeElementTypes()
           << ", but got " << type;
  if (!kind.layoutTakesElementType(type))
    return op->emitOpError()
           << "expects " << scale.name << " in layout "
           << stringifyScaleLayout(kind.getLayout()) << " to have element type "
           << kind.describeLayoutElementTypes() << ", but got " << type;
  // That would be MXINT8, whose codes count 1/64.
  if (elementType.isInteger(8) && isa<Float8E8M0FNUType>(type) &&
      kind.scalesElementType(elementType))
    return op->emitOpError()
           << "expects " << scale.name
           << " of 'i8' elements to have element type 'f32' or 'bf16', but got "
           << type;
  if (kind.scalesElementType(elementType))
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "expects " << scale.of << " of element type "
                             << elementType << " to have ";
  if (elementType.getIntOrFloatBitWidth() > 8)
    return error << "no scale, but got " << scale.name << " of kind "
                 << kind.getKindName();
  return error << "a scale of kind "
               << describeScaleKinds(elementType, scale.rightSide)
               << ", but got " << scale.name << " of kind "
               << kind.getKindName();
}

/// (C7): a scale and its kind, for this side.
static LogicalResult verifyScale(ProductInterface op, const ScaleOperand &scale,
                                 Type elementType) {
  if (!scale.value && !scale.kind)
    return success();
  if (!scale.value || !scale.kind)
    return op->emitOpError() << "expects " << scale.name
                             << " with its kind, such as <mx>, but got only "
                             << (scale.value ? "the scale" : "the kind");
  if (scale.kind->getKind() == scale.wrongSide)
    return op->emitOpError() << "expects " << scale.name << " to have kind "
                             << stringifyScaleKind(scale.rightSide)
                             << ", but got " << scale.kind->getKindName();
  return verifyScaleTypes(op, scale, elementType);
}

/// (C15): the second level belongs to a block scale.
static LogicalResult verifyTensorScale(ProductInterface op, StringRef name,
                                       Value value,
                                       std::optional<ScaleAttr> kind) {
  if (!value)
    return success();
  if (!kind || !kind->hasKBlocks())
    return op->emitOpError()
           << "expects " << name
           << " above a scale with blocks along K only, such as <nvfp4>, but "
              "got "
           << (kind ? "<" + kind->getKindName() + ">" : "no such scale");
  if (!getElementTypeOrSelf(value).isF32())
    return op->emitOpError()
           << "expects " << name << " to have element type 'f32', but got "
           << getElementTypeOrSelf(value);
  return success();
}

static LogicalResult verifyScales(ProductInterface op) {
  ScaleOperand lhs{"lhs_scale",       "lhs",
                   op.getLhsScale(),  op.getLhsScaleKind(),
                   ScaleKind::Column, ScaleKind::Row};
  ScaleOperand rhs{"rhs_scale",          "rhs",          op.getRhsScale(),
                   op.getRhsScaleKind(), ScaleKind::Row, ScaleKind::Column};
  if (failed(verifyScale(op, lhs, op.getLhsElementType())) ||
      failed(verifyScale(op, rhs, op.getRhsElementType())) ||
      failed(verifyTensorScale(op, "lhs_tensor_scale", op.getLhsTensorScale(),
                               lhs.kind)) ||
      failed(verifyTensorScale(op, "rhs_tensor_scale", op.getRhsTensorScale(),
                               rhs.kind)))
    return failure();
  // (C16, S-5) The blocks of one side are unions of those of the other.
  if (!lhs.kind || !rhs.kind || !lhs.kind->hasKBlocks() ||
      !rhs.kind->hasKBlocks())
    return success();
  auto [fine, coarse] =
      std::minmax(lhs.kind->getKBlock(), rhs.kind->getKBlock());
  if (coarse % fine == 0)
    return success();
  return op->emitOpError() << "expects the K blocks of one scale to be a "
                              "multiple of those of the other, but got "
                           << lhs.kind->getKBlock() << " of lhs_scale and "
                           << rhs.kind->getKBlock() << " of rhs_scale";
}

//===----------------------------------------------------------------------===//
// (C6), (C18) to (C21): the result and what is added to it
//===----------------------------------------------------------------------===//

/// Whether anything but the sum itself goes into the result.
static bool hasFloatEpilogue(ProductInterface op) {
  return op.getLhsScale() || op.getRhsScale() || op.getAlpha() ||
         op.getBeta() || op.getStaticAlphaAttr() || op.getStaticBetaAttr() ||
         op.getC() || op.getBias() || op.hasEpilogue() || op.getDScale() ||
         op.getAmax();
}

/// (C6)
static LogicalResult verifyResultType(ProductInterface op) {
  Type type = op.getInitElementType();
  bool blockScaled = op.getInitScale() != nullptr;
  if (!blockScaled && type.isSignlessInteger(32)) {
    if (isI8(op.getLhsElementType()) && !hasFloatEpilogue(op))
      return success();
    return op->emitOpError("expects init to have element type 'f32', 'bf16', "
                           "'f16' or FP8, because 'i32' takes the plain sum of "
                           "i8 products only, but got 'i32'");
  }
  if (blockScaled ? isLowPrecisionFloat(type)
                  : isWideFloat(type) || isFP8(type))
    return success();
  return op->emitOpError() << "expects init to have element type "
                           << (blockScaled ? "FP8, FP6 or FP4 with scale_outs"
                                           : "'f32', 'bf16', 'f16' or FP8")
                           << ", but got " << type;
}

/// (C18): block scales of the result.
static LogicalResult verifyResultScale(ProductInterface op) {
  ScaleOperand scale{"scale_outs",      "init",
                     op.getInitScale(), op.getInitScaleKind(),
                     ScaleKind::Column, ScaleKind::Row};
  if (failed(verifyScale(op, scale, op.getInitElementType())))
    return failure();
  if (!scale.value)
    return success();
  if (!scale.kind->hasKBlocks() || scale.kind->getOuterBlock() != 1)
    return op->emitOpError() << "expects scale_outs to have blocks of one row, "
                                "such as <mx>, but got <"
                             << scale.kind->getKindName() << ">";
  return verifyScaleRule(op, getElementTypeOrSelf(scale.value),
                         *op.getInitScaleRule());
}

/// (C19): the types of scalars and vectors that meet the sum in f32.
static LogicalResult verifyAddends(ProductInterface op) {
  std::pair<StringRef, Value> scalars[] = {{"c_scale", op.getCScale()},
                                           {"d_scale", op.getDScale()},
                                           {"amax", op.getAmax()}};
  for (auto [name, value] : scalars)
    if (value && !getElementTypeOrSelf(value).isF32())
      return op->emitOpError()
             << "expects " << name << " to have element type 'f32', but got "
             << getElementTypeOrSelf(value);
  if (Value bias = op.getBias();
      bias && !isWideFloat(getElementTypeOrSelf(bias)))
    return op->emitOpError() << "expects bias to have element type 'f32', "
                                "'bf16' or 'f16', but got "
                             << getElementTypeOrSelf(bias);
  Value c = op.getC();
  if (c && !isWideFloat(getElementTypeOrSelf(c)) &&
      !isFP8(getElementTypeOrSelf(c)))
    return op->emitOpError() << "expects c to have element type 'f32', 'bf16', "
                                "'f16' or FP8, but got "
                             << getElementTypeOrSelf(c);
  return success();
}

/// (C20): clauses that mean nothing without another one.
static LogicalResult verifyClauses(ProductInterface op) {
  Type type = op.getInitElementType();
  bool hasBeta = op.getBeta() || op.getStaticBetaAttr();
  bool nvfp4 = op.getInitScaleKind() &&
               op.getInitScaleKind()->getKind() == ScaleKind::NVFP4;
  struct {
    StringRef clause;
    bool given;
    StringRef other;
    bool fits;
  } clauses[] = {
      {"beta", hasBeta, "c", op.getC() != nullptr},
      {"c_scale", op.getCScale() != nullptr, "c", op.getC() != nullptr},
      {"bias", op.getBias() != nullptr, "its axis, m or n,",
       op.getBiasAxis().has_value()},
      {"a bias axis", op.getBiasAxis().has_value(), "bias",
       op.getBias() != nullptr},
      {"scale_outs", op.getInitScale() != nullptr, "its rule, such as rceil,",
       op.getInitScaleRule().has_value()},
      {"a scale rule", op.getInitScaleRule().has_value(), "scale_outs",
       op.getInitScale() != nullptr},
  };
  for (const auto &clause : clauses)
    if (clause.given && !clause.fits)
      return op->emitOpError() << "expects " << clause.clause << " with "
                               << clause.other << " only, but got none";
  if (op.getAlpha() && op.getStaticAlphaAttr())
    return op->emitOpError(
        "expects alpha to be a value or a constant, but got both");
  if (op.getBeta() && op.getStaticBetaAttr())
    return op->emitOpError(
        "expects beta to be a value or a constant, but got both");
  if (op.getDScale() && !nvfp4 && (op.getInitScale() || !isFP8(type)))
    return op->emitOpError()
           << "expects d_scale with an FP8 init without scale_outs, or with "
              "scale_outs of kind nvfp4, only, but got an init of "
           << type << (op.getInitScale() ? " with" : " without")
           << " scale_outs";
  if (op.getOverflow() == OverflowMode::NoSat && !isFP8(type))
    return op->emitOpError()
           << "expects overflow = nosat with an FP8 init only, but got an "
              "init of "
           << type;
  return success();
}

//===----------------------------------------------------------------------===//
// (C22), (C23): the epilogue
//===----------------------------------------------------------------------===//

/// A scalar that arith and math compute with as their documentation says. In
/// MLIR 22 they do not for the narrow formats.
static bool isEpilogueScalar(Type type) {
  return type.isIndex() || type.isSignlessInteger() ||
         (isa<FloatType>(type) && type.getIntOrFloatBitWidth() >= 16);
}

/// (C23) An op on scalars.
static LogicalResult verifyEpilogueOp(ProductInterface op, Operation &inner) {
  StringRef dialect = inner.getName().getDialectNamespace();
  if ((dialect != "arith" && dialect != "math") || inner.getNumRegions() != 0)
    return inner.emitError()
           << "'" << op->getName() << "' epilogue: expects ops of arith and "
           << "math on scalars, but got '" << inner.getName() << "'";
  for (Type type : llvm::concat<const Type>(inner.getOperandTypes(),
                                            inner.getResultTypes()))
    if (!isEpilogueScalar(type))
      return inner.emitError()
             << "'" << op->getName() << "' epilogue: expects integers and "
             << "floats of at least 16 bits, but got " << type << " in '"
             << inner.getName() << "'";
  return success();
}

/// (C22)
static LogicalResult verifyEpilogueMaps(ProductInterface op) {
  ArrayAttr maps = op.getEpilogueMapsAttr();
  size_t numMaps = maps ? maps.size() : 0;
  size_t numOperands = op.getEpilogueOperands().size();
  if (numMaps != numOperands)
    return op->emitOpError()
           << "expects " << numOperands
           << " epilogue maps, one for each operand, but got " << numMaps;
  Builder builder(op->getContext());
  int64_t rank = cast<ShapedType>(op.getInit().getType()).getRank();
  for (auto [i, operand] : llvm::enumerate(op.getEpilogueOperands())) {
    AffineMap map = cast<AffineMapAttr>(maps[i]).getValue();
    bool projection = llvm::all_of(map.getResults(), [](AffineExpr expr) {
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      return isa<AffineDimExpr>(expr) || (constant && constant.getValue() == 0);
    });
    if (map.getNumDims() != rank || map.getNumSymbols() != 0 || !projection)
      return op->emitOpError()
             << "expects the map of epilogue operand " << i
             << " to pick among the " << rank
             << " dimensions of the result, or 0, such as "
             << AffineMapAttr::get(
                    AffineMap::get(rank, 0, builder.getAffineDimExpr(rank - 1)))
             << ", but got " << AffineMapAttr::get(map);
    if (!isEpilogueScalar(getElementTypeOrSelf(operand)))
      return op->emitOpError()
             << "expects epilogue operand " << i
             << " to hold integers or floats of at least 16 bits, but got "
             << operand.getType();
  }
  return success();
}

/// (C23)
static LogicalResult verifyEpilogue(ProductInterface op) {
  if (failed(verifyEpilogueMaps(op)))
    return failure();
  if (!op.hasEpilogue()) {
    if (op.getEpilogueOperands().empty())
      return success();
    return op->emitOpError(
        "expects an epilogue for its operands, but got none");
  }
  Block &block = op.getEpilogue().front();
  SmallVector<Type> expected(op.getSumsPerResult(),
                             Float32Type::get(op->getContext()));
  for (Value operand : op.getEpilogueOperands())
    expected.push_back(getElementTypeOrSelf(operand));
  if (TypeRange(block.getArgumentTypes()) != TypeRange(expected))
    return op->emitOpError()
           << "expects epilogue arguments of types (" << TypeRange(expected)
           << "), but got (" << block.getArgumentTypes() << ")";
  // The last op need not be a terminator: it is verified after this one.
  Operation *end = &block.back();
  auto yield = dyn_cast<YieldOp>(end);
  if (!yield || !yield.getValue().getType().isF32())
    return end->emitError()
           << "'" << op->getName()
           << "' epilogue: expects lpgemm.yield of an 'f32' "
              "at its end, but got '"
           << end->getName() << "' of (" << end->getOperandTypes() << ")";
  for (Operation &inner : block.without_terminator())
    if (failed(verifyEpilogueOp(op, inner)))
      return failure();
  return success();
}

/// (C26) An epilogue for pairs, of which there are whole ones.
static LogicalResult verifyPairs(ProductInterface op) {
  if (!op.getPairs())
    return success();
  if (!op.hasEpilogue())
    return op->emitOpError("expects an epilogue for pairs, but got none");
  for (const ShapeContract::Extent &extent : op.getShapeContract().extents)
    if (int64_t columns = extent.getStatic();
        extent.name == "N" && !ShapedType::isDynamic(columns) &&
        columns % op.getSumsPerResult() != 0)
      return op->emitOpError()
             << "expects an even N where the epilogue takes pairs of columns, "
                "but got "
             << columns;
  return success();
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

static SmallVector<StringRef> getDestinationNames(ProductInterface op) {
  SmallVector<StringRef> names = {"init"};
  if (op.getInitScale())
    names.push_back("scale_outs");
  if (op.getAmax())
    names.push_back("amax");
  return names;
}

/// (C2) What is needed to find M, N and K; the contract says the rest.
static LogicalResult verifyRanks(ProductInterface op) {
  std::pair<StringRef, Value> matrices[] = {
      {"lhs", op.getLhs()}, {"rhs", op.getRhs()}, {"init", op.getInit()}};
  for (auto [name, matrix] : matrices)
    if (cast<ShapedType>(matrix.getType()).getRank() < 2)
      return op->emitOpError()
             << "expects " << name << " to have at least rank 2, but got "
             << matrix.getType();
  return success();
}

/// (C9) A global in a layout of tiles is a scale of that layout.
static LogicalResult verifyGlobalLayouts(ProductInterface op,
                                         ArrayRef<StringRef> names) {
  for (auto [operand, name] : llvm::zip_equal(op->getOperands(), names)) {
    auto global = dyn_cast<GlobalType>(operand.getType());
    if (!global)
      continue;
    std::optional<ScaleAttr> kind;
    if (name == "lhs_scale")
      kind = op.getLhsScaleKind();
    else if (name == "rhs_scale")
      kind = op.getRhsScaleKind();
    ScaleLayout expected =
        kind && kind->hasTiledLayout() ? kind->getLayout() : ScaleLayout::Row;
    if (global.getLayout() != expected)
      return op->emitOpError()
             << "expects " << name << " to be a global "
             << (expected == ScaleLayout::Row
                     ? "without a layout of scales"
                     : ("in layout " + stringifyScaleLayout(expected)).str())
             << ", but got " << global;
  }
  return success();
}

LogicalResult lpgemm::verifyProduct(ProductInterface op) {
  SmallVector<StringRef> names = op.getOperandNames();
  if (failed(verifyRequiredOperands(op, names, {"lhs", "rhs", "init"})) ||
      failed(verifyRanks(op)) || failed(verifyOperandForms(op, names)) ||
      failed(verifyPackedOperands(op)) || failed(verifyElementTypes(op)) ||
      failed(verifyScales(op)) || failed(verifyGlobalLayouts(op, names)) ||
      failed(verifyResultType(op)) || failed(verifyClauses(op)) ||
      failed(verifyResultScale(op)) || failed(verifyAddends(op)) ||
      failed(verifyEpilogue(op)) || failed(verifyPairs(op)) ||
      failed(verifyShapeContract(op, op.getShapeContract())))
    return failure();
  SmallVector<StringRef> destinations = getDestinationNames(op);
  // (C25)
  if (failed(verifyDestinationMemory(op, names, destinations.size())))
    return failure();
  return verifyDestinationResults(op, destinations);
}
