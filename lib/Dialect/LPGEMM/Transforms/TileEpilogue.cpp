//===- TileEpilogue.cpp - what follows the sum of a tile ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileEpilogue.h"

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// Which coordinate of the result goes along the rows of an operand, and which,
/// if any, along its columns. A single element goes with the rows, all of which
/// are the same.
struct OperandDims {
  enum Dim { Row, Col, None };

  Dim alongRows, alongCols;
};

constexpr OperandDims kMatrix = {OperandDims::Row, OperandDims::Col},
                      kByRow = {OperandDims::Row, OperandDims::None},
                      kByCol = {OperandDims::Col, OperandDims::None},
                      kSingle = kByRow;

//===----------------------------------------------------------------------===//
// lpgemm.apply
//===----------------------------------------------------------------------===//

/// Emits lpgemm.apply: its body, element by element, and in front of it the
/// loads of what the body takes.
class ApplyBuilder {
public:
  /// Applied to `tile`, of the wave at `place`.
  ApplyBuilder(OpBuilder &outer, MatmulOp op, const TilePlace &place,
               Value tile)
      : b(op->getLoc(), op->getContext()), loads(op->getLoc(), outer),
        place(place), tile(tile) {
    region.push_back(new Block);
    b.setInsertionPointToStart(&region.front());
    addArgument(Tiles, tile);
  }

  /// An element of the tile.
  Value getElement() { return region.front().getArgument(0); }
  /// The element of another tile of the same shape.
  Value addTile(Value other) { return addArgument(Tiles, other); }
  /// The element of `global` that belongs to it.
  Value load(Value global, OperandDims dims);
  /// The tile of `result`; the tile applied to if that is its element.
  Value finish(Value result);

  ImplicitLocOpBuilder b; // in the body

private:
  /// Which operands of lpgemm.apply, in their order there.
  enum Group { Tiles, Rows, Cols, NumGroups };
  struct Argument {
    Group group;
    Value tile; // nothing but its elements are seen in the body
  };

  Value addArgument(Group group, Value operand) {
    arguments.push_back({group, operand});
    Type type = cast<FragType>(operand.getType()).getElementType();
    return region.front().addArgument(type, b.getLoc());
  }
  FragType getFragType(ArrayRef<int64_t> shape, Type elementType) {
    return FragType::get(b.getContext(), shape, elementType, /*lanes=*/{});
  }

  ImplicitLocOpBuilder loads; // in front of the op
  const TilePlace &place;
  Value tile;
  Region region;
  SmallVector<Argument> arguments;
};
} // namespace

Value ApplyBuilder::load(Value global, OperandDims dims) {
  Value none = arith::ConstantIndexOp::create(loads, 0);
  ArrayRef<int64_t> shape = cast<FragType>(tile.getType()).getShape();
  struct {
    int64_t extent;
    Value start, waveStart;
  } along[] = {{shape[0], place.row0, place.waveRow},
               {shape[1], place.col0, place.waveCol},
               {1, none, none}};
  auto &rows = along[dims.alongRows], &cols = along[dims.alongCols];
  // A tile of the operand lies as the result does, and a vector stands up.
  bool transposed =
      dims.alongCols == OperandDims::Row || dims.alongRows == OperandDims::None;
  SmallVector<int64_t> loaded = {rows.extent, cols.extent};
  if (transposed)
    std::swap(loaded[0], loaded[1]);
  Type elementType = cast<GlobalType>(global.getType()).getElementType();
  Value operand = LoadOp::create(loads, getFragType(loaded, elementType),
                                 global, rows.start, cols.start, rows.waveStart,
                                 cols.waveStart, transposed,
                                 /*row_block=*/1, /*whole=*/Value());
  Group group = dims.alongCols != OperandDims::None  ? Tiles
                : dims.alongRows == OperandDims::Row ? Rows
                                                     : Cols;
  return addArgument(group, operand);
}

Value ApplyBuilder::finish(Value result) {
  if (result == getElement())
    return tile;
  YieldOp::create(b, result);
  // Before `result` goes, which may be an argument.
  FragType type =
      getFragType(cast<FragType>(tile.getType()).getShape(), result.getType());
  // The body's arguments go in the order of the op's operands.
  Block &body = region.front();
  SmallVector<Value> operands[NumGroups];
  for (Group group : {Tiles, Rows, Cols})
    for (auto [i, argument] : llvm::enumerate(arguments))
      if (argument.group == group) {
        operands[group].push_back(argument.tile);
        BlockArgument old = body.getArgument(i);
        old.replaceAllUsesWith(body.addArgument(old.getType(), old.getLoc()));
      }
  body.eraseArguments(0, arguments.size());
  auto apply = ApplyOp::create(loads, type, operands[Tiles], operands[Rows],
                               operands[Cols]);
  apply.getBody().takeBody(region);
  return apply;
}

//===----------------------------------------------------------------------===//
// The epilogue
//===----------------------------------------------------------------------===//

namespace {
/// The computation for one element.
class ElementEpilogue {
public:
  ElementEpilogue(ProductInterface op, ApplyBuilder &apply)
      : op(op), apply(apply), b(apply.b) {}

