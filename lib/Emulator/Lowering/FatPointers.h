//===- FatPointers.h - buffer fat pointers ----------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_FATPOINTERS_H
#define LPGEMM_LIB_EMULATOR_LOWERING_FATPOINTERS_H

#include "OpCall.h"

namespace mlir::lpgemm::emulator {

// A buffer fat pointer is a buffer resource and an offset into it (AMDGPUUsage,
// "Buffer Fat Pointer"). Here it has 64 bits: the runtime's number of the
// resource, and below it the 32 bits of the offset. That of offset 0 is the
// resource itself.

/// Whether a value of `type` is, or has members that are, buffer fat pointers.
/// Of AMD's kernels: on NVIDIA the address space is another.
bool holdsFatPointer(Type type);

/// Checks what an operation does with fat pointers, if it has any.
LogicalResult checkFatPointers(Operation *op);

/// Keeps the offset of a pointer that is a fat one within its 32 bits.
void lowerFatPointerOffset(OpBuilder &builder, LLVM::GEPOp op);

/// Lowers a load or store through a fat pointer.
void lowerFatPointerAccess(Operation *op, OpCall &call);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_FATPOINTERS_H
