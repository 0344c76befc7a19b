// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-amdgpu,canonicalize,cse))" | FileCheck %s

!ga = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<40x128xf8E4M3FN, shared, <pad = 16, unit = 16, mask = 7, shift = 1>>
!fa = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!fb = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!fc = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>

// CHECK-LABEL: gpu.func @shared
// Rows of 128 + 16 bytes.
// CHECK-SAME: workgroup(%[[LDS:.*]] : memref<5760xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// 320 pieces of 16 bytes, 256 threads: thread t copies piece t and, 32 rows
// further down, piece 256 + t, if there is one.
// CHECK: %[[T:.*]] = arith.index_cast %thread_id_x : index to i32
// CHECK: %[[ROW:.*]] = arith.divui %[[T]], %c8_i32
// CHECK: %[[P:.*]] = arith.remui %[[T]], %c8_i32
// CHECK: %[[COL:.*]] = arith.muli %[[P]], %c16_i32
// CHECK: %[[V:.*]]:2 = scf.if %{{.*}} -> (vector<4xi32>, vector<4xi32>)
// CHECK-COUNT-2: rocdl.raw.ptr.buffer.load {{.*}} : vector<4xi32>
// CHECK: } else {
// CHECK: scf.for
// The piece goes to piece p xor ((row >> 1) & 7) of the row.
// CHECK: %[[SH:.*]] = arith.shrui %[[ROW]], %c1_i32
// CHECK: %[[KEY:.*]] = arith.andi %[[SH]], %c7_i32
// CHECK: %[[PIECE:.*]] = arith.divui %[[COL]], %c16_i32
// CHECK: %[[X:.*]] = arith.xori %[[PIECE]], %[[KEY]]
// CHECK: %[[XB:.*]] = arith.muli %[[X]], %c16_i32
// CHECK: %[[IN:.*]] = arith.remui %[[COL]], %c16_i32
// CHECK: %[[BYTE:.*]] = arith.addi %[[XB]], %[[IN]]
// CHECK: %[[ROWB:.*]] = arith.muli %[[ROW]], %c144_i32
// CHECK: %[[A:.*]] = arith.addi %[[ROWB]], %[[BYTE]]
// CHECK: %[[B0:.*]] = vector.bitcast %[[V]]#0 : vector<4xi32> to vector<16xi8>
// CHECK: %[[AI:.*]] = arith.index_cast %[[A]] : i32 to index
// CHECK: vector.store %[[B0]], %[[LDS]][%[[AI]]] {alignment = 16 : i64}
// CHECK: %[[MINE:.*]] = arith.cmpi ult, %[[T]], %c64_i32
// CHECK: scf.if %[[MINE]] {
// Rows that are swizzled alike are a constant apart.
// CHECK: arith.addi %[[A]], %c4608_i32
// CHECK: vector.store
// CHECK: }
// CHECK: %[[TOKEN:.*]] = lpgemm.commit ds
// CHECK: lpgemm.wait %[[TOKEN]]
// CHECK: rocdl.s.barrier
// CHECK: %[[W:.*]] = arith.divui %[[T]], %c64_i32
// CHECK: rocdl.readfirstlane %[[W]] : i32
// CHECK: %[[LANE:.*]] = arith.remui %[[T]], %c64_i32
// CHECK: %[[GROUP:.*]] = arith.divui %[[LANE]], %c16_i32
// CHECK: %[[ALONG:.*]] = arith.muli %[[GROUP]], %c16_i32
// CHECK: %[[R0:.*]] = vector.load %[[LDS]][%{{.*}}] {alignment = 16 : i64} : {{.*}}, vector<16xi8>
// CHECK: %[[W0:.*]] = vector.bitcast %[[R0]] : vector<16xi8> to vector<4xi32>
// CHECK: arith.addi %[[ALONG]], %c64_i32
// CHECK: %[[R1:.*]] = vector.load %[[LDS]]
// CHECK: %[[W1:.*]] = vector.bitcast %[[R1]] : vector<16xi8> to vector<4xi32>
// CHECK: %[[R:.*]] = vector.shuffle %[[W0]], %[[W1]] [0, 1, 2, 3, 4, 5, 6, 7]
// CHECK: %[[FA:.*]] = vector.bitcast %[[R]] : vector<8xi32> to vector<32xf8E4M3FN>
// CHECK-COUNT-2: vector.load %[[LDS]]
// CHECK: amdgpu.mfma 16x16x128 %{{.*}} * %[[FA]] + %{{.*}} : vector<32xf8E4M3FN>, vector<32xf8E4M3FN>, vector<4xf32>
// CHECK: lpgemm.wait{{$}}
// CHECK: rocdl.s.barrier
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @shared(%pa: !llvm.ptr, %pd: !llvm.ptr, %m: index, %k: index, %lda: i64, %ldd: i64)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %a = lpgemm.bind %pa[%m, %k] pitch %lda : !llvm.ptr to !ga
    %d = lpgemm.bind %pd[%m, %m] pitch %ldd : !llvm.ptr to !lpgemm.global<?x?xf32>
    %s = lpgemm.alloc : !buf
    %t = lpgemm.copy %a[%c0, %c0] into %s : !ga to !buf
    lpgemm.wait %t
    lpgemm.barrier
    %w = gpu.subgroup_id : index
    %row = arith.muli %w, %c16 : index
    %fa = lpgemm.read %s[%c0, %c0] : !buf to !fa
    %fb = lpgemm.read %s[%row, %c0] : !buf to !fb
    %acc = lpgemm.splat %zero : f32 to !fc
    %r = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %fa, %fb, %acc : !fa, !fb, !fc
    lpgemm.wait
    lpgemm.barrier
    lpgemm.store %r, %d[%c0, %row] at [%c0, %c0] : !fc to !lpgemm.global<?x?xf32>
    gpu.return
  }
}
