// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// Attributes.

// expected-error @+1 {{expects load_regs to be a multiple of 8 from 24 to 256, but got 16}}
#roles = #lpgemm.roles<load_regs = 16, mma_regs = 232>

// -----

// expected-error @+1 {{expects load_regs to be a multiple of 8 from 24 to 256, but got 42}}
#roles = #lpgemm.roles<load_regs = 42, mma_regs = 232>

// -----

// expected-error @+1 {{expects mma_regs to be a multiple of 8 from 24 to 256, but got 264}}
#roles = #lpgemm.roles<load_regs = 40, mma_regs = 264>

// -----

// expected-error @+1 {{expects cluster to be two powers of two along M, N, together at most 8, but got [2]}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, cluster = [2]>

// -----

// expected-error @+1 {{expects cluster to be two powers of two along M, N, together at most 8, but got [3, 1]}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, cluster = [3, 1]>

// -----

// expected-error @+1 {{expects cluster to be two powers of two along M, N, together at most 8, but got [1, 0]}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, cluster = [1, 0]>

// -----

// The product does not overflow.
// expected-error @+1 {{expects cluster to be two powers of two along M, N, together at most 8, but got [2305843009213693952, 8]}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, cluster = [2305843009213693952, 8]>

// -----

// expected-error @+1 {{expects cluster to be two powers of two along M, N, together at most 8, but got [4, 4]}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, cluster = [4, 4]>

// -----

// expected-error @+1 {{expects raster from 1 to 64, but got 0}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, raster = 0>

// -----

// expected-error @+1 {{expects raster from 1 to 64, but got 65}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, raster = 65>

// -----

// expected-error @+1 {{expects unroll from 1 to 64, but got 0}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, unroll = 0>

// -----

// expected-error @+1 {{expects unroll from 1 to 64, but got 65}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, unroll = 65>

// -----

// expected-error @+1 {{expects 1 to 16 slots, but got 0}}
func.func private @type(!lpgemm.pipe<0>)

// -----

// expected-error @+1 {{expects 1 to 16 slots, but got 17}}
func.func private @type(!lpgemm.pipe<17>)

// -----

// expected-error @+1 {{expects two or three dimensions, but got 1}}
func.func private @type(!lpgemm.buf<128xf8E4M3FN, shared>)

// -----

// expected-error @+1 {{expects two or three dimensions, but got 4}}
func.func private @type(!lpgemm.buf<2x4x128x128xf8E4M3FN, shared>)

// -----

// expected-error @+1 {{expects two dimensions, but got 3}}
func.func private @type(!lpgemm.frag<4x128x128xf8E4M3FN>)

// -----

// expected-error @+1 {{expects positive extents, but got 4x128x0}}
func.func private @type(!lpgemm.buf<4x128x0xf8E4M3FN, shared>)

// -----

// expected-error @+1 {{expects a row to be of whole bytes, but got 3 elements of 'f4E2M1FN'}}
func.func private @type(!lpgemm.buf<4x128x3xf4E2M1FN, shared>)

// -----

// expected-error @+1 {{expects a row (64 bytes) to be a multiple of the layout's unit (128)}}
func.func private @type(!lpgemm.buf<4x128x64xf8E4M3FN, shared, <pad = 0, unit = 128, mask = 0, shift = 0>>)

// -----

// expected-error @+1 {{expects the layout's mask (7) to be less than the units of a row (4)}}
func.func private @type(!lpgemm.buf<4x128x64xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>)

// -----

func.func @no_role() {
  // expected-error @+1 {{'lpgemm.roles' op expects at least one role, each with a name, waves and regs}}
  lpgemm.roles {
  }
  return
}

// -----

func.func @no_name() {
  // expected-error @+1 {{'lpgemm.roles' op expects at least one role, each with a name, waves and regs}}
  "lpgemm.roles"() <{names = [], waves = array<i64: 1>, regs = array<i64: 0>}> ({
  ^bb0(%wave: index):
  }) : () -> ()
  return
}

// -----

