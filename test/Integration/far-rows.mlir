// Rows that lie far apart: those of one tile span almost 2^31 bytes, and tiles
// begin past 2^31 and past 2^32 bytes, as do entries of a batch. All operands are
// columns of one area, of which few pages are ever used.

// REQUIRES: system-linux
// DEFINE: %{chip} =
// DEFINE: %{lower} = lpgemm-opt --pass-pipeline='builtin.module(lpgemm-lower-to-rocdl{chip=%{chip}})'
// DEFINE: %{run} = lpgemm-emulate-test --emulator-no-checks --emulator-chip=%{chip} | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// REDEFINE: %{chip} = gfx950
// RUN: %{lower} %s | %{run}
// RUN: sed 's/a = shared, b = shared/a = reg, b = reg/' %s > %t.mlir
// RUN: %{lower} %t.mlir | %{run}
// One element more is refused.
// RUN: sed 's/134213632/134213633/g' %s > %t.mlir
// RUN: not lpgemm-opt %t.mlir --pass-pipeline='builtin.module(lpgemm-lower-to-rocdl{chip=gfx950})' --mlir-print-op-on-diagnostic=false 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: error: 'lpgemm.matmul' op expects the row pitch of lhs to be at most 134213632 under this schedule, but got 'memref<2x50x64xf8E4M3FN,
//
// REDEFINE: %{chip} = gfx942
// RUN: sed 's/mfma_scale_f32_16x16x128_f8f6f4/mfma_f32_16x16x32_fp8/' %s > %t.mlir
// RUN: %{lower} %t.mlir | %{run}
// CHECK: result 0

// Rows of (2^31 - 2^16) / 16 bytes, the most for tiles of 16, in a batch whose
// entries are 2^33 bytes apart.
#lhs = strided<[8589934592, 134213632, 1], offset: 0>
#rhs = strided<[8589934592, 134213632, 1], offset: 4096>
#lhs_scale = strided<[8589934592, 134213632, 1], offset: 8192>
#rhs_scale = strided<[8589934592, 134213632, 1], offset: 12288>
#c = strided<[2147483648, 33553408, 1], offset: 4096>
#init = strided<[2147483648, 33553408, 1], offset: 5120>
!codes = memref<2x50x64xi8, strided<[8589934592, 134213632, 1], offset: ?>>
!scales = memref<2x50x2xi8, strided<[8589934592, 134213632, 1], offset: ?>>

// Pages that are there once they are used: PROT_READ | PROT_WRITE, and
// MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE of Linux.
llvm.func @mmap(!llvm.ptr, i64, i32, i32, i32, i64) -> !llvm.ptr
func.func private @map() -> memref<15300616192xi8> {
  %null = llvm.mlir.zero : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %bytes = llvm.mlir.constant(15300616192 : i64) : i64
  %protection = llvm.mlir.constant(3 : i32) : i32
  %flags = llvm.mlir.constant(0x4022 : i32) : i32
  %file = llvm.mlir.constant(-1 : i32) : i32
  %data = llvm.call @mmap(%null, %bytes, %protection, %flags, %file, %zero)
      : (!llvm.ptr, i64, i32, i32, i32, i64) -> !llvm.ptr
  %0 = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %1 = llvm.insertvalue %data, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %2 = llvm.insertvalue %data, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %3 = llvm.insertvalue %zero, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %4 = llvm.insertvalue %bytes, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %5 = llvm.insertvalue %one, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %area = builtin.unrealized_conversion_cast %5 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<15300616192xi8>
  return %area : memref<15300616192xi8>
}

// -1, 0 or 1, by the place.
func.func private @value(%i: index, %k: index) -> i32 {
  %c5 = arith.constant 5 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %0 = arith.muli %i, %c5 : index
  %1 = arith.muli %k, %k : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.remui %2, %c3 : index
  %4 = arith.index_cast %3 : index to i32
  %5 = arith.subi %4, %one : i32
  return %5 : i32
}

