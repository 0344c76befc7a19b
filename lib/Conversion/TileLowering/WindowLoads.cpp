//===- WindowLoads.cpp - loads of tiles from global memory ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/TileLowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

WindowLoads::~WindowLoads() = default;

WindowLoads::Round::Round(int64_t bits)
    : bits(bits), length(std::lcm<int64_t>(32, bits) / bits),
      words(std::lcm<int64_t>(32, bits) / 32) {}

/// As the attribute of llvm.br, which convert-scf-to-cf makes of the loop.
static void disableUnrolling(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {},
      {});
  loop->setAttr("loop_annotation", LLVM::LoopAnnotationAttr::get(
                                       context, {}, {}, {}, unroll, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {}));
}

/// The segments piece by piece, in a loop over their 4-byte words that shifts
/// them in at the end. Unrolled, the loads of all elements would take registers
/// from the common path: LLVM moves their offsets out of the K loop.
SmallVector<Value> WindowLoads::loadInRounds(ArrayRef<Segment> segments) {
  Round round = getRound(segments.front());
  int64_t numRounds = segments.front().length / round.length;
  int64_t numWords = numRounds * round.words;
  auto type = VectorType::get(numWords, b.getI32Type());
  auto roundType = VectorType::get(round.words, b.getI32Type());
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  auto loop = scf::ForOp::create(
      b, constantI32(b, 0), constantI32(b, numRounds), constantI32(b, 1),
      SmallVector<Value>(segments.size(), zero),
      [&](OpBuilder &, Location, Value index, ValueRange shifted) {
        auto mask = llvm::to_vector(
            llvm::seq<int64_t>(round.words, numWords + round.words));
        Value start = mulI32(b, index, round.length);
        SmallVector<Value> next;
        for (auto [segment, value] : llvm::zip_equal(segments, shifted)) {
          Segment s = segment.slice(0, round.length);
          Value &along = s.downColumn ? s.row : s.col;
          along = addI32(b, along, start);
          Value loaded = loadPieces(s);
          if (!isa<VectorType>(loaded.getType()))
            loaded = vector::BroadcastOp::create(b, roundType, loaded);
          loaded = b.createOrFold<vector::BitCastOp>(roundType, loaded);
          next.push_back(vector::ShuffleOp::create(b, value, loaded, mask));
        }
        scf::YieldOp::create(b, next);
      });
  disableUnrolling(loop);
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value> WindowLoads::load(ArrayRef<Segment> segments) {
  const Segment &first = segments.front();
  auto loadAll = [&](auto loadOne) {
    return llvm::map_to_vector(segments, loadOne);
  };
  if (first.length == 1 || first.length % getRound(first).length != 0)
    return loadAll([&](const Segment &s) { return loadPieces(s); });
  if (first.downColumn)
    return loadInRounds(segments);
  auto wide = [&](const Segment &s) { return loadWide(s); };
  auto ifOp = scf::IfOp::create(
      b, buildWideCondition(first),
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, loadAll(wide)); },
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, loadInRounds(segments));
      });
  return llvm::to_vector_of<Value>(ifOp.getResults());
}
