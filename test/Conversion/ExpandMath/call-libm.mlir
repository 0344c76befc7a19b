// RUN: lpgemm-opt %s --lpgemm-call-libm | FileCheck %s

// Of the host only what LLVM would approximate is called; all else stays.

// CHECK-DAG: func.func private @expm1f(f32) -> f32
// CHECK-DAG: func.func private @expm1(f64) -> f64
// CHECK-DAG: func.func private @log1pf(f32) -> f32
// CHECK-LABEL: func.func @functions(
// CHECK-SAME: %[[X:.*]]: f32, %[[Y:.*]]: f64, %[[Z:.*]]: bf16)
// CHECK-NEXT: %[[E:.*]] = call @expm1f(%[[X]])
// CHECK-NEXT: call @expm1(%[[Y]])
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[Z]] : bf16 to f32
// CHECK-NEXT: %[[L:.*]] = call @log1pf(%[[W]])
// CHECK-NEXT: arith.truncf %[[L]] : f32 to bf16
// CHECK-NEXT: math.exp %[[E]] : f32
// CHECK-NEXT: math.copysign
func.func @functions(%x: f32, %y: f64, %z: bf16) -> (f64, bf16, f32) {
  %a = math.expm1 %x : f32
  %b = math.expm1 %y : f64
  %c = math.log1p %z : bf16
  %d = math.exp %a : f32
  %e = math.copysign %d, %x : f32
  return %b, %c, %e : f64, bf16, f32
}
