// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=gfx950 --lpgemm-select-schedule -verify-diagnostics

// Eight waves that take turns copy to slots, each a buffer of its own.
func.func @narrow(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{schedule: expects a buffer of a side's K tile of at least 16384 bytes, for a row of instructions of the result, with epilogue = staged, but got 8192}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [4, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, strategy = ping_pong, epilogue = staged>)
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