// 0, 1 or 2, by the place: the exponent of a scale.
func.func private @exponent(%i: index, %block: index) -> i32 {
  %one = arith.constant 1 : i32
  %0 = func.call @value(%block, %i) : (index, index) -> i32
  %1 = arith.addi %0, %one : i32
  return %1 : i32
}

// f8E4M3FN: 0xB8, 0 and 0x38.
func.func private @code(%value: i32) -> i8 {
  %zero = arith.constant 0 : i32
  %minus_one = arith.constant -72 : i8
  %plus_one = arith.constant 56 : i8
  %zero_code = arith.constant 0 : i8
  %0 = arith.cmpi slt, %value, %zero : i32
  %1 = arith.cmpi sgt, %value, %zero : i32
  %2 = arith.select %1, %plus_one, %zero_code : i8
  %3 = arith.select %0, %minus_one, %2 : i8
  return %3 : i8
}

func.func private @fill(%codes: !codes,
                        %scales: !scales) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c50 = arith.constant 50 : index
  %c64 = arith.constant 64 : index
  %bias = arith.constant 127 : i32
  scf.for %z = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c50 step %c1 {
      %row = arith.addi %z, %i : index
      scf.for %k = %c0 to %c64 step %c1 {
        %value = func.call @value(%row, %k) : (index, index) -> i32
        %code = func.call @code(%value) : (i32) -> i8
        memref.store %code, %codes[%z, %i, %k] : !codes
      }
      scf.for %b = %c0 to %c2 step %c1 {
        %exponent = func.call @exponent(%row, %b) : (index, index) -> i32
        %biased = arith.addi %exponent, %bias : i32
        %code = arith.trunci %biased : i32 to i8
        memref.store %code, %scales[%z, %i, %b] : !scales
      }
    }
  }
  return
}

// Without the sum with C, which is i * 3 - j.
func.func private @expected(%i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> i32 {
    %b = arith.divui %k, %c32 : index
    %x = func.call @value(%i, %k) : (index, index) -> i32
    %y = func.call @value(%j, %k) : (index, index) -> i32
    %ex = func.call @exponent(%i, %b) : (index, index) -> i32
    %ey = func.call @exponent(%j, %b) : (index, index) -> i32
    %xy = arith.muli %x, %y : i32
    %e = arith.addi %ex, %ey : i32
    %scaled = arith.shli %xy, %e : i32
    %next = arith.addi %acc, %scaled : i32
    scf.yield %next : i32
  }
  return %sum : i32
}

func.func private @addend(%i: index, %j: index) -> i32 {
  %c3 = arith.constant 3 : index
  %0 = arith.muli %i, %c3 : index
  %1 = arith.subi %0, %j : index
  %2 = arith.index_cast %1 : index to i32
  return %2 : i32
}

