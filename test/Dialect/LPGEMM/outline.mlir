// RUN: lpgemm-opt %s --split-input-file --lpgemm-outline | FileCheck %s

#schedule = #lpgemm.schedule<tile = [128, 64, 128], waves = [2, 1],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = reg>, stages = 1>

// The kernel: five pointers, three extents, five row pitches; the workgroup is
// that of the schedule, 2 waves of 64 lanes. What it says of itself is what a
// host must know: the limits are 0x7FFF0000 bytes over 128 rows of 1 byte, over
// 64 rows, over 128 of 4 bytes.

// CHECK: #[[MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #[[NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-NEXT: #[[MB:.*]] = affine_map<(d0, d1, d2) -> (d0, d2 ceildiv 32)>
// CHECK-NEXT: #[[NB:.*]] = affine_map<(d0, d1, d2) -> (d1, d2 ceildiv 32)>
// CHECK-NEXT: #[[MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: #[[TILES:.*]] = affine_map<(d0, d1, d2) -> (d0 ceildiv 128, d1 ceildiv 64)>
// CHECK: module attributes {gpu.container_module, lpgemm.target = #lpgemm.target<"gfx950">}
// CHECK-NEXT: gpu.module @dynamic_kernel attributes {lpgemm.target = #lpgemm.target<"gfx950">}
// CHECK-NEXT: gpu.func @dynamic_kernel(
// CHECK-SAME: %[[A:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr, %[[SA:.*]]: !llvm.ptr, %[[SB:.*]]: !llvm.ptr, %[[D:.*]]: !llvm.ptr,
// CHECK-SAME: %[[M32:.*]]: i32, %[[N32:.*]]: i32, %[[K32:.*]]: i32,
// CHECK-SAME: %[[LDA:.*]]: i64, %[[LDB:.*]]: i64, %[[LDSA:.*]]: i64, %[[LDSB:.*]]: i64, %[[LDD:.*]]: i64)
// CHECK-SAME: kernel attributes {known_block_size = array<i32: 128, 1, 1>,
// CHECK-SAME: lpgemm.kernel = {arguments = [
// CHECK-SAME: {address = "lhs", element = f8E4M3FN, shape = #[[MK]]},
// CHECK-SAME: {address = "rhs", element = f8E4M3FN, shape = #[[NK]]},
// CHECK-SAME: {address = "lhs_scale", element = f8E8M0FNU, scale = #lpgemm.scale<mx>, shape = #[[MB]]},
// CHECK-SAME: {address = "rhs_scale", element = f8E8M0FNU, scale = #lpgemm.scale<mx>, shape = #[[NB]]},
// CHECK-SAME: {address = "init", element = f32, shape = #[[MN]], written},
// CHECK-SAME: {at_most = 2147418112 : i64, extent = "M"}, {at_most = 2147418112 : i64, extent = "N"}, {at_most = 2147418112 : i64, extent = "K"},
// CHECK-SAME: {at_most = 16776704 : i64, pitch = "lhs"}, {at_most = 33553408 : i64, pitch = "rhs"}, {at_most = 16776704 : i64, pitch = "lhs_scale"}, {at_most = 33553408 : i64, pitch = "rhs_scale"}, {at_most = 4194176 : i64, pitch = "init"}],
// CHECK-SAME: extents = ["M", "N", "K"], function = "dynamic", max_workgroups = 33554431 : i64, op = "lpgemm.matmul",
// CHECK-SAME: tiles = #[[TILES]]}}
// CHECK-DAG: %[[M:.*]] = arith.index_cast %[[M32]] : i32 to index
// CHECK-DAG: %[[N:.*]] = arith.index_cast %[[N32]] : i32 to index
// CHECK-DAG: %[[K:.*]] = arith.index_cast %[[K32]] : i32 to index
// CHECK: %[[GA:.*]] = lpgemm.bind %[[A]][%[[M]], %[[K]]] pitch %[[LDA]] : !llvm.ptr to <?x?xf8E4M3FN>
// CHECK: %[[GB:.*]] = lpgemm.bind %[[B]][%[[N]], %[[K]]] pitch %[[LDB]] : !llvm.ptr to <?x?xf8E4M3FN>
// CHECK: %[[C32:.*]] = arith.constant 32 : index
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[K]], %[[C32]]
// CHECK: %[[GSA:.*]] = lpgemm.bind %[[SA]][%[[M]], %[[BLOCKS]]] pitch %[[LDSA]] : !llvm.ptr to <?x?xf8E8M0FNU>
// CHECK: %[[GSB:.*]] = lpgemm.bind %[[SB]][%[[N]], %[[BLOCKS]]] pitch %[[LDSB]] : !llvm.ptr to <?x?xf8E8M0FNU>
// CHECK: %[[GD:.*]] = lpgemm.bind %[[D]][%[[M]], %[[N]]] pitch %[[LDD]] : !llvm.ptr to <?x?xf32>
// CHECK: lpgemm.matmul ins(%[[GA]], %[[GB]] : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>)
// CHECK-SAME: lhs_scale(%[[GSA]] : !lpgemm.global<?x?xf8E8M0FNU>, <mx>)
// CHECK-SAME: rhs_scale(%[[GSB]] : !lpgemm.global<?x?xf8E8M0FNU>, <mx>)
// CHECK-SAME: outs(%[[GD]] : !lpgemm.global<?x?xf32>) transpose_b
// CHECK-SAME: schedule(<tile = [128, 64, 128], waves = [2, 1], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = reg>, stages = 1>)
// CHECK-NEXT: gpu.return

