//===- Control.h - registers of NVIDIA warps --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_CONTROL_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_CONTROL_H

#include "Machine.h"

namespace mlir::lpgemm::emulator {

/// The current lane has exited. If its warp has, the warps of its warpgroup
/// must have changed their registers equally often.
void checkRegistersAtExit(Machine &machine);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_CONTROL_H
