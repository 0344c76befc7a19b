// A failed assertion of the function is an error of one line on every device.

// DEFINE: %{entry} =
// DEFINE: %{device} =
// DEFINE: %{run} = not lpgemm-run %s --entry=%{entry} --device=%{device} --init=normal:1 --size=4x8x32 2>&1
// DEFINE: %{check} = FileCheck %s --match-full-lines --implicit-check-not={{.}}

// REDEFINE: %{entry} = own
// REDEFINE: %{device} = reference
// RUN: %{run} | %{check} --check-prefix=OWN
// REDEFINE: %{device} = emulate
// RUN: %{run} | %{check} --check-prefix=OWN
// OWN: lpgemm-run: error: @own: expected five rows

// A constraint of the op that only the run can check.
// REDEFINE: %{entry} = f
// RUN: %{run} | %{check}
// CHECK: lpgemm-run: error: @f: lpgemm.matmul: dimension 0 of init is not M

func.func @own(%a: memref<4x4xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %m = memref.dim %a, %c0 : memref<4x4xf8E4M3FN>
  %is5 = arith.cmpi eq, %m, %c5 : index
  cf.assert %is5, "expected five rows"
  return
}

func.func @f(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
             %sa: memref<?x?xf8E8M0FNU>, %sb: memref<?x?xf8E8M0FNU>,
             %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32>) transpose_b
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %d, %c0 : memref<?x?xf32>
  %n = memref.dim %d, %c1 : memref<?x?xf32>
  %less = arith.subi %m, %c1 : index
  %part = memref.subview %d[0, 0] [%less, %n] [1, 1]
      : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%part : memref<?x?xf32, strided<[?, 1]>>) transpose_b
  return
}
