// RUN: lpgemm-opt %s --convert-gpu-to-emulator=chip=sm_90a \
// RUN:   --split-input-file --verify-diagnostics

gpu.module @m {
  // expected-error @+1 {{emulator models globals outside of shared memory with an initial value only, '@g' has none}}
  llvm.mlir.global external @g() {addr_space = 1 : i32} : i32
  // expected-error @+1 {{emulator models globals of address spaces 0, 1, 3 and 4 only, got one of address space 5}}
  llvm.mlir.global internal @local(1 : i32) {addr_space = 5 : i32} : i32
  // expected-error @+1 {{emulator does not model the address of a symbol in an initial value}}
  llvm.mlir.global internal @pointer() {addr_space = 1 : i32} : !llvm.ptr {
    %0 = llvm.mlir.addressof @k : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
  llvm.func @k(%p: !llvm.ptr<3>, %f: f32, %i: i32, %n: i64, %v: vector<4xf32>, %h: vector<2xbf16>, %q: i128) attributes {gpu.kernel, nvvm.kernel} {
    // expected-error @+1 {{chip sm_90a has no 'nvvm.st.bulk', nor has any that is emulated}}
    nvvm.st.bulk %p, size = %n : !llvm.ptr<3>
    // expected-error @+1 {{chip sm_90a has no 'nvvm.redux.sync' of f32, nor has any that is emulated}}
    %0 = nvvm.redux.sync fmin %f, %i : f32 -> f32
    // expected-error @+1 {{chip sm_90a has no 'nvvm.convert.f32x2.to.f8x2' of f8E8M0FNU, nor has any that is emulated}}
    %1 = nvvm.convert.f32x2.to.f8x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rz>} : i16 (f8E8M0FNU)
    // expected-error @+1 {{chip sm_90a has no 'nvvm.convert.f32x2.to.f6x2', nor has any that is emulated}}
    %2 = nvvm.convert.f32x2.to.f6x2 %f, %f : i16 (f6E2M3FN)
    // expected-error @+1 {{chip sm_90a has no 'nvvm.convert.f32x4.to.f8x4', nor has any that is emulated}}
    %3 = nvvm.convert.f32x4.to.f8x4 %v, %i : vector<4xf32> -> vector<4xi8> (f8E4M3FN)
    // expected-error @+1 {{chip sm_90a has no 'nvvm.convert.f32x2.to.f16x2' with stochastic rounding, nor has any that is emulated}}
    %4 = nvvm.convert.f32x2.to.f16x2 %f, %f, %i {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>
    // expected-error @+1 {{chip sm_90a has no 'nvvm.convert.float.to.tf32' with rounding rn and satfinite, nor has any that is emulated}}
    %5 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>}
    // expected-error @+1 {{emulator models atomic accesses of 1, 2, 4 or 8 bytes, got 'i128'}}
    %6 = llvm.atomicrmw xchg %p, %q monotonic : !llvm.ptr<3>, i128
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.func @k(%p: !llvm.ptr<3>, %i: i32, %f: f64, %c: i1) attributes {gpu.kernel, nvvm.kernel} {
    // expected-error @+1 {{emulator does not model PTX 'mov.u32 $0, %tid.w;'; what it models is in the table of InlinePtx.cpp}}
    %0 = nvvm.inline_ptx "mov.u32   $0,\t%tid.w;" -> i32
    // expected-error @+1 {{PTX 'mbarrier.arrive.shared::cta.b64 _, [$0];' expects 1 operands and results, got 2 and 0 that are read and written}}
    nvvm.inline_ptx "mbarrier.arrive.shared::cta.b64 _, [$0];" ro(%p, %i : !llvm.ptr<3>, i32)
    // expected-error @+1 {{PTX 'nanosleep.u32 $0;' expects numbers and addresses, got 'f64'}}
    nvvm.inline_ptx "nanosleep.u32 $0;" ro(%f : f64)
    // expected-error @+1 {{PTX 'fence.proxy.async;' expects 0 operands and results, got 0 and 1 that are read and written}}
    nvvm.inline_ptx "fence.proxy.async;" rw(%i : i32)
    llvm.return
  }
}
