// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --verify-diagnostics

// What the way to AMD GPUs does not know of a schedule.

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @roles(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects no roles on gfx950, but got #lpgemm.roles<load_regs = 40, mma_regs = 232>}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @cluster(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects no cluster on gfx950, but got [2, 1]}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                cluster = [2, 1]>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @persistent(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects persistent = false on gfx950, but got true}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                persistent = true>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @raster(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects raster of at most 1 on gfx950, but got 8}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                raster = 8>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @unroll(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects unroll of at most 1 on gfx950, but got 4}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                unroll = 4>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @stages(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects stages of at most 2 on gfx950, but got 3}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 3>)
  return
}
}
