//===- ExpandDirectLoop.cpp - slots for direct copies ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DirectLoops.h"

#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include <map>

using namespace mlir;
using namespace mlir::lpgemm;

static int64_t getNumber(Operation *op, StringRef name) {
  return op->getAttrOfType<IntegerAttr>(name).getInt();
}

namespace {
/// Rewrites one loop. A K tile is at distance d from the one that is multiplied
/// if it comes d iterations behind it: ops of stage s work on the tile at
/// distance `last stage - s`.
class Expander {
public:
  Expander(scf::ForOp loop, ScheduleAttr schedule, RewriterBase &b)
      : loop(loop), schedule(schedule), b(b), loc(loop.getLoc()),
        numSlots(schedule.getStages()) {}

  LogicalResult run();

private:
  /// A result that a later iteration needs, of the tile at a distance then.
  struct Carried {
    Value value;
    int64_t distance;
  };
  /// What the ops of one tile have become.
  using Tiles = SmallVector<IRMapping>;

  LogicalResult collect();
  LogicalResult collectCarried();
  void createSlots();
  int64_t getDistance(Operation *op) const {
    return lastStage - getNumber(op, kStageAttrName);
  }

  Value constant(int64_t v) {
    return arith::ConstantIndexOp::create(b, loc, v);
  }
  Value shift(Value position, int64_t tiles);
  /// Of a tile, or of the last one if there is none so far ahead.
  Value getPosition(Value k, int64_t tiles);
  Value remap(Value value, IRMapping &tile);
  void clone(Operation *op, Value position, int64_t slot, IRMapping &tile);
  void runIteration(int64_t first, Value k, Tiles &tiles);
  SmallVector<Value> getCarried(Tiles &tiles);
  void setCarried(Tiles &tiles, ValueRange values);

  void createPrologue(Tiles &tiles);
  SmallVector<Value> createLoop(Tiles &tiles);
  void createEnd(SmallVectorImpl<Value> &results);
  void createRest(int64_t index, SmallVectorImpl<Value> &sums);
  void createStagger(arith::CmpIPredicate half);
  void waitForReads();
  bool arrivesAhead() const;

  scf::ForOp loop;
  ScheduleAttr schedule;
  RewriterBase &b;
  Location loc;
  int64_t numSlots, lastStage = 0;
  SmallVector<Operation *> order; // of all that has a stage
  SmallVector<Carried> carried;
  llvm::MapVector<Value, SmallVector<Value>> slots; // of each buffer
  Value last, mainEnd, numRest;
};
} // namespace

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

LogicalResult Expander::collect() {
  std::map<int64_t, SmallVector<Operation *>> clusters;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto stage = op.getAttrOfType<IntegerAttr>(kStageAttrName);
    auto cluster = op.getAttrOfType<IntegerAttr>(kClusterAttrName);
    if (stage && cluster && stage.getInt() >= 0) {
      clusters[cluster.getInt()].push_back(&op);
      lastStage = std::max(lastStage, stage.getInt());
      continue;
    }
    // The next arrival does the work of the wait and the barrier at the end.
    bool isEnd = isa<WaitOp, BarrierOp>(op) && op.getNumOperands() == 0;
    if (stage || cluster || (!isEnd && !isMemoryEffectFree(&op)))
      return op.emitOpError() << "expects integers as attributes '"
                              << kStageAttrName << "' and '" << kClusterAttrName
                              << "', as the other ops of its loop";
  }
  for (const auto &[cluster, ops] : clusters)
    llvm::append_range(order, ops);
  for (auto copy : loop.getOps<CopyOp>())
    if (!copy.getDest().getDefiningOp<AllocOp>())
      return copy.emitOpError("expects to copy to an lpgemm.alloc, of which "
                              "each slot gets one of its own");
  if (lastStage == 0)
    return loop.emitOpError("expects more than one stage, but all ops are in "
                            "stage 0");
  // The slot of a tile is free again, and filled, at most so late.
  if (lastStage <= numSlots)
    return success();
  return loop.emitOpError() << "expects stages up to " << numSlots
                            << ", those of the schedule, but got " << lastStage;
}

/// The ops that need `value`, also by way of positions.
static void collectUsers(Value value, SmallVectorImpl<Operation *> &users) {
  for (Operation *user : value.getUsers()) {
    if (user->hasAttr(kStageAttrName))
      users.push_back(user);
    else if (user->getNumResults() == 1)
      collectUsers(user->getResult(0), users);
  }
}

LogicalResult Expander::collectCarried() {
  llvm::SmallPtrSet<Operation *, 32> seen;
  for (Operation *op : order) {
    for (Value result : op->getResults()) {
      SmallVector<Operation *> users;
      collectUsers(result, users);
      int64_t distance = getDistance(op), nearest = distance;
      for (Operation *user : users) {
        nearest = std::min(nearest, getDistance(user));
        if (getDistance(user) > distance ||
            (getDistance(user) == distance && seen.contains(user)))
          return user->emitOpError()
                 << "expects to be behind '" << op->getName()
                 << "', which it needs: in a later stage, or a later cluster "
                    "of its stage";
      }
      for (int64_t d = nearest; d < distance; ++d)
        carried.push_back({result, d});
    }
    seen.insert(op);
  }
  return success();
}