// The host: the address of the first element, and one assertion for each thing
// that the kernel relies on.

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[A:.*]]: memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>, %[[B:.*]]: memref<?x?xf8E4M3FN>, %[[SA:.*]]: memref<?x?xf8E8M0FNU>, %[[SB:.*]]: memref<?x?xf8E8M0FNU>, %[[D:.*]]: memref<?x?xf32>)
// CHECK: %[[M:.*]] = memref.dim %[[A]], %c0
// CHECK: %[[N:.*]] = memref.dim %[[B]], %c0
// CHECK: %[[K:.*]] = memref.dim %[[A]], %c1
// CHECK: %{{.*}}, %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[A]]
// CHECK: %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: %[[BYTES:.*]] = arith.muli %[[OFFSET]], %c1
// CHECK: %[[ADDRESS:.*]] = arith.addi %[[BASE]], %[[BYTES]]
// CHECK: %[[INT:.*]] = arith.index_cast %[[ADDRESS]] : index to i64
// CHECK: %[[PTR:.*]] = llvm.inttoptr %[[INT]] : i64 to !llvm.ptr
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[STRIDES_B:.*]]:2 = memref.extract_strided_metadata %[[B]]
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[STRIDES_SA:.*]]:2 = memref.extract_strided_metadata %[[SA]]
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[STRIDES_SB:.*]]:2 = memref.extract_strided_metadata %[[SB]]
// CHECK: %{{.*}}, %[[OFFSET_D:.*]], %{{.*}}:2, %[[STRIDES_D:.*]]:2 = memref.extract_strided_metadata %[[D]]
// CHECK: arith.muli %[[OFFSET_D]], %c4
// CHECK: %[[TILES_M:.*]] = arith.ceildivui %[[M]], %c128
// CHECK: %[[TILES_N:.*]] = arith.ceildivui %[[N]], %c64
// CHECK: %[[GRID:.*]] = arith.muli %[[TILES_M]], %[[TILES_N]]
// CHECK: %[[RHS_K:.*]] = memref.dim %[[B]], %c1
// CHECK-NEXT: %[[OK:.*]] = arith.cmpi eq, %[[RHS_K]], %{{.*}}
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: dimension 1 of rhs is not K"
// CHECK: memref.dim %[[SA]], %c0
// CHECK: cf.assert {{.*}}, "lpgemm.matmul: dimension 0 of lhs_scale is not M"
// CHECK: memref.dim %[[SA]], %c1
// CHECK: cf.assert {{.*}}, "lpgemm.matmul: dimension 1 of lhs_scale is not ceil(K / 32)"
// CHECK: memref.dim %[[SB]], %c0
// CHECK: cf.assert {{.*}}, "lpgemm.matmul: dimension 0 of rhs_scale is not N"
// CHECK: memref.dim %[[SB]], %c1
// CHECK: cf.assert {{.*}}, "lpgemm.matmul: dimension 1 of rhs_scale is not ceil(K / 32)"
// CHECK: memref.dim %[[D]], %c0
// CHECK: cf.assert {{.*}}, "lpgemm.matmul: dimension 0 of init is not M"
// CHECK: memref.dim %[[D]], %c1
// CHECK: cf.assert {{.*}}, "lpgemm.matmul: dimension 1 of init is not N"
// CHECK: %[[OK:.*]] = arith.cmpi ule, %[[M]], %c2147418112
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: M is above 2147418112"
// CHECK: %[[OK:.*]] = arith.cmpi ule, %[[N]], %c2147418112
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: N is above 2147418112"
// CHECK: %[[OK:.*]] = arith.cmpi ule, %[[K]], %c2147418112
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: K is above 2147418112"
// CHECK: %[[OK:.*]] = arith.cmpi ule, %[[GRID]], %c33554431
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: the result has more than 33554431 tiles"
// A single row has no use for its pitch. The limits:
// 0x7FFF0000 bytes over 128 rows of 1 byte, over 64 rows, over 128 of 4 bytes.
// CHECK: %[[SINGLE:.*]] = arith.cmpi ule, %[[SIZES]]#0, %c1
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %[[STRIDES]]#0, %c16776704
// CHECK-NEXT: %[[OK:.*]] = arith.ori %[[SINGLE]], %[[FITS]]
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: the row pitch of lhs is above 16776704"
// CHECK: %[[SINGLE:.*]] = arith.cmpi ule, %{{.*}}, %c1
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %[[STRIDES_B]]#0, %c33553408
// CHECK-NEXT: %[[OK:.*]] = arith.ori %[[SINGLE]], %[[FITS]]
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: the row pitch of rhs is above 33553408"
// CHECK: %[[SINGLE:.*]] = arith.cmpi ule, %{{.*}}, %c1
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %[[STRIDES_SA]]#0, %c16776704
// CHECK-NEXT: %[[OK:.*]] = arith.ori %[[SINGLE]], %[[FITS]]
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: the row pitch of lhs_scale is above 16776704"
// CHECK: %[[SINGLE:.*]] = arith.cmpi ule, %{{.*}}, %c1
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %[[STRIDES_SB]]#0, %c33553408
// CHECK-NEXT: %[[OK:.*]] = arith.ori %[[SINGLE]], %[[FITS]]
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: the row pitch of rhs_scale is above 33553408"
// CHECK: %[[SINGLE:.*]] = arith.cmpi ule, %{{.*}}, %c1
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %[[STRIDES_D]]#0, %c4194176
// CHECK-NEXT: %[[OK:.*]] = arith.ori %[[SINGLE]], %[[FITS]]
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: the row pitch of init is above 4194176"

