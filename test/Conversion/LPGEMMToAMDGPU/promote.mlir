// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s

!fa = !lpgemm.frag<16x64xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
!fb = !lpgemm.frag<32x64xf8E4M3FN, <mfma_f32_16x16x32_fp8, b>>
!fa1 = !lpgemm.frag<16x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
!fb1 = !lpgemm.frag<32x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, b>>
!fc = !lpgemm.frag<16x32xf32, <mfma_f32_16x16x32_fp8, c>>
!fsa = !lpgemm.frag<16x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_row>>
!fsb = !lpgemm.frag<32x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_col>>
!g8 = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!gd = !lpgemm.global<?x?xf32>

// CHECK-LABEL: gpu.func @promote
// 8-byte chunks; of two atoms of a, and of two rows of two atoms of b, only
// those at column 32 are used.
// CHECK: %[[A:.*]] = scf.if %{{.*}} -> (vector<2xi32>) {
// CHECK: %[[OFF:.*]] = arith.addi %{{.*}}, %c32_i32
// CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[OFF]], {{.*}} : vector<2xi32>
// CHECK: scf.for %{{.*}} = %c0_i32 to %c2_i32 step %c1_i32
// CHECK: %[[A1:.*]] = vector.bitcast %[[A]] : vector<2xi32> to vector<8xf8E4M3FN>
// CHECK: %[[B:.*]]:2 = scf.if %{{.*}} -> (vector<2xi32>, vector<2xi32>) {
// CHECK: %[[B01:.*]] = vector.bitcast %[[B]]#0 : vector<2xi32> to vector<8xf8E4M3FN>
// CHECK: %[[B11:.*]] = vector.bitcast %[[B]]#1 : vector<2xi32> to vector<8xf8E4M3FN>
// Four columns of the accumulator in a lane, but one row.
// CHECK: %[[SA:.*]] = arith.select %{{.*}}, %{{.*}}, %c127_i8 : i8
// CHECK: vector.from_elements {{.*}} : vector<4xi8>
// CHECK: %[[SB:.*]] = vector.bitcast %{{.*}} : vector<4xi8> to vector<4xf8E8M0FNU>
// CHECK: %[[P0:.*]] = amdgpu.mfma 16x16x32 %[[B01]] * %[[A1]] + %{{.*}} : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<4xf32>
// CHECK: %[[P1:.*]] = amdgpu.mfma 16x16x32 %[[B11]] * %[[A1]] + %{{.*}}
// The exponents are added: the product of the scales may be out of range.
// CHECK: %[[E:.*]] = vector.extract %[[SB]][0]
// CHECK: %[[X:.*]] = arith.extui %[[SA]] : i8 to i32
// CHECK: %[[NAN_A:.*]] = arith.cmpi eq, %[[X]], %c255_i32
// CHECK: %[[UNIT_A:.*]] = arith.select %[[NAN_A]], %[[NAN:.*]], %[[ONE:.*]] : f32
// CHECK: %[[EXP_A:.*]] = arith.addi %[[X]], %c-127_i32
// CHECK: %[[I:.*]] = arith.bitcast %[[E]] : f8E8M0FNU to i8
// CHECK: %[[Y:.*]] = arith.extui %[[I]] : i8 to i32
// CHECK: %[[NAN_B:.*]] = arith.cmpi eq, %[[Y]], %c255_i32
// CHECK: %[[UNIT_B:.*]] = arith.select %[[NAN_B]], %[[NAN]], %[[ONE]] : f32
// CHECK: %[[EXP_B:.*]] = arith.addi %[[Y]], %c-127_i32
// CHECK: %[[EXP:.*]] = arith.addi %[[EXP_B]], %[[EXP_A]]
// CHECK: %[[UNIT:.*]] = arith.mulf %[[UNIT_B]], %[[UNIT_A]] : f32
// CHECK: %[[PART:.*]] = vector.extract %[[P0]][0]
// CHECK: %[[SCALED:.*]] = llvm.intr.ldexp(%[[PART]], %[[EXP]]) : (f32, i32) -> f32
// CHECK: %[[SS:.*]] = vector.from_elements %[[SCALED]], {{.*}} : vector<4xf32>
// CHECK: %[[UNITS:.*]] = vector.from_elements %[[UNIT]], {{.*}} : vector<4xf32>
// CHECK: math.fma %[[SS]], %[[UNITS]], %{{.*}} : vector<4xf32>
// CHECK: math.fma %{{.*}}, %{{.*}}, %{{.*}} : vector<4xf32>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @promote(%pa: !llvm.ptr, %ps: !llvm.ptr, %pd: !llvm.ptr, %m: index, %k: index, %lda: i64)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %a = lpgemm.bind %pa[%m, %k] pitch %lda : !llvm.ptr to !g8
    %s = lpgemm.bind %ps[%m, %k] pitch %lda : !llvm.ptr to !gs
    %d = lpgemm.bind %pd[%m, %m] pitch %lda : !llvm.ptr to !gd
    %fa = lpgemm.load %a[%c0, %c0] at [%c0, %c0] : !g8 to !fa
    %fb = lpgemm.load %a[%c0, %c0] at [%c0, %c0] : !g8 to !fb
    %sa = lpgemm.load %s[%c0, %c0] at [%c0, %c0] : !gs to !fsa
    %sb = lpgemm.load %s[%c0, %c0] at [%c0, %c0] : !gs to !fsb
    %acc = lpgemm.splat %zero : f32 to !fc
    %a1 = lpgemm.slice %fa[32] : !fa to !fa1
    %b1 = lpgemm.slice %fb[32] : !fb to !fb1
    %p = lpgemm.mma <mfma_f32_16x16x32_fp8> %a1, %b1, %acc : !fa1, !fb1, !fc
    %r = lpgemm.promote %p, %acc sa(%sa : !fsa) sb(%sb : !fsb) : !fc, !fc
    lpgemm.store %r, %d[%c0, %c0] at [%c0, %c0] : !fc to !gd
    gpu.return
  }
}
