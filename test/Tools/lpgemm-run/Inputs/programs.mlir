!f32 = tensor<?x?xf32>
!bf16 = tensor<?x?xbf16>
!e4m3 = tensor<?x?xf8E4M3FN>
!e8m0 = tensor<?x?xf8E8M0FNU>
!fp4 = tensor<?x?xf4E2M1FN>
!fp6 = tensor<?x?xf6E2M3FN>
!swz = tensor<?x?x32x4x4xf8E8M0FNU>
!amd = tensor<?x?x4x16x2x2xf8E8M0FNU>
!one = tensor<f32>

func.func @blocks(%a: !e4m3, %b: !e4m3, %sa: !f32, %sb: !f32,
                  %bias: tensor<?xbf16>, %d: !f32) -> !f32 {
  %0 = lpgemm.matmul ins(%a, %b : !e4m3, !e4m3)
      lhs_scale(%sa : !f32, <1x128, layout = mn_tma>)
      rhs_scale(%sb : !f32, <128x128, layout = blk128x128>)
      bias(%bias : tensor<?xbf16>, n) outs(%d : !f32) transpose_b -> !f32
  return %0 : !f32
}
func.func @rows(%a: tensor<?x?xf8E5M2>, %b: tensor<?x?xf8E5M2>,
                %sa: tensor<?xf32>, %sb: tensor<?xbf16>, %d: !f32) -> !f32 {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E5M2>, tensor<?x?xf8E5M2>)
      lhs_scale(%sa : tensor<?xf32>, <row>)
      rhs_scale(%sb : tensor<?xbf16>, <column>)
      outs(%d : !f32) transpose_a -> !f32
  return %0 : !f32
}
func.func @mxfp4(%a: !fp4, %b: !fp4, %sa: !swz, %sb: !amd, %d: !f32) -> !f32 {
  %0 = lpgemm.matmul ins(%a, %b : !fp4, !fp4)
      lhs_scale(%sa : !swz, <mx, layout = swz128x4>)
      rhs_scale(%sb : !amd, <mx, layout = amd32x8>)
      outs(%d : !f32) transpose_b -> !f32
  return %0 : !f32
}
func.func @mxfp6(%a: tensor<2x?x?xf6E2M3FN>, %b: !fp6,
                 %sa: tensor<2x?x?xf8E8M0FNU>,
                 %sb: tensor<?x?x4xf8E8M0FNU>,
                 %d: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<2x?x?xf6E2M3FN>, !fp6)
      lhs_scale(%sa : tensor<2x?x?xf8E8M0FNU>, <mx, layout = col>)
      rhs_scale(%sb : tensor<?x?x4xf8E8M0FNU>, <mx, layout = mn_tma_ue8m0x4>)
      outs(%d : tensor<2x?x?xf32>) transpose_b -> tensor<2x?x?xf32>
  return %0 : tensor<2x?x?xf32>
}
func.func @nvfp4(%a: !fp4, %b: !fp4, %sa: tensor<?x?x32x4x4xf8E4M3FN>,
                 %sb: !e4m3, %ga: !one, %gb: !one, %d: !f32) -> !f32 {
  %0 = lpgemm.matmul ins(%a, %b : !fp4, !fp4)
      lhs_scale(%sa : tensor<?x?x32x4x4xf8E4M3FN>, <nvfp4, layout = swz128x4>)
      rhs_scale(%sb : !e4m3, <nvfp4_2d>)
      lhs_tensor_scale(%ga : !one) rhs_tensor_scale(%gb : !one)
      outs(%d : !f32) transpose_b -> !f32
  return %0 : !f32
}
func.func @int8(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %sa: tensor<?xf32>,
                %sb: !one, %d: !bf16) -> !bf16 {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>)
      lhs_scale(%sa : tensor<?xf32>, <row>) rhs_scale(%sb : !one, <tensor>)
      outs(%d : !bf16) -> !bf16
  return %0 : !bf16
}
func.func @int32(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %d: tensor<?x?xi32>)
    -> tensor<?x?xi32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>)
      outs(%d : tensor<?x?xi32>) transpose_b -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
