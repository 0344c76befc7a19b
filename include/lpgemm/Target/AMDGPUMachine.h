//===- AMDGPUMachine.h - what the AMDGPU lowering asks ----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TARGET_AMDGPUMACHINE_H
#define LPGEMM_TARGET_AMDGPUMACHINE_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMEnums.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::lpgemm {

/// How shared memory serves the lanes of a wave that read `bytes` each.
struct ReadPhases {
  int64_t bytes;
  int64_t lanesPerPhase;
  llvm::ArrayRef<uint8_t> lanes; // phase after phase
};

/// The part of a chip's record that the passes of lpgemm-lower-to-rocdl read.
/// AMDGPUMachine.cpp cites the source of each number.
struct AMDGPUMachine {
  int64_t waveSize;          // lanes
  int64_t sharedMemoryBytes; // of one workgroup
  int64_t maxWorkgroupSize;  // threads
  int64_t vectorRegisters;   // of a lane, for all waves of a SIMD
  int64_t vectorGranule;     // vector registers are given to a wave by so many
  int64_t scalarRegisters;   // for all waves of a SIMD
  int64_t maxWaves;          // of a SIMD
  int64_t numSIMDs;          // among which the waves of a workgroup are spread
  int64_t sharedBanks;       // 4 bytes wide
  llvm::ArrayRef<ReadPhases> readPhases;
  llvm::ArrayRef<MmaInstr> instructions; // in order of preference
  int64_t directPieceBytes; // of a lane, of loads to shared memory; 0: none
  int64_t defaultTile[3];   // M, N, K of a workgroup, elements
  int64_t defaultWaves[2];  // along M, N

  bool hasInstruction(MmaInstr instr) const;
  /// Null if it is not known how reads of this width are served.
  const ReadPhases *lookupReadPhases(int64_t bytes) const;
};

extern const AMDGPUMachine kGfx942Machine;
extern const AMDGPUMachine kGfx950Machine;

} // namespace mlir::lpgemm

#endif // LPGEMM_TARGET_AMDGPUMACHINE_H
