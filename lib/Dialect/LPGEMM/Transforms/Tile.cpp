//===- Tile.cpp - lpgemm-tile ---------------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamK.h"
#include "TileEpilogue.h"
#include "TileOrder.h"
#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "lpgemm/Dialect/LPGEMM/Utils/MmaOperands.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "lpgemm/Target/MmaInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_TILEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// Writes the tiled form of one matrix product in front of it.
class Tiler {
public:
  /// `workgroups` is the argument of the kernel that says how many there are,
  /// if it has one.
  Tiler(MatmulOp op, const MmaOperands &operands, const TargetRecord &record,
        Value workgroups, RewriterBase &rewriter)
      : op(op), operands(operands), record(record), workgroups(workgroups),
        b(rewriter), loc(op.getLoc()), schedule(*op.getSchedule()) {
    b.setInsertionPoint(op);
  }

  void run(bool isBatched) {
    if (RolesAttr roles = schedule.getRoles())
      createRole(roles.getMmaRegs(), isBatched);
    else
      createTile(isBatched);
    b.eraseOp(op);
  }

private:
  /// Rows of a side: those of the workgroup's tile start at `first`, the wave's
  /// at `wave` in it.
  struct Rows {
    Value first, wave;
    int64_t count;
  };

  Value constant(int64_t v) {
    return arith::ConstantIndexOp::create(b, loc, v);
  }
  Value mul(Value v, int64_t by) {
    return arith::MulIOp::create(b, loc, v, constant(by));
  }
  Value div(Value v, Value by) { return arith::DivUIOp::create(b, loc, v, by); }
  Value rem(Value v, Value by) { return arith::RemUIOp::create(b, loc, v, by); }

  FragType frag(int64_t rows, int64_t cols, Type elementType) {
    return FragType::get(b.getContext(), {rows, cols}, elementType,
                         /*lanes=*/{});
  }

  Value getNumTiles(int64_t dim, int64_t tile) {
    Value extent = DimOp::create(b, loc, op.getInit(), dim);
    if (dim == 1)
      tile /= ProductInterface(op).getSumsPerResult();
    return arith::CeilDivUIOp::create(b, loc, extent, constant(tile));
  }

  /// The waves that multiply are a role of their own, as long as nothing else
  /// is done by others.
  void createRole(int64_t regs, bool isBatched) {
    auto roles = RolesOp::create(b, loc, b.getStrArrayAttr({kMmaRoleName}),
                                 {schedule.getNumWaves()}, {regs},
                                 /*bodiesCount=*/1);
    Block *body =
        b.createBlock(&roles.getBodies().front(), {}, b.getIndexType(), loc);
    b.setInsertionPointToStart(body);
    createTile(isBatched, body->getArgument(0));
  }

  /// All tiles of the workgroup for one of its waves: that of this number in
  /// its role, or the executing one where there are no roles.
  void createTile(bool isBatched, Value wave = {}) {
    if (isStreamK(schedule))
      return createParts();
    Value tilesN = getNumTiles(1, schedule.getTileN() * schedule.getClusterN());
    Value id = divByCluster(gpu::BlockIdOp::create(b, loc, gpu::Dimension::x));
    Value tilesM, tiles;
    if (isBatched || schedule.getPersistent() || schedule.getRaster() != 1)
      tilesM = getNumTiles(0, schedule.getTileM() * schedule.getClusterM());
    bool isDealt = getNumDies() != 1 && schedule.getRaster() != 1;
    if (isBatched || schedule.getPersistent() || isDealt)
      tiles = arith::MulIOp::create(b, loc, tilesM, tilesN);
    if (isBatched)
      id = rem(id, tiles);
    TileOrder order(loc, schedule.getRaster(), tilesM, tilesN);
    OpBuilder::InsertionGuard guard(b);
    if (schedule.getPersistent()) {
      if (record.nvidia)
        order.prepare(b);
      auto loop = scf::ForOp::create(b, loc, id, tiles,
                                     divByCluster(getNumWorkgroups()));
      b.setInsertionPointToStart(loop.getBody());
      id = loop.getInductionVar();
    }
    if (isDealt)
      id = dealToDies(id, tiles);
    locateWorkgroup(id, order);
    locateWave(wave);
    createProductAndEpilogue();
  }

