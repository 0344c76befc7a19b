//===- WarpOps.cpp - operations of an NVIDIA warp -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVM/WarpOps.h"

#include "Abi.h"

using namespace mlir::lpgemm::emulator;

void mlir::lpgemm::emulator::checkMember(Machine &machine, uint32_t site,
                                         uint32_t mask) {
  if (!(mask >> machine.lane().lane & 1))
    machine.fatal(
        ReportKind::InvalidOperand, site,
        "expected a member mask with the lane that executes it, got " +
            std::to_string(mask));
}

uint32_t emu_nvvm_elect_sync(uint32_t site, uint32_t mask) {
  Machine &machine = Machine::current();
  checkMember(machine, site, mask);
  uint32_t lane = machine.lane().lane;
  waveOperation(site, mask, [](Machine &) {}, mask);
  return lane == uint32_t(__builtin_ctz(mask));
}

/// Orders the memory accesses of the lanes.
void emu_nvvm_bar_warp_sync(uint32_t site, uint32_t mask) {
  Machine &machine = Machine::current();
  checkMember(machine, site, mask);
  waveOperation(
      site, mask, [&](Machine &machine) { machine.orderWarp(mask); }, mask);
}

namespace {
struct Shuffle {
  uint32_t value;
  uint64_t *result;
  uint32_t offset;
  uint32_t maskAndClamp;
};
enum ShuffleKind : uint32_t { Bfly, Up, Down, Idx };
} // namespace

/// The source lane, and whether it is in range (PTX ISA, "shfl.sync").
static std::pair<uint32_t, bool> findSource(uint32_t kind, uint32_t lane,
                                            uint32_t offset,
                                            uint32_t maskAndClamp) {
  uint32_t clamp = maskAndClamp & 31, segment = maskAndClamp >> 8 & 31;
  uint32_t low = lane & segment, maxLane = low | (clamp & ~segment);
  uint32_t by = offset & 31;
  switch (kind) {
  case Up:
    return {lane - by, int32_t(lane - by) >= int32_t(maxLane)};
  case Down:
    return {lane + by, lane + by <= maxLane};
  case Bfly:
    return {lane ^ by, (lane ^ by) <= maxLane};
  default:
    return {low | (by & ~segment), (low | (by & ~segment)) <= maxLane};
  }
}

uint64_t emu_nvvm_shfl_sync(uint32_t site, uint32_t mask, uint32_t value,
                            uint32_t offset, uint32_t maskAndClamp,
                            uint32_t kind) {
  checkMember(Machine::current(), site, mask);
  uint64_t result = 0;
  waveOperation(
      site, Shuffle{value, &result, offset, maskAndClamp},
      [&](Machine &machine) {
        for (uint32_t i = 0; i < machine.wave().size; ++i) {
          if (!(mask >> i & 1))
            continue;
          const auto &own = operandsOf<Shuffle>(machine, i);
          auto [source, isInRange] =
              findSource(kind, i, own.offset, own.maskAndClamp);
          if (!isInRange)
            source = i;
          if (source >= machine.wave().size || !(mask >> source & 1))
            machine.fatal(ReportKind::InvalidOperand, site,
                          "reads lane " + std::to_string(source) +
                              ", which does not take part");
          *own.result = operandsOf<Shuffle>(machine, source).value |
                        uint64_t(isInRange) << 32;
        }
      },
      mask);
  return result;
}
