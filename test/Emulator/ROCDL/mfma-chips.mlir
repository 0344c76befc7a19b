// What an instruction reads depends on the chip of the kernel: 8-bit floats are
// FNUZ on gfx942, half of what OCP makes of the same code.

// RUN: lpgemm-emulate-test %s --emulator-chip=gfx950 \
// RUN:   | FileCheck %s --check-prefix=OCP --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=gfx942 \
// RUN:   | FileCheck %s --check-prefix=FNUZ --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=gfx950 --emulator-entry=own_target \
// RUN:   | FileCheck %s --check-prefix=FNUZ --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=gfx942 --emulator-entry=others \
// RUN:   | FileCheck %s --check-prefix=OTHERS --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=permuted \
// RUN:   | FileCheck %s --check-prefix=PERMUTED --implicit-check-not=report

!d = memref<64xf32>
!i = memref<64xi32>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // 32 + 16 * 3 of OCP codes, a quarter of that of FNUZ ones.
    gpu.func @fp8(%out: !d) kernel {
      %zero4 = arith.constant dense<0.0> : vector<4xf32>
      %zero16 = arith.constant dense<0.0> : vector<16xf32>
      %ones = arith.constant 0x3838383838383838 : i64
      // In the 5-bit exponent format, 3.0.
      %threes = arith.constant 0x4242424242424242 : i64
      %i0 = arith.constant 0 : i32
      %x = rocdl.mfma.f32.16x16x32.fp8.fp8 %ones, %ones, %zero4, %i0, %i0, %i0
          : (i64, i64, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      %y = rocdl.mfma.f32.32x32x16.fp8.bf8 %ones, %threes, %zero16, %i0, %i0, %i0
          : (i64, i64, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
      %x0 = vector.extract %x[0] : f32 from vector<4xf32>
      %y0 = vector.extract %y[15] : f32 from vector<16xf32>
      %sum = arith.addf %x0, %y0 : f32
      %tid = gpu.thread_id x
      memref.store %sum, %out[%tid] : !d
      gpu.return
    }

    // 416 - that is, 2^31 - 1 less the sum of 16 * 2, 8 * 2, 16 * 1 and
    // 32 * (-3 * 5) + 2^31 - 1 - and 1000 if another sum wraps.
    gpu.func @others(%out: !i) kernel {
      %zero4 = arith.constant dense<0.0> : vector<4xf32>
      %zero16 = arith.constant dense<0.0> : vector<16xf32>
      %largest = arith.constant dense<0x7fffffff> : vector<4xi32>
      %i16s = arith.constant dense<0> : vector<16xi32>
      %half = arith.constant dense<1.0> : vector<4xf16>
      %half2 = arith.constant dense<2.0> : vector<4xf16>
      // 1.0 and 2.0 in bfloat16.
      %brain = arith.constant dense<0x3f80> : vector<4xi16>
      %brain2 = arith.constant dense<0x4000> : vector<4xi16>
      %ones = arith.constant 0x0101010101010101 : i64
      %minus3 = arith.constant 0xfdfdfdfdfdfdfdfd : i64
      %fives = arith.constant 0x0505050505050505 : i64
      %i0 = arith.constant 0 : i32
      %x = rocdl.mfma.f32.16x16x16f16 %half, %half2, %zero4, %i0, %i0, %i0
          : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      %y = rocdl.mfma.f32.32x32x8bf16.1k %brain, %brain2, %zero16, %i0, %i0, %i0
          : (vector<4xi16>, vector<4xi16>, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
      %z = rocdl.mfma.i32.16x16x32.i8 %minus3, %fives, %largest, %i0, %i0, %i0
          : (i64, i64, vector<4xi32>, i32, i32, i32) -> vector<4xi32>
      %w = rocdl.mfma.i32.32x32x16.i8 %ones, %ones, %i16s, %i0, %i0, %i0
          : (i64, i64, vector<16xi32>, i32, i32, i32) -> vector<16xi32>
      %one4 = arith.constant dense<1> : vector<4xi32>
      %v = rocdl.mfma.i32.16x16x32.i8 %ones, %ones, %largest, %i0, %i0, %i0
          : (i64, i64, vector<4xi32>, i32, i32, i32) -> vector<4xi32>
      %x0 = vector.extract %x[3] : f32 from vector<4xf32>
      %y0 = vector.extract %y[15] : f32 from vector<16xf32>
      %z0 = vector.extract %z[3] : i32 from vector<4xi32>
      %w0 = vector.extract %w[15] : i32 from vector<16xi32>
      // The sign of 2^31 - 1 + 32.
      %v0 = vector.extract %v[0] : i32 from vector<4xi32>
      %c31 = arith.constant 31 : i32
      %sign = arith.shrui %v0, %c31 : i32
      %c1000 = arith.constant 1000 : i32
      %wrapped = arith.muli %sign, %c1000 : i32
      %f = arith.addf %x0, %y0 : f32
      %xi = arith.fptosi %f : f32 to i32
      %a = arith.addi %xi, %z0 : i32
      %b = arith.addi %a, %w0 : i32
      // From 2^31 - 1 down, so that the number is short.
      %max = arith.constant 0x7fffffff : i32
      %c = arith.subi %max, %b : i32
      %sum = arith.addi %c, %wrapped : i32
      %tid = gpu.thread_id x
      memref.store %sum, %out[%tid] : !i
      gpu.return
    }

    gpu.func @permuted(%out: !d) kernel {
      %zero4 = arith.constant dense<0.0> : vector<4xf32>
      %ones = arith.constant 0x3838383838383838 : i64
      %i0 = arith.constant 0 : i32
      %i1 = arith.constant 1 : i32
      // PERMUTED: report ({{.*}}): 'rocdl.mfma.f32.16x16x32.fp8.fp8' at {{.*}} expected cbsz, abid and blgp of 0
      %x = rocdl.mfma.f32.16x16x32.fp8.fp8 %ones, %ones, %zero4, %i1, %i0, %i0
          : (i64, i64, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      %x0 = vector.extract %x[0] : f32 from vector<4xf32>
      %tid = gpu.thread_id x
      memref.store %x0, %out[%tid] : !d
      gpu.return
    }
  }

  // The chip of the module itself counts, not the one of the option.
  gpu.module @gfx942 [#rocdl.target<chip = "gfx942">] {
    gpu.func @fp8(%out: !d) kernel {
      %zero4 = arith.constant dense<0.0> : vector<4xf32>
      %ones = arith.constant 0x3838383838383838 : i64
      %i0 = arith.constant 0 : i32
      %x = rocdl.mfma.f32.16x16x32.fp8.fp8 %ones, %ones, %zero4, %i0, %i0, %i0
          : (i64, i64, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      %x0 = vector.extract %x[0] : f32 from vector<4xf32>
      %c12 = arith.constant 12.0 : f32
      %sum = arith.addf %x0, %c12 : f32
      %tid = gpu.thread_id x
      memref.store %sum, %out[%tid] : !d
      gpu.return
    }
  }

  // OCP: result 80
  // FNUZ: result 20
  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %out = memref.alloc() : !d
    gpu.launch_func @kernels::@fp8 blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !d)
    %x = memref.load %out[%c1] : !d
    memref.dealloc %out : !d
    %i = arith.fptosi %x : f32 to i32
    return %i : i32
  }

  func.func @own_target() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %out = memref.alloc() : !d
    gpu.launch_func @gfx942::@fp8 blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !d)
    %x = memref.load %out[%c1] : !d
    memref.dealloc %out : !d
    %i = arith.fptosi %x : f32 to i32
    return %i : i32
  }

  // OTHERS: result 1416
  func.func @others() -> i32 {
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %out = memref.alloc() : !i
    gpu.launch_func @kernels::@others blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !i)
    %x = memref.load %out[%c63] : !i
    memref.dealloc %out : !i
    return %x : i32
  }

  func.func @permuted() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %out = memref.alloc() : !d
    gpu.launch_func @kernels::@permuted blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !d)
    memref.dealloc %out : !d
    %i0 = arith.constant 0 : i32
    return %i0 : i32
  }
}
