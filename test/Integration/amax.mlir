// (G-14) The largest magnitude of a matrix by four waves, whose tiles reach
// beyond it: what lies there, in the padding, does not count.

// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python -c "import numpy as np; x = np.random.default_rng(1).standard_normal((17, 33)).astype('f4'); x[16, 32] = -7.5; x[3, 4] = -0.0; np.save('x', x); np.save('amax', np.float32(0)); np.save('r', np.float32(7.5)); x[5, 6] = np.nan; np.save('y', x); x[5, 6] = -np.inf; np.save('z', x); np.save('nan', np.float32(np.nan)); np.save('inf', np.float32(np.inf)); np.save('zero', -0.0 * np.abs(np.load('x.npy'))); np.save('0', np.float32(0))"
// RUN: lpgemm-run %s --device=emulate --poison --arg=x.npy --arg=amax.npy --compare=r.npy --tolerance=bits | FileCheck %s
// RUN: lpgemm-run %s --device=emulate --poison --arg=y.npy --arg=amax.npy --compare=nan.npy --tolerance=bits | FileCheck %s
// RUN: lpgemm-run %s --device=emulate --poison --arg=z.npy --arg=amax.npy --compare=inf.npy --tolerance=bits | FileCheck %s
// RUN: lpgemm-run %s --device=emulate --poison --arg=zero.npy --arg=amax.npy --compare=0.npy --tolerance=bits | FileCheck %s
// CHECK: ok: {{.*}}f32, 0 of 1 not bit-equal

!fc = !lpgemm.frag<16x32xf32, <mfma_f32_16x16x32_fp8, c>>
!g = !lpgemm.global<?x?xf32>

module attributes {gpu.container_module} {
  gpu.module @kernels attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
    gpu.func @amax(%px: !llvm.ptr, %pa: !llvm.ptr, %m: i32, %n: i32,
                   %pitch: i64)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %rows = arith.index_cast %m : i32 to index
      %cols = arith.index_cast %n : i32 to index
      %wave = gpu.subgroup_id : index
      %i = arith.divui %wave, %c2 : index
      %j = arith.remui %wave, %c2 : index
      %wm = arith.muli %i, %c16 : index
      %wn = arith.muli %j, %c32 : index
      %x = lpgemm.bind %px[%rows, %cols] pitch %pitch : !llvm.ptr to !g
      %a = lpgemm.bind %pa[%rows, %c1] pitch %pitch
          : !llvm.ptr to !lpgemm.global<f32>
      %tile = lpgemm.load %x[%c0, %c0] at [%wm, %wn] : !g to !fc
      // +0, which is outside only, becomes a large number.
      %ten = arith.constant 10.0 : f32
      %zero = arith.constant 0 : i32
      %y = lpgemm.apply %tile {
        ^bb0(%t: f32):
          %bits = arith.bitcast %t : f32 to i32
          %outside = arith.cmpi eq, %bits, %zero : i32
          %0 = arith.select %outside, %ten, %t : f32
          lpgemm.yield %0 : f32
      } : !fc -> !fc
      lpgemm.amax %y, %a within %x[%c0, %c0] at [%wm, %wn]
          : !fc, !lpgemm.global<f32>, !g
      gpu.return
    }
  }
  func.func @f(%x: memref<17x33xf32>, %amax: memref<f32>) -> memref<f32> {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %m = arith.constant 17 : i32
    %n = arith.constant 33 : i32
    %pitch = arith.constant 33 : i64
    %base = memref.extract_aligned_pointer_as_index %x
        : memref<17x33xf32> -> index
    %integer = arith.index_cast %base : index to i64
    %px = llvm.inttoptr %integer : i64 to !llvm.ptr
    %base1 = memref.extract_aligned_pointer_as_index %amax
        : memref<f32> -> index
    %integer1 = arith.index_cast %base1 : index to i64
    %pa = llvm.inttoptr %integer1 : i64 to !llvm.ptr
    gpu.launch_func @kernels::@amax blocks in (%c1, %c1, %c1)
        threads in (%c256, %c1, %c1)
        args(%px : !llvm.ptr, %pa : !llvm.ptr, %m : i32, %n : i32, %pitch : i64)
    return %amax : memref<f32>
  }
}
