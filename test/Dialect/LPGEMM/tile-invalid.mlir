// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --lpgemm-tile

!a = !lpgemm.global<?x?xf8E4M3FN>
!s = !lpgemm.global<?x?xf8E8M0FNU>
!d = !lpgemm.global<?x?xf32>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @no_schedule(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d) kernel {
  // expected-error @+1 {{'lpgemm.matmul' op expects a schedule and operands in a kernel's form: run lpgemm-select-schedule and lpgemm-outline first}}
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <mx>) rhs_scale(%sb : !s, <mx>)
      outs(%d : !d) transpose_b
  gpu.return
}
}

// -----

!a = !lpgemm.global<?x?xf8E4M3FN>
!s = !lpgemm.global<?x?xf8E8M0FNU>
!d = !lpgemm.global<?x?xf32>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @not_a_kernel(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d) {
  // expected-error @+1 {{'lpgemm.matmul' op expects a schedule and operands in a kernel's form: run lpgemm-select-schedule and lpgemm-outline first}}
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <mx>) rhs_scale(%sb : !s, <mx>)
      outs(%d : !d) transpose_b
      schedule(<tile = [16, 16, 32], waves = [1, 1],
                instr = mfma_f32_16x16x32_fp8,
                home = <a = reg, b = reg>, stages = 1>)
  return
}
}

// -----

!a = memref<?x?xf8E4M3FN>
!s = memref<?x?xf8E8M0FNU>
!d = memref<?x?xf32>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @memrefs(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d) kernel {
  // expected-error @+1 {{'lpgemm.matmul' op expects a schedule and operands in a kernel's form: run lpgemm-select-schedule and lpgemm-outline first}}
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <mx>) rhs_scale(%sb : !s, <mx>)
      outs(%d : !d) transpose_b
      schedule(<tile = [16, 16, 32], waves = [1, 1],
                instr = mfma_f32_16x16x32_fp8,
                home = <a = reg, b = reg>, stages = 1>)
  gpu.return
}
}

// -----

!a = !lpgemm.global<?x?xf8E4M3FN>
!s = !lpgemm.global<?x?xf8E8M0FNU>
!d = !lpgemm.global<?x?xf32>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @block(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d) kernel {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the K of the tile (48) to be a multiple of the scale block (32) or to divide it}}
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <mx>) rhs_scale(%sb : !s, <mx>)
      outs(%d : !d) transpose_b
      schedule(<tile = [16, 16, 48], waves = [1, 1],
                instr = mfma_f32_16x16x32_fp8,
                home = <a = reg, b = reg>, stages = 1>)
  gpu.return
}
}

// -----

!a = !lpgemm.global<?x?xf8E4M3FN>
!s = !lpgemm.global<?x?xf8E8M0FNU>
!d = !lpgemm.global<?x?xf32>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @two_schedules(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <mx>) rhs_scale(%sb : !s, <mx>)
      outs(%d : !d) transpose_b
      schedule(<tile = [16, 16, 32], waves = [1, 1],
                instr = mfma_f32_16x16x32_fp8,
                home = <a = reg, b = reg>, stages = 1>)
  // expected-error @+1 {{'lpgemm.matmul' op expects the schedule of its kernel, #lpgemm.schedule<tile = [16, 16, 32], waves = [1, 1], instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>, but got #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1], instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>}}
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <mx>) rhs_scale(%sb : !s, <mx>)
      outs(%d : !d) transpose_b
      schedule(<tile = [16, 32, 32], waves = [1, 1],
                instr = mfma_f32_16x16x32_fp8,
                home = <a = reg, b = reg>, stages = 1>)
  gpu.return
}
}

// -----

!a = !lpgemm.global<?x?xf8E4M3FN>
!s = !lpgemm.global<?x?xf8E8M0FNU>
!d = !lpgemm.global<?x?xf32>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @instruction(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d) kernel {
  // expected-error @+1 {{'lpgemm.mma' op expects M, N, K (16, 24, 32) to be multiples of those of the instruction (16, 16, 32)}}
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <mx>) rhs_scale(%sb : !s, <mx>)
      outs(%d : !d) transpose_b
      schedule(<tile = [16, 24, 32], waves = [1, 1],
                instr = mfma_f32_16x16x32_fp8,
                home = <a = reg, b = reg>, stages = 1>)
  gpu.return
}
}

// -----

// Without a workspace the parts of a tile would be stored over each other.

gpu.module @split attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @split(%a: !lpgemm.global<?x?xf8E4M3FN>,
    %b: !lpgemm.global<?x?xf8E4M3FN>, %d: !lpgemm.global<?x?xf32>) kernel {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects a kernel with a workspace for split_k = 2: run lpgemm-outline}}
  lpgemm.matmul
      ins(%a, %b : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>)
      outs(%d : !lpgemm.global<?x?xf32>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2, split_k = 2>)
  gpu.return
}
}
