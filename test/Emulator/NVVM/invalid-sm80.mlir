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

  // Asynchronous copies of the bulk, and the mbarriers that count their bytes.
  llvm.func @async(%bar: !llvm.ptr<3>, %remote: !llvm.ptr<7>, %from: !llvm.ptr<1>, %map: !llvm.ptr, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    // expected-error @+1 {{chip sm_80 has no 'nvvm.mbarrier.expect_tx'; it is of sm_90a}}
    nvvm.mbarrier.expect_tx %bar, %n : !llvm.ptr<3>, i32
    // expected-error @+1 {{chip sm_80 has no 'nvvm.mbarrier.complete_tx'; it is of sm_90a}}
    nvvm.mbarrier.complete_tx %bar, %n : !llvm.ptr<3>, i32
    // expected-error @+1 {{chip sm_80 has no 'nvvm.mbarrier.arrive.expect_tx'; it is of sm_90a}}
    nvvm.mbarrier.arrive.expect_tx %bar, %n : !llvm.ptr<3>, i32
    // expected-error @+1 {{chip sm_80 has no 'nvvm.mbarrier.arrive_drop.expect_tx'; it is of sm_90a}}
    nvvm.mbarrier.arrive_drop.expect_tx %remote, %n : !llvm.ptr<7>, i32
    // expected-error @+1 {{chip sm_80 has no 'nvvm.mbarrier.try_wait.parity'; it is of sm_90a}}
    nvvm.mbarrier.try_wait.parity %bar, %n, %n : !llvm.ptr<3>, i32, i32
    // expected-error @+1 {{chip sm_80 has no 'nvvm.mbarrier.try_wait'; it is of sm_90a}}
    %0 = nvvm.mbarrier.try_wait %bar, %n : !llvm.ptr<3>, i32 -> i1
    // expected-error @+1 {{chip sm_80 has no 'nvvm.cp.async.bulk.shared.cluster.global'; it is of sm_90a}}
    nvvm.cp.async.bulk.shared.cluster.global %bar, %from, %bar, %n : !llvm.ptr<3>, !llvm.ptr<1>
    // expected-error @+1 {{chip sm_80 has no 'nvvm.cp.async.bulk.shared.cluster.shared.cta'; it is of sm_90a}}
    nvvm.cp.async.bulk.shared.cluster.shared.cta %remote, %bar, %bar, %n : !llvm.ptr<7>, !llvm.ptr<3>
    // expected-error @+1 {{chip sm_80 has no 'nvvm.cp.async.bulk.global.shared.cta'; it is of sm_90a}}
    nvvm.cp.async.bulk.global.shared.cta %from, %bar, %n : !llvm.ptr<1>, !llvm.ptr<3>
    // expected-error @+1 {{chip sm_80 has no 'nvvm.cp.async.bulk.prefetch'; it is of sm_90a}}
    nvvm.cp.async.bulk.prefetch %from, %n : !llvm.ptr<1>
    // expected-error @+1 {{chip sm_80 has no 'nvvm.cp.async.bulk.commit.group'; it is of sm_90a}}
    nvvm.cp.async.bulk.commit.group
    // expected-error @+1 {{chip sm_80 has no 'nvvm.cp.async.bulk.wait_group'; it is of sm_90a}}
    nvvm.cp.async.bulk.wait_group 0
    // expected-error @+1 {{chip sm_80 has no 'nvvm.cp.async.bulk.tensor.shared.cluster.global'; it is of sm_90a}}
    nvvm.cp.async.bulk.tensor.shared.cluster.global %remote, %map, %bar, box[%n] : !llvm.ptr<7>, !llvm.ptr
    // expected-error @+1 {{chip sm_80 has no 'nvvm.cp.async.bulk.tensor.global.shared.cta'; it is of sm_90a}}
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %bar, box[%n, %n] : !llvm.ptr, !llvm.ptr<3>
    // expected-error @+1 {{chip sm_80 has no 'nvvm.cp.async.bulk.tensor.reduce'; it is of sm_90a}}
    nvvm.cp.async.bulk.tensor.reduce %map, %bar, box[%n, %n] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
    // expected-error @+1 {{chip sm_80 has no 'nvvm.cp.async.bulk.tensor.prefetch'; it is of sm_90a}}
    nvvm.cp.async.bulk.tensor.prefetch %map, box[%n, %n] : !llvm.ptr
    llvm.return
  }
}
