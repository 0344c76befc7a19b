//===- SplitLoops.cpp - lpgemm-split-loops --------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/WholeAccess.h"
#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_SPLITLOOPSPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// What may be whole
//===----------------------------------------------------------------------===//

namespace {
/// An op whose window moves along K, `step` positions in each iteration.
struct Access {
  Operation *op;
  Value source;
  int64_t step;
  WholeAccess whole;
  bool transpose;
};
} // namespace

/// How far `position` moves when the counter of `loop` does by `step`, if it is
/// the counter or the block of so many that it is in.
static std::optional<int64_t> getStep(Value position, scf::ForOp loop,
                                      int64_t step) {
  if (position == loop.getInductionVar())
    return step;
  auto division = position.getDefiningOp<arith::DivUIOp>();
  APInt block;
  if (!division || division.getLhs() != loop.getInductionVar() ||
      !matchPattern(division.getRhs(), m_ConstantInt(&block)) || block.isZero())
    return std::nullopt;
  return llvm::divideCeil(step, block.getSExtValue());
}

/// What `op`, in `loop`, is accessed by, if that can be whole.
static std::optional<Access> getAccess(Operation *op, scf::ForOp loop,
                                       int64_t step, int64_t threads) {
  auto get = [&](auto access,
                 std::optional<WholeAccess> whole) -> std::optional<Access> {
    std::optional<int64_t> moved =
        getStep(access.getKPositionMutable().get(), loop, step);
    if (!moved || access.getWhole() || !whole)
      return std::nullopt;
    return Access{op, access.getSource(), *moved, *whole,
                  access.getTranspose()};
  };
  return TypeSwitch<Operation *, std::optional<Access>>(op)
      .Case<CopyOp, FetchOp>(
          [&](auto op) { return get(op, getWholeAccess(op, threads)); })
      .Case([&](LoadOp op) { return get(op, getWholeAccess(op)); })
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// Writes the loops that take the place of one.
class Splitter {
public:
  Splitter(scf::ForOp loop, int64_t step, ArrayRef<Access> accesses)
      : loop(loop), step(step), accesses(accesses), b(loop.getLoc(), loop) {}

  void run();

private:
  Value constant(int64_t v) { return arith::ConstantIndexOp::create(b, v); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, x, y); }
  Value mul(Value x, int64_t y) {
    return arith::MulIOp::create(b, x, constant(y));
  }
  Value minimum(Value x, Value y) { return arith::MinUIOp::create(b, x, y); }

  Value buildReach();
  Value buildEnd(Value start, Value count);
  scf::ForOp buildFast(Value start, Value end, ValueRange inits);
  Value buildWhole(const Access &access, Value start);

  scf::ForOp loop;
  int64_t step;
  ArrayRef<Access> accesses;
  ImplicitLocOpBuilder b;
};
} // namespace

/// Iterations for which addresses of all accesses are made at once.
Value Splitter::buildReach() {
  Value reach;
  for (const Access &access : accesses) {
    int64_t steps[] = {0, access.step};
    if (access.transpose)
      std::swap(steps[0], steps[1]);
    Value one = ReachOp::create(b, b.getIndexType(), access.source,
                                b.getDenseI64ArrayAttr(steps),
                                b.getI64IntegerAttr(access.whole.alignment),
                                b.getI64IntegerAttr(access.whole.piece));
    reach = reach ? minimum(reach, one) : one;
  }
  return reach;
}

/// The position along K of an access for counter `start`.
Value Splitter::buildWhole(const Access &access, Value start) {
  Value position =
      TypeSwitch<Operation *, Value>(access.op).Case<CopyOp, FetchOp, LoadOp>(
          [](auto op) { return op.getKPositionMutable().get(); });
  if (position == loop.getInductionVar())
    return start;
  auto division = position.getDefiningOp<arith::DivUIOp>();
  APInt block;
  matchPattern(division.getRhs(), m_ConstantInt(&block));
  return arith::DivUIOp::create(b, start, constant(block.getSExtValue()));
}

