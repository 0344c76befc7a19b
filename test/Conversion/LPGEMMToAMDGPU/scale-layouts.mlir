// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s

// (SL-0) Scales in layouts of tiles: a lane takes its byte from where the index
// of the layout says.

!ga = !lpgemm.global<?x?xf8E8M0FNU, swz128x4>
!gb = !lpgemm.global<?x?xf8E8M0FNU, mn_tma_ue8m0x4>
!sa = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
!sb = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
!fa = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!fb = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!fc = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!gd = !lpgemm.global<?x?xf32>

// CHECK-LABEL: gpu.func @layouts(
// CHECK-SAME: %[[PA:[a-z0-9]+]]: !llvm.ptr, %[[PB:[a-z0-9]+]]: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr,
// CHECK-SAME: %[[M:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index, %[[LDA:[a-z0-9]+]]: i64, %[[LDB:[a-z0-9]+]]: i64, %{{[a-z0-9]+}}: i64,
// CHECK-SAME: %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index,

// What is in front of the tile of 128 x 4 that the start lies in is for the
// base, in 64 bits; the rest of the position, in 32 bits, for the offset.
// CHECK: %[[RI:.*]] = arith.remui %[[I]], %c128 : index
// CHECK: %[[TI:.*]] = arith.subi %[[I]], %[[RI]] : index
// CHECK: %[[RI32:.*]] = arith.index_cast %[[RI]] : index to i32
// CHECK: %[[RJ:.*]] = arith.remui %[[J]], %c4 : index
// CHECK: %[[TJ:.*]] = arith.subi %[[J]], %[[RJ]] : index
// CHECK: %[[RJ32:.*]] = arith.index_cast %[[RJ]] : index to i32
// CHECK: %[[MI:.*]] = arith.subi %[[M]], %[[TI]] : index
// CHECK: %[[ROWS:.*]] = arith.index_cast %[[MI]] : index to i32
// CHECK: %[[KJ:.*]] = arith.subi %[[K]], %[[TJ]] : index
// CHECK: %[[COLS:.*]] = arith.index_cast %[[KJ]] : index to i32
// CHECK: %[[PITCH:.*]] = arith.trunci %[[LDA]] : i64 to i32
// CHECK: %[[T0:.*]] = arith.divui %[[TI]], %c128
// CHECK: %[[T064:.*]] = arith.index_cast %[[T0]] : index to i64
// CHECK: arith.muli %[[T064]], %[[LDA]] : i64
// CHECK: %[[T1:.*]] = arith.divui %[[TJ]], %c4
// CHECK: arith.muli %[[T1]], %c512
// CHECK: %[[BASE:.*]] = llvm.getelementptr %[[PA]]
// CHECK: %[[RSRC:.*]] = rocdl.make.buffer.rsrc %[[BASE]], %c0_i16, %c2147483647_i64,

// Lane l has row l % 16 and block l / 16. Between the scales lies padding, so
// that each is checked.
// CHECK: %[[LANE:.*]] = arith.remui %{{.*}}, %c64_i32
// CHECK: %[[B:.*]] = arith.divui %[[LANE]], %c16_i32
// CHECK: %[[ROW32:.*]] = arith.addi %[[RI32]], %[[R:.*]] : i32
// CHECK: %[[COL32:.*]] = arith.addi %[[RJ32]], %[[B]] : i32
// CHECK: %[[INROW:.*]] = arith.cmpi slt, %[[ROW32]], %[[ROWS]]
// CHECK: %[[INCOL:.*]] = arith.cmpi slt, %[[COL32]], %[[COLS]]
// CHECK: %[[IN:.*]] = arith.andi %[[INROW]], %[[INCOL]]
// CHECK: %[[ROW:.*]] = arith.index_cast %[[ROW32]] : i32 to index
// CHECK: %[[COL:.*]] = arith.index_cast %[[COL32]] : i32 to index
// r / 128 * pitch + b / 4 * 512 + r % 32 * 16 + r % 128 / 32 * 4 + b % 4.
// CHECK: %[[X0:.*]] = arith.divui %[[ROW]], %c128
// CHECK: %[[X032:.*]] = arith.index_cast %[[X0]] : index to i32
// CHECK: %[[Y0:.*]] = arith.muli %[[X032]], %[[PITCH]] : i32
// CHECK: %[[X1:.*]] = arith.divui %[[COL]], %c4
// CHECK: %[[Y1:.*]] = arith.muli %[[X1]], %c512
// CHECK: %[[X2:.*]] = arith.remui %[[ROW]], %c32
// CHECK: %[[Y2:.*]] = arith.muli %[[X2]], %c16
// CHECK: %[[S2:.*]] = arith.addi %[[Y1]], %[[Y2]]
// CHECK: %[[X3:.*]] = arith.remui %[[ROW]], %c128
// CHECK: %[[X3B:.*]] = arith.divui %[[X3]], %c32
// CHECK: %[[Y3:.*]] = arith.muli %[[X3B]], %c4
// CHECK: %[[S3:.*]] = arith.addi %[[S2]], %[[Y3]]
// CHECK: %[[X4:.*]] = arith.remui %[[COL]], %c4
// CHECK: %[[S4:.*]] = arith.addi %[[S3]], %[[X4]]
// CHECK: %[[S432:.*]] = arith.index_cast %[[S4]] : index to i32
// CHECK: %[[SUM:.*]] = arith.addi %[[Y0]], %[[S432]] : i32
// CHECK: %[[OFFSET:.*]] = arith.select %[[IN]], %[[SUM]], %c2147483647_i32
// CHECK: %[[BYTE:.*]] = rocdl.raw.ptr.buffer.load %[[RSRC]], %[[OFFSET]], {{.*}} : i8
// A scale outside is 1.0.
// CHECK: %[[SCALE:.*]] = arith.select %[[IN]], %[[BYTE]], %c127_i8

