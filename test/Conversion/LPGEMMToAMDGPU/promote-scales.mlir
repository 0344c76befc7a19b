// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s

// Promotions by scales of every type, on both sides and on one.

!p = !lpgemm.frag<16x16xi32, <mfma_i32_16x16x32_i8, c>>
!c = !lpgemm.frag<16x16xf32, <mfma_i32_16x16x32_i8, c>>
!row = !lpgemm.frag<16x1xbf16, <mfma_i32_16x16x32_i8, c_row>>
!col = !lpgemm.frag<16x1xf32, <mfma_i32_16x16x32_i8, c_col>>
!row43 = !lpgemm.frag<16x1xf8E4M3FN, <mfma_i32_16x16x32_i8, c_row>>
!col8 = !lpgemm.frag<16x1xf8E8M0FNU, <mfma_i32_16x16x32_i8, c_col>>
!gd = !lpgemm.global<?x?xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
// (I-2) A part of i32 is rounded, and the product of the scales; then one fma.

// CHECK-LABEL: gpu.func @i32(
// CHECK-SAME: %[[ROW:[a-z0-9]+]]: bf16, %{{[a-z0-9]+}}: f32)
// CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : vector<4xf32>
// CHECK: %[[C0:.*]] = vector.extract %{{.*}}[0] : f32 from vector<4xf32>
// CHECK: %[[P:.*]] = arith.sitofp %{{.*}} : vector<4xi32> to vector<4xf32>
// CHECK: %[[P2:.*]] = arith.mulf %[[P]], %[[TWO]]
// CHECK: %[[R:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[F:.*]] = arith.mulf %[[R]], %[[C0]] : f32
// CHECK: %[[FS:.*]] = vector.from_elements %[[F]], {{.*}} : vector<4xf32>
// CHECK: math.fma %[[P2]], %[[FS]], %{{.*}} : vector<4xf32>
gpu.func @i32(%pd: !llvm.ptr, %m: index, %ld: i64, %i: i32, %x: f32, %s: bf16,
              %t: f32) kernel
    attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %d = lpgemm.bind %pd[%m, %m] pitch %ld : !llvm.ptr to !gd
  %row = lpgemm.splat %s : bf16 to !row
  %col = lpgemm.splat %t : f32 to !col
  %p = lpgemm.splat %i : i32 to !p
  %c = lpgemm.splat %x : f32 to !c
  %v = lpgemm.promote %p, %c sa(%row : !row) sb(%col : !col)
      {exponent = 1 : i64} : !p, !c
  lpgemm.store %v, %d[%c0, %c0] at [%c0, %c0] : !c to !gd
  gpu.return
}

// A scale of one side is the factor itself.

// CHECK-LABEL: gpu.func @one_side(
// CHECK-SAME: %[[COL:[a-z0-9]+]]: f32)
// CHECK: %[[BITS:.*]] = arith.bitcast %[[COL]] : f32 to i32
// CHECK: %[[FI:.*]] = vector.broadcast %[[BITS]] : i32 to vector<4xi32>
// CHECK: %[[F:.*]] = vector.bitcast %[[FI]] : vector<4xi32> to vector<4xf32>
// CHECK: math.fma %[[X:.*]], %[[F]], %[[X]] : vector<4xf32>
gpu.func @one_side(%pd: !llvm.ptr, %m: index, %ld: i64, %x: f32, %t: f32) kernel
    attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %d = lpgemm.bind %pd[%m, %m] pitch %ld : !llvm.ptr to !gd
  %col = lpgemm.splat %t : f32 to !col
  %c = lpgemm.splat %x : f32 to !c
  %v = lpgemm.promote %c, %c sb(%col : !col) : !c, !c
  lpgemm.store %v, %d[%c0, %c0] at [%c0, %c0] : !c to !gd
  gpu.return
}

// (S-8) The sign of a scale in f8E4M3FN does not count, and 0x7F is NaN.
// Next to it a power of two is decoded: byte 0 is 2^-127, 255 NaN.

