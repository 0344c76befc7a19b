// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s

!g = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!buf = !lpgemm.buf<48x128xf8E4M3FN, shared, <pad = 16, unit = 16, mask = 7, shift = 1>>
!fb = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!fsb = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  // The window of the source has 128 rows of K and 48 columns of N.
  // CHECK-LABEL: gpu.func @copy
  // CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr, %[[K:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index, %[[PITCH:[a-z0-9]+]]: i64, %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index)
  // CHECK-SAME: workgroup(%[[LDS:.*]] : memref<6912xi8
  // CHECK: %[[T:.*]] = arith.index_cast %thread_id_x
  // CHECK: arith.maxsi %[[K]], %[[I]]
  // CHECK: arith.minsi %{{.*}}, %c128 : index
  // CHECK: arith.maxsi %[[N]], %[[J]]
  // CHECK: arith.minsi %{{.*}}, %c48 : index
  // CHECK: %[[ROWS:.*]] = arith.trunci
  // CHECK: %[[COLS:.*]] = arith.trunci
  // 384 pieces of 16 bytes, 3 in each row of the source; thread t copies piece
  // t and, if there is one, 256 + t.
  // CHECK: %[[ROW:.*]] = arith.divui %[[T]], %c3_i32
  // CHECK: %[[PIECE:.*]] = arith.remui %[[T]], %c3_i32
  // CHECK: %[[COL:.*]] = arith.muli %[[PIECE]], %c16_i32
  // CHECK: %[[T1:.*]] = arith.addi %[[T]], %c256_i32
  // CHECK: arith.divui %[[T1]], %c3_i32
  // 16 bytes at a time if no column and no row is missing: where rows overlap
  // the range check does not tell a row outside.
  // CHECK: %[[ALL_COLS:.*]] = arith.cmpi eq, %[[COLS]], %c48_i32
  // CHECK: %[[WIDE0:.*]] = arith.andi %{{.*}}, %[[ALL_COLS]]
  // CHECK: %[[ALL_ROWS:.*]] = arith.cmpi eq, %[[ROWS]], %c128_i32
  // CHECK: %[[WIDE:.*]] = arith.andi %[[WIDE0]], %[[ALL_ROWS]]
  // CHECK: %[[V:.*]]:2 = scf.if %[[WIDE]]
  // CHECK-COUNT-2: rocdl.raw.ptr.buffer.load {{.*}} : vector<4xi32>
  // CHECK: } else {
  // CHECK: scf.for
  // CHECK: %[[IN_COL:.*]] = arith.cmpi slt, %{{.*}}, %[[COLS]]
  // CHECK: %[[IN_ROW:.*]] = arith.cmpi slt, %[[ROW]], %[[ROWS]]
  // CHECK: %[[IN:.*]] = arith.andi %[[IN_COL]], %[[IN_ROW]]
  // CHECK: arith.select %[[IN]], %{{.*}}, %c2147483647_i32
  // CHECK-COUNT-8: rocdl.raw.ptr.buffer.load {{.*}} : i8
  // Byte e of the piece is element (col + e, row) of the tile, of rows of
  // 128 + 16 bytes: its row decides where the swizzle puts it.
  // CHECK: %[[BYTES:.*]] = vector.bitcast %[[V]]#0 : vector<4xi32> to vector<16xi8>
  // CHECK: %[[B0:.*]] = vector.extract %[[BYTES]][0]
  // CHECK: memref.store %[[B0]], %[[LDS]]
  // CHECK: %[[B1:.*]] = vector.extract %[[BYTES]][1]
  // CHECK: %[[COL1:.*]] = arith.addi %[[COL]], %c1_i32
  // CHECK: %[[SH:.*]] = arith.shrui %[[COL1]], %c1_i32
  // CHECK: %[[KEY:.*]] = arith.andi %[[SH]], %c7_i32
  // CHECK: %[[X:.*]] = arith.xori %{{.*}}, %[[KEY]]
  // CHECK: %[[XB:.*]] = arith.muli %[[X]], %c16_i32
  // CHECK: %[[BYTE:.*]] = arith.addi %[[XB]], %{{.*}}
  // CHECK: %[[ROWB:.*]] = arith.muli %[[COL1]], %c144_i32
  // CHECK: %[[A:.*]] = arith.addi %[[ROWB]], %[[BYTE]]
  // CHECK: %[[AI:.*]] = arith.index_cast %[[A]]
  // CHECK: memref.store %[[B1]], %[[LDS]][%[[AI]]]
  // CHECK-COUNT-14: memref.store %{{.*}}, %[[LDS]]
  // CHECK-NOT: memref.store
  // CHECK: %[[MINE:.*]] = arith.cmpi ult, %[[T]], %c128_i32
  // CHECK: scf.if %[[MINE]] {
  // CHECK-COUNT-16: memref.store %{{.*}}, %[[LDS]]
  // CHECK: lpgemm.commit ds
  gpu.func @copy(%p: !llvm.ptr, %k: index, %n: index, %pitch: i64, %i: index, %j: index)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %g = lpgemm.bind %p[%k, %n] pitch %pitch : !llvm.ptr to !g
    %s = lpgemm.alloc : !buf
    %t = lpgemm.copy %g[%i, %j] into %s transpose : !g to !buf
    lpgemm.wait %t
    gpu.return
  }

  // Lane l holds column l % 16 of the source, rows 16 * (l / 16) on and 64
  // further down: one byte at a time, a pitch apart, checked by column and row.
  // CHECK-LABEL: gpu.func @load
  // CHECK: %[[GROUP:.*]] = arith.divui %{{.*}}, %c16_i32
  // CHECK: %[[ALONG:.*]] = arith.muli %[[GROUP]], %c16_i32
  // CHECK: %[[ACROSS:.*]] = arith.remui
  // CHECK: %[[RSRC:.*]] = rocdl.make.buffer.rsrc
  // CHECK: %[[ROWS:.*]] = arith.trunci
  // CHECK: %[[COLS:.*]] = arith.trunci
  // CHECK: %[[PITCH:.*]] = arith.trunci
  // CHECK-NOT: scf.if
  // CHECK: scf.for %[[W:.*]] = %c0_i32 to %c4_i32 step %c1_i32
  // CHECK: %[[W4:.*]] = arith.muli %[[W]], %c4_i32
  // CHECK: %[[R:.*]] = arith.addi %[[ALONG]], %[[W4]]
  // CHECK: %[[IN_COL:.*]] = arith.cmpi slt, %[[ACROSS:.*]], %[[COLS]]
  // CHECK: %[[IN_ROW:.*]] = arith.cmpi slt, %[[R]], %[[ROWS]]
  // CHECK: %[[IN:.*]] = arith.andi %[[IN_COL]], %[[IN_ROW]]
  // CHECK: %[[ROWOFF:.*]] = arith.muli %[[R]], %[[PITCH]]
  // CHECK: %[[OFF:.*]] = arith.addi %[[ROWOFF]], %[[ACROSS]]
  // CHECK: %[[VO:.*]] = arith.select %[[IN]], %[[OFF]], %c2147483647_i32
  // CHECK: rocdl.raw.ptr.buffer.load %[[RSRC]], %[[VO]], %c0_i32, %c0_i32 : i8
  // CHECK: %[[R1:.*]] = arith.addi %[[R]], %c1_i32
  // CHECK: arith.cmpi slt, %[[R1]], %[[ROWS]]
  // CHECK: %[[OFF1:.*]] = arith.addi %[[OFF]], %[[PITCH]]
  // CHECK: %[[VO1:.*]] = arith.select %{{.*}}, %[[OFF1]], %c2147483647_i32
  // CHECK: rocdl.raw.ptr.buffer.load %[[RSRC]], %[[VO1]]
  // CHECK-COUNT-2: rocdl.raw.ptr.buffer.load %[[RSRC]], %{{.*}} : i8
  // CHECK: arith.addi %[[R]], %c64_i32
  // CHECK-COUNT-4: rocdl.raw.ptr.buffer.load %[[RSRC]], %{{.*}} : i8
  // CHECK-NOT: rocdl.raw.ptr.buffer.load
  // CHECK: } {loop_annotation
  // Lane l holds the scale in row l / 16, column l % 16; outside it is 1.0.
  // CHECK: %[[RSRCS:.*]] = rocdl.make.buffer.rsrc
  // CHECK: %[[ROWS:.*]] = arith.trunci
  // CHECK: %[[IN_COL:.*]] = arith.cmpi slt, %[[ACROSS]], %[[COLS]]
  // CHECK: %[[IN_ROW:.*]] = arith.cmpi slt, %[[GROUP]], %[[ROWS]]
  // CHECK: %[[IN:.*]] = arith.andi %[[IN_COL]], %[[IN_ROW]]
  // CHECK: %[[BYTE:.*]] = rocdl.raw.ptr.buffer.load %[[RSRCS]], %{{.*}} : i8
  // CHECK: arith.select %[[IN]], %[[BYTE]], %c127_i8 : i8
  gpu.func @load(%p: !llvm.ptr, %k: index, %n: index, %pitch: i64, %i: index, %j: index, %pd: !llvm.ptr)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %g = lpgemm.bind %p[%k, %n] pitch %pitch : !llvm.ptr to !g
    %gs = lpgemm.bind %p[%k, %n] pitch %pitch : !llvm.ptr to !gs
    %gd = lpgemm.bind %pd[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf32>
    %b = lpgemm.load %g[%i, %j] at [%c0, %c0] transpose : !g to !fb
    %sb = lpgemm.load %gs[%i, %j] at [%c0, %c0] transpose : !gs to !fsb
    %acc = lpgemm.splat %zero : f32 to !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
    %a = lpgemm.load %g[%i, %j] at [%c0, %c0] : !g to !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
    %sa = lpgemm.load %gs[%i, %j] at [%c0, %c0] : !gs to !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
    %r = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %acc
        sa(%sa : !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>) sb(%sb : !fsb)
        : !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>, !fb, !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
    lpgemm.store %r, %gd[%i, %j] at [%c0, %c0] : !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>> to !lpgemm.global<?x?xf32>
    gpu.return
  }
}
