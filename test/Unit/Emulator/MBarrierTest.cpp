//===- MBarrierTest.cpp - tests of mbarrier objects -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NvidiaTest.h"

using namespace mlir::lpgemm::emulator;

namespace {

class MBarrierTest : public NvidiaTest {};

void init(const LaneOfKernel &lane, uint32_t count, uint32_t offset = 0) {
  emu_nvvm_mbarrier_init(0, lane.shared + offset, 3, count, 1);
}

uint64_t arrive(uint32_t site, const void *address, uint32_t count = 1,
                uint32_t flags = 0, uint32_t bytes = 0) {
  return emu_nvvm_mbarrier_arrive(site, address, 3, count, bytes, flags, 1);
}

/// Lane 0 initialises an object for `count` arrivals; then all lanes go on.
void start(const LaneOfKernel &lane, uint32_t count) {
  if (lane.id == 0)
    init(lane, count);
  emu_nvvm_barrier(9, 0, 0);
}

/// Lane i of warp 0 hands word i to lane i of warp 1.
bool exchange(bool arrives, uint32_t arriveFlags, bool waits) {
  uint32_t received[32] = {};
  bool isGood = runNvidia(64, [&](const LaneOfKernel &lane) {
    start(lane, 32);
    uint8_t *word = lane.shared + 64 + 4 * (lane.id % 32);
    if (lane.id < 32) {
      storeShared(1, word, 7 * lane.id);
      if (arrives)
        arrive(2, lane.shared, 1, arriveFlags);
      return;
    }
    if (waits)
      emu_nvvm_mbarrier_wait_parity(3, lane.shared, 0);
    received[lane.id % 32] = loadShared<uint32_t>(4, word);
  });
  for (uint32_t i = 0; isGood && i < 32; ++i)
    EXPECT_EQ(received[i], 7 * i);
  return isGood;
}

TEST_F(MBarrierTest, OrdersWhatComesBefore) {
  expectGood([] { return exchange(true, 0, true); });
}

TEST_F(MBarrierTest, IsNeededForTheOrder) {
  expectReport(LoadTime::Late, ReportKind::SharedRace,
               "reads what the other wrote, and nothing orders the two; the "
               "other is 'op.1' at k:1",
               [] { return exchange(true, 0, false); });
  expectReport(LoadTime::Late, ReportKind::SharedRace,
               "reads what the other wrote, and nothing orders the two",
               [] { return exchange(true, kRelaxed, true); });
}

TEST_F(MBarrierTest, WaitsForEver) {
  expectReport(LoadTime::Late, ReportKind::Deadlock,
               "'op.3' at k:3 waits for ever, for phase 0 of the mbarrier at "
               "shared memory offset 0 (@smem + 0), which lacks 32 of 32 "
               "arrivals: 32 lanes",
               [] { return exchange(false, 0, true); });
}

/// Phases go round: both sides of a ring of one slot, five times.
TEST_F(MBarrierTest, HasPhases) {
  expectGood([] {
    uint32_t sum = 0;
    bool isGood = runNvidia(64, [&](const LaneOfKernel &lane) {
      if (lane.id == 0) {
        init(lane, 1);
        init(lane, 1, 8);
      }
      emu_nvvm_barrier(9, 0, 0);
      uint8_t *full = lane.shared, *empty = lane.shared + 8;
      for (uint32_t i = 0; i < 5; ++i) {
        if (lane.id == 0) {
          emu_nvvm_mbarrier_wait_parity(1, empty, (i & 1) ^ 1);
          storeShared(2, lane.shared + 16, i + 1);
          arrive(3, full);
        } else if (lane.id == 32) {
          emu_nvvm_mbarrier_wait_parity(4, full, i & 1);
          sum += loadShared<uint32_t>(5, lane.shared + 16);
          arrive(6, empty);
        }
      }
    });
    EXPECT_EQ(sum, 15u);
    return isGood;
  });
}

TEST_F(MBarrierTest, CanBeTested) {
  expectGood([] {
    return runNvidia(64, [&](const LaneOfKernel &lane) {
      start(lane, 2);
      if (lane.id == 0) {
        EXPECT_EQ(arrive(1, lane.shared), 0u);
        storeShared(2, lane.shared + 8, 5);
        EXPECT_EQ(arrive(1, lane.shared), 0u);
      } else if (lane.id == 32) {
        while (!emu_nvvm_mbarrier_test_wait(3, lane.shared, 0, 0))
          ;
        EXPECT_EQ(loadShared<int>(4, lane.shared + 8), 5);
        EXPECT_TRUE(
            emu_nvvm_mbarrier_test_wait(3, lane.shared, 0, kWaitParity));
        EXPECT_FALSE(
            emu_nvvm_mbarrier_test_wait(3, lane.shared, 1, kWaitParity));
        EXPECT_EQ(arrive(5, lane.shared), 1u);
        EXPECT_FALSE(emu_nvvm_mbarrier_test_wait(3, lane.shared, 1, 0));
      }
    });
  });
}

TEST_F(MBarrierTest, TestsForEver) {
  expectReportEarlyAndLate(
      ReportKind::Deadlock, "'op.3' at k:3 waits for ever, for phase 0", [] {
        return runNvidia(32, [&](const LaneOfKernel &lane) {
          start(lane, 2);
          while (!emu_nvvm_mbarrier_test_wait(3, lane.shared, 0, kWaitParity))
            ;
        });
      });
}

/// Who tests two in turn waits for neither.
TEST_F(MBarrierTest, CanBeTestedInTurn) {
  expectGood([] {
    int numTests = 0;
    return runNvidia(64, [&](const LaneOfKernel &lane) {
      start(lane, 1);
      uint8_t *other = lane.shared + 16;
      if (lane.id == 0)
        emu_nvvm_mbarrier_init(0, other, 3, 1, 1);
      emu_nvvm_barrier(6, 0, 0);
      auto isOver = [](uint8_t *barrier) {
        return emu_nvvm_mbarrier_test_wait(3, barrier, 0, kWaitParity);
      };
      if (lane.id == 0)
        while (!isOver(lane.shared) && !isOver(other))
          ++numTests;
      if (lane.id != 32)
        return;
      while (numTests < 200)
        emu_nvvm_nanosleep(4, 100);
      arrive(5, other);
    });
  });
}

TEST_F(MBarrierTest, LosesArrivalsThatAreDropped) {
  expectGood([] {
    return runNvidia(32, [&](const LaneOfKernel &lane) {
      start(lane, 3);
      if (lane.id != 0)
        return;
      arrive(1, lane.shared, 2, kArriveNoComplete);
      arrive(1, lane.shared, 1, kArriveDrop);
      emu_nvvm_mbarrier_wait_parity(2, lane.shared, 0);
      arrive(1, lane.shared, 2);
      emu_nvvm_mbarrier_wait_parity(2, lane.shared, 1);
    });
  });
}

/// What only lane 0 does, after an initialisation for two arrivals.
bool runAlone(std::function<void(uint8_t *)> body) {
  return runNvidia(32, [&](const LaneOfKernel &lane) {
    start(lane, 2);
    if (lane.id == 0)
      body(lane.shared);
  });
}

struct Fault {
  ReportKind kind;
  const char *message;
  std::function<void(uint8_t *)> body;
};

TEST_F(MBarrierTest, ReportsFaults) {
  const Fault kFaults[] = {
      {ReportKind::InvalidOperand,
       "'op.1' at k:1 is about an mbarrier that is not initialised; shared "
       "memory offset 8 (@smem + 8)",
       [](uint8_t *shared) { arrive(1, shared + 8); }},
      {ReportKind::InvalidOperand,
       "'op.1' at k:1 is more arrivals (3) than the 2 that the phase lacks; "
       "the mbarrier at shared memory offset 0 (@smem + 0)",
       [](uint8_t *shared) { arrive(1, shared, 3); }},
      {ReportKind::InvalidOperand, "expected a count from 1 to 1048575, got 0",
       [](uint8_t *shared) { arrive(1, shared, 0); }},
      {ReportKind::InvalidOperand,
       "must not be the last arrival of a phase, but is",
       [](uint8_t *shared) { arrive(1, shared, 2, kArriveNoComplete); }},
      {ReportKind::InvalidOperand, "expected a count from 1 to 1048575, got 0",
       [](uint8_t *shared) { emu_nvvm_mbarrier_init(1, shared + 8, 3, 0, 1); }},
      {ReportKind::Misaligned, "expected an mbarrier aligned to 8 bytes",
       [](uint8_t *shared) { emu_nvvm_mbarrier_init(1, shared + 4, 3, 1, 1); }},
      {ReportKind::InvalidOperand,
       "'op.1' at k:1 initialises the mbarrier at shared memory offset 0 "
       "(@smem + 0) again, with no inval between",
       [](uint8_t *shared) { emu_nvvm_mbarrier_init(1, shared, 3, 1, 1); }},
      {ReportKind::InvalidOperand, "accesses an mbarrier object",
       [](uint8_t *shared) { loadShared<uint64_t>(1, shared); }},
      {ReportKind::InvalidOperand, "accesses an mbarrier object",
       [](uint8_t *shared) { storeShared<uint32_t>(1, shared + 4, 0); }},
      {ReportKind::SharedUninitialized, "reads uninitialised shared memory",
       [](uint8_t *shared) {
         emu_nvvm_mbarrier_inval(1, shared, 3);
         loadShared<uint64_t>(2, shared);
       }},
      {ReportKind::InvalidOperand, "expected a parity of 0 or 1, got 2",
       [](uint8_t *shared) { emu_nvvm_mbarrier_wait_parity(1, shared, 2); }},
      {ReportKind::InvalidOperand,
       "expected the state of the current phase 2 or of the one before, got "
       "that of phase 0",
       [](uint8_t *shared) {
         arrive(1, shared, 2);
         arrive(1, shared, 2);
         emu_nvvm_mbarrier_test_wait(2, shared, 0, 0);
       }},
      {ReportKind::InvalidOperand,
       "brings the bytes of the mbarrier at shared memory offset 0 (@smem + 0) "
       "to 1048576, which is not within 1048575",
       [](uint8_t *shared) {
         emu_nvvm_mbarrier_expect_tx(1, shared, 3, 1048575);
         emu_nvvm_mbarrier_expect_tx(1, shared, 3, 1);
       }},
  };
  for (const Fault &fault : kFaults)
    expectReport(LoadTime::Late, fault.kind, fault.message,
                 [&] { return runAlone(fault.body); });
}

TEST_F(MBarrierTest, CountsBytesWithoutCopies) {
  expectGood([] {
    return runAlone([](uint8_t *shared) {
      arrive(1, shared, 2, 0, 64);
      emu_nvvm_mbarrier_complete_tx(2, shared, 3, 64);
      emu_nvvm_mbarrier_wait_parity(3, shared, 0);
    });
  });
}

TEST_F(MBarrierTest, EndsWithNobodyWaiting) {
  auto run = [](bool arrives) {
    return runNvidia(64, [&](const LaneOfKernel &lane) {
      start(lane, 1);
      if (lane.id == 0)
        return emu_nvvm_mbarrier_wait_parity(1, lane.shared, 0);
      emu_nvvm_bar_warp_sync(2, ~0u);
      if (lane.id != 32)
        return;
      if (arrives)
        arrive(3, lane.shared);
      emu_nvvm_mbarrier_inval(4, lane.shared, 3);
    });
  };
  expectReport(LoadTime::Late, ReportKind::InvalidOperand,
               "'op.4' at k:4 ends the life of an mbarrier, but lanes wait "
               "for phase 0",
               [&] { return run(false); });
}

TEST_F(MBarrierTest, IsInitialisedBeforeItsUse) {
  expectReport(LoadTime::Late, ReportKind::SharedRace,
               "'op.1' at k:1 uses the mbarrier at shared memory offset 0 "
               "(@smem + 0), and nothing orders it after its initialisation",
               [] {
                 return runNvidia(32, [](const LaneOfKernel &lane) {
                   if (lane.id == 0)
                     init(lane, 32);
                   arrive(1, lane.shared);
                 });
               });
}

/// A lane that is released, but runs after the next phase is over.
TEST_F(MBarrierTest, OvertakesNobody) {
  expectReport(
      LoadTime::Late, ReportKind::Deadlock,
      "'op.1' at k:1 waits for a phase of the mbarrier at shared memory "
      "offset 0 (@smem + 0) that is over; before it can see that, the next "
      "one is over, too, and looks the same as before",
      [] {
        return runNvidia(64, [](const LaneOfKernel &lane) {
          start(lane, 1);
          if (lane.id == 0)
            emu_nvvm_mbarrier_wait_parity(1, lane.shared, 0);
          if (lane.id != 32)
            return;
          arrive(2, lane.shared);
          arrive(2, lane.shared);
        });
      });
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// Rank 0 waits for an arrival of rank 1, which has written into its memory.
bool arriveRemotely(bool exitsEarly) {
  return runNvidia(
      32,
      [&](const LaneOfKernel &lane) {
        if (lane.id == 0 && lane.rank == 0)
          init(lane, 1);
        emu_nvvm_cluster_arrive(8, 0);
        emu_nvvm_cluster_wait(9);
        if (lane.id != 0 || (lane.rank == 0 && exitsEarly))
          return;
        if (lane.rank == 0) {
          emu_nvvm_mbarrier_wait_parity(1, lane.shared, 0);
          EXPECT_EQ(loadShared<uint32_t>(2, lane.shared + 8), 42u);
          return;
        }
        if (!exitsEarly) {
          uint8_t *word = lane.remote(0) + 8;
          emu_nvvm_store(3, word, 4, 0, 7);
          uint32_t value = 42;
          std::memcpy(word, &value, 4);
        }
        emu_nvvm_mbarrier_arrive(4, lane.remote(0), 7, 1, 0, 0, 1);
      },
      /*clusterSize=*/2);
}

TEST_F(MBarrierTest, IsReachedFromOtherWorkgroups) {
  expectGood([] { return arriveRemotely(false); });
}

TEST_F(MBarrierTest, IsGoneWithItsWorkgroup) {
  expectReport(LoadTime::Late, ReportKind::SharedOutOfBounds,
               "'op.4' at k:4 is about shared memory of a workgroup that has "
               "exited",
               [] { return arriveRemotely(true); });
}

} // namespace
