//===- StagedStore.cpp - registers to global memory by the copy engine ----===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Dialect/LPGEMM/Utils/SharedRows.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

// The warps of a wave have 16 of 64 rows of the accumulator each. These go to
// global memory in chunks of as many columns as the stage has (getChunkBytes),
// each by one bulk store, through parts of the stage that only this wave uses.
// The warps take turns to start the stores, as that takes longer than to fill a
// chunk. Where each warp is in another workgroup, it stores its rows alone.

namespace {
class StagedStore {
public:
  StagedStore(ImplicitLocOpBuilder &b, StagedStoreOp op, const RoleInfo &role,
              Value warp, ChunkSequence sequence,
              StagedStoreOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor);

  void build();

private:
  void buildChunk(int64_t grid, int64_t chunk, int64_t count);
  void buildAtOnce(int64_t chunks);
  void waitForPlace(int64_t count);
  void waitForAll();
  Value fill(int64_t grid, int64_t chunk, int64_t count);
  void fillByMatrices(int64_t place, int64_t first, int64_t atoms);
  void fillByPairs(int64_t place, int64_t first, int64_t atoms);
  void issue(Value place, int64_t grid, int64_t chunk, int64_t count);
  /// All that take part in a chunk.
  void synchronize();
  /// Whether this warp starts the store of a chunk.
  Value isStarter(int64_t count) {
    return isEqual(b, warpOfWave, count % kWaveWarps);
  }
  /// Registers `i` and `i` + 1, neighbours in a row, as one integer.
  Value getPair(int64_t i);
  Value toBits(Value vector, int64_t bits);
  Value getPtr(Value row, Value byte, int64_t behind);

  ImplicitLocOpBuilder &b;
  ChunkSequence sequence;
  RegisterTile tile;
  BufType stage;
  ValueRange values;
  bool isAlone;
  Value map, lane, wave, warpOfWave, firstPlace, firstPart, row, col; // i32
  Value entry; // i32, or null
  int64_t unitBytes, storedRows, places, perAtom;
};
} // namespace

StagedStore::StagedStore(
    ImplicitLocOpBuilder &b, StagedStoreOp op, const RoleInfo &role, Value warp,
    ChunkSequence sequence,
    StagedStoreOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor)
    : b(b), sequence(sequence), tile(op.getValue().getType()),
      stage(op.getStage().getType()), values(adaptor.getValue()),
      isAlone(ClusterShape(op).k > 1), map(adaptor.getMap().front()),
      lane(buildLane(b)), unitBytes(getUnitBytes(stage.getElementType())),
      storedRows(getStoredRows(isAlone)),
      places(stage.getDimSize(0) / (role.waves * kWaveRows)),
      perAtom(tile.getLayout().numElements()) {
  Value number = addI32(b, warp, constantI32(b, -role.getFirstWarp()));
  wave = divI32(b, number, kWaveWarps);
  warpOfWave = remI32(b, number, kWaveWarps);
  firstPlace = addI32(b, adaptor.getStage().front(),
                      mulI32(b, isAlone ? number : wave,
                             places * storedRows * getPitchBytes(stage)));
  firstPart =
      isAlone
          ? firstPlace
          : addI32(b, firstPlace,
                   mulI32(b, warpOfWave, kChunkRows * getPitchBytes(stage)));
  auto start = [&](Value position, Value wave) {
    return indexToI32(b, b.createOrFold<arith::AddIOp>(position, wave));
  };
  if (!adaptor.getEntry().empty())
    entry = indexToI32(b, adaptor.getEntry().front());
  row = start(op.getRow(), op.getWaveRow());
  if (isAlone)
    row = addI32(b, row, mulI32(b, warpOfWave, kChunkRows));
  col = start(op.getCol(), op.getWaveCol());
}

