// A kernel written by hand from the PTX ISA (sm_90a): D = A * B, A is M x K, B
// is N x K, both of f8E4M3FN, D is M x N of f16. What is outside of the matrices
// is left to the tensor maps. One lane of a warpgroup loads tiles of 64 x 128
// into two stages; another warpgroup multiplies them. The workgroups go through
// the tiles of D in turn. The faults that its parts prevent are in
// hopper-faults.test.

// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t && cd %t

// DEFINE: %{mode} = --emulator-loads=late --emulator-order=forward
// DEFINE: %{launch} = lpgemm-emulate %s --chip=sm_90a --grid=2 --block=256 --buffer=a:f8E4M3FN[100x656]=random:1 --buffer=b:f8E4M3FN[72x656]=random:2 --buffer=d:f16[100x72]=poison --arg="mapA:tensormap(a, box=128x64, swizzle=128)" --arg="mapB:tensormap(b, box=128x64, swizzle=128)" --arg="mapD:tensormap(d, box=64x64, swizzle=128)" --arg=i32=100 --arg=i32=72 --arg=i32=656
// RUN: %{launch} %{mode} --save=a=a.npy --save=b=b.npy --save=d=d.npy | count 0
// RUN: lpgemm-run %S/Inputs/matmul-f16.mlir --arg=a.npy --arg=b.npy -o expected.npy
// RUN: %{launch} %{mode} --expect=d=expected.npy --tolerance=ulp:1 | FileCheck %s
// CHECK: ok: d against expected.npy, 0 of 7200 elements wrong

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
// SAME: ok: d against d.npy, 0 of 7200 elements wrong, max |err| 0

!s = !llvm.ptr<3>
!c = !llvm.ptr<7>
!acc = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>

llvm.mlir.global internal @stagesA() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<16384 x i8>
llvm.mlir.global internal @stagesB() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<16384 x i8>
llvm.mlir.global internal @tileD() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<8192 x i8>
llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>

