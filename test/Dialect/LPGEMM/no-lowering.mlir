// RUN: not lpgemm-opt %s --mlir-print-op-on-diagnostic=false --lpgemm-lower-to-rocdl=chip=gfx1250 2>&1 \
// RUN:   | FileCheck %s -DCHIP=gfx1250 --implicit-check-not=error: --implicit-check-not=note:
// RUN: not lpgemm-opt %s --mlir-print-op-on-diagnostic=false --lpgemm-lower-to-rocdl=chip=sm_100a 2>&1 \
// RUN:   | FileCheck %s -DCHIP=sm_100a --implicit-check-not=error: --implicit-check-not=note:
// RUN: not lpgemm-opt %s --mlir-print-op-on-diagnostic=false --lpgemm-lower-to-rocdl=chip=sm_103a 2>&1 \
// RUN:   | FileCheck %s -DCHIP=sm_103a --implicit-check-not=error: --implicit-check-not=note:
// RUN: not lpgemm-opt %s --mlir-print-op-on-diagnostic=false --lpgemm-lower-to-rocdl=chip=sm_120a 2>&1 \
// RUN:   | FileCheck %s -DCHIP=sm_120a --implicit-check-not=error: --implicit-check-not=note:
// RUN: not lpgemm-opt %s --mlir-print-op-on-diagnostic=false --lpgemm-lower-to-rocdl=chip=sm_121a 2>&1 \
// RUN:   | FileCheck %s -DCHIP=sm_121a --implicit-check-not=error: --implicit-check-not=note:

// One error says that the chip has no lowering, at the first product.

func.func @two(%a: memref<4x32xf8E4M3FN>, %b: memref<8x32xf8E4M3FN>,
               %sa: memref<4x1xf8E8M0FNU>, %sb: memref<8x1xf8E8M0FNU>,
               %d: memref<4x8xf32>, %e: memref<4x8xf32>) {
  // CHECK: no-lowering.mlir:[[#@LINE+1]]:3: error: 'lpgemm.matmul' op has no lowering for [[CHIP]] yet; there is one for gfx942, gfx950, sm_80, sm_89, sm_90a{{$}}
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN>, memref<8x32xf8E4M3FN>)
      lhs_scale(%sa : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<8x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x8xf32>) transpose_b
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN>, memref<8x32xf8E4M3FN>)
      lhs_scale(%sa : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<8x1xf8E8M0FNU>, <mx>)
      outs(%e : memref<4x8xf32>) transpose_b
  return
}
