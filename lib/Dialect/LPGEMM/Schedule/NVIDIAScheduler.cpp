//===- NVIDIAScheduler.cpp - schedules for NVIDIA GPUs --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVIDIALimits.h"
#include "lpgemm/Dialect/LPGEMM/Schedule/Scheduler.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::lpgemm;

// What the model chooses among. Rows of 64 are those of the instruction; 64
// columns of 16 bits are one chunk of a result on its way through shared memory
// and half a block of scales. Narrower tiles are for grids that would leave
// multiprocessors without one.
static constexpr int64_t kTileRows[] = {64, 128, 256};
static constexpr int64_t kTileColumns[] = {16,  32,  48,  64,  80,  96,  112,
                                           128, 160, 176, 192, 208, 224, 256};
// Of these, for chains of sums only: waves that promote 48 columns take as long
// as with 64 (M of 85 and 128). 80 and 96 fill one round where M is 96 to 128,
// and only with as many rows: beside 64 rows they take a third longer than the
// model says (M of 80 to 116).
static constexpr int64_t kChainColumns[] = {48, 80, 96};
static constexpr int64_t kWaves[] = {2, 1};
static constexpr int64_t kClusters[][2] = {{1, 1}, {2, 1}, {1, 2}};
static constexpr int64_t kSplits[] = {2, 4, 8};
// K tiles of a multiprocessor from which on clusters are considered.
static constexpr int64_t kClusterTiles = 100;
// A split must promise something, for what the model does not know of it, and
// so must a tile that leaves other values less than half of the registers.
static constexpr double kSplitMargin = 1.05, kLargeMargin = 1.004;
static constexpr int64_t kMinStages = 3, kMaxStages = 12;
// The loops that copy need no more.
static constexpr int64_t kLoadRegisters = 40;
// So that the wait for the next K tile overlaps the promotion of this one; the
// larger one where K is so long that no part of the last iteration is empty.
static constexpr int64_t kPromotedUnroll = 4, kLongUnroll = 8, kLongTiles = 32;
// Scales of a byte, which are powers of two, multiply each sum twice: of
// several K tiles ptxas has so many products on their way that it spills some.
static constexpr int64_t kPowersUnroll = 1;
// Where tiles are of an entry of a batch, workgroups are not persistent, and
// ptxas spills what addresses take with more K tiles: 12 to 304 bytes.
static constexpr int64_t kBatchUnroll = 2;

namespace {
struct Candidate {
  ScheduleAttr schedule;
  ScheduleCost cost;
  double margin;

  /// Memory may hide work: then the one with less of it. A cluster must gain
  /// something. What follows makes the order total.
  auto getKey() const {
    return std::make_tuple(margin * cost.getTotal(), cost.work,
                           schedule.getClusterSize(), -schedule.getNumWaves(),
                           schedule.getTileM(), schedule.getTileN(),
                           schedule.getClusterN());
  }
  bool operator<(const Candidate &other) const {
    return getKey() < other.getKey();
  }
};

class NVIDIAScheduler : public Scheduler {
public:
  explicit NVIDIAScheduler(const TargetRecord &record) : Scheduler(record) {}

protected:
  ScheduleAttr choose(MatmulOp op, MmaInstr instr,
                      const MmaOperands &operands) const override;
  LogicalResult verify(MatmulOp op, ScheduleAttr schedule,
                       const MmaOperands &operands) const override;
  void explain(MatmulOp op, ScheduleAttr schedule,
               const MmaOperands &operands) const override;

private:
  CostModel getModel(MatmulOp op, MmaInstr instr,
                     const MmaOperands &operands) const {
    const NVIDIAMachine &machine = *record.nvidia;
    return {ProductTraits::describe(op, instr, operands, machine), machine};
  }
};

/// Lists what fits the machine and the product.
class Enumerator {
public:
  Enumerator(MLIRContext *context, MmaInstr instr, const CostModel &model)
      : context(context), instr(instr), model(model) {}

