// LDS behind a pointer that does not say so is checked like any other.

// RUN: lpgemm-emulate-test %s --emulator-entry=written \
// RUN:   | FileCheck %s --check-prefix=WRITTEN --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=unwritten \
// RUN:   | FileCheck %s --check-prefix=UNWRITTEN

#lds = #gpu.address_space<workgroup>
!tile = memref<64xi32, #lds>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @written() workgroup(%tile: !tile, %out: !tile) kernel {
      %tid = gpu.thread_id x
      %i = arith.index_cast %tid : index to i32
      %base = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %word = arith.index_cast %base : index to i32
      %p = llvm.inttoptr %word : i32 to !llvm.ptr<3>
      %g = llvm.addrspacecast %p : !llvm.ptr<3> to !llvm.ptr
      %q = llvm.getelementptr %g[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %q : i32, !llvm.ptr
      %v = memref.load %tile[%tid] : !tile
      memref.store %v, %out[%tid] : !tile
      gpu.return
    }

    gpu.func @unwritten() workgroup(%tile: !tile, %out: !tile) kernel {
      %tid = gpu.thread_id x
      %i = arith.index_cast %tid : index to i32
      %base = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %word = arith.index_cast %base : index to i32
      %p = llvm.inttoptr %word : i32 to !llvm.ptr<3>
      %g = llvm.addrspacecast %p : !llvm.ptr<3> to !llvm.ptr
      %q = llvm.getelementptr %g[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      // UNWRITTEN: report (64): 'llvm.load' at {{.*}}:[[#@LINE+1]]:{{.*}} reads uninitialised LDS
      %v = llvm.load %q : !llvm.ptr -> i32
      memref.store %v, %out[%tid] : !tile
      gpu.return
    }
  }

  func.func @written() -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@written blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1)
    // WRITTEN: result 0
    return %c0 : i32
  }

  func.func @unwritten() -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@unwritten blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1)
    return %c0 : i32
  }
}
