//===- TensorCopiesTest.cpp - tests of copies of tensors ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Which bytes a copy moves is tested in TensorMapTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "NvidiaTest.h"
#include "lpgemm/Emulator/TensorMap.h"

#include <cmath>
#include <vector>

using namespace mlir::lpgemm::emulator;

namespace {

/// A registered matrix and a map of boxes of it.
template <typename T>
class Matrix {
public:
  Matrix(TensorType type, uint32_t rows, uint32_t columns, uint32_t boxRows,
         uint32_t boxColumns, TensorSwizzle swizzle = TensorSwizzle::None,
         TensorFill fill = TensorFill::Zeros)
      : columns(columns), memory(rows * columns * sizeof(T) + 16) {
    uintptr_t address = reinterpret_cast<uintptr_t>(memory.data());
    elements = reinterpret_cast<T *>((address + 15) / 16 * 16);
    registerBuffer(elements, rows * columns * sizeof(T), "matrix");
    TensorMapDesc desc;
    desc.address = reinterpret_cast<uintptr_t>(elements);
    desc.type = type;
    desc.rank = 2;
    desc.dims[0] = columns;
    desc.dims[1] = rows;
    desc.strides[0] = columns * sizeof(T);
    desc.box[0] = boxColumns;
    desc.box[1] = boxRows;
    desc.swizzle = swizzle;
    desc.fill = fill;
    EXPECT_EQ(encodeTensorMap(desc, map), "");
  }
  ~Matrix() { unregisterBuffer(elements); }

  T &at(uint32_t row, uint32_t column) {
    return elements[row * columns + column];
  }

