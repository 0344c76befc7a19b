// RUN: lpgemm-opt %s --split-input-file --lpgemm-finalize-launches | FileCheck %s
// RUN: lpgemm-opt %s --split-input-file --lpgemm-finalize-launches --lpgemm-finalize-launches | FileCheck %s

// What is at the address is passed, not the address.

// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
// CHECK-LABEL: func.func @launch(
// CHECK-SAME: %[[A:.*]]: !llvm.ptr, %[[LDA:.*]]: i64, %[[MAP:.*]]: !llvm.ptr)
// CHECK: %[[VALUE:.*]] = llvm.load %[[MAP]] : !llvm.ptr -> !llvm.array<128 x i8>
// CHECK-NOT: llvm.load
// CHECK: gpu.launch_func @kernels::@kernel
// CHECK-SAME: args(%[[A]] : !llvm.ptr, %[[LDA]] : i64, %[[VALUE]] : !llvm.array<128 x i8>)
module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr, %lda: i64, %map: !llvm.ptr) attributes {
      gpu.kernel, nvvm.kernel, lpgemm.tensor_maps = array<i32: 2>,
      lpgemm.kernel = {op = "lpgemm.matmul", function = "launch", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64},
        {tensor_map = "lhs", box = array<i64: 128, 64>, swizzle = 128 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    llvm.return
  }
}
func.func @launch(%a: !llvm.ptr, %lda: i64, %map: !llvm.ptr) {
  %one = arith.constant 1 : index
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
    args(%a : !llvm.ptr, %lda : i64, %map : !llvm.ptr)
  return
}
}

// -----

// Kernels without tensor maps are left as they are.

// CHECK-LABEL: llvm.func @plain(
// CHECK-SAME: %{{[a-z0-9]+}}: !llvm.ptr) attributes {gpu.kernel, rocdl.kernel}
// CHECK: args(%{{[a-z0-9]+}} : !llvm.ptr)
module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.func @plain(%a: !llvm.ptr) attributes {gpu.kernel, rocdl.kernel} {
    llvm.return
  }
}
func.func @launch(%a: !llvm.ptr) {
  %one = arith.constant 1 : index
  gpu.launch_func @kernels::@plain blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%a : !llvm.ptr)
  return
}
}
