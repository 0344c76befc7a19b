//===- AssignLayouts.cpp - lpgemm-assign-layouts --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferLayouts.h"
#include "lpgemm/Analysis/BankConflicts.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

namespace mlir::lpgemm {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Lanes of register tiles
//===----------------------------------------------------------------------===//

/// Values that hold the same tile as iteration argument `arg` of a loop.
static void collectLoopCarried(scf::ForOp loop, unsigned arg,
                               SmallVectorImpl<Value> &values) {
  values.push_back(loop.getInitArgs()[arg]);
  values.push_back(loop.getRegionIterArg(arg));
  values.push_back(loop.getYieldedValues()[arg]);
  values.push_back(loop.getResult(arg));
}

/// Values that must have the lanes of `value` because of the op that defines
/// it.
static void collectFromDefinition(Value value, SmallVectorImpl<Value> &values) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (loop && arg != loop.getInductionVar())
      collectLoopCarried(loop, arg.getArgNumber() - 1, values);
    return;
  }
  llvm::TypeSwitch<Operation *>(value.getDefiningOp())
      .Case<CastOp, SliceOp>([&](auto op) { values.push_back(op.getSource()); })
      .Case<MmaOp, AsyncMmaOp>([&](auto op) { values.push_back(op.getAcc()); })
      .Case<WaitOp>([&](WaitOp op) {
        values.push_back(
            op.getValues()[cast<OpResult>(value).getResultNumber()]);
      })
      .Case<ClusterReduceOp>([&](ClusterReduceOp op) {
        values.push_back(
            op.getTiles()[cast<OpResult>(value).getResultNumber()]);
      })
      .Case<ApplyOp>(
          [&](ApplyOp op) { llvm::append_range(values, op.getTiles()); })
      .Case<EncodeBlocksOp>([&](EncodeBlocksOp op) {
        if (value == op.getCodes())
          values.push_back(op.getValue());
      })
      .Case<PromoteOp>(
          [&](PromoteOp op) { values.append({op.getPart(), op.getAcc()}); })
      .Case<scf::ForOp>([&](scf::ForOp op) {
        collectLoopCarried(op, cast<OpResult>(value).getResultNumber(), values);
      });
}

/// The same because of the op of one of its uses.
static void collectFromUse(OpOperand &use, SmallVectorImpl<Value> &values) {
  llvm::TypeSwitch<Operation *>(use.getOwner())
      .Case<CastOp, SliceOp>([&](auto op) { values.push_back(op.getResult()); })
      .Case<MmaOp, AsyncMmaOp>([&](auto op) {
        if (use.get() == op.getAcc())
          values.push_back(op.getResult());
      })
      .Case<WaitOp>([&](WaitOp op) {
        unsigned first = op.getValues().getBeginOperandIndex();
        values.push_back(op.getResult(use.getOperandNumber() - first));
      })
      .Case<ClusterReduceOp>([&](ClusterReduceOp op) {
        values.push_back(op.getSums()[use.getOperandNumber()]);
      })
      .Case<ApplyOp>([&](ApplyOp op) {
        if (!llvm::is_contained(op.getTiles(), use.get()))
          return;
        llvm::append_range(values, op.getTiles());
        values.push_back(op.getResult());
      })
      .Case<EncodeBlocksOp>(
          [&](EncodeBlocksOp op) { values.push_back(op.getCodes()); })
      .Case<PromoteOp>([&](PromoteOp op) {
        if (use.get() == op.getPart() || use.get() == op.getAcc())
          values.append({op.getPart(), op.getAcc(), op.getResult()});
      })
      .Case<scf::ForOp>([&](scf::ForOp op) {
        collectLoopCarried(
            op, use.getOperandNumber() - op.getNumControlOperands(), values);
      })
      .Case<scf::YieldOp>([&](scf::YieldOp op) {
        if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
          collectLoopCarried(loop, use.getOperandNumber(), values);
      });
}