func.func @no_waves() {
  // expected-error @+1 {{'lpgemm.roles' op expects at least one wave for role "mma", but got 0}}
  lpgemm.roles {
    role mma(%wave) waves(0) {
    }
  }
  return
}

// -----

func.func @no_argument() {
  // expected-error @+1 {{'lpgemm.roles' op expects the region of role "mma" to have one argument of type 'index'}}
  "lpgemm.roles"() <{names = ["mma"], waves = array<i64: 1>, regs = array<i64: 0>}> ({
  ^bb0:
  }) : () -> ()
  return
}

// -----

func.func @argument() {
  // expected-error @+1 {{'lpgemm.roles' op expects the region of role "mma" to have one argument of type 'index'}}
  "lpgemm.roles"() <{names = ["mma"], waves = array<i64: 1>, regs = array<i64: 0>}> ({
  ^bb0(%wave: i32):
  }) : () -> ()
  return
}

// -----

func.func @same_name() {
  // expected-error @+1 {{'lpgemm.roles' op expects one role of the name "mma"}}
  lpgemm.roles {
    role mma(%wave) waves(1) {
    }
    role mma(%wave) waves(1) {
    }
  }
  return
}

// -----

func.func @nested(%c: i1) {
  scf.if %c {
    // expected-error @+1 {{'lpgemm.roles' op expects to be in the body of a kernel}}
    lpgemm.roles {
      role mma(%wave) waves(1) {
      }
    }
  }
  return
}

// -----

func.func @view_source(%b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.view' op expects a buffer of slots, but got '!lpgemm.buf<64x128xf8E4M3FN, shared>'}}
  %0 = lpgemm.view %b[%s] at [%i, 0] : !lpgemm.buf<64x128xf8E4M3FN, shared> to !lpgemm.buf<64x128xf8E4M3FN, shared>
  return
}

// -----

func.func @view_result(%b: !lpgemm.buf<4x64x128xf8E4M3FN, shared>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.view' op expects the result to be a tile of two extents, but got '!lpgemm.buf<4x64x128xf8E4M3FN, shared>'}}
  %0 = lpgemm.view %b[%s] at [%i, 0] : !lpgemm.buf<4x64x128xf8E4M3FN, shared> to !lpgemm.buf<4x64x128xf8E4M3FN, shared>
  return
}

// -----

func.func @view_layout(%b: !lpgemm.buf<4x64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.view' op expects the layout of the buffer, '!lpgemm.buf<4x64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>', but got '!lpgemm.buf<64x128xf8E4M3FN, shared>'}}
  %0 = lpgemm.view %b[%s] at [%i, 0] : !lpgemm.buf<4x64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>> to !lpgemm.buf<64x128xf8E4M3FN, shared>
  return
}

// -----

func.func @view_rows(%b: !lpgemm.buf<4x64x128xf8E4M3FN, shared>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.view' op expects a part of a slot of '!lpgemm.buf<4x64x128xf8E4M3FN, shared>', but got '!lpgemm.buf<128x128xf8E4M3FN, shared>' from column 0 on}}
  %0 = lpgemm.view %b[%s] at [%i, 0] : !lpgemm.buf<4x64x128xf8E4M3FN, shared> to !lpgemm.buf<128x128xf8E4M3FN, shared>
  return
}

// -----

func.func @view_columns(%b: !lpgemm.buf<4x64x128xf8E4M3FN, shared>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.view' op expects a part of a slot of '!lpgemm.buf<4x64x128xf8E4M3FN, shared>', but got '!lpgemm.buf<64x64xf8E4M3FN, shared>' from column 96 on}}
  %0 = lpgemm.view %b[%s] at [%i, 96] : !lpgemm.buf<4x64x128xf8E4M3FN, shared> to !lpgemm.buf<64x64xf8E4M3FN, shared>
  return
}

// -----

func.func @view_far(%b: !lpgemm.buf<4x64x128xf8E4M3FN, shared>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.view' op expects a part of a slot of '!lpgemm.buf<4x64x128xf8E4M3FN, shared>', but got '!lpgemm.buf<64x64xf8E4M3FN, shared>' from column 9223372036854775807 on}}
  %0 = lpgemm.view %b[%s] at [%i, 9223372036854775807] : !lpgemm.buf<4x64x128xf8E4M3FN, shared> to !lpgemm.buf<64x64xf8E4M3FN, shared>
  return
}

