// RUN: lpgemm-opt %s --lpgemm-materialize-storage -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: lpgemm-opt %t | diff %t -
// RUN: lpgemm-opt %t --lpgemm-materialize-storage | diff %t -
// RUN: lpgemm-opt %S/bufferize.mlir -o %t.fp8
// RUN: lpgemm-opt %t.fp8 --lpgemm-materialize-storage | diff %t.fp8 -
// RUN: lpgemm-opt %t --lpgemm-bufferize | FileCheck %s --check-prefix=MEMREF --implicit-check-not="tensor<" --implicit-check-not=xf4E2M1FN --implicit-check-not=xf6E
// RUN: lpgemm-opt %t --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=STOCK --implicit-check-not="tensor<" --implicit-check-not=xf4E2M1FN --implicit-check-not=xf6E

//===----------------------------------------------------------------------===//
// Products: K
//===----------------------------------------------------------------------===//

// A static K is a constant, whatever the bytes can hold.

// CHECK-LABEL: func @k_static(
// CHECK-SAME: tensor<4x3xi8>, {{.*}}tensor<8x3xi8>
// CHECK: %[[K:[^ :,]+]] = arith.constant 5 : index
// CHECK: lpgemm.matmul ins({{.*}} : tensor<4x3xi8>, tensor<8x3xi8>) k(%[[K]])
// CHECK-SAME: {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN}
// MEMREF-LABEL: func @k_static(
// MEMREF: lpgemm.matmul ins({{.*}} : memref<4x3xi8, strided<[?, 1], offset: ?>>, memref<8x3xi8, strided<[?, 1], offset: ?>>) k(%c5)
// MEMREF-SAME: {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN}
// STOCK-LABEL: func @k_static(
// STOCK: lpgemm.matmul ins({{.*}} : memref<4x3xi8>, memref<8x3xi8>) k(%c5)
// STOCK-SAME: {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN}
func.func @k_static(%a: tensor<4x5xf4E2M1FN>, %b: tensor<8x5xf4E2M1FN>,
                    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x5xf4E2M1FN>, tensor<8x5xf4E2M1FN>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The static K of a packed side goes before the dynamic one of the other.

// CHECK-LABEL: func @k_static_on_one_side(
// CHECK: %[[K:[^ :,]+]] = arith.constant 5 : index
// CHECK: lpgemm.matmul ins({{.*}} : tensor<?x4xi8>, tensor<?x?xf8E4M3FN>) k(%[[K]])
// CHECK-SAME: {lhs_packed = f6E2M3FN}
func.func @k_static_on_one_side(
    %a: tensor<?x5xf6E2M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x5xf6E2M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A side that is not packed tells K.

// CHECK-LABEL: func @k_of_rhs(
// CHECK-SAME: %{{.*}}: tensor<?x?xi8>, %[[B:[^ :,]+]]: tensor<?x?xf8E4M3FN>
// CHECK: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[K:[^ :,]+]] = tensor.dim %[[B]], %[[C1]]
// CHECK: lpgemm.matmul {{.*}} k(%[[K]]) {{.*}} {lhs_packed = f4E2M1FN}
func.func @k_of_rhs(%a: tensor<?x?xf4E2M1FN>, %b: tensor<?x?xf8E4M3FN>,
                    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// So does one that is packed along N, or M.

// CHECK-LABEL: func @k_of_packed_along_n(
// CHECK-SAME: %{{.*}}: tensor<?x?xi8>, %[[B:[^ :,]+]]: tensor<?x?xi8>
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[K:[^ :,]+]] = tensor.dim %[[B]], %[[C0]]
// CHECK: lpgemm.matmul {{.*}} k(%[[K]]) {{.*}} {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN}
func.func @k_of_packed_along_n(
    %a: tensor<?x?xf4E2M1FN>, %b: tensor<?x?xf4E2M1FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<?x?xf4E2M1FN>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @k_of_packed_along_m(
// CHECK-SAME: %[[A:[^ :,]+]]: tensor<?x?xi8>, %{{.*}}: tensor<?x?xi8>
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[K:[^ :,]+]] = tensor.dim %[[A]], %[[C0]]
// CHECK: lpgemm.matmul {{.*}} k(%[[K]]) {{.*}} transpose_a transpose_b {lhs_packed = f6E3M2FN, rhs_packed = f4E2M1FN}
func.func @k_of_packed_along_m(
    %a: tensor<?x?xf6E3M2FN>, %b: tensor<?x?xf4E2M1FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf6E3M2FN>, tensor<?x?xf4E2M1FN>)
      outs(%d : tensor<?x?xf32>) transpose_a transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Nothing is packed along K: no k.

// CHECK-LABEL: func @no_k(
// CHECK: lpgemm.matmul ins({{[^)]*}}) outs
func.func @no_k(%a: tensor<7x5xf4E2M1FN>, %b: tensor<7x3xf4E2M1FN>,
                %d: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<7x5xf4E2M1FN>, tensor<7x3xf4E2M1FN>)
      outs(%d : tensor<5x3xf32>) transpose_a -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// Only bytes tell K: as many elements as they hold.

// CHECK-LABEL: func @k_of_bytes(
// CHECK-SAME: %[[A:[^ :,]+]]: tensor<?x?xi8>, %[[B:[^ :,]+]]: tensor<?x?xi8>
// CHECK: %[[BYTES:[^ :,]+]] = tensor.dim %[[A]], %c1
// CHECK: %[[BITS:[^ :,]+]] = arith.muli %[[BYTES]], %c8
// CHECK: %[[K:[^ :,]+]] = arith.divui %[[BITS]], %c4
// CHECK-NOT: tensor.dim
// CHECK: lpgemm.matmul {{.*}} k(%[[K]])
// MEMREF-LABEL: func @k_of_bytes(
// MEMREF: memref.dim %arg0, %c1
// MEMREF: lpgemm.matmul ins(%arg0, %arg1 : memref<?x?xi8, strided<[?, 1], offset: ?>>
func.func @k_of_bytes(
    %a: tensor<?x?xf4E2M1FN>, %b: tensor<?x?xf4E2M1FN>,
    %sa: tensor<?x?xf8E4M3FN>, %sb: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<?x?xf4E2M1FN>)
      lhs_scale(%sa : tensor<?x?xf8E4M3FN>, <nvfp4>)
      rhs_scale(%sb : tensor<?x?xf8E4M3FN>, <nvfp4>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// With FP4 and FP6, the fewer of both: K = 5 gives 3 and 4 bytes, which hold 6
// and 5 elements.

// CHECK-LABEL: func @k_of_bytes_mixed(
// CHECK-SAME: %[[A:[^ :,]+]]: tensor<?x?xi8>, %[[B:[^ :,]+]]: tensor<?x?xi8>
// CHECK: %[[BYTES_A:[^ :,]+]] = tensor.dim %[[A]], %c1
// CHECK: %[[BITS_A:[^ :,]+]] = arith.muli %[[BYTES_A]], %c8
// CHECK: %[[K_A:[^ :,]+]] = arith.divui %[[BITS_A]], %c4
// CHECK: %[[BYTES_B:[^ :,]+]] = tensor.dim %[[B]], %c1
// CHECK: %[[BITS_B:[^ :,]+]] = arith.muli %[[BYTES_B]], %c8
// CHECK: %[[K_B:[^ :,]+]] = arith.divui %[[BITS_B]], %c6
// CHECK: %[[K:[^ :,]+]] = arith.minui %[[K_A]], %[[K_B]]
// CHECK: lpgemm.matmul {{.*}} k(%[[K]])
func.func @k_of_bytes_mixed(
    %a: tensor<?x?xf4E2M1FN>, %b: tensor<?x?xf6E3M2FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<?x?xf6E3M2FN>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @grouped(
// CHECK: %[[K:[^ :,]+]] = arith.constant 64 : index
// CHECK: lpgemm.grouped_matmul contiguous ins({{.*}} : tensor<?x32xi8>, tensor<8x?x32xi8>) groups({{.*}}) {{.*}}k(%[[K]])
// CHECK-SAME: epilogue
// CHECK: arith.negf
// CHECK: lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN
func.func @grouped(
    %a: tensor<?x64xf4E2M1FN>, %b: tensor<8x?x64xf4E2M1FN>,
    %ends: tensor<8xi32>, %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<?x64xf4E2M1FN>, tensor<8x?x64xf4E2M1FN>)
      groups(%ends : tensor<8xi32>)
      outs(%d : tensor<?x?xbf16>) transpose_b
      epilogue(%t) {
        %neg = arith.negf %t : f32
        lpgemm.yield %neg : f32
      } -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// A packed result next to rhs packed along N: the scales of rhs tell N.

// CHECK-LABEL: func @n_of_rhs_scale(
// CHECK: lpgemm.matmul ins({{.*}} : tensor<4x32xi8>, tensor<64x3xi8>)
// CHECK-SAME: outs({{.*}} : tensor<4x3xi8>)
// CHECK-SAME: {init_packed = f4E2M1FN, lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN}
// CHECK-SAME: -> tensor<4x3xi8>, tensor<4x1xf8E8M0FNU>
func.func @n_of_rhs_scale(
    %a: tensor<4x64xf4E2M1FN>, %b: tensor<64x5xf4E2M1FN>,
    %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<2x5xf8E8M0FNU>,
    %d: tensor<4x5xf4E2M1FN>, %sd: tensor<4x1xf8E8M0FNU>)
    -> (tensor<4x5xf4E2M1FN>, tensor<4x1xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf4E2M1FN>, tensor<64x5xf4E2M1FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<2x5xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x5xf4E2M1FN>)
      scale_outs(%sd : tensor<4x1xf8E8M0FNU>, <mx>, rceil)
      -> tensor<4x5xf4E2M1FN>, tensor<4x1xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x5xf4E2M1FN>, tensor<4x1xf8E8M0FNU>
}

// Nothing but bytes tells N, and they do, since they are full.

// CHECK-LABEL: func @n_of_bytes(
// CHECK: lpgemm.matmul ins({{.*}} : tensor<4x64xf8E4M3FN>, tensor<64x3xi8>)
// CHECK-SAME: {init_packed = f6E2M3FN, rhs_packed = f6E2M3FN}
func.func @n_of_bytes(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x4xf6E2M3FN>,
    %d: tensor<4x4xf6E2M3FN>, %sd: tensor<4x1xf8E8M0FNU>)
    -> (tensor<4x4xf6E2M3FN>, tensor<4x1xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x4xf6E2M3FN>)
      outs(%d : tensor<4x4xf6E2M3FN>)
      scale_outs(%sd : tensor<4x1xf8E8M0FNU>, <mx>, rceil)
      -> tensor<4x4xf6E2M3FN>, tensor<4x1xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x4xf6E2M3FN>, tensor<4x1xf8E8M0FNU>
}

//===----------------------------------------------------------------------===//
// Other lpgemm ops
//===----------------------------------------------------------------------===//

// The size of a new tensor is known where it is made: K is exact.

// CHECK-LABEL: func @quantize(
// CHECK-SAME: %[[X:[^ :,]+]]: tensor<?x?xf32>, {{.*}}, %[[R:[^ :,]+]]: index, %[[N:[^ :,]+]]: index
// CHECK: %[[BITS:[^ :,]+]] = arith.muli %[[N]], %c6
// CHECK: %[[BYTES:[^ :,]+]] = arith.ceildivui %[[BITS]], %c8
// CHECK: %[[INIT:[^ :,]+]] = tensor.empty(%[[R]], %[[BYTES]]) : tensor<?x?xi8>
// CHECK: %[[Q:[^ :,]+]]:2 = lpgemm.quantize ins(%[[X]] : tensor<?x?xf32>) outs(%[[INIT]] : tensor<?x?xi8>) {{.*}} {init_packed = f6E2M3FN}
// CHECK: lpgemm.matmul ins(%[[Q]]#0, {{.*}} k(%[[N]])
// CHECK: lpgemm.dequantize ins(%[[Q]]#0 : tensor<?x?xi8>) {{.*}} {input_packed = f6E2M3FN}
func.func @quantize(%x: tensor<?x?xf32>, %s0: tensor<?x?xf8E8M0FNU>,
                    %y: tensor<?x?xf32>, %b: tensor<?x?xf4E2M1FN>,
                    %d: tensor<?x?xf32>, %r: index, %n: index)
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %q0 = tensor.empty(%r, %n) : tensor<?x?xf6E2M3FN>
  %q, %s = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q0 : tensor<?x?xf6E2M3FN>)
      scale_outs(%s0 : tensor<?x?xf8E8M0FNU>, rceil) <mx>
      -> tensor<?x?xf6E2M3FN>, tensor<?x?xf8E8M0FNU>
  %0 = lpgemm.matmul ins(%q, %b : tensor<?x?xf6E2M3FN>, tensor<?x?xf4E2M1FN>)
      lhs_scale(%s : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  %1 = lpgemm.dequantize ins(%q : tensor<?x?xf6E2M3FN>)
      scale(%s : tensor<?x?xf8E8M0FNU>) outs(%y : tensor<?x?xf32>) <mx>
      -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// 16 bytes of a lane hold 32 elements of FP4.

// CHECK-LABEL: func @weights(
// CHECK: lpgemm.pack_weights w16x16 ins({{.*}} : tensor<32x64xi8>) outs({{.*}} : tensor<2x4x16x16xi8>) {packed = f4E2M1FN} -> tensor<2x4x16x16xi8>
// CHECK: lpgemm.unpack_weights w16x16 ins({{.*}} : tensor<2x4x16x16xi8>) outs({{.*}} : tensor<32x64xi8>) {packed = f4E2M1FN} -> tensor<32x64xi8>
func.func @weights(%w: tensor<32x128xf4E2M1FN>, %p: tensor<2x4x16x32xf4E2M1FN>,
                   %u: tensor<32x128xf4E2M1FN>) -> tensor<32x128xf4E2M1FN> {
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x128xf4E2M1FN>)
      outs(%p : tensor<2x4x16x32xf4E2M1FN>) -> tensor<2x4x16x32xf4E2M1FN>
  %1 = lpgemm.unpack_weights w16x16 ins(%0 : tensor<2x4x16x32xf4E2M1FN>)
      outs(%u : tensor<32x128xf4E2M1FN>) -> tensor<32x128xf4E2M1FN>
  return %1 : tensor<32x128xf4E2M1FN>
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// L-2: codes 2 F 1 are bytes F2 01. A row that ends within a byte is filled up
// with zeros. L-5: codes 01 02 03 04 are bytes 81 30 10, and 3F 00 15 2A are
// 3F 50 A9.

// CHECK-LABEL: func @constants(
// CHECK-DAG: arith.constant dense<{{\[\[}}-14, 1], [33, 4{{\]\]}}> : tensor<2x2xi8>
// CHECK-DAG: arith.constant dense<{{\[\[}}-127, 48, 16], [63, 80, -87{{\]\]}}> : tensor<2x3xi8>
// CHECK-DAG: arith.constant dense<-1> : tensor<3xi8>
// CHECK-DAG: arith.constant dense<[-1, 15]> : tensor<2xi8>
// CHECK-DAG: arith.constant dense<> : tensor<0xi8>
func.func @constants() -> (tensor<2x3xf4E2M1FN>, tensor<2x4xf6E2M3FN>,
                           tensor<4xf6E3M2FN>, tensor<3xf4E2M1FN>,
                           tensor<0xf4E2M1FN>) {
  %fp4 = arith.constant dense<[[1.0, -6.0, 0.5], [0.5, 1.0, 2.0]]>
      : tensor<2x3xf4E2M1FN>
  %fp6 = arith.constant dense<[[0.125, 0.25, 0.375, 0.5],
                               [-7.5, 0.0, 3.25, -1.25]]> : tensor<2x4xf6E2M3FN>
  %splat = arith.constant dense<-28.0> : tensor<4xf6E3M2FN>
  %odd = arith.constant dense<-6.0> : tensor<3xf4E2M1FN>
  %none = arith.constant dense<> : tensor<0xf4E2M1FN>
  return %fp4, %fp6, %splat, %odd, %none : tensor<2x3xf4E2M1FN>,
      tensor<2x4xf6E2M3FN>, tensor<4xf6E3M2FN>, tensor<3xf4E2M1FN>,
      tensor<0xf4E2M1FN>
}

// CHECK-LABEL: func @fill(
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK: linalg.fill ins(%[[ZERO]] : i8) outs({{.*}} : tensor<?x?xi8>)
// CHECK: %[[ONES:.*]] = arith.constant 34 : i8
// CHECK: linalg.fill ins(%[[ONES]] : i8) outs({{.*}} : tensor<?x3xi8>)
// CHECK: %[[ALL:.*]] = arith.constant -1 : i8
// CHECK: linalg.fill ins(%[[ALL]] : i8) outs({{.*}} : tensor<3xi8>)
func.func @fill(%x: tensor<?x?xf6E2M3FN>, %y: tensor<?x6xf4E2M1FN>,
                %z: tensor<4xf6E2M3FN>)
    -> (tensor<?x?xf6E2M3FN>, tensor<?x6xf4E2M1FN>, tensor<4xf6E2M3FN>) {
  %zero = arith.constant 0.0 : f6E2M3FN
  %one = arith.constant 1.0 : f4E2M1FN
  %all = arith.constant -7.5 : f6E2M3FN
  %0 = linalg.fill ins(%zero : f6E2M3FN) outs(%x : tensor<?x?xf6E2M3FN>)
      -> tensor<?x?xf6E2M3FN>
  %1 = linalg.fill ins(%one : f4E2M1FN) outs(%y : tensor<?x6xf4E2M1FN>)
      -> tensor<?x6xf4E2M1FN>
  %2 = linalg.fill ins(%all : f6E2M3FN) outs(%z : tensor<4xf6E2M3FN>)
      -> tensor<4xf6E2M3FN>
  return %0, %1, %2
      : tensor<?x?xf6E2M3FN>, tensor<?x6xf4E2M1FN>, tensor<4xf6E2M3FN>
}

//===----------------------------------------------------------------------===//
// Functions and control flow
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func private @declared(tensor<?x4xi8> {llvm.noalias}) -> tensor<?x4xi8>
func.func private @declared(tensor<?x5xf6E3M2FN> {llvm.noalias})
    -> tensor<?x5xf6E3M2FN>

// CHECK-LABEL: func @call(
// CHECK-SAME: %[[X:[^ :,]+]]: tensor<?x4xi8> {bufferization.writable = false}, %{{.*}}: i32) -> (tensor<?x4xi8>
// CHECK: call @declared(%[[X]]) : (tensor<?x4xi8>) -> tensor<?x4xi8>
func.func @call(%x: tensor<?x5xf6E3M2FN> {bufferization.writable = false}, %i: i32)
    -> (tensor<?x5xf6E3M2FN>, i32) {
  %0 = call @declared(%x) : (tensor<?x5xf6E3M2FN>) -> tensor<?x5xf6E3M2FN>
  return %0, %i : tensor<?x5xf6E3M2FN>, i32
}

// CHECK-LABEL: func @control_flow(
// CHECK: scf.if {{.*}} -> (tensor<4x8xi8>)
// CHECK: scf.for {{.*}} -> (tensor<4x8xi8>)
// CHECK: scf.while ({{.*}}) : (tensor<4x8xi8>) -> tensor<4x8xi8>
// CHECK: scf.condition({{.*}}) {{.*}} : tensor<4x8xi8>
// CHECK: ^bb0({{.*}}: tensor<4x8xi8>):
func.func @control_flow(%x: tensor<4x16xf4E2M1FN>, %y: tensor<4x16xf4E2M1FN>,
                        %c: i1, %n: index) -> tensor<4x16xf4E2M1FN> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %1 = scf.if %c -> tensor<4x16xf4E2M1FN> {
    scf.yield %x : tensor<4x16xf4E2M1FN>
  } else {
    scf.yield %y : tensor<4x16xf4E2M1FN>
  }
  %0 = scf.for %i = %zero to %n step %one iter_args(%t = %1)
      -> tensor<4x16xf4E2M1FN> {
    scf.yield %t : tensor<4x16xf4E2M1FN>
  }
  %2 = scf.while (%t = %0) : (tensor<4x16xf4E2M1FN>) -> tensor<4x16xf4E2M1FN> {
    scf.condition(%c) %t : tensor<4x16xf4E2M1FN>
  } do {
  ^bb0(%t: tensor<4x16xf4E2M1FN>):
    scf.yield %t : tensor<4x16xf4E2M1FN>
  }
  return %2 : tensor<4x16xf4E2M1FN>
}

// CHECK-LABEL: func @select(
// CHECK: arith.select {{.*}} : tensor<4x8xi8>
func.func @select(%c: i1) -> tensor<4x16xf4E2M1FN> {
  %x = tensor.empty() : tensor<4x16xf4E2M1FN>
  %y = tensor.empty() : tensor<4x16xf4E2M1FN>
  %0 = arith.select %c, %x, %y : tensor<4x16xf4E2M1FN>
  return %0 : tensor<4x16xf4E2M1FN>
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @tensors(
// CHECK-SAME: %[[X:[^ :,]+]]: tensor<?x?xi8>, %{{.*}}: index, %[[N:[^ :,]+]]: index
// CHECK: bufferization.alloc_tensor({{.*}}) : tensor<?x4xi8>
// CHECK: %[[COPY:[^ :,]+]] = bufferization.alloc_tensor() copy(%[[X]]) : tensor<?x?xi8>
// CHECK: bufferization.materialize_in_destination {{.*}} : (tensor<?x?xi8>, tensor<?x?xi8>) -> tensor<?x?xi8>
// CHECK: tensor.cast {{.*}} : tensor<?x?xi8> to tensor<4x3xi8>
// CHECK: tensor.dim %{{.*}}, %c0
// CHECK: %[[BYTES:[^ :,]+]] = tensor.dim %[[X]], %c1
// CHECK: %[[BITS:[^ :,]+]] = arith.muli %[[BYTES]], %c8
// CHECK: %[[K:[^ :,]+]] = arith.divui %[[BITS]], %c4
// CHECK: %[[FIVE:[^ :,]+]] = arith.constant 5 : index
// CHECK: return %{{.*}}, %{{.*}}, %[[K]], %[[FIVE]], %[[N]]
func.func @tensors(%x: tensor<?x?xf4E2M1FN>, %m: index, %n: index)
    -> (tensor<4x5xf4E2M1FN>, index, index, index, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %new = bufferization.alloc_tensor(%m) : tensor<?x5xf6E2M3FN>
  %copy = bufferization.alloc_tensor() copy(%x) : tensor<?x?xf4E2M1FN>
  %both = bufferization.materialize_in_destination %x in %copy
      : (tensor<?x?xf4E2M1FN>, tensor<?x?xf4E2M1FN>) -> tensor<?x?xf4E2M1FN>
  %cast = tensor.cast %both : tensor<?x?xf4E2M1FN> to tensor<4x5xf4E2M1FN>
  %rows = tensor.dim %new, %zero : tensor<?x5xf6E2M3FN>
  %columns = tensor.dim %x, %one : tensor<?x?xf4E2M1FN>
  %back = tensor.cast %cast : tensor<4x5xf4E2M1FN> to tensor<?x?xf4E2M1FN>
  %static = tensor.dim %back, %one : tensor<?x?xf4E2M1FN>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf4E2M1FN>
  %exact = tensor.dim %empty, %one : tensor<?x?xf4E2M1FN>
  return %cast, %rows, %columns, %static, %exact
      : tensor<4x5xf4E2M1FN>, index, index, index, index
}

// CHECK-LABEL: func @slices(
// CHECK-SAME: %[[X:[^ :,]+]]: tensor<8x8xi8>, %[[Y:[^ :,]+]]: tensor<3x?x?xi8>, %[[I:[^ :,]+]]: index
// Elements 4 to 9.
// CHECK: tensor.extract_slice %[[X]][%[[I]], 2] [2, 3] [2, 1] : tensor<8x8xi8> to tensor<2x3xi8>
// The rest of a row of 15.
// CHECK: tensor.extract_slice %[[X]][0, 6] [8, 2] [1, 1] : tensor<8x8xi8> to tensor<8x2xi8>
// CHECK: %[[BYTES:[^ :,]+]] = tensor.dim %[[Y]], %c2_
// CHECK: tensor.extract_slice %[[Y]][%[[I]], 0, 0] [1, %{{.*}}, %[[BYTES]]] [1, 1, 1] : tensor<3x?x?xi8> to tensor<?x?xi8>
// CHECK: tensor.insert_slice {{.*}} into %[[X]][%[[I]], 2] [2, 3] [2, 1] : tensor<2x3xi8> into tensor<8x8xi8>
// A size that is a value stays one.
// CHECK: tensor.extract_slice %[[X]][0, 0] [8, %{{.*}}] [1, 1] : tensor<8x8xi8> to tensor<8x?xi8>
func.func @slices(%x: tensor<8x15xf4E2M1FN>, %y: tensor<3x?x?xf4E2M1FN>,
                  %i: index)
    -> (tensor<8x15xf4E2M1FN>, tensor<8x3xf4E2M1FN>, tensor<?x?xf4E2M1FN>,
        tensor<8x?xf4E2M1FN>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %0 = tensor.extract_slice %x[%i, 4] [2, 6] [2, 1]
      : tensor<8x15xf4E2M1FN> to tensor<2x6xf4E2M1FN>
  %1 = tensor.extract_slice %x[0, 12] [8, 3] [1, 1]
      : tensor<8x15xf4E2M1FN> to tensor<8x3xf4E2M1FN>
  %rows = tensor.dim %y, %one : tensor<3x?x?xf4E2M1FN>
  %columns = tensor.dim %y, %two : tensor<3x?x?xf4E2M1FN>
  %2 = tensor.extract_slice %y[%i, 0, 0] [1, %rows, %columns] [1, 1, 1]
      : tensor<3x?x?xf4E2M1FN> to tensor<?x?xf4E2M1FN>
  %3 = tensor.insert_slice %0 into %x[%i, 4] [2, 6] [2, 1]
      : tensor<2x6xf4E2M1FN> into tensor<8x15xf4E2M1FN>
  %4 = tensor.extract_slice %x[0, 0] [8, %four] [1, 1]
      : tensor<8x15xf4E2M1FN> to tensor<8x?xf4E2M1FN>
  return %3, %1, %2, %4 : tensor<8x15xf4E2M1FN>, tensor<8x3xf4E2M1FN>,
      tensor<?x?xf4E2M1FN>, tensor<8x?xf4E2M1FN>
}

// Computed of values: the sum of a multiple of 4 and one of 2.
// CHECK-LABEL: func @computed_slice(
// CHECK: tensor.extract_slice %{{.*}}[0, %{{.*}}] [4, 2] [1, 1] : tensor<4x16xi8> to tensor<4x2xi8>
func.func @computed_slice(%x: tensor<4x32xf4E2M1FN>, %i: index, %j: index)
    -> tensor<4x4xf4E2M1FN> {
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %a = arith.muli %i, %four : index
  %b = arith.muli %two, %j : index
  %offset = arith.addi %a, %b : index
  %0 = tensor.extract_slice %x[0, %offset] [4, 4] [1, 1]
      : tensor<4x32xf4E2M1FN> to tensor<4x4xf4E2M1FN>
  return %0 : tensor<4x4xf4E2M1FN>
}
