// One kernel for each fault that the emulator finds in the use of LDS.

// RUN: lpgemm-emulate-test %s --emulator-entry=no_barrier \
// RUN:   | FileCheck %s --check-prefix=RACE
// RUN: lpgemm-emulate-test %s --emulator-entry=no_wait \
// RUN:   | FileCheck %s --check-prefix=WAIT --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=late_wait \
// RUN:   | FileCheck %s --check-prefix=LATE --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=good_wait \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=bytes \
// RUN:   | FileCheck %s --check-prefix=BYTES --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=uninitialised \
// RUN:   | FileCheck %s --check-prefix=UNINIT --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=out_of_bounds \
// RUN:   | FileCheck %s --check-prefix=OOB --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=misaligned \
// RUN:   | FileCheck %s --check-prefix=ALIGN --implicit-check-not=report

#lds = #gpu.address_space<workgroup>
!tile = memref<128xi32, #lds>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @no_barrier() workgroup(%tile: !tile, %out: !tile) kernel {
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      // RACE-DAG: 'llvm.store' at {{.*}}:[[#@LINE+1]]:{{.*}} overwrites what the other read, with no barrier between; the other is 'llvm.load' at {{.*}}:[[#@LINE+4]]:
      memref.store %v, %tile[%tid] : !tile
      %j = arith.subi %c127, %tid : index
      // RACE-DAG: 'llvm.load' at {{.*}}:[[#@LINE+1]]:{{.*}} reads what the other wrote, with no barrier between; the other is 'llvm.store' at {{.*}}:[[#@LINE-2]]:
      %w = memref.load %tile[%j] : !tile
      memref.store %w, %out[%tid] : !tile
      gpu.return
    }

    // The barrier of gfx950 does not wait for LDS writes by itself.
    gpu.func @no_wait() workgroup(%tile: !tile, %out: !tile) kernel {
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %tile[%tid] : !tile
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      // WAIT: report (128): 'llvm.load' at {{.*}}:[[#@LINE+1]]:{{.*}} reads an LDS write not waited for before the barrier; the other is 'llvm.store' at {{.*}}:[[#@LINE-3]]:7 in wave {{[01]}} lane {{.*}}; LDS offset {{.*}} (@__wg_no_wait_0 + {{.*}}) (kernel no_wait, workgroup 0,0,0, wave
      %w = memref.load %tile[%j] : !tile
      memref.store %w, %out[%tid] : !tile
      gpu.return
    }

    // Waits for the other operation of the two in flight, lgkmcnt(1).
    gpu.func @late_wait() workgroup(%tile: !tile, %out: !tile) kernel {
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %out[%tid] : !tile
      memref.store %v, %tile[%tid] : !tile
      rocdl.s.waitcnt 49535
      rocdl.s.barrier
      rocdl.s.waitcnt 49279
      %j = arith.subi %c127, %tid : index
      %o = memref.load %out[%j] : !tile
      // LATE: report (128): 'llvm.load' at {{.*}}:[[#@LINE+1]]:{{.*}} reads an LDS write not waited for before the barrier; the other is 'llvm.store' at {{.*}}:[[#@LINE-6]]:
      %w = memref.load %tile[%j] : !tile
      %s = arith.addi %o, %w : i32
      rocdl.s.barrier
      memref.store %s, %out[%tid] : !tile
      gpu.return
    }

    // lgkmcnt(0), and an unwaited write that only its own lane reads.
    // GOOD: result 0
    gpu.func @good_wait() workgroup(%tile: !tile, %out: !tile) kernel {
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %tile[%tid] : !tile
      rocdl.s.waitcnt 49279
      memref.store %v, %out[%tid] : !tile
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      %w = memref.load %tile[%j] : !tile
      %o = memref.load %out[%tid] : !tile
      %s = arith.addi %o, %w : i32
      memref.store %s, %out[%tid] : !tile
      gpu.return
    }

    // Lanes may write different bytes of one word.
    // BYTES: result 0
    gpu.func @bytes() workgroup(%tile: memref<128xi8, #lds>) kernel {
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i8
      memref.store %v, %tile[%tid] : memref<128xi8, #lds>
      gpu.barrier
      %j = arith.subi %c127, %tid : index
      %w = memref.load %tile[%j] : memref<128xi8, #lds>
      gpu.barrier
      memref.store %w, %tile[%tid] : memref<128xi8, #lds>
      gpu.return
    }

    gpu.func @uninitialised() workgroup(%tile: !tile, %out: !tile) kernel {
      %tid = gpu.thread_id x
      // UNINIT: report (128): 'llvm.load' at {{.*}}:[[#@LINE+1]]:{{.*}} reads uninitialised LDS; LDS offset
      %w = memref.load %tile[%tid] : !tile
      memref.store %w, %out[%tid] : !tile
      gpu.return
    }

    // One past the end is not the next object, and is not silently read.
    gpu.func @out_of_bounds() workgroup(%tile: !tile, %next: !tile) kernel {
      %c1 = arith.constant 1 : index
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %next[%tid] : !tile
      %i = arith.addi %tid, %c1 : index
      // OOB: report (1): 'llvm.store' at {{.*}}:[[#@LINE+1]]:{{.*}} is outside of every LDS object; LDS offset {{[0-9]+}} (kernel out_of_bounds, workgroup 0,0,0, wave 1 lane 63)
      memref.store %v, %tile[%i] : !tile
      gpu.return
    }

    gpu.func @misaligned() workgroup(%tile: memref<516xi32, #lds>) kernel {
      %c4 = arith.constant 4 : index
      %c64 = arith.constant 64 : index
      %tid = gpu.thread_id x
      %i = arith.muli %tid, %c4 : index
      %late = arith.divui %tid, %c64 : index
      %j = arith.addi %i, %late : index
      %v = arith.constant dense<0> : vector<4xi32>
      // ALIGN: report (64): 'llvm.store' at {{.*}}:[[#@LINE+1]]:{{.*}} needs an address aligned to 16 bytes, is off by 4
      vector.store %v, %tile[%j] : memref<516xi32, #lds>, vector<4xi32>
      gpu.return
    }
  }

  func.func @no_barrier() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@no_barrier
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
  func.func @no_wait() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@no_wait
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
  func.func @late_wait() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@late_wait
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
  func.func @good_wait() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@good_wait
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
  func.func @bytes() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@bytes
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
  func.func @uninitialised() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@uninitialised
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
  func.func @out_of_bounds() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@out_of_bounds
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
  func.func @misaligned() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@misaligned
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
}
