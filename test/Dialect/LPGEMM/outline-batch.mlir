// RUN: lpgemm-opt %s --lpgemm-outline --canonicalize --cse | FileCheck %s

#schedule = #lpgemm.schedule<tile = [16, 32, 128], waves = [1, 1],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 1>

// Two batch dimensions, all of them in lhs and the result, one in the scales of
// lhs, none in rhs; an extent of 1 is none either. What has a dimension has an
// argument for its stride, in elements.

// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
// CHECK-DAG: #[[SA:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, 1, d2, d4 ceildiv 128)>
// CHECK-DAG: #[[SB:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (1, d3)>
// CHECK-DAG: #[[INIT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[TILES:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2 ceildiv 16, d3 ceildiv 32)>
// CHECK-LABEL: gpu.func @batch_kernel(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !llvm.ptr, %[[B:[a-z0-9]+]]: !llvm.ptr, %[[PSA:[a-z0-9]+]]: !llvm.ptr, %[[PSB:[a-z0-9]+]]: !llvm.ptr, %[[D:[a-z0-9]+]]: !llvm.ptr,
// CHECK-SAME: %{{[a-z0-9]+}}: i32, %[[B1:[a-z0-9]+]]: i32, %[[M32:[a-z0-9]+]]: i32, %[[N32:[a-z0-9]+]]: i32, %[[K32:[a-z0-9]+]]: i32,
// CHECK-SAME: %[[LDA:[a-z0-9]+]]: i64, %[[LDB:[a-z0-9]+]]: i64, %[[LDSA:[a-z0-9]+]]: i64, %[[LDSB:[a-z0-9]+]]: i64, %[[LDD:[a-z0-9]+]]: i64,
// CHECK-SAME: %[[A0:[a-z0-9]+]]: i64, %[[A1:[a-z0-9]+]]: i64, %[[SA0:[a-z0-9]+]]: i64, %[[D0:[a-z0-9]+]]: i64, %[[D1:[a-z0-9]+]]: i64)
// CHECK-SAME: {address = "lhs", element = f8E4M3FN, shape = #[[LHS]]},
// CHECK-SAME: {address = "rhs", element = f8E4M3FN, shape = #[[RHS]]},
// CHECK-SAME: {address = "lhs_scale", element = f32, scale = #lpgemm.scale<1x128>, shape = #[[SA]]},
// CHECK-SAME: {address = "rhs_scale", element = f32, scale = #lpgemm.scale<column>, shape = #[[SB]]},
// CHECK-SAME: {address = "init", element = f32, shape = #[[INIT]], written},
// CHECK-SAME: {at_most = 2147418112 : i64, extent = "batch_0"}, {at_most = 2147418112 : i64, extent = "batch_1"},
// CHECK-SAME: {batch_dim = 0 : i64, stride = "lhs"}, {batch_dim = 1 : i64, stride = "lhs"}, {batch_dim = 0 : i64, stride = "lhs_scale"}, {batch_dim = 0 : i64, stride = "init"}, {batch_dim = 1 : i64, stride = "init"}],
// CHECK-SAME: extents = ["batch_0", "batch_1", "M", "N", "K"]
// CHECK-SAME: tiles = #[[TILES]]}}
// CHECK-DAG: %[[N1:.*]] = arith.index_cast %[[B1]] : i32 to index
// CHECK-DAG: %[[M:.*]] = arith.index_cast %[[M32]] : i32 to index
// CHECK-DAG: %[[N:.*]] = arith.index_cast %[[N32]] : i32 to index
// CHECK-DAG: %[[K:.*]] = arith.index_cast %[[K32]] : i32 to index
// The workgroups of an entry of the batch follow each other, and so do the
// entries of its last dimension.
// CHECK: %[[ID:.*]] = gpu.block_id x
// CHECK: %[[TM:.*]] = arith.ceildivui %[[M]], %c16
// CHECK: %[[E0:.*]] = arith.divui %[[ID]], %[[TM]]
// CHECK: %[[TN:.*]] = arith.ceildivui %[[N]], %c32
// CHECK: %[[E:.*]] = arith.divui %[[E0]], %[[TN]]
// CHECK: %[[I1:.*]] = arith.remui %[[E]], %[[N1]]
// CHECK: %[[I0:.*]] = arith.divui %[[E]], %[[N1]]
// In 64 bits, in elements.
// CHECK: %[[L0:.*]] = arith.index_cast %[[I0]] : index to i64
// CHECK: %[[OA0:.*]] = arith.muli %[[L0]], %[[A0]] : i64
// CHECK: %[[L1:.*]] = arith.index_cast %[[I1]] : index to i64
// CHECK: %[[OA1:.*]] = arith.muli %[[L1]], %[[A1]] : i64
// CHECK: %[[OA:.*]] = arith.addi %[[OA0]], %[[OA1]] : i64
// CHECK: %[[OSA:.*]] = arith.muli %[[L0]], %[[SA0]] : i64
// CHECK: %[[OD0:.*]] = arith.muli %[[L0]], %[[D0]] : i64
// CHECK: %[[OD1:.*]] = arith.muli %[[L1]], %[[D1]] : i64
// CHECK: %[[OD:.*]] = arith.addi %[[OD0]], %[[OD1]] : i64
// What the kernel has is a product of matrices. Elements of f32 are 4 bytes.
// CHECK: %[[PA:.*]] = llvm.getelementptr %[[A]][%[[OA]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: %[[GA:.*]] = lpgemm.bind %[[PA]][%[[M]], %[[K]]] pitch %[[LDA]] : !llvm.ptr to <?x?xf8E4M3FN>
// CHECK: %[[GB:.*]] = lpgemm.bind %[[B]][%[[N]], %[[K]]] pitch %[[LDB]] : !llvm.ptr to <?x?xf8E4M3FN>
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[K]], %c128
// CHECK: %[[OSAB:.*]] = arith.muli %[[OSA]], %c4_i64
// CHECK: %[[SAB:.*]] = llvm.getelementptr %[[PSA]][%[[OSAB]]]
// CHECK: %[[GSA:.*]] = lpgemm.bind %[[SAB]][%[[M]], %[[BLOCKS]]] pitch %[[LDSA]] : !llvm.ptr to <?x?xf32>
// CHECK: %[[GSB:.*]] = lpgemm.bind %[[PSB]][%[[N]], %c1] pitch %[[LDSB]] : !llvm.ptr to <?xf32>
// CHECK: %[[ODB:.*]] = arith.muli %[[OD]], %c4_i64
// CHECK: %[[PD:.*]] = llvm.getelementptr %[[D]][%[[ODB]]]
// CHECK: %[[GD:.*]] = lpgemm.bind %[[PD]][%[[M]], %[[N]]] pitch %[[LDD]] : !llvm.ptr to <?x?xf32>
// CHECK: lpgemm.matmul ins(%[[GA]], %[[GB]] :
// CHECK-SAME: lhs_scale(%[[GSA]] : {{.*}}, <1x128>) rhs_scale(%[[GSB]] : {{.*}}, <column>) outs(%[[GD]] :

