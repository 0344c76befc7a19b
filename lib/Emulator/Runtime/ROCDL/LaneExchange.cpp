//===- LaneExchange.cpp - data between the lanes of a wave ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "Machine.h"

#include <cstring>

using namespace mlir::lpgemm::emulator;

namespace {
/// What a lane gives, and where it wants its result.
struct Exchange {
  void *result;
  const void *source;
  /// What selects: the lane to read, or a predicate.
  uint32_t selector;
};
} // namespace

//===----------------------------------------------------------------------===//
// One value for all lanes
//===----------------------------------------------------------------------===//

/// Gives every lane the source of lane `index`.
static void broadcast(Machine &machine, uint32_t index, uint32_t bytes) {
  const void *source = operandsOf<Exchange>(machine, index).source;
  for (uint32_t i = 0; i < machine.wave().size; ++i)
    std::memcpy(operandsOf<Exchange>(machine, i).result, source, bytes);
}

void emu_rocdl_readfirstlane(uint32_t site, void *result, uint32_t,
                             const void *source, uint32_t bytes) {
  waveOperation(site, Exchange{result, source, 0}, [&](Machine &machine) {
    const void *first = operandsOf<Exchange>(machine, 0).source;
    bool isUniform = true;
    for (uint32_t i = 0; i < machine.wave().size; ++i)
      isUniform &= std::memcmp(operandsOf<Exchange>(machine, i).source, first,
                               bytes) == 0;
    broadcast(machine, 0, bytes);
    if (!isUniform && machine.checks())
      machine.report(ReportKind::NonUniform, site,
                     "reads a value that differs between the lanes of a wave");
  });
}

void emu_rocdl_readlane(uint32_t site, void *result, uint32_t,
                        const void *source, uint32_t bytes, uint32_t lane) {
  waveOperation(site, Exchange{result, source, lane}, [&](Machine &machine) {
    uint32_t size = machine.wave().size;
    uint32_t index = operandsOf<Exchange>(machine, 0).selector;
    for (uint32_t i = 0; i < size; ++i)
      if (operandsOf<Exchange>(machine, i).selector != index)
        machine.fatal(ReportKind::NonUniform, site,
                      "has a lane number that differs between the lanes of a "
                      "wave");
    if (index >= size)
      machine.fatal(ReportKind::InvalidOperand, site,
                    "expected a lane from 0 to " + std::to_string(size - 1) +
                        ", got " + std::to_string(index));
    broadcast(machine, index, bytes);
  });
}

uint64_t emu_rocdl_ballot(uint32_t site, uint32_t predicate) {
  uint64_t mask = 0;
  waveOperation(site, Exchange{&mask, nullptr, predicate},
                [&](Machine &machine) {
                  uint64_t votes = 0;
                  uint32_t size = machine.wave().size;
                  for (uint32_t i = 0; i < size; ++i)
                    if (operandsOf<Exchange>(machine, i).selector & 1)
                      votes |= uint64_t(1) << i;
                  for (uint32_t i = 0; i < size; ++i)
                    std::memcpy(operandsOf<Exchange>(machine, i).result, &votes,
                                sizeof(votes));
                });
  return mask;
}

//===----------------------------------------------------------------------===//
// Permutations through LDS hardware
//===----------------------------------------------------------------------===//

/// Gives each lane the word of lane `select(lane, selector)`; a lane that the
/// wave does not have gives 0.
template <typename Select>
static uint32_t permute(uint32_t site, uint32_t source, uint32_t selector,
                        Select &&select) {
  uint32_t result = 0;
  // It takes part in the count of LDS operations.
  if (Machine::current().checks())
    Machine::current().shadow.count(Machine::current().laneIndex());
  waveOperation(
      site, Exchange{&result, &source, selector}, [&](Machine &machine) {
        uint32_t size = machine.wave().size;
        for (uint32_t i = 0; i < size; ++i) {
          const auto &lane = operandsOf<Exchange>(machine, i);
          uint32_t from = select(i, lane.selector);
          uint32_t value = 0;
          if (from < size)
            std::memcpy(&value, operandsOf<Exchange>(machine, from).source,
                        sizeof(value));
          std::memcpy(lane.result, &value, sizeof(value));
        }
      });
  return result;
}

/// The index is an address in bytes, of which bits 7:2 count (CDNA3 ISA,
/// "DS_BPERMUTE_B32").
uint32_t emu_rocdl_ds_bpermute(uint32_t site, uint32_t index, uint32_t source) {
  return permute(site, source, index,
                 [](uint32_t, uint32_t address) { return address / 4 % 64; });
}

