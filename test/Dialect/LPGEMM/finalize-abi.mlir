// RUN: lpgemm-opt %s --split-input-file --lpgemm-finalize-abi | FileCheck %s
// The pass does nothing the second time.
// RUN: lpgemm-opt %s --split-input-file --lpgemm-finalize-abi > %t.once
// RUN: lpgemm-opt %s --split-input-file --lpgemm-finalize-abi --lpgemm-finalize-abi | diff %t.once -

#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3,
  roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 1]>

// One map for each operand, box and swizzle: that of rhs serves two copies.
// With multicast each of the two workgroups copies half of the rows.

// CHECK-LABEL: gpu.func @maps(
// CHECK-SAME: %[[LHS:[a-z0-9]+]]: !llvm.ptr, %[[RHS:[a-z0-9]+]]: !llvm.ptr, %[[SA:[a-z0-9]+]]: !llvm.ptr, %[[INIT:[a-z0-9]+]]: !llvm.ptr,
// CHECK-SAME: %[[LDD:[a-z0-9]+]]: i64, %[[MAP_A:[a-z0-9]+]]: !llvm.ptr, %[[MAP_B:[a-z0-9]+]]: !llvm.ptr, %[[MAP_SA:[a-z0-9]+]]: !llvm.ptr, %[[MAP_D:[a-z0-9]+]]: !llvm.ptr) kernel attributes {
// What is not swizzled comes behind, barriers last, 16 bytes a slot:
// A 3 * 16 KiB, B the same, D 16 KiB from 98304; scales 3 * 512 from 114688.
// CHECK-SAME: lpgemm.dynamic_shared_memory = 116272 : i64,
// CHECK-SAME: lpgemm.kernel = {arguments = [
// CHECK-SAME: {box = array<i64: 128, 128>, swizzle = 128 : i64, tensor_map = "lhs"},
// CHECK-SAME: {box = array<i64: 128, 64>, swizzle = 128 : i64, tensor_map = "rhs"},
// CHECK-SAME: {box = array<i64: 128, 1>, swizzle = 0 : i64, tensor_map = "lhs_scale"},
// CHECK-SAME: {box = array<i64: 64, 64>, swizzle = 128 : i64, tensor_map = "init"}],
// CHECK-SAME: lpgemm.tensor_maps = array<i32: 11, 12, 13, 14>}
// CHECK: lpgemm.alloc {offset = 114688 : i64} : <3x128x1xf32, shared>
// CHECK: lpgemm.alloc {offset = 0 : i64} : <3x128x128xf8E4M3FN
// CHECK: lpgemm.alloc {offset = 49152 : i64} : <3x128x128xf8E4M3FN
// CHECK: lpgemm.alloc {offset = 98304 : i64} : <128x64xbf16
// CHECK: lpgemm.pipe cluster {offset = 116224 : i64}
// CHECK: lpgemm.pipe_copy {{.*}} map %[[MAP_A]] : !llvm.ptr
// CHECK: lpgemm.pipe_copy {{.*}} map %[[MAP_B]] : !llvm.ptr {multicast = 0 : i64}
// CHECK: lpgemm.pipe_copy {{.*}} map %[[MAP_B]] : !llvm.ptr {multicast = 0 : i64}
// CHECK: lpgemm.pipe_copy {{.*}} map %[[MAP_SA]] : !llvm.ptr transpose
// CHECK: lpgemm.pipe_copy {{.*}} threads signal
// CHECK-NOT: map
// CHECK: lpgemm.staged_store {{.*}} map %[[MAP_D]] : !llvm.ptr

// The launch: extents and pitches of each matrix as it lies in memory.

