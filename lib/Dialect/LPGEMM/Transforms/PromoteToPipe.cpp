//===- PromoteToPipe.cpp - operands through rings of slots ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PromoteToPipe.h"

#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "lpgemm/Dialect/LPGEMM/Utils/SharedRows.h"
#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// Loads of parts of one tile of the workgroup, which goes through a buffer.
struct Tile {
  SmallVector<LoadOp> loads;
  int64_t extent;     // rows of the tile
  int64_t rows, cols; // of a slot
  int64_t copied = 0; // rows of a slot that the matrix may have
  Value buffer;

  LoadOp first() { return loads.front(); }
};
} // namespace

/// Of a wave, which is a warpgroup.
static constexpr int64_t kWaveWarps = 4;

//===----------------------------------------------------------------------===//
// What goes through the ring
//===----------------------------------------------------------------------===//

static LoadOp findLoad(Value value) {
  while (auto slice = value.getDefiningOp<SliceOp>())
    value = slice.getSource();
  return value.getDefiningOp<LoadOp>();
}

/// Whether `load` reads the tile of the workgroup that `other` reads.
static bool isOfSameTile(LoadOp load, LoadOp other) {
  return load.getSource() == other.getSource() &&
         load.getRow() == other.getRow() && load.getCol() == other.getCol() &&
         load.getTranspose() == other.getTranspose() &&
         load.getRowBlock() == other.getRowBlock();
}

/// Rows of the source of which tiles of `extent` rows have a part, if tiles
/// start at multiples of their extent and a row of the source serves `block`.
static int64_t countBlocks(int64_t extent, int64_t block) {
  int64_t unit = std::gcd(extent, block);
  return (extent + block - 2 * unit) / block + 1;
}

/// `limit` is how many rows from the start of the tile the matrix may have.
static void addLoad(LoadOp load, int64_t extent, int64_t limit,
                    SmallVectorImpl<Tile> &tiles) {
  Tile *tile = llvm::find_if(
      tiles, [&](Tile &other) { return isOfSameTile(load, other.first()); });
  if (tile == tiles.end()) {
    int64_t cols = load.getResult().getType().getDimSize(1);
    tiles.push_back({{}, /*extent=*/0, /*rows=*/0, cols});
    tile = &tiles.back();
  }
  // One matrix may be both operands.
  tile->extent = std::max(tile->extent, extent);
  tile->rows = countBlocks(tile->extent, load.getRowBlock());
  tile->copied = std::min(tile->rows, std::max(tile->copied, limit));
  if (!llvm::is_contained(tile->loads, load))
    tile->loads.push_back(load);
}

/// A slot has the whole K tile, for all waves.
static bool startsAtTile(LoadOp load) {
  Value wave = load.getTranspose() ? load.getWaveRow() : load.getWaveCol();
  return matchPattern(wave, m_Zero());
}

/// Whether scales go through the ring: one for a whole block of rows, or a
/// column of them that is contiguous in memory, of elements that the copy
/// engine takes. Others are loaded by the threads that use them.
static bool goesThroughRing(LoadOp scales) {
  FragType type = scales.getResult().getType();
  bool isColumn = scales.getTranspose() && type.getElementType().isF32();
  return type.getDimSize(1) == 1 && startsAtTile(scales) &&
         scales.getSource().getType().getLayout() == ScaleLayout::Row &&
         (isColumn || scales.getRowBlock() > 1);
}

/// How many rows of a tile of lhs are copied: whole groups of a swizzle for
/// each workgroup that has a part in the copy, where the kernel has one row of
/// tiles.
static FailureOr<int64_t> countLhsRows(gpu::GPUFuncOp func,
                                       ScheduleAttr schedule) {
  FailureOr<std::optional<KernelInterface>> interface =
      KernelInterface::lookup(func);
  if (failed(interface))
    return failure();
  if (!*interface)
    return schedule.getTileM();
  int64_t rows = (*interface)->getLargest("M");
  return llvm::alignTo(std::min(rows, schedule.getTileM()),
                       kSwizzleRows * schedule.getClusterN());
}

