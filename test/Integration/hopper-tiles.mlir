// What kernels for Hopper do with tiles of 176, 160 and 48 columns, with fewer
// rows than a tile has, with scales of columns that do not fill one, and with slots
// that two workgroups fill again and again.

// RUN: lpgemm-run %s --entry=few_rows --chip=sm_90a --device=emulate --init=normal:3 --compare=reference --poison | FileCheck %s
// RUN: lpgemm-run %s --entry=columns --chip=sm_90a --device=emulate --init=normal:4 --compare=reference --poison | FileCheck %s
// RUN: lpgemm-run %s --entry=blocks --chip=sm_90a --device=emulate --init=normal:5 --compare=reference --poison | FileCheck %s
// RUN: lpgemm-run %s --entry=narrow --chip=sm_90a --device=emulate --init=normal:6 --compare=reference --poison | FileCheck %s
// RUN: lpgemm-run %s --entry=shared_slots --chip=sm_90a --device=emulate --init=normal:7 --compare=reference --poison --emulator-loads=late --emulator-order=random:8 | FileCheck %s
// RUN: lpgemm-run %s --entry=shared_slots --chip=sm_90a --device=emulate --init=normal:9 --compare=reference --poison --emulator-loads=early --emulator-order=random:1 | FileCheck %s
// CHECK: {{^}}ok: {{.*}} bf16, max |err|/bound {{0\.[0-9]+}}, 0 of

// Of the 64 rows of a slot 24 are copied; the others are zeros.

func.func @few_rows(%a: tensor<20x272xf8E4M3FN>, %b: tensor<80x272xf8E4M3FN>, %sa: tensor<f32>,
                    %sb: tensor<f32>, %d: tensor<20x80xbf16>) -> tensor<20x80xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<20x272xf8E4M3FN>, tensor<80x272xf8E4M3FN>)
      lhs_scale(%sa : tensor<f32>, <tensor>) rhs_scale(%sb : tensor<f32>, <tensor>)
      outs(%d : tensor<20x80xbf16>) transpose_b
      schedule(<tile = [64, 32, 128], waves = [1, 1],
        instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>,
        stages = 3, roles = <load_regs = 40, mma_regs = 232>, persistent = true>)
      -> tensor<20x80xbf16>
  return %0 : tensor<20x80xbf16>
}

// Chunks of 352 bytes, one for each wave; 11 columns are in the last tile.

func.func @columns(%a: tensor<130x272xf8E4M3FN>, %b: tensor<363x272xf8E4M3FN>, %sa: tensor<130xf32>,
                   %sb: tensor<363xf32>, %d: tensor<130x363xbf16>) -> tensor<130x363xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<130x272xf8E4M3FN>, tensor<363x272xf8E4M3FN>)
      lhs_scale(%sa : tensor<130xf32>, <row>) rhs_scale(%sb : tensor<363xf32>, <column>)
      outs(%d : tensor<130x363xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 176, 128], waves = [2, 1],
        instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>,
        stages = 4, roles = <load_regs = 40, mma_regs = 232>, raster = 2, persistent = true>)
      -> tensor<130x363xbf16>
  return %0 : tensor<130x363xbf16>
}

// Tiles start in the first, the second and the fourth quarter of a block of 128.

func.func @blocks(%a: tensor<132x384xf8E4M3FN>, %b: tensor<488x384xf8E4M3FN>, %sa: tensor<3x132xf32>,
                  %sb: tensor<4x3xf32>, %d: tensor<132x488xbf16>) -> tensor<132x488xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<132x384xf8E4M3FN>, tensor<488x384xf8E4M3FN>)
      lhs_scale(%sa : tensor<3x132xf32>, <1x128, layout = mn_tma>)
      rhs_scale(%sb : tensor<4x3xf32>, <128x128>)
      outs(%d : tensor<132x488xbf16>) transpose_b
      schedule(<tile = [128, 160, 128], waves = [2, 1],
        instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>,
        stages = 3, roles = <load_regs = 40, mma_regs = 232>, persistent = true, unroll = 2>)
      -> tensor<132x488xbf16>
  return %0 : tensor<132x488xbf16>
}

// Chunks of 96 bytes; 85 of 128 rows.

func.func @narrow(%a: tensor<85x400xf8E4M3FN>, %b: tensor<104x400xf8E4M3FN>, %sa: tensor<f32>,
                  %sb: tensor<f32>, %d: tensor<85x104xbf16>) -> tensor<85x104xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<85x400xf8E4M3FN>, tensor<104x400xf8E4M3FN>)
      lhs_scale(%sa : tensor<f32>, <tensor>) rhs_scale(%sb : tensor<f32>, <tensor>)
      outs(%d : tensor<85x104xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 48, 128], waves = [2, 1],
        instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>,
        stages = 9, roles = <load_regs = 40, mma_regs = 232>, persistent = true>)
      -> tensor<85x104xbf16>
  return %0 : tensor<85x104xbf16>
}

// Both copy to each other. A ring of two: the slot that is waited for while products
// are in flight is the one that was released before.

func.func @shared_slots(%a: tensor<132x1152xf8E4M3FN>, %b: tensor<72x1152xf8E4M3FN>,
                        %sa: tensor<9x132xf32>, %sb: tensor<1x9xf32>, %d: tensor<132x72xbf16>)
    -> tensor<132x72xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<132x1152xf8E4M3FN>, tensor<72x1152xf8E4M3FN>)
      lhs_scale(%sa : tensor<9x132xf32>, <1x128, layout = mn_tma>)
      rhs_scale(%sb : tensor<1x9xf32>, <128x128>)
      outs(%d : tensor<132x72xbf16>) transpose_b
      schedule(<tile = [128, 32, 128], waves = [2, 1],
        instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 40, mma_regs = 232>, cluster = [1, 2],
        persistent = true, unroll = 4>)
      -> tensor<132x72xbf16>
  return %0 : tensor<132x72xbf16>
}
