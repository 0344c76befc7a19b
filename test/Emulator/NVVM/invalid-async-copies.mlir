// Asynchronous copies that the emulator refuses.

// RUN: lpgemm-opt %s --convert-gpu-to-emulator -split-input-file -verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    llvm.func @im2col(%map: !llvm.ptr, %target: !llvm.ptr<7>, %bar: !llvm.ptr<3>, %c: i32, %o: i16) attributes {gpu.kernel, nvvm.kernel} {
      // expected-error @+1 {{emulator models copies of tensors in tile mode, got 'nvvm.cp.async.bulk.tensor.shared.cluster.global' in another}}
      nvvm.cp.async.bulk.tensor.shared.cluster.global %target, %map, %bar, box[%c, %c, %c] im2col[%o] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    llvm.func @im2col_store(%map: !llvm.ptr, %source: !llvm.ptr<3>, %c: i32) attributes {gpu.kernel, nvvm.kernel} {
      // expected-error @+1 {{emulator models copies of tensors in tile mode, got 'nvvm.cp.async.bulk.tensor.reduce' in another}}
      nvvm.cp.async.bulk.tensor.reduce %map, %source, box[%c, %c, %c] {redKind = #nvvm.tma_redux_kind<add>, mode = #nvvm.tma_store_mode<im2col>} : !llvm.ptr, !llvm.ptr<3>
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    llvm.func @two_ctas(%map: !llvm.ptr, %target: !llvm.ptr<7>, %bar: !llvm.ptr<3>, %c: i32) attributes {gpu.kernel, nvvm.kernel} {
      // expected-error @+1 {{'nvvm.cp.async.bulk.tensor.shared.cluster.global' with a cta_group is not of sm_90}}
      nvvm.cp.async.bulk.tensor.shared.cluster.global %target, %map, %bar, box[%c] {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<7>, !llvm.ptr
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_89">] {
    llvm.func @bulk(%target: !llvm.ptr<3>, %source: !llvm.ptr<1>, %c: i32) attributes {gpu.kernel, nvvm.kernel} {
      // expected-error @+1 {{chip sm_89 has no 'nvvm.cp.async.bulk.global.shared.cta'; it is of sm_90a}}
      nvvm.cp.async.bulk.global.shared.cta %source, %target, %c : !llvm.ptr<1>, !llvm.ptr<3>
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
    llvm.func @transactions(%bar: !llvm.ptr<3>, %c: i32) attributes {gpu.kernel, nvvm.kernel} {
      // expected-error @+1 {{chip sm_80 has no 'nvvm.mbarrier.arrive.expect_tx'; it is of sm_90a}}
      nvvm.mbarrier.arrive.expect_tx %bar, %c : !llvm.ptr<3>, i32
      llvm.return
    }
  }
}
