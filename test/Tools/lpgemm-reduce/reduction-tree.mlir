// The reducer keeps the function that the script finds interesting, and drops
// the other.
//
// RUN: lpgemm-reduce %s --pass-pipeline='builtin.module(reduction-tree{traversal-mode=0 test=%S/Inputs/contains-muli.sh})' | FileCheck %s

// CHECK-NOT: @dropped
// CHECK: @kept
// CHECK: arith.muli
// CHECK-NOT: @dropped

func.func @dropped(%arg0: i32) -> i32 {
  %0 = arith.addi %arg0, %arg0 : i32
  return %0 : i32
}

func.func @kept(%arg0: i32) -> i32 {
  %0 = arith.muli %arg0, %arg0 : i32
  return %0 : i32
}