/// Gives `value`, and all that holds the same tile, these lanes. Fails at
/// `user` if one of them has other lanes or is no whole number of atoms.
static LogicalResult assignLanes(Operation *user, Value value,
                                 LanesAttr lanes) {
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value v = worklist.pop_back_val();
    auto type = cast<FragType>(v.getType());
    if (type.getLanes() == lanes)
      continue;
    if (type.getLanes())
      return user->emitOpError()
             << "wants an operand in lanes " << lanes
             << " that is used in lanes " << type.getLanes() << " elsewhere";
    auto assigned = FragType::getChecked([&] { return user->emitOpError(); },
                                         user->getContext(), type.getShape(),
                                         type.getElementType(), lanes);
    if (!assigned)
      return failure();
    v.setType(assigned);
    collectFromDefinition(v, worklist);
    for (OpOperand &use : v.getUses())
      collectFromUse(use, worklist);
  }
  return success();
}

static LogicalResult assignOperandLanes(MmaOp op) {
  auto assign = [&](Value value, MmaRole role) -> LogicalResult {
    if (!value)
      return success();
    return assignLanes(op, value,
                       LanesAttr::get(op.getContext(), op.getInstr(), role));
  };
  if (failed(assign(op.getA(), MmaRole::A)) ||
      failed(assign(op.getB(), MmaRole::B)) ||
      failed(assign(op.getResult(), MmaRole::C)) ||
      failed(assign(op.getSa(), MmaRole::SA)))
    return failure();
  return assign(op.getSb(), MmaRole::SB);
}

static LogicalResult assignOperandLanes(AsyncMmaOp op) {
  return assignLanes(
      op, op.getResult(),
      LanesAttr::get(op.getContext(), op.getInstr(), MmaRole::C));
}

/// The scales of a promotion follow rows and columns of its accumulator.
static LogicalResult assignOperandLanes(PromoteOp op) {
  LanesAttr acc = op.getAcc().getType().getLanes();
  if (!acc)
    return op.emitOpError("expects an accumulator of a matrix product");
  auto lanes = [&](MmaRole role) {
    return LanesAttr::get(op.getContext(), acc.getInstr(), role);
  };
  if (op.getSa() && failed(assignLanes(op, op.getSa(), lanes(MmaRole::CRow))))
    return failure();
  if (!op.getSb())
    return success();
  return assignLanes(op, op.getSb(), lanes(MmaRole::CCol));
}

/// Lanes have pairs of columns of what they have of the source.
static LogicalResult assignOperandLanes(UnzipOp op) {
  LanesAttr source = op.getSource().getType().getLanes();
  if (!source || source.getRole() != MmaRole::C)
    return op.emitOpError("expects a tile of a matrix product");
  auto lanes =
      LanesAttr::get(op.getContext(), source.getInstr(), MmaRole::CPair);
  if (failed(assignLanes(op, op.getEven(), lanes)))
    return failure();
  return assignLanes(op, op.getOdd(), lanes);
}

/// The same of an elementwise function.
static LogicalResult assignOperandLanes(ApplyOp op) {
  LanesAttr tile = op.getType().getLanes();
  if (!tile)
    return op.emitOpError("expects a tile of a matrix product");
  MmaRole cols =
      tile.getRole() == MmaRole::CPair ? MmaRole::CPairCol : MmaRole::CCol;
  for (auto [operands, role] :
       {std::pair(op.getRows(), MmaRole::CRow), {op.getCols(), cols}})
    for (Value operand : operands)
      if (failed(assignLanes(
              op, operand,
              LanesAttr::get(op.getContext(), tile.getInstr(), role))))
        return failure();
  return success();
}

/// The scales follow the rows of the tile.
static LogicalResult assignOperandLanes(EncodeBlocksOp op) {
  LanesAttr tile = op.getValue().getType().getLanes();
  if (!tile)
    return op.emitOpError("expects a tile of a matrix product");
  return assignLanes(
      op, op.getScales(),
      LanesAttr::get(op.getContext(), tile.getInstr(), MmaRole::CRow));
}

/// Without a product in its kernel a result lies as that of the instruction.
static LogicalResult assignOperandLanes(StoreOp op) {
  auto schedule =
      op->getParentOfType<gpu::GPUFuncOp>()->getAttrOfType<ScheduleAttr>(
          kScheduleAttrName);
  if (op.getValue().getType().getLanes() || !schedule)
    return success();
  return assignLanes(
      op, op.getValue(),
      LanesAttr::get(op.getContext(), schedule.getInstr(), MmaRole::C));
}

