//===- MBarrierOps.cpp - mbarrier objects ---------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CustomOps.h"

#include "../../Runtime/NVVM/AsyncAbi.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

/// The site, the address and its space.
static void passObject(OpCall &call, Value address) {
  call.passSite();
  call.pass(address);
  call.passConstant(
      cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace());
}

static void lowerInit(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MBarrierInitOp>(operation);
  passObject(call, op.getAddr());
  call.pass(op.getCount());
  call.passOr(op.getPredicate(), 1);
  call.replace("emu_nvvm_mbarrier_init");
}

static void lowerInval(Operation *op, OpCall &call) {
  passObject(call, cast<NVVM::MBarrierInvalOp>(op).getAddr());
  call.replace("emu_nvvm_mbarrier_inval");
}

static void lowerExpectTx(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MBarrierExpectTxOp>(operation);
  passObject(call, op.getAddr());
  call.pass(op.getTxcount());
  call.replace("emu_nvvm_mbarrier_expect_tx");
}

static void lowerCompleteTx(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MBarrierCompleteTxOp>(operation);
  passObject(call, op.getAddr());
  call.pass(op.getTxcount());
  call.replace("emu_nvvm_mbarrier_complete_tx");
}

//===----------------------------------------------------------------------===//
// Arrivals
//===----------------------------------------------------------------------===//

/// Calls the one function of all arrivals. `bytes` and `predicate` may be
/// missing.
static void arrive(Operation *op, OpCall &call, Value address, Value count,
                   Value bytes, uint32_t flags, Value predicate = {}) {
  passObject(call, address);
  call.passOr(count, 1);
  call.passOr(bytes, 0);
  call.passConstant(flags);
  call.passOr(predicate, 1);
  Value state =
      call.call("emu_nvvm_mbarrier_arrive", call.getBuilder().getI64Type());
  call.replaceWith(op->getNumResults() ? state : Value());
}

static uint32_t relaxedIf(bool isRelaxed) { return isRelaxed ? kRelaxed : 0; }

static void lowerArrive(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MBarrierArriveOp>(operation);
  arrive(op, call, op.getAddr(), op.getCount(), {}, relaxedIf(op.getRelaxed()));
}

static void lowerArriveDrop(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MBarrierArriveDropOp>(operation);
  arrive(op, call, op.getAddr(), op.getCount(), {},
         kArriveDrop | relaxedIf(op.getRelaxed()));
}

static void lowerArriveNocomplete(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MBarrierArriveNocompleteOp>(operation);
  arrive(op, call, op.getAddr(), op.getCount(), {}, kArriveNoComplete);
}

static void lowerArriveDropNocomplete(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MBarrierArriveDropNocompleteOp>(operation);
  arrive(op, call, op.getAddr(), op.getCount(), {},
         kArriveDrop | kArriveNoComplete);
}

static void lowerArriveExpectTx(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MBarrierArriveExpectTxOp>(operation);
  arrive(op, call, op.getAddr(), {}, op.getTxcount(),
         relaxedIf(op.getRelaxed()), op.getPredicate());
}

static void lowerArriveDropExpectTx(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MBarrierArriveDropExpectTxOp>(operation);
  arrive(op, call, op.getAddr(), {}, op.getTxcount(),
         kArriveDrop | relaxedIf(op.getRelaxed()));
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

static void lowerTryWaitParity(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MBarrierTryWaitParityOp>(operation);
  call.passSite();
  call.pass(op.getAddr());
  call.pass(op.getPhase());
  call.replace("emu_nvvm_mbarrier_wait_parity");
}

/// A state has 64 bits, a parity 32.
static void test(Operation *op, OpCall &call, Value address, Value value,
                 bool isRelaxed) {
  OpBuilder &builder = call.getBuilder();
  bool isParity = value.getType().isInteger(32);
  if (isParity)
    value = LLVM::ZExtOp::create(builder, op->getLoc(), builder.getI64Type(),
                                 value);
  call.passSite();
  call.pass(address);
  call.pass(value);
  call.passConstant((isParity ? kWaitParity : 0) | relaxedIf(isRelaxed));
  Value result = call.call("emu_nvvm_mbarrier_test_wait", builder.getI32Type());
  call.replaceWith(LLVM::TruncOp::create(builder, op->getLoc(),
                                         builder.getI1Type(), result));
}

static void lowerTestWait(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MBarrierTestWaitOp>(operation);
  test(op, call, op.getAddr(), op.getStateOrPhase(), op.getRelaxed());
}

static void lowerTryWait(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MBarrierTryWaitOp>(operation);
  test(op, call, op.getAddr(), op.getStateOrPhase(), op.getRelaxed());
}

ArrayRef<CustomOp> mlir::lpgemm::emulator::getMBarrierOps() {
  static constexpr CustomOp kOps[] = {
      {"nvvm.mbarrier.init", lowerInit},
      {"nvvm.mbarrier.inval", lowerInval},
      {"nvvm.mbarrier.expect_tx", lowerExpectTx},
      {"nvvm.mbarrier.complete_tx", lowerCompleteTx},
      {"nvvm.mbarrier.arrive", lowerArrive},
      {"nvvm.mbarrier.arrive_drop", lowerArriveDrop},
      {"nvvm.mbarrier.arrive.nocomplete", lowerArriveNocomplete},
      {"nvvm.mbarrier.arrive_drop.nocomplete", lowerArriveDropNocomplete},
      {"nvvm.mbarrier.arrive.expect_tx", lowerArriveExpectTx},
      {"nvvm.mbarrier.arrive_drop.expect_tx", lowerArriveDropExpectTx},
      {"nvvm.mbarrier.try_wait.parity", lowerTryWaitParity},
      {"nvvm.mbarrier.test.wait", lowerTestWait},
      {"nvvm.mbarrier.try_wait", lowerTryWait},
  };
  return kOps;
}
