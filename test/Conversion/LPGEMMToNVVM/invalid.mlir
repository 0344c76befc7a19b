// RUN: lpgemm-opt %s -split-input-file -verify-diagnostics --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-nvvm))"

gpu.module @no_target {
  // expected-error @+1 {{'gpu.func' op expects attribute 'lpgemm.target' on itself or an enclosing module}}
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %0 = lpgemm.pipe_start : !lpgemm.slot
    gpu.return
  }
}

// -----

gpu.module @other_chip attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  // expected-error @+1 {{'gpu.func' op expects a chip with nvvm ops, but got gfx950}}
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %0 = lpgemm.pipe_start : !lpgemm.slot
    gpu.return
  }
}

// -----

gpu.module @block_size attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  // expected-error @+1 {{'gpu.func' op expects 'known_block_size' with threads along x only}}
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 2, 1>} {
    %0 = lpgemm.pipe_start : !lpgemm.slot
    gpu.return
  }
}

// -----

gpu.module @threads attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'lpgemm.roles' op expects roles for the 128 threads of 'known_block_size', but got 384}}
    lpgemm.roles {
      role mma(%wave) waves(2) {
      }
      role load(%wave) waves(1) {
      }
    }
    gpu.return
  }
}

// -----

gpu.module @no_offset attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'lpgemm.alloc' op expects an offset in shared memory: run lpgemm-finalize-abi first}}
    %0 = lpgemm.alloc : !lpgemm.buf<2x64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
    gpu.return
  }
}

// -----

gpu.module @offset attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'lpgemm.alloc' op expects an offset that is a multiple of 1024, but got 512}}
    %0 = lpgemm.alloc {offset = 512 : i64} : !lpgemm.buf<2x64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
    gpu.return
  }
}

// -----

gpu.module @slots attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'lpgemm.alloc' op expects slots of a multiple of 1024 bytes, the period of the swizzle, but got '!lpgemm.buf<2x4x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>'}}
    %0 = lpgemm.alloc {offset = 0 : i64} : !lpgemm.buf<2x4x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
    gpu.return
  }
}

// -----

gpu.module @no_layout attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'lpgemm.alloc' op expects buffers with a layout, but got '!lpgemm.buf<2x64x128xf8E4M3FN, shared>'}}
    %0 = lpgemm.alloc {offset = 0 : i64} : !lpgemm.buf<2x64x128xf8E4M3FN, shared>
    gpu.return
  }
}

// -----

gpu.module @packed attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'lpgemm.alloc' op expects buffers of 8, 16 or 32 bits, but got '!lpgemm.buf<2x64x256xf4E2M1FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>'}}
    %0 = lpgemm.alloc {offset = 0 : i64} : !lpgemm.buf<2x64x256xf4E2M1FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
    gpu.return
  }
}

// -----

gpu.module @lanes attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f(%x: f32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'lpgemm.splat' op expects lanes of an instruction of sm_90a, but got '!lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>'}}
    %0 = lpgemm.splat %x : f32 to !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
    gpu.return
  }
}

// -----

gpu.module @no_release attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @+1 {{'lpgemm.pipe' op expects a role that releases its slots}}
    %pipe = lpgemm.pipe {offset = 0 : i64} : !lpgemm.pipe<2>
    gpu.return
  }
}

// -----

gpu.module @no_role attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pipe = lpgemm.pipe {offset = 0 : i64} : !lpgemm.pipe<2>
    %s = lpgemm.pipe_start : !lpgemm.slot
    // expected-error @+1 {{'lpgemm.pipe_release' op expects to be in a role (lpgemm.roles)}}
    lpgemm.pipe_release %pipe[%s] : !lpgemm.pipe<2>
    gpu.return
  }
}

// -----

gpu.module @elected_release attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %pipe = lpgemm.pipe {offset = 0 : i64} : !lpgemm.pipe<2>
    %s = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.roles {
      role mma(%wave) waves(1) {
        lpgemm.elect {
          // expected-error @+1 {{'lpgemm.pipe_release' op expects to be outside of lpgemm.elect: a lane arrives for its warp}}
          lpgemm.pipe_release %pipe[%s] : !lpgemm.pipe<2>
        }
      }
    }
    gpu.return
  }
}

