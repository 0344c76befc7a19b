//===- CheckTileOps.cpp - what the lowering needs -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// `type` of an operand or result of `op` must be decided.
static LogicalResult checkType(Operation *op, Type type) {
  if (auto frag = dyn_cast<FragType>(type); frag && !frag.getLanes())
    return op->emitOpError()
           << "expects register tiles with lanes, but got " << type;
  if (auto buf = dyn_cast<BufType>(type); buf && !buf.getLayout())
    return op->emitOpError()
           << "expects buffers with a layout, but got " << type;
  return success();
}

static LogicalResult checkLanes(Operation *op, StringRef name, FragType type,
                                MmaInstr instr, MmaRole role) {
  auto expected = LanesAttr::get(op->getContext(), instr, role);
  if (type.getLanes() == expected)
    return success();
  return op->emitOpError() << "expects " << name << " in lanes " << expected
                           << ", but got " << type.getLanes();
}

/// A scale operand: its lanes, and a type that can be decoded.
static LogicalResult checkScale(Operation *op, StringRef name, FragType type,
                                MmaInstr instr, MmaRole role) {
  if (!isa<Float8E8M0FNUType>(type.getElementType()))
    return op->emitOpError()
           << "expects " << name << " to be of f8E8M0FNU, but got " << type;
  return checkLanes(op, name, type, instr, role);
}

/// The swizzle must stay inside a row.
static LogicalResult check(AllocOp op) {
  BufType type = op.getType();
  SmemAttr layout = type.getLayout();
  int64_t period = (layout.getMask() + 1) * layout.getUnit();
  if (layout.getMask() == 0 || type.getDimSize(1) % period == 0)
    return success();
  return op.emitOpError() << "expects rows of a multiple of " << period
                          << " bytes, the period of the swizzle, but got "
                          << type;
}

static LogicalResult check(LoadOp op) {
  FragType type = op.getResult().getType();
  if (llvm::is_contained({8, 16, 32},
                         type.getElementType().getIntOrFloatBitWidth()))
    return success();
  return op.emitOpError() << "expects elements of 8, 16 or 32 bits, but got "
                          << type;
}

static LogicalResult check(ReadOp op) {
  FragType type = op.getResult().getType();
  SmemAttr layout = op.getSource().getType().getLayout();
  const LaneLayout &lanes = RegisterTile(type).getLayout();
  if (lanes.vectorDim == 0 || lanes.chunkLen == 1 || layout.getMask() == 0)
    return success();
  if (layout.getUnit() % lanes.chunkLen != 0)
    return op.emitOpError()
           << "expects a swizzle unit of a multiple of " << lanes.chunkLen
           << " bytes, the chunk of " << type.getLanes() << ", but got "
           << layout.getUnit();
  APInt col;
  if (matchPattern(op.getCol(), m_ConstantInt(&col)) &&
      col.getSExtValue() % lanes.chunkLen == 0)
    return success();
  return op.emitOpError() << "expects the column in a swizzled buffer to be a "
                             "constant multiple of "
                          << lanes.chunkLen << ", the chunk of "
                          << type.getLanes();
}

static LogicalResult check(StoreOp op) {
  FragType type = op.getValue().getType();
  Type element = type.getElementType();
  if ((element.isF32() || element.isBF16() || element.isF16()) &&
      type.getLanes().getRole() == MmaRole::C)
    return success();
  return op.emitOpError()
         << "expects a tile of f32, bf16 or f16 in lanes of c, but got "
         << type;
}

static LogicalResult check(SliceOp op) {
  LanesAttr source = op.getSource().getType().getLanes();
  if (source != op.getType().getLanes())
    return op.emitOpError() << "expects the lanes of the source, " << source
                            << ", but got " << op.getType().getLanes();
  int64_t cols = RegisterTile(op.getType()).getLayout().cols;
  if (op.getCol() % cols == 0)
    return success();
  return op.emitOpError() << "expects the column to be a multiple of " << cols
                          << ", the columns of an atom, but got "
                          << op.getCol();
}

