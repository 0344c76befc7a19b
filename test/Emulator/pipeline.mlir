// RUN: lpgemm-opt %s --lpgemm-lower-to-emulator=chip=gfx950 | FileCheck %s
// RUN: not lpgemm-opt %s --lpgemm-lower-to-emulator=chip=gfx906 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHIP
// RUN: not lpgemm-opt %s --lpgemm-lower-to-emulator 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE

// CHIP: pipeline.mlir:[[#@LINE+5]]:1: error: option 'chip': emulator knows no chip 'gfx906', expected one of gfx942, gfx950, sm_80, sm_89, sm_90a
// CHIP-NOT: error
// NONE: pipeline.mlir:[[#@LINE+3]]:1: error: option 'chip': emulator knows no chip '', expected one of gfx942, gfx950, sm_80, sm_89, sm_90a
// NONE-NOT: error

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%out: memref<64xi32>) kernel {
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %out[%tid] : memref<64xi32>
      gpu.return
    }
  }

  // CHECK-LABEL: llvm.func @main(
  // CHECK:         llvm.call @emu_launch(
  func.func @main(%out: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : memref<64xi32>)
    return
  }
  // CHECK-LABEL: llvm.func internal @m_k(
  // CHECK:         llvm.call @emu_rocdl_workitem_id_x()
  // CHECK:         llvm.call @emu_global_store(
}