// -----

!slots = !lpgemm.buf<2x64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!tile = !lpgemm.buf<64x64xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 3, shift = 0>>

gpu.module @layout attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f(%z: f32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %s = lpgemm.pipe_start : !lpgemm.slot
    %bufA = lpgemm.alloc {offset = 0 : i64} : !tile
    lpgemm.roles {
      role mma(%wave) waves(1) {
        %acc = lpgemm.splat %z : f32 to !lpgemm.frag<64x64xf32, <wgmma_m64k32_f32_fp8, c>>
        // expected-error @+1 {{'lpgemm.async_mma' op expects a in rows of 128 bytes with layout <pad = 0, unit = 16, mask = 7, shift = 0>, but got '!lpgemm.buf<64x64xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 3, shift = 0>>'}}
        %d, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %bufA, %bufA, %acc : !tile, !tile, !lpgemm.frag<64x64xf32, <wgmma_m64k32_f32_fp8, c>>
      }
    }
    gpu.return
  }
}

// -----

!tile = !lpgemm.buf<64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>

gpu.module @no_map attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f(%p: !llvm.ptr, %n: index, %pitch: i64) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %s = lpgemm.pipe_start : !lpgemm.slot
    %buf = lpgemm.alloc {offset = 0 : i64} : !tile
    %pipe = lpgemm.pipe {offset = 16384 : i64} : !lpgemm.pipe<2>
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    lpgemm.roles {
      role mma(%wave) waves(1) {
        lpgemm.elect {
          // expected-error @+1 {{'lpgemm.pipe_copy' op expects the tensor map of its source: run lpgemm-finalize-abi first}}
          lpgemm.pipe_copy %g[%c0, %c0] into %buf tma signal %pipe[%s] : !lpgemm.global<?x?xf8E4M3FN> to !tile, !lpgemm.pipe<2>
        }
        lpgemm.pipe_release %pipe[%s] : !lpgemm.pipe<2>
      }
    }
    gpu.return
  }
}

// -----

!tile = !lpgemm.buf<24x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>

gpu.module @multicast attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f(%p: !llvm.ptr, %n: index, %pitch: i64, %map: !llvm.ptr) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, lpgemm.schedule = #lpgemm.schedule<tile = [64, 24, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2, cluster = [2, 1]>} {
    %c0 = arith.constant 0 : index
    %s = lpgemm.pipe_start : !lpgemm.slot
    %buf = lpgemm.alloc {offset = 0 : i64} : !tile
    %pipe = lpgemm.pipe cluster {offset = 16384 : i64} : !lpgemm.pipe<2>
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    lpgemm.roles {
      role mma(%wave) waves(1) {
        lpgemm.elect {
          // expected-error @+1 {{'lpgemm.pipe_copy' op expects rows of a multiple of 16 for 2 workgroups that share the copy, but got '!lpgemm.buf<24x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>'}}
          lpgemm.pipe_copy %g[%c0, %c0] into %buf tma signal %pipe[%s] map %map : !llvm.ptr {multicast = 0 : i64} : !lpgemm.global<?x?xf8E4M3FN> to !tile, !lpgemm.pipe<2>
        }
        lpgemm.pipe_release %pipe[%s] : !lpgemm.pipe<2>
      }
    }
    gpu.return
  }
}

// -----

gpu.module @stage attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f(%p: !llvm.ptr, %n: index, %pitch: i64, %map: !llvm.ptr, %z: bf16) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %stage = lpgemm.alloc {offset = 0 : i64} : !lpgemm.buf<32x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xbf16>
    lpgemm.roles {
      role mma(%wave) waves(1) {
        %d = lpgemm.splat %z : bf16 to !lpgemm.frag<64x64xbf16, <wgmma_m64k32_f32_fp8, c>>
        // expected-error @+1 {{'lpgemm.staged_store' op expects a stage of a multiple of 16 rows for each of 4 warps, but got '!lpgemm.buf<32x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>'}}
        lpgemm.staged_store %d, %g[%c0, %c0] at [%c0, %c0] through %stage map %map : !llvm.ptr : !lpgemm.frag<64x64xbf16, <wgmma_m64k32_f32_fp8, c>> to !lpgemm.global<?x?xbf16>, !lpgemm.buf<32x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
      }
    }
    gpu.return
  }
}

