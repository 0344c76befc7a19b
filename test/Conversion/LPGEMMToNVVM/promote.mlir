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
  // CHECK: arith.select %{{.*}}, %{{.*}}, %c127_i8
  // CHECK: %[[EA:.*]] = arith.addi %{{.*}}, %c-127_i32
  // CHECK: %[[FLOOR:.*]] = arith.shrsi %[[EA]], %c1_i32
  // CHECK: arith.subi %[[EA]], %[[FLOOR]]
  // CHECK: arith.shli %{{.*}}, %c23_i32
  // CHECK: arith.shrsi
  // CHECK: llvm.intr.fma
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
