// RUN: lpgemm-opt %s --convert-gpu-to-emulator | FileCheck %s

// A text without an instruction, which says what registers a value is in, is the
// value.

// CHECK-LABEL: llvm.func internal @m_k(
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.fadd %[[V:[a-z0-9]+]], %[[V]] : vector<4xf32>
gpu.module @m {
  llvm.func @k(%p: !llvm.ptr, %v: vector<4xf32>)
      attributes {gpu.kernel, rocdl.kernel} {
    %0 = llvm.inline_asm "", "=a,0" %v : (vector<4xf32>) -> vector<4xf32>
    %1 = llvm.fadd %0, %v : vector<4xf32>
    llvm.store %1, %p : vector<4xf32>, !llvm.ptr
    llvm.return
  }
}
