// A kernel that does not come from an op.
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @by_hand(%p: memref<64xf32>, %x: f32) kernel {
    %i = gpu.thread_id x
    memref.store %x, %p[%i] : memref<64xf32>
    gpu.return
  }
}
}