/// Buffers of their own: LLVM would take reads of one slot to need a copy to
/// another one of the same buffer, and wait for it.
void Expander::createSlots() {
  for (Operation *op : order) {
    auto copy = dyn_cast<CopyOp>(op);
    if (!copy || slots.contains(copy.getDest()))
      continue;
    SmallVector<Value> &buffers = slots[copy.getDest()];
    buffers.push_back(copy.getDest());
    Operation *alloc = copy.getDest().getDefiningOp();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(alloc);
    for (int64_t slot = 1; slot != numSlots; ++slot)
      buffers.push_back(b.clone(*alloc)->getResult(0));
  }
}

//===----------------------------------------------------------------------===//
// Ops of one tile
//===----------------------------------------------------------------------===//

Value Expander::shift(Value position, int64_t tiles) {
  if (tiles == 0)
    return position;
  Value distance =
      arith::MulIOp::create(b, loc, loop.getStep(), constant(tiles));
  return arith::AddIOp::create(b, loc, position, distance);
}

Value Expander::getPosition(Value k, int64_t tiles) {
  return arith::MinUIOp::create(b, loc, shift(k, tiles), last);
}

/// What `value` is for this tile: positions are computed where they are used.
Value Expander::remap(Value value, IRMapping &tile) {
  if (Value known = tile.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody())
    return value;
  for (Value operand : op->getOperands())
    tile.map(operand, remap(operand, tile));
  b.clone(*op, tile);
  return tile.lookup(value);
}

void Expander::clone(Operation *op, Value position, int64_t slot,
                     IRMapping &tile) {
  tile.map(loop.getInductionVar(), position);
  for (auto &[buffer, buffers] : slots)
    tile.map(buffer, buffers[slot]);
  // A position is that of this stage: another one may be clamped.
  IRMapping own = tile;
  for (Value operand : op->getOperands())
    own.map(operand, remap(operand, own));
  Operation *copy = b.clone(*op, own);
  copy->removeAttr(kStageAttrName);
  copy->removeAttr(kClusterAttrName);
  tile.map(op->getResults(), copy->getResults());
}

/// The ops of the iteration in which tile `first`, counted from position `k`,
/// is multiplied. Tiles below 0 are not there.
void Expander::runIteration(int64_t first, Value k, Tiles &tiles) {
  SmallVector<Value> positions(lastStage + 1);
  for (Operation *op : order) {
    int64_t distance = getDistance(op);
    if (first + distance < 0)
      continue;
    Value &position = positions[distance];
    if (!position)
      position =
          distance == 0 ? shift(k, first) : getPosition(k, first + distance);
    clone(op, position, (first + distance) % numSlots, tiles[distance]);
    // Loads stay in front of the copies that the wait for them leaves in
    // flight.
    if (first < 0 && isa<LoadOp>(op))
      SchedFenceOp::create(b, loc);
  }
  // The next iteration: all are one nearer.
  Operation *terminator = loop.getBody()->getTerminator();
  if (first >= 0)
    for (auto [arg, yielded] :
         llvm::zip_equal(loop.getRegionIterArgs(), terminator->getOperands()))
      tiles[1].map(arg, tiles[0].lookupOrDefault(yielded));
  tiles.erase(tiles.begin());
  tiles.emplace_back();
}

SmallVector<Value> Expander::getCarried(Tiles &tiles) {
  return llvm::map_to_vector(carried, [&](const Carried &c) {
    return tiles[c.distance].lookup(c.value);
  });
}

void Expander::setCarried(Tiles &tiles, ValueRange values) {
  for (IRMapping &tile : tiles)
    tile.clear();
  for (auto [c, value] : llvm::zip_equal(carried, values))
    tiles[c.distance].map(c.value, value);
}

//===----------------------------------------------------------------------===//
// The pipeline
//===----------------------------------------------------------------------===//

void Expander::waitForReads() {
  WaitOp::create(b, loc, ValueRange());
  BarrierOp::create(b, loc);
}