// Nothing is launched for M = 0 or N = 0.

// CHECK: %[[SOME:.*]] = arith.cmpi ugt, %[[GRID]], %c0
// CHECK-NEXT: scf.if %[[SOME]] {
// CHECK-NEXT: %[[M32:.*]] = arith.index_cast %[[M]] : index to i32
// CHECK-NEXT: %[[N32:.*]] = arith.index_cast %[[N]] : index to i32
// CHECK-NEXT: %[[K32:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK-NEXT: %[[LDA:.*]] = arith.index_cast %[[STRIDES]]#0 : index to i64
// CHECK-NEXT: %[[LDB:.*]] = arith.index_cast %[[STRIDES_B]]#0 : index to i64
// CHECK-NEXT: %[[LDSA:.*]] = arith.index_cast %[[STRIDES_SA]]#0 : index to i64
// CHECK-NEXT: %[[LDSB:.*]] = arith.index_cast %[[STRIDES_SB]]#0 : index to i64
// CHECK-NEXT: %[[LDD:.*]] = arith.index_cast %[[STRIDES_D]]#0 : index to i64
// CHECK: gpu.launch_func @dynamic_kernel::@dynamic_kernel blocks in (%[[GRID]], %[[ONE:.*]], %[[ONE]]) threads in (%c128{{.*}}, %[[ONE]], %[[ONE]])
// CHECK-SAME: args(%[[PTR]] : !llvm.ptr, {{.*}}, %[[M32]] : i32, %[[N32]] : i32, %[[K32]] : i32, %[[LDA]] : i64, %[[LDB]] : i64, %[[LDSA]] : i64, %[[LDSB]] : i64, %[[LDD]] : i64)
// CHECK-NEXT: }
// CHECK-NEXT: return
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @dynamic(%a: memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>,
                   %b: memref<?x?xf8E4M3FN>, %sa: memref<?x?xf8E8M0FNU>,
                   %sb: memref<?x?xf8E8M0FNU>, %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>,
                   memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32>) transpose_b schedule(#schedule)
  return
}
}

