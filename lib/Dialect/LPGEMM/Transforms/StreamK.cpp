//===- StreamK.cpp - K tiles dealt evenly to workgroups -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamK.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// Without K a tile still has one K tile, so that its sum is stored. Workgroups
/// have so many at least that a tile has no more parts than the workspace.
StreamK::StreamK(OpBuilder &b, MatmulOp op, ScheduleAttr schedule,
                 Value workgroups)
    : b(b), loc(op.getLoc()), schedule(schedule) {
  auto getNumTiles = [&](Value source, int64_t dim, int64_t tile) {
    return ceilDiv(DimOp::create(b, loc, source, dim), constant(tile));
  };
  Value tilesM = getNumTiles(op.getInit(), 0, schedule.getTileM());
  tilesN = getNumTiles(op.getInit(), 1, schedule.getTileN());
  kTiles = max(
      getNumTiles(op.getLhs(), op.getTransposeA() ? 0 : 1, schedule.getTileK()),
      constant(1));
  all = mul(mul(tilesM, tilesN), kTiles);
  each = max(ceilDiv(all, workgroups),
             ceilDiv(kTiles, constant(schedule.getSplitK() - 1)));
}

std::pair<Value, Value> StreamK::getTiles(Value workgroup) {
  Value first = mul(workgroup, each);
  Value last = min(add(first, each), all);
  return {div(first, kTiles), ceilDiv(last, kTiles)};
}

std::pair<Value, Value> StreamK::getKRange(Value workgroup, Value tile,
                                           Value k) {
  Value start = mul(tile, kTiles), first = mul(workgroup, each);
  Value begin = sub(max(first, start), start);
  Value end = sub(min(add(first, each), add(start, kTiles)), start);
  Value length = constant(schedule.getTileK());
  return {min(mul(begin, length), k), min(mul(end, length), k)};
}

Value StreamK::getPart(Value workgroup, Value tile) {
  return sub(workgroup, div(mul(tile, kTiles), each));
}

Value StreamK::getNumParts(Value row, Value col) {
  Value tile = add(mul(div(row, constant(schedule.getTileM())), tilesN),
                   div(col, constant(schedule.getTileN())));
  Value first = mul(tile, kTiles);
  Value last = sub(add(first, kTiles), constant(1));
  return add(sub(div(last, each), div(first, each)), constant(1));
}
