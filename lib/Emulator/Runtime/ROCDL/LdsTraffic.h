//===- LdsTraffic.h - accesses of LDS by site -------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Lanes run one after the other, so an access of a wave is put together from
// theirs: the n-th access of each lane at a site is taken for the same one.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_LDSTRAFFIC_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_LDSTRAFFIC_H

#include "lpgemm/Emulator/LdsBanks.h"
#include "lpgemm/Emulator/Runtime.h"

#include <deque>
#include <map>

namespace mlir::lpgemm::emulator {

/// Of one workgroup after the other.
class LdsTraffic {
public:
  void begin(const KernelInfo &info);
  /// Lane `lane` of a wave accesses LDS.
  void record(uint32_t site, uint32_t wave, uint32_t lane, bool isWrite,
              uint32_t offset, uint32_t bytes);
  /// Counts what not all lanes took part in.
  void finishWorkgroup();

  /// What was counted since begin, by site.
  const std::map<uint32_t, LdsSiteStatistics> &getSites() const {
    return sites;
  }

private:
  /// The accesses of one wave at one site that lanes are still to come to.
  struct Pending {
    std::deque<LdsWaveAccess> accesses;
    /// Number of the first.
    uint64_t first = 0;
    /// How many each lane has done.
    uint64_t numOfLane[64] = {};
  };

  void count(uint32_t site, const LdsWaveAccess &access);

  Chip chip = Chip::Unknown;
  uint64_t allLanes = 0;
  std::map<std::pair<uint32_t, uint32_t>, Pending> pending;
  std::map<uint32_t, LdsSiteStatistics> sites;
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_LDSTRAFFIC_H
