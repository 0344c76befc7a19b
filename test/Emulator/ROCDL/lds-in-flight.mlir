// Loads from LDS that a barrier does not wait for.

// RUN: lpgemm-emulate-test %s --emulator-entry=unwaited \
// RUN:   | FileCheck %s --check-prefix=UNWAITED --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=renamed \
// RUN:   | FileCheck %s --check-prefix=RENAMED --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=carried \
// RUN:   | FileCheck %s --check-prefix=CARRIED --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=good \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report

#lds = #gpu.address_space<workgroup>
!tile = memref<128xi32, #lds>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Nothing makes sure that the load is over when another wave writes.
    gpu.func @unwaited(%n: index) workgroup(%tile: !tile, %out: !tile) kernel {
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %tile[%tid] : !tile
      rocdl.s.waitcnt 49279
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      %w = memref.load %tile[%j] : !tile
      rocdl.s.barrier
      // UNWAITED: report (128): 'llvm.store' at {{.*}}:[[#@LINE+1]]:{{.*}} overwrites what the other reads, which was not waited for before the barrier; the other is 'llvm.load' at {{.*}}:[[#@LINE-2]]:{{.*}} in wave {{[01]}} lane {{.*}}; LDS offset {{.*}} (@__wg_unwaited_0 + {{.*}}) (kernel unwaited, workgroup 0,0,0, wave
      memref.store %v, %tile[%tid] : !tile
      memref.store %w, %out[%tid] : !tile
      gpu.return
    }

    // Another type for the same register is no use.
    gpu.func @renamed(%n: index) workgroup(%tile: !tile, %out: !tile) kernel {
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %tile[%tid] : !tile
      rocdl.s.waitcnt 49279
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      %x = memref.load %tile[%j] : !tile
      %f = arith.bitcast %x : i32 to f32
      rocdl.s.barrier
      // RENAMED: report (128): 'llvm.store' at {{.*}}:[[#@LINE+1]]:{{.*}} overwrites what the other reads
      memref.store %v, %tile[%tid] : !tile
      %g = arith.addf %f, %f : f32
      %w = arith.fptosi %g : f32 to i32
      memref.store %w, %out[%tid] : !tile
      gpu.return
    }

    // Used in the next iteration. lgkmcnt(1) leaves the load in flight.
    gpu.func @carried(%n: index) workgroup(%tile: !tile, %out: !tile) kernel {
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %tile[%tid] : !tile
      rocdl.s.waitcnt 49279
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %i0 = arith.constant 0 : i32
      %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %i0) -> i32 {
        %sum = arith.addi %old, %v : i32
        memref.store %sum, %out[%tid] : !tile
        %next = memref.load %tile[%j] : !tile
        rocdl.s.waitcnt 49535
        rocdl.s.barrier
        // CARRIED: report (384): 'llvm.store' at {{.*}}:[[#@LINE+1]]:{{.*}} overwrites what the other reads, which was not waited for before the barrier
        memref.store %v, %tile[%tid] : !tile
        rocdl.s.waitcnt 49279
        rocdl.s.barrier
        scf.yield %next : i32
      }
      memref.store %last, %out[%tid] : !tile
      gpu.return
    }

    // A wait of the kernel.
    gpu.func @waited(%n: index) workgroup(%tile: !tile, %out: !tile) kernel {
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %tile[%tid] : !tile
      rocdl.s.waitcnt 49279
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      %w = memref.load %tile[%j] : !tile
      rocdl.s.waitcnt 49279
      rocdl.s.barrier
      memref.store %v, %tile[%tid] : !tile
      memref.store %w, %out[%tid] : !tile
      gpu.return
    }

    // The back end waits where the value is used.
    gpu.func @used(%n: index) workgroup(%tile: !tile, %out: !tile) kernel {
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %tile[%tid] : !tile
      rocdl.s.waitcnt 49279
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      %x = memref.load %tile[%j] : !tile
      %w = arith.addi %x, %v : i32
      rocdl.s.barrier
      memref.store %v, %tile[%tid] : !tile
      memref.store %w, %out[%tid] : !tile
      gpu.return
    }

    // A use of what was loaded later.
    gpu.func @later_used(%n: index) workgroup(%tile: !tile, %out: !tile) kernel {
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %tile[%tid] : !tile
      rocdl.s.waitcnt 49279
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      %w = memref.load %tile[%j] : !tile
      %y = memref.load %tile[%tid] : !tile
      %z = arith.addi %y, %v : i32
      memref.store %z, %out[%j] : !tile
      rocdl.s.waitcnt 49279
      rocdl.s.barrier
      memref.store %v, %tile[%tid] : !tile
      memref.store %w, %out[%tid] : !tile
      gpu.return
    }

    // The same with lgkmcnt(0).
    gpu.func @carried_waited(%n: index) workgroup(%tile: !tile, %out: !tile) kernel {
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %tile[%tid] : !tile
      rocdl.s.waitcnt 49279
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %i0 = arith.constant 0 : i32
      %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %i0) -> i32 {
        %sum = arith.addi %old, %v : i32
        memref.store %sum, %out[%tid] : !tile
        %next = memref.load %tile[%j] : !tile
        rocdl.s.waitcnt 49279
        rocdl.s.barrier
        memref.store %v, %tile[%tid] : !tile
        rocdl.s.waitcnt 49279
        rocdl.s.barrier
        scf.yield %next : i32
      }
      memref.store %last, %out[%tid] : !tile
      gpu.return
    }
  }

  func.func @unwaited() -> i32 {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    gpu.launch_func @kernels::@unwaited blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%c3 : index)
    return %i0 : i32
  }
  func.func @renamed() -> i32 {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    gpu.launch_func @kernels::@renamed blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%c3 : index)
    return %i0 : i32
  }
  func.func @carried() -> i32 {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    gpu.launch_func @kernels::@carried blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%c3 : index)
    return %i0 : i32
  }
  // GOOD: result 0
  func.func @good() -> i32 {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    gpu.launch_func @kernels::@waited blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%c3 : index)
    gpu.launch_func @kernels::@used blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%c3 : index)
    gpu.launch_func @kernels::@later_used blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%c3 : index)
    gpu.launch_func @kernels::@carried_waited blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%c3 : index)
    return %i0 : i32
  }
}
