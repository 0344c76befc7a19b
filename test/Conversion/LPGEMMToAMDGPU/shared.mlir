// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s

!ga = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<40x128xf8E4M3FN, shared, <pad = 16, unit = 16, mask = 7, shift = 1>>
!fa = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!fb = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!fc = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @shared(%pa: !llvm.ptr, %pd: !llvm.ptr, %m: index, %k: index, %lda: i64, %ldd: i64)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %a = lpgemm.bind %pa[%m, %k] pitch %lda : !llvm.ptr to !ga
    %d = lpgemm.bind %pd[%m, %m] pitch %ldd : !llvm.ptr to !lpgemm.global<?x?xf32>
    %s = lpgemm.alloc : !buf
    %t = lpgemm.copy %a[%c0, %c0] into %s : !ga to !buf
    lpgemm.wait %t
    lpgemm.barrier
    %w = gpu.subgroup_id : index
    %row = arith.muli %w, %c16 : index
    %fa = lpgemm.read %s[%c0, %c0] : !buf to !fa
    %fb = lpgemm.read %s[%row, %c0] : !buf to !fb
    %acc = lpgemm.splat %zero : f32 to !fc
    %r = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %fa, %fb, %acc : !fa, !fb, !fc
    lpgemm.wait
    lpgemm.barrier
    lpgemm.store %r, %d[%c0, %row] at [%c0, %c0] : !fc to !lpgemm.global<?x?xf32>
    gpu.return
  }
}