/// The tiles that the products and promotions of `loop` take.
static FailureOr<SmallVector<Tile>>
collectTiles(scf::ForOp loop, ScheduleAttr schedule, int64_t lhsRows) {
  SmallVector<Tile> tiles;
  auto addOperand = [&](MmaOp op, Value operand, StringRef name, int64_t rows,
                        int64_t limit) -> LogicalResult {
    LoadOp load = findLoad(operand);
    if (!load || load->getBlock() != loop.getBody())
      return op.emitOpError()
             << "expects " << name << " to be loaded in the same loop";
    if (!startsAtTile(load))
      return load.emitOpError("expects all waves to load from the same "
                              "position along K");
    addLoad(load, rows, limit, tiles);
    return success();
  };
  auto addScales = [&](Value scales, int64_t rows) {
    LoadOp load = scales ? findLoad(scales) : LoadOp();
    if (load && load->getBlock() == loop.getBody() && goesThroughRing(load))
      addLoad(load, rows, /*limit=*/rows, tiles);
  };
  for (auto op : loop.getOps<MmaOp>())
    if (failed(addOperand(op, op.getA(), "a", schedule.getTileM(), lhsRows)) ||
        failed(addOperand(op, op.getB(), "b", schedule.getTileN(),
                          schedule.getTileN())))
      return failure();
  for (auto op : loop.getOps<PromoteOp>()) {
    addScales(op.getSa(), schedule.getTileM());
    addScales(op.getSb(), schedule.getTileN());
  }
  return tiles;
}

//===----------------------------------------------------------------------===//
// Rewriting of a K loop
//===----------------------------------------------------------------------===//

namespace {
class RingBuilder {
public:
  RingBuilder(gpu::GPUFuncOp func, ScheduleAttr schedule, scf::ForOp loop,
              SmallVector<Tile> tiles)
      : func(func), schedule(schedule), loop(loop), tiles(std::move(tiles)),
        b(func.getContext()), loc(loop.getLoc()) {}

  LogicalResult run();

private:
  LogicalResult createBuffers();
  void carrySlot();
  LogicalResult createCopies();
  void replaceLoads(Tile &tile);
  void replaceMma(MmaOp op);
  Value createView(Value operand);
  void releaseSlot();
  Value constant(int64_t v) {
    return arith::ConstantIndexOp::create(b, loc, v);
  }

  gpu::GPUFuncOp func;
  ScheduleAttr schedule;
  scf::ForOp loop;
  SmallVector<Tile> tiles;
  IRRewriter b;
  Location loc;
  Value pipe, slot;
};
} // namespace

LogicalResult RingBuilder::createBuffers() {
  b.setInsertionPointToStart(&func.getBody().front());
  for (Tile &tile : tiles) {
    LoadOp load = tile.first();
    auto type = BufType::getChecked(
        [&] { return load.emitOpError(); }, b.getContext(),
        {schedule.getStages(), tile.rows, tile.cols},
        load.getResult().getType().getElementType(), MemorySpace::Shared,
        /*layout=*/SmemAttr());
    if (!type)
      return failure();
    tile.buffer = AllocOp::create(b, loc, type, /*offset=*/IntegerAttr());
  }
  pipe = PipeOp::create(b, loc,
                        PipeType::get(b.getContext(), schedule.getStages()),
                        /*cluster=*/schedule.sharesCopies(),
                        /*exchange=*/false, /*offset=*/IntegerAttr());
  return success();
}

/// The slot that is next goes through all loops around the K loop, so that the
/// ring goes on where the tile before left it.
void RingBuilder::carrySlot() {
  SmallVector<scf::ForOp> loops; // from the inside out
  for (Operation *op = loop; !isa<RolesOp>(op); op = op->getParentOp())
    if (auto outer = dyn_cast<scf::ForOp>(op))
      loops.push_back(outer);
  Region &role = *loops.back()->getParentRegion();
  b.setInsertionPointToStart(&role.front());
  slot = PipeStartOp::create(b, loc, SlotType::get(b.getContext()));
  // What an inner loop gives is what its parent yields.
  for (scf::ForOp &outer : llvm::reverse(loops)) {
    bool isInnermost = outer == loop;
    auto replaced = cast<scf::ForOp>(*outer.replaceWithAdditionalYields(
        b, slot, /*replaceInitOperandUsesInLoop=*/false,
        [](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
          return SmallVector<Value>{args[0]};
        }));
    slot = replaced.getRegionIterArgs().back();
    if (isInnermost)
      loop = replaced;
    outer = replaced;
  }
  for (size_t i = 1; i != loops.size(); ++i) {
    Operation *yield = loops[i].getBody()->getTerminator();
    yield->setOperand(yield->getNumOperands() - 1,
                      loops[i - 1]->getResults().back());
  }
}

