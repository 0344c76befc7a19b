//===- WaveOps.cpp - identifiers, barriers and waits ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "Machine.h"

#include <cmath>

using namespace mlir::lpgemm::emulator;

//===----------------------------------------------------------------------===//
// Identifiers
//===----------------------------------------------------------------------===//

#define LPGEMM_IDENTIFIERS(dim, index)                                         \
  int32_t emu_rocdl_workitem_id_##dim() {                                      \
    return Machine::current().lane().id[index];                                \
  }                                                                            \
  int32_t emu_rocdl_workgroup_id_##dim() {                                     \
    return Machine::current().workgroup().id[index];                           \
  }                                                                            \
  int32_t emu_rocdl_workgroup_dim_##dim() {                                    \
    return Machine::current().launch->block.dim;                               \
  }                                                                            \
  int32_t emu_rocdl_grid_dim_##dim() {                                         \
    return Machine::current().launch->grid.dim;                                \
  }
LPGEMM_IDENTIFIERS(x, 0)
LPGEMM_IDENTIFIERS(y, 1)
LPGEMM_IDENTIFIERS(z, 2)

int32_t emu_rocdl_wavefrontsize() {
  return Machine::current().launch->info->waveSize;
}

/// The bits of `mask`, which belongs to the lanes from `first` on, that are
/// below the current lane.
static int32_t countBelow(uint32_t mask, uint32_t first) {
  uint32_t lane = Machine::current().lane().lane;
  if (lane <= first)
    return 0;
  uint32_t width = lane - first;
  return __builtin_popcount(width >= 32 ? mask : mask & ((1u << width) - 1));
}

int32_t emu_rocdl_mbcnt_lo(uint32_t mask, int32_t value) {
  return value + countBelow(mask, 0);
}
int32_t emu_rocdl_mbcnt_hi(uint32_t mask, int32_t value) {
  return value + countBelow(mask, 32);
}

float emu_rocdl_exp2(float value) { return std::exp2(value); }
float emu_rocdl_rcp(float value) { return 1.0f / value; }
/// Of base 2 (CDNA3 ISA, "V_LOG_F32").
float emu_rocdl_log(float value) { return std::log2(value); }
float emu_rocdl_sqrt(float value) { return std::sqrt(value); }

//===----------------------------------------------------------------------===//
// Barriers and waits
//===----------------------------------------------------------------------===//

void emu_rocdl_s_barrier(uint32_t site) { Machine::current().barrier(site); }

/// The fences around the barrier wait for the lane's memory operations.
void emu_rocdl_barrier(uint32_t site) {
  emu_release_fence();
  Machine::current().barrier(site);
}

void emu_release_fence() {
  Machine &machine = Machine::current();
  machine.waitForMemoryOps(0);
  if (machine.checks())
    machine.shadow.wait(machine.laneIndex(), 0);
}

/// gfx9 packs vmcnt into bits 3:0 and 15:14, expcnt into 6:4 and lgkmcnt into
/// 11:8 (LLVM, AMDGPUBaseInfo.cpp). LDS operations count in lgkmcnt, global
/// memory operations in vmcnt; the largest value waits for nothing.
void emu_rocdl_s_waitcnt(uint32_t, uint32_t bitfield) {
  constexpr uint32_t kNoLgkmWait = 15, kNoVmWait = 63;
  uint32_t lgkmcnt = bitfield >> 8 & 15;
  uint32_t vmcnt = (bitfield & 15) | (bitfield >> 14 & 3) << 4;
  Machine &machine = Machine::current();
  if (vmcnt != kNoVmWait)
    machine.waitForMemoryOps(vmcnt);
  if (machine.checks() && lgkmcnt != kNoLgkmWait)
    machine.shadow.wait(machine.laneIndex(), lgkmcnt);
}
