// (C25) C and an epilogue operand in the memory of the result: on memrefs, and on
// tensors, where bufferization finds it out. Odd extents: no lane reads an element
// that another one writes, even one that it drops.

// DEFINE: %{entry} =
// DEFINE: %{run} = lpgemm-run %s --entry=%{entry} --device=emulate --poison --compare=reference --emulator-order=random:5 --size=
// REDEFINE: %{entry} = memory
// RUN: %{run}300x200x256 --chip=gfx950 --init=normal:1 | FileCheck %s
// RUN: %{run}130x131x65 --chip=gfx942 --init=normal:2 | FileCheck %s
// RUN: %{run}300x200x256 --chip=sm_90a --init=normal:3 | FileCheck %s
// RUN: %{run}300x201x33 --chip=sm_90a --init=normal:4 | FileCheck %s
// REDEFINE: %{entry} = values
// RUN: %{run}300x200x256 --chip=gfx950 --init=normal:5 | FileCheck %s
// RUN: %{run}300x200x256 --chip=sm_90a --init=normal:6 | FileCheck %s
// REDEFINE: %{entry} = codes
// RUN: %{run}131x210x128 --chip=gfx950 --init=normal:7 | FileCheck %s
// RUN: %{run}131x208x128 --chip=sm_90a --init=normal:8 | FileCheck %s

// CHECK-NOT: reads memory
// CHECK: ok: {{[0-9]+}}x{{[0-9]+}}

// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=sm_90a --lpgemm-bufferize | FileCheck %s --check-prefix=HOST
// HOST-LABEL: func.func @values(
// HOST-NOT: memref.alloc
// HOST: return

#pitched = strided<[?, 1]>
!m8 = memref<?x?xf8E4M3FN, #pitched>
!m16 = memref<?x?xbf16, #pitched>

func.func @memory(%a: !m8, %b: !m8, %sa: memref<?xf32>, %sb: memref<?xf32>,
                  %alpha: f32, %beta: f32, %d: !m16) {
  lpgemm.matmul ins(%a, %b : !m8, !m8)
      lhs_scale(%sa : memref<?xf32>, <row>) rhs_scale(%sb : memref<?xf32>, <column>)
      alpha(%alpha) beta(%beta) c(%d : !m16) outs(%d : !m16) transpose_b
      epilogue(%t, %x = %d : !m16) {
        %x32 = arith.extf %x : bf16 to f32
        %difference = arith.subf %t, %x32 : f32
        lpgemm.yield %difference : f32
      }
  return
}

!t8 = tensor<?x?xf8E4M3FN>
!t32 = tensor<?x?xf32>

func.func @values(%a: !t8, %b: !t8, %sa: tensor<f32>, %sb: tensor<f32>, %beta: f32,
                  %d: !t32) -> !t32 {
  %0 = lpgemm.matmul ins(%a, %b : !t8, !t8)
      lhs_scale(%sa : tensor<f32>, <tensor>) rhs_scale(%sb : tensor<f32>, <tensor>)
      beta(%beta) c(%d : !t32) outs(%d : !t32) transpose_b -> !t32
  return %0 : !t32
}

func.func @codes(%a: !m8, %b: !m8, %sa: memref<f32>, %sb: memref<f32>, %sc: memref<f32>,
                 %ds: memref<f32>, %d: !m8) {
  lpgemm.matmul ins(%a, %b : !m8, !m8)
      lhs_scale(%sa : memref<f32>, <tensor>) rhs_scale(%sb : memref<f32>, <tensor>)
      c(%d : !m8) c_scale(%sc : memref<f32>) d_scale(%ds : memref<f32>)
      outs(%d : !m8) transpose_b
  return
}
