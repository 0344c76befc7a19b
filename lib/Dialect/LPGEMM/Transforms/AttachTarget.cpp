//===- AttachTarget.cpp - lpgemm-attach-target ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Target/KnownTargets.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_ATTACHTARGETPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

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
    module->setAttr(kTargetAttrName, target);
  }
};
} // namespace
