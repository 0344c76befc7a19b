// RUN: lpgemm-opt %s | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --mlir-print-op-generic | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --emit-bytecode | lpgemm-opt | FileCheck %s

// CHECK-LABEL: func @scales(
// CHECK: lpgemm.pack_scales ins(%arg0 : tensor<200x6xf8E8M0FNU>) outs(%arg1 : tensor<2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<2x2x32x4x4xf8E8M0FNU>{{$}}
func.func @scales(%s: tensor<200x6xf8E8M0FNU>, %p: tensor<2x2x32x4x4xf8E8M0FNU>)
    -> tensor<2x2x32x4x4xf8E8M0FNU> {
  %0 = lpgemm.pack_scales ins(%s : tensor<200x6xf8E8M0FNU>)
      outs(%p : tensor<2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<2x2x32x4x4xf8E8M0FNU>
  return %0 : tensor<2x2x32x4x4xf8E8M0FNU>
}

// CHECK-LABEL: func @scales_dynamic(
// CHECK: lpgemm.pack_scales ins(%arg0 : tensor<?x?xf8E4M3FN>) outs(%arg1 : tensor<?x?x32x4x4xf8E4M3FN>) <nvfp4, layout = swz128x4> -> tensor<?x?x32x4x4xf8E4M3FN>{{$}}
func.func @scales_dynamic(%s: tensor<?x?xf8E4M3FN>,
    %p: tensor<?x?x32x4x4xf8E4M3FN>) -> tensor<?x?x32x4x4xf8E4M3FN> {
  %0 = lpgemm.pack_scales ins(%s : tensor<?x?xf8E4M3FN>)
      outs(%p : tensor<?x?x32x4x4xf8E4M3FN>) <nvfp4, layout = swz128x4>
      -> tensor<?x?x32x4x4xf8E4M3FN>
  return %0 : tensor<?x?x32x4x4xf8E4M3FN>
}

// CHECK-LABEL: func @scales_back(
// CHECK: lpgemm.unpack_scales ins(%arg0 : tensor<2x2x32x4x4xf8E8M0FNU>) outs(%arg1 : tensor<200x6xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<200x6xf8E8M0FNU>{{$}}
func.func @scales_back(%s: tensor<2x2x32x4x4xf8E8M0FNU>,
    %p: tensor<200x6xf8E8M0FNU>) -> tensor<200x6xf8E8M0FNU> {
  %0 = lpgemm.unpack_scales ins(%s : tensor<2x2x32x4x4xf8E8M0FNU>)
      outs(%p : tensor<200x6xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<200x6xf8E8M0FNU>
  return %0 : tensor<200x6xf8E8M0FNU>
}

// CHECK-LABEL: func @scales_batched(
// CHECK: lpgemm.pack_scales ins(%arg0 : tensor<3x200x6xf8E8M0FNU>) outs(%arg1 : tensor<3x2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<3x2x2x32x4x4xf8E8M0FNU>{{$}}
func.func @scales_batched(%s: tensor<3x200x6xf8E8M0FNU>,
    %p: tensor<3x2x2x32x4x4xf8E8M0FNU>) -> tensor<3x2x2x32x4x4xf8E8M0FNU> {
  %0 = lpgemm.pack_scales ins(%s : tensor<3x200x6xf8E8M0FNU>)
      outs(%p : tensor<3x2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<3x2x2x32x4x4xf8E8M0FNU>
  return %0 : tensor<3x2x2x32x4x4xf8E8M0FNU>
}

// CHECK-LABEL: func @scales_transposed(
// CHECK: lpgemm.pack_scales ins(%arg0 : tensor<6x200xf8E8M0FNU>) outs(%arg1 : tensor<2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4> transposed -> tensor<2x2x32x4x4xf8E8M0FNU>{{$}}
func.func @scales_transposed(%s: tensor<6x200xf8E8M0FNU>,
    %p: tensor<2x2x32x4x4xf8E8M0FNU>) -> tensor<2x2x32x4x4xf8E8M0FNU> {
  %0 = lpgemm.pack_scales ins(%s : tensor<6x200xf8E8M0FNU>)
      outs(%p : tensor<2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
      transposed -> tensor<2x2x32x4x4xf8E8M0FNU>
  return %0 : tensor<2x2x32x4x4xf8E8M0FNU>
}

// CHECK-LABEL: func @sl0(
// CHECK: lpgemm.pack_scales ins(%arg0 : tensor<5x2xf32>) outs(%arg1 : tensor<5x2xf32>) <1x128> -> tensor<5x2xf32>{{$}}
func.func @sl0(%s: tensor<5x2xf32>, %p: tensor<5x2xf32>) -> tensor<5x2xf32> {
  %0 = lpgemm.pack_scales ins(%s : tensor<5x2xf32>) outs(%p : tensor<5x2xf32>)
      <1x128> -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}

// CHECK-LABEL: func @sl1(
// CHECK: lpgemm.pack_scales ins(%arg0 : tensor<5x2xf32>) outs(%arg1 : tensor<2x8xf32>) <1x128, layout = col> -> tensor<2x8xf32>{{$}}
func.func @sl1(%s: tensor<5x2xf32>, %p: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = lpgemm.pack_scales ins(%s : tensor<5x2xf32>) outs(%p : tensor<2x8xf32>)
      <1x128, layout = col> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @sl2(
// CHECK: lpgemm.pack_scales ins(%arg0 : tensor<5x2xf32>) outs(%arg1 : tensor<2x8xf32>) <1x128, layout = mn_tma> -> tensor<2x8xf32>{{$}}
func.func @sl2(%s: tensor<5x2xf32>, %p: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = lpgemm.pack_scales ins(%s : tensor<5x2xf32>) outs(%p : tensor<2x8xf32>)
      <1x128, layout = mn_tma> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @sl3(
// CHECK: lpgemm.pack_scales ins(%arg0 : tensor<5x6xf8E8M0FNU>) outs(%arg1 : tensor<2x8x4xf8E8M0FNU>) <1x128, layout = mn_tma_ue8m0x4> -> tensor<2x8x4xf8E8M0FNU>{{$}}
func.func @sl3(%s: tensor<5x6xf8E8M0FNU>, %p: tensor<2x8x4xf8E8M0FNU>)
    -> tensor<2x8x4xf8E8M0FNU> {
  %0 = lpgemm.pack_scales ins(%s : tensor<5x6xf8E8M0FNU>)
      outs(%p : tensor<2x8x4xf8E8M0FNU>) <1x128, layout = mn_tma_ue8m0x4>
      -> tensor<2x8x4xf8E8M0FNU>
  return %0 : tensor<2x8x4xf8E8M0FNU>
}

// CHECK-LABEL: func @sl4(
// CHECK: lpgemm.pack_scales ins(%arg0 : tensor<3x5xf32>) outs(%arg1 : tensor<3x8xf32>) <128x128, layout = blk128x128> -> tensor<3x8xf32>{{$}}
func.func @sl4(%s: tensor<3x5xf32>, %p: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %0 = lpgemm.pack_scales ins(%s : tensor<3x5xf32>) outs(%p : tensor<3x8xf32>)
      <128x128, layout = blk128x128> -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// CHECK-LABEL: func @sl6(
// CHECK: lpgemm.pack_scales ins(%arg0 : tensor<300x9xf8E8M0FNU>) outs(%arg1 : tensor<16x2x4x16x2x2xf8E8M0FNU>) <mx, layout = amd32x8> -> tensor<16x2x4x16x2x2xf8E8M0FNU>{{$}}
func.func @sl6(%s: tensor<300x9xf8E8M0FNU>, %p: tensor<16x2x4x16x2x2xf8E8M0FNU>)
    -> tensor<16x2x4x16x2x2xf8E8M0FNU> {
  %0 = lpgemm.pack_scales ins(%s : tensor<300x9xf8E8M0FNU>)
      outs(%p : tensor<16x2x4x16x2x2xf8E8M0FNU>) <mx, layout = amd32x8>
      -> tensor<16x2x4x16x2x2xf8E8M0FNU>
  return %0 : tensor<16x2x4x16x2x2xf8E8M0FNU>
}

// CHECK-LABEL: func @scales_memrefs(
// CHECK: lpgemm.pack_scales ins(%arg0 : memref<200x6xf8E8M0FNU>) outs(%arg1 : memref<2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>{{$}}
func.func @scales_memrefs(%s: memref<200x6xf8E8M0FNU>,
    %p: memref<2x2x32x4x4xf8E8M0FNU>) {
  lpgemm.pack_scales ins(%s : memref<200x6xf8E8M0FNU>)
      outs(%p : memref<2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
  return
}

// CHECK-LABEL: func @weights(
// CHECK: lpgemm.pack_weights w16x16 ins(%arg0 : tensor<32x64xf8E4M3FN>) outs(%arg1 : tensor<2x4x16x16xf8E4M3FN>) -> tensor<2x4x16x16xf8E4M3FN>{{$}}
func.func @weights(%w: tensor<32x64xf8E4M3FN>, %p: tensor<2x4x16x16xf8E4M3FN>)
    -> tensor<2x4x16x16xf8E4M3FN> {
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xf8E4M3FN>)
      outs(%p : tensor<2x4x16x16xf8E4M3FN>) -> tensor<2x4x16x16xf8E4M3FN>
  return %0 : tensor<2x4x16x16xf8E4M3FN>
}

// CHECK-LABEL: func @weights_i8(
// CHECK: lpgemm.pack_weights w16x16 ins(%arg0 : tensor<?x?xi8>) outs(%arg1 : tensor<?x?x16x16xi8>) -> tensor<?x?x16x16xi8>{{$}}
func.func @weights_i8(%w: tensor<?x?xi8>, %p: tensor<?x?x16x16xi8>)
    -> tensor<?x?x16x16xi8> {
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<?x?xi8>)
      outs(%p : tensor<?x?x16x16xi8>) -> tensor<?x?x16x16xi8>
  return %0 : tensor<?x?x16x16xi8>
}

// CHECK-LABEL: func @weights_fp4(
// CHECK: lpgemm.pack_weights w16x16 ins(%arg0 : tensor<32x128xf4E2M1FN>) outs(%arg1 : tensor<2x4x16x32xf4E2M1FN>) -> tensor<2x4x16x32xf4E2M1FN>{{$}}
func.func @weights_fp4(%w: tensor<32x128xf4E2M1FN>,
    %p: tensor<2x4x16x32xf4E2M1FN>) -> tensor<2x4x16x32xf4E2M1FN> {
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x128xf4E2M1FN>)
      outs(%p : tensor<2x4x16x32xf4E2M1FN>) -> tensor<2x4x16x32xf4E2M1FN>
  return %0 : tensor<2x4x16x32xf4E2M1FN>
}

// CHECK-LABEL: func @weights_back(
// CHECK: lpgemm.unpack_weights w16x16 ins(%arg0 : tensor<2x4x16x16xf8E4M3FN>) outs(%arg1 : tensor<32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN>{{$}}
func.func @weights_back(%w: tensor<2x4x16x16xf8E4M3FN>,
    %p: tensor<32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN> {
  %0 = lpgemm.unpack_weights w16x16 ins(%w : tensor<2x4x16x16xf8E4M3FN>)
      outs(%p : tensor<32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN>
  return %0 : tensor<32x64xf8E4M3FN>
}

// CHECK-LABEL: func @weights_packed(
// CHECK: lpgemm.pack_weights w16x16 ins(%arg0 : tensor<32x64xi8>) outs(%arg1 : tensor<2x4x16x16xi8>) {packed = f4E2M1FN} -> tensor<2x4x16x16xi8>{{$}}
func.func @weights_packed(%w: tensor<32x64xi8>, %p: tensor<2x4x16x16xi8>)
    -> tensor<2x4x16x16xi8> {
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xi8>)
      outs(%p : tensor<2x4x16x16xi8>) {packed = f4E2M1FN}
      -> tensor<2x4x16x16xi8>
  return %0 : tensor<2x4x16x16xi8>
}

// CHECK-LABEL: func @weights_batched(
// CHECK: lpgemm.pack_weights w16x16 ins(%arg0 : tensor<8x32x64xf8E5M2>) outs(%arg1 : tensor<8x2x4x16x16xf8E5M2>) -> tensor<8x2x4x16x16xf8E5M2>{{$}}
func.func @weights_batched(%w: tensor<8x32x64xf8E5M2>,
    %p: tensor<8x2x4x16x16xf8E5M2>) -> tensor<8x2x4x16x16xf8E5M2> {
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<8x32x64xf8E5M2>)
      outs(%p : tensor<8x2x4x16x16xf8E5M2>) -> tensor<8x2x4x16x16xf8E5M2>
  return %0 : tensor<8x2x4x16x16xf8E5M2>
}

// CHECK-LABEL: func @weights_memrefs(
// CHECK: lpgemm.pack_weights w16x16 ins(%arg0 : memref<32x64xf8E4M3FN>) outs(%arg1 : memref<2x4x16x16xf8E4M3FN>){{$}}
func.func @weights_memrefs(%w: memref<32x64xf8E4M3FN>,
    %p: memref<2x4x16x16xf8E4M3FN>) {
  lpgemm.pack_weights w16x16 ins(%w : memref<32x64xf8E4M3FN>)
      outs(%p : memref<2x4x16x16xf8E4M3FN>)
  return
}
