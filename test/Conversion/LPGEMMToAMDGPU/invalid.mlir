// RUN: lpgemm-opt %s -split-input-file -verify-diagnostics --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu))"

gpu.module @no_target {
  // expected-error @+1 {{'gpu.func' op expects attribute 'lpgemm.target' on itself or an enclosing module}}
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    lpgemm.barrier
    gpu.return
  }
}

// -----

gpu.module @no_block_size attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  // expected-error @+1 {{'gpu.func' op expects 'known_block_size' with threads along x only}}
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 2, 1>} {
    lpgemm.barrier
    gpu.return
  }
}

// -----

gpu.module @no_lanes attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%x: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.splat' op expects register tiles with lanes, but got '!lpgemm.frag<16x16xf32>'}}
    %0 = lpgemm.splat %x : f32 to !lpgemm.frag<16x16xf32>
    gpu.return
  }
}

// -----

gpu.module @no_layout attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.alloc' op expects buffers with a layout, but got '!lpgemm.buf<128x128xf8E4M3FN, shared>'}}
    %0 = lpgemm.alloc : !lpgemm.buf<128x128xf8E4M3FN, shared>
    gpu.return
  }
}

// -----

gpu.module @period attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.alloc' op expects rows of a multiple of 128 bytes, the period of the swizzle, but got '!lpgemm.buf<128x192xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>'}}
    %0 = lpgemm.alloc : !lpgemm.buf<128x192xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
    gpu.return
  }
}

// -----

gpu.module @packed_period attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.alloc' op expects rows of a multiple of 64 bytes, the period of the swizzle, but got '!lpgemm.buf<128x128xf6E3M2FN, shared, <pad = 0, unit = 16, mask = 3, shift = 0>>'}}
    %0 = lpgemm.alloc : !lpgemm.buf<128x128xf6E3M2FN, shared, <pad = 0, unit = 16, mask = 3, shift = 0>>
    gpu.return
  }
}

// -----

gpu.module @element attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%g: !lpgemm.global<?x?xf64>, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.load' op expects elements of 4, 6, 8, 16 or 32 bits, but got '!lpgemm.frag<16x16xf64, <mfma_f32_16x16x32_fp8, c>>'}}
    %0 = lpgemm.load %g[%i, %i] at [%i, %i] : !lpgemm.global<?x?xf64> to !lpgemm.frag<16x16xf64, <mfma_f32_16x16x32_fp8, c>>
    gpu.return
  }
}

// -----

gpu.module @capacity attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  // expected-error @+1 {{'gpu.func' op expects at most 163840 bytes of shared memory on gfx950, but got 262144}}
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %0 = lpgemm.alloc : !lpgemm.buf<1024x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
    %1 = lpgemm.alloc : !lpgemm.buf<1024x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
    gpu.return
  }
}

// -----

!buf = !lpgemm.buf<16x128xf6E2M3FN, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
!fa = !lpgemm.frag<16x128xf6E2M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
gpu.module @column attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%col: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %0 = lpgemm.alloc : !buf
    // expected-error @+1 {{'lpgemm.read' op expects the column to be a constant multiple of 4, which are whole bytes of 'f6E2M3FN'}}
    %1 = lpgemm.read %0[%c0, %col] : !buf to !fa
    gpu.return
  }
}

// -----

!buf = !lpgemm.buf<16x128xf4E2M1FN, shared, <pad = 0, unit = 16, mask = 3, shift = 0>>
!fa = !lpgemm.frag<16x128xf4E2M1FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
gpu.module @odd_column attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %0 = lpgemm.alloc : !buf
    // expected-error @+1 {{'lpgemm.read' op expects the column to be a constant multiple of 2, which are whole bytes of 'f4E2M1FN'}}
    %1 = lpgemm.read %0[%c0, %c3] : !buf to !fa
    gpu.return
  }
}

// -----

// A scale of half a byte would have to share it with another lane's.
gpu.module @half_byte attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%g: !lpgemm.global<?x?xf4E2M1FN>, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.load' op expects whole bytes of a row for each lane, but got 1 elements of '!lpgemm.frag<16x4xf4E2M1FN, <mfma_scale_f32_16x16x128_f8f6f4, sa>>'}}
    %0 = lpgemm.load %g[%i, %i] at [%i, %i] : !lpgemm.global<?x?xf4E2M1FN> to !lpgemm.frag<16x4xf4E2M1FN, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
    gpu.return
  }
}

