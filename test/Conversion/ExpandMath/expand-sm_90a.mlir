// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-expand-math))" | FileCheck %s

// The chip says which instructions there are: nothing of ROCDL, and what is left
// of the math dialect has instructions.

// CHECK-NOT: rocdl
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  // 2^y, and what rounding y lost. An overflow stays one.
  // CHECK-LABEL: gpu.func @exp(
  // CHECK-SAME: %[[X:.*]]: f32)
  // CHECK-DAG: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
  // CHECK-DAG: %[[INF:.*]] = arith.constant 0x7F800000 : f32
  // CHECK: %[[Y:.*]] = arith.mulf %{{.*}}, %[[LOG2E]] : f32
  // CHECK: %[[P:.*]] = math.exp2 %[[Y]] : f32
  // CHECK: %[[R:.*]] = math.fma %[[P]], %{{.*}}, %[[P]] : f32
  // CHECK: %[[FITS:.*]] = arith.cmpf olt, %[[P]], %[[INF]] : f32
  // CHECK: arith.select %[[FITS]], %[[R]], %[[P]] : f32
  gpu.func @exp(%x: f32) -> f32 {
    %0 = math.exp %x : f32
    gpu.return %0 : f32
  }

  // Subnormals are scaled by 2^32 for the polynomial.
  // CHECK-LABEL: gpu.func @log2(
  // CHECK-SAME: %[[X:.*]]: f32)
  // CHECK: %[[SMALL:.*]] = arith.cmpf olt, %[[X]], %{{.*}} : f32
  // CHECK: %[[BY:.*]] = arith.select %[[SMALL]], %{{.*}}, %{{.*}} : f32
  // CHECK: arith.mulf %[[X]], %[[BY]] : f32
  // CHECK-NOT: math.log
  // CHECK: %[[LESS:.*]] = arith.select %[[SMALL]], %{{.*}}, %{{.*}} : f32
  // CHECK-NEXT: arith.subf %{{.*}}, %[[LESS]] : f32
  gpu.func @log2(%x: f32) -> f32 {
    %0 = math.log2 %x : f32
    gpu.return %0 : f32
  }

  // CHECK-LABEL: gpu.func @others(
  // CHECK-NOT: math.{{exp |log|tanh|erf|expm1|rsqrt|trunc}}
  // CHECK: llvm.intr.trunc
  // CHECK-NOT: math.{{exp |log|tanh|erf|expm1|rsqrt|trunc}}
  // CHECK: gpu.return
  gpu.func @others(%x: f32) -> f32 {
    %0 = math.log %x : f32
    %1 = math.log10 %0 : f32
    %2 = math.log1p %1 : f32
    %3 = math.expm1 %2 : f32
    %4 = math.tanh %3 : f32
    %5 = math.erf %4 : f32
    %6 = math.rsqrt %5 : f32
    %7 = math.trunc %6 : f32
    gpu.return %7 : f32
  }

  // CHECK-LABEL: gpu.func @fast(
  // CHECK-SAME: %[[X:.*]]: f32, %[[Y:.*]]: f32)
  // CHECK: %[[SCALED:.*]] = arith.mulf %[[X]], %{{.*}} : f32
  // CHECK: %[[E:.*]] = math.exp2 %[[SCALED]] fastmath<afn> : f32
  // CHECK: %[[R:.*]] = nvvm.rcp.approx.ftz.f %[[Y]] : f32
  // CHECK: arith.mulf %[[E]], %[[R]] : f32
  gpu.func @fast(%x: f32, %y: f32) -> f32 {
    %0 = math.exp %x fastmath<afn> : f32
    %1 = arith.divf %0, %y fastmath<arcp> : f32
    gpu.return %1 : f32
  }
}
