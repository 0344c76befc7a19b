//===- MatrixOps.cpp - entry points of matrix operations ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// wgmma computes when it is issued; until its warp has waited for its group, it
// counts as still reading its operands (PTX ISA, "wgmma.commit_group",
// "wgmma.wait_group"). The products of a warp are an agent whose time is the
// number of a group, from 1 on.
//
//===----------------------------------------------------------------------===//

#include "NVVM/Abi.h"
#include "NVVM/Memory.h"
#include "lpgemm/Emulator/MmaSync.h"
#include "lpgemm/Emulator/Wgmma.h"

#include <algorithm>
#include <cstring>

using namespace mlir::lpgemm::emulator;
using namespace mlir::lpgemm::emulator::tensorcore;

static Arithmetic arithmeticOf(const Machine &machine, bool saturates) {
  Chip chip = machine.launch->info->chip;
  Generation generation = chip == Chip::Sm80   ? Generation::Ampere
                          : chip == Chip::Sm89 ? Generation::Ada
                                               : Generation::Hopper;
  return {machine.launch->options.numerics, generation, saturates};
}

static void checkWholeWarp(Machine &machine, uint32_t site) {
  if (machine.wave().size != kWarpSize)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "needs a warp of 32 lanes, got " +
                      std::to_string(machine.wave().size));
}

//===----------------------------------------------------------------------===//
// mma.sync, ldmatrix, stmatrix
//===----------------------------------------------------------------------===//

void emu_nvvm_mma_sync(uint32_t site, void *d, uint32_t, const void *a,
                       uint32_t, const void *b, uint32_t, const void *c,
                       uint32_t, uint32_t k, uint32_t elementA,
                       uint32_t elementB, uint32_t accumulator,
                       uint32_t saturates) {
  checkWholeWarp(Machine::current(), site);
  mmasync::Instruction instruction{k, static_cast<Element>(elementA),
                                   static_cast<Element>(elementB),
                                   static_cast<Accumulator>(accumulator)};
  waveOperation(site, mmasync::LaneOperands{d, a, b, c}, [&](Machine &machine) {
    mmasync::LaneOperands lanes[kWarpSize];
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      lanes[lane] = operandsOf<mmasync::LaneOperands>(machine, lane);
    ++machine.statistics.mfma;
    execute(instruction, lanes, arithmeticOf(machine, saturates));
  });
}

namespace {
struct MatrixAccess {
  uint8_t *row;
  uint32_t *registers;
};

/// The addresses and registers of a warp.
struct MatrixAccesses {
  explicit MatrixAccesses(Machine &machine) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const auto &access = operandsOf<MatrixAccess>(machine, lane);
      rows[lane] = access.row;
      registers[lane] = access.registers;
    }
  }
  uint8_t *rows[kWarpSize];
  uint32_t *registers[kWarpSize];
};
} // namespace

/// The lanes that give no address do not access memory.
static bool givesAddress(Machine &machine, uint32_t num) {
  return machine.lane().lane < kGroup * num;
}

void emu_nvvm_ldmatrix(uint32_t site, uint32_t *registers, uint32_t,
                       const void *row, uint32_t space, uint32_t num,
                       uint32_t isTransposed) {
  Machine &machine = Machine::current();
  checkWholeWarp(machine, site);
  if (givesAddress(machine, num))
    emu_nvvm_load(site, row, mmasync::kMatrixRowBytes, 0, space);
  auto *bytes = static_cast<uint8_t *>(const_cast<void *>(row));
  waveOperation(site, MatrixAccess{bytes, registers}, [&](Machine &machine) {
    MatrixAccesses warp(machine);
    mmasync::loadMatrices(num, isTransposed, warp.rows, warp.registers);
  });
}

void emu_nvvm_stmatrix(uint32_t site, void *row, uint32_t *registers, uint32_t,
                       uint32_t space, uint32_t num, uint32_t isTransposed) {
  Machine &machine = Machine::current();
  checkWholeWarp(machine, site);
  if (givesAddress(machine, num))
    emu_nvvm_store(site, row, mmasync::kMatrixRowBytes, 0, space);
  waveOperation(site, MatrixAccess{static_cast<uint8_t *>(row), registers},
                [&](Machine &machine) {
                  MatrixAccesses warp(machine);
                  mmasync::storeMatrices(num, isTransposed, warp.rows,
                                         warp.registers);
                });
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

static constexpr uint32_t kWarpsOfGroup = 4;

static uint32_t warpOfWorkgroup(Machine &machine) {
  uint32_t numLanes = machine.launch->numLanes;
  return machine.lane().wave % ((numLanes + kWarpSize - 1) / kWarpSize);
}

/// The number of the current warp in its warpgroup, which must be whole.
static uint32_t warpOfGroup(Machine &machine, uint32_t site) {
  uint32_t numLanes = machine.launch->numLanes;
  uint32_t warp = warpOfWorkgroup(machine);
  uint32_t number = warp % kWarpsOfGroup;
  if ((warp - number + kWarpsOfGroup) * kWarpSize > numLanes)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "needs a warpgroup of 128 lanes, the workgroup has " +
                      std::to_string(numLanes));
  return number;
}

