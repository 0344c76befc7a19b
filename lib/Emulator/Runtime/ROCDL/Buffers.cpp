//===- Buffers.cpp - buffer resources and loads to LDS --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ROCDL/Buffers.h"

#include "Abi.h"
#include "MemoryAccess.h"

#include <algorithm>
#include <cstring>

using namespace mlir::lpgemm::emulator;

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
/// own check, and so have the two bytes and the byte that may be left. soffset
/// does not take part (LLVM, IntrinsicsAMDGPU.td: "excluded from bounds
/// checking").
static uint32_t bytesInRange(const BufferResource &resource, uint32_t voffset,
                             uint32_t bytes) {
  if (voffset >= resource.numRecords)
    return 0;
  uint64_t left = resource.numRecords - voffset;
  uint32_t inRange = 0;
  for (uint32_t unit : {4u, 2u, 1u})
    while (bytes - inRange >= unit) {
      if (left - inRange < unit)
        return inRange;
      inRange += unit;
    }
  return inRange;
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
// Buffer fat pointers
//===----------------------------------------------------------------------===//

namespace {
/// A fat pointer has the offset in its lower half; the rest is the resource.
struct FatPointer {
  explicit FatPointer(const void *pointer)
      : resource(reinterpret_cast<const void *>(
            reinterpret_cast<uintptr_t>(pointer) >> kResourceShift
                                                        << kResourceShift)),
        offset(reinterpret_cast<uintptr_t>(pointer)) {}
  const void *resource;
  uint32_t offset;
};
} // namespace

void emu_fat_buffer_load(uint32_t site, void *result, uint32_t bytes,
                         const void *pointer) {
  FatPointer fat(pointer);
  emu_rocdl_raw_ptr_buffer_load(site, result, bytes, fat.resource, fat.offset,
                                /*soffset=*/0, /*aux=*/0);
}

void emu_fat_buffer_store(uint32_t site, const void *data, uint32_t bytes,
                          const void *pointer) {
  FatPointer fat(pointer);
  emu_rocdl_raw_ptr_buffer_store(site, data, bytes, fat.resource, fat.offset,
                                 /*soffset=*/0, /*aux=*/0);
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
          machine.sharedOffset(first) + offset + i * transfers[i].bytes;
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
                bytes, naturalAlignment(bytes, 4), AccessKind::Read);
  runLdsLoad(machine, site, lds, offset, transfer);
}

void emu_rocdl_global_load_lds(uint32_t site, const void *source,
                               const void *lds, uint32_t bytes, uint32_t offset,
                               uint32_t aux) {
  emu_rocdl_load_to_lds(site, source, lds, bytes, offset, aux);
}

void emu_fat_buffer_load_lds(uint32_t site, const void *pointer,
                             const void *lds, uint32_t bytes, uint32_t offset,
                             uint32_t aux) {
  FatPointer fat(pointer);
  emu_rocdl_raw_ptr_buffer_load_lds(site, fat.resource, lds, bytes, fat.offset,
                                    /*soffset=*/0, offset, aux);
}
