//===- AssignDirectLoop.cpp - stages of loops with direct copies ----------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DirectLoops.h"

#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::lpgemm;

bool lpgemm::hasDirectCopies(scf::ForOp loop) {
  return llvm::any_of(loop.getOps<CopyOp>(),
                      [](CopyOp op) { return op.getLdsDma(); });
}

bool lpgemm::makeDirect(scf::ForOp loop) {
  auto copies = llvm::to_vector(loop.getOps<CopyOp>());
  if (copies.empty() || !llvm::all_of(copies, [](CopyOp op) {
        return op.getWhole() && !op.getTranspose();
      }))
    return false;
  for (CopyOp copy : copies)
    copy.setLdsDma(true);
  return true;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

namespace {
/// Gives ops their stages and clusters.
class Assigner {
public:
  explicit Assigner(scf::ForOp loop) : loop(loop), b(loop.getContext()) {}

  void assign(Operation *op, int64_t stage, int64_t cluster) {
    op->setAttr(kStageAttrName, b.getI32IntegerAttr(stage));
    op->setAttr(kClusterAttrName, b.getI32IntegerAttr(cluster));
  }

  scf::ForOp loop;
  Builder b;
};
} // namespace

/// What is computed anew wherever it is needed: positions.
static bool isPosition(Operation &op) {
  return isMemoryEffectFree(&op) &&
         llvm::all_of(op.getResultTypes(),
                      [](Type type) { return type.isIntOrIndex(); });
}

/// The same of tiles that no memory is read for, like scales of 1.
static bool isMadeOfScalars(Operation &op) {
  return isMemoryEffectFree(&op) &&
         llvm::all_of(op.getOperandTypes(),
                      [](Type type) { return type.isIntOrIndexOrFloat(); });
}

/// All waves do the same at the same time: one barrier behind the wait for this
/// K tile, by which the slot of the one before is free as well.
static LogicalResult assignTogether(scf::ForOp loop, int64_t stages,
                                    RewriterBase &b) {
  enum Cluster { ReadsDone, Arrival, Scales, BehindScales, Copies, Products };
  Assigner assigner(loop);
  int64_t last = stages - 1;
  bool arrived = false;
  Operation *end = loop.getBody()->getTerminator()->getPrevNode();
  if (loop.getOps<BarrierOp>().empty())
    return loop.emitOpError("expects a barrier behind the wait for the copies "
                            "of a K tile");
  // Scales arrive in front of copies, which are not put off until the products
  // are done.
  b.setInsertionPointAfter(*loop.getOps<BarrierOp>().begin());
  auto fence = SchedFenceOp::create(b, loop.getLoc());
  SchedFenceOp::create(b, loop.getLoc());
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == fence)
      assigner.assign(&op, last, BehindScales);
    else if (isa<CopyOp>(op))
      assigner.assign(&op, 0, Copies);
    else if (isa<LoadOp>(op))
      assigner.assign(&op, last - 1, Scales);
    else if (!arrived && isa<WaitOp, BarrierOp>(op))
      assigner.assign(&op, last, Arrival);
    else if (isa<WaitOp>(op)) // for the reads of the tile before
      assigner.assign(&op, last, ReadsDone);
    else if (!isPosition(op) && &op != end)
      assigner.assign(&op, last, Products);
    arrived |= isa<BarrierOp>(op);
  }
  return success();
}

namespace {
/// Deals out the reads of a loop to its products.
class PingPong {
public:
  PingPong(scf::ForOp loop, RewriterBase &b)
      : loop(loop), b(b), assigner(loop),
        products(llvm::to_vector(loop.getOps<MmaOp>())) {}

  LogicalResult run();

private:
  /// Places in a cluster, one for each product.
  enum Place { Reads, Scales, Copies, Rest, NumPlaces };
  static constexpr int64_t kLast = 2;

  LogicalResult verify();
  /// Moves `op` to the insertion point, or creates one there.
  void place(Operation *op, int64_t product, Place where = Rest) {
    b.moveOpBefore(op, b.getInsertionBlock(), b.getInsertionPoint());
    assigner.assign(op, kLast, product * NumPlaces + where);
  }
  template <typename OpTy, typename... Args>
  void create(int64_t product, Args &&...args) {
    Operation *op = OpTy::create(b, loop.getLoc(), args...);
    assigner.assign(op, kLast, product * NumPlaces + Rest);
  }
  bool placeReads(int64_t product);
  void placeProduct(int64_t product);
  void assignCopies();

