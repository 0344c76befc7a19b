// Loads from global memory to LDS: when their data may be used, and what comes
// of it if they are used before.

// RUN: lpgemm-emulate-test %s --emulator-entry=good \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=good --emulator-loads=early \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=good --emulator-loads=random --emulator-order=random --emulator-seed=3 \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=good --emulator-no-checks \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=same_wave \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=counted \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=fenced \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=no_wait \
// RUN:   | FileCheck %s --check-prefix=NOWAIT --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=no_wait_same_wave \
// RUN:   | FileCheck %s --check-prefix=SAME --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=no_barrier \
// RUN:   | FileCheck %s --check-prefix=RACE
// RUN: lpgemm-emulate-test %s --emulator-entry=too_early \
// RUN:   | FileCheck %s --check-prefix=WAR

// Late, the data of an unwaited load are not there; early, they are.
// RUN: lpgemm-emulate-test %s --emulator-entry=no_wait --emulator-no-checks \
// RUN:   | FileCheck %s --check-prefix=BAD
// RUN: lpgemm-emulate-test %s --emulator-entry=no_wait --emulator-no-checks --emulator-loads=early \
// RUN:   | FileCheck %s --check-prefix=GOOD

// Of 128 words 120 are in range; the others read as zero. out[i] is in[127 - i],
// with the sum of 0 to 119.
// GOOD: result 7140
// BAD: result -128

