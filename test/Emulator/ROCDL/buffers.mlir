// Raw buffers: what is out of the range of the resource reads as zero and is
// not written; what is in range must be in a buffer of the host.

// RUN: lpgemm-emulate-test %s --emulator-entry=clipped \
// RUN:   | FileCheck %s --check-prefix=CLIP --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=narrow \
// RUN:   | FileCheck %s --check-prefix=NARROW --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=soffset \
// RUN:   | FileCheck %s --check-prefix=SOFF --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=resource_too_long \
// RUN:   | FileCheck %s --check-prefix=LONG --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=misaligned \
// RUN:   | FileCheck %s --check-prefix=ALIGN --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=global \
// RUN:   | FileCheck %s --check-prefix=GLOBAL --implicit-check-not=report

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Loads and stores four words at each 16-byte row; 56 bytes are in range.
    gpu.func @copy(%in: !llvm.ptr, %out: !llvm.ptr, %bytes: i64, %shift: i32,
                   %soffset: i32) kernel {
      %zero = arith.constant 0 : i32
      %c16 = arith.constant 16 : i32
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %row = arith.muli %t, %c16 : i32
      %voffset = arith.addi %row, %shift : i32
      %src = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %dst = rocdl.make.buffer.rsrc %out, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      // SOFF: report (1): 'rocdl.raw.ptr.buffer.load' at {{.*}}:[[#@LINE+3]]:{{.*}} accesses 16 bytes at offset 64 of 'allocation of the host', which has 64 bytes (kernel copy, workgroup 0,0,0, wave 0 lane 3)
      // LONG: report (1): 'rocdl.raw.ptr.buffer.load' at {{.*}}:[[#@LINE+2]]:{{.*}} accesses 16 bytes at offset 64 of 'allocation of the host', which has 64 bytes (kernel copy, workgroup 0,0,0, wave 0 lane 4)
      // ALIGN: report (4): 'rocdl.raw.ptr.buffer.load' at {{.*}}:[[#@LINE+1]]:{{.*}} needs an address aligned to 4 bytes, is off by 2
      %v = rocdl.raw.ptr.buffer.load %src, %voffset, %soffset, %zero
          : vector<4xi32>
      rocdl.raw.ptr.buffer.store %v, %dst, %row, %zero, %zero : vector<4xi32>
      gpu.return
    }

    // One byte each, of which 3 are in range.
    gpu.func @copy_bytes(%in: !llvm.ptr, %out: !llvm.ptr) kernel {
      %zero = arith.constant 0 : i32
      %bytes = arith.constant 3 : i64
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %tid = gpu.thread_id x
      %t = arith.index_cast %tid : index to i32
      %src = rocdl.make.buffer.rsrc %in, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %dst = rocdl.make.buffer.rsrc %out, %stride, %bytes, %flags
          : !llvm.ptr to !llvm.ptr<8>
      %v = rocdl.raw.ptr.buffer.load %src, %t, %zero, %zero : i8
      rocdl.raw.ptr.buffer.store %v, %dst, %t, %zero, %zero : i8
      gpu.return
    }

    gpu.func @past_end(%out: memref<16xi32>) kernel {
      %zero = arith.constant 0 : i32
      %tid = gpu.thread_id x
      // GLOBAL: report (1): 'llvm.store' at {{.*}}:[[#@LINE+1]]:{{.*}} accesses 4 bytes at offset 64 of 'allocation of the host', which has 64 bytes (kernel past_end, workgroup 0,0,0, wave 0 lane 16)
      memref.store %zero, %out[%tid] : memref<16xi32>
      gpu.return
    }
  }

  // Runs @copy on in[i] = i and out[i] = -1; returns the sum of out.
  func.func private @run(%bytes: i64, %threads: index, %shift: i32,
                         %soffset: i32) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0 : i32
    %minus = arith.constant -1 : i32
    %in = memref.alloc() : memref<16xi32>
    %out = memref.alloc() : memref<16xi32>
    scf.for %i = %c0 to %c16 step %c1 {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %in[%i] : memref<16xi32>
      memref.store %minus, %out[%i] : memref<16xi32>
    }
    %iin = memref.extract_aligned_pointer_as_index %in : memref<16xi32> -> index
    %jin = arith.index_cast %iin : index to i64
    %pin = llvm.inttoptr %jin : i64 to !llvm.ptr
    %iout = memref.extract_aligned_pointer_as_index %out
        : memref<16xi32> -> index
    %jout = arith.index_cast %iout : index to i64
    %pout = llvm.inttoptr %jout : i64 to !llvm.ptr
    gpu.launch_func @kernels::@copy
        blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%pin : !llvm.ptr, %pout : !llvm.ptr, %bytes : i64, %shift : i32,
             %soffset : i32)
    %sum = scf.for %i = %c0 to %c16 step %c1 iter_args(%n = %zero) -> i32 {
      %v = memref.load %out[%i] : memref<16xi32>
      %next = arith.addi %n, %v : i32
      scf.yield %next : i32
    }
    memref.dealloc %in : memref<16xi32>
    memref.dealloc %out : memref<16xi32>
    return %sum : i32
  }

  // 54 bytes are 13 whole words: 0 + ... + 12 were copied and three kept.
  // CLIP: result 75
  func.func @clipped() -> i32 {
    %bytes = arith.constant 54 : i64
    %threads = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %sum = call @run(%bytes, %threads, %zero, %zero)
        : (i64, index, i32, i32) -> i32
    return %sum : i32
  }

  // The scalar offset is not checked against the range, but against the buffer.
  func.func @soffset() -> i32 {
    %bytes = arith.constant 64 : i64
    %threads = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %sum = call @run(%bytes, %threads, %zero, %c16)
        : (i64, index, i32, i32) -> i32
    return %sum : i32
  }

  func.func @resource_too_long() -> i32 {
    %bytes = arith.constant 80 : i64
    %threads = arith.constant 5 : index
    %zero = arith.constant 0 : i32
    %sum = call @run(%bytes, %threads, %zero, %zero)
        : (i64, index, i32, i32) -> i32
    return %sum : i32
  }

  func.func @misaligned() -> i32 {
    %bytes = arith.constant 64 : i64
    %threads = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %sum = call @run(%bytes, %threads, %c2, %zero)
        : (i64, index, i32, i32) -> i32
    return %sum : i32
  }

  // in is 0x04030201, out is -1: 0xff030201.
  // NARROW: result -16580095
  func.func @narrow() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %minus = arith.constant -1 : i32
    %value = arith.constant 0x04030201 : i32
    %in = memref.alloc() : memref<1xi32>
    %out = memref.alloc() : memref<1xi32>
    memref.store %value, %in[%c0] : memref<1xi32>
    memref.store %minus, %out[%c0] : memref<1xi32>
    %iin = memref.extract_aligned_pointer_as_index %in : memref<1xi32> -> index
    %jin = arith.index_cast %iin : index to i64
    %pin = llvm.inttoptr %jin : i64 to !llvm.ptr
    %iout = memref.extract_aligned_pointer_as_index %out
        : memref<1xi32> -> index
    %jout = arith.index_cast %iout : index to i64
    %pout = llvm.inttoptr %jout : i64 to !llvm.ptr
    gpu.launch_func @kernels::@copy_bytes
        blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
        args(%pin : !llvm.ptr, %pout : !llvm.ptr)
    %v = memref.load %out[%c0] : memref<1xi32>
    return %v : i32
  }

  func.func @global() -> i32 {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %out = memref.alloc() : memref<16xi32>
    gpu.launch_func @kernels::@past_end
        blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%out : memref<16xi32>)
    return %zero : i32
  }
}
