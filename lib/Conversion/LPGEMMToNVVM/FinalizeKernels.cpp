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
#include "mlir/IR/Matchers.h"

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

/// LLVM removes a block that does nothing, and makes the constants that it
/// passes on in front of the branch to it, whichever way that goes: the zeros
/// of a tile without K tiles would be made for each tile. An instruction that
/// it does not remove, and that ptxas makes nothing of, keeps them where they
/// are needed.
static void keepConstantsApart(LLVM::LLVMFuncOp func) {
  constexpr size_t kMany = 16;
  func.walk([&](LLVM::BrOp branch) {
    auto constants =
        llvm::make_filter_range(branch.getDestOperands(), [](Value value) {
          return matchPattern(value, m_Constant());
        });
    if (&branch->getBlock()->front() != branch ||
        static_cast<size_t>(llvm::range_size(constants)) < kMany)
      return;
    ImplicitLocOpBuilder b(branch.getLoc(), branch);
    NVVM::SyncWarpOp::create(
        b,
        LLVM::ConstantOp::create(b, b.getI32Type(), b.getI32IntegerAttr(-1)));
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
      keepConstantsApart(func);
    }
  }
};
} // namespace
