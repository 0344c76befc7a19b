// A kernel written by hand from the CDNA3 and CDNA4 ISA documents: D = A * B,
// A is M x K, B is N x K, both of 8-bit floats, D is M x N of f32. A workgroup
// of one wave makes 16 x 16 of D; operands go through LDS. The result is that
// of the definition of lpgemm.matmul, which shares no code with the kernel.

// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t && cd %t

// DEFINE: %{launch} = lpgemm-emulate --grid=2,3 --block=64 --arg=a:f8E4M3FN[32x96]=codes:1 --arg=b:f8E4M3FN[48x96]=codes:2 --arg=d:f32[32x48]=poison --arg=i32=48 --arg=i32=96
// RUN: %{launch} %s --chip=gfx950 --save=a=a.npy --save=b=b.npy --save=d=d.npy | count 0
// RUN: lpgemm-run %S/Inputs/matmul.mlir --arg=a.npy --arg=b.npy -o expected.npy
// RUN: %{launch} %s --chip=gfx950 --expect=d=expected.npy --tolerance=allclose:1e-6:1e-6 \
// RUN:   | FileCheck %s --match-full-lines
// CHECK: ok: d against expected.npy, 0 of 1536 elements wrong, max |err| 0.0312

// Every order of lanes gives the same bits.
// RUN: %{launch} %s --chip=gfx950 --emulator-order=reverse --expect=d=d.npy | FileCheck %s --check-prefix=SAME
// RUN: %{launch} %s --chip=gfx950 --emulator-order=random:3 --emulator-threads=1 --expect=d=d.npy | FileCheck %s --check-prefix=SAME
// SAME: ok: d against d.npy, 0 of 1536 elements wrong, max |err| 0{{$}}

// The codes mean something else on gfx942.
// RUN: not %{launch} %s --chip=gfx942 --expect=d=d.npy | FileCheck %s --check-prefix=FNUZ
// FNUZ: FAILED: d against d.npy, {{[0-9]+}} of 1536 elements wrong, max |err|

// Without the first barrier of the loop a wave of hardware might still be
// right, but nothing says so.
// RUN: sed '/s.barrier .. first/d' %s > race.mlir
// RUN: not %{launch} race.mlir --chip=gfx950 | FileCheck %s --check-prefix=RACE
// RACE: SharedRace (540): 'llvm.load' at race.mlir:{{[0-9]+}}:11 reads what the other wrote, with no barrier between; the other is 'llvm.store' at race.mlir:{{[0-9]+}}:3 in wave 0 lane 1; LDS offset 8 (@tileA + 8) (kernel gemm, workgroup 0,0,0, wave 0 lane 16)

// A row too few.
// RUN: not lpgemm-emulate %s --grid=2,3 --block=64 --arg=a:f8E4M3FN[31x96]=codes:1 --arg=b:f8E4M3FN[48x96]=codes:2 --arg=d:f32[32x48]=poison --arg=i32=48 --arg=i32=96 \
// RUN:   | FileCheck %s --check-prefix=BOUNDS
// BOUNDS: GlobalOutOfBounds (1): 'llvm.load' at {{.*}}gemm.mlir:{{[0-9]+}}:{{[0-9]+}} accesses 8 bytes at offset 2976 of 'a', which has 2976 bytes (kernel gemm, workgroup 1,0,0, wave 0 lane 60)

llvm.mlir.global internal @tileA() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
llvm.mlir.global internal @tileB() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>

