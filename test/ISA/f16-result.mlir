// f16 results, in words of two: v_pack_b32_f16, and on gfx950 v_cvt_pk_f16_f32.

// REQUIRES: numpy
// RUN: %python %S/run_kernel.py %s --chip=gfx942 --size=50x128x70 | FileCheck %s
// RUN: %python %S/run_kernel.py %s --chip=gfx950 --size=50x128x70 | FileCheck %s
// CHECK: early, reverse:
// CHECK-NEXT: ok: 50x128 f16

// RUN: lpgemm-compile %s --chip=gfx942 --emit=isa -o %t.s
// RUN: FileCheck %s --check-prefix=PACK < %t.s
// PACK: v_pack_b32_f16
// RUN: lpgemm-compile %s --chip=gfx950 --emit=isa -o %t.s
// RUN: FileCheck %s --check-prefix=CONVERT < %t.s
// CONVERT: v_cvt_pk_f16_f32

func.func @product(%lhs: tensor<?x?xi8>, %rhs: tensor<?x?xi8>,
    %lhs_scale: tensor<?xf32>, %rhs_scale: tensor<?xbf16>,
    %bias: tensor<?xf32>, %init: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xi8>, tensor<?x?xi8>)
      lhs_scale(%lhs_scale : tensor<?xf32>, <row>) rhs_scale(%rhs_scale : tensor<?xbf16>, <column>)
      bias(%bias : tensor<?xf32>, n)
      outs(%init : tensor<?x?xf16>) -> tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}