/// Modes (CDNA3 ISA, "DS_SWIZZLE_B32"): bit 15 takes lanes within groups of 4
/// by two bits for each, otherwise 15 bits are masks on the lane within 32.
uint32_t emu_rocdl_ds_swizzle(uint32_t site, uint32_t source, uint32_t offset) {
  constexpr uint32_t kQuadMode = 0x8000, kFirstOther = 0xc000;
  if (offset >= kFirstOther)
    Machine::current().fatal(
        ReportKind::InvalidOperand, site,
        "expected the quad or the bit mask mode, got the offset " +
            std::to_string(offset));
  return permute(site, source, offset, [](uint32_t lane, uint32_t offset) {
    if (offset & kQuadMode)
      return (lane & ~3u) + (offset >> 2 * (lane & 3) & 3);
    uint32_t inHalf = lane & 31;
    inHalf = ((inHalf & offset) | (offset >> 5)) ^ (offset >> 10);
    return (lane & ~31u) + (inHalf & 31);
  });
}

//===----------------------------------------------------------------------===//
// Data parallel primitives
//===----------------------------------------------------------------------===//

namespace {
/// The controls of one kind: `source(lane, n)` is the lane that is read, or
/// kNone, for control first + n.
struct DppControl {
  uint32_t first;
  uint32_t last;
  uint32_t (*source)(uint32_t lane, uint32_t n);
};
constexpr uint32_t kNone = ~0u;
} // namespace

static uint32_t inRow(uint32_t lane, uint32_t position) {
  return position < 16 ? (lane & ~15u) + position : kNone;
}

/// CDNA3 ISA, "DPP": rows have 16 lanes.
static constexpr DppControl kDppControls[] = {
    // quad_perm
    {0x000, 0x0ff,
     [](uint32_t lane, uint32_t n) {
       return (lane & ~3u) + (n >> 2 * (lane & 3) & 3);
     }},
    // row_shl, row_shr and row_ror by 1 to 15
    {0x101, 0x10f,
     [](uint32_t lane, uint32_t n) { return inRow(lane, lane % 16 + n + 1); }},
    {0x111, 0x11f,
     [](uint32_t lane, uint32_t n) { return inRow(lane, lane % 16 - n - 1); }},
    {0x121, 0x12f,
     [](uint32_t lane, uint32_t n) {
       return inRow(lane, (lane + 15 - n) % 16);
     }},
    // wave_shl, wave_rol, wave_shr and wave_ror by 1
    {0x130, 0x130,
     [](uint32_t lane, uint32_t) { return lane == 63 ? kNone : lane + 1; }},
    {0x134, 0x134, [](uint32_t lane, uint32_t) { return (lane + 1) % 64; }},
    {0x138, 0x138,
     [](uint32_t lane, uint32_t) { return lane == 0 ? kNone : lane - 1; }},
    {0x13c, 0x13c, [](uint32_t lane, uint32_t) { return (lane + 63) % 64; }},
    // row_mirror, row_half_mirror
    {0x140, 0x140, [](uint32_t lane, uint32_t) { return lane ^ 15; }},
    {0x141, 0x141, [](uint32_t lane, uint32_t) { return lane ^ 7; }},
    // row_bcast:15 to the next row, row_bcast:31 to the next two
    {0x142, 0x142,
     [](uint32_t lane, uint32_t) {
       return lane < 16 ? kNone : (lane & ~15u) - 1;
     }},
    {0x143, 0x143,
     [](uint32_t lane, uint32_t) { return lane < 32 ? kNone : 31u; }},
    // row_newbcast
    {0x150, 0x15f, [](uint32_t lane, uint32_t n) { return inRow(lane, n); }},
};

static const DppControl &findDppControl(uint32_t site, uint32_t control) {
  for (const DppControl &entry : kDppControls)
    if (control >= entry.first && control <= entry.last)
      return entry;
  Machine::current().fatal(ReportKind::InvalidOperand, site,
                           "expected a DPP control of GFX9, got " +
                               std::to_string(control));
}

/// A lane that the masks leave out keeps the old value; so does one whose
/// source does not exist, or it takes 0 if boundControl says so.
void emu_rocdl_update_dpp(uint32_t site, void *result, uint32_t bytes,
                          const void *old, uint32_t, const void *source,
                          uint32_t, uint32_t control, uint32_t rowMask,
                          uint32_t bankMask, uint32_t boundControl) {
  const DppControl &entry = findDppControl(site, control);
  std::memcpy(result, old, bytes);
  waveOperation(site, Exchange{result, source, 0}, [&](Machine &machine) {
    uint32_t size = machine.wave().size;
    for (uint32_t i = 0; i < size; ++i) {
      bool isWritten = rowMask >> i / 16 & 1 && bankMask >> i % 16 / 4 & 1;
      if (!isWritten)
        continue;
      void *to = operandsOf<Exchange>(machine, i).result;
      uint32_t from = entry.source(i, control - entry.first);
      if (from < size)
        std::memcpy(to, operandsOf<Exchange>(machine, from).source, bytes);
      else if (boundControl)
        std::memset(to, 0, bytes);
    }
  });
}
