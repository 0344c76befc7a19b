//===- LdsBanks.h - bank conflicts of LDS -----------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// How long the LDS takes to serve an access of a wave. It serves the lanes in
// groups, one after the other; within a group, different words of one bank take
// a cycle each. The tables are the emulator's own, on purpose independent of
// those that the lowering chooses layouts by; a test compares the two.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_LDSBANKS_H
#define LPGEMM_EMULATOR_LDSBANKS_H

#include "lpgemm/Emulator/Chip.h"

namespace mlir::lpgemm::emulator {

/// An access of a wave.
struct LdsWaveAccess {
  bool isWrite = false;
  /// Of each lane.
  uint32_t bytes = 0;
  /// Bit i: lane i takes part.
  uint64_t lanes = 0;
  /// Of each lane's data in LDS, in bytes.
  uint32_t offsets[64] = {};
};

struct LdsCycles {
  uint64_t cycles = 0;
  /// Without conflicts.
  uint64_t ideal = 0;
};

/// An unknown chip is taken for gfx950.
LdsCycles countLdsCycles(Chip chip, const LdsWaveAccess &access);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_EMULATOR_LDSBANKS_H
