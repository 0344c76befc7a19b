// Instructions that the chip of a kernel does not have, or that need a
// chip to be known, or types that they do not take.

// RUN: lpgemm-opt %s --convert-gpu-to-emulator --split-input-file \
// RUN:   --verify-diagnostics

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%a: vector<8xi32>, %h: vector<8xf16>, %c: vector<4xf32>, %i: i32) attributes {gpu.kernel} {
    // expected-error @+1 {{chip gfx942 has no 'rocdl.mfma.scale.f32.16x16x128.f8f6f4'; it is of gfx950}}
    %0 = rocdl.mfma.scale.f32.16x16x128.f8f6f4 %a, %a, %c, %i, %i, %i, %i, %i, %i : (vector<8xi32>, vector<8xi32>, vector<4xf32>, i32, i32, i32, i32, i32, i32) -> vector<4xf32>
    // expected-error @+1 {{chip gfx942 has no 'rocdl.mfma.f32.16x16x32.f16'; it is of gfx950}}
    %1 = rocdl.mfma.f32.16x16x32.f16 %h, %h, %c, %i, %i, %i : (vector<8xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @+1 {{emulator does not model op 'rocdl.mfma.f32.16x16x8.xf32'}}
    %2 = rocdl.mfma.f32.16x16x8.xf32 %c, %c, %c, %i, %i, %i : (vector<4xf32>, vector<4xf32>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.return
  }
}

// -----

// Without a chip: only what all chips that have it understand alike.
gpu.module @m {
  llvm.func @k(%a: i64, %h: vector<4xf16>, %c: vector<4xf32>, %i: i32) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator must know the chip, because gfx942, gfx950 use different formats in 'rocdl.mfma.f32.16x16x32.fp8.bf8': give the gpu.module a #rocdl.target}}
    %0 = rocdl.mfma.f32.16x16x32.fp8.bf8 %a, %a, %c, %i, %i, %i : (i64, i64, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    %1 = rocdl.mfma.f32.16x16x16f16 %h, %h, %c, %i, %i, %i : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.return
  }
}

// -----

// Two targets that differ are as none.
gpu.module @m [#rocdl.target<chip = "gfx942">, #rocdl.target<chip = "gfx950">] {
  llvm.func @k(%a: i64, %c: vector<4xf32>, %i: i32) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator must know the chip}}
    %0 = rocdl.mfma.f32.16x16x32.fp8.fp8 %a, %a, %c, %i, %i, %i : (i64, i64, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.return
  }
}

// -----

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  llvm.func @k(%a: i64, %b: i32, %c: vector<4xf32>, %d: vector<16xf32>, %i: i32) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator expects operand 1 of 64 bits, got 'i32'}}
    %0 = rocdl.mfma.f32.16x16x32.fp8.fp8 %a, %b, %c, %i, %i, %i : (i64, i32, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @+1 {{emulator expects 6 operands, got 3}}
    %1 = rocdl.mfma.f32.16x16x32.fp8.fp8 %a, %a, %c : (i64, i64, vector<4xf32>) -> vector<4xf32>
    // expected-error @+1 {{emulator expects a result of 512 bits, got 'vector<4xf32>'}}
    %2 = rocdl.mfma.f32.32x32x16.fp8.fp8 %a, %a, %d, %i, %i, %i : (i64, i64, vector<16xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.return
  }
}

// -----

// expected-error @+1 {{emulator knows no chip 'gfx90a', expected one of gfx942, gfx950}}
gpu.module @m [#rocdl.target<chip = "gfx90a">] {
}

// -----

