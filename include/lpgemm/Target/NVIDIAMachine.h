//===- NVIDIAMachine.h - what the NVIDIA lowering asks ----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TARGET_NVIDIAMACHINE_H
#define LPGEMM_TARGET_NVIDIAMACHINE_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMEnums.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::lpgemm {

/// The part of a chip's record that the passes of lpgemm-lower-to-nvvm read.
/// NVIDIAMachine.cpp cites the source of each number.
struct NVIDIAMachine {
  int64_t waveSize;             // threads that a matrix instruction takes
  int64_t sharedMemoryBytes;    // of one workgroup
  int64_t maxWorkgroupSize;     // threads
  int64_t registers;            // of one workgroup, 4 bytes each
  int64_t multiprocessors;      // of the largest product with the chip
  int64_t multiprocessorGroups; // GPCs: a cluster is in one of them
  int64_t threadRegisters;      // that an instruction can name
  llvm::ArrayRef<MmaInstr> instructions; // in order of preference
  // What the model of schedules counts with; 0 where it does not rank them.
  int64_t lanes;               // of a multiprocessor, one f32 operation a cycle
  int64_t flopsOfBytes;        // of 8-bit operands, a multiprocessor and cycle
  int64_t sharedBytesPerCycle; // of a multiprocessor
  int64_t l2BytesPerCycle;     // of the chip
  int64_t l2Bytes;
  int64_t memoryBytesPerCycle;  // of the chip
  int64_t clusterBytesPerCycle; // of a multiprocessor, from others of a cluster
  int64_t clusterLatency;       // cycles
  int64_t slotCycles; // from one slot of a ring to the next, at the least
  // How many workgroups a multiprocessor holds.
  int64_t warpSize;            // threads
  int64_t warpRegisterGranule; // registers of a warp are a multiple of it
  int64_t multiprocessorThreads;
  int64_t multiprocessorWorkgroups;
  int64_t multiprocessorSharedBytes;
  int64_t reservedSharedBytes; // of each workgroup
  int64_t sharedGranule;       // its bytes are a multiple of it
  /// Elements of K in one sum of FP8 products without `promote_k` (G-8).
  int64_t promoteK;
  int64_t sharedBanks; // 4 bytes wide
  // The default schedule, where no instruction reads shared memory.
  int64_t defaultTile[2];  // M, N of a workgroup, elements
  int64_t defaultWaves[2]; // along M, N
  int64_t defaultRowBytes; // of a row of the K tile
};

extern const NVIDIAMachine kSm80Machine;
extern const NVIDIAMachine kSm89Machine;
extern const NVIDIAMachine kSm90aMachine;

} // namespace mlir::lpgemm

#endif // LPGEMM_TARGET_NVIDIAMACHINE_H
