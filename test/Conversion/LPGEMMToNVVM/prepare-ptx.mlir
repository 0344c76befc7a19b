// RUN: lpgemm-opt %s -pass-pipeline='builtin.module(gpu.module(lpgemm-prepare-ptx))' | FileCheck %s

!sum = !llvm.struct<(f32, f32, f32, f32)>

gpu.module @kernels {
  // Products of one chain are one statement, with the operands of each behind the
  // sums, which are its results and, tied to these, its first operands.

  // CHECK-LABEL: llvm.func @chain(
  // CHECK-SAME: %[[A:.*]]: i64, %[[B:.*]]: i64, %[[X:.*]]: f32, %[[Y:.*]]: f32
  // CHECK-SAME: passthrough = ["noimplicitfloat"]
  llvm.func @chain(%a: i64, %b: i64, %x: f32, %y: f32) -> f32 {
    %zero = llvm.mlir.undef : !sum
    %s0 = llvm.insertvalue %x, %zero[0] : !sum
    %s1 = llvm.insertvalue %y, %s0[1] : !sum
    %s2 = llvm.insertvalue %x, %s1[2] : !sum
    %s3 = llvm.insertvalue %y, %s2[3] : !sum
    // CHECK-NOT: llvm.insertvalue
    // CHECK: %[[NEXT:.*]] = llvm.add %[[B]], %[[B]]
    // CHECK: %[[SUMS:.*]] = llvm.inline_asm has_side_effects asm_dialect = att
    // CHECK-SAME: setp.ne.b32 p, $10, 0;\0Awgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {$0, $1, $2, $3}, $8, $9, p, $11, $12;
    // CHECK-SAME: setp.ne.b32 p, $15, 0;\0Awgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {$0, $1, $2, $3}, $13, $14, p, $16, $17;
    // CHECK-SAME: "=f,=f,=f,=f,0,1,2,3,l,l,n,n,n,l,l,n,n,n" %[[X]], %[[Y]], %[[X]], %[[Y]], %[[A]], %[[B]], %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[A]], %[[NEXT]], %
    // CHECK-NOT: wgmma
    %p0 = nvvm.wgmma.mma_async %a, %b, %s3, <m = 64, n = 8, k = 32>,
        D[<f32>, <zero>], A[<e4m3>, <one>, <row>], B[<e5m2>, <one>, <col>] : !sum -> !sum
    %next = llvm.add %b, %b : i64
    %p1 = nvvm.wgmma.mma_async %a, %next, %p0, <m = 64, n = 8, k = 32>,
        D[<f32>, <one>], A[<e4m3>, <one>, <row>], B[<e5m2>, <one>, <col>] : !sum -> !sum
    // CHECK: llvm.extractvalue %[[SUMS]][0]
    %r = llvm.extractvalue %p1[0] : !sum
    llvm.return %r : f32
  }

  // Nothing goes across what acts on memory, or away from other uses.

  // CHECK-LABEL: llvm.func @apart(
  // CHECK-COUNT-3: llvm.inline_asm {{.*}}"=f,=f,=f,=f,0,1,2,3,l,l,n,n,n"
  // CHECK-NOT: llvm.inline_asm
  llvm.func @apart(%a: i64, %b: i64, %sums: !sum) -> !llvm.struct<(f32, f32)> {
    %p0 = nvvm.wgmma.mma_async %a, %b, %sums, <m = 64, n = 8, k = 32>,
        D[<f32>, <one>], A[<e4m3>, <one>, <row>], B[<e4m3>, <one>, <col>] : !sum -> !sum
    nvvm.wgmma.commit.group.sync.aligned
    %p1 = nvvm.wgmma.mma_async %a, %b, %p0, <m = 64, n = 8, k = 32>,
        D[<f32>, <one>], A[<e4m3>, <one>, <row>], B[<e4m3>, <one>, <col>] : !sum -> !sum
    %x = llvm.extractvalue %p1[0] : !sum
    %p2 = nvvm.wgmma.mma_async %a, %b, %p1, <m = 64, n = 8, k = 32>,
        D[<f32>, <one>], A[<e4m3>, <one>, <row>], B[<e4m3>, <one>, <col>] : !sum -> !sum
    %y = llvm.extractvalue %p2[0] : !sum
    %none = llvm.mlir.undef : !llvm.struct<(f32, f32)>
    %one = llvm.insertvalue %x, %none[0] : !llvm.struct<(f32, f32)>
    %both = llvm.insertvalue %y, %one[1] : !llvm.struct<(f32, f32)>
    llvm.return %both : !llvm.struct<(f32, f32)>
  }

  // Nor is a load taken apart.

  // CHECK-LABEL: llvm.func @loads(
  // CHECK-NOT: passthrough
  // CHECK: llvm.inline_asm
  llvm.func @loads(%a: i64, %b: i64, %sums: !sum, %ptr: !llvm.ptr<3>) -> f32 {
    %p0 = nvvm.wgmma.mma_async %a, %b, %sums, <m = 64, n = 8, k = 32>,
        D[<f32>, <one>], A[<e4m3>, <one>, <row>], B[<e4m3>, <one>, <col>] : !sum -> !sum
    %x = llvm.extractvalue %p0[0] : !sum
    %four = llvm.load %ptr : !llvm.ptr<3> -> vector<4xf32>
    %i = llvm.mlir.constant(1 : i32) : i32
    %y = llvm.extractelement %four[%i : i32] : vector<4xf32>
    %r = llvm.fadd %x, %y : f32
    llvm.return %r : f32
  }

  // CHECK-LABEL: llvm.func @none(
  // CHECK-NOT: passthrough
  llvm.func @none() {
    llvm.return
  }
}