/// The loop from `start` to `end`, with whole accesses.
scf::ForOp Splitter::buildFast(Value start, Value end, ValueRange inits) {
  SmallVector<Value> wholes;
  for (const Access &access : accesses)
    wholes.push_back(buildWhole(access, start));
  IRMapping mapping;
  auto fast = cast<scf::ForOp>(b.clone(*loop, mapping));
  fast.setLowerBound(start);
  fast.setUpperBound(end);
  fast.getInitArgsMutable().assign(inits);
  for (auto pair : llvm::zip_equal(accesses, wholes)) {
    Value whole = std::get<1>(pair);
    TypeSwitch<Operation *>(mapping.lookup(std::get<0>(pair).op))
        .Case<CopyOp, FetchOp, LoadOp>(
            [&](auto op) { op.getWholeMutable().assign(whole); });
  }
  return fast;
}

/// The end of `count` iterations, of which there is one at least. LLVM could
/// not tell, and have another way around the loop, on which sums change
/// registers.
Value Splitter::buildEnd(Value start, Value count) {
  Value length = arith::MaxSIOp::create(b, mul(count, step), constant(step));
  return arith::AddIOp::create(b, start, length,
                               arith::IntegerOverflowFlags::nsw);
}

/// Counts of iterations: positions of parts that are not there could be beyond
/// the numbers of 32 bits.
void Splitter::run() {
  Value first = loop.getLowerBound(), reach = buildReach();
  Value zero = constant(0), one = constant(1);
  Value length = sub(loop.getUpperBound(), first);
  Value tiles = arith::DivUIOp::create(b, length, constant(step));
  Value isAligned =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, reach, zero);
  tiles = arith::SelectOp::create(b, isAligned, tiles, zero);
  reach = arith::MaxUIOp::create(b, reach, one);
  Value parts = arith::CeilDivUIOp::create(b, tiles, reach);
  auto outer = scf::ForOp::create(
      b, zero, parts, one, loop.getInitArgs(),
      [&](OpBuilder &, Location, Value part, ValueRange sums) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(part.getParentBlock());
        Value done = arith::MulIOp::create(b, part, reach);
        Value start = add(first, mul(done, step));
        Value count = minimum(sub(tiles, done), reach);
        scf::ForOp fast = buildFast(start, buildEnd(start, count), sums);
        scf::YieldOp::create(b, fast.getResults());
      });
  loop.setLowerBound(add(first, mul(tiles, step)));
  loop.getInitArgsMutable().assign(outer.getResults());
  loop->setAttr(kRestAttrName, b.getUnitAttr());
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Splits `loop` unless that was done, or it multiplies nothing.
static void split(scf::ForOp loop, int64_t threads) {
  std::optional<APInt> step = loop.getConstantStep();
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (loop->hasAttr(kRestAttrName) || loop.getOps<MmaOp>().empty() || !step ||
      (trips && trips->isZero()))
    return;
  bool isSplit = false;
  SmallVector<Access> accesses;
  for (Operation &op : *loop.getBody()) {
    TypeSwitch<Operation *>(&op).Case<CopyOp, FetchOp, LoadOp>(
        [&](auto access) { isSplit |= access.getWhole() != nullptr; });
    if (std::optional<Access> access =
            getAccess(&op, loop, step->getSExtValue(), threads))
      accesses.push_back(*access);
  }
  if (!isSplit && !accesses.empty())
    Splitter(loop, step->getSExtValue(), accesses).run();
}

/// There whole and aligned accesses are told from others in the loop.
static bool isOnNVIDIA(gpu::GPUFuncOp func) {
  TargetAttr target = lookupTarget(func);
  return target && lookupTargetRecord(target.getChip())->nvidia;
}

namespace {
struct SplitLoops : lpgemm::impl::SplitLoopsPassBase<SplitLoops> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto schedule = func->getAttrOfType<ScheduleAttr>(kScheduleAttrName);
      std::optional<ArrayRef<int32_t>> size = func.getKnownBlockSize();
      if (!schedule || schedule.getRoles() || !size || isOnNVIDIA(func))
        continue;
      SmallVector<scf::ForOp> loops;
      func.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      for (scf::ForOp loop : loops)
        split(loop, size->front());
    }
  }
};
} // namespace
