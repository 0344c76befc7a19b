// A pass on a module that is already past it does nothing, also on NVIDIA chips:
// products of which each sum is scaled in its loop, and one whose sum stays.

// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=sm_90a --lpgemm-bufferize --lpgemm-select-schedule -o %t.schedule
// RUN: lpgemm-opt %t.schedule --lpgemm-select-schedule | diff %t.schedule -
// RUN: lpgemm-opt %t.schedule --lpgemm-outline -o %t.outline
// RUN: lpgemm-opt %t.outline --lpgemm-outline | diff %t.outline -
// RUN: lpgemm-opt %t.outline --lpgemm-tile -o %t.tile
// RUN: lpgemm-opt %t.tile --lpgemm-tile | diff %t.tile -
// RUN: lpgemm-opt %t.tile --lpgemm-split-subchannels -o %t.split
// RUN: lpgemm-opt %t.split --lpgemm-split-subchannels | diff %t.split -
// RUN: lpgemm-opt %t.split --lpgemm-promote -o %t.promote
// RUN: lpgemm-opt %t.promote --lpgemm-promote | diff %t.promote -
// RUN: lpgemm-opt %t.promote --lpgemm-assign-layouts -o %t.layout
// RUN: lpgemm-opt %t.layout --lpgemm-assign-layouts | diff %t.layout -
// RUN: lpgemm-opt %t.layout --lpgemm-assign-pipeline -o %t.stages
// RUN: lpgemm-opt %t.stages --lpgemm-assign-pipeline | diff %t.stages -
// RUN: lpgemm-opt %t.stages --lpgemm-expand-pipeline -o %t.pipeline
// RUN: lpgemm-opt %t.pipeline --lpgemm-expand-pipeline | diff %t.pipeline -
// RUN: lpgemm-opt %t.pipeline --lpgemm-assign-pipeline | diff %t.pipeline -
// RUN: lpgemm-opt %t.pipeline --lpgemm-pin-accumulators -o %t.pinned
// RUN: lpgemm-opt %t.pinned --lpgemm-pin-accumulators | diff %t.pinned -

// Each of them did something.

// RUN: not diff -q %t.schedule %t.outline
// RUN: not diff -q %t.outline %t.tile
// RUN: not diff -q %t.tile %t.split
// RUN: not diff -q %t.split %t.promote
// RUN: not diff -q %t.promote %t.layout
// RUN: not diff -q %t.layout %t.stages
// RUN: not diff -q %t.stages %t.pipeline
// RUN: not diff -q %t.pipeline %t.pinned

func.func @three(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                 %sa: tensor<?x?xf32>, %sb: tensor<?x?xf32>,
                 %h: tensor<?x?xbf16>, %d: tensor<?x?xbf16>,
                 %e: tensor<?x?xf32>, %f: tensor<?x?xf32>)
    -> (tensor<?x?xbf16>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf32>, <1x128, layout = mn_tma>)
      rhs_scale(%sb : tensor<?x?xf32>, <128x128>)
      outs(%d : tensor<?x?xbf16>) transpose_b
      schedule(<tile = [256, 128, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 3,
                roles = <load_regs = 40, mma_regs = 232>, raster = 8,
                persistent = true, unroll = 4>) -> tensor<?x?xbf16>
  %1 = lpgemm.matmul ins(%h, %h : tensor<?x?xbf16>, tensor<?x?xbf16>)
      outs(%e : tensor<?x?xf32>) transpose_b
      schedule(<tile = [128, 128, 64], waves = [2, 1],
                instr = wgmma_m64k16_f32_bf16,
                home = <a = shared, b = shared>, stages = 4,
                roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 1],
                unroll = 2>) -> tensor<?x?xf32>
  %2 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%f : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<?x?xbf16>, tensor<?x?xf32>, tensor<?x?xf32>
}