// CHECK-LABEL: func.func @launch(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !llvm.ptr, %[[B:[a-z0-9]+]]: !llvm.ptr, %[[S:[a-z0-9]+]]: !llvm.ptr, %[[D:[a-z0-9]+]]: !llvm.ptr, %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32, %[[K:[a-z0-9]+]]: i32, %[[LDA:[a-z0-9]+]]: i64, %[[LDB:[a-z0-9]+]]: i64, %[[LDS:[a-z0-9]+]]: i64, %[[LDD:[a-z0-9]+]]: i64)
// CHECK: %[[SLOT_D:.*]] = llvm.alloca %{{.*}} x !llvm.array<128 x i8> {alignment = 64 : i64}
// CHECK: %[[SLOT_S:.*]] = llvm.alloca
// CHECK: %[[SLOT_B:.*]] = llvm.alloca
// CHECK: %[[SLOT_A:.*]] = llvm.alloca
// CHECK: %[[BYTES:.*]] = arith.constant 116272 : i32
// CHECK-DAG: %[[MI:.*]] = arith.index_castui %[[M]] : i32 to index
// CHECK-DAG: %[[NI:.*]] = arith.index_castui %[[N]] : i32 to index
// CHECK-DAG: %[[KI:.*]] = arith.index_castui %[[K]] : i32 to index
// CHECK: %[[PITCH:.*]] = arith.muli %[[LDA]], %c1_i64
// CHECK: %[[COLS:.*]] = arith.index_cast %[[KI]] : index to i64
// CHECK: %[[ROWS:.*]] = arith.index_cast %[[MI]] : index to i64
// CHECK: %[[CODE:.*]] = {{.*}}call @lpgemmEncodeTensorMap(%[[SLOT_A]], %[[A]], %c0_i32{{.*}}, %[[COLS]], %[[ROWS]], %[[PITCH]], %c128_i32, %c128_i32{{.*}}, %c128_i32{{.*}}) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i32, i32, i32) -> i32
// CHECK: %[[OK:.*]] = arith.cmpi eq, %[[CODE]], %c0_i32
// CHECK: cf.assert %[[OK]], "lpgemm.matmul: the tensor map of lhs cannot be encoded"
// CHECK: call @lpgemmEncodeTensorMap(%[[SLOT_B]], %[[B]], {{.*}}, %c128_i32{{.*}}, %c64_i32{{.*}}, %c128_i32{{.*}})
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[KI]], %c128
// CHECK: %[[PITCH:.*]] = arith.muli %[[LDS]], %c4_i64
// CHECK: %[[COLS:.*]] = arith.index_cast %[[MI]]
// CHECK: %[[ROWS:.*]] = arith.index_cast %[[BLOCKS]]
// CHECK: call @lpgemmEncodeTensorMap(%[[SLOT_S]], %[[S]], %c7_i32, %[[COLS]], %[[ROWS]], %[[PITCH]], %c128_i32{{.*}}, %c1_i32{{.*}}, %c0_i32{{.*}})
// CHECK: %[[PITCH:.*]] = arith.muli %[[LDD]], %c2_i64
// CHECK: call @lpgemmEncodeTensorMap(%[[SLOT_D]], %[[D]], %c9_i32, {{.*}}, %c64_i32{{.*}}, %c64_i32{{.*}}, %c128_i32{{.*}})
// CHECK: gpu.launch_func @kernels::@maps
// CHECK-SAME: dynamic_shared_memory_size %[[BYTES]]
// CHECK-SAME: %[[LDD]] : i64, %[[SLOT_A]] : !llvm.ptr, %[[SLOT_B]] : !llvm.ptr, %[[SLOT_S]] : !llvm.ptr, %[[SLOT_D]] : !llvm.ptr)
// CHECK: func.func private @lpgemmEncodeTensorMap(!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i32, i32, i32) -> i32
#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {gpu.container_module, lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @kernels {
  gpu.func @maps(%a: !llvm.ptr, %b: !llvm.ptr, %s: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32,
                 %lda: i64, %ldb: i64, %lds: i64, %ldd: i64) kernel attributes {
      lpgemm.schedule = #schedule,
      lpgemm.kernel = {op = "lpgemm.matmul", function = "launch", extents = ["M", "N", "K"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n, k) -> (m, k)>},
        {address = "rhs", element = f8E4M3FN, shape = affine_map<(m, n, k) -> (n, k)>},
        {address = "lhs_scale", element = f32, scale = #lpgemm.scale<1x128, layout = mn_tma>, shape = affine_map<(m, n, k) -> (k ceildiv 128, m)>},
        {address = "init", element = bf16, shape = affine_map<(m, n, k) -> (m, n)>, written},
        {extent = "M", at_most = 2147418112 : i64}, {extent = "N", at_most = 2147418112 : i64}, {extent = "K", at_most = 2147418112 : i64},
        {pitch = "lhs", at_most = 1000 : i64}, {pitch = "rhs", at_most = 1000 : i64}, {pitch = "lhs_scale", at_most = 1000 : i64}, {pitch = "init", at_most = 1000 : i64}],
        cluster = 2 : i64, max_workgroups = 1000 : i64, tiles = affine_map<(m, n, k) -> (m ceildiv 256 * 2, n ceildiv 128)>}} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %A = lpgemm.bind %a[%one, %one] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %B = lpgemm.bind %b[%one, %one] pitch %ldb : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %S = lpgemm.bind %s[%one, %one] pitch %lds : !llvm.ptr to !lpgemm.global<?x?xf32>
    %D = lpgemm.bind %d[%one, %one] pitch %ldd : !llvm.ptr to !lpgemm.global<?x?xbf16>
    %bs = lpgemm.alloc : !lpgemm.buf<3x128x1xf32, shared>
    %ba = lpgemm.alloc : !lpgemm.buf<3x128x128xf8E4M3FN, shared, #sw>
    %bb = lpgemm.alloc : !lpgemm.buf<3x128x128xf8E4M3FN, shared, #sw>
    %stage = lpgemm.alloc : !lpgemm.buf<128x64xbf16, shared, #sw>
    %p = lpgemm.pipe cluster : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    %va = lpgemm.view %ba[%t] at [%c0, 0] : !lpgemm.buf<3x128x128xf8E4M3FN, shared, #sw> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>
    %vb = lpgemm.view %bb[%t] at [%c0, 0] : !lpgemm.buf<3x128x128xf8E4M3FN, shared, #sw> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>
    %vs = lpgemm.view %bs[%t] at [%c0, 0] : !lpgemm.buf<3x128x1xf32, shared> to !lpgemm.buf<128x1xf32, shared>
    lpgemm.elect {
      lpgemm.pipe_copy %A[%c0, %c0] into %va tma signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
      lpgemm.pipe_copy %B[%c0, %c0] into %vb tma signal %p[%t] {multicast = 0} : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
      lpgemm.pipe_copy %B[%one, %c0] into %vb tma signal %p[%t] {multicast = 0} : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
      lpgemm.pipe_copy %S[%c0, %c0] into %vs tma signal %p[%t] transpose : !lpgemm.global<?x?xf32> to !lpgemm.buf<128x1xf32, shared>, !lpgemm.pipe<3>
      lpgemm.pipe_copy %A[%c0, %c0] into %va threads signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
    }
    %zero = arith.constant 0.0 : bf16
    %v = lpgemm.splat %zero : bf16 to !lpgemm.frag<64x128xbf16>
    lpgemm.staged_store %v, %D[%c0, %c0] at [%c0, %c0] through %stage : !lpgemm.frag<64x128xbf16> to !lpgemm.global<?x?xbf16>, !lpgemm.buf<128x64xbf16, shared, #sw>
    gpu.return
  }
}
func.func @launch(%a: !llvm.ptr, %b: !llvm.ptr, %s: !llvm.ptr, %d: !llvm.ptr, %m: i32, %n: i32, %k: i32,
                  %lda: i64, %ldb: i64, %lds: i64, %ldd: i64) {
  %one = arith.constant 1 : index
  gpu.launch_func @kernels::@maps blocks in (%one, %one, %one) threads in (%one, %one, %one)
    args(%a : !llvm.ptr, %b : !llvm.ptr, %s : !llvm.ptr, %d : !llvm.ptr, %m : i32, %n : i32, %k : i32,
         %lda : i64, %ldb : i64, %lds : i64, %ldd : i64)
  return
}
}

