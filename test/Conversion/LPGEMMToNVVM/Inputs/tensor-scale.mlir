// D = scale * A * B of a tensor scale: 128 x 256 tiles of two waves, four slots,
// clusters of two workgroups along M that share B. Arguments are those of a
// kernel after lpgemm-finalize-abi.

!sw8 = !lpgemm.buf<128x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!bufA = !lpgemm.buf<4x128x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!bufB = !lpgemm.buf<4x256x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!tileB = !lpgemm.buf<256x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!waveA = !lpgemm.buf<64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!stage = !lpgemm.buf<256x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!acc = !lpgemm.frag<64x256xf32, <wgmma_m64k32_f32_fp8, c>>
!out = !lpgemm.frag<64x256xbf16, <wgmma_m64k32_f32_fp8, c>>
!g8 = !lpgemm.global<?x?xf8E4M3FN>
!gd = !lpgemm.global<?x?xbf16>
!pipe = !lpgemm.pipe<4>
!slot = !lpgemm.slot

module attributes {gpu.container_module} {
gpu.module @kernels attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @gemm(%pa: !llvm.ptr, %pb: !llvm.ptr, %pd: !llvm.ptr, %scale: f32, %m32: i32, %n32: i32, %k32: i32, %map_a: !llvm.ptr, %map_b: !llvm.ptr, %map_d: !llvm.ptr) kernel
      attributes {known_block_size = array<i32: 384, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>, lpgemm.tensor_maps = array<i32: 7, 8, 9>,
                  lpgemm.schedule = #lpgemm.schedule<tile = [128, 256, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 1], raster = 8, persistent = true>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %m = arith.index_cast %m32 : i32 to index
    %n = arith.index_cast %n32 : i32 to index
    %k = arith.index_cast %k32 : i32 to index
    %k64 = arith.extsi %k32 : i32 to i64
    %n64 = arith.extsi %n32 : i32 to i64
    %a = lpgemm.bind %pa[%m, %k] pitch %k64 : !llvm.ptr to !g8
    %b = lpgemm.bind %pb[%n, %k] pitch %k64 : !llvm.ptr to !g8
    %d = lpgemm.bind %pd[%m, %n] pitch %n64 : !llvm.ptr to !gd
    %bufA = lpgemm.alloc {offset = 0 : i64} : !bufA
    %bufB = lpgemm.alloc {offset = 65536 : i64} : !bufB
    %stage = lpgemm.alloc {offset = 196608 : i64} : !stage
    %pipe = lpgemm.pipe cluster {offset = 229376 : i64} : !pipe
    %ok = lpgemm.has_map %a, %b : !g8, !g8
    %okD = lpgemm.has_map %d : !gd
    %block = gpu.block_id x
    %blocks = gpu.grid_dim x
    %rank = gpu.cluster_block_id x
    %first = arith.divui %block, %c2 : index
    %workers = arith.divui %blocks, %c2 : index
    %tilesM = arith.ceildivui %m, %c256 : index
    %tilesN = arith.ceildivui %n, %c256 : index
    %tiles = arith.muli %tilesM, %tilesN : index
    %nk = arith.ceildivui %k, %c128 : index
    lpgemm.roles {
      role mma(%wave) waves(2) regs(232) {
        %zero = arith.constant 0.0 : f32
        %acc0 = lpgemm.splat %zero : f32 to !acc
        %s0 = lpgemm.pipe_start : !slot
        %waveRow = arith.muli %wave, %c64 : index
        %e = scf.for %t = %first to %tiles step %workers iter_args(%s = %s0) -> (!slot) {
          %tm = arith.remui %t, %tilesM : index
          %tn = arith.divui %t, %tilesM : index
          %tm2 = arith.muli %tm, %c2 : index
          %tmr = arith.addi %tm2, %rank : index
          %row = arith.muli %tmr, %c128 : index
          %col = arith.muli %tn, %c256 : index
          %any = arith.cmpi sgt, %nk, %c0 : index
          %r:2 = scf.if %any -> (!acc, !slot) {
            lpgemm.pipe_await %pipe[%s] : !pipe
            %va = lpgemm.view %bufA[%s] at [%waveRow, 0] : !bufA to !waveA
            %vb = lpgemm.view %bufB[%s] at [%c0, 0] : !bufB to !tileB
            %d0, %t0 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va, %vb, %acc0 zero : !waveA, !tileB, !acc
            %s1 = lpgemm.pipe_next %pipe[%s] : !pipe
            %l:4 = scf.for %kk = %c1 to %nk step %c1 iter_args(%ca = %d0, %ct = %t0, %cs = %s1, %cp = %s) -> (!acc, !lpgemm.token, !slot, !slot) {
              lpgemm.pipe_await %pipe[%cs] : !pipe
              %va1 = lpgemm.view %bufA[%cs] at [%waveRow, 0] : !bufA to !waveA
              %vb1 = lpgemm.view %bufB[%cs] at [%c0, 0] : !bufB to !tileB
              %d1, %t1 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va1, %vb1, %ca : !waveA, !tileB, !acc
              lpgemm.wait %ct
              lpgemm.pipe_release %pipe[%cp] : !pipe
              %cs1 = lpgemm.pipe_next %pipe[%cs] : !pipe
              scf.yield %d1, %t1, %cs1, %cs : !acc, !lpgemm.token, !slot, !slot
            }
            %whole = lpgemm.wait %l#1 for %l#0 : !acc
            lpgemm.pipe_release %pipe[%l#3] : !pipe
            scf.yield %whole, %l#2 : !acc, !slot
          } else {
            scf.yield %acc0, %s : !acc, !slot
          }
          %o = lpgemm.apply %r#0 {
            ^bb0(%x: f32):
              %y = arith.mulf %x, %scale : f32
              %z = arith.truncf %y : f32 to bf16
              lpgemm.yield %z : bf16
          } : !acc -> !out
          scf.if %okD {
            lpgemm.staged_store %o, %d[%row, %col] at [%waveRow, %c0] through %stage map %map_d : !llvm.ptr : !out to !gd, !stage
          } else {
            lpgemm.store %o, %d[%row, %col] at [%waveRow, %c0] : !out to !gd
          }
          scf.yield %r#1 : !slot
        }
      }
      role load(%wave) waves(1) regs(40) {
        %s0 = lpgemm.pipe_start : !slot
        scf.if %ok {
          lpgemm.elect {
            %e = scf.for %t = %first to %tiles step %workers iter_args(%s = %s0) -> (!slot) {
              %tm = arith.remui %t, %tilesM : index
              %tn = arith.divui %t, %tilesM : index
              %tm2 = arith.muli %tm, %c2 : index
              %tmr = arith.addi %tm2, %rank : index
              %row = arith.muli %tmr, %c128 : index
              %col = arith.muli %tn, %c256 : index
              %f = scf.for %kk = %c0 to %nk step %c1 iter_args(%cs = %s) -> (!slot) {
                %k0 = arith.muli %kk, %c128 : index
                lpgemm.pipe_acquire %pipe[%cs] : !pipe
                %va = lpgemm.view %bufA[%cs] at [%c0, 0] : !bufA to !sw8
                %vb = lpgemm.view %bufB[%cs] at [%c0, 0] : !bufB to !tileB
                lpgemm.pipe_copy %a[%row, %k0] into %va tma signal %pipe[%cs] map %map_a : !llvm.ptr : !g8 to !sw8, !pipe
                lpgemm.pipe_copy %b[%col, %k0] into %vb tma signal %pipe[%cs] map %map_b : !llvm.ptr {multicast = 0 : i64} : !g8 to !tileB, !pipe
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
            %tm2 = arith.muli %tm, %c2 : index
            %tmr = arith.addi %tm2, %rank : index
            %row = arith.muli %tmr, %c128 : index
            %col = arith.muli %tn, %c256 : index
            %f = scf.for %kk = %c0 to %nk step %c1 iter_args(%cs = %s) -> (!slot) {
              %k0 = arith.muli %kk, %c128 : index
              lpgemm.pipe_acquire %pipe[%cs] : !pipe
              %va = lpgemm.view %bufA[%cs] at [%c0, 0] : !bufA to !sw8
              %vb = lpgemm.view %bufB[%cs] at [%c0, 0] : !bufB to !tileB
              lpgemm.pipe_copy %a[%row, %k0] into %va threads signal %pipe[%cs] : !g8 to !sw8, !pipe
              lpgemm.pipe_copy %b[%col, %k0] into %vb threads signal %pipe[%cs] : !g8 to !tileB, !pipe
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
