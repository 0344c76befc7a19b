//===- DeviceGlobals.h - globals of a kernel's module -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_DEVICEGLOBALS_H
#define LPGEMM_LIB_EMULATOR_LOWERING_DEVICEGLOBALS_H

#include "RuntimeCalls.h"

namespace mlir::lpgemm::emulator {

/// A global with an initial value, in global or constant memory: it becomes one
/// of the host, which kernels may access during a launch.
struct DeviceGlobal {
  LLVM::GlobalOp global;
  /// Its name on the device, ended by a zero byte.
  LLVM::GlobalOp name;
  uint64_t bytes;
};

/// Whether a global is in global or constant memory.
bool isDeviceGlobal(LLVM::GlobalOp global);

/// Checks a global of a gpu.module, whatever memory it is in.
LogicalResult checkGlobalVariable(LLVM::GlobalOp global);

/// Makes a global, still in its gpu.module, one of host memory.
DeviceGlobal makeHostGlobal(ModuleOp module, OpBuilder &builder,
                            LLVM::GlobalOp global);

// Calls around a launch.
void buildAddGlobal(RuntimeCalls &calls, OpBuilder &builder, Location loc,
                    const DeviceGlobal &global);
void buildRemoveGlobal(RuntimeCalls &calls, OpBuilder &builder, Location loc,
                       const DeviceGlobal &global);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_DEVICEGLOBALS_H
