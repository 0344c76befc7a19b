//===- StreamK.h - K tiles dealt evenly to workgroups -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Persistent workgroups that split K: the K tiles of all tiles of the result,
// one tile after the other, are one sequence, of which each workgroup has as
// many as the others (Osama et al., "Stream-K: Work-centric Parallel
// Decomposition for Dense Matrix-Matrix Multiplication on the GPU", PPoPP
// 2023). What they have of the sum of a tile are its parts, numbered by
// workgroups.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_STREAMK_H
#define LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_STREAMK_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::lpgemm {

/// The sequence of a product in a kernel. All values are of index type.
class StreamK {
public:
  /// Of `op`, by `workgroups`, with the tiles of `schedule`. What is asked is
  /// written where `b` then is.
  StreamK(OpBuilder &b, MatmulOp op, ScheduleAttr schedule, Value workgroups);

  /// Of a workgroup: the tiles that it has something of.
  std::pair<Value, Value> getTiles(Value workgroup);
  /// Its elements of K of one of these, up to `k` at most.
  std::pair<Value, Value> getKRange(Value workgroup, Value tile, Value k);
  /// Which part of the sum of `tile` that is.
  Value getPart(Value workgroup, Value tile);
  /// How many parts the sum of the tile has that is `row`, `col` of the result
  /// in.
  Value getNumParts(Value row, Value col);

private:
  Value constant(int64_t v) {
    return arith::ConstantIndexOp::create(b, loc, v);
  }
  Value mul(Value x, Value y) { return arith::MulIOp::create(b, loc, x, y); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  Value div(Value x, Value y) { return arith::DivUIOp::create(b, loc, x, y); }
  Value ceilDiv(Value x, Value y) {
    return arith::CeilDivUIOp::create(b, loc, x, y);
  }
  Value min(Value x, Value y) { return arith::MinUIOp::create(b, loc, x, y); }
  Value max(Value x, Value y) { return arith::MaxUIOp::create(b, loc, x, y); }

  OpBuilder &b;
  Location loc;
  ScheduleAttr schedule;
  Value tilesN;
  /// K tiles of a tile, of all of them, and of a workgroup.
  Value kTiles, all, each;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_STREAMK_H
