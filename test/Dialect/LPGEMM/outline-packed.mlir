// RUN: lpgemm-opt %s --lpgemm-outline | FileCheck %s

#schedule = #lpgemm.schedule<tile = [128, 64, 128], waves = [2, 1],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = reg>, stages = 1>

// Bytes of packed elements: the kernel has globals of the elements, with K of
// the operand `k`, and pitches in bytes.

// CHECK: #[[MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #[[KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK: gpu.func @packed_kernel(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !llvm.ptr, %[[B:[a-z0-9]+]]: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr,
// CHECK-SAME: %[[M32:[a-z0-9]+]]: i32, %[[N32:[a-z0-9]+]]: i32, %[[K32:[a-z0-9]+]]: i32,
// CHECK-SAME: %[[LDA:[a-z0-9]+]]: i64, %[[LDB:[a-z0-9]+]]: i64,
// CHECK-SAME: {address = "lhs", element = f4E2M1FN, shape = #[[MK]]},
// CHECK-SAME: {address = "rhs", element = f6E2M3FN, shape = #[[KN]]},
// The limit: 0x7FFF0000 bytes over 128 rows of either.
// CHECK-SAME: {at_most = 16776704 : i64, pitch = "lhs"}, {at_most = 16776704 : i64, pitch = "rhs"},
// CHECK-DAG: %[[M:.*]] = arith.index_cast %[[M32]] : i32 to index
// CHECK-DAG: %[[N:.*]] = arith.index_cast %[[N32]] : i32 to index
// CHECK-DAG: %[[K:.*]] = arith.index_cast %[[K32]] : i32 to index
// CHECK: %[[GA:.*]] = lpgemm.bind %[[A]][%[[M]], %[[K]]] pitch %[[LDA]] : !llvm.ptr to <?x?xf4E2M1FN>
// CHECK: %[[GB:.*]] = lpgemm.bind %[[B]][%[[K]], %[[N]]] pitch %[[LDB]] : !llvm.ptr to <?x?xf6E2M3FN>
// CHECK: lpgemm.matmul ins(%[[GA]], %[[GB]] : !lpgemm.global<?x?xf4E2M1FN>, !lpgemm.global<?x?xf6E2M3FN>) lhs_scale(
// CHECK-NOT: packed =
// CHECK: gpu.return

// The host checks the bytes of a row.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x?xi8>, %[[B:[a-z0-9]+]]: memref<?x?xi8>, %[[K:[a-z0-9]+]]: index
// CHECK: %[[N:.*]] = memref.dim %[[D:.*]], %c1
// CHECK: %[[BITS:.*]] = arith.muli %[[K]], %c4
// CHECK: %[[BYTES:.*]] = arith.ceildivui %[[BITS]], %c8
// CHECK: %[[DIM:.*]] = memref.dim %[[A]], %c1
// CHECK: %[[OK:.*]] = arith.cmpi eq, %[[DIM]], %[[BYTES]]
// CHECK: cf.assert %[[OK]], "lpgemm.matmul: dimension 1 of lhs is not ceil(K * 4 / 8)"
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: dimension 1 of rhs is not ceil(N * 6 / 8)"
// CHECK: %[[KI:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK: gpu.launch_func @packed_kernel::@packed_kernel
// CHECK-SAME: %[[KI]] : i32
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  func.func @packed(%a: memref<?x?xi8>, %b: memref<?x?xi8>, %k: index,
                    %sa: memref<?x?xf8E8M0FNU>, %sb: memref<?x?xf8E8M0FNU>, %d: memref<?x?xf32>) {
    lpgemm.matmul ins(%a, %b : memref<?x?xi8>, memref<?x?xi8>) k(%k)
        lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
        rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
        outs(%d : memref<?x?xf32>) schedule(#schedule)
        {lhs_packed = f4E2M1FN, rhs_packed = f6E2M3FN}
    return
  }
}
