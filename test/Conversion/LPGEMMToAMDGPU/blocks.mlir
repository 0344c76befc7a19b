// RUN: lpgemm-opt %s --convert-lpgemm-to-amdgpu --canonicalize --cse | FileCheck %s

// A block of 32 columns is in two atoms of 16, of each of which four lanes have
// the same row; or in one atom of 32, two lanes.

!g = !lpgemm.global<?x?xf8E4M3FN>
!e = !lpgemm.global<?x?xf8E8M0FNU>
!t16 = !lpgemm.frag<16x32xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!q16 = !lpgemm.frag<16x32xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!s16 = !lpgemm.frag<16x1xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, c_row>>
!t32 = !lpgemm.frag<32x32xf32, <mfma_scale_f32_32x32x64_f8f6f4, c>>
!q32 = !lpgemm.frag<32x32xf8E4M3FN, <mfma_scale_f32_32x32x64_f8f6f4, c>>
!s32 = !lpgemm.frag<32x1xf8E8M0FNU, <mfma_scale_f32_32x32x64_f8f6f4, c_row>>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
// CHECK-LABEL: gpu.func @atoms_of_16(
// CHECK-COUNT-7: arith.maxui
// CHECK: arith.xori %{{.*}}, %c16_i32
// CHECK: rocdl.ds_bpermute
// CHECK: arith.maxui
// CHECK: arith.xori %{{.*}}, %c32_i32
// CHECK: rocdl.ds_bpermute
// CHECK: %[[AMAX:.*]] = arith.maxui
// CHECK-NOT: rocdl.ds_bpermute
// (S-15), (S-13)
// CHECK: arith.maxsi %{{.*}}, %c0_i32
// CHECK: %[[CODE:.*]] = arith.minsi %{{.*}}, %c254_i32
// CHECK: %[[BAD:.*]] = arith.cmpi uge, %[[AMAX]], %c2139095040_i32
// CHECK: arith.select %[[BAD]], %c255_i32, %[[CODE]]
// CHECK-COUNT-8: rocdl.cvt.pk.fp8.f32
// CHECK-NOT: rocdl.cvt
// Lanes 0 to 15 store the scales.
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %{{.*}}, %c16_i32
// CHECK: scf.if %[[FIRST]] {
// CHECK: rocdl.raw.ptr.buffer.store {{.*}} : i8
gpu.func @atoms_of_16(%pg: !llvm.ptr, %pe: !llvm.ptr, %x: f32, %m: index,
                      %n: index, %ld: i64, %i: index)
    kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %g = lpgemm.bind %pg[%m, %n] pitch %ld : !llvm.ptr to !g
  %e = lpgemm.bind %pe[%m, %n] pitch %ld : !llvm.ptr to !e
  %t = lpgemm.splat %x : f32 to !t16
  %q, %s = lpgemm.encode_blocks floor %t within %g[%i, %i] at [%i, %i]
      : !t16, !g to !q16, !s16
  lpgemm.store %s, %e[%i, %i] at [%i, %i] : !s16 to !e
  lpgemm.store %q, %g[%i, %i] at [%i, %i] : !q16 to !g
  gpu.return
}

// CHECK-LABEL: gpu.func @atoms_of_32(
// CHECK-COUNT-15: arith.maxui
// CHECK: arith.xori %{{.*}}, %c32_i32
// CHECK: rocdl.ds_bpermute
// CHECK-NOT: rocdl.ds_bpermute
// CHECK-COUNT-16: rocdl.cvt.pk.fp8.f32
// CHECK: arith.cmpi ult, %{{.*}}, %c32_i32
gpu.func @atoms_of_32(%pg: !llvm.ptr, %pe: !llvm.ptr, %x: f32, %m: index,
                      %n: index, %ld: i64, %i: index)
    kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %g = lpgemm.bind %pg[%m, %n] pitch %ld : !llvm.ptr to !g
  %e = lpgemm.bind %pe[%m, %n] pitch %ld : !llvm.ptr to !e
  %t = lpgemm.splat %x : f32 to !t32
  %q, %s = lpgemm.encode_blocks rceil %t within %g[%i, %i] at [%i, %i]
      : !t32, !g to !q32, !s32
  lpgemm.store %s, %e[%i, %i] at [%i, %i] : !s32 to !e
  lpgemm.store %q, %g[%i, %i] at [%i, %i] : !q32 to !g
  gpu.return
}
}
