// A kernel written by hand from the PTX ISA (sm_80): D = A * B, A is M x K, B is
// N x K, both of f16, D is M x N of f32; K is a multiple of 8 and N of 2. A
// workgroup of two warps makes 32 x 16 of D. cp.async brings tiles of 32 elements
// of K into two stages, and zeros where they are outside of the matrices. The
// faults that its parts prevent are in ampere-faults.test.

// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t && cd %t

// DEFINE: %{mode} = --emulator-loads=late --emulator-order=forward
// DEFINE: %{launch} = lpgemm-emulate %s --chip=sm_80 --grid=2,3 --block=64 --arg=a:f16[50x104]=random:1 --arg=b:f16[38x104]=random:2 --arg=d:f32[50x38]=poison --arg=i32=50 --arg=i32=38 --arg=i32=104
// RUN: %{launch} %{mode} --save=a=a.npy --save=b=b.npy --save=d=d.npy | count 0
// RUN: %python -c "from numpy import *; save('expected.npy', (load('a.npy').astype('d') @ load('b.npy').T).astype('f'))"
// RUN: %{launch} %{mode} --expect=d=expected.npy --tolerance=allclose:1e-6:1e-6 | FileCheck %s
// CHECK: ok: d against expected.npy, 0 of 1900 elements wrong
// RUN: %{launch} %{mode} --chip=sm_90a --expect=d=d.npy | FileCheck %s --check-prefix=SAME

// The same bits at every time of the copies and in every order of lanes.
// DEFINE: %{same} = %{launch} %{mode} --expect=d=d.npy | FileCheck %s --check-prefix=SAME --match-full-lines
// REDEFINE: %{mode} = --emulator-loads=late --emulator-order=reverse
// RUN: %{same}
// REDEFINE: %{mode} = --emulator-loads=late --emulator-order=random:1
// RUN: %{same}
// REDEFINE: %{mode} = --emulator-loads=early --emulator-order=forward
// RUN: %{same}
// REDEFINE: %{mode} = --emulator-loads=early --emulator-order=reverse
// RUN: %{same}
// REDEFINE: %{mode} = --emulator-loads=early --emulator-order=random:2
// RUN: %{same}
// REDEFINE: %{mode} = --emulator-loads=random --emulator-order=forward
// RUN: %{same}
// REDEFINE: %{mode} = --emulator-loads=random --emulator-order=reverse
// RUN: %{same}
// REDEFINE: %{mode} = --emulator-loads=random --emulator-order=random:3
// RUN: %{same}
// SAME: ok: d against d.npy, 0 of 1900 elements wrong, max |err| 0

!s = !llvm.ptr<3>
!g = !llvm.ptr<1>
!four = !llvm.struct<(i32, i32, i32, i32)>
!acc = !llvm.struct<(f32, f32, f32, f32)>

// Rows of 64 bytes, 80 bytes apart: eight of them have no bank in common.
llvm.mlir.global internal @stagesA() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<5120 x i8>
llvm.mlir.global internal @stagesB() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<2560 x i8>

// Copies 8 elements from column `col` of a row on, or zeros.
llvm.func internal @copy(%to: !s, %matrix: !g, %row: i32, %rows: i32, %col: i32, %k: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %isRow = llvm.icmp "ult" %row, %rows : i32
  %isCol = llvm.icmp "ult" %col, %k : i32
  %isIn = llvm.and %isRow, %isCol : i1
  %start = llvm.mul %row, %k : i32
  %index = llvm.add %start, %col : i32
  %offset = llvm.select %isIn, %index, %c0 : i1, i32
  %bytes = llvm.select %isIn, %c16, %c0 : i1, i32 // bytes
  %from = llvm.getelementptr %matrix[%offset] : (!g, i32) -> !g, f16
  nvvm.cp.async.shared.global %to, %from, 16, cache = cg, %bytes : !s, !g, i32 // copy
  llvm.return
}

