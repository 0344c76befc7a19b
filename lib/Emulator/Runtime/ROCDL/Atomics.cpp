//===- Atomics.cpp - atomic operations on global memory -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "MemoryAccess.h"
#include "ROCDL/Buffers.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace mlir::lpgemm::emulator;

/// The operation itself is the host's, which follows.
void emu_global_atomic(uint32_t site, const void *address, uint32_t bytes) {
  Machine &machine = Machine::current();
  ++machine.statistics.globalAtomics;
  machine.note(site);
  machine.countMemoryOp(bytes);
  if (!machine.checks())
    return;
  if (!isGlobal(machine, address))
    machine.fatal(ReportKind::InvalidOperand, site,
                  "expected a pointer to global memory");
  checkGlobal(machine, site, address, bytes, naturalAlignment(bytes, 4),
              AccessKind::Atomic);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Threads run workgroups at the same time. Returns the old value.
template <typename T, typename Fn>
static T exchange(uintptr_t address, Fn &&makeNew) {
  T *place = reinterpret_cast<T *>(address);
  T old, next;
  __atomic_load(place, &old, __ATOMIC_RELAXED);
  do
    next = makeNew(old);
  while (!__atomic_compare_exchange(place, &old, &next, /*weak=*/true,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}

/// An access that is not in range as a whole does nothing.
template <typename Fn>
static void accessBuffer(uint32_t site, uint32_t bytes, const void *resource,
                         uint32_t voffset, uint32_t soffset, Fn &&perform) {
  Machine &machine = Machine::current();
  ++machine.statistics.bufferAtomics;
  machine.countMemoryOp(bytes);
  uint32_t inRange;
  uintptr_t address = checkBufferAccess(machine, site, resource, bytes, voffset,
                                        soffset, AccessKind::Atomic, inRange);
  if (inRange == bytes)
    perform(address);
}

template <typename T, typename Fn>
static void combineAs(uintptr_t address, const void *data, Fn &&combine) {
  T operand;
  std::memcpy(&operand, data, sizeof(operand));
  exchange<T>(address, [&](T old) { return combine(old, operand); });
}

/// Combines memory with data of one of two types, by the size.
template <typename T32, typename T64, typename Fn>
static void combine(uint32_t site, const void *data, uint32_t bytes,
                    const void *resource, uint32_t voffset, uint32_t soffset,
                    Fn &&fn) {
  accessBuffer(site, bytes, resource, voffset, soffset, [&](uintptr_t address) {
    if (bytes == sizeof(T32))
      combineAs<T32>(address, data, fn);
    else
      combineAs<T64>(address, data, fn);
  });
}

void emu_rocdl_raw_ptr_buffer_atomic_fadd(uint32_t site, const void *data,
                                          uint32_t bytes, const void *resource,
                                          uint32_t voffset, uint32_t soffset,
                                          uint32_t) {
  combine<float, double>(site, data, bytes, resource, voffset, soffset,
                         [](auto a, auto b) { return a + b; });
}

/// Of a number and NaN, the number.
void emu_rocdl_raw_ptr_buffer_atomic_fmax(uint32_t site, const void *data,
                                          uint32_t bytes, const void *resource,
                                          uint32_t voffset, uint32_t soffset,
                                          uint32_t) {
  combine<float, double>(site, data, bytes, resource, voffset, soffset,
                         [](auto a, auto b) { return std::fmax(a, b); });
}

void emu_rocdl_raw_ptr_buffer_atomic_smax(uint32_t site, const void *data,
                                          uint32_t bytes, const void *resource,
                                          uint32_t voffset, uint32_t soffset,
                                          uint32_t) {
  combine<int32_t, int64_t>(site, data, bytes, resource, voffset, soffset,
                            [](auto a, auto b) { return std::max(a, b); });
}

void emu_rocdl_raw_ptr_buffer_atomic_umin(uint32_t site, const void *data,
                                          uint32_t bytes, const void *resource,
                                          uint32_t voffset, uint32_t soffset,
                                          uint32_t) {
  combine<uint32_t, uint64_t>(site, data, bytes, resource, voffset, soffset,
                              [](auto a, auto b) { return std::min(a, b); });
}

/// Out of range it returns 0, as a load does.
void emu_rocdl_raw_ptr_buffer_atomic_cmpswap(uint32_t site, void *result,
                                             uint32_t, const void *data,
                                             uint32_t bytes, uint32_t compare,
                                             const void *resource,
                                             uint32_t voffset, uint32_t soffset,
                                             uint32_t) {
  uint32_t source, old = 0;
  std::memcpy(&source, data, sizeof(source));
  accessBuffer(site, bytes, resource, voffset, soffset, [&](uintptr_t address) {
    old = exchange<uint32_t>(address, [&](uint32_t value) {
      return value == compare ? source : value;
    });
  });
  std::memcpy(result, &old, sizeof(old));
}