// -----

// Several products, in control flow and in two functions, between other ops:
// each gets a kernel with a name of its own, also where a function has that
// name already. Extents may be 0 or known; where there is but one column, its
// stride does not matter.

#large = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 1>
#small = #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>

// CHECK: module attributes {gpu.container_module
// CHECK-NEXT: gpu.module @[[K0:two_kernel_[0-9]+]] attributes
// CHECK-NEXT: gpu.func @[[K0]]({{.*}}known_block_size = array<i32: 256, 1, 1>
// CHECK: gpu.module @[[K1:two_kernel_[0-9]+]] attributes
// CHECK-NEXT: gpu.func @[[K1]]({{.*}}known_block_size = array<i32: 64, 1, 1>
// CHECK-LABEL: func.func @two(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.if
// CHECK: gpu.launch_func @[[K0]]::@[[K0]]
// CHECK: linalg.fill
// CHECK: scf.if
// CHECK: gpu.launch_func @[[K1]]::@[[K1]]
// CHECK: linalg.fill
// CHECK-NEXT: return
// CHECK: gpu.module @one_kernel
// CHECK-NEXT: gpu.func @one_kernel(
// CHECK-LABEL: func.func @one(
// CHECK: gpu.launch_func @one_kernel::@one_kernel
// CHECK-LABEL: func.func private @two_kernel()
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @two(%a: memref<0x40xf8E4M3FN>, %b: memref<7x40xf8E4M3FN>,
               %sa: memref<0x2xf8E8M0FNU>, %sb: memref<7x2xf8E8M0FNU>,
               %d: memref<0x7xf32>, %n: index, %c: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      lpgemm.matmul
          ins(%a, %b : memref<0x40xf8E4M3FN>, memref<7x40xf8E4M3FN>)
          lhs_scale(%sa : memref<0x2xf8E8M0FNU>, <mx>)
          rhs_scale(%sb : memref<7x2xf8E8M0FNU>, <mx>)
          outs(%d : memref<0x7xf32>) transpose_b schedule(#large)
    }
    linalg.fill ins(%x : f32) outs(%d : memref<0x7xf32>)
  }
  lpgemm.matmul
      ins(%a, %b : memref<0x40xf8E4M3FN>, memref<7x40xf8E4M3FN>)
      lhs_scale(%sa : memref<0x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<7x2xf8E8M0FNU>, <mx>)
      outs(%d : memref<0x7xf32>) transpose_b schedule(#small)
  linalg.fill ins(%x : f32) outs(%d : memref<0x7xf32>)
  return
}
func.func @one(%a: memref<1x0xf8E4M3FN, strided<[?, 1], offset: ?>>,
               %b: memref<?x0xf8E4M3FN>,
               %sa: memref<1x0xf8E8M0FNU>, %sb: memref<?x0xf8E8M0FNU>,
               %d: memref<1x1xf32, strided<[9, 3]>>) {
  lpgemm.matmul
      ins(%a, %b : memref<1x0xf8E4M3FN, strided<[?, 1], offset: ?>>,
                   memref<?x0xf8E4M3FN>)
      lhs_scale(%sa : memref<1x0xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x0xf8E8M0FNU>, <mx>)
      outs(%d : memref<1x1xf32, strided<[9, 3]>>) transpose_b schedule(#small)
  return
}
func.func private @two_kernel()
}

