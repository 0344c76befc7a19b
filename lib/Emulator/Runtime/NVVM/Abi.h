//===- Abi.h - what generated code calls on NVIDIA --------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_ABI_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_ABI_H

#include <cstddef>
#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming): names of operations.
extern "C" {

// Identifiers.
int32_t emu_nvvm_tid_x();
int32_t emu_nvvm_tid_y();
int32_t emu_nvvm_tid_z();
int32_t emu_nvvm_ntid_x();
int32_t emu_nvvm_ntid_y();
int32_t emu_nvvm_ntid_z();
int32_t emu_nvvm_ctaid_x();
int32_t emu_nvvm_ctaid_y();
int32_t emu_nvvm_ctaid_z();
int32_t emu_nvvm_nctaid_x();
int32_t emu_nvvm_nctaid_y();
int32_t emu_nvvm_nctaid_z();
int32_t emu_nvvm_clusterid_x();
int32_t emu_nvvm_clusterid_y();
int32_t emu_nvvm_clusterid_z();
int32_t emu_nvvm_nclusterid_x();
int32_t emu_nvvm_nclusterid_y();
int32_t emu_nvvm_nclusterid_z();
int32_t emu_nvvm_cluster_ctaid_x();
int32_t emu_nvvm_cluster_ctaid_y();
int32_t emu_nvvm_cluster_ctaid_z();
int32_t emu_nvvm_cluster_nctaid_x();
int32_t emu_nvvm_cluster_nctaid_y();
int32_t emu_nvvm_cluster_nctaid_z();
int32_t emu_nvvm_cluster_ctarank();
int32_t emu_nvvm_cluster_nctarank();
int32_t emu_nvvm_laneid();
int32_t emu_nvvm_warpid();
int32_t emu_nvvm_nwarpid();
int32_t emu_nvvm_warpsize();
int32_t emu_nvvm_lanemask_eq();
int32_t emu_nvvm_lanemask_le();
int32_t emu_nvvm_lanemask_lt();
int32_t emu_nvvm_lanemask_ge();
int32_t emu_nvvm_lanemask_gt();
int32_t emu_nvvm_smid();
int32_t emu_nvvm_nsmid();
int32_t emu_nvvm_gridid();
int32_t emu_nvvm_total_smem_size();
int32_t emu_nvvm_dynamic_smem_size();
int32_t emu_nvvm_aggr_smem_size();

// Memory. The space is that of the pointer; an alignment of 0 stands for the
// natural one.
void emu_nvvm_load(uint32_t site, const void *address, uint32_t bytes,
                   uint32_t alignment, uint32_t space);
void emu_nvvm_store(uint32_t site, const void *address, uint32_t bytes,
                    uint32_t alignment, uint32_t space);

// Atomic accesses and fences. `flags` are OrderingFlags.
void emu_nvvm_atomic(uint32_t site, const void *address, uint32_t bytes,
                     uint32_t space, uint32_t flags);
void emu_nvvm_fence(uint32_t flags);
void emu_nvvm_fence_proxy_async(uint32_t site);

// Arithmetic. A mode, a rounding is that of NVVM::PermuteMode,
// NVVM::FPRoundingMode; a format that of mfma::Format.
uint32_t emu_nvvm_prmt(uint32_t low, uint32_t high, uint32_t selector,
                       uint32_t mode);
/// Multiplies the elements of `a`, of 8 or 16 bits, by as many bytes of `b`.
uint32_t emu_nvvm_dot_accumulate(uint32_t a, uint32_t b, uint32_t c,
                                 uint32_t bitsOfA, uint32_t isSignedA,
                                 uint32_t isSignedB);
float emu_nvvm_rcp_approx_ftz(float value);
/// Two codes, that of `low` in the lower bits.
uint32_t emu_nvvm_cvt_f32x2(float high, float low, uint32_t format,
                            uint32_t rounding, uint32_t saturates,
                            uint32_t isRelu);
uint32_t emu_nvvm_cvt_f8x2_f16x2(uint32_t codes, uint32_t format,
                                 uint32_t isRelu);
uint32_t emu_nvvm_cvt_tf32(float value, uint32_t rounding, uint32_t saturates,
                           uint32_t isRelu);

// Time and registers.
uint32_t emu_nvvm_clock(uint32_t site);
uint64_t emu_nvvm_clock64(uint32_t site);
uint64_t emu_nvvm_globaltimer(uint32_t site);
uint32_t emu_nvvm_globaltimer_lo(uint32_t site);
void emu_nvvm_nanosleep(uint32_t site, uint32_t nanoseconds);
void emu_nvvm_setmaxregister(uint32_t site, uint32_t count,
                             uint32_t isIncrease);
void emu_nvvm_exit(uint32_t site);
void *emu_nvvm_mapa(uint32_t site, const void *address, uint32_t rank);

// Warps.
/// A kind is that of NVVM::VoteSyncKind, NVVM::ReduxKind.
uint32_t emu_nvvm_vote_sync(uint32_t site, uint32_t mask, uint32_t predicate,
                            uint32_t kind);
uint32_t emu_nvvm_match_any_sync(uint32_t site, uint32_t mask, uint64_t value);
/// Returns in bit 32 whether all values are equal.
uint64_t emu_nvvm_match_all_sync(uint32_t site, uint32_t mask, uint64_t value);
uint32_t emu_nvvm_redux_sync(uint32_t site, uint32_t mask, uint32_t value,
                             uint32_t kind);
uint32_t emu_nvvm_elect_sync(uint32_t site, uint32_t mask);
void emu_nvvm_bar_warp_sync(uint32_t site, uint32_t mask);
/// `kind` is NVVM::ShflKind. Returns in bit 32 whether the source lane is in
/// range.
uint64_t emu_nvvm_shfl_sync(uint32_t site, uint32_t mask, uint32_t value,
                            uint32_t offset, uint32_t maskAndClamp,
                            uint32_t kind);

// Barriers. `count` threads take part, 0 for all of the workgroup.
void emu_nvvm_barrier(uint32_t site, uint32_t id, uint32_t count);
/// `reduction` is NVVM::BarrierReduction plus 1.
uint32_t emu_nvvm_barrier_reduction(uint32_t site, uint32_t id, uint32_t count,
                                    uint32_t predicate, uint32_t reduction);
void emu_nvvm_barrier_arrive(uint32_t site, uint32_t id, uint32_t count);
void emu_nvvm_cluster_arrive(uint32_t site, uint32_t isRelaxed);
void emu_nvvm_cluster_wait(uint32_t site);

// Matrices. Elements and accumulators are those of TensorCore.h, operands of
// several registers are consecutive in memory. `space` is that of the pointer.
void emu_nvvm_mma_sync(uint32_t site, void *d, uint32_t dBytes, const void *a,
                       uint32_t aBytes, const void *b, uint32_t bBytes,
                       const void *c, uint32_t cBytes, uint32_t k,
                       uint32_t elementA, uint32_t elementB,
                       uint32_t accumulator, uint32_t saturates);
void emu_nvvm_ldmatrix(uint32_t site, uint32_t *registers, uint32_t bytes,
                       const void *row, uint32_t space, uint32_t num,
                       uint32_t isTransposed);
void emu_nvvm_stmatrix(uint32_t site, void *row, uint32_t *registers,
                       uint32_t bytes, uint32_t space, uint32_t num,
                       uint32_t isTransposed);
/// `flags` are of WgmmaFlag.
void emu_nvvm_wgmma(uint32_t site, void *d, uint32_t dBytes, const void *c,
                    uint32_t cBytes, uint64_t descriptorA, uint64_t descriptorB,
                    uint32_t n, uint32_t elementA, uint32_t elementB,
                    uint32_t accumulator, uint32_t flags);
void emu_nvvm_wgmma_fence(uint32_t site);
void emu_nvvm_wgmma_commit_group(uint32_t site);
void emu_nvvm_wgmma_wait_group(uint32_t site, uint32_t left);

} // extern "C"
// NOLINTEND(readability-identifier-naming)

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_ABI_H
