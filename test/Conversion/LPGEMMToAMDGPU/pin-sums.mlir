// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-pin-sums))" | FileCheck %s

// Sums of 144 registers are pinned behind the loop, those of the loop inside of
// it and what else a loop carries are not. The result is in words until one of
// the branches takes it element by element.

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @large
  // CHECK-SAME: passthrough = {{\[\[}}"amdgpu-agpr-alloc", "256"]]
  // CHECK: %[[LOOP:.*]]:10 = scf.for
  // CHECK: %[[INNER:.*]]:9 = scf.for
  // CHECK-NOT: llvm.inline_asm
  // CHECK: scf.yield %[[INNER]]#0, {{.*}} : vector<16xf32>
  // CHECK-COUNT-8: llvm.inline_asm "", "=a,0" %[[LOOP]]#{{[1-8]}} :
  // CHECK: %[[SUM:.*]] = llvm.inline_asm "", "=a,0" %[[LOOP]]#0 : (vector<16xf32>) -> vector<16xf32>
  // CHECK-NOT: llvm.inline_asm "", "=a,0"
  // CHECK: vector.extract %[[SUM]][0]
  // CHECK: %[[PACKED:.*]] = vector.from_elements
  // CHECK: %[[WORDS:.*]] = vector.bitcast %[[PACKED]] : vector<4xbf16> to vector<2xi32>
  // CHECK: %[[PINNED:.*]] = llvm.inline_asm "", "=v,0" %[[WORDS]] : (vector<2xi32>) -> vector<2xi32>
  // CHECK: %[[RESULT:.*]] = vector.bitcast %[[PINNED]] : vector<2xi32> to vector<4xbf16>
  // CHECK: scf.if
  // CHECK: vector.bitcast %[[RESULT]] : vector<4xbf16> to vector<2xi32>
  // CHECK: } else {
  // CHECK: %[[ONE:.*]] = vector.extract %[[RESULT]][1] : bf16 from vector<4xbf16>
  // CHECK: arith.bitcast %[[ONE]] : bf16 to i16
  gpu.func @large(%a: vector<8xf8E4M3FN>, %n: index, %rsrc: !llvm.ptr<8>,
                  %zero: vector<16xf32>, %next: vector<4xi32>, %wide: i1,
                  %z: i32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s:10 = scf.for %i = %c0 to %n step %c1 iter_args(
        %o0 = %zero, %o1 = %zero, %o2 = %zero, %o3 = %zero, %o4 = %zero,
        %o5 = %zero, %o6 = %zero, %o7 = %zero, %o8 = %zero, %q = %next)
        -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>,
            vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>,
            vector<16xf32>, vector<4xi32>) {
      %t:9 = scf.for %k = %c0 to %n step %c1 iter_args(
          %i0 = %o0, %i1 = %o1, %i2 = %o2, %i3 = %o3, %i4 = %o4, %i5 = %o5,
          %i6 = %o6, %i7 = %o7, %i8 = %o8)
          -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>,
              vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>,
              vector<16xf32>) {
        %p0 = amdgpu.mfma 32x32x16 %a * %a + %i0 blgp = none : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<16xf32>
        %p1 = amdgpu.mfma 32x32x16 %a * %a + %i1 blgp = none : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<16xf32>
        %p2 = amdgpu.mfma 32x32x16 %a * %a + %i2 blgp = none : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<16xf32>
        %p3 = amdgpu.mfma 32x32x16 %a * %a + %i3 blgp = none : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<16xf32>
        %p4 = amdgpu.mfma 32x32x16 %a * %a + %i4 blgp = none : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<16xf32>
        %p5 = amdgpu.mfma 32x32x16 %a * %a + %i5 blgp = none : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<16xf32>
        %p6 = amdgpu.mfma 32x32x16 %a * %a + %i6 blgp = none : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<16xf32>
        %p7 = amdgpu.mfma 32x32x16 %a * %a + %i7 blgp = none : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<16xf32>
        %p8 = amdgpu.mfma 32x32x16 %a * %a + %i8 blgp = none : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<16xf32>
        scf.yield %p0, %p1, %p2, %p3, %p4, %p5, %p6, %p7, %p8
            : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>,
              vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>,
              vector<16xf32>
      }
      scf.yield %t#0, %t#1, %t#2, %t#3, %t#4, %t#5, %t#6, %t#7, %t#8, %q
          : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>,
            vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>,
            vector<16xf32>, vector<4xi32>
    }
    %x0 = vector.extract %s#0[0] : f32 from vector<16xf32>
    %x1 = vector.extract %s#0[1] : f32 from vector<16xf32>
    %b0 = arith.truncf %x0 : f32 to bf16
    %b1 = arith.truncf %x1 : f32 to bf16
    %result = vector.from_elements %b0, %b1, %b0, %b0 : vector<4xbf16>
    scf.if %wide {
      %words = vector.bitcast %result : vector<4xbf16> to vector<2xi32>
      rocdl.raw.ptr.buffer.store %words, %rsrc, %z, %z, %z : vector<2xi32>
    } else {
      %bits = arith.bitcast %b1 : bf16 to i16
      rocdl.raw.ptr.buffer.store %bits, %rsrc, %z, %z, %z : i16
    }
    rocdl.raw.ptr.buffer.store %s#9, %rsrc, %z, %z, %z : vector<4xi32>
    %last = vector.extract %s#8[15] : f32 from vector<16xf32>
    rocdl.raw.ptr.buffer.store %last, %rsrc, %z, %z, %z : f32
    gpu.return
  }

  // 128 registers: LLVM does well by itself.
  // CHECK-LABEL: gpu.func @small
  // CHECK-NOT: passthrough
  // CHECK-NOT: llvm.inline_asm
  gpu.func @small(%a: vector<8xf8E4M3FN>, %n: index, %rsrc: !llvm.ptr<8>,
                  %zero: vector<16xf32>, %z: i32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s:8 = scf.for %i = %c0 to %n step %c1 iter_args(
        %i0 = %zero, %i1 = %zero, %i2 = %zero, %i3 = %zero, %i4 = %zero,
        %i5 = %zero, %i6 = %zero, %i7 = %zero)
        -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>,
            vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
      %p0 = amdgpu.mfma 32x32x16 %a * %a + %i0 blgp = none : vector<8xf8E4M3FN>, vector<8xf8E4M3FN>, vector<16xf32>
      scf.yield %p0, %p0, %p0, %p0, %p0, %p0, %p0, %p0
          : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>,
            vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
    }
    %x = vector.extract %s#0[0] : f32 from vector<16xf32>
    rocdl.raw.ptr.buffer.store %x, %rsrc, %z, %z, %z : f32
    gpu.return
  }
}
