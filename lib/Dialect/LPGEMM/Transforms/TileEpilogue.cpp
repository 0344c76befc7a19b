//===- TileEpilogue.cpp - what follows the sum of a tile ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileEpilogue.h"

#include "lpgemm/Dialect/LPGEMM/Utils/KernelSupport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// Dimensions of a result, by which its operands are indexed.
static constexpr unsigned kRow = 0, kCol = 1;

namespace {
/// Emits the body of lpgemm.apply, and in front of it the loads of what the
/// body takes.
class TileEpilogue {
public:
  TileEpilogue(OpBuilder &b, MatmulOp op, const TilePlace &place, Value sum)
      : op(op), schedule(*op.getSchedule()), place(place),
        loads(op->getLoc(), b), b(op->getLoc(), op->getContext()), sum(sum) {
    region.push_back(new Block);
    this->b.setInsertionPointToStart(&region.front());
  }

  Value create();

private:
  /// Which operands of lpgemm.apply, in their order there.
  enum Group { Tiles, Rows, Cols, NumGroups };
  struct Argument {
    Group group;
    Value tile; // nothing but its elements are seen in the body
  };

  Value addArgument(Group group, Value tile) {
    arguments.push_back({group, tile});
    Type type = cast<FragType>(tile.getType()).getElementType();
    return region.front().addArgument(type, op->getLoc());
  }
  Value load(Value global, ArrayRef<unsigned> dims);
  Value loadFactor(Value global, ArrayRef<unsigned> dims) {
    return global ? toF32(load(global, dims)) : Value();
  }
  Value toF32(Value value) {
    if (value.getType().isF32())
      return value;
    return arith::ExtFOp::create(b, b.getF32Type(), value);
  }
  Value multiply(Value x, Value y) {
    return x && y ? arith::MulFOp::create(b, x, y).getResult() : x ? x : y;
  }
  Value add(Value x, Value y) {
    return x && y ? arith::AddFOp::create(b, x, y).getResult() : x ? x : y;
  }
  Value getFactor(Value value, FloatAttr constant) {
    return constant ? arith::ConstantOp::create(b, constant).getResult()
                    : value;
  }

  Value buildScaledSum();
  Value buildAddend();
  Value buildBias();
  Value buildRegion(Value t);
  Value buildApply(Value result);

  ProductInterface op;
  ScheduleAttr schedule;
  const TilePlace &place;
  ImplicitLocOpBuilder loads, b; // in front of lpgemm.apply; in its body
  Value sum;
  Region region;
  SmallVector<Argument> arguments;
};
} // namespace

/// The element of `global` at those of the result's coordinates that `dims`
/// names.
Value TileEpilogue::load(Value global, ArrayRef<unsigned> dims) {
  int64_t m = schedule.getWaveM(), n = schedule.getWaveN();
  bool alongCols = dims == ArrayRef(kCol);
  bool transposed = dims.size() == 2 && dims[0] == kCol;
  SmallVector<int64_t> shape = {alongCols ? n : m, dims.size() == 2 ? n : 1};
  Value none = arith::ConstantIndexOp::create(loads, 0);
  Value row = place.row0, waveRow = place.waveRow;
  Value col = dims.size() == 2 ? place.col0 : none;
  Value waveCol = dims.size() == 2 ? place.waveCol : none;
  if (alongCols)
    std::tie(row, waveRow) = std::tie(place.col0, place.waveCol);
  if (transposed) {
    std::swap(row, col);
    std::swap(waveRow, waveCol);
  }
  auto type = FragType::get(op->getContext(), shape,
                            cast<GlobalType>(global.getType()).getElementType(),
                            /*lanes=*/{});
  Value tile = LoadOp::create(loads, type, global, row, col, waveRow, waveCol,
                              transposed);
  return addArgument(dims.size() == 2 ? Tiles : alongCols ? Cols : Rows, tile);
}

