// Types that no device has, or that do not fit one.

// RUN: lpgemm-opt %s --convert-gpu-to-emulator=chip=gfx950 --split-input-file \
// RUN:   --verify-diagnostics

gpu.module @m {
  llvm.func @pointers(%p: !llvm.ptr) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator does not model values of type 'vector<2x!llvm.ptr>'}}
    %0 = llvm.load %p : !llvm.ptr -> vector<2x!llvm.ptr>
    llvm.return
  }

  llvm.func @scalable(%p: !llvm.ptr) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator does not model values of type 'vector<[4]xi32>'}}
    %0 = llvm.load %p : !llvm.ptr -> vector<[4]xi32>
    llvm.return
  }

  llvm.func @floats(%p: !llvm.ptr) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator does not model values of type 'f128'}}
    %0 = llvm.load %p : !llvm.ptr -> f128
    llvm.return
  }

  llvm.func @large(%p: !llvm.ptr) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator models values of at most 4096 bytes, got 'vector<1025xi32>'}}
    %0 = llvm.load %p : !llvm.ptr -> vector<1025xi32>
    // expected-error @+1 {{emulator models values of at most 4096 bytes, got '!llvm.array<4294967297 x i8>'}}
    %1 = llvm.load %p : !llvm.ptr -> !llvm.array<4294967297 x i8>
    // 4096 bytes, and none at all.
    %2 = llvm.load %p : !llvm.ptr -> vector<1024xi32>
    %3 = llvm.load %p : !llvm.ptr -> !llvm.struct<()>
    llvm.return
  }

  llvm.func @wide(%x: i128) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator models divisions of at most 64 bits, got 'i128'}}
    %0 = llvm.udiv %x, %x : i128
    llvm.return
  }

  llvm.func @constants(%p: !llvm.ptr<4>, %x: i32) attributes {gpu.kernel} {
    // expected-error @+1 {{expected memory that kernels may write, got that of constants}}
    llvm.store %x, %p : i32, !llvm.ptr<4>
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.mlir.global external @huge() {addr_space = 3 : i32} : !llvm.array<4611686018427387904 x i32>
  // expected-error @+1 {{kernel needs 163841 bytes of LDS, expected at most 163840}}
  llvm.func @k() attributes {gpu.kernel} {
    %0 = llvm.mlir.addressof @huge : !llvm.ptr<3>
    llvm.return
  }
}

// -----

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  llvm.func @waits() attributes {gpu.kernel} {
    // expected-error @+1 {{expected 0 to 7 groups, got 8}}
    nvvm.wgmma.wait.group.sync.aligned 8
    // expected-error @+1 {{expected at least 0 groups, got -1}}
    nvvm.cp.async.wait.group -1
    llvm.return
  }
}
