// Operations between the lanes of a wave, arithmetic of the device, and atomic
// operations: each is passed on with its operands in order.

// RUN: lpgemm-emulate-test %s | FileCheck %s --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-order=reverse \
// RUN:   | FileCheck %s --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=math \
// RUN:   | FileCheck %s --check-prefix=MATH --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=atomics \
// RUN:   | FileCheck %s --check-prefix=ATOMICS --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=atomic_bounds \
// RUN:   | FileCheck %s --check-prefix=BOUNDS --implicit-check-not=report

!i = memref<64xi32>
!f = memref<64xf32>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @lanes(%out: !i) kernel {
      %tid = gpu.thread_id x
      %l = arith.index_cast %tid : index to i32
      %c1 = arith.constant 1 : i32
      %c3 = arith.constant 3 : i32
      %c4 = arith.constant 4 : i32
      %c5 = arith.constant 5 : i32
      %xor16 = arith.constant 0x401f : i32
      // 3 * (l + 1)
      %next = arith.addi %l, %c1 : i32
      %index = arith.muli %next, %c4 : i32
      %l3 = arith.muli %l, %c3 : i32
      %a = rocdl.ds_bpermute %index, %l3 : (i32, i32) -> i32
      // l ^ 16
      %b = rocdl.ds_swizzle %l, %xor16 : (i32, i32) -> i32
      // 5
      %c = rocdl.readlane %l, %c5 : (i32, i32) -> i32
      // l - 1
      %d = rocdl.update.dpp %c3, %l with 273, 15, 15, false : i32
      // 7
      %isLow = arith.cmpi ult, %l, %c3 : i32
      %e64 = rocdl.ballot %isLow : i64
      %e = arith.trunci %e64 : i64 to i32
      %m3 = arith.constant 1000 : i32
      %m5 = arith.constant 100000 : i32
      %m6 = arith.constant 1000000 : i32
      %m8 = arith.constant 100000000 : i32
      %b1 = arith.muli %b, %m3 : i32
      %c2 = arith.muli %c, %m5 : i32
      %d1 = arith.muli %d, %m6 : i32
      %e1 = arith.muli %e, %m8 : i32
      %s1 = arith.addi %a, %b1 : i32
      %s2 = arith.addi %s1, %c2 : i32
      %s3 = arith.addi %s2, %d1 : i32
      %s4 = arith.addi %s3, %e1 : i32
      memref.store %s4, %out[%tid] : !i
      gpu.return
    }

    // log2(32) + sqrt(2.25) + exp(0) + exp2(4) + (1 * 1 + 2) + 1/sqrt(4)
    gpu.func @math(%out: !f) kernel {
      %tid = gpu.thread_id x
      %c0 = arith.constant 0.0 : f32
      %c1 = arith.constant 1.0 : f32
      %c2 = arith.constant 2.0 : f32
      %c4 = arith.constant 4.0 : f32
      %c32 = arith.constant 32.0 : f32
      %c225 = arith.constant 2.25 : f32
      %a = rocdl.log %c32 f32 -> f32
      %b = rocdl.sqrt %c225 f32 -> f32
      %c = llvm.intr.exp(%c0) : (f32) -> f32
      %d = rocdl.exp2 %c4 f32 -> f32
      %e = llvm.intr.fma(%c1, %c1, %c2) : (f32, f32, f32) -> f32
      %g0 = llvm.intr.sqrt(%c4) : (f32) -> f32
      %g = arith.divf %c1, %g0 : f32
      %s1 = arith.addf %a, %b : f32
      %s2 = arith.addf %s1, %c : f32
      %s3 = arith.addf %s2, %d : f32
      %s4 = arith.addf %s3, %e : f32
      %s5 = arith.addf %s4, %g : f32
      memref.store %s5, %out[%tid] : !f
      gpu.return
    }

    // Of 4 workgroups of 64: each lane adds 1.0 to f[0], puts its number in the
    // grid into the maximum i[0], adds it to i[1], and counts i[2] up through a
    // compare-and-swap.
    gpu.func @atomics(%f: !f, %i: !i) kernel {
      %tid = gpu.thread_id x
      %block = gpu.block_id x
      %one = arith.constant 1.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c64 = arith.constant 64 : index
      %first = arith.muli %block, %c64 : index
      %n = arith.addi %first, %tid : index
      %v = arith.index_cast %n : index to i32
      %0 = memref.atomic_rmw addf %one, %f[%c0] : (f32, !f) -> f32
      %1 = memref.atomic_rmw maxu %v, %i[%c0] : (i32, !i) -> i32
      %2 = memref.atomic_rmw addi %v, %i[%c1] : (i32, !i) -> i32
      %3 = memref.generic_atomic_rmw %i[%c2] : !i {
      ^bb0(%old: i32):
        %i1 = arith.constant 1 : i32
        %new = arith.addi %old, %i1 : i32
        memref.atomic_yield %new : i32
      }
      gpu.return
    }

    gpu.func @atomic_bounds(%f: !f) kernel {
      %c64 = arith.constant 64 : index
      %one = arith.constant 1.0 : f32
      // BOUNDS: report (1): 'llvm.atomicrmw' at {{.*}}:[[#@LINE+1]]:{{.*}} accesses 4 bytes at offset 256 of 'allocation of the host', which has 256 bytes
      %0 = memref.atomic_rmw addf %one, %f[%c64] : (f32, !f) -> f32
      gpu.return
    }
  }

  // Lane 33.
  // CHECK: result 732549102
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c33 = arith.constant 33 : index
    %c64 = arith.constant 64 : index
    %out = memref.alloc() : !i
    gpu.launch_func @kernels::@lanes blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !i)
    %x = memref.load %out[%c33] : !i
    memref.dealloc %out : !i
    return %x : i32
  }

  // MATH: result 27
  func.func @math() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %out = memref.alloc() : !f
    gpu.launch_func @kernels::@math blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !f)
    %x = memref.load %out[%c1] : !f
    memref.dealloc %out : !f
    %i = arith.fptosi %x : f32 to i32
    return %i : i32
  }

  // 256 + 255 + 255 * 128 + 256
  // ATOMICS: result 33407
  func.func @atomics() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %i0 = arith.constant 0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = memref.alloc() : !f
    %i = memref.alloc() : !i
    memref.store %f0, %f[%c0] : !f
    memref.store %i0, %i[%c0] : !i
    memref.store %i0, %i[%c1] : !i
    memref.store %i0, %i[%c2] : !i
    gpu.launch_func @kernels::@atomics blocks in (%c4, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%f : !f, %i : !i)
    %a = memref.load %f[%c0] : !f
    %b = memref.load %i[%c0] : !i
    %c = memref.load %i[%c1] : !i
    %d = memref.load %i[%c2] : !i
    memref.dealloc %f : !f
    memref.dealloc %i : !i
    %ai = arith.fptosi %a : f32 to i32
    %s1 = arith.addi %ai, %b : i32
    %s2 = arith.addi %s1, %c : i32
    %s3 = arith.addi %s2, %d : i32
    return %s3 : i32
  }

  func.func @atomic_bounds() -> i32 {
    %c1 = arith.constant 1 : index
    %i0 = arith.constant 0 : i32
    %f = memref.alloc() : !f
    gpu.launch_func @kernels::@atomic_bounds blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%f : !f)
    memref.dealloc %f : !f
    return %i0 : i32
  }
}
