//===- RegisterOps.cpp - special registers and control --------------------===//
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

static void lowerSetMaxRegister(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::SetMaxRegisterOp>(operation);
  call.passSite();
  call.passConstant(op.getRegCount());
  call.passConstant(op.getAction() == NVVM::SetMaxRegisterAction::increase);
  call.replace("emu_nvvm_setmaxregister");
}

/// The driver says what is in them (PTX ISA, "%envreg"); here it is nothing.
static void lowerEnvreg(Operation *op, OpCall &call) {
  OpBuilder &builder = call.getBuilder();
  call.replaceWith(LLVM::ConstantOp::create(builder, op->getLoc(),
                                            builder.getI32Type(),
                                            builder.getI32IntegerAttr(0)));
}

static LogicalResult checkEnvreg(Operation *op, const EmulatedChip &) {
  if (op->getResult(0).getType().isInteger(32))
    return success();
  return op->emitError("emulator models '")
         << op->getName() << "' of i32, got " << op->getResult(0).getType();
}

ArrayRef<CustomOp> mlir::lpgemm::emulator::getRegisterOps() {
  static constexpr CustomOp kOps[] = {
      {"nvvm.setmaxregister", lowerSetMaxRegister},
      {"nvvm.read.ptx.sreg.envreg0", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg1", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg2", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg3", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg4", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg5", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg6", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg7", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg8", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg9", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg10", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg11", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg12", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg13", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg14", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg15", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg16", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg17", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg18", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg19", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg20", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg21", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg22", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg23", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg24", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg25", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg26", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg27", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg28", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg29", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg30", lowerEnvreg, checkEnvreg},
      {"nvvm.read.ptx.sreg.envreg31", lowerEnvreg, checkEnvreg},
  };
  return kOps;
}
