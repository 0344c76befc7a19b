func.func @columns(
    %a: memref<?x?xf8E4M3FN, strided<[1, 512]>>,
    %b: memref<?x?xf8E4M3FN, strided<[512, 2], offset: 7>>,
    %sa: memref<?x?xf8E8M0FNU, strided<[1, ?]>>,
    %sb: memref<?x?xf8E8M0FNU>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN, strided<[1, 512]>>,
                   memref<?x?xf8E4M3FN, strided<[512, 2], offset: 7>>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU, strided<[1, ?]>>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
