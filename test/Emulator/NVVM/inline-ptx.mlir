// Texts of PTX become the operations that they spell, under their predicates.

// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   | FileCheck %s --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-order=reverse \
// RUN:   | FileCheck %s --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-order=random \
// RUN:   | FileCheck %s --implicit-check-not=report

// 100 + 133 + 105 from three lanes that arrive each in another way.
// CHECK: result 338

!s = !llvm.ptr<3>
!c = !llvm.ptr<7>
!g = !llvm.ptr<1>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global external @barrier() {addr_space = 3 : i32, alignment = 8 : i64} : i64
    llvm.mlir.global external @data() {addr_space = 3 : i32} : !llvm.array<64 x i32>

    llvm.func @arrivals(%out: !g) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c3 = llvm.mlir.constant(3 : i32) : i32
      %c5 = llvm.mlir.constant(5 : i32) : i32
      %c33 = llvm.mlir.constant(33 : i32) : i32
      %c63 = llvm.mlir.constant(63 : i32) : i32
      %c100 = llvm.mlir.constant(100 : i32) : i32
      %ticks = llvm.mlir.constant(1000 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %barrier = llvm.mlir.addressof @barrier : !s
      %data = llvm.mlir.addressof @data : !s
      %is0 = llvm.icmp "eq" %tid, %c0 : i32
      %is5 = llvm.icmp "eq" %tid, %c5 : i32
      %is33 = llvm.icmp "eq" %tid, %c33 : i32
      %is63 = llvm.icmp "eq" %tid, %c63 : i32
      llvm.cond_br %is0, ^init, ^start
    ^init:
      nvvm.mbarrier.init %barrier, %c3 : !s, i32
      llvm.br ^start
    ^start:
      nvvm.inline_ptx "fence.mbarrier_init.release.cluster;"
      nvvm.inline_ptx "bar.sync 0;"
      %mine = llvm.getelementptr %data[%tid] : (!s, i32) -> !s, i32
      %n = llvm.add %tid, %c100 : i32
      llvm.store %n, %mine : i32, !s
      nvvm.inline_ptx "mbarrier.arrive.shared::cta.b64 _, [$0];" ro(%barrier : !s), predicate = %is0
      %address = llvm.ptrtoint %barrier : !s to i32
      nvvm.inline_ptx "mbarrier.arrive.shared::cta.b64  _, [ $0 ], $1;" ro(%address, %c1 : i32, i32), predicate = %is5
      %remote = nvvm.mapa %barrier, %c0 : !s -> !c
      nvvm.inline_ptx "mbarrier.arrive.shared::cluster.b64 _, [$0];" ro(%remote : !c), predicate = %is33
      llvm.cond_br %is63, ^wait, ^end
    ^wait:
      nvvm.mbarrier.try_wait.parity %barrier, %c0, %ticks : !s, i32, i32
      %p5 = llvm.getelementptr %data[5] : (!s) -> !s, i32
      %p33 = llvm.getelementptr %data[33] : (!s) -> !s, i32
      %v0 = llvm.load %data : !s -> i32
      %v5 = llvm.load %p5 : !s -> i32
      %v33 = llvm.load %p33 : !s -> i32
      %s0 = llvm.add %v0, %v5 : i32
      %s1 = llvm.add %s0, %v33 : i32
      llvm.store %s1, %out : i32, !g
      llvm.br ^end
    ^end:
      llvm.return
    }
  }
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 64 : index
    %out = memref.alloc() : memref<1xi32>
    %index = memref.extract_aligned_pointer_as_index %out : memref<1xi32> -> index
    %i = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    gpu.launch_func @kernels::@arrivals blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%p : !llvm.ptr<1>)
    %v = memref.load %out[%c0] : memref<1xi32>
    memref.dealloc %out : memref<1xi32>
    return %v : i32
  }
}