func.func @scaled_sum(%a: !bf16, %b: !bf16, %alpha: f32, %beta: f32,
                      %c: tensor<?x?xf8E4M3FN>, %sc: !one, %d: !f32) -> !f32 {
  %0 = lpgemm.matmul ins(%a, %b : !bf16, !bf16) alpha(%alpha) beta(%beta)
      c(%c : tensor<?x?xf8E4M3FN>) c_scale(%sc : !one)
      outs(%d : !f32) -> !f32
  return %0 : !f32
}
func.func @fp8(%a: tensor<?x?xf8E4M3FNUZ>, %b: tensor<?x?xf8E5M2FNUZ>,
               %sa: !one, %sb: !one, %sd: !one,
               %d: tensor<?x?xf8E4M3FNUZ>, %amax: !one)
    -> (tensor<?x?xf8E4M3FNUZ>, !one) {
  %0, %1 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E5M2FNUZ>)
      lhs_scale(%sa : !one, <tensor>) rhs_scale(%sb : !one, <tensor>)
      d_scale(%sd : !one) outs(%d : tensor<?x?xf8E4M3FNUZ>) amax(%amax : !one)
      transpose_b -> tensor<?x?xf8E4M3FNUZ>, !one
  return %0, %1 : tensor<?x?xf8E4M3FNUZ>, !one
}
func.func @block_result(%a: !e4m3, %b: !fp4, %sa: !e8m0, %sb: !e8m0, %d: !fp6,
                        %sd: !e8m0) -> (!fp6, !e8m0) {
  %0, %1 = lpgemm.matmul ins(%a, %b : !e4m3, !fp4)
      lhs_scale(%sa : !e8m0, <mx>) rhs_scale(%sb : !e8m0, <mx>)
      outs(%d : !fp6) scale_outs(%sd : !e8m0, <mx>, rceil)
      transpose_b -> !fp6, !e8m0
  return %0, %1 : !fp6, !e8m0
}
func.func @epilogue(%a: !e4m3, %b: !e4m3, %sa: !e8m0, %sb: !e8m0, %r: !bf16,
                    %d: !bf16) -> !bf16 {
  %0 = lpgemm.matmul ins(%a, %b : !e4m3, !e4m3)
      lhs_scale(%sa : !e8m0, <mx>) rhs_scale(%sb : !e8m0, <mx>)
      outs(%d : !bf16) transpose_b
      epilogue(%t, %x = %r : !bf16) {
        %x32 = arith.extf %x : bf16 to f32
        %sum = arith.addf %t, %x32 : f32
        lpgemm.yield %sum : f32
      } -> !bf16
  return %0 : !bf16
}
func.func @unknown(%a: !e4m3, %b: !e4m3, %d: !bf16) -> !bf16 {
  %0 = lpgemm.matmul ins(%a, %b : !e4m3, !e4m3) outs(%d : !bf16) transpose_b
      epilogue(%t) {
        %sin = math.sin %t : f32
        lpgemm.yield %sin : f32
      } -> !bf16
  return %0 : !bf16
}
func.func @contiguous(%a: !e4m3, %b: tensor<?x?x?xf8E4M3FN>,
                      %groups: tensor<?xi32>, %sa: !f32,
                      %sb: tensor<?x?x?xf32>, %d: !f32) -> !f32 {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : !e4m3, tensor<?x?x?xf8E4M3FN>)
      groups(%groups : tensor<?xi32>) group_align = 4
      lhs_scale(%sa : !f32, <1x128>) rhs_scale(%sb : tensor<?x?x?xf32>, <128x128>)
      outs(%d : !f32) transpose_b -> !f32
  return %0 : !f32
}
func.func @contiguous_swz(%a: !fp4, %b: tensor<?x?x?xf4E2M1FN>,
                      %groups: tensor<?xi32>, %sa: !swz,
                      %sb: tensor<?x?x?x32x4x4xf8E8M0FNU>, %d: !f32) -> !f32 {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : !fp4, tensor<?x?x?xf4E2M1FN>)
      groups(%groups : tensor<?xi32>) uncovered = zero
      lhs_scale(%sa : !swz, <mx, layout = swz128x4>)
      rhs_scale(%sb : tensor<?x?x?x32x4x4xf8E8M0FNU>, <mx, layout = swz128x4>)
      outs(%d : !f32) transpose_b -> !f32
  return %0 : !f32
}
func.func @masked(%a: tensor<?x?x?xf8E4M3FN>, %b: tensor<?x?x?xf8E4M3FN>,
                  %groups: tensor<?xi64>, %sa: tensor<?x?x?xf32>, %sb: tensor<?xf32>,
                  %d: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = lpgemm.grouped_matmul masked
      ins(%a, %b : tensor<?x?x?xf8E4M3FN>, tensor<?x?x?xf8E4M3FN>)
      groups(%groups : tensor<?xi64>)
      lhs_scale(%sa : tensor<?x?x?xf32>, <1x64>)
      rhs_scale(%sb : tensor<?xf32>, <tensor>)
      outs(%d : tensor<?x?x?xf32>) transpose_b -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
func.func @k_grouped(%a: !e4m3, %b: !e4m3, %groups: tensor<?xi32>, %sa: !e8m0,
                     %sb: !e8m0, %d: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = lpgemm.grouped_matmul k_grouped ins(%a, %b : !e4m3, !e4m3)
      groups(%groups : tensor<?xi32>)
      lhs_scale(%sa : !e8m0, <mx>) rhs_scale(%sb : !e8m0, <mx>)
      outs(%d : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
func.func @quantize(%x: !f32, %q: !fp4, %s: !e8m0, %y: !f32)
    -> (!fp4, !e8m0, !f32) {
  %0, %1 = lpgemm.quantize ins(%x : !f32) outs(%q : !fp4)
      scale_outs(%s : !e8m0, rceil) <mx> -> !fp4, !e8m0
  %2 = lpgemm.dequantize ins(%0 : !fp4) scale(%1 : !e8m0) outs(%y : !f32) <mx>
      -> !f32
  return %0, %1, %2 : !fp4, !e8m0, !f32
}
func.func @given_extent(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %k: index,
                        %sa: !e8m0, %sb: !e8m0, %d: !f32) -> !f32 {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) k(%k)
      lhs_scale(%sa : !e8m0, <mx>) rhs_scale(%sb : !e8m0, <mx>)
      outs(%d : !f32) transpose_b
      {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN} -> !f32
  return %0 : !f32
}
