//===- AMDGPUScheduler.cpp - schedules for AMD GPUs -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AMDGPULimits.h"
#include "lpgemm/Dialect/LPGEMM/Schedule/AMDGPUCostModel.h"
#include "lpgemm/Dialect/LPGEMM/Schedule/Scheduler.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

// What the model chooses among. The lowest tiles are those of one instruction.
static constexpr int64_t kTileExtents[] = {16, 32, 64, 128, 256};
static constexpr int64_t kWaves[][2] = {{2, 2}, {1, 4}, {4, 1}, {2, 4},
                                        {4, 2}, {1, 2}, {2, 1}, {1, 1}};
// Longer K tiles have fewer barriers.
static constexpr int64_t kLongerTiles[] = {1, 2, 4};
static constexpr std::pair<int64_t, Strategy> kPipelines[] = {
    {2, Strategy::PingPong},
    {2, Strategy::Together},
    {3, Strategy::Together},
    {4, Strategy::Together},
    {1, Strategy::Together}};
static constexpr int64_t kSplits[] = {1, 2, 4, 8};
static constexpr int64_t kRasters[] = {1, 2, 4, 8, 16, 32, 64};
// A split must promise a sixth less, for what the model does not know of it,
// and stream-K a fifth: its workgroups do not multiply the same K tiles at
// once.
static constexpr double kSplitMargin = 1.2, kStreamMargin = 1.25;
// Sums of a lane in a row, and what a thread copies at once.
static constexpr int64_t kLaneColumns = 4, kPieceBits = 128;
// Bytes of a row of a K tile.
static constexpr int64_t kRowBytes = 128;
// Bytes of a wave that need no shared memory, and of a thread in a longer K
// tile: with more the back end runs out of registers for their addresses.
static constexpr int64_t kRegisterBytes = 4096, kThreadBytes = 128;
// Of all candidates, as many are printed.
static constexpr size_t kExplained = 10;

namespace {
struct Candidate {
  ScheduleAttr schedule;
  AMDGPUScheduleCost cost;
  size_t number; // in the order of the list

  /// Memory may hide work: then the one with less of it, and then the one that
  /// was listed first.
  auto getKey() const {
    double margin = schedule.getSplitK() == 1 ? 1
                    : isStreamK(schedule)     ? kStreamMargin
                                              : kSplitMargin;
    return std::make_tuple(margin * cost.getTotal(), cost.work, number);
  }
  bool operator<(const Candidate &other) const {
    return getKey() < other.getKey();
  }
};

class AMDGPUScheduler : public Scheduler {
public:
  explicit AMDGPUScheduler(const TargetRecord &record)
      : Scheduler(record), machine(*record.amdgpu) {}

protected:
  ScheduleAttr choose(MatmulOp op, MmaInstr instr,
                      const MmaOperands &operands) const override;
  LogicalResult verify(MatmulOp op, ScheduleAttr schedule,
                       const MmaOperands &operands) const override;
  void explain(MatmulOp op, ScheduleAttr schedule,
               const MmaOperands &operands) const override;

private:
  AMDGPUCostModel getModel(MatmulOp op, const MmaOperands &operands) const;
  SmallVector<Candidate> rank(MatmulOp op, MmaInstr instr) const;

  const AMDGPUMachine &machine;
};

/// How workgroups are given the tiles of the result and their parts.
struct Grid {
  int64_t raster = 1;
  bool persistent = false;
  int64_t splitK = 1;
};

/// Lists what fits the machine and the product with one instruction.
class Enumerator {
public:
  Enumerator(MatmulOp op, MmaInstr instr, const AMDGPUCostModel &model,
             SmallVectorImpl<Candidate> &candidates)
      : op(op), info(getMmaInfo(instr)), model(model), candidates(candidates) {}

  void run();

private:
  void addTile(int64_t m, int64_t n);
  void addWaves(int64_t m, int64_t n, ArrayRef<int64_t> waves);
  void addHomes(ArrayRef<int64_t> tile, ArrayRef<int64_t> waves);
  void addGrids(ArrayRef<int64_t> tile, ArrayRef<int64_t> waves,
                HomesAttr home);
  void add(ArrayRef<int64_t> tile, ArrayRef<int64_t> waves, HomesAttr home,
           const Grid &grid);
  int64_t chooseRaster(int64_t m, int64_t n, int64_t splitK);
  std::optional<Grid> getStreamGrid(ArrayRef<int64_t> tile);
  int64_t getNumTiles(ArrayRef<int64_t> tile) const;
  bool leavesIdle(ArrayRef<int64_t> tile, double margin) const;
  bool mayBePersistent(ScheduleAttr schedule) const;
  void add(ScheduleAttr schedule);