// CHECK-LABEL: gpu.func @e4m3(
// CHECK-DAG: %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK-DAG: %[[POWER:.*]] = arith.constant 1.32922{{.*}} : f32
// CHECK: %[[ROW_BYTE:.*]] = arith.extui %{{.*}} : i8 to i32
// CHECK: %[[MAG:.*]] = arith.andi %[[ROW_BYTE]], %c127_i32
// CHECK: %[[UPPER:.*]] = arith.shli %[[MAG]], %c20_i32
// CHECK: %[[SMALL:.*]] = arith.bitcast %[[UPPER]] : i32 to f32
// CHECK: %[[VALUE:.*]] = arith.mulf %[[SMALL]], %[[POWER]]
// CHECK: %[[IS_127:.*]] = arith.cmpi eq, %[[MAG]], %c127_i32
// CHECK: %[[ROW:.*]] = arith.select %[[IS_127]], %[[NAN]], %[[VALUE]]
// CHECK: %[[COL_BYTE:.*]] = arith.extui %{{.*}} : i8 to i32
// CHECK: %[[SHIFTED:.*]] = arith.shli %[[COL_BYTE]], %c23_i32
// CHECK: %[[IS_0:.*]] = arith.cmpi eq, %[[COL_BYTE]], %c0_i32
// CHECK: %[[BITS:.*]] = arith.select %[[IS_0]], %c4194304_i32, %[[SHIFTED]]
// CHECK: %[[E8M0:.*]] = arith.bitcast %[[BITS]] : i32 to f32
// CHECK: %[[IS_255:.*]] = arith.cmpi eq, %[[COL_BYTE]], %c255_i32
// CHECK: %[[COL:.*]] = arith.select %[[IS_255]], %[[NAN]], %[[E8M0]]
// CHECK: arith.mulf %[[ROW]], %[[COL]] : f32
// CHECK: math.fma
gpu.func @e4m3(%pd: !llvm.ptr, %m: index, %ld: i64, %x: f32, %s: f8E4M3FN,
               %t: f8E8M0FNU) kernel
    attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %d = lpgemm.bind %pd[%m, %m] pitch %ld : !llvm.ptr to !gd
  %row = lpgemm.splat %s : f8E4M3FN to !row43
  %col = lpgemm.splat %t : f8E8M0FNU to !col8
  %c = lpgemm.splat %x : f32 to !c
  %v = lpgemm.promote %c, %c sa(%row : !row43) sb(%col : !col8) : !c, !c
  lpgemm.store %v, %d[%c0, %c0] at [%c0, %c0] : !c to !gd
  gpu.return
}

// (G-4) A power of two alone, and the exponent, are added; and so is the exponent
// alone.

// CHECK-LABEL: gpu.func @exponents(
// CHECK: %[[BYTE:.*]] = arith.extui %{{.*}} : i8 to i32
// CHECK: %[[IS_NAN:.*]] = arith.cmpi eq, %[[BYTE]], %c255_i32
// CHECK: %[[UNIT:.*]] = arith.select %[[IS_NAN]], %{{.*}}, %[[ONE:.*]] : f32
// CHECK: %[[E:.*]] = arith.addi %[[BYTE]], %c-125_i32
// CHECK: %[[V:.*]] = llvm.intr.ldexp(%{{.*}}, %[[E]]) : (f32, i32) -> f32
// CHECK-NOT: arith.mulf
// CHECK: %[[VS:.*]] = vector.from_elements %[[V]], {{.*}} : vector<4xf32>
// CHECK: %[[UNITS:.*]] = vector.from_elements %[[UNIT]], {{.*}} : vector<4xf32>
// CHECK: math.fma %[[VS]], %[[UNITS]], %{{.*}} : vector<4xf32>
// CHECK-NOT: arith.mulf
// CHECK: llvm.intr.ldexp(%{{.*}}, %c2_i32) : (f32, i32) -> f32
// CHECK-NOT: arith.select {{.*}} : f32
gpu.func @exponents(%pd: !llvm.ptr, %m: index, %ld: i64, %x: f32,
                    %t: f8E8M0FNU) kernel
    attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %d = lpgemm.bind %pd[%m, %m] pitch %ld : !llvm.ptr to !gd
  %col = lpgemm.splat %t : f8E8M0FNU to !col8
  %c = lpgemm.splat %x : f32 to !c
  %v = lpgemm.promote %c, %c sb(%col : !col8) {exponent = 2 : i64} : !c, !c
  %w = lpgemm.promote %c, %v {exponent = 2 : i64} : !c, !c
  lpgemm.store %w, %d[%c0, %c0] at [%c0, %c0] : !c to !gd
  gpu.return
}
}
