//===- MemoryAccess.cpp - checks of global memory accesses ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"

#include "Abi.h"

#include <algorithm>

using namespace mlir::lpgemm::emulator;

void mlir::lpgemm::emulator::checkAlignment(Machine &machine, uint32_t site,
                                            uintptr_t address,
                                            uint32_t alignment) {
  if (address % alignment == 0)
    return;
  machine.report(ReportKind::Misaligned, site,
                 "needs an address aligned to " + std::to_string(alignment) +
                     " bytes, is off by " +
                     std::to_string(address % alignment));
}

bool mlir::lpgemm::emulator::contains(const Buffer &buffer, uintptr_t address,
                                      uint64_t bytes) {
  return address >= buffer.begin && address <= buffer.end &&
         buffer.end - address >= bytes;
}

const Buffer *mlir::lpgemm::emulator::findBuffer(Machine &machine,
                                                 uintptr_t address,
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
           : address > buffer.end ? address - buffer.end
                                  : 0;
  };
  for (const Buffer &buffer : machine.launch->buffers)
    if (!nearest || distance(buffer) < distance(*nearest))
      nearest = &buffer;
  return nearest;
}

void mlir::lpgemm::emulator::failOutOfBounds(Machine &machine, uint32_t site,
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

bool mlir::lpgemm::emulator::isGlobal(const Machine &machine,
                                      const void *address) {
  return machine.sharedOffset(address) >= machine.sharedBytes() &&
         !machine.ownsStackAddress(reinterpret_cast<uintptr_t>(address));
}

void mlir::lpgemm::emulator::checkRaces(Machine &machine, uint32_t site,
                                        const Buffer &buffer, uintptr_t address,
                                        uint64_t bytes, AccessKind kind) {
  const Launch &launch = *machine.launch;
  launch.shadow->access(machine, site, &buffer - launch.buffers.data(), address,
                        bytes, kind);
}

/// They are in memory of the host, which is no buffer.
static bool isOfParameter(const Machine &machine, uintptr_t address,
                          uint64_t bytes) {
  for (auto [begin, size] : machine.parameters)
    if (address - begin < size && size - (address - begin) >= bytes)
      return true;
  return false;
}

void emu_parameter(const void *data, uint64_t bytes) {
  Machine &machine = Machine::current();
  std::pair<uintptr_t, uint64_t> parameter(reinterpret_cast<uintptr_t>(data),
                                           bytes);
  auto &known = machine.parameters;
  if (std::find(known.begin(), known.end(), parameter) == known.end())
    known.push_back(parameter);
}

void mlir::lpgemm::emulator::checkGlobal(Machine &machine, uint32_t site,
                                         const void *address, uint64_t bytes,
                                         uint32_t alignment, AccessKind kind) {
  uintptr_t value = reinterpret_cast<uintptr_t>(address);
  checkAlignment(machine, site, value, alignment);
  if (kind == AccessKind::Read && isOfParameter(machine, value, bytes))
    return;
  const Buffer *buffer = findBuffer(machine, value, bytes);
  if (!buffer)
    failOutOfBounds(machine, site, value, bytes, findNearest(machine, value));
  checkRaces(machine, site, *buffer, value, bytes, kind);
}