// -----

gpu.module @stage_columns attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f(%p: !llvm.ptr, %n: index, %pitch: i64, %map: !llvm.ptr, %z: bf16) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %stage = lpgemm.alloc {offset = 0 : i64} : !lpgemm.buf<64x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xbf16>
    lpgemm.roles {
      role mma(%wave) waves(1) {
        %d = lpgemm.splat %z : bf16 to !lpgemm.frag<64x96xbf16, <wgmma_m64k32_f32_fp8, c>>
        // expected-error @+1 {{'lpgemm.staged_store' op expects a stage with columns that are a multiple of 16 and divide the 96 of the tile, but got '!lpgemm.buf<64x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>'}}
        lpgemm.staged_store %d, %g[%c0, %c0] at [%c0, %c0] through %stage map %map : !llvm.ptr : !lpgemm.frag<64x96xbf16, <wgmma_m64k32_f32_fp8, c>> to !lpgemm.global<?x?xbf16>, !lpgemm.buf<64x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
      }
    }
    gpu.return
  }
}

// -----

gpu.module @barrier attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    lpgemm.roles {
      role mma(%wave) waves(1) {
        // expected-error @+1 {{'lpgemm.barrier' op expects to be outside of roles (lpgemm.roles)}}
        lpgemm.barrier
      }
    }
    gpu.return
  }
}

// -----

!c = !lpgemm.frag<64x64xf32, <wgmma_m64k32_f32_fp8, c>>
!rows = !lpgemm.frag<64x1xf32, <wgmma_m64k32_f32_fp8, c_row>>
!buf = !lpgemm.buf<64x64xf32, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
!small = !lpgemm.buf<64x32xf32, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
gpu.module @reduce_unpromoted attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>,
      lpgemm.schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2, split_k = 2>} {
    %zero = arith.constant 0.0 : f32
    %buf = lpgemm.alloc {offset = 0 : i64} : !buf
    %small = lpgemm.alloc {offset = 0 : i64} : !small
    %p4 = lpgemm.pipe exchange {offset = 16384 : i64} : !lpgemm.pipe<4>
    %p2 = lpgemm.pipe exchange {offset = 16384 : i64} : !lpgemm.pipe<2>
    %c = lpgemm.splat %zero : f32 to !c
    %r = lpgemm.splat %zero : f32 to !rows
    lpgemm.roles {
      role mma(%wave) waves(1) {
        // expected-error @+1 {{'lpgemm.cluster_reduce' op expects a buffer and a pipe: run lpgemm-promote first}}
        %s:2 = lpgemm.cluster_reduce %c : (!c)
      }
    }
    gpu.return
  }
}

// -----

!c = !lpgemm.frag<64x64xf32, <wgmma_m64k32_f32_fp8, c>>
!rows = !lpgemm.frag<64x1xf32, <wgmma_m64k32_f32_fp8, c_row>>
!buf = !lpgemm.buf<64x64xf32, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
!small = !lpgemm.buf<64x32xf32, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
gpu.module @reduce_alone attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>,
      lpgemm.schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2>} {
    %zero = arith.constant 0.0 : f32
    %buf = lpgemm.alloc {offset = 0 : i64} : !buf
    %small = lpgemm.alloc {offset = 0 : i64} : !small
    %p4 = lpgemm.pipe exchange {offset = 16384 : i64} : !lpgemm.pipe<4>
    %p2 = lpgemm.pipe exchange {offset = 16384 : i64} : !lpgemm.pipe<2>
    %c = lpgemm.splat %zero : f32 to !c
    %r = lpgemm.splat %zero : f32 to !rows
    lpgemm.roles {
      role mma(%wave) waves(1) {
        // expected-error @+1 {{'lpgemm.cluster_reduce' op expects a kernel whose schedule has split_k > 1}}
        %s:2 = lpgemm.cluster_reduce %c through %buf signal %p4 : (!c), !buf, !lpgemm.pipe<4>
      }
    }
    gpu.return
  }
}

// -----