// -----

!fa = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
gpu.module @store attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%f: !fa, %g: !lpgemm.global<?x?xf8E4M3FN>, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.store' op expects a tile of f32, bf16, f16, FP8, FP6, FP4 or i32 in lanes of c or c_pair, but got '!lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>'}}
    lpgemm.store %f, %g[%i, %i] at [%i, %i] : !fa to !lpgemm.global<?x?xf8E4M3FN>
    gpu.return
  }
}

// -----

!fa = !lpgemm.frag<16x64xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
!f1 = !lpgemm.frag<16x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
gpu.module @slice attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%f: !fa) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.slice' op expects the column to be a multiple of 32, the columns of an atom, but got 16}}
    %0 = lpgemm.slice %f[16] : !fa to !f1
    gpu.return
  }
}

// -----

!fa = !lpgemm.frag<16x64xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
!f1 = !lpgemm.frag<16x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, b>>
gpu.module @slice_lanes attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%f: !fa) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.slice' op expects the lanes of the source, #lpgemm.lanes<mfma_f32_16x16x32_fp8, a>, but got #lpgemm.lanes<mfma_f32_16x16x32_fp8, b>}}
    %0 = lpgemm.slice %f[32] : !fa to !f1
    gpu.return
  }
}

// -----

!fa = !lpgemm.frag<16x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
!fb = !lpgemm.frag<16x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, b>>
!fc = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
!fs = !lpgemm.frag<16x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_row>>
gpu.module @unscaled attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%a: !fa, %b: !fb, %c: !fc, %s: !fs) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.mma' op expects no scales: mfma_f32_16x16x32_fp8 has no scale operands}}
    %0 = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %b, %c sa(%s : !fs) sb(%s : !fs) : !fa, !fb, !fc
    gpu.return
  }
}

// -----

!fa = !lpgemm.frag<16x256xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!fb = !lpgemm.frag<16x256xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!fc = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!fs = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
gpu.module @block attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%a: !fa, %b: !fb, %c: !fc, %s: !fs) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.mma' op expects one scale for each 32 elements of K, but got one for each 64}}
    %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c sa(%s : !fs) sb(%s : !fs) : !fa, !fb, !fc
    gpu.return
  }
}

// -----

!fa = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!fb = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!fc = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!fs = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
gpu.module @scale_lanes attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%a: !fa, %b: !fb, %c: !fc, %s: !fs) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.mma' op expects sb in lanes #lpgemm.lanes<mfma_scale_f32_16x16x128_f8f6f4, sb>, but got #lpgemm.lanes<mfma_scale_f32_16x16x128_f8f6f4, sa>}}
    %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c sa(%s : !fs) sb(%s : !fs) : !fa, !fb, !fc
    gpu.return
  }
}

// -----

!fa = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!fb = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!fc = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!fsa = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
!fsb = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
gpu.module @one_side attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%a: !fa, %b: !fb, %c: !fc, %sa: !fsa, %sb: !fsb) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.mma' op expects scales on both sides and no exponent: run lpgemm-split-subchannels first}}
    %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c sb(%sb : !fsb) : !fa, !fb, !fc
    gpu.return
  }
}

// -----

!fa = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!fb = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!fc = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!fsa = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
!fsb = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
gpu.module @exponent attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%a: !fa, %b: !fb, %c: !fc, %sa: !fsa, %sb: !fsb) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.mma' op expects scales on both sides and no exponent: run lpgemm-split-subchannels first}}
    %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c sa(%sa : !fsa) sb(%sb : !fsb) {exponent = 1 : i64} : !fa, !fb, !fc
    gpu.return
  }
}

// -----

!fa = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!fb = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!fc = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!fsa = !lpgemm.frag<16x4xf32, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
!fsb = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
gpu.module @scale_type attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%a: !fa, %b: !fb, %c: !fc, %sa: !fsa, %sb: !fsb) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.mma' op expects sa to be of f8E8M0FNU, but got '!lpgemm.frag<16x4xf32, <mfma_scale_f32_16x16x128_f8f6f4, sa>>'}}
    %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c sa(%sa : !fsa) sb(%sb : !fsb) : !fa, !fb, !fc
    gpu.return
  }
}

// -----

