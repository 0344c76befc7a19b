// RUN: lpgemm-opt %s -split-input-file -verify-diagnostics --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-nvvm))"

// Kernels without roles.

!buf = !lpgemm.buf<32x64xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 3, shift = 1>>

gpu.module @pieces attributes {lpgemm.target = #lpgemm.target<"sm_80">} {
  gpu.func @f(%p: !llvm.ptr, %n: index, %pitch: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    // expected-error @+1 {{'lpgemm.fetch' op expects 4 pieces of 'vector<4xi32>', but got 1 of 'vector<4xi32>'}}
    %0 = lpgemm.fetch %g[%n, %n] for !buf : !lpgemm.global<?x?xf8E4M3FN> to vector<4xi32>
    gpu.return
  }
}

// -----

!buf = !lpgemm.buf<32x64xf8E4M3FN, shared>

gpu.module @layout attributes {lpgemm.target = #lpgemm.target<"sm_80">} {
  gpu.func @f(%p: !llvm.ptr, %n: index, %pitch: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    // expected-error @+1 {{'lpgemm.fetch' op expects buffers with a layout, but got '!lpgemm.buf<32x64xf8E4M3FN, shared>'}}
    %0 = lpgemm.fetch %g[%n, %n] for !buf : !lpgemm.global<?x?xf8E4M3FN> to vector<4xi32>
    gpu.return
  }
}

// -----

!buf = !lpgemm.buf<32x64xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 3, shift = 1>>

gpu.module @whole attributes {lpgemm.target = #lpgemm.target<"sm_80">} {
  gpu.func @f(%p: !llvm.ptr, %n: index, %pitch: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %s = lpgemm.alloc {offset = 0 : i64} : !buf
    // expected-error @+1 {{'lpgemm.copy' op expects no whole, which has no lowering to NVVM}}
    %t = lpgemm.copy %g[%n, %n] into %s whole(%n) : !lpgemm.global<?x?xf8E4M3FN> to !buf
    gpu.return
  }
}

// -----

!buf = !lpgemm.buf<32x64xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 3, shift = 1>>

gpu.module @engine attributes {lpgemm.target = #lpgemm.target<"sm_80">} {
  gpu.func @f(%p: !llvm.ptr, %n: index, %pitch: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %s = lpgemm.alloc {offset = 0 : i64} : !buf
    // expected-error @+1 {{'lpgemm.copy' op expects no lds_dma, which has no lowering to NVVM}}
    %t = lpgemm.copy %g[%n, %n] into %s whole(%n) lds_dma : !lpgemm.global<?x?xf8E4M3FN> to !buf
    gpu.return
  }
}

// -----

gpu.module @reach attributes {lpgemm.target = #lpgemm.target<"sm_80">} {
  gpu.func @f(%p: !llvm.ptr, %n: index, %pitch: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    // expected-error @+1 {{'lpgemm.reach' op has no lowering to NVVM; expects kernels without it}}
    %0 = lpgemm.reach %g step [0, 128] {alignment = 4 : i64} : !lpgemm.global<?x?xf8E4M3FN>
    gpu.return
  }
}

// -----

gpu.module @scales attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
  gpu.func @f(%p: !llvm.ptr, %n: index, %pitch: i64, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %gs = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf32>
    %a = lpgemm.load %g[%n, %n] at [%n, %n] : !lpgemm.global<?x?xf8E4M3FN>
        to !lpgemm.frag<16x32xf8E4M3FN, <mma_m16n8k32_f32_fp8, a>>
    %b = lpgemm.load %g[%n, %n] at [%n, %n] : !lpgemm.global<?x?xf8E4M3FN>
        to !lpgemm.frag<8x32xf8E4M3FN, <mma_m16n8k32_f32_fp8, b>>
    %s = lpgemm.load %gs[%n, %n] at [%n, %n] : !lpgemm.global<?x?xf32>
        to !lpgemm.frag<16x1xf32, <mma_m16n8k32_f32_fp8, c_row>>
    %acc = lpgemm.splat %x : f32 to !lpgemm.frag<16x8xf32, <mma_m16n8k32_f32_fp8, c>>
    // expected-error @+1 {{'lpgemm.mma' op expects no scales: mma_m16n8k32_f32_fp8 has no scale operands}}
    %r = lpgemm.mma <mma_m16n8k32_f32_fp8> %a, %b, %acc
        sa(%s : !lpgemm.frag<16x1xf32, <mma_m16n8k32_f32_fp8, c_row>>)
        : !lpgemm.frag<16x32xf8E4M3FN, <mma_m16n8k32_f32_fp8, a>>,
          !lpgemm.frag<8x32xf8E4M3FN, <mma_m16n8k32_f32_fp8, b>>,
          !lpgemm.frag<16x8xf32, <mma_m16n8k32_f32_fp8, c>>
    gpu.return
  }
}

// -----

gpu.module @instruction attributes {lpgemm.target = #lpgemm.target<"sm_80">} {
  gpu.func @f(%x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @+1 {{'lpgemm.splat' op expects lanes of an instruction of sm_80, but got '!lpgemm.frag<16x8xf32, <mma_m16n8k32_f32_fp8, c>>'}}
    %acc = lpgemm.splat %x : f32 to !lpgemm.frag<16x8xf32, <mma_m16n8k32_f32_fp8, c>>
    gpu.return
  }
}
