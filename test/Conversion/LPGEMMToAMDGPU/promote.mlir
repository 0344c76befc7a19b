// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s

!fa = !lpgemm.frag<16x64xf8E4M3FN, <mfma_f32_16x16x32_fp8_fp8, a>>
!fb = !lpgemm.frag<32x64xf8E4M3FN, <mfma_f32_16x16x32_fp8_fp8, b>>
!fa1 = !lpgemm.frag<16x32xf8E4M3FN, <mfma_f32_16x16x32_fp8_fp8, a>>
!fb1 = !lpgemm.frag<32x32xf8E4M3FN, <mfma_f32_16x16x32_fp8_fp8, b>>
!fc = !lpgemm.frag<16x32xf32, <mfma_f32_16x16x32_fp8_fp8, c>>
!fsa = !lpgemm.frag<16x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8_fp8, c_row>>
!fsb = !lpgemm.frag<32x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8_fp8, c_col>>
!g8 = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!gd = !lpgemm.global<?x?xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @promote(%pa: !llvm.ptr, %ps: !llvm.ptr, %pd: !llvm.ptr, %m: index, %k: index, %lda: i64)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %a = lpgemm.bind %pa[%m, %k] pitch %lda : !llvm.ptr to !g8
    %s = lpgemm.bind %ps[%m, %k] pitch %lda : !llvm.ptr to !gs
    %d = lpgemm.bind %pd[%m, %m] pitch %lda : !llvm.ptr to !gd
    %fa = lpgemm.load %a[%c0, %c0] at [%c0, %c0] : !g8 to !fa
    %fb = lpgemm.load %a[%c0, %c0] at [%c0, %c0] : !g8 to !fb
    %sa = lpgemm.load %s[%c0, %c0] at [%c0, %c0] : !gs to !fsa
    %sb = lpgemm.load %s[%c0, %c0] at [%c0, %c0] : !gs to !fsb
    %acc = lpgemm.splat %zero : f32 to !fc
    %a1 = lpgemm.slice %fa[32] : !fa to !fa1
    %b1 = lpgemm.slice %fb[32] : !fb to !fb1
    %p = lpgemm.mma <mfma_f32_16x16x32_fp8_fp8> %a1, %b1, %acc : !fa1, !fb1, !fc
    %r = lpgemm.promote %p, %acc scale(%sa, %sb : !fsa, !fsb) : !fc
    lpgemm.store %r, %d[%c0, %c0] at [%c0, %c0] : !fc to !gd
    gpu.return
  }
}
