//===- TransposedReadsTest.cpp - tests of transposing reads ---------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What each lane gets is written out here for each width, as rocRoller's
// TransposeLoadsTest has it from the device.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

#include <random>
#include <vector>

using namespace mlir::lpgemm::emulator;

namespace {

constexpr unsigned kLanes = 64;

struct Width {
  const char *name;
  unsigned bits;
  unsigned bytes;
  /// How far apart the lanes' places are: 12 bytes need an alignment of 16.
  unsigned stride;
};
constexpr Width kWidths[] = {{"tr4_b64", 4, 8, 8},
                             {"tr6_b96", 6, 12, 16},
                             {"tr8_b64", 8, 8, 8},
                             {"tr16_b64", 16, 8, 8}};

/// Where element `j` of lane `i` of 16 comes from.
struct Source {
  unsigned lane, element;
};
Source findSource(unsigned bits, unsigned i, unsigned j) {
  switch (bits) {
  case 16:
    return {4 * j + i / 4, i % 4};
  case 8:
    return {2 * j + i / 8, i % 8};
  default:
    return {j, i};
  }
}

unsigned readElement(const uint8_t *bytes, unsigned index, unsigned bits) {
  unsigned value = 0;
  for (unsigned i = 0; i < bits; ++i) {
    unsigned bit = index * bits + i;
    value |= (bytes[bit / 8] >> bit % 8 & 1) << i;
  }
  return value;
}

class TransposedReadTest : public testing::TestWithParam<Width> {
protected:
  void SetUp() override {
    setOptions({});
    takeReports();
  }
  void TearDown() override { setOptions({}); }
};

/// What the kernel writes to LDS, reads, and from where. A kernel is a plain
/// function.
const Width *width;
std::vector<uint8_t> lds;
std::vector<unsigned> places;
std::vector<uint8_t> results;

void runKernel(void **) {
  static auto *getLane = find<int32_t()>("emu_rocdl_workitem_id_x");
  static auto *getBase = find<void *()>("emu_lds_base");
  static auto *noteStore =
      find<void(uint32_t, const void *, uint32_t)>("emu_lds_store");
  static auto *barrier = find<void(uint32_t)>("emu_rocdl_barrier");
  unsigned lane = getLane();
  auto *base = static_cast<uint8_t *>(getBase());
  uint8_t *own = base + lane * width->stride;
  noteStore(0, own, width->bytes);
  std::memcpy(own, &lds[lane * width->stride], width->bytes);
  barrier(0);
  auto *read = find<void(uint32_t, void *, uint32_t, const void *, uint32_t)>(
      (std::string("emu_rocdl_ds_read_") + width->name).c_str());
  read(1, &results[lane * width->bytes], width->bytes,
       base + places[lane] * width->stride, /*acrossBarrier=*/0);
}

TEST_P(TransposedReadTest, EveryLaneAndElement) {
  width = &GetParam();
  std::mt19937 random(11);
  lds.resize(kLanes * width->stride);
  for (uint8_t &byte : lds)
    byte = random();
  // Each lane's own address counts, wherever it is.
  places.resize(kLanes);
  for (unsigned i = 0; i < kLanes; ++i)
    places[i] = (i * 29 + 5) % kLanes;
  results.assign(kLanes * width->bytes, 0);
  EXPECT_TRUE(launch(makeInfo(), runKernel, {1, 1, 1}, {kLanes, 1, 1},
                     lds.size(), nullptr));
  for (const Report &report : takeReports())
    ADD_FAILURE() << report.message;
  unsigned perLane = width->bytes * 8 / width->bits;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned j = 0; j < perLane; ++j) {
      Source source = findSource(width->bits, lane % 16, j);
      unsigned place = places[lane / 16 * 16 + source.lane];
      EXPECT_EQ(
          readElement(&results[lane * width->bytes], j, width->bits),
          readElement(&lds[place * width->stride], source.element, width->bits))
          << "lane " << lane << " element " << j;
    }
}

INSTANTIATE_TEST_SUITE_P(Widths, TransposedReadTest, testing::ValuesIn(kWidths),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
