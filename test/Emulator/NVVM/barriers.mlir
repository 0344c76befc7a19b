// Barriers and warps of NVIDIA, and the order that they establish.

// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=good \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=good \
// RUN:   --emulator-order=reverse \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=no_barrier | FileCheck %s --check-prefix=RACE

// GOOD: result 0

!ptr = !llvm.ptr<3>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global external @tile() {addr_space = 3 : i32} : !llvm.array<128 x i32>

    // Exchanges by shared memory, with a barrier for writes and one for reads.
    llvm.func @good() attributes {gpu.kernel, nvvm.kernel} {
      %c127 = llvm.mlir.constant(127 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %tile = llvm.mlir.addressof @tile : !ptr
      %mine = llvm.getelementptr %tile[%tid] : (!ptr, i32) -> !ptr, i32
      %other = llvm.sub %c127, %tid : i32
      %theirs = llvm.getelementptr %tile[%other] : (!ptr, i32) -> !ptr, i32
      llvm.store %tid, %mine : i32, !ptr
      nvvm.barrier
      %v = llvm.load %theirs : !ptr -> i32
      nvvm.barrier
      llvm.store %v, %mine : i32, !ptr
      llvm.return
    }

    llvm.func @no_barrier() attributes {gpu.kernel, nvvm.kernel} {
      %c127 = llvm.mlir.constant(127 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %tile = llvm.mlir.addressof @tile : !ptr
      %mine = llvm.getelementptr %tile[%tid] : (!ptr, i32) -> !ptr, i32
      %other = llvm.sub %c127, %tid : i32
      %theirs = llvm.getelementptr %tile[%other] : (!ptr, i32) -> !ptr, i32
      // RACE-DAG: report ({{[0-9]+}}): 'llvm.store' at {{.*}}:[[#@LINE+3]]:7 overwrites what the other reads, and nothing orders the two; the other is 'llvm.load' at {{.*}}:[[#@LINE+4]]:12 in warp {{[0-3]}} lane
      // RACE-DAG: report ({{[0-9]+}}): 'llvm.load' at {{.*}}:[[#@LINE+3]]:12 reads what the other wrote, and nothing orders the two; the other is 'llvm.store' at {{.*}}:[[#@LINE+4]]:7 in warp {{[0-3]}} lane
      // RACE-DAG: reads uninitialised shared memory; shared memory offset {{[0-9]+}} (@tile + {{[0-9]+}}) (kernel no_barrier, workgroup 0,0,0, warp 0 lane 0)
      llvm.store %tid, %mine : i32, !ptr
      %v = llvm.load %theirs : !ptr -> i32
      llvm.store %v, %mine : i32, !ptr
      llvm.return
    }
  }
  func.func @good() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@good blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @no_barrier() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@no_barrier blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
}
