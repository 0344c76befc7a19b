// Slots that an engine copies to are buffers of their own: a staged result has the
// room of one, or the schedule is another one.

// RUN: lpgemm-run %s --entry=chosen --chip=gfx950 --device=emulate --size=130x257x384 --init=normal:1 --poison --emulator-order=random:1 --compare=reference | FileCheck %s
// RUN: lpgemm-run %s --entry=slots --chip=gfx950 --device=emulate --size=130x257x384 --init=normal:2 --poison --emulator-order=random:2 --compare=reference | FileCheck %s

// CHECK: ok: 130x257 bf16

func.func @chosen(%a: tensor<?x?xf8E4M3FNUZ>, %b: tensor<?x?xf8E4M3FNUZ>, %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E4M3FNUZ>)
      outs(%d : tensor<?x?xbf16>) transpose_b -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

func.func @slots(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 3, epilogue = staged>)
      -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}
