//===- AMDGPUMachine.cpp - what the AMDGPU lowering asks of a chip --------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Target/AMDGPUMachine.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

// How gfx950 serves ds_read_b128 and ds_read_b64, measured on MI350 by
// HazyResearch/HipKittens (analysis/paper_experiments/phases).
static constexpr uint8_t kGfx950Lanes16[] = {
    0,  1,  2,  3,  12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27, //
    4,  5,  6,  7,  8,  9,  10, 11, 16, 17, 18, 19, 28, 29, 30, 31, //
    32, 33, 34, 35, 44, 45, 46, 47, 52, 53, 54, 55, 56, 57, 58, 59, //
    36, 37, 38, 39, 40, 41, 42, 43, 48, 49, 50, 51, 60, 61, 62, 63};
static constexpr uint8_t kLanesInOrder[] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
static constexpr ReadPhases kGfx950ReadPhases[] = {
    {/*bytes=*/16, /*lanesPerPhase=*/16, kGfx950Lanes16},
    {/*bytes=*/8, /*lanesPerPhase=*/32, kLanesInOrder},
};

// gfx942 serves ds_read_b128 in the groups of eight lanes that HipKittens
// measured for ds_read_b96; of the other widths no measurement is known.
static constexpr uint8_t kGfx942Lanes16[] = {
    0,  1,  2,  3,  20, 21, 22, 23, 4,  5,  6,  7,  16, 17, 18, 19, //
    8,  9,  10, 11, 28, 29, 30, 31, 12, 13, 14, 15, 24, 25, 26, 27, //
    32, 33, 34, 35, 52, 53, 54, 55, 36, 37, 38, 39, 48, 49, 50, 51, //
    40, 41, 42, 43, 60, 61, 62, 63, 44, 45, 46, 47, 56, 57, 58, 59};
static constexpr ReadPhases kGfx942ReadPhases[] = {
    {/*bytes=*/16, /*lanesPerPhase=*/8, kGfx942Lanes16},
    {/*bytes=*/8, /*lanesPerPhase=*/16, kLanesInOrder},
};

// In order of preference. On gfx950 f8f6f4 does four times the K of the older
// FP8 instructions in twice the passes (LLVM AMDGPU), whose K of 32 divides
// scale blocks that are shorter than 128.
static constexpr MmaInstr kGfx950Instructions[] = {
    MmaInstr::MfmaScaleF32_16x16x128_F8F6F4,
    MmaInstr::MfmaScaleF32_32x32x64_F8F6F4,
    MmaInstr::MfmaF32_16x16x32_FP8,
    MmaInstr::MfmaF32_32x32x16_FP8,
    MmaInstr::MfmaI32_16x16x32_I8,
    MmaInstr::MfmaI32_32x32x16_I8,
    MmaInstr::MfmaF32_16x16x16_BF16,
    MmaInstr::MfmaF32_32x32x8_BF16,
    MmaInstr::MfmaF32_16x16x16_F16,
    MmaInstr::MfmaF32_32x32x8_F16,
};
static constexpr MmaInstr kGfx942Instructions[] = {
    MmaInstr::MfmaF32_16x16x32_FP8,  MmaInstr::MfmaF32_32x32x16_FP8,
    MmaInstr::MfmaI32_16x16x32_I8,   MmaInstr::MfmaI32_32x32x16_I8,
    MmaInstr::MfmaF32_16x16x16_BF16, MmaInstr::MfmaF32_32x32x8_BF16,
    MmaInstr::MfmaF32_16x16x16_F16,  MmaInstr::MfmaF32_32x32x8_F16,
};

// Four cycles for each pass. Instructions of CDNA3, which gfx950 executes in as
// many: ROCm/amd_matrix_instruction_calculator. f8f6f4: LLVM AMDGPU,
// SISchedule.td (8 and 16 passes, half as many without an operand of 8 bits).
static constexpr MmaCycles kCycles[] = {
    {MmaInstr::MfmaScaleF32_16x16x128_F8F6F4, 32, 16},
    {MmaInstr::MfmaScaleF32_32x32x64_F8F6F4, 64, 32},
    {MmaInstr::MfmaF32_16x16x32_FP8, 16, 16},
    {MmaInstr::MfmaF32_32x32x16_FP8, 32, 32},
    {MmaInstr::MfmaI32_16x16x32_I8, 16, 16},
    {MmaInstr::MfmaI32_32x32x16_I8, 32, 32},
    {MmaInstr::MfmaF32_16x16x16_BF16, 16, 16},
    {MmaInstr::MfmaF32_32x32x8_BF16, 32, 32},
    {MmaInstr::MfmaF32_16x16x16_F16, 16, 16},
    {MmaInstr::MfmaF32_32x32x8_F16, 32, 32},
};

