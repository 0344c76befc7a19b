// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-nvvm,canonicalize,cse))" | FileCheck %s

// Who says that a slot is free: each lane of the four warps of a role that reads,
// and one lane of each of the four of a role that does not. A slot waits for all
// 132 of them.

!buf = !lpgemm.buf<4x1xf32, shared, <pad = 0, unit = 4, mask = 0, shift = 0>>
!rows = !lpgemm.frag<64x1xf32, <wgmma_m64k32_f32_fp8, c_row>>
!acc = !lpgemm.frag<64x16xf32, <wgmma_m64k32_f32_fp8, c>>
!g = !lpgemm.global<?x?xf32>
!pipe = !lpgemm.pipe<1>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
  // CHECK-LABEL: gpu.func @two_roles
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK-DAG: %[[ALL:.*]] = arith.constant 132 : i32
  // CHECK: nvvm.mbarrier.init %{{.*}}, %[[ONE]]
  // CHECK: nvvm.mbarrier.init %{{.*}}, %[[ALL]]
  // CHECK-NOT: nvvm.mbarrier.init
  // CHECK: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3>
  // CHECK: nvvm.inline_ptx "mbarrier.arrive.shared::cta.b64 _, [$0];"
  gpu.func @two_roles(%d: !llvm.ptr, %n: index, %pitch: i64, %x: f32) kernel
      attributes {known_block_size = array<i32: 384, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = lpgemm.bind %d[%n, %n] pitch %pitch : !llvm.ptr to !g
    %buf = lpgemm.alloc {offset = 0 : i64} : !buf
    %pipe = lpgemm.pipe {offset = 16 : i64} : !pipe
    lpgemm.roles {
      role mma(%wave) waves(1) {
        %slot = lpgemm.pipe_start : !lpgemm.slot
        lpgemm.pipe_await %pipe[%slot] : !pipe
        %sum = lpgemm.splat %x : f32 to !acc
        %sa = lpgemm.read %buf[%c0, %c0] {row_block = 16 : i64, row_unit = 16 : i64} : !buf to !rows
        lpgemm.pipe_release %pipe[%slot] : !pipe
        %r = lpgemm.promote %sum, %sum sa(%sa : !rows) : !acc, !acc
        lpgemm.store %r, %g[%c0, %c0] at [%c0, %c0] : !acc to !g
      }
      role other(%wave) waves(1) {
        %slot = lpgemm.pipe_start : !lpgemm.slot
        lpgemm.pipe_await %pipe[%slot] : !pipe
        lpgemm.pipe_release %pipe[%slot] : !pipe
      }
      role load(%wave) waves(1) {
        %slot = lpgemm.pipe_start : !lpgemm.slot
        lpgemm.pipe_acquire %pipe[%slot] : !pipe
        lpgemm.pipe_commit %pipe[%slot] : !pipe
      }
    }
    gpu.return
  }
}