  alignas(64) uint8_t map[kTensorMapBytes];

private:
  uint32_t columns;
  std::vector<uint8_t> memory;
  T *elements;
};

class TensorCopiesTest : public NvidiaTest {};

/// One lane per column of the box.
constexpr uint32_t kBox = 32;
constexpr uint32_t kRows = 40, kColumns = 80;
constexpr uint32_t kTile = 1024;

using FloatMatrix = Matrix<float>;

FloatMatrix makeMatrix(TensorFill fill = TensorFill::Zeros) {
  return {TensorType::Float32,     kRows, kColumns, kBox, kBox,
          TensorSwizzle::Bytes128, fill};
}

/// Of an element of the tile in shared memory.
uint8_t *placeOf(const LaneOfKernel &lane, uint32_t row, uint32_t column) {
  return lane.shared + kTile + 128 * row +
         (4 * column ^ (((kTile / 128 + row) & 7) << 4));
}

void start(const LaneOfKernel &lane) {
  if (lane.id == 0)
    emu_nvvm_mbarrier_init(0, lane.shared, 3, 1, 1);
  emu_nvvm_barrier(9, 0, 0);
}

/// Loads the box at some coordinates, and compares it.
bool runLoad(FloatMatrix &matrix, int32_t x, int32_t y, uint32_t bytes,
             float outside) {
  return runNvidia(32, [&](const LaneOfKernel &lane) {
    start(lane);
    if (lane.id == 0) {
      emu_nvvm_mbarrier_arrive(1, lane.shared, 3, 1, bytes, 0, 1);
      emu_nvvm_tensor_load(2, lane.shared + kTile, 7, matrix.map, lane.shared,
                           0, 1, 2, x, y, 0, 0, 0);
      emu_nvvm_tensor_load(2, nullptr, 7, nullptr, nullptr, 0,
                           /*predicate=*/0, 2, 0, 0, 0, 0, 0);
    }
    emu_nvvm_mbarrier_wait_parity(3, lane.shared, 0);
    for (uint32_t i = 0; i < kBox; ++i) {
      int32_t row = y + i, column = x + lane.id;
      bool isInside = row >= 0 && row < int32_t(kRows) && column >= 0 &&
                      column < int32_t(kColumns);
      float expected = isInside ? matrix.at(row, column) : outside;
      float actual = loadShared<float>(4, placeOf(lane, i, lane.id));
      EXPECT_EQ(std::memcmp(&actual, &expected, 4), 0)
          << actual << " in place of " << expected;
    }
  });
}

void fillMatrix(FloatMatrix &matrix) {
  for (uint32_t i = 0; i < kRows; ++i)
    for (uint32_t j = 0; j < kColumns; ++j)
      matrix.at(i, j) = 0.25f * i + j;
}

TEST_F(TensorCopiesTest, LoadsBoxes) {
  FloatMatrix matrix = makeMatrix();
  fillMatrix(matrix);
  for (auto [x, y] : {std::pair(0, 0), {4, 3}, {-8, -5}, {64, 20}, {80, 40}})
    expectGood([&, x = x, y = y] {
      return runLoad(matrix, x, y, kBox * kBox * 4, 0);
    });
}

TEST_F(TensorCopiesTest, FillsWithNaN) {
  FloatMatrix matrix = makeMatrix(TensorFill::NaN);
  fillMatrix(matrix);
  uint32_t bits = 0x7ff77ff7;
  float nan;
  std::memcpy(&nan, &bits, 4);
  expectGood([&] { return runLoad(matrix, 60, -1, kBox * kBox * 4, nan); });
}

/// What is outside of the tensor counts, too.
TEST_F(TensorCopiesTest, CountsTheWholeBox) {
  FloatMatrix matrix = makeMatrix();
  fillMatrix(matrix);
  expectReportEarlyAndLate(
      ReportKind::Deadlock,
      "which lacks 0 of 1 arrivals and the announcement of 2048 bytes",
      [&] { return runLoad(matrix, 64, 0, kBox * kBox * 2, 0); });
}

struct Fault {
  ReportKind kind;
  const char *message;
  std::function<void(uint8_t *shared, FloatMatrix &matrix)> body;
};

TEST_F(TensorCopiesTest, ReportsOperands) {
  auto load = [](uint8_t *target, const void *map, uint8_t *shared, int32_t x,
                 uint32_t rank = 2) {
    emu_nvvm_mbarrier_arrive(1, shared, 3, 1, 4096, 0, 1);
    emu_nvvm_tensor_load(2, target, 7, map, shared, 0, 1, rank, x, 0, 0, 0, 0);
  };
  const Fault kFaults[] = {
      {ReportKind::Misaligned,
       "'op.2' at k:2 expected the shared memory address to be a multiple of "
       "128, got 1040",
       [&](uint8_t *s, FloatMatrix &m) { load(s + 1040, m.map, s, 0); }},
      {ReportKind::Misaligned,
       "expected the innermost coordinate in steps of 16 bytes, got 8 bytes",
       [&](uint8_t *s, FloatMatrix &m) { load(s + kTile, m.map, s, 2); }},
      {ReportKind::InvalidOperand,
       "expected 2 coordinates, as the tensor map has dimensions, got 3",
       [&](uint8_t *s, FloatMatrix &m) { load(s + kTile, m.map, s, 0, 3); }},
      {ReportKind::InvalidOperand,
       "tensor map: expected what the host has encoded, got other bytes",
       [&](uint8_t *s, FloatMatrix &m) {
         load(s + kTile,
              &m.at(0, 0) - reinterpret_cast<uintptr_t>(&m.at(0, 0)) % 64 / 4 +
                  16,
              s, 0);
       }},
      {ReportKind::InvalidOperand,
       "tensor map: expected its address to be a multiple of 64 and not null, "
       "got 0",
       [&](uint8_t *, FloatMatrix &) {
         emu_nvvm_prefetch_tensormap(2, nullptr, 0);
         emu_nvvm_prefetch_tensormap(2, nullptr, 1);
       }},
      {ReportKind::SharedOutOfBounds,
       "'op.2' at k:2 is outside of every object of shared memory",
       [&](uint8_t *s, FloatMatrix &m) {
         load(s + kSharedBytes - 128, m.map, s, 0);
       }},
      {ReportKind::Misaligned, "expected the innermost coordinate in steps",
       [&](uint8_t *, FloatMatrix &m) {
         emu_nvvm_tensor_prefetch(2, m.map, 2, 4, 0, 0, 0, 0);
         emu_nvvm_tensor_prefetch(2, m.map, 2, 1, 0, 0, 0, 0);
       }},
      {ReportKind::InvalidOperand, "there is no reduction 'min' of FLOAT32",
       [&](uint8_t *s, FloatMatrix &m) {
         emu_nvvm_tensor_reduce(2, m.map, s + kTile, 1, 2, 0, 0, 0, 0, 0);
       }},
      {ReportKind::SharedUninitialized,
       "'op.2' at k:2 reads uninitialised shared memory",
       [&](uint8_t *s, FloatMatrix &m) {
         emu_nvvm_tensor_store(2, m.map, s + kTile, 1, 2, 0, 0, 0, 0, 0);
       }},
  };
  for (const Fault &fault : kFaults)
    expectReportEarlyAndLate(fault.kind, fault.message, [&] {
      FloatMatrix matrix = makeMatrix();
      return runNvidia(1, [&](const LaneOfKernel &lane) {
        start(lane);
        fault.body(lane.shared, matrix);
      });
    });
}

TEST_F(TensorCopiesTest, ReportsTensorsOutsideOfTheirBuffer) {
  FloatMatrix matrix = makeMatrix();
  unregisterBuffer(&matrix.at(0, 0));
  registerBuffer(&matrix.at(0, 0), kColumns * 4 * 8, "short");
  expectReportEarlyAndLate(
      ReportKind::GlobalOutOfBounds,
      "'op.2' at k:2 accesses 128 bytes at offset 2560 of 'short', which has "
      "2560 bytes",
      [&] { return runLoad(matrix, 0, 0, kBox * kBox * 4, 0); });
}

//===----------------------------------------------------------------------===//
// Stores and reductions
//===----------------------------------------------------------------------===//

/// Each lane writes a column of the box, which lane 0 stores or reduces.
template <typename T, typename Fn>
bool runStore(Fn &&valueOf, bool fences, uint32_t numWorkgroups,
              std::function<void(const uint8_t *shared)> issue) {
  return runNvidia(
      32,
      [&](const LaneOfKernel &lane) {
        for (uint32_t i = 0; i < kBox; ++i)
          storeShared<T>(1,
                         lane.shared + kTile + (kBox * i + lane.id) * sizeof(T),
                         valueOf(i, lane.id));
        if (fences)
          emu_nvvm_fence_proxy_async(2);
        emu_nvvm_barrier(3, 0, 0);
        if (lane.id != 0)
          return;
        issue(lane.shared + kTile);
        emu_nvvm_bulk_commit_group(5);
        emu_nvvm_bulk_wait_group(6, 0);
      },
      /*clusterSize=*/1, numWorkgroups);
}

TEST_F(TensorCopiesTest, StoresBoxes) {
  auto run = [&](bool fences) {
    FloatMatrix matrix(TensorType::Float32, kRows, kColumns, kBox, kBox);
    bool isGood = runStore<float>(
        [](uint32_t i, uint32_t j) { return 100.0f * i + j; }, fences, 1,
        [&](const uint8_t *source) {
          emu_nvvm_tensor_store(4, matrix.map, source, 1, 2, 60, -4, 0, 0, 0);
          emu_nvvm_tensor_store(4, nullptr, source, /*predicate=*/0, 2, 0, 0, 0,
                                0, 0);
        });
    for (uint32_t i = 0; isGood && i < kRows; ++i)
      for (uint32_t j = 0; j < kColumns; ++j)
        EXPECT_EQ(matrix.at(i, j),
                  i < kBox - 4 && j >= 60 ? 100.0f * (i + 4) + (j - 60) : 0);
    return isGood;
  };
  expectGood([&] { return run(true); });
  expectReportEarlyAndLate(ReportKind::MissingProxyFence,
                           "'op.4' at k:4 reads through the async proxy what "
                           "the other wrote, with no fence.proxy.async between",
                           [&] { return run(false); });
}

/// Three workgroups, in as many threads as there are, reduce one box.
template <typename T, typename ValueFn, typename ResultFn>
void expectReduction(TensorType type, uint32_t kind, T initial,
                     ValueFn &&valueOf, ResultFn &&resultOf) {
  Matrix<T> matrix(type, kBox, kBox, kBox, kBox);
  for (uint32_t i = 0; i < kBox; ++i)
    for (uint32_t j = 0; j < kBox; ++j)
      matrix.at(i, j) = initial;
  EXPECT_TRUE(runStore<T>(valueOf, true, 3, [&](const uint8_t *source) {
    emu_nvvm_tensor_reduce(4, matrix.map, source, kind, 2, 0, 0, 0, 0, 0);
  }));
  for (const Report &report : takeReports())
    ADD_FAILURE() << report.message;
  for (uint32_t i = 0; i < kBox; ++i)
    for (uint32_t j = 0; j < kBox; ++j)
      EXPECT_EQ(matrix.at(i, j), resultOf(i, j))
          << tensorTypeName(type) << " kind " << kind;
}

TEST_F(TensorCopiesTest, ReducesIntegers) {
  enum Kind : uint32_t { Add, Min, Max, Inc, Dec, And, Or, Xor };
  auto value = [](uint32_t i, uint32_t j) { return 37 * i + j; };
  auto small = [](uint32_t, uint32_t j) { return j; };
  auto sign = [](uint32_t i, uint32_t j) { return int32_t(i) - int32_t(j); };
  using U = uint32_t;
  expectReduction<U>(TensorType::UInt32, Add, ~0u, value,
                     [&](U i, U j) { return 3 * value(i, j) - 1; });
  expectReduction<U>(TensorType::UInt32, Min, 300, value,
                     [&](U i, U j) { return std::min(300u, value(i, j)); });
  expectReduction<int32_t>(TensorType::Int32, Max, -3, sign,
                           [&](U i, U j) { return std::max(-3, sign(i, j)); });
  // 0, 1, 2 and 3, unless the limit comes first.
  expectReduction<U>(TensorType::UInt32, Inc, 0, small,
                     [&](U, U j) { return 3 % (j + 1); });
  expectReduction<U>(TensorType::UInt32, Dec, 0, small, [&](U, U j) {
    return j == 0 ? 0 : j == 1 ? 1 : j - 2;
  });
  expectReduction<U>(TensorType::UInt32, And, 0xff, value,
                     [&](U i, U j) { return 0xff & value(i, j); });
  expectReduction<U>(TensorType::UInt32, Or, 0x10, value,
                     [&](U i, U j) { return 0x10 | value(i, j); });
  expectReduction<U>(TensorType::UInt32, Xor, 0x55, value,
                     [&](U i, U j) { return 0x55 ^ value(i, j); });
  expectReduction<uint64_t>(
      TensorType::UInt64, Add, uint64_t(1) << 32,
      [&](U i, U j) { return uint64_t(value(i, j)) << 30; },
      [&](U i, U j) {
        return (uint64_t(1) << 32) + 3 * (uint64_t(value(i, j)) << 30);
      });
}

TEST_F(TensorCopiesTest, ReducesFloats) {
  using U = uint32_t;
  expectReduction<float>(
      TensorType::Float32, 0, 0.5f, [](U i, U j) { return 0.25f * i - j; },
      [](U i, U j) { return 0.5f + 3 * (0.25f * i - j); });
  expectReduction<double>(
      TensorType::Float64, 0, 0.5, [](U i, U j) { return 0.25 * i - j; },
      [](U i, U j) { return 0.5 + 3 * (0.25 * i - j); });
  // 1 + 3 * 2 ^ -8 in steps of 2 ^ -7, ties to even.
  expectReduction<uint16_t>(
      TensorType::BFloat16, 0, 0x3f80, [](U, U) { return 0x3b80; },
      [](U, U) { return 0x3f80; });
  // 1 + 3 * 3 * 2 ^ -8: each of the sums is rounded, here up.
  expectReduction<uint16_t>(
      TensorType::BFloat16, 0, 0x3f80, [](U, U) { return 0x3c40; },
      [](U, U) { return 0x3f86; });
  // 1 + 3 * 2 ^ -10, exact in half precision.
  expectReduction<uint16_t>(
      TensorType::Float16, 0, 0x3c00, [](U, U) { return 0x1400; },
      [](U, U) { return 0x3c03; });
  // NaN gives way.
  expectReduction<uint16_t>(
      TensorType::Float16, 1, 0x7e00, [](U, U) { return 0xbc00; },
      [](U, U) { return 0xbc00; });
  expectReduction<uint16_t>(
      TensorType::Float16, 2, 0x3c00, [](U, U) { return 0xbc00; },
      [](U, U) { return 0x3c00; });
}

} // namespace
