// RUN: lpgemm-opt %s -split-input-file --lpgemm-insert-waits | FileCheck %s
// RUN: lpgemm-opt %s -split-input-file --lpgemm-insert-waits=conservative | FileCheck %s --check-prefix=CONSERVATIVE

// One wait does for the copies and the loads to registers behind them: only what
// follows the last of these is left to run. Of the stores those are counted that
// are sure to stay one instruction: two of a word may become one.
// CHECK-LABEL: func @straight
// CHECK-NOT: lpgemm
// CHECK: amdgpu.memory_counter_wait load(1)
// CHECK-NOT: lpgemm
// CONSERVATIVE-LABEL: func @straight
// CONSERVATIVE: amdgpu.memory_counter_wait load(0) ds(0)
func.func @straight(%r: !llvm.ptr<8>, %p: !llvm.ptr<3>, %z: i32) -> (i8, vector<4xi32>) {
  rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
  %t = lpgemm.commit load
  rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
  %a = rocdl.raw.ptr.buffer.load %r, %z, %z, %z : i8
  %b = rocdl.raw.ptr.buffer.load %r, %z, %z, %z : vector<4xi32>
  %c = rocdl.raw.ptr.buffer.load %r, %z, %z, %z : i32
  %unused = rocdl.raw.ptr.buffer.load %r, %z, %z, %z : vector<4xi32>
  rocdl.raw.ptr.buffer.store %b, %r, %z, %z, %z : vector<4xi32>
  rocdl.raw.ptr.buffer.store %c, %r, %z, %z, %z : i32
  lpgemm.wait %t
  return %a, %b : i8, vector<4xi32>
}

// -----

// CHECK-LABEL: func @counters
// CHECK: amdgpu.memory_counter_wait ds(0)
// CHECK: amdgpu.memory_counter_wait load(1) ds(0)
// CHECK: amdgpu.memory_counter_wait ds(0)
// CONSERVATIVE-LABEL: func @counters
// CONSERVATIVE-COUNT-3: amdgpu.memory_counter_wait load(0) ds(0)
func.func @counters(%r: !llvm.ptr<8>, %p: !llvm.ptr<3>, %z: i32) {
  %d = lpgemm.commit ds
  rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
  lpgemm.wait %d
  %l0 = lpgemm.commit load
  rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
  %l1 = lpgemm.commit load
  rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
  lpgemm.wait %l0, %l1, %d
  lpgemm.wait
  return
}

// -----

// The least of the paths: one and two loads in the branches, none in a loop
// that may not run, two in one that runs.
// CHECK-LABEL: func @paths
// CHECK: amdgpu.memory_counter_wait load(3)
func.func @paths(%r: !llvm.ptr<8>, %p: !llvm.ptr<3>, %z: i32, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = lpgemm.commit load
  scf.if %c {
    rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
  } else {
    rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
    rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
  }
  scf.if %c {
    rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
  }
  scf.for %i = %c0 to %n step %c1 {
    rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
  }
  scf.for %i = %c0 to %c8 step %c1 {
    rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
    rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
  }
  lpgemm.wait %t
  return
}

// -----

// Carried over the back edge: two loads after the first commit before the loop,
// three from one round to the next.
// CHECK-LABEL: func @carried
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: amdgpu.memory_counter_wait load(2)
// CHECK: }
// CHECK-NEXT: amdgpu.memory_counter_wait load(1)
func.func @carried(%r: !llvm.ptr<8>, %p: !llvm.ptr<3>, %z: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = lpgemm.commit load
  rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t0) -> !lpgemm.token {
    rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
    lpgemm.wait %u
    %v = lpgemm.commit load
    rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
    rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
    scf.yield %v : !lpgemm.token
  }
  lpgemm.wait %t
  return
}

// -----

// The round after the first has the smaller count, and a token from a branch.
// CHECK-LABEL: func @smaller_in_loop
// CHECK: amdgpu.memory_counter_wait load(0) ds(0)
func.func @smaller_in_loop(%r: !llvm.ptr<8>, %p: !llvm.ptr<3>, %z: i32, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = lpgemm.commit load
  rocdl.raw.ptr.buffer.load.lds %r, %p, %z, %z, %z, %z, %z
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t0) -> !lpgemm.token {
    lpgemm.wait %u
    %v = scf.if %c -> !lpgemm.token {
      %x = lpgemm.commit load
      scf.yield %x : !lpgemm.token
    } else {
      %x = lpgemm.commit ds
      scf.yield %x : !lpgemm.token
    }
    scf.yield %v : !lpgemm.token
  }
  lpgemm.wait %t
  return
}
