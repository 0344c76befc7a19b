//===- AtomicOrder.h - order that atomic accesses establish -----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_ATOMICORDER_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_ATOMICORDER_H

#include "NVVM/Clocks.h"

#include <unordered_map>

namespace mlir::lpgemm::emulator {

/// Release and acquire patterns among the lanes of a cluster (PTX ISA, "Memory
/// Consistency Model"). For each address that was written atomically it is kept
/// what whoever acquires it knows. Scopes are taken to be wide enough, and
/// accesses of one address to be of one size.
class AtomicOrder {
public:
  void start(uint32_t numLanes);
  // The halves of an access of `flags` (OrderingFlags). Its own check comes
  // between: what it acquires orders it, and it is before what it releases.
  void read(Clocks &clocks, uint32_t lane, uintptr_t address, uint32_t flags);
  void write(Clocks &clocks, uint32_t lane, uintptr_t address, uint32_t flags);
  void fence(Clocks &clocks, uint32_t lane, uint32_t flags);
  /// What a relaxed arrival at a barrier carries.
  void publishReleased(uint32_t lane, Gathering &gathering) const;

private:
  KnowledgeRef lookup(uintptr_t address) const;

  struct Lane {
    /// What it had done at its last releasing fence: relaxed writes carry it.
    KnowledgeRef released;
    /// What relaxed reads have brought, for the next acquiring fence.
    KnowledgeRef observed;
  };

  std::vector<Lane> lanes;
  std::unordered_map<uintptr_t, KnowledgeRef> objects;
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_ATOMICORDER_H
