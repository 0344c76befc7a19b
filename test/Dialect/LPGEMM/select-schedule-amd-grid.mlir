// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule | FileCheck %s

// In which order workgroups have the tiles of a result, whether they go on with
// other tiles, and whether they share these.

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {

// 32 columns of tiles: those of a die are each eighth one. Row by row no more
// is read than in bands, and 64 K tiles take longer in a loop of a persistent
// workgroup than what that saves.

// CHECK-LABEL: func @large_square
// CHECK: schedule(<tile = [256, 256, 128], waves = [2, 4],
// CHECK-SAME: stages = 2, strategy = ping_pong, epilogue = staged>)
func.func @large_square(%a: tensor<8192x8192xf8E4M3FN>, %b: tensor<8192x8192xf8E4M3FN>,
    %d: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<8192x8192xf8E4M3FN>, tensor<8192x8192xf8E4M3FN>)
      outs(%d : tensor<8192x8192xbf16>) transpose_b -> tensor<8192x8192xbf16>
  return %0 : tensor<8192x8192xbf16>
}

// With 4 K tiles it is the other way.

// CHECK-LABEL: func @short_k
// CHECK: schedule(<tile = [256, 256, 128], waves = [2, 4],
// CHECK-SAME: stages = 2, persistent = true, strategy = ping_pong, epilogue = staged>)
func.func @short_k(%a: tensor<16384x512xf8E4M3FN>, %b: tensor<16384x512xf8E4M3FN>,
    %d: tensor<16384x16384xbf16>) -> tensor<16384x16384xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<16384x512xf8E4M3FN>, tensor<16384x512xf8E4M3FN>)
      outs(%d : tensor<16384x16384xbf16>) transpose_b -> tensor<16384x16384xbf16>
  return %0 : tensor<16384x16384xbf16>
}

// Scales leave no registers for what a persistent workgroup keeps.

// CHECK-LABEL: func @short_k_of_blocks
// CHECK: schedule(<tile = [256, 256, 128], waves = [2, 4],
// CHECK-SAME: stages = 2, strategy = ping_pong, epilogue = staged>)
func.func @short_k_of_blocks(%a: tensor<16384x512xf8E4M3FN>, %b: tensor<16384x512xf8E4M3FN>,
    %sa: tensor<16384x16xf8E8M0FNU>, %sb: tensor<16384x16xf8E8M0FNU>,
    %d: tensor<16384x16384xbf16>) -> tensor<16384x16384xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<16384x512xf8E4M3FN>, tensor<16384x512xf8E4M3FN>)
      lhs_scale(%sa : tensor<16384x16xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<16384x16xf8E8M0FNU>, <mx>)
      outs(%d : tensor<16384x16384xbf16>) transpose_b -> tensor<16384x16384xbf16>
  return %0 : tensor<16384x16384xbf16>
}

// 17 columns are no multiple of the dies. Five rounds are filled well enough.

// CHECK-LABEL: func @odd_columns
// CHECK: schedule(<tile = [64, 128, 128], waves = [2, 2],
// CHECK-SAME: stages = 3, raster = 8, epilogue = staged>)
func.func @odd_columns(%a: tensor<4096x7168xf8E4M3FN>, %b: tensor<2112x7168xf8E4M3FN>,
    %d: tensor<4096x2112xbf16>) -> tensor<4096x2112xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4096x7168xf8E4M3FN>, tensor<2112x7168xf8E4M3FN>)
      outs(%d : tensor<4096x2112xbf16>) transpose_b -> tensor<4096x2112xbf16>
  return %0 : tensor<4096x2112xbf16>
}

// A single row of tiles has one order.

// CHECK-LABEL: func @small_m
// CHECK: schedule(<tile = [16, 16, 256], waves = [1, 1],
// CHECK-SAME: stages = 4, epilogue = staged>)
func.func @small_m(%a: tensor<16x4096xf8E4M3FN>, %b: tensor<4096x4096xf8E4M3FN>,
    %d: tensor<16x4096xbf16>) -> tensor<16x4096xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<16x4096xf8E4M3FN>, tensor<4096x4096xf8E4M3FN>)
      outs(%d : tensor<16x4096xbf16>) transpose_b -> tensor<16x4096xbf16>
  return %0 : tensor<16x4096xbf16>
}

// One column too; with four the dies have rows of their own in bands.

// CHECK-LABEL: func @tall
// CHECK: schedule(<tile = [64, 128, 128], waves = [2, 2],
// CHECK-SAME: stages = 3, epilogue = staged>)
func.func @tall(%a: tensor<32768x4096xf8E4M3FN>, %b: tensor<128x4096xf8E4M3FN>,
    %d: tensor<32768x128xbf16>) -> tensor<32768x128xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<32768x4096xf8E4M3FN>, tensor<128x4096xf8E4M3FN>)
      outs(%d : tensor<32768x128xbf16>) transpose_b -> tensor<32768x128xbf16>
  return %0 : tensor<32768x128xbf16>
}

