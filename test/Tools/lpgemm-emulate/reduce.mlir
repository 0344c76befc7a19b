// A kernel written by hand from the PTX ISA: each block of 256 threads sums 256
// numbers, within warps by shuffles, and between them through shared memory.

// DEFINE: %{launch} = lpgemm-emulate --grid=4 --block=256 --arg=x:f32[1024]=iota --arg=sums:f32[4]=poison --print=sums
// RUN: %{launch} %s --chip=sm_80 | FileCheck %s --match-full-lines --implicit-check-not='{{.}}'
// RUN: %{launch} %s --chip=sm_90a --cluster=2 --emulator-order=random:1 | FileCheck %s --match-full-lines --implicit-check-not='{{.}}'
// The sum of 256 * i to 256 * i + 255 is 65536 * i + 32640.
// CHECK: sums: 4xf32 [32640, 98176, 163712, 229248]

// Clusters are of sm_90a, and the grid has whole ones.
// RUN: not %{launch} %s --chip=sm_80 --cluster=2 | FileCheck %s --check-prefix=NONE
// NONE: InvalidLaunch (1): launch of kernel reduce: expected no cluster on this chip, got 2,1,1
// RUN: not %{launch} %s --chip=sm_90a --cluster=3 | FileCheck %s --check-prefix=WHOLE
// WHOLE: InvalidLaunch (1): launch of kernel reduce: expected a grid of whole clusters of 3,1,1, got 4,1,1

// Without the barrier the first warp reads what others may not have written.
// RUN: sed '/nvvm.barrier .. all/d' %s > %t.mlir
// RUN: not %{launch} %t.mlir --chip=sm_80 | FileCheck %s --check-prefix=RACE
// RACE: SharedRace ({{[0-9]+}}): 'llvm.

!shared = !llvm.ptr<3>
llvm.mlir.global internal @partial() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x f32>

llvm.func @reduce(%x: !llvm.ptr<1>, %sums: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c31 = llvm.mlir.constant(31 : i32) : i32
  %all = llvm.mlir.constant(-1 : i32) : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %size = nvvm.read.ptx.sreg.ntid.x : i32
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %lane = llvm.and %tid, %c31 : i32
  %warp = llvm.lshr %tid, %c5 : i32
  %start = llvm.mul %block, %size : i32
  %index = llvm.add %start, %tid : i32
  %place = llvm.getelementptr %x[%index] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %value = llvm.load %place : !llvm.ptr<1> -> f32

  // Offsets 16, 8, ... 1.
  llvm.br ^warp(%c16, %value : i32, f32)
^warp(%offset: i32, %sum: f32):
  %other = nvvm.shfl.sync bfly %all, %sum, %offset, %c31 : f32 -> f32
  %both = llvm.fadd %sum, %other : f32
  %half = llvm.lshr %offset, %c1 : i32
  %isLeft = llvm.icmp "ne" %half, %c0 : i32
  llvm.cond_br %isLeft, ^warp(%half, %both : i32, f32), ^store

^store:
  %partial = llvm.mlir.addressof @partial : !shared
  %isFirst = llvm.icmp "eq" %lane, %c0 : i32
  llvm.cond_br %isFirst, ^put, ^meet
^put:
  %own = llvm.getelementptr %partial[%warp] : (!shared, i32) -> !shared, f32
  llvm.store %both, %own : f32, !shared
  llvm.br ^meet
^meet:
  nvvm.barrier // all
  %isThread0 = llvm.icmp "eq" %tid, %c0 : i32
  llvm.cond_br %isThread0, ^add(%c0, %zero : i32, f32), ^end

^add(%i: i32, %total: f32):
  %from = llvm.getelementptr %partial[%i] : (!shared, i32) -> !shared, f32
  %part = llvm.load %from : !shared -> f32
  %next = llvm.fadd %total, %part : f32
  %nextI = llvm.add %i, %c1 : i32
  %goesOn = llvm.icmp "slt" %nextI, %c8 : i32
  llvm.cond_br %goesOn, ^add(%nextI, %next : i32, f32), ^write
^write:
  %to = llvm.getelementptr %sums[%block] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %next, %to : f32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