// The other layout has no tiles along the rows: b / 4 * pitch + r * 4 + b % 4.
// CHECK: arith.subi %[[N]], %[[I]] : index
// CHECK: %[[TB:.*]] = arith.index_cast %[[T1]] : index to i64
// CHECK: arith.muli %[[TB]], %[[LDB]] : i64
// CHECK: arith.muli %[[I]], %c4
// CHECK: %[[BASE:.*]] = llvm.getelementptr %[[PB]]
// CHECK: %[[RSRC:.*]] = rocdl.make.buffer.rsrc %[[BASE]], %c0_i16, %c2147483647_i64,
// CHECK: %[[IN:.*]] = arith.andi
// CHECK: %[[X0:.*]] = arith.index_cast %[[X1]] : index to i32
// CHECK: %[[Y0:.*]] = arith.muli %[[X0]], %{{.*}} : i32
// CHECK: %[[Y1:.*]] = arith.muli %{{.*}}, %c4 : index
// CHECK: %[[S:.*]] = arith.addi %[[Y1]], %[[X4]] : index
// CHECK: %[[S32:.*]] = arith.index_cast %[[S]] : index to i32
// CHECK: %[[SUM:.*]] = arith.addi %[[Y0]], %[[S32]] : i32
// CHECK: %[[OFFSET:.*]] = arith.select %[[IN]], %[[SUM]], %c2147483647_i32
// CHECK: rocdl.raw.ptr.buffer.load %[[RSRC]], %[[OFFSET]], {{.*}} : i8
// Words are packed in front of the product.
// CHECK: %[[WORD:.*]] = vector.from_elements %[[SCALE]], %c0_i8, %c0_i8, %c0_i8 : vector<4xi8>
// CHECK: %[[SA:.*]] = vector.bitcast %[[WORD]] : vector<4xi8> to vector<4xf8E8M0FNU>
// CHECK: %[[SB:.*]] = vector.bitcast %{{.*}} : vector<4xi8> to vector<4xf8E8M0FNU>
// CHECK: amdgpu.scaled_mfma 16x16x128 (%[[SB]][0] * %{{.*}}) * (%[[SA]][0] * %{{.*}})
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @layouts(%pa: !llvm.ptr, %pb: !llvm.ptr, %pd: !llvm.ptr, %m: index,
                  %n: index, %k: index, %lda: i64, %ldb: i64, %ldd: i64,
                  %i: index, %j: index, %x: f8E4M3FN)
    kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %ga = lpgemm.bind %pa[%m, %k] pitch %lda : !llvm.ptr to !ga
  %gb = lpgemm.bind %pb[%n, %k] pitch %ldb : !llvm.ptr to !gb
  %d = lpgemm.bind %pd[%m, %n] pitch %ldd : !llvm.ptr to !gd
  %sa = lpgemm.load %ga[%i, %j] at [%c0, %c0] : !ga to !sa
  %sb = lpgemm.load %gb[%i, %j] at [%c0, %c0] : !gb to !sb
  %a = lpgemm.splat %x : f8E4M3FN to !fa
  %b = lpgemm.splat %x : f8E4M3FN to !fb
  %c = lpgemm.splat %zero : f32 to !fc
  %r = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      sa(%sa : !sa) sb(%sb : !sb) : !fa, !fb, !fc
  lpgemm.store %r, %d[%c0, %c0] at [%c0, %c0] : !fc to !gd
  gpu.return
}
}
