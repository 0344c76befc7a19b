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

// -----

!a = !lpgemm.frag<32x32xf8E4M3FN, <mma_m16n8k32_f32_fp8, a>>
!part = !lpgemm.frag<16x32xf8E4M3FN, <mma_m16n8k32_f32_fp8, a>>

gpu.module @slice_row attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
  gpu.func @f(%a: !a) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @+1 {{'lpgemm.slice' op expects the row to be a multiple of 16, the rows of an atom, but got 8}}
    %0 = lpgemm.slice %a[0] {row = 8 : i64} : !a to !part
    gpu.return
  }
}

// -----

!a = !lpgemm.frag<16x64xf8E4M3FN, <mma_m16n8k32_f32_fp8, a>>
!part = !lpgemm.frag<16x32xf8E4M3FN, <mma_m16n8k32_f32_fp8, a>>

gpu.module @slice_column attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
  gpu.func @f(%a: !a) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @+1 {{'lpgemm.slice' op expects the column to be a multiple of 32, the columns of an atom, but got 16}}
    %0 = lpgemm.slice %a[16] : !a to !part
    gpu.return
  }
}

// -----

!buf = !lpgemm.buf<32x64xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 3, shift = 1>>
!stage = !lpgemm.buf<16x64xbf16, shared, <pad = 0, unit = 16, mask = 3, shift = 1>>

gpu.module @reuse attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %b = lpgemm.alloc {offset = 0 : i64} : !buf
    // expected-error @+1 {{'lpgemm.reuse' op has no lowering to NVVM; expects kernels without it}}
    %0 = lpgemm.reuse %b : !buf to !stage
    gpu.return
  }
}

// -----

!stage = !lpgemm.buf<16x64xbf16, shared, <pad = 0, unit = 16, mask = 3, shift = 1>>
!c = !lpgemm.frag<16x8xbf16, <mma_m16n8k32_f32_fp8, c>>

gpu.module @write attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
  gpu.func @f(%x: bf16, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = lpgemm.alloc {offset = 0 : i64} : !stage
    %c = lpgemm.splat %x : bf16 to !c
    // expected-error @+1 {{'lpgemm.write' op has no lowering to NVVM; expects kernels without it}}
    %t = lpgemm.write %c, %s[%i, %i] : !c to !stage
    gpu.return
  }
}

// -----

!stage = !lpgemm.buf<16x64xbf16, shared, <pad = 0, unit = 16, mask = 3, shift = 1>>

gpu.module @copy_out attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
  gpu.func @f(%p: !llvm.ptr, %n: index, %pitch: i64) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xbf16>
    %s = lpgemm.alloc {offset = 0 : i64} : !stage
    // expected-error @+1 {{'lpgemm.copy_out' op has no lowering to NVVM; expects kernels without it}}
    lpgemm.copy_out %s, %g[%n, %n] : !stage to !lpgemm.global<?x?xbf16>
    gpu.return
  }
}

// -----

!c = !lpgemm.frag<16x32xf32, <mma_m16n8k32_f32_fp8, c>>
!q = !lpgemm.frag<16x32xf8E4M3FN, <mma_m16n8k32_f32_fp8, c>>
!s = !lpgemm.frag<16x1xf8E8M0FNU, <mma_m16n8k32_f32_fp8, c_row>>

gpu.module @encode_blocks attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
  gpu.func @f(%p: !llvm.ptr, %n: index, %pitch: i64, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %c = lpgemm.splat %x : f32 to !c
    // expected-error @+1 {{'lpgemm.encode_blocks' op has no lowering to NVVM; expects kernels without it}}
    %0:2 = lpgemm.encode_blocks rceil %c within %g[%n, %n] at [%n, %n] : !c, !lpgemm.global<?x?xf8E4M3FN> to !q, !s
    gpu.return
  }
}

// -----

!c = !lpgemm.frag<16x16xf32, <mma_m16n8k32_f32_fp8, c>>
!half = !lpgemm.frag<16x8xf32, <mma_m16n8k32_f32_fp8, c>>

gpu.module @unzip attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
  gpu.func @f(%x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c = lpgemm.splat %x : f32 to !c
    // expected-error @+1 {{'lpgemm.unzip' op has no lowering to NVVM; expects kernels without it}}
    %even, %odd = lpgemm.unzip %c : !c to !half
    gpu.return
  }
}