/// Every lane must know of what was written before. Lanes that know the same
/// need not be looked at twice.
static void readOperand(Machine &machine, uint32_t site,
                        const std::vector<wgmma::Range> &ranges) {
  uint32_t first = machine.wave().first;
  uint64_t base = machine.lane().workgroup * kLdsArenaBytes;
  Agent agent = machine.clocks.ofMmas(machine.lane().wave);
  Time time = machine.wave().numMmaGroups + 1;
  for (uint32_t i = 0; i < machine.wave().size; ++i) {
    if (i != 0 && machine.clocks.knowTheSame(first, first + i))
      continue;
    SharedAccess access{site, first + i, agent, time, Proxy::Async};
    for (const wgmma::Range &range : ranges)
      machine.sharedShadow.read(machine, access, base + range.offset,
                                range.bytes);
  }
}

namespace {
struct WgmmaOperands {
  void *d;
  uint64_t descriptorA;
  uint64_t descriptorB;
};
} // namespace

/// All warps of a warpgroup must execute the same wgmma with the same operands
/// (PTX ISA, "wgmma.mma_async").
static void checkWarpgroup(Machine &machine, uint32_t site, uint32_t warp,
                           const WgmmaOperands &operands) {
  auto &sequences = machine.workgroup().mmas;
  uint32_t group = warpOfWorkgroup(machine) / kWarpsOfGroup;
  if (sequences.size() <= group)
    sequences.resize(group + 1);
  MmaSequence &sequence = sequences[group];
  uint64_t index = sequence.next[warp]++ - sequence.first;
  if (index == sequence.entries.size())
    sequence.entries.push_back(
        {site, operands.descriptorA, operands.descriptorB});
  MmaSequence::Entry entry = sequence.entries[index];
  if (entry.site != site)
    machine.fatal(ReportKind::NonUniform, site,
                  "is not what another warp of the warpgroup executes here: " +
                      siteText(*machine.launch->info, entry.site),
                  entry.site);
  if (entry.descriptorA != operands.descriptorA ||
      entry.descriptorB != operands.descriptorB)
    machine.fatal(ReportKind::NonUniform, site,
                  "matrix descriptors differ within the warpgroup");
  while (*std::min_element(sequence.next, sequence.next + kWarpsOfGroup) >
         sequence.first) {
    sequence.entries.pop_front();
    ++sequence.first;
  }
}

static void runWgmma(Machine &machine, uint32_t site,
                     const wgmma::Instruction &instruction, bool saturates) {
  uint32_t warp = warpOfGroup(machine, site);
  const auto operands = operandsOf<WgmmaOperands>(machine, 0);
  void *d[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const auto &own = operandsOf<WgmmaOperands>(machine, lane);
    d[lane] = own.d;
    if (own.descriptorA != operands.descriptorA ||
        own.descriptorB != operands.descriptorB)
      machine.fatal(ReportKind::NonUniform, site,
                    "matrix descriptors differ within the warp");
  }
  if (machine.checks()) {
    if (!machine.wave().hasMmaFence)
      machine.report(ReportKind::InvalidOperand, site,
                     "comes before any wgmma.fence of its warp");
    checkWarpgroup(machine, site, warp, operands);
    constexpr uint32_t kGroupsOfA = kRows / kGroup;
    readOperand(machine, site,
                wgmma::operandRanges(operands.descriptorA,
                                     instruction.isMnMajorA, kGroupsOfA * warp,
                                     kGroupsOfA));
    readOperand(machine, site,
                wgmma::operandRanges(operands.descriptorB,
                                     instruction.isMnMajorB, 0,
                                     instruction.n / kGroup));
  }
  ++machine.statistics.mfma;
  executeWarp(instruction, warp, machine.ownShared(), operands.descriptorA,
              operands.descriptorB, d, arithmeticOf(machine, saturates));
}

void emu_nvvm_wgmma(uint32_t site, void *d, uint32_t bytes, const void *c,
                    uint32_t, uint64_t descriptorA, uint64_t descriptorB,
                    uint32_t n, uint32_t elementA, uint32_t elementB,
                    uint32_t accumulator, uint32_t flags) {
  checkWholeWarp(Machine::current(), site);
  wgmma::Instruction instruction{n,
                                 static_cast<Element>(elementA),
                                 static_cast<Element>(elementB),
                                 static_cast<Accumulator>(accumulator),
                                 (flags & wgmma::kWgmmaAccumulates) != 0,
                                 (flags & wgmma::kWgmmaNegatesA) != 0,
                                 (flags & wgmma::kWgmmaNegatesB) != 0,
                                 (flags & wgmma::kWgmmaMnMajorA) != 0,
                                 (flags & wgmma::kWgmmaMnMajorB) != 0};
  std::memcpy(d, c, bytes);
  waveOperation(site, WgmmaOperands{d, descriptorA, descriptorB},
                [&](Machine &machine) {
                  runWgmma(machine, site, instruction,
                           (flags & wgmma::kWgmmaSaturates) != 0);
                });
}

/// PTX ISA, "wgmma.fence": needed before the first wgmma of a warpgroup, and
/// after other accesses of its registers, which are not seen here.
void emu_nvvm_wgmma_fence(uint32_t site) {
  waveOperation(site, 0,
                [](Machine &machine) { machine.wave().hasMmaFence = true; });
}

void emu_nvvm_wgmma_commit_group(uint32_t site) {
  waveOperation(site, 0,
                [](Machine &machine) { ++machine.wave().numMmaGroups; });
}

/// Waits for all but the last `left` groups of the warp.
void emu_nvvm_wgmma_wait_group(uint32_t site, uint32_t left) {
  waveOperation(site, 0, [](Machine &) {});
  Machine &machine = Machine::current();
  uint32_t numGroups = machine.wave().numMmaGroups;
  if (machine.checks() && numGroups > left)
    machine.clocks.learn(machine.laneIndex(),
                         machine.clocks.ofMmas(machine.lane().wave),
                         numGroups - left);
}
