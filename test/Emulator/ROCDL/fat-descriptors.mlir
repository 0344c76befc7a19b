// Descriptors of memrefs that hold buffer fat pointers. Of 16 words 10 are in
// range, but 6 for the lanes of column 1; the others read as zero.

// RUN: lpgemm-emulate %s --block=16 --arg=in:i32[4x4]=iota --arg=out:i32[4x4]=poison --print=out \
// RUN:   | FileCheck %s

// CHECK: out: 4x4xi32 [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0]
// CHECK-NOT: {{.}}

#fat = #amdgpu.address_space<fat_raw_buffer>
!dynamic = memref<?x?xi32>
!buffer = memref<?x?xi32, #fat>
gpu.module @m {
  gpu.func @copy(%in: !dynamic, %out: !dynamic) kernel {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %valid = arith.constant 40 : i64
    %tid = gpu.thread_id x
    %row = arith.divui %tid, %c4 : index
    %column = arith.remui %tid, %c4 : index
    %p = amdgpu.fat_raw_buffer_cast %in validBytes(%valid) : !dynamic to !buffer
    %q = amdgpu.fat_raw_buffer_cast %out : !dynamic to !buffer
    %less = arith.constant 24 : i64
    %s = amdgpu.fat_raw_buffer_cast %in validBytes(%less) : !dynamic to !buffer
    %is_one = arith.cmpi eq, %column, %c1 : index
    %r = scf.if %is_one -> !buffer {
      scf.yield %s : !buffer
    } else {
      scf.yield %p : !buffer
    }
    %v = memref.load %r[%row, %column] : !buffer
    memref.store %v, %q[%row, %column] : !buffer
    gpu.return
  }
}
