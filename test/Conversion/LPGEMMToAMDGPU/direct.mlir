gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @direct(%pa: !llvm.ptr, %psa: !llvm.ptr, %pd: !llvm.ptr, %m: index, %k: index, %kb: index, %lda: i64, %ldsa: i64, %ldd: i64, %i: index, %j: index)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %a = lpgemm.bind %pa[%m, %k] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %sa = lpgemm.bind %psa[%m, %kb] pitch %ldsa : !llvm.ptr to !lpgemm.global<?x?xf8E8M0FNU>
    %d = lpgemm.bind %pd[%m, %m] pitch %ldd : !llvm.ptr to !lpgemm.global<?x?xf32>
    %fa = lpgemm.load %a[%i, %j] at [%c0, %c0] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<32x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
    %fb = lpgemm.load %a[%c0, %c0] at [%c0, %c0] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
    %fsa = lpgemm.load %sa[%i, %c0] at [%c0, %c0] : !lpgemm.global<?x?xf8E8M0FNU> to !lpgemm.frag<32x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
    %fsb = lpgemm.load %sa[%c0, %c0] at [%c0, %c0] : !lpgemm.global<?x?xf8E8M0FNU> to !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
    %acc = lpgemm.splat %zero : f32 to !lpgemm.frag<32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
    %n = lpgemm.dim %a, 1 : !lpgemm.global<?x?xf8E4M3FN>
    %r = scf.for %x = %c0 to %n step %m iter_args(%c = %acc) -> !lpgemm.frag<32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>> {
      %s = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %fa, %fb, %c
          scale(%fsa, %fsb : !lpgemm.frag<32x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>, !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>)
          : !lpgemm.frag<32x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>, !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>, !lpgemm.frag<32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
      scf.yield %s : !lpgemm.frag<32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
    }
    lpgemm.store %r, %d[%i, %c0] at [%c0, %c0] : !lpgemm.frag<32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>> to !lpgemm.global<?x?xf32>
    gpu.return
  }
}