!fc = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
!fs = !lpgemm.frag<16x1xf16, <mfma_f32_16x16x32_fp8, c_row>>
gpu.module @promote_sa attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%c: !fc, %s: !fs) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.promote' op expects sa to be of f32, bf16, f8E8M0FNU or f8E4M3FN, but got '!lpgemm.frag<16x1xf16, <mfma_f32_16x16x32_fp8, c_row>>'}}
    %0 = lpgemm.promote %c, %c sa(%s : !fs) : !fc, !fc
    gpu.return
  }
}

// -----

!fc = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
!fs = !lpgemm.frag<16x1xf16, <mfma_f32_16x16x32_fp8, c_col>>
gpu.module @promote_sb attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%c: !fc, %s: !fs) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.promote' op expects sb to be of f32, bf16, f8E8M0FNU or f8E4M3FN, but got '!lpgemm.frag<16x1xf16, <mfma_f32_16x16x32_fp8, c_col>>'}}
    %0 = lpgemm.promote %c, %c sb(%s : !fs) : !fc, !fc
    gpu.return
  }
}

// -----

!fc = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
!fs = !lpgemm.frag<16x1xf32, <mfma_f32_16x16x32_fp8, c_row>>
gpu.module @promote_lanes attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%c: !fc, %s: !fs) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.promote' op expects sb in lanes #lpgemm.lanes<mfma_f32_16x16x32_fp8, c_col>, but got #lpgemm.lanes<mfma_f32_16x16x32_fp8, c_row>}}
    %0 = lpgemm.promote %c, %c sb(%s : !fs) : !fc, !fc
    gpu.return
  }
}

// -----

gpu.module @matmul attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%a: !lpgemm.global<?x?xf8E4M3FN>, %s: !lpgemm.global<?x?xf8E8M0FNU>, %d: !lpgemm.global<?x?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.matmul' op expects to be lowered to tile ops before}}
    lpgemm.matmul ins(%a, %a : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>)
        lhs_scale(%s : !lpgemm.global<?x?xf8E8M0FNU>, <mx>) rhs_scale(%s : !lpgemm.global<?x?xf8E8M0FNU>, <mx>)
        outs(%d : !lpgemm.global<?x?xf32>) transpose_b
    gpu.return
  }
}

// -----

// The lowering has no place for a tile among the arguments.
!fc = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
gpu.module @argument attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  // expected-error @+1 {{'gpu.func' op expects no tiles among its arguments, but got '!lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>'}}
  gpu.func @f(%c: !fc) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    lpgemm.barrier
    gpu.return
  }
}

// -----

gpu.module @no_lowering attributes {lpgemm.target = #lpgemm.target<"sm_100a">} {
  // expected-error @+1 {{'gpu.func' op has no lowering for sm_100a yet; there is one for gfx942, gfx950, sm_80, sm_89, sm_90a}}
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %0 = gpu.subgroup_id : index
    gpu.return
  }
}

// -----

gpu.module @other_lowering attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  // expected-error @+1 {{'gpu.func' op expects a chip with rocdl ops, but got sm_90a}}
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %0 = gpu.subgroup_id : index
    gpu.return
  }
}

// -----

!fc = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
!fr = !lpgemm.frag<16x1xf32, <mfma_f32_16x16x32_fp8, c_col>>
gpu.module @apply attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%f: !fc, %r: !fr) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.apply' op expects an operand of rows in lanes #lpgemm.lanes<mfma_f32_16x16x32_fp8, c_row>, but got #lpgemm.lanes<mfma_f32_16x16x32_fp8, c_col>}}
    %0 = lpgemm.apply %f rows(%r : !fr) {
      ^bb0(%t: f32, %x: f32):
        %y = arith.mulf %t, %x : f32
        lpgemm.yield %y : f32
    } : !fc -> !fc
    gpu.return
  }
}

// -----

!g = !lpgemm.global<?x?xf8E8M0FNU, swz128x4>
!buf = !lpgemm.buf<128x128xf8E8M0FNU, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
gpu.module @copy_scales attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%g: !g, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %s = lpgemm.alloc : !buf
    // expected-error @+1 {{'lpgemm.copy' op expects a source without a layout of scales, but got '!lpgemm.global<?x?xf8E8M0FNU, swz128x4>'}}
    %t = lpgemm.copy %g[%i, %i] into %s : !g to !buf
    gpu.return
  }
}

