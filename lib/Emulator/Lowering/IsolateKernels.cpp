//===- IsolateKernels.cpp - kernels without their host code ---------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_ISOLATEEMULATORKERNELSPASS
#include "lpgemm/Emulator/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

/// What says how the device lays out data: the host does it in its own way.
static constexpr llvm::StringLiteral kLayoutAttributes[] = {
    "dlti.dl_spec", "dlti.target_system_spec", "llvm.data_layout",
    "llvm.target_triple"};

/// What a dialect calls a kernel.
static constexpr llvm::StringLiteral kKernelAttributes[] = {"nvvm.kernel",
                                                            "rocdl.kernel"};

/// The gpu.module of kernels that have none.
static constexpr llvm::StringLiteral kModuleName = "kernels";

/// Puts all that `module` holds into a gpu.module.
static void wrapContents(ModuleOp module) {
  OpBuilder builder(module.getContext());
  auto wrapper =
      gpu::GPUModuleOp::create(builder, module.getLoc(), kModuleName);
  Block &body = wrapper.getBodyRegion().front();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    op.moveBefore(&body, body.end());
  module.push_back(wrapper);
}

/// Gives every kernel the attribute that launches look for.
static void markKernels(gpu::GPUModuleOp gpuModule) {
  StringRef name = gpu::GPUDialect::getKernelFuncAttrName();
  for (auto function : gpuModule.getOps<LLVM::LLVMFuncOp>())
    if (llvm::any_of(kKernelAttributes, [&](StringRef attribute) {
          return function->hasAttr(attribute);
        }))
      function->setAttr(name, UnitAttr::get(function.getContext()));
}

namespace {
class IsolateEmulatorKernels
    : public mlir::lpgemm::impl::IsolateEmulatorKernelsPassBase<
          IsolateEmulatorKernels> {
public:
  using IsolateEmulatorKernelsPassBase::IsolateEmulatorKernelsPassBase;

protected:
  void runOnOperation() override;
};
} // namespace

void IsolateEmulatorKernels::runOnOperation() {
  ModuleOp module = getOperation();
  for (StringRef name : kLayoutAttributes)
    module->removeAttr(name);
  if (module.getOps<gpu::GPUModuleOp>().empty())
    wrapContents(module);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    auto gpuModule = dyn_cast<gpu::GPUModuleOp>(op);
    if (!gpuModule) {
      op.erase();
      continue;
    }
    for (StringRef name : kLayoutAttributes)
      gpuModule->removeAttr(name);
    markKernels(gpuModule);
  }
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(&getContext()));
}
