// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-pipeline))" | FileCheck %s
// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-pipeline,lpgemm-assign-pipeline))" | FileCheck %s

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!buf = !lpgemm.buf<32x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
!a = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!b = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!sa = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
!sb = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
!c = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
#s1 = #lpgemm.schedule<tile = [32, 32, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 1>
#s2 = #lpgemm.schedule<tile = [32, 32, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 2>

gpu.module @m {
// What reads global memory is a stage ahead, with the arithmetic that it needs.

// CHECK-LABEL: gpu.func @two_stages(
// CHECK: scf.for %[[K:.*]] = %{{.*}} to
// CHECK-NEXT: %[[F:.*]] = lpgemm.fetch %{{.*}}[%{{.*}}, %[[K]]] for !lpgemm.buf<32x128xf8E4M3FN, {{.*}}> {lpgemm.cluster = 1 : i32, lpgemm.stage = 0 : i32} : <?x?xf8E4M3FN> to vector<4xi32>
// CHECK-NEXT: %[[T:.*]] = lpgemm.put %[[F]] into %{{.*}} {lpgemm.cluster = 0 : i32, lpgemm.stage = 1 : i32} : vector<4xi32> to
// CHECK-NEXT: lpgemm.wait %[[T]] {lpgemm.cluster = 0 : i32, lpgemm.stage = 1 : i32}
// CHECK-NEXT: lpgemm.barrier {lpgemm.cluster = 0 : i32, lpgemm.stage = 1 : i32}
// CHECK-NEXT: lpgemm.read {{.*}} {lpgemm.cluster = 2 : i32, lpgemm.stage = 1 : i32}
// CHECK-NEXT: arith.divui {{.*}} {lpgemm.cluster = 1 : i32, lpgemm.stage = 0 : i32}
// CHECK-NEXT: lpgemm.load {{.*}} {lpgemm.cluster = 1 : i32, lpgemm.stage = 0 : i32}
// CHECK-NEXT: lpgemm.mma {{.*}} {lpgemm.cluster = 2 : i32, lpgemm.stage = 1 : i32}
// CHECK-NEXT: lpgemm.wait {lpgemm.cluster = 2 : i32, lpgemm.stage = 1 : i32}
// CHECK-NEXT: lpgemm.barrier {lpgemm.cluster = 2 : i32, lpgemm.stage = 1 : i32}
gpu.func @two_stages(%a: !g8, %s: !gs, %buf: !buf, %b: !b, %sb: !sb,
                %init: !c, %i: index, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s2} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %t = lpgemm.copy %a[%i, %kk] into %buf : !g8 to !buf
    lpgemm.wait %t
    lpgemm.barrier
    %x = lpgemm.read %buf[%c0, %c0] : !buf to !a
    %kb = arith.divui %kk, %c32 : index
    %sa = lpgemm.load %s[%i, %kb] at [%c0, %c0] : !gs to !sa
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %x, %b, %acc
        sa(%sa : !sa) sb(%sb : !sb) : !a, !b, !c
    lpgemm.wait
    lpgemm.barrier
    scf.yield %p : !c
  }
  gpu.return
}

// CHECK-LABEL: gpu.func @one_stage(
// CHECK: lpgemm.copy
// CHECK-NOT: lpgemm.stage
// CHECK: gpu.return
gpu.func @one_stage(%a: !g8, %s: !gs, %buf: !buf, %b: !b, %sb: !sb,
                %init: !c, %i: index, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s1} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %t = lpgemm.copy %a[%i, %kk] into %buf : !g8 to !buf
    lpgemm.wait %t
    lpgemm.barrier
    %x = lpgemm.read %buf[%c0, %c0] : !buf to !a
    %kb = arith.divui %kk, %c32 : index
    %sa = lpgemm.load %s[%i, %kb] at [%c0, %c0] : !gs to !sa
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %x, %b, %acc
        sa(%sa : !sa) sb(%sb : !sb) : !a, !b, !c
    lpgemm.wait
    lpgemm.barrier
    scf.yield %p : !c
  }
  gpu.return
}
}
