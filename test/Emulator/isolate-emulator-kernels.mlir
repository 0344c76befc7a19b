// Kernels are put into a gpu.module, and their host code goes away.

// RUN: lpgemm-opt %s --split-input-file --isolate-emulator-kernels | FileCheck %s

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT: gpu.module @kernels {
// CHECK-NEXT: llvm.mlir.global internal @tile
// CHECK-NEXT: llvm.func @helper()
// CHECK-NOT: gpu.kernel
// CHECK: llvm.func @a() attributes {gpu.kernel, rocdl.kernel}
// CHECK: llvm.func @b() attributes {gpu.kernel, nvvm.kernel}
module attributes {llvm.data_layout = "e-p3:32:32", llvm.target_triple = "amdgcn-amd-amdhsa"} {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<4 x i8>
  llvm.func @helper() {
    llvm.return
  }
  llvm.func @a() attributes {rocdl.kernel} {
    llvm.return
  }
  llvm.func @b() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT: gpu.module @first {
// CHECK: gpu.module @second {
// CHECK: llvm.func @c() attributes {gpu.kernel, rocdl.kernel}
// CHECK-NOT: func.func
gpu.module @first {
}
func.func @main() {
  return
}
gpu.module @second {
  llvm.func @c() attributes {rocdl.kernel} {
    llvm.return
  }
}
