//===- AttachTarget.cpp - lpgemm-attach-target ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_ATTACHTARGETPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

/// The chip multiplies the operands of every product.
static LogicalResult checkProducts(ModuleOp module,
                                   const TargetRecord &record) {
  WalkResult result = module.walk([&](ProductInterface op) {
    return WalkResult(checkTypesOnTarget(op, op.getLhsElementType(),
                                         op.getRhsElementType(), record));
  });
  return failure(result.wasInterrupted());
}

namespace {
struct AttachTarget : lpgemm::impl::AttachTargetPassBase<AttachTarget> {
  using AttachTargetPassBase::AttachTargetPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto target = TargetAttr::getChecked(
        [&] { return module.emitError() << "option 'chip': "; }, &getContext(),
        StringRef(chip));
    if (!target)
      return signalPassFailure();
    TargetAttr existing = lookupTarget(module);
    if (existing && existing != target) {
      module.emitError() << "is for chip '" << existing.getChip()
                         << "' already, cannot be compiled for '" << chip
                         << "'";
      return signalPassFailure();
    }
    if (failed(checkProducts(module, *lookupTargetRecord(chip))))
      return signalPassFailure();
    module->setAttr(kTargetAttrName, target);
  }
};
} // namespace
