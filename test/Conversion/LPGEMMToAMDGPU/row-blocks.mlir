// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s

// A row of the source serves 24 rows of the tile.

!g = !lpgemm.global<?x?xf32>
!row = !lpgemm.frag<32x1xf32, <mfma_f32_16x16x32_fp8, c_row>>
!col = !lpgemm.frag<16x1xf32, <mfma_f32_16x16x32_fp8, c_col>>
!c = !lpgemm.frag<32x16xf32, <mfma_f32_16x16x32_fp8, c>>

// CHECK-LABEL: gpu.func @row_blocks(
// CHECK-SAME: %[[PA:[a-z0-9]+]]: !llvm.ptr, %[[PB:[a-z0-9]+]]: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr,
// CHECK-SAME: %[[M:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index, %[[LD:[a-z0-9]+]]: i64, %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index,

// The block of the start, and the start in it. 32 rows lie in 3 blocks at most.
// CHECK: %[[START:.*]] = arith.addi %[[I]], %c16 : index
// CHECK: %[[IN:.*]] = arith.remui %[[START]], %c24
// CHECK: %[[IN32:.*]] = arith.index_cast %[[IN]] : index to i32
// CHECK: %[[BLOCK:.*]] = arith.divui %[[START]], %c24
// Rows 4 * (l / 16) + 0 to 3 of lane l, and 16 further on.
// CHECK: %[[R:.*]] = arith.remui %{{.*}}, %c16_i32
// CHECK: %[[AT0:.*]] = arith.addi %[[IN32]], %[[R]] : i32
// CHECK: %[[B0:.*]] = arith.divui %[[AT0]], %c24_i32
// CHECK: %[[AT16:.*]] = arith.addi %[[AT0]], %c16_i32 : i32
// CHECK: %[[B16:.*]] = arith.divui %[[AT16]], %c24_i32
// CHECK: %[[END:.*]] = arith.maxsi %[[M]], %[[BLOCK]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[END]], %[[BLOCK]]
// CHECK: arith.minsi %[[LEFT]], %c3 : index
// CHECK: %[[BLOCK64:.*]] = arith.index_cast %[[BLOCK]] : index to i64
// CHECK: arith.muli %[[BLOCK64]], %[[LD]]
// CHECK: llvm.getelementptr %[[PA]]
// CHECK: %[[RSRC:.*]] = rocdl.make.buffer.rsrc
// CHECK: arith.muli %[[B0]], %[[PITCH:.*]] : i32
// CHECK: rocdl.raw.ptr.buffer.load %[[RSRC]], {{.*}} : i32
// CHECK: arith.muli %[[B16]], %[[PITCH]] : i32
// CHECK: rocdl.raw.ptr.buffer.load %[[RSRC]], {{.*}} : i32
// CHECK-NOT: rocdl.raw.ptr.buffer.load %[[RSRC]]

// Stored transposed, it is a column that serves rows of the tile.
// CHECK: %[[IN:.*]] = arith.remui %[[J]], %c128
// CHECK: %[[IN32:.*]] = arith.index_cast %[[IN]] : index to i32
// CHECK: %[[BLOCK:.*]] = arith.divui %[[J]], %c128
// CHECK: %[[GROUP:.*]] = arith.divui %{{.*}}, %c16_i32
// CHECK: %[[C:.*]] = arith.muli %[[GROUP]], %c4_i32
// CHECK: %[[AT:.*]] = arith.addi %[[IN32]], %[[C]] : i32
// CHECK: %[[B:.*]] = arith.divui %[[AT]], %c128_i32
// CHECK: %[[AT1:.*]] = arith.addi %[[AT]], %c1_i32
// CHECK: %[[B1:.*]] = arith.divui %[[AT1]], %c128_i32
// CHECK: arith.maxsi %[[N]], %[[BLOCK]]
// CHECK: llvm.getelementptr %[[PB]]
// CHECK: %[[RSRC:.*]] = rocdl.make.buffer.rsrc
// CHECK: arith.cmpi slt, %[[B]], %{{.*}} : i32
// CHECK: arith.muli %[[B]], %c4_i32
// CHECK: rocdl.raw.ptr.buffer.load %[[RSRC]], {{.*}} : i32
// CHECK: arith.muli %[[B1]], %c4_i32
// CHECK-COUNT-3: rocdl.raw.ptr.buffer.load %[[RSRC]], {{.*}} : i32
// CHECK-NOT: rocdl.raw.ptr.buffer.load
// CHECK: math.fma
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @row_blocks(%pa: !llvm.ptr, %pb: !llvm.ptr, %pd: !llvm.ptr, %m: index,
                     %n: index, %k: index, %ld: i64, %i: index, %j: index,
                     %x: f32)
    kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %a = lpgemm.bind %pa[%m, %k] pitch %ld : !llvm.ptr to !g
  %b = lpgemm.bind %pb[%k, %n] pitch %ld : !llvm.ptr to !g
  %d = lpgemm.bind %pd[%m, %n] pitch %ld : !llvm.ptr to !g
  %sa = lpgemm.load %a[%i, %c0] at [%c16, %c0] {row_block = 24 : i64} : !g to !row
  %sb = lpgemm.load %b[%c0, %j] at [%c0, %c0] transpose {row_block = 128 : i64} : !g to !col
  %c = lpgemm.splat %x : f32 to !c
  %r = lpgemm.promote %c, %c sa(%sa : !row) sb(%sb : !col) : !c, !c
  lpgemm.store %r, %d[%c0, %c0] at [%c0, %c0] : !c to !g
  gpu.return
}

