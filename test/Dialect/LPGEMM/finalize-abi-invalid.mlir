// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --lpgemm-finalize-abi

// Each case is a kernel of one operand and one copy, or one store, of it.

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  // expected-error @+1 {{'gpu.func' op expects buffers and barriers of at most 232448 bytes of shared memory in a workgroup of sm_90a, but they take 262208}}
  gpu.func @too_large() kernel {
    %b = lpgemm.alloc : !lpgemm.buf<4x256x256xf8E4M3FN, shared>
    %p = lpgemm.pipe : !lpgemm.pipe<4>
    gpu.return
  }
}
}

// -----

#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @padded(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %b = lpgemm.alloc : !lpgemm.buf<128x128xf8E4M3FN, shared, <pad = 16, unit = 16, mask = 7, shift = 0>>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op expects a layout that the copy engine knows, without padding, with rows of 128, 64 or 32 bytes and unit, mask, shift of 16, 7, 0, of 16, 3, 1 or of 16, 1, 2, or with mask 0, but got '!lpgemm.buf<128x128xf8E4M3FN, shared, <pad = 16, unit = 16, mask = 7, shift = 0>>'}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, <pad = 16, unit = 16, mask = 7, shift = 0>>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @wide_rows(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %b = lpgemm.alloc : !lpgemm.buf<64x256xf8E4M3FN, shared, #sw>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op expects a layout that the copy engine knows, without padding, with rows of 128, 64 or 32 bytes and unit, mask, shift of 16, 7, 0, of 16, 3, 1 or of 16, 1, 2, or with mask 0, but got '!lpgemm.buf<64x256xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>'}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<64x256xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @row_block(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %b = lpgemm.alloc : !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op expects row_block to be 1 with engine tma, but got 128}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] {row_block = 128} : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @transposed(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %b = lpgemm.alloc : !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op expects a transposed tile with engine tma to have one column, but got '!lpgemm.buf<128x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>'}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] transpose : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @no_schedule(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %b = lpgemm.alloc : !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op needs attribute 'lpgemm.schedule' on its kernel for multicast}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] {multicast = 0} : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @parts(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}, lpgemm.schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, cluster = [1, 8]>} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %b = lpgemm.alloc : !lpgemm.buf<12x128xf8E4M3FN, shared, #sw>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op expects the rows of the tile (12) to be a multiple of the workgroups that share the copy (8)}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] {multicast = 1} : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<12x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

// The pattern of the swizzle starts anew after 8 rows.
#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @part_of_pattern(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}, lpgemm.schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, cluster = [1, 8]>} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %b = lpgemm.alloc : !lpgemm.buf<32x128xf8E4M3FN, shared, #sw>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op expects a tensor map to move a multiple of 1024 bytes into this layout, but got 512}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] {multicast = 1} : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<32x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @small(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %b = lpgemm.alloc : !lpgemm.buf<4x16xf8E4M3FN, shared>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op expects a tensor map to move a multiple of 128 bytes into this layout, but got 64}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<4x16xf8E4M3FN, shared>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @many_rows(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %b = lpgemm.alloc : !lpgemm.buf<512x64xf8E4M3FN, shared>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op expects a tensor map to move at most 256 rows and 256 columns, but got 512 x 64}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<512x64xf8E4M3FN, shared>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @narrow(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f32, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf32>
    %b = lpgemm.alloc : !lpgemm.buf<128x1xf32, shared>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op expects rows of a multiple of 16 bytes for a tensor map, but got 4}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] : !lpgemm.global<?x?xf32> to !lpgemm.buf<128x1xf32, shared>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @fp4(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f4E2M1FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf4E2M1FN>
    %b = lpgemm.alloc : !lpgemm.buf<128x128xf4E2M1FN, shared>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op expects elements of 8 bits, 'f16', 'bf16' or 'f32' for a tensor map, but got 'f4E2M1FN'}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] : !lpgemm.global<?x?xf4E2M1FN> to !lpgemm.buf<128x128xf4E2M1FN, shared>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @moved(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %q[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %b = lpgemm.alloc : !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op expects a matrix that is all of an operand of the kernel in attribute 'lpgemm.kernel': there is no tensor map of another one}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

// A kernel that does not say what its arguments are.
#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @by_hand(%a: !llvm.ptr, %lda: i64) kernel attributes {
      known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %b = lpgemm.alloc : !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    lpgemm.elect {
      // expected-error @+1 {{'lpgemm.pipe_copy' op expects a matrix that is all of an operand of the kernel in attribute 'lpgemm.kernel': there is no tensor map of another one}}
      lpgemm.pipe_copy %A[%c0, %c0] into %b tma signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
    }
    gpu.return
  }
}
}

// -----

#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @m {
  gpu.func @stage(%a: !llvm.ptr, %lda: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = bf16, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    %c0 = arith.constant 0 : index
    %q = llvm.getelementptr %a[%lda] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %a[%c0, %c0] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xbf16>
    %zero = arith.constant 0.0 : bf16
    %v = lpgemm.splat %zero : bf16 to !lpgemm.frag<64x64xbf16>
    %b = lpgemm.alloc : !lpgemm.buf<128x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    // expected-error @+1 {{'lpgemm.staged_store' op expects a layout that the copy engine knows, without padding, with rows of 128, 64 or 32 bytes and unit, mask, shift of 16, 7, 0, of 16, 3, 1 or of 16, 1, 2, or with mask 0, but got '!lpgemm.buf<128x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>'}}
    lpgemm.staged_store %v, %A[%c0, %c0] at [%c0, %c0] through %b : !lpgemm.frag<64x64xbf16> to !lpgemm.global<?x?xbf16>, !lpgemm.buf<128x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
    gpu.return
  }
}
}
