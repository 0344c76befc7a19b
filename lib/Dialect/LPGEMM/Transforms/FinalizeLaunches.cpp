//===- FinalizeLaunches.cpp - lpgemm-finalize-launches --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_FINALIZELAUNCHESPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

static ArrayRef<int32_t> getTensorMaps(LLVM::LLVMFuncOp kernel) {
  auto maps = kernel->getAttrOfType<DenseI32ArrayAttr>(kTensorMapsAttrName);
  return maps ? maps.asArrayRef() : ArrayRef<int32_t>();
}

/// PTX ISA 9.0, "Kernel Function Parameter Attribute: .param" and "tensormap":
/// a map is read where it lies in the parameters, aligned to 64 bytes.
static LogicalResult setParameterAttributes(LLVM::LLVMFuncOp kernel) {
  constexpr int64_t kAlignment = 64;
  Builder b(kernel.getContext());
  for (int32_t map : getTensorMaps(kernel)) {
    if (map < 0 || map >= static_cast<int32_t>(kernel.getNumArguments()) ||
        !isa<LLVM::LLVMPointerType>(kernel.getArgument(map).getType()))
      return kernel.emitOpError()
             << "expects attribute '" << kTensorMapsAttrName
             << "' to have numbers of arguments that are a '!llvm.ptr', but "
                "got "
             << map;
    kernel.setArgAttr(map, LLVM::LLVMDialect::getByValAttrName(),
                      TypeAttr::get(getTensorMapType(b.getContext())));
    kernel.setArgAttr(map, LLVM::LLVMDialect::getAlignAttrName(),
                      b.getI64IntegerAttr(kAlignment));
    kernel.setArgAttr(map, NVVM::NVVMDialect::getGridConstantAttrName(),
                      b.getUnitAttr());
  }
  return success();
}

/// What a launch passes for an argument.
static Type getPassedType(LLVM::LLVMFuncOp kernel, unsigned argument) {
  return llvm::is_contained(getTensorMaps(kernel), argument)
             ? getTensorMapType(kernel.getContext())
             : kernel.getArgumentTypes()[argument];
}

static void passMapsByValue(gpu::LaunchFuncOp launch, LLVM::LLVMFuncOp kernel) {
  OpBuilder b(launch);
  for (int32_t map : getTensorMaps(kernel)) {
    if (map >= static_cast<int32_t>(launch.getNumKernelOperands()))
      return;
    OpOperand &operand = launch.getKernelOperandsMutable()[map];
    if (isa<LLVM::LLVMPointerType>(operand.get().getType()))
      operand.set(LLVM::LoadOp::create(
          b, launch.getLoc(), getPassedType(kernel, map), operand.get()));
  }
}

static LogicalResult verifyLaunch(gpu::LaunchFuncOp launch,
                                  LLVM::LLVMFuncOp kernel,
                                  const KernelInterface &interface) {
  ValueRange operands = launch.getKernelOperands();
  if (operands.size() != interface.arguments.size())
    return launch.emitOpError()
           << "expects " << interface.arguments.size() << " operands for "
           << launch.getKernel() << ", but got " << operands.size();
  for (auto [i, argument, operand] :
       llvm::enumerate(interface.arguments, operands)) {
    Type expected = getPassedType(kernel, i);
    if (operand.getType() != expected)
      return launch.emitOpError()
             << "expects operand " << i << " (" << argument.getName()
             << ") for " << launch.getKernel() << " to be of type " << expected
             << ", but got " << operand.getType();
  }
  return success();
}

static LogicalResult finalizeLaunch(gpu::LaunchFuncOp launch,
                                    LLVM::LLVMFuncOp kernel) {
  passMapsByValue(launch, kernel);
  FailureOr<std::optional<KernelInterface>> interface =
      KernelInterface::lookup(kernel);
  if (failed(interface))
    return failure();
  return *interface ? verifyLaunch(launch, kernel, **interface) : success();
}

namespace {
struct FinalizeLaunches
    : lpgemm::impl::FinalizeLaunchesPassBase<FinalizeLaunches> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](LLVM::LLVMFuncOp kernel) {
      return failed(setParameterAttributes(kernel)) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    SymbolTableCollection symbols;
    result = getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
          launch, launch.getKernelAttr());
      return kernel && failed(finalizeLaunch(launch, kernel))
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