  MatmulOp op;
  const MmaInfo &info;
  const AMDGPUCostModel &model;
  SmallVectorImpl<Candidate> &candidates;
  SmallVector<int64_t> tileKs;
  /// Of rows, columns and parts of K.
  llvm::DenseMap<std::tuple<int64_t, int64_t, int64_t>, int64_t> rasters;
};
} // namespace

std::unique_ptr<Scheduler>
lpgemm::createAMDGPUScheduler(const TargetRecord &record) {
  return std::make_unique<AMDGPUScheduler>(record);
}

//===----------------------------------------------------------------------===//
// Extents of K
//===----------------------------------------------------------------------===//

/// That of half a line of the caches, which leaves room in shared memory, and
/// of a line and its multiples, while the tile before does not hold all of K.
static SmallVector<int64_t> getTileKs(const AMDGPUCostModel &model,
                                      const MmaInfo &info) {
  const MmaOperands &operands = model.getOperands();
  int64_t shortest = chooseTileK(operands, info.instr, kRowBytes);
  if (operands.getShortestPromotedBlock(info.instr))
    return {shortest};
  SmallVector<int64_t> tileKs = {
      chooseTileK(operands, info.instr, kRowBytes / 2)};
  for (int64_t times : kLongerTiles)
    if (tileKs.back() < std::min(model.getShape().k, times * shortest) &&
        areBlocksWhole(operands, times * shortest))
      tileKs.push_back(times * shortest);
  return tileKs;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

static ScheduleAttr makeSchedule(MLIRContext *context, ArrayRef<int64_t> tile,
                                 ArrayRef<int64_t> waves, MmaInstr instr,
                                 HomesAttr home, const Grid &grid,
                                 int64_t stages = 1,
                                 Strategy strategy = Strategy::Together,
                                 ResultPath path = ResultPath::Direct) {
  return ScheduleAttr::get(context, tile, waves, instr, home, stages,
                           /*roles=*/{}, /*cluster=*/{}, grid.raster,
                           grid.persistent, /*unroll=*/1, grid.splitK, strategy,
                           path);
}

void Enumerator::add(ArrayRef<int64_t> tile, ArrayRef<int64_t> waves,
                     HomesAttr home, const Grid &grid) {
  // More slots than K tiles would be filled for nothing.
  int64_t kTiles = std::max<int64_t>(
      llvm::divideCeil(llvm::divideCeil(model.getShape().k, tile[2]),
                       grid.splitK),
      1);
  for (auto [stages, strategy] : kPipelines)
    for (ResultPath path : {ResultPath::Direct, ResultPath::Staged})
      if (stages <= kTiles)
        add(makeSchedule(op.getContext(), tile, waves, info.instr, home, grid,
                         stages, strategy, path));
}

/// A lane has four columns of a result: where these are less than a piece of a
/// copy, rows go through shared memory if they may. Parts of sums are stored as
/// they are.
void Enumerator::add(ScheduleAttr schedule) {
  if ((schedule.getSplitK() > 1 && needsWholeSums(op)) ||
      schedule.getWaveN() % (schedule.getParts() * getResultBlock(op)) != 0)
    return;
  bool isStaged = schedule.getEpilogue() == ResultPath::Staged;
  bool mayBeStaged =
      schedule.getSplitK() == 1 &&
      getStageTurns(schedule, model.getOperands(), model.getMachine(),
                    model.getResultBits()) != 0;
  bool isNarrow = kLaneColumns * model.getResultBits() < kPieceBits;
  if (isStaged ? !mayBeStaged : mayBeStaged && isNarrow)
    return;
  if (!fits(schedule, model.getOperands(), model.getMachine()))
    return;
  candidates.push_back({schedule, model.estimate(schedule), candidates.size()});
  if (mayBePersistent(schedule))
    add(makeSchedule(
        op.getContext(), schedule.getTile(), schedule.getWaves(), info.instr,
        schedule.getHome(), {schedule.getRaster(), /*persistent=*/true},
        schedule.getStages(), schedule.getStrategy(), schedule.getEpilogue()));
}

/// A workgroup that goes on with another tile has no neighbour that multiplies
/// meanwhile: where a compute unit holds only one, it loses nothing by that.
bool Enumerator::mayBePersistent(ScheduleAttr schedule) const {
  return schedule.getSplitK() == 1 && !schedule.getPersistent() &&
         !model.getShape().isBatched && model.getResident(schedule) == 1 &&
         getNumTiles(schedule.getTile()) >
             model.getMachine().rates.computeUnits;
}

int64_t Enumerator::getNumTiles(ArrayRef<int64_t> tile) const {
  const ProductShape &shape = model.getShape();
  return llvm::divideCeil(shape.m, tile[0]) *
         llvm::divideCeil(shape.n, tile[1]) * shape.batch;
}

/// Whether compute units have no tile, or none in the last round, so that all
/// rounds take `margin` of what they would take if everyone had the same.
bool Enumerator::leavesIdle(ArrayRef<int64_t> tile, double margin) const {
  int64_t units = model.getMachine().rates.computeUnits;
  int64_t tiles = getNumTiles(tile);
  return !model.getShape().hasDynamicGrid &&
         (tiles < units ||
          llvm::divideCeil(tiles, units) * units >= margin * tiles);
}

/// The order in which the least passes the caches and memory that all dies
/// share; if it is all the same, row by row.
int64_t Enumerator::chooseRaster(int64_t m, int64_t n, int64_t splitK) {
  auto [place, isNew] = rasters.try_emplace({m, n, splitK}, 1);
  if (!isNew)
    return place->second;
  double least = std::numeric_limits<double>::infinity();
  for (int64_t raster : kRasters) {
    // All rows of tiles are in the band before.
    if (raster > 1 && raster / 2 * m >= model.getShape().m)
      break;
    double traffic = model.getTraffic(makeSchedule(
        op.getContext(), {m, n, tileKs.front()}, {1, 1}, info.instr,
        HomesAttr::get(op.getContext(), Home::Shared, Home::Shared),
        {raster, /*persistent=*/false, splitK}));
    if (traffic < least) {
      least = traffic;
      place->second = raster;
    }
  }
  return place->second;
}

/// Stream-K where compute units would be idle for as long as a split must
/// promise: with the fewest parts of a tile that keep all of them busy. What
/// adds them has whole tiles of its own in each tile of the result.
std::optional<Grid> Enumerator::getStreamGrid(ArrayRef<int64_t> tile) {
  const ProductShape &shape = model.getShape();
  if (shape.isBatched || !leavesIdle(tile, kStreamMargin))
    return {};
  int64_t units = model.getMachine().rates.computeUnits;
  int64_t tiles = getNumTiles(tile);
  Grid grid = {/*raster=*/1, /*persistent=*/true};
  int64_t kTiles = llvm::divideCeil(shape.k, tile[2]);
  for (int64_t splitK : ArrayRef(kSplits).drop_front()) {
    grid.splitK = splitK;
    if (llvm::divideCeil(kTiles, splitK - 1) <=
        llvm::divideCeil(tiles * kTiles, units))
      break;
  }
  ScheduleAttr sum = getSumSchedule(makeSchedule(
      op.getContext(), tile, {1, 1}, info.instr,
      HomesAttr::get(op.getContext(), Home::Shared, Home::Shared), grid));
  if (grid.splitK > kTiles || tile[1] % sum.getTileN() != 0)
    return {};
  return grid;
}

/// K is split where that gives work to compute units that have none, and no
/// workgroup is without a K tile.
void Enumerator::addGrids(ArrayRef<int64_t> tile, ArrayRef<int64_t> waves,
                          HomesAttr home) {
  const ProductShape &shape = model.getShape();
  bool hasIdleUnits = leavesIdle(tile, kSplitMargin);
  int64_t kTiles = llvm::divideCeil(shape.k, tile[2]);
  for (int64_t splitK : kSplits)
    if (splitK == 1 || (hasIdleUnits && splitK <= kTiles))
      add(tile, waves, home,
          {chooseRaster(tile[0], tile[1], splitK), /*persistent=*/false,
           splitK});
  if (std::optional<Grid> grid = getStreamGrid(tile))
    add(tile, waves, home, *grid);
}

/// Rows in shared memory are whole pieces of 16 bytes. A few that only one wave
/// needs may do without.
void Enumerator::addHomes(ArrayRef<int64_t> tile, ArrayRef<int64_t> waves) {
  bool isPromoted =
      model.getOperands().getShortestPromotedBlock(info.instr) != 0;
  auto getHomes = [&](const MmaOperand &side, int64_t sharers, int64_t rows) {
    SmallVector<Home, 2> homes;
    int64_t rowBits = tile[2] * side.stored.getIntOrFloatBitWidth();
    if (rowBits % 128 == 0)
      homes.push_back(Home::Shared);
    if (homes.empty() ||
        (!isPromoted && sharers == 1 && rows * rowBits <= 8 * kRegisterBytes))
      homes.push_back(Home::Reg);
    return homes;
  };
  const MmaOperands &operands = model.getOperands();
  for (Home a : getHomes(operands.lhs, waves[1], tile[0] / waves[0]))
    for (Home b : getHomes(operands.rhs, waves[0], tile[1] / waves[1]))
      addGrids(tile, waves, HomesAttr::get(op.getContext(), a, b));
}

void Enumerator::addWaves(int64_t m, int64_t n, ArrayRef<int64_t> waves) {
  if (m % (waves[0] * info.m) != 0 || n % (waves[1] * info.n) != 0)
    return;
  const MmaOperands &operands = model.getOperands();
  int64_t threads = waves[0] * waves[1] * model.getMachine().waveSize;
  int64_t shortest = chooseTileK(operands, info.instr, kRowBytes);
  for (int64_t k : tileKs) {
    int64_t bits = k * (m * operands.lhs.stored.getIntOrFloatBitWidth() +
                        n * operands.rhs.stored.getIntOrFloatBitWidth());
    if (k <= shortest || bits <= 8 * kThreadBytes * threads)
      addHomes({m, n, k}, waves);
  }
}

void Enumerator::run() {
  tileKs = getTileKs(model, info);
  // Whether a smaller extent already holds all of `needed`.
  auto isTooLarge = [](size_t i, int64_t needed) {
    return i > 0 && kTileExtents[i - 1] >= needed;
  };
  for (auto [i, m] : llvm::enumerate(kTileExtents))
    for (auto [j, n] : llvm::enumerate(kTileExtents))
      for (ArrayRef<int64_t> waves : kWaves)
        if (!isTooLarge(i, std::max(model.getShape().m, info.m)) &&
            !isTooLarge(j, std::max({model.getShape().n, info.n,
                                     waves[1] * getResultBlock(op)})))
          addWaves(m, n, waves);
}

AMDGPUCostModel AMDGPUScheduler::getModel(MatmulOp op,
                                          const MmaOperands &operands) const {
  return {ProductShape::describe(op), operands, getResultBits(op), machine};
}

/// The best one first: with `instr`, and with others that multiply the same
/// types.
SmallVector<Candidate> AMDGPUScheduler::rank(MatmulOp op,
                                             MmaInstr instr) const {
  SmallVector<Candidate> candidates;
  std::optional<MmaOperands> first = getMmaOperands(op, instr, record);
  for (MmaInstr other : record.getInstructions()) {
    if (!takes(op, other))
      continue;
    MmaOperands operands = *getMmaOperands(op, other, record);
    if (operands.lhs.multiplied != first->lhs.multiplied ||
        operands.rhs.multiplied != first->rhs.multiplied)
      continue;
    AMDGPUCostModel model = getModel(op, operands);
    Enumerator(op, other, model, candidates).run();
  }
  llvm::sort(candidates);
  return candidates;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

ScheduleAttr AMDGPUScheduler::choose(MatmulOp op, MmaInstr instr,
                                     const MmaOperands &operands) const {
  return rank(op, instr).front().schedule;
}

LogicalResult AMDGPUScheduler::verify(MatmulOp op, ScheduleAttr schedule,
                                      const MmaOperands &operands) const {
  return verifyAMDGPUSchedule(op, schedule, operands, machine, record.chip);
}

static void emitCost(MatmulOp op, const Twine &what, ScheduleAttr schedule,
                     const AMDGPUScheduleCost &cost) {
  op.emitRemark() << "schedule: " << what << ": " << schedule
                  << llvm::formatv(
                         ": {0:f0} cycles; {1} tiles, {2:f2} of a compute "
                         "unit, {3} at once; a K tile {4:f0} (matrix {5:f0}, "
                         "vector {6:f0}, shared memory {7:f0}, load {8:f0}, L2 "
                         "{9:f0}, Infinity Cache {10:f0} for {11:f0} bytes, "
                         "chain {12:f0}), turn {13:f0}, epilogue {14:f0}; "
                         "exchange {15:f0}; device memory {16:f0}",
                         cost.getTotal(), cost.tiles, cost.rounds,
                         cost.resident, cost.getKTile(), cost.matrix,
                         cost.vector, cost.shared, cost.load, cost.l2,
                         cost.infinity, cost.infinityBytes, cost.chain,
                         cost.turn, cost.epilogue, cost.exchange, cost.memory)
                         .str();
}

void AMDGPUScheduler::explain(MatmulOp op, ScheduleAttr schedule,
                              const MmaOperands &operands) const {
  emitCost(op, "taken", schedule, getModel(op, operands).estimate(schedule));
  SmallVector<Candidate> candidates = rank(op, schedule.getInstr());
  for (auto [i, candidate] :
       llvm::enumerate(ArrayRef(candidates).take_front(kExplained)))
    emitCost(op,
             "candidate " + Twine(i + 1) + " of " + Twine(candidates.size()),
             candidate.schedule, candidate.cost);
}
