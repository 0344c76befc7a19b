//===- DeviceLibrary.h - functions of device libraries ----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_DEVICELIBRARY_H
#define LPGEMM_LIB_EMULATOR_LOWERING_DEVICELIBRARY_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::lpgemm::emulator {

/// The host's function that a call of a device library stands for, such as
/// "fmaf" for a call of `__nv_fmaf` or `__ocml_fma_f32`. Empty if there is
/// none.
std::string findHostFunction(LLVM::CallOp call);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_DEVICELIBRARY_H