static LogicalResult check(MmaOp op) {
  if (!op.getSa())
    return success();
  MmaInstr instr = op.getInstr();
  int64_t expected = getMmaInfo(instr).scaleBlock;
  if (expected == 0)
    return op.emitOpError() << "expects no scales: " << stringifyMmaInstr(instr)
                            << " has no scale operands";
  int64_t block =
      op.getA().getType().getDimSize(1) / op.getSa().getType().getDimSize(1);
  if (block != expected)
    return op.emitOpError() << "expects one scale for each " << expected
                            << " elements of K, but got one for each " << block;
  if (failed(checkScale(op, "sa", op.getSa().getType(), instr, MmaRole::SA)))
    return failure();
  return checkScale(op, "sb", op.getSb().getType(), instr, MmaRole::SB);
}

static LogicalResult check(PromoteOp op) {
  MmaInstr instr = op.getType().getLanes().getInstr();
  if (failed(checkLanes(op, "part", op.getType(), instr, MmaRole::C)) ||
      failed(checkScale(op, "sa", op.getSa().getType(), instr, MmaRole::CRow)))
    return failure();
  return checkScale(op, "sb", op.getSb().getType(), instr, MmaRole::CCol);
}

static LogicalResult check(ApplyOp op) {
  MmaInstr instr = op.getType().getLanes().getInstr();
  struct {
    StringRef name;
    OperandRange operands;
    MmaRole role;
  } groups[] = {{"a tile", op.getTiles(), MmaRole::C},
                {"an operand of rows", op.getRows(), MmaRole::CRow},
                {"an operand of cols", op.getCols(), MmaRole::CCol}};
  for (auto &group : groups)
    for (Type type : group.operands.getTypes())
      if (failed(checkLanes(op, group.name, cast<FragType>(type), instr,
                            group.role)))
        return failure();
  return checkLanes(op, "the result", op.getType(), instr, MmaRole::C);
}

static LogicalResult checkOp(Operation *op) {
  if (!isa_and_nonnull<LPGEMMDialect>(op->getDialect()) && !op->getNumRegions())
    return success();
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes())))
    if (failed(checkType(op, type)))
      return failure();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<AllocOp, ApplyOp, LoadOp, MmaOp, PromoteOp, ReadOp, SliceOp,
            StoreOp>([](auto op) { return check(op); })
      .Case([](MatmulOp op) {
        return op.emitOpError("expects to be lowered to tile ops before");
      })
      .Default(success());
}

/// All buffers of a kernel live at once.
static LogicalResult checkSharedMemory(gpu::GPUFuncOp func,
                                       const TargetRecord &record) {
  int64_t bytes = 0;
  func.walk([&](AllocOp op) { bytes += SharedTile::getBytes(op.getType()); });
  if (bytes <= record.amdgpu->sharedMemoryBytes)
    return success();
  return func.emitOpError()
         << "expects at most " << record.amdgpu->sharedMemoryBytes
         << " bytes of shared memory on " << record.chip << ", but got "
         << bytes;
}

static LogicalResult checkKernel(gpu::GPUFuncOp func) {
  auto usesThreads = [](Operation *op) {
    return isa_and_nonnull<LPGEMMDialect>(op->getDialect()) ||
           isa<gpu::SubgroupIdOp>(op);
  };
  if (!func.walk([&](Operation *op) {
             return usesThreads(op) ? WalkResult::interrupt()
                                    : WalkResult::advance();
           })
           .wasInterrupted())
    return success();
  TargetAttr target = lookupTarget(func);
  if (!target)
    return func.emitOpError() << "expects attribute '" << kTargetAttrName
                              << "' on itself or an enclosing module";
  const TargetRecord &record = *lookupTargetRecord(target.getChip());
  if (failed(checkAMDGPULowering(func, record)))
    return failure();
  std::optional<ArrayRef<int32_t>> size = func.getKnownBlockSize();
  if (!size || (*size)[1] != 1 || (*size)[2] != 1)
    return func.emitOpError(
        "expects 'known_block_size' with threads along x only");
  if (func.walk([](Operation *op) {
            return failed(checkOp(op)) ? WalkResult::interrupt()
                                       : WalkResult::advance();
          })
          .wasInterrupted())
    return failure();
  for (Type type : func.getArgumentTypes())
    if (isa<LPGEMMDialect>(type.getDialect()))
      return func.emitOpError()
             << "expects no tiles among its arguments, but got " << type;
  return checkSharedMemory(func, record);
}

LogicalResult lpgemm::checkTileOps(gpu::GPUModuleOp module) {
  for (auto func : module.getOps<gpu::GPUFuncOp>())
    if (failed(checkKernel(func)))
      return failure();
  return success();
}
