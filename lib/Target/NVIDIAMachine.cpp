//===- NVIDIAMachine.cpp - what the NVIDIA lowering asks ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Target/NVIDIAMachine.h"

using namespace mlir;
using namespace mlir::lpgemm;

// PTX ISA 9.0, "mma", "Target ISA Notes": FP8 from sm_89 on.
static constexpr MmaInstr kSm80Instructions[] = {
    MmaInstr::Mma_m16n8k16_F32_F16, MmaInstr::Mma_m16n8k16_F32_BF16,
    MmaInstr::Mma_m16n8k32_I32_I8};
static constexpr MmaInstr kSm89Instructions[] = {
    MmaInstr::Mma_m16n8k32_F32_FP8, MmaInstr::Mma_m16n8k16_F32_F16,
    MmaInstr::Mma_m16n8k16_F32_BF16, MmaInstr::Mma_m16n8k32_I32_I8};
static constexpr MmaInstr kSm90aInstructions[] = {
    MmaInstr::Wgmma_m64k32_F32_FP8, MmaInstr::Wgmma_m64k16_F32_BF16,
    MmaInstr::Wgmma_m64k16_F32_F16, MmaInstr::Mma_m16n8k32_F32_FP8,
    MmaInstr::Mma_m16n8k16_F32_F16, MmaInstr::Mma_m16n8k16_F32_BF16,
    MmaInstr::Mma_m16n8k32_I32_I8};

// CUDA C++ Programming Guide 13.0, "Technical Specifications per Compute
// Capability", 9.0: 227 KB of shared memory and 65536 registers of a block,
// 1024 threads; a warpgroup is four warps (PTX ISA 9.0, "wgmma"). "NVIDIA H100
// Tensor Core GPU Architecture": 132 multiprocessors of the SXM5 product, two
// of each TPC, in 8 GPCs. PTX ISA 9.0, "setmaxnreg", takes up to 256 registers;
// 255 have a name (Programming Guide, the same table). A multiprocessor has
// 2048 threads, 32 blocks, 228 KB of shared memory, of which 1 KB is reserved
// for each block; a warp's registers come by 256, shared memory by 128 bytes
// (cuda_occupancy.h of the CUDA toolkit 13.0).
//
// Rates, for the H200:
//  - "NVIDIA H200 Tensor Core GPU" (datasheet): 1979 TFLOP/s of dense FP8, at
//    the 1830 MHz of the H100's: 8192 a cycle and multiprocessor; 4.8 TB/s of
//    device memory: 2623 bytes a cycle.
//  - Programming Guide, 9.0: 128 cores of f32; 32 banks of 4 bytes.
//  - L2: "NVIDIA A100 Tensor Core GPU Architecture" has 5120 bytes a cycle for
//    ten 512-bit memory controllers, the H200 has twelve: 6144. "NVIDIA H100":
//    50 MB.
//  - Distributed shared memory: measured by Luo et al., "Benchmarking and
//    Dissecting the Nvidia Hopper GPU Architecture" (arXiv:2402.13499), 180
//    cycles and 3.3 TB/s for the 114 multiprocessors of an H800.
//  - A slot: measured on an H200 with kernels of this project, tiles of 64 x 16
//    that take 160 cycles of shared memory.
constexpr NVIDIAMachine lpgemm::kSm90aMachine = {
    /*waveSize=*/128,
    /*sharedMemoryBytes=*/227 * 1024,
    /*maxWorkgroupSize=*/1024,
    /*registers=*/65536,
    /*multiprocessors=*/132,
    /*multiprocessorGroups=*/8,
    /*threadRegisters=*/255,
    kSm90aInstructions,
    /*lanes=*/128,
    /*flopsOfBytes=*/8192,
    /*sharedBytesPerCycle=*/128,
    /*l2BytesPerCycle=*/6144,
    /*l2Bytes=*/50 * 1024 * 1024,
    /*memoryBytesPerCycle=*/2623,
    /*clusterBytesPerCycle=*/16,
    /*clusterLatency=*/180,
    /*slotCycles=*/230,
    /*warpSize=*/32,
    /*warpRegisterGranule=*/256,
    /*multiprocessorThreads=*/2048,
    /*multiprocessorWorkgroups=*/32,
    /*multiprocessorSharedBytes=*/228 * 1024,
    /*reservedSharedBytes=*/1024,
    /*sharedGranule=*/128,
    /*promoteK=*/128,
    /*sharedBanks=*/32,
    /*defaultTile=*/{0, 0},
    /*defaultWaves=*/{0, 0},
    /*defaultRowBytes=*/0,
};

namespace {
/// What differs between chips whose instructions read registers alone.
struct WarpMachine {
  int64_t multiprocessors, threads, workgroups; // of a multiprocessor the last
  int64_t sharedKBytes; // of a multiprocessor; a workgroup has 1 less
  llvm::ArrayRef<MmaInstr> instructions;
};
} // namespace

/// A wave is a warp. 8 of them with 64 x 32 each: two such tiles, of which FP8
/// products need another one for the sum of a K tile, and the operands of 64
/// bytes of K fit the 255 registers of a thread.
static constexpr NVIDIAMachine getMachine(const WarpMachine &machine) {
  return {/*waveSize=*/32,
          /*sharedMemoryBytes=*/(machine.sharedKBytes - 1) * 1024,
          /*maxWorkgroupSize=*/1024,
          /*registers=*/65536,
          machine.multiprocessors,
          /*multiprocessorGroups=*/0,
          /*threadRegisters=*/255,
          machine.instructions,
          /*lanes=*/0,
          /*flopsOfBytes=*/0,
          /*sharedBytesPerCycle=*/0,
          /*l2BytesPerCycle=*/0,
          /*l2Bytes=*/0,
          /*memoryBytesPerCycle=*/0,
          /*clusterBytesPerCycle=*/0,
          /*clusterLatency=*/0,
          /*slotCycles=*/0,
          /*warpSize=*/32,
          /*warpRegisterGranule=*/256,
          machine.threads,
          machine.workgroups,
          machine.sharedKBytes * 1024,
          /*reservedSharedBytes=*/1024,
          /*sharedGranule=*/128,
          /*promoteK=*/128,
          /*sharedBanks=*/32,
          /*defaultTile=*/{128, 128},
          /*defaultWaves=*/{2, 4},
          /*defaultRowBytes=*/64};
}

// CUDA C++ Programming Guide 13.0, "Technical Specifications per Compute
// Capability", 8.0 and 8.9: threads, blocks and shared memory of a
// multiprocessor, 1 KB less of it for a block. "NVIDIA A100 Tensor Core GPU
// Architecture": 108 multiprocessors. "NVIDIA Ada GPU Architecture": 142 of the
// L40.
constexpr NVIDIAMachine lpgemm::kSm80Machine =
    getMachine({108, 2048, 32, 164, kSm80Instructions});
constexpr NVIDIAMachine lpgemm::kSm89Machine =
    getMachine({142, 1536, 24, 100, kSm89Instructions});