  /// What the workgroup has of the sums of tiles, each in its part of the
  /// workspace.
  void createParts() {
    OpBuilder::InsertionGuard guard(b);
    StreamK stream(b, op, schedule, getNumWorkgroups());
    Value id = gpu::BlockIdOp::create(b, loc, gpu::Dimension::x);
    Value tilesN = getNumTiles(1, schedule.getTileN());
    auto [first, last] = stream.getTiles(id);
    auto loop = scf::ForOp::create(b, loc, first, last, constant(1));
    b.setInsertionPointToStart(loop.getBody());
    Value tile = loop.getInductionVar();
    kRange = stream.getKRange(id, tile, getK());
    result = bindPart(stream.getPart(id, tile));
    TileOrder order(loc, /*raster=*/1, /*tilesM=*/Value(), tilesN);
    locateWorkgroup(tile, order);
    locateWave(/*id=*/Value());
    createProductAndEpilogue();
  }

  /// That part of the workspace whose first one is the result of the op.
  Value bindPart(Value part) {
    auto whole = op.getInit().getDefiningOp<BindOp>();
    auto toI64 = [&](Value v) {
      return arith::IndexCastOp::create(b, loc, b.getI64Type(), v);
    };
    Value rows =
        arith::MulIOp::create(b, loc, toI64(part), toI64(whole.getRows()));
    Value offset = arith::MulIOp::create(b, loc, rows, whole.getPitch());
    Value ptr = LLVM::GEPOp::create(
        b, loc, whole.getPtr().getType(),
        whole.getResult().getType().getElementType(), whole.getPtr(), offset);
    return BindOp::create(b, loc, whole.getResult().getType(), ptr,
                          whole.getRows(), whole.getCols(), whole.getPitch());
  }

  Value getNumWorkgroups() {
    if (workgroups)
      return arith::IndexCastOp::create(b, loc, b.getIndexType(), workgroups);
    return gpu::GridDimOp::create(b, loc, gpu::Dimension::x);
  }

  void locateWave(Value id) {
    Value wavesN = constant(schedule.getWaves()[1]);
    if (!id)
      id = gpu::SubgroupIdOp::create(b, loc, /*upper_bound=*/IntegerAttr());
    place.waveRow =
        mul(div(id, wavesN), schedule.getWaveM() / schedule.getParts());
    place.waveCol = mul(rem(id, wavesN), getPartCols());
  }

  void createProductAndEpilogue() {
    bool isScaled = operands.lhs.scales || operands.rhs.scales;
    SmallVector<Value> sums = createKLoop();
    OpBuilder::InsertionGuard guard(b);
    if (schedule.getSplitK() > 1 && record.nvidia)
      addSplits(sums);
    for (auto [i, sum] : llvm::enumerate(sums)) {
      TilePlace part = getPart(i);
      Value values = createTileEpilogue(b, op, part, sum,
                                        isScaled ? 0 : operands.getExponent());
      part = getResultPlace(b, op, part);
      StoreOp::create(b, loc, values, result ? result : op.getInit(), part.row0,
                      part.col0, part.waveRow, part.waveCol);
    }
  }

  /// Adds what the other workgroups of the cluster have of `sums`. What follows
  /// is done by one of them for each part of the tile.
  void addSplits(SmallVectorImpl<Value> &sums) {
    auto reduce = ClusterReduceOp::create(
        b, loc, llvm::to_vector(ValueRange(sums).getTypes()), b.getI1Type(),
        sums, /*buffer=*/Value(), /*pipe=*/Value());
    llvm::copy(reduce.getSums(), sums.begin());
    auto ifOp = scf::IfOp::create(b, loc, reduce.getIsHere(),
                                  /*withElseRegion=*/false);
    b.setInsertionPointToStart(ifOp.thenBlock());
  }

  Value divByCluster(Value v) {
    return schedule.getClusterSize() == 1
               ? v
               : div(v, constant(schedule.getClusterSize()));
  }

  /// Dies to which the workgroups of successive tiles go in turn. Those that
  /// share a tile go to as many dies in turn themselves.
  int64_t getNumDies() {
    if (!record.amdgpu)
      return 1;
    return std::max<int64_t>(record.amdgpu->rates.dies / schedule.getSplitK(),
                             1);
  }

