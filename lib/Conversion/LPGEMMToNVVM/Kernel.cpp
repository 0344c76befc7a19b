//===- Kernel.cpp - the kernel around an op, its shared memory ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

Value nvvm::buildThread(ImplicitLocOpBuilder &b) {
  return NVVM::ThreadIdXOp::create(b, b.getI32Type());
}

int64_t nvvm::getWorkgroupSize(Operation *op) {
  return op->getParentOfType<gpu::GPUFuncOp>().getKnownBlockSize()->front();
}

Value nvvm::buildThreadOfWave(ImplicitLocOpBuilder &b, FragType type) {
  const MmaInfo &info = getMmaInfo(type.getLanes().getInstr());
  return remI32(b, buildThread(b),
                info.readsSharedMemory() ? kWaveThreads : kWarpThreads);
}

Value nvvm::buildLane(ImplicitLocOpBuilder &b) {
  return remI32(b, buildThread(b), kWarpThreads);
}

/// The lanes of a warp get the number from lane 0: that way ptxas knows that
/// they agree.
Value nvvm::buildUniformWarp(ImplicitLocOpBuilder &b) {
  Value warp = divI32(b, buildThread(b), kWarpThreads);
  return NVVM::ShflOp::create(b, b.getI32Type(), constantI32(b, -1), warp,
                              constantI32(b, 0), constantI32(b, 31),
                              NVVM::ShflKind::idx, UnitAttr());
}

Value nvvm::isEqual(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lhs,
                               constantI32(b, rhs));
}

Value nvvm::i32ToIndex(ImplicitLocOpBuilder &b, Value value) {
  return b.createOrFold<arith::IndexCastOp>(b.getIndexType(), value);
}

void nvvm::setInsertionPointBehind(ImplicitLocOpBuilder &b, Block *block,
                                   ArrayRef<Value> values) {
  Operation *last = nullptr;
  for (Value value : values)
    if (Operation *definition = value ? value.getDefiningOp() : nullptr)
      if (definition->getBlock() == block &&
          (!last || last->isBeforeInBlock(definition)))
        last = definition;
  if (last)
    b.setInsertionPointAfter(last);
  else
    b.setInsertionPointToStart(block);
}

void nvvm::setInsertionPointAhead(ImplicitLocOpBuilder &b,
                                  RewriterBase &rewriter, LoadOp op) {
  Block *block = op->getBlock();
  SmallVector<Value> position = {op.getRow(), op.getCol(), op.getWaveRow(),
                                 op.getWaveCol()};
  // Constants are known anywhere.
  for (Value value : position)
    if (matchPattern(value, m_Constant()) && value.getParentBlock() == block)
      rewriter.moveOpBefore(value.getDefiningOp(), block, block->begin());
  setInsertionPointBehind(b, block, position);
}

void nvvm::buildIf(ImplicitLocOpBuilder &b, Value condition,
                   function_ref<void()> build) {
  auto ifOp = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  build();
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

static Value buildSharedBase(ImplicitLocOpBuilder &b) {
  auto type = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  return LLVM::AddressOfOp::create(b, type, kSharedName);
}

Value nvvm::buildSharedPtr(ImplicitLocOpBuilder &b, Value offset) {
  Value base = buildSharedBase(b);
  return LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base, offset);
}

Value nvvm::buildSharedAddress(ImplicitLocOpBuilder &b, Value offset) {
  Value base = LLVM::PtrToIntOp::create(b, b.getI32Type(), buildSharedBase(b));
  return addI32(b, base, offset);
}

int64_t nvvm::getTileBytes(BufType type) {
  return type.getShape().take_back(2).front() * getPitchBytes(type);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// All that are full come first, then all that are empty.
static constexpr int64_t kBarrierBytes = 8;

Value nvvm::buildFullBarrier(ImplicitLocOpBuilder &b, Value pipe, Value slot) {
  return buildSharedPtr(b, addI32(b, pipe, mulI32(b, slot, kBarrierBytes)));
}

Value nvvm::buildEmptyBarrier(ImplicitLocOpBuilder &b, PipeType type,
                              Value pipe, Value slot) {
  Value first = constantI32(b, type.getSlots() * kBarrierBytes);
  return buildFullBarrier(b, addI32(b, pipe, first), slot);
}

void nvvm::buildProxyFence(ImplicitLocOpBuilder &b) {
  NVVM::FenceProxyOp::create(
      b, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(b.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}

void nvvm::buildRoleBarrier(ImplicitLocOpBuilder &b, const RoleInfo &role) {
  // Barrier 0 is that of the whole workgroup.
  NVVM::BarrierOp::create(b, /*res=*/Type(), constantI32(b, role.index + 1),
                          constantI32(b, role.getNumThreads()),
                          /*reductionOp=*/nullptr,
                          /*reductionPredicate=*/Value());
}