// -----

// A module in a module: the kernel is put where the launch finds it.

#small = #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>

// CHECK: module attributes {lpgemm.target
// CHECK: module @inner attributes {gpu.container_module}
// CHECK: gpu.module @f_kernel
// CHECK: gpu.module @[[K:f_kernel_.*]] attributes
// CHECK: func.func @f(
// CHECK: gpu.launch_func @f_kernel::@f_kernel
// CHECK: gpu.launch_func @[[K]]::@[[K]]
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
module @inner {
func.func @f(%a: memref<4x32xf8E4M3FN>, %s: memref<4x1xf8E8M0FNU>,
             %d: memref<4x4xf32>) {
  lpgemm.matmul
      ins(%a, %a : memref<4x32xf8E4M3FN>, memref<4x32xf8E4M3FN>)
      lhs_scale(%s : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%s : memref<4x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x4xf32>) transpose_b schedule(#small)
  lpgemm.matmul
      ins(%a, %a : memref<4x32xf8E4M3FN>, memref<4x32xf8E4M3FN>)
      lhs_scale(%s : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%s : memref<4x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x4xf32>) transpose_b schedule(#small)
  return
}
}
}

// -----

// Without a product nothing changes.

// CHECK: module {
// CHECK-NEXT: func.func private @nothing()
// CHECK-NEXT: }
module {
func.func private @nothing()
}

// -----

// rhs stored K x N: the extents of it and of its scales, the assertions, and
// the rows of a tile: 256 of K, and 8 of its scales.

#schedule = #lpgemm.schedule<tile = [128, 64, 256], waves = [2, 1],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = reg>, stages = 1>

// CHECK: gpu.func @k_by_n_kernel(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[B:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[SB:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr,
// CHECK-SAME: %[[M32:.*]]: i32, %[[N32:.*]]: i32, %[[K32:.*]]: i32,
// CHECK-SAME: %{{.*}}: i64, %[[LDB:.*]]: i64, %{{.*}}: i64, %[[LDSB:.*]]: i64, %{{.*}}: i64)
// CHECK: %[[M:.*]] = arith.index_cast %[[M32]] : i32 to index
// CHECK: %[[N:.*]] = arith.index_cast %[[N32]] : i32 to index
// CHECK: %[[K:.*]] = arith.index_cast %[[K32]] : i32 to index
// CHECK: lpgemm.bind %{{.*}}[%[[M]], %[[K]]] pitch
// CHECK: lpgemm.bind %[[B]][%[[K]], %[[N]]] pitch %[[LDB]] : !llvm.ptr to <?x?xf8E4M3FN>
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[K]],
// CHECK: lpgemm.bind %{{.*}}[%[[M]], %[[BLOCKS]]] pitch
// CHECK: lpgemm.bind %[[SB]][%[[BLOCKS]], %[[N]]] pitch %[[LDSB]] : !llvm.ptr to <?x?xf8E8M0FNU>
// CHECK: lpgemm.bind %{{.*}}[%[[M]], %[[N]]] pitch
// CHECK: outs(%{{.*}} : !lpgemm.global<?x?xf32>) schedule(

