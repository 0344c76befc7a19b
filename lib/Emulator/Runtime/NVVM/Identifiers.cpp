//===- Identifiers.cpp - special registers of NVIDIA chips ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "Machine.h"

using namespace mlir::lpgemm::emulator;

// PTX ISA, "Special Registers".

#define LPGEMM_IDENTIFIERS(dim, index)                                         \
  int32_t emu_nvvm_tid_##dim() { return Machine::current().lane().id[index]; } \
  int32_t emu_nvvm_ntid_##dim() {                                              \
    return Machine::current().launch->block.dim;                               \
  }                                                                            \
  int32_t emu_nvvm_ctaid_##dim() {                                             \
    return Machine::current().workgroup().id[index];                           \
  }                                                                            \
  int32_t emu_nvvm_nctaid_##dim() {                                            \
    return Machine::current().launch->grid.dim;                                \
  }                                                                            \
  int32_t emu_nvvm_clusterid_##dim() {                                         \
    Machine &machine = Machine::current();                                     \
    return machine.workgroup().id[index] / machine.launch->cluster.dim;        \
  }                                                                            \
  int32_t emu_nvvm_nclusterid_##dim() {                                        \
    return Machine::current().launch->numClusters().dim;                       \
  }                                                                            \
  int32_t emu_nvvm_cluster_ctaid_##dim() {                                     \
    Machine &machine = Machine::current();                                     \
    return machine.workgroup().id[index] % machine.launch->cluster.dim;        \
  }                                                                            \
  int32_t emu_nvvm_cluster_nctaid_##dim() {                                    \
    return Machine::current().launch->cluster.dim;                             \
  }
LPGEMM_IDENTIFIERS(x, 0)
LPGEMM_IDENTIFIERS(y, 1)
LPGEMM_IDENTIFIERS(z, 2)

int32_t emu_nvvm_cluster_ctarank() {
  return Machine::current().lane().workgroup;
}
int32_t emu_nvvm_cluster_nctarank() {
  return Machine::current().workgroups.size();
}

static uint32_t waveSize() { return Machine::current().launch->info->waveSize; }

int32_t emu_nvvm_laneid() { return Machine::current().lane().lane; }
int32_t emu_nvvm_warpsize() { return waveSize(); }
int32_t emu_nvvm_nwarpid() {
  return (Machine::current().launch->numLanes + waveSize() - 1) / waveSize();
}
int32_t emu_nvvm_warpid() {
  return Machine::current().lane().wave % emu_nvvm_nwarpid();
}

int32_t emu_nvvm_lanemask_eq() { return 1u << emu_nvvm_laneid(); }
int32_t emu_nvvm_lanemask_lt() { return (1u << emu_nvvm_laneid()) - 1; }
int32_t emu_nvvm_lanemask_le() {
  return emu_nvvm_lanemask_lt() | emu_nvvm_lanemask_eq();
}
int32_t emu_nvvm_lanemask_ge() { return ~emu_nvvm_lanemask_lt(); }
int32_t emu_nvvm_lanemask_gt() { return ~emu_nvvm_lanemask_le(); }

// The chips that are sold have fewer multiprocessors than the die: A100 108,
// L40 142 and H100 SXM5 132 (NVIDIA Ampere, Ada and Hopper architecture
// whitepapers).
int32_t emu_nvvm_nsmid() {
  switch (Machine::current().launch->info->chip) {
  case Chip::Sm80:
    return 108;
  case Chip::Sm89:
    return 142;
  default:
    return 132;
  }
}

/// Workgroups are dealt out in turn.
int32_t emu_nvvm_smid() {
  return Machine::current().workgroupIndex() % emu_nvvm_nsmid();
}

int32_t emu_nvvm_gridid() { return Machine::current().launch->number; }

// Shared memory is allocated in units of 128 bytes, and 1 KiB of each workgroup
// is the system's (CUDA C++ Programming Guide, "Compute Capability 8.x",
// "9.0").

int32_t emu_nvvm_total_smem_size() {
  constexpr uint32_t kUnit = 128;
  const Launch &launch = *Machine::current().launch;
  uint32_t bytes = launch.info->ldsStaticBytes + launch.dynamicLdsBytes;
  return (bytes + kUnit - 1) / kUnit * kUnit;
}

int32_t emu_nvvm_dynamic_smem_size() {
  return Machine::current().launch->dynamicLdsBytes;
}

int32_t emu_nvvm_aggr_smem_size() { return emu_nvvm_total_smem_size() + 1024; }
