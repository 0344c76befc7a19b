// A K loop that goes through more than 2^32 bytes: rows of rhs, stored K x N, lie
// 2^23 bytes apart, so that a scalar offset reaches two K tiles, and the fast
// loop gets a new base for each two of the 18 whole ones. 24 rows are left.

// REQUIRES: system-linux
// DEFINE: %{lower} = lpgemm-opt --pass-pipeline='builtin.module(lpgemm-lower-to-rocdl{chip=gfx942})'
// DEFINE: %{run} = lpgemm-emulate-test --emulator-no-checks --emulator-chip=gfx942 | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %{lower} %s | %{run}
// RUN: sed 's/stages = 2/stages = 1/' %s | %{lower} | %{run}
// CHECK: result 0

#rhs = strided<[8388608, 1], offset: 0>

// Pages that are there once they are used: PROT_READ | PROT_WRITE, and
// MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE of Linux.
llvm.func @mmap(!llvm.ptr, i64, i32, i32, i32, i64) -> !llvm.ptr
func.func private @map() -> memref<5033164800xi8> {
  %null = llvm.mlir.zero : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %bytes = llvm.mlir.constant(5033164800 : i64) : i64
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
  %area = builtin.unrealized_conversion_cast %5 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<5033164800xi8>
  return %area : memref<5033164800xi8>
}

// -50 to 50, by the place.
func.func private @value(%i: index, %k: index) -> i8 {
  %c7 = arith.constant 7 : index
  %c101 = arith.constant 101 : index
  %bias = arith.constant 50 : i8
  %0 = arith.muli %i, %c7 : index
  %1 = arith.muli %k, %k : index
  %2 = arith.addi %0, %1 : index
  %3 = arith.remui %2, %c101 : index
  %4 = arith.index_cast %3 : index to i8
  %5 = arith.subi %4, %bias : i8
  return %5 : i8
}

func.func private @expected(%i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c600 = arith.constant 600 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %k = %c0 to %c600 step %c1 iter_args(%acc = %zero) -> i32 {
    %x = func.call @value(%i, %k) : (index, index) -> i8
    %y = func.call @value(%j, %k) : (index, index) -> i8
    %x32 = arith.extsi %x : i8 to i32
    %y32 = arith.extsi %y : i8 to i32
    %xy = arith.muli %x32, %y32 : i32
    %next = arith.addi %acc, %xy : i32
    scf.yield %next : i32
  }
  return %sum : i32
}

// The number of elements that are wrong.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c600 = arith.constant 600 : index
  %zero = arith.constant 0 : i32
  %area = call @map() : () -> memref<5033164800xi8>
  %rhs = memref.reinterpret_cast %area to offset: [0], sizes: [600, 16], strides: [8388608, 1] : memref<5033164800xi8> to memref<600x16xi8, #rhs>
  %lhs = memref.alloc() : memref<16x600xi8>
  %init = memref.alloc() : memref<16x16xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %k = %c0 to %c600 step %c1 {
      %value = func.call @value(%i, %k) : (index, index) -> i8
      memref.store %value, %lhs[%i, %k] : memref<16x600xi8>
      memref.store %value, %rhs[%k, %i] : memref<600x16xi8, #rhs>
    }
  }
  lpgemm.matmul ins(%lhs, %rhs : memref<16x600xi8>, memref<600x16xi8, #rhs>)
      outs(%init : memref<16x16xi32>)
      schedule(<tile = [16, 16, 32], waves = [1, 1],
                instr = mfma_i32_16x16x32_i8,
                home = <a = shared, b = shared>, stages = 2>)
  %wrong = scf.for %i = %c0 to %c16 step %c1 iter_args(%a = %zero) -> i32 {
    %row = scf.for %j = %c0 to %c16 step %c1 iter_args(%d = %a) -> i32 {
      %sum = func.call @expected(%i, %j) : (index, index) -> i32
      %found = memref.load %init[%i, %j] : memref<16x16xi32>
      %differs = arith.cmpi ne, %found, %sum : i32
      %one = arith.extui %differs : i1 to i32
      %count = arith.addi %d, %one : i32
      scf.yield %count : i32
    }
    scf.yield %row : i32
  }
  return %wrong : i32
}
