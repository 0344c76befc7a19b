// Batches on sm_90a: the copy engine takes operands with one dimension of the
// batch by maps of three dimensions, and stores the result by one.

// RUN: lpgemm-compile %s --chip=sm_90a --emit=isa --quiet -o %t.s
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.s
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%t.s.json

// PTX-LABEL: .entry batch_kernel(
// PTX-DAG: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier
// PTX-DAG: cp.async.bulk.tensor.3d.global.shared::cta
// PTX-LABEL: .entry blocks_kernel(
// PTX: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier
// PTX: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier
// PTX-LABEL: .entry batches_kernel(
// PTX-NOT: cp.async.bulk.tensor.3d
// PTX-LABEL: .entry fixed_kernel(

// MANIFEST: "function": "batch"
// MANIFEST: "name": "lhs_map",
// MANIFEST-NEXT: "kind": "tensor_map",

// DEFINE: %{entry} =
// DEFINE: %{run} = lpgemm-run %s --entry=%{entry} --chip=sm_90a --device=emulate --poison --compare=reference --emulator-order=random:3 --emulator-loads=random
// REDEFINE: %{entry} = batch
// RUN: %{run} --init=normal:1 --size=3x130x144x272 | FileCheck %s
// RUN: %{run} --init=exact:2 --size=2x64x128x128 | FileCheck %s
// RUN: %{run} --init=exact:3 --size=1x200x96x160 | FileCheck %s
// RUN: %{run} --init=normal:4 --size=0x130x144x272 | FileCheck %s
// RUN: %{run} --init=normal:5 --size=2x0x16x272 | FileCheck %s
// RUN: %{run} --init=normal:6 --size=3x17x16x0 | FileCheck %s

// Rows, or entries, that are not multiples of 16 bytes apart: by threads.
// RUN: %{run} --init=normal:7 --size=3x33x65x130 | FileCheck %s
// RUN: %{run} --init=normal:8 --size=3x1x65x130 | FileCheck %s

// REDEFINE: %{entry} = blocks
// RUN: %{run} --init=normal:9 --size=2x257x160x400 | FileCheck %s
// RUN: %{run} --init=exact:10 --size=3x64x128x512 | FileCheck %s
// REDEFINE: %{entry} = batches
// RUN: %{run} --init=normal:11 --size=2x3x70x32x144 | FileCheck %s
// REDEFINE: %{entry} = fixed
// RUN: %{run} --init=exact:12 | FileCheck %s

// CHECK: {{^}}ok: {{[0-9]+}}x{{[0-9]+}}x

!a = tensor<?x?x?xf8E4M3FN>
!d = tensor<?x?x?xbf16>
func.func @batch(%a: !a, %b: !a, %sa: tensor<f32>, %sb: tensor<f32>, %d: !d) -> !d {
  %0 = lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : tensor<f32>, <tensor>) rhs_scale(%sb : tensor<f32>, <tensor>)
      outs(%d : !d) transpose_b -> !d
  return %0 : !d
}

// rhs and its scales are the same for all; scales of lhs are copied by maps, too.
func.func @blocks(%a: !a, %b: tensor<?x?xf8E4M3FN>, %sa: tensor<?x?x?xf32>,
                  %sb: tensor<?x?xf32>, %d: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : !a, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?x?xf32>, <1x128, layout = mn_tma>)
      rhs_scale(%sb : tensor<?x?xf32>, <128x128>)
      outs(%d : tensor<?x?x?xf32>) transpose_b -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// There is no map of two dimensions of a batch.
func.func @batches(%a: tensor<?x?x?x?xbf16>, %b: tensor<?x?x?x?xbf16>,
                   %d: tensor<?x?x?x?xbf16>) -> tensor<?x?x?x?xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?x?x?xbf16>, tensor<?x?x?x?xbf16>)
      outs(%d : tensor<?x?x?x?xbf16>) transpose_b -> tensor<?x?x?x?xbf16>
  return %0 : tensor<?x?x?x?xbf16>
}

// Clusters whose workgroups copy for each other are of one entry.
func.func @fixed(%a: tensor<3x200x256xf8E4M3FN>, %b: tensor<3x128x256xf8E4M3FN>,
                 %d: tensor<3x200x128xf32>) -> tensor<3x200x128xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<3x200x256xf8E4M3FN>, tensor<3x128x256xf8E4M3FN>)
      outs(%d : tensor<3x200x128xf32>) transpose_b
      schedule(<tile = [128, 64, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 3,
                roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 2]>)
      -> tensor<3x200x128xf32>
  return %0 : tensor<3x200x128xf32>
}
