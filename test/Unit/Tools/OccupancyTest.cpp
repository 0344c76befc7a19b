//===- OccupancyTest.cpp - tests of how many waves a SIMD holds -----------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Compile/Manifest.h"
#include "lpgemm/Target/AMDGPUMachine.h"

#include <gtest/gtest.h>

using namespace mlir::lpgemm;

namespace {
Occupancy occupy(int64_t vector, int64_t scalar, int64_t shared,
                 int64_t threads) {
  KernelResources resources = {};
  resources.vectorRegisters = vector;
  resources.scalarRegisters = scalar;
  resources.sharedMemoryBytes = shared;
  resources.waveSize = 64;
  return resources.getOccupancy(kGfx950Machine, threads);
}

// LLVM AMDGPUUsage, GFX90A: 512 registers, given by 8, and at most 8 waves.
TEST(OccupancyTest, VectorRegisters) {
  const std::pair<int64_t, int64_t> cases[] = {
      {0, 8},   {1, 8},   {64, 8},  {65, 7},  {72, 7},  {73, 6},
      {80, 6},  {81, 5},  {96, 5},  {97, 4},  {128, 4}, {129, 3},
      {168, 3}, {169, 2}, {256, 2}, {257, 1}, {512, 1}};
  for (auto [registers, waves] : cases)
    EXPECT_EQ(occupy(registers, 1, 0, 256).vectorRegisters, waves)
        << registers << " registers";
}

// GCNSubtarget::getOccupancyWithNumSGPRs of LLVM.
TEST(OccupancyTest, ScalarRegisters) {
  EXPECT_EQ(occupy(1, 0, 0, 256).scalarRegisters, 8);
  EXPECT_EQ(occupy(1, 100, 0, 256).scalarRegisters, 8);
  EXPECT_EQ(occupy(1, 101, 0, 256).scalarRegisters, 7);
  EXPECT_EQ(occupy(1, 108, 0, 256).scalarRegisters, 7);
}

// 160 KiB for all workgroups of 4 SIMDs.
TEST(OccupancyTest, SharedMemory) {
  const int64_t all = 160 * 1024;
  EXPECT_EQ(occupy(1, 1, 0, 256).sharedMemory, 8);
  EXPECT_EQ(occupy(1, 1, all, 256).sharedMemory, 1);
  EXPECT_EQ(occupy(1, 1, all / 2 + 1, 256).sharedMemory, 1);
  EXPECT_EQ(occupy(1, 1, all / 2, 256).sharedMemory, 2);
  EXPECT_EQ(occupy(1, 1, all / 5, 256).sharedMemory, 5);
  EXPECT_EQ(occupy(1, 1, 16, 256).sharedMemory, 8);
  // A workgroup of one wave is on one SIMD; 16 waves are 4 on each.
  EXPECT_EQ(occupy(1, 1, all, 64).sharedMemory, 1);
  EXPECT_EQ(occupy(1, 1, all / 5, 64).sharedMemory, 2);
  EXPECT_EQ(occupy(1, 1, all, 1024).sharedMemory, 4);
}

TEST(OccupancyTest, TheLeastCounts) {
  EXPECT_EQ(occupy(128, 108, 32 * 1024, 256).getWaves(), 4);
  EXPECT_EQ(occupy(16, 108, 16, 256).getWaves(), 7);
  EXPECT_EQ(occupy(16, 16, 32 * 1024, 256).getWaves(), 5);
  EXPECT_EQ(occupy(16, 16, 16, 256).getWaves(), 8);
}
int64_t holdWorkgroups(int64_t registers, int64_t shared, int64_t threads) {
  NVIDIAResources resources = {};
  resources.registers = registers;
  return resources.getWorkgroups(kSm90aMachine, threads, shared);
}

// cuda_occupancy.h of the CUDA toolkit, compute capability 9.0: 65536
// registers, given to warps by 256; 2048 threads; 32 workgroups; 228 KiB of
// shared memory, of which each takes 1 KiB more than it asks for.
TEST(OccupancyTest, WorkgroupsOfMultiprocessor) {
  EXPECT_EQ(holdWorkgroups(32, 0, 1024), 2);
  EXPECT_EQ(holdWorkgroups(16, 0, 33), 32);
  EXPECT_EQ(holdWorkgroups(168, 0, 384), 1);
  EXPECT_EQ(holdWorkgroups(80, 0, 384), 2);
  EXPECT_EQ(holdWorkgroups(85, 0, 384), 1);
  EXPECT_EQ(holdWorkgroups(32, 113 * 1024, 128), 2);
  EXPECT_EQ(holdWorkgroups(32, 113 * 1024 + 1, 128), 1);
  EXPECT_EQ(holdWorkgroups(32, 227 * 1024, 128), 1);
}

} // namespace