// -----

func.func @view_negative(%b: !lpgemm.buf<4x64x128xf8E4M3FN, shared>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.view' op attribute 'col' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = lpgemm.view %b[%s] at [%i, -1] : !lpgemm.buf<4x64x128xf8E4M3FN, shared> to !lpgemm.buf<64x64xf8E4M3FN, shared>
  return
}

// -----

func.func @view_type(%b: !lpgemm.buf<4x64x128xf8E4M3FN, shared>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.view' op expects one element type on both sides, but got 'f8E4M3FN' and 'f8E5M2'}}
  %0 = lpgemm.view %b[%s] at [%i, 0] : !lpgemm.buf<4x64x128xf8E4M3FN, shared> to !lpgemm.buf<64x128xf8E5M2, shared>
  return
}

// -----

func.func @copy_slots(%g: !lpgemm.global<?x?xf8E4M3FN>, %b: !lpgemm.buf<4x64x128xf8E4M3FN, shared>, %p: !lpgemm.pipe<4>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.pipe_copy' op expects the destination to be a tile of two extents, but got '!lpgemm.buf<4x64x128xf8E4M3FN, shared>'}}
  lpgemm.pipe_copy %g[%i, %i] into %b threads signal %p[%s] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<4x64x128xf8E4M3FN, shared>, !lpgemm.pipe<4>
  return
}

// -----

func.func @copy_multicast(%g: !lpgemm.global<?x?xf8E4M3FN>, %b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %p: !lpgemm.pipe<4>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.pipe_copy' op expects multicast to be 0 or 1, but got 2}}
  lpgemm.pipe_copy %g[%i, %i] into %b threads signal %p[%s] {multicast = 2 : i64} : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.pipe<4>
  return
}

// -----

func.func @copy_multicast_negative(%g: !lpgemm.global<?x?xf8E4M3FN>, %b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %p: !lpgemm.pipe<4>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.pipe_copy' op expects multicast to be 0 or 1, but got -1}}
  lpgemm.pipe_copy %g[%i, %i] into %b threads signal %p[%s] {multicast = -1 : i64} : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.pipe<4>
  return
}

// -----

func.func @copy_engine(%g: !lpgemm.global<?x?xf8E4M3FN>, %b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %p: !lpgemm.pipe<4>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.pipe_copy' op expects to be in lpgemm.elect with engine tma}}
  lpgemm.pipe_copy %g[%i, %i] into %b tma signal %p[%s] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.pipe<4>
  return
}

// -----

func.func @copy_type(%g: !lpgemm.global<?x?xf8E4M3FN>, %b: !lpgemm.buf<64x128xf8E5M2, shared>, %p: !lpgemm.pipe<4>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.pipe_copy' op expects one element type on both sides, but got 'f8E4M3FN' and 'f8E5M2'}}
  lpgemm.pipe_copy %g[%i, %i] into %b threads signal %p[%s] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<64x128xf8E5M2, shared>, !lpgemm.pipe<4>
  return
}

// -----

func.func @copy_row_block(%g: !lpgemm.global<?x?xf8E4M3FN>, %b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %p: !lpgemm.pipe<4>, %s: !lpgemm.slot, %i: index) {
  // expected-error @+1 {{'lpgemm.pipe_copy' op attribute 'row_block' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  lpgemm.pipe_copy %g[%i, %i] into %b threads signal %p[%s] {row_block = 0 : i64} : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.pipe<4>
  return
}

// -----

func.func @mma_a_slots(%a: !lpgemm.buf<4x64x128xf8E4M3FN, shared>, %b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %c: !lpgemm.frag<64x64xf32>) {
  // expected-error @+1 {{'lpgemm.async_mma' op expects a to be a tile of two extents, but got '!lpgemm.buf<4x64x128xf8E4M3FN, shared>'}}
  %0, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c : !lpgemm.buf<4x64x128xf8E4M3FN, shared>, !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.frag<64x64xf32>
  return
}

