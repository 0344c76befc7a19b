//===- StageResults.cpp - lpgemm-stage-results ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferLayouts.h"
#include "lpgemm/Analysis/BankConflicts.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "lpgemm/Target/MmaInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_STAGERESULTSPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

/// The largest buffer of the kernel, or none.
static AllocOp findLargestBuffer(gpu::GPUFuncOp func) {
  AllocOp largest;
  func.walk([&](AllocOp op) {
    if (!largest ||
        getBufferBytes(op.getType()) > getBufferBytes(largest.getType()))
      largest = op;
  });
  return largest;
}

namespace {
/// Rewrites one store. The parts of the waves follow each other along the rows
/// of the tile, and along its columns.
class Stager {
public:
  Stager(StoreOp store, AllocOp buffer, ScheduleAttr schedule,
         const AMDGPUMachine &machine, RewriterBase &rewriter)
      : store(store), buffer(buffer), machine(machine),
        b(store.getLoc(), rewriter), part(store.getValue().getType()),
        waveRows(part.getDimSize(0)), wavesM(schedule.getWaves()[0]),
        cols(part.getDimSize(1) * schedule.getWaves()[1]) {
    b.setInsertionPoint(store);
  }

  LogicalResult run();

private:
  LogicalResult findRows();
  BufType getStageType();
  void waitForAll(ValueRange tokens);
  Value getSlot(Value stage, Value index);
  void createRound(Value stage, int64_t firstRow);

  StoreOp store;
  AllocOp buffer;
  const AMDGPUMachine &machine;
  ImplicitLocOpBuilder b;
  FragType part;
  int64_t waveRows, wavesM, cols;
  int64_t rows = 0; // of each wave at a time
};
} // namespace

/// As many rows of atoms as there is room for.
LogicalResult Stager::findRows() {
  int64_t unit = getMmaInfo(part.getLanes().getInstr())
                     .layout(part.getLanes().getRole(), part.getElementType())
                     .rows;
  int64_t room = buffer ? getBufferBytes(buffer.getType()) : 0;
  int64_t rowBits = wavesM * cols * part.getElementTypeBitWidth();
  rows = getStageRows(waveRows, unit, rowBits, room);
  if (rows != 0)
    return success();
  return store.emitOpError()
         << "expects a buffer of at least " << unit * rowBits / 8
         << " bytes with epilogue = staged, but the largest one of the kernel "
            "has "
         << room;
}

/// Slots for the rows of waves, unless all rows of the tile have room.
BufType Stager::getStageType() {
  SmallVector<int64_t> shape = {wavesM * rows, cols};
  if (rows != waveRows)
    shape = {wavesM, rows, cols};
  auto type = BufType::get(b.getContext(), shape, part.getElementType(),
                           MemorySpace::Shared, /*layout=*/SmemAttr());
  SmallVector<SmemAttr> candidates = {
      SmemAttr::get(b.getContext(), /*pad=*/0, std::gcd(16, getRowBytes(type)),
                    /*mask=*/0, /*shift=*/0)};
  for (int64_t unit : {16, 8, 4})
    addExchanges(type, unit, candidates);
  SmallVector<int64_t> conflicts =
      llvm::map_to_vector(candidates, [&](SmemAttr candidate) {
        return countStageConflicts(machine, candidate, cols, part.getLanes(),
                                   part.getElementType())
            .value_or(0);
      });
  auto *best = llvm::min_element(conflicts);
  return BufType::get(b.getContext(), shape, part.getElementType(),
                      MemorySpace::Shared,
                      candidates[best - conflicts.begin()]);
}

/// What this thread has issued, and then all others, is complete.
void Stager::waitForAll(ValueRange tokens) {
  WaitOp::create(b, tokens);
  BarrierOp::create(b);
}

Value Stager::getSlot(Value stage, Value index) {
  auto type = cast<BufType>(stage.getType());
  return SlotOp::create(
      b,
      cast<BufType>(
          type.cloneWith(type.getShape().drop_front(), type.getElementType())),
      stage, index);
}

/// Rows from `firstRow` on of the part of each wave.
void Stager::createRound(Value stage, int64_t firstRow) {
  // What was read of the buffer before.
  waitForAll({});
  bool isWhole = rows == waveRows;
  auto constant = [&](int64_t v) {
    return arith::ConstantIndexOp::create(b, v);
  };
  Value value = store.getValue(), dest = stage, row = store.getWaveRow();
  if (!isWhole) {
    auto slice = FragType::get(b.getContext(), {rows, part.getDimSize(1)},
                               part.getElementType(), part.getLanes());
    value = SliceOp::create(b, slice, value, /*col=*/0, firstRow);
    dest = getSlot(stage, arith::DivUIOp::create(b, row, constant(waveRows)));
    row = constant(0);
  }
  Value token = WriteOp::create(b, value, dest, row, store.getWaveCol());
  waitForAll(token);
  if (isWhole) {
    CopyOutOp::create(b, stage, store.getDest(), store.getRow(),
                      store.getCol());
    return;
  }
  for (int64_t wave = 0; wave != wavesM; ++wave) {
    Value first = arith::AddIOp::create(b, store.getRow(),
                                        constant(wave * waveRows + firstRow));
    CopyOutOp::create(b, getSlot(stage, constant(wave)), store.getDest(), first,
                      store.getCol());
  }
}

LogicalResult Stager::run() {
  Operation *parent = store->getParentOp();
  while (isa<scf::ForOp>(parent))
    parent = parent->getParentOp();
  if (!isa<gpu::GPUFuncOp>(parent))
    return store.emitOpError("expects to be executed by all waves, outside of "
                             "branches, with epilogue = staged");
  if (failed(findRows()))
    return failure();
  Value stage = ReuseOp::create(b, getStageType(), buffer);
  for (int64_t first = 0; first != waveRows; first += rows)
    createRound(stage, first);
  // The K tiles of the next tile of a persistent workgroup go there.
  if (isa<scf::ForOp>(store->getParentOp()))
    waitForAll({});
  store.erase();
  return success();
}

namespace {
struct StageResults : lpgemm::impl::StageResultsPassBase<StageResults> {
  LogicalResult stage(gpu::GPUFuncOp func) {
    auto schedule = func->getAttrOfType<ScheduleAttr>(kScheduleAttrName);
    if (!schedule || schedule.getEpilogue() == ResultPath::Direct)
      return success();
    TargetAttr target = lookupTarget(func);
    const TargetRecord *record =
        target ? lookupTargetRecord(target.getChip()) : nullptr;
    if (!record || !record->amdgpu)
      return func.emitOpError("expects an AMD GPU as its target with epilogue "
                              "= staged");
    AllocOp buffer = findLargestBuffer(func);
    SmallVector<StoreOp> stores;
    // Not of the scales of a result, which are few.
    func.walk([&](StoreOp op) {
      LanesAttr lanes = op.getValue().getType().getLanes();
      if (lanes && lanes.getRole() != MmaRole::CRow)
        stores.push_back(op);
    });
    IRRewriter rewriter(func.getContext());
    for (StoreOp store : stores)
      if (failed(
              Stager(store, buffer, schedule, *record->amdgpu, rewriter).run()))
        return failure();
    return success();
  }

  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>())
      if (failed(stage(func)))
        return signalPassFailure();
  }
};
} // namespace
