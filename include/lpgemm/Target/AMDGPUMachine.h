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

/// Cycles of a SIMD that a matrix instruction takes.
struct MmaCycles {
  MmaInstr instr;
  int64_t wide, narrow; // with an operand of 8 bits or more, and without one
};

/// What the model of schedules counts with.
struct AMDGPURates {
  int64_t computeUnits; // of the largest product with the chip
  int64_t dies;         // XCDs, with as many of them and an L2 cache each
  llvm::ArrayRef<MmaCycles> cycles;
  // Bytes a cycle.
  int64_t sharedWriteBytes; // of a compute unit, 4 a bank; it reads all banks
  int64_t loadBytes;        // of a compute unit, out of its caches
  int64_t l2Bytes;          // of the L2 cache of a die
  int64_t infinityBytes;    // of the cache that all dies share
  int64_t memoryBytes;      // of the chip
  // Bytes.
  int64_t l2Size;       // the L2 cache of a die
  int64_t infinitySize; // the cache that all dies share
  // Cycles.
  int64_t loadLatency;
  int64_t sharedLatency; // behind the last byte
  int64_t launchCycles;  // from one kernel to the next
  int64_t startCycles;   // from one workgroup to the next, on a compute unit

  const MmaCycles &lookupCycles(MmaInstr instr) const;
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
  AMDGPURates rates;

  bool hasInstruction(MmaInstr instr) const;
  /// Null if it is not known how reads of this width are served.
  const ReadPhases *lookupReadPhases(int64_t bytes) const;
};

extern const AMDGPUMachine kGfx942Machine;
extern const AMDGPUMachine kGfx950Machine;

} // namespace mlir::lpgemm

#endif // LPGEMM_TARGET_AMDGPUMACHINE_H
