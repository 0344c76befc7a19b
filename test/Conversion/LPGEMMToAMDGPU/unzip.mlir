// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --convert-lpgemm-to-amdgpu --canonicalize --cse | FileCheck %s

// A lane has four columns of a row: two pairs, which become two elements.

!t = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
!h = !lpgemm.frag<16x8xf32, <mfma_f32_16x16x32_fp8, c_pair>>
!g = !lpgemm.global<?x?xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
// CHECK-LABEL: gpu.func @pairs(
// CHECK: %[[T:.*]] = vector.bitcast %{{.*}} : vector<4xi32> to vector<4xf32>
// CHECK-NEXT: %[[T0:.*]] = vector.extract %[[T]][0] : f32 from vector<4xf32>
// CHECK-NEXT: %[[T2:.*]] = vector.extract %[[T]][2] : f32 from vector<4xf32>
// CHECK-NEXT: %[[T1:.*]] = vector.extract %[[T]][1] : f32 from vector<4xf32>
// CHECK-NEXT: %[[T3:.*]] = vector.extract %[[T]][3] : f32 from vector<4xf32>
// CHECK-NEXT: %[[D0:.*]] = arith.subf %[[T0]], %[[T1]] : f32
// CHECK-NEXT: %[[D1:.*]] = arith.subf %[[T2]], %[[T3]] : f32
// CHECK-NEXT: %[[D:.*]] = vector.from_elements %[[D0]], %[[D1]] : vector<2xf32>
// CHECK: %[[BITS:.*]] = vector.bitcast %[[D]] : vector<2xf32> to vector<2xi32>
// CHECK: rocdl.raw.ptr.buffer.store %[[BITS]],
gpu.func @pairs(%p: !llvm.ptr, %x: f32, %m: index, %n: index, %ld: i64,
                %i: index)
    kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %g = lpgemm.bind %p[%m, %n] pitch %ld : !llvm.ptr to !g
  %t = lpgemm.load %g[%i, %i] at [%i, %i] : !g to !t
  %even, %odd = lpgemm.unzip %t : !t to !h
  %d = lpgemm.apply %even, %odd {
    ^bb0(%a: f32, %b: f32):
      %0 = arith.subf %a, %b : f32
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
