// Work items of a wave that do not meet, and waves that do not.

// RUN: lpgemm-emulate-test %s --emulator-entry=part_of_wave \
// RUN:   | FileCheck %s --check-prefix=PART --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=part_of_waves \
// RUN:   | FileCheck %s --check-prefix=WAVES --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=two_places \
// RUN:   | FileCheck %s --check-prefix=TWO --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=wave_op \
// RUN:   | FileCheck %s --check-prefix=OP --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=not_uniform \
// RUN:   | FileCheck %s --check-prefix=UNIFORM --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=staggered \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report

// The same without checks: it must end all the same.
// RUN: lpgemm-emulate-test %s --emulator-entry=part_of_wave \
// RUN:   --emulator-no-checks | FileCheck %s --check-prefix=PART

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @part_of_wave() kernel {
      %c100 = arith.constant 100 : index
      %tid = gpu.thread_id x
      %p = arith.cmpi ult, %tid, %c100 : index
      scf.if %p {
        // PART: report (1): 'rocdl.barrier' at {{.*}}:[[#@LINE+1]]:{{.*}} is a barrier that only a part of the wave reaches: of 64 lanes 36 wait in 'rocdl.barrier' at {{.*}}, 28 exited (kernel part_of_wave, workgroup 0,0,0, wave 1 lane 0)
        gpu.barrier
      }
      gpu.return
    }

    gpu.func @part_of_waves() kernel {
      %c64 = arith.constant 64 : index
      %tid = gpu.thread_id x
      %p = arith.cmpi ult, %tid, %c64 : index
      scf.if %p {
        // WAVES: report (1): 'rocdl.barrier' at {{.*}}:[[#@LINE+1]]:{{.*}} is a barrier that 1 of 2 waves reach, 1 exited
        gpu.barrier
      }
      gpu.return
    }

    gpu.func @two_places() kernel {
      %c10 = arith.constant 10 : index
      %tid = gpu.thread_id x
      %p = arith.cmpi ult, %tid, %c10 : index
      scf.if %p {
        // TWO: report (1): 'rocdl.s.barrier' at {{.*}}:[[#@LINE+1]]:{{.*}} is a barrier that only a part of the wave reaches: of 64 lanes 10 wait in 'rocdl.s.barrier' at {{.*}}:[[#@LINE+1]]:{{.*}}, 54 wait in 'rocdl.s.barrier' at {{.*}}:[[#@LINE+4]]:{{.*}} (kernel two_places, workgroup 0,0,0, wave 0 lane 0)
        rocdl.s.barrier
      } else {
        rocdl.s.setprio 1
        rocdl.s.barrier
      }
      gpu.return
    }

    gpu.func @wave_op() workgroup(%out: memref<128xi32, 3>) kernel {
      %c10 = arith.constant 10 : index
      %c7 = arith.constant 7 : i32
      %tid = gpu.thread_id x
      %p = arith.cmpi ult, %tid, %c10 : index
      scf.if %p {
        // OP: report (1): 'rocdl.readfirstlane' at {{.*}}:[[#@LINE+1]]:{{.*}} is a wave-level operation that only a part of the wave reaches: of 64 lanes 10 wait in 'rocdl.readfirstlane' at {{.*}}, 54 exited
        %x = rocdl.readfirstlane %c7 : i32
        memref.store %x, %out[%tid] : memref<128xi32, 3>
      }
      gpu.return
    }

    gpu.func @not_uniform() workgroup(%out: memref<128xi32, 3>) kernel {
      %c1 = arith.constant 1 : i32
      %c5 = arith.constant 5 : i32
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      %w = arith.shrui %v, %c5 : i32
      // UNIFORM: report (2): 'rocdl.readfirstlane' at {{.*}}:[[#@LINE+1]]:{{.*}} reads a value that differs between the lanes of a wave
      %x = rocdl.readfirstlane %w : i32
      %u = arith.shrui %w, %c1 : i32
      %y = rocdl.readfirstlane %u : i32
      %s = arith.addi %x, %y : i32
      memref.store %s, %out[%tid] : memref<128xi32, 3>
      gpu.return
    }

    // Two waves may meet at different barriers.
    // GOOD: result 0
    gpu.func @staggered() kernel {
      %c64 = arith.constant 64 : index
      %tid = gpu.thread_id x
      %p = arith.cmpi ult, %tid, %c64 : index
      scf.if %p {
        rocdl.s.barrier
      }
      rocdl.s.barrier
      scf.if %p {
      } else {
        rocdl.s.barrier
      }
      gpu.return
    }
  }

  func.func @part_of_wave() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@part_of_wave
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
  func.func @part_of_waves() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@part_of_waves
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
  func.func @two_places() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@two_places
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
  func.func @wave_op() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@wave_op
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
  func.func @not_uniform() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@not_uniform
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
  func.func @staggered() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@staggered
        blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %zero = arith.constant 0 : i32
    return %zero : i32
  }
}
