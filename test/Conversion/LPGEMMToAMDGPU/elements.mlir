// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s

// Conversions of FP8 are instructions of the chip or arithmetic on bits, not
// arith.truncf and arith.extf.

!fc = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
!f8 = !lpgemm.frag<16x16xf8E5M2, <mfma_f32_16x16x32_fp8, c>>
!g8 = !lpgemm.global<?x?xf8E5M2>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  // (C-3) By the chip, of what is in range, or NaN.
  // CHECK-LABEL: gpu.func @encode
  // CHECK-NOT: arith.truncf
  // CHECK-DAG: %[[LARGEST:.*]] = arith.constant 5.734400e+04 : f32
  // CHECK-DAG: %[[LOWEST:.*]] = arith.constant -5.734400e+04 : f32
  // CHECK: %[[X:.*]] = arith.mulf
  // CHECK: %[[ATLEAST:.*]] = arith.maxnumf %[[X]], %[[LOWEST]] : f32
  // CHECK: %[[CLAMPED:.*]] = arith.minnumf %[[ATLEAST]], %[[LARGEST]] : f32
  // CHECK: %[[ISNAN:.*]] = arith.cmpf uno, %[[X]], %[[X]] : f32
  // CHECK: %[[Y:.*]] = arith.select %[[ISNAN]], %[[X]], %[[CLAMPED]] : f32
  // CHECK: rocdl.cvt.pk.bf8.f32 %[[Y]], %[[Y]]
  // CHECK-COUNT-4: rocdl.raw.ptr.buffer.store %{{.*}} : i8
  // CHECK-NOT: rocdl.raw.ptr.buffer.store
  gpu.func @encode(%p: !llvm.ptr, %m: index, %pitch: i64, %x: f32)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %d = lpgemm.bind %p[%m, %m] pitch %pitch : !llvm.ptr to !g8
    %c = lpgemm.splat %x : f32 to !fc
    %y = lpgemm.apply %c {
      ^bb0(%t: f32):
        %0 = arith.mulf %t, %x : f32
        %1 = lpgemm.encode %0 : f32 to f8E5M2
        lpgemm.yield %1 : f8E5M2
    } : !fc -> !f8
    lpgemm.store %y, %d[%c0, %c0] at [%c0, %c0] : !f8 to !g8
    gpu.return
  }

  // (C-4) A constant of its own for what is too large.
  // CHECK-LABEL: gpu.func @nosat
  // CHECK-DAG: %[[LARGEST:.*]] = arith.constant 123 : i32
  // CHECK-DAG: %[[INF:.*]] = arith.constant 124 : i32
  // CHECK: %[[ABOVE:.*]] = arith.cmpi ugt, %[[CODE:.*]], %[[LARGEST]] : i32
  // CHECK: arith.select %[[ABOVE]], %[[INF]], %[[CODE]] : i32
  gpu.func @nosat(%x: f32) -> f8E5M2 attributes {known_block_size = array<i32: 64, 1, 1>} {
    %0 = lpgemm.encode %x nosat : f32 to f8E5M2
    gpu.return %0 : f8E5M2
  }

  // (C-7) Zero has no sign, NaN is 0x80.
  // CHECK-LABEL: gpu.func @fnuz
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[NAN:.*]] = arith.constant 128 : i32
  // CHECK: arith.select %{{.*}}, %{{.*}}, %[[ZERO]] : i32
  // CHECK: arith.select %{{.*}}, %[[NAN]], %{{.*}} : i32
  gpu.func @fnuz(%x: f32) -> f8E4M3FNUZ attributes {known_block_size = array<i32: 64, 1, 1>} {
    %0 = lpgemm.encode %x : f32 to f8E4M3FNUZ
    gpu.return %0 : f8E4M3FNUZ
  }

  // CHECK-LABEL: gpu.func @decode
  // CHECK-NOT: arith.extf
  // CHECK: arith.bitcast %{{.*}} : f8E4M3FN to i8
  // CHECK: arith.bitcast %{{.*}} : i32 to f32
  gpu.func @decode(%x: f8E4M3FN) -> f32 attributes {known_block_size = array<i32: 64, 1, 1>} {
    %0 = lpgemm.decode %x : f8E4M3FN to f32
    gpu.return %0 : f32
  }
}