  /// The best one first.
  SmallVector<Candidate> run();

private:
  void addTile(int64_t m, int64_t n);
  void addSplits(int64_t m, int64_t n, int64_t waves);
  void add(int64_t m, int64_t n, int64_t waves, ArrayRef<int64_t> cluster,
           int64_t splitK = 1);
  ScheduleAttr build(int64_t m, int64_t n, int64_t waves,
                     ArrayRef<int64_t> cluster, int64_t splitK, int64_t stages,
                     int64_t raster) const;

  MLIRContext *context;
  MmaInstr instr;
  const CostModel &model;
  SmallVector<Candidate> candidates;
};
} // namespace

std::unique_ptr<Scheduler>
lpgemm::createNVIDIAScheduler(const TargetRecord &record) {
  return std::make_unique<NVIDIAScheduler>(record);
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

static int64_t getPromotedUnroll(const ProductTraits &product, int64_t kTiles) {
  bool isLong = kTiles >= kLongTiles && kTiles % kLongUnroll == 0;
  bool hasPowers = product.lhsScaleBytes == 1 || product.rhsScaleBytes == 1;
  return std::min(hasPowers           ? kPowersUnroll
                  : product.isBatched ? kBatchUnroll
                  : isLong            ? kLongUnroll
                                      : kPromotedUnroll,
                  kTiles);
}

ScheduleAttr Enumerator::build(int64_t m, int64_t n, int64_t waves,
                               ArrayRef<int64_t> cluster, int64_t splitK,
                               int64_t stages, int64_t raster) const {
  const ProductTraits &product = model.getProduct();
  int64_t k = kSwizzleBytes / product.elementBytes;
  bool isAlone = cluster[0] * cluster[1] == 1;
  int64_t kTiles = llvm::divideCeil(product.k, k);
  int64_t unroll = product.isPromoted ? getPromotedUnroll(product, kTiles) : 1;
  return ScheduleAttr::get(
      context, {m, n, k}, {waves, 1}, instr,
      HomesAttr::get(context, Home::Shared, Home::Shared), stages,
      getRoles(context, model.getMachine(), waves, kLoadRegisters),
      isAlone ? ArrayRef<int64_t>() : cluster, raster,
      /*persistent=*/!product.isBatched && splitK == 1, unroll, splitK);
}

/// As many stages as fit: more in flight never cost time.
void Enumerator::add(int64_t m, int64_t n, int64_t waves,
                     ArrayRef<int64_t> cluster, int64_t splitK) {
  for (int64_t stages = kMaxStages; stages >= kMinStages; --stages) {
    ScheduleAttr schedule =
        build(m, n, waves, cluster, splitK, stages, /*raster=*/1);
    if (!fits(model, schedule))
      continue;
    int64_t raster = model.getRaster(schedule);
    schedule = build(m, n, waves, cluster, splitK, stages, raster);
    double margin = splitK > 1            ? kSplitMargin
                    : model.isLarge(m, n) ? kLargeMargin
                                          : 1;
    candidates.push_back({schedule, model.estimate(schedule), margin});
    return;
  }
}

/// Where all parts of all tiles run at once, and none is empty.
void Enumerator::addSplits(int64_t m, int64_t n, int64_t waves) {
  const ProductTraits &product = model.getProduct();
  int64_t tiles = llvm::divideCeil(product.m, m) *
                  llvm::divideCeil(product.n, n) * product.batch;
  int64_t kTiles =
      llvm::divideCeil(product.k, kSwizzleBytes / product.elementBytes);
  for (int64_t splitK : kSplits)
    if (!product.hasDynamicGrid && splitK <= kTiles &&
        tiles <= model.getHeldClusters(splitK))
      add(m, n, waves, /*cluster=*/{1, 1}, splitK);
}

/// Large tiles are fewer, and may go into rounds worse: only where the rounds
/// are known. What they gain was measured with operands of a byte.
void Enumerator::addTile(int64_t m, int64_t n) {
  const ProductTraits &product = model.getProduct();
  bool isLarge = model.isLarge(m, n);
  if (isLarge && (product.hasDynamicGrid || product.elementBytes != 1))
    return;
  int64_t rows = llvm::divideCeil(product.m, m);
  int64_t columns = llvm::divideCeil(product.n, n);
  int64_t atom = getMmaInfo(instr).m;
  // The workgroups of a cluster wait for each other at the start and at the
  // end.
  int64_t kTiles =
      llvm::divideCeil(product.k, kSwizzleBytes / product.elementBytes);
  bool isLong =
      !isLarge && rows * columns * product.batch * kTiles >=
                      kClusterTiles * model.getMachine().multiprocessors;
  for (int64_t waves : kWaves) {
    if (m % (waves * atom) != 0)
      continue;
    for (ArrayRef<int64_t> cluster : kClusters)
      if (cluster[0] <= rows && cluster[1] <= columns &&
          (cluster[0] * cluster[1] == 1 || isLong))
        add(m, n, waves, cluster);
    addSplits(m, n, waves);
  }
}

/// Whether the model knows tiles of so many rows and columns.
static bool isModeled(int64_t m, int64_t n) {
  return m >= 128 || (n != 80 && n != 96);
}

/// Whether a smaller extent than `extents[i]` already holds all of `needed`.
static bool isTooLarge(ArrayRef<int64_t> extents, size_t i, int64_t needed) {
  return i > 0 && extents[i - 1] >= needed;
}

SmallVector<Candidate> Enumerator::run() {
  const ProductTraits &product = model.getProduct();
  SmallVector<int64_t> columns(ArrayRef<int64_t>{kTileColumns});
  if (product.isPromoted)
    llvm::erase_if(columns, [](int64_t n) {
      return llvm::is_contained(kChainColumns, n);
    });
  for (auto [i, m] : llvm::enumerate(kTileRows))
    for (auto [j, n] : llvm::enumerate(columns))
      if (!isTooLarge(kTileRows, i, product.m) &&
          !isTooLarge(columns, j, product.n) && isModeled(m, n))
        addTile(m, n);
  llvm::sort(candidates);
  return std::move(candidates);
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

ScheduleAttr NVIDIAScheduler::choose(MatmulOp op, MmaInstr instr,
                                     const MmaOperands &operands) const {
  CostModel model = getModel(op, instr, operands);
  return Enumerator(op.getContext(), instr, model).run().front().schedule;
}

LogicalResult NVIDIAScheduler::verify(MatmulOp op, ScheduleAttr schedule,
                                      const MmaOperands &operands) const {
  CostModel model = getModel(op, schedule.getInstr(), operands);
  return verifyNVIDIASchedule(op, schedule, model, record.chip);
}

static void emitCost(MatmulOp op, StringRef what, ScheduleAttr schedule,
                     const ScheduleCost &cost) {
  op.emitRemark() << "schedule: " << what << ": " << schedule
                  << llvm::formatv(
                         ": {0:f0} cycles; {1} tiles in {2:f2} rounds; a K "
                         "tile {3:f0} (tensor {4:f0}, shared memory {5:f0}, L2 "
                         "{6:f0}, turn {7:f0}), power {8:f0}, exchange {9:f0}, "
                         "epilogue {10:f0}; device memory {11:f0}",
                         cost.getTotal(), cost.tiles, cost.rounds,
                         cost.getKTile(1), cost.tensor, cost.shared, cost.l2,
                         cost.turn, cost.power, cost.exchange, cost.epilogue,
                         cost.memory)
                         .str();
}

void NVIDIAScheduler::explain(MatmulOp op, ScheduleAttr schedule,
                              const MmaOperands &operands) const {
  CostModel model = getModel(op, schedule.getInstr(), operands);
  Enumerator enumerator(op.getContext(), schedule.getInstr(), model);
  emitCost(op, "taken", schedule, model.estimate(schedule));
  for (auto [i, candidate] : llvm::enumerate(enumerator.run()))
    emitCost(op, ("candidate " + Twine(i + 1)).str(), candidate.schedule,
             candidate.cost);
}
