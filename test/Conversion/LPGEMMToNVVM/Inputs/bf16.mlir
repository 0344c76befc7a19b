// Tiles of 64 x 96 of one wave, two slots: D = rows * (A * B) + C + columns, and
// its largest magnitude.

!bufA = !lpgemm.buf<2x64x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!tileA = !lpgemm.buf<64x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!bufB = !lpgemm.buf<2x96x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!tileB = !lpgemm.buf<96x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!stage = !lpgemm.buf<128x32xf32, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!acc = !lpgemm.frag<64x96xf32, <wgmma_m64k16_f32_bf16, c>>
!out = !lpgemm.frag<64x96xf32, <wgmma_m64k16_f32_bf16, c>>
!row = !lpgemm.frag<64x1xf32, <wgmma_m64k16_f32_bf16, c_row>>
!col = !lpgemm.frag<96x1xbf16, <wgmma_m64k16_f32_bf16, c_col>>
!ga = !lpgemm.global<?x?xbf16>
!gb = !lpgemm.global<?x?xbf16>
!gd = !lpgemm.global<?x?xf32>
!gc = !lpgemm.global<?x?xf32>
!pipe = !lpgemm.pipe<2>
!slot = !lpgemm.slot

gpu.module @kernels attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @gemm(%pa: !llvm.ptr, %pb: !llvm.ptr, %pc: !llvm.ptr, %pr: !llvm.ptr, %pcol: !llvm.ptr, %pmax: !llvm.ptr, %pd: !llvm.ptr, %m32: i32, %n32: i32, %k32: i32, %map_a: !llvm.ptr, %map_b: !llvm.ptr, %map_d: !llvm.ptr) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.tensor_maps = array<i32: 10, 11, 12>,
                  lpgemm.schedule = #lpgemm.schedule<tile = [64, 96, 64], waves = [1, 1], instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>, stages = 2, roles = <load_regs = 40, mma_regs = 232>>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %cn = arith.constant 96 : index
    %ck = arith.constant 64 : index
    %m = arith.index_cast %m32 : i32 to index
    %n = arith.index_cast %n32 : i32 to index
    %k = arith.index_cast %k32 : i32 to index
    %k64 = arith.extsi %k32 : i32 to i64
    %n64 = arith.extsi %n32 : i32 to i64
    %one = arith.constant 1 : i64
    %zero64 = arith.constant 0 : i64
    %a = lpgemm.bind %pa[%m, %k] pitch %k64 : !llvm.ptr to !ga
    %b = lpgemm.bind %pb[%n, %k] pitch %k64 : !llvm.ptr to !gb
    %c = lpgemm.bind %pc[%m, %n] pitch %n64 : !llvm.ptr to !gc
    %r = lpgemm.bind %pr[%m, %c1] pitch %one : !llvm.ptr to !gc
    %bias = lpgemm.bind %pcol[%n, %c1] pitch %one : !llvm.ptr to !lpgemm.global<?xbf16>
    %max = lpgemm.bind %pmax[%c1, %c1] pitch %zero64 : !llvm.ptr to !lpgemm.global<f32>
    %d = lpgemm.bind %pd[%m, %n] pitch %n64 : !llvm.ptr to !gd
    %bufA = lpgemm.alloc {offset = 0 : i64} : !bufA
    %bufB = lpgemm.alloc {offset = 16384 : i64} : !bufB
    %stage = lpgemm.alloc {offset = 40960 : i64} : !stage
    %pipe = lpgemm.pipe {offset = 57344 : i64} : !pipe
    %ok = lpgemm.has_map %a, %b : !ga, !gb
    %okD = lpgemm.has_map %d : !gd
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row = arith.muli %bx, %c64 : index
    %colN = arith.muli %by, %cn : index
    %nk = arith.ceildivui %k, %ck : index
    lpgemm.roles {
      role mma(%wave) waves(1) regs(232) {
        %zero = arith.constant 0.0 : f32
        %acc0 = lpgemm.splat %zero : f32 to !acc
        %s0 = lpgemm.pipe_start : !slot
        %l:2 = scf.for %kk = %c0 to %nk step %c1 iter_args(%ca = %acc0, %cs = %s0) -> (!acc, !slot) {
          lpgemm.pipe_await %pipe[%cs] : !pipe
          %va = lpgemm.view %bufA[%cs] at [%c0, 0] : !bufA to !tileA
          %vb = lpgemm.view %bufB[%cs] at [%c0, 0] : !bufB to !tileB
          %d1, %t1 = lpgemm.async_mma <wgmma_m64k16_f32_bf16> %va, %vb, %ca : !tileA, !tileB, !acc
          %w = lpgemm.wait %t1 for %d1 : !acc
          lpgemm.pipe_release %pipe[%cs] : !pipe
          %cs1 = lpgemm.pipe_next %pipe[%cs] : !pipe
          scf.yield %w, %cs1 : !acc, !slot
        }
        %x = lpgemm.load %c[%row, %colN] at [%c0, %c0] : !gc to !acc
        %xr = lpgemm.load %r[%row, %c0] at [%c0, %c0] : !gc to !row
        %xc = lpgemm.load %bias[%colN, %c0] at [%c0, %c0] : !lpgemm.global<?xbf16> to !col
        %sum = lpgemm.apply %l#0, %x rows(%xr : !row) cols(%xc : !col) {
          ^bb0(%p: f32, %q: f32, %rr: f32, %cc: bf16):
            %c32 = arith.extf %cc : bf16 to f32
            %y0 = arith.mulf %p, %rr : f32
            %y1 = arith.addf %y0, %q : f32
            %y2 = arith.addf %y1, %c32 : f32
            lpgemm.yield %y2 : f32
        } : !acc, !acc -> !acc
        lpgemm.amax %sum, %max within %d[%row, %colN] at [%c0, %c0] : !acc, !lpgemm.global<f32>, !gd
        %o = lpgemm.apply %sum {
          ^bb0(%y: f32):
            lpgemm.yield %y : f32
        } : !acc -> !out
        scf.if %okD {
          lpgemm.staged_store %o, %d[%row, %colN] at [%c0, %c0] through %stage map %map_d : !llvm.ptr : !out to !gd, !stage
        } else {
          lpgemm.store %o, %d[%row, %colN] at [%c0, %c0] : !out to !gd
        }
      }
      role load(%wave) waves(1) regs(40) {
        %s0 = lpgemm.pipe_start : !slot
        scf.if %ok {
          lpgemm.elect {
            %f = scf.for %kk = %c0 to %nk step %c1 iter_args(%cs = %s0) -> (!slot) {
              %k0 = arith.muli %kk, %ck : index
              lpgemm.pipe_acquire %pipe[%cs] : !pipe
              %va = lpgemm.view %bufA[%cs] at [%c0, 0] : !bufA to !tileA
              %vb = lpgemm.view %bufB[%cs] at [%c0, 0] : !bufB to !tileB
              lpgemm.pipe_copy %a[%row, %k0] into %va tma signal %pipe[%cs] map %map_a : !llvm.ptr : !ga to !tileA, !pipe
              lpgemm.pipe_copy %b[%colN, %k0] into %vb tma signal %pipe[%cs] map %map_b : !llvm.ptr : !gb to !tileB, !pipe
              lpgemm.pipe_commit %pipe[%cs] : !pipe
              %cs1 = lpgemm.pipe_next %pipe[%cs] : !pipe
              scf.yield %cs1 : !slot
            }
          }
        } else {
          %f = scf.for %kk = %c0 to %nk step %c1 iter_args(%cs = %s0) -> (!slot) {
            %k0 = arith.muli %kk, %ck : index
            lpgemm.pipe_acquire %pipe[%cs] : !pipe
            %va = lpgemm.view %bufA[%cs] at [%c0, 0] : !bufA to !tileA
            %vb = lpgemm.view %bufB[%cs] at [%c0, 0] : !bufB to !tileB
            lpgemm.pipe_copy %a[%row, %k0] into %va threads signal %pipe[%cs] : !ga to !tileA, !pipe
            lpgemm.pipe_copy %b[%colN, %k0] into %vb threads signal %pipe[%cs] : !gb to !tileB, !pipe
            lpgemm.pipe_commit %pipe[%cs] : !pipe
            %cs1 = lpgemm.pipe_next %pipe[%cs] : !pipe
            scf.yield %cs1 : !slot
          }
        }
      }
    }
    gpu.return
  }
}
