// Parts of a sum of i8 products that scales leave the accumulator of i32 for: f32,
// as the sum itself, with and without a tile of the result for each workgroup.

// RUN: sed 's/PERSISTENT/false/' %s > %t.mlir
// RUN: lpgemm-run %t.mlir --chip=gfx942 --device=emulate --size=33x70x600 --init=normal:1 --poison --emulator-order=random:1 --compare=reference | FileCheck %s
// RUN: sed 's/PERSISTENT/true/' %s > %t.mlir
// RUN: lpgemm-run %t.mlir --chip=gfx950 --device=emulate --size=33x70x600 --init=exact:2 --poison --emulator-order=random:2 --emulator-multiprocessors=3 --compare=reference | FileCheck %s --check-prefix=EXACT

// CHECK: ok: 33x70
// EXACT: ok: 33x70 bf16, 0 of 2310 not bit-equal

// RUN: lpgemm-opt %t.mlir --lpgemm-attach-target=chip=gfx942 --lpgemm-select-schedule --lpgemm-bufferize --lpgemm-outline | FileCheck %s --check-prefix=KERNEL
// KERNEL: gpu.alloc{{ *}}(%{{.*}}) : memref<?xf32>

func.func @blocks(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %sa: tensor<?x?xf32>,
                  %sb: tensor<?x?xf32>, %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>)
      lhs_scale(%sa : tensor<?x?xf32>, <1x128>) rhs_scale(%sb : tensor<?x?xf32>, <128x128>)
      outs(%d : tensor<?x?xbf16>)
      schedule(<tile = [32, 64, 64], waves = [2, 2], instr = mfma_i32_16x16x32_i8, home = <a = shared, b = shared>, stages = 2, persistent = PERSISTENT, split_k = 4>)
      -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}