  /// The tile of workgroup `id`, so that those of one die, which share its L2
  /// cache, have tiles that follow each other: the first dies have one more
  /// where they are not all alike.
  Value dealToDies(Value id, Value tiles) {
    Value dies = constant(getNumDies());
    Value die = rem(id, dies), more = rem(tiles, dies);
    Value first = arith::AddIOp::create(
        b, loc, arith::MulIOp::create(b, loc, die, div(tiles, dies)),
        arith::MinUIOp::create(b, loc, die, more));
    return arith::AddIOp::create(b, loc, first, div(id, dies));
  }

  /// Clusters, or workgroups without them, go through the tiles of the result.
  /// What is multiplied at the same time has more operands in common with a
  /// raster. With a batch they go through those of one entry after the other.
  void locateWorkgroup(Value id, TileOrder &order) {
    auto [row, col] = order.locate(b, id);
    place.row0 = locateInCluster(row, schedule.getClusterM(),
                                 schedule.getClusterN(), schedule.getTileM());
    place.col0 = locateInCluster(col, schedule.getClusterN(), /*stride=*/1,
                                 schedule.getTileN());
  }

  /// Along one dimension of the cluster, in which workgroups follow each other
  /// `stride` apart.
  Value locateInCluster(Value tile, int64_t workgroups, int64_t stride,
                        int64_t extent) {
    if (workgroups == 1)
      return mul(tile, extent);
    Value rank = gpu::ClusterBlockIdOp::create(b, loc, gpu::Dimension::x);
    Value own = rem(div(rank, constant(stride)), constant(workgroups));
    return mul(arith::AddIOp::create(b, loc, mul(tile, workgroups), own),
               extent);
  }

  /// Instructions that read shared memory take a row of atoms at once, so that
  /// each of these has an accumulator of its own.
  int64_t getPartRows() {
    const MmaInfo &info = getMmaInfo(schedule.getInstr());
    return info.readsSharedMemory() ? info.m
                                    : schedule.getWaveM() / schedule.getParts();
  }
  int64_t getPartCols() { return schedule.getWaveN() / schedule.getParts(); }
  /// Parts go row by row.
  int64_t getNumParts() {
    return schedule.getWaveM() / getPartRows() * schedule.getParts();
  }

  Value shift(Value position, int64_t by) {
    if (by == 0)
      return position;
    return arith::AddIOp::create(b, loc, position, constant(by));
  }

  /// The waves have the same part of each half of the workgroup's tile, so that
  /// the halves can be copied on their own; or else one part after the other.
  TilePlace getPart(int64_t index) {
    TilePlace part = place;
    int64_t parts = schedule.getParts();
    int64_t row = index / parts, col = index % parts;
    if (parts == 1) {
      part.waveRow = shift(part.waveRow, row * getPartRows());
      return part;
    }
    part.row0 = shift(part.row0, row * (schedule.getTileM() / parts));
    part.col0 = shift(part.col0, col * (schedule.getTileN() / parts));
    return part;
  }

  /// The part of `source` that this wave needs for one K tile: `rows` x `cols`
  /// from (`row` + `wave`, `col`), in a source that may be stored transposed,
  /// and each of whose rows may serve `rowBlock` of them.
  Value load(Value source, Value row, Value col, Value wave, int64_t rows,
             int64_t cols, bool transposed, int64_t rowBlock = 1) {
    Type elementType = cast<GlobalType>(source.getType()).getElementType();
    Value none = constant(0);
    Value waveRow = wave, waveCol = none;
    if (transposed) {
      std::swap(row, col);
      std::swap(waveRow, waveCol);
    }
    return LoadOp::create(b, loc, frag(rows, cols, elementType), source, row,
                          col, waveRow, waveCol, transposed, rowBlock,
                          /*whole=*/Value());
  }

  /// (G-8) Whether sums that no block of scales ends leave an accumulator that
  /// is narrower than f32 behind each K tile.
  bool promotesPlainSums() {
    if (!record.nvidia || operands.lhs.scales || operands.rhs.scales ||
        !isFP8(operands.lhs.multiplied))
      return false;
    return op.getPromoteK().value_or(record.nvidia->promoteK) != 0;
  }

  Value createZero() {
    Type type = getSumType(op, schedule.getInstr());
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    return SplatOp::create(b, loc, frag(getPartRows(), getPartCols(), type),
                           zero);
  }

