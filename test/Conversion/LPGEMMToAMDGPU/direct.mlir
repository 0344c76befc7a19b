// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s

// Two atoms of a, each of two 16-byte chunks.
// CHECK-LABEL: gpu.func @direct
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr, %[[PS:[a-z0-9]+]]: !llvm.ptr, %[[PD:[a-z0-9]+]]: !llvm.ptr, %[[M:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index, %[[PITCH:[a-z0-9]+]]: i64,
// CHECK-SAME: %[[ROW:[a-z0-9]+]]: index, %[[COL:[a-z0-9]+]]: index)

// Lane l holds row l % 16, columns 16 * (l / 16) and 64 further on.
// CHECK: %[[LANE:.*]] = arith.remui %{{.*}}, %c64_i32
// CHECK: %[[GROUP:.*]] = arith.divui %[[LANE]], %c16_i32
// CHECK: %[[ALONG:.*]] = arith.muli %[[GROUP]], %c16_i32
// CHECK: %[[ACROSS:.*]] = arith.remui %[[LANE]], %c16_i32

// Rows and columns that are left, from the position on.
// CHECK: %[[EM:.*]] = arith.maxsi %[[M]], %[[ROW]] : index
// CHECK: %[[DM:.*]] = arith.subi %[[EM]], %[[ROW]] : index
// CHECK: %[[LM:.*]] = arith.minsi %[[DM]], %c32 : index
// CHECK: %[[RM:.*]] = arith.index_cast %[[LM]] : index to i64
// CHECK: %[[EK:.*]] = arith.maxsi %[[K]], %[[COL]] : index
// CHECK: %[[DK:.*]] = arith.subi %[[EK]], %[[COL]] : index
// CHECK: %[[LK:.*]] = arith.minsi %[[DK]], %c128 : index
// CHECK: %[[RK:.*]] = arith.index_cast %[[LK]] : index to i64
// CHECK: %[[COL64:.*]] = arith.index_cast %[[COL]] : index to i64
// A single row may have any pitch.
// CHECK: %[[SINGLE:.*]] = arith.cmpi sle, %[[RM]], %c1_i64
// CHECK: %[[USED:.*]] = arith.select %[[SINGLE]], %c128_i64, %[[PITCH]] : i64
// The base, in 64 bits.
// CHECK: %[[ROW64:.*]] = arith.index_cast %[[ROW]] : index to i64
// CHECK: %[[ROWOFF:.*]] = arith.muli %[[ROW64]], %[[PITCH]] : i64
// CHECK: %[[OFF:.*]] = arith.addi %[[ROWOFF]], %[[COL64]] : i64
// CHECK: %[[BASE:.*]] = llvm.getelementptr %[[P]][%[[OFF]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// num_records = (rows - 1) * pitch + columns, 0 if either is 0.
// CHECK: %[[LAST:.*]] = arith.subi %[[RM]], %c1_i64
// CHECK: %[[LASTOFF:.*]] = arith.muli %[[LAST]], %[[USED]] : i64
// CHECK: %[[BYTES:.*]] = arith.addi %[[LASTOFF]], %[[RK]] : i64
// CHECK: %[[AREA:.*]] = arith.muli %[[RM]], %[[RK]] : i64
// CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %[[AREA]], %c0_i64
// CHECK: %[[REC:.*]] = arith.select %[[EMPTY]], %c0_i64, %[[BYTES]] : i64
// CHECK: %[[RSRC:.*]] = rocdl.make.buffer.rsrc %[[BASE]], %c0_i16, %[[REC]], %c159744_i32 : !llvm.ptr to <8>
// CHECK: %[[COLS:.*]] = arith.trunci %[[RK]] : i64 to i32
// CHECK: %[[PITCH32:.*]] = arith.trunci %[[USED]] : i64 to i32

// 16 bytes at a time where base and pitch are aligned and no column is missing.
// CHECK: %[[ADDR:.*]] = llvm.ptrtoint %[[BASE]]
// CHECK: %[[BITS:.*]] = arith.ori %[[ADDR]], %[[USED]]
// CHECK: %[[LOW:.*]] = arith.andi %[[BITS]], %c3_i64
// CHECK: %[[ALIGNED:.*]] = arith.cmpi eq, %[[LOW]], %c0_i64
// CHECK: %[[ALL:.*]] = arith.cmpi eq, %[[COLS]], %c128_i32
// CHECK: %[[WIDE:.*]] = arith.andi %[[ALIGNED]], %[[ALL]]
// CHECK: %[[IF:.*]]:4 = scf.if %[[WIDE]] -> (vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>) {
// CHECK: %[[O0:.*]] = arith.addi %{{.*}}, %[[ALONG]] : i32
// CHECK: rocdl.raw.ptr.buffer.load %[[RSRC]], %[[O0]], %c0_i32, %c0_i32 : vector<4xi32>
// CHECK: %[[O1:.*]] = arith.addi %[[O0]], %c64_i32
// CHECK: rocdl.raw.ptr.buffer.load %[[RSRC]], %[[O1]], %c0_i32, %c0_i32 : vector<4xi32>
// CHECK: %[[R16:.*]] = arith.muli %[[PITCH32]], %c16_i32
// CHECK: %[[O2:.*]] = arith.addi %[[O0]], %[[R16]]
// CHECK: rocdl.raw.ptr.buffer.load %[[RSRC]], %[[O2]], %c0_i32, %c0_i32 : vector<4xi32>
// CHECK: rocdl.raw.ptr.buffer.load %[[RSRC]], %{{.*}}, %c0_i32, %c0_i32 : vector<4xi32>
// CHECK-NOT: rocdl
// CHECK: } else {
// Else byte by byte, a word of each chunk in a round, checked by column.
// CHECK: scf.for %[[W:.*]] = %c0_i32 to %c4_i32 step %c1_i32
// CHECK: %[[W4:.*]] = arith.muli %[[W]], %c4_i32
// CHECK: %[[C:.*]] = arith.addi %[[ALONG]], %[[W4]]
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[C]], %[[COLS]]
// CHECK: %[[VO:.*]] = arith.select %[[IN]], %{{.*}}, %c2147483647_i32
// CHECK: rocdl.raw.ptr.buffer.load %[[RSRC]], %[[VO]], %c0_i32, %c0_i32 : i8
// CHECK-COUNT-3: rocdl.raw.ptr.buffer.load %[[RSRC]], %{{.*}} : i8
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [1, 2, 3, 4] : vector<4xi32>, vector<1xi32>
// CHECK-COUNT-12: rocdl.raw.ptr.buffer.load %[[RSRC]], %{{.*}} : i8
// CHECK-NOT: rocdl
// CHECK: } {loop_annotation = #{{.*}}}
// CHECK: %[[J0:.*]] = vector.shuffle %[[IF]]#0, %[[IF]]#1 [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
// CHECK: %[[A0:.*]] = vector.bitcast %[[J0]] : vector<8xi32> to vector<32xf8E4M3FN>
// CHECK: %[[J1:.*]] = vector.shuffle %[[IF]]#2, %[[IF]]#3
// CHECK: %[[A1:.*]] = vector.bitcast %[[J1]]

// A scale outside is 1.0.
// CHECK: %[[RSRCS:.*]] = rocdl.make.buffer.rsrc
// CHECK: %[[RSRCS:.*]] = rocdl.make.buffer.rsrc
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[GROUP]], %{{.*}} : i32
// CHECK: %[[BYTE:.*]] = rocdl.raw.ptr.buffer.load %[[RSRCS]], %{{.*}} : i8
// CHECK: %[[INROW:.*]] = arith.cmpi slt
// CHECK: %[[INSIDE:.*]] = arith.andi %[[INROW]], %[[IN]]
// CHECK: %[[S0:.*]] = arith.select %[[INSIDE]], %[[BYTE]], %c127_i8 : i8
// Those of both rows of atoms are in one word.
// CHECK: %[[WORD:.*]] = vector.from_elements %[[S0]], %{{.*}}, %c0_i8, %c0_i8 : vector<4xi8>
// CHECK: %[[SA:.*]] = vector.bitcast %[[WORD]] : vector<4xi8> to vector<4xf8E8M0FNU>
// CHECK: %[[SB:.*]] = vector.bitcast %{{.*}} : vector<4xi8> to vector<4xf8E8M0FNU>

