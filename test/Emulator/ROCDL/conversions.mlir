// Conversions of 8-bit floats: FNUZ on gfx942, OCP on gfx950.

// RUN: lpgemm-emulate-test %s --emulator-chip=gfx950 \
// RUN:   | FileCheck %s --check-prefix=OCP --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=gfx942 \
// RUN:   | FileCheck %s --check-prefix=FNUZ --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=scaled \
// RUN:   | FileCheck %s --check-prefix=SCALED --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=to_narrow \
// RUN:   | FileCheck %s --check-prefix=NARROW --implicit-check-not=report

!i = memref<64xi32>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // The codes of 1.0 and -2.0 in the upper half, and 16 * 2.0 read back.
    gpu.func @convert(%out: !i) kernel {
      %tid = gpu.thread_id x
      %c1 = arith.constant 1.0 : f32
      %c2 = arith.constant -2.0 : f32
      %old = arith.constant 0x12345600 : i32
      %a = rocdl.cvt.pk.fp8.f32 %c1, %c2 -> %old[true] : i32
      %pair = rocdl.cvt.pk.f32.fp8 %a[true] : vector<2xf32>
      %b = vector.extract %pair[1] : f32 from vector<2xf32>
      %e = rocdl.cvt.pk.bf8.f32 %c1, %c2 -> %old[false] : i32
      %f = rocdl.cvt.f32.bf8 %e[1] : f32
      %product = arith.mulf %b, %f : f32
      %n = arith.fptosi %product : f32 to i32
      %code = arith.addi %a, %n : i32
      memref.store %code, %out[%tid] : !i
      gpu.return
    }
    // Printed in decimal: 0xc0385600 and 0xc8405600, plus 4.
    // OCP: result -1070049788
    // FNUZ: result -935307772
  }

  gpu.module @gfx950 [#rocdl.target<chip = "gfx950">] {
    gpu.func @convert(%out: !i) kernel {
      %tid = gpu.thread_id x
      %scale = arith.constant 4.0 : f32
      // Byte 1 in FP4: 6.0, 0.5. The upper half in E5M2: 1.0, 2.0.
      %codes = arith.constant 0x403c1700 : i32
      // 24, 2
      %a = rocdl.cvt.scalef32.pk.f32.fp4 %codes[1], %scale : vector<2xf32>
      // 4, 8
      %b = rocdl.cvt.scalef32.pk.f16.bf8 %codes[true], %scale : vector<2xf16>
      // FP6 of all ones but the sign: 7.5 each, 30 with the scale.
      %six = arith.constant dense<[0xdf7df7df, 0xf7df7df7, 0x7df7df7d, 0xdf7df7df, 0xf7df7df7, 0x7df7df7d]> : vector<6xi32>
      %c = rocdl.cvt.scalef32.pk32.bf16.fp6 %six, %scale : vector<32xbf16>
      %a0 = vector.extract %a[0] : f32 from vector<2xf32>
      %a1 = vector.extract %a[1] : f32 from vector<2xf32>
      %b0 = vector.extract %b[0] : f16 from vector<2xf16>
      %b1 = vector.extract %b[1] : f16 from vector<2xf16>
      %c31 = vector.extract %c[31] : bf16 from vector<32xbf16>
      %b0f = arith.extf %b0 : f16 to f32
      %b1f = arith.extf %b1 : f16 to f32
      %c31f = arith.extf %c31 : bf16 to f32
      %s1 = arith.mulf %a0, %a1 : f32
      %s2 = arith.addf %s1, %b0f : f32
      %s3 = arith.mulf %s2, %b1f : f32
      %s4 = arith.addf %s3, %c31f : f32
      %n = arith.fptosi %s4 : f32 to i32
      memref.store %n, %out[%tid] : !i
      gpu.return
    }
  }

  gpu.module @narrow [#rocdl.target<chip = "gfx950">] {
    // To FP4, E4M3 and FP6, each divided by 4: of the scale only the exponent
    // counts.
    gpu.func @convert(%out: !i) kernel {
      %tid = gpu.thread_id x
      %scale = arith.constant 7.0 : f32
      %c24 = arith.constant 24.0 : f32
      %cm6 = arith.constant -6.0 : f32
      %old = arith.constant 0x11111111 : i32
      // 6 and -1.5: 0xb7 in byte 1.
      %a = rocdl.cvt.scalef32.pk.fp4.f32 %c24, %cm6, %scale -> %old[1] : i32
      // In E4M3 0x4c and 0xbc, in the upper half.
      %old8 = arith.constant dense<1> : vector<2xi16>
      %b = rocdl.cvt.scalef32.pk.fp8.f32 %c24, %cm6, %scale -> %old8[true] : vector<2xi16>
      // In FP6 0x1c and 0x2c, in turn.
      %even = vector.broadcast %c24 : f32 to vector<16xf32>
      %odd = vector.broadcast %cm6 : f32 to vector<16xf32>
      %c = rocdl.cvt.scalef32.2xpk16.fp6.f32 %even, %odd, %scale : vector<6xi32>
      %b1 = vector.bitcast %b : vector<2xi16> to vector<1xi32>
      %b0 = vector.extract %b1[0] : i32 from vector<1xi32>
      %c0 = vector.extract %c[0] : i32 from vector<6xi32>
      %s = arith.addi %a, %b0 : i32
      %n = arith.addi %s, %c0 : i32
      memref.store %n, %out[%tid] : !i
      gpu.return
    }
  }

  // 0x1111b711 + 0xbc4c0001 + 0x1cb1cb1c
  // NARROW: result -368082386
  func.func @to_narrow() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %out = memref.alloc() : !i
    gpu.launch_func @narrow::@convert blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !i)
    %x = memref.load %out[%c1] : !i
    memref.dealloc %out : !i
    return %x : i32
  }

  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %out = memref.alloc() : !i
    gpu.launch_func @kernels::@convert blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !i)
    %x = memref.load %out[%c1] : !i
    memref.dealloc %out : !i
    return %x : i32
  }

  // (24 * 2 + 4) * 8 + 30
  // SCALED: result 446
  func.func @scaled() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %out = memref.alloc() : !i
    gpu.launch_func @gfx950::@convert blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !i)
    %x = memref.load %out[%c1] : !i
    memref.dealloc %out : !i
    return %x : i32
  }
}
