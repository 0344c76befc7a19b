// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --lpgemm-finalize-launches

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr, %lda: i64, %map: !llvm.ptr) attributes {
      gpu.kernel, nvvm.kernel, lpgemm.tensor_maps = array<i32: 2>,
      lpgemm.kernel = {op = "lpgemm.matmul", function = "launch", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64},
        {tensor_map = "lhs", box = array<i64: 128, 64>, swizzle = 128 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    llvm.return
  }
}
func.func @few(%a: !llvm.ptr, %lda: i64, %i: i32, %map: !llvm.ptr) {
  %one = arith.constant 1 : index
  // expected-error @+1 {{'gpu.launch_func' op expects 3 operands for @kernels::@kernel, but got 2}}
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
    args(%a : !llvm.ptr, %lda : i64)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr, %lda: i64, %map: !llvm.ptr) attributes {
      gpu.kernel, nvvm.kernel, lpgemm.tensor_maps = array<i32: 2>,
      lpgemm.kernel = {op = "lpgemm.matmul", function = "launch", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64},
        {tensor_map = "lhs", box = array<i64: 128, 64>, swizzle = 128 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    llvm.return
  }
}
func.func @pitch(%a: !llvm.ptr, %lda: i64, %i: i32, %map: !llvm.ptr) {
  %one = arith.constant 1 : index
  // expected-error @+1 {{'gpu.launch_func' op expects operand 1 (lhs_pitch) for @kernels::@kernel to be of type 'i64', but got 'i32'}}
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
    args(%a : !llvm.ptr, %i : i32, %map : !llvm.ptr)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr, %lda: i64, %map: !llvm.ptr) attributes {
      gpu.kernel, nvvm.kernel, lpgemm.tensor_maps = array<i32: 2>,
      lpgemm.kernel = {op = "lpgemm.matmul", function = "launch", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64},
        {tensor_map = "lhs", box = array<i64: 128, 64>, swizzle = 128 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    llvm.return
  }
}
func.func @map(%a: !llvm.ptr, %lda: i64, %i: i32, %map: !llvm.ptr) {
  %one = arith.constant 1 : index
  // expected-error @+1 {{'gpu.launch_func' op expects operand 2 (lhs_map) for @kernels::@kernel to be of type '!llvm.array<128 x i8>', but got 'i64'}}
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
    args(%a : !llvm.ptr, %lda : i64, %lda : i64)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels {
  // expected-error @+1 {{'llvm.func' op expects attribute 'lpgemm.tensor_maps' to have numbers of arguments that are a '!llvm.ptr', but got 3}}
  llvm.func @kernel(%a: !llvm.ptr, %lda: i64, %map: !llvm.ptr) attributes {
      gpu.kernel, nvvm.kernel, lpgemm.tensor_maps = array<i32: 3>,
      lpgemm.kernel = {op = "lpgemm.matmul", function = "launch", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64},
        {tensor_map = "lhs", box = array<i64: 128, 64>, swizzle = 128 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    llvm.return
  }
}
func.func @number(%a: !llvm.ptr, %lda: i64, %i: i32, %map: !llvm.ptr) {
  %one = arith.constant 1 : index
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
    args(%a : !llvm.ptr, %lda : i64, %map : !llvm.ptr)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels {
  // expected-error @+1 {{'llvm.func' op expects attribute 'lpgemm.tensor_maps' to have numbers of arguments that are a '!llvm.ptr', but got 1}}
  llvm.func @kernel(%a: !llvm.ptr, %lda: i64, %map: !llvm.ptr) attributes {
      gpu.kernel, nvvm.kernel, lpgemm.tensor_maps = array<i32: 1>,
      lpgemm.kernel = {op = "lpgemm.matmul", function = "launch", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {pitch = "lhs", at_most = 1000 : i64},
        {tensor_map = "lhs", box = array<i64: 128, 64>, swizzle = 128 : i64}],
        max_workgroups = 1000 : i64, tiles = affine_map<(m, n) -> (m, n)>}} {
    llvm.return
  }
}
func.func @no_pointer(%a: !llvm.ptr, %lda: i64, %i: i32, %map: !llvm.ptr) {
  %one = arith.constant 1 : index
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
    args(%a : !llvm.ptr, %lda : i64, %map : !llvm.ptr)
  return
}
}
