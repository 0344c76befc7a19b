//===- AtomicOrder.cpp - order that atomic accesses establish -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVM/AtomicOrder.h"

#include "lpgemm/Emulator/Ordering.h"

using namespace mlir::lpgemm::emulator;

void AtomicOrder::start(uint32_t numLanes) {
  lanes.assign(numLanes, Lane());
  objects.clear();
}

static KnowledgeRef join(const KnowledgeRef &a, const KnowledgeRef &b) {
  if (!a || !b || a == b)
    return a ? a : b;
  Gathering gathering;
  Clocks::publish(a, gathering);
  Clocks::publish(b, gathering);
  return Clocks::finish(gathering);
}

static KnowledgeRef release(Clocks &clocks, uint32_t lane) {
  Gathering gathering;
  clocks.publish(lane, gathering);
  return Clocks::finish(gathering);
}

KnowledgeRef AtomicOrder::lookup(uintptr_t address) const {
  auto it = objects.find(address);
  return it == objects.end() ? nullptr : it->second;
}

void AtomicOrder::read(Clocks &clocks, uint32_t index, uintptr_t address,
                       uint32_t flags) {
  KnowledgeRef object = lookup(address);
  if (!(flags & kReads) || !object)
    return;
  Lane &lane = lanes[index];
  if (flags & kAcquires)
    clocks.acquire(index, object);
  else
    lane.observed = join(lane.observed, object);
}

void AtomicOrder::write(Clocks &clocks, uint32_t index, uintptr_t address,
                        uint32_t flags) {
  if (!(flags & kWrites))
    return;
  KnowledgeRef object = lookup(address);
  KnowledgeRef own =
      flags & kReleases ? release(clocks, index) : lanes[index].released;
  // A read-modify-write continues the release sequence that it reads from.
  if (flags & kReads)
    own = join(own, object);
  if (own || object)
    objects[address] = own;
}

void AtomicOrder::fence(Clocks &clocks, uint32_t index, uint32_t flags) {
  Lane &lane = lanes[index];
  if (flags & kAcquires && lane.observed) {
    clocks.acquire(index, lane.observed);
    lane.observed = nullptr;
  }
  if (flags & kReleases)
    lane.released = release(clocks, index);
}

void AtomicOrder::publishReleased(uint32_t lane, Gathering &gathering) const {
  if (lanes[lane].released)
    Clocks::publish(lanes[lane].released, gathering);
}
