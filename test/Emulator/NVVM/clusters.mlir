// The barrier of a cluster, its coordinates, and what a launch may ask for.

// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=good \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=good \
// RUN:   --emulator-order=random --emulator-seed=5 \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=relaxed | FileCheck %s --check-prefix=RELAXED
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=no_arrival | FileCheck %s --check-prefix=NONE
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=wait_alone | FileCheck %s --check-prefix=ALONE
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=odd_grid | FileCheck %s --check-prefix=GRID
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=gone | FileCheck %s --check-prefix=GONE
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=other_size | FileCheck %s --check-prefix=SIZE
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=large_grid | FileCheck %s --check-prefix=LARGE

// GOOD: result 0

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global external @word() {addr_space = 3 : i32} : i32

    // Each workgroup writes, the other one of the cluster reads.
    llvm.func @good(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_dim = array<i32: 2>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %cluster = nvvm.read.ptx.sreg.clusterid.x : i32
      %size = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
      %is_first = llvm.icmp "eq" %tid, %c0 : i32
      llvm.cond_br %is_first, ^write, ^meet
    ^write:
      %first = llvm.mul %cluster, %size : i32
      %place = llvm.add %first, %rank : i32
      %mine = llvm.getelementptr %out[%place] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %block, %mine : i32, !llvm.ptr
      llvm.br ^meet
    ^meet:
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %other = llvm.xor %block, %c1 : i32
      %theirs = llvm.getelementptr %out[%other] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %theirs : !llvm.ptr -> i32
      %is_right = llvm.icmp "eq" %v, %other : i32
      llvm.cond_br %is_right, ^end, ^wrong
    ^wrong:
      %zero = llvm.mlir.zero : !llvm.ptr
      llvm.store %v, %zero : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return
    }

    // Arrives without ordering what it has written.
    llvm.func @relaxed(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_dim = array<i32: 2>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %is_first = llvm.icmp "eq" %tid, %c0 : i32
      llvm.cond_br %is_first, ^write, ^end
    ^write:
      %mine = llvm.getelementptr %out[%block] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %block, %mine : i32, !llvm.ptr
      nvvm.cluster.arrive.relaxed
      nvvm.cluster.wait
      %other = llvm.xor %block, %c1 : i32
      %theirs = llvm.getelementptr %out[%other] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      // RELAXED: report ({{[0-9]+}}): 'llvm.load' at {{.*}}:[[#@LINE+1]]:12 reads memory that another workgroup of the launch accesses; the other is 'llvm.store' at {{.*}}:[[#@LINE-5]]:7; offset 4 of
      %v = llvm.load %theirs : !llvm.ptr -> i32
      llvm.store %v, %mine : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return
    }

    llvm.func @no_arrival() attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_dim = array<i32: 2>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %is_first = llvm.icmp "eq" %rank, %c0 : i32
      llvm.cond_br %is_first, ^meet, ^barrier
    ^meet:
      nvvm.cluster.arrive
      // NONE-DAG: report (1): 'nvvm.cluster.wait' at {{.*}}:[[#@LINE+1]]:7 waits for ever, for the barrier of the cluster, to which 32 of 64 threads have come: 32 lanes (kernel no_arrival, workgroup 0,0,0, warp 0 lane 0)
      nvvm.cluster.wait
      llvm.return
    ^barrier:
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      // NONE-DAG: report (1): 'nvvm.barrier' at {{.*}}:[[#@LINE+1]]:7 waits for ever, for a barrier to which 32 of 64 threads have come: 32 lanes (kernel no_arrival, workgroup 1,0,0, warp 0 lane 0)
      nvvm.barrier id = %c1 number_of_threads = %c64
      llvm.return
    }

    llvm.func @wait_alone() attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_dim = array<i32: 2>} {
      // ALONE: report (1): 'nvvm.cluster.wait' at {{.*}}:[[#@LINE+1]]:7 waits for the barrier of the cluster without having arrived (kernel wait_alone, workgroup 0,0,0, warp 0 lane 0)
      nvvm.cluster.wait
      llvm.return
    }

    // Shared memory lives as long as its workgroup.
    llvm.func @gone() attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_dim = array<i32: 2>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %word = llvm.mlir.addressof @word : !llvm.ptr<3>
      %is_first = llvm.icmp "eq" %rank, %c0 : i32
      nvvm.cluster.arrive
      nvvm.cluster.wait
      llvm.cond_br %is_first, ^write, ^exit
    ^write:
      // Lets the other one end.
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %remote = nvvm.mapa %word, %c1 : !llvm.ptr<3> -> !llvm.ptr<7>
      // GONE: report (1): 'llvm.store' at {{.*}}:[[#@LINE+1]]:7 is about shared memory of a workgroup that has exited; shared memory offset 0 (@word + 0) of rank 1 in the cluster (kernel gone, workgroup 0,0,0, warp 0 lane 0)
      llvm.store %rank, %remote : i32, !llvm.ptr<7>
      llvm.return
    ^exit:
      llvm.return
    }

    // SIZE: report (1): launch of kernel other_size: expected the cluster 2,1,1 of the kernel, got 4,1,1
    llvm.func @other_size() attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_dim = array<i32: 2>} {
      llvm.return
    }

    // LARGE: report (1): launch of kernel large_grid: expected a grid of at most 65535 in y and z, got 1,65536,1
    llvm.func @large_grid() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }

    // GRID: report (1): launch of kernel odd_grid: expected a grid of whole clusters of 3,1,1, got 4,1,1
    llvm.func @odd_grid() attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_dim = array<i32: 3>} {
      llvm.return
    }
  }

  func.func @good() -> i32 {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %out = memref.alloc() : memref<8xi32>
    gpu.launch_func @kernels::@good blocks in (%c4, %c1, %c1) threads in (%c32, %c1, %c1) args(%out : memref<8xi32>)
    memref.dealloc %out : memref<8xi32>
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @relaxed() -> i32 {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %out = memref.alloc() : memref<8xi32>
    gpu.launch_func @kernels::@relaxed blocks in (%c4, %c1, %c1) threads in (%c32, %c1, %c1) args(%out : memref<8xi32>)
    memref.dealloc %out : memref<8xi32>
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @no_arrival() -> i32 {
    %c1 = arith.constant 1 : index
    %n = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@no_arrival blocks in (%n, %c1, %c1) threads in (%c32, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @wait_alone() -> i32 {
    %c1 = arith.constant 1 : index
    %n = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@wait_alone blocks in (%n, %c1, %c1) threads in (%c32, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @odd_grid() -> i32 {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@odd_grid blocks in (%n, %c1, %c1) threads in (%c32, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @gone() -> i32 {
    %c1 = arith.constant 1 : index
    %n = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@gone blocks in (%n, %c1, %c1) threads in (%c32, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @other_size() -> i32 {
    %c1 = arith.constant 1 : index
    %n = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@other_size clusters in (%n, %c1, %c1) blocks in (%n, %c1, %c1) threads in (%c32, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @large_grid() -> i32 {
    %c1 = arith.constant 1 : index
    %n = arith.constant 65536 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@large_grid blocks in (%c1, %n, %c1) threads in (%c32, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
}
