//===- Passes.h - passes of the emulator ------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_PASSES_H
#define LPGEMM_EMULATOR_PASSES_H

#include "mlir/Pass/Pass.h"
#include "llvm/Support/Error.h"

namespace mlir::lpgemm {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lpgemm/Emulator/Passes.h.inc"

namespace emulator {

/// An error that lists the emulated chips if `chip` is none of them.
llvm::Error checkChip(llvm::StringRef chip);

} // namespace emulator
} // namespace mlir::lpgemm

#endif // LPGEMM_EMULATOR_PASSES_H
