// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-nvvm,canonicalize,cse))" | FileCheck %s

!acc = !lpgemm.frag<64x16xf32, <wgmma_m64k32_f32_fp8, c>>
!rows = !lpgemm.frag<64x1xf8E8M0FNU, <wgmma_m64k32_f32_fp8, c_row>>
!cols = !lpgemm.frag<16x1xf8E8M0FNU, <wgmma_m64k32_f32_fp8, c_col>>
!colsF = !lpgemm.frag<16x1xf32, <wgmma_m64k32_f32_fp8, c_col>>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!gd = !lpgemm.global<?x?xf32>
!sf = !lpgemm.buf<4x1xf32, shared, <pad = 0, unit = 4, mask = 0, shift = 0>>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  // (G-4) The product of two scales of f8E8M0FNU may be beyond f32: it is applied
  // in two halves. Exponents are halved once for each scale, not for each pair.
  // CHECK-LABEL: gpu.func @exponents
  // The larger half of one meets the smaller one of the other; NaN, which is not
  // a power, is in the smaller one.
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK-DAG: %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
  // CHECK: %[[PART:.*]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK: %[[A:.*]] = arith.select %{{.*}}, %{{.*}}, %c127_i8
  // CHECK: arith.select %{{.*}}, %{{.*}}, %c127_i8
  // CHECK: %[[B:.*]] = arith.select %{{.*}}, %{{.*}}, %c127_i8
  // CHECK: %[[BYTE_A:.*]] = arith.extui %[[A]] : i8 to i32
  // CHECK-NEXT: %[[IS_NAN_A:.*]] = arith.cmpi eq, %[[BYTE_A]], %c255_i32
  // CHECK-NEXT: %[[UNIT_A:.*]] = arith.select %[[IS_NAN_A]], %[[NAN]], %[[ONE]]
  // CHECK-NEXT: %[[EA:.*]] = arith.addi %[[BYTE_A]], %c-127_i32
  // CHECK-NEXT: %[[FLOOR_A:.*]] = arith.shrsi %[[EA]], %c1_i32
  // CHECK-NEXT: %[[CEIL_A:.*]] = arith.subi %[[EA]], %[[FLOOR_A]]
  // CHECK-NEXT: %[[LARGE_CODE_A:.*]] = arith.addi %[[CEIL_A]], %c127_i32
  // CHECK-NEXT: %[[LARGE_BITS_A:.*]] = arith.shli %[[LARGE_CODE_A]], %c23_i32
  // CHECK-NEXT: %[[LARGE_A:.*]] = arith.bitcast %[[LARGE_BITS_A]] : i32 to f32
  // CHECK-NEXT: %[[SMALL_CODE_A:.*]] = arith.addi %[[FLOOR_A]], %c127_i32
  // CHECK-NEXT: %[[SMALL_BITS_A:.*]] = arith.shli %[[SMALL_CODE_A]], %c23_i32
  // CHECK-NEXT: %[[POWER_A:.*]] = arith.bitcast %[[SMALL_BITS_A]] : i32 to f32
  // CHECK-NEXT: %[[SMALL_A:.*]] = arith.mulf %[[POWER_A]], %[[UNIT_A]]
  // CHECK-NEXT: %[[BYTE_B:.*]] = arith.extui %[[B]] : i8 to i32
  // CHECK: %[[EB:.*]] = arith.addi %[[BYTE_B]], %c-127_i32
  // CHECK-NEXT: %[[FLOOR_B:.*]] = arith.shrsi %[[EB]], %c1_i32
  // CHECK-NEXT: %[[CEIL_B:.*]] = arith.subi %[[EB]], %[[FLOOR_B]]
  // CHECK-NEXT: %[[LARGE_CODE_B:.*]] = arith.addi %[[CEIL_B]], %c127_i32
  // CHECK-NEXT: %[[LARGE_BITS_B:.*]] = arith.shli %[[LARGE_CODE_B]], %c23_i32
  // CHECK-NEXT: %[[LARGE_B:.*]] = arith.bitcast %[[LARGE_BITS_B]] : i32 to f32
  // CHECK: %[[SMALL_B:.*]] = arith.mulf
  // CHECK-NEXT: %[[FIRST:.*]] = arith.mulf %[[SMALL_A]], %[[LARGE_B]]
  // CHECK-NEXT: %[[SECOND:.*]] = arith.mulf %[[LARGE_A]], %[[SMALL_B]]
  // CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[PART]], %[[FIRST]]
  // CHECK-NEXT: llvm.intr.fma(%[[SCALED]], %[[SECOND]], %arg4)
  // CHECK-COUNT-4: arith.shrsi
  // CHECK-NOT: arith.shrsi
  // CHECK-NOT: math.fma
  gpu.func @exponents(%p: !llvm.ptr, %d: !llvm.ptr, %n: index, %pitch: i64, %x: f32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %s = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !gs
    %g = lpgemm.bind %d[%n, %n] pitch %pitch : !llvm.ptr to !gd
    lpgemm.roles {
      role mma(%wave) waves(1) {
        %part = lpgemm.load %g[%c0, %c0] at [%c0, %c0] : !gd to !acc
        %sum = lpgemm.splat %x : f32 to !acc
        %sa = lpgemm.load %s[%c0, %c0] at [%c0, %c0] : !gs to !rows
        %sb = lpgemm.load %s[%c0, %c0] at [%c0, %c0] : !gs to !cols
        %r = lpgemm.promote %part, %sum sa(%sa : !rows) sb(%sb : !cols) : !acc, !acc
        lpgemm.store %r, %g[%c0, %c0] at [%c0, %c0] : !acc to !gd
      }
    }
    gpu.return
  }

  // A block of rows that a tile does not leave is read once.
  // CHECK-LABEL: gpu.func @one_block
  // CHECK-COUNT-1: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
  // CHECK-NOT: llvm.load %{{.*}} : !llvm.ptr<3>
  gpu.func @one_block(%d: !llvm.ptr, %n: index, %pitch: i64, %x: f32, %row: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = lpgemm.bind %d[%n, %n] pitch %pitch : !llvm.ptr to !gd
    %buf = lpgemm.alloc {offset = 0 : i64} : !sf
    lpgemm.roles {
      role mma(%wave) waves(1) {
        %part = lpgemm.splat %x : f32 to !acc
        %sb = lpgemm.read %buf[%row, %c0] {row_block = 32 : i64, row_unit = 16 : i64} : !sf to !colsF
        %r = lpgemm.promote %part, %part sb(%sb : !colsF) : !acc, !acc
        lpgemm.store %r, %g[%c0, %c0] at [%c0, %c0] : !acc to !gd
      }
    }
    gpu.return
  }
}
