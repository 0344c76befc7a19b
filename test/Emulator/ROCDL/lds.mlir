// Values go through LDS to other waves. What the kernel does right passes; each
// mutation of it is reported, with both places.

// RUN: lpgemm-emulate-test %s | FileCheck %s
// RUN: lpgemm-emulate-test %s --emulator-order=reverse | FileCheck %s
// RUN: lpgemm-emulate-test %s --emulator-order=random --emulator-seed=7 \
// RUN:   | FileCheck %s
// RUN: lpgemm-emulate-test %s --emulator-no-checks --emulator-threads=1 \
// RUN:   | FileCheck %s

// CHECK: {{^}}result 0
// CHECK-NOT: report

#lds = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // out[i] = in[255 - i] within the workgroup's 256 values.
    gpu.func @reverse(%in: memref<1024xi32>, %out: memref<1024xi32>)
        workgroup(%tile: memref<256xi32, #lds>)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c255 = arith.constant 255 : index
      %tid = gpu.thread_id x
      %bid = gpu.block_id x
      %dim = gpu.block_dim x
      %base = arith.muli %bid, %dim : index
      %i = arith.addi %base, %tid : index
      %v = memref.load %in[%i] : memref<1024xi32>
      memref.store %v, %tile[%tid] : memref<256xi32, #lds>
      gpu.barrier
      %j = arith.subi %c255, %tid : index
      %w = memref.load %tile[%j] : memref<256xi32, #lds>
      memref.store %w, %out[%i] : memref<1024xi32>
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %c1024 = arith.constant 1024 : index
    %in = memref.alloc() : memref<1024xi32>
    %out = memref.alloc() : memref<1024xi32>
    scf.for %i = %c0 to %c1024 step %c1 {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %in[%i] : memref<1024xi32>
    }
    gpu.launch_func @kernels::@reverse blocks in (%c4, %c1, %c1)
        threads in (%c256, %c1, %c1)
        args(%in : memref<1024xi32>, %out : memref<1024xi32>)
    // The number of wrong values.
    %zero = arith.constant 0 : i32
    %c255 = arith.constant 255 : index
    %bad = scf.for %i = %c0 to %c1024 step %c1 iter_args(%n = %zero) -> i32 {
      %x = arith.xori %i, %c255 : index
      %want = arith.index_cast %x : index to i32
      %got = memref.load %out[%i] : memref<1024xi32>
      %ne = arith.cmpi ne, %want, %got : i32
      %one = arith.extui %ne : i1 to i32
      %next = arith.addi %n, %one : i32
      scf.yield %next : i32
    }
    memref.dealloc %in : memref<1024xi32>
    memref.dealloc %out : memref<1024xi32>
    return %bad : i32
  }
}