// -----

// An operand with one dimension of the batch, whose matrix starts where the kernel
// says: the map is of all entries, and copies say which. The test is also about
// the way from one to the next. Another operand of the kernel is a matrix.

// CHECK-LABEL: gpu.func @batch(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr, %[[E:[a-z0-9]+]]: i32, %[[M:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32,
// CHECK-SAME: %[[STRIDE:[a-z0-9]+]]: i64, %[[MAP_A:[a-z0-9]+]]: !llvm.ptr, %[[MAP_B:[a-z0-9]+]]: !llvm.ptr) kernel
// CHECK-SAME: {box = array<i64: 128, 128>, swizzle = 128 : i64, tensor_map = "lhs"}, {box = array<i64: 128, 128>, swizzle = 128 : i64, tensor_map = "rhs"}]
// CHECK-SAME: lpgemm.tensor_maps = array<i32: 8, 9>
// CHECK: %[[COUNT:.*]] = arith.index_cast %[[E]]
// CHECK: %[[ROWS:.*]] = arith.index_cast %[[M]]
// CHECK: %[[COLS:.*]] = arith.index_cast %[[N]]
// CHECK: %[[ENTRIES:.*]] = lpgemm.bind %[[A]][%[[COUNT]], %c1] pitch %[[STRIDE]] : !llvm.ptr to <?x?xf8E4M3FN>
// CHECK: %[[ID:.*]] = gpu.block_id x
// CHECK: %[[OF_ROWS:.*]] = arith.divui %[[ID]], %[[ROWS]]
// CHECK: %[[ENTRY:.*]] = arith.divui %[[OF_ROWS]], %[[COLS]]
// CHECK: %[[HAS:.*]] = lpgemm.has_map %[[B:[0-9]+]], %{{[0-9]+}}, %[[ENTRIES]] :
// CHECK: scf.if %[[HAS]]
// CHECK: lpgemm.pipe_copy {{.*}} tma {{.*}} map %[[MAP_A]] : !llvm.ptr entry %[[ENTRY]] :
// CHECK: lpgemm.pipe_copy {{.*}} threads
// CHECK: %[[HAS:.*]] = lpgemm.has_map %[[B]] : !lpgemm.global<?x?xf8E4M3FN>
// CHECK: scf.if %[[HAS]]
// CHECK: lpgemm.pipe_copy {{.*}} tma {{.*}} map %[[MAP_B]] : !llvm.ptr :
// CHECK-LABEL: func.func @launch(
// CHECK: call @lpgemmEncodeBatchTensorMap(%{{.*}}, %arg0, %c0_i32{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %c128_i32{{.*}}, %c128_i32{{.*}}, %c128_i32{{.*}}) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i64, i64, i32, i32, i32) -> i32
// CHECK: call @lpgemmEncodeTensorMap(
#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {gpu.container_module, lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @kernels {
  gpu.func @batch(%a: !llvm.ptr, %b: !llvm.ptr, %e: i32, %m: i32, %n: i32,
                  %lda: i64, %ldb: i64, %stride: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "launch", extents = ["batch_0", "M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(b, m, n) -> (b, m, n)>},
        {address = "rhs", element = f8E4M3FN, shape = affine_map<(b, m, n) -> (n, m)>},
        {extent = "batch_0", at_most = 2147418112 : i64}, {extent = "M", at_most = 2147418112 : i64}, {extent = "N", at_most = 2147418112 : i64},
        {pitch = "lhs", at_most = 1000 : i64}, {pitch = "rhs", at_most = 1000 : i64}, {stride = "lhs", batch_dim = 0 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(b, m, n) -> (b, m, n)>}} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %entry = llvm.getelementptr %a[%stride] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %entry[%one, %one] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %B = lpgemm.bind %b[%one, %one] pitch %ldb : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %ba = lpgemm.alloc : !lpgemm.buf<3x128x128xf8E4M3FN, shared, #sw>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    %va = lpgemm.view %ba[%t] at [%c0, 0] : !lpgemm.buf<3x128x128xf8E4M3FN, shared, #sw> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>
    %has = lpgemm.has_map %B, %A : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>
    scf.if %has {
      lpgemm.elect {
        lpgemm.pipe_copy %A[%c0, %c0] into %va tma signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
      }
    } else {
      lpgemm.pipe_copy %A[%c0, %c0] into %va threads signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
    }
    %hasB = lpgemm.has_map %B : !lpgemm.global<?x?xf8E4M3FN>
    scf.if %hasB {
      lpgemm.elect {
        lpgemm.pipe_copy %B[%c0, %c0] into %va tma signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
      }
    }
    gpu.return
  }
}
func.func @launch(%a: !llvm.ptr, %b: !llvm.ptr, %e: i32, %m: i32, %n: i32,
                  %lda: i64, %ldb: i64, %stride: i64) {
  %one = arith.constant 1 : index
  gpu.launch_func @kernels::@batch blocks in (%one, %one, %one) threads in (%one, %one, %one)
    args(%a : !llvm.ptr, %b : !llvm.ptr, %e : i32, %m : i32, %n : i32, %lda : i64, %ldb : i64, %stride : i64)
  return
}
}

