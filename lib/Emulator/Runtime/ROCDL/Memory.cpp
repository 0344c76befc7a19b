//===- Memory.cpp - LDS and global memory ---------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "MemoryAccess.h"
#include "ROCDL/PackedCodes.h"

using namespace mlir::lpgemm::emulator;

//===----------------------------------------------------------------------===//
// LDS
//===----------------------------------------------------------------------===//

/// ds_read_b64 needs 8 bytes, ds_read_b128 needs 16 (LLVM, AMDGPUUsage,
/// unaligned-access-mode aside).
static void checkLdsAlignment(Machine &machine, uint32_t site,
                              const void *address, uint32_t bytes) {
  checkAlignment(machine, site, reinterpret_cast<uintptr_t>(address),
                 naturalAlignment(bytes, 16));
}

static void countLdsAccess(Machine &machine, uint32_t site, const void *address,
                           uint32_t bytes, bool isWrite) {
  machine.note(site);
  const Lane &lane = machine.lane();
  if (machine.launch->options.countsLdsCycles)
    machine.ldsTraffic.record(site, lane.wave, lane.lane, isWrite,
                              machine.sharedOffset(address), bytes);
}

void emu_lds_load(uint32_t site, const void *address, uint32_t bytes) {
  Machine &machine = Machine::current();
  ++machine.statistics.ldsLoads;
  countLdsAccess(machine, site, address, bytes, /*isWrite=*/false);
  if (!machine.checks())
    return;
  checkLdsAlignment(machine, site, address, bytes);
  machine.shadow.load(machine, site, machine.sharedOffset(address), bytes);
}

/// What is loaded is not used before the next barrier.
void emu_lds_load_across_barrier(uint32_t site, const void *address,
                                 uint32_t bytes) {
  emu_lds_load(site, address, bytes);
  Machine &machine = Machine::current();
  if (machine.checks())
    machine.shadow.keepInFlight(machine.laneIndex(), site,
                                machine.sharedOffset(address), bytes);
}

void emu_lds_store(uint32_t site, const void *address, uint32_t bytes) {
  Machine &machine = Machine::current();
  ++machine.statistics.ldsStores;
  countLdsAccess(machine, site, address, bytes, /*isWrite=*/true);
  if (!machine.checks())
    return;
  checkLdsAlignment(machine, site, address, bytes);
  machine.shadow.store(machine, site, machine.sharedOffset(address), bytes);
}

//===----------------------------------------------------------------------===//
// Reads of LDS that transpose
//===----------------------------------------------------------------------===//

namespace {
struct TransposedRead {
  void *result;
  const void *address;
};
} // namespace

/// What 16 lanes read, one after the other, is a matrix with rows of 16
/// elements: lane i of them gets column i. The CDNA4 ISA says only that
/// DS_READ_B64_TR_B8 and the like transpose; the layout is that of rocRoller's
/// TransposeLoadsTest, which runs on the device.
static void transpose(Machine &machine, unsigned bits, uint32_t bytes) {
  constexpr unsigned kLanes = 16;
  unsigned perLane = bytes * 8 / bits;
  for (uint32_t lane = 0; lane < machine.wave().size; ++lane) {
    uint32_t first = lane / kLanes * kLanes;
    for (unsigned row = 0; row < perLane; ++row) {
      unsigned element = row * kLanes + lane % kLanes;
      const auto &source =
          operandsOf<TransposedRead>(machine, first + element / perLane);
      writeCode(operandsOf<TransposedRead>(machine, lane).result, row, bits,
                readCode(source.address, element % perLane, bits));
    }
  }
}

/// A read of 12 bytes needs an address aligned to 16 (rocRoller,
/// TransposeLoadsTest: "requires 128b-aligned addresses").
static void readTransposed(uint32_t site, void *result, uint32_t bytes,
                           const void *address, uint32_t acrossBarrier,
                           unsigned bits) {
  Machine &machine = Machine::current();
  ++machine.statistics.ldsLoads;
  countLdsAccess(machine, site, address, bytes, /*isWrite=*/false);
  if (machine.checks()) {
    uint64_t offset = machine.sharedOffset(address);
    checkAlignment(machine, site, reinterpret_cast<uintptr_t>(address),
                   bytes == 12 ? 16 : 8);
    machine.shadow.load(machine, site, offset, bytes);
    if (acrossBarrier)
      machine.shadow.keepInFlight(machine.laneIndex(), site, offset, bytes);
  }
  waveOperation(site, TransposedRead{result, address},
                [&](Machine &machine) { transpose(machine, bits, bytes); });
}

#define LPGEMM_TRANSPOSED_READ(name, bits)                                     \
  void emu_rocdl_ds_read_##name(uint32_t site, void *result, uint32_t bytes,   \
                                const void *address, uint32_t acrossBarrier) { \
    readTransposed(site, result, bytes, address, acrossBarrier, bits);         \
  }
LPGEMM_TRANSPOSED_READ(tr4_b64, 4)
LPGEMM_TRANSPOSED_READ(tr6_b96, 6)
LPGEMM_TRANSPOSED_READ(tr8_b64, 8)
LPGEMM_TRANSPOSED_READ(tr16_b64, 16)

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

/// What an access through a generic pointer must satisfy, which may point to
/// LDS; the stack of the lane itself is its own business.
static void checkGeneric(Machine &machine, uint32_t site, const void *address,
                         uint32_t bytes, AccessKind kind) {
  machine.note(site);
  machine.countMemoryOp(bytes);
  if (!machine.checks())
    return;
  uint64_t offset = machine.sharedOffset(address);
  if (isGlobal(machine, address))
    checkGlobal(machine, site, address, bytes, naturalAlignment(bytes, 4),
                kind);
  else if (offset < kLdsArenaBytes && kind == AccessKind::Read)
    machine.shadow.load(machine, site, offset, bytes);
  else if (offset < kLdsArenaBytes)
    machine.shadow.store(machine, site, offset, bytes);
}

void emu_global_load(uint32_t site, const void *address, uint32_t bytes) {
  Machine &machine = Machine::current();
  ++machine.statistics.globalLoads;
  checkGeneric(machine, site, address, bytes, AccessKind::Read);
}

void emu_global_store(uint32_t site, const void *address, uint32_t bytes) {
  Machine &machine = Machine::current();
  ++machine.statistics.globalStores;
  checkGeneric(machine, site, address, bytes, AccessKind::Write);
}
