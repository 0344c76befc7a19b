// RUN: lpgemm-opt %s | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --mlir-print-op-generic | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --emit-bytecode | lpgemm-opt | FileCheck %s

// CHECK-LABEL: func @contiguous(
// CHECK: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>) groups(%arg2 : tensor<8xi32>) outs(%arg3 : tensor<?x?xbf16>) -> tensor<?x?xbf16>{{$}}
func.func @contiguous(%a: tensor<?x?xf8E4M3FN>, %b: tensor<8x?x?xf8E4M3FN>,
    %g: tensor<8xi32>, %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>)
      groups(%g : tensor<8xi32>) outs(%d : tensor<?x?xbf16>)
      -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHECK-LABEL: func @aligned(
// CHECK: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>) groups(%arg2 : tensor<8xi32>) group_align = 128 uncovered = zero lhs_scale(%arg3 : tensor<?x?xf32>, <1x128>) rhs_scale(%arg4 : tensor<8x?x?xf32>, <128x128>) outs(%arg5 : tensor<?x?xbf16>) transpose_b -> tensor<?x?xbf16>{{$}}
func.func @aligned(%a: tensor<?x?xf8E4M3FN>, %b: tensor<8x?x?xf8E4M3FN>,
    %g: tensor<8xi32>, %sa: tensor<?x?xf32>, %sb: tensor<8x?x?xf32>,
    %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>)
      groups(%g : tensor<8xi32>)
      group_align = 128 uncovered = zero lhs_scale(%sa : tensor<?x?xf32>, <1x128>)
      rhs_scale(%sb : tensor<8x?x?xf32>, <128x128>)
      outs(%d : tensor<?x?xbf16>) transpose_b -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHECK-LABEL: func @keep(
// CHECK: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?x?xf8E4M3FN>) groups(%arg2 : tensor<?xi64>) uncovered = keep outs(%arg3 : tensor<?x?xbf16>) -> tensor<?x?xbf16>{{$}}
func.func @keep(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?x?xf8E4M3FN>,
    %g: tensor<?xi64>, %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?x?xf8E4M3FN>)
      groups(%g : tensor<?xi64>) uncovered = keep outs(%d : tensor<?x?xbf16>)
      -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHECK-LABEL: func @masked_counts(
// CHECK: lpgemm.grouped_matmul masked ins(%arg0, %arg1 : tensor<8x?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>) groups(%arg2 : tensor<8xi32>) lhs_scale(%arg3 : tensor<8x?x?xf8E8M0FNU>, <mx>) rhs_scale(%arg4 : tensor<8x?x?xf8E8M0FNU>, <mx>) outs(%arg5 : tensor<8x?x?xbf16>) -> tensor<8x?x?xbf16>{{$}}
func.func @masked_counts(%a: tensor<8x?x?xf8E4M3FN>,
    %b: tensor<8x?x?xf8E4M3FN>, %g: tensor<8xi32>,
    %sa: tensor<8x?x?xf8E8M0FNU>, %sb: tensor<8x?x?xf8E8M0FNU>,
    %d: tensor<8x?x?xbf16>) -> tensor<8x?x?xbf16> {
  %0 = lpgemm.grouped_matmul masked
      ins(%a, %b : tensor<8x?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>)
      groups(%g : tensor<8xi32>)
      lhs_scale(%sa : tensor<8x?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<8x?x?xbf16>) -> tensor<8x?x?xbf16>
  return %0 : tensor<8x?x?xbf16>
}

// CHECK-LABEL: func @k_groups(
// CHECK: lpgemm.grouped_matmul k_grouped ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) groups(%arg2 : tensor<8xi32>) lhs_scale(%arg3 : tensor<?x?xf8E8M0FNU>, <mx>) rhs_scale(%arg4 : tensor<?x?xf8E8M0FNU>, <mx>) c(%arg5 : tensor<8x?x?xf32>) outs(%arg6 : tensor<8x?x?xf32>) transpose_a -> tensor<8x?x?xf32>{{$}}
func.func @k_groups(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %g: tensor<8xi32>, %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
    %c: tensor<8x?x?xf32>, %d: tensor<8x?x?xf32>) -> tensor<8x?x?xf32> {
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      groups(%g : tensor<8xi32>) lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>) c(%c : tensor<8x?x?xf32>)
      outs(%d : tensor<8x?x?xf32>) transpose_a -> tensor<8x?x?xf32>
  return %0 : tensor<8x?x?xf32>
}

// CHECK-LABEL: func @k_groups_tensor_scales(
// CHECK: lpgemm.grouped_matmul k_grouped ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) groups(%arg2 : tensor<8xi32>) lhs_scale(%arg3 : tensor<8xf32>, <tensor>) rhs_scale(%arg4 : tensor<f32>, <tensor>) outs(%arg5 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>{{$}}
func.func @k_groups_tensor_scales(%a: tensor<?x?xf8E4M3FN>,
    %b: tensor<?x?xf8E4M3FN>, %g: tensor<8xi32>, %sa: tensor<8xf32>,
    %sb: tensor<f32>, %d: tensor<8x?x?xf32>) -> tensor<8x?x?xf32> {
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      groups(%g : tensor<8xi32>) lhs_scale(%sa : tensor<8xf32>, <tensor>)
      rhs_scale(%sb : tensor<f32>, <tensor>) outs(%d : tensor<8x?x?xf32>)
      -> tensor<8x?x?xf32>
  return %0 : tensor<8x?x?xf32>
}

// CHECK-LABEL: func @tensor_scale_each(
// CHECK: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>) groups(%arg2 : tensor<8xi32>) lhs_scale(%arg3 : tensor<8xf32>, <tensor>) rhs_scale(%arg4 : tensor<8xf32>, <tensor>) outs(%arg5 : tensor<?x?xbf16>) -> tensor<?x?xbf16>{{$}}
func.func @tensor_scale_each(%a: tensor<?x?xf8E4M3FN>,
    %b: tensor<8x?x?xf8E4M3FN>, %g: tensor<8xi32>, %sa: tensor<8xf32>,
    %sb: tensor<8xf32>, %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>)
      groups(%g : tensor<8xi32>) lhs_scale(%sa : tensor<8xf32>, <tensor>)
      rhs_scale(%sb : tensor<8xf32>, <tensor>) outs(%d : tensor<?x?xbf16>)
      -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHECK-LABEL: func @shared_rhs_scale(
// CHECK: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>) groups(%arg2 : tensor<8xi32>) rhs_scale(%arg3 : tensor<?xf32>, <column>) outs(%arg4 : tensor<?x?xbf16>) -> tensor<?x?xbf16>{{$}}
func.func @shared_rhs_scale(%a: tensor<?x?xf8E4M3FN>,
    %b: tensor<8x?x?xf8E4M3FN>, %g: tensor<8xi32>, %sb: tensor<?xf32>,
    %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>)
      groups(%g : tensor<8xi32>) rhs_scale(%sb : tensor<?xf32>, <column>)
      outs(%d : tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHECK-LABEL: func @nvfp4(
// CHECK: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : tensor<?x?xf4E2M1FN>, tensor<8x?x?xf4E2M1FN>) groups(%arg2 : tensor<8xi32>) lhs_scale(%arg3 : tensor<?x?x32x4x4xf8E4M3FN>, <nvfp4, layout = swz128x4>) rhs_scale(%arg4 : tensor<8x?x?x32x4x4xf8E4M3FN>, <nvfp4, layout = swz128x4>) lhs_tensor_scale(%arg5 : tensor<8xf32>) rhs_tensor_scale(%arg6 : tensor<8xf32>) outs(%arg7 : tensor<?x?xbf16>) -> tensor<?x?xbf16>{{$}}
func.func @nvfp4(%a: tensor<?x?xf4E2M1FN>, %b: tensor<8x?x?xf4E2M1FN>,
    %g: tensor<8xi32>, %sa: tensor<?x?x32x4x4xf8E4M3FN>,
    %sb: tensor<8x?x?x32x4x4xf8E4M3FN>, %ga: tensor<8xf32>, %gb: tensor<8xf32>,
    %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<8x?x?xf4E2M1FN>)
      groups(%g : tensor<8xi32>)
      lhs_scale(%sa : tensor<?x?x32x4x4xf8E4M3FN>, <nvfp4, layout = swz128x4>)
      rhs_scale(%sb : tensor<8x?x?x32x4x4xf8E4M3FN>, <nvfp4, layout = swz128x4>)
      lhs_tensor_scale(%ga : tensor<8xf32>)
      rhs_tensor_scale(%gb : tensor<8xf32>) outs(%d : tensor<?x?xbf16>)
      -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHECK-LABEL: func @grouped_bias(
// CHECK: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>) groups(%arg2 : tensor<8xi32>) alpha(2.000000e+00) bias(%arg3 : tensor<8x?xbf16>, n) outs(%arg4 : tensor<?x?xbf16>) deterministic epilogue(%arg6, %arg7 = %arg5 : tensor<?x?xbf16>) {
// CHECK-NEXT: lpgemm.yield %arg6 : f32{{$}}
// CHECK-NEXT: } -> tensor<?x?xbf16>{{$}}
func.func @grouped_bias(%a: tensor<?x?xf8E4M3FN>, %b: tensor<8x?x?xf8E4M3FN>,
    %g: tensor<8xi32>, %v: tensor<8x?xbf16>, %d: tensor<?x?xbf16>,
    %q: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>)
      groups(%g : tensor<8xi32>) alpha(2.0) bias(%v : tensor<8x?xbf16>, n)
      outs(%d : tensor<?x?xbf16>)
      deterministic epilogue(%t, %r = %q : tensor<?x?xbf16>) {
        lpgemm.yield %t : f32
      } -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHECK-LABEL: func @grouped_scale_outs(
// CHECK: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>) groups(%arg2 : tensor<8xi32>) outs(%arg3 : tensor<?x?xf8E4M3FN>) scale_outs(%arg4 : tensor<?x?xf8E8M0FNU>, <mx>, rceil) amax(%arg5 : tensor<f32>) -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>, tensor<f32>{{$}}
func.func @grouped_scale_outs(%a: tensor<?x?xf8E4M3FN>,
    %b: tensor<8x?x?xf8E4M3FN>, %g: tensor<8xi32>, %d: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf8E8M0FNU>, %m: tensor<f32>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>, tensor<f32>) {
  %0:3 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>)
      groups(%g : tensor<8xi32>) outs(%d : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, <mx>, rceil)
      amax(%m : tensor<f32>)
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>, tensor<f32>
  return %0#0, %0#1, %0#2 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>, tensor<f32>
}

// CHECK-LABEL: func @grouped_memrefs(
// CHECK: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : memref<6x64xf8E4M3FN>, memref<3x64x8xf8E4M3FN>) groups(%arg2 : memref<3xi32>) uncovered = keep outs(%arg3 : memref<6x8xf32>){{$}}
func.func @grouped_memrefs(%a: memref<6x64xf8E4M3FN>,
    %b: memref<3x64x8xf8E4M3FN>, %g: memref<3xi32>, %d: memref<6x8xf32>) {
  lpgemm.grouped_matmul contiguous
      ins(%a, %b : memref<6x64xf8E4M3FN>, memref<3x64x8xf8E4M3FN>)
      groups(%g : memref<3xi32>) uncovered = keep outs(%d : memref<6x8xf32>)
  return
}

// CHECK-LABEL: func @no_groups(
// CHECK: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : tensor<6x64xf8E4M3FN>, tensor<0x64x8xf8E4M3FN>) groups(%arg2 : tensor<0xi32>) outs(%arg3 : tensor<6x8xf32>) -> tensor<6x8xf32>{{$}}
func.func @no_groups(%a: tensor<6x64xf8E4M3FN>, %b: tensor<0x64x8xf8E4M3FN>,
    %g: tensor<0xi32>, %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<0x64x8xf8E4M3FN>)
      groups(%g : tensor<0xi32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}
