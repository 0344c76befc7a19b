//===- Memory.cpp - loads and stores of NVIDIA kernels --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVM/Memory.h"

#include "Abi.h"
#include "MemoryAccess.h"

using namespace mlir::lpgemm::emulator;

// The address spaces of PTX (LLVM, NVPTXUsage, "Address Spaces").
static constexpr uint32_t kGeneric = 0, kShared = 3, kSharedCluster = 7;

SharedAccess mlir::lpgemm::emulator::makeAccess(const Machine &machine,
                                                uint32_t site, Proxy proxy) {
  uint32_t lane = machine.laneIndex();
  return {site, lane, Clocks::ofLane(lane), machine.clocks.now(lane), proxy};
}

static bool hasExited(const Machine &machine, uint64_t rank) {
  uint32_t numLanes = machine.launch->numLanes;
  for (uint32_t i = 0; i < numLanes; ++i)
    if (machine.getLane(rank * numLanes + i).state != LaneState::Exited)
      return false;
  return true;
}

/// Checks that an address of shared memory is of the workgroup that its space
/// allows. Returns its offset in the cluster.
uint64_t mlir::lpgemm::emulator::checkSharedAddress(Machine &machine,
                                                    uint32_t site,
                                                    const void *address,
                                                    uint32_t space) {
  uint64_t offset = machine.sharedOffset(address);
  bool isOwn = offset / kLdsArenaBytes == machine.lane().workgroup;
  if (offset >= machine.sharedBytes() || (space == kShared && !isOwn))
    machine.fatal(ReportKind::SharedOutOfBounds, site,
                  space == kShared
                      ? "is outside of the shared memory of the workgroup"
                      : "is outside of the shared memory of the cluster");
  if (!isOwn && hasExited(machine, offset / kLdsArenaBytes))
    machine.fatal(ReportKind::SharedOutOfBounds, site,
                  "is about shared memory of a workgroup that has exited; " +
                      machine.describeShared(offset));
  return offset;
}

bool mlir::lpgemm::emulator::isSharedAccess(const Machine &machine,
                                            const void *address,
                                            uint32_t space) {
  return space == kShared || space == kSharedCluster ||
         (space == kGeneric &&
          machine.sharedOffset(address) < machine.sharedBytes());
}

static void checkAccess(uint32_t site, const void *address, uint32_t bytes,
                        uint32_t alignment, uint32_t space, AccessKind kind) {
  Machine &machine = Machine::current();
  machine.note(site);
  bool isWrite = kind == AccessKind::Write;
  bool isShared = isSharedAccess(machine, address, space);
  Statistics &statistics = machine.statistics;
  ++(isShared  ? isWrite ? statistics.ldsStores : statistics.ldsLoads
     : isWrite ? statistics.globalStores
               : statistics.globalLoads);
  if (!machine.checks())
    return;
  if (alignment == 0)
    alignment = naturalAlignment(bytes, 16);
  if (isShared) {
    uint64_t offset = checkSharedAddress(machine, site, address, space);
    checkAlignment(machine, site, offset, alignment);
    SharedAccess access = makeAccess(machine, site, Proxy::Generic);
    if (isWrite)
      machine.sharedShadow.write(machine, access, offset, bytes);
    else
      machine.sharedShadow.read(machine, access, offset, bytes);
  } else if (isGlobal(machine, address)) {
    checkGlobal(machine, site, address, bytes, alignment, kind);
  }
}

void emu_nvvm_load(uint32_t site, const void *address, uint32_t bytes,
                   uint32_t alignment, uint32_t space) {
  checkAccess(site, address, bytes, alignment, space, AccessKind::Read);
}

void emu_nvvm_store(uint32_t site, const void *address, uint32_t bytes,
                    uint32_t alignment, uint32_t space) {
  checkAccess(site, address, bytes, alignment, space, AccessKind::Write);
}