// The number of elements that are wrong.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c50 = arith.constant 50 : index
  %zero = arith.constant 0 : i32
  %area = call @map() : () -> memref<15300616192xi8>
  %lhs_codes = memref.reinterpret_cast %area to offset: [0], sizes: [2, 50, 64], strides: [8589934592, 134213632, 1] : memref<15300616192xi8> to memref<2x50x64xi8, #lhs>
  %rhs_codes = memref.reinterpret_cast %area to offset: [4096], sizes: [2, 50, 64], strides: [8589934592, 134213632, 1] : memref<15300616192xi8> to memref<2x50x64xi8, #rhs>
  %lhs_exponents = memref.reinterpret_cast %area to offset: [8192], sizes: [2, 50, 2], strides: [8589934592, 134213632, 1] : memref<15300616192xi8> to memref<2x50x2xi8, #lhs_scale>
  %rhs_exponents = memref.reinterpret_cast %area to offset: [12288], sizes: [2, 50, 2], strides: [8589934592, 134213632, 1] : memref<15300616192xi8> to memref<2x50x2xi8, #rhs_scale>
  %0 = memref.cast %lhs_codes : memref<2x50x64xi8, #lhs> to !codes
  %1 = memref.cast %lhs_exponents : memref<2x50x2xi8, #lhs_scale> to !scales
  %2 = memref.cast %rhs_codes : memref<2x50x64xi8, #rhs> to !codes
  %3 = memref.cast %rhs_exponents : memref<2x50x2xi8, #rhs_scale> to !scales
  call @fill(%0, %1) : (!codes, !scales) -> ()
  call @fill(%2, %3) : (!codes, !scales) -> ()

  %elements = memref.view %area[%c0][] : memref<15300616192xi8> to memref<15300616192xf8E4M3FN>
  %lhs = memref.reinterpret_cast %elements to offset: [0], sizes: [2, 50, 64], strides: [8589934592, 134213632, 1] : memref<15300616192xf8E4M3FN> to memref<2x50x64xf8E4M3FN, #lhs>
  %rhs = memref.reinterpret_cast %elements to offset: [4096], sizes: [2, 50, 64], strides: [8589934592, 134213632, 1] : memref<15300616192xf8E4M3FN> to memref<2x50x64xf8E4M3FN, #rhs>
  %scales = memref.view %area[%c0][] : memref<15300616192xi8> to memref<15300616192xf8E8M0FNU>
  %lhs_scale = memref.reinterpret_cast %scales to offset: [8192], sizes: [2, 50, 2], strides: [8589934592, 134213632, 1] : memref<15300616192xf8E8M0FNU> to memref<2x50x2xf8E8M0FNU, #lhs_scale>
  %rhs_scale = memref.reinterpret_cast %scales to offset: [12288], sizes: [2, 50, 2], strides: [8589934592, 134213632, 1] : memref<15300616192xf8E8M0FNU> to memref<2x50x2xf8E8M0FNU, #rhs_scale>
  %floats = memref.view %area[%c0][] : memref<15300616192xi8> to memref<3825154048xf32>
  %c = memref.reinterpret_cast %floats to offset: [4096], sizes: [2, 50, 50], strides: [2147483648, 33553408, 1] : memref<3825154048xf32> to memref<2x50x50xf32, #c>
  %init = memref.reinterpret_cast %floats to offset: [5120], sizes: [2, 50, 50], strides: [2147483648, 33553408, 1] : memref<3825154048xf32> to memref<2x50x50xf32, #init>
  scf.for %z = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c50 step %c1 {
      scf.for %j = %c0 to %c50 step %c1 {
        %value = func.call @addend(%i, %j) : (index, index) -> i32
        %float = arith.sitofp %value : i32 to f32
        memref.store %float, %c[%z, %i, %j] : memref<2x50x50xf32, #c>
      }
    }
  }
  lpgemm.matmul ins(%lhs, %rhs : memref<2x50x64xf8E4M3FN, #lhs>, memref<2x50x64xf8E4M3FN, #rhs>)
      lhs_scale(%lhs_scale : memref<2x50x2xf8E8M0FNU, #lhs_scale>, <mx>)
      rhs_scale(%rhs_scale : memref<2x50x2xf8E8M0FNU, #rhs_scale>, <mx>)
      c(%c : memref<2x50x50xf32, #c>)
      outs(%init : memref<2x50x50xf32, #init>) transpose_b
      schedule(<tile = [16, 16, 128], waves = [1, 1],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 1>)

  %wrong = scf.for %z = %c0 to %c2 step %c1 iter_args(%a = %zero) -> i32 {
    %entry = scf.for %i = %c0 to %c50 step %c1 iter_args(%b = %a) -> i32 {
      %row = scf.for %j = %c0 to %c50 step %c1 iter_args(%d = %b) -> i32 {
        %zi = arith.addi %z, %i : index
        %zj = arith.addi %z, %j : index
        %sum = func.call @expected(%zi, %zj) : (index, index) -> i32
        %addend = func.call @addend(%i, %j) : (index, index) -> i32
        %all = arith.addi %sum, %addend : i32
        %float = arith.sitofp %all : i32 to f32
        %found = memref.load %init[%z, %i, %j] : memref<2x50x50xf32, #init>
        %differs = arith.cmpf une, %found, %float : f32
        %one = arith.extui %differs : i1 to i32
        %count = arith.addi %d, %one : i32
        scf.yield %count : i32
      }
      scf.yield %row : i32
    }
    scf.yield %entry : i32
  }
  return %wrong : i32
}