// All 16 columns of an atom are known to be of one block: one load is enough.
// CHECK-LABEL: gpu.func @one_block(
// CHECK: %[[START:.*]] = arith.muli %{{.*}}, %c32 : index
// CHECK: %[[IN:.*]] = arith.remui %[[START]], %c128
// CHECK: %[[IN32:.*]] = arith.index_cast %[[IN]] : index to i32
// CHECK: %[[B:.*]] = arith.divui %[[IN32]], %c128_i32
// CHECK: %[[AT:.*]] = arith.muli %[[B]], %c4_i32
// CHECK: %[[OFF:.*]] = arith.select %{{.*}}, %[[AT]], %c2147483644_i32
// CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[OFF]], {{.*}} : i32
// CHECK-NOT: rocdl.raw.ptr.buffer.load
// CHECK: math.fma
gpu.func @one_block(%pb: !llvm.ptr, %pd: !llvm.ptr, %m: index, %n: index,
                    %k: index, %ld: i64, %j: index, %x: f32)
    kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %b = lpgemm.bind %pb[%k, %n] pitch %ld : !llvm.ptr to !g
  %d = lpgemm.bind %pd[%m, %n] pitch %ld : !llvm.ptr to !g
  %start = arith.muli %j, %c32 : index
  %sb = lpgemm.load %b[%c0, %start] at [%c0, %c0] transpose {row_block = 128 : i64} : !g to !col
  %c = lpgemm.splat %x : f32 to !c
  %r = lpgemm.promote %c, %c sb(%sb : !col) : !c, !c
  lpgemm.store %r, %d[%c0, %c0] at [%c0, %c0] : !c to !g
  gpu.return
}

// A lane's four columns are neighbours in a row of what is stored K x N.
// CHECK-LABEL: gpu.func @neighbours(
// CHECK: %[[V:.*]] = scf.if %{{.*}} -> (vector<4xi32>) {
// CHECK: rocdl.raw.ptr.buffer.load {{.*}} : vector<4xi32>
// CHECK: } else {
// CHECK: scf.for
// CHECK: rocdl.raw.ptr.buffer.load {{.*}} : i32
// CHECK-NOT: rocdl.raw.ptr.buffer.load
// CHECK: vector.bitcast %[[V]] : vector<4xi32> to vector<4xf32>
gpu.func @neighbours(%pb: !llvm.ptr, %pd: !llvm.ptr, %m: index, %n: index,
                     %k: index, %ld: i64, %j: index, %x: f32)
    kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %b = lpgemm.bind %pb[%k, %n] pitch %ld : !llvm.ptr to !g
  %d = lpgemm.bind %pd[%m, %n] pitch %ld : !llvm.ptr to !g
  %sb = lpgemm.load %b[%c0, %j] at [%c0, %c0] transpose : !g to !col
  %c = lpgemm.splat %x : f32 to !c
  %r = lpgemm.promote %c, %c sb(%sb : !col) : !c, !c
  lpgemm.store %r, %d[%c0, %c0] at [%c0, %c0] : !c to !g
  gpu.return
}
}
