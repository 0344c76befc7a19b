//===- AsyncCopyOps.cpp - asynchronous copies -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CustomOps.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

static unsigned spaceOf(Value pointer) {
  return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace();
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

static void lowerCpAsync(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::CpAsyncOp>(operation);
  call.passSite();
  call.pass(op.getDst());
  call.pass(op.getSrc());
  call.passConstant(op.getSize());
  call.passOr(op.getCpSize(), op.getSize());
  call.replace("emu_nvvm_cp_async");
}

static void lowerCommitGroup(Operation *, OpCall &call) {
  call.passSite();
  call.replace("emu_nvvm_cp_async_commit_group");
}

static LogicalResult checkWaitGroup(Operation *op, const EmulatedChip &) {
  int32_t n = cast<NVVM::CpAsyncWaitGroupOp>(op).getN();
  return n >= 0 ? success()
                : op->emitError("expected at least 0 groups, got ") << n;
}

static void lowerWaitGroup(Operation *op, OpCall &call) {
  call.passSite();
  call.passConstant(cast<NVVM::CpAsyncWaitGroupOp>(op).getN());
  call.replace("emu_nvvm_cp_async_wait_group");
}

static void lowerMBarrierArrive(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::CpAsyncMBarrierArriveOp>(operation);
  call.passSite();
  call.pass(op.getAddr());
  call.passConstant(spaceOf(op.getAddr()));
  call.passConstant(op.getNoinc());
  call.replace("emu_nvvm_cp_async_mbarrier_arrive");
}

//===----------------------------------------------------------------------===//
// cp.async.bulk
//===----------------------------------------------------------------------===//

static void lowerBulkLoad(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::CpAsyncBulkGlobalToSharedClusterOp>(operation);
  call.passSite();
  call.pass(op.getDstMem());
  call.passConstant(spaceOf(op.getDstMem()));
  call.pass(op.getSrcMem());
  call.pass(op.getMbar());
  call.pass(op.getSize());
  call.passOr(op.getMulticastMask(), 0);
  call.replace("emu_nvvm_bulk_load");
}

static void lowerBulkCopyShared(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::CpAsyncBulkSharedCTAToSharedClusterOp>(operation);
  call.passSite();
  call.pass(op.getDstMem());
  call.pass(op.getSrcMem());
  call.pass(op.getMbar());
  call.pass(op.getSize());
  call.replace("emu_nvvm_bulk_copy_shared");
}

static void lowerBulkStore(Operation *operation, OpCall &call) {
  constexpr int64_t kAllBytes = 0xffff;
  auto op = cast<NVVM::CpAsyncBulkSharedCTAToGlobalOp>(operation);
  call.passSite();
  call.pass(op.getDstMem());
  call.pass(op.getSrcMem());
  call.pass(op.getSize());
  call.passOr(op.getByteMask(), kAllBytes);
  call.replace("emu_nvvm_bulk_store");
}

static void lowerBulkPrefetch(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::CpAsyncBulkPrefetchOp>(operation);
  call.passSite();
  call.pass(op.getSrcMem());
  call.pass(op.getSize());
  call.replace("emu_nvvm_bulk_prefetch");
}

static void lowerBulkCommitGroup(Operation *, OpCall &call) {
  call.passSite();
  call.replace("emu_nvvm_bulk_commit_group");
}

static void lowerBulkWaitGroup(Operation *op, OpCall &call) {
  call.passSite();
  call.passConstant(cast<NVVM::CpAsyncBulkWaitGroupOp>(op).getGroup());
  call.replace("emu_nvvm_bulk_wait_group");
}

//===----------------------------------------------------------------------===//
// cp.async.bulk.tensor
//===----------------------------------------------------------------------===//

static LogicalResult checkTileMode(Operation *op, bool isTile) {
  if (isTile)
    return success();
  return op->emitError("emulator models copies of tensors in tile mode, got '")
         << op->getName() << "' in another";
}

static LogicalResult checkTensorLoad(Operation *operation,
                                     const EmulatedChip &chip) {
  auto op = cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(operation);
  if (op.getGroup())
    return op.emitError("'")
           << op->getName() << "' with a cta_group is not of sm_90";
  return checkTileMode(op, op.getMode() == NVVM::TMALoadMode::TILE);
}

static LogicalResult checkTensorPrefetch(Operation *operation,
                                         const EmulatedChip &chip) {
  auto op = cast<NVVM::CpAsyncBulkTensorPrefetchOp>(operation);
  return checkTileMode(op, op.getMode() == NVVM::TMALoadMode::TILE);
}

static LogicalResult checkTensorStore(Operation *operation,
                                      const EmulatedChip &chip) {
  auto op = cast<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(operation);
  return checkTileMode(op, op.getMode() == NVVM::TMAStoreMode::TILE);
}

static LogicalResult checkTensorReduce(Operation *operation,
                                       const EmulatedChip &chip) {
  auto op = cast<NVVM::CpAsyncBulkTensorReduceOp>(operation);
  return checkTileMode(op, op.getMode() == NVVM::TMAStoreMode::TILE);
}

/// How many there are, and five.
static void passCoordinates(OpCall &call, OperandRange coordinates) {
  constexpr unsigned kMaxRank = 5;
  call.passConstant(coordinates.size());
  for (Value coordinate : coordinates)
    call.pass(coordinate);
  for (unsigned i = coordinates.size(); i < kMaxRank; ++i)
    call.passConstant(0);
}

static void lowerTensorLoad(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(operation);
  call.passSite();
  call.pass(op.getDstMem());
  call.passConstant(spaceOf(op.getDstMem()));
  call.pass(op.getTmaDescriptor());
  call.pass(op.getMbar());
  call.passOr(op.getMulticastMask(), 0);
  call.passOr(op.getPredicate(), 1);
  passCoordinates(call, op.getCoordinates());
  call.replace("emu_nvvm_tensor_load");
}

static void lowerTensorStore(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(operation);
  call.passSite();
  call.pass(op.getTmaDescriptor());
  call.pass(op.getSrcMem());
  call.passOr(op.getPredicate(), 1);
  passCoordinates(call, op.getCoordinates());
  call.replace("emu_nvvm_tensor_store");
}

static void lowerTensorReduce(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::CpAsyncBulkTensorReduceOp>(operation);
  call.passSite();
  call.pass(op.getTmaDescriptor());
  call.pass(op.getSrcMem());
  call.passConstant(static_cast<int64_t>(op.getRedKind()));
  passCoordinates(call, op.getCoordinates());
  call.replace("emu_nvvm_tensor_reduce");
}

static void lowerTensorPrefetch(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::CpAsyncBulkTensorPrefetchOp>(operation);
  call.passSite();
  call.pass(op.getTmaDescriptor());
  passCoordinates(call, op.getCoordinates());
  call.replace("emu_nvvm_tensor_prefetch");
}

/// Of caches only the prefetch of a tensor map says what can be checked.
static void lowerPrefetch(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::PrefetchOp>(operation);
  if (!op.getTensormap())
    return call.replaceWith({});
  call.passSite();
  call.pass(op.getAddr());
  call.passOr(op.getPredicate(), 1);
  call.replace("emu_nvvm_prefetch_tensormap");
}

ArrayRef<CustomOp> mlir::lpgemm::emulator::getAsyncCopyOps() {
  static constexpr CustomOp kOps[] = {
      {"nvvm.cp.async.shared.global", lowerCpAsync},
      {"nvvm.cp.async.commit.group", lowerCommitGroup},
      {"nvvm.cp.async.wait.group", lowerWaitGroup, checkWaitGroup},
      {"nvvm.cp.async.mbarrier.arrive", lowerMBarrierArrive},
      {"nvvm.cp.async.bulk.shared.cluster.global", lowerBulkLoad},
      {"nvvm.cp.async.bulk.shared.cluster.shared.cta", lowerBulkCopyShared},
      {"nvvm.cp.async.bulk.global.shared.cta", lowerBulkStore},
      {"nvvm.cp.async.bulk.prefetch", lowerBulkPrefetch},
      {"nvvm.cp.async.bulk.commit.group", lowerBulkCommitGroup},
      {"nvvm.cp.async.bulk.wait_group", lowerBulkWaitGroup},
      {"nvvm.cp.async.bulk.tensor.shared.cluster.global", lowerTensorLoad,
       checkTensorLoad},
      {"nvvm.cp.async.bulk.tensor.global.shared.cta", lowerTensorStore,
       checkTensorStore},
      {"nvvm.cp.async.bulk.tensor.reduce", lowerTensorReduce,
       checkTensorReduce},
      {"nvvm.cp.async.bulk.tensor.prefetch", lowerTensorPrefetch,
       checkTensorPrefetch},
      {"nvvm.prefetch", lowerPrefetch},
  };
  return kOps;
}
