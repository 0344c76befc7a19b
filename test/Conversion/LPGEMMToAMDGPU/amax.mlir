// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s
// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" \
// RUN:   | mlir-opt --allow-unregistered-dialect --pass-pipeline="builtin.module(rocdl-attach-target{chip=gfx950 O=3},gpu.module(convert-scf-to-cf,convert-gpu-to-rocdl{chipset=gfx950 runtime=HIP index-bitwidth=32},canonicalize,cse,reconcile-unrealized-casts),gpu-module-to-binary{format=isa})" | FileCheck %s --check-prefix=ISA

// (G-14) A lane finds the largest bits of the magnitudes that are inside, and
// the wave updates the memory once.

!fc = !lpgemm.frag<16x32xf32, <mfma_f32_16x16x32_fp8, c>>

// CHECK-LABEL: gpu.func @amax
// CHECK-DAG: %[[MASK:.*]] = arith.constant 2147483647 : i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[INF:.*]] = arith.constant 2139095040 : i32
// CHECK-DAG: %[[NAN:.*]] = arith.constant 2143289344 : i32
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
// CHECK: %[[MAGNITUDE:.*]] = arith.andi %[[BITS]], %[[MASK]] : i32
// CHECK: %[[INSIDE:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK: arith.select %[[INSIDE]], %[[MAGNITUDE]], %[[ZERO]] : i32
// CHECK-COUNT-6: arith.maxui
// CHECK: %[[LARGEST:.*]] = arith.maxui
// CHECK: %[[ISNAN:.*]] = arith.cmpi ugt, %[[LARGEST]], %[[INF]] : i32
// CHECK: %[[VALUE:.*]] = arith.select %[[ISNAN]], %[[NAN]], %[[LARGEST]] : i32
// CHECK: llvm.atomicrmw umax %{{.*}}, %[[VALUE]] syncscope("agent") monotonic : !llvm.ptr, i32
// CHECK-NOT: llvm.atomicrmw

// ISA: v_max_u32
// ISA: v_readlane_b32
// ISA: global_atomic_umax
// ISA-NOT: atomic_umax
// ISA: .vgpr_spill_count: 0
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @amax(%px: !llvm.ptr, %pa: !llvm.ptr, %m: index, %n: index, %pitch: i64)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = lpgemm.bind %px[%m, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf32>
    %a = lpgemm.bind %pa[%c1, %c1] pitch %pitch : !llvm.ptr to !lpgemm.global<f32>
    %c = lpgemm.load %x[%c0, %c0] at [%c0, %c0] : !lpgemm.global<?x?xf32> to !fc
    lpgemm.amax %c, %a within %x[%c0, %c0] at [%c0, %c0]
        : !fc, !lpgemm.global<f32>, !lpgemm.global<?x?xf32>
    gpu.return
  }
}
