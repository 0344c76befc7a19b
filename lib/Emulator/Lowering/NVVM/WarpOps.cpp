//===- WarpOps.cpp - operations of a warp ---------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CustomOps.h"

#include "../OpRules.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

/// All lanes of a warp.
static constexpr int64_t kAllLanes = 0xffffffff;

static void lowerElectSync(Operation *op, OpCall &call) {
  OpBuilder &builder = call.getBuilder();
  call.passSite();
  call.passOr(cast<NVVM::ElectSyncOp>(op).getMembermask(), kAllLanes);
  Value isLeader = call.call("emu_nvvm_elect_sync", builder.getI32Type());
  call.replaceWith(LLVM::TruncOp::create(builder, call.getLoc(),
                                         builder.getI1Type(), isLeader));
}

static void lowerSyncWarp(Operation *op, OpCall &call) {
  call.passSite();
  call.pass(cast<NVVM::SyncWarpOp>(op).getMask());
  call.replace("emu_nvvm_bar_warp_sync");
}

/// A struct of a value, and of bit 32 of what the runtime has returned.
static Value buildPair(OpBuilder &builder, Location loc, Type type, Value value,
                       Value returned) {
  Value width = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                         builder.getI64IntegerAttr(32));
  Value flag = LLVM::TruncOp::create(
      builder, loc, builder.getI1Type(),
      LLVM::LShrOp::create(builder, loc, returned, width));
  Value pair = LLVM::PoisonOp::create(builder, loc, type);
  pair = LLVM::InsertValueOp::create(builder, loc, pair, value,
                                     ArrayRef<int64_t>{0});
  return LLVM::InsertValueOp::create(builder, loc, pair, flag,
                                     ArrayRef<int64_t>{1});
}

/// The runtime returns the value in the low 32 bits, and above them whether the
/// source lane is in range.
static void lowerShfl(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::ShflOp>(operation);
  OpBuilder &builder = call.getBuilder();
  Location loc = op.getLoc();
  Type type = op.getVal().getType();
  Value value = op.getVal();
  if (type.isF32())
    value = LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), value);
  call.passSite();
  call.pass(op.getThreadMask());
  call.pass(value);
  call.pass(op.getOffset());
  call.pass(op.getMaskAndClamp());
  call.passConstant(static_cast<int64_t>(op.getKind()));
  Value both = call.call("emu_nvvm_shfl_sync", builder.getI64Type());
  Value result =
      LLVM::TruncOp::create(builder, loc, builder.getI32Type(), both);
  if (type.isF32())
    result = LLVM::BitcastOp::create(builder, loc, type, result);
  if (!op.getReturnValueAndIsValid())
    return call.replaceWith(result);
  call.replaceWith(buildPair(builder, loc, op.getType(), result, both));
}

/// Replaces the operation by a result of 32 bits as what its type is.
static void replaceByBits(Operation *op, OpCall &call, Value bits) {
  OpBuilder &builder = call.getBuilder();
  if (op->getResult(0).getType().isInteger(1))
    bits =
        LLVM::TruncOp::create(builder, op->getLoc(), builder.getI1Type(), bits);
  call.replaceWith(bits);
}

static void lowerVote(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::VoteSyncOp>(operation);
  call.passSite();
  call.pass(op.getMask());
  call.pass(op.getPred());
  call.passConstant(static_cast<int64_t>(op.getKind()));
  replaceByBits(
      op, call,
      call.call("emu_nvvm_vote_sync", call.getBuilder().getI32Type()));
}

static void lowerMatch(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MatchSyncOp>(operation);
  OpBuilder &builder = call.getBuilder();
  Location loc = op.getLoc();
  Value value = op.getVal();
  if (value.getType().isInteger(32))
    value = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), value);
  call.passSite();
  call.pass(op.getThreadMask());
  call.pass(value);
  if (op.getKind() == NVVM::MatchSyncKind::any)
    return call.replaceWith(
        call.call("emu_nvvm_match_any_sync", builder.getI32Type()));
  Value both = call.call("emu_nvvm_match_all_sync", builder.getI64Type());
  call.replaceWith(buildPair(
      builder, loc, op.getType(),
      LLVM::TruncOp::create(builder, loc, builder.getI32Type(), both), both));
}

/// Reductions of floats are of sm_100a (PTX ISA, "redux.sync").
static LogicalResult checkRedux(Operation *op, const EmulatedChip &chip) {
  if (op->getResult(0).getType().isInteger(32))
    return success();
  return emitNoForm(op, chip, "of f32", /*chips=*/0);
}

static void lowerRedux(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::ReduxOp>(operation);
  call.passSite();
  call.pass(op.getMaskAndClamp());
  call.pass(op.getVal());
  call.passConstant(static_cast<int64_t>(op.getKind()));
  call.replace("emu_nvvm_redux_sync");
}

ArrayRef<CustomOp> mlir::lpgemm::emulator::getWarpOps() {
  static constexpr CustomOp kOps[] = {
      {"nvvm.elect.sync", lowerElectSync},
      {"nvvm.bar.warp.sync", lowerSyncWarp},
      {"nvvm.shfl.sync", lowerShfl},
      {"nvvm.vote.sync", lowerVote},
      {"nvvm.match.sync", lowerMatch},
      {"nvvm.redux.sync", lowerRedux, checkRedux},
  };
  return kOps;
}
