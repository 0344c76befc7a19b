// Host code as lpgemm-finalize-abi makes it: tensor maps that it encodes and
// passes by value, dynamic shared memory, clusters, and what it asks of the
// device.

// RUN: lpgemm-opt %s --lpgemm-finalize-launches -o %t.mlir
// DEFINE: %{run} = lpgemm-emulate-test %t.mlir --emulator-chip=sm_90a
// RUN: %{run} --emulator-entry=copy | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: %{run} --emulator-entry=copy --emulator-order=random --emulator-loads=early | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: %{run} --emulator-entry=undescribed | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: %{run} --emulator-entry=single_row | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: %{run} --emulator-entry=batch | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: %{run} --emulator-entry=wrong_box 2>&1 | FileCheck %s --check-prefix=BOX
// RUN: %{run} --emulator-entry=multiprocessors | FileCheck %s --check-prefix=COUNT

// GOOD: {{^}}result 0
// BOX: {{^}}lpgemm: tensor map: {{.*box}}
// BOX: {{^}}result 1
// COUNT: {{^}}result 4

!s = !llvm.ptr<3>
!c = !llvm.ptr<7>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

    // Each workgroup of a cluster doubles four rows: lane 0 loads a box; all
    // double it; lane 0 stores it.
    llvm.func @double(%in: !llvm.ptr, %out: !llvm.ptr) attributes {
        gpu.kernel, nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>,
        lpgemm.tensor_maps = array<i32: 0, 1>} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %bytes = llvm.mlir.constant(512 : i32) : i32
      %ticks = llvm.mlir.constant(1000 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %row = llvm.mul %block, %c4 : i32
      %first = llvm.icmp "eq" %tid, %c0 : i32
      %tile = llvm.mlir.addressof @dynamic : !s
      %target = llvm.addrspacecast %tile : !s to !c
      %bar = llvm.getelementptr %tile[512] : (!s) -> !s, i8
      nvvm.mbarrier.init %bar, %c1, predicate = %first : !s, i32, i1
      nvvm.prefetch tensormap, %in, predicate = %first : !llvm.ptr, i1
      nvvm.fence.mbarrier.init
      nvvm.barrier
      nvvm.mbarrier.arrive.expect_tx %bar, %bytes, predicate = %first : !s, i32, i1
      nvvm.cp.async.bulk.tensor.shared.cluster.global %target, %in, %bar, box[%c0, %row] predicate = %first : !c, !llvm.ptr
      nvvm.mbarrier.try_wait.parity %bar, %c0, %ticks : !s, i32, i32
      %mine = llvm.getelementptr %tile[%tid] : (!s, i32) -> !s, f32
      %other = llvm.add %tid, %c64 : i32
      %second = llvm.getelementptr %tile[%other] : (!s, i32) -> !s, f32
      %a = llvm.load %mine : !s -> f32
      %aa = llvm.fadd %a, %a : f32
      llvm.store %aa, %mine : f32, !s
      %b = llvm.load %second : !s -> f32
      %bb = llvm.fadd %b, %b : f32
      llvm.store %bb, %second : f32, !s
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier
      nvvm.cp.async.bulk.tensor.global.shared.cta %out, %tile, box[%c0, %row], predicate = %first : !llvm.ptr, !s
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0 {read}
      llvm.return
    }
  }

  func.func private @lpgemmEncodeBatchTensorMap(!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i64, i64, i32, i32, i32) -> i32
  func.func private @lpgemmEncodeTensorMap(!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i32, i32, i32) -> i32
  func.func private @lpgemmGetMultiprocessorCount() -> i32

  func.func @address(%memory: memref<8x32xf32>) -> !llvm.ptr {
    %index = memref.extract_aligned_pointer_as_index %memory : memref<8x32xf32> -> index
    %address = arith.index_cast %index : index to i64
    %pointer = llvm.inttoptr %address : i64 to !llvm.ptr
    return %pointer : !llvm.ptr
  }

  func.func @copy() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1 : i32
    %a = memref.alloc() {alignment = 16 : i64} : memref<8x32xf32>
    %b = memref.alloc() {alignment = 16 : i64} : memref<8x32xf32>
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %row = arith.muli %i, %c32 : index
        %place = arith.addi %row, %j : index
        %int = arith.index_cast %place : index to i32
        %x = arith.sitofp %int : i32 to f32
        memref.store %x, %a[%i, %j] : memref<8x32xf32>
      }
    }
    %from = func.call @address(%a) : (memref<8x32xf32>) -> !llvm.ptr
    %to = func.call @address(%b) : (memref<8x32xf32>) -> !llvm.ptr
    %mapA = llvm.alloca %one x !llvm.array<128 x i8> {alignment = 64 : i64} : (i32) -> !llvm.ptr
    %mapB = llvm.alloca %one x !llvm.array<128 x i8> {alignment = 64 : i64} : (i32) -> !llvm.ptr
    // Elements of f32, 8 rows of 32, boxes of 4 rows.
    %f32 = arith.constant 7 : i32
    %cols = arith.constant 32 : i64
    %rows = arith.constant 8 : i64
    %pitch = arith.constant 128 : i64
    %boxCols = arith.constant 32 : i32
    %boxRows = arith.constant 4 : i32
    %swizzle = arith.constant 128 : i32
    %code = func.call @lpgemmEncodeTensorMap(%mapA, %from, %f32, %cols, %rows, %pitch, %boxCols, %boxRows, %swizzle) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i32, i32, i32) -> i32
    %codeB = func.call @lpgemmEncodeTensorMap(%mapB, %to, %f32, %cols, %rows, %pitch, %boxCols, %boxRows, %swizzle) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i32, i32, i32) -> i32
    %shared = arith.constant 528 : i32
    gpu.launch_func @kernels::@double clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1)
      dynamic_shared_memory_size %shared args(%mapA : !llvm.ptr, %mapB : !llvm.ptr)
    %codes = arith.addi %code, %codeB : i32
    %wrong = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %codes) -> (i32) {
      %inRow = scf.for %j = %c0 to %c32 step %c1 iter_args(%part = %sum) -> (i32) {
        %x = memref.load %a[%i, %j] : memref<8x32xf32>
        %xx = arith.addf %x, %x : f32
        %y = memref.load %b[%i, %j] : memref<8x32xf32>
        %differs = arith.cmpf une, %xx, %y : f32
        %w = arith.extui %differs : i1 to i32
        %next = arith.addi %part, %w : i32
        scf.yield %next : i32
      }
      scf.yield %inRow : i32
    }
    memref.dealloc %a : memref<8x32xf32>
    memref.dealloc %b : memref<8x32xf32>
    return %wrong : i32
  }

  // Bytes of a map that are not 0.
  func.func @countBytes(%map: !llvm.ptr) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %none = arith.constant 0 : i32
    %zero = arith.constant 0 : i8
    %count = scf.for %i = %c0 to %c128 step %c1 iter_args(%sum = %none) -> (i32) {
      %place = arith.index_cast %i : index to i64
      %address = llvm.getelementptr %map[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i8
      %byte = llvm.load %address : !llvm.ptr -> i8
      %differs = arith.cmpi ne, %byte, %zero : i8
      %w = arith.extui %differs : i1 to i32
      %next = arith.addi %sum, %w : i32
      scf.yield %next : i32
    }
    return %count : i32
  }

  // What no map describes gives zeros and no error: a base or a pitch that is
  // no multiple of 16, an extent of 0.
  func.func @undescribed() -> i32 {
    %one = arith.constant 1 : i32
    %map = llvm.alloca %one x !llvm.array<128 x i8> {alignment = 64 : i64} : (i32) -> !llvm.ptr
    %u8 = arith.constant 0 : i32
    %box = arith.constant 128 : i32
    %n0 = arith.constant 0 : i64
    %n8 = arith.constant 8 : i64
    %n128 = arith.constant 128 : i64
    %n136 = arith.constant 136 : i64
    %n4096 = arith.constant 4096 : i64
    %n4104 = arith.constant 4104 : i64
    %at4096 = llvm.inttoptr %n4096 : i64 to !llvm.ptr
    %at4104 = llvm.inttoptr %n4104 : i64 to !llvm.ptr
    %code0 = func.call @lpgemmEncodeTensorMap(%map, %at4104, %u8, %n128, %n8, %n128, %box, %one, %box) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i32, i32, i32) -> i32
    %bytes0 = func.call @countBytes(%map) : (!llvm.ptr) -> i32
    %code1 = func.call @lpgemmEncodeTensorMap(%map, %at4096, %u8, %n128, %n8, %n136, %box, %one, %box) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i32, i32, i32) -> i32
    %bytes1 = func.call @countBytes(%map) : (!llvm.ptr) -> i32
    %code2 = func.call @lpgemmEncodeTensorMap(%map, %at4096, %u8, %n128, %n0, %n128, %box, %one, %box) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i32, i32, i32) -> i32
    %bytes2 = func.call @countBytes(%map) : (!llvm.ptr) -> i32
    %s0 = arith.addi %code0, %bytes0 : i32
    %s1 = arith.addi %code1, %bytes1 : i32
    %s2 = arith.addi %code2, %bytes2 : i32
    %s01 = arith.addi %s0, %s1 : i32
    %sum = arith.addi %s01, %s2 : i32
    return %sum : i32
  }

  // The pitch of a single row may be anything.
  func.func @single_row() -> i32 {
    %one = arith.constant 1 : i32
    %map = llvm.alloca %one x !llvm.array<128 x i8> {alignment = 64 : i64} : (i32) -> !llvm.ptr
    %u8 = arith.constant 0 : i32
    %box = arith.constant 128 : i32
    %n1 = arith.constant 1 : i64
    %n100 = arith.constant 100 : i64
    %odd = arith.constant 7 : i64
    %n4096 = arith.constant 4096 : i64
    %at4096 = llvm.inttoptr %n4096 : i64 to !llvm.ptr
    %code = func.call @lpgemmEncodeTensorMap(%map, %at4096, %u8, %n100, %n1, %odd, %box, %one, %box) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i32, i32, i32) -> i32
    %bytes = func.call @countBytes(%map) : (!llvm.ptr) -> i32
    %none = arith.constant 0 : i32
    %isZero = arith.cmpi eq, %bytes, %none : i32
    %wrong = arith.extui %isZero : i1 to i32
    %sum = arith.addi %code, %wrong : i32
    return %sum : i32
  }

  // A box that no driver takes: the compiler does not ask for it.
  func.func @wrong_box() -> i32 {
    %one = arith.constant 1 : i32
    %map = llvm.alloca %one x !llvm.array<128 x i8> {alignment = 64 : i64} : (i32) -> !llvm.ptr
    %u8 = arith.constant 0 : i32
    %box = arith.constant 512 : i32
    %none = arith.constant 0 : i32
    %n1024 = arith.constant 1024 : i64
    %n4096 = arith.constant 4096 : i64
    %at4096 = llvm.inttoptr %n4096 : i64 to !llvm.ptr
    %code = func.call @lpgemmEncodeTensorMap(%map, %at4096, %u8, %n1024, %n1024, %n1024, %box, %one, %none) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i32, i32, i32) -> i32
    return %code : i32
  }

  // The same of a batch: an encoding whose bytes differ from that of the matrix,
  // and zeros where a stride is no multiple of 16, is negative, or nothing is in
  // it.
  func.func @batch() -> i32 {
    %one = arith.constant 1 : i32
    %map = llvm.alloca %one x !llvm.array<128 x i8> {alignment = 64 : i64} : (i32) -> !llvm.ptr
    %u8 = arith.constant 0 : i32
    %box = arith.constant 128 : i32
    %n0 = arith.constant 0 : i64
    %n3 = arith.constant 3 : i64
    %n8 = arith.constant 8 : i64
    %n128 = arith.constant 128 : i64
    %n1024 = arith.constant 1024 : i64
    %n1032 = arith.constant 1032 : i64
    %back = arith.constant -1024 : i64
    %n4096 = arith.constant 4096 : i64
    %at4096 = llvm.inttoptr %n4096 : i64 to !llvm.ptr
    %code0 = func.call @lpgemmEncodeBatchTensorMap(%map, %at4096, %u8, %n128, %n8, %n128, %n3, %n1032, %box, %one, %box) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i64, i64, i32, i32, i32) -> i32
    %bytes0 = func.call @countBytes(%map) : (!llvm.ptr) -> i32
    %code1 = func.call @lpgemmEncodeBatchTensorMap(%map, %at4096, %u8, %n128, %n8, %n128, %n0, %n1024, %box, %one, %box) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i64, i64, i32, i32, i32) -> i32
    %bytes1 = func.call @countBytes(%map) : (!llvm.ptr) -> i32
    %code2 = func.call @lpgemmEncodeBatchTensorMap(%map, %at4096, %u8, %n128, %n8, %n128, %n3, %back, %box, %one, %box) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i64, i64, i32, i32, i32) -> i32
    %bytes2 = func.call @countBytes(%map) : (!llvm.ptr) -> i32
    %code3 = func.call @lpgemmEncodeBatchTensorMap(%map, %at4096, %u8, %n128, %n8, %n128, %n3, %n1024, %box, %one, %box) : (!llvm.ptr, !llvm.ptr, i32, i64, i64, i64, i64, i64, i32, i32, i32) -> i32
    %bytes3 = func.call @countBytes(%map) : (!llvm.ptr) -> i32
    %none = arith.constant 0 : i32
    %isZero = arith.cmpi eq, %bytes3, %none : i32
    %wrong = arith.extui %isZero : i1 to i32
    %s0 = arith.addi %code0, %bytes0 : i32
    %s1 = arith.addi %code1, %bytes1 : i32
    %s2 = arith.addi %code2, %bytes2 : i32
    %s3 = arith.addi %code3, %wrong : i32
    %s01 = arith.addi %s0, %s1 : i32
    %s23 = arith.addi %s2, %s3 : i32
    %sum = arith.addi %s01, %s23 : i32
    return %sum : i32
  }

  func.func @multiprocessors() -> i32 {
    %count = func.call @lpgemmGetMultiprocessorCount() : () -> i32
    return %count : i32
  }
}
