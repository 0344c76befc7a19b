//===- AsyncCopiesTest.cpp - tests of asynchronous copies -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NvidiaTest.h"
#include "lpgemm/Emulator/TensorMap.h"

#include <vector>

using namespace mlir::lpgemm::emulator;

namespace {

/// Registered memory of 32-bit words.
class Words {
public:
  explicit Words(size_t count) : words(count + 4) {
    // Aligned to 16 bytes.
    size_t skip = (16 - reinterpret_cast<uintptr_t>(words.data()) % 16) % 16;
    begin = words.data() + skip / 4;
    for (size_t i = 0; i < count; ++i)
      begin[i] = 3 * i + 1;
    registerBuffer(begin, count * 4, "words");
  }
  ~Words() { unregisterBuffer(begin); }
  uint32_t *data() { return begin; }
  uint32_t &operator[](size_t i) { return begin[i]; }

private:
  std::vector<uint32_t> words;
  uint32_t *begin;
};

class AsyncCopiesTest : public NvidiaTest {};

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// Two stages: each lane copies a word of block i + 1 while all sum up block i.
bool runSmallCopies(uint32_t waits, bool hasBarrier, bool waitsAtEnd = true) {
  constexpr uint32_t kBlocks = 6;
  Words words(kBlocks * 32);
  uint32_t sums[32] = {};
  bool isGood = runNvidia(32, [&](const LaneOfKernel &lane) {
    auto copy = [&](uint32_t block) {
      if (block < kBlocks)
        emu_nvvm_cp_async(1, lane.shared + block % 2 * 128 + 4 * lane.id,
                          &words[32 * block + lane.id], 4, 4);
      emu_nvvm_cp_async_commit_group(2);
    };
    copy(0);
    for (uint32_t block = 0; block < kBlocks; ++block) {
      copy(block + 1);
      emu_nvvm_cp_async_wait_group(3, waits);
      emu_nvvm_barrier(4, 0, 0);
      for (uint32_t i = 0; i < 32; ++i)
        sums[lane.id] +=
            loadShared<uint32_t>(5, lane.shared + block % 2 * 128 + 4 * i);
      if (hasBarrier)
        emu_nvvm_barrier(6, 0, 0);
    }
    if (waitsAtEnd)
      emu_nvvm_cp_async_wait_all(7);
  });
  uint32_t expected = 0;
  for (uint32_t i = 0; i < kBlocks * 32; ++i)
    expected += words[i];
  for (uint32_t i = 0; isGood && i < 32; ++i)
    EXPECT_EQ(sums[i], expected);
  return isGood;
}

TEST_F(AsyncCopiesTest, SmallCopiesOfTwoStages) {
  expectGood([] { return runSmallCopies(1, true); });
}

TEST_F(AsyncCopiesTest, SmallCopiesNeedTheirWaits) {
  expectReportEarlyAndLate(
      ReportKind::SharedUnwaitedWrite,
      "'op.5' at k:5 reads what an asynchronous copy writes, which was not "
      "waited for; the other is 'op.1' at k:1; shared memory offset",
      [] { return runSmallCopies(2, true); });
}

TEST_F(AsyncCopiesTest, SmallCopiesNeedTheirBarriers) {
  expectReportEarlyAndLate(
      ReportKind::SharedRace,
      "'op.1' at k:1 overwrites what the other reads, and nothing orders the "
      "two; the other is 'op.5' at k:5",
      [] { return runSmallCopies(1, false); });
}

TEST_F(AsyncCopiesTest, SmallCopiesFillWithZeros) {
  expectGood([] {
    Words words(4);
    return runNvidia(1, [&](const LaneOfKernel &lane) {
      emu_nvvm_cp_async(1, lane.shared, words.data(), 16, 6);
      emu_nvvm_cp_async(1, lane.shared + 16, words.data(), 8, 0);
      emu_nvvm_cp_async_wait_all(2);
      EXPECT_EQ(loadShared<uint32_t>(3, lane.shared), words[0]);
      EXPECT_EQ(loadShared<uint32_t>(3, lane.shared + 4), words[1] & 0xffff);
      EXPECT_EQ(loadShared<uint64_t>(3, lane.shared + 8), 0u);
      EXPECT_EQ(loadShared<uint64_t>(3, lane.shared + 16), 0u);
    });
  });
}

/// Lanes of warp 0 copy and let an mbarrier know; those of warp 1 read.
bool handOverSmallCopies(bool noinc, bool laterCopy) {
  Words words(64);
  return runNvidia(64, [&](const LaneOfKernel &lane) {
    if (lane.id == 0)
      emu_nvvm_mbarrier_init(0, lane.shared, 3, 32, 1);
    emu_nvvm_barrier(9, 0, 0);
    uint8_t *word = lane.shared + 64 + 4 * (lane.id % 32);
    if (lane.id < 32) {
      emu_nvvm_cp_async(1, word, &words[lane.id], 4, 4);
      emu_nvvm_cp_async_mbarrier_arrive(2, lane.shared, 3, noinc);
      if (laterCopy)
        emu_nvvm_cp_async(3, word + 128, &words[lane.id], 4, 4);
      if (!noinc)
        emu_nvvm_mbarrier_arrive(4, lane.shared, 3, 1, 0, 0, 1);
      emu_nvvm_cp_async_wait_all(5);
      return;
    }
    emu_nvvm_mbarrier_wait_parity(6, lane.shared, 0);
    EXPECT_EQ(loadShared<uint32_t>(7, word), words[lane.id % 32]);
    if (laterCopy)
      loadShared<uint32_t>(8, word + 128);
  });
}

TEST_F(AsyncCopiesTest, SmallCopiesSignalMBarriers) {
  expectGood([] { return handOverSmallCopies(true, false); });
  expectGood([] { return handOverSmallCopies(false, false); });
}

TEST_F(AsyncCopiesTest, SmallCopiesAfterTheSignalAreNotKnown) {
  for (bool noinc : {true, false})
    expectReportEarlyAndLate(
        ReportKind::SharedUnwaitedWrite,
        "'op.8' at k:8 reads what an asynchronous copy writes, which was not "
        "waited for; the other is 'op.3' at k:3",
        [&] { return handOverSmallCopies(noinc, true); });
}

//===----------------------------------------------------------------------===//
// Bulk copies to shared memory
//===----------------------------------------------------------------------===//

struct Pipeline {
  uint32_t expectedBytes = 128;
  bool waitsForFull = true;
  bool waitsForEmpty = true;
  bool readsBeforeItFrees = true;
};

/// A producer fills a ring of two slots; the lanes of a warp consume them.
bool runPipeline(const Pipeline &pipeline) {
  constexpr uint32_t kBlocks = 6, kSlots = 2;
  Words words(kBlocks * 32);
  uint32_t sums[32] = {};
  bool isGood = runNvidia(64, [&](const LaneOfKernel &lane) {
    auto full = [&](uint32_t slot) { return lane.shared + 8 * slot; };
    auto empty = [&](uint32_t slot) { return lane.shared + 32 + 8 * slot; };
    auto data = [&](uint32_t slot) { return lane.shared + 128 + 128 * slot; };
    for (uint32_t slot = 0; lane.id == 0 && slot < kSlots; ++slot) {
      emu_nvvm_mbarrier_init(0, full(slot), 3, 1, 1);
      emu_nvvm_mbarrier_init(0, empty(slot), 3, 32, 1);
    }
    emu_nvvm_barrier(9, 0, 0);
    for (uint32_t block = 0; block < kBlocks; ++block) {
      uint32_t slot = block % kSlots, parity = block / kSlots % 2;
      if (lane.id == 32) {
        if (pipeline.waitsForEmpty)
          emu_nvvm_mbarrier_wait_parity(1, empty(slot), parity ^ 1);
        emu_nvvm_mbarrier_arrive(2, full(slot), 3, 1, pipeline.expectedBytes, 0,
                                 1);
        emu_nvvm_bulk_load(3, data(slot), 3, &words[32 * block], full(slot),
                           128, 0);
      } else if (lane.id < 32) {
        if (pipeline.waitsForFull)
          emu_nvvm_mbarrier_wait_parity(4, full(slot), parity);
        if (!pipeline.readsBeforeItFrees)
          emu_nvvm_mbarrier_arrive(6, empty(slot), 3, 1, 0, 0, 1);
        for (uint32_t i = 0; i < 32; ++i)
          sums[lane.id] += loadShared<uint32_t>(5, data(slot) + 4 * i);
        if (pipeline.readsBeforeItFrees)
          emu_nvvm_mbarrier_arrive(6, empty(slot), 3, 1, 0, 0, 1);
      }
    }
  });
  uint32_t expected = 0;
  for (uint32_t i = 0; i < kBlocks * 32; ++i)
    expected += words[i];
  for (uint32_t i = 0; isGood && i < 32; ++i)
    EXPECT_EQ(sums[i], expected);
  return isGood;
}

TEST_F(AsyncCopiesTest, PipelineOfBulkCopies) {
  expectGood([] { return runPipeline({}); });
}

TEST_F(AsyncCopiesTest, PipelineThatDoesNotWaitForData) {
  Pipeline pipeline;
  pipeline.waitsForFull = false;
  for (LoadTime loads : {LoadTime::Early, LoadTime::Late}) {
    setOptions(makeOptions(loads, LaneOrder::Reverse));
    EXPECT_FALSE(runPipeline(pipeline));
    bool isFound = false;
    for (const Report &report : takeReports())
      isFound |= report.kind == ReportKind::SharedUnwaitedWrite &&
                 report.message.find(
                     "'op.5' at k:5 reads what an asynchronous copy writes, "
                     "which was not waited for; the other is 'op.3' at k:3") !=
                     std::string::npos;
    EXPECT_TRUE(isFound);
  }
}

TEST_F(AsyncCopiesTest, PipelineThatOverwritesItsSlots) {
  Pipeline pipeline;
  pipeline.waitsForEmpty = false;
  auto run = [&] { return runPipeline(pipeline); };
  expectReport(LoadTime::Early, ReportKind::SharedUnwaitedWrite,
               "'op.3' at k:3 overwrites what an asynchronous copy writes, "
               "which was not waited for; the other is 'op.3' at k:3",
               run);
  expectReport(LoadTime::Late, ReportKind::InvalidOperand,
               "'op.2' at k:2 is more arrivals (1) than the 0 that the phase "
               "lacks",
               run);
}

TEST_F(AsyncCopiesTest, PipelineThatFreesItsSlotsTooEarly) {
  Pipeline pipeline;
  pipeline.readsBeforeItFrees = false;
  expectReportEarlyAndLate(
      ReportKind::SharedRace,
      "'op.3' at k:3 overwrites what the other reads, and nothing orders the "
      "two; the other is 'op.5' at k:5",
      [&] { return runPipeline(pipeline); });
}

TEST_F(AsyncCopiesTest, PipelineThatExpectsTooMuch) {
  Pipeline pipeline;
  pipeline.expectedBytes = 256;
  expectReportEarlyAndLate(
      ReportKind::Deadlock,
      "'op.4' at k:4 waits for ever, for phase 0 of the mbarrier at shared "
      "memory offset 0 (@smem + 0), which lacks 0 of 1 arrivals and 128 bytes: "
      "32 lanes",
      [&] { return runPipeline(pipeline); });
}

TEST_F(AsyncCopiesTest, PipelineThatExpectsTooLittle) {
  // The data come after the arrival: the phase lacks an announcement.
  Pipeline pipeline;
  pipeline.expectedBytes = 64;
  expectReportEarlyAndLate(
      ReportKind::Deadlock,
      "which lacks 0 of 1 arrivals and the announcement of 64 bytes",
      [&] { return runPipeline(pipeline); });
}

/// The copy is issued before the arrival, which announces too little.
TEST_F(AsyncCopiesTest, PhaseThatEndsBeforeItsCopy) {
  auto run = [] {
    Words words(32);
    return runNvidia(1, [&](const LaneOfKernel &lane) {
      emu_nvvm_mbarrier_init(0, lane.shared, 3, 1, 1);
      emu_nvvm_bulk_load(1, lane.shared + 128, 3, words.data(), lane.shared,
                         128, 0);
      emu_nvvm_mbarrier_arrive(2, lane.shared, 3, 1, 0, 0, 1);
      emu_nvvm_mbarrier_wait_parity(3, lane.shared, 0);
    });
  };
  expectReport(LoadTime::Late, ReportKind::SharedUnwaitedWrite,
               "'op.2' at k:2 completes phase 0 of the mbarrier at shared "
               "memory offset 0 (@smem + 0) while a copy of 128 bytes that "
               "signals it is in flight: too few bytes were announced",
               run);
  expectReport(LoadTime::Early, ReportKind::Deadlock,
               "lacks 0 of 1 arrivals and the announcement of 128 bytes", run);
}

//===----------------------------------------------------------------------===//
// Operands of bulk copies
//===----------------------------------------------------------------------===//

struct Fault {
  ReportKind kind;
  const char *message;
  std::function<void(uint8_t *shared, uint32_t *words)> body;
};

void expectFaults(const std::vector<Fault> &faults,
                  const std::function<void(LoadTime, const Fault &,
                                           std::function<bool()>)> &expect) {
  for (const Fault &fault : faults)
    for (LoadTime loads : {LoadTime::Early, LoadTime::Late})
      expect(loads, fault, [&] {
        Words words(64);
        return runNvidia(1, [&](const LaneOfKernel &lane) {
          emu_nvvm_mbarrier_init(0, lane.shared, 3, 1, 1);
          fault.body(lane.shared, words.data());
        });
      });
}

void load(uint8_t *target, const uint32_t *source, uint8_t *barrier,
          uint32_t bytes, uint32_t mask = 0) {
  emu_nvvm_mbarrier_arrive(1, barrier, 3, 1, bytes, 0, 1);
  emu_nvvm_bulk_load(2, target, 3, source, barrier, bytes, mask);
}

TEST_F(AsyncCopiesTest, ReportsOperands) {
  const std::vector<Fault> faults = {
      {ReportKind::InvalidOperand, "expected a multiple of 16 bytes, got 24",
       [](uint8_t *s, uint32_t *w) { load(s + 128, w, s, 24); }},
      {ReportKind::InvalidOperand, "expected a multiple of 16 bytes, got 0",
       [](uint8_t *s, uint32_t *w) { load(s + 128, w, s, 0); }},
      {ReportKind::Misaligned,
       "'op.2' at k:2 needs an address aligned to 16 bytes, is off by 8",
       [](uint8_t *s, uint32_t *w) { load(s + 136, w, s, 32); }},
      {ReportKind::Misaligned,
       "'op.2' at k:2 needs an address aligned to 16 bytes, is off by 4",
       [](uint8_t *s, uint32_t *w) { load(s + 128, w + 1, s, 32); }},
      {ReportKind::GlobalOutOfBounds,
       "'op.2' at k:2 accesses 64 bytes at offset 208 of 'words'",
       [](uint8_t *s, uint32_t *w) { load(s + 128, w + 52, s, 64); }},
      {ReportKind::SharedOutOfBounds,
       "'op.2' at k:2 is outside of every object of shared memory",
       [](uint8_t *s, uint32_t *w) { load(s + kSharedBytes - 16, w, s, 32); }},
      {ReportKind::InvalidOperand, "accesses an mbarrier object",
       [](uint8_t *s, uint32_t *w) { load(s, w, s, 32); }},
      {ReportKind::InvalidOperand,
       "expected a multicast mask of at most 1 workgroups, got one with rank 1",
       [](uint8_t *s, uint32_t *w) { load(s + 128, w, s, 32, 3); }},
      {ReportKind::InvalidOperand, "is about an mbarrier that is not",
       [](uint8_t *s, uint32_t *w) {
         emu_nvvm_bulk_load(2, s + 128, 3, w, s + 8, 32, 0);
       }},
      {ReportKind::InvalidOperand, "expected to read at most 8 bytes, got 9",
       [](uint8_t *s, uint32_t *w) { emu_nvvm_cp_async(2, s + 128, w, 8, 9); }},
      {ReportKind::Misaligned, "needs an address aligned to 8 bytes",
       [](uint8_t *s, uint32_t *w) { emu_nvvm_cp_async(2, s + 132, w, 8, 8); }},
      {ReportKind::GlobalOutOfBounds, "'op.2' at k:2 accesses 256 bytes",
       [](uint8_t *, uint32_t *w) { emu_nvvm_bulk_prefetch(2, w + 4, 256); }},
      {ReportKind::PendingAtExit,
       "'op.2' at k:2 starts a copy that signals phase 0 of the mbarrier at "
       "shared memory offset 0 (@smem + 0), which is not waited for before "
       "the workgroup ends",
       [](uint8_t *s, uint32_t *w) { load(s + 128, w, s, 32); }},
      {ReportKind::PendingAtExit,
       "'op.2' at k:2 starts a copy that is not waited for before the "
       "workgroup ends",
       [](uint8_t *s, uint32_t *w) { emu_nvvm_cp_async(2, s + 128, w, 4, 4); }},
  };
  expectFaults(faults, [&](LoadTime loads, const Fault &fault, auto run) {
    expectReport(loads, fault.kind, fault.message, run);
  });
}

//===----------------------------------------------------------------------===//
// Bulk copies from shared memory
//===----------------------------------------------------------------------===//

struct Store {
  bool fences = true;
  bool waits = true;
  bool waitsAtEnd = true;
  uint32_t byteMask = 0xffff;
};

/// All lanes write, lane 0 copies it to global memory, and all write again.
bool runStores(const Store &store, Words &words) {
  return runNvidia(32, [&](const LaneOfKernel &lane) {
    uint8_t *word = lane.shared + 4 * lane.id;
    for (uint32_t i = 0; i < 2; ++i) {
      storeShared(1, word, 0x01010101 * (lane.id + 100 * i));
      if (store.fences)
        emu_nvvm_fence_proxy_async(2);
      emu_nvvm_barrier(3, 0, 0);
      if (lane.id == 0) {
        emu_nvvm_bulk_store(4, &words[32 * i], lane.shared, 128,
                            store.byteMask);
        emu_nvvm_bulk_commit_group(5);
        if (store.waits)
          emu_nvvm_bulk_wait_group(6, 0);
      }
      emu_nvvm_barrier(7, 0, 0);
    }
    if (lane.id == 0 && store.waitsAtEnd)
      emu_nvvm_bulk_wait_group(8, 0);
  });
}

TEST_F(AsyncCopiesTest, StoresOfTheBulk) {
  expectGood([] {
    Words words(64);
    bool isGood = runStores({}, words);
    for (uint32_t i = 0; i < 64; ++i)
      EXPECT_EQ(words[i], 0x01010101 * (i % 32 + 100 * (i / 32)));
    return isGood;
  });
}

TEST_F(AsyncCopiesTest, StoresOfSomeBytes) {
  expectGood([] {
    Words words(64);
    Store store;
    store.byteMask = 0x00f3; // All of word 1, half of word 0.
    bool isGood = runStores(store, words);
    for (uint32_t i = 0; i < 32; ++i) {
      uint32_t old = 3 * i + 1, value = 0x01010101 * i;
      uint32_t mask = i % 4 == 0 ? 0xffff : i % 4 == 1 ? ~0u : 0;
      EXPECT_EQ(words[i], (old & ~mask) | (value & mask));
    }
    return isGood;
  });
}

TEST_F(AsyncCopiesTest, StoresNeedFencesAndWaits) {
  Words words(64);
  Store store;
  store.fences = false;
  expectReportEarlyAndLate(
      ReportKind::MissingProxyFence,
      "'op.4' at k:4 reads through the async proxy what the other wrote, with "
      "no fence.proxy.async between; the other is 'op.1' at k:1",
      [&] { return runStores(store, words); });
  store = {};
  store.waits = false;
  expectReportEarlyAndLate(
      ReportKind::SharedUnwaitedRead,
      "'op.1' at k:1 overwrites what an asynchronous operation reads, which "
      "was not waited for; the other is 'op.4' at k:4",
      [&] { return runStores(store, words); });
  store.waitsAtEnd = false;
  expectReportEarlyAndLate(ReportKind::PendingAtExit,
                           "'op.4' at k:4 starts a copy that is not waited for "
                           "before the workgroup ends",
                           [&] { return runStores(store, words); });
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

void startCluster(const LaneOfKernel &lane) {
  if (lane.id == 0)
    emu_nvvm_mbarrier_init(0, lane.shared, 3, 1, 1);
  emu_nvvm_cluster_arrive(8, 0);
  emu_nvvm_cluster_wait(9);
}

/// Rank 0 loads for those of the mask; each announces the bytes for itself.
bool runMulticast(uint32_t mask) {
  Words words(32);
  return runNvidia(
      32,
      [&](const LaneOfKernel &lane) {
        startCluster(lane);
        if (lane.id == 0)
          emu_nvvm_mbarrier_arrive(1, lane.shared, 3, 1, 128, 0, 1);
        if (lane.id == 0 && lane.rank == 0)
          emu_nvvm_bulk_load(2, lane.shared + 128, 7, words.data(), lane.shared,
                             128, mask);
        emu_nvvm_mbarrier_wait_parity(3, lane.shared, 0);
        EXPECT_EQ(loadShared<uint32_t>(4, lane.shared + 128 + 4 * lane.id),
                  words[lane.id]);
        emu_nvvm_cluster_arrive(5, 0);
        emu_nvvm_cluster_wait(6);
      },
      /*clusterSize=*/4);
}

TEST_F(AsyncCopiesTest, Multicast) {
  expectGood([] { return runMulticast(0xf); });
}

TEST_F(AsyncCopiesTest, MulticastThatForgetsOne) {
  expectReportEarlyAndLate(
      ReportKind::Deadlock,
      "'op.3' at k:3 waits for ever, for phase 0 of the mbarrier at shared "
      "memory offset 0 (@smem + 0) of rank 2 in the cluster, which lacks 0 of "
      "1 arrivals and 128 bytes",
      [] { return runMulticast(0xb); });
}

/// Rank 0 copies its shared memory into that of rank 1.
bool copyToNeighbour(bool fences) {
  return runNvidia(
      32,
      [&](const LaneOfKernel &lane) {
        startCluster(lane);
        if (lane.rank == 0) {
          storeShared(1, lane.shared + 128 + 4 * lane.id, lane.id + 5);
          if (fences)
            emu_nvvm_fence_proxy_async(2);
          emu_nvvm_bar_warp_sync(3, ~0u);
          if (lane.id == 0)
            emu_nvvm_bulk_copy_shared(4, lane.remote(1) + 256,
                                      lane.shared + 128, lane.remote(1), 128);
        } else {
          if (lane.id == 0)
            emu_nvvm_mbarrier_arrive(5, lane.shared, 3, 1, 128, 0, 1);
          emu_nvvm_mbarrier_wait_parity(6, lane.shared, 0);
          EXPECT_EQ(loadShared<uint32_t>(7, lane.shared + 256 + 4 * lane.id),
                    lane.id + 5);
        }
        emu_nvvm_cluster_arrive(8, 0);
        emu_nvvm_cluster_wait(9);
      },
      /*clusterSize=*/2);
}

TEST_F(AsyncCopiesTest, CopyBetweenWorkgroups) {
  expectGood([] { return copyToNeighbour(true); });
  expectReportEarlyAndLate(ReportKind::MissingProxyFence,
                           "'op.4' at k:4 reads through the async proxy what "
                           "the other wrote, with no fence.proxy.async between",
                           [] { return copyToNeighbour(false); });
}

} // namespace