  SmallVector<Value> createKLoop() {
    SmallVector<Value> inits(getNumParts(), createZero());
    auto [first, last] = kRange ? *kRange : getKRange(getK());
    auto loop = scf::ForOp::create(b, loc, first, last,
                                   constant(schedule.getTileK()), inits);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(
        b, loc,
        createProducts(loop.getInductionVar(), loop.getRegionIterArgs()));
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  /// (G-12) With a constant alpha of zero lhs and rhs are not read.
  Value getK() {
    if (ProductInterface(op).hasZeroAlpha())
      return constant(0);
    return DimOp::create(b, loc, op.getLhs(), operands.lhs.isKFirst ? 0 : 1);
  }

  /// Which of the workgroups that share a tile this one is: they are a cluster,
  /// or follow each other.
  Value getSplitRank() {
    if (record.nvidia)
      return gpu::ClusterBlockIdOp::create(b, loc, gpu::Dimension::x);
    return rem(gpu::BlockIdOp::create(b, loc, gpu::Dimension::x),
               constant(schedule.getSplitK()));
  }

  /// The part of 0 to `k` that this workgroup multiplies: as many whole K tiles
  /// as the others that share its tile, but the last ones may have fewer or
  /// none.
  std::pair<Value, Value> getKRange(Value k) {
    if (schedule.getSplitK() == 1)
      return {constant(0), k};
    Value tiles =
        arith::CeilDivUIOp::create(b, loc, k, constant(schedule.getTileK()));
    Value each = mul(arith::CeilDivUIOp::create(b, loc, tiles,
                                                constant(schedule.getSplitK())),
                     schedule.getTileK());
    Value first = arith::MulIOp::create(b, loc, getSplitRank(), each);
    Value last = arith::AddIOp::create(b, loc, first, each);
    return {arith::MinUIOp::create(b, loc, first, k),
            arith::MinUIOp::create(b, loc, last, k)};
  }

  /// A side's rows of the wave, with the elements of one K tile from `k` on, in
  /// the type of the instruction.
  Value loadMatrix(const MmaOperand &side, const Rows &rows, Value k) {
    Value tile = load(side.matrix, rows.first, k, rows.wave, rows.count,
                      schedule.getTileK(), side.isKFirst);
    if (side.multiplied == side.stored)
      return tile;
    return CastOp::create(
        b, loc, frag(rows.count, schedule.getTileK(), side.multiplied), tile);
  }

  /// The block of a side's scales that element `k` is in.
  Value getKBlock(const MmaOperand &side, Value k) {
    return side.scales ? div(k, constant(side.kBlock)) : Value();
  }

  /// A side's scales from `kBlock` on, in columns of one for each block.
  Value loadScales(const MmaOperand &side, const Rows &rows, Value kBlock) {
    if (!side.scales)
      return {};
    int64_t blocks = std::max<int64_t>(schedule.getTileK() / side.kBlock, 1);
    return load(side.scales, rows.first, kBlock, rows.wave, rows.count, blocks,
                side.areScalesKFirst, side.outerBlock);
  }

  /// One side of a product.
  struct Operand {
    Value matrix, scales;
  };

  /// The accumulators behind the K tile at `k`. A part of a side is loaded
  /// once, for all products that need it.
  SmallVector<Value> createProducts(Value k, ValueRange accs) {
    int64_t partsN = schedule.getParts();
    Operand a;
    SmallVector<Operand> rhs(partsN);
    Value kBlock;
    SmallVector<Value> sums;
    for (auto [i, acc] : llvm::enumerate(accs)) {
      TilePlace part = getPart(i);
      Rows m = {part.row0, part.waveRow, getPartRows()};
      Rows n = {part.col0, part.waveCol, getPartCols()};
      bool isFirst = i % partsN == 0;
      Operand &side = rhs[i % partsN];
      if (isFirst)
        a.matrix = loadMatrix(operands.lhs, m, k);
      if (!side.matrix)
        side.matrix = loadMatrix(operands.rhs, n, k);
      if (!kBlock)
        kBlock = getKBlock(operands.lhs, k);
      if (isFirst)
        a.scales = loadScales(operands.lhs, m, kBlock);
      if (!side.scales)
        side.scales = loadScales(operands.rhs, n, getKBlock(operands.rhs, k));
      sums.push_back(createProduct(a, side, acc));
    }
    return sums;
  }

  Value createProduct(const Operand &lhs, const Operand &rhs, Value acc) {
    // Without scales the factor is the epilogue's.
    int64_t exponent =
        lhs.scales || rhs.scales ? operands.getExponent() : int64_t(0);
    bool isPart = promotesPlainSums();
    Value sum = MmaOp::create(
        b, loc, acc.getType(), schedule.getInstr(), lhs.matrix, rhs.matrix,
        isPart ? createZero() : acc, lhs.scales, rhs.scales, exponent);
    if (!isPart)
      return sum;
    return PromoteOp::create(b, loc, acc.getType(), sum, acc, Value(), Value());
  }

  MatmulOp op;
  const MmaOperands &operands;
  const TargetRecord &record;
  Value workgroups;
  RewriterBase &b;
  Location loc;
  ScheduleAttr schedule;
  TilePlace place;
  // What a tile has of K, and where it is stored, if not all and in the result.
  std::optional<std::pair<Value, Value>> kRange;
  Value result;
};

struct Tile : lpgemm::impl::TilePassBase<Tile> {
  /// `op` can be tiled as it is.
  LogicalResult verify(MatmulOp op, gpu::GPUFuncOp func) {
    if (!op.getSchedule() || !isa<GlobalType>(op.getInit().getType()) || !func)
      return op.emitOpError(
          "expects a schedule and operands in a kernel's form: "
          "run lpgemm-select-schedule and lpgemm-outline first");
    // Later passes ask the kernel for the schedule.
    auto other = func->getAttrOfType<ScheduleAttr>(kScheduleAttrName);
    if (other && other != *op.getSchedule())
      return op.emitOpError() << "expects the schedule of its kernel, " << other
                              << ", but got " << *op.getSchedule();
    return success();
  }