/// At the start of the loop's body, with their positions in front.
LogicalResult RingBuilder::createCopies() {
  Operation *first = &loop.getBody()->front();
  for (Tile &tile : tiles) {
    LoadOp load = tile.first();
    Value position[] = {load.getSource(), load.getRow(), load.getCol()};
    if (failed(moveValueDefinitions(b, position, first)))
      return load.emitOpError("expects a position that can be computed at the "
                              "start of its loop");
  }
  b.setInsertionPoint(first);
  Value zero = constant(0);
  PipeAcquireOp::create(b, loc, pipe, slot);
  for (Tile &tile : tiles) {
    LoadOp load = tile.first();
    auto type = cast<BufType>(tile.buffer.getType());
    auto view = ViewOp::create(
        b, load.getLoc(),
        BufType::get(b.getContext(), {tile.copied, tile.cols},
                     type.getElementType(), type.getSpace(), SmemAttr()),
        tile.buffer, slot, zero, /*col=*/0);
    PipeCopyOp::create(b, load.getLoc(), load.getSource(), load.getRow(),
                       load.getCol(), view, CopyEngine::Threads, pipe, slot,
                       load.getTranspose(), load.getRowBlock());
  }
  PipeCommitOp::create(b, loc, pipe, slot);
  PipeAwaitOp::create(b, loc, pipe, slot);
  return success();
}

/// The part of a slot that `operand`, a load or a part of one, stands for.
Value RingBuilder::createView(Value operand) {
  int64_t row = 0, col = 0;
  auto type = cast<FragType>(operand.getType());
  while (auto slice = operand.getDefiningOp<SliceOp>()) {
    row += slice.getRow();
    col += slice.getCol();
    operand = slice.getSource();
  }
  auto load = operand.getDefiningOp<LoadOp>();
  Tile &tile = *llvm::find_if(
      tiles, [&](Tile &t) { return llvm::is_contained(t.loads, load); });
  auto buffer = cast<BufType>(tile.buffer.getType());
  Value start = load.getTranspose() ? load.getWaveCol() : load.getWaveRow();
  if (row != 0)
    start = arith::AddIOp::create(b, load.getLoc(), start, constant(row));
  return ViewOp::create(b, load.getLoc(),
                        BufType::get(b.getContext(), type.getShape(),
                                     type.getElementType(), buffer.getSpace(),
                                     SmemAttr()),
                        tile.buffer, slot, start, col);
}

void RingBuilder::replaceMma(MmaOp op) {
  b.setInsertionPoint(op);
  auto product = AsyncMmaOp::create(
      b, op.getLoc(), op.getType(), TokenType::get(b.getContext()),
      op.getInstr(), createView(op.getA()), createView(op.getB()), op.getAcc(),
      /*zero=*/false);
  auto wait =
      WaitOp::create(b, op.getLoc(), product.getToken(), product.getResult());
  b.replaceOp(op, wait.getResults());
}

/// The loads of scales that go through the ring become reads.
void RingBuilder::replaceLoads(Tile &tile) {
  for (LoadOp load : tile.loads) {
    if (load.use_empty() || tile.cols != 1)
      continue;
    b.setInsertionPoint(load);
    auto buffer = cast<BufType>(tile.buffer.getType());
    auto view = ViewOp::create(b, load.getLoc(),
                               BufType::get(b.getContext(), {tile.rows, 1},
                                            buffer.getElementType(),
                                            buffer.getSpace(), SmemAttr()),
                               tile.buffer, slot, constant(0), /*col=*/0);
    Value start = load.getTranspose() ? load.getCol() : load.getRow();
    Value row = load.getTranspose() ? load.getWaveCol() : load.getWaveRow();
    int64_t block = load.getRowBlock(), unit = 1;
    if (block > 1) {
      // The tile may start inside a block, and so may the wave's part of it.
      unit = std::gcd(std::gcd(tile.extent, block),
                      load.getResult().getType().getDimSize(0));
      if (tile.extent % block != 0)
        row = arith::AddIOp::create(
            b, loc, row,
            arith::RemUIOp::create(b, loc, start, constant(block)));
    }
    b.replaceOpWithNewOp<ReadOp>(load, load.getResult().getType(), view, row,
                                 constant(0), block, unit);
  }
}

