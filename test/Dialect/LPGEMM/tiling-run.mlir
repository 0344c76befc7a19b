// The reference gives the same bits for the whole as for tiles of M and N, whose
// last ones are short; and within A-6, or the same bits where every order is
// exact (G-9), for tiles of K.

// DEFINE: %{entry} =
// DEFINE: %{tile} = lpgemm-opt %s -o %t.mlir --pass-pipeline="builtin.module( \
// DEFINE:   transform-preload-library{transform-library-paths=%S/Inputs/tilings.mlir}, \
// DEFINE:   transform-interpreter{entry-point=%{entry}})"
// DEFINE: %{run} = lpgemm-run %t.mlir --reference=%s --compare=reference --poison

// REDEFINE: %{entry} = rows_columns
// RUN: %{tile}
// RUN: %{run} --entry=dynamic --init=normal:1 --size=13x7x70 --tolerance=bits | FileCheck %s
// RUN: %{run} --entry=static --init=normal:2 --tolerance=bits | FileCheck %s --check-prefix=STATIC
// REDEFINE: %{entry} = parallel
// RUN: %{tile}
// RUN: %{run} --entry=dynamic --init=normal:3 --size=13x7x70 --tolerance=bits | FileCheck %s
// RUN: %{run} --entry=static --init=normal:4 --tolerance=bits | FileCheck %s --check-prefix=STATIC
// REDEFINE: %{entry} = threads
// RUN: %{tile}
// RUN: %{run} --entry=dynamic --init=normal:5 --size=13x7x70 --tolerance=bits | FileCheck %s
// RUN: %{run} --entry=static --init=normal:6 --tolerance=bits | FileCheck %s --check-prefix=STATIC
// CHECK: ok: 13x7 f32
// STATIC: ok: 17x10 f32

// REDEFINE: %{entry} = k
// RUN: %{tile}
// RUN: %{run} --entry=dynamic --init=normal:7 --size=13x7x170 | FileCheck %s
// RUN: %{run} --entry=dynamic --init=exact:8 --size=13x7x170 | FileCheck %s
// RUN: %{run} --entry=dynamic --init=normal:9 --size=13x7x0 --tolerance=bits | FileCheck %s
// RUN: %{run} --entry=static --init=normal:10 | FileCheck %s --check-prefix=STATIC
// REDEFINE: %{entry} = all
// RUN: %{tile}
// RUN: %{run} --entry=dynamic --init=normal:11 --size=13x7x170 | FileCheck %s
// RUN: %{run} --entry=dynamic --init=exact:12 --size=13x7x170 | FileCheck %s
// RUN: %{run} --entry=static --init=exact:13 | FileCheck %s --check-prefix=STATIC

func.func @dynamic(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E5M2>,
                   %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                   %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E5M2>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @static(%a: tensor<17x100xf8E4M3FN>, %b: tensor<10x100xf8E4M3FN>,
                  %sa: tensor<17x4xf8E8M0FNU>, %sb: tensor<10x4xf8E8M0FNU>,
                  %d: tensor<17x10xf32>) -> tensor<17x10xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<17x100xf8E4M3FN>, tensor<10x100xf8E4M3FN>)
      lhs_scale(%sa : tensor<17x4xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<10x4xf8E8M0FNU>, <mx>)
      outs(%d : tensor<17x10xf32>) transpose_b -> tensor<17x10xf32>
  return %0 : tensor<17x10xf32>
}
