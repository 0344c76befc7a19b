// Barriers of a part of the workgroup: those who arrive, and those who wait.

// RUN: lpgemm-emulate-test %s --emulator-chip=sm_80 \
// RUN:   --emulator-entry=hand_over \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_80 \
// RUN:   --emulator-entry=hand_over --emulator-order=reverse \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_80 \
// RUN:   --emulator-entry=hand_over --emulator-order=random --emulator-seed=3 \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_80 \
// RUN:   --emulator-entry=early_exit \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_80 \
// RUN:   --emulator-entry=reductions \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_80 \
// RUN:   --emulator-entry=no_arrival | FileCheck %s --check-prefix=NONE
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_80 \
// RUN:   --emulator-entry=other_count | FileCheck %s --check-prefix=COUNT
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_80 \
// RUN:   --emulator-entry=part_of_warp | FileCheck %s --check-prefix=PART
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_80 \
// RUN:   --emulator-entry=bad_number | FileCheck %s --check-prefix=NUMBER

// GOOD: result 0

!ptr = !llvm.ptr<3>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global external @tile() {addr_space = 3 : i32} : !llvm.array<32 x i32>

    // Warp 0 writes and arrives, warp 1 waits and reads.
    llvm.func @hand_over() attributes {gpu.kernel, nvvm.kernel} {
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c5 = llvm.mlir.constant(5 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %warp = nvvm.read.ptx.sreg.warpid : i32
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %tile = llvm.mlir.addressof @tile : !ptr
      %mine = llvm.getelementptr %tile[%lane] : (!ptr, i32) -> !ptr, i32
      %other = llvm.xor %lane, %c1 : i32
      %theirs = llvm.getelementptr %tile[%other] : (!ptr, i32) -> !ptr, i32
      %is_second = llvm.icmp "eq" %warp, %c1 : i32
      llvm.cond_br %is_second, ^consumer, ^producer
    ^producer:
      llvm.store %lane, %mine : i32, !ptr
      nvvm.barrier.arrive id = %c5 number_of_threads = %c64
      llvm.return
    ^consumer:
      nvvm.barrier id = %c5 number_of_threads = %c64
      %v = llvm.load %theirs : !ptr -> i32
      %is_right = llvm.icmp "eq" %v, %other : i32
      llvm.cond_br %is_right, ^end, ^wrong
    ^wrong:
      %zero = llvm.mlir.zero : !llvm.ptr<1>
      llvm.store %v, %zero : i32, !llvm.ptr<1>
      llvm.br ^end
    ^end:
      llvm.return
    }

    // Threads that have exited are not waited for.
    llvm.func @early_exit() attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %warp = nvvm.read.ptx.sreg.warpid : i32
      %is_first = llvm.icmp "eq" %warp, %c0 : i32
      llvm.cond_br %is_first, ^exit, ^barrier
    ^barrier:
      nvvm.barrier
      nvvm.barrier
      llvm.return
    ^exit:
      llvm.return
    }

    llvm.func @reductions() attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c3 = llvm.mlir.constant(3 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %bit = llvm.icmp "ult" %tid, %c3 : i32
      %predicate = llvm.zext %bit : i1 to i32
      %count = nvvm.barrier #nvvm.reduction<popc> %predicate -> i32
      %all = nvvm.barrier #nvvm.reduction<and> %predicate -> i32
      %any = nvvm.barrier #nvvm.reduction<or> %predicate -> i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %r0 = llvm.icmp "eq" %count, %c3 : i32
      %r1 = llvm.icmp "eq" %all, %c0 : i32
      %r2 = llvm.icmp "eq" %any, %c1 : i32
      %r3 = llvm.and %r0, %r1 : i1
      %r4 = llvm.and %r3, %r2 : i1
      llvm.cond_br %r4, ^end, ^wrong
    ^wrong:
      %zero = llvm.mlir.zero : !llvm.ptr<1>
      llvm.store %count, %zero : i32, !llvm.ptr<1>
      llvm.br ^end
    ^end:
      llvm.return
    }

    llvm.func @no_arrival() attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c5 = llvm.mlir.constant(5 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %warp = nvvm.read.ptx.sreg.warpid : i32
      %is_first = llvm.icmp "eq" %warp, %c0 : i32
      llvm.cond_br %is_first, ^exit, ^barrier
    ^barrier:
      // NONE: report (1): 'nvvm.barrier' at {{.*}}:[[#@LINE+1]]:7 waits for ever, for a barrier to which 32 of 64 threads have come: 32 lanes (kernel no_arrival, workgroup 0,0,0, warp 1 lane 0)
      nvvm.barrier id = %c5 number_of_threads = %c64
      llvm.return
    ^exit:
      llvm.return
    }

    llvm.func @other_count() attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %c96 = llvm.mlir.constant(96 : i32) : i32
      %warp = nvvm.read.ptx.sreg.warpid : i32
      %is_first = llvm.icmp "eq" %warp, %c0 : i32
      %count = llvm.select %is_first, %c64, %c96 : i1, i32
      // COUNT: report (1): 'nvvm.barrier' at {{.*}}:[[#@LINE+1]]:7 is a barrier of 96 threads; others that have come expect 64, and 64 have come (kernel other_count,
      nvvm.barrier id = %c0 number_of_threads = %count
      llvm.return
    }

    llvm.func @part_of_warp() attributes {gpu.kernel, nvvm.kernel} {
      %c5 = llvm.mlir.constant(5 : i32) : i32
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %is_part = llvm.icmp "ult" %lane, %c5 : i32
      llvm.cond_br %is_part, ^exit, ^barrier
    ^barrier:
      // PART: report (2): 'nvvm.barrier' at {{.*}}:[[#@LINE+1]]:7 is a barrier that only a part of the warp reaches: of 32 lanes 27 wait in 'nvvm.barrier' at {{.*}}, 5 exited (kernel part_of_warp, workgroup 0,0,0, warp 0 lane 5)
      nvvm.barrier
      llvm.return
    ^exit:
      llvm.return
    }

    llvm.func @bad_number() attributes {gpu.kernel, nvvm.kernel} {
      %c16 = llvm.mlir.constant(16 : i32) : i32
      // NUMBER: report (1): 'nvvm.barrier' at {{.*}}:[[#@LINE+1]]:7 expected a barrier of 0 to 15, got 16 (kernel bad_number,
      nvvm.barrier id = %c16
      llvm.return
    }
  }
  func.func @hand_over() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@hand_over blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @early_exit() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@early_exit blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @reductions() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@reductions blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @no_arrival() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@no_arrival blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @other_count() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@other_count blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @part_of_warp() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@part_of_warp blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @bad_number() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@bad_number blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
}
