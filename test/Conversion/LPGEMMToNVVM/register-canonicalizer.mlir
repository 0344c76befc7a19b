// The way to NVVM leaves out a pattern of MLIR by its name
// (lib/Pipelines/LowerToNVVM.cpp): it compares each pair of the values that a loop
// carries. If MLIR gives it another name, kernels only take longer to compile, and
// this test is what tells.

// RUN: mlir-opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=WITH
// RUN: mlir-opt %s --pass-pipeline='builtin.module(canonicalize{disable-patterns="(anonymous namespace)::RemoveDuplicateSuccessorInputUses"})' | FileCheck %s --check-prefix=WITHOUT

// WITH: arith.addf %[[A:.*]], %[[A]] : f32
// WITHOUT: iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (f32, f32)
// WITHOUT: arith.addf %[[A]], %[[B]] : f32
func.func @duplicate(%n: index, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (f32, f32) {
    %s = arith.addf %a, %b : f32
    scf.yield %s, %s : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}
