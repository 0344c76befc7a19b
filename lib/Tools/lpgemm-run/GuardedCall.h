//===- GuardedCall.h - calls that may fail ----------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_GUARDEDCALL_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_GUARDEDCALL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace mlir::lpgemm {

/// Makes an assertion of compiled code that fails, which is a call of `puts`
/// and one of `abort`, end the call that `callGuarded` makes. To be done before
/// the engine compiles.
void guardAssertions(ExecutionEngine &engine);

/// Calls a function of a guarded engine. What a failed assertion says is the
/// error, behind the name of the function.
llvm::Error callGuarded(llvm::StringRef name, void (*function)(void **),
                        void **arguments);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_GUARDEDCALL_H