// The limit of LDS is the chip's own.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : !llvm.array<65536 x i8>
  llvm.mlir.global internal @more() {addr_space = 3 : i32} : i8
  llvm.func @fits() attributes {gpu.kernel} {
    %0 = llvm.mlir.addressof @lds : !llvm.ptr<3>
    llvm.return
  }
  // expected-error @+1 {{kernel needs 65537 bytes of LDS, expected at most 65536}}
  llvm.func @k() attributes {gpu.kernel} {
    %0 = llvm.mlir.addressof @lds : !llvm.ptr<3>
    %1 = llvm.mlir.addressof @more : !llvm.ptr<3>
    llvm.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%i: i32, %x: f32, %h: f16, %v: vector<2xf16>, %r: !llvm.ptr<8>, %l: !llvm.ptr<3>) attributes {gpu.kernel} {
    // expected-error @+1 {{chip gfx942 has no 'rocdl.cvt.scalef32.pk.f32.fp8'; it is of gfx950}}
    %0 = rocdl.cvt.scalef32.pk.f32.fp8 %i[true], %x : vector<2xf32>
    // expected-error @+1 {{emulator models 'rocdl.sqrt' of f32, got 'f16'}}
    %1 = rocdl.sqrt %h f16 -> f16
    // expected-error @+1 {{emulator models 'rocdl.raw.ptr.buffer.atomic.fadd' of f32 or f64, got 'vector<2xf16>'}}
    rocdl.raw.ptr.buffer.atomic.fadd %v, %r, %i, %i, %i : vector<2xf16>
    // expected-error @+1 {{emulator models 'rocdl.raw.ptr.buffer.atomic.fmax' of f64, got 'f32'}}
    rocdl.raw.ptr.buffer.atomic.fmax %x, %r, %i, %i, %i : f32
    // expected-error @+1 {{emulator models atomic operations on global memory only, got address space 3}}
    %2 = llvm.atomicrmw fadd %l, %x monotonic : !llvm.ptr<3>, f32
    llvm.return
  }
}

// -----

// Reads that transpose, and conversions, that only other chips have.
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%l: !llvm.ptr<3>, %g: !llvm.ptr<1>, %x: f32, %i: i32) attributes {gpu.kernel} {
    // expected-error @+1 {{chip gfx942 has no 'rocdl.ds.read.tr8.b64'; it is of gfx950}}
    %0 = rocdl.ds.read.tr8.b64 %l : !llvm.ptr<3> -> vector<2xi32>
    // expected-error @+1 {{chip gfx942 has no 'rocdl.cvt.scalef32.pk.fp4.f32'; it is of gfx950}}
    %1 = rocdl.cvt.scalef32.pk.fp4.f32 %x, %x, %x -> %i[0] : i32
    llvm.return
  }
}

// -----

gpu.module @m [#rocdl.target<chip = "gfx950">] {
  llvm.func @k(%l: !llvm.ptr<3>, %g: !llvm.ptr<1>, %x: f32, %i: i32, %v: vector<8xf32>) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator models 'rocdl.ds.read.tr8.b64' of vector<2xi32>, got 'i64'}}
    %0 = rocdl.ds.read.tr8.b64 %l : !llvm.ptr<3> -> i64
    // expected-error @+1 {{emulator models 'rocdl.ds.read.tr16.b64' of vector<4xi16> or vector<4xf16> or vector<4xbf16>, got 'vector<8xf16>'}}
    %1 = rocdl.ds.read.tr16.b64 %l : !llvm.ptr<3> -> vector<8xf16>
    // expected-error @+1 {{chip gfx950 has no 'rocdl.global.load.tr.b64', nor has any that is emulated}}
    %2 = rocdl.global.load.tr.b64 %g : !llvm.ptr<1> -> vector<2xi32>
    // expected-error @+1 {{chip gfx950 has no 'rocdl.cvt.scalef32.pk8.fp8.f32', nor has any that is emulated}}
    %3 = rocdl.cvt.scalef32.pk8.fp8.f32 %v, %x : vector<2xi32>
    // expected-error @+1 {{emulator does not model stochastic rounding, got 'rocdl.cvt.scalef32.sr.fp8.f32'}}
    %4 = rocdl.cvt.scalef32.sr.fp8.f32 %x, %i, %x -> %i[0] : i32
    llvm.return
  }
}

// -----

gpu.module @m {
  llvm.func @k(%x: f32, %i: i32) attributes {gpu.kernel} {
    // expected-error @+1 {{emulator must know the chip, because gfx942, gfx950 use different formats in 'rocdl.cvt.pk.fp8.f32': give the gpu.module a #rocdl.target}}
    %0 = rocdl.cvt.pk.fp8.f32 %x, %x -> %i[true] : i32
    llvm.return
  }
}