// -----

!g = !lpgemm.global<?x?xf8E8M0FNU, amd32x8>
!sa = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
gpu.module @store_scales attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%v: !sa, %g: !g, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.store' op expects a destination without a layout of scales, but got '!lpgemm.global<?x?xf8E8M0FNU, amd32x8>'}}
    lpgemm.store %v, %g[%i, %i] at [%i, %i] : !sa to !g
    gpu.return
  }
}

// -----

// What a lane has of a row of A lies in a column of the source.
!g = !lpgemm.global<?x?xf8E4M3FN>
!fa = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
gpu.module @whole_column attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%g: !g, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.load' op expects a tile that takes words of rows of its source, single elements, or words of scales in layout amd32x8 with 'whole', but got '!lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>', transposed, from '!lpgemm.global<?x?xf8E4M3FN>'}}
    %0 = lpgemm.load %g[%i, %i] at [%i, %i] transpose whole(%i) : !g to !fa
    gpu.return
  }
}

// -----

// A word has the scales of two rows of atoms.
!g = !lpgemm.global<?x?xf8E8M0FNU, amd32x8>
!sa = !lpgemm.frag<16x8xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
gpu.module @whole_scales attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%g: !g, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.load' op expects a tile that takes words of rows of its source, single elements, or words of scales in layout amd32x8 with 'whole', but got '!lpgemm.frag<16x8xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>' from '!lpgemm.global<?x?xf8E8M0FNU, amd32x8>'}}
    %0 = lpgemm.load %g[%i, %i] at [%i, %i] whole(%i) : !g to !sa
    gpu.return
  }
}

// -----

// The same of an instruction whose atoms have 32 rows.
!g = !lpgemm.global<?x?xf8E8M0FNU, amd32x8>
!sb = !lpgemm.frag<32x8xf8E8M0FNU, <mfma_scale_f32_32x32x64_f8f6f4, sb>>
gpu.module @whole_tall_scales attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%g: !g, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.load' op expects a tile that takes words of rows of its source, single elements, or words of scales in layout amd32x8 with 'whole', but got '!lpgemm.frag<32x8xf8E8M0FNU, <mfma_scale_f32_32x32x64_f8f6f4, sb>>' from '!lpgemm.global<?x?xf8E8M0FNU, amd32x8>'}}
    %0 = lpgemm.load %g[%i, %i] at [%i, %i] whole(%i) : !g to !sb
    gpu.return
  }
}

// -----

// Elements of half a byte are packed anew.
!g = !lpgemm.global<?x?xf4E2M1FN>
!buf = !lpgemm.buf<64x128xf4E2M1FN, shared, <pad = 0, unit = 16, mask = 3, shift = 0>>
gpu.module @whole_codes attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%g: !g, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %s = lpgemm.alloc : !buf
    // expected-error @+1 {{'lpgemm.copy' op expects a tile that takes words of rows of its source with 'whole', but got '!lpgemm.buf<64x128xf4E2M1FN, shared, <pad = 0, unit = 16, mask = 3, shift = 0>>', transposed}}
    %t = lpgemm.copy %g[%i, %i] into %s transpose whole(%i) : !g to !buf
    gpu.return
  }
}

// -----

// A row of 18 bytes has no words.
!g = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<64x18xf8E4M3FN, shared, <pad = 0, unit = 2, mask = 0, shift = 0>>
gpu.module @whole_pieces attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%g: !g, %i: index) kernel attributes {known_block_size = array<i32: 576, 1, 1>} {
    // expected-error @+1 {{'lpgemm.fetch' op expects a tile that takes words of rows of its source with 'whole', but got '!lpgemm.buf<64x18xf8E4M3FN, shared, <pad = 0, unit = 2, mask = 0, shift = 0>>'}}
    %f = lpgemm.fetch %g[%i, %i] for !buf whole(%i) : !g to vector<2xi8>
    gpu.return
  }
}

// -----

!fa = !lpgemm.frag<32x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
!f1 = !lpgemm.frag<16x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
gpu.module @slice_row attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%f: !fa) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.slice' op expects the row to be a multiple of 16, the rows of an atom, but got 8}}
    %0 = lpgemm.slice %f[0] {row = 8 : i64} : !fa to !f1
    gpu.return
  }
}

// -----

