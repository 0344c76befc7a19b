//===- Memory.cpp - LDS, global memory and buffer resources ---------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "MemoryAccess.h"

#include <algorithm>
#include <cstring>

using namespace mlir::lpgemm::emulator;

//===----------------------------------------------------------------------===//
// Common checks
//===----------------------------------------------------------------------===//

static void checkAlignment(Machine &machine, uint32_t site, uintptr_t address,
                           uint32_t alignment) {
  if (address % alignment == 0)
    return;
  machine.report(ReportKind::Misaligned, site,
                 "needs an address aligned to " + std::to_string(alignment) +
                     " bytes, is off by " +
                     std::to_string(address % alignment));
}

/// The largest power of two that divides `bytes`, at most `limit`.
static uint32_t naturalAlignment(uint32_t bytes, uint32_t limit) {
  return std::min(bytes & -bytes, limit);
}

static bool contains(const Buffer &buffer, uintptr_t address, uint64_t bytes) {
  return address >= buffer.begin && address <= buffer.end &&
         buffer.end - address >= bytes;
}

static const Buffer *findBuffer(Machine &machine, uintptr_t address,
                                uint64_t bytes) {
  if (machine.lastBuffer && contains(*machine.lastBuffer, address, bytes))
    return machine.lastBuffer;
  const std::vector<Buffer> &buffers = machine.launch->buffers;
  auto after = std::upper_bound(
      buffers.begin(), buffers.end(), address,
      [](uintptr_t a, const Buffer &buffer) { return a < buffer.begin; });
  if (after == buffers.begin() || !contains(*std::prev(after), address, bytes))
    return nullptr;
  return machine.lastBuffer = &*std::prev(after);
}

static const Buffer *findNearest(const Machine &machine, uintptr_t address) {
  const Buffer *nearest = nullptr;
  auto distance = [&](const Buffer &buffer) {
    return address < buffer.begin ? buffer.begin - address
                                  : address - buffer.begin;
  };
  for (const Buffer &buffer : machine.launch->buffers)
    if (!nearest || distance(buffer) < distance(*nearest))
      nearest = &buffer;
  return nearest;
}

/// Ends the workgroup. `meant` is the buffer that the access was about, or the
/// one nearest to it.
[[noreturn]] static void failOutOfBounds(Machine &machine, uint32_t site,
                                         uintptr_t address, uint64_t bytes,
                                         const Buffer *meant) {
  std::string what = "accesses " + std::to_string(bytes) + " bytes at ";
  if (meant)
    what += "offset " + std::to_string(int64_t(address - meant->begin)) +
            " of '" + meant->name + "', which has " +
            std::to_string(meant->end - meant->begin) + " bytes";
  else
    what += "an address outside of every buffer";
  machine.fatal(ReportKind::GlobalOutOfBounds, site, what);
}

//===----------------------------------------------------------------------===//
// LDS
//===----------------------------------------------------------------------===//

void *emu_lds_base() { return Machine::current().lds; }

static uint64_t ldsOffset(const Machine &machine, const void *address) {
  return static_cast<const uint8_t *>(address) - machine.lds;
}

/// ds_read_b64 needs 8 bytes, ds_read_b128 needs 16 (LLVM, AMDGPUUsage,
/// unaligned-access-mode aside).
static void checkLdsAlignment(Machine &machine, uint32_t site,
                              const void *address, uint32_t bytes) {
  checkAlignment(machine, site, reinterpret_cast<uintptr_t>(address),
                 naturalAlignment(bytes, 16));
}

static void countLdsAccess(Machine &machine, uint32_t site, const void *address,
                           uint32_t bytes, bool isWrite) {
  const Lane &lane = machine.lane();
  if (machine.launch->options.countsLdsCycles)
    machine.ldsTraffic.record(site, lane.wave, lane.lane, isWrite,
                              ldsOffset(machine, address), bytes);
}

void emu_lds_load(uint32_t site, const void *address, uint32_t bytes) {
  Machine &machine = Machine::current();
  ++machine.statistics.ldsLoads;
  countLdsAccess(machine, site, address, bytes, /*isWrite=*/false);
  if (!machine.checks())
    return;
  checkLdsAlignment(machine, site, address, bytes);
  machine.shadow.load(machine, site, ldsOffset(machine, address), bytes);
}

/// What is loaded is not used before the next barrier.
void emu_lds_load_across_barrier(uint32_t site, const void *address,
                                 uint32_t bytes) {
  emu_lds_load(site, address, bytes);
  Machine &machine = Machine::current();
  if (machine.checks())
    machine.shadow.keepInFlight(machine.laneIndex(), site,
                                ldsOffset(machine, address), bytes);
}

