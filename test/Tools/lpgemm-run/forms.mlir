// The same result from tensors, memrefs and lowered code, and B as K x N.
// RUN: lpgemm-run %s --entry=plain --init=normal:1 --size=5x7x70 \
// RUN:   --compare=reference --poison | FileCheck %s
// RUN: lpgemm-opt %s -lpgemm-bufferize -o %t.memref.mlir
// RUN: lpgemm-run %t.memref.mlir --entry=plain --init=normal:1 --size=5x7x70 \
// RUN:   --compare=reference --poison | FileCheck %s
// RUN: lpgemm-opt %s -lpgemm-lower-to-reference -o %t.loops.mlir
// RUN: lpgemm-run %t.loops.mlir --entry=plain --init=normal:1 --size=5x7x70 \
// RUN:   --compare=reference --reference=%s --poison | FileCheck %s
// CHECK: ok: 5x7 f32, max |err|/bound 0.000, 0 of 35 outside the bound

// The result of a function without a destination.
// RUN: lpgemm-run %s --entry=empty --init=exact:1 --compare=reference \
// RUN:   | FileCheck %s --check-prefix=EMPTY
// EMPTY: ok: 4x8 f32, 0 of 32 not bit-equal

// A memref without a layout has no row pitch.
// RUN: lpgemm-run %s --entry=dense --init=exact:1 --compare=reference --poison \
// RUN:   | FileCheck %s --check-prefix=EMPTY

func.func @plain(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                 %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                 %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @empty(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>,
                 %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>)
    -> tensor<4x8xf32> {
  %d = tensor.empty() : tensor<4x8xf32>
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

func.func @dense(%a: memref<4x64xf8E4M3FN>, %b: memref<8x64xf8E4M3FN>,
                 %sa: memref<4x2xf8E8M0FNU>, %sb: memref<8x2xf8E8M0FNU>,
                 %d: memref<4x8xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN>, memref<8x64xf8E4M3FN>)
      lhs_scale(%sa : memref<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<8x2xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x8xf32>) transpose_b
  return
}
