// RUN: lpgemm-opt %s -split-input-file --lpgemm-insert-waits | FileCheck %s
// RUN: lpgemm-opt %s -split-input-file --lpgemm-insert-waits=conservative | FileCheck %s --check-prefix=CONSERVATIVE

// A token becomes a group; the wait leaves those that came behind it.
// CHECK-LABEL: func @straight
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 2
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: lpgemm
// CONSERVATIVE-LABEL: func @straight
// CONSERVATIVE: nvvm.wgmma.wait.group.sync.aligned 0
// CONSERVATIVE: nvvm.wgmma.wait.group.sync.aligned 0
func.func @straight() {
  %0 = lpgemm.commit wgmma
  %1 = lpgemm.commit wgmma
  %2 = lpgemm.commit wgmma
  lpgemm.wait %0
  lpgemm.wait %2, %1
  return
}

// -----

// The token of one round is waited for in the next, behind its own group.
// CHECK-LABEL: func @loop
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: scf.for
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = lpgemm.commit wgmma
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%t = %0) -> (!lpgemm.token) {
    %1 = lpgemm.commit wgmma
    lpgemm.wait %t
    scf.yield %1 : !lpgemm.token
  }
  lpgemm.wait %l
  return
}

// -----

// The wait reads and writes its values; the groups of another counter are not
// its business.
// CHECK-LABEL: func @values
// CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK: nvvm.inline_ptx "wgmma.wait_group.sync.aligned 0;" rw(%[[X]], %[[Y]] : f32, f32)
// CHECK: arith.addf %[[X]], %[[Y]]
func.func @values(%x: f32, %y: f32) -> f32 {
  %0 = lpgemm.commit wgmma
  %1 = lpgemm.commit ds
  %r:2 = lpgemm.wait %0 for %x, %y : f32, f32
  lpgemm.wait %1
  %sum = arith.addf %r#0, %r#1 : f32
  return %sum : f32
}
