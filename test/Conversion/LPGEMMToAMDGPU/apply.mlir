// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s
// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" \
// RUN:   | mlir-opt --allow-unregistered-dialect --pass-pipeline="builtin.module(rocdl-attach-target{chip=gfx950 O=3},gpu.module(convert-scf-to-cf,convert-gpu-to-rocdl{chipset=gfx950 runtime=HIP index-bitwidth=32},canonicalize,cse,reconcile-unrealized-casts),gpu-module-to-binary{format=isa})" | FileCheck %s --check-prefix=ISA

// A lane holds four columns of one row: the elements of `cols` differ from
// element to element of an atom, those of `rows` from atom to atom.

!fc = !lpgemm.frag<16x32xf32, <mfma_f32_16x16x32_fp8, c>>
!fd = !lpgemm.frag<16x32xbf16, <mfma_f32_16x16x32_fp8, c>>
!fr = !lpgemm.frag<16x1xbf16, <mfma_f32_16x16x32_fp8, c_row>>
!fk = !lpgemm.frag<32x1xf32, <mfma_f32_16x16x32_fp8, c_col>>
!g = !lpgemm.global<?x?xf32>
!gd = !lpgemm.global<?x?xbf16>

// CHECK-LABEL: gpu.func @apply
// CHECK-COUNT-2: rocdl.raw.ptr.buffer.load {{.*}} : vector<4xi32>
// CHECK: } else {
// CHECK: rocdl.raw.ptr.buffer.load {{.*}} : i16
// CHECK-NOT: rocdl.raw.ptr.buffer.load {{.*}} : i16
// CHECK: %[[R:.*]] = arith.bitcast %{{.*}} : i16 to bf16
// CHECK-COUNT-8: rocdl.raw.ptr.buffer.load {{.*}} : i32
// CHECK-NOT: rocdl.raw.ptr.buffer.load
// CHECK: %[[K:.*]] = vector.bitcast %{{.*}} : vector<4xi32> to vector<4xf32>
// CHECK: vector.bitcast
// CHECK: %[[K0:.*]] = vector.extract %[[K]][0] : f32 from vector<4xf32>
// CHECK: %[[X:.*]] = arith.extf %[[R]] : bf16 to f32
// CHECK: arith.subf %{{.*}}, %[[K0]]
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: %[[K1:.*]] = vector.extract %[[K]][1] : f32 from vector<4xf32>
// CHECK: arith.subf %{{.*}}, %[[K1]]
// CHECK: scf.if %{{.*}} {
// CHECK-COUNT-2: rocdl.raw.ptr.buffer.store %{{.*}} : vector<2xi32>
// CHECK-NOT: rocdl.raw.ptr.buffer.store
// CHECK: } else {
// CHECK-COUNT-8: rocdl.raw.ptr.buffer.store %{{.*}} : i16
// CHECK-NOT: rocdl.raw.ptr.buffer.store

// Rounding to nearest even in hardware, stores of a lane's four columns.
// ISA: v_cvt_pk_bf16_f32
// ISA: buffer_store_dwordx2
// ISA: .vgpr_spill_count: 0
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @apply(%px: !llvm.ptr, %pd: !llvm.ptr, %m: index, %pitch: i64, %f: f32)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = lpgemm.bind %px[%m, %m] pitch %pitch : !llvm.ptr to !g
    %d = lpgemm.bind %pd[%m, %m] pitch %pitch : !llvm.ptr to !gd
    %c = lpgemm.load %x[%c0, %c0] at [%c0, %c0] : !g to !fc
    %r = lpgemm.load %d[%c0, %c0] at [%c0, %c0] : !gd to !fr
    %k = lpgemm.load %x[%c0, %c0] at [%c0, %c0] : !g to !fk
    %y = lpgemm.apply %c rows(%r : !fr) cols(%k : !fk) {
      ^bb0(%t: f32, %r16: bf16, %k0: f32):
        %r0 = arith.extf %r16 : bf16 to f32
        %0 = arith.mulf %t, %r0 : f32
        %1 = arith.subf %0, %k0 : f32
        %2 = arith.mulf %1, %f : f32
        %3 = arith.truncf %2 : f32 to bf16
        lpgemm.yield %3 : bf16
    } : !fc -> !fd
    lpgemm.store %y, %d[%c0, %c0] at [%c0, %c0] : !fd to !gd
    gpu.return
  }
}