// CHECK-LABEL: func.func @k_by_n(
// CHECK-SAME: %[[A:.*]]: memref<?x?xf8E4M3FN>, %[[B:.*]]: memref<?x?xf8E4M3FN>, %[[SA:.*]]: memref<?x?xf8E8M0FNU>, %[[SB:.*]]: memref<?x?xf8E8M0FNU>, %[[D:.*]]: memref<?x?xf32>)
// CHECK: %[[N:.*]] = memref.dim %[[B]], %c1
// CHECK: %[[K:.*]] = memref.dim %[[A]], %c1
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[STRIDES_B:.*]]:2 = memref.extract_strided_metadata %[[B]]
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[STRIDES_SB:.*]]:2 = memref.extract_strided_metadata %[[SB]]
// CHECK: %[[RHS_K:.*]] = memref.dim %[[B]], %c0
// CHECK-NEXT: %[[OK:.*]] = arith.cmpi eq, %[[RHS_K]], %{{.*}}
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: dimension 0 of rhs is not K"
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %{{.*}}, %c32
// CHECK: %[[ROWS:.*]] = memref.dim %[[SB]], %c0
// CHECK-NEXT: %[[OK:.*]] = arith.cmpi eq, %[[ROWS]], %{{.*}}
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: dimension 0 of rhs_scale is not ceil(K / 32)"
// CHECK: %[[COLS:.*]] = memref.dim %[[SB]], %c1
// CHECK-NEXT: %[[OK:.*]] = arith.cmpi eq, %[[COLS]], %{{.*}}
// CHECK-NEXT: cf.assert %[[OK]], "lpgemm.matmul: dimension 1 of rhs_scale is not N"
// 0x7FFF0000 bytes over 256 rows, over 8.
// CHECK: arith.cmpi ule, %[[STRIDES_B]]#0, %c8388352
// CHECK: arith.cmpi ule, %[[STRIDES_SB]]#0, %c268427264
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @k_by_n(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                  %sa: memref<?x?xf8E8M0FNU>, %sb: memref<?x?xf8E8M0FNU>,
                  %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32>) schedule(#schedule)
  return
}
}

// -----

// Vectors have their stride for a pitch, single elements none; factors come
// last. A single element is a column of M equal ones. The limits of the pitches
// of c, of bias and of u: 0x7FFF0000 bytes over 128 rows of 2 bytes, over 64 of
// 4, over 128 of 4.

#schedule = #lpgemm.schedule<tile = [128, 64, 128], waves = [2, 1],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = reg>, stages = 1>