// Compute units, XCDs and caches: ROCm documentation, "AMD GPU specifications".
// LDS: ReadPhases, and writes of 128 bytes, to 32 banks (HipKittens, as above,
// ds_write_b64 on MI350). 64 bytes a
// cycle from the vector L1 cache, 2 KB from the L2 cache of an XCD, 17.2 TB/s
// from the Infinity Cache: "CDNA3 Architecture" white paper; CDNA4 has the same
// caches, counted at the same bytes a cycle. Device memory: 5.3 TB/s at 2.1 GHz
// (MI300X data sheet), 8 TB/s at 2.4 GHz (MI355X data sheet). 4 MiB of L2 cache
// for an XCD, 256 MiB of Infinity Cache: ROCm documentation, as above. Of the
// latency of LDS, LLVM says 2 to 64 cycles; the other three are assumptions:
// that a workgroup is started counts as the load of its arguments, 80 passes,
// and no more.
static constexpr AMDGPURates kGfx950Rates = {
    /*computeUnits=*/256,       /*dies=*/8, kCycles,
    /*sharedWriteBytes=*/128,
    /*loadBytes=*/64,
    /*l2Bytes=*/2048,
    /*infinityBytes=*/8190,
    /*memoryBytes=*/3333,
    /*l2Size=*/4 << 20,
    /*infinitySize=*/256 << 20,
    /*loadLatency=*/800,
    /*sharedLatency=*/64,
    /*launchCycles=*/4000,
    /*startCycles=*/320,
};
static constexpr AMDGPURates kGfx942Rates = {
    /*computeUnits=*/304,       /*dies=*/8, kCycles,
    /*sharedWriteBytes=*/128,
    /*loadBytes=*/64,
    /*l2Bytes=*/2048,
    /*infinityBytes=*/8190,
    /*memoryBytes=*/2524,
    /*l2Size=*/4 << 20,
    /*infinitySize=*/256 << 20,
    /*loadLatency=*/800,
    /*sharedLatency=*/64,
    /*launchCycles=*/4000,
    /*startCycles=*/320,
};

// The most that a lane loads to LDS by one instruction: LLVM AMDGPU, the sizes
// of raw.ptr.buffer.load.lds (12 and 16 bytes since gfx950).
// "CDNA4 Architecture" white paper (160 KiB LDS, 64 banks, 4 SIMDs); wave size,
// workgroup limit and the 512 registers (VGPRs and AGPRs): LLVM AMDGPUUsage.
// How registers limit the waves of a SIMD: LLVM AMDGPUBaseInfo.cpp,
// getMaxWavesPerEU, getVGPRAllocGranule and getTotalNumSGPRs.
constexpr AMDGPUMachine lpgemm::kGfx950Machine = {
    /*waveSize=*/64,
    /*sharedMemoryBytes=*/160 * 1024,
    /*maxWorkgroupSize=*/1024,
    /*vectorRegisters=*/512,
    /*vectorGranule=*/8,
    /*scalarRegisters=*/800,
    /*maxWaves=*/8,
    /*numSIMDs=*/4,
    /*sharedBanks=*/64,
    kGfx950ReadPhases,
    kGfx950Instructions,
    /*directPieceBytes=*/16,
    kGfx950Rates};

// "CDNA3 Architecture" white paper (64 KiB LDS, 32 banks, 4 SIMDs); the rest as
// of gfx950.
constexpr AMDGPUMachine lpgemm::kGfx942Machine = {
    /*waveSize=*/64,
    /*sharedMemoryBytes=*/64 * 1024,
    /*maxWorkgroupSize=*/1024,
    /*vectorRegisters=*/512,
    /*vectorGranule=*/8,
    /*scalarRegisters=*/800,
    /*maxWaves=*/8,
    /*numSIMDs=*/4,
    /*sharedBanks=*/32,
    kGfx942ReadPhases,
    kGfx942Instructions,
    /*directPieceBytes=*/4,
    kGfx942Rates};

bool AMDGPUMachine::hasInstruction(MmaInstr instr) const {
  return llvm::is_contained(instructions, instr);
}

const ReadPhases *AMDGPUMachine::lookupReadPhases(int64_t bytes) const {
  const ReadPhases *phases = llvm::find_if(
      readPhases, [&](const ReadPhases &p) { return p.bytes == bytes; });
  return phases == readPhases.end() ? nullptr : phases;
}

const MmaCycles &AMDGPURates::lookupCycles(MmaInstr instr) const {
  return *llvm::find_if(cycles,
                        [&](const MmaCycles &c) { return c.instr == instr; });
}