// -----

func.func @mma_b_slots(%a: !lpgemm.buf<64x128xf8E4M3FN, shared>, %b: !lpgemm.buf<4x64x128xf8E4M3FN, shared>, %c: !lpgemm.frag<64x64xf32>) {
  // expected-error @+1 {{'lpgemm.async_mma' op expects b to be a tile of two extents, but got '!lpgemm.buf<4x64x128xf8E4M3FN, shared>'}}
  %0, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c : !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.buf<4x64x128xf8E4M3FN, shared>, !lpgemm.frag<64x64xf32>
  return
}

// -----

func.func @mma_rows(%a: !lpgemm.buf<64x128xf8E4M3FN, shared>, %b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %c: !lpgemm.frag<128x64xf32>) {
  // expected-error @+1 {{'lpgemm.async_mma' op expects a to be 128xK and b to be 64xK, but got '!lpgemm.buf<64x128xf8E4M3FN, shared>' and '!lpgemm.buf<64x128xf8E4M3FN, shared>'}}
  %0, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c : !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.frag<128x64xf32>
  return
}

// -----

func.func @mma_columns(%a: !lpgemm.buf<64x128xf8E4M3FN, shared>, %b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %c: !lpgemm.frag<64x128xf32>) {
  // expected-error @+1 {{'lpgemm.async_mma' op expects a to be 64xK and b to be 128xK, but got '!lpgemm.buf<64x128xf8E4M3FN, shared>' and '!lpgemm.buf<64x128xf8E4M3FN, shared>'}}
  %0, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c : !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.frag<64x128xf32>
  return
}

// -----

func.func @mma_k(%a: !lpgemm.buf<64x128xf8E4M3FN, shared>, %b: !lpgemm.buf<64x64xf8E4M3FN, shared>, %c: !lpgemm.frag<64x64xf32>) {
  // expected-error @+1 {{'lpgemm.async_mma' op expects a to be 64xK and b to be 64xK, but got '!lpgemm.buf<64x128xf8E4M3FN, shared>' and '!lpgemm.buf<64x64xf8E4M3FN, shared>'}}
  %0, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c : !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.buf<64x64xf8E4M3FN, shared>, !lpgemm.frag<64x64xf32>
  return
}

// -----

func.func @mma_registers(%a: !lpgemm.buf<64x128xf8E4M3FN, shared>, %b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %c: !lpgemm.frag<64x64xf32>) {
  // expected-error @+1 {{'lpgemm.async_mma' op expects an instruction that reads shared memory, but got mfma_f32_16x16x32_fp8}}
  %0, %t = lpgemm.async_mma <mfma_f32_16x16x32_fp8> %a, %b, %c : !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.frag<64x64xf32>
  return
}

// -----

func.func @mma_m(%a: !lpgemm.buf<32x128xf8E4M3FN, shared>, %b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %c: !lpgemm.frag<32x64xf32>) {
  // expected-error @+1 {{'lpgemm.async_mma' op expects M, N, K (32, 64, 128) to be multiples of those of the instruction (64, 8, 32)}}
  %0, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c : !lpgemm.buf<32x128xf8E4M3FN, shared>, !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.frag<32x64xf32>
  return
}

// -----

func.func @mma_n(%a: !lpgemm.buf<64x128xf8E4M3FN, shared>, %b: !lpgemm.buf<4x128xf8E4M3FN, shared>, %c: !lpgemm.frag<64x4xf32>) {
  // expected-error @+1 {{'lpgemm.async_mma' op expects M, N, K (64, 4, 128) to be multiples of those of the instruction (64, 8, 32)}}
  %0, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c : !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.buf<4x128xf8E4M3FN, shared>, !lpgemm.frag<64x4xf32>
  return
}

// -----