template <typename OpTy>
static LogicalResult assignAll(gpu::GPUFuncOp func) {
  return failure(func.walk([](OpTy op) {
                       return failed(assignOperandLanes(op))
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted());
}

static LogicalResult assignLanes(gpu::GPUFuncOp func) {
  // Products first: what follows their accumulators asks for its lanes.
  if (failed(assignAll<MmaOp>(func)) || failed(assignAll<AsyncMmaOp>(func)) ||
      failed(assignAll<PromoteOp>(func)) || failed(assignAll<UnzipOp>(func)) ||
      failed(assignAll<EncodeBlocksOp>(func)) ||
      failed(assignAll<StoreOp>(func)) || failed(assignAll<ApplyOp>(func)))
    return failure();
  // A tile may be an argument.
  ValueRange arguments(func.getArguments());
  func.setFunctionType(func.getFunctionType().clone(
      arguments.take_front(func.getNumArguments()).getTypes(),
      func.getResultTypes()));
  return success();
}

//===----------------------------------------------------------------------===//
// Layouts of buffers
//===----------------------------------------------------------------------===//

void lpgemm::addExchanges(BufType type, int64_t unit,
                          SmallVectorImpl<SmemAttr> &candidates) {
  int64_t rowBytes = getRowBytes(type), pieces = rowBytes / unit;
  if (rowBytes % unit != 0 || pieces < 2 || !llvm::isPowerOf2_64(pieces))
    return;
  for (int64_t shift : {0, 1, 2})
    candidates.push_back(
        SmemAttr::get(type.getContext(), 0, unit, pieces - 1, shift));
}

/// In order of preference: in place, then pieces of 16 bytes, the widest
/// access, exchanged within a row, then padded rows, then pieces of 8 bytes,
/// with which copies take twice as many writes. Direct copies write pieces of
/// 16 bytes one behind the other.
static SmallVector<SmemAttr> getCandidates(BufType type, bool hasPadding) {
  int64_t unit = std::gcd(16, getRowBytes(type));
  MLIRContext *context = type.getContext();
  SmallVector<SmemAttr> candidates = {SmemAttr::get(context, 0, unit, 0, 0)};
  addExchanges(type, unit, candidates);
  if (!hasPadding)
    return candidates;
  for (int64_t pad : {16, 32, 64})
    candidates.push_back(SmemAttr::get(context, pad, unit, 0, 0));
  if (unit > 8)
    addExchanges(type, 8, candidates);
  return candidates;
}

static int64_t countConflicts(const AMDGPUMachine &machine, SmemAttr layout,
                              int64_t cols, FragType read) {
  // None that the record cannot tell.
  return countBankConflicts(machine, layout, cols, read.getLanes(),
                            read.getElementType())
      .value_or(0);
}

static int64_t countConflicts(const NVIDIAMachine &machine, SmemAttr layout,
                              int64_t cols, FragType read) {
  return countBankConflicts(machine, layout, cols, read.getLanes(),
                            read.getElementType());
}

/// The tiles that are read from a buffer or a part of it.
static void collectReads(Value buffer, SmallVectorImpl<FragType> &reads) {
  for (Operation *user : buffer.getUsers()) {
    if (isa<SlotOp, ViewOp>(user))
      collectReads(user->getResult(0), reads);
    if (auto read = dyn_cast<ReadOp>(user))
      if (FragType type = read.getResult().getType(); type.getLanes())
        reads.push_back(type);
  }
}

/// Whether an instruction takes what is read in registers.
static bool isReadToRegisters(AllocOp op) {
  SmallVector<FragType> reads;
  collectReads(op.getResult(), reads);
  return llvm::any_of(reads, [](FragType type) {
    return llvm::is_contained({MmaRole::A, MmaRole::B},
                              type.getLanes().getRole());
  });
}

/// Gives a buffer, and all parts of it, a layout. Fails if the rows of one are
/// too short for it.
static LogicalResult setLayout(Value buffer, SmemAttr layout) {
  auto type = cast<BufType>(buffer.getType());
  auto assigned = BufType::getChecked(
      [&] { return buffer.getDefiningOp()->emitOpError(); }, type.getContext(),
      type.getShape(), type.getElementType(), type.getSpace(), layout);
  if (!assigned)
    return failure();
  buffer.setType(assigned);
  for (Operation *user : buffer.getUsers())
    if (isa<SlotOp, ViewOp>(user) &&
        failed(setLayout(user->getResult(0), layout)))
      return failure();
  return success();
}

/// The first layout that is free of conflicts, or else has the fewest.
template <typename Machine>
static LogicalResult assignBestLayout(AllocOp op, const Machine &machine,
                                      bool hasPadding) {
  BufType type = op.getResult().getType();
  if (type.getLayout())
    return success();
  if (getRowBytes(type) % 4 != 0)
    return op.emitOpError() << "expects rows of a multiple of 4 bytes, but got "
                            << getRowBytes(type);
  SmallVector<FragType> reads;
  collectReads(op.getResult(), reads);
  SmallVector<SmemAttr> candidates = getCandidates(type, hasPadding);
  auto count = [&](SmemAttr layout) {
    int64_t conflicts = 0;
    for (FragType read : reads)
      conflicts +=
          countConflicts(machine, layout, type.getShape().back(), read);
    return conflicts;
  };
  SmallVector<int64_t> conflicts = llvm::map_to_vector(candidates, count);
  auto *best = llvm::min_element(conflicts);
  if (*best > 0)
    op.emitRemark() << "no layout is free of bank conflicts; the best takes "
                    << *best << " extra phases for one atom of each reader";
  return setLayout(op.getResult(), candidates[best - conflicts.begin()]);
}

static LogicalResult assignLayout(AllocOp op, const AMDGPUMachine &machine) {
  auto schedule =
      op->getParentOfType<gpu::GPUFuncOp>()->getAttrOfType<ScheduleAttr>(
          kScheduleAttrName);
  return assignBestLayout(op, machine, /*hasPadding=*/!schedule ||
                                           !schedule.copiesDirectly());
}

/// Where matrix instructions read shared memory, rows of 128 bytes lie as these
/// and copy engines swizzle them (PTX ISA 9.0, "Swizzling modes", 128B); others
/// in order.
static LogicalResult assignLayout(AllocOp op, const NVIDIAMachine &machine) {
  if (isReadToRegisters(op))
    return assignBestLayout(op, machine, /*hasPadding=*/true);
  BufType type = op.getResult().getType();
  if (type.getLayout())
    return success();
  int64_t rowBytes = getRowBytes(type);
  bool isSwizzled = rowBytes == 128;
  int64_t unit = isSwizzled ? 16 : std::gcd<int64_t>(rowBytes, 16);
  return setLayout(op.getResult(),
                   SmemAttr::get(op.getContext(), /*pad=*/0, unit,
                                 isSwizzled ? 7 : 0, /*shift=*/0));
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Every register tile has lanes, or nothing below can lower it.
static LogicalResult verifyAssigned(gpu::GPUFuncOp func) {
  WalkResult result = func.walk([](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto frag = dyn_cast<FragType>(type); frag && !frag.getLanes()) {
        op->emitOpError("has a register tile that no matrix product uses");
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct AssignLayouts : lpgemm::impl::AssignLayoutsPassBase<AssignLayouts> {
  LogicalResult assign(gpu::GPUFuncOp func) {
    SmallVector<AllocOp> buffers;
    func.walk([&](AllocOp op) { buffers.push_back(op); });
    if (failed(assignLanes(func)) || failed(verifyAssigned(func)))
      return failure();
    if (buffers.empty())
      return success();
    TargetAttr target = lookupTarget(func);
    if (!target)
      return func.emitOpError("needs a target: set lpgemm.target on the module "
                              "or its gpu.module");
    const TargetRecord &record = *lookupTargetRecord(target.getChip());
    if (failed(checkLowering(func, record)))
      return failure();
    for (AllocOp op : buffers)
      if (failed(record.amdgpu ? assignLayout(op, *record.amdgpu)
                               : assignLayout(op, *record.nvidia)))
        return failure();
    return success();
  }

  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>())
      if (failed(assign(func)))
        return signalPassFailure();
  }
};
} // namespace