  scf::ForOp loop;
  RewriterBase &b;
  Assigner assigner;
  SmallVector<MmaOp> products;
  llvm::SmallDenseMap<Value, int64_t> lastRead; // of a buffer, its product
};
} // namespace

LogicalResult PingPong::verify() {
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isa<CopyOp, WaitOp, BarrierOp, LoadOp, ReadOp, MmaOp>(op) &&
        !isMadeOfScalars(op))
      return op.emitOpError("expects a loop of copies, reads and products with "
                            "strategy ping_pong");
  // A slot is free behind the product in front of which it is read.
  llvm::SmallPtrSet<Value, 4> seen;
  for (auto read : loop.getOps<ReadOp>())
    if (!seen.insert(read.getSource()).second)
      return read.emitOpError("expects to be the only read of its buffer with "
                              "strategy ping_pong");
  return success();
}

/// The reads that the product is the first to need.
bool PingPong::placeReads(int64_t product) {
  bool hasReads = false;
  for (Value operand : {products[product].getA(), products[product].getB()}) {
    auto read = operand.getDefiningOp<ReadOp>();
    if (!read || !lastRead.insert({read.getSource(), product}).second)
      continue;
    place(read, product, Reads);
    hasReads = true;
  }
  return hasReads;
}

/// While one half of the waves multiplies, the other one reads. Where there is
/// nothing to read, the barrier is that of the next K tile.
void PingPong::placeProduct(int64_t product) {
  bool hasReads = placeReads(product);
  if (hasReads) {
    create<SchedFenceOp>(product);
    create<WaitOp>(product, ValueRange());
    create<BarrierOp>(product);
  }
  create<SchedFenceOp>(product);
  create<PriorityOp>(product, 1);
  place(products[product], product);
  create<PriorityOp>(product, 0);
  create<SchedFenceOp>(product);
  create<BarrierOp>(product);
  create<SchedFenceOp>(product);
}

/// A slot is filled anew when all waves have read it: by one copy behind each
/// product. Behind the last but one, where nothing is left to read, there is
/// time for all that remain; those of a slot that is read later are in the
/// iteration of the next K tile.
void PingPong::assignCopies() {
  SmallVector<std::pair<int64_t, CopyOp>> copies;
  for (auto copy : loop.getOps<CopyOp>())
    copies.push_back({lastRead.lookup(copy.getDest()), copy});
  llvm::stable_sort(copies, llvm::less_first());
  int64_t numProducts = products.size(), next = 0;
  for (auto [read, copy] : copies) {
    next = std::min(std::max(next, read), std::max(numProducts - 2, read)) + 1;
    int64_t stage = next / numProducts, product = next % numProducts;
    assigner.assign(copy, stage, product * NumPlaces + Copies);
  }
}

LogicalResult PingPong::run() {
  if (failed(verify()))
    return failure();
  Operation *terminator = loop.getBody()->getTerminator();
  Operation *end = terminator->getPrevNode();
  int64_t last = products.size() - 1;
  bool arrived = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    // Beside the first product are the most reads.
    if (isa<LoadOp>(op))
      assigner.assign(&op, kLast - 1,
                      std::min<int64_t>(1, last) * NumPlaces + Scales);
    // The wait for the next K tile, behind all but the last copies.
    else if (!arrived && isa<WaitOp, BarrierOp>(op))
      assigner.assign(&op, kLast - 1, last * NumPlaces + Rest);
    arrived |= isa<BarrierOp>(op);
  }
  b.setInsertionPoint(terminator);
  for (int64_t product = 0; product <= last; ++product)
    placeProduct(product);
  assignCopies();
  // The last two ops of the loop stay: nothing but the next iteration of the
  // loop as it is needs them.
  for (Operation *op : {end->getPrevNode(), end})
    if (isa<WaitOp, BarrierOp>(op))
      b.moveOpBefore(op, terminator);
  return success();
}

LogicalResult lpgemm::assignDirectLoop(scf::ForOp loop, ScheduleAttr schedule,
                                       RewriterBase &rewriter) {
  if (schedule.getStrategy() == Strategy::PingPong)
    return PingPong(loop, rewriter).run();
  return assignTogether(loop, schedule.getStages(), rewriter);
}