// CHECK-LABEL: func @tall_of_four
// CHECK: schedule(<tile = [64, 64, 128], waves = [2, 2],
// CHECK-SAME: stages = 4, raster = 2, epilogue = staged>)
func.func @tall_of_four(%a: tensor<8192x8192xf8E4M3FN>, %b: tensor<256x8192xf8E4M3FN>,
    %d: tensor<8192x256xbf16>) -> tensor<8192x256xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<8192x8192xf8E4M3FN>, tensor<256x8192xf8E4M3FN>)
      outs(%d : tensor<8192x256xbf16>) transpose_b -> tensor<8192x256xbf16>
  return %0 : tensor<8192x256xbf16>
}

// 72 tiles for 256 compute units, and a long K: parts of it that split K could
// not make equal.

// CHECK-LABEL: func @long_k
// CHECK: schedule(<tile = [256, 256, 128], waves = [2, 4],
// CHECK-SAME: stages = 2, persistent = true, split_k = 8, strategy = ping_pong>)
func.func @long_k(%a: tensor<2304x16384xf8E4M3FN>, %b: tensor<2048x16384xf8E4M3FN>,
    %d: tensor<2304x2048xbf16>) -> tensor<2304x2048xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<2304x16384xf8E4M3FN>, tensor<2048x16384xf8E4M3FN>)
      outs(%d : tensor<2304x2048xbf16>) transpose_b -> tensor<2304x2048xbf16>
  return %0 : tensor<2304x2048xbf16>
}

// 288 tiles are 1.13 rounds. Scales leave no registers for stream-K, and parts of
// K are 9 rounds of an eighth of the time.

// CHECK-LABEL: func @little_in_the_last_round
// CHECK: schedule(<tile = [128, 128, 128], waves = [2, 2],
// CHECK-SAME: stages = 2, raster = 4, split_k = 8>)
func.func @little_in_the_last_round(%a: tensor<2304x65536xf8E4M3FN>, %b: tensor<2048x65536xf8E4M3FN>,
    %sa: tensor<2304x2048xf8E8M0FNU>, %sb: tensor<2048x2048xf8E8M0FNU>,
    %d: tensor<2304x2048xbf16>) -> tensor<2304x2048xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<2304x65536xf8E4M3FN>, tensor<2048x65536xf8E4M3FN>)
      lhs_scale(%sa : tensor<2304x2048xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<2048x2048xf8E8M0FNU>, <mx>)
      outs(%d : tensor<2304x2048xbf16>) transpose_b -> tensor<2304x2048xbf16>
  return %0 : tensor<2304x2048xbf16>
}

// An entry of a batch after the other, by workgroups that end with their tile.

// CHECK-LABEL: func @batch
// CHECK-NOT: persistent
// CHECK: return
func.func @batch(%a: tensor<2x2304x16384xf8E4M3FN>, %b: tensor<2x2048x16384xf8E4M3FN>,
    %d: tensor<2x2304x2048xbf16>) -> tensor<2x2304x2048xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<2x2304x16384xf8E4M3FN>, tensor<2x2048x16384xf8E4M3FN>)
      outs(%d : tensor<2x2304x2048xbf16>) transpose_b -> tensor<2x2304x2048xbf16>
  return %0 : tensor<2x2304x2048xbf16>
}

// Codes of a block of the result have one scale, which parts of sums have not.

// CHECK-LABEL: func @blocks_of_the_result
// CHECK-NOT: persistent
// CHECK-NOT: split_k
// CHECK: return
func.func @blocks_of_the_result(%a: tensor<2304x16384xf8E4M3FN>, %b: tensor<2048x16384xf8E4M3FN>,
    %d: tensor<2304x2048xf8E4M3FN>, %ds: tensor<2304x64xf8E8M0FNU>)
    -> (tensor<2304x2048xf8E4M3FN>, tensor<2304x64xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<2304x16384xf8E4M3FN>, tensor<2048x16384xf8E4M3FN>)
      outs(%d : tensor<2304x2048xf8E4M3FN>) scale_outs(%ds : tensor<2304x64xf8E8M0FNU>, <mx>, rceil)
      transpose_b -> tensor<2304x2048xf8E4M3FN>, tensor<2304x64xf8E8M0FNU>
  return %0#0, %0#1 : tensor<2304x2048xf8E4M3FN>, tensor<2304x64xf8E8M0FNU>
}

}

// -----

// 304 compute units, two workgroups on each: none is persistent.

module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {

// CHECK-LABEL: func @gfx942
// CHECK: schedule(<tile = [128, 256, 64], waves = [1, 4],
// CHECK-SAME: stages = 2, raster = 8, epilogue = staged>)
func.func @gfx942(%a: tensor<16384x512xf8E4M3FNUZ>, %b: tensor<16384x512xf8E4M3FNUZ>,
    %d: tensor<16384x16384xbf16>) -> tensor<16384x16384xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<16384x512xf8E4M3FNUZ>, tensor<16384x512xf8E4M3FNUZ>)
      outs(%d : tensor<16384x16384xbf16>) transpose_b -> tensor<16384x16384xbf16>
  return %0 : tensor<16384x16384xbf16>
}

}