!buf = !lpgemm.buf<32x64xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 3, shift = 0>>
!stage = !lpgemm.buf<32x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
gpu.module @reuse_bytes attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %b = lpgemm.alloc : !buf
    // expected-error @+1 {{'lpgemm.reuse' op expects a tile of at most 2048 bytes, those of the buffer, but got 4096}}
    %0 = lpgemm.reuse %b : !buf to !stage
    gpu.return
  }
}

// -----

!buf = !lpgemm.buf<64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!stage = !lpgemm.buf<16x96xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
gpu.module @reuse_period attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %b = lpgemm.alloc : !buf
    // expected-error @+1 {{'lpgemm.reuse' op expects rows of a multiple of 128 bytes, the period of the swizzle, but got '!lpgemm.buf<16x96xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>'}}
    %0 = lpgemm.reuse %b : !buf to !stage
    gpu.return
  }
}

// -----

// 12 elements of 6 bits are 9 bytes.
!buf = !lpgemm.buf<16x12xf6E3M2FN, shared, <pad = 0, unit = 1, mask = 0, shift = 0>>
!g = !lpgemm.global<?x?xf6E3M2FN>
gpu.module @copy_out_rows attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%g: !g, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %b = lpgemm.alloc : !buf
    // expected-error @+1 {{'lpgemm.copy_out' op expects rows of a multiple of 4 bytes, but got '!lpgemm.buf<16x12xf6E3M2FN, shared, <pad = 0, unit = 1, mask = 0, shift = 0>>'}}
    lpgemm.copy_out %b, %g[%i, %i] : !buf to !g
    gpu.return
  }
}

// -----

!buf = !lpgemm.buf<16x16xf8E8M0FNU, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
!g = !lpgemm.global<?x?xf8E8M0FNU, swz128x4>
gpu.module @copy_out_scales attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%g: !g, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %b = lpgemm.alloc : !buf
    // expected-error @+1 {{'lpgemm.copy_out' op expects a destination without a layout of scales, but got '!lpgemm.global<?x?xf8E8M0FNU, swz128x4>'}}
    lpgemm.copy_out %b, %g[%i, %i] : !buf to !g
    gpu.return
  }
}

// -----

// Half of an atom has no lanes of its own.
!t = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
!q = !lpgemm.frag<16x16xf8E4M3FN, <mfma_f32_16x16x32_fp8, c>>
!s = !lpgemm.frag<16x2xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_row>>
!g = !lpgemm.global<?x?xf8E4M3FN>
gpu.module @encode_block attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%t: !t, %g: !g, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.encode_blocks' op expects blocks of a multiple of 16 columns, those of an atom, but got 8}}
    %0:2 = lpgemm.encode_blocks rceil %t within %g[%i, %i] at [%i, %i] : !t, !g to !q, !s
    gpu.return
  }
}

// -----

!t = !lpgemm.frag<16x32xf32, <mfma_f32_16x16x32_fp8, c>>
!q = !lpgemm.frag<16x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
!s = !lpgemm.frag<16x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_row>>
!g = !lpgemm.global<?x?xf8E4M3FN>
gpu.module @encode_codes attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%t: !t, %g: !g, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.encode_blocks' op expects the codes in lanes #lpgemm.lanes<mfma_f32_16x16x32_fp8, c>, but got #lpgemm.lanes<mfma_f32_16x16x32_fp8, a>}}
    %0:2 = lpgemm.encode_blocks rceil %t within %g[%i, %i] at [%i, %i] : !t, !g to !q, !s
    gpu.return
  }
}

// -----

!t = !lpgemm.frag<16x32xf32, <mfma_f32_16x16x32_fp8, c>>
!q = !lpgemm.frag<16x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, c>>
!s = !lpgemm.frag<16x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_col>>
!g = !lpgemm.global<?x?xf8E4M3FN>
gpu.module @encode_scales attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @f(%t: !t, %g: !g, %i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{'lpgemm.encode_blocks' op expects the scales in lanes #lpgemm.lanes<mfma_f32_16x16x32_fp8, c_row>, but got #lpgemm.lanes<mfma_f32_16x16x32_fp8, c_col>}}
    %0:2 = lpgemm.encode_blocks rceil %t within %g[%i, %i] at [%i, %i] : !t, !g to !q, !s
    gpu.return
  }
}
