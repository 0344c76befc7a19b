// (G-13) A bf16 result is subnormal where T is: some numbers of the bias are.
// Instructions of the host that convert to bf16 take such numbers for zeros.

// RUN: lpgemm-run %s --device=emulate --init=codes:281 --size=64x64x0 --compare=reference | FileCheck %s
// CHECK: {{^}}ok: 64x64 bf16, max |err|/bound 0.000, 0 of 4096 outside the bound

func.func @f(%a: tensor<?x?xf8E5M2>, %b: tensor<?x?xf8E5M2>, %bias: tensor<?xf32>,
             %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E5M2>, tensor<?x?xf8E5M2>)
      bias(%bias : tensor<?xf32>, m) outs(%d : tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}