void StagedStore::synchronize() {
  // The first ones are those of the workgroup and its roles.
  constexpr int64_t kFirstBarrier = 8;
  if (isAlone)
    NVVM::SyncWarpOp::create(b, constantI32(b, -1));
  else
    NVVM::BarrierOp::create(
        b, /*res=*/Type(), addI32(b, wave, constantI32(b, kFirstBarrier)),
        constantI32(b, kWaveThreads), /*reductionOp=*/nullptr,
        /*reductionPredicate=*/Value());
}

void StagedStore::waitForAll() {
  NVVM::CpAsyncBulkWaitGroupOp::create(b, 0, b.getUnitAttr());
  synchronize();
}

/// Chunks take the places in turn, from the first one on for each tile. The
/// place of a chunk is free once the chunk that had it before, of this tile or
/// of the one before, is read. Where that one is not known the first chunk
/// waits for all. Threads that started no stores have none to wait for.
void StagedStore::waitForPlace(int64_t count) {
  if (sequence.total == 0 && count < places) {
    if (count == 0)
      waitForAll();
    return;
  }
  int64_t before = count - places;
  if (before < 0)
    before = count + (sequence.total - 1 - count) / places * places;
  if (isAlone) {
    int64_t pending = count - before - 1;
    if (pending < 0)
      pending += sequence.total;
    NVVM::CpAsyncBulkWaitGroupOp::create(b, pending, b.getUnitAttr());
  } else {
    buildIf(b, isStarter(before), [&] {
      NVVM::CpAsyncBulkWaitGroupOp::create(b, 0, b.getUnitAttr());
    });
  }
  synchronize();
}

Value StagedStore::toBits(Value vector, int64_t bits) {
  auto type = VectorType::get(1, b.getIntegerType(bits));
  return b.createOrFold<vector::ExtractOp>(
      b.createOrFold<vector::BitCastOp>(type, vector), int64_t(0));
}

/// The conversion to FP8 of which `code` is the only result.
static NVVM::ConvertF32x2ToF8x2Op lookupConversion(Value code) {
  auto bitcast = code.getDefiningOp<arith::BitcastOp>();
  auto byte = bitcast ? bitcast.getIn().getDefiningOp<arith::TruncIOp>()
                      : arith::TruncIOp();
  return byte ? byte.getIn().getDefiningOp<NVVM::ConvertF32x2ToF8x2Op>()
              : NVVM::ConvertF32x2ToF8x2Op();
}