#lds = #gpu.address_space<workgroup>
!tile = memref<128xi32, #lds>
!out = memref<128xi32>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // To the other wave: waits, and a barrier.
    gpu.func @good(%in: !llvm.ptr, %out: !out) workgroup(%tile: !tile)
        kernel {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %c127 = arith.constant 127 : index
      %zero = arith.constant 0 : i32
      %c4i = arith.constant 4 : i32
      %bytes = arith.constant 480 : i64
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %rsrc = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %voffset = arith.muli %t, %c4i : i32
      %wave = arith.divui %tid, %c64 : index
      %first = arith.muli %wave, %c64 : index
      %p = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %f4 = arith.muli %first, %c4 : index
      %q = arith.addi %p, %f4 : index
      %r = arith.index_cast %q : index to i32
      %s = rocdl.readfirstlane %r : i32
      %lds = llvm.inttoptr %s : i32 to !llvm.ptr<3>
      rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %c4i, %voffset, %zero, %zero, %zero
      rocdl.s.waitcnt 3952
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      %v = memref.load %tile[%j] : !tile
      memref.store %v, %out[%tid] : !out
      gpu.return
    }

    // Within the wave the wait is enough.
    gpu.func @same_wave(%in: !llvm.ptr, %out: !out) workgroup(%tile: !tile)
        kernel {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %c127 = arith.constant 127 : index
      %zero = arith.constant 0 : i32
      %c4i = arith.constant 4 : i32
      %bytes = arith.constant 480 : i64
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %rsrc = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %voffset = arith.muli %t, %c4i : i32
      %wave = arith.divui %tid, %c64 : index
      %first = arith.muli %wave, %c64 : index
      %p = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %f4 = arith.muli %first, %c4 : index
      %q = arith.addi %p, %f4 : index
      %r = arith.index_cast %q : index to i32
      %s = rocdl.readfirstlane %r : i32
      %lds = llvm.inttoptr %s : i32 to !llvm.ptr<3>
      rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %c4i, %voffset, %zero, %zero, %zero
      rocdl.s.waitcnt 3952
      %local = arith.remui %tid, %c64 : index
      %flip = arith.subi %c63, %local : index
      %j = arith.addi %first, %flip : index
      %v = memref.load %tile[%j] : !tile
      memref.store %v, %out[%tid] : !out
      gpu.return
    }

    // One younger operation may be in flight.
    gpu.func @counted(%in: !llvm.ptr, %out: !out) workgroup(%tile: !tile)
        kernel {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %c127 = arith.constant 127 : index
      %zero = arith.constant 0 : i32
      %c4i = arith.constant 4 : i32
      %bytes = arith.constant 480 : i64
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %rsrc = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %voffset = arith.muli %t, %c4i : i32
      %wave = arith.divui %tid, %c64 : index
      %first = arith.muli %wave, %c64 : index
      %p = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %f4 = arith.muli %first, %c4 : index
      %q = arith.addi %p, %f4 : index
      %r = arith.index_cast %q : index to i32
      %s = rocdl.readfirstlane %r : i32
      %lds = llvm.inttoptr %s : i32 to !llvm.ptr<3>
      rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %c4i, %voffset, %zero, %zero, %zero
      memref.store %zero, %out[%tid] : !out
      rocdl.s.waitcnt 3953
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      %v = memref.load %tile[%j] : !tile
      memref.store %v, %out[%tid] : !out
      gpu.return
    }

    // The fence of gpu.barrier waits.
    gpu.func @fenced(%in: !llvm.ptr, %out: !out) workgroup(%tile: !tile)
        kernel {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %c127 = arith.constant 127 : index
      %zero = arith.constant 0 : i32
      %c4i = arith.constant 4 : i32
      %bytes = arith.constant 480 : i64
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %rsrc = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %voffset = arith.muli %t, %c4i : i32
      %wave = arith.divui %tid, %c64 : index
      %first = arith.muli %wave, %c64 : index
      %p = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %f4 = arith.muli %first, %c4 : index
      %q = arith.addi %p, %f4 : index
      %r = arith.index_cast %q : index to i32
      %s = rocdl.readfirstlane %r : i32
      %lds = llvm.inttoptr %s : i32 to !llvm.ptr<3>
      rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %c4i, %voffset, %zero, %zero, %zero
      gpu.barrier
      %j = arith.subi %c127, %tid : index
      %v = memref.load %tile[%j] : !tile
      memref.store %v, %out[%tid] : !out
      gpu.return
    }

    gpu.func @no_wait(%in: !llvm.ptr, %out: !out) workgroup(%tile: !tile)
        kernel {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %c127 = arith.constant 127 : index
      %zero = arith.constant 0 : i32
      %c4i = arith.constant 4 : i32
      %bytes = arith.constant 480 : i64
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %rsrc = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %voffset = arith.muli %t, %c4i : i32
      %wave = arith.divui %tid, %c64 : index
      %first = arith.muli %wave, %c64 : index
      %p = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %f4 = arith.muli %first, %c4 : index
      %q = arith.addi %p, %f4 : index
      %r = arith.index_cast %q : index to i32
      %s = rocdl.readfirstlane %r : i32
      %lds = llvm.inttoptr %s : i32 to !llvm.ptr<3>
      rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %c4i, %voffset, %zero, %zero, %zero
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      // NOWAIT: report (128): 'llvm.load' at {{.*}}:[[#@LINE+1]]:{{.*}} reads an LDS write not waited for before the barrier; the other is 'rocdl.raw.ptr.buffer.load.lds' at
      %v = memref.load %tile[%j] : !tile
      memref.store %v, %out[%tid] : !out
      gpu.return
    }

    gpu.func @no_wait_same_wave(%in: !llvm.ptr, %out: !out) workgroup(%tile: !tile)
        kernel {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %c127 = arith.constant 127 : index
      %zero = arith.constant 0 : i32
      %c4i = arith.constant 4 : i32
      %bytes = arith.constant 480 : i64
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %rsrc = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %voffset = arith.muli %t, %c4i : i32
      %wave = arith.divui %tid, %c64 : index
      %first = arith.muli %wave, %c64 : index
      %p = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %f4 = arith.muli %first, %c4 : index
      %q = arith.addi %p, %f4 : index
      %r = arith.index_cast %q : index to i32
      %s = rocdl.readfirstlane %r : i32
      %lds = llvm.inttoptr %s : i32 to !llvm.ptr<3>
      rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %c4i, %voffset, %zero, %zero, %zero
      %local = arith.remui %tid, %c64 : index
      %flip = arith.subi %c63, %local : index
      %j = arith.addi %first, %flip : index
      // SAME: report (128): 'llvm.load' at {{.*}}:[[#@LINE+1]]:{{.*}} reads what a load to LDS writes, which was not waited for; the other is 'rocdl.raw.ptr.buffer.load.lds' at
      %v = memref.load %tile[%j] : !tile
      memref.store %v, %out[%tid] : !out
      gpu.return
    }

    // In the order of the waves one sees the race, the other nothing yet.
    gpu.func @no_barrier(%in: !llvm.ptr, %out: !out) workgroup(%tile: !tile)
        kernel {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %c127 = arith.constant 127 : index
      %zero = arith.constant 0 : i32
      %c4i = arith.constant 4 : i32
      %bytes = arith.constant 480 : i64
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %rsrc = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %voffset = arith.muli %t, %c4i : i32
      %wave = arith.divui %tid, %c64 : index
      %first = arith.muli %wave, %c64 : index
      %p = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %f4 = arith.muli %first, %c4 : index
      %q = arith.addi %p, %f4 : index
      %r = arith.index_cast %q : index to i32
      %s = rocdl.readfirstlane %r : i32
      %lds = llvm.inttoptr %s : i32 to !llvm.ptr<3>
      rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %c4i, %voffset, %zero, %zero, %zero
      rocdl.s.waitcnt 3952
      %j = arith.subi %c127, %tid : index
      // RACE: report ({{[0-9]+}}): 'llvm.load' at {{.*}}:[[#@LINE+1]]:{{.*}} reads what the other wrote, with no barrier between; the other is 'rocdl.raw.ptr.buffer.load.lds' at
      %v = memref.load %tile[%j] : !tile
      memref.store %v, %out[%tid] : !out
      gpu.return
    }

    // Loads over what the other wave may still read.
    gpu.func @too_early(%in: !llvm.ptr, %out: !out) workgroup(%tile: !tile)
        kernel {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c63 = arith.constant 63 : index
      %c64 = arith.constant 64 : index
      %c127 = arith.constant 127 : index
      %zero = arith.constant 0 : i32
      %c4i = arith.constant 4 : i32
      %bytes = arith.constant 480 : i64
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %rsrc = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %voffset = arith.muli %t, %c4i : i32
      %wave = arith.divui %tid, %c64 : index
      %first = arith.muli %wave, %c64 : index
      %p = memref.extract_aligned_pointer_as_index %tile : !tile -> index
      %f4 = arith.muli %first, %c4 : index
      %q = arith.addi %p, %f4 : index
      %r = arith.index_cast %q : index to i32
      %s = rocdl.readfirstlane %r : i32
      %lds = llvm.inttoptr %s : i32 to !llvm.ptr<3>
      rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %c4i, %voffset, %zero, %zero, %zero
      rocdl.s.waitcnt 3952
      rocdl.s.barrier
      %j = arith.subi %c127, %tid : index
      %v = memref.load %tile[%j] : !tile
      memref.store %v, %out[%tid] : !out
      // WAR: report ({{[0-9]+}}): 'rocdl.raw.ptr.buffer.load.lds' at {{.*}}:[[#@LINE+1]]:{{.*}} overwrites what the other read, with no barrier between; the other is 'llvm.load' at
      rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %c4i, %voffset, %zero, %zero, %zero
      gpu.return
    }
  }

  func.func @good() -> i32 {
    %in, %out = call @setup() : () -> (!llvm.ptr, !out)
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@good blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%in : !llvm.ptr, %out : !out)
    %sum = call @sum(%out) : (!out) -> i32
    return %sum : i32
  }

  func.func @same_wave() -> i32 {
    %in, %out = call @setup() : () -> (!llvm.ptr, !out)
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@same_wave blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%in : !llvm.ptr, %out : !out)
    %sum = call @sum(%out) : (!out) -> i32
    return %sum : i32
  }

  func.func @counted() -> i32 {
    %in, %out = call @setup() : () -> (!llvm.ptr, !out)
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@counted blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%in : !llvm.ptr, %out : !out)
    %sum = call @sum(%out) : (!out) -> i32
    return %sum : i32
  }

  func.func @fenced() -> i32 {
    %in, %out = call @setup() : () -> (!llvm.ptr, !out)
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@fenced blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%in : !llvm.ptr, %out : !out)
    %sum = call @sum(%out) : (!out) -> i32
    return %sum : i32
  }

  func.func @no_wait() -> i32 {
    %in, %out = call @setup() : () -> (!llvm.ptr, !out)
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@no_wait blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%in : !llvm.ptr, %out : !out)
    %sum = call @sum(%out) : (!out) -> i32
    return %sum : i32
  }

  func.func @no_wait_same_wave() -> i32 {
    %in, %out = call @setup() : () -> (!llvm.ptr, !out)
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@no_wait_same_wave blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%in : !llvm.ptr, %out : !out)
    %sum = call @sum(%out) : (!out) -> i32
    return %sum : i32
  }

  func.func @no_barrier() -> i32 {
    %in, %out = call @setup() : () -> (!llvm.ptr, !out)
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@no_barrier blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%in : !llvm.ptr, %out : !out)
    %sum = call @sum(%out) : (!out) -> i32
    return %sum : i32
  }

  func.func @too_early() -> i32 {
    %in, %out = call @setup() : () -> (!llvm.ptr, !out)
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@too_early blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1) args(%in : !llvm.ptr, %out : !out)
    %sum = call @sum(%out) : (!out) -> i32
    return %sum : i32
  }

  // in[i] = i.
  func.func private @setup() -> (!llvm.ptr, !out) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %in = memref.alloc() : !out
    %out = memref.alloc() : !out
    scf.for %i = %c0 to %c128 step %c1 {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %in[%i] : !out
    }
    %i = memref.extract_aligned_pointer_as_index %in : !out -> index
    %j = arith.index_cast %i : index to i64
    %p = llvm.inttoptr %j : i64 to !llvm.ptr
    return %p, %out : !llvm.ptr, !out
  }

  func.func private @sum(%out: !out) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0 : i32
    %sum = scf.for %i = %c0 to %c128 step %c1 iter_args(%n = %zero) -> i32 {
      %v = memref.load %out[%i] : !out
      %next = arith.addi %n, %v : i32
      scf.yield %next : i32
    }
    return %sum : i32
  }
}