// CHECK-DAG: #[[NONE:.*]] = affine_map<(d0, d1, d2) -> ()>
// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[N:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-DAG: #[[M:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK: gpu.func @all_kernel(
// CHECK-SAME: %[[A:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr, %[[SA:.*]]: !llvm.ptr, %[[C:.*]]: !llvm.ptr, %[[BIAS:.*]]: !llvm.ptr, %[[U:.*]]: !llvm.ptr, %[[D:.*]]: !llvm.ptr,
// CHECK-SAME: %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32,
// CHECK-SAME: %[[LDA:.*]]: i64, %[[LDB:.*]]: i64, %[[LDC:.*]]: i64, %[[LDBIAS:.*]]: i64, %[[LDU:.*]]: i64, %[[LDD:.*]]: i64, %[[ALPHA:.*]]: f32)
// CHECK-SAME: {address = "lhs_scale", element = f32, scale = #lpgemm.scale<tensor>, shape = #[[NONE]]}, {address = "c", element = bf16, shape = #[[MN]]}, {address = "bias", element = f32, shape = #[[N]]}, {address = "epilogue_0", element = f32, shape = #[[M]]}, {address = "init", element = f16, shape = #[[MN]], written},
// CHECK-SAME: {at_most = 16776704 : i64, pitch = "lhs"}, {at_most = 33553408 : i64, pitch = "rhs"}, {at_most = 8388352 : i64, pitch = "c"}, {at_most = 8388352 : i64, pitch = "bias"}, {at_most = 4194176 : i64, pitch = "epilogue_0"}, {at_most = 8388352 : i64, pitch = "init"}, {factor = "alpha"}],
// CHECK: %[[M:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[K:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[GA:.*]] = lpgemm.bind %[[A]][%[[M]], %[[K]]] pitch %[[LDA]] : !llvm.ptr to <?x?xf8E4M3FN>
// CHECK: %[[GB:.*]] = lpgemm.bind %[[B]][%[[N]], %[[K]]] pitch %[[LDB]] : !llvm.ptr to <?x?xf8E4M3FN>
// CHECK: %[[GSA:.*]] = lpgemm.bind %[[SA]][%[[M]], %c1{{.*}}] pitch %c0_i64{{.*}} : !llvm.ptr to <f32>
// CHECK: %[[GC:.*]] = lpgemm.bind %[[C]][%[[M]], %[[N]]] pitch %[[LDC]] : !llvm.ptr to <?x?xbf16>
// CHECK: %[[GBIAS:.*]] = lpgemm.bind %[[BIAS]][%[[N]], %c1{{.*}}] pitch %[[LDBIAS]] : !llvm.ptr to <?xf32>
// CHECK: %[[GU:.*]] = lpgemm.bind %[[U]][%[[M]], %c1{{.*}}] pitch %[[LDU]] : !llvm.ptr to <?xf32>
// CHECK: %[[GD:.*]] = lpgemm.bind %[[D]][%[[M]], %[[N]]] pitch %[[LDD]] : !llvm.ptr to <?x?xf16>
// CHECK: lpgemm.matmul ins(%[[GA]], %[[GB]] :
// CHECK-SAME: lhs_scale(%[[GSA]] : !lpgemm.global<f32>, <tensor>) alpha(%[[ALPHA]]) beta(2.000000e+00{{.*}}) c(%[[GC]] : !lpgemm.global<?x?xbf16>) bias(%[[GBIAS]] : !lpgemm.global<?xf32>, n)
// CHECK-SAME: outs(%[[GD]] : !lpgemm.global<?x?xf16>)
// CHECK-SAME: epilogue(%{{.*}}, %{{.*}} = %[[GU]] : !lpgemm.global<?xf32> by 

// CHECK-LABEL: func.func @all(
// CHECK-SAME: %[[HOST_ALPHA:[a-z0-9]+]]: f32,
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %[[STRIDE_U:.*]] = memref.extract_strided_metadata %{{.*}} : memref<?xf32, strided<[?], offset: ?>>
// CHECK: arith.cmpi ule, %{{.*}}, %c8388352
// CHECK: arith.cmpi ule, %{{.*}}, %c8388352
// CHECK: arith.cmpi ule, %[[STRIDE_U]], %c4194176
// CHECK: %[[LDU:.*]] = arith.index_cast %[[STRIDE_U]] : index to i64
// CHECK: gpu.launch_func
// CHECK-SAME: %[[LDU]] : i64, %{{.*}} : i64, %[[HOST_ALPHA]] : f32)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @all(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
               %sa: memref<f32>, %alpha: f32, %c: memref<?x?xbf16>,
               %bias: memref<?xf32>, %u: memref<?xf32, strided<[?], offset: ?>>,
               %d: memref<?x?xf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>) alpha(%alpha) beta(2.0)
      c(%c : memref<?x?xbf16>) bias(%bias : memref<?xf32>, n)
      outs(%d : memref<?x?xf16>) transpose_b schedule(#schedule)
      epilogue(%t, %v = %u : memref<?xf32, strided<[?], offset: ?>>
                   by affine_map<(m, n) -> (m)>) {
        %0 = arith.mulf %t, %v : f32
        lpgemm.yield %0 : f32
      }
  return
}
}
