//===- CheckPipeOps.cpp - tile ops that cannot be lowered -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static LogicalResult checkType(Operation *op, Type type,
                               const TargetRecord &record) {
  if (auto frag = dyn_cast<FragType>(type)) {
    if (!frag.getLanes())
      return op->emitOpError()
             << "expects register tiles with lanes, but got " << type;
    if (!llvm::is_contained(record.getInstructions(),
                            frag.getLanes().getInstr()))
      return op->emitOpError() << "expects lanes of an instruction of "
                               << record.chip << ", but got " << type;
  }
  auto buf = dyn_cast<BufType>(type);
  if (!buf)
    return success();
  if (!buf.getLayout())
    return op->emitOpError()
           << "expects buffers with a layout, but got " << type;
  if (isSubByteFloat(buf.getElementType()))
    return op->emitOpError()
           << "expects buffers of 8, 16 or 32 bits, but got " << type;
  return success();
}

static bool readsSharedMemory(FragType type) {
  return getMmaInfo(type.getLanes().getInstr()).readsSharedMemory();
}

/// The tile is a result, or goes with one.
static LogicalResult checkResultLanes(Operation *op, FragType type) {
  if (llvm::is_contained({MmaRole::C, MmaRole::CRow, MmaRole::CCol},
                         type.getLanes().getRole()))
    return success();
  return op->emitOpError() << "expects a tile in lanes of c, c_row or c_col, "
                              "but got "
                           << type;
}