// Stores two elements of a row, if they are in D.
llvm.func internal @put(%d: !g, %row: i32, %m: i32, %col: i32, %n: i32, %x: f32, %y: f32) {
  %isRow = llvm.icmp "ult" %row, %m : i32
  %isCol = llvm.icmp "ult" %col, %n : i32
  %isIn = llvm.and %isRow, %isCol : i1 // in D
  llvm.cond_br %isIn, ^store, ^end
^store:
  %start = llvm.mul %row, %n : i32
  %index = llvm.add %start, %col : i32
  %to = llvm.getelementptr %d[%index] : (!g, i32) -> !g, f32
  %next = llvm.getelementptr %to[1] : (!g) -> !g, f32
  llvm.store %x, %to : f32, !g // store D
  llvm.store %y, %next : f32, !g
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @gemm(%a: !g, %b: !g, %d: !g, %m: i32, %n: i32, %k: i32) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64>} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c15 = llvm.mlir.constant(15 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %c31 = llvm.mlir.constant(31 : i32) : i32
  %pitch = llvm.mlir.constant(80 : i32) : i32
  %stageA = llvm.mlir.constant(2560 : i32) : i32
  %stageB = llvm.mlir.constant(1280 : i32) : i32
  %zeros = llvm.mlir.zero : !acc
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %wgX = nvvm.read.ptx.sreg.ctaid.x : i32
  %wgY = nvvm.read.ptx.sreg.ctaid.y : i32
  %warp = llvm.lshr %tid, %c5 : i32
  %lane = llvm.and %tid, %c31 : i32
  %row0 = llvm.shl %wgX, %c5 : i32
  %col0 = llvm.shl %wgY, %c4 : i32
  %k31 = llvm.add %k, %c31 : i32
  %blocks = llvm.lshr %k31, %c5 : i32
  %stagesA = llvm.mlir.addressof @stagesA : !s
  %stagesB = llvm.mlir.addressof @stagesB : !s

  // A lane copies the quarter t % 4 of rows t / 4 and t / 4 + 16 of A and of row
  // t / 4 of B.
  %copyRow = llvm.lshr %tid, %c2 : i32
  %quarter = llvm.and %tid, %c3 : i32
  %copyCol = llvm.shl %quarter, %c3 : i32
  %rowA = llvm.add %row0, %copyRow : i32
  %rowA16 = llvm.add %rowA, %c16 : i32
  %rowB = llvm.add %col0, %copyRow : i32
  %copyStart = llvm.mul %copyRow, %pitch : i32
  %copyBytes = llvm.shl %quarter, %c4 : i32
  %copyOffset = llvm.add %copyStart, %copyBytes : i32

  // ldmatrix: lane l names row l % 8 of matrix l / 8. Those of A are rows 0 to 7
  // and 8 to 15 of K 0 to 7, then of K 8 to 15; those of B K 0 to 7 and 8 to 15
  // of rows 0 to 7, then of rows 8 to 15.
  %lane7 = llvm.and %lane, %c7 : i32
  %lane15 = llvm.and %lane, %c15 : i32
  %half = llvm.lshr %lane, %c4 : i32
  %eighth = llvm.lshr %lane, %c3 : i32
  %odd = llvm.and %eighth, %c1 : i32
  %warpRow = llvm.shl %warp, %c4 : i32
  %useRowA = llvm.add %warpRow, %lane15 : i32
  %useStartA = llvm.mul %useRowA, %pitch : i32
  %useBytesA = llvm.shl %half, %c4 : i32
  %useA = llvm.add %useStartA, %useBytesA : i32
  %half8 = llvm.shl %half, %c3 : i32
  %useRowB = llvm.add %half8, %lane7 : i32
  %useStartB = llvm.mul %useRowB, %pitch : i32
  %useBytesB = llvm.shl %odd, %c4 : i32
  %useB = llvm.add %useStartB, %useBytesB : i32
  llvm.br ^loop(%c0, %zeros, %zeros : i32, !acc, !acc)

// Copies a block of K, the last time zeros, and multiplies the one before.
^loop(%block: i32, %sum0: !acc, %sum1: !acc):
  %s = llvm.and %block, %c1 : i32 // stage
  %offsetA = llvm.mul %s, %stageA : i32
  %offsetB = llvm.mul %s, %stageB : i32
  %putA = llvm.add %offsetA, %copyOffset : i32
  %putB = llvm.add %offsetB, %copyOffset : i32
  %toA = llvm.getelementptr %stagesA[%putA] : (!s, i32) -> !s, i8
  %toA16 = llvm.getelementptr %toA[1280] : (!s) -> !s, i8
  %toB = llvm.getelementptr %stagesB[%putB] : (!s, i32) -> !s, i8
  %kBlock = llvm.shl %block, %c5 : i32
  %kCopy = llvm.add %kBlock, %copyCol : i32
  llvm.call @copy(%toA, %a, %rowA, %m, %kCopy, %k) : (!s, !g, i32, i32, i32, i32) -> ()
  llvm.call @copy(%toA16, %a, %rowA16, %m, %kCopy, %k) : (!s, !g, i32, i32, i32, i32) -> () // copy A16
  llvm.call @copy(%toB, %b, %rowB, %n, %kCopy, %k) : (!s, !g, i32, i32, i32, i32) -> ()
  nvvm.cp.async.commit.group // commit
  %isFirst = llvm.icmp "eq" %block, %c0 : i32
  llvm.cond_br %isFirst, ^next(%sum0, %sum1 : !acc, !acc), ^multiply
^multiply:
  nvvm.cp.async.wait.group 1 // wait
  nvvm.barrier // tiles are there
  %other = llvm.xor %s, %c1 : i32
  %fromA = llvm.mul %other, %stageA : i32
  %fromB = llvm.mul %other, %stageB : i32
  %getOffsetA = llvm.add %fromA, %useA : i32
  %getOffsetB = llvm.add %fromB, %useB : i32
  %getA0 = llvm.getelementptr %stagesA[%getOffsetA] : (!s, i32) -> !s, i8
  %getB0 = llvm.getelementptr %stagesB[%getOffsetB] : (!s, i32) -> !s, i8

  // K 0 to 15.
  %a0 = nvvm.ldmatrix %getA0 {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!s) -> !four // load A0
  %a00i = llvm.extractvalue %a0[0] : !four
  %a00 = llvm.bitcast %a00i : i32 to vector<2xf16>
  %a01i = llvm.extractvalue %a0[1] : !four
  %a01 = llvm.bitcast %a01i : i32 to vector<2xf16>
  %a02i = llvm.extractvalue %a0[2] : !four
  %a02 = llvm.bitcast %a02i : i32 to vector<2xf16>
  %a03i = llvm.extractvalue %a0[3] : !four
  %a03 = llvm.bitcast %a03i : i32 to vector<2xf16>
  %b0 = nvvm.ldmatrix %getB0 {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!s) -> !four // load B0
  %b00i = llvm.extractvalue %b0[0] : !four
  %b00 = llvm.bitcast %b00i : i32 to vector<2xf16>
  %b01i = llvm.extractvalue %b0[1] : !four
  %b01 = llvm.bitcast %b01i : i32 to vector<2xf16>
  %b02i = llvm.extractvalue %b0[2] : !four
  %b02 = llvm.bitcast %b02i : i32 to vector<2xf16>
  %b03i = llvm.extractvalue %b0[3] : !four
  %b03 = llvm.bitcast %b03i : i32 to vector<2xf16>
  %c000 = llvm.extractvalue %sum0[0] : !acc
  %c001 = llvm.extractvalue %sum0[1] : !acc
  %c002 = llvm.extractvalue %sum0[2] : !acc
  %c003 = llvm.extractvalue %sum0[3] : !acc
  %d00 = nvvm.mma.sync A[%a00, %a01, %a02, %a03] B[%b00, %b01] C[%c000, %c001, %c002, %c003] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !acc
  %c010 = llvm.extractvalue %sum1[0] : !acc
  %c011 = llvm.extractvalue %sum1[1] : !acc
  %c012 = llvm.extractvalue %sum1[2] : !acc
  %c013 = llvm.extractvalue %sum1[3] : !acc
  %d01 = nvvm.mma.sync A[%a00, %a01, %a02, %a03] B[%b02, %b03] C[%c010, %c011, %c012, %c013] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !acc

  // K 16 to 31.
  %getA1 = llvm.getelementptr %getA0[32] : (!s) -> !s, i8
  %getB1 = llvm.getelementptr %getB0[32] : (!s) -> !s, i8
  %a1 = nvvm.ldmatrix %getA1 {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!s) -> !four // load A1
  %a10i = llvm.extractvalue %a1[0] : !four
  %a10 = llvm.bitcast %a10i : i32 to vector<2xf16>
  %a11i = llvm.extractvalue %a1[1] : !four
  %a11 = llvm.bitcast %a11i : i32 to vector<2xf16>
  %a12i = llvm.extractvalue %a1[2] : !four
  %a12 = llvm.bitcast %a12i : i32 to vector<2xf16>
  %a13i = llvm.extractvalue %a1[3] : !four
  %a13 = llvm.bitcast %a13i : i32 to vector<2xf16>
  %b1 = nvvm.ldmatrix %getB1 {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!s) -> !four // load B1
  %b10i = llvm.extractvalue %b1[0] : !four
  %b10 = llvm.bitcast %b10i : i32 to vector<2xf16>
  %b11i = llvm.extractvalue %b1[1] : !four
  %b11 = llvm.bitcast %b11i : i32 to vector<2xf16>
  %b12i = llvm.extractvalue %b1[2] : !four
  %b12 = llvm.bitcast %b12i : i32 to vector<2xf16>
  %b13i = llvm.extractvalue %b1[3] : !four
  %b13 = llvm.bitcast %b13i : i32 to vector<2xf16>
  %c100 = llvm.extractvalue %d00[0] : !acc
  %c101 = llvm.extractvalue %d00[1] : !acc
  %c102 = llvm.extractvalue %d00[2] : !acc
  %c103 = llvm.extractvalue %d00[3] : !acc
  %d10 = nvvm.mma.sync A[%a10, %a11, %a12, %a13] B[%b10, %b11] C[%c100, %c101, %c102, %c103] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !acc
  %c110 = llvm.extractvalue %d01[0] : !acc
  %c111 = llvm.extractvalue %d01[1] : !acc
  %c112 = llvm.extractvalue %d01[2] : !acc
  %c113 = llvm.extractvalue %d01[3] : !acc
  %d11 = nvvm.mma.sync A[%a10, %a11, %a12, %a13] B[%b12, %b13] C[%c110, %c111, %c112, %c113] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !acc
  nvvm.barrier // tiles are free
  llvm.br ^next(%d10, %d11 : !acc, !acc)
^next(%next0: !acc, %next1: !acc):
  %after = llvm.add %block, %c1 : i32
  %isLeft = llvm.icmp "ule" %after, %blocks : i32
  llvm.cond_br %isLeft, ^loop(%after, %next0, %next1 : i32, !acc, !acc), ^store

// A lane has columns 2 * (l % 4) and the next of rows l / 4 and l / 4 + 8.
^store:
  nvvm.cp.async.wait.group 0 // wait for all
  %group = llvm.lshr %lane, %c2 : i32
  %inGroup = llvm.and %lane, %c3 : i32
  %pair = llvm.shl %inGroup, %c1 : i32
  %rowOfWarp = llvm.add %row0, %warpRow : i32
  %rowD = llvm.add %rowOfWarp, %group : i32
  %rowD8 = llvm.add %rowD, %c8 : i32
  %colD = llvm.add %col0, %pair : i32
  %colD8 = llvm.add %colD, %c8 : i32
  %x0 = llvm.extractvalue %next0[0] : !acc
  %x1 = llvm.extractvalue %next0[1] : !acc
  %x2 = llvm.extractvalue %next0[2] : !acc
  %x3 = llvm.extractvalue %next0[3] : !acc
  %y0 = llvm.extractvalue %next1[0] : !acc
  %y1 = llvm.extractvalue %next1[1] : !acc
  %y2 = llvm.extractvalue %next1[2] : !acc
  %y3 = llvm.extractvalue %next1[3] : !acc
  llvm.call @put(%d, %rowD, %m, %colD, %n, %x0, %x1) : (!g, i32, i32, i32, i32, f32, f32) -> ()
  llvm.call @put(%d, %rowD8, %m, %colD, %n, %x2, %x3) : (!g, i32, i32, i32, i32, f32, f32) -> ()
  llvm.call @put(%d, %rowD, %m, %colD8, %n, %y0, %y1) : (!g, i32, i32, i32, i32, f32, f32) -> ()
  llvm.call @put(%d, %rowD8, %m, %colD8, %n, %y2, %y3) : (!g, i32, i32, i32, i32, f32, f32) -> ()
  llvm.return
}
