//===- Abi.h - what generated code calls on AMD -----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_ROCDL_ABI_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_ROCDL_ABI_H

#include <cstddef>
#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming): names of operations.
extern "C" {

// Identifiers.
int32_t emu_rocdl_workitem_id_x();
int32_t emu_rocdl_workitem_id_y();
int32_t emu_rocdl_workitem_id_z();
int32_t emu_rocdl_workgroup_id_x();
int32_t emu_rocdl_workgroup_id_y();
int32_t emu_rocdl_workgroup_id_z();
int32_t emu_rocdl_workgroup_dim_x();
int32_t emu_rocdl_workgroup_dim_y();
int32_t emu_rocdl_workgroup_dim_z();
int32_t emu_rocdl_grid_dim_x();
int32_t emu_rocdl_grid_dim_y();
int32_t emu_rocdl_grid_dim_z();
int32_t emu_rocdl_wavefrontsize();
int32_t emu_rocdl_mbcnt_lo(uint32_t mask, int32_t value);
int32_t emu_rocdl_mbcnt_hi(uint32_t mask, int32_t value);
float emu_rocdl_exp2(float value);
float emu_rocdl_rcp(float value);
float emu_rocdl_log(float value);
float emu_rocdl_sqrt(float value);

// Conversions.
float emu_rocdl_cvt_f32_fp8(uint32_t site, uint32_t source, uint32_t byte,
                            uint32_t chip);
float emu_rocdl_cvt_f32_bf8(uint32_t site, uint32_t source, uint32_t byte,
                            uint32_t chip);
void emu_rocdl_cvt_pk_f32_fp8(uint32_t site, float *result, uint32_t bytes,
                              uint32_t source, uint32_t word, uint32_t chip);
void emu_rocdl_cvt_pk_f32_bf8(uint32_t site, float *result, uint32_t bytes,
                              uint32_t source, uint32_t word, uint32_t chip);
uint32_t emu_rocdl_cvt_pk_fp8_f32(uint32_t site, float a, float b, uint32_t old,
                                  uint32_t word, uint32_t chip);
uint32_t emu_rocdl_cvt_pk_bf8_f32(uint32_t site, float a, float b, uint32_t old,
                                  uint32_t word, uint32_t chip);
#define LPGEMM_CVT_SCALED(large, small)                                        \
  void emu_rocdl_cvt_scalef32_pk_##large##_##small(                            \
      uint32_t site, void *result, uint32_t bytes, uint32_t source,            \
      float scale, uint32_t select);
#define LPGEMM_CVT_SCALED_32(large, small)                                     \
  void emu_rocdl_cvt_scalef32_pk32_##large##_##small(                          \
      uint32_t site, void *result, uint32_t bytes, const void *source,         \
      uint32_t sourceBytes, float scale);
#define LPGEMM_CVT_SCALED_OF(large)                                            \
  LPGEMM_CVT_SCALED(large, fp8)                                                \
  LPGEMM_CVT_SCALED(large, bf8)                                                \
  LPGEMM_CVT_SCALED(large, fp4)                                                \
  LPGEMM_CVT_SCALED_32(large, fp6)                                             \
  LPGEMM_CVT_SCALED_32(large, bf6)
LPGEMM_CVT_SCALED_OF(f32)
LPGEMM_CVT_SCALED_OF(f16)
LPGEMM_CVT_SCALED_OF(bf16)
#undef LPGEMM_CVT_SCALED_OF
#define LPGEMM_CVT_SCALED_ONE(small)                                           \
  float emu_rocdl_cvt_scalef32_f32_##small(uint32_t site, uint32_t source,     \
                                           float scale, uint32_t byte);        \
  void emu_rocdl_cvt_scalef32_f16_##small(                                     \
      uint32_t site, void *result, uint32_t bytes, const void *old,            \
      uint32_t oldBytes, uint32_t source, float scale, uint32_t byte,          \
      uint32_t half);
