// Products of a warpgroup: a kernel that is right, and what can go wrong.

// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=good \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-entry=good \
// RUN:   --emulator-order=reverse \
// RUN:   | FileCheck %s --check-prefix=GOOD --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=no_fence | FileCheck %s --check-prefix=FENCE
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=no_barrier | FileCheck %s --check-prefix=BARRIER
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=no_wait | FileCheck %s --check-prefix=WAIT
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=small | FileCheck %s --check-prefix=SMALL
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=differs | FileCheck %s --check-prefix=DIFFERS
// RUN: sed s/sreg.laneid/sreg.warpid/ %s \
// RUN:   | lpgemm-emulate-test --emulator-chip=sm_90a \
// RUN:   --emulator-entry=differs | FileCheck %s --check-prefix=WARPS

// GOOD: result 0

!ptr = !llvm.ptr<3>
!acc = !llvm.struct<(f32, f32, f32, f32)>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global external @tiles() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<576 x i32>

    llvm.func @good() attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %c512 = llvm.mlir.constant(512 : i32) : i32
      %ones = llvm.mlir.constant(0x38383838 : i32) : i32
      %twos = llvm.mlir.constant(0x40404040 : i32) : i32
      %half = llvm.mlir.constant(0.5 : f32) : f32
      %expected = llvm.mlir.constant(64.5 : f32) : f32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %tiles = llvm.mlir.addressof @tiles : !ptr
      // A is 64 x 32 ones, B 32 x 8 twos.
      llvm.br ^fill(%tid : i32)
    ^fill(%i: i32):
      %is_a = llvm.icmp "ult" %i, %c512 : i32
      %value = llvm.select %is_a, %ones, %twos : i1, i32
      %place = llvm.getelementptr %tiles[%i] : (!ptr, i32) -> !ptr, i32
      llvm.store %value, %place : i32, !ptr
      %c128 = llvm.mlir.constant(128 : i32) : i32
      %c576 = llvm.mlir.constant(576 : i32) : i32
      %next = llvm.add %i, %c128 : i32
      %more = llvm.icmp "ult" %next, %c576 : i32
      llvm.cond_br %more, ^fill(%next : i32), ^filled
    ^filled:
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier
      // Rows of 16 bytes, 128 bytes to the other half of K, 256 to the next rows.
      %address = llvm.ptrtoint %tiles : !ptr to i64
      %mask = llvm.mlir.constant(0x3ffff : i64) : i64
      %four = llvm.mlir.constant(4 : i64) : i64
      %strides = llvm.mlir.constant(0x1000080000 : i64) : i64
      %offset = llvm.and %address, %mask : i64
      %field = llvm.lshr %offset, %four : i64
      %descA = llvm.or %field, %strides : i64
      %blocks = llvm.mlir.constant(128 : i64) : i64
      %descB = llvm.add %descA, %blocks : i64
      %acc0 = llvm.mlir.poison : !acc
      %acc1 = llvm.insertvalue %half, %acc0[0] : !acc
      %acc2 = llvm.insertvalue %half, %acc1[1] : !acc
      %acc3 = llvm.insertvalue %half, %acc2[2] : !acc
      %acc = llvm.insertvalue %half, %acc3[3] : !acc
      nvvm.wgmma.fence.aligned
      %d = nvvm.wgmma.mma_async %descA, %descB, %acc, <m = 64, n = 8, k = 32>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<e4m3>, #nvvm.wgmma_scale_in<one>, <row>], B [<e4m3>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned 0
      nvvm.barrier
      %mine = llvm.getelementptr %tiles[%tid] : (!ptr, i32) -> !ptr, i32
      llvm.store %c0, %mine : i32, !ptr
      %x = llvm.extractvalue %d[3] : !acc
      %is_right = llvm.fcmp "oeq" %x, %expected : f32
      llvm.cond_br %is_right, ^end, ^wrong
    ^wrong:
      %zero = llvm.mlir.zero : !llvm.ptr
      llvm.store %x, %zero : f32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return
    }

    llvm.func @no_fence() attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %c512 = llvm.mlir.constant(512 : i32) : i32
      %ones = llvm.mlir.constant(0x38383838 : i32) : i32
      %twos = llvm.mlir.constant(0x40404040 : i32) : i32
      %half = llvm.mlir.constant(0.5 : f32) : f32
      %expected = llvm.mlir.constant(64.5 : f32) : f32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %tiles = llvm.mlir.addressof @tiles : !ptr
      // A is 64 x 32 ones, B 32 x 8 twos.
      llvm.br ^fill(%tid : i32)
    ^fill(%i: i32):
      %is_a = llvm.icmp "ult" %i, %c512 : i32
      %value = llvm.select %is_a, %ones, %twos : i1, i32
      %place = llvm.getelementptr %tiles[%i] : (!ptr, i32) -> !ptr, i32
      llvm.store %value, %place : i32, !ptr
      %c128 = llvm.mlir.constant(128 : i32) : i32
      %c576 = llvm.mlir.constant(576 : i32) : i32
      %next = llvm.add %i, %c128 : i32
      %more = llvm.icmp "ult" %next, %c576 : i32
      llvm.cond_br %more, ^fill(%next : i32), ^filled
    ^filled:
      nvvm.barrier
      // Rows of 16 bytes, 128 bytes to the other half of K, 256 to the next rows.
      %address = llvm.ptrtoint %tiles : !ptr to i64
      %mask = llvm.mlir.constant(0x3ffff : i64) : i64
      %four = llvm.mlir.constant(4 : i64) : i64
      %strides = llvm.mlir.constant(0x1000080000 : i64) : i64
      %offset = llvm.and %address, %mask : i64
      %field = llvm.lshr %offset, %four : i64
      %descA = llvm.or %field, %strides : i64
      %blocks = llvm.mlir.constant(128 : i64) : i64
      %descB = llvm.add %descA, %blocks : i64
      %acc0 = llvm.mlir.poison : !acc
      %acc1 = llvm.insertvalue %half, %acc0[0] : !acc
      %acc2 = llvm.insertvalue %half, %acc1[1] : !acc
      %acc3 = llvm.insertvalue %half, %acc2[2] : !acc
      %acc = llvm.insertvalue %half, %acc3[3] : !acc
      nvvm.wgmma.fence.aligned
      // FENCE: report ({{[0-9]+}}): 'nvvm.wgmma.mma_async' at {{.*}}:[[#@LINE+1]]:12 reads through the async proxy what the other wrote, with no fence.proxy.async between; the other is 'llvm.store' at
      %d = nvvm.wgmma.mma_async %descA, %descB, %acc, <m = 64, n = 8, k = 32>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<e4m3>, #nvvm.wgmma_scale_in<one>, <row>], B [<e4m3>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned 0
      nvvm.barrier
      %mine = llvm.getelementptr %tiles[%tid] : (!ptr, i32) -> !ptr, i32
      llvm.store %c0, %mine : i32, !ptr
      %x = llvm.extractvalue %d[3] : !acc
      %is_right = llvm.fcmp "oeq" %x, %expected : f32
      llvm.cond_br %is_right, ^end, ^wrong
    ^wrong:
      %zero = llvm.mlir.zero : !llvm.ptr
      llvm.store %x, %zero : f32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return
    }

    llvm.func @no_barrier() attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %c512 = llvm.mlir.constant(512 : i32) : i32
      %ones = llvm.mlir.constant(0x38383838 : i32) : i32
      %twos = llvm.mlir.constant(0x40404040 : i32) : i32
      %half = llvm.mlir.constant(0.5 : f32) : f32
      %expected = llvm.mlir.constant(64.5 : f32) : f32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %tiles = llvm.mlir.addressof @tiles : !ptr
      // A is 64 x 32 ones, B 32 x 8 twos.
      llvm.br ^fill(%tid : i32)
    ^fill(%i: i32):
      %is_a = llvm.icmp "ult" %i, %c512 : i32
      %value = llvm.select %is_a, %ones, %twos : i1, i32
      %place = llvm.getelementptr %tiles[%i] : (!ptr, i32) -> !ptr, i32
      llvm.store %value, %place : i32, !ptr
      %c128 = llvm.mlir.constant(128 : i32) : i32
      %c576 = llvm.mlir.constant(576 : i32) : i32
      %next = llvm.add %i, %c128 : i32
      %more = llvm.icmp "ult" %next, %c576 : i32
      llvm.cond_br %more, ^fill(%next : i32), ^filled
    ^filled:
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      // Rows of 16 bytes, 128 bytes to the other half of K, 256 to the next rows.
      %address = llvm.ptrtoint %tiles : !ptr to i64
      %mask = llvm.mlir.constant(0x3ffff : i64) : i64
      %four = llvm.mlir.constant(4 : i64) : i64
      %strides = llvm.mlir.constant(0x1000080000 : i64) : i64
      %offset = llvm.and %address, %mask : i64
      %field = llvm.lshr %offset, %four : i64
      %descA = llvm.or %field, %strides : i64
      %blocks = llvm.mlir.constant(128 : i64) : i64
      %descB = llvm.add %descA, %blocks : i64
      %acc0 = llvm.mlir.poison : !acc
      %acc1 = llvm.insertvalue %half, %acc0[0] : !acc
      %acc2 = llvm.insertvalue %half, %acc1[1] : !acc
      %acc3 = llvm.insertvalue %half, %acc2[2] : !acc
      %acc = llvm.insertvalue %half, %acc3[3] : !acc
      nvvm.wgmma.fence.aligned
      // BARRIER: report ({{[0-9]+}}): 'nvvm.wgmma.mma_async' at {{.*}}:[[#@LINE+1]]:12 reads what the other wrote, and nothing orders the two; the other is 'llvm.store' at
      %d = nvvm.wgmma.mma_async %descA, %descB, %acc, <m = 64, n = 8, k = 32>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<e4m3>, #nvvm.wgmma_scale_in<one>, <row>], B [<e4m3>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned 0
      nvvm.barrier
      %mine = llvm.getelementptr %tiles[%tid] : (!ptr, i32) -> !ptr, i32
      llvm.store %c0, %mine : i32, !ptr
      %x = llvm.extractvalue %d[3] : !acc
      %is_right = llvm.fcmp "oeq" %x, %expected : f32
      llvm.cond_br %is_right, ^end, ^wrong
    ^wrong:
      %zero = llvm.mlir.zero : !llvm.ptr
      llvm.store %x, %zero : f32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return
    }

    llvm.func @no_wait() attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %c512 = llvm.mlir.constant(512 : i32) : i32
      %ones = llvm.mlir.constant(0x38383838 : i32) : i32
      %twos = llvm.mlir.constant(0x40404040 : i32) : i32
      %half = llvm.mlir.constant(0.5 : f32) : f32
      %expected = llvm.mlir.constant(64.5 : f32) : f32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %tiles = llvm.mlir.addressof @tiles : !ptr
      // A is 64 x 32 ones, B 32 x 8 twos.
      llvm.br ^fill(%tid : i32)
    ^fill(%i: i32):
      %is_a = llvm.icmp "ult" %i, %c512 : i32
      %value = llvm.select %is_a, %ones, %twos : i1, i32
      %place = llvm.getelementptr %tiles[%i] : (!ptr, i32) -> !ptr, i32
      llvm.store %value, %place : i32, !ptr
      %c128 = llvm.mlir.constant(128 : i32) : i32
      %c576 = llvm.mlir.constant(576 : i32) : i32
      %next = llvm.add %i, %c128 : i32
      %more = llvm.icmp "ult" %next, %c576 : i32
      llvm.cond_br %more, ^fill(%next : i32), ^filled
    ^filled:
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier
      // Rows of 16 bytes, 128 bytes to the other half of K, 256 to the next rows.
      %address = llvm.ptrtoint %tiles : !ptr to i64
      %mask = llvm.mlir.constant(0x3ffff : i64) : i64
      %four = llvm.mlir.constant(4 : i64) : i64
      %strides = llvm.mlir.constant(0x1000080000 : i64) : i64
      %offset = llvm.and %address, %mask : i64
      %field = llvm.lshr %offset, %four : i64
      %descA = llvm.or %field, %strides : i64
      %blocks = llvm.mlir.constant(128 : i64) : i64
      %descB = llvm.add %descA, %blocks : i64
      %acc0 = llvm.mlir.poison : !acc
      %acc1 = llvm.insertvalue %half, %acc0[0] : !acc
      %acc2 = llvm.insertvalue %half, %acc1[1] : !acc
      %acc3 = llvm.insertvalue %half, %acc2[2] : !acc
      %acc = llvm.insertvalue %half, %acc3[3] : !acc
      nvvm.wgmma.fence.aligned
      %d = nvvm.wgmma.mma_async %descA, %descB, %acc, <m = 64, n = 8, k = 32>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<e4m3>, #nvvm.wgmma_scale_in<one>, <row>], B [<e4m3>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned 1
      nvvm.barrier
      %mine = llvm.getelementptr %tiles[%tid] : (!ptr, i32) -> !ptr, i32
      // WAIT: report ({{[0-9]+}}): 'llvm.store' at {{.*}}:[[#@LINE+1]]:7 overwrites what an asynchronous operation reads, which was not waited for; the other is 'nvvm.wgmma.mma_async' at
      llvm.store %c0, %mine : i32, !ptr
      nvvm.wgmma.wait.group.sync.aligned 0
      %x = llvm.extractvalue %d[3] : !acc
      %is_right = llvm.fcmp "oeq" %x, %expected : f32
      llvm.cond_br %is_right, ^end, ^wrong
    ^wrong:
      %zero = llvm.mlir.zero : !llvm.ptr
      llvm.store %x, %zero : f32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return
    }

    llvm.func @differs() attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c4 = llvm.mlir.constant(4 : i32) : i32
      %c64 = llvm.mlir.constant(64 : i32) : i32
      %c512 = llvm.mlir.constant(512 : i32) : i32
      %ones = llvm.mlir.constant(0x38383838 : i32) : i32
      %twos = llvm.mlir.constant(0x40404040 : i32) : i32
      %half = llvm.mlir.constant(0.5 : f32) : f32
      %expected = llvm.mlir.constant(64.5 : f32) : f32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %tiles = llvm.mlir.addressof @tiles : !ptr
      // A is 64 x 32 ones, B 32 x 8 twos.
      llvm.br ^fill(%tid : i32)
    ^fill(%i: i32):
      %is_a = llvm.icmp "ult" %i, %c512 : i32
      %value = llvm.select %is_a, %ones, %twos : i1, i32
      %place = llvm.getelementptr %tiles[%i] : (!ptr, i32) -> !ptr, i32
      llvm.store %value, %place : i32, !ptr
      %c128 = llvm.mlir.constant(128 : i32) : i32
      %c576 = llvm.mlir.constant(576 : i32) : i32
      %next = llvm.add %i, %c128 : i32
      %more = llvm.icmp "ult" %next, %c576 : i32
      llvm.cond_br %more, ^fill(%next : i32), ^filled
    ^filled:
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier
      // Rows of 16 bytes, 128 bytes to the other half of K, 256 to the next rows.
      %address = llvm.ptrtoint %tiles : !ptr to i64
      %mask = llvm.mlir.constant(0x3ffff : i64) : i64
      %four = llvm.mlir.constant(4 : i64) : i64
      %strides = llvm.mlir.constant(0x1000080000 : i64) : i64
      %offset = llvm.and %address, %mask : i64
      %field = llvm.lshr %offset, %four : i64
      %descA = llvm.or %field, %strides : i64
      %blocks = llvm.mlir.constant(128 : i64) : i64
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %tid64 = llvm.zext %lane : i32 to i64
      %step = llvm.add %blocks, %tid64 : i64
      %descB = llvm.add %descA, %step : i64
      %acc0 = llvm.mlir.poison : !acc
      %acc1 = llvm.insertvalue %half, %acc0[0] : !acc
      %acc2 = llvm.insertvalue %half, %acc1[1] : !acc
      %acc3 = llvm.insertvalue %half, %acc2[2] : !acc
      %acc = llvm.insertvalue %half, %acc3[3] : !acc
      nvvm.wgmma.fence.aligned
      // DIFFERS: report ({{[0-9]+}}): 'nvvm.wgmma.mma_async' at {{.*}}:[[#@LINE+2]]:12 matrix descriptors differ within the warp (
      // WARPS: report ({{[0-9]+}}): 'nvvm.wgmma.mma_async' at {{.*}} matrix descriptors differ within the warpgroup (kernel differs, workgroup 0,0,0, warp 1 lane
      %d = nvvm.wgmma.mma_async %descA, %descB, %acc, <m = 64, n = 8, k = 32>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<e4m3>, #nvvm.wgmma_scale_in<one>, <row>], B [<e4m3>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned 0
      nvvm.barrier
      %mine = llvm.getelementptr %tiles[%tid] : (!ptr, i32) -> !ptr, i32
      llvm.store %c0, %mine : i32, !ptr
      %x = llvm.extractvalue %d[3] : !acc
      %is_right = llvm.fcmp "oeq" %x, %expected : f32
      llvm.cond_br %is_right, ^end, ^wrong
    ^wrong:
      %zero = llvm.mlir.zero : !llvm.ptr
      llvm.store %x, %zero : f32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return
    }

    llvm.func @small() attributes {gpu.kernel, nvvm.kernel} {
      %acc = llvm.mlir.zero : !acc
      %desc = llvm.mlir.constant(0 : i64) : i64
      // SMALL: report ({{[0-9]+}}): 'nvvm.wgmma.mma_async' at {{.*}}:[[#@LINE+1]]:12{{.*}} needs a warpgroup of 128 lanes, the workgroup has 96
      %d = nvvm.wgmma.mma_async %desc, %desc, %acc, <m = 64, n = 8, k = 32>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<e4m3>, #nvvm.wgmma_scale_in<one>, <row>], B [<e4m3>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc
      llvm.return
    }
  }
  func.func @good() -> i32 {
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    gpu.launch_func @kernels::@good blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @no_fence() -> i32 {
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    gpu.launch_func @kernels::@no_fence blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @no_barrier() -> i32 {
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    gpu.launch_func @kernels::@no_barrier blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @no_wait() -> i32 {
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    gpu.launch_func @kernels::@no_wait blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @differs() -> i32 {
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    gpu.launch_func @kernels::@differs blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
  func.func @small() -> i32 {
    %c1 = arith.constant 1 : index
    %lanes = arith.constant 96 : index
    gpu.launch_func @kernels::@small blocks in (%c1, %c1, %c1) threads in (%lanes, %c1, %c1)
    %r = arith.constant 0 : i32
    return %r : i32
  }
}
