// Calls of device libraries are calls of the host's functions, where they have
// the same name, and the arguments are right.

// RUN: lpgemm-opt %s --convert-gpu-to-emulator --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s

// CHECK-DAG: llvm.func @fmaf(f32, f32, f32) -> f32
// CHECK-DAG: llvm.func @tanhf(f32) -> f32
// CHECK-DAG: llvm.func @exp2(f64) -> f64
// CHECK-DAG: llvm.func @erff(f32) -> f32
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  llvm.func @__nv_fmaf(f32, f32, f32) -> f32
  llvm.func @__nv_erff(f32) -> f32
  llvm.func @__nv_exp2(f64) -> f64
  llvm.func @__ocml_tanh_f32(f32) -> f32
  // CHECK-LABEL: llvm.func internal @m_k(
  llvm.func @k(%x: f32, %y: f64) attributes {gpu.kernel} {
    // CHECK: %[[A:.*]] = llvm.call @fmaf(%{{.*}}, %{{.*}}, %{{.*}}) : (f32, f32, f32) -> f32
    %a = llvm.call @__nv_fmaf(%x, %x, %x) : (f32, f32, f32) -> f32
    // CHECK: %[[B:.*]] = llvm.call @erff(%[[A]]) : (f32) -> f32
    %b = llvm.call @__nv_erff(%a) : (f32) -> f32
    // CHECK: llvm.call @tanhf(%[[B]]) : (f32) -> f32
    %c = llvm.call @__ocml_tanh_f32(%b) : (f32) -> f32
    // CHECK: llvm.call @exp2(%{{.*}}) : (f64) -> f64
    %d = llvm.call @__nv_exp2(%y) : (f64) -> f64
    llvm.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  llvm.func @__nv_fmaf(f64, f64, f64) -> f64
  llvm.func @k(%x: f64) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator does not model calls of '@__nv_fmaf', which has no body in this module}}
    %a = llvm.call @__nv_fmaf(%x, %x, %x) : (f64, f64, f64) -> f64
    llvm.return
  }
}

// -----

// Intrinsics of every chip that only compute are those of the host.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: llvm.func internal @m_k(
  // CHECK: llvm.call_intrinsic "llvm.exp2"(%{{.*}}) : (f32) -> f32
  llvm.func @k(%x: f32) attributes {gpu.kernel} {
    %0 = llvm.call_intrinsic "llvm.exp2"(%x) : (f32) -> f32
    llvm.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  llvm.func @k(%x: f32) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator does not model op 'llvm.call_intrinsic'}}
    %0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f"(%x) : (f32) -> f32
    llvm.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  llvm.func @k() attributes {gpu.kernel} {
    // expected-error @+1 {{emulator does not model op 'llvm.call_intrinsic'}}
    llvm.call_intrinsic "llvm.trap"() : () -> ()
    llvm.return
  }
}
