//===- Ordering.h - orderings of atomic accesses and fences -----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_ORDERING_H
#define LPGEMM_EMULATOR_ORDERING_H

#include <cstdint>

namespace mlir::lpgemm::emulator {

/// What an atomic access of an NVIDIA kernel does, and what it or a fence
/// orders. Generated code passes a sum.
enum OrderingFlags : uint32_t {
  kReads = 1,
  kWrites = 2,
  kAcquires = 4,
  kReleases = 8,
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_EMULATOR_ORDERING_H
