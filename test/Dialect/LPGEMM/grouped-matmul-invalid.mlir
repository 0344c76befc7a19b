// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @grouped_gm1_rank(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3x1xi32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects groups to have rank 1, but got 'tensor<3x1xi32>'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3x1xi32>) outs(%d : tensor<6x8xf32>)
      -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm1_scalar(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<i32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects groups to have rank 1, but got 'tensor<i32>'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<i32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm1_type(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi16>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects groups to have element type 'i32' or 'i64', but got 'i16'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi16>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm1_index(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xindex>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects groups to have element type 'i32' or 'i64', but got 'index'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xindex>) outs(%d : tensor<6x8xf32>)
      -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm1_float(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xf32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects groups to have element type 'i32' or 'i64', but got 'f32'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xf32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm1_form(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: memref<3xi32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs to be a memref like groups, but got 'tensor<6x64xf8E4M3FN>'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : memref<3xi32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm2_masked(%a: tensor<3x6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<3x6x8xf32>)
    -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects no group_align in masked mode, whose groups all start at row 0, but got 16}}
  %0 = lpgemm.grouped_matmul masked
      ins(%a, %b : tensor<3x6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) group_align = 16 outs(%d : tensor<3x6x8xf32>)
      -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm2_zero(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op attribute 'group_align' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) group_align = 0 outs(%d : tensor<6x8xf32>)
      -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm3_k_grouped(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<3x6x8xf32>)
    -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects no uncovered rows in k_grouped mode, but got zero}}
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) uncovered = zero outs(%d : tensor<3x6x8xf32>)
      -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm3_keep(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<3x6x8xf32>)
    -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects no uncovered rows in k_grouped mode, but got keep}}
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) uncovered = keep outs(%d : tensor<3x6x8xf32>)
      -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm6_contiguous_lhs(%a: tensor<3x6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs to have rank 2 (M, K), but got 'tensor<3x6x64xf8E4M3FN>'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<3x6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm6_contiguous_rhs(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects rhs to have rank 3 (G, K, N), but got 'tensor<64x8xf8E4M3FN>'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm6_contiguous_init(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<3x6x8xf32>)
    -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects init to have rank 2 (M, N), but got 'tensor<3x6x8xf32>'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<3x6x8xf32>)
      -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm6_groups(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<4x64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects rhs dimension 0 to be 3, G of groups, but got 4}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<4x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm6_masked_lhs(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<3x6x8xf32>)
    -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs to have rank 3 (G, M, K), but got 'tensor<6x64xf8E4M3FN>'}}
  %0 = lpgemm.grouped_matmul masked
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<3x6x8xf32>)
      -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm6_masked_rhs(%a: tensor<3x6x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<3x6x8xf32>)
    -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects rhs to have rank 3 (G, K, N), but got 'tensor<64x8xf8E4M3FN>'}}
  %0 = lpgemm.grouped_matmul masked
      ins(%a, %b : tensor<3x6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<3x6x8xf32>)
      -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm6_masked_init(%a: tensor<3x6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects init to have rank 3 (G, M, N), but got 'tensor<6x8xf32>'}}
  %0 = lpgemm.grouped_matmul masked
      ins(%a, %b : tensor<3x6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm6_masked_groups(%a: tensor<4x6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<3x6x8xf32>)
    -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs dimension 0 to be 3, G of groups, but got 4}}
  %0 = lpgemm.grouped_matmul masked
      ins(%a, %b : tensor<4x6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<3x6x8xf32>)
      -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm6_k_grouped_rhs(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<3x6x8xf32>)
    -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects rhs to have rank 2 (K, N), but got 'tensor<3x64x8xf8E4M3FN>'}}
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<3x6x8xf32>)
      -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm6_k_grouped_init(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects init to have rank 3 (G, M, N), but got 'tensor<6x8xf32>'}}
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm6_k(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x32x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects rhs dimension 1 to be 64, K of lhs, but got 32}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x32x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm6_m(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<7x8xf32>)
    -> tensor<7x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects init dimension 0 to be 6, M of lhs, but got 7}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<7x8xf32>) -> tensor<7x8xf32>
  return %0 : tensor<7x8xf32>
}