void emu_lds_store(uint32_t site, const void *address, uint32_t bytes) {
  Machine &machine = Machine::current();
  ++machine.statistics.ldsStores;
  countLdsAccess(machine, site, address, bytes, /*isWrite=*/true);
  if (!machine.checks())
    return;
  checkLdsAlignment(machine, site, address, bytes);
  machine.shadow.store(machine, site, ldsOffset(machine, address), bytes);
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

bool mlir::lpgemm::emulator::isGlobal(const Machine &machine,
                                      const void *address) {
  return ldsOffset(machine, address) >= kLdsArenaBytes &&
         !machine.ownsStackAddress(reinterpret_cast<uintptr_t>(address));
}

/// Looks for races of an access within a buffer.
static void checkRaces(Machine &machine, uint32_t site, const Buffer &buffer,
                       uintptr_t address, uint32_t bytes, AccessKind kind) {
  const Launch &launch = *machine.launch;
  launch.shadow->access(machine, site, &buffer - launch.buffers.data(), address,
                        bytes, kind);
}

void mlir::lpgemm::emulator::checkGlobal(Machine &machine, uint32_t site,
                                         const void *address, uint32_t bytes,
                                         AccessKind kind) {
  uintptr_t value = reinterpret_cast<uintptr_t>(address);
  checkAlignment(machine, site, value, naturalAlignment(bytes, 4));
  const Buffer *buffer = findBuffer(machine, value, bytes);
  if (!buffer)
    failOutOfBounds(machine, site, value, bytes, findNearest(machine, value));
  checkRaces(machine, site, *buffer, value, bytes, kind);
}

/// What an access through a generic pointer must satisfy, which may point to
/// LDS; the stack of the lane itself is its own business.
static void checkGeneric(Machine &machine, uint32_t site, const void *address,
                         uint32_t bytes, AccessKind kind) {
  machine.countMemoryOp(bytes);
  if (!machine.checks())
    return;
  uint64_t offset = ldsOffset(machine, address);
  if (isGlobal(machine, address))
    checkGlobal(machine, site, address, bytes, kind);
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

//===----------------------------------------------------------------------===//
// Buffer resources
//===----------------------------------------------------------------------===//

static constexpr unsigned kResourceShift = 32;

void *emu_rocdl_make_buffer_rsrc(uint32_t site, void *base, uint32_t stride,
                                 uint64_t numRecords, uint32_t flags) {
  Machine &machine = Machine::current();
  if (stride != 0)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "expected a stride of 0, got " + std::to_string(stride));
  if (numRecords >> 32)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "expected at most 2^32 - 1 records, got " +
                      std::to_string(numRecords));
  std::vector<BufferResource> &resources = machine.resources;
  uintptr_t address = reinterpret_cast<uintptr_t>(base);
  size_t index = resources.size();
  while (index > 0) {
    const BufferResource &resource = resources[index - 1];
    if (resource.base == address && resource.numRecords == numRecords &&
        resource.flags == flags)
      break;
    --index;
  }
  if (index == 0) {
    resources.push_back({address, numRecords, flags});
    index = resources.size();
  }
  return reinterpret_cast<void *>(index << kResourceShift);
}

static const BufferResource &findResource(Machine &machine, uint32_t site,
                                          const void *descriptor) {
  uintptr_t value = reinterpret_cast<uintptr_t>(descriptor);
  size_t index = value >> kResourceShift;
  if (index == 0 || index > machine.resources.size() ||
      static_cast<uint32_t>(value) != 0)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "expected a buffer resource that the workgroup made");
  return machine.resources[index - 1];
}

/// The part of an access that is in range, from its begin on. Each word has its
/// own check, an access below a word is checked as a whole. soffset does not
/// take part (LLVM, IntrinsicsAMDGPU.td: "excluded from bounds checking").
static uint32_t bytesInRange(const BufferResource &resource, uint32_t voffset,
                             uint32_t bytes) {
  if (voffset >= resource.numRecords)
    return 0;
  uint32_t unit = std::min(bytes, 4u);
  uint64_t left = (resource.numRecords - voffset) / unit * unit;
  return std::min<uint64_t>(left, bytes);
}

uintptr_t mlir::lpgemm::emulator::checkBufferAccess(
    Machine &machine, uint32_t site, const void *descriptor, uint32_t bytes,
    uint32_t voffset, uint32_t soffset, AccessKind kind, uint32_t &inRange) {
  const BufferResource &resource = findResource(machine, site, descriptor);
  inRange = bytesInRange(resource, voffset, bytes);
  machine.statistics.bufferClipped += inRange != bytes;
  uintptr_t address = resource.base + voffset + soffset;
  if (inRange != 0 && machine.checks()) {
    checkAlignment(machine, site, address, naturalAlignment(bytes, 4));
    // Not just in some buffer: in the one that the resource was made of.
    const Buffer *buffer = findBuffer(machine, resource.base, 0);
    if (!buffer || !contains(*buffer, address, inRange))
      failOutOfBounds(machine, site, address, inRange, buffer);
    checkRaces(machine, site, *buffer, address, inRange, kind);
  }
  return address;
}