!c = !lpgemm.frag<64x64xf32, <wgmma_m64k32_f32_fp8, c>>
!rows = !lpgemm.frag<64x1xf32, <wgmma_m64k32_f32_fp8, c_row>>
!buf = !lpgemm.buf<64x64xf32, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
!small = !lpgemm.buf<64x32xf32, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
gpu.module @reduce_slots attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>,
      lpgemm.schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2, split_k = 2>} {
    %zero = arith.constant 0.0 : f32
    %buf = lpgemm.alloc {offset = 0 : i64} : !buf
    %small = lpgemm.alloc {offset = 0 : i64} : !small
    %p4 = lpgemm.pipe exchange {offset = 16384 : i64} : !lpgemm.pipe<4>
    %p2 = lpgemm.pipe exchange {offset = 16384 : i64} : !lpgemm.pipe<2>
    %c = lpgemm.splat %zero : f32 to !c
    %r = lpgemm.splat %zero : f32 to !rows
    lpgemm.roles {
      role mma(%wave) waves(1) {
        // expected-error @+1 {{'lpgemm.cluster_reduce' op expects lpgemm.pipe exchange with 4 slots, one for each warp, but got '!lpgemm.pipe<2>'}}
        %s:2 = lpgemm.cluster_reduce %c through %buf signal %p2 : (!c), !buf, !lpgemm.pipe<2>
      }
    }
    gpu.return
  }
}

// -----

!c = !lpgemm.frag<64x64xf32, <wgmma_m64k32_f32_fp8, c>>
!rows = !lpgemm.frag<64x1xf32, <wgmma_m64k32_f32_fp8, c_row>>
!buf = !lpgemm.buf<64x64xf32, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
!small = !lpgemm.buf<64x32xf32, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
gpu.module @reduce_rows attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>,
      lpgemm.schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2, split_k = 2>} {
    %zero = arith.constant 0.0 : f32
    %buf = lpgemm.alloc {offset = 0 : i64} : !buf
    %small = lpgemm.alloc {offset = 0 : i64} : !small
    %p4 = lpgemm.pipe exchange {offset = 16384 : i64} : !lpgemm.pipe<4>
    %p2 = lpgemm.pipe exchange {offset = 16384 : i64} : !lpgemm.pipe<2>
    %c = lpgemm.splat %zero : f32 to !c
    %r = lpgemm.splat %zero : f32 to !rows
    lpgemm.roles {
      role mma(%wave) waves(1) {
        // expected-error @+1 {{'lpgemm.cluster_reduce' op expects a tile in lanes #lpgemm.lanes<wgmma_m64k32_f32_fp8, c>, but got #lpgemm.lanes<wgmma_m64k32_f32_fp8, c_row>}}
        %s:2 = lpgemm.cluster_reduce %r through %buf signal %p4 : (!rows), !buf, !lpgemm.pipe<4>
      }
    }
    gpu.return
  }
}

// -----

!c = !lpgemm.frag<64x64xf32, <wgmma_m64k32_f32_fp8, c>>
!rows = !lpgemm.frag<64x1xf32, <wgmma_m64k32_f32_fp8, c_row>>
!buf = !lpgemm.buf<64x64xf32, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
!small = !lpgemm.buf<64x32xf32, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
gpu.module @reduce_room attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>,
      lpgemm.schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2, split_k = 2>} {
    %zero = arith.constant 0.0 : f32
    %buf = lpgemm.alloc {offset = 0 : i64} : !buf
    %small = lpgemm.alloc {offset = 0 : i64} : !small
    %p4 = lpgemm.pipe exchange {offset = 16384 : i64} : !lpgemm.pipe<4>
    %p2 = lpgemm.pipe exchange {offset = 16384 : i64} : !lpgemm.pipe<2>
    %c = lpgemm.splat %zero : f32 to !c
    %r = lpgemm.splat %zero : f32 to !rows
    lpgemm.roles {
      role mma(%wave) waves(1) {
        // expected-error @+1 {{'lpgemm.cluster_reduce' op expects a buffer of at least 4096 elements, the tiles of all waves, but got '!lpgemm.buf<64x32xf32, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>'}}
        %s:2 = lpgemm.cluster_reduce %c through %small signal %p4 : (!c), !small, !lpgemm.pipe<4>
      }
    }
    gpu.return
  }
}
