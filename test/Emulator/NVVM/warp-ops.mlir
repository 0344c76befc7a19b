// Operations of a warp, arithmetic and conversions of NVIDIA: each is passed on
// with its operands in order.

// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   | FileCheck %s --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-order=reverse \
// RUN:   | FileCheck %s --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a --emulator-order=random \
// RUN:   | FileCheck %s --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=sm_90a \
// RUN:   --emulator-entry=registers \
// RUN:   | FileCheck %s --check-prefix=REGISTERS --implicit-check-not=report

// The number of results that are wrong.
// CHECK: result 0
// REGISTERS: result 0

!out = memref<32x24xi32>
!s = !llvm.struct<(i32, i1)>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal constant @table(dense<[7, 11, 13, 17]> : tensor<4xi32>) {addr_space = 4 : i32} : !llvm.array<4 x i32>
    llvm.mlir.global internal constant @text("abc") {addr_space = 1 : i32} : !llvm.array<3 x i8>

    llvm.func @ops(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %lane = nvvm.read.ptx.sreg.tid.x : i32
      %c24 = llvm.mlir.constant(24 : i32) : i32
      %row = llvm.mul %lane, %c24 : i32
      %p = llvm.getelementptr %out[%row] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %all = llvm.mlir.constant(-1 : i32) : i32
      %c3 = llvm.mlir.constant(3 : i32) : i32
      %isLow = llvm.icmp "ult" %lane, %c3 : i32
      // 0: 7
      %ballot = nvvm.vote.sync ballot %all, %isLow -> i32
      llvm.store %ballot, %p : i32, !llvm.ptr<1>
      // 1: 1
      %any = nvvm.vote.sync any %all, %isLow -> i1
      %v1 = llvm.zext %any : i1 to i32
      %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %v1, %p1 : i32, !llvm.ptr<1>
      // 2: 0
      %every = nvvm.vote.sync all %all, %isLow -> i1
      %v2 = llvm.zext %every : i1 to i32
      %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %v2, %p2 : i32, !llvm.ptr<1>
      // 3: 31 * 32 / 2
      %sum = nvvm.redux.sync add %lane, %all : i32 -> i32
      %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %sum, %p3 : i32, !llvm.ptr<1>
      // 4: -32
      %neg = llvm.xor %lane, %all : i32
      %min = nvvm.redux.sync min %neg, %all : i32 -> i32
      %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %min, %p4 : i32, !llvm.ptr<1>
      // 5: 0x11111111 shifted by lane % 4
      %mod4 = llvm.and %lane, %c3 : i32
      %same = nvvm.match.sync any %all, %mod4 : i32 -> i32
      %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %same, %p5 : i32, !llvm.ptr<1>
      // 6: 1
      %wide = llvm.mlir.constant(0x100000000 : i64) : i64
      %pair = nvvm.match.sync all %all, %wide : i64 -> !s
      %flag = llvm.extractvalue %pair[1] : !s
      %v6 = llvm.zext %flag : i1 to i32
      %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %v6, %p6 : i32, !llvm.ptr<1>
      // 7: bytes 3, 0, 5, 4 of {8765, 4321}
      %low = llvm.mlir.constant(0x44332211 : i32) : i32
      %high = llvm.mlir.constant(0x08776655 : i32) : i32
      %selector = llvm.mlir.constant(0x3054 : i32) : i32
      %bytes = nvvm.prmt #nvvm.permute_mode<default> %selector, %low, %high : i32
      %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %bytes, %p7 : i32, !llvm.ptr<1>
      // 8: -1 * 255 + 2 * 2 - 3 * 3 + 100 = -160
      %a = llvm.mlir.constant(dense<[-1, 2, -3, 0]> : vector<4xi8>) : vector<4xi8>
      %b = llvm.mlir.constant(dense<[255, 2, 3, 9]> : vector<4xi8>) : vector<4xi8>
      %c100 = llvm.mlir.constant(100 : i32) : i32
      %dot4 = nvvm.dot.accumulate.4way %a <signed>, %b <unsigned>, %c100 : vector<4xi8>, vector<4xi8>
      %p8 = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %dot4, %p8 : i32, !llvm.ptr<1>
      // 9: -1000 * 3 + 7 * 9 + 100 = -2837
      %a2 = llvm.mlir.constant(dense<[-1000, 7]> : vector<2xi16>) : vector<2xi16>
      %dot2 = nvvm.dot.accumulate.2way %a2 <signed>, %b <signed>, %c100 {b_hi = true} : vector<2xi16>, vector<4xi8>
      %p9 = llvm.getelementptr %p[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %dot2, %p9 : i32, !llvm.ptr<1>
      // 10: 1 is 0x38, 500 becomes 448, 0x7e
      %f1 = llvm.mlir.constant(1.0 : f32) : f32
      %f500 = llvm.mlir.constant(500.0 : f32) : f32
      %fp8 = nvvm.convert.f32x2.to.f8x2 %f1, %f500 {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
      %v10 = llvm.zext %fp8 : i16 to i32
      %p10 = llvm.getelementptr %p[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %v10, %p10 : i32, !llvm.ptr<1>
      // 11: as halves, 1 above 448
      %codes = llvm.bitcast %fp8 : i16 to vector<2xi8>
      %halves = nvvm.convert.f8x2.to.f16x2 %codes : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
      %v11 = llvm.bitcast %halves : vector<2xf16> to i32
      %p11 = llvm.getelementptr %p[11] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %v11, %p11 : i32, !llvm.ptr<1>
      // 12: and back
      %again = nvvm.convert.f16x2.to.f8x2 %halves : vector<2xf16> -> i16 (f8E4M3FN)
      %v12 = llvm.zext %again : i16 to i32
      %p12 = llvm.getelementptr %p[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %v12, %p12 : i32, !llvm.ptr<1>
      // 13: bfloat16 of 1 above 500
      %bf = nvvm.convert.f32x2.to.bf16x2 %f1, %f500 {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xbf16>
      %v13 = llvm.bitcast %bf : vector<2xbf16> to i32
      %p13 = llvm.getelementptr %p[13] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %v13, %p13 : i32, !llvm.ptr<1>
      // 14: 500
      %tf32 = nvvm.convert.float.to.tf32 %f500 {rnd = #nvvm.fp_rnd_mode<rna>}
      %p14 = llvm.getelementptr %p[14] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %tf32, %p14 : i32, !llvm.ptr<1>
      // 15: 1 / 500
      %rcp = nvvm.rcp.approx.ftz.f %f500 : f32
      %v15 = llvm.bitcast %rcp : f32 to i32
      %p15 = llvm.getelementptr %p[15] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %v15, %p15 : i32, !llvm.ptr<1>
      // 16: the same by its text
      %text = nvvm.inline_ptx "rcp.approx.ftz.f32   $0,$1 ;" ro(%f500 : f32) -> f32
      %v16 = llvm.bitcast %text : f32 to i32
      %p16 = llvm.getelementptr %p[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %v16, %p16 : i32, !llvm.ptr<1>
      // 17: an element of a table of constants
      %table = llvm.mlir.addressof @table : !llvm.ptr<4>
      %entry = llvm.getelementptr %table[%mod4] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, i32
      %v17 = llvm.load %entry : !llvm.ptr<4> -> i32
      %p17 = llvm.getelementptr %p[17] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %v17, %p17 : i32, !llvm.ptr<1>
      // 18: "c"
      %string = llvm.mlir.addressof @text : !llvm.ptr<1>
      %third = llvm.getelementptr %string[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %char = llvm.load %third : !llvm.ptr<1> -> i8
      %v18 = llvm.zext %char : i8 to i32
      %p18 = llvm.getelementptr %p[18] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %v18, %p18 : i32, !llvm.ptr<1>
      nvvm.inline_ptx "bar.warp.sync $0;" ro(%all : i32), predicate = %any
      // 19: of the upper half of the warp nothing
      %p19 = llvm.getelementptr %p[19] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %all, %p19 : i32, !llvm.ptr<1>
      %c16 = llvm.mlir.constant(16 : i32) : i32
      %isUpper = llvm.icmp "uge" %lane, %c16 : i32
      nvvm.inline_ptx "exit;", predicate = %isUpper
      llvm.store %c16, %p19 : i32, !llvm.ptr<1>
      llvm.return
    }

    llvm.func @registers(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %envreg = nvvm.read.ptx.sreg.envreg3 : i32
      %dynamic = nvvm.read.ptx.sreg.dynamic.smem.size : i32
      %total = nvvm.read.ptx.sreg.total.smem.size : i32
      %aggregate = nvvm.read.ptx.sreg.aggr.smem.size : i32
      %sm = nvvm.read.ptx.sreg.smid : i32
      %sms = nvvm.read.ptx.sreg.nsmid : i32
      %grid = nvvm.read.ptx.sreg.gridid : i32
      %t0 = nvvm.read.ptx.sreg.clock : i32
      %t1 = nvvm.read.ptx.sreg.clock64 : i64
      %t2 = nvvm.read.ptx.sreg.globaltimer : i64
      %t3 = nvvm.read.ptx.sreg.globaltimer.lo : i32
      %c100 = llvm.mlir.constant(100 : i32) : i32
      nvvm.nanosleep %c100
      nvvm.pmevent id = 3
      nvvm.breakpoint
      nvvm.griddepcontrol wait
      nvvm.griddepcontrol launch_dependents
      nvvm.setmaxregister decrease 24
      nvvm.fence.proxy.release <gpu>
      // 1000, 1024 and 2048 of memory, 132 multiprocessors.
      %s0 = llvm.add %dynamic, %total : i32
      %s1 = llvm.add %s0, %aggregate : i32
      %s2 = llvm.add %s1, %sms : i32
      %s3 = llvm.add %s2, %envreg : i32
      %s4 = llvm.add %s3, %sm : i32
      %lane = nvvm.read.ptx.sreg.tid.x : i32
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %isFirst = llvm.icmp "eq" %lane, %c0 : i32
      llvm.cond_br %isFirst, ^store, ^end
    ^store:
      llvm.store %s4, %out : i32, !llvm.ptr<1>
      llvm.br ^end
    ^end:
      nvvm.exit
      llvm.return
    }
  }

  // What the columns must hold; 5, 17 and 19 depend on the lane.
  memref.global "private" constant @expected : memref<24xi32> = dense<[
    7, 1, 0, 496, -32, 0, 1, 0x44116655, -160, -2837, 0x387e, 0x3c005f00,
    0x387e, 0x3f8043fa, 0x43fa0000, 0x3b03126f, 0x3b03126f, 0, 99, 0, 0, 0, 0,
    0]>
  memref.global "private" constant @primes : memref<4xi32> = dense<[7, 11, 13, 17]>
  func.func private @count(%out: !out) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c16 = arith.constant 16 : index
    %c17 = arith.constant 17 : index
    %c19 = arith.constant 19 : index
    %c20 = arith.constant 20 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sixteen = arith.constant 16 : i32
    %minus = arith.constant -1 : i32
    %ones = arith.constant 0x11111111 : i32
    %expected = memref.get_global @expected : memref<24xi32>
    %primes = memref.get_global @primes : memref<4xi32>
    %n = scf.for %lane = %c0 to %c32 step %c1 iter_args(%sum = %zero) -> i32 {
      %mod4 = arith.remui %lane, %c4 : index
      %shift = arith.index_cast %mod4 : index to i32
      %same = arith.shli %ones, %shift : i32
      %prime = memref.load %primes[%mod4] : memref<4xi32>
      %isUpper = arith.cmpi uge, %lane, %c16 : index
      %last = arith.select %isUpper, %minus, %sixteen : i32
      %inner = scf.for %i = %c0 to %c20 step %c1 iter_args(%s = %sum) -> i32 {
        %e0 = memref.load %expected[%i] : memref<24xi32>
        %is5 = arith.cmpi eq, %i, %c5 : index
        %e1 = arith.select %is5, %same, %e0 : i32
        %is17 = arith.cmpi eq, %i, %c17 : index
        %e2 = arith.select %is17, %prime, %e1 : i32
        %is19 = arith.cmpi eq, %i, %c19 : index
        %e3 = arith.select %is19, %last, %e2 : i32
        %v = memref.load %out[%lane, %i] : !out
        %isWrong = arith.cmpi ne, %v, %e3 : i32
        %wrong = arith.extui %isWrong : i1 to i32
        %next = arith.addi %s, %wrong : i32
        scf.yield %next : i32
      }
      scf.yield %inner : i32
    }
    return %n : i32
  }

  func.func private @pointer(%out: !out) -> !llvm.ptr<1> {
    %index = memref.extract_aligned_pointer_as_index %out : !out -> index
    %i = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    return %p : !llvm.ptr<1>
  }

  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %out = memref.alloc() : !out
    %p = func.call @pointer(%out) : (!out) -> !llvm.ptr<1>
    gpu.launch_func @kernels::@ops blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%p : !llvm.ptr<1>)
    %n = func.call @count(%out) : (!out) -> i32
    memref.dealloc %out : !out
    return %n : i32
  }

  func.func @registers() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %bytes = arith.constant 1000 : i32
    %out = memref.alloc() : !out
    %p = func.call @pointer(%out) : (!out) -> !llvm.ptr<1>
    gpu.launch_func @kernels::@registers blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes args(%p : !llvm.ptr<1>)
    %v = memref.load %out[%c0, %c0] : !out
    %want = arith.constant 4204 : i32
    %r = arith.subi %v, %want : i32
    memref.dealloc %out : !out
    return %r : i32
  }
}