LPGEMM_CVT_SCALED_ONE(fp8)
LPGEMM_CVT_SCALED_ONE(bf8)
#undef LPGEMM_CVT_SCALED_ONE
#define LPGEMM_CVT_TO_8(small, large)                                          \
  void emu_rocdl_cvt_scalef32_pk_##small##_##large(                            \
      uint32_t site, void *result, uint32_t bytes, const void *old,            \
      uint32_t oldBytes, const void *source, uint32_t sourceBytes,             \
      float scale, uint32_t half);
#define LPGEMM_CVT_TO_8_OF(small)                                              \
  void emu_rocdl_cvt_scalef32_pk_##small##_f32(                                \
      uint32_t site, void *result, uint32_t bytes, const void *old,            \
      uint32_t oldBytes, float a, float b, float scale, uint32_t half);        \
  LPGEMM_CVT_TO_8(small, f16)                                                  \
  LPGEMM_CVT_TO_8(small, bf16)
LPGEMM_CVT_TO_8_OF(fp8)
LPGEMM_CVT_TO_8_OF(bf8)
#undef LPGEMM_CVT_TO_8_OF
#undef LPGEMM_CVT_TO_8
uint32_t emu_rocdl_cvt_scalef32_pk_fp4_f32(uint32_t site, uint32_t old, float a,
                                           float b, float scale, uint32_t byte);
uint32_t emu_rocdl_cvt_scalef32_pk_fp4_f16(uint32_t site, uint32_t old,
                                           const void *source, uint32_t bytes,
                                           float scale, uint32_t byte);
uint32_t emu_rocdl_cvt_scalef32_pk_fp4_bf16(uint32_t site, uint32_t old,
                                            const void *source, uint32_t bytes,
                                            float scale, uint32_t byte);
#define LPGEMM_CVT_TO_6(small, large)                                          \
  void emu_rocdl_cvt_scalef32_pk32_##small##_##large(                          \
      uint32_t site, void *result, uint32_t bytes, const void *source,         \
      uint32_t sourceBytes, float scale);
#define LPGEMM_CVT_TO_6_OF(small)                                              \
  void emu_rocdl_cvt_scalef32_2xpk16_##small##_f32(                            \
      uint32_t site, void *result, uint32_t bytes, const void *even,           \
      uint32_t evenBytes, const void *odd, uint32_t oddBytes, float scale);    \
  LPGEMM_CVT_TO_6(small, f16)                                                  \
  LPGEMM_CVT_TO_6(small, bf16)
LPGEMM_CVT_TO_6_OF(fp6)
LPGEMM_CVT_TO_6_OF(bf6)
#undef LPGEMM_CVT_TO_6_OF
#undef LPGEMM_CVT_TO_6
#undef LPGEMM_CVT_SCALED_32
#undef LPGEMM_CVT_SCALED

// Waves and workgroups.
void emu_rocdl_readfirstlane(uint32_t site, void *result, uint32_t resultBytes,
                             const void *source, uint32_t sourceBytes);
void emu_rocdl_readlane(uint32_t site, void *result, uint32_t resultBytes,
                        const void *source, uint32_t sourceBytes,
                        uint32_t lane);
uint64_t emu_rocdl_ballot(uint32_t site, uint32_t predicate);
uint32_t emu_rocdl_ds_swizzle(uint32_t site, uint32_t source, uint32_t offset);
uint32_t emu_rocdl_ds_bpermute(uint32_t site, uint32_t index, uint32_t source);
void emu_rocdl_update_dpp(uint32_t site, void *result, uint32_t resultBytes,
                          const void *old, uint32_t oldBytes,
                          const void *source, uint32_t sourceBytes,
                          uint32_t control, uint32_t rowMask, uint32_t bankMask,
                          uint32_t boundControl);
void emu_rocdl_s_barrier(uint32_t site);
void emu_rocdl_barrier(uint32_t site);
void emu_rocdl_s_waitcnt(uint32_t site, uint32_t bitfield);
void emu_release_fence();

// Memory.
void emu_lds_load(uint32_t site, const void *address, uint32_t bytes);
void emu_lds_load_across_barrier(uint32_t site, const void *address,
                                 uint32_t bytes);
