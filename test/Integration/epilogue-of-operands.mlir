// RUN: lpgemm-run %s --entry=operand --chip=gfx950 --device=emulate --init=codes:1 --size=17x33x66 --poison --compare=reference | FileCheck %s
// RUN: lpgemm-run %s --entry=column --chip=gfx942 --device=emulate --init=codes:2 --size=17x33x66 --poison --compare=reference | FileCheck %s
// RUN: lpgemm-run %s --entry=no_product --chip=gfx950 --device=emulate --init=codes:3 --size=17x33x66 --poison --compare=reference | FileCheck %s

// Results that are elements of an operand as they are, without an op on them.

// CHECK: ok: 17x33 f32

!m8 = tensor<?x?xf8E4M3FN>
!m32 = tensor<?x?xf32>
func.func @operand(%a: !m8, %b: !m8, %x: !m32, %d: !m32) -> !m32 {
  %0 = lpgemm.matmul ins(%a, %b : !m8, !m8) outs(%d : !m32) transpose_b
      epilogue(%t, %y = %x : !m32) {
        lpgemm.yield %y : f32
      } -> !m32
  return %0 : !m32
}

func.func @column(%a: !m8, %b: !m8, %x: tensor<?xf32>, %d: !m32) -> !m32 {
  %0 = lpgemm.matmul ins(%a, %b : !m8, !m8) outs(%d : !m32) transpose_b
      epilogue(%t, %y = %x : tensor<?xf32> by affine_map<(m, n) -> (n)>) {
        lpgemm.yield %y : f32
      } -> !m32
  return %0 : !m32
}

// (G-12) Nothing but C.
func.func @no_product(%a: !m8, %b: !m8, %c: !m32, %d: !m32) -> !m32 {
  %0 = lpgemm.matmul ins(%a, %b : !m8, !m8) alpha(0.0) c(%c : !m32)
      outs(%d : !m32) transpose_b -> !m32
  return %0 : !m32
}
