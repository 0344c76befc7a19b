// 1x128 x 128x128 scales: 256 x 128 tiles of two waves, each of two rows of atoms
// that take turns in one set of partial sums; four blocks of K in one round.

!bufA = !lpgemm.buf<3x256x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!tileA = !lpgemm.buf<256x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!bufB = !lpgemm.buf<3x128x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!tileB = !lpgemm.buf<128x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!atomA = !lpgemm.buf<64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!bufSA = !lpgemm.buf<3x256x1xf32, shared, <pad = 0, unit = 4, mask = 0, shift = 0>>
!tileSA = !lpgemm.buf<256x1xf32, shared, <pad = 0, unit = 4, mask = 0, shift = 0>>
!atomSA = !lpgemm.buf<64x1xf32, shared, <pad = 0, unit = 4, mask = 0, shift = 0>>
!bufSB = !lpgemm.buf<3x1x1xf32, shared, <pad = 0, unit = 4, mask = 0, shift = 0>>
!tileSB = !lpgemm.buf<1x1xf32, shared, <pad = 0, unit = 4, mask = 0, shift = 0>>
!stage = !lpgemm.buf<256x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!acc = !lpgemm.frag<64x128xf32, <wgmma_m64k32_f32_fp8, c>>
!out = !lpgemm.frag<64x128xbf16, <wgmma_m64k32_f32_fp8, c>>
!rows = !lpgemm.frag<64x1xf32, <wgmma_m64k32_f32_fp8, c_row>>
!cols = !lpgemm.frag<128x1xf32, <wgmma_m64k32_f32_fp8, c_col>>
!g8 = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf32>
!gd = !lpgemm.global<?x?xbf16>
!pipe = !lpgemm.pipe<3>
!slot = !lpgemm.slot
module attributes {gpu.container_module} {
gpu.module @kernels attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  // sa is K/128 x M, sb is N/128 x K/128.
  gpu.func @gemm(%pa: !llvm.ptr, %pb: !llvm.ptr, %psa: !llvm.ptr, %psb: !llvm.ptr, %pd: !llvm.ptr, %m32: i32, %n32: i32, %k32: i32, %map_a: !llvm.ptr, %map_b: !llvm.ptr, %map_sa: !llvm.ptr, %map_d: !llvm.ptr) kernel
      attributes {known_block_size = array<i32: 384, 1, 1>, lpgemm.tensor_maps = array<i32: 8, 9, 10, 11>,
                  lpgemm.schedule = #lpgemm.schedule<tile = [256, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, raster = 8, persistent = true, unroll = 4>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cU = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %m = arith.index_cast %m32 : i32 to index
    %n = arith.index_cast %n32 : i32 to index
    %k = arith.index_cast %k32 : i32 to index
    %k64 = arith.extsi %k32 : i32 to i64
    %m64 = arith.extsi %m32 : i32 to i64
    %n64 = arith.extsi %n32 : i32 to i64
    %nk = arith.ceildivui %k, %c128 : index
    %nkU = arith.remui %nk, %cU : index
    %nkMain = arith.subi %nk, %nkU : index
    %nn = arith.ceildivui %n, %c128 : index
    %nk64 = arith.index_cast %nk : index to i64
    %a = lpgemm.bind %pa[%m, %k] pitch %k64 : !llvm.ptr to !g8
    %b = lpgemm.bind %pb[%n, %k] pitch %k64 : !llvm.ptr to !g8
    %sa = lpgemm.bind %psa[%nk, %m] pitch %m64 : !llvm.ptr to !gs
    %sb = lpgemm.bind %psb[%nn, %nk] pitch %nk64 : !llvm.ptr to !gs
    %d = lpgemm.bind %pd[%m, %n] pitch %n64 : !llvm.ptr to !gd
    %bufA = lpgemm.alloc {offset = 0 : i64} : !bufA
    %bufB = lpgemm.alloc {offset = 98304 : i64} : !bufB
    %stage = lpgemm.alloc {offset = 147456 : i64} : !stage
    %bufSA = lpgemm.alloc {offset = 180224 : i64} : !bufSA
    %bufSB = lpgemm.alloc {offset = 183296 : i64} : !bufSB
    %pipe = lpgemm.pipe {offset = 183312 : i64} : !pipe
    %ok = lpgemm.has_map %a, %b, %sa : !g8, !g8, !gs
    %okD = lpgemm.has_map %d : !gd
    %first = gpu.block_id x
    %workers = gpu.grid_dim x
    %tilesM = arith.ceildivui %m, %c256 : index
    %tilesN = arith.ceildivui %n, %c128 : index
    %tiles = arith.muli %tilesM, %tilesN : index
    lpgemm.roles {
      role mma(%wave) waves(2) regs(232) {
        %zero = arith.constant 0.0 : f32
        %acc0 = lpgemm.splat %zero : f32 to !acc
        %u0 = llvm.mlir.undef : f32
        %undef = lpgemm.splat %u0 : f32 to !acc
        %s0 = lpgemm.pipe_start : !slot
        %waveRow = arith.muli %wave, %c128 : index
        %waveRow1 = arith.addi %waveRow, %c64 : index
        %e = scf.for %t = %first to %tiles step %workers iter_args(%s = %s0) -> (!slot) {
          %tm = arith.remui %t, %tilesM : index
          %tn = arith.divui %t, %tilesM : index
          %row = arith.muli %tm, %c256 : index
          %col = arith.muli %tn, %c128 : index
          %l:4 = scf.for %kk = %c0 to %nkMain step %cU iter_args(%f0 = %acc0, %f1 = %acc0, %q = %undef, %cs = %s) -> (!acc, !acc, !acc, !slot) {
            lpgemm.pipe_await %pipe[%cs] : !pipe
            %va0_0 = lpgemm.view %bufA[%cs] at [%waveRow, 0] : !bufA to !atomA
            %va1_0 = lpgemm.view %bufA[%cs] at [%waveRow1, 0] : !bufA to !atomA
            %vb_0 = lpgemm.view %bufB[%cs] at [%c0, 0] : !bufB to !tileB
            %vsa0_0 = lpgemm.view %bufSA[%cs] at [%waveRow, 0] : !bufSA to !atomSA
            %vsa1_0 = lpgemm.view %bufSA[%cs] at [%waveRow1, 0] : !bufSA to !atomSA
            %vsb_0 = lpgemm.view %bufSB[%cs] at [%c0, 0] : !bufSB to !tileSB
            %sb_0 = lpgemm.read %vsb_0[%c0, %c0] {row_block = 128 : i64, row_unit = 128 : i64} : !tileSB to !cols
            %sa0_0 = lpgemm.read %vsa0_0[%c0, %c0] : !atomSA to !rows
            %p0_0, %t0_0 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va0_0, %vb_0, %q zero : !atomA, !tileB, !acc
            %q0_0 = lpgemm.wait %t0_0 for %p0_0 : !acc
            %n0_0 = lpgemm.promote %q0_0, %f0 sa(%sa0_0 : !rows) sb(%sb_0 : !cols) : !acc, !acc
            %sa1_0 = lpgemm.read %vsa1_0[%c0, %c0] : !atomSA to !rows
            %p1_0, %t1_0 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va1_0, %vb_0, %q0_0 zero : !atomA, !tileB, !acc
            %q1_0 = lpgemm.wait %t1_0 for %p1_0 : !acc
            lpgemm.pipe_release %pipe[%cs] : !pipe
            %n1_0 = lpgemm.promote %q1_0, %f1 sa(%sa1_0 : !rows) sb(%sb_0 : !cols) : !acc, !acc
            %s_0 = lpgemm.pipe_next %pipe[%cs] : !pipe
            lpgemm.pipe_await %pipe[%s_0] : !pipe
            %va0_1 = lpgemm.view %bufA[%s_0] at [%waveRow, 0] : !bufA to !atomA
            %va1_1 = lpgemm.view %bufA[%s_0] at [%waveRow1, 0] : !bufA to !atomA
            %vb_1 = lpgemm.view %bufB[%s_0] at [%c0, 0] : !bufB to !tileB
            %vsa0_1 = lpgemm.view %bufSA[%s_0] at [%waveRow, 0] : !bufSA to !atomSA
            %vsa1_1 = lpgemm.view %bufSA[%s_0] at [%waveRow1, 0] : !bufSA to !atomSA
            %vsb_1 = lpgemm.view %bufSB[%s_0] at [%c0, 0] : !bufSB to !tileSB
            %sb_1 = lpgemm.read %vsb_1[%c0, %c0] {row_block = 128 : i64, row_unit = 128 : i64} : !tileSB to !cols
            %sa0_1 = lpgemm.read %vsa0_1[%c0, %c0] : !atomSA to !rows
            %p0_1, %t0_1 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va0_1, %vb_1, %q1_0 zero : !atomA, !tileB, !acc
            %q0_1 = lpgemm.wait %t0_1 for %p0_1 : !acc
            %n0_1 = lpgemm.promote %q0_1, %n0_0 sa(%sa0_1 : !rows) sb(%sb_1 : !cols) : !acc, !acc
            %sa1_1 = lpgemm.read %vsa1_1[%c0, %c0] : !atomSA to !rows
            %p1_1, %t1_1 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va1_1, %vb_1, %q0_1 zero : !atomA, !tileB, !acc
            %q1_1 = lpgemm.wait %t1_1 for %p1_1 : !acc
            lpgemm.pipe_release %pipe[%s_0] : !pipe
            %n1_1 = lpgemm.promote %q1_1, %n1_0 sa(%sa1_1 : !rows) sb(%sb_1 : !cols) : !acc, !acc
            %s_1 = lpgemm.pipe_next %pipe[%s_0] : !pipe
            lpgemm.pipe_await %pipe[%s_1] : !pipe
            %va0_2 = lpgemm.view %bufA[%s_1] at [%waveRow, 0] : !bufA to !atomA
            %va1_2 = lpgemm.view %bufA[%s_1] at [%waveRow1, 0] : !bufA to !atomA
            %vb_2 = lpgemm.view %bufB[%s_1] at [%c0, 0] : !bufB to !tileB
            %vsa0_2 = lpgemm.view %bufSA[%s_1] at [%waveRow, 0] : !bufSA to !atomSA
            %vsa1_2 = lpgemm.view %bufSA[%s_1] at [%waveRow1, 0] : !bufSA to !atomSA
            %vsb_2 = lpgemm.view %bufSB[%s_1] at [%c0, 0] : !bufSB to !tileSB
            %sb_2 = lpgemm.read %vsb_2[%c0, %c0] {row_block = 128 : i64, row_unit = 128 : i64} : !tileSB to !cols
            %sa0_2 = lpgemm.read %vsa0_2[%c0, %c0] : !atomSA to !rows
            %p0_2, %t0_2 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va0_2, %vb_2, %q1_1 zero : !atomA, !tileB, !acc
            %q0_2 = lpgemm.wait %t0_2 for %p0_2 : !acc
            %n0_2 = lpgemm.promote %q0_2, %n0_1 sa(%sa0_2 : !rows) sb(%sb_2 : !cols) : !acc, !acc
            %sa1_2 = lpgemm.read %vsa1_2[%c0, %c0] : !atomSA to !rows
            %p1_2, %t1_2 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va1_2, %vb_2, %q0_2 zero : !atomA, !tileB, !acc
            %q1_2 = lpgemm.wait %t1_2 for %p1_2 : !acc
            lpgemm.pipe_release %pipe[%s_1] : !pipe
            %n1_2 = lpgemm.promote %q1_2, %n1_1 sa(%sa1_2 : !rows) sb(%sb_2 : !cols) : !acc, !acc
            %s_2 = lpgemm.pipe_next %pipe[%s_1] : !pipe
            lpgemm.pipe_await %pipe[%s_2] : !pipe
            %va0_3 = lpgemm.view %bufA[%s_2] at [%waveRow, 0] : !bufA to !atomA
            %va1_3 = lpgemm.view %bufA[%s_2] at [%waveRow1, 0] : !bufA to !atomA
            %vb_3 = lpgemm.view %bufB[%s_2] at [%c0, 0] : !bufB to !tileB
            %vsa0_3 = lpgemm.view %bufSA[%s_2] at [%waveRow, 0] : !bufSA to !atomSA
            %vsa1_3 = lpgemm.view %bufSA[%s_2] at [%waveRow1, 0] : !bufSA to !atomSA
            %vsb_3 = lpgemm.view %bufSB[%s_2] at [%c0, 0] : !bufSB to !tileSB
            %sb_3 = lpgemm.read %vsb_3[%c0, %c0] {row_block = 128 : i64, row_unit = 128 : i64} : !tileSB to !cols
            %sa0_3 = lpgemm.read %vsa0_3[%c0, %c0] : !atomSA to !rows
            %p0_3, %t0_3 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va0_3, %vb_3, %q1_2 zero : !atomA, !tileB, !acc
            %q0_3 = lpgemm.wait %t0_3 for %p0_3 : !acc
            %n0_3 = lpgemm.promote %q0_3, %n0_2 sa(%sa0_3 : !rows) sb(%sb_3 : !cols) : !acc, !acc
            %sa1_3 = lpgemm.read %vsa1_3[%c0, %c0] : !atomSA to !rows
            %p1_3, %t1_3 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va1_3, %vb_3, %q0_3 zero : !atomA, !tileB, !acc
            %q1_3 = lpgemm.wait %t1_3 for %p1_3 : !acc
            lpgemm.pipe_release %pipe[%s_2] : !pipe
            %n1_3 = lpgemm.promote %q1_3, %n1_2 sa(%sa1_3 : !rows) sb(%sb_3 : !cols) : !acc, !acc
            %s_3 = lpgemm.pipe_next %pipe[%s_2] : !pipe
            scf.yield %n0_3, %n1_3, %q1_3, %s_3 : !acc, !acc, !acc, !slot
          }
          %r:4 = scf.for %kk = %nkMain to %nk step %c1 iter_args(%f0 = %l#0, %f1 = %l#1, %q = %l#2, %cs = %l#3) -> (!acc, !acc, !acc, !slot) {
            lpgemm.pipe_await %pipe[%cs] : !pipe
            %va0_r = lpgemm.view %bufA[%cs] at [%waveRow, 0] : !bufA to !atomA
            %va1_r = lpgemm.view %bufA[%cs] at [%waveRow1, 0] : !bufA to !atomA
            %vb_r = lpgemm.view %bufB[%cs] at [%c0, 0] : !bufB to !tileB
            %vsa0_r = lpgemm.view %bufSA[%cs] at [%waveRow, 0] : !bufSA to !atomSA
            %vsa1_r = lpgemm.view %bufSA[%cs] at [%waveRow1, 0] : !bufSA to !atomSA
            %vsb_r = lpgemm.view %bufSB[%cs] at [%c0, 0] : !bufSB to !tileSB
            %sb_r = lpgemm.read %vsb_r[%c0, %c0] {row_block = 128 : i64, row_unit = 128 : i64} : !tileSB to !cols
            %sa0_r = lpgemm.read %vsa0_r[%c0, %c0] : !atomSA to !rows
            %p0_r, %t0_r = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va0_r, %vb_r, %q zero : !atomA, !tileB, !acc
            %q0_r = lpgemm.wait %t0_r for %p0_r : !acc
            %n0_r = lpgemm.promote %q0_r, %f0 sa(%sa0_r : !rows) sb(%sb_r : !cols) : !acc, !acc
            %sa1_r = lpgemm.read %vsa1_r[%c0, %c0] : !atomSA to !rows
            %p1_r, %t1_r = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va1_r, %vb_r, %q0_r zero : !atomA, !tileB, !acc
            %q1_r = lpgemm.wait %t1_r for %p1_r : !acc
            lpgemm.pipe_release %pipe[%cs] : !pipe
            %n1_r = lpgemm.promote %q1_r, %f1 sa(%sa1_r : !rows) sb(%sb_r : !cols) : !acc, !acc
            %s_r = lpgemm.pipe_next %pipe[%cs] : !pipe
            scf.yield %n0_r, %n1_r, %q1_r, %s_r : !acc, !acc, !acc, !slot
          }
          %o0 = lpgemm.apply %r#0 {
            ^bb0(%x: f32):
              %z = arith.truncf %x : f32 to bf16
              lpgemm.yield %z : bf16
          } : !acc -> !out
          %o1 = lpgemm.apply %r#1 {
            ^bb0(%x: f32):
              %z = arith.truncf %x : f32 to bf16
              lpgemm.yield %z : bf16
          } : !acc -> !out
          scf.if %okD {
            lpgemm.staged_store %o0, %d[%row, %col] at [%waveRow, %c0] through %stage map %map_d : !llvm.ptr : !out to !gd, !stage
            lpgemm.staged_store %o1, %d[%row, %col] at [%waveRow1, %c0] through %stage map %map_d : !llvm.ptr : !out to !gd, !stage
          } else {
            lpgemm.store %o0, %d[%row, %col] at [%waveRow, %c0] : !out to !gd
            lpgemm.store %o1, %d[%row, %col] at [%waveRow1, %c0] : !out to !gd
          }
          scf.yield %r#3 : !slot
        }
      }
      role load(%wave) waves(1) regs(40) {
        %s0 = lpgemm.pipe_start : !slot
        scf.if %ok {
          lpgemm.elect {
            %e = scf.for %t = %first to %tiles step %workers iter_args(%s = %s0) -> (!slot) {
              %tm = arith.remui %t, %tilesM : index
              %tn = arith.divui %t, %tilesM : index
              %row = arith.muli %tm, %c256 : index
              %col = arith.muli %tn, %c128 : index
              %f = scf.for %kk = %c0 to %nk step %c1 iter_args(%cs = %s) -> (!slot) {
                %k0 = arith.muli %kk, %c128 : index
                lpgemm.pipe_acquire %pipe[%cs] : !pipe
                %va = lpgemm.view %bufA[%cs] at [%c0, 0] : !bufA to !tileA
                %vb = lpgemm.view %bufB[%cs] at [%c0, 0] : !bufB to !tileB
                %vsa = lpgemm.view %bufSA[%cs] at [%c0, 0] : !bufSA to !tileSA
                %vsb = lpgemm.view %bufSB[%cs] at [%c0, 0] : !bufSB to !tileSB
                lpgemm.pipe_copy %a[%row, %k0] into %va tma signal %pipe[%cs] map %map_a : !llvm.ptr : !g8 to !tileA, !pipe
                lpgemm.pipe_copy %b[%col, %k0] into %vb tma signal %pipe[%cs] map %map_b : !llvm.ptr : !g8 to !tileB, !pipe
                lpgemm.pipe_copy %sa[%kk, %row] into %vsa tma signal %pipe[%cs] map %map_sa : !llvm.ptr transpose : !gs to !tileSA, !pipe
                lpgemm.pipe_copy %sb[%col, %kk] into %vsb threads signal %pipe[%cs] {row_block = 128 : i64} : !gs to !tileSB, !pipe
                lpgemm.pipe_commit %pipe[%cs] : !pipe
                %cs1 = lpgemm.pipe_next %pipe[%cs] : !pipe
                scf.yield %cs1 : !slot
              }
              scf.yield %f : !slot
            }
          }
        } else {
          %e = scf.for %t = %first to %tiles step %workers iter_args(%s = %s0) -> (!slot) {
            %tm = arith.remui %t, %tilesM : index
            %tn = arith.divui %t, %tilesM : index
            %row = arith.muli %tm, %c256 : index
            %col = arith.muli %tn, %c128 : index
            %f = scf.for %kk = %c0 to %nk step %c1 iter_args(%cs = %s) -> (!slot) {
              %k0 = arith.muli %kk, %c128 : index
              lpgemm.pipe_acquire %pipe[%cs] : !pipe
              %va = lpgemm.view %bufA[%cs] at [%c0, 0] : !bufA to !tileA
              %vb = lpgemm.view %bufB[%cs] at [%c0, 0] : !bufB to !tileB
              %vsa = lpgemm.view %bufSA[%cs] at [%c0, 0] : !bufSA to !tileSA
              %vsb = lpgemm.view %bufSB[%cs] at [%c0, 0] : !bufSB to !tileSB
              lpgemm.pipe_copy %a[%row, %k0] into %va threads signal %pipe[%cs] : !g8 to !tileA, !pipe
              lpgemm.pipe_copy %b[%col, %k0] into %vb threads signal %pipe[%cs] : !g8 to !tileB, !pipe
              lpgemm.pipe_copy %sa[%kk, %row] into %vsa threads signal %pipe[%cs] transpose : !gs to !tileSA, !pipe
              lpgemm.pipe_copy %sb[%col, %kk] into %vsb threads signal %pipe[%cs] {row_block = 128 : i64} : !gs to !tileSB, !pipe
              lpgemm.pipe_commit %pipe[%cs] : !pipe
              %cs1 = lpgemm.pipe_next %pipe[%cs] : !pipe
              scf.yield %cs1 : !slot
            }
            scf.yield %f : !slot
          }
        }
      }
    }
    gpu.return
  }
}
}