  /// T, of which `getElement` is 2^-exponent times the sum.
  Value buildT(int64_t exponent);
  /// D_temp of T, or of T in a pair of columns.
  Value buildDTemp(ValueRange ts);
  /// The element of the result that D_temp gives.
  Value buildResult(Value dTemp);

private:
  Value constant(double value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(b.getF32Type(), value));
  }
  Value toF32(Value value);
  Value multiply(Value x, Value y) {
    return x && y ? arith::MulFOp::create(b, x, y).getResult() : x ? x : y;
  }
  Value add(Value x, Value y) {
    return x && y ? arith::AddFOp::create(b, x, y).getResult() : x ? x : y;
  }
  /// Nothing if there is no such operand.
  Value loadFactor(Value global, OperandDims dims = kSingle) {
    return global ? toF32(apply.load(global, dims)) : Value();
  }
  Value getFactor(Value value, FloatAttr constant) {
    return constant ? arith::ConstantOp::create(b, constant).getResult()
                    : value;
  }
  Value loadScale(Value scale, std::optional<ScaleAttr> kind);

  Value buildScaledSum(int64_t exponent);
  Value buildAddend();
  Value buildBias();

  ProductInterface op;
  ApplyBuilder &apply;
  ImplicitLocOpBuilder &b;
};
} // namespace

Value ElementEpilogue::toF32(Value value) {
  Type type = value.getType(), f32 = b.getF32Type();
  if (type.isF32())
    return value;
  if (type.isInteger()) // (G-2)
    return arith::SIToFPOp::create(b, f32, value);
  if (isFP8(type))
    return DecodeOp::create(b, f32, value);
  return arith::ExtFOp::create(b, f32, value);
}

/// (I-1) A scale that is constant along K leaves the sum.
Value ElementEpilogue::loadScale(Value scale, std::optional<ScaleAttr> kind) {
  if (!scale || kind->hasKBlocks())
    return {};
  return loadFactor(scale, kind->getKind() == ScaleKind::Row      ? kByRow
                           : kind->getKind() == ScaleKind::Column ? kByCol
                                                                  : kSingle);
}

Value ElementEpilogue::buildScaledSum(int64_t exponent) {
  // (G-12) Neither lhs and rhs nor their scales are read.
  if (op.hasZeroAlpha())
    return {};
  Value sum = toF32(apply.getElement());
  if (exponent != 0)
    sum = multiply(sum, constant(std::ldexp(1.0, exponent)));
  Value factor = getFactor(op.getAlpha(), op.getStaticAlphaAttr());
  factor = multiply(factor, loadFactor(op.getLhsTensorScale()));
  factor = multiply(factor, loadFactor(op.getRhsTensorScale()));
  Value lhs = loadScale(op.getLhsScale(), op.getLhsScaleKind());
  Value rhs = loadScale(op.getRhsScale(), op.getRhsScaleKind());
  return multiply(multiply(factor, multiply(lhs, rhs)), sum);
}

Value ElementEpilogue::buildAddend() {
  if (!op.getC() || op.hasZeroBeta()) // (G-12)
    return {};
  Value factor = multiply(getFactor(op.getBeta(), op.getStaticBetaAttr()),
                          loadFactor(op.getCScale()));
  return multiply(factor, loadFactor(op.getC(), kMatrix));
}

Value ElementEpilogue::buildBias() {
  if (!op.getBias())
    return {};
  return loadFactor(op.getBias(),
                    *op.getBiasAxis() == Axis::M ? kByRow : kByCol);
}

/// What the map of an epilogue operand names.
static OperandDims getOperandDims(AffineMap map) {
  auto dims = llvm::map_to_vector(map.getResults(), [](AffineExpr expr) {
    return cast<AffineDimExpr>(expr).getPosition() == 0 ? OperandDims::Row
                                                        : OperandDims::Col;
  });
  if (dims.empty())
    return kSingle;
  return {dims[0], dims.size() == 1 ? OperandDims::None : dims[1]};
}

Value ElementEpilogue::buildDTemp(ValueRange ts) {
  if (!op.hasEpilogue())
    return ts.front();
  Block &body = op.getEpilogue().front();
  IRMapping mapping;
  mapping.map(body.getArguments().take_front(ts.size()), ts);
  for (auto [i, operand] : llvm::enumerate(op.getEpilogueOperands())) {
    auto map = cast<AffineMapAttr>(op.getEpilogueMapsAttr()[i]).getValue();
    mapping.map(body.getArgument(ts.size() + i),
                apply.load(operand, getOperandDims(map)));
  }
  for (Operation &inner : body.without_terminator())
    b.clone(inner, mapping);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}

Value ElementEpilogue::buildT(int64_t exponent) {
  Value t = buildScaledSum(exponent);
  t = add(t, buildAddend());
  t = add(t, buildBias());
  return t ? t : constant(0);
}