// The number of workgroups is cut off after each factor, so that no product of
// two overflows.
// CHECK-LABEL: func.func @batch(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x?x?x?xf8E4M3FN>, %[[B:[a-z0-9]+]]: memref<?x?xf8E4M3FN>, %[[SA:[a-z0-9]+]]: memref<?x1x?x?xf32>, %{{[a-z0-9]+}}: memref<1x?xf32>, %[[D:[a-z0-9]+]]: memref<?x?x?x?xf32>)
// CHECK-DAG: %[[N0:.*]] = memref.dim %[[D]], %c0
// CHECK-DAG: %[[N1:.*]] = memref.dim %[[D]], %c1
// CHECK-DAG: %[[M:.*]] = memref.dim %[[A]], %c2
// CHECK-DAG: %[[N:.*]] = memref.dim %[[B]], %c0
// CHECK: %[[STRIDES_A:[a-z0-9_]+]]:4 = memref.extract_strided_metadata %[[A]]
// CHECK: %[[STRIDES_SA:[a-z0-9_]+]]:4 = memref.extract_strided_metadata %[[SA]]
// CHECK: %[[STRIDES_D:[a-z0-9_]+]]:4 = memref.extract_strided_metadata %[[D]]
// CHECK: %[[G0:.*]] = arith.minui %[[N0]], %[[CUT:.*]] : index
// CHECK: %[[G1:.*]] = arith.muli %[[G0]], %[[N1]]
// CHECK: %[[TM:.*]] = arith.ceildivui %[[M]], %c16
// CHECK: %[[G2:.*]] = arith.minui %[[G1]], %[[CUT]]
// CHECK: %[[G3:.*]] = arith.muli %[[G2]], %[[TM]]
// CHECK: %[[TN:.*]] = arith.ceildivui %[[N]], %c32
// CHECK: %[[G4:.*]] = arith.minui %[[G3]], %[[CUT]]
// CHECK: %[[GRID:.*]] = arith.muli %[[G4]], %[[TN]]
// CHECK: memref.dim %[[A]], %c0
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: dimension 0 of lhs is not batch dimension 0"
// CHECK: memref.dim %[[A]], %c1
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: dimension 1 of lhs is not batch dimension 1"
// CHECK: memref.dim %[[SA]], %c0
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: dimension 0 of lhs_scale is not batch dimension 0"
// CHECK-NOT: dimension 1 of lhs_scale
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: dimension 2 of lhs_scale is not M"
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: batch_0 is above 2147418112"
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: batch_1 is above 2147418112"
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %[[GRID]], %{{.*}} : index
// CHECK: cf.assert %[[FITS]], "lpgemm.matmul: the result has more than {{[0-9]+}} tiles"
// CHECK: %[[HA0:.*]] = arith.index_cast %[[STRIDES_A]]#0 : index to i64
// CHECK: %[[HA1:.*]] = arith.index_cast %[[STRIDES_A]]#1 : index to i64
// CHECK: %[[HSA0:.*]] = arith.index_cast %[[STRIDES_SA]]#0 : index to i64
// CHECK: %[[HD0:.*]] = arith.index_cast %[[STRIDES_D]]#0 : index to i64
// CHECK: %[[HD1:.*]] = arith.index_cast %[[STRIDES_D]]#1 : index to i64
// CHECK: gpu.launch_func @batch_kernel::@batch_kernel blocks in (%[[GRID]], %c1, %c1)
// CHECK-SAME: %[[HA0]] : i64, %[[HA1]] : i64, %[[HSA0]] : i64, %[[HD0]] : i64, %[[HD1]] : i64)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @batch(%a: memref<?x?x?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                 %sa: memref<?x1x?x?xf32>, %sb: memref<1x?xf32>,
                 %d: memref<?x?x?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?x?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x1x?x?xf32>, <1x128>)
      rhs_scale(%sb : memref<1x?xf32>, <column>)
      outs(%d : memref<?x?x?x?xf32>) transpose_b schedule(#schedule)
  return
}
}
