// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse,lpgemm-insert-waits))" \
// RUN:   | mlir-opt --allow-unregistered-dialect --pass-pipeline="builtin.module(rocdl-attach-target{chip=gfx950 O=3},gpu.module(convert-scf-to-cf,convert-gpu-to-rocdl{chipset=gfx950 runtime=HIP index-bitwidth=32},canonicalize,cse,reconcile-unrealized-casts),gpu-module-to-binary{format=isa})" > %t
// RUN: FileCheck %s --check-prefix=MFMA < %t
// RUN: FileCheck %s --check-prefix=LDEXP < %t
// RUN: FileCheck %s --check-prefix=SYNC < %t
// RUN: FileCheck %s --check-prefix=VGPR < %t

// The same tile with the instruction of K = 32 and scales applied to the sums.
// MFMA-COUNT-64: v_mfma_f32_16x16x32_fp8_fp8
// MFMA-NOT: v_mfma_f32_16x16x32_fp8_fp8
// LDEXP-COUNT-256: v_ldexp_f32
// SYNC: s_waitcnt lgkmcnt(0)\0A\09s_barrier
// SYNC: s_waitcnt lgkmcnt(0)\0A\09s_barrier
// SYNC-NOT: s_barrier
// VGPR: .private_segment_fixed_size: 0
// VGPR: .vgpr_spill_count: 0

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!gd = !lpgemm.global<?x?xf32>
!buf = !lpgemm.buf<128x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
!fa = !lpgemm.frag<64x128xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
!fb = !lpgemm.frag<64x128xf8E4M3FN, <mfma_f32_16x16x32_fp8, b>>
!fsa = !lpgemm.frag<64x4xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_row>>
!fsb = !lpgemm.frag<64x4xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_col>>
!fc = !lpgemm.frag<64x64xf32, <mfma_f32_16x16x32_fp8, c>>
!fa1 = !lpgemm.frag<64x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
!fb1 = !lpgemm.frag<64x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, b>>
!fsa1 = !lpgemm.frag<64x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_row>>
!fsb1 = !lpgemm.frag<64x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_col>>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @mm(%pa: !llvm.ptr, %pb: !llvm.ptr, %psa: !llvm.ptr, %psb: !llvm.ptr, %pd: !llvm.ptr, %mi: i32, %ni: i32, %ki: i32,
               %lda: i64, %ldb: i64, %ldsa: i64, %ldsb: i64, %ldd: i64)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %bufa = lpgemm.alloc : !buf
    %bufb = lpgemm.alloc : !buf
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %m = arith.index_cast %mi : i32 to index
    %n = arith.index_cast %ni : i32 to index
    %k = arith.index_cast %ki : i32 to index
    %kb = arith.ceildivui %k, %c32 : index
    %a = lpgemm.bind %pa[%m, %k] pitch %lda : !llvm.ptr to !g8
    %b = lpgemm.bind %pb[%n, %k] pitch %ldb : !llvm.ptr to !g8
    %sa = lpgemm.bind %psa[%m, %kb] pitch %ldsa : !llvm.ptr to !gs
    %sb = lpgemm.bind %psb[%n, %kb] pitch %ldsb : !llvm.ptr to !gs
    %d = lpgemm.bind %pd[%m, %n] pitch %ldd : !llvm.ptr to !gd
    %tn = arith.ceildivui %n, %c128 : index
    %t = gpu.block_id x
    %ti = arith.divui %t, %tn : index
    %tj = arith.remui %t, %tn : index
    %row = arith.muli %ti, %c128 : index
    %col = arith.muli %tj, %c128 : index
    %w = gpu.subgroup_id : index
    %wi = arith.divui %w, %c2 : index
    %wj = arith.remui %w, %c2 : index
    %wrow = arith.muli %wi, %c64 : index
    %wcol = arith.muli %wj, %c64 : index
    %init = lpgemm.splat %zero : f32 to !fc
    %r = scf.for %x = %c0 to %k step %c128 iter_args(%acc = %init) -> !fc {
      %ta = lpgemm.copy %a[%row, %x] into %bufa : !g8 to !buf
      %tb = lpgemm.copy %b[%col, %x] into %bufb : !g8 to !buf
      lpgemm.wait %ta, %tb
      lpgemm.barrier
      %fa = lpgemm.read %bufa[%wrow, %c0] : !buf to !fa
      %fb = lpgemm.read %bufb[%wcol, %c0] : !buf to !fb
      %xb = arith.divui %x, %c32 : index
      %fsa = lpgemm.load %sa[%row, %xb] at [%wrow, %c0] : !gs to !fsa
      %fsb = lpgemm.load %sb[%col, %xb] at [%wcol, %c0] : !gs to !fsb
      %a0 = lpgemm.slice %fa[0] : !fa to !fa1
      %b0 = lpgemm.slice %fb[0] : !fb to !fb1
      %sa0 = lpgemm.slice %fsa[0] : !fsa to !fsa1
      %sb0 = lpgemm.slice %fsb[0] : !fsb to !fsb1
      %p0 = lpgemm.mma <mfma_f32_16x16x32_fp8> %a0, %b0, %init : !fa1, !fb1, !fc
      %d0 = lpgemm.promote %p0, %acc sa(%sa0 : !fsa1) sb(%sb0 : !fsb1) : !fc, !fc
      %a1 = lpgemm.slice %fa[32] : !fa to !fa1
      %b1 = lpgemm.slice %fb[32] : !fb to !fb1
      %sa1 = lpgemm.slice %fsa[1] : !fsa to !fsa1
      %sb1 = lpgemm.slice %fsb[1] : !fsb to !fsb1
      %p1 = lpgemm.mma <mfma_f32_16x16x32_fp8> %a1, %b1, %init : !fa1, !fb1, !fc
      %d1 = lpgemm.promote %p1, %d0 sa(%sa1 : !fsa1) sb(%sb1 : !fsb1) : !fc, !fc
      %a2 = lpgemm.slice %fa[64] : !fa to !fa1
      %b2 = lpgemm.slice %fb[64] : !fb to !fb1
      %sa2 = lpgemm.slice %fsa[2] : !fsa to !fsa1
      %sb2 = lpgemm.slice %fsb[2] : !fsb to !fsb1
      %p2 = lpgemm.mma <mfma_f32_16x16x32_fp8> %a2, %b2, %init : !fa1, !fb1, !fc
      %d2 = lpgemm.promote %p2, %d1 sa(%sa2 : !fsa1) sb(%sb2 : !fsb1) : !fc, !fc
      %a3 = lpgemm.slice %fa[96] : !fa to !fa1
      %b3 = lpgemm.slice %fb[96] : !fb to !fb1
      %sa3 = lpgemm.slice %fsa[3] : !fsa to !fsa1
      %sb3 = lpgemm.slice %fsb[3] : !fsb to !fsb1
      %p3 = lpgemm.mma <mfma_f32_16x16x32_fp8> %a3, %b3, %init : !fa1, !fb1, !fc
      %d3 = lpgemm.promote %p3, %d2 sa(%sa3 : !fsa1) sb(%sb3 : !fsb1) : !fc, !fc
      lpgemm.wait
      lpgemm.barrier
      scf.yield %d3 : !fc
    }
    lpgemm.store %r, %d[%row, %col] at [%wrow, %wcol] : !fc to !gd
    gpu.return
  }
}