// -----

func.func @grouped_gm6_n(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x8x64xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<6x9xf32>)
    -> tensor<6x9xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects init dimension 1 to be 8, N of rhs, but got 9}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x8x64xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x9xf32>) transpose_b
      -> tensor<6x9xf32>
  return %0 : tensor<6x9xf32>
}

// -----

func.func @grouped_c5(%a: tensor<6x64xi4>, %b: tensor<3x64x8xf8E4M3FN>,
    %g: tensor<3xi32>, %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'i4'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xi4>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_c7_side(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %sa: tensor<6xf32>,
    %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs_scale to have kind row, but got column}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) lhs_scale(%sa : tensor<6xf32>, <column>)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_c10(%a: tensor<6x64xf8E4M3FN>, %b: tensor<3x64x8xf8E4M3FN>,
    %g: tensor<3xi32>, %d: tensor<6x8xf32>) {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects 1 result with a tensor init, but got 0}}
  lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x8xf32>)
  return
}

// -----

func.func @grouped_c16(%a: tensor<6x64xf8E4M3FN>, %b: tensor<3x64x8xf8E4M3FN>,
    %g: tensor<3xi32>, %sa: tensor<6x2xf32>, %sb: tensor<3x2x8xf32>,
    %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects the K blocks of one scale to be a multiple of those of the other, but got 48 of lhs_scale and 32 of rhs_scale}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) lhs_scale(%sa : tensor<6x2xf32>, <1x48>)
      rhs_scale(%sb : tensor<3x2x8xf32>, <1x32>) outs(%d : tensor<6x8xf32>)
      -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_c20(%a: tensor<6x64xf8E4M3FN>, %b: tensor<3x64x8xf8E4M3FN>,
    %g: tensor<3xi32>, %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects beta with c only, but got none}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) beta(2.0) outs(%d : tensor<6x8xf32>)
      -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_c22_dims(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<6x8xf32>,
    %q: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects the map of epilogue operand 0 to pick among the 2 dimensions of the result, or 0, such as affine_map<(d0, d1) -> (d1)>, but got affine_map<(d0, d1, d2) -> (d1, d2)>}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x8xf32>)
      epilogue(%t, %r = %q : tensor<6x8xf32> by affine_map<(g, m, n) -> (m, n)>) {
        lpgemm.yield %t : f32
      } -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_no_mode(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  %0 = lpgemm.grouped_matmul
      // expected-error @+2 {{custom op 'lpgemm.grouped_matmul' failed to parse LPGEMM_GroupModeAttr parameter 'value' which is to be a `::mlir::lpgemm::GroupMode`}}
      // expected-error @+1 {{custom op 'lpgemm.grouped_matmul' expected one of [contiguous, masked, k_grouped] for what the groups of a grouped product partition, got: ins}}
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_no_groups(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      // expected-error @+1 {{custom op 'lpgemm.grouped_matmul' expected 'groups'}}
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_mode(%a: tensor<6x64xf8E4M3FN>, %b: tensor<3x64x8xf8E4M3FN>,
    %g: tensor<3xi32>, %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{custom op 'lpgemm.grouped_matmul' expected one of [contiguous, masked, k_grouped] for what the groups of a grouped product partition, got: sparse}}
  %0 = lpgemm.grouped_matmul sparse
      // expected-error @+1 {{custom op 'lpgemm.grouped_matmul' failed to parse LPGEMM_GroupModeAttr parameter 'value' which is to be a `::mlir::lpgemm::GroupMode`}}
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_two_groups(%g: tensor<3xi32>, %a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects one groups, but got 2}}
  %0 = "lpgemm.grouped_matmul"(%g, %a, %b, %d) <{mode = #lpgemm<group_mode contiguous>, operandSegmentSizes = array<i32: 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
  }) : (tensor<3xi32>, tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>, tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}
