// Operations and forms that a later chip has.

// RUN: lpgemm-opt %s --convert-gpu-to-emulator=chip=sm_80 --verify-diagnostics

gpu.module @m {
  llvm.func @k(%p: !llvm.ptr<3>, %f: f32, %i: i32, %h: vector<2xf16>) attributes {gpu.kernel, nvvm.kernel} {
    // expected-error @+1 {{chip sm_80 has no 'nvvm.mapa'; it is of sm_90a}}
    %0 = nvvm.mapa %p, %i : !llvm.ptr<3> -> !llvm.ptr<7>
    // expected-error @+1 {{chip sm_80 has no 'nvvm.setmaxregister'; it is of sm_90a}}
    nvvm.setmaxregister increase 240
    // expected-error @+1 {{chip sm_80 has no 'nvvm.griddepcontrol'; it is of sm_90a}}
    nvvm.griddepcontrol wait
    // expected-error @+1 {{chip sm_80 has no 'nvvm.fence.sc.cluster'; it is of sm_90a}}
    nvvm.fence.sc.cluster
    // expected-error @+1 {{chip sm_80 has no 'nvvm.convert.f16x2.to.f8x2' of f8E4M3FN; it is of sm_89, sm_90a}}
    %1 = nvvm.convert.f16x2.to.f8x2 %h : vector<2xf16> -> i16 (f8E4M3FN)
    // expected-error @+1 {{chip sm_80 has no 'nvvm.convert.float.to.tf32' with rounding rz; it is of sm_90a}}
    %2 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rz>}
    %3 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>}
    %4 = nvvm.redux.sync add %i, %i : i32 -> i32
    llvm.return
  }
}