static LogicalResult checkMatrix(Operation *op, StringRef name,
                                 GlobalType type) {
  if (type.getLayout() != ScaleLayout::Row)
    return op->emitOpError() << "expects " << name
                             << " without a layout of scales, but got " << type;
  if (isSubByteFloat(type.getElementType()))
    return op->emitOpError()
           << "expects " << name << " of 8, 16 or 32 bits, but got " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

static LogicalResult checkOffset(Operation *op, std::optional<int64_t> offset,
                                 int64_t alignment) {
  if (!offset)
    return op->emitOpError(
        "expects an offset in shared memory: run lpgemm-finalize-abi first");
  if (*offset >= 0 && *offset % alignment == 0)
    return success();
  return op->emitOpError() << "expects an offset that is a multiple of "
                           << alignment << ", but got " << *offset;
}

/// The bytes after which a swizzle repeats; 16 without one.
static int64_t getPeriod(BufType type) {
  SmemAttr layout = type.getLayout();
  if (layout.getMask() == 0)
    return 16;
  return getPitchBytes(type) * (layout.getMask() + 1) << layout.getShift();
}

static BufType getTile(BufType type) {
  return BufType::get(type.getContext(), type.getShape().take_back(2),
                      type.getElementType(), type.getSpace(), type.getLayout());
}

static LogicalResult check(AllocOp op) {
  BufType tile = getTile(op.getType());
  int64_t period = getPeriod(tile);
  if (failed(checkOffset(op, op.getOffset(), period)))
    return failure();
  if (op.getType().getRank() == 2 || getTileBytes(tile) % period == 0 ||
      tile.getLayout().getMask() == 0)
    return success();
  return op.emitOpError() << "expects slots of a multiple of " << period
                          << " bytes, the period of the swizzle, but got "
                          << op.getType();
}

static LogicalResult check(PipeOp op) {
  if (failed(checkOffset(op, op.getOffset(), 8)))
    return failure();
  if (op->getParentOfType<RolesOp>())
    return op.emitOpError("expects to be in front of the roles");
  if (op.getExchange())
    return success();
  for (Operation *user : op->getUsers())
    if (isa<PipeReleaseOp>(user))
      return success();
  return op.emitOpError("expects a role that releases its slots");
}

static LogicalResult check(ViewOp op) {
  BufType source = op.getSource().getType();
  if (op.getCol() == 0 || source.getLayout().getMask() == 0)
    return success();
  for (Operation *user : op->getUsers())
    if (!isa<AsyncMmaOp>(user))
      return op.emitOpError()
             << "expects column 0 of swizzled rows, except for "
                "lpgemm.async_mma, but got "
             << op.getCol();
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static LogicalResult check(PipeCommitOp op) {
  if (op.getPipe().getDefiningOp<PipeOp>())
    return success();
  return op.emitOpError("expects the pipe itself, not a value that stands for "
                        "it");
}

static LogicalResult check(PipeReleaseOp op) {
  if (!op.getPipe().getDefiningOp<PipeOp>())
    return op.emitOpError("expects the pipe itself, not a value that stands "
                          "for it");
  if (!op->getParentOfType<ElectOp>())
    return success();
  return op.emitOpError("expects to be outside of lpgemm.elect: a lane arrives "
                        "for its warp");
}

static LogicalResult checkMulticast(PipeCopyOp op) {
  if (!op.getMulticast())
    return success();
  ClusterShape cluster(op);
  int64_t parts = *op.getMulticast() == 0 ? cluster.m : cluster.n;
  BufType type = op.getDest().getType();
  int64_t period =
      getPeriod(type) / std::gcd(getPeriod(type), getPitchBytes(type));
  if (type.getDimSize(0) % (parts * period) == 0)
    return success();
  return op.emitOpError() << "expects rows of a multiple of " << parts * period
                          << " for " << parts
                          << " workgroups that share the copy, but got "
                          << type;
}

static LogicalResult check(PipeCopyOp op) {
  if (failed(checkMatrix(op, "a source", op.getSource().getType())))
    return failure();
  if (op.getEngine() != CopyEngine::TMA)
    return success();
  if (!op.getMap())
    return op.emitOpError(
        "expects the tensor map of its source: run lpgemm-finalize-abi first");
  // CUDA driver API, cuTensorMapEncodeTiled.
  BufType type = op.getDest().getType();
  ClusterShape cluster(op);
  int64_t parts = !op.getMulticast()        ? 1
                  : *op.getMulticast() == 0 ? cluster.m
                                            : cluster.n;
  for (int64_t extent : {type.getDimSize(0) / parts, type.getDimSize(1)})
    if (extent > 256)
      return op.emitOpError()
             << "expects at most 256 rows and 256 columns for the copy engine "
                "of a workgroup, but got "
             << type;
  if (type.getLayout().getPad() != 0)
    return op.emitOpError() << "expects rows without padding for the copy "
                               "engine, but got "
                            << type;
  return checkMulticast(op);
}

static LogicalResult check(AsyncMmaOp op) {
  auto isSwizzled = [](BufType type) {
    SmemAttr layout = type.getLayout();
    return getPitchBytes(type) == 128 && layout.getPad() == 0 &&
           layout.getUnit() == 16 && layout.getMask() == 7 &&
           layout.getShift() == 0;
  };
  struct {
    StringRef name;
    BufType type;
  } operands[] = {{"a", op.getA().getType()}, {"b", op.getB().getType()}};
  for (auto &[name, type] : operands)
    if (!isSwizzled(type))
      return op.emitOpError()
             << "expects " << name
             << " in rows of 128 bytes with layout <pad = 0, unit = 16, mask = "
                "7, shift = 0>, but got "
             << type;
  return checkLanes(op, "acc", op.getAcc().getType(), op.getInstr(),
                    MmaRole::C);
}

/// What reads a matrix by itself, not by a window whose offset the loop counts.
template <typename OpTy>
static LogicalResult checkSource(OpTy op) {
  if (op.getWhole())
    return op.emitOpError("expects no whole, which has no lowering to NVVM");
  return checkMatrix(op, "a source", op.getSource().getType());
}

static LogicalResult check(LoadOp op) {
  if (failed(checkSource(op)))
    return failure();
  FragType type = op.getResult().getType();
  return isOperand(type) ? success() : checkResultLanes(op, type);
}

static LogicalResult check(ReadOp op) {
  FragType type = op.getResult().getType();
  return isOperand(type) ? success() : checkResultLanes(op, type);
}

static LogicalResult check(CopyOp op) {
  if (op.getLdsDma())
    return op.emitOpError("expects no lds_dma, which has no lowering to NVVM");
  return checkSource(op);
}

static LogicalResult check(FetchOp op) {
  if (failed(checkSource(op)))
    return failure();
  if (!op.getDestType().getLayout())
    return op.emitOpError()
           << "expects buffers with a layout, but got " << op.getDestType();
  return checkPieces(op, getWorkgroupSize(op));
}

static LogicalResult check(PutOp op) {
  return checkPieces(op, getWorkgroupSize(op));
}

static LogicalResult check(MmaOp op) {
  if (!op.getSa() && !op.getSb())
    return success();
  return op.emitOpError() << "expects no scales: "
                          << stringifyMmaInstr(op.getInstr())
                          << " has no scale operands";
}

static LogicalResult check(StoreOp op) {
  if (failed(checkMatrix(op, "a destination", op.getDest().getType())))
    return failure();
  return checkResultLanes(op, op.getValue().getType());
}

static LogicalResult check(AmaxOp op) {
  return checkResultLanes(op, op.getValue().getType());
}

static LogicalResult check(StagedStoreOp op) {
  FragType type = op.getValue().getType();
  BufType stage = op.getStage().getType();
  if (!op.getMap())
    return op.emitOpError("expects the tensor map of its destination: run "
                          "lpgemm-finalize-abi first");
  if (failed(checkLanes(op, "the tile", type, type.getLanes().getInstr(),
                        MmaRole::C)))
    return failure();
  auto roles = op->getParentOfType<RolesOp>();
  int64_t warps = roles.getWaves()[roles.getRole(op)] * kWaveWarps;
  if (stage.getDimSize(0) % (16 * warps) != 0)
    return op.emitOpError() << "expects a stage of a multiple of 16 rows for "
                               "each of "
                            << warps << " warps, but got " << stage;
  int64_t cols = stage.getDimSize(1);
  int64_t step = RegisterTile(type).getLayout().cols;
  if (type.getDimSize(1) % cols == 0 && cols % step == 0)
    return success();
  return op.emitOpError() << "expects a stage with columns that are a multiple "
                             "of "
                          << step << " and divide the " << type.getDimSize(1)
                          << " of the tile, but got " << stage;
}

/// Each warp has a slot, and each thread room for all of its registers.
static LogicalResult check(ClusterReduceOp op) {
  if (!op.getBuffer())
    return op.emitOpError("expects a buffer and a pipe: run lpgemm-promote "
                          "first");
  ClusterShape cluster(op);
  if (cluster.k == 1)
    return op.emitOpError("expects a kernel whose schedule has split_k > 1");
  auto roles = op->getParentOfType<RolesOp>();
  int64_t waves = roles.getWaves()[roles.getRole(op)];
  auto pipe = op.getPipe().getDefiningOp<PipeOp>();
  if (!pipe || !pipe.getExchange() ||
      pipe.getType().getSlots() != waves * kWaveWarps)
    return op.emitOpError()
           << "expects lpgemm.pipe exchange with " << waves * kWaveWarps
           << " slots, one for each warp, but got " << op.getPipe().getType();
  int64_t needed = 0;
  for (Value tile : op.getTiles()) {
    auto type = cast<FragType>(tile.getType());
    if (failed(checkLanes(op, "a tile", type, type.getLanes().getInstr(),
                          MmaRole::C)))
      return failure();
    needed += waves * type.getNumElements();
  }
  BufType buffer = op.getBuffer().getType();
  if (buffer.getNumElements() >= needed)
    return success();
  return op.emitOpError() << "expects a buffer of at least " << needed
                          << " elements, the tiles of all waves, but got "
                          << buffer;
}

static LogicalResult reject(Operation *op, StringRef instead) {
  return op->emitOpError() << "has no lowering to NVVM; expects " << instead;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Ops that are about threads of a role: also those on tiles of a warpgroup.
static bool needsRole(Operation *op) {
  auto isOfWarpgroup = [](Value value) {
    auto type = dyn_cast<FragType>(value.getType());
    return type && readsSharedMemory(type);
  };
  if (isa<AmaxOp, LoadOp, ReadOp, StoreOp>(op))
    return llvm::any_of(op->getOperands(), isOfWarpgroup) ||
           llvm::any_of(op->getResults(), isOfWarpgroup);
  return isa<AsyncMmaOp, ClusterReduceOp, ElectOp, PipeAcquireOp, PipeAwaitOp,
             PipeCommitOp, PipeCopyOp, PipeReleaseOp, StagedStoreOp>(op);
}

/// Ops of the whole workgroup.
static bool isForAllWaves(Operation *op) {
  return isa<BarrierOp, CastOp, CopyOp, FetchOp, MmaOp, PutOp>(op);
}

static LogicalResult checkOp(Operation *op, const TargetRecord &record) {
  if (!isa_and_nonnull<LPGEMMDialect>(op->getDialect()) && !op->getNumRegions())
    return success();
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes())))
    if (failed(checkType(op, type, record)))
      return failure();
  if (needsRole(op) && !op->getParentOfType<RolesOp>())
    return op->emitOpError("expects to be in a role (lpgemm.roles)");
  if (isForAllWaves(op) && op->getParentOfType<RolesOp>())
    return op->emitOpError("expects to be outside of roles (lpgemm.roles)");
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<AllocOp, AmaxOp, AsyncMmaOp, ClusterReduceOp, CopyOp, FetchOp,
            LoadOp, MmaOp, PipeCommitOp, PipeCopyOp, PipeOp, PipeReleaseOp,
            PutOp, ReadOp, StagedStoreOp, StoreOp, ViewOp>(
          [](auto op) { return check(op); })
      .Case<ApplyOp, PromoteOp>([](auto op) { return checkOperandLanes(op); })
      .Case([](SliceOp op) { return checkSlice(op); })
      .Case<MatmulOp, GroupedMatmulOp>(
          [](auto op) { return reject(op, "tile ops"); })
      .Case<CopyOutOp, EncodeBlocksOp, PriorityOp, ReachOp, ReuseOp,
            SchedFenceOp, UnzipOp, WriteOp>(
          [](auto op) { return reject(op, "kernels without it"); })
      .Default(success());
}

