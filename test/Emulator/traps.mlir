// What must not be reached, and divisions of which the divisor is zero.

// RUN: lpgemm-emulate-test %s --emulator-entry=unreachable \
// RUN:   | FileCheck %s --check-prefix=REACHED
// RUN: lpgemm-emulate-test %s --emulator-entry=division \
// RUN:   | FileCheck %s --check-prefix=ZERO

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @unreachable(%n: i32, %out: !llvm.ptr) attributes {gpu.kernel, rocdl.kernel} {
      %tid = rocdl.workitem.id.x : i32
      %is_last = llvm.icmp "eq" %tid, %n : i32
      llvm.cond_br %is_last, ^never, ^end
    ^never:
      // REACHED: report (1): 'llvm.unreachable' at {{.*}}:[[#@LINE+1]]:7 is reached (kernel unreachable, workgroup 0,0,0, wave 0 lane 3)
      llvm.unreachable
    ^end:
      llvm.return
    }

    llvm.func @division(%n: i32, %out: !llvm.ptr) attributes {gpu.kernel, rocdl.kernel} {
      %tid = rocdl.workitem.id.x : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %ones = llvm.mlir.constant(dense<1> : vector<2xi32>) : vector<2xi32>
      %left = llvm.sub %n, %tid : i32
      %divisors = llvm.insertelement %left, %ones[%c1 : i32] : vector<2xi32>
      // ZERO: report (1): 'llvm.udiv' at {{.*}}:[[#@LINE+1]]:{{.*}} divides by zero (kernel division, workgroup 0,0,0, wave 0 lane 3)
      %quotients = llvm.udiv %ones, %divisors : vector<2xi32>
      %place = llvm.getelementptr %out[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, vector<2xi32>
      llvm.store %quotients, %place : vector<2xi32>, !llvm.ptr
      llvm.return
    }
  }
  func.func @unreachable() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %n = arith.constant 3 : i32
    %out = memref.alloc() : memref<128xi32>
    gpu.launch_func @kernels::@unreachable blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%n : i32, %out : memref<128xi32>)
    memref.dealloc %out : memref<128xi32>
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @division() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %n = arith.constant 3 : i32
    %out = memref.alloc() : memref<128xi32>
    gpu.launch_func @kernels::@division blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%n : i32, %out : memref<128xi32>)
    memref.dealloc %out : memref<128xi32>
    %r = arith.constant 0 : i32
    return %r : i32
  }
}
