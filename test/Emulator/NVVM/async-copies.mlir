// Asynchronous copies and mbarriers, from the operations to the data. The
// faults that they make possible are tested in test/Unit/Emulator.

// DEFINE: %{order} = early --emulator-order=forward
// DEFINE: %{tensor} = lpgemm-emulate %s --kernel=tensor --chip=sm_90a --block=64 --buffer=a:i32[16x64]=iota --buffer=b:i32[16x64]=zeros --arg="in:tensormap(a, box=32x4, swizzle=128)" --arg="out:tensormap(b, box=32x4, swizzle=128)" --print=b --emulator-loads=%{order} | FileCheck %s --check-prefix=TENSOR
// DEFINE: %{bulk} = lpgemm-emulate %s --kernel=bulk --chip=sm_90a --block=32 --arg=a:i32[32]=iota --arg=b:i32[32]=zeros --print=b --emulator-loads=%{order} | FileCheck %s --check-prefix=BULK
// DEFINE: %{small} = lpgemm-emulate %s --kernel=small --chip=sm_90a --block=64 --arg=a:i32[256]=iota --arg=b:i32[64]=zeros --print=b --emulator-loads=%{order} | FileCheck %s --check-prefix=SMALL

// RUN: %{tensor}
// RUN: %{bulk}
// RUN: %{small}
// REDEFINE: %{order} = late --emulator-order=reverse
// RUN: %{tensor}
// RUN: %{bulk}
// RUN: %{small}
// REDEFINE: %{order} = random --emulator-order=random:3
// RUN: %{tensor}
// RUN: %{bulk}
// RUN: %{small}

// Row 0 of b is what row 2 of a is from column 16 on, doubled.
// TENSOR: b: 16x64xi32 [288, 290, 292, 294, 296, 298,
// BULK: b: 32xi32 [0, 0, 2, 3, 4, 0, 6, 7, 8, 0, 10, 11,
// Four words of each lane, of which the last is not read.
// SMALL: b: 64xi32 [3, 15, 27, 39, 51, 63,

