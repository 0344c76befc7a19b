// With --device=cuda, what the host allocates is on the GPU, where its code
// cannot read or write it.

// RUN: rm -rf %t && split-file %s %t && %cc -fPIC -shared %S/Inputs/fake_cuda.c -lm -o %t/libcuda.so.1
// DEFINE: %{input} = %t/result.mlir
// DEFINE: %{run} = env LD_LIBRARY_PATH=%t lpgemm-run %{input} --chip=sm_90a --device=cuda --init=exact:1 --compare=reference --poison --size=40x48x64
// RUN: %{run} 2>&1 | FileCheck %s
// CHECK: ok: 40x48 bf16, 0 of 1920 not bit-equal

//--- result.mlir
func.func @result(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                  %sa: tensor<f32>, %sb: tensor<f32>) -> tensor<40x48xbf16> {
  %d = tensor.empty() : tensor<40x48xbf16>
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<f32>, <tensor>) rhs_scale(%sb : tensor<f32>, <tensor>)
      outs(%d : tensor<40x48xbf16>) transpose_b -> tensor<40x48xbf16>
  return %r : tensor<40x48xbf16>
}

// REDEFINE: %{input} = %t/host.mlir
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: host.mlir:7:8: error: 'linalg.generic' op reads or writes memory on the host, but that of device cuda is on the GPU
// HOST: lpgemm-run: error: cannot lower @f for device cuda

//--- host.mlir
func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa: tensor<f32>,
                %sb: tensor<f32>, %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<f32>, <tensor>) rhs_scale(%sb : tensor<f32>, <tensor>)
      outs(%d : tensor<?x?xbf16>) transpose_b -> tensor<?x?xbf16>
  // The host negates.
  %n = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      outs(%r : tensor<?x?xbf16>) {
    ^bb0(%e: bf16):
      %0 = arith.negf %e : bf16
      linalg.yield %0 : bf16
  } -> tensor<?x?xbf16>
  return %n : tensor<?x?xbf16>
}