llvm.func @gemm(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>, %n: i32, %k: i32) attributes {rocdl.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c15 = llvm.mlir.constant(15 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %zero = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
  %lane = rocdl.workitem.id.x : i32
  %wgX = rocdl.workgroup.id.x : i32
  %wgY = rocdl.workgroup.id.y : i32
  %row0 = llvm.shl %wgX, %c4 : i32
  %col0 = llvm.shl %wgY, %c4 : i32

  // A lane copies 8 bytes of row lane / 4 of each tile of 16 x 32.
  %copyRow = llvm.lshr %lane, %c2 : i32
  %copyQuarter = llvm.and %lane, %c3 : i32
  %copyCol = llvm.shl %copyQuarter, %c3 : i32
  %copyOffset = llvm.shl %lane, %c3 : i32
  %tileA = llvm.mlir.addressof @tileA : !llvm.ptr<3>
  %tileB = llvm.mlir.addressof @tileB : !llvm.ptr<3>
  %putA = llvm.getelementptr %tileA[%copyOffset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %putB = llvm.getelementptr %tileB[%copyOffset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %rowA = llvm.add %row0, %copyRow : i32
  %rowB = llvm.add %col0, %copyRow : i32
  %startA = llvm.mul %rowA, %k : i32
  %startB = llvm.mul %rowB, %k : i32
  %fromA = llvm.add %startA, %copyCol : i32
  %fromB = llvm.add %startB, %copyCol : i32

  // It multiplies 8 bytes of row lane % 16, from 8 * (lane / 16) on.
  %row = llvm.and %lane, %c15 : i32
  %group = llvm.lshr %lane, %c4 : i32
  %useRow = llvm.shl %row, %c5 : i32
  %useCol = llvm.shl %group, %c3 : i32
  %useOffset = llvm.add %useRow, %useCol : i32
  %getA = llvm.getelementptr %tileA[%useOffset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %getB = llvm.getelementptr %tileB[%useOffset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  llvm.br ^loop(%c0, %zero : i32, vector<4xf32>)

^loop(%at: i32, %sum: vector<4xf32>):
  %offsetA = llvm.add %fromA, %at : i32
  %offsetB = llvm.add %fromB, %at : i32
  %pointerA = llvm.getelementptr %a[%offsetA] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  %pointerB = llvm.getelementptr %b[%offsetB] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  %copyA = llvm.load %pointerA : !llvm.ptr<1> -> i64
  %copyB = llvm.load %pointerB : !llvm.ptr<1> -> i64
  llvm.store %copyA, %putA : i64, !llvm.ptr<3>
  llvm.store %copyB, %putB : i64, !llvm.ptr<3>
  llvm.fence syncscope("workgroup") release
  rocdl.s.barrier // first
  llvm.fence syncscope("workgroup") acquire
  %useA = llvm.load %getA : !llvm.ptr<3> -> i64
  %useB = llvm.load %getB : !llvm.ptr<3> -> i64
  %next = rocdl.mfma.f32.16x16x32.fp8.fp8 %useA, %useB, %sum, %c0, %c0, %c0 : (i64, i64, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  llvm.fence syncscope("workgroup") release
  rocdl.s.barrier
  llvm.fence syncscope("workgroup") acquire
  %after = llvm.add %at, %c32 : i32
  %goesOn = llvm.icmp "slt" %after, %k : i32
  llvm.cond_br %goesOn, ^loop(%after, %next : i32, vector<4xf32>), ^store(%c0 : i32)

// It has rows 4 * (lane / 16) + i of D, in column lane % 16.
^store(%i: i32):
  %value = llvm.extractelement %next[%i : i32] : vector<4xf32>
  %rows = llvm.shl %group, %c2 : i32
  %rowI = llvm.add %rows, %i : i32
  %rowD = llvm.add %row0, %rowI : i32
  %startD = llvm.mul %rowD, %n : i32
  %colD = llvm.add %col0, %row : i32
  %offsetD = llvm.add %startD, %colD : i32
  %pointerD = llvm.getelementptr %d[%offsetD] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %value, %pointerD : f32, !llvm.ptr<1>
  %nextI = llvm.add %i, %c1 : i32
  %isLeft = llvm.icmp "slt" %nextI, %c4 : i32
  llvm.cond_br %isLeft, ^store(%nextI : i32), ^end
^end:
  llvm.return
}
