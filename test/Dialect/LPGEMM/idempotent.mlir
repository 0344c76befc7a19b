// A pass on a module that is already past it does nothing. One product per
// instruction, so that every pass has something to do the first time.

// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=gfx950 -o %t.target
// RUN: lpgemm-opt %t.target --lpgemm-attach-target=chip=gfx950 | diff %t.target -
// RUN: lpgemm-opt %t.target --lpgemm-bufferize -o %t.memref
// RUN: lpgemm-opt %t.memref --lpgemm-bufferize | diff %t.memref -
// RUN: lpgemm-opt %t.memref --lpgemm-select-schedule -o %t.schedule
// RUN: lpgemm-opt %t.schedule --lpgemm-select-schedule | diff %t.schedule -
// RUN: lpgemm-opt %t.schedule --lpgemm-outline -o %t.outline
// RUN: lpgemm-opt %t.outline --lpgemm-outline | diff %t.outline -
// RUN: lpgemm-opt %t.outline --lpgemm-tile -o %t.tile
// RUN: lpgemm-opt %t.tile --lpgemm-tile | diff %t.tile -
// RUN: lpgemm-opt %t.tile --lpgemm-split-subchannels -o %t.split
// RUN: lpgemm-opt %t.split --lpgemm-split-subchannels | diff %t.split -
// RUN: lpgemm-opt %t.split --lpgemm-promote -o %t.promote
// RUN: lpgemm-opt %t.promote --lpgemm-promote | diff %t.promote -
// RUN: lpgemm-opt %t.promote --canonicalize --lpgemm-assign-layouts -o %t.layout
// RUN: lpgemm-opt %t.layout --lpgemm-assign-layouts | diff %t.layout -
// RUN: lpgemm-opt %t.layout --lpgemm-assign-pipeline -o %t.stages
// RUN: lpgemm-opt %t.stages --lpgemm-assign-pipeline | diff %t.stages -
// RUN: lpgemm-opt %t.stages --lpgemm-expand-pipeline -o %t.pipeline
// RUN: lpgemm-opt %t.pipeline --lpgemm-expand-pipeline | diff %t.pipeline -
// RUN: lpgemm-opt %t.pipeline --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" -o %t.lowered
// RUN: lpgemm-opt %t.lowered --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu))" | diff %t.lowered -
// RUN: lpgemm-opt %t.lowered --pass-pipeline="builtin.module(gpu.module(lpgemm-insert-waits))" -o %t.waits
// RUN: lpgemm-opt %t.waits --pass-pipeline="builtin.module(gpu.module(lpgemm-insert-waits))" | diff %t.waits -

// Each of them did something.

// RUN: not diff -q %s %t.target
// RUN: not diff -q %t.target %t.memref
// RUN: not diff -q %t.memref %t.schedule
// RUN: not diff -q %t.schedule %t.outline
// RUN: not diff -q %t.outline %t.tile
// RUN: not diff -q %t.tile %t.split
// RUN: not diff -q %t.split %t.promote
// RUN: not diff -q %t.promote %t.layout
// RUN: not diff -q %t.layout %t.stages
// RUN: not diff -q %t.stages %t.pipeline
// RUN: not diff -q %t.pipeline %t.lowered
// RUN: not diff -q %t.lowered %t.waits

func.func @two(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
               %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
               %d: tensor<?x?xf32>, %e: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  %1 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%e : tensor<?x?xf32>) transpose_b
      schedule(<tile = [64, 32, 64], waves = [1, 2],
                instr = mfma_f32_16x16x32_fp8,
                home = <a = reg, b = shared>, stages = 2>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
