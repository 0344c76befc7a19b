//===- AsyncAbi.h - asynchronous operations of NVIDIA -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_ASYNCABI_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_ASYNCABI_H

#include <cstdint>

namespace mlir::lpgemm::emulator {

/// Of operations on mbarriers.
enum MBarrierFlags : uint32_t {
  kArriveDrop = 1,
  kArriveNoComplete = 2,
  /// Without release or acquire.
  kRelaxed = 4,
  /// The phase is given by its parity, not by the state.
  kWaitParity = 8,
};

} // namespace mlir::lpgemm::emulator

// NOLINTBEGIN(readability-identifier-naming): names of operations.
extern "C" {

// A `space` is that of the pointer before it. A predicate of 0 makes the
// operation none.

// mbarrier objects.
void emu_nvvm_mbarrier_init(uint32_t site, const void *address, uint32_t space,
                            uint32_t count, uint32_t predicate);
void emu_nvvm_mbarrier_inval(uint32_t site, const void *address,
                             uint32_t space);
void emu_nvvm_mbarrier_expect_tx(uint32_t site, const void *address,
                                 uint32_t space, uint32_t bytes);
void emu_nvvm_mbarrier_complete_tx(uint32_t site, const void *address,
                                   uint32_t space, uint32_t bytes);
/// `bytes` are announced before the arrival. Returns the state: the phase.
uint64_t emu_nvvm_mbarrier_arrive(uint32_t site, const void *address,
                                  uint32_t space, uint32_t count,
                                  uint32_t bytes, uint32_t flags,
                                  uint32_t predicate);
/// Waits until the phase of this parity is over.
void emu_nvvm_mbarrier_wait_parity(uint32_t site, const void *address,
                                   uint32_t parity);
uint32_t emu_nvvm_mbarrier_test_wait(uint32_t site, const void *address,
                                     uint64_t value, uint32_t flags);

// cp.async. Of `bytes` bytes, `sourceBytes` are read; the rest is zero.
void emu_nvvm_cp_async(uint32_t site, void *target, const void *source,
                       uint32_t bytes, uint32_t sourceBytes);
void emu_nvvm_cp_async_commit_group(uint32_t site);
void emu_nvvm_cp_async_wait_group(uint32_t site, uint32_t left);
void emu_nvvm_cp_async_wait_all(uint32_t site);
void emu_nvvm_cp_async_mbarrier_arrive(uint32_t site, const void *address,
                                       uint32_t space, uint32_t noinc);

// cp.async.bulk. Bit i of a mask: the workgroup of rank i in the cluster; 0
// stands for the one that the target is of.
void emu_nvvm_bulk_load(uint32_t site, void *target, uint32_t space,
                        const void *source, const void *barrier, uint32_t bytes,
                        uint32_t mask);
void emu_nvvm_bulk_copy_shared(uint32_t site, void *target, const void *source,
                               const void *barrier, uint32_t bytes);
/// Bit i of `byteMask`: byte i of each 16.
void emu_nvvm_bulk_store(uint32_t site, void *target, const void *source,
                         uint32_t bytes, uint32_t byteMask);
void emu_nvvm_bulk_prefetch(uint32_t site, const void *source, uint32_t bytes);
void emu_nvvm_bulk_commit_group(uint32_t site);
void emu_nvvm_bulk_wait_group(uint32_t site, uint32_t left);

// cp.async.bulk.tensor. Of `rank` coordinates; the other ones are ignored.
void emu_nvvm_tensor_load(uint32_t site, void *target, uint32_t space,
                          const void *map, const void *barrier, uint32_t mask,
                          uint32_t predicate, uint32_t rank, int32_t c0,
                          int32_t c1, int32_t c2, int32_t c3, int32_t c4);
void emu_nvvm_tensor_store(uint32_t site, const void *map, const void *source,
                           uint32_t predicate, uint32_t rank, int32_t c0,
                           int32_t c1, int32_t c2, int32_t c3, int32_t c4);
/// `kind` is NVVM::TMAReduxKind.
void emu_nvvm_tensor_reduce(uint32_t site, const void *map, const void *source,
                            uint32_t kind, uint32_t rank, int32_t c0,
                            int32_t c1, int32_t c2, int32_t c3, int32_t c4);
void emu_nvvm_tensor_prefetch(uint32_t site, const void *map, uint32_t rank,
                              int32_t c0, int32_t c1, int32_t c2, int32_t c3,
                              int32_t c4);
void emu_nvvm_prefetch_tensormap(uint32_t site, const void *map,
                                 uint32_t predicate);

} // extern "C"
// NOLINTEND(readability-identifier-naming)

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_ASYNCABI_H