/// Two numbers that were rounded one by one are rounded together: for that
/// there is one instruction.
Value StagedStore::getPair(int64_t i) {
  if (auto low = lookupConversion(values[i]),
      high = lookupConversion(values[i + 1]);
      low && high)
    return NVVM::ConvertF32x2ToF8x2Op::create(
        b, low.getType(), /*a=*/high.getB(), /*b=*/low.getB(), low.getRnd(),
        low.getSat(), low.getRelu(), low.getDstTy());
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

/// `behind` bytes behind a byte of a row of this warp in the first place.
/// Addresses that are a constant apart have a register in common: it is the
/// same for all tiles of the result, and so lives across the K loop.
Value StagedStore::getPtr(Value row, Value byte, int64_t behind) {
  Value offset = buildTileOffset(b, stage, row, byte);
  Value ptr = buildSharedPtr(b, addI32(b, firstPart, offset));
  return LLVM::GEPOp::create(b, ptr.getType(), b.getI8Type(), ptr,
                             LLVM::GEPArg(behind));
}

/// 16 rows by 16 columns of 2 bytes for each instruction: matrices of rows 0
/// and 8 of one atom, then of the next one, if there is one. Lane l gives the
/// address of row l % 16, of the left half or the right one.
void StagedStore::fillByMatrices(int64_t place, int64_t first, int64_t atoms) {
  Value row = remI32(b, lane, kChunkRows);
  Value half = mulI32(b, divI32(b, lane, kChunkRows), 16);
  for (int64_t atom = 0; atom < atoms; atom += 2) {
    SmallVector<Value> matrices;
    int64_t count = std::min<int64_t>(2, atoms - atom) * perAtom;
    for (int64_t i = 0; i != count; i += 2)
      matrices.push_back(getPair(first + atom * perAtom + i));
    Value byte = addI32(b, half, constantI32(b, atom * 16));
    NVVM::StMatrixOp::create(
        b, getPtr(row, byte, place), matrices, NVVM::MMALayout::row,
        NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
        NVVM::LdStMatrixEltType::B16);
  }
}

/// The swizzle depends on the row in its period, and exchanges whole pieces.
void StagedStore::fillByPairs(int64_t place, int64_t first, int64_t atoms) {
  const LaneLayout &layout = tile.getLayout();
  SmemAttr swizzle = stage.getLayout();
  int64_t period = (swizzle.getMask() + 1) << swizzle.getShift();
  int64_t atomBytes = layout.cols * unitBytes;
  int64_t pieceAtoms = std::max<int64_t>(swizzle.getUnit() / atomBytes, 1);
  Value row = divI32(b, lane, layout.innerLanes);
  Value byte = mulI32(b, remI32(b, lane, layout.innerLanes),
                      layout.laneStride * unitBytes);
  for (int64_t atom = 0; atom != atoms; ++atom)
    for (int64_t e = 0; e != perAtom; e += layout.chunkLen) {
      int64_t chunk = layout.chunkStart[e / layout.chunkLen];
      int64_t inPiece = atom % pieceAtoms, inPeriod = chunk % period;
      Value ptr =
          getPtr(addI32(b, row, constantI32(b, inPeriod)),
                 addI32(b, byte, constantI32(b, (atom - inPiece) * atomBytes)),
                 place + (chunk - inPeriod) * getPitchBytes(stage) +
                     inPiece * atomBytes);
      LLVM::StoreOp::create(b, getPair(first + atom * perAtom + e), ptr);
    }
}

/// A bulk group of the lane that starts it.
void StagedStore::issue(Value place, int64_t grid, int64_t chunk,
                        int64_t count) {
  Value isHere = isEqual(b, lane, 0);
  if (!isAlone)
    isHere = arith::AndIOp::create(b, isHere, isStarter(count));
  buildIf(b, isHere, [&] {
    int64_t rows = tile.getLayout().rows;
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

/// The rows of this warp. Gives the place of the chunk.
Value StagedStore::fill(int64_t grid, int64_t chunk, int64_t count) {
  int64_t atoms = stage.getDimSize(1) / tile.getLayout().cols;
  int64_t first = (grid * tile.getGridCols() + chunk * atoms) * perAtom;
  int64_t place = count % places * storedRows * getPitchBytes(stage);
  if (unitBytes == 2)
    fillByMatrices(place, first, atoms);
  else
    fillByPairs(place, first, atoms);
  return addI32(b, firstPlace, constantI32(b, place));
}

void StagedStore::buildChunk(int64_t grid, int64_t chunk, int64_t count) {
  waitForPlace(count);
  Value place = fill(grid, chunk, count);
  buildProxyFence(b);
  synchronize();
  issue(place, grid, chunk, count);
}

/// Each chunk of a tile has a place of its own, and none waits for another.
/// Those of the tile before are long read.
void StagedStore::buildAtOnce(int64_t chunks) {
  if (sequence.first == 0)
    waitForAll();
  SmallVector<Value> filled;
  for (int64_t i = 0; i != tile.getGridRows() * chunks; ++i)
    filled.push_back(fill(i / chunks, i % chunks, sequence.first + i));
  buildProxyFence(b);
  synchronize();
  for (auto [i, place] : llvm::enumerate(filled))
    issue(place, i / chunks, i % chunks, sequence.first + i);
}

void StagedStore::build() {
  int64_t chunks =
      tile.getGridCols() * tile.getLayout().cols / stage.getDimSize(1);
  if (sequence.total != 0 && sequence.total <= places)
    return buildAtOnce(chunks);
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
