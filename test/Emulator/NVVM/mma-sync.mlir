// Matrix instructions of a warp, and their operands in shared memory.

// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=good \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=no_sync | FileCheck %s --check-prefix=SYNC
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=misaligned | FileCheck %s --check-prefix=ALIGN
// RUN: not lpgemm-emulate-test %s --emulator-chip=sm_80 --emulator-entry=good \
// RUN:   2>&1 | FileCheck %s --check-prefix=CHIP

// GOOD: result 0
// CHIP: error: chip sm_80 has no 'nvvm.stmatrix'; it is of sm_90a

!ptr = !llvm.ptr<3>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global external @tiles() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<192 x i32>

    llvm.func @good() attributes {gpu.kernel, nvvm.kernel} {
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c7 = llvm.mlir.constant(7 : i32) : i32
      %c8 = llvm.mlir.constant(8 : i32) : i32
      %c15 = llvm.mlir.constant(15 : i32) : i32
      %c16 = llvm.mlir.constant(16 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c128 = llvm.mlir.constant(128 : i32) : i32
      %c192 = llvm.mlir.constant(192 : i32) : i32
      %b_base = llvm.mlir.constant(512 : i32) : i32
      %ones = llvm.mlir.constant(0x3c003c00 : i32) : i32
      %twos = llvm.mlir.constant(0x40004000 : i32) : i32
      %half = llvm.mlir.constant(0.5 : f32) : f32
      %expected = llvm.mlir.constant(32.5 : f32) : f32
      %all = llvm.mlir.constant(-1 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %tiles = llvm.mlir.addressof @tiles : !ptr
      // A is 16 x 16 ones, B 16 x 8 twos.
      llvm.br ^fill(%tid : i32)
    ^fill(%i: i32):
      %is_a = llvm.icmp "ult" %i, %c128 : i32
      %value = llvm.select %is_a, %ones, %twos : i1, i32
      %place = llvm.getelementptr %tiles[%i] : (!ptr, i32) -> !ptr, i32
      llvm.store %value, %place : i32, !ptr
      %next = llvm.add %i, %c32 : i32
      %more = llvm.icmp "ult" %next, %c192 : i32
      llvm.cond_br %more, ^fill(%next : i32), ^filled
    ^filled:
      nvvm.bar.warp.sync %all : i32
      // Rows of 32 bytes. Lanes 16 to 31 address the right half of A, 8 to 15 of B.
      %row_a = llvm.and %tid, %c15 : i32
      %row_a_bytes = llvm.mul %row_a, %c32 : i32
      %right_a = llvm.lshr %tid, %c4 : i32
      %right_a_bytes = llvm.mul %right_a, %c16 : i32
      %offset_a = llvm.add %row_a_bytes, %right_a_bytes : i32
      %address_a = llvm.getelementptr %tiles[%offset_a] : (!ptr, i32) -> !ptr, i8
      %row_b = llvm.and %tid, %c7 : i32
      %row_b_bytes = llvm.mul %row_b, %c32 : i32
      %tile_b = llvm.udiv %tid, %c8 : i32
      %right_b = llvm.and %tile_b, %c1 : i32
      %right_b_bytes = llvm.mul %right_b, %c16 : i32
      %in_b = llvm.add %row_b_bytes, %right_b_bytes : i32
      %offset_b = llvm.add %in_b, %b_base : i32
      %address_b = llvm.getelementptr %tiles[%offset_b] : (!ptr, i32) -> !ptr, i8
      %a = nvvm.ldmatrix %address_a {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!ptr) -> !llvm.struct<(i32, i32, i32, i32)>
      %b = nvvm.ldmatrix %address_b {num = 2 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!ptr) -> !llvm.struct<(i32, i32)>
      %a0 = llvm.extractvalue %a[0] : !llvm.struct<(i32, i32, i32, i32)>
      %a1 = llvm.extractvalue %a[1] : !llvm.struct<(i32, i32, i32, i32)>
      %a2 = llvm.extractvalue %a[2] : !llvm.struct<(i32, i32, i32, i32)>
      %a3 = llvm.extractvalue %a[3] : !llvm.struct<(i32, i32, i32, i32)>
      %b0 = llvm.extractvalue %b[0] : !llvm.struct<(i32, i32)>
      %b1 = llvm.extractvalue %b[1] : !llvm.struct<(i32, i32)>
      %v0 = llvm.bitcast %a0 : i32 to vector<2xf16>
      %v1 = llvm.bitcast %a1 : i32 to vector<2xf16>
      %v2 = llvm.bitcast %a2 : i32 to vector<2xf16>
      %v3 = llvm.bitcast %a3 : i32 to vector<2xf16>
      %w0 = llvm.bitcast %b0 : i32 to vector<2xf16>
      %w1 = llvm.bitcast %b1 : i32 to vector<2xf16>
      %d = nvvm.mma.sync A[%v0, %v1, %v2, %v3] B[%w0, %w1] C[%half, %half, %half, %half] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      nvvm.bar.warp.sync %all : i32
      nvvm.stmatrix %address_a, %a3, %a2, %a1, %a0 {layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !ptr, i32, i32, i32, i32
      %x = llvm.extractvalue %d[3] : !llvm.struct<(f32, f32, f32, f32)>
      %is_right = llvm.fcmp "oeq" %x, %expected : f32
      llvm.cond_br %is_right, ^end, ^wrong
    ^wrong:
      %zero = llvm.mlir.zero : !llvm.ptr
      llvm.store %x, %zero : f32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return
    }

    llvm.func @no_sync() attributes {gpu.kernel, nvvm.kernel} {
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c7 = llvm.mlir.constant(7 : i32) : i32
      %c8 = llvm.mlir.constant(8 : i32) : i32
      %c15 = llvm.mlir.constant(15 : i32) : i32
      %c16 = llvm.mlir.constant(16 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c128 = llvm.mlir.constant(128 : i32) : i32
      %c192 = llvm.mlir.constant(192 : i32) : i32
      %b_base = llvm.mlir.constant(512 : i32) : i32
      %ones = llvm.mlir.constant(0x3c003c00 : i32) : i32
      %twos = llvm.mlir.constant(0x40004000 : i32) : i32
      %half = llvm.mlir.constant(0.5 : f32) : f32
      %expected = llvm.mlir.constant(32.5 : f32) : f32
      %all = llvm.mlir.constant(-1 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %tiles = llvm.mlir.addressof @tiles : !ptr
      // A is 16 x 16 ones, B 16 x 8 twos.
      llvm.br ^fill(%tid : i32)
    ^fill(%i: i32):
      %is_a = llvm.icmp "ult" %i, %c128 : i32
      %value = llvm.select %is_a, %ones, %twos : i1, i32
      %place = llvm.getelementptr %tiles[%i] : (!ptr, i32) -> !ptr, i32
      llvm.store %value, %place : i32, !ptr
      %next = llvm.add %i, %c32 : i32
      %more = llvm.icmp "ult" %next, %c192 : i32
      llvm.cond_br %more, ^fill(%next : i32), ^filled
    ^filled:
      // Rows of 32 bytes. Lanes 16 to 31 address the right half of A, 8 to 15 of B.
      %row_a = llvm.and %tid, %c15 : i32
      %row_a_bytes = llvm.mul %row_a, %c32 : i32
      %right_a = llvm.lshr %tid, %c4 : i32
      %right_a_bytes = llvm.mul %right_a, %c16 : i32
      %offset_a = llvm.add %row_a_bytes, %right_a_bytes : i32
      %address_a = llvm.getelementptr %tiles[%offset_a] : (!ptr, i32) -> !ptr, i8
      %row_b = llvm.and %tid, %c7 : i32
      %row_b_bytes = llvm.mul %row_b, %c32 : i32
      %tile_b = llvm.udiv %tid, %c8 : i32
      %right_b = llvm.and %tile_b, %c1 : i32
      %right_b_bytes = llvm.mul %right_b, %c16 : i32
      %in_b = llvm.add %row_b_bytes, %right_b_bytes : i32
      %offset_b = llvm.add %in_b, %b_base : i32
      %address_b = llvm.getelementptr %tiles[%offset_b] : (!ptr, i32) -> !ptr, i8
      // SYNC: report ({{[0-9]+}}): 'nvvm.ldmatrix' at {{.*}}:[[#@LINE+1]]:12 reads what the other wrote, and nothing orders the two; the other is 'llvm.store' at
      %a = nvvm.ldmatrix %address_a {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!ptr) -> !llvm.struct<(i32, i32, i32, i32)>
      %b = nvvm.ldmatrix %address_b {num = 2 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!ptr) -> !llvm.struct<(i32, i32)>
      %a0 = llvm.extractvalue %a[0] : !llvm.struct<(i32, i32, i32, i32)>
      %a1 = llvm.extractvalue %a[1] : !llvm.struct<(i32, i32, i32, i32)>
      %a2 = llvm.extractvalue %a[2] : !llvm.struct<(i32, i32, i32, i32)>
      %a3 = llvm.extractvalue %a[3] : !llvm.struct<(i32, i32, i32, i32)>
      %b0 = llvm.extractvalue %b[0] : !llvm.struct<(i32, i32)>
      %b1 = llvm.extractvalue %b[1] : !llvm.struct<(i32, i32)>
      %v0 = llvm.bitcast %a0 : i32 to vector<2xf16>
      %v1 = llvm.bitcast %a1 : i32 to vector<2xf16>
      %v2 = llvm.bitcast %a2 : i32 to vector<2xf16>
      %v3 = llvm.bitcast %a3 : i32 to vector<2xf16>
      %w0 = llvm.bitcast %b0 : i32 to vector<2xf16>
      %w1 = llvm.bitcast %b1 : i32 to vector<2xf16>
      %d = nvvm.mma.sync A[%v0, %v1, %v2, %v3] B[%w0, %w1] C[%half, %half, %half, %half] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      nvvm.bar.warp.sync %all : i32
      nvvm.stmatrix %address_a, %a3, %a2, %a1, %a0 {layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !ptr, i32, i32, i32, i32
      %x = llvm.extractvalue %d[3] : !llvm.struct<(f32, f32, f32, f32)>
      %is_right = llvm.fcmp "oeq" %x, %expected : f32
      llvm.cond_br %is_right, ^end, ^wrong
    ^wrong:
      %zero = llvm.mlir.zero : !llvm.ptr
      llvm.store %x, %zero : f32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return
    }

    llvm.func @misaligned() attributes {gpu.kernel, nvvm.kernel} {
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c7 = llvm.mlir.constant(7 : i32) : i32
      %c8 = llvm.mlir.constant(8 : i32) : i32
      %c15 = llvm.mlir.constant(15 : i32) : i32
      %c16 = llvm.mlir.constant(16 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %c128 = llvm.mlir.constant(128 : i32) : i32
      %c192 = llvm.mlir.constant(192 : i32) : i32
      %b_base = llvm.mlir.constant(504 : i32) : i32
      %ones = llvm.mlir.constant(0x3c003c00 : i32) : i32
      %twos = llvm.mlir.constant(0x40004000 : i32) : i32
      %half = llvm.mlir.constant(0.5 : f32) : f32
      %expected = llvm.mlir.constant(32.5 : f32) : f32
      %all = llvm.mlir.constant(-1 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %tiles = llvm.mlir.addressof @tiles : !ptr
      // A is 16 x 16 ones, B 16 x 8 twos.
      llvm.br ^fill(%tid : i32)
    ^fill(%i: i32):
      %is_a = llvm.icmp "ult" %i, %c128 : i32
      %value = llvm.select %is_a, %ones, %twos : i1, i32
      %place = llvm.getelementptr %tiles[%i] : (!ptr, i32) -> !ptr, i32
      llvm.store %value, %place : i32, !ptr
      %next = llvm.add %i, %c32 : i32
      %more = llvm.icmp "ult" %next, %c192 : i32
      llvm.cond_br %more, ^fill(%next : i32), ^filled
    ^filled:
      nvvm.bar.warp.sync %all : i32
      // Rows of 32 bytes. Lanes 16 to 31 address the right half of A, 8 to 15 of B.
      %row_a = llvm.and %tid, %c15 : i32
      %row_a_bytes = llvm.mul %row_a, %c32 : i32
      %right_a = llvm.lshr %tid, %c4 : i32
      %right_a_bytes = llvm.mul %right_a, %c16 : i32
      %offset_a = llvm.add %row_a_bytes, %right_a_bytes : i32
      %address_a = llvm.getelementptr %tiles[%offset_a] : (!ptr, i32) -> !ptr, i8
      %row_b = llvm.and %tid, %c7 : i32
      %row_b_bytes = llvm.mul %row_b, %c32 : i32
      %tile_b = llvm.udiv %tid, %c8 : i32
      %right_b = llvm.and %tile_b, %c1 : i32
      %right_b_bytes = llvm.mul %right_b, %c16 : i32
      %in_b = llvm.add %row_b_bytes, %right_b_bytes : i32
      %offset_b = llvm.add %in_b, %b_base : i32
      %address_b = llvm.getelementptr %tiles[%offset_b] : (!ptr, i32) -> !ptr, i8
      %a = nvvm.ldmatrix %address_a {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!ptr) -> !llvm.struct<(i32, i32, i32, i32)>
      // ALIGN: report ({{[0-9]+}}): 'nvvm.ldmatrix' at {{.*}}:[[#@LINE+1]]:12 needs an address aligned to 16 bytes, is off by 8
      %b = nvvm.ldmatrix %address_b {num = 2 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!ptr) -> !llvm.struct<(i32, i32)>
      %a0 = llvm.extractvalue %a[0] : !llvm.struct<(i32, i32, i32, i32)>
      %a1 = llvm.extractvalue %a[1] : !llvm.struct<(i32, i32, i32, i32)>
      %a2 = llvm.extractvalue %a[2] : !llvm.struct<(i32, i32, i32, i32)>
      %a3 = llvm.extractvalue %a[3] : !llvm.struct<(i32, i32, i32, i32)>
      %b0 = llvm.extractvalue %b[0] : !llvm.struct<(i32, i32)>
      %b1 = llvm.extractvalue %b[1] : !llvm.struct<(i32, i32)>
      %v0 = llvm.bitcast %a0 : i32 to vector<2xf16>
      %v1 = llvm.bitcast %a1 : i32 to vector<2xf16>
      %v2 = llvm.bitcast %a2 : i32 to vector<2xf16>
      %v3 = llvm.bitcast %a3 : i32 to vector<2xf16>
      %w0 = llvm.bitcast %b0 : i32 to vector<2xf16>
      %w1 = llvm.bitcast %b1 : i32 to vector<2xf16>
      %d = nvvm.mma.sync A[%v0, %v1, %v2, %v3] B[%w0, %w1] C[%half, %half, %half, %half] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      nvvm.bar.warp.sync %all : i32
      nvvm.stmatrix %address_a, %a3, %a2, %a1, %a0 {layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !ptr, i32, i32, i32, i32
      %x = llvm.extractvalue %d[3] : !llvm.struct<(f32, f32, f32, f32)>
      %is_right = llvm.fcmp "oeq" %x, %expected : f32
      llvm.cond_br %is_right, ^end, ^wrong
    ^wrong:
      %zero = llvm.mlir.zero : !llvm.ptr
      llvm.store %x, %zero : f32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return
    }
  }
  func.func @good() -> i32 {
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 32 : index
    gpu.launch_func @kernels::@good blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @no_sync() -> i32 {
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 32 : index
    gpu.launch_func @kernels::@no_sync blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @misaligned() -> i32 {
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 32 : index
    gpu.launch_func @kernels::@misaligned blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
}
