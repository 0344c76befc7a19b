// Arguments lie in memory as their types say.

// RUN: lpgemm-run %s --entry=rows --init=normal:1 --size=33x17x96 \
// RUN:   --compare=reference | FileCheck %s
// RUN: lpgemm-run %s --entry=rows --init=normal:1 --size=33x17x96 \
// RUN:   --compare=reference --poison --device=emulate | FileCheck %s
// RUN: lpgemm-run %S/Inputs/columns.mlir --init=normal:1 --size=33x17x96 \
// RUN:   --compare=reference --poison | FileCheck %s
// CHECK: ok: 33x17 f32

// Strides along dimensions of one element mean nothing.
// RUN: lpgemm-run %s --entry=one_k --init=normal:1 --compare=reference \
// RUN:   --device=emulate | FileCheck %s --check-prefix=ONE-K
// ONE-K: ok: 5x7 f32
// RUN: lpgemm-run %s --entry=one_n --init=normal:1 --compare=reference \
// RUN:   --device=emulate | FileCheck %s --check-prefix=ONE-N
// ONE-N: ok: 5x1 f32

// The elements are the same ones, wherever they lie.
// RUN: lpgemm-run %S/Inputs/matmul.mlir --init=normal:1 --size=33x17x96 \
// RUN:   -o %t.dense.npy
// RUN: lpgemm-run %s --entry=rows --init=normal:1 --size=33x17x96 \
// RUN:   -o %t.rows.npy
// RUN: lpgemm-run %S/Inputs/columns.mlir --init=normal:1 --size=33x17x96 \
// RUN:   -o %t.columns.npy
// RUN: cmp %t.dense.npy %t.rows.npy
// RUN: cmp %t.dense.npy %t.columns.npy

// Each block: a function, the line that it prints.
// DEFINE: %{entry} =
// DEFINE: %{run} = not lpgemm-run %s --entry=%{entry} --init=normal:1 --size=5x7x40 2>&1

// REDEFINE: %{entry} = negative
// RUN: %{run} | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: lpgemm-run: error: argument 0 of @negative is memref<?x?xf8E4M3FN, strided<[-64, 1], offset: 4096>>: expected strides from 0 to 2147418112, got [-64, 1]

// REDEFINE: %{entry} = huge
// RUN: %{run} | FileCheck %s --check-prefix=HUGE
// HUGE: lpgemm-run: error: argument 1 of @huge is memref<{{.*}}>: expected strides from 0 to 2147418112, got [2147483648, 1]

// REDEFINE: %{entry} = overlap
// RUN: %{run} | FileCheck %s --check-prefix=OVERLAP
// OVERLAP: lpgemm-run: error: argument 4 of @overlap is memref<{{.*}}>: expected strides that keep the elements of 5x7 apart, got [4, 1]

// REDEFINE: %{entry} = offset
// RUN: %{run} | FileCheck %s --check-prefix=OFFSET
// OFFSET: lpgemm-run: error: argument 0 of @offset is memref<{{.*}}>: expected an offset from 0 to 2147418112, got 4294967296

// REDEFINE: %{entry} = bytes
// RUN: %{run} | FileCheck %s --check-prefix=BYTES
// BYTES: lpgemm-run: error: @bytes needs 34358690324 bytes for its arguments, expected at most 17179869184

func.func @rows(
    %a: memref<?x?xf8E4M3FN, strided<[512, 1], offset: 7>>,
    %b: memref<?x?xf8E4M3FN, strided<[301, 1], offset: 16>>,
    %sa: memref<?x?xf8E8M0FNU, strided<[13, 1]>>,
    %sb: memref<?x?xf8E8M0FNU, strided<[?, 1], offset: 3>>,
    %d: memref<?x?xf32, strided<[333, 1], offset: 5>>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN, strided<[512, 1], offset: 7>>,
                   memref<?x?xf8E4M3FN, strided<[301, 1], offset: 16>>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU, strided<[13, 1]>>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU, strided<[?, 1], offset: 3>>, <mx>)
      outs(%d : memref<?x?xf32, strided<[333, 1], offset: 5>>) transpose_b
  return
}

func.func @one_k(
    %a: memref<5x1xf8E4M3FN, strided<[3, 5]>>,
    %b: memref<7x1xf8E4M3FN>,
    %sa: memref<5x1xf8E8M0FNU, strided<[2, 9]>>,
    %sb: memref<7x1xf8E8M0FNU>,
    %d: memref<5x7xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<5x1xf8E4M3FN, strided<[3, 5]>>,
                   memref<7x1xf8E4M3FN>)
      lhs_scale(%sa : memref<5x1xf8E8M0FNU, strided<[2, 9]>>, <mx>)
      rhs_scale(%sb : memref<7x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<5x7xf32>) transpose_b
  return
}

func.func @one_n(
    %a: memref<5x40xf8E4M3FN>,
    %b: memref<1x40xf8E4M3FN>,
    %sa: memref<5x2xf8E8M0FNU>,
    %sb: memref<1x2xf8E8M0FNU>,
    %d: memref<5x1xf32, strided<[4, 3]>>) {
  lpgemm.matmul
      ins(%a, %b : memref<5x40xf8E4M3FN>,
                   memref<1x40xf8E4M3FN>)
      lhs_scale(%sa : memref<5x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<1x2xf8E8M0FNU>, <mx>)
      outs(%d : memref<5x1xf32, strided<[4, 3]>>) transpose_b
  return
}

func.func @negative(
    %a: memref<?x?xf8E4M3FN, strided<[-64, 1], offset: 4096>>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf8E8M0FNU>,
    %sb: memref<?x?xf8E8M0FNU>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN, strided<[-64, 1], offset: 4096>>,
                   memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}

func.func @huge(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN, strided<[2147483648, 1]>>,
    %sa: memref<?x?xf8E8M0FNU>,
    %sb: memref<?x?xf8E8M0FNU>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>,
                   memref<?x?xf8E4M3FN, strided<[2147483648, 1]>>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}

func.func @overlap(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf8E8M0FNU>,
    %sb: memref<?x?xf8E8M0FNU>,
    %d: memref<?x?xf32, strided<[4, 1]>>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>,
                   memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32, strided<[4, 1]>>) transpose_b
  return
}

func.func @offset(
    %a: memref<?x?xf8E4M3FN, strided<[?, 1], offset: 4294967296>>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf8E8M0FNU>,
    %sb: memref<?x?xf8E8M0FNU>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN, strided<[?, 1], offset: 4294967296>>,
                   memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}

func.func @bytes(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf8E8M0FNU>,
    %sb: memref<?x?xf8E8M0FNU>,
    %d: memref<?x?xf32, strided<[2147418112, 1]>>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>,
                   memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32, strided<[2147418112, 1]>>) transpose_b
  return
}
