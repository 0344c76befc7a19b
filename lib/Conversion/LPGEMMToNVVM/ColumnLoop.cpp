//===- ColumnLoop.cpp - loops over columns of a register tile -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColumnLoop.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

ColumnLoop::ColumnLoop(const RegisterTile &tile, int64_t maxElements) {
  int64_t perAtom = tile.getLayout().numElements();
  int64_t rows = tile.getGridRows(), atoms = tile.getGridCols();
  int64_t count = std::clamp<int64_t>(maxElements / (rows * perAtom), 1, atoms);
  while (atoms % count != 0)
    --count;
  cols = atoms * tile.getLayout().cols;
  colsAtOnce = count * tile.getLayout().cols;
  for (int64_t first = 0; first != atoms; first += count)
    for (int64_t row = 0; row != rows; ++row)
      for (int64_t i = 0; i != count * perAtom; ++i)
        order.push_back((row * atoms + first) * perAtom + i);
}

SmallVector<Value> ColumnLoop::build(ImplicitLocOpBuilder &b, ValueRange tile,
                                     Body body) const {
  size_t count = getFirst().size();
  auto parts =
      llvm::map_to_vector(order, [&](size_t i) -> Value { return tile[i]; });
  auto loop = scf::ForOp::create(
      b, constantI32(b, 0), constantI32(b, cols), constantI32(b, colsAtOnce),
      parts, [&](OpBuilder &, Location, Value col, ValueRange all) {
        SmallVector<Value> next(all.drop_front(count));
        llvm::append_range(next, body(col, all.take_front(count)));
        scf::YieldOp::create(b, next);
      });
  SmallVector<Value> result(order.size());
  for (auto [i, value] : llvm::zip_equal(order, loop.getResults()))
    result[i] = value;
  return result;
}