func.func @mma_k_multiple(%a: !lpgemm.buf<64x48xf8E4M3FN, shared>, %b: !lpgemm.buf<64x48xf8E4M3FN, shared>, %c: !lpgemm.frag<64x64xf32>) {
  // expected-error @+1 {{'lpgemm.async_mma' op expects M, N, K (64, 64, 48) to be multiples of those of the instruction (64, 8, 32)}}
  %0, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c : !lpgemm.buf<64x48xf8E4M3FN, shared>, !lpgemm.buf<64x48xf8E4M3FN, shared>, !lpgemm.frag<64x64xf32>
  return
}

// -----

func.func @mma_type(%a: !lpgemm.buf<64x128xbf16, shared>, %b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %c: !lpgemm.frag<64x64xf32>) {
  // expected-error @+1 {{'lpgemm.async_mma' op has no form of the instruction for 'bf16' x 'f8E4M3FN' -> 'f32'}}
  %0, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c : !lpgemm.buf<64x128xbf16, shared>, !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.frag<64x64xf32>
  return
}

// -----

func.func @mma_acc(%a: !lpgemm.buf<64x128xf8E4M3FN, shared>, %b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %c: !lpgemm.frag<64x64xbf16>) {
  // expected-error @+1 {{'lpgemm.async_mma' op has no form of the instruction for 'f8E4M3FN' x 'f8E4M3FN' -> 'bf16'}}
  %0, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c : !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.frag<64x64xbf16>
  return
}

// -----

func.func @mma_lanes(%a: !lpgemm.buf<64x128xf8E4M3FN, shared>, %b: !lpgemm.buf<64x128xf8E4M3FN, shared>, %c: !lpgemm.frag<64x64xf32, <wgmma_m64k16_f32_bf16, c>>) {
  // expected-error @+1 {{'lpgemm.async_mma' op expects acc in lanes #lpgemm.lanes<wgmma_m64k32_f32_fp8, c>, but got #lpgemm.lanes<wgmma_m64k16_f32_bf16, c>}}
  %0, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c : !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.frag<64x64xf32, <wgmma_m64k16_f32_bf16, c>>
  return
}

// -----

func.func @store_slots(%c: !lpgemm.frag<64x64xbf16>, %g: !lpgemm.global<?x?xbf16>, %b: !lpgemm.buf<2x64x64xbf16, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.staged_store' op expects the stage to be a tile of two extents, but got '!lpgemm.buf<2x64x64xbf16, shared>'}}
  lpgemm.staged_store %c, %g[%i, %i] at [%i, %i] through %b : !lpgemm.frag<64x64xbf16> to !lpgemm.global<?x?xbf16>, !lpgemm.buf<2x64x64xbf16, shared>
  return
}

// -----

func.func @store_stage(%c: !lpgemm.frag<64x64xbf16>, %g: !lpgemm.global<?x?xbf16>, %b: !lpgemm.buf<64x64xf16, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.staged_store' op expects one element type on both sides, but got 'bf16' and 'f16'}}
  lpgemm.staged_store %c, %g[%i, %i] at [%i, %i] through %b : !lpgemm.frag<64x64xbf16> to !lpgemm.global<?x?xbf16>, !lpgemm.buf<64x64xf16, shared>
  return
}

// -----

func.func @store_type(%c: !lpgemm.frag<64x64xbf16>, %g: !lpgemm.global<?x?xf32>, %b: !lpgemm.buf<64x64xbf16, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.staged_store' op expects one element type on both sides, but got 'bf16' and 'f32'}}
  lpgemm.staged_store %c, %g[%i, %i] at [%i, %i] through %b : !lpgemm.frag<64x64xbf16> to !lpgemm.global<?x?xf32>, !lpgemm.buf<64x64xbf16, shared>
  return
}

// -----

// Buffers of slots are read and copied to through views of them.

func.func @read_slots(%b: !lpgemm.buf<4x64x128xf8E4M3FN, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.read' op expects a tile of two extents, but got '!lpgemm.buf<4x64x128xf8E4M3FN, shared>'}}
  %0 = lpgemm.read %b[%i, %i] : !lpgemm.buf<4x64x128xf8E4M3FN, shared> to !lpgemm.frag<64x128xf8E4M3FN>
  return
}

