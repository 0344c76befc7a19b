// Buffer fat pointers: a resource with an offset of 32 bits. Accesses through
// them are those of raw buffers.

// RUN: lpgemm-emulate-test %s --emulator-entry=sizes \
// RUN:   | FileCheck %s --check-prefix=SIZES --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=wraps \
// RUN:   | FileCheck %s --check-prefix=WRAPS --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=to_lds \
// RUN:   | FileCheck %s --check-prefix=LDS --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=too_long \
// RUN:   | FileCheck %s --check-prefix=LONG --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=no_resource \
// RUN:   | FileCheck %s --check-prefix=NONE --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=no_wait \
// RUN:   | FileCheck %s --check-prefix=NOWAIT --implicit-check-not=report

#fat = #amdgpu.address_space<fat_raw_buffer>
#lds = #gpu.address_space<workgroup>
!words = memref<64xi32>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Every size goes word by word, then by what is left.
    gpu.func @sizes(%in: !llvm.ptr, %out: !llvm.ptr, %bytes: i64) kernel {
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %c0 = arith.constant 0 : i32
      %is_first = arith.cmpi eq, %t, %c0 : i32
      %r = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %s = rocdl.make.buffer.rsrc %out, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %p = llvm.addrspacecast %r : !llvm.ptr<8> to !llvm.ptr<7>
      %q = llvm.addrspacecast %s : !llvm.ptr<8> to !llvm.ptr<7>
      scf.if %is_first {
        // Bytes 0 to 47; of the last eight words two and a half are in range.
        %a = llvm.load %p : !llvm.ptr<7> -> vector<4xi32>
        %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<7>) -> !llvm.ptr<7>, vector<4xi32>
        %b = llvm.load %p1 {alignment = 2 : i64} : !llvm.ptr<7> -> vector<3xi16>
        %p2 = llvm.getelementptr %p1[7] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i8
        %c = llvm.load %p2 : !llvm.ptr<7> -> i8
        %p3 = llvm.getelementptr %p1[2] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i32
        %d = llvm.load %p3 : !llvm.ptr<7> -> i64
        %p4 = llvm.getelementptr %p[8] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i32
        %e = llvm.load %p4 : !llvm.ptr<7> -> vector<8xf32>
        llvm.store %a, %q : vector<4xi32>, !llvm.ptr<7>
        %q1 = llvm.getelementptr %q[4] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i32
        llvm.store %b, %q1 {alignment = 2 : i64} : vector<3xi16>, !llvm.ptr<7>
        %q2 = llvm.getelementptr %q1[7] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i8
        llvm.store %c, %q2 : i8, !llvm.ptr<7>
        %q3 = llvm.getelementptr %q1[2] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i32
        llvm.store %d, %q3 : i64, !llvm.ptr<7>
        %q4 = llvm.getelementptr %q[8] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i32
        llvm.store %e, %q4 : vector<8xf32>, !llvm.ptr<7>
      }
      gpu.return
    }

    // Back by a negative offset, and once around by a large one; the resource
    // stays what it is.
    gpu.func @wraps(%in: !llvm.ptr, %out: !llvm.ptr, %bytes: i64) kernel {
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i64
      %c40 = arith.constant 40 : i64
      %back = arith.constant -36 : i64
      %around = arith.constant 4294967292 : i64
      %other = rocdl.make.buffer.rsrc %out, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<7>
      %p = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<7>
      // Through the lane's own memory.
      %one = arith.constant 1 : i32
      %slot = llvm.alloca %one x !llvm.ptr<7> : (i32) -> !llvm.ptr<5>
      llvm.store volatile %p, %slot : !llvm.ptr<7>, !llvm.ptr<5>
      %p0 = llvm.load volatile %slot : !llvm.ptr<5> -> !llvm.ptr<7>
      %p1 = llvm.getelementptr inbounds %p0[%c40] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i8
      %p2 = llvm.getelementptr %p1[%back] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i8
      %p3 = llvm.getelementptr %p2[%around] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i8
      %offset = llvm.ptrtoint %p2 : !llvm.ptr<7> to i32
      %p4 = llvm.getelementptr %p3[%t] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i32
      %v = llvm.load %p4 : !llvm.ptr<7> -> i32
      %w = arith.addi %v, %offset : i32
      %q = llvm.getelementptr %other[%t] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, i32
      llvm.store %w, %q : i32, !llvm.ptr<7>
      gpu.return
    }

    gpu.func @to_lds(%in: !words, %out: !words) workgroup(%tile: memref<64xi32, #lds>) kernel {
      %c0 = arith.constant 0 : index
      %c63 = arith.constant 63 : index
      %valid = arith.constant 160 : i64
      %tid = gpu.thread_id x
      %p = amdgpu.fat_raw_buffer_cast %in validBytes(%valid)
          : !words to memref<64xi32, #fat>
      amdgpu.gather_to_lds %p[%tid], %tile[%c0]
          : i32, memref<64xi32, #fat>, memref<64xi32, #lds>
      amdgpu.memory_counter_wait load(0)
      amdgpu.lds_barrier
      %i = arith.subi %c63, %tid : index
      %v = memref.load %tile[%i] : memref<64xi32, #lds>
      memref.store %v, %out[%tid] : !words
      gpu.return
    }

    gpu.func @no_wait(%in: !words, %out: !words) workgroup(%tile: memref<64xi32, #lds>) kernel {
      %c0 = arith.constant 0 : index
      %tid = gpu.thread_id x
      %p = amdgpu.fat_raw_buffer_cast %in : !words to memref<64xi32, #fat>
      amdgpu.gather_to_lds %p[%tid], %tile[%c0]
          : i32, memref<64xi32, #fat>, memref<64xi32, #lds>
      // NOWAIT: report (64): 'llvm.load' at {{.*}}:[[#@LINE+1]]:{{.*}} reads what a load to LDS writes, which was not waited for; the other is 'rocdl.load.to.lds' at
      %v = memref.load %tile[%tid] : memref<64xi32, #lds>
      memref.store %v, %out[%tid] : !words
      gpu.return
    }

    // 1 KiB is in range, but the buffer has 256 bytes.
    gpu.func @too_long(%in: !words, %out: !words) kernel {
      %valid = arith.constant 1024 : i64
      %tid = gpu.thread_id x
      %c1 = arith.constant 1 : index
      %i = arith.addi %tid, %c1 : index
      %p = amdgpu.fat_raw_buffer_cast %in validBytes(%valid)
          : !words to memref<64xi32, #fat>
      // LONG: report (1): 'llvm.load' at {{.*}}:[[#@LINE+1]]:{{.*}} accesses 4 bytes at offset 256 of 'allocation of the host', which has 256 bytes (kernel too_long, workgroup 0,0,0, wave 0 lane 63)
      %v = memref.load %p[%i] : memref<64xi32, #fat>
      memref.store %v, %out[%tid] : !words
      gpu.return
    }

    gpu.func @no_resource(%in: !words, %out: !words) kernel {
      %tid = gpu.thread_id x
      %p = llvm.mlir.zero : !llvm.ptr<7>
      // NONE: report (1): 'llvm.load' at {{.*}}:[[#@LINE+1]]:{{.*}} expected a buffer resource that the workgroup made (kernel no_resource, workgroup 0,0,0, wave 0 lane 0)
      %v = llvm.load %p : !llvm.ptr<7> -> i32
      memref.store %v, %out[%tid] : !words
      gpu.return
    }
  }

  // in[i] = i + 1, out[i] = 0.
  func.func private @setup() -> (!words, !words) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %in = memref.alloc() : !words
    %out = memref.alloc() : !words
    scf.for %i = %c0 to %c64 step %c1 {
      %n = arith.addi %i, %c1 : index
      %v = arith.index_cast %n : index to i32
      memref.store %v, %in[%i] : !words
      memref.store %zero, %out[%i] : !words
    }
    return %in, %out : !words, !words
  }

  // The sum of out[i] * (i + 1), so that each has its place.
  func.func private @sum(%out: !words) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%n = %zero) -> i32 {
      %j = arith.addi %i, %c1 : index
      %k = arith.index_cast %j : index to i32
      %v = memref.load %out[%i] : !words
      %w = arith.muli %v, %k : i32
      %next = arith.addi %n, %w : i32
      scf.yield %next : i32
    }
    return %sum : i32
  }

  func.func private @address(%m: !words) -> !llvm.ptr {
    %i = memref.extract_aligned_pointer_as_index %m : !words -> index
    %j = arith.index_cast %i : index to i64
    %p = llvm.inttoptr %j : i64 to !llvm.ptr
    return %p : !llvm.ptr
  }

  // Of the range's 42 bytes the last two are of a word that is not all there:
  // squares of 1 to 10.
  // SIZES: result 385
  func.func @sizes() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %bytes = arith.constant 42 : i64
    %in, %out = call @setup() : () -> (!words, !words)
    %p = call @address(%in) : (!words) -> !llvm.ptr
    %q = call @address(%out) : (!words) -> !llvm.ptr
    gpu.launch_func @kernels::@sizes blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1)
        args(%p : !llvm.ptr, %q : !llvm.ptr, %bytes : i64)
    %sum = call @sum(%out) : (!words) -> i32
    return %sum : i32
  }

  // Squares of 1 to 64, and four times their sum.
  // WRAPS: result 97760
  func.func @wraps() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %bytes = arith.constant 256 : i64
    %in, %out = call @setup() : () -> (!words, !words)
    %p = call @address(%in) : (!words) -> !llvm.ptr
    %q = call @address(%out) : (!words) -> !llvm.ptr
    gpu.launch_func @kernels::@wraps blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1)
        args(%p : !llvm.ptr, %q : !llvm.ptr, %bytes : i64)
    %sum = call @sum(%out) : (!words) -> i32
    return %sum : i32
  }

  // n * (65 - n) for n from 1 to 40.
  // LDS: result 31160
  func.func @to_lds() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %in, %out = call @setup() : () -> (!words, !words)
    gpu.launch_func @kernels::@to_lds blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%in : !words, %out : !words)
    %sum = call @sum(%out) : (!words) -> i32
    return %sum : i32
  }

  func.func @no_wait() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %in, %out = call @setup() : () -> (!words, !words)
    gpu.launch_func @kernels::@no_wait blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%in : !words, %out : !words)
    %sum = call @sum(%out) : (!words) -> i32
    return %sum : i32
  }

  func.func @too_long() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %in, %out = call @setup() : () -> (!words, !words)
    gpu.launch_func @kernels::@too_long blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%in : !words, %out : !words)
    %sum = call @sum(%out) : (!words) -> i32
    return %sum : i32
  }

  func.func @no_resource() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %in, %out = call @setup() : () -> (!words, !words)
    gpu.launch_func @kernels::@no_resource blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%in : !words, %out : !words)
    %sum = call @sum(%out) : (!words) -> i32
    return %sum : i32
  }
}