// -----

// Of an operand with several there is no map, and nothing is left that wants one.

// CHECK-LABEL: gpu.func @batches(
// CHECK-SAME: %[[MAP:[a-z0-9]+]]: !llvm.ptr) kernel
// CHECK-SAME: {box = array<i64: 128, 128>, swizzle = 128 : i64, tensor_map = "rhs"}]
// CHECK-SAME: lpgemm.tensor_maps = array<i32: 10>
// CHECK-NOT: lpgemm.has_map
// CHECK-NOT: scf.if
// CHECK: lpgemm.pipe_copy {{.*}} threads
// CHECK: %[[HAS:.*]] = lpgemm.has_map %{{[0-9]+}} : !lpgemm.global<?x?xf8E4M3FN>
// CHECK: scf.if %[[HAS]]
// CHECK: lpgemm.pipe_copy {{.*}} tma {{.*}} map %[[MAP]]
#sw = #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 0>
module attributes {gpu.container_module, lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.module @kernels {
  gpu.func @batches(%a: !llvm.ptr, %b: !llvm.ptr, %e: i32, %f: i32, %m: i32, %n: i32,
                  %lda: i64, %ldb: i64, %stride: i64, %other: i64) kernel attributes {
      lpgemm.kernel = {op = "lpgemm.matmul", function = "launch", extents = ["batch_0", "batch_1", "M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(b, c, m, n) -> (b, c, m, n)>},
        {address = "rhs", element = f8E4M3FN, shape = affine_map<(b, c, m, n) -> (n, m)>},
        {extent = "batch_0", at_most = 2147418112 : i64}, {extent = "batch_1", at_most = 2147418112 : i64}, {extent = "M", at_most = 2147418112 : i64}, {extent = "N", at_most = 2147418112 : i64},
        {pitch = "lhs", at_most = 1000 : i64}, {pitch = "rhs", at_most = 1000 : i64}, {stride = "lhs", batch_dim = 0 : i64}, {stride = "lhs", batch_dim = 1 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(b, c, m, n) -> (b, c, m, n)>}} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %entry = llvm.getelementptr %a[%stride] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %A = lpgemm.bind %entry[%one, %one] pitch %lda : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %B = lpgemm.bind %b[%one, %one] pitch %ldb : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    %ba = lpgemm.alloc : !lpgemm.buf<3x128x128xf8E4M3FN, shared, #sw>
    %p = lpgemm.pipe : !lpgemm.pipe<3>
    %t = lpgemm.pipe_start : !lpgemm.slot
    %va = lpgemm.view %ba[%t] at [%c0, 0] : !lpgemm.buf<3x128x128xf8E4M3FN, shared, #sw> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>
    %has = lpgemm.has_map %B, %A : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>
    scf.if %has {
      lpgemm.elect {
        lpgemm.pipe_copy %A[%c0, %c0] into %va tma signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
      }
    } else {
      lpgemm.pipe_copy %A[%c0, %c0] into %va threads signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
    }
    %hasB = lpgemm.has_map %B : !lpgemm.global<?x?xf8E4M3FN>
    scf.if %hasB {
      lpgemm.elect {
        lpgemm.pipe_copy %B[%c0, %c0] into %va tma signal %p[%t] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared, #sw>, !lpgemm.pipe<3>
      }
    }
    gpu.return
  }
}
}

// -----

// Kernels for AMD chips have their buffers as globals.

// CHECK-LABEL: gpu.func @amd(
// CHECK-SAME: ) kernel {
// CHECK-NEXT: lpgemm.alloc : <128x128xf8E4M3FN, shared>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.module @kernels {
  gpu.func @amd() kernel {
    %b = lpgemm.alloc : !lpgemm.buf<128x128xf8E4M3FN, shared>
    gpu.return
  }
}
}
