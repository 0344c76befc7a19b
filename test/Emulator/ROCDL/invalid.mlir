// What the emulator does not model is refused where it stands.

// RUN: lpgemm-opt %s --convert-gpu-to-emulator --split-input-file \
// RUN:   --verify-diagnostics

gpu.module @m {
  llvm.func @k(%p: !llvm.ptr, %v: i8, %n: i64)
      attributes {gpu.kernel, rocdl.kernel} {
    // expected-error @+1 {{emulator does not model op 'rocdl.s.get.barrier.state'}}
    %0 = rocdl.s.get.barrier.state id = 1 -> i32
    // expected-error @+1 {{emulator does not model op 'llvm.inline_asm'}}
    llvm.inline_asm has_side_effects "s_nop 0", "" : () -> ()
    // expected-error @+1 {{emulator does not model op 'llvm.inline_asm'}}
    %1 = llvm.inline_asm "", "=v,v" %v : (i8) -> i64
    // expected-error @+1 {{emulator does not model op 'llvm.intr.memset'}}
    "llvm.intr.memset"(%p, %v, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.func @__ocml_i0_f32(f32) -> f32
  llvm.func @k(%x: f32, %p: !llvm.ptr<9>, %f: !llvm.ptr) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator does not model calls of '@__ocml_i0_f32', which has no body in this module}}
    %0 = llvm.call @__ocml_i0_f32(%x) : (f32) -> f32
    // expected-error @+1 {{emulator does not model address space 9}}
    llvm.store %0, %p : f32, !llvm.ptr<9>
    // expected-error @+1 {{emulator does not model atomic accesses}}
    llvm.store %0, %f atomic monotonic {alignment = 4 : i64} : f32, !llvm.ptr
    // expected-error @+1 {{emulator does not model indirect calls}}
    llvm.call %f() : !llvm.ptr, () -> ()
    llvm.return
  }
}

// -----

// What buffer fat pointers do not do.
gpu.module @m {
  // expected-error @+1 {{emulator expects buffer fat pointers to be made in the kernel, got parameter 1 of type '!llvm.struct<(ptr<7>, i64)>'}}
  llvm.func @k(%r: !llvm.ptr<8>, %s: !llvm.struct<(ptr<7>, i64)>, %g: !llvm.ptr<1>, %i: i64, %j: vector<2xi64>) attributes {gpu.kernel} {
    %p = llvm.addrspacecast %r : !llvm.ptr<8> to !llvm.ptr<7>
    // expected-error @+1 {{emulator models casts from a buffer resource to a buffer fat pointer, '!llvm.ptr<8>' to '!llvm.ptr<7>', got '!llvm.ptr<7>' to '!llvm.ptr'}}
    %0 = llvm.addrspacecast %p : !llvm.ptr<7> to !llvm.ptr
    // expected-error @+1 {{emulator models 'llvm.ptrtoint' of a buffer fat pointer to its offset of at most 32 bits, got 'i64'}}
    %1 = llvm.ptrtoint %p : !llvm.ptr<7> to i64
    // expected-error @+1 {{emulator does not model 'llvm.inttoptr' of buffer fat pointers}}
    %2 = llvm.inttoptr %i : i64 to !llvm.ptr<7>
    // expected-error @+1 {{emulator models buffer fat pointers in registers and private memory only, got address space 1}}
    llvm.store %p, %g : !llvm.ptr<7>, !llvm.ptr<1>
    // expected-error @+1 {{emulator models buffer fat pointers in registers and private memory only, got address space 7}}
    %3 = llvm.load %p : !llvm.ptr<7> -> !llvm.array<2 x ptr<7>>
    // expected-error @+1 {{emulator does not model atomic accesses}}
    %4 = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr<7> -> i32
    // expected-error @+1 {{emulator does not model 'llvm.atomicrmw' of buffer fat pointers}}
    %5 = llvm.atomicrmw add %p, %i monotonic : !llvm.ptr<7>, i64
    // expected-error @+1 {{emulator does not model values of type 'vector<2x!llvm.ptr<7>>'}}
    %8 = llvm.getelementptr %p[%j] : (!llvm.ptr<7>, vector<2xi64>) -> vector<2x!llvm.ptr<7>>, i8
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{emulator models globals outside of shared memory with an initial value only, '@g' has none}}
  llvm.mlir.global internal @g() {addr_space = 1 : i32} : i32
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : i32
  llvm.func @helper() -> !llvm.ptr<3> {
    // expected-error @+1 {{emulator models LDS globals in kernels only}}
    %0 = llvm.mlir.addressof @lds : !llvm.ptr<3>
    llvm.return %0 : !llvm.ptr<3>
  }
  // expected-error @+1 {{emulator expects an llvm.func, got a gpu.func: convert-gpu-to-rocdl or convert-gpu-to-nvvm must run first}}
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : !llvm.array<163841 x i8>
  // expected-error @+1 {{kernel needs 163841 bytes of LDS, expected at most 163840}}
  llvm.func @k() attributes {gpu.kernel} {
    %0 = llvm.mlir.addressof @lds : !llvm.ptr<3>
    llvm.return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @k(%x: f32) attributes {gpu.kernel} {
      llvm.return
    }
  }
  func.func @main(%n: index, %x: f32, %y: i64) {
    // expected-error @+1 {{kernel @m::@k expects 1 arguments, got 2}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
        args(%x : f32, %y : i64)
    // expected-error @+1 {{kernel @m::@k expects argument 0 of type 'f32', got 'i64'}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
        args(%y : i64)
    // expected-error @+1 {{emulator does not model asynchronous launches}}
    %t = gpu.launch_func async @m::@k blocks in (%n, %n, %n)
        threads in (%n, %n, %n) args(%x : f32)
    // expected-error @+1 {{emulator does not model asynchronous allocations}}
    %memory, %allocated = gpu.alloc async [%t] (%n) : memref<?xf32>
    // expected-error @+1 {{emulator does not model asynchronous allocations}}
    %freed = gpu.dealloc async [%allocated] %memory : memref<?xf32>
    return
  }
}
