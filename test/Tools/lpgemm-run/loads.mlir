// A kernel that does not wait for its load to LDS: the data are there if the
// load takes effect early.
// REQUIRES: numpy

// RUN: rm -rf %t && %python %S/Inputs/arrays.py %t in=float32:64
// DEFINE: %{time} =
// DEFINE: %{run} = lpgemm-run %s --device=emulate --emulator-checks=off --emulator-loads=%{time} --arg=%t/in.npy --arg=%t/in.npy -o %t/%{time}.npy

// REDEFINE: %{time} = early
// RUN: %{run} && cmp %t/in.npy %t/%{time}.npy
// REDEFINE: %{time} = late
// RUN: %{run} && not cmp %t/in.npy %t/%{time}.npy
// REDEFINE: %{time} = random
// RUN: %{run}

!tile = memref<64xf32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @copy(%in: !llvm.ptr, %out: memref<64xf32>)
        workgroup(%tile: !tile) kernel {
      %c4 = arith.constant 4 : i32
      %zero = arith.constant 0 : i32
      %stride = arith.constant 0 : i16
      %bytes = arith.constant 256 : i64
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %offset = arith.muli %t, %c4 : i32
      %rsrc = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %p = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %q = arith.index_cast %p : index to i32
      %first = rocdl.readfirstlane %q : i32
      %lds = llvm.inttoptr %first : i32 to !llvm.ptr<3>
      rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %c4, %offset, %zero, %zero, %zero
      %v = memref.load %tile[%tid] : !tile
      memref.store %v, %out[%tid] : memref<64xf32>
      gpu.return
    }
  }
  func.func @f(%in: memref<64xf32>, %out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %p = memref.extract_aligned_pointer_as_index %in : memref<64xf32> -> index
    %q = arith.index_cast %p : index to i64
    %ptr = llvm.inttoptr %q : i64 to !llvm.ptr
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%ptr : !llvm.ptr, %out : memref<64xf32>)
    return
  }
}
