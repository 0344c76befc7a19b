// Reads of the accumulator of a wgmma before the wait that covers it.

// RUN: lpgemm-opt %s --convert-gpu-to-emulator=chip=sm_90a \
// RUN:   --split-input-file --verify-diagnostics

!acc = !llvm.struct<(f32, f32, f32, f32)>
gpu.module @m {
  llvm.func @good(%a: i64, %b: i64, %in: !acc, %out: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^loop(%in, %c0 : !acc, i32)
  // One group stays in flight over the back edge.
  ^loop(%acc: !acc, %i: i32):
    nvvm.wgmma.fence.aligned
    %0 = nvvm.wgmma.mma_async %a, %b, %acc, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !acc -> !acc
    %1 = nvvm.wgmma.mma_async %a, %b, %0, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !acc -> !acc
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 1
    %next = llvm.add %i, %c1 : i32
    %goesOn = llvm.icmp "ult" %next, %n : i32
    llvm.cond_br %goesOn, ^loop(%1, %next : !acc, i32), ^end(%1 : !acc)
  ^end(%last: !acc):
    %x = llvm.extractvalue %last[0] : !acc
    nvvm.inline_ptx "wgmma.wait_group.sync.aligned   0;" rw(%x : f32)
    llvm.store %x, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  llvm.func @no_wait(%a: i64, %b: i64, %in: !acc, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    // expected-note @+1 {{'nvvm.wgmma.mma_async' is here; expected its commit, and a 'nvvm.wgmma.wait.group.sync.aligned' that covers it, before the use}}
    %0 = nvvm.wgmma.mma_async %a, %b, %in, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !acc -> !acc
    nvvm.wgmma.commit.group.sync.aligned
    %x = llvm.extractvalue %0[2] : !acc
    // expected-error @+1 {{reads the accumulator of a wgmma that was not waited for}}
    llvm.store %x, %out : f32, !llvm.ptr<1>
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.return
  }

  // The wait is before the commit: it does not cover the group.
  llvm.func @never_committed(%a: i64, %b: i64, %in: !acc, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    // expected-note @+1 {{'nvvm.wgmma.mma_async' is here}}
    %0 = nvvm.wgmma.mma_async %a, %b, %in, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !acc -> !acc
    nvvm.wgmma.wait.group.sync.aligned 0
    nvvm.wgmma.commit.group.sync.aligned
    // expected-error @+1 {{reads the accumulator of a wgmma that was not waited for}}
    llvm.store %0, %out : !acc, !llvm.ptr<1>
    llvm.return
  }

  // A wait for all but one group, of which this is the last.
  llvm.func @too_many_pending(%a: i64, %b: i64, %in: !acc, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %0 = nvvm.wgmma.mma_async %a, %b, %in, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !acc -> !acc
    nvvm.wgmma.commit.group.sync.aligned
    // expected-note @+1 {{'nvvm.wgmma.mma_async' is here}}
    %1 = nvvm.wgmma.mma_async %a, %b, %in, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !acc -> !acc
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 1
    // The first group is waited for.
    llvm.store %0, %out : !acc, !llvm.ptr<1>
    // expected-error @+1 {{reads the accumulator of a wgmma that was not waited for}}
    llvm.store %1, %out : !acc, !llvm.ptr<1>
    llvm.return
  }

  // Only one of two paths waits.
  llvm.func @one_path(%a: i64, %b: i64, %in: !acc, %out: !llvm.ptr<1>, %c: i1) attributes {gpu.kernel, nvvm.kernel} {
    // expected-note @+1 {{'nvvm.wgmma.mma_async' is here}}
    %0 = nvvm.wgmma.mma_async %a, %b, %in, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !acc -> !acc
    nvvm.wgmma.commit.group.sync.aligned
    llvm.cond_br %c, ^wait, ^end(%0 : !acc)
  ^wait:
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.br ^end(%0 : !acc)
  ^end(%d: !acc):
    %x = llvm.extractvalue %d[0] : !acc
    // expected-error @+1 {{reads the accumulator of a wgmma that was not waited for}}
    %y = llvm.fadd %x, %x : f32
    llvm.store %y, %out : f32, !llvm.ptr<1>
    llvm.return
  }

  llvm.func @use(%x: f32) {
    llvm.return
  }
  llvm.func @goOn(%acc: !acc) {
    llvm.return
  }

  // A call may go on with the whole accumulator, not with a number of it.
  llvm.func @calls(%a: i64, %b: i64, %in: !acc) attributes {gpu.kernel, nvvm.kernel} {
    // expected-note @+1 {{'nvvm.wgmma.mma_async' is here}}
    %0 = nvvm.wgmma.mma_async %a, %b, %in, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !acc -> !acc
    nvvm.wgmma.commit.group.sync.aligned
    %x = llvm.extractvalue %0[1] : !acc
    // expected-error @+1 {{reads the accumulator of a wgmma that was not waited for}}
    llvm.call @use(%x) : (f32) -> ()
    %1 = nvvm.wgmma.mma_async %a, %b, %in, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !acc -> !acc
    llvm.call @goOn(%1) : (!acc) -> ()
    llvm.return
  }
}