/// (G-13)
Value ElementEpilogue::buildResult(Value dTemp) {
  Value scaled = multiply(loadFactor(op.getDScale()), dTemp);
  Type type = op.getInitElementType();
  if (isFP8(type))
    return EncodeOp::create(b, type, scaled,
                            op.getOverflow() == OverflowMode::NoSat);
  if (type == scaled.getType())
    return scaled;
  return arith::TruncFOp::create(b, type, scaled);
}

/// Whether D_temp is worth a tile of its own, of the type of the sum: where
/// there is a matrix to read or a region, the lowering to NVVM goes through
/// them part by part.
static bool hasLargeDTemp(ProductInterface op, FragType sum) {
  const TargetRecord &record = *lookupTargetRecord(lookupTarget(op).getChip());
  bool readsMatrix = op.getC() && !op.hasZeroBeta();
  return record.nvidia && sum.getElementType().isF32() &&
         (readsMatrix || op.hasEpilogue());
}

/// (G-13) The codes of the tile; its scales are stored.
static Value createBlocks(OpBuilder &b, MatmulOp op, const TilePlace &place,
                          Value tile) {
  Location loc = op.getLoc();
  auto type = cast<FragType>(tile.getType());
  auto scaleType = cast<GlobalType>(op.getInitScale().getType());
  int64_t block = op.getInitScaleKind()->getKBlock();
  auto encode = EncodeBlocksOp::create(
      b, loc,
      FragType::get(b.getContext(), type.getShape(),
                    ProductInterface(op).getInitElementType(), /*lanes=*/{}),
      FragType::get(b.getContext(),
                    {type.getDimSize(0), type.getDimSize(1) / block},
                    scaleType.getElementType(), /*lanes=*/{}),
      tile, *op.getInitScaleRule(), op.getInit(), place.row0, place.col0,
      place.waveRow, place.waveCol, op.getOverflow() == OverflowMode::NoSat);
  Value size = arith::ConstantIndexOp::create(b, loc, block);
  StoreOp::create(b, loc, encode.getScales(), op.getInitScale(), place.row0,
                  arith::DivUIOp::create(b, loc, place.col0, size),
                  place.waveRow,
                  arith::DivUIOp::create(b, loc, place.waveCol, size));
  return encode.getCodes();
}

TilePlace lpgemm::getResultPlace(OpBuilder &b, MatmulOp op,
                                 const TilePlace &place) {
  int64_t sums = ProductInterface(op).getSumsPerResult();
  if (sums == 1)
    return place;
  Value size = arith::ConstantIndexOp::create(b, op.getLoc(), sums);
  TilePlace result = place;
  for (Value *col : {&result.col0, &result.waveCol})
    *col = arith::DivUIOp::create(b, op.getLoc(), *col, size);
  return result;
}

/// Amax, rounding or quantization of the tile of D_temp: that of the result.
static Value createResult(OpBuilder &b, MatmulOp op, const TilePlace &place,
                          Value tile) {
  ProductInterface product = op;
  if (product.getAmax()) // (G-14)
    AmaxOp::create(b, op.getLoc(), tile, product.getAmax(), op.getInit(),
                   place.row0, place.col0, place.waveRow, place.waveCol);
  if (product.getInitScale())
    return createBlocks(b, op, place, tile);
  ApplyBuilder conversion(b, op, place, tile);
  return conversion.finish(ElementEpilogue(product, conversion)
                               .buildResult(conversion.getElement()));
}

/// (G-15) T of both columns of a pair is in f32 when the epilogue takes it.
static Value createPairs(OpBuilder &b, MatmulOp op, const TilePlace &place,
                         Value t) {
  auto type = cast<FragType>(t.getType());
  auto half = FragType::get(b.getContext(),
                            {type.getDimSize(0), type.getDimSize(1) / 2},
                            type.getElementType(), /*lanes=*/{});
  auto unzip = UnzipOp::create(b, op.getLoc(), half, half, t);
  ApplyBuilder apply(b, op, place, unzip.getEven());
  Value odd = apply.addTile(unzip.getOdd());
  return apply.finish(
      ElementEpilogue(op, apply).buildDTemp({apply.getElement(), odd}));
}

Value lpgemm::createTileEpilogue(OpBuilder &b, MatmulOp op,
                                 const TilePlace &place, Value sum,
                                 int64_t exponent) {
  ProductInterface product = op;
  if (product.getInitElementType().isInteger()) // (C6) nothing but the sum
    return sum;
  ApplyBuilder apply(b, op, place, sum);
  ElementEpilogue element(product, apply);
  Value t = element.buildT(exponent);
  TilePlace resultPlace = getResultPlace(b, op, place);
  if (product.getPairs())
    return createResult(b, op, resultPlace,
                        createPairs(b, op, resultPlace, apply.finish(t)));
  Value dTemp = element.buildDTemp(t);
  // One function, if nothing else sees D_temp.
  if (!product.getAmax() && !product.getInitScale() &&
      !hasLargeDTemp(product, cast<FragType>(sum.getType())))
    return apply.finish(element.buildResult(dTemp));
  return createResult(b, op, resultPlace, apply.finish(dTemp));
}
