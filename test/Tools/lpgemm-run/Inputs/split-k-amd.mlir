// Kernels for chips of AMD whose workgroups store their parts of the sums.

func.func @mx(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa: tensor<?x?xf8E8M0FNU>,
              %sb: tensor<?x?xf8E8M0FNU>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>) rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [32, 32, 128], waves = [2, 1], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2, split_k = 4>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Parts end within a block of scales.
func.func @blocks(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa: tensor<?x?xf32>,
                  %sb: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf32>, <1x128>) rhs_scale(%sb : tensor<?x?xf32>, <128x128>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [32, 64, 64], waves = [1, 2], instr = mfma_f32_32x32x16_fp8,
                home = <a = reg, b = shared>, stages = 1, split_k = 2>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// What follows the sum happens once, factors of rows and columns included.
func.func @epilogue(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa: tensor<?xf32>,
                    %sb: tensor<?xf32>, %bias: tensor<?xbf16>, %c: tensor<?x?xbf16>,
                    %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?xf32>, <row>) rhs_scale(%sb : tensor<?xf32>, <column>)
      bias(%bias : tensor<?xbf16>, n)
      outs(%d : tensor<?x?xbf16>) transpose_b
      schedule(<tile = [64, 32, 128], waves = [2, 2], instr = mfma_f32_16x16x32_fp8,
                home = <a = shared, b = shared>, stages = 2, split_k = 8>)
      epilogue(%t, %x = %c : tensor<?x?xbf16>) {
        %x32 = arith.extf %x : bf16 to f32
        %sum = arith.addf %t, %x32 : f32
        lpgemm.yield %sum : f32
      } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// Parts of one entry of a batch lie next to each other.
func.func @batch(%a: tensor<?x?x?xbf16>, %b: tensor<?x?x?xbf16>,
                 %d: tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?x?xbf16>, tensor<?x?x?xbf16>)
      outs(%d : tensor<?x?x?xbf16>) transpose_b
      schedule(<tile = [32, 64, 64], waves = [2, 2], instr = mfma_f32_16x16x16_bf16,
                home = <a = shared, b = shared>, stages = 2, split_k = 2>) -> tensor<?x?x?xbf16>
  return %r : tensor<?x?x?xbf16>
}

func.func @integers(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>,
                    %d: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>)
      outs(%d : tensor<?x?xi32>) transpose_b
      schedule(<tile = [32, 32, 64], waves = [1, 1], instr = mfma_i32_32x32x16_i8,
                home = <a = shared, b = shared>, stages = 2, split_k = 4>) -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// (G-14) What is stored counts, once.
func.func @amax(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>,
                %am: tensor<f32>, %d: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<f32>) {
  %r:2 = lpgemm.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>)
      outs(%d : tensor<?x?xf32>) amax(%am : tensor<f32>) transpose_b
      schedule(<tile = [16, 64, 32], waves = [1, 4], instr = mfma_f32_16x16x16_bf16,
                home = <a = shared, b = shared>, stages = 2, split_k = 8>) -> tensor<?x?xf32>, tensor<f32>
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<f32>
}

// (G-12) Neither lhs nor rhs is read, by no part.
func.func @zero_alpha(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %bias: tensor<?xbf16>,
                      %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>)
      alpha(0.0) bias(%bias : tensor<?xbf16>, n)
      outs(%d : tensor<?x?xbf16>) transpose_b
      schedule(<tile = [32, 64, 64], waves = [2, 2], instr = mfma_f32_16x16x16_bf16,
                home = <a = shared, b = shared>, stages = 2, split_k = 2>) -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// The schedule is the model's.
func.func @fixed(%a: tensor<16x8192xf8E4M3FN>, %b: tensor<72x8192xf8E4M3FN>, %sa: tensor<16x256xf8E8M0FNU>,
                 %sb: tensor<72x256xf8E8M0FNU>, %d: tensor<16x72xbf16>) -> tensor<16x72xbf16> {
  %r = lpgemm.matmul ins(%a, %b : tensor<16x8192xf8E4M3FN>, tensor<72x8192xf8E4M3FN>)
      lhs_scale(%sa : tensor<16x256xf8E8M0FNU>, <mx>) rhs_scale(%sb : tensor<72x256xf8E8M0FNU>, <mx>)
      outs(%d : tensor<16x72xbf16>) transpose_b -> tensor<16x72xbf16>
  return %r : tensor<16x72xbf16>
}