/// Behind the last op that needs what is in it.
void RingBuilder::releaseSlot() {
  Operation *last = nullptr;
  for (Operation &op : *loop.getBody())
    if (isa<WaitOp, ReadOp>(op))
      last = &op;
  b.setInsertionPointAfter(last);
  PipeReleaseOp::create(b, loc, pipe, slot);
  Operation *yield = loop.getBody()->getTerminator();
  b.setInsertionPoint(yield);
  Value next = PipeNextOp::create(b, loc, pipe, slot);
  yield->setOperand(yield->getNumOperands() - 1, next);
}

LogicalResult RingBuilder::run() {
  if (failed(createBuffers()))
    return failure();
  carrySlot();
  if (failed(createCopies()))
    return failure();
  for (MmaOp op : llvm::to_vector(loop.getOps<MmaOp>()))
    replaceMma(op);
  for (Tile &tile : tiles)
    replaceLoads(tile);
  releaseSlot();
  // Slices and loads that nothing reads any more.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(*loop.getBody())))
    if (isa<SliceOp, LoadOp>(op) && op.use_empty())
      b.eraseOp(&op);
  return success();
}

//===----------------------------------------------------------------------===//
// Sums of a cluster
//===----------------------------------------------------------------------===//

/// Memory of their own: slots of the ring may still be read, or copied to,
/// where other workgroups are done.
static void addExchange(gpu::GPUFuncOp func, ScheduleAttr schedule,
                        ClusterReduceOp op) {
  OpBuilder b = OpBuilder::atBlockBegin(&func.getBody().front());
  auto type =
      BufType::get(b.getContext(), {schedule.getTileM(), schedule.getTileN()},
                   b.getF32Type(), MemorySpace::Shared, /*layout=*/SmemAttr());
  auto buffer = AllocOp::create(b, op.getLoc(), type, /*offset=*/IntegerAttr());
  int64_t warps = kWaveWarps * schedule.getNumWaves();
  auto pipe =
      PipeOp::create(b, op.getLoc(), PipeType::get(b.getContext(), warps),
                     /*cluster=*/false, /*exchange=*/true,
                     /*offset=*/IntegerAttr());
  op.getBufferMutable().assign(buffer);
  op.getPipeMutable().assign(pipe);
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

/// Of the chunks in which a wave stores the result.
static int64_t getStoreChunkBytes(StoreOp store) {
  FragType type = store.getValue().getType();
  return getChunkBytes(type.getDimSize(1), type.getElementTypeBitWidth());
}

/// How many chunks of its result a warp has room for: what the buffers leave
/// of shared memory, and no more than it stores.
static int64_t countChunks(gpu::GPUFuncOp func, ScheduleAttr schedule,
                           ArrayRef<StoreOp> stores) {
  const TargetRecord &record =
      *lookupTargetRecord(lookupTarget(func).getChip());
  int64_t warps = kWaveWarps * schedule.getNumWaves(),
          left = record.getSharedMemoryBytes();
  // Barriers, and what alignment may cost.
  left -= 1024;
  func.walk([&](PipeOp op) { left -= 16 * op.getType().getSlots(); });
  func.walk([&](AllocOp op) {
    left -= llvm::alignTo(getBufferBytes(op.getResult().getType()), 128);
  });
  int64_t needed = 0, chunkBytes = getStoreChunkBytes(stores.front());
  for (StoreOp store : stores) {
    FragType type = store.getValue().getType();
    needed +=
        type.getDimSize(1) * type.getElementTypeBitWidth() / 8 / chunkBytes;
  }
  return std::min(needed, left / (warps * kChunkRows * chunkBytes));
}

/// Stores go through shared memory where the copy engine can address the
/// result.
static void stageStores(gpu::GPUFuncOp func, ScheduleAttr schedule,
                        ArrayRef<StoreOp> stores) {
  int64_t chunks = countChunks(func, schedule, stores);
  if (chunks < 1)
    return;
  IRRewriter b(func.getContext());
  b.setInsertionPointToStart(&func.getBody().front());
  StoreOp first = stores.front();
  Type elementType = first.getValue().getType().getElementType();
  int64_t rows = kWaveWarps * schedule.getNumWaves() * chunks * kChunkRows;
  int64_t cols =
      getStoreChunkBytes(first) * 8 / elementType.getIntOrFloatBitWidth();
  auto type = BufType::get(b.getContext(), {rows, cols}, elementType,
                           MemorySpace::Shared, SmemAttr());
  Value stage =
      AllocOp::create(b, first.getLoc(), type, /*offset=*/IntegerAttr());
  for (StoreOp store : stores) {
    Location loc = store.getLoc();
    b.setInsertionPoint(store);
    Value hasMap = HasMapOp::create(b, loc, b.getI1Type(), store.getDest());
    auto ifOp = scf::IfOp::create(b, loc, hasMap, /*withElseRegion=*/true);
    b.setInsertionPointToStart(ifOp.thenBlock());
    StagedStoreOp::create(b, loc, store.getValue(), store.getDest(),
                          store.getRow(), store.getCol(), store.getWaveRow(),
                          store.getWaveCol(), stage);
    b.moveOpBefore(store, ifOp.elseBlock()->getTerminator());
  }
}

/// The slot goes from iteration to iteration of the loops around `loop`, which
/// have no products of their own, up to its role.
static LogicalResult verifyPlace(scf::ForOp loop) {
  Operation *parent = loop->getParentOp();
  while (auto outer = dyn_cast<scf::ForOp>(parent)) {
    if (!outer.getOps<MmaOp>().empty())
      return outer.emitOpError("expects no loop with products in a loop with "
                               "products");
    parent = outer->getParentOp();
  }
  if (isa<RolesOp>(parent))
    return success();
  if (!loop->getParentOfType<RolesOp>())
    return loop.emitOpError("expects to be in a role of lpgemm.roles: "
                            "lpgemm-tile makes it");
  return loop.emitOpError() << "expects nothing but scf.for between it and "
                               "lpgemm.roles, but got '"
                            << parent->getName() << "'";
}

LogicalResult lpgemm::promoteToPipe(gpu::GPUFuncOp func,
                                    ScheduleAttr schedule) {
  SmallVector<scf::ForOp> loops;
  func.walk([&](scf::ForOp loop) {
    if (!loop.getOps<MmaOp>().empty())
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops)
    if (failed(verifyPlace(loop)))
      return failure();
  if (!loops.empty() && !lookupTarget(func))
    return func.emitOpError("needs a target: set lpgemm.target on the module "
                            "or its gpu.module");
  FailureOr<int64_t> lhsRows = countLhsRows(func, schedule);
  if (failed(lhsRows))
    return failure();
  for (scf::ForOp loop : loops) {
    FailureOr<SmallVector<Tile>> tiles = collectTiles(loop, schedule, *lhsRows);
    if (failed(tiles) ||
        failed(RingBuilder(func, schedule, loop, std::move(*tiles)).run()))
      return failure();
  }
  func.walk([&](ClusterReduceOp op) {
    if (!op.getBuffer())
      addExchange(func, schedule, op);
  });
  SmallVector<StoreOp> stores;
  func.walk([&](StoreOp op) {
    auto elementType = [](StoreOp store) {
      return store.getValue().getType().getElementType();
    };
    // One stage, of one type, is enough for what passes write.
    if (getStoreChunkBytes(op) != 0 &&
        (stores.empty() ||
         (elementType(op) == elementType(stores.front()) &&
          getStoreChunkBytes(op) == getStoreChunkBytes(stores.front()))))
      stores.push_back(op);
  });
  if (!loops.empty() && !stores.empty())
    stageStores(func, schedule, stores);
  return success();
}
