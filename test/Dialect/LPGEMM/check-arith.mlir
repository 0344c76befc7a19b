// C-14: no pipeline folds a conversion to a narrow float. Of the conversions of
// the first function the canonicalizer makes 0x0 and -1, in a type without a sign.

// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --lpgemm-check-arith
// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --lpgemm-lower-host-to-llvm -o %t
// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --lpgemm-lower-to-rocdl=chip=gfx950 -o %t
// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --lpgemm-lower-to-emulator=chip=gfx950 -o %t

func.func @fold() -> (f4E2M1FN, f8E8M0FNU, f8E4M3FN) {
  %inf = arith.constant 0x7F800000 : f32
  %neg = arith.constant -1.0 : f32
  // expected-error @+1 {{'arith.truncf' op expects floats of at least 16 bits, because MLIR does not compute with narrower ones as lpgemm does, but got 'f4E2M1FN'; lpgemm.quantize and lpgemm.dequantize convert them}}
  %0 = arith.truncf %inf : f32 to f4E2M1FN
  // expected-error @+1 {{'arith.truncf' op expects floats of at least 16 bits, because MLIR does not compute with narrower ones as lpgemm does, but got 'f8E8M0FNU'; lpgemm.quantize and lpgemm.dequantize convert them}}
  %1 = arith.truncf %neg : f32 to f8E8M0FNU
  // expected-error @+1 {{'arith.truncf' op expects floats of at least 16 bits, because MLIR does not compute with narrower ones as lpgemm does, but got 'f8E4M3FN'; lpgemm.quantize and lpgemm.dequantize convert them}}
  %2 = arith.truncf %inf : f32 to f8E4M3FN
  return %0, %1, %2 : f4E2M1FN, f8E8M0FNU, f8E4M3FN
}

// -----

func.func @others(%x: f8E8M0FNU, %y: vector<4xf8E5M2>) -> (f32, vector<4xf8E5M2>) {
  // expected-error @+1 {{'arith.extf' op expects floats of at least 16 bits, because MLIR does not compute with narrower ones as lpgemm does, but got 'f8E8M0FNU'; lpgemm.quantize and lpgemm.dequantize convert them}}
  %0 = arith.extf %x : f8E8M0FNU to f32
  // expected-error @+1 {{'math.absf' op expects floats of at least 16 bits, because MLIR does not compute with narrower ones as lpgemm does, but got 'vector<4xf8E5M2>'; lpgemm.quantize and lpgemm.dequantize convert them}}
  %1 = math.absf %y : vector<4xf8E5M2>
  return %0, %1 : f32, vector<4xf8E5M2>
}

// -----

// In a kernel as well.

gpu.module @kernels {
  gpu.func @kernel(%x: f32) -> f4E2M1FN {
    // expected-error @+1 {{'arith.truncf' op expects floats of at least 16 bits, because MLIR does not compute with narrower ones as lpgemm does, but got 'f4E2M1FN'; lpgemm.quantize and lpgemm.dequantize convert them}}
    %0 = arith.truncf %x : f32 to f4E2M1FN
    gpu.return %0 : f4E2M1FN
  }
}

// -----

// What moves bits, and what is wide, stays.

func.func @legal(%c: i1, %x: f8E4M3FN, %y: bf16) -> (i8, f32) {
  %0 = arith.constant 1.0 : f8E4M3FN
  %1 = arith.select %c, %x, %0 : f8E4M3FN
  %2 = arith.bitcast %1 : f8E4M3FN to i8
  %3 = arith.extf %y : bf16 to f32
  return %2, %3 : i8, f32
}
