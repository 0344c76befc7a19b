//===- KernelTest.h - kernels written in C++ --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TEST_UNIT_EMULATOR_KERNELTEST_H
#define LPGEMM_TEST_UNIT_EMULATOR_KERNELTEST_H

#include "lpgemm/Emulator/Runtime.h"

#include <cstring>
#include <functional>
#include <gtest/gtest.h>

namespace mlir::lpgemm::emulator {

/// A function that generated code calls.
template <typename Fn>
Fn *find(const char *name) {
  for (const RuntimeSymbol *symbol = getRuntimeSymbols(); symbol->name;
       ++symbol)
    if (std::strcmp(symbol->name, name) == 0)
      return reinterpret_cast<Fn *>(symbol->address);
  ADD_FAILURE() << "no symbol " << name;
  return nullptr;
}

/// A kernel with two sites and no LDS.
inline KernelInfo makeInfo() {
  KernelInfo info{};
  info.name = "kernel";
  info.siteText = "op.a\0a.mlir:1:2\0op.b\0b.mlir:3:4\0";
  info.ldsNames = "";
  info.numSites = 2;
  info.ldsCapacity = 160 * 1024;
  info.waveSize = 64;
  return info;
}

/// Launches a function of the work item's number in the grid, of blocks of one
/// dimension.
inline bool runLanes(uint32_t numLanes, std::function<void(uint32_t)> body,
                     uint32_t numWorkgroups = 1,
                     const KernelInfo &info = makeInfo()) {
  static std::function<void(uint32_t)> current;
  current = std::move(body);
  auto kernel = [](void **) {
    static auto *id = find<int32_t()>("emu_rocdl_workitem_id_x");
    static auto *group = find<int32_t()>("emu_rocdl_workgroup_id_x");
    static auto *size = find<int32_t()>("emu_rocdl_workgroup_dim_x");
    current(group() * size() + id());
  };
  return launch(info, kernel, {numWorkgroups, 1, 1}, {numLanes, 1, 1}, 0,
                nullptr);
}

class KernelTest : public testing::Test {
protected:
  void SetUp() override {
    setOptions({});
    takeReports();
    resetStatistics();
  }
  void TearDown() override { setOptions({}); }
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_TEST_UNIT_EMULATOR_KERNELTEST_H
