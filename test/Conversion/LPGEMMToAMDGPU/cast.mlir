// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s

!b8 = !lpgemm.frag<16x32xf8E4M3FNUZ, <mfma_f32_16x16x32_fp8, b>>
!a8 = !lpgemm.frag<16x32xf8E4M3FNUZ, <mfma_f32_16x16x32_fp8, a>>
!c = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
!gd = !lpgemm.global<?x?xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
// (C-17) Four codes in a word: a magnitude of 0x7F is NaN, 0x80 is zero, and all
// others stay.

// CHECK-LABEL: gpu.func @e4m3(
// CHECK-DAG: %[[M7F:.*]] = arith.constant 2139062143 : i32
// CHECK-DAG: %[[M80:.*]] = arith.constant -2139062144 : i32
// CHECK: %[[W:.*]] = vector.extract %{{.*}}[0] : i32 from vector<2xi32>
// CHECK: %[[W1:.*]] = vector.extract %{{.*}}[1] : i32 from vector<2xi32>
// CHECK: %[[MAG:.*]] = arith.andi %[[W]], %[[M7F]]
// CHECK: arith.xori %[[MAG]], %[[M7F]]
// CHECK: %[[V:.*]] = vector.from_elements %{{.*}}, %{{.*}} : vector<2xi32>
// CHECK: %[[CODES:.*]] = vector.bitcast %[[V]] : vector<2xi32> to vector<8xf8E4M3FNUZ>
// CHECK: amdgpu.mfma 16x16x32 %{{.*}} * %[[CODES]] + %{{.*}} : vector<8xf8E4M3FNUZ>, vector<8xf8E4M3FNUZ>, vector<4xf32>
gpu.func @e4m3(%p: !llvm.ptr, %m: index, %ld: i64, %x: f8E4M3FNUZ, %z: f32)
    kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %g = lpgemm.bind %p[%m, %m] pitch %ld : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
  %d = lpgemm.bind %p[%m, %m] pitch %ld : !llvm.ptr to !gd
  %a = lpgemm.load %g[%c0, %c0] at [%c0, %c0] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<16x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
  %a8 = lpgemm.cast %a : !lpgemm.frag<16x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>> to !a8
  %b8 = lpgemm.splat %x : f8E4M3FNUZ to !b8
  %c = lpgemm.splat %z : f32 to !c
  %r = lpgemm.mma <mfma_f32_16x16x32_fp8> %a8, %b8, %c : !a8, !b8, !c
  lpgemm.store %r, %d[%c0, %c0] at [%c0, %c0] : !c to !gd
  gpu.return
}

// (C-17) Infinity and all above it are not finite.

// CHECK-LABEL: gpu.func @e5m2(
// CHECK: %[[C4:.*]] = arith.constant 67372036 : i32
// CHECK: %[[MAG:.*]] = arith.andi %{{.*}}, %c2139062143_i32
// CHECK: arith.addi %[[MAG]], %[[C4]]
// CHECK: vector.bitcast %{{.*}} : vector<2xi32> to vector<8xf8E5M2FNUZ>
gpu.func @e5m2(%p: !llvm.ptr, %m: index, %ld: i64, %x: f8E4M3FNUZ, %z: f32)
    kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %g = lpgemm.bind %p[%m, %m] pitch %ld : !llvm.ptr to !lpgemm.global<?x?xf8E5M2>
  %d = lpgemm.bind %p[%m, %m] pitch %ld : !llvm.ptr to !gd
  %a = lpgemm.load %g[%c0, %c0] at [%c0, %c0] : !lpgemm.global<?x?xf8E5M2> to !lpgemm.frag<16x32xf8E5M2, <mfma_f32_16x16x32_fp8, a>>
  %a8 = lpgemm.cast %a : !lpgemm.frag<16x32xf8E5M2, <mfma_f32_16x16x32_fp8, a>> to !lpgemm.frag<16x32xf8E5M2FNUZ, <mfma_f32_16x16x32_fp8, a>>
  %b8 = lpgemm.splat %x : f8E4M3FNUZ to !b8
  %c = lpgemm.splat %z : f32 to !c
  %r = lpgemm.mma <mfma_f32_16x16x32_fp8> %a8, %b8, %c : !lpgemm.frag<16x32xf8E5M2FNUZ, <mfma_f32_16x16x32_fp8, a>>, !b8, !c
  lpgemm.store %r, %d[%c0, %c0] at [%c0, %c0] : !c to !gd
  gpu.return
}

