//===- ContextSwitch.h - switching between stacks ---------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_CONTEXTSWITCH_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_CONTEXTSWITCH_H

/// Saves the callee-saved registers and the stack pointer in `*save` and
/// continues at `next`, which was saved the same way.
// NOLINTNEXTLINE(readability-identifier-naming): a C symbol.
extern "C" void lpgemm_emu_switch(void **save, void *next);

namespace mlir::lpgemm::emulator {

/// A stack pointer that, switched to, calls `function` on the stack that ends
/// at `top`, a multiple of 16. `function` must not return.
void *makeContext(void *top, void (*function)());

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_CONTEXTSWITCH_H
