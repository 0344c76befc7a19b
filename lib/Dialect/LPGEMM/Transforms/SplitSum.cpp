//===- SplitSum.cpp - sums of K in parts, added by a kernel ---------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitSum.h"

#include "StreamK.h"
#include "TileEpilogue.h"
#include "lpgemm/Dialect/LPGEMM/Utils/MmaOperands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// A part
//===----------------------------------------------------------------------===//

void lpgemm::keepSumOnly(MatmulOp op, Value init) {
  // One at a time: a range is that of the operands of its making.
  for (auto clause :
       {&MatmulOp::getLhsTensorScaleMutable,
        &MatmulOp::getRhsTensorScaleMutable, &MatmulOp::getAlphaMutable,
        &MatmulOp::getBetaMutable, &MatmulOp::getCMutable,
        &MatmulOp::getCScaleMutable, &MatmulOp::getBiasMutable,
        &MatmulOp::getDScaleMutable, &MatmulOp::getEpilogueOperandsMutable,
        &MatmulOp::getAmaxMutable})
    (op.*clause)().clear();
  // (I-1) Those that vary along K stay.
  if (op.getLhsScaleKind() && !op.getLhsScaleKind()->hasKBlocks()) {
    op.getLhsScaleMutable().clear();
    op.removeLhsScaleKindAttr();
  }
  if (op.getRhsScaleKind() && !op.getRhsScaleKind()->hasKBlocks()) {
    op.getRhsScaleMutable().clear();
    op.removeRhsScaleKindAttr();
  }
  op.getInitMutable().set(init);
  // (G-12) With an alpha of zero lhs and rhs are not read here either.
  if (!ProductInterface(op).hasZeroAlpha())
    op.removeStaticAlphaAttr();
  for (StringAttr clause :
       {op.getStaticBetaAttrName(), op.getBiasAxisAttrName(),
        op.getEpilogueMapsAttrName()})
    op->removeAttr(clause);
  op.setOverflow(OverflowMode::Sat);
  if (!op.getEpilogue().empty())
    op.getEpilogue().front().erase();
}

//===----------------------------------------------------------------------===//
// Adding them
//===----------------------------------------------------------------------===//

/// The tile of this wave. Workgroups go through the tiles row by row, those of
/// one entry of a batch after the other.
static TilePlace locate(OpBuilder &b, MatmulOp op, ScheduleAttr schedule,
                        bool isBatched) {
  Location loc = op.getLoc();
  auto constant = [&](int64_t v) {
    return arith::ConstantIndexOp::create(b, loc, v);
  };
  auto mul = [&](Value x, Value y) -> Value {
    return arith::MulIOp::create(b, loc, x, y);
  };
  auto getNumTiles = [&](int64_t dim, int64_t tile) -> Value {
    Value extent = DimOp::create(b, loc, op.getInit(), dim);
    return arith::CeilDivUIOp::create(b, loc, extent, constant(tile));
  };
  Value columns = getNumTiles(1, schedule.getTileN());
  Value id = gpu::BlockIdOp::create(b, loc, gpu::Dimension::x);
  if (isBatched)
    id = arith::RemUIOp::create(
        b, loc, id, mul(getNumTiles(0, schedule.getTileM()), columns));
  TilePlace place;
  place.row0 = mul(arith::DivUIOp::create(b, loc, id, columns),
                   constant(schedule.getTileM()));
  place.col0 = mul(arith::RemUIOp::create(b, loc, id, columns),
                   constant(schedule.getTileN()));
  Value wave = gpu::SubgroupIdOp::create(b, loc, /*upper_bound=*/IntegerAttr());
  place.waveRow = constant(0);
  place.waveCol = mul(wave, constant(schedule.getWaveN()));
  return place;
}

/// Of parts that the tile at `place` has not, no row is inside: they are 0.
static void keepParts(OpBuilder &b, MatmulOp op, MutableArrayRef<Value> parts,
                      const TilePlace &place, Value workgroups) {
  Location loc = op.getLoc();
  StreamK stream(b, op, *op.getSchedule(), workgroups);
  Value count = stream.getNumParts(place.row0, place.col0);
  Value none = arith::ConstantIndexOp::create(b, loc, 0);
  for (auto [i, part] : llvm::enumerate(parts)) {
    auto bind = part.getDefiningOp<BindOp>();
    Value number = arith::ConstantIndexOp::create(b, loc, i);
    Value isThere =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, number, count);
    Value rows = arith::SelectOp::create(b, loc, isThere, bind.getRows(), none);
    part = BindOp::create(b, loc, bind.getResult().getType(), bind.getPtr(),
                          rows, bind.getCols(), bind.getPitch());
  }
}

void lpgemm::createSumOfParts(OpBuilder &b, MatmulOp op, ValueRange allParts,
                              ScheduleAttr schedule, bool isBatched,
                              Value workgroups) {
  Location loc = op.getLoc();
  TilePlace place = locate(b, op, schedule, isBatched);
  SmallVector<Value> parts(allParts);
  if (workgroups)
    keepParts(b, op, parts, place, workgroups);
  auto type =
      FragType::get(b.getContext(), {schedule.getWaveM(), schedule.getWaveN()},
                    getSumType(op, op.getSchedule()->getInstr()),
                    /*lanes=*/{});
  auto tiles = llvm::map_to_vector(parts, [&](Value part) -> Value {
    return LoadOp::create(b, loc, type, part, place.row0, place.col0,
                          place.waveRow, place.waveCol, /*transpose=*/false,
                          /*row_block=*/1, /*whole=*/Value());
  });
  auto apply = ApplyOp::create(b, loc, type, tiles, ValueRange(), ValueRange());
  {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Type> types(tiles.size(), type.getElementType());
    Block *body = b.createBlock(&apply.getBody(), {}, types,
                                SmallVector<Location>(tiles.size(), loc));
    Value sum = body->getArgument(0);
    for (Value part : body->getArguments().drop_front())
      sum = type.getElementType().isInteger()
                ? arith::AddIOp::create(b, loc, sum, part).getResult()
                : arith::AddFOp::create(b, loc, sum, part).getResult();
    YieldOp::create(b, loc, sum);
  }
  Value result = createTileEpilogue(b, op, place, apply, /*exponent=*/0);
  StoreOp::create(b, loc, result, op.getInit(), place.row0, place.col0,
                  place.waveRow, place.waveCol);
}
