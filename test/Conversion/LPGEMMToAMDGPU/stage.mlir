// RUN: lpgemm-opt %s --convert-lpgemm-to-amdgpu --canonicalize --cse | FileCheck %s

// The way of a result through shared memory.

!b = !lpgemm.buf<2x64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!s = !lpgemm.buf<32x64xbf16, shared, <pad = 0, unit = 8, mask = 15, shift = 0>>
!c = !lpgemm.frag<16x32xbf16, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!g = !lpgemm.global<?x?xbf16>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
// A lane writes the four columns that it has of a row in each atom, 8 bytes, and
// the token is one of shared memory. The buffer is that of the K loop.
// CHECK-LABEL: gpu.func @write(
// CHECK-SAME: workgroup(%[[B:.*]] : memref<16384xi8, #gpu.address_space<workgroup>>
// CHECK: %[[S:.*]] = memref.view %[[B]][%c0]
// CHECK-COUNT-2: vector.store %{{.*}}, %[[S]][%{{.*}}] {alignment = 8 : i64} : memref<4096xi8, #gpu.address_space<workgroup>>, vector<8xi8>
// CHECK-NOT: vector.store
// CHECK: lpgemm.commit ds
gpu.func @write(%pg: !llvm.ptr, %x: bf16, %m: index, %n: index, %ld: i64,
                %w: index)
    kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %c32 = arith.constant 32 : index
  %b = lpgemm.alloc : !b
  %s = lpgemm.reuse %b : !b to !s
  %col = arith.muli %w, %c32 : index
  %c = lpgemm.splat %x : bf16 to !c
  %t = lpgemm.write %c, %s[%w, %col] : !c to !s
  lpgemm.wait %t
  gpu.return
}

// 256 pieces of 16 bytes for 256 threads: 8 neighbours have a row. Where pieces of
// 8 bytes are exchanged, the halves may be too. They are stored at once if the edge
// and the alignment let them, or element by element.
// CHECK-LABEL: gpu.func @copy_out(
// CHECK: %[[START:.*]] = arith.andi %[[FIRST:.*]], %c-16_i32
// CHECK: vector.load %{{.*}} {alignment = 16 : i64} {{.*}}, vector<16xi8>
// CHECK-NOT: vector.load
// CHECK: %[[BOTH:.*]] = vector.bitcast %{{.*}} : vector<16xi8> to vector<4xi32>
// CHECK: %[[WHERE:.*]] = arith.andi %[[FIRST]], %c8_i32
// CHECK: %[[SWAPPED:.*]] = arith.cmpi ne, %[[WHERE]], %c0_i32
// CHECK: %[[OTHER:.*]] = vector.shuffle %[[BOTH]], %[[BOTH]] [2, 3, 0, 1]
// CHECK: %[[PIECE:.*]] = arith.select %[[SWAPPED]], %[[OTHER]], %[[BOTH]]
// CHECK: scf.if %{{.*}} {
// CHECK: rocdl.raw.ptr.buffer.store %[[PIECE]], {{.*}} : vector<4xi32>
// CHECK-NEXT: } else {
// CHECK-COUNT-8: rocdl.raw.ptr.buffer.store {{.*}} : i16
// CHECK-NOT: rocdl.raw.ptr.buffer.store
gpu.func @copy_out(%pg: !llvm.ptr, %m: index, %n: index, %ld: i64, %i: index)
    kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %b = lpgemm.alloc : !b
  %s = lpgemm.reuse %b : !b to !s
  %g = lpgemm.bind %pg[%m, %n] pitch %ld : !llvm.ptr to !g
  lpgemm.copy_out %s, %g[%i, %i] : !s to !g
  gpu.return
}

// The last pieces are of 64 of 192 threads only.
// CHECK-LABEL: gpu.func @ragged(
// CHECK: scf.if
// CHECK: rocdl.raw.ptr.buffer.store {{.*}} : vector<4xi32>
// CHECK: %[[MINE:.*]] = arith.cmpi ult, %{{.*}}, %c64_i32
// CHECK: scf.if %[[MINE]] {
// CHECK: vector.load
// CHECK: rocdl.raw.ptr.buffer.store {{.*}} : vector<4xi32>
gpu.func @ragged(%pg: !llvm.ptr, %m: index, %n: index, %ld: i64, %i: index)
    kernel attributes {known_block_size = array<i32: 192, 1, 1>} {
  %b = lpgemm.alloc : !b
  %s = lpgemm.reuse %b : !b to !s
  %g = lpgemm.bind %pg[%m, %n] pitch %ld : !llvm.ptr to !g
  lpgemm.copy_out %s, %g[%i, %i] : !s to !g
  gpu.return
}

// Where elements are exchanged, or rows do not start with 16 bytes of their own, a
// piece has no 16 bytes that are one access.
// CHECK-LABEL: gpu.func @torn(
// CHECK-COUNT-8: vector.load %{{.*}} {alignment = 2 : i64} {{.*}}, vector<2xi8>
// CHECK-NOT: vector.load
// CHECK: rocdl.raw.ptr.buffer.store
// CHECK-LABEL: gpu.func @padded(
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 8 : i64} {{.*}}, vector<8xi8>
// CHECK-NOT: vector.load
// CHECK: rocdl.raw.ptr.buffer.store
gpu.func @torn(%pg: !llvm.ptr, %m: index, %n: index, %ld: i64, %i: index)
    kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %s = lpgemm.alloc : !lpgemm.buf<32x64xbf16, shared, <pad = 0, unit = 2, mask = 63, shift = 0>>
  %g = lpgemm.bind %pg[%m, %n] pitch %ld : !llvm.ptr to !g
  lpgemm.copy_out %s, %g[%i, %i] : !lpgemm.buf<32x64xbf16, shared, <pad = 0, unit = 2, mask = 63, shift = 0>> to !g
  gpu.return
}
gpu.func @padded(%pg: !llvm.ptr, %m: index, %n: index, %ld: i64, %i: index)
    kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
  %s = lpgemm.alloc : !lpgemm.buf<32x64xbf16, shared, <pad = 8, unit = 8, mask = 15, shift = 0>>
  %g = lpgemm.bind %pg[%m, %n] pitch %ld : !llvm.ptr to !g
  lpgemm.copy_out %s, %g[%i, %i] : !lpgemm.buf<32x64xbf16, shared, <pad = 8, unit = 8, mask = 15, shift = 0>> to !g
  gpu.return
}
}
