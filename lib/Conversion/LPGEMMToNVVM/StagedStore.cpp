//===- StagedStore.cpp - registers to global memory by the copy engine ----===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

// A warp has 16 rows of each 64 of the accumulator. They go to global memory
// in chunks of as many columns as the stage has, each by one bulk store of the
// warp's lane 0, through parts of the stage that only this warp uses.

static constexpr int64_t kChunkRows = 16;

namespace {
class StagedStore {
public:
  StagedStore(ImplicitLocOpBuilder &b, StagedStoreOp op, const RoleInfo &role,
              Value warp, ChunkSequence sequence,
              StagedStoreOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor);

  void build();

private:
  void buildChunk(int64_t grid, int64_t chunk, int64_t count);
  void waitForPlace(int64_t count);
  void fillByMatrices(Value place, int64_t first, int64_t atoms);
  void fillByPairs(Value place, int64_t first, int64_t atoms);
  void issue(Value place, int64_t grid, int64_t chunk);
  /// Registers `i` and `i` + 1, neighbours in a row, as one integer.
  Value getPair(int64_t i);
  Value toBits(Value vector, int64_t bits);
  Value getPtr(Value place, Value row, Value byte) {
    return buildSharedPtr(
        b, addI32(b, place, buildTileOffset(b, stage, row, byte)));
  }

  ImplicitLocOpBuilder &b;
  ChunkSequence sequence;
  RegisterTile tile;
  BufType stage;
  ValueRange values;
  Value map, lane, isLeader, warpStage, row, col; // i32
  Value entry;                                    // i32, or null
  int64_t unitBytes, places, perAtom;
};
} // namespace

StagedStore::StagedStore(
    ImplicitLocOpBuilder &b, StagedStoreOp op, const RoleInfo &role, Value warp,
    ChunkSequence sequence,
    StagedStoreOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor)
    : b(b), sequence(sequence), tile(op.getValue().getType()),
      stage(op.getStage().getType()), values(adaptor.getValue()),
      map(adaptor.getMap().front()), lane(buildLane(b)),
      isLeader(isEqual(b, lane, 0)),
      unitBytes(getUnitBytes(stage.getElementType())),
      perAtom(tile.getLayout().numElements()) {
  int64_t rows = stage.getDimSize(0) / (role.waves * kWaveWarps);
  places = rows / kChunkRows;
  Value number = addI32(b, warp, constantI32(b, -role.getFirstWarp()));
  warpStage = addI32(b, adaptor.getStage().front(),
                     mulI32(b, number, rows * getPitchBytes(stage)));
  auto start = [&](Value position, Value wave) {
    return indexToI32(b, b.createOrFold<arith::AddIOp>(position, wave));
  };
  if (!adaptor.getEntry().empty())
    entry = indexToI32(b, adaptor.getEntry().front());
  row = addI32(b, start(op.getRow(), op.getWaveRow()),
               mulI32(b, remI32(b, number, kWaveWarps), kChunkRows));
  col = start(op.getCol(), op.getWaveCol());
}

/// Chunks take the places in turn, from the first one on for each tile. The
/// place of a chunk is free once the chunk that had it before, of this tile or
/// of the one before, is read, and so all but those behind it. Where that one
/// is not known the first chunk waits for all. Lanes other than the leader have
/// no stores to wait for.
void StagedStore::waitForPlace(int64_t count) {
  int64_t pending = 0;
  if (count >= places)
    pending = places - 1;
  else if (sequence.total != 0)
    pending = (sequence.total - 1 - count) % places + count;
  else if (count != 0)
    return;
  NVVM::CpAsyncBulkWaitGroupOp::create(b, pending, b.getUnitAttr());
  NVVM::SyncWarpOp::create(b, constantI32(b, -1));
}

Value StagedStore::toBits(Value vector, int64_t bits) {
  auto type = VectorType::get(1, b.getIntegerType(bits));
  return b.createOrFold<vector::ExtractOp>(
      b.createOrFold<vector::BitCastOp>(type, vector), int64_t(0));
}

/// Two numbers that were rounded one by one are rounded together: for that
/// there is one instruction.
Value StagedStore::getPair(int64_t i) {
  SmallVector<Value, 2> pair = {values[i], values[i + 1]};
  auto join = [&](ValueRange parts) -> Value {
    auto type = VectorType::get(2, parts.front().getType());
    return vector::FromElementsOp::create(b, type, parts);
  };
  auto first = pair[0].getDefiningOp<arith::TruncFOp>(),
       second = pair[1].getDefiningOp<arith::TruncFOp>();
  if (first && second && first.getIn().getType().isF32() &&
      second.getIn().getType().isF32()) {
    auto type = VectorType::get(2, pair[0].getType());
    Value rounded =
        arith::TruncFOp::create(b, type, join({first.getIn(), second.getIn()}));
    return toBits(rounded, 32);
  }
  Type bits = b.getIntegerType(8 * unitBytes);
  for (Value &value : pair)
    value = b.createOrFold<arith::BitcastOp>(bits, value);
  return toBits(join(pair), 16 * unitBytes);
}

