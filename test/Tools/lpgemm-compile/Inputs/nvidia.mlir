// Kernels for sm_90a that do not come from an op: one that takes what
// lpgemm-finalize-abi adds, and one that a compiler of PTX complains about.
module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @maps(%a: !llvm.ptr, %m: i32, %n: i32, %lda: i64, %map: !llvm.ptr, %other: !llvm.ptr) attributes {
      gpu.kernel, nvvm.kernel, gpu.known_block_size = array<i32: 128, 1, 1>,
      nvvm.maxntid = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>,
      lpgemm.tensor_maps = array<i32: 4, 5>, lpgemm.dynamic_shared_memory = 66560 : i64,
      lpgemm.kernel = {op = "lpgemm.matmul", function = "f", extents = ["M", "N"], arguments = [
        {address = "lhs", element = f8E4M3FN, shape = affine_map<(m, n) -> (m, n)>},
        {extent = "M", at_most = 1000 : i64}, {extent = "N", at_most = 1000 : i64},
        {pitch = "lhs", at_most = 1000 : i64},
        {tensor_map = "lhs", box = array<i64: 128, 64>, swizzle = 128 : i64},
        {tensor_map = "lhs", box = array<i64: 64, 16>, swizzle = 0 : i64, number = 1 : i64}],
        cluster = 2 : i64, persistent, max_workgroups = 1000 : i64,
        tiles = affine_map<(m, n) -> (m ceildiv 256 * 2, n ceildiv 128)>}} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %tile = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %bar = llvm.getelementptr %tile[65536] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %target = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.cp.async.bulk.tensor.shared.cluster.global %target, %map, %bar, box[%m, %zero] : !llvm.ptr<7>, !llvm.ptr
    llvm.store %n, %a : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @complaint(%a: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.setmaxregister increase 232
    llvm.return
  }
}
}