  /// Where no cluster adds what its workgroups have of a tile they store it.
  LogicalResult verifySplit(MatmulOp op,
                            const std::optional<KernelInterface> &interface) {
    bool isCluster =
        lookupTargetRecord(lookupTarget(op).getChip())->nvidia != nullptr;
    if (op.getSchedule()->getSplitK() == 1 || isCluster ||
        (interface && interface->lookupWorkspace()))
      return success();
    return op.emitOpError()
           << "schedule: expects a kernel with a workspace for split_k = "
           << op.getSchedule()->getSplitK() << ": run lpgemm-outline";
  }

  /// The argument of `func` from which workgroups that go on with other tiles
  /// know how many they are; null where the machine tells them.
  FailureOr<Value>
  lookupWorkgroups(MatmulOp op, gpu::GPUFuncOp func,
                   const std::optional<KernelInterface> &interface) {
    const KernelArgument *argument =
        interface ? interface->lookupWorkgroups() : nullptr;
    if (argument)
      return Value(func.getArgument(
          std::distance(interface->arguments.begin(), argument)));
    if (!op.getSchedule()->getPersistent() ||
        !lookupTargetRecord(lookupTarget(op).getChip())->amdgpu)
      return Value();
    return op.emitOpError("schedule: expects a kernel that is told the number "
                          "of its workgroups for persistent = true: run "
                          "lpgemm-outline");
  }

  /// How the instruction of the schedule multiplies the operands of `op`.
  FailureOr<MmaOperands> getOperands(MatmulOp op) {
    TargetAttr target = lookupTarget(op);
    if (!target)
      return op.emitOpError("needs a target: run lpgemm-attach-target first");
    const TargetRecord &record = *lookupTargetRecord(target.getChip());
    if (failed(checkLowering(op, record)))
      return failure();
    return checkMmaOperands(op, *op.getSchedule(), record);
  }

  void runOnOperation() override {
    SmallVector<MatmulOp> ops;
    getOperation()->walk([&](MatmulOp op) { ops.push_back(op); });
    for (MatmulOp op : ops) {
      auto func = op->getParentOfType<gpu::GPUFuncOp>();
      if (failed(verify(op, func)))
        return signalPassFailure();
      FailureOr<MmaOperands> operands = getOperands(op);
      auto interface = KernelInterface::lookup(func);
      if (failed(operands) || failed(interface))
        return signalPassFailure();
      FailureOr<Value> workgroups = failure();
      if (failed(verifySplit(op, *interface)) ||
          failed(workgroups = lookupWorkgroups(op, func, *interface)))
        return signalPassFailure();
      func->setAttr(kScheduleAttrName, *op.getSchedule());
      IRRewriter rewriter(&getContext());
      bool isBatched = *interface && (*interface)->getNumBatch() != 0;
      const TargetRecord &record =
          *lookupTargetRecord(lookupTarget(op).getChip());
      Tiler(op, *operands, record, *workgroups, rewriter).run(isBatched);
    }
  }
};
} // namespace