/// 16 rows by 16 columns of 2 bytes for each instruction: matrices of rows 0
/// and 8 of one atom, then of the next one. Lane l gives the address of row
/// l % 16, of the left half or the right one.
void StagedStore::fillByMatrices(Value place, int64_t first, int64_t atoms) {
  Value row = remI32(b, lane, kChunkRows);
  Value half = mulI32(b, divI32(b, lane, kChunkRows), 16);
  for (int64_t atom = 0; atom != atoms; atom += 2) {
    SmallVector<Value> matrices;
    for (int64_t i = 0; i != 2 * perAtom; i += 2)
      matrices.push_back(getPair(first + atom * perAtom + i));
    Value byte = addI32(b, half, constantI32(b, atom * 16));
    NVVM::StMatrixOp::create(
        b, getPtr(place, row, byte), matrices, NVVM::MMALayout::row,
        NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
        NVVM::LdStMatrixEltType::B16);
  }
}

void StagedStore::fillByPairs(Value place, int64_t first, int64_t atoms) {
  const LaneLayout &layout = tile.getLayout();
  Value row = divI32(b, lane, layout.innerLanes);
  Value byte = mulI32(b, remI32(b, lane, layout.innerLanes),
                      layout.laneStride * unitBytes);
  for (int64_t atom = 0; atom != atoms; ++atom)
    for (int64_t e = 0; e != perAtom; e += layout.chunkLen) {
      int64_t chunk = layout.chunkStart[e / layout.chunkLen];
      Value ptr = getPtr(
          place, addI32(b, row, constantI32(b, chunk)),
          addI32(b, byte, constantI32(b, atom * layout.cols * unitBytes)));
      LLVM::StoreOp::create(b, getPair(first + atom * perAtom + e), ptr);
    }
}

void StagedStore::issue(Value place, int64_t grid, int64_t chunk) {
  int64_t rows = tile.getLayout().rows;
  buildProxyFence(b);
  NVVM::SyncWarpOp::create(b, constantI32(b, -1));
  buildIf(b, isLeader, [&] {
    Value y = addI32(b, row, constantI32(b, grid * rows));
    Value x = addI32(b, col, constantI32(b, chunk * stage.getDimSize(1)));
    SmallVector<Value> position = {x, y};
    if (entry)
      position.push_back(entry);
    NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
        b, map, buildSharedPtr(b, place), position,
        /*l2CacheHint=*/Value(), NVVM::TMAStoreMode::TILE,
        /*predicate=*/Value());
    NVVM::CpAsyncBulkCommitGroupOp::create(b);
  });
}

void StagedStore::buildChunk(int64_t grid, int64_t chunk, int64_t count) {
  int64_t atoms = stage.getDimSize(1) / tile.getLayout().cols;
  int64_t first = (grid * tile.getGridCols() + chunk * atoms) * perAtom;
  int64_t bytes = kChunkRows * getPitchBytes(stage);
  Value place = addI32(b, warpStage, constantI32(b, count % places * bytes));
  waitForPlace(count);
  if (unitBytes == 2)
    fillByMatrices(place, first, atoms);
  else
    fillByPairs(place, first, atoms);
  issue(place, grid, chunk);
}

void StagedStore::build() {
  int64_t chunks =
      tile.getGridCols() * tile.getLayout().cols / stage.getDimSize(1);
  for (int64_t grid = 0; grid != tile.getGridRows(); ++grid)
    for (int64_t chunk = 0; chunk != chunks; ++chunk)
      buildChunk(grid, chunk, sequence.first + grid * chunks + chunk);
}

namespace {
struct StagedStorePattern : OpConversionPattern<StagedStoreOp> {
  StagedStorePattern(const TypeConverter &converter, MLIRContext *context,
                     TilePlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(StagedStoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    StagedStore(b, op, plan.getRole(op), plan.getWarp(op), plan.getChunks(op),
                adaptor)
        .build();
    rewriter.eraseOp(op);
    return success();
  }

  TilePlan &plan;
};
} // namespace

void nvvm::populateStagedStorePattern(const TypeConverter &converter,
                                      RewritePatternSet &patterns,
                                      TilePlan &plan) {
  patterns.add<StagedStorePattern>(converter, patterns.getContext(), plan);
}
