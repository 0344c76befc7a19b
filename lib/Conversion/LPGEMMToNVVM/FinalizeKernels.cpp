//===- FinalizeKernels.cpp - what ptxas has to know -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/Passes.h"

#include "Lowering.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Dominance.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_FINALIZENVVMKERNELSPASS
#include "lpgemm/Conversion/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

/// Gives each wait that reads and writes registers values of its own, which
/// what is behind it uses: convert-nvvm-to-llvm replaces other uses as well,
/// such as those of an earlier round of a loop. Folding would undo it.
static void separateWaits(LLVM::LLVMFuncOp func) {
  DominanceInfo dominance(func);
  func.walk([&](NVVM::InlinePtxOp wait) {
    OpBuilder b(wait);
    for (OpOperand &operand : wait.getReadWriteArgsMutable()) {
      Value before = operand.get();
      Value behind =
          LLVM::BitcastOp::create(b, wait.getLoc(), before.getType(), before);
      before.replaceUsesWithIf(behind, [&](OpOperand &use) {
        return use.getOwner() == wait ||
               dominance.properlyDominates(wait, use.getOwner());
      });
    }
  });
}

namespace {
struct FinalizeNVVMKernels
    : lpgemm::impl::FinalizeNVVMKernelsPassBase<FinalizeNVVMKernels> {
  void runOnOperation() override {
    nvvm::inlineLibraryCalls(getOperation());
    Builder b(&getContext());
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (!func->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) ||
          !func->hasAttr(kScheduleAttrName))
        continue;
      func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    b.getI32IntegerAttr(1));
      separateWaits(func);
    }
  }
};
} // namespace