/// One more barrier for half of the waves: from then on they are behind the
/// others by the distance of two barriers.
void Expander::createStagger(arith::CmpIPredicate half) {
  if (schedule.getStrategy() != Strategy::PingPong)
    return;
  Value wave = gpu::SubgroupIdOp::create(b, loc, /*upper_bound=*/IntegerAttr());
  Value isIn = arith::CmpIOp::create(b, loc, half, wave,
                                     constant(schedule.getNumWaves() / 2));
  auto ifOp = scf::IfOp::create(b, loc, isIn, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  BarrierOp::create(b, loc);
}

void Expander::createPrologue(Tiles &tiles) {
  Value step = loop.getStep(), start = loop.getLowerBound();
  Value numTiles = arith::DivUIOp::create(
      b, loc, arith::SubIOp::create(b, loc, loop.getUpperBound(), start), step);
  numRest = arith::RemUIOp::create(b, loc, numTiles, constant(numSlots));
  mainEnd = arith::SubIOp::create(b, loc, loop.getUpperBound(),
                                  arith::MulIOp::create(b, loc, numRest, step));
  last = arith::SubIOp::create(b, loc, loop.getUpperBound(), step);
  for (int64_t first = -lastStage; first < 0; ++first)
    runIteration(first, start, tiles);
}

SmallVector<Value> Expander::createLoop(Tiles &tiles) {
  SmallVector<Value> inits = llvm::to_vector(loop.getInitArgs());
  size_t numSums = inits.size();
  llvm::append_range(inits, getCarried(tiles));
  Value step =
      arith::MulIOp::create(b, loc, loop.getStep(), constant(numSlots));
  auto main =
      scf::ForOp::create(b, loc, loop.getLowerBound(), mainEnd, step, inits);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(main.getBody());
  ValueRange args = main.getRegionIterArgs();
  setCarried(tiles, args.drop_front(numSums));
  for (auto [arg, value] :
       llvm::zip_equal(loop.getRegionIterArgs(), args.take_front(numSums)))
    tiles[0].map(arg, value);
  for (int64_t slot = 0; slot != numSlots; ++slot)
    runIteration(slot, main.getInductionVar(), tiles);
  SmallVector<Value> yielded =
      llvm::map_to_vector(loop.getRegionIterArgs(), [&](BlockArgument arg) {
        return tiles[0].lookup(arg);
      });
  llvm::append_range(yielded, getCarried(tiles));
  scf::YieldOp::create(b, loc, yielded);
  return llvm::to_vector_of<Value>(main.getResults());
}

/// The tile at so many tiles behind the loop, which is in its slot, if there is
/// one.
void Expander::createRest(int64_t index, SmallVectorImpl<Value> &sums) {
  Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt,
                                        numRest, constant(index));
  auto ifOp = scf::IfOp::create(b, loc, ValueRange(sums).getTypes(), isThere,
                                /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(b, loc, sums);
  b.setInsertionPointToStart(ifOp.thenBlock());
  IRMapping tile;
  for (auto [arg, sum] : llvm::zip_equal(loop.getRegionIterArgs(), sums))
    tile.map(arg, sum);
  Value position = shift(mainEnd, index);
  // Of one tile, what is needed comes first.
  SmallVector<Operation *> byStage = order;
  llvm::stable_sort(byStage, [](Operation *a, Operation *b) {
    return getNumber(a, kStageAttrName) < getNumber(b, kStageAttrName);
  });
  // All waves multiply at once, so that none has priority.
  for (Operation *op : byStage)
    if (!isa<CopyOp, BarrierOp, WaitOp, PriorityOp>(op))
      clone(op, position, index, tile);
  SmallVector<Value> results = llvm::map_to_vector(
      loop.getBody()->getTerminator()->getOperands(),
      [&](Value value) { return tile.lookupOrDefault(value); });
  scf::YieldOp::create(b, loc, results);
  sums.assign(ifOp->result_begin(), ifOp->result_end());
}

/// Whether an iteration waits for the tile of the next one.
bool Expander::arrivesAhead() const {
  return llvm::any_of(order, [&](Operation *op) {
    return isa<WaitOp>(op) && op->getNumOperands() != 0 && getDistance(op) != 0;
  });
}

/// All copies have arrived, also those that nobody needs, when the slots are
/// free for other uses.
void Expander::createEnd(SmallVectorImpl<Value> &results) {
  SmallVector<Value> tokens;
  for (auto [c, value] :
       llvm::zip_equal(carried, ArrayRef(results).take_back(carried.size())))
    if (isa<TokenType>(value.getType()))
      tokens.push_back(value);
  results.truncate(loop.getNumResults());
  int64_t index = 0;
  if (arrivesAhead())
    createRest(index++, results);
  WaitOp::create(b, loc, tokens);
  waitForReads();
  if (index == numSlots - 1)
    return;
  while (index != numSlots - 1)
    createRest(index++, results);
  waitForReads();
}

LogicalResult Expander::run() {
  if (failed(collect()) || failed(collectCarried()))
    return failure();
  createSlots();
  b.setInsertionPoint(loop);
  Tiles tiles(lastStage + 1);
  createPrologue(tiles);
  createStagger(arith::CmpIPredicate::uge);
  SmallVector<Value> results = createLoop(tiles);
  createStagger(arith::CmpIPredicate::ult);
  createEnd(results);
  b.replaceOp(loop, results);
  return success();
}

LogicalResult lpgemm::expandDirectLoop(scf::ForOp loop, ScheduleAttr schedule,
                                       RewriterBase &rewriter) {
  return Expander(loop, schedule, rewriter).run();
}