static LogicalResult checkThreads(gpu::GPUFuncOp func) {
  std::optional<ArrayRef<int32_t>> size = func.getKnownBlockSize();
  if (!size || (*size)[1] != 1 || (*size)[2] != 1)
    return func.emitOpError(
        "expects 'known_block_size' with threads along x only");
  for (auto roles : func.getOps<RolesOp>()) {
    int64_t threads =
        roles.getFirstWave(roles.getBodies().size()) * kWaveThreads;
    if (threads != (*size)[0])
      return roles.emitOpError()
             << "expects roles for the " << (*size)[0]
             << " threads of 'known_block_size', but got " << threads;
  }
  return success();
}

static LogicalResult checkKernel(gpu::GPUFuncOp func) {
  auto isTileOp = [](Operation *op) {
    return isa_and_nonnull<LPGEMMDialect>(op->getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  if (!func.walk(isTileOp).wasInterrupted())
    return success();
  TargetAttr target = lookupTarget(func);
  if (!target)
    return func.emitOpError() << "expects attribute '" << kTargetAttrName
                              << "' on itself or an enclosing module";
  const TargetRecord &record = *lookupTargetRecord(target.getChip());
  if (failed(checkLowering(func, record)))
    return failure();
  if (!record.nvidia)
    return func.emitOpError()
           << "expects a chip with nvvm ops, but got " << record.chip;
  if (failed(checkThreads(func)))
    return failure();
  auto checkInner = [&](Operation *op) {
    return failed(checkOp(op, record)) ? WalkResult::interrupt()
                                       : WalkResult::advance();
  };
  if (func.walk(checkInner).wasInterrupted())
    return failure();
  for (Type type : func.getArgumentTypes())
    if (isa<LPGEMMDialect>(type.getDialect()))
      return func.emitOpError()
             << "expects no tiles among its arguments, but got " << type;
  return success();
}

LogicalResult nvvm::checkPipeOps(gpu::GPUModuleOp module) {
  for (auto func : module.getOps<gpu::GPUFuncOp>())
    if (failed(checkKernel(func)))
      return failure();
  return success();
}
