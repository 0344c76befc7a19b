//===- AtomicsTest.cpp - tests of atomic operations -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

#include <cmath>
#include <limits>

using namespace mlir::lpgemm::emulator;

namespace {

using MakeResource = void *(uint32_t, void *, uint32_t, uint64_t, uint32_t);
using Atomic = void(uint32_t, const void *, uint32_t, const void *, uint32_t,
                    uint32_t, uint32_t);

template <typename T>
class Memory {
public:
  explicit Memory(T value) : values{value, value} {
    registerBuffer(values, sizeof(values), "memory");
  }
  ~Memory() { unregisterBuffer(values); }
  T values[2];
};

class AtomicsTest : public KernelTest {
protected:
  /// Each of 4 * 64 lanes applies the operation with its number to the first
  /// of two values, of which the resource reaches `records` bytes.
  template <typename T>
  void apply(const char *name, Memory<T> &memory,
             uint64_t records = 2 * sizeof(T), uint32_t voffset = 0) {
    auto *make = find<MakeResource>("emu_rocdl_make_buffer_rsrc");
    std::string symbol = std::string("emu_rocdl_raw_ptr_buffer_atomic_") + name;
    auto *atomic = find<Atomic>(symbol.c_str());
    EXPECT_TRUE(runLanes(
        64,
        [&](uint32_t lane) {
          T operand = static_cast<T>(lane) - 7;
          atomic(0, &operand, sizeof(T), make(0, memory.values, 0, records, 0),
                 voffset, 0, 0);
        },
        /*numWorkgroups=*/4));
  }
};

TEST_F(AtomicsTest, CombinesValuesOfAllWorkgroups) {
  constexpr int kSum = 255 * 256 / 2 - 7 * 256;
  Memory<float> f32(0);
  apply("fadd", f32);
  EXPECT_EQ(f32.values[0], kSum);
  EXPECT_EQ(f32.values[1], 0);
  Memory<double> f64(0.5);
  apply("fadd", f64);
  EXPECT_EQ(f64.values[0], kSum + 0.5);
  Memory<double> largest(NAN);
  apply("fmax", largest);
  EXPECT_EQ(largest.values[0], 248);
  Memory<int32_t> i32(-9);
  apply("smax", i32);
  EXPECT_EQ(i32.values[0], 248);
  Memory<int64_t> i64(int64_t(1) << 40);
  apply("smax", i64);
  EXPECT_EQ(i64.values[0], int64_t(1) << 40);
  // Unsigned: 0 - 7 is large.
  Memory<uint32_t> u32(99);
  apply("umin", u32);
  EXPECT_EQ(u32.values[0], 0u);
  EXPECT_EQ(getStatistics().bufferAtomics, 6u * 256);
}

TEST_F(AtomicsTest, OutOfRangeDoesNothing) {
  Memory<float> f32(1);
  apply("fadd", f32, /*records=*/4, /*voffset=*/4);
  apply("fadd", f32, /*records=*/3);
  EXPECT_EQ(f32.values[0], 1);
  EXPECT_EQ(f32.values[1], 1);
  // Not even the word that is in range.
  Memory<double> f64(1);
  apply("fadd", f64, /*records=*/4);
  EXPECT_EQ(f64.values[0], 1);
  EXPECT_EQ(getStatistics().bufferClipped, 3u * 256);
}

TEST_F(AtomicsTest, CompareAndSwap) {
  auto *make = find<MakeResource>("emu_rocdl_make_buffer_rsrc");
  auto *swap = find<void(uint32_t, void *, uint32_t, const void *, uint32_t,
                         uint32_t, const void *, uint32_t, uint32_t, uint32_t)>(
      "emu_rocdl_raw_ptr_buffer_atomic_cmpswap");
  Memory<uint32_t> memory(5);
  int numSwapped = 0;
  uint32_t outside = 1;
  EXPECT_TRUE(runLanes(64, [&](uint32_t lane) {
    uint32_t data = 100 + lane, old;
    void *resource = make(0, memory.values, 0, 4, 0);
    swap(0, &old, 4, &data, 4, 5, resource, 0, 0, 0);
    numSwapped += old == 5;
    swap(0, &outside, 4, &data, 4, 5, resource, 4, 0, 0);
  }));
  EXPECT_EQ(numSwapped, 1);
  EXPECT_EQ(memory.values[0], 100u);
  EXPECT_EQ(memory.values[1], 5u);
  EXPECT_EQ(outside, 0u);
}

TEST_F(AtomicsTest, RefusesWhatIsNotGlobal) {
  auto *check =
      find<void(uint32_t, const void *, uint32_t)>("emu_global_atomic");
  auto *lds = find<void *()>("emu_lds_base");
  EXPECT_FALSE(runLanes(1, [&](uint32_t) { check(1, lds(), 4); }));
  std::vector<Report> reports = takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::InvalidOperand);
  EXPECT_EQ(reports[0].message,
            "'op.b' at b.mlir:3:4 expected a pointer to global memory (kernel "
            "kernel, workgroup 0,0,0, wave 0 lane 0)");
}

} // namespace