// Two halves in one register, the first one low.
llvm.func internal @pack(%low: f32, %high: f32) -> i32 {
  %pair = nvvm.convert.f32x2.to.f16x2 %high, %low {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
  %bits = llvm.bitcast %pair : vector<2xf16> to i32
  llvm.return %bits : i32
}

// The offset of 16 bytes of a row of 128: the swizzle of the tensor map.
llvm.func internal @swizzled(%row: i32, %chunk: i32) -> i32 {
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %line = llvm.and %row, %c7 : i32
  %moved = llvm.xor %chunk, %line : i32
  %start = llvm.shl %row, %c7 : i32
  %offset = llvm.shl %moved, %c4 : i32
  %sum = llvm.add %start, %offset : i32
  llvm.return %sum : i32
}

// A descriptor of K-major rows of 128 bytes with their swizzle; groups of eight
// rows are 1024 bytes apart.
llvm.func internal @describe(%tile: !s) -> i64 {
  %c4 = llvm.mlir.constant(4 : i64) : i64
  %mask = llvm.mlir.constant(0x3ffff : i64) : i64
  %fields = llvm.mlir.constant(0x4000004000010000 : i64) : i64 // swizzle
  %address = llvm.ptrtoint %tile : !s to i64
  %offset = llvm.and %address, %mask : i64
  %start = llvm.lshr %offset, %c4 : i64
  %descriptor = llvm.or %start, %fields : i64
  llvm.return %descriptor : i64
}

llvm.func @gemm(%mapA: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant}, %mapB: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant}, %mapD: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant}, %m: i32, %n: i32, %k: i32) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256>, nvvm.minctasm = 1 : i32} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c5 = llvm.mlir.constant(5 : i32) : i32
  %c6 = llvm.mlir.constant(6 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %c9 = llvm.mlir.constant(9 : i32) : i32
  %c13 = llvm.mlir.constant(13 : i32) : i32
  %c15 = llvm.mlir.constant(15 : i32) : i32
  %c31 = llvm.mlir.constant(31 : i32) : i32
  %c63 = llvm.mlir.constant(63 : i32) : i32
  %c127 = llvm.mlir.constant(127 : i32) : i32
  %c128 = llvm.mlir.constant(128 : i32) : i32
  %bytes = llvm.mlir.constant(16384 : i32) : i32 // bytes of a stage
  %ticks = llvm.mlir.constant(1000 : i32) : i32
  %step = llvm.mlir.constant(2 : i64) : i64 // K advance
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %warp = llvm.lshr %tid, %c5 : i32
  %lane = llvm.and %tid, %c31 : i32
  %isFirst = llvm.icmp "eq" %tid, %c0 : i32
  %first = nvvm.read.ptx.sreg.ctaid.x : i32
  %groups = nvvm.read.ptx.sreg.nctaid.x : i32
  %m63 = llvm.add %m, %c63 : i32
  %n63 = llvm.add %n, %c63 : i32
  %k127 = llvm.add %k, %c127 : i32
  %tilesM = llvm.lshr %m63, %c6 : i32
  %tilesN = llvm.lshr %n63, %c6 : i32
  %tiles = llvm.mul %tilesM, %tilesN : i32
  %blocks = llvm.lshr %k127, %c7 : i32

  // Stage s is full when its bytes are there, empty when four warps are done.
  %stagesA = llvm.mlir.addressof @stagesA : !s
  %stagesB = llvm.mlir.addressof @stagesB : !s
  %tileD = llvm.mlir.addressof @tileD : !s
  %full = llvm.mlir.addressof @full : !s
  %empty = llvm.mlir.addressof @empty : !s
  %full1 = llvm.getelementptr %full[1] : (!s) -> !s, i64
  %empty1 = llvm.getelementptr %empty[1] : (!s) -> !s, i64
  nvvm.mbarrier.init %full, %c1, predicate = %isFirst : !s, i32, i1 // init full
  nvvm.mbarrier.init %full1, %c1, predicate = %isFirst : !s, i32, i1
  nvvm.mbarrier.init %empty, %c4, predicate = %isFirst : !s, i32, i1 // init empty
  nvvm.mbarrier.init %empty1, %c4, predicate = %isFirst : !s, i32, i1
  nvvm.fence.mbarrier.init
  nvvm.barrier // after init
  %multiplies = llvm.icmp "ult" %tid, %c128 : i32
  llvm.cond_br %multiplies, ^consumer, ^producer

^producer:
  nvvm.setmaxregister decrease 40
  %loads = llvm.icmp "eq" %tid, %c128 : i32
  llvm.cond_br %loads, ^loadTile(%first, %c0 : i32, i32), ^end

// `count` is the number of blocks of K before this one.
^loadTile(%tileL: i32, %startL: i32):
  %isTileL = llvm.icmp "ult" %tileL, %tiles : i32
  llvm.cond_br %isTileL, ^load(%c0, %startL : i32, i32), ^end
^load(%blockL: i32, %countL: i32):
  %sL = llvm.and %countL, %c1 : i32
  %roundL = llvm.lshr %countL, %c1 : i32
  %evenL = llvm.and %roundL, %c1 : i32
  %parityL = llvm.xor %evenL, %c1 : i32 // empty parity
  %fullL = llvm.getelementptr %full[%sL] : (!s, i32) -> !s, i64
  %emptyL = llvm.getelementptr %empty[%sL] : (!s, i32) -> !s, i64
  %offsetL = llvm.shl %sL, %c13 : i32
  %stageA = llvm.getelementptr %stagesA[%offsetL] : (!s, i32) -> !s, i8
  %stageB = llvm.getelementptr %stagesB[%offsetL] : (!s, i32) -> !s, i8
  %toA = llvm.addrspacecast %stageA : !s to !c
  %toB = llvm.addrspacecast %stageB : !s to !c
  %tileRowL = llvm.udiv %tileL, %tilesN : i32
  %tileColL = llvm.urem %tileL, %tilesN : i32
  %rowL = llvm.shl %tileRowL, %c6 : i32
  %colL = llvm.shl %tileColL, %c6 : i32
  %kL = llvm.shl %blockL, %c7 : i32
  nvvm.mbarrier.try_wait.parity %emptyL, %parityL, %ticks : !s, i32, i32 // wait empty
  nvvm.mbarrier.arrive.expect_tx %fullL, %bytes : !s, i32 // expect
  nvvm.cp.async.bulk.tensor.shared.cluster.global %toA, %mapA, %fullL, box[%kL, %rowL] : !c, !llvm.ptr // load A
  nvvm.cp.async.bulk.tensor.shared.cluster.global %toB, %mapB, %fullL, box[%kL, %colL] : !c, !llvm.ptr // load B
  %nextL = llvm.add %blockL, %c1 : i32
  %countNextL = llvm.add %countL, %c1 : i32
  %isLeftL = llvm.icmp "ult" %nextL, %blocks : i32
  llvm.cond_br %isLeftL, ^load(%nextL, %countNextL : i32, i32), ^loaded
^loaded:
  %tileNextL = llvm.add %tileL, %groups : i32
  llvm.br ^loadTile(%tileNextL, %countNextL : i32, i32)

^consumer:
  nvvm.setmaxregister increase 232
  %isOfWarp = llvm.icmp "eq" %lane, %c0 : i32
  %operandA = llvm.call @describe(%stagesA) : (!s) -> i64
  %operandB = llvm.call @describe(%stagesB) : (!s) -> i64
  %warpRow = llvm.shl %warp, %c4 : i32
  %lane15 = llvm.and %lane, %c15 : i32
  %row = llvm.add %warpRow, %lane15 : i32
  %chunk0 = llvm.lshr %lane, %c4 : i32
  %zeros = llvm.mlir.zero : !acc
  llvm.br ^tile(%first, %c0 : i32, i32)
^tile(%tile: i32, %start: i32):
  %isTile = llvm.icmp "ult" %tile, %tiles : i32
  llvm.cond_br %isTile, ^multiply(%c0, %start, %zeros : i32, i32, !acc), ^stored

^multiply(%block: i32, %count: i32, %sum0: !acc):
  %s = llvm.and %count, %c1 : i32
  %round = llvm.lshr %count, %c1 : i32
  %parity = llvm.and %round, %c1 : i32
  %fullS = llvm.getelementptr %full[%s] : (!s, i32) -> !s, i64
  %emptyS = llvm.getelementptr %empty[%s] : (!s, i32) -> !s, i64
  %offset32 = llvm.shl %s, %c9 : i32
  %offset = llvm.zext %offset32 : i32 to i64
  %a0 = llvm.add %operandA, %offset : i64 // descriptor A
  %b0 = llvm.add %operandB, %offset : i64
  %a1 = llvm.add %a0, %step : i64
  %b1 = llvm.add %b0, %step : i64 // advance B
  %a2 = llvm.add %a1, %step : i64
  %b2 = llvm.add %b1, %step : i64
  %a3 = llvm.add %a2, %step : i64
  %b3 = llvm.add %b2, %step : i64
  nvvm.mbarrier.try_wait.parity %fullS, %parity, %ticks : !s, i32, i32 // wait full
  nvvm.wgmma.fence.aligned
  %sum1 = nvvm.wgmma.mma_async %a0, %b0, %sum0, <m = 64, n = 64, k = 32>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<e4m3>, #nvvm.wgmma_scale_in<one>, <row>], B [<e4m3>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc // product 0
  %sum2 = nvvm.wgmma.mma_async %a1, %b1, %sum1, <m = 64, n = 64, k = 32>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<e4m3>, #nvvm.wgmma_scale_in<one>, <row>], B [<e4m3>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc
  %sum3 = nvvm.wgmma.mma_async %a2, %b2, %sum2, <m = 64, n = 64, k = 32>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<e4m3>, #nvvm.wgmma_scale_in<one>, <row>], B [<e4m3>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc
  %sum4 = nvvm.wgmma.mma_async %a3, %b3, %sum3, <m = 64, n = 64, k = 32>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<e4m3>, #nvvm.wgmma_scale_in<one>, <row>], B [<e4m3>, #nvvm.wgmma_scale_in<one>, <col>] : !acc -> !acc
  nvvm.wgmma.commit.group.sync.aligned // commit products
  nvvm.wgmma.wait.group.sync.aligned 0 // wait products
  nvvm.inline_ptx "mbarrier.arrive.shared::cta.b64 _, [$0];" ro(%emptyS : !s), predicate = %isOfWarp // arrive empty
  %next = llvm.add %block, %c1 : i32
  %countNext = llvm.add %count, %c1 : i32
  %isLeft = llvm.icmp "ult" %next, %blocks : i32
  llvm.cond_br %isLeft, ^multiply(%next, %countNext, %sum4 : i32, i32, !acc), ^store

// The lane that stored the last tile waits until it has been read. Element i of
// the accumulator is in row l / 4 + 8 * (i / 2 % 2) of the warp's 16 and in
// column 8 * (i / 4) + 2 * (l % 4) + i % 2.
^store:
  nvvm.cp.async.bulk.wait_group 0 {read} // wait read
  nvvm.barrier id = %c1 number_of_threads = %c128 // tile is free
  %x0 = llvm.extractvalue %sum4[0] : !acc
  %x1 = llvm.extractvalue %sum4[1] : !acc
  %x2 = llvm.extractvalue %sum4[2] : !acc
  %x3 = llvm.extractvalue %sum4[3] : !acc
  %x4 = llvm.extractvalue %sum4[4] : !acc
  %x5 = llvm.extractvalue %sum4[5] : !acc
  %x6 = llvm.extractvalue %sum4[6] : !acc
  %x7 = llvm.extractvalue %sum4[7] : !acc
  %x8 = llvm.extractvalue %sum4[8] : !acc
  %x9 = llvm.extractvalue %sum4[9] : !acc
  %x10 = llvm.extractvalue %sum4[10] : !acc
  %x11 = llvm.extractvalue %sum4[11] : !acc
  %x12 = llvm.extractvalue %sum4[12] : !acc
  %x13 = llvm.extractvalue %sum4[13] : !acc
  %x14 = llvm.extractvalue %sum4[14] : !acc
  %x15 = llvm.extractvalue %sum4[15] : !acc
  %x16 = llvm.extractvalue %sum4[16] : !acc
  %x17 = llvm.extractvalue %sum4[17] : !acc
  %x18 = llvm.extractvalue %sum4[18] : !acc
  %x19 = llvm.extractvalue %sum4[19] : !acc
  %x20 = llvm.extractvalue %sum4[20] : !acc
  %x21 = llvm.extractvalue %sum4[21] : !acc
  %x22 = llvm.extractvalue %sum4[22] : !acc
  %x23 = llvm.extractvalue %sum4[23] : !acc
  %x24 = llvm.extractvalue %sum4[24] : !acc
  %x25 = llvm.extractvalue %sum4[25] : !acc
  %x26 = llvm.extractvalue %sum4[26] : !acc
  %x27 = llvm.extractvalue %sum4[27] : !acc
  %x28 = llvm.extractvalue %sum4[28] : !acc
  %x29 = llvm.extractvalue %sum4[29] : !acc
  %x30 = llvm.extractvalue %sum4[30] : !acc
  %x31 = llvm.extractvalue %sum4[31] : !acc
  %h0 = llvm.call @pack(%x0, %x1) : (f32, f32) -> i32
  %h1 = llvm.call @pack(%x2, %x3) : (f32, f32) -> i32
  %h2 = llvm.call @pack(%x4, %x5) : (f32, f32) -> i32
  %h3 = llvm.call @pack(%x6, %x7) : (f32, f32) -> i32
  %h4 = llvm.call @pack(%x8, %x9) : (f32, f32) -> i32
  %h5 = llvm.call @pack(%x10, %x11) : (f32, f32) -> i32
  %h6 = llvm.call @pack(%x12, %x13) : (f32, f32) -> i32
  %h7 = llvm.call @pack(%x14, %x15) : (f32, f32) -> i32
  %h8 = llvm.call @pack(%x16, %x17) : (f32, f32) -> i32
  %h9 = llvm.call @pack(%x18, %x19) : (f32, f32) -> i32
  %h10 = llvm.call @pack(%x20, %x21) : (f32, f32) -> i32
  %h11 = llvm.call @pack(%x22, %x23) : (f32, f32) -> i32
  %h12 = llvm.call @pack(%x24, %x25) : (f32, f32) -> i32
  %h13 = llvm.call @pack(%x26, %x27) : (f32, f32) -> i32
  %h14 = llvm.call @pack(%x28, %x29) : (f32, f32) -> i32
  %h15 = llvm.call @pack(%x30, %x31) : (f32, f32) -> i32
  %place0 = llvm.call @swizzled(%row, %chunk0) : (i32, i32) -> i32
  %put0 = llvm.getelementptr %tileD[%place0] : (!s, i32) -> !s, i8
  nvvm.stmatrix %put0, %h0, %h1, %h2, %h3 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !s, i32, i32, i32, i32
  %chunk1 = llvm.add %chunk0, %c2 : i32
  %place1 = llvm.call @swizzled(%row, %chunk1) : (i32, i32) -> i32
  %put1 = llvm.getelementptr %tileD[%place1] : (!s, i32) -> !s, i8
  nvvm.stmatrix %put1, %h4, %h5, %h6, %h7 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !s, i32, i32, i32, i32
  %chunk2 = llvm.add %chunk0, %c4 : i32
  %place2 = llvm.call @swizzled(%row, %chunk2) : (i32, i32) -> i32
  %put2 = llvm.getelementptr %tileD[%place2] : (!s, i32) -> !s, i8
  nvvm.stmatrix %put2, %h8, %h9, %h10, %h11 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !s, i32, i32, i32, i32
  %chunk3 = llvm.add %chunk0, %c6 : i32
  %place3 = llvm.call @swizzled(%row, %chunk3) : (i32, i32) -> i32
  %put3 = llvm.getelementptr %tileD[%place3] : (!s, i32) -> !s, i8
  nvvm.stmatrix %put3, %h12, %h13, %h14, %h15 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !s, i32, i32, i32, i32
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>} // fence store
  nvvm.barrier id = %c1 number_of_threads = %c128 // tile is whole
  llvm.cond_br %isFirst, ^storeTile, ^storedTile
^storeTile:
  %tileRow = llvm.udiv %tile, %tilesN : i32
  %tileCol = llvm.urem %tile, %tilesN : i32
  %rowD = llvm.shl %tileRow, %c6 : i32
  %colD = llvm.shl %tileCol, %c6 : i32
  nvvm.cp.async.bulk.tensor.global.shared.cta %mapD, %tileD, box[%colD, %rowD] : !llvm.ptr, !s // store D
  nvvm.cp.async.bulk.commit.group // commit store
  llvm.br ^storedTile
^storedTile:
  %tileNext = llvm.add %tile, %groups : i32
  llvm.br ^tile(%tileNext, %countNext : i32, i32)
^stored:
  nvvm.cp.async.bulk.wait_group 0 // wait stores
  llvm.br ^end
^end:
  llvm.return
}
