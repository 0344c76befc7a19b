// RUN: lpgemm-opt %s --lpgemm-outline --canonicalize --cse | FileCheck %s

#schedule = #lpgemm.schedule<tile = [16, 16, 128], waves = [1, 1],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 1>

// Scales in layouts of tiles: the kernel has the matrix of scales without the
// padding of its layout, which the type names, and the stride of the first
// dimension as its pitch.

// CHECK-DAG: #[[SA:.*]] = affine_map<(d0, d1, d2) -> (d0 ceildiv 128, (d2 ceildiv 32) ceildiv 4, 32, 4, 4)>
// CHECK-DAG: #[[SB:.*]] = affine_map<(d0, d1, d2) -> ((d2 ceildiv 32) ceildiv 4, (d1 ceildiv 4) * 4, 4)>
// CHECK-LABEL: gpu.func @layouts_kernel(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr, %[[PSA:[a-z0-9]+]]: !llvm.ptr, %[[PSB:[a-z0-9]+]]: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr,
// CHECK-SAME: %[[M32:[a-z0-9]+]]: i32, %[[N32:[a-z0-9]+]]: i32, %[[K32:[a-z0-9]+]]: i32,
// CHECK-SAME: %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %[[LDSA:[a-z0-9]+]]: i64, %[[LDSB:[a-z0-9]+]]: i64,
// CHECK-SAME: {address = "lhs_scale", element = f8E8M0FNU, scale = #lpgemm.scale<mx, layout = swz128x4>, shape = #[[SA]]},
// CHECK-SAME: {address = "rhs_scale", element = f8E8M0FNU, scale = #lpgemm.scale<mx, layout = mn_tma_ue8m0x4>, shape = #[[SB]]},
// CHECK-DAG: %[[M:.*]] = arith.index_cast %[[M32]] : i32 to index
// CHECK-DAG: %[[N:.*]] = arith.index_cast %[[N32]] : i32 to index
// CHECK-DAG: %[[K:.*]] = arith.index_cast %[[K32]] : i32 to index
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[K]], %c32
// CHECK: %[[GSA:.*]] = lpgemm.bind %[[PSA]][%[[M]], %[[BLOCKS]]] pitch %[[LDSA]] : !llvm.ptr to <?x?xf8E8M0FNU, swz128x4>
// CHECK: %[[GSB:.*]] = lpgemm.bind %[[PSB]][%[[N]], %[[BLOCKS]]] pitch %[[LDSB]] : !llvm.ptr to <?x?xf8E8M0FNU, mn_tma_ue8m0x4>
// CHECK: lpgemm.matmul ins(
// CHECK-SAME: lhs_scale(%[[GSA]] : !lpgemm.global<?x?xf8E8M0FNU, swz128x4>, <mx, layout = swz128x4>)
// CHECK-SAME: rhs_scale(%[[GSB]] : !lpgemm.global<?x?xf8E8M0FNU, mn_tma_ue8m0x4>, <mx, layout = mn_tma_ue8m0x4>)

// The host checks the padded shapes, and of the strides what the type does not
// say: all but the first are those of the layout where an extent is not 1.

// CHECK-LABEL: func.func @layouts(
// CHECK-SAME: %[[SA:[a-z0-9]+]]: memref<?x?x32x4x4xf8E8M0FNU, strided<[?, ?, ?, 4, 1]>>, %[[SB:[a-z0-9]+]]: memref<?x?x4xf8E8M0FNU>
// CHECK: %[[SIZES_SA:[a-z0-9_]+]]:5, %[[STRIDES_SA:[a-z0-9_]+]]:5 = memref.extract_strided_metadata %[[SA]]
// CHECK: %[[STRIDES_SB:[a-z0-9_]+]]:3 = memref.extract_strided_metadata %[[SB]]
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: dimension 0 of lhs_scale is not ceil(M / 128)"
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: dimension 1 of lhs_scale is not ceil(ceil(K / 32) / 4)"
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: dimension 0 of rhs_scale is not ceil(ceil(K / 32) / 4)"
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: dimension 1 of rhs_scale is not ceil(N / 4) * 4"
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %[[STRIDES_SA]]#0, %{{.*}} : index
// CHECK: cf.assert %[[FITS]], "lpgemm.matmul: the pitch of lhs_scale is above {{[0-9]+}}"
// CHECK: %[[SINGLE:.*]] = arith.cmpi ule, %[[SIZES_SA]]#1, %c1 : index
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[STRIDES_SA]]#1, %c512 : index
// CHECK: %[[OK:.*]] = arith.ori %[[SINGLE]], %[[SAME]] : i1
// CHECK: cf.assert %[[OK]], "lpgemm.matmul: lhs_scale is not contiguous in dimension 1"
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[STRIDES_SA]]#2, %c16 : index
// CHECK: cf.assert %[[SAME]], "lpgemm.matmul: lhs_scale is not contiguous in dimension 2"
// CHECK-NOT: not contiguous
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %[[STRIDES_SB]]#0, %{{.*}} : index
// CHECK: cf.assert %[[FITS]], "lpgemm.matmul: the pitch of rhs_scale is above {{[0-9]+}}"
// CHECK-NOT: not contiguous
// CHECK: gpu.launch_func @layouts_kernel::@layouts_kernel
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @layouts(
    %sa: memref<?x?x32x4x4xf8E8M0FNU, strided<[?, ?, ?, 4, 1]>>,
    %sb: memref<?x?x4xf8E8M0FNU>,
    %a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>, %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?x32x4x4xf8E8M0FNU, strided<[?, ?, ?, 4, 1]>>, <mx, layout = swz128x4>)
      rhs_scale(%sb : memref<?x?x4xf8E8M0FNU>, <mx, layout = mn_tma_ue8m0x4>)
      outs(%d : memref<?x?xf32>) transpose_b schedule(#schedule)
  return
}
}
