// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-expand-math))" | FileCheck %s

// No function needs a library, and flags choose the short forms.

gpu.module @m {
  // CHECK-LABEL: gpu.func @powers(
  // CHECK-SAME: %[[X:.*]]: f32)
  // CHECK: %[[SMALL:.*]] = arith.cmpf olt, %[[X]], %{{.*}} : f32
  // CHECK: %[[SHIFT:.*]] = arith.select %[[SMALL]]
  // CHECK: %[[X1:.*]] = arith.addf %[[X]], %[[SHIFT]] : f32
  // CHECK: %[[E:.*]] = rocdl.exp2 %[[X1]] f32 -> f32
  // CHECK: arith.mulf %[[E]]
  // CHECK: rocdl.log
  // CHECK: math.log %
  gpu.func @powers(%x: f32) -> f32 {
    %0 = math.exp2 %x : f32
    %1 = math.log2 %0 : f32
    %2 = math.log10 %1 : f32
    gpu.return %2 : f32
  }

  // CHECK-LABEL: gpu.func @rsqrt(
  // CHECK-SAME: %[[X:.*]]: f32)
  // CHECK: %[[ONE:.*]] = arith.constant 1.0{{.*}} : f32
  // CHECK: %[[ROOT:.*]] = math.sqrt %[[X]] : f32
  // CHECK: arith.divf %[[ONE]], %[[ROOT]] : f32
  gpu.func @rsqrt(%x: f32) -> f32 {
    %0 = math.rsqrt %x : f32
    gpu.return %0 : f32
  }

  // CHECK-LABEL: gpu.func @approximated(
  // CHECK-NOT: math.{{tanh|erf|expm1|log1p}}
  // CHECK: gpu.return
  gpu.func @approximated(%x: f32) -> f32 {
    %0 = math.tanh %x : f32
    %1 = math.erf %0 : f32
    %2 = math.expm1 %1 : f32
    %3 = math.log1p %2 : f32
    gpu.return %3 : f32
  }

  // Types of 16 bits are computed in f32.
  // CHECK-LABEL: gpu.func @short_types(
  // CHECK-SAME: %[[X:.*]]: bf16)
  // CHECK: %[[WIDE:.*]] = arith.extf %[[X]] : bf16 to f32
  // CHECK: rocdl.exp2
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  gpu.func @short_types(%x: bf16) -> bf16 {
    %0 = math.exp2 %x : bf16
    gpu.return %0 : bf16
  }

  // CHECK-LABEL: gpu.func @fast(
  // CHECK-SAME: %[[X:.*]]: f32, %[[Y:.*]]: f32)
  // CHECK-DAG: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
  // CHECK: %[[SCALED:.*]] = arith.mulf %[[X]], %[[LOG2E]] : f32
  // CHECK: %[[E:.*]] = rocdl.exp2 %[[SCALED]] f32 -> f32
  // CHECK: %[[E2:.*]] = rocdl.exp2 %[[E]] f32 -> f32
  // CHECK: %[[R:.*]] = rocdl.rcp %[[Y]] f32 -> f32
  // CHECK: arith.mulf %[[E2]], %[[R]] : f32
  gpu.func @fast(%x: f32, %y: f32) -> f32 {
    %0 = math.exp %x fastmath<afn> : f32
    %1 = math.exp2 %0 fastmath<afn> : f32
    %2 = arith.divf %1, %y fastmath<arcp> : f32
    gpu.return %2 : f32
  }

  // CHECK-LABEL: gpu.func @fast_tanh(
  // CHECK: rocdl.exp2
  // CHECK: rocdl.rcp
  // CHECK-NOT: arith.divf
  // CHECK: gpu.return
  gpu.func @fast_tanh(%x: f32) -> f32 {
    %0 = math.tanh %x fastmath<afn> : f32
    gpu.return %0 : f32
  }

  // Without flags, and in other types, a division stays.
  // CHECK-LABEL: gpu.func @divisions(
  // CHECK: arith.divf %{{.*}}, %{{.*}} : f32
  // CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<arcp> : f64
  gpu.func @divisions(%x: f32, %y: f32, %z: f64) -> (f32, f64) {
    %0 = arith.divf %x, %y : f32
    %1 = arith.divf %z, %z fastmath<arcp> : f64
    gpu.return %0, %1 : f32, f64
  }
}