// One loop-carried vector for each atom.
// CHECK: scf.for %{{.*}} = %c0 to %[[K]] step %[[M]] iter_args(%[[C0:.*]] = %{{.*}}, %[[C1:.*]] = %{{.*}}) -> (vector<4xf32>, vector<4xf32>) {
// CHECK: %[[D0:.*]] = amdgpu.scaled_mfma 16x16x128 (%[[SB]][0] * %[[B:.*]]) * (%[[SA]][0] * %[[A0]]) + %[[C0]] : vector<4xf8E8M0FNU>, vector<32xf8E4M3FN>, vector<4xf8E8M0FNU>, vector<32xf8E4M3FN>, vector<4xf32>
// CHECK: %[[D1:.*]] = amdgpu.scaled_mfma 16x16x128 (%[[SB]][0] * %[[B]]) * (%[[SA]][1] * %[[A1]]) + %[[C1]]
// CHECK: scf.yield %[[D0]], %[[D1]]

// Lane l holds column l % 16, rows 4 * (l / 16) on.
// CHECK: llvm.getelementptr %[[PD]]
// CHECK: %[[RSRCD:.*]] = rocdl.make.buffer.rsrc
// CHECK: %[[WIDE:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK: scf.if %[[WIDE]] {
// CHECK: %[[ROWD:.*]] = arith.muli %[[ACROSS]], %[[PITCHD:.*]] : i32
// CHECK: %[[DST:.*]] = arith.addi %[[ROWD]], %[[ALONG]]
// CHECK: rocdl.raw.ptr.buffer.store %{{.*}}, %[[RSRCD]], %[[DST]], %c0_i32, %c0_i32 : vector<4xi32>
// CHECK: rocdl.raw.ptr.buffer.store %{{.*}}, %[[RSRCD]], %{{.*}} : vector<4xi32>
// CHECK-NOT: rocdl
// CHECK: } else {
// CHECK: %[[MASKED:.*]] = arith.select %{{.*}}, %{{.*}}, %c2147483644_i32
// CHECK: rocdl.raw.ptr.buffer.store %{{.*}}, %[[RSRCD]], %[[MASKED]], %c0_i32, %c0_i32 : i32
// CHECK-COUNT-7: rocdl.raw.ptr.buffer.store %{{.*}}, %[[RSRCD]], %{{.*}} : i32
// CHECK-NOT: rocdl
// CHECK: gpu.return
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @direct(%pa: !llvm.ptr, %psa: !llvm.ptr, %pd: !llvm.ptr, %m: index, %k: index, %kb: index, %lda: i64, %ldsa: i64, %ldd: i64, %i: index, %j: index)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %a = lpgemm.bind %pa[%m, %k] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %sa = lpgemm.bind %psa[%m, %kb] pitch %ldsa : !llvm.ptr to !lpgemm.global<?x?xf8E8M0FNU>
    %d = lpgemm.bind %pd[%m, %m] pitch %ldd : !llvm.ptr to !lpgemm.global<?x?xf32>
    %fa = lpgemm.load %a[%i, %j] at [%c0, %c0] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<32x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
    %fb = lpgemm.load %a[%c0, %c0] at [%c0, %c0] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
    %fsa = lpgemm.load %sa[%i, %c0] at [%c0, %c0] : !lpgemm.global<?x?xf8E8M0FNU> to !lpgemm.frag<32x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
    %fsb = lpgemm.load %sa[%c0, %c0] at [%c0, %c0] : !lpgemm.global<?x?xf8E8M0FNU> to !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
    %acc = lpgemm.splat %zero : f32 to !lpgemm.frag<32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
    %n = lpgemm.dim %a, 1 : !lpgemm.global<?x?xf8E4M3FN>
    %r = scf.for %x = %c0 to %n step %m iter_args(%c = %acc) -> !lpgemm.frag<32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>> {
      %s = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %fa, %fb, %c
          sa(%fsa : !lpgemm.frag<32x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>) sb(%fsb : !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>)
          : !lpgemm.frag<32x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>, !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>, !lpgemm.frag<32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
      scf.yield %s : !lpgemm.frag<32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
    }
    lpgemm.store %r, %d[%i, %c0] at [%c0, %c0] : !lpgemm.frag<32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>> to !lpgemm.global<?x?xf32>
    gpu.return
  }
}
