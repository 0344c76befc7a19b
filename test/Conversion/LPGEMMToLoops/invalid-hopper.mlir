// RUN: lpgemm-opt %s -convert-lpgemm-to-loops=accumulate=hopper -split-input-file -verify-diagnostics

// The limited accumulator is defined for FP8 products, 32 at a time.

func.func @types(%a: memref<4x64xf8E4M3FN>, %b: memref<64x8xf8E4M3FNUZ>,
                 %d: memref<4x8xf32>) {
  // expected-error @below {{'lpgemm.matmul' op expects operands of 'f8E4M3FN' or 'f8E5M2' with accumulate=hopper, but got 'f8E4M3FNUZ'}}
  lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FNUZ>)
      outs(%d : memref<4x8xf32>)
  return
}

// -----

func.func @interval(%a: memref<4x64xf8E4M3FN>, %b: memref<64x8xf8E4M3FN>,
                    %d: memref<4x8xf32>) {
  // expected-error @below {{'lpgemm.matmul' op expects promote_k to be a multiple of 32 with accumulate=hopper, but got 48}}
  lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>)
      outs(%d : memref<4x8xf32>) promote_k = 48
  return
}
