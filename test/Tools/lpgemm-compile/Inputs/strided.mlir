func.func @strided(%a: memref<4x64xf8E4M3FN, strided<[128, 2]>>,
                   %b: memref<8x64xf8E4M3FN>, %sa: memref<4x2xf8E8M0FNU>,
                   %sb: memref<8x2xf8E8M0FNU>, %d: memref<4x8xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN, strided<[128, 2]>>,
                   memref<8x64xf8E4M3FN>)
      lhs_scale(%sa : memref<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<8x2xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x8xf32>) transpose_b
  return
}
