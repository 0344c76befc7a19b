//===- KernelInfoBuilder.h - constants describing the kernels ---*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_KERNELINFOBUILDER_H
#define LPGEMM_LIB_EMULATOR_LOWERING_KERNELINFOBUILDER_H

#include "DeviceGlobals.h"
#include "LdsLayout.h"
#include "OpTable.h"
#include "RuntimeCalls.h"

namespace mlir::lpgemm::emulator {

/// A kernel in the host module.
struct LoweredKernel {
  LLVM::LLVMFuncOp function;
  /// Its name on the device.
  std::string name;
  const EmulatedChip *chip = nullptr;
  LdsLayout layout;
  /// Names and places of the LDS objects: the globals do not live as long.
  std::string ldsNames;
  SmallVector<int32_t> ldsObjects;
  std::array<int32_t, 3> requiredBlock = {0, 0, 0};
  int32_t maxLanes = 0;
  std::array<int32_t, 3> cluster = {0, 0, 0};
  /// What the host passes for each argument: of one by value, not the pointer.
  SmallVector<Type> passedTypes;
  /// Of its gpu.module.
  SmallVector<DeviceGlobal> globals;
  LLVM::LLVMFuncOp entry;
  LLVM::GlobalOp info;
};

/// What the host passes for an argument: an object, for one with llvm.byval.
Type getPassedType(LLVM::LLVMFuncOp kernel, unsigned index);

/// Adds to `module` the packed entry of the kernel and its KernelInfo.
void buildKernelEntry(ModuleOp module, OpBuilder &builder, RuntimeCalls &calls,
                      LoweredKernel &kernel);
void buildKernelInfo(ModuleOp module, OpBuilder &builder, LoweredKernel &kernel,
                     const SiteList &sites, LLVM::GlobalOp siteText);

/// A constant of bytes, named `name` or similar.
LLVM::GlobalOp buildText(ModuleOp module, OpBuilder &builder, StringRef name,
                         StringRef text);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_KERNELINFOBUILDER_H