void emu_lds_store(uint32_t site, const void *address, uint32_t bytes);
#define LPGEMM_TRANSPOSED_READ(name)                                           \
  void emu_rocdl_ds_read_##name(uint32_t site, void *result, uint32_t bytes,   \
                                const void *address, uint32_t acrossBarrier);
LPGEMM_TRANSPOSED_READ(tr4_b64)
LPGEMM_TRANSPOSED_READ(tr6_b96)
LPGEMM_TRANSPOSED_READ(tr8_b64)
LPGEMM_TRANSPOSED_READ(tr16_b64)
#undef LPGEMM_TRANSPOSED_READ
void emu_global_load(uint32_t site, const void *address, uint32_t bytes);
void emu_global_store(uint32_t site, const void *address, uint32_t bytes);
void emu_global_atomic(uint32_t site, const void *address, uint32_t bytes);
void *emu_rocdl_make_buffer_rsrc(uint32_t site, void *base, uint32_t stride,
                                 uint64_t numRecords, uint32_t flags);
void emu_rocdl_raw_ptr_buffer_load(uint32_t site, void *result, uint32_t bytes,
                                   const void *resource, uint32_t voffset,
                                   uint32_t soffset, uint32_t aux);
void emu_rocdl_raw_ptr_buffer_store(uint32_t site, const void *data,
                                    uint32_t bytes, const void *resource,
                                    uint32_t voffset, uint32_t soffset,
                                    uint32_t aux);
#define LPGEMM_BUFFER_ATOMIC(name)                                             \
  void emu_rocdl_raw_ptr_buffer_atomic_##name(                                 \
      uint32_t site, const void *data, uint32_t bytes, const void *resource,   \
      uint32_t voffset, uint32_t soffset, uint32_t aux);
LPGEMM_BUFFER_ATOMIC(fadd)
LPGEMM_BUFFER_ATOMIC(fmax)
LPGEMM_BUFFER_ATOMIC(smax)
LPGEMM_BUFFER_ATOMIC(umin)
#undef LPGEMM_BUFFER_ATOMIC
void emu_rocdl_raw_ptr_buffer_atomic_cmpswap(
    uint32_t site, void *result, uint32_t resultBytes, const void *data,
    uint32_t bytes, uint32_t compare, const void *resource, uint32_t voffset,
    uint32_t soffset, uint32_t aux);
void emu_rocdl_raw_ptr_buffer_load_lds(uint32_t site, const void *resource,
                                       const void *lds, uint32_t bytes,
                                       uint32_t voffset, uint32_t soffset,
                                       uint32_t offset, uint32_t aux);
void emu_rocdl_load_to_lds(uint32_t site, const void *source, const void *lds,
                           uint32_t bytes, uint32_t offset, uint32_t aux);
void emu_rocdl_global_load_lds(uint32_t site, const void *source,
                               const void *lds, uint32_t bytes, uint32_t offset,
                               uint32_t aux);

// Through buffer fat pointers.
void emu_fat_buffer_load(uint32_t site, void *result, uint32_t bytes,
                         const void *pointer);
void emu_fat_buffer_store(uint32_t site, const void *data, uint32_t bytes,
                          const void *pointer);
void emu_fat_buffer_load_lds(uint32_t site, const void *pointer,
                             const void *lds, uint32_t bytes, uint32_t offset,
                             uint32_t aux);

// Matrix products.
void emu_mfma(uint32_t site, void *d, uint32_t dBytes, const uint8_t *a,
              uint32_t aBytes, const uint8_t *b, uint32_t bBytes, const void *c,
              uint32_t cBytes, uint32_t cbsz, uint32_t abid, uint32_t blgp,
              uint32_t instruction);
void emu_mfma_scale(uint32_t site, void *d, uint32_t dBytes, const uint8_t *a,
                    uint32_t aBytes, const uint8_t *b, uint32_t bBytes,
                    const void *c, uint32_t cBytes, uint32_t cbsz,
                    uint32_t blgp, uint32_t opselA, uint32_t scaleA,
                    uint32_t opselB, uint32_t scaleB, uint32_t instruction,
                    uint32_t scaled);

} // extern "C"
// NOLINTEND(readability-identifier-naming)

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_ROCDL_ABI_H
