// Reads of LDS that transpose: what 16 lanes read is a matrix with rows of 16
// elements, and each of them gets a column.

// RUN: lpgemm-emulate-test %s --emulator-entry=good \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=good --emulator-order=random --emulator-seed=3 \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=no_barrier \
// RUN:   | FileCheck %s --check-prefix=RACE --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=misaligned \
// RUN:   | FileCheck %s --check-prefix=ALIGN --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=divergent \
// RUN:   | FileCheck %s --check-prefix=DIVERGENT --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=uninitialised \
// RUN:   | FileCheck %s --check-prefix=UNINIT --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=in_flight \
// RUN:   | FileCheck %s --check-prefix=FLIGHT --implicit-check-not=report

#lds = #gpu.address_space<workgroup>
!words = memref<64xi32>
!tile = memref<1024xi8, #lds>
module attributes {gpu.container_module} {
  gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
    // Each lane writes two words, and reads the same place transposed.
    gpu.func @good(%out: !words) workgroup(%tile: !tile) kernel {
      %base = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %b = arith.index_cast %base : index to i32
      %lds = llvm.inttoptr %b : i32 to !llvm.ptr<3>
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %p = llvm.getelementptr %lds[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      %t64 = arith.extui %t : i32 to i64
      llvm.store %t64, %p : i64, !llvm.ptr<3>
      gpu.barrier
      %v = rocdl.ds.read.tr8.b64 %p : !llvm.ptr<3> -> vector<2xi32>
      %w = vector.extract %v[0] : i32 from vector<2xi32>
      memref.store %w, %out[%tid] : !words
      gpu.return
    }

    gpu.func @no_barrier(%out: !words) workgroup(%tile: !tile) kernel {
      %base = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %b = arith.index_cast %base : index to i32
      %lds = llvm.inttoptr %b : i32 to !llvm.ptr<3>
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %c63 = arith.constant 63 : i32
      %i = arith.subi %c63, %t : i32
      %p = llvm.getelementptr %lds[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      %q = llvm.getelementptr %lds[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      %t64 = arith.extui %t : i32 to i64
      llvm.store %t64, %p : i64, !llvm.ptr<3>
      %true = arith.constant true
      %all = rocdl.ballot %true : i64
      // RACE: report (64): 'rocdl.ds.read.tr16.b64' at {{.*}}:[[#@LINE+1]]:{{.*}} reads what the other wrote, with no barrier between; the other is 'llvm.store' at
      %v = rocdl.ds.read.tr16.b64 %q : !llvm.ptr<3> -> vector<4xf16>
      %w = vector.bitcast %v : vector<4xf16> to vector<2xi32>
      %x = vector.extract %w[0] : i32 from vector<2xi32>
      memref.store %x, %out[%tid] : !words
      gpu.return
    }

    // 12 bytes of each lane, one after the other.
    gpu.func @misaligned(%out: !words) workgroup(%tile: !tile) kernel {
      %base = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %b = arith.index_cast %base : index to i32
      %lds = llvm.inttoptr %b : i32 to !llvm.ptr<3>
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %zero = arith.constant dense<0> : vector<3xi32>
      %c12 = arith.constant 12 : i32
      %offset = arith.muli %t, %c12 : i32
      %p = llvm.getelementptr %lds[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      llvm.store %zero, %p {alignment = 4 : i64} : vector<3xi32>, !llvm.ptr<3>
      gpu.barrier
      // ALIGN: report (48): 'rocdl.ds.read.tr6.b96' at {{.*}}:[[#@LINE+1]]:{{.*}} needs an address aligned to 16 bytes, is off by 4 (kernel misaligned, workgroup 0,0,0, wave 0 lane 63)
      %v = rocdl.ds.read.tr6.b96 %p : !llvm.ptr<3> -> vector<3xi32>
      %w = vector.extract %v[0] : i32 from vector<3xi32>
      memref.store %w, %out[%tid] : !words
      gpu.return
    }

    gpu.func @divergent(%out: !words) workgroup(%tile: !tile) kernel {
      %base = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %b = arith.index_cast %base : index to i32
      %lds = llvm.inttoptr %b : i32 to !llvm.ptr<3>
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %c32 = arith.constant 32 : i32
      %p = llvm.getelementptr %lds[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      %t64 = arith.extui %t : i32 to i64
      llvm.store %t64, %p : i64, !llvm.ptr<3>
      gpu.barrier
      %is_lower = arith.cmpi ult, %t, %c32 : i32
      scf.if %is_lower {
        // DIVERGENT: report (1): 'rocdl.ds.read.tr4.b64' at {{.*}}:[[#@LINE+1]]:{{.*}} is a wave-level operation that only a part of the wave reaches: of 64 lanes 32 wait in 'rocdl.ds.read.tr4.b64' at {{.*}}, 32 exited (kernel divergent, workgroup 0,0,0, wave 0 lane 0)
        %v = rocdl.ds.read.tr4.b64 %p : !llvm.ptr<3> -> vector<2xi32>
        %w = vector.extract %v[0] : i32 from vector<2xi32>
        memref.store %w, %out[%tid] : !words
      }
      gpu.return
    }

    gpu.func @uninitialised(%out: !words) workgroup(%tile: !tile) kernel {
      %base = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %b = arith.index_cast %base : index to i32
      %lds = llvm.inttoptr %b : i32 to !llvm.ptr<3>
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %p = llvm.getelementptr %lds[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      // UNINIT: report (64): 'rocdl.ds.read.tr8.b64' at {{.*}}:[[#@LINE+1]]:{{.*}} reads uninitialised LDS; LDS offset 0 (
      %v = rocdl.ds.read.tr8.b64 %p : !llvm.ptr<3> -> vector<2xi32>
      %w = vector.extract %v[0] : i32 from vector<2xi32>
      memref.store %w, %out[%tid] : !words
      gpu.return
    }

    // The barrier does not wait for the read, and wave 1 overwrites it.
    gpu.func @in_flight(%out: memref<128xi32>) workgroup(%tile: !tile) kernel {
      %base = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %b = arith.index_cast %base : index to i32
      %lds = llvm.inttoptr %b : i32 to !llvm.ptr<3>
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %c127 = arith.constant 127 : i32
      %i = arith.subi %c127, %t : i32
      %p = llvm.getelementptr %lds[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      %q = llvm.getelementptr %lds[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
      %t64 = arith.extui %t : i32 to i64
      llvm.store %t64, %p : i64, !llvm.ptr<3>
      gpu.barrier
      %v = rocdl.ds.read.tr8.b64 %p : !llvm.ptr<3> -> vector<2xi32>
      rocdl.s.barrier
      // FLIGHT: report (128): 'llvm.store' at {{.*}}:[[#@LINE+1]]:{{.*}} overwrites what the other reads, which was not waited for before the barrier; the other is 'rocdl.ds.read.tr8.b64' at
      llvm.store %t64, %q : i64, !llvm.ptr<3>
      %w = vector.extract %v[0] : i32 from vector<2xi32>
      memref.store %w, %out[%tid] : memref<128xi32>
      gpu.return
    }
  }

  // Lane 16 g + i of the first column of each group (i = 0) or half (i = 8)
  // gets the bytes 0 of the lanes 16 g + 2 j + i / 8, the others zeros:
  // the sum over lanes 0, 8, 16, ... of 0x06040200 + 0x01010101 * (16 g + i / 8).
  // GOOD: result -186329916
  func.func @good() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %out = memref.alloc() : !words
    gpu.launch_func @kernels::@good blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !words)
    %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%n = %zero) -> i32 {
      %v = memref.load %out[%i] : !words
      %next = arith.addi %n, %v : i32
      scf.yield %next : i32
    }
    return %sum : i32
  }

  func.func @no_barrier() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %out = memref.alloc() : !words
    gpu.launch_func @kernels::@no_barrier blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !words)
    return %zero : i32
  }

  func.func @misaligned() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %out = memref.alloc() : !words
    gpu.launch_func @kernels::@misaligned blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !words)
    return %zero : i32
  }

  func.func @divergent() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %out = memref.alloc() : !words
    gpu.launch_func @kernels::@divergent blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !words)
    return %zero : i32
  }

  func.func @uninitialised() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %out = memref.alloc() : !words
    gpu.launch_func @kernels::@uninitialised blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !words)
    return %zero : i32
  }

  func.func @in_flight() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0 : i32
    %out = memref.alloc() : memref<128xi32>
    gpu.launch_func @kernels::@in_flight blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%out : memref<128xi32>)
    return %zero : i32
  }
}
