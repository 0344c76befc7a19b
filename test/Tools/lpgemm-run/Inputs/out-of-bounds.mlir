// Two lanes write behind the end of %d.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @write(%ptr: !llvm.ptr) kernel {
      %tid = gpu.thread_id x
      %i = arith.index_cast %tid : index to i32
      %address = llvm.getelementptr %ptr[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
      %zero = arith.constant 0.0 : f32
      llvm.store %zero, %address : f32, !llvm.ptr
      gpu.return
    }
  }
  func.func @f(%d: memref<62xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %base = memref.extract_aligned_pointer_as_index %d : memref<62xf32> -> index
    %integer = arith.index_cast %base : index to i64
    %ptr = llvm.inttoptr %integer : i64 to !llvm.ptr
    gpu.launch_func @kernels::@write blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%ptr : !llvm.ptr)
    return
  }
}
