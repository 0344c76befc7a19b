// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse,lpgemm-insert-waits))" \
// RUN:   | mlir-opt --allow-unregistered-dialect --pass-pipeline="builtin.module(rocdl-attach-target{chip=gfx950 O=3},gpu.module(convert-scf-to-cf,convert-gpu-to-rocdl{chipset=gfx950 runtime=HIP index-bitwidth=32},canonicalize,cse,reconcile-unrealized-casts),gpu-module-to-binary{format=isa})" > %t
// RUN: FileCheck %s --check-prefix=MFMA < %t
// RUN: FileCheck %s --check-prefix=READ < %t
// RUN: FileCheck %s --check-prefix=WRITE < %t
// RUN: FileCheck %s --check-prefix=LOAD < %t
// RUN: FileCheck %s --check-prefix=SYNC < %t
// RUN: FileCheck %s --check-prefix=SPILL < %t

// A tile of 128x128x128 by four waves through shared memory: what the stock
// pipeline makes of it. 4x4 atoms of a wave, 4 + 4 atoms of two chunks read,
// 4 + 4 pieces copied by each thread.
// MFMA-COUNT-16: v_mfma_scale_f32_16x16x128_f8f6f4
// MFMA-NOT: v_mfma_scale_f32_16x16x128_f8f6f4
// READ-COUNT-16: ds_read_b128
// READ-NOT: ds_read_b128
// WRITE-COUNT-8: ds_write_b128
// WRITE-NOT: ds_write_b128
// LOAD-COUNT-8: buffer_load_dwordx4
// LOAD-NOT: buffer_load_dwordx4
// No barrier before a thread's own accesses to shared memory are complete.
// SYNC: s_waitcnt lgkmcnt(0)\0A\09s_barrier
// SYNC: s_waitcnt lgkmcnt(0)\0A\09s_barrier
// SYNC-NOT: s_barrier
// SPILL: .private_segment_fixed_size: 0
// SPILL: .sgpr_spill_count: 0
// SPILL: .vgpr_spill_count: 0

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!gd = !lpgemm.global<?x?xf32>
!buf = !lpgemm.buf<128x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
!fa = !lpgemm.frag<64x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!fb = !lpgemm.frag<64x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!fsa = !lpgemm.frag<64x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
!fsb = !lpgemm.frag<64x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
!fc = !lpgemm.frag<64x64xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>

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
      %sum = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %fa, %fb, %acc sa(%fsa : !fsa) sb(%fsb : !fsb) : !fa, !fb, !fc
      lpgemm.wait
      lpgemm.barrier
      scf.yield %sum : !fc
    }
    lpgemm.store %r, %d[%row, %col] at [%wrow, %wcol] : !fc to !gd
    gpu.return
  }
}