!s = !llvm.ptr<3>
!c = !llvm.ptr<7>
!g = !llvm.ptr<1>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global external @tile() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<128 x i32>
    llvm.mlir.global external @bar() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>

    // Lane 0 loads a box; all double it; lane 0 stores it.
    llvm.func @tensor(%in: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c2 = llvm.mlir.constant(2 : i32) : i32
      %c16 = llvm.mlir.constant(16 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %bytes = llvm.mlir.constant(512 : i32) : i32
      %ticks = llvm.mlir.constant(1000 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "eq" %tid, %c0 : i32
      %tile = llvm.mlir.addressof @tile : !s
      %target = llvm.addrspacecast %tile : !s to !c
      %bar = llvm.mlir.addressof @bar : !s
      nvvm.mbarrier.init %bar, %c1, predicate = %first : !s, i32, i1
      nvvm.prefetch tensormap, %in, predicate = %first : !llvm.ptr, i1
      nvvm.fence.mbarrier.init
      nvvm.barrier
      nvvm.mbarrier.arrive.expect_tx %bar, %bytes, predicate = %first : !s, i32, i1
      nvvm.cp.async.bulk.tensor.shared.cluster.global %target, %in, %bar, box[%c16, %c2] predicate = %first : !c, !llvm.ptr
      nvvm.mbarrier.try_wait.parity %bar, %c0, %ticks : !s, i32, i32
      %mine = llvm.getelementptr %tile[%tid] : (!s, i32) -> !s, i32
      %other = llvm.add %tid, %c64 : i32
      %second = llvm.getelementptr %tile[%other] : (!s, i32) -> !s, i32
      %a = llvm.load %mine : !s -> i32
      %aa = llvm.add %a, %a : i32
      llvm.store %aa, %mine : i32, !s
      %b = llvm.load %second : !s -> i32
      %bb = llvm.add %b, %b : i32
      llvm.store %bb, %second : i32, !s
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier
      nvvm.cp.async.bulk.tensor.global.shared.cta %out, %tile, box[%c0, %c0], predicate = %first : !llvm.ptr, !s
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0 {read}
      llvm.return
    }

    // A copy in, and a copy of byte 0 and bytes 8 to 15 of each 16 out.
    llvm.func @bulk(%in: !g, %out: !g) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %bytes = llvm.mlir.constant(128 : i32) : i32
      %mask = llvm.mlir.constant(-255 : i16) : i16
      %parity = llvm.mlir.constant(0 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "eq" %tid, %c0 : i32
      llvm.cond_br %first, ^one, ^end
    ^one:
      %tile = llvm.mlir.addressof @tile : !s
      %target = llvm.addrspacecast %tile : !s to !c
      %bar = llvm.mlir.addressof @bar : !s
      nvvm.mbarrier.init %bar, %c1 : !s, i32
      nvvm.cp.async.bulk.prefetch %in, %bytes : !g
      nvvm.cp.async.bulk.shared.cluster.global %target, %in, %bar, %bytes : !c, !g
      %state = nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !s, i32 -> i64
      llvm.br ^test
    ^test:
      %done = nvvm.mbarrier.test.wait %bar, %state : !s, i64 -> i1
      llvm.cond_br %done, ^again, ^test
    ^again:
      %same = nvvm.mbarrier.try_wait %bar, %parity : !s, i32 -> i1
      llvm.cond_br %same, ^copy, ^again
    ^copy:
      nvvm.cp.async.bulk.global.shared.cta %out, %tile, %bytes byte_mask = %mask : !g, !s
      nvvm.cp.async.bulk.commit.group
      nvvm.cp.async.bulk.wait_group 0
      nvvm.mbarrier.inval %bar : !s
      llvm.br ^end
    ^end:
      llvm.return
    }

    // Lanes of warp 0 copy for those of warp 1, and the other way round.
    llvm.func @small(%in: !g, %out: !g) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c2 = llvm.mlir.constant(2 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %first = llvm.icmp "eq" %tid, %c0 : i32
      %tile = llvm.mlir.addressof @tile : !s
      %bar = llvm.mlir.addressof @bar : !s
      nvvm.mbarrier.init %bar, %c64, predicate = %first : !s, i32, i1
      nvvm.barrier
      // Two words by one copy, and one word and zeros by two others.
      %pair = llvm.mul %tid, %c2 : i32
      %quad = llvm.mul %tid, %c4 : i32
      %to = llvm.getelementptr %tile[%pair] : (!s, i32) -> !s, i32
      %from = llvm.getelementptr %in[%quad] : (!g, i32) -> !g, i32
      nvvm.cp.async.shared.global %to, %from, 8, cache = ca : !s, !g
      nvvm.cp.async.mbarrier.arrive %bar {noinc = true} : !s
      nvvm.cp.async.commit.group
      %state = llvm.mlir.constant(0 : i64) : i64
      llvm.br ^test
    ^test:
      %done = nvvm.mbarrier.test.wait %bar, %state : !s, i64 -> i1
      llvm.cond_br %done, ^sum, ^test
    ^sum:
      %a = llvm.load %to : !s -> i32
      %next = llvm.getelementptr %to[1] : (!s) -> !s, i32
      %b = llvm.load %next : !s -> i32
      %ab = llvm.add %a, %b : i32
      nvvm.barrier
      %third = llvm.getelementptr %from[2] : (!g) -> !g, i32
      nvvm.cp.async.shared.global %to, %third, 8, cache = ca, %c4 : !s, !g, i32
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0
      %c = llvm.load %to : !s -> i32
      %d = llvm.load %next : !s -> i32
      %cd = llvm.add %c, %d : i32
      %sum = llvm.add %ab, %cd : i32
      %result = llvm.getelementptr %out[%tid] : (!g, i32) -> !g, i32
      llvm.store %sum, %result : i32, !g
      llvm.return
    }
  }
}
