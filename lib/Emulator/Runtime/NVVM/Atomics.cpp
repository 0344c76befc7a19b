//===- Atomics.cpp - atomic accesses and fences of NVIDIA chips -----------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "MemoryAccess.h"
#include "NVVM/Memory.h"
#include "lpgemm/Emulator/Ordering.h"

using namespace mlir::lpgemm::emulator;

static void checkShared(Machine &machine, uint32_t site, const void *address,
                        uint32_t bytes, uint32_t space, uint32_t flags) {
  uint64_t offset = checkSharedAddress(machine, site, address, space);
  checkAlignment(machine, site, offset, bytes);
  SharedAccess access = makeAccess(machine, site, Proxy::Generic);
  access.atomicity =
      flags & kReads && flags & kWrites ? Atomicity::Update : Atomicity::Single;
  if (flags & kWrites)
    machine.sharedShadow.write(machine, access, offset, bytes);
  else
    machine.sharedShadow.read(machine, access, offset, bytes);
}

/// The access itself follows in generated code; no other lane of the cluster
/// runs between. Other lanes go first: a lane may wait for them in a loop.
void emu_nvvm_atomic(uint32_t site, const void *address, uint32_t bytes,
                     uint32_t space, uint32_t flags) {
  Machine &machine = Machine::current();
  machine.note(site);
  if (flags & kReads)
    machine.poll();
  bool isShared = isSharedAccess(machine, address, space);
  Statistics &statistics = machine.statistics;
  ++(!isShared         ? statistics.globalAtomics
     : flags & kWrites ? statistics.ldsStores
                       : statistics.ldsLoads);
  if (!machine.checks())
    return;
  uintptr_t key = reinterpret_cast<uintptr_t>(address);
  machine.atomics.read(machine.clocks, machine.laneIndex(), key, flags);
  if (isShared)
    checkShared(machine, site, address, bytes, space, flags);
  else if (isGlobal(machine, address))
    checkGlobal(machine, site, address, bytes, bytes,
                flags & kWrites ? AccessKind::Atomic : AccessKind::AtomicRead);
  machine.atomics.write(machine.clocks, machine.laneIndex(), key, flags);
}

void emu_nvvm_fence(uint32_t flags) {
  Machine &machine = Machine::current();
  if (machine.checks())
    machine.atomics.fence(machine.clocks, machine.laneIndex(), flags);
}

void emu_nvvm_fence_proxy_async(uint32_t) {
  Machine &machine = Machine::current();
  if (machine.checks())
    machine.clocks.fenceProxy(machine.laneIndex());
}
