//===- AtomicOps.cpp - atomic accesses of NVIDIA --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AtomicOps.h"

#include "lpgemm/Emulator/Ordering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

namespace {
struct AtomicAccess {
  Value address;
  Type type;
  LLVM::AtomicOrdering ordering;
  uint32_t flags;
};
} // namespace

static AtomicAccess describe(Operation *op) {
  return TypeSwitch<Operation *, AtomicAccess>(op)
      .Case([](LLVM::LoadOp op) {
        return AtomicAccess{op.getAddr(), op.getType(), op.getOrdering(),
                            kReads};
      })
      .Case([](LLVM::StoreOp op) {
        return AtomicAccess{op.getAddr(), op.getValue().getType(),
                            op.getOrdering(), kWrites};
      })
      .Case([](LLVM::AtomicRMWOp op) {
        return AtomicAccess{op.getPtr(), op.getVal().getType(),
                            op.getOrdering(), kReads | kWrites};
      })
      .Case([](LLVM::AtomicCmpXchgOp op) {
        return AtomicAccess{op.getPtr(), op.getVal().getType(),
                            op.getSuccessOrdering(), kReads | kWrites};
      });
}

static uint32_t flagsOf(LLVM::AtomicOrdering ordering) {
  switch (ordering) {
  case LLVM::AtomicOrdering::acquire:
    return kAcquires;
  case LLVM::AtomicOrdering::release:
    return kReleases;
  case LLVM::AtomicOrdering::acq_rel:
  case LLVM::AtomicOrdering::seq_cst:
    return kAcquires | kReleases;
  default:
    return 0;
  }
}

bool mlir::lpgemm::emulator::isAtomicAccess(Operation *op) {
  return describe(op).ordering != LLVM::AtomicOrdering::not_atomic;
}

LogicalResult mlir::lpgemm::emulator::checkAtomicSize(Operation *op) {
  constexpr uint64_t kMaxBytes = 8;
  Type type = describe(op).type;
  uint64_t bytes = getBytes(op, type);
  if (bytes <= kMaxBytes && llvm::isPowerOf2_64(bytes))
    return success();
  return op->emitError("emulator models atomic accesses of 1, 2, 4 or 8 bytes, "
                       "got ")
         << type;
}

void mlir::lpgemm::emulator::callAtomic(Operation *op, OpCall &call) {
  AtomicAccess access = describe(op);
  uint64_t bytes = getBytes(op, access.type);
  call.passSite();
  call.pass(access.address);
  call.passConstant(bytes);
  call.passConstant(
      cast<LLVM::LLVMPointerType>(access.address.getType()).getAddressSpace());
  call.passConstant(access.flags | flagsOf(access.ordering));
  call.call("emu_nvvm_atomic", Type());
  op->removeAttr("syncscope");
  op->setAttr("alignment", call.getBuilder().getI64IntegerAttr(bytes));
}

void mlir::lpgemm::emulator::lowerNvidiaFence(LLVM::FenceOp op, OpCall &call) {
  if (op.getSyncscope().value_or("").starts_with("singlethread"))
    return call.replaceWith({});
  call.passConstant(flagsOf(op.getOrdering()));
  call.replace("emu_nvvm_fence");
}
