// Atomic accesses of NVIDIA, and the order that they establish: in a workgroup
// and in a cluster.

// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=count \
// RUN:   | FileCheck %s --check-prefix=COUNT --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=count \
// RUN:   --emulator-order=random --emulator-seed=5 \
// RUN:   | FileCheck %s --check-prefix=COUNT --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=flag \
// RUN:   | FileCheck %s --check-prefix=FLAG --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=flag \
// RUN:   --emulator-order=reverse \
// RUN:   | FileCheck %s --check-prefix=FLAG --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=fenced \
// RUN:   --emulator-order=random \
// RUN:   | FileCheck %s --check-prefix=FLAG --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=relaxed \
// RUN:   | FileCheck %s --check-prefix=RELAXED
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=early \
// RUN:   --emulator-order=random | FileCheck %s --check-prefix=EARLY
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=global \
// RUN:   | FileCheck %s --check-prefix=GLOBAL --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=cluster \
// RUN:   | FileCheck %s --check-prefix=CLUSTER --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=cluster \
// RUN:   --emulator-order=reverse \
// RUN:   | FileCheck %s --check-prefix=CLUSTER --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=no_wait \
// RUN:   | FileCheck %s --check-prefix=NOWAIT
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=rank \
// RUN:   | FileCheck %s --check-prefix=RANK

// Of 64 lanes, each adds its number plus 1; then the first adds 1000.
// COUNT: result 3080
// FLAG: result 42
// GLOBAL: result 64
// CLUSTER: result 8

// RELAXED: report (1): 'llvm.load' at {{.*}}:{{[0-9]+}}:12 reads what the other wrote, and nothing orders the two; the other is 'llvm.store' at {{.*}} in warp 0 lane 0; shared memory offset {{[0-9]+}} (@data + 0) (kernel relaxed, workgroup 0,0,0, warp 1 lane 0)

// EARLY: report ({{[0-9]+}}): 'llvm.atomicrmw' at {{.*}} overwrites what the other reads, and nothing orders the two; the other is 'llvm.load' at {{.*}} in warp 1 lane 31; shared memory offset {{[0-9]+}} (@counter + 0) (kernel early, workgroup 0,0,0, warp {{[01]}} lane {{[0-9]+}})
// EARLY: report (1): 'llvm.load' at {{.*}} reads what the other wrote, and nothing orders the two; the other is 'llvm.atomicrmw' at {{.*}} in warp {{[01]}} lane {{[0-9]+}}; shared memory offset {{[0-9]+}} (@counter + 0) (kernel early, workgroup 0,0,0, warp 1 lane 31)

// NOWAIT: report ({{[0-9]+}}): 'llvm.load' at {{.*}} reads what the other wrote, and nothing orders the two; the other is 'llvm.store' at {{.*}} in warp 0 lane 0 of rank {{[01]}} in the cluster; shared memory offset 0 (@data + 0) of rank {{[01]}} in the cluster (kernel no_wait, workgroup {{[01]}},0,0, warp 0 lane 0)

// RANK: report (1): 'llvm.load' at {{.*}} is outside of the shared memory of the cluster (kernel rank, workgroup 0,0,0, warp 0 lane 0)

