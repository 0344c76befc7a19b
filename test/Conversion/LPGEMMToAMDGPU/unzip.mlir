// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --convert-lpgemm-to-amdgpu --canonicalize --cse | FileCheck %s

// A lane has four columns of a row: two pairs, which become two elements.

!t = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
!h = !lpgemm.frag<16x8xf32, <mfma_f32_16x16x32_fp8, c_pair>>
!g = !lpgemm.global<?x?xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
// CHECK-LABEL: gpu.func @pairs(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f32
// CHECK: %[[T0:.*]] = vector.shuffle
// CHECK-DAG: arith.mulf
gpu.func @pairs(%p: !llvm.ptr, %x: f32, %m: index, %n: index, %ld: i64,
                %i: index)
    kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %g = lpgemm.bind %p[%m, %n] pitch %ld : !llvm.ptr to !g
  %t = lpgemm.load %g[%i, %i] at [%i, %i] : !g to !t
  %even, %odd = lpgemm.unzip %t : !t to !h
  %d = lpgemm.apply %even, %odd {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.mulf %a, %b : f32
      lpgemm.yield %0 : f32
  } : !h, !h -> !h
  lpgemm.store %d, %g[%i, %i] at [%i, %i] : !h to !g
  gpu.return
}
}

// -----

!t = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
gpu.module @lanes attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
gpu.func @f(%x: f32)
    kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %t = lpgemm.splat %x : f32 to !lpgemm.frag<16x32xf32, <mfma_f32_16x16x32_fp8, c>>
  // expected-error @+1 {{'lpgemm.unzip' op expects the result in lanes #lpgemm.lanes<mfma_f32_16x16x32_fp8, c_pair>, but got #lpgemm.lanes<mfma_f32_16x16x32_fp8, c>}}
  %even, %odd = lpgemm.unzip %t : !lpgemm.frag<16x32xf32, <mfma_f32_16x16x32_fp8, c>> to !t
  gpu.return
}
}
