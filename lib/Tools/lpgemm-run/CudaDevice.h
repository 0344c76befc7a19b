//===- CudaDevice.h - kernels on a GPU --------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_CUDADEVICE_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_CUDADEVICE_H

#include "Program.h"

// The functions of Device for device "cuda": arguments are copied to the GPU,
// and what the program allocates is there, too. One call is made at a time.

namespace mlir::lpgemm::cuda {

/// Needs a chip of NVIDIA, a driver and a device.
llvm::Error checkChip(StringRef chip);
void buildToLLVM(OpPassManager &pm, const Lowering &lowering);
llvm::Expected<std::unique_ptr<ExecutionEngine>> createEngine(ModuleOp module);
void start();
llvm::Error enter(HostMatrix &argument, StringRef name);
llvm::Expected<DeviceReport> finish();
void leave(HostMatrix &argument);
char *findOnHost(char *address);

} // namespace mlir::lpgemm::cuda

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_CUDADEVICE_H