// (C-10) The magnitude as upper bits of an f32, by 2^120; the upper half of that;
// 0x7F is NaN; the sign.

// CHECK-LABEL: gpu.func @to_bf16(
// CHECK-DAG: %[[POWER:.*]] = arith.constant 1.32922{{.*}} : f32
// CHECK: %[[CODE:.*]] = arith.andi %[[WORD:.*]], %c255_i32
// CHECK: %[[MAG:.*]] = arith.andi %[[CODE]], %c127_i32
// CHECK: %[[BITS:.*]] = arith.shli %[[MAG]], %c20_i32
// CHECK: %[[SMALL:.*]] = arith.bitcast %[[BITS]] : i32 to f32
// CHECK: %[[VALUE:.*]] = arith.mulf %[[SMALL]], %[[POWER]]
// CHECK: %[[I:.*]] = arith.bitcast %[[VALUE]] : f32 to i32
// CHECK: %[[HALF:.*]] = arith.shrui %[[I]], %c16_i32
// CHECK: %[[NAN:.*]] = arith.shli %[[MAG]], %c4_i32
// CHECK: %[[NAN1:.*]] = arith.ori %[[NAN]], %c32640_i32
// CHECK: %[[ABOVE:.*]] = arith.cmpi uge, %[[MAG]], %c127_i32
// CHECK: %[[S:.*]] = arith.select %[[ABOVE]], %[[NAN1]], %[[HALF]]
// CHECK: %[[SIGN:.*]] = arith.andi %[[CODE]], %c128_i32
// CHECK: %[[SIGN1:.*]] = arith.shli %[[SIGN]], %c8_i32
// CHECK: %[[E:.*]] = arith.ori %[[S]], %[[SIGN1]]
// CHECK: arith.trunci %[[E]] : i32 to i16
// CHECK: arith.shrui %[[WORD]], %c8_i32
// CHECK: vector.from_elements {{.*}} : vector<4xi16>
// CHECK: vector.bitcast {{.*}} : vector<4xi16> to vector<4xbf16>
// CHECK: amdgpu.mfma 16x16x16 {{.*}} : vector<4xbf16>, vector<4xbf16>, vector<4xf32>
gpu.func @to_bf16(%p: !llvm.ptr, %m: index, %ld: i64, %x: bf16, %z: f32)
    kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %g = lpgemm.bind %p[%m, %m] pitch %ld : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
  %d = lpgemm.bind %p[%m, %m] pitch %ld : !llvm.ptr to !gd
  %a = lpgemm.load %g[%c0, %c0] at [%c0, %c0] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<16x16xf8E4M3FN, <mfma_f32_16x16x16_bf16, a>>
  %ab = lpgemm.cast %a : !lpgemm.frag<16x16xf8E4M3FN, <mfma_f32_16x16x16_bf16, a>> to !lpgemm.frag<16x16xbf16, <mfma_f32_16x16x16_bf16, a>>
  %bb = lpgemm.splat %x : bf16 to !lpgemm.frag<16x16xbf16, <mfma_f32_16x16x16_bf16, b>>
  %c = lpgemm.splat %z : f32 to !lpgemm.frag<16x16xf32, <mfma_f32_16x16x16_bf16, c>>
  %r = lpgemm.mma <mfma_f32_16x16x16_bf16> %ab, %bb, %c : !lpgemm.frag<16x16xbf16, <mfma_f32_16x16x16_bf16, a>>, !lpgemm.frag<16x16xbf16, <mfma_f32_16x16x16_bf16, b>>, !lpgemm.frag<16x16xf32, <mfma_f32_16x16x16_bf16, c>>
  lpgemm.store %r, %d[%c0, %c0] at [%c0, %c0] : !lpgemm.frag<16x16xf32, <mfma_f32_16x16x16_bf16, c>> to !gd
  gpu.return
}
}
