//===- NvidiaTest.h - kernels of NVIDIA written in C++ ----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TEST_UNIT_EMULATOR_NVIDIATEST_H
#define LPGEMM_TEST_UNIT_EMULATOR_NVIDIATEST_H

#include "../../../lib/Emulator/Runtime/Abi.h"
#include "KernelTest.h"

namespace mlir::lpgemm::emulator {

constexpr uint32_t kSharedBytes = 64 * 1024;

/// A kernel for sm_90a with the object @smem of shared memory, and sites from 0
/// to 9 that are called op.0 to op.9.
inline KernelInfo makeNvidiaInfo() {
  static const uint32_t objects[] = {0, kSharedBytes};
  KernelInfo info = makeInfo();
  info.siteText = "op.0\0k:0\0op.1\0k:1\0op.2\0k:2\0op.3\0k:3\0op.4\0k:4\0"
                  "op.5\0k:5\0op.6\0k:6\0op.7\0k:7\0op.8\0k:8\0op.9\0k:9\0";
  info.numSites = 10;
  info.ldsNames = "smem\0";
  info.ldsObjects = objects;
  info.numLdsObjects = 1;
  info.ldsStaticBytes = info.ldsDynamicOffset = kSharedBytes;
  info.ldsCapacity = 227 * 1024;
  info.waveSize = 32;
  info.maxLanes = 1024;
  info.chip = Chip::Sm90a;
  return info;
}

/// One lane of a kernel.
struct LaneOfKernel {
  uint32_t id;
  /// In the cluster.
  uint32_t rank;
  /// Of the workgroup.
  uint8_t *shared;

  uint8_t *remote(uint32_t other) const {
    return shared + (int64_t(other) - rank) * int64_t(kLdsArenaBytes);
  }
};

using NvidiaKernel = std::function<void(const LaneOfKernel &)>;

/// Runs one cluster.
inline bool runNvidia(uint32_t numLanes, NvidiaKernel body,
                      uint32_t clusterSize = 1, uint32_t numClusters = 1) {
  static NvidiaKernel current;
  current = std::move(body);
  auto kernel = [](void **) {
    current({uint32_t(emu_nvvm_tid_x()), uint32_t(emu_nvvm_cluster_ctarank()),
             static_cast<uint8_t *>(emu_lds_base())});
  };
  return launch(makeNvidiaInfo(), kernel, {clusterSize * numClusters, 1, 1},
                {numLanes, 1, 1}, 0, nullptr, {clusterSize, 1, 1});
}

/// A load and a store of the kernel.
template <typename T>
T loadShared(uint32_t site, const void *address, uint32_t space = 3) {
  emu_nvvm_load(site, address, sizeof(T), 0, space);
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

template <typename T>
void storeShared(uint32_t site, void *address, T value) {
  emu_nvvm_store(site, address, sizeof(T), 0, /*space=*/3);
  std::memcpy(address, &value, sizeof(T));
}

class NvidiaTest : public KernelTest {
protected:
  static Options makeOptions(LoadTime loads, LaneOrder order,
                             uint64_t seed = 0) {
    Options options;
    options.threads = 1;
    options.loads = loads;
    options.order = order;
    options.seed = seed;
    return options;
  }

  /// Calls `run`, which returns whether a launch was good, in every order.
  template <typename Fn>
  void expectGood(Fn &&run) {
    for (LoadTime loads : {LoadTime::Early, LoadTime::Late, LoadTime::Random})
      for (LaneOrder order :
           {LaneOrder::Forward, LaneOrder::Reverse, LaneOrder::Random})
        for (uint64_t seed : {1, 2, 3}) {
          setOptions(makeOptions(loads, order, seed));
          EXPECT_TRUE(run());
          for (const Report &report : takeReports())
            ADD_FAILURE() << report.message;
        }
  }

  /// Calls `run` and expects a report of a kind that says something.
  template <typename Fn>
  void expectReport(LoadTime loads, ReportKind kind, const char *text,
                    Fn &&run) {
    setOptions(makeOptions(loads, LaneOrder::Forward));
    EXPECT_FALSE(run());
    std::string all;
    for (const Report &report : takeReports()) {
      if (report.kind == kind && report.message.find(text) != std::string::npos)
        return;
      all += report.message + "\n";
    }
    ADD_FAILURE() << "expected '" << text << "', got\n" << all;
  }

  template <typename Fn>
  void expectReportEarlyAndLate(ReportKind kind, const char *text, Fn &&run) {
    expectReport(LoadTime::Early, kind, text, run);
    expectReport(LoadTime::Late, kind, text, run);
  }
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_TEST_UNIT_EMULATOR_NVIDIATEST_H