!s = !llvm.ptr<3>
!g = !llvm.ptr<1>
!c = !llvm.ptr<7>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global external @counter() {addr_space = 3 : i32} : i32
    llvm.mlir.global external @flag() {addr_space = 3 : i32} : i32
    llvm.mlir.global external @data() {addr_space = 3 : i32} : i32

    llvm.func @count(%out: !g) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c1000 = llvm.mlir.constant(1000 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %counter = llvm.mlir.addressof @counter : !s
      %isFirst = llvm.icmp "eq" %tid, %c0 : i32
      llvm.cond_br %isFirst, ^init, ^start
    ^init:
      llvm.store %c0, %counter : i32, !s
      llvm.br ^start
    ^start:
      nvvm.barrier
      %n = llvm.add %tid, %c1 : i32
      %old = llvm.atomicrmw add %counter, %n monotonic : !s, i32
      nvvm.barrier
      llvm.cond_br %isFirst, ^last, ^end
    ^last:
      %v = llvm.load %counter : !s -> i32
      %pair = llvm.cmpxchg %counter, %v, %c1000 acq_rel monotonic : !s, i32
      %swapped = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
      %new = llvm.load %counter atomic acquire {alignment = 4 : i64} : !s -> i32
      %sum = llvm.add %swapped, %new : i32
      llvm.store %sum, %out : i32, !g
      llvm.br ^end
    ^end:
      llvm.return
    }

    // Lane 0 writes and releases; lane 32, of the other warp, acquires.
    llvm.func @flag_kernel(%out: !g) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c42 = llvm.mlir.constant(42 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %flag = llvm.mlir.addressof @flag : !s
      %data = llvm.mlir.addressof @data : !s
      %isWriter = llvm.icmp "eq" %tid, %c0 : i32
      %isReader = llvm.icmp "eq" %tid, %c32 : i32
      llvm.cond_br %isWriter, ^init, ^start
    ^init:
      llvm.store %c0, %flag : i32, !s
      llvm.br ^start
    ^start:
      nvvm.barrier
      llvm.cond_br %isWriter, ^write, ^other
    ^write:
      llvm.store %c42, %data : i32, !s
      llvm.store %c1, %flag atomic release {alignment = 4 : i64} : i32, !s
      llvm.br ^end
    ^other:
      llvm.cond_br %isReader, ^wait, ^end
    ^wait:
      %seen = llvm.load %flag atomic acquire {alignment = 4 : i64} : !s -> i32
      %isSet = llvm.icmp "eq" %seen, %c1 : i32
      llvm.cond_br %isSet, ^read, ^wait
    ^read:
      %v = llvm.load %data : !s -> i32
      llvm.store %v, %out : i32, !g
      llvm.br ^end
    ^end:
      llvm.return
    }

    // The same with relaxed accesses between fences.
    llvm.func @fenced(%out: !g) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c42 = llvm.mlir.constant(42 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %flag = llvm.mlir.addressof @flag : !s
      %data = llvm.mlir.addressof @data : !s
      %isWriter = llvm.icmp "eq" %tid, %c0 : i32
      %isReader = llvm.icmp "eq" %tid, %c32 : i32
      llvm.cond_br %isWriter, ^init, ^start
    ^init:
      llvm.store %c0, %flag : i32, !s
      llvm.br ^start
    ^start:
      nvvm.barrier
      llvm.cond_br %isWriter, ^write, ^other
    ^write:
      llvm.store %c42, %data : i32, !s
      nvvm.memory.barrier <cta>
      llvm.store %c1, %flag atomic monotonic {alignment = 4 : i64} : i32, !s
      llvm.br ^end
    ^other:
      llvm.cond_br %isReader, ^wait, ^end
    ^wait:
      %seen = llvm.load %flag atomic monotonic {alignment = 4 : i64} : !s -> i32
      %isSet = llvm.icmp "eq" %seen, %c1 : i32
      llvm.cond_br %isSet, ^read, ^wait
    ^read:
      llvm.fence syncscope("block") acquire
      %v = llvm.load %data : !s -> i32
      llvm.store %v, %out : i32, !g
      llvm.br ^end
    ^end:
      llvm.return
    }

    // And with no fence.
    llvm.func @relaxed(%out: !g) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c42 = llvm.mlir.constant(42 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %flag = llvm.mlir.addressof @flag : !s
      %data = llvm.mlir.addressof @data : !s
      %isWriter = llvm.icmp "eq" %tid, %c0 : i32
      %isReader = llvm.icmp "eq" %tid, %c32 : i32
      llvm.cond_br %isWriter, ^init, ^start
    ^init:
      llvm.store %c0, %flag : i32, !s
      llvm.br ^start
    ^start:
      nvvm.barrier
      llvm.cond_br %isWriter, ^write, ^other
    ^write:
      llvm.store %c42, %data : i32, !s
      llvm.store %c1, %flag atomic monotonic {alignment = 4 : i64} : i32, !s
      llvm.br ^end
    ^other:
      llvm.cond_br %isReader, ^wait, ^end
    ^wait:
      %seen = llvm.load %flag atomic acquire {alignment = 4 : i64} : !s -> i32
      %isSet = llvm.icmp "eq" %seen, %c1 : i32
      llvm.cond_br %isSet, ^read, ^wait
    ^read:
      %v = llvm.load %data : !s -> i32
      llvm.store %v, %out : i32, !g
      llvm.br ^end
    ^end:
      llvm.return
    }

    // The last lane reads what the others add to, with no barrier.
    llvm.func @early(%out: !g) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c63 = llvm.mlir.constant(63 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %counter = llvm.mlir.addressof @counter : !s
      %isFirst = llvm.icmp "eq" %tid, %c0 : i32
      %isLast = llvm.icmp "eq" %tid, %c63 : i32
      llvm.cond_br %isFirst, ^init, ^start
    ^init:
      llvm.store %c0, %counter : i32, !s
      llvm.br ^start
    ^start:
      nvvm.barrier
      %old = llvm.atomicrmw add %counter, %tid monotonic : !s, i32
      llvm.cond_br %isLast, ^read, ^end
    ^read:
      %v = llvm.load %counter : !s -> i32
      llvm.store %v, %out : i32, !g
      llvm.br ^end
    ^end:
      llvm.return
    }

    llvm.func @global(%out: !g) attributes {gpu.kernel, nvvm.kernel} {
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %old = llvm.atomicrmw add %out, %c1 syncscope("device") monotonic : !g, i32
      %v = llvm.load %out atomic syncscope("device") monotonic {alignment = 4 : i64} : !g -> i32
      llvm.return
    }

    // Each workgroup reads what the next of the cluster has, which is its rank
    // plus 1. All are added up.
    llvm.func @cluster(%out: !g) attributes {gpu.kernel, nvvm.kernel} {
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %other = llvm.xor %rank, %c1 : i32
      %data = llvm.mlir.addressof @data : !s
      %n = llvm.add %rank, %c1 : i32
      llvm.store %n, %data : i32, !s
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %remote = nvvm.mapa %data, %other : !s -> !c
      %v = llvm.load %remote : !c -> i32
      %both = llvm.add %v, %v : i32
      nvvm.cluster.arrive
      nvvm.cluster.wait
      llvm.store %both, %remote : i32, !c
      nvvm.fence.sc.cluster
      nvvm.cluster.arrive.relaxed
      nvvm.cluster.wait
      // 2 in the first workgroup, 4 in the second; then each adds 1 to the
      // other's.
      %w = llvm.load %data : !s -> i32
      %old = llvm.atomicrmw add %out, %w seq_cst : !g, i32
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %q = llvm.atomicrmw add %remote, %c1 syncscope("cluster") acq_rel : !c, i32
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %x = llvm.load %data : !s -> i32
      %d = llvm.sub %x, %w : i32
      %old2 = llvm.atomicrmw add %out, %d monotonic : !g, i32
      llvm.return
    }

    llvm.func @no_wait(%out: !g) attributes {gpu.kernel, nvvm.kernel} {
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %other = llvm.xor %rank, %c1 : i32
      %data = llvm.mlir.addressof @data : !s
      llvm.store %rank, %data : i32, !s
      nvvm.cluster.arrive.relaxed
      nvvm.cluster.wait
      %remote = nvvm.mapa %data, %other : !s -> !c
      %v = llvm.load %remote : !c -> i32
      %old = llvm.atomicrmw add %out, %v monotonic : !g, i32
      llvm.return
    }

    llvm.func @rank(%out: !g) attributes {gpu.kernel, nvvm.kernel} {
      %c2 = llvm.mlir.constant(2 : i32) : i32
      %data = llvm.mlir.addressof @data : !s
      %remote = nvvm.mapa %data, %c2 : !s -> !c
      %v = llvm.load %remote : !c -> i32
      %old = llvm.atomicrmw add %out, %v monotonic : !g, i32
      llvm.return
    }
  }

  func.func @count() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 64 : index
    %out = memref.alloc() : memref<1xi32>
    %zero = arith.constant 0 : i32
    memref.store %zero, %out[%c0] : memref<1xi32>
    %index = memref.extract_aligned_pointer_as_index %out : memref<1xi32> -> index
    %i = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    gpu.launch_func @kernels::@count blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%p : !llvm.ptr<1>)
    %v = memref.load %out[%c0] : memref<1xi32>
    memref.dealloc %out : memref<1xi32>
    return %v : i32
  }
  func.func @flag() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 64 : index
    %out = memref.alloc() : memref<1xi32>
    %zero = arith.constant 0 : i32
    memref.store %zero, %out[%c0] : memref<1xi32>
    %index = memref.extract_aligned_pointer_as_index %out : memref<1xi32> -> index
    %i = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    gpu.launch_func @kernels::@flag_kernel blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%p : !llvm.ptr<1>)
    %v = memref.load %out[%c0] : memref<1xi32>
    memref.dealloc %out : memref<1xi32>
    return %v : i32
  }
  func.func @fenced() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 64 : index
    %out = memref.alloc() : memref<1xi32>
    %zero = arith.constant 0 : i32
    memref.store %zero, %out[%c0] : memref<1xi32>
    %index = memref.extract_aligned_pointer_as_index %out : memref<1xi32> -> index
    %i = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    gpu.launch_func @kernels::@fenced blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%p : !llvm.ptr<1>)
    %v = memref.load %out[%c0] : memref<1xi32>
    memref.dealloc %out : memref<1xi32>
    return %v : i32
  }
  func.func @relaxed() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 64 : index
    %out = memref.alloc() : memref<1xi32>
    %zero = arith.constant 0 : i32
    memref.store %zero, %out[%c0] : memref<1xi32>
    %index = memref.extract_aligned_pointer_as_index %out : memref<1xi32> -> index
    %i = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    gpu.launch_func @kernels::@relaxed blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%p : !llvm.ptr<1>)
    %v = memref.load %out[%c0] : memref<1xi32>
    memref.dealloc %out : memref<1xi32>
    return %v : i32
  }
  func.func @early() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 64 : index
    %out = memref.alloc() : memref<1xi32>
    %zero = arith.constant 0 : i32
    memref.store %zero, %out[%c0] : memref<1xi32>
    %index = memref.extract_aligned_pointer_as_index %out : memref<1xi32> -> index
    %i = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    gpu.launch_func @kernels::@early blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%p : !llvm.ptr<1>)
    %v = memref.load %out[%c0] : memref<1xi32>
    memref.dealloc %out : memref<1xi32>
    return %v : i32
  }
  func.func @global() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 32 : index
    %out = memref.alloc() : memref<1xi32>
    %zero = arith.constant 0 : i32
    memref.store %zero, %out[%c0] : memref<1xi32>
    %index = memref.extract_aligned_pointer_as_index %out : memref<1xi32> -> index
    %i = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    gpu.launch_func @kernels::@global blocks in (%c2, %c1, %c1) threads in (%n, %c1, %c1) args(%p : !llvm.ptr<1>)
    %v = memref.load %out[%c0] : memref<1xi32>
    memref.dealloc %out : memref<1xi32>
    return %v : i32
  }
  func.func @cluster() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 1 : index
    %out = memref.alloc() : memref<1xi32>
    %zero = arith.constant 0 : i32
    memref.store %zero, %out[%c0] : memref<1xi32>
    %index = memref.extract_aligned_pointer_as_index %out : memref<1xi32> -> index
    %i = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    gpu.launch_func @kernels::@cluster clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%n, %c1, %c1) args(%p : !llvm.ptr<1>)
    %v = memref.load %out[%c0] : memref<1xi32>
    memref.dealloc %out : memref<1xi32>
    return %v : i32
  }
  func.func @no_wait() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 1 : index
    %out = memref.alloc() : memref<1xi32>
    %zero = arith.constant 0 : i32
    memref.store %zero, %out[%c0] : memref<1xi32>
    %index = memref.extract_aligned_pointer_as_index %out : memref<1xi32> -> index
    %i = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    gpu.launch_func @kernels::@no_wait clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%n, %c1, %c1) args(%p : !llvm.ptr<1>)
    %v = memref.load %out[%c0] : memref<1xi32>
    memref.dealloc %out : memref<1xi32>
    return %v : i32
  }
  func.func @rank() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %n = arith.constant 1 : index
    %out = memref.alloc() : memref<1xi32>
    %zero = arith.constant 0 : i32
    memref.store %zero, %out[%c0] : memref<1xi32>
    %index = memref.extract_aligned_pointer_as_index %out : memref<1xi32> -> index
    %i = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    gpu.launch_func @kernels::@rank clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%n, %c1, %c1) args(%p : !llvm.ptr<1>)
    %v = memref.load %out[%c0] : memref<1xi32>
    memref.dealloc %out : memref<1xi32>
    return %v : i32
  }
}
