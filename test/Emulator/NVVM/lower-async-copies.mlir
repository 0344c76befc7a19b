// The call that each operation becomes.

// RUN: lpgemm-opt %s --convert-gpu-to-emulator | FileCheck %s

!s = !llvm.ptr<3>
!c = !llvm.ptr<7>
!g = !llvm.ptr<1>
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    // CHECK-LABEL: llvm.func {{.*}}mbarriers
    llvm.func @mbarriers(%bar: !s, %remote: !c, %n: i32, %p: i1, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      // CHECK: llvm.call @emu_nvvm_mbarrier_init
      nvvm.mbarrier.init %bar, %n, predicate = %p : !s, i32, i1
      // CHECK: llvm.call @emu_nvvm_mbarrier_expect_tx
      nvvm.mbarrier.expect_tx %bar, %n : !s, i32
      // CHECK: llvm.call @emu_nvvm_mbarrier_complete_tx
      nvvm.mbarrier.complete_tx %remote, %n : !c, i32
      // CHECK-COUNT-8: llvm.call @emu_nvvm_mbarrier_arrive(
      %0 = nvvm.mbarrier.arrive %bar : !s -> i64
      nvvm.mbarrier.arrive %remote, %n : !c
      %1 = nvvm.mbarrier.arrive_drop %bar, %n {relaxed = true} : !s -> i64
      %2 = nvvm.mbarrier.arrive.nocomplete %bar, %n : !s, i32 -> i64
      %3 = nvvm.mbarrier.arrive_drop.nocomplete %bar, %n : !s, i32 -> i64
      nvvm.mbarrier.arrive.expect_tx %bar, %n, predicate = %p : !s, i32, i1
      %4 = nvvm.mbarrier.arrive.expect_tx %bar, %n : !s, i32 -> i64
      nvvm.mbarrier.arrive_drop.expect_tx %remote, %n : !c, i32
      // CHECK: llvm.call @emu_nvvm_mbarrier_wait_parity
      nvvm.mbarrier.try_wait.parity %bar, %n, %n : !s, i32, i32
      // CHECK-COUNT-2: llvm.call @emu_nvvm_mbarrier_test_wait
      %5 = nvvm.mbarrier.test.wait %bar, %0 : !s, i64 -> i1
      %6 = nvvm.mbarrier.try_wait %bar, %n : !s, i32 -> i1
      // CHECK: llvm.call @emu_nvvm_cp_async_mbarrier_arrive
      nvvm.cp.async.mbarrier.arrive %bar : !s
      // CHECK: llvm.call @emu_nvvm_mbarrier_inval
      nvvm.mbarrier.inval %bar : !s
      llvm.return
    }

    // CHECK-LABEL: llvm.func {{.*}}copies
    llvm.func @copies(%to: !s, %cluster: !c, %from: !g, %bar: !s, %map: !llvm.ptr, %n: i32, %mask: i16, %hint: i64) attributes {gpu.kernel, nvvm.kernel} {
      // CHECK: llvm.call @emu_nvvm_cp_async(
      nvvm.cp.async.shared.global %to, %from, 16, cache = cg : !s, !g
      // CHECK: llvm.call @emu_nvvm_cp_async_commit_group
      nvvm.cp.async.commit.group
      // CHECK: llvm.call @emu_nvvm_cp_async_wait_group
      nvvm.cp.async.wait.group 1
      // CHECK-COUNT-2: llvm.call @emu_nvvm_bulk_load
      nvvm.cp.async.bulk.shared.cluster.global %cluster, %from, %bar, %n multicast_mask = %mask l2_cache_hint = %hint : !c, !g
      nvvm.cp.async.bulk.shared.cluster.global %to, %from, %bar, %n : !s, !g
      // CHECK: llvm.call @emu_nvvm_bulk_copy_shared
      nvvm.cp.async.bulk.shared.cluster.shared.cta %cluster, %to, %bar, %n : !c, !s
      // CHECK: llvm.call @emu_nvvm_bulk_store
      nvvm.cp.async.bulk.global.shared.cta %from, %to, %n : !g, !s
      // CHECK: llvm.call @emu_nvvm_bulk_prefetch
      nvvm.cp.async.bulk.prefetch %from, %n : !g
      // CHECK-COUNT-2: llvm.call @emu_nvvm_tensor_load
      nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %bar, box[%n] {isCTAOnly = true} : !s, !llvm.ptr
      nvvm.cp.async.bulk.tensor.shared.cluster.global %cluster, %map, %bar, box[%n, %n, %n, %n, %n] multicast_mask = %mask : !c, !llvm.ptr
      // CHECK: llvm.call @emu_nvvm_tensor_store
      nvvm.cp.async.bulk.tensor.global.shared.cta %map, %to, box[%n, %n] : !llvm.ptr, !s
      // CHECK: llvm.call @emu_nvvm_tensor_reduce
      nvvm.cp.async.bulk.tensor.reduce %map, %to, box[%n, %n, %n] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !s
      // CHECK: llvm.call @emu_nvvm_tensor_prefetch
      nvvm.cp.async.bulk.tensor.prefetch %map, box[%n, %n] : !llvm.ptr
      // CHECK: llvm.call @emu_nvvm_prefetch_tensormap
      nvvm.prefetch tensormap, %map : !llvm.ptr
      // CHECK: llvm.call @emu_nvvm_bulk_commit_group
      nvvm.cp.async.bulk.commit.group
      // CHECK: llvm.call @emu_nvvm_bulk_wait_group
      nvvm.cp.async.bulk.wait_group 0
      // CHECK-NOT: {{llvm.call|nvvm[.]}}
      nvvm.prefetch level = L2, %from : !g
      // CHECK-COUNT-3: llvm.call @emu_nvvm_fence(
      nvvm.fence.mbarrier.init
      nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %map, %n
      nvvm.fence.proxy.release #nvvm.mem_scope<gpu>
      // CHECK-NEXT: llvm.return
      llvm.return
    }
  }
}