// -----

func.func @workgroup_copy_slots(%g: !lpgemm.global<?x?xf8E4M3FN>, %b: !lpgemm.buf<4x64x128xf8E4M3FN, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.copy' op expects a tile of two extents, but got '!lpgemm.buf<4x64x128xf8E4M3FN, shared>'}}
  %0 = lpgemm.copy %g[%i, %i] into %b : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<4x64x128xf8E4M3FN, shared>
  return
}

// -----

func.func @read_unit(%b: !lpgemm.buf<2x1xf32, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.read' op expects row_block (128) to be a multiple of row_unit (48)}}
  %0 = lpgemm.read %b[%i, %i] {row_block = 128 : i64, row_unit = 48 : i64} : !lpgemm.buf<2x1xf32, shared> to !lpgemm.frag<192x1xf32>
  return
}

// -----

func.func @read_rows_in_blocks(%b: !lpgemm.buf<2x1xf32, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.read' op expects dimension 1 of the result to be at most 1, that of the buffer, but got 2}}
  %0 = lpgemm.read %b[%i, %i] {row_block = 128 : i64} : !lpgemm.buf<2x1xf32, shared> to !lpgemm.frag<192x2xf32>
  return
}

// -----

func.func @load_row_block(%g: !lpgemm.global<?x?xf32>, %i: index) {
  // expected-error @+1 {{'lpgemm.load' op attribute 'row_block' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = lpgemm.load %g[%i, %i] at [%i, %i] {row_block = 0 : i64} : !lpgemm.global<?x?xf32> to !lpgemm.frag<64x1xf32>
  return
}

// -----

func.func @reduce_nothing() {
  // expected-error @+1 {{'lpgemm.cluster_reduce' op expects at least one tile}}
  "lpgemm.cluster_reduce"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> i1
  return
}

// -----

func.func @reduce_bf16(%c: !lpgemm.frag<64x64xbf16>) {
  // expected-error @+1 {{'lpgemm.cluster_reduce' op expects tiles of f32, but got '!lpgemm.frag<64x64xbf16>'}}
  %0:2 = lpgemm.cluster_reduce %c : (!lpgemm.frag<64x64xbf16>)
  return
}

// -----

func.func @reduce_without_pipe(%c: !lpgemm.frag<64x64xf32>, %b: !lpgemm.buf<64x64xf32, shared>) {
  // expected-error @+1 {{'lpgemm.cluster_reduce' op expects a buffer together with a pipe}}
  %0:2 = "lpgemm.cluster_reduce"(%c, %b) <{operandSegmentSizes = array<i32: 1, 1, 0>}>
      : (!lpgemm.frag<64x64xf32>, !lpgemm.buf<64x64xf32, shared>) -> (!lpgemm.frag<64x64xf32>, i1)
  return
}

// -----

func.func @reduce_through_slots(%c: !lpgemm.frag<64x64xf32>, %b: !lpgemm.buf<2x64x64xf32, shared>, %p: !lpgemm.pipe<4>) {
  // expected-error @+1 {{'lpgemm.cluster_reduce' op expects the buffer to be a tile of two extents, but got '!lpgemm.buf<2x64x64xf32, shared>'}}
  %0:2 = lpgemm.cluster_reduce %c through %b signal %p
      : (!lpgemm.frag<64x64xf32>), !lpgemm.buf<2x64x64xf32, shared>, !lpgemm.pipe<4>
  return
}

// -----

func.func @reduce_through_bf16(%c: !lpgemm.frag<64x64xf32>, %b: !lpgemm.buf<64x64xbf16, shared>, %p: !lpgemm.pipe<4>) {
  // expected-error @+1 {{'lpgemm.cluster_reduce' op expects a buffer of f32, but got '!lpgemm.buf<64x64xbf16, shared>'}}
  %0:2 = lpgemm.cluster_reduce %c through %b signal %p
      : (!lpgemm.frag<64x64xf32>), !lpgemm.buf<64x64xbf16, shared>, !lpgemm.pipe<4>
  return
}