static ArrayRef<unsigned> getScaleDims(std::optional<ScaleAttr> kind) {
  static constexpr unsigned kDims[] = {kRow, kCol};
  if (kind && kind->getKind() == ScaleKind::Row)
    return ArrayRef(kDims).take_front();
  if (kind && kind->getKind() == ScaleKind::Column)
    return ArrayRef(kDims).take_back();
  return {};
}

/// (I-1) A scale that is constant along K leaves the sum.
Value TileEpilogue::buildScaledSum() {
  // (G-12) Neither lhs and rhs nor their scales are read.
  if (op.hasZeroAlpha())
    return {};
  Value factor = getFactor(op.getAlpha(), op.getStaticAlphaAttr());
  if (getScaleBlock(op) == 0) {
    Value lhs =
        loadFactor(op.getLhsScale(), getScaleDims(op.getLhsScaleKind()));
    Value rhs =
        loadFactor(op.getRhsScale(), getScaleDims(op.getRhsScaleKind()));
    factor = multiply(factor, multiply(lhs, rhs));
  }
  return multiply(factor, region.front().getArgument(0));
}

Value TileEpilogue::buildAddend() {
  if (!op.getC() || op.hasZeroBeta()) // (G-12)
    return {};
  Value factor = multiply(getFactor(op.getBeta(), op.getStaticBetaAttr()),
                          loadFactor(op.getCScale(), {}));
  return multiply(factor, toF32(load(op.getC(), {kRow, kCol})));
}

Value TileEpilogue::buildBias() {
  if (!op.getBias())
    return {};
  return loadFactor(op.getBias(), *op.getBiasAxis() == Axis::M ? kRow : kCol);
}

Value TileEpilogue::buildRegion(Value t) {
  if (!op.hasEpilogue())
    return t;
  Block &body = op.getEpilogue().front();
  IRMapping mapping;
  mapping.map(body.getArgument(0), t);
  for (auto [i, operand] : llvm::enumerate(op.getEpilogueOperands())) {
    auto map = cast<AffineMapAttr>(op.getEpilogueMapsAttr()[i]).getValue();
    auto dims = llvm::map_to_vector(map.getResults(), [](AffineExpr expr) {
      return cast<AffineDimExpr>(expr).getPosition();
    });
    mapping.map(body.getArgument(i + 1), load(operand, dims));
  }
  for (Operation &inner : body.without_terminator())
    b.clone(inner, mapping);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}

/// The op, whose body's arguments are brought into the order of its operands.
Value TileEpilogue::buildApply(Value result) {
  YieldOp::create(b, result);
  Block &body = region.front();
  unsigned count = arguments.size();
  SmallVector<Value> operands[NumGroups];
  for (Group group : {Tiles, Rows, Cols})
    for (unsigned i = 0; i != count; ++i)
      if (arguments[i].group == group) {
        operands[group].push_back(arguments[i].tile);
        BlockArgument old = body.getArgument(i);
        old.replaceAllUsesWith(body.addArgument(old.getType(), old.getLoc()));
      }
  body.eraseArguments(0, count);
  auto type =
      FragType::get(op->getContext(), cast<FragType>(sum.getType()).getShape(),
                    result.getType(), /*lanes=*/{});
  auto apply = ApplyOp::create(loads, type, operands[Tiles], operands[Rows],
                               operands[Cols]);
  apply.getBody().takeBody(region);
  return apply;
}

Value TileEpilogue::create() {
  // Also if nothing uses it: the lanes of the result are those of the sum.
  Value acc = addArgument(Tiles, sum);
  Value t = buildScaledSum();
  t = add(t, buildAddend());
  t = add(t, buildBias());
  if (!t)
    t = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  t = buildRegion(t);
  Type type = op.getInitElementType();
  if (type != t.getType())
    t = arith::TruncFOp::create(b, type, t);
  return t == acc ? sum : buildApply(t);
}

Value lpgemm::createTileEpilogue(OpBuilder &b, MatmulOp op,
                                 const TilePlace &place, Value sum) {
  return TileEpilogue(b, op, place, sum).create();
}