void emu_rocdl_raw_ptr_buffer_load(uint32_t site, void *result, uint32_t bytes,
                                   const void *resource, uint32_t voffset,
                                   uint32_t soffset, uint32_t) {
  Machine &machine = Machine::current();
  ++machine.statistics.bufferLoads;
  machine.countMemoryOp(bytes);
  uint32_t inRange;
  uintptr_t address = checkBufferAccess(machine, site, resource, bytes, voffset,
                                        soffset, AccessKind::Read, inRange);
  std::memcpy(result, reinterpret_cast<const void *>(address), inRange);
  std::memset(static_cast<uint8_t *>(result) + inRange, 0, bytes - inRange);
}

void emu_rocdl_raw_ptr_buffer_store(uint32_t site, const void *data,
                                    uint32_t bytes, const void *resource,
                                    uint32_t voffset, uint32_t soffset,
                                    uint32_t) {
  Machine &machine = Machine::current();
  ++machine.statistics.bufferStores;
  machine.countMemoryOp(bytes);
  uint32_t inRange;
  uintptr_t address = checkBufferAccess(machine, site, resource, bytes, voffset,
                                        soffset, AccessKind::Write, inRange);
  std::memcpy(reinterpret_cast<void *>(address), data, inRange);
}

//===----------------------------------------------------------------------===//
// Loads to LDS
//===----------------------------------------------------------------------===//

namespace {
struct LdsLoadOperands {
  LdsTransfer transfer;
  const void *lds;
};
} // namespace

/// `transfer` lacks the place in LDS. The instruction's offset is added to both
/// addresses (LLVM, IntrinsicsAMDGPU.td).
static void runLdsLoad(Machine &machine, uint32_t site, const void *lds,
                       uint32_t offset, const LdsTransfer &transfer) {
  constexpr uint32_t kSizes[] = {1, 2, 4, 12, 16};
  if (std::find(std::begin(kSizes), std::end(kSizes), transfer.bytes) ==
      std::end(kSizes))
    machine.fatal(ReportKind::InvalidOperand, site,
                  "expected a size of 1, 2, 4, 12 or 16 bytes, got " +
                      std::to_string(transfer.bytes));
  waveOperation(site, LdsLoadOperands{transfer, lds}, [&](Machine &machine) {
    const void *first = operandsOf<LdsLoadOperands>(machine, 0).lds;
    bool isUniform = true;
    std::vector<LdsTransfer> transfers(machine.wave().size);
    for (uint32_t i = 0; i < transfers.size(); ++i) {
      const auto &operands = operandsOf<LdsLoadOperands>(machine, i);
      isUniform &= operands.lds == first;
      transfers[i] = operands.transfer;
      transfers[i].ldsOffset =
          ldsOffset(machine, first) + offset + i * transfers[i].bytes;
    }
    if (machine.checks() && !isUniform)
      machine.report(ReportKind::NonUniform, site,
                     "has an LDS address that differs between the lanes of a "
                     "wave");
    if (machine.checks())
      checkAlignment(machine, site, transfers[0].ldsOffset,
                     naturalAlignment(transfers[0].bytes, 4));
    machine.startLdsLoad(site, std::move(transfers));
  });
}

void emu_rocdl_raw_ptr_buffer_load_lds(uint32_t site, const void *resource,
                                       const void *lds, uint32_t bytes,
                                       uint32_t voffset, uint32_t soffset,
                                       uint32_t offset, uint32_t) {
  Machine &machine = Machine::current();
  LdsTransfer transfer;
  transfer.bytes = bytes;
  transfer.source =
      checkBufferAccess(machine, site, resource, bytes, voffset + offset,
                        soffset, AccessKind::Read, transfer.inRange);
  runLdsLoad(machine, site, lds, offset, transfer);
}

void emu_rocdl_load_to_lds(uint32_t site, const void *source, const void *lds,
                           uint32_t bytes, uint32_t offset, uint32_t) {
  Machine &machine = Machine::current();
  LdsTransfer transfer;
  transfer.bytes = transfer.inRange = bytes;
  transfer.source = reinterpret_cast<uintptr_t>(source) + offset;
  if (machine.checks())
    checkGlobal(machine, site, reinterpret_cast<const void *>(transfer.source),
                bytes, AccessKind::Read);
  runLdsLoad(machine, site, lds, offset, transfer);
}

void emu_rocdl_global_load_lds(uint32_t site, const void *source,
                               const void *lds, uint32_t bytes, uint32_t offset,
                               uint32_t aux) {
  emu_rocdl_load_to_lds(site, source, lds, bytes, offset, aux);
}
