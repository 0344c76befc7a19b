// RUN: lpgemm-opt %s --convert-gpu-to-emulator -o %t
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=SITES < %t

// CHECK-NOT: gpu.container_module
module attributes {gpu.container_module} {
  // CHECK-NOT: gpu.module
  // CHECK-DAG: llvm.func @emu_rocdl_workitem_id_x() -> i32 attributes {memory_effects = #llvm.memory_effects<other = none,
  // CHECK-DAG: llvm.func @emu_launch(!llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr)
  // SITES: llvm.mlir.global internal constant @emu_site_text("llvm.store\00{{.*}}convert-gpu-to-emulator.mlir:[[#]]:{{[0-9]+}}\00

  // CHECK-LABEL: func.func @main(
  func.func @main(%out: memref<8xi32>, %n: index, %x: f32, %bytes: i32) {
    // CHECK: %[[INFO:.*]] = llvm.mlir.addressof @m_k_info
    // CHECK: %[[ENTRY:.*]] = llvm.mlir.addressof @m_k_entry
    // CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : index to i64
    // CHECK: %[[BYTES:.*]] = arith.extui %{{.*}} : i32 to i64
    // CHECK: memref.extract_aligned_pointer_as_index
    // CHECK: llvm.call @emu_launch(%[[INFO]], %[[ENTRY]], %[[N]], {{.*}}, %[[BYTES]], %{{.*}})
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
        dynamic_shared_memory_size %bytes args(%out : memref<8xi32>, %x : f32)
    return
  }

  gpu.module @m {
    llvm.mlir.global internal @a() {addr_space = 3 : i32} : !llvm.array<20 x i8>
    llvm.mlir.global internal @b() {addr_space = 3 : i32, alignment = 64 : i64} : !llvm.array<4 x i32>
    llvm.mlir.global internal @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i8>

    // CHECK-LABEL: llvm.func internal @m_k(
    // CHECK-SAME:      %[[P:.*]]: !llvm.ptr {llvm.noalias}, %[[X:.*]]: f32)
    // CHECK-NOT:   rocdl
    llvm.func @k(%p: !llvm.ptr {llvm.noalias}, %x: f32)
        attributes {gpu.kernel, rocdl.kernel,
                    gpu.known_block_size = array<i32: 64, 1, 1>} {
      // CHECK-DAG: %[[ID:.*]] = llvm.call @emu_rocdl_workitem_id_x() : () -> i32
      %0 = rocdl.workitem.id.x : i32
      // CHECK:      %[[BASE:.*]] = llvm.call @emu_lds_base() : () -> !llvm.ptr
      // CHECK-NEXT: %[[A:.*]] = llvm.getelementptr %[[BASE]][0]
      // CHECK-NEXT: %[[A3:.*]] = llvm.addrspacecast %[[A]] : !llvm.ptr to !llvm.ptr<3>
      %1 = llvm.mlir.addressof @a : !llvm.ptr<3>
      // 20 bytes, and 16 of unused space, and the alignment.
      // CHECK: llvm.getelementptr %{{.*}}[64]
      %2 = llvm.mlir.addressof @b : !llvm.ptr<3>
      // CHECK: llvm.getelementptr %{{.*}}[1024]
      %3 = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
      // CHECK:      %[[SITE0:.*]] = llvm.mlir.constant(0 : i32)
      // CHECK-NEXT: %{{.*}} = llvm.addrspacecast %[[A3]]
      // CHECK-NEXT: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32)
      // CHECK-NEXT: llvm.call @emu_lds_store(%[[SITE0]], %{{.*}}, %[[FOUR]])
      // CHECK-NEXT: llvm.store %[[X]], %[[A3]] {alignment = 1 : i64}
      llvm.store %x, %1 : f32, !llvm.ptr<3>
      // CHECK: llvm.call @emu_rocdl_barrier(
      rocdl.barrier
      // CHECK: llvm.call @emu_lds_load(
      %4 = llvm.load %2 : !llvm.ptr<3> -> f32
      // CHECK: llvm.call @emu_release_fence()
      llvm.fence syncscope("workgroup") release
      // CHECK-NOT: fence
      llvm.fence syncscope("workgroup") acquire
      llvm.fence syncscope("wavefront") seq_cst
      // CHECK: %[[BITS:.*]] = llvm.mlir.constant(49279 : i32)
      // CHECK: llvm.call @emu_rocdl_s_waitcnt(%{{.*}}, %[[BITS]])
      rocdl.s.waitcnt 49279
      rocdl.sched.barrier 0
      // CHECK:      llvm.store %{{.*}}, %[[SLOT:.*]] :
      // CHECK:      llvm.call @emu_rocdl_readfirstlane(%{{.*}}, %[[OUT:.*]], %{{.*}}, %[[SLOT]], %{{.*}})
      // CHECK:      %[[FIRST:.*]] = llvm.load %[[OUT]]
      %5 = rocdl.readfirstlane %4 : f32
      %6 = llvm.alloca %0 x f32 : (i32) -> !llvm.ptr<5>
      // CHECK:      llvm.store %[[FIRST]], %{{.*}} {alignment = 1 : i64} : f32, !llvm.ptr<5>
      llvm.store %5, %6 : f32, !llvm.ptr<5>
      // CHECK: llvm.call @emu_global_store(
      llvm.store %5, %p : f32, !llvm.ptr
      // CHECK: llvm.return
      llvm.return
    }
  }

  // CHECK-LABEL: llvm.func internal @m_k_entry(
  // CHECK-SAME:      %[[ARGS:.*]]: !llvm.ptr)
  // CHECK: %[[P0:.*]] = llvm.getelementptr %[[ARGS]][0]
  // CHECK: %[[P1:.*]] = llvm.load %[[P0]]
  // CHECK: %[[P2:.*]] = llvm.load %[[P1]] : !llvm.ptr -> !llvm.ptr
  // CHECK: %[[X0:.*]] = llvm.getelementptr %[[ARGS]][1]
  // CHECK: %[[X1:.*]] = llvm.load %[[X0]]
  // CHECK: %[[X2:.*]] = llvm.load %[[X1]] : !llvm.ptr -> f32
  // CHECK: llvm.call @m_k(%[[P2]], %[[X2]])
}
