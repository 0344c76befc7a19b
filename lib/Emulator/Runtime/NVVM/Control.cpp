//===- Control.cpp - time, registers and ends of NVIDIA lanes -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVM/Control.h"

#include "Abi.h"
#include "NVVM/Memory.h"

#include <chrono>

using namespace mlir::lpgemm::emulator;

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// Counts the reads of a clock, and the switches between lanes: it only grows,
/// and does not depend on the host's speed.
uint64_t emu_nvvm_clock64(uint32_t) {
  Machine &machine = Machine::current();
  return ++machine.clockReads + machine.statistics.laneSwitches;
}

uint32_t emu_nvvm_clock(uint32_t site) { return emu_nvvm_clock64(site); }

uint64_t emu_nvvm_globaltimer(uint32_t) {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

uint32_t emu_nvvm_globaltimer_lo(uint32_t site) {
  return emu_nvvm_globaltimer(site);
}

void emu_nvvm_nanosleep(uint32_t, uint32_t) { Machine::current().poll(); }

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

// PTX ISA, "setmaxnreg": all warps of a warpgroup execute the same. They may do
// it at different times, so that the n-th of each are compared.

static constexpr uint32_t kWarpsOfGroup = 4;

/// Calls `fn` with the other warps of the current one's warpgroup. Returns how
/// many there are.
template <typename Fn>
static uint32_t forEachOther(Machine &machine, Fn &&fn) {
  uint32_t own = machine.lane().wave, warps = machine.wavesOfWorkgroup();
  uint32_t first = own / warps * warps;
  uint32_t group = (own - first) / kWarpsOfGroup * kWarpsOfGroup;
  uint32_t end = std::min(group + kWarpsOfGroup, warps);
  for (uint32_t i = group; i < end; ++i)
    if (first + i != own)
      fn(machine.getWave(first + i));
  return end - group - 1;
}

static std::string describe(const RegisterChange &change) {
  return std::string(change.isIncrease ? "an increase" : "a decrease") +
         " to " + std::to_string(change.count);
}

void emu_nvvm_setmaxregister(uint32_t site, uint32_t count,
                             uint32_t isIncrease) {
  RegisterChange change{site, count, isIncrease != 0};
  waveOperation(site, change, [&](Machine &machine) {
    std::vector<RegisterChange> &own = machine.wave().registerChanges;
    size_t index = own.size();
    own.push_back(change);
    uint32_t others = forEachOther(machine, [&](const Wave &other) {
      if (index >= other.registerChanges.size())
        return;
      const RegisterChange &theirs = other.registerChanges[index];
      if (theirs.count != count || theirs.isIncrease != change.isIncrease)
        machine.fatal(ReportKind::NonUniform, site,
                      "is " + describe(change) +
                          " of the registers, where another warp of the "
                          "warpgroup has " +
                          describe(theirs),
                      theirs.site);
    });
    if (others + 1 != kWarpsOfGroup)
      machine.fatal(ReportKind::InvalidOperand, site,
                    "expected a warpgroup of 4 warps, has " +
                        std::to_string(others + 1));
  });
}

void mlir::lpgemm::emulator::checkRegistersAtExit(Machine &machine) {
  auto hasExited = [&](const Wave &wave) {
    for (uint32_t i = 0; i < wave.size; ++i)
      if (machine.getLane(wave.first + i).state != LaneState::Exited)
        return false;
    return true;
  };
  const Wave &own = machine.wave();
  if (!hasExited(own))
    return;
  forEachOther(machine, [&](const Wave &other) {
    size_t less = own.registerChanges.size();
    size_t more = other.registerChanges.size();
    if (less == more || !hasExited(other))
      return;
    const Wave &longer = less < more ? other : own;
    machine.reportOf(longer.first, ReportKind::NonUniform,
                     longer.registerChanges[std::min(less, more)].site,
                     "is not executed by all warps of the warpgroup");
  });
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

void emu_nvvm_exit(uint32_t) { Machine::current().exitLane(); }

/// An address of a rank that there is not is good for nothing: whoever uses it
/// is outside of the cluster. Kernels form some that they do not use.
void *emu_nvvm_mapa(uint32_t site, const void *address, uint32_t rank) {
  constexpr uint32_t kShared = 3;
  Machine &machine = Machine::current();
  uint64_t offset = checkSharedAddress(machine, site, address, kShared);
  uint64_t inWorkgroup = offset % kLdsArenaBytes;
  if (rank >= machine.workgroups.size())
    return reinterpret_cast<void *>(inWorkgroup);
  return machine.lds + rank * kLdsArenaBytes + inWorkgroup;
}
