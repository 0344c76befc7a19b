// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(gpu.module(lpgemm-expand-pipeline))"

// Attributes that are written by hand.

!g = !lpgemm.global<?x?xf8E4M3FN>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x64xf32>
#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
gpu.func @two_load_roles(%a: !g, %ring: !ring, %p: !lpgemm.pipe<2>, %init: !c, %k: index) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  // expected-error @+1 {{'lpgemm.roles' op expects no role 'load' yet, as an op has attribute 'lpgemm.role'}}
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %s0 = lpgemm.pipe_start : !lpgemm.slot
      %r:1 = scf.for %kk = %c0 to %k step %c128 iter_args(%s = %s0) -> (!lpgemm.slot) {
        %w = lpgemm.view %ring[%s] at [%c0, 0] : !ring to !buf
        lpgemm.pipe_copy %a[%c0, %kk] into %w threads signal %p[%s] {lpgemm.role = "load"} : !g to !buf, !lpgemm.pipe<2>
        %next = lpgemm.pipe_next %p[%s] : !lpgemm.pipe<2>
        scf.yield %next : !lpgemm.slot
      }
    }
    role load(%wave) waves(1) {
    }
  }
  gpu.return
}
}

// -----

!g = !lpgemm.global<?x?xf8E4M3FN>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x64xf32>
#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
gpu.func @no_mma(%a: !g, %ring: !ring, %p: !lpgemm.pipe<2>, %init: !c, %k: index) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role compute(%wave) waves(1) regs(232) {
      %s0 = lpgemm.pipe_start : !lpgemm.slot
      %r:1 = scf.for %kk = %c0 to %k step %c128 iter_args(%s = %s0) -> (!lpgemm.slot) {
        %w = lpgemm.view %ring[%s] at [%c0, 0] : !ring to !buf
        // expected-error @+1 {{'lpgemm.pipe_copy' op expects to be in role 'mma', to be moved to role 'load'}}
        lpgemm.pipe_copy %a[%c0, %kk] into %w threads signal %p[%s] {lpgemm.role = "load"} : !g to !buf, !lpgemm.pipe<2>
        %next = lpgemm.pipe_next %p[%s] : !lpgemm.pipe<2>
        scf.yield %next : !lpgemm.slot
      }
    }
  }
  gpu.return
}
}

// -----

!g = !lpgemm.global<?x?xf8E4M3FN>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x64xf32>
#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
gpu.func @other_op(%a: !g, %ring: !ring, %p: !lpgemm.pipe<2>, %init: !c, %k: index) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %s0 = lpgemm.pipe_start : !lpgemm.slot
      %r:1 = scf.for %kk = %c0 to %k step %c128 iter_args(%s = %s0) -> (!lpgemm.slot) {
        // expected-error @+1 {{'lpgemm.pipe_await' op cannot be of role 'load': only lpgemm.pipe_acquire, lpgemm.pipe_copy and lpgemm.pipe_commit can}}
        lpgemm.pipe_await %p[%s] {lpgemm.role = "load"} : !lpgemm.pipe<2>
        %next = lpgemm.pipe_next %p[%s] : !lpgemm.pipe<2>
        scf.yield %next : !lpgemm.slot
      }
    }
  }
  gpu.return
}
}

// -----

!g = !lpgemm.global<?x?xf8E4M3FN>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x64xf32>
#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
gpu.func @conditional(%a: !g, %ring: !ring, %p: !lpgemm.pipe<2>, %init: !c, %k: index, %q: i1) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %s0 = lpgemm.pipe_start : !lpgemm.slot
      %r:1 = scf.for %kk = %c0 to %k step %c128 iter_args(%s = %s0) -> (!lpgemm.slot) {
        %w = lpgemm.view %ring[%s] at [%c0, 0] : !ring to !buf
        scf.if %q {
          // expected-error @+1 {{'lpgemm.pipe_copy' op expects nothing but scf.for between it and lpgemm.roles, but got 'scf.if'}}
          lpgemm.pipe_copy %a[%c0, %kk] into %w threads signal %p[%s] {lpgemm.role = "load"} : !g to !buf, !lpgemm.pipe<2>
        }
        %next = lpgemm.pipe_next %p[%s] : !lpgemm.pipe<2>
        scf.yield %next : !lpgemm.slot
      }
    }
  }
  gpu.return
}
}

// -----

!g = !lpgemm.global<?x?xf8E4M3FN>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x64xf32>
#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
gpu.func @carried(%a: !g, %ring: !ring, %p: !lpgemm.pipe<2>, %init: !c, %k: index) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %s0 = lpgemm.pipe_start : !lpgemm.slot
      %r:2 = scf.for %kk = %c0 to %k step %c128 iter_args(%s = %s0, %row = %c0) -> (!lpgemm.slot, index) {
        %w = lpgemm.view %ring[%s] at [%c0, 0] : !ring to !buf
        // expected-error @+1 {{'lpgemm.pipe_copy' op expects operands that role 'load' can compute by itself}}
        lpgemm.pipe_copy %a[%row, %kk] into %w threads signal %p[%s] {lpgemm.role = "load"} : !g to !buf, !lpgemm.pipe<2>
        %below = arith.addi %row, %c128 : index
        %next = lpgemm.pipe_next %p[%s] : !lpgemm.pipe<2>
        scf.yield %next, %below : !lpgemm.slot, index
      }
    }
  }
  gpu.return
}
}

// -----

!g = !lpgemm.global<?x?xf8E4M3FN>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x64xf32>
#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
gpu.func @wave(%a: !g, %ring: !ring, %p: !lpgemm.pipe<2>, %init: !c, %k: index) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %s0 = lpgemm.pipe_start : !lpgemm.slot
      %r:1 = scf.for %kk = %c0 to %k step %c128 iter_args(%s = %s0) -> (!lpgemm.slot) {
        %w = lpgemm.view %ring[%s] at [%c0, 0] : !ring to !buf
        %row = arith.addi %wave, %c128 : index
        // expected-error @+1 {{'lpgemm.pipe_copy' op expects operands that role 'load' can compute by itself}}
        lpgemm.pipe_copy %a[%row, %kk] into %w threads signal %p[%s] {lpgemm.role = "load"} : !g to !buf, !lpgemm.pipe<2>
        %next = lpgemm.pipe_next %p[%s] : !lpgemm.pipe<2>
        scf.yield %next : !lpgemm.slot
      }
    }
  }
  gpu.return
}
}

// -----

!g = !lpgemm.global<?x?xf8E4M3FN>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x64xf32>
#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
gpu.func @effects(%a: !g, %ring: !ring, %p: !lpgemm.pipe<2>, %init: !c, %k: index, %one: i32, %rows: memref<?xi32>) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %s0 = lpgemm.pipe_start : !lpgemm.slot
      %r:1 = scf.for %kk = %c0 to %k step %c128 iter_args(%s = %s0) -> (!lpgemm.slot) {
        %w = lpgemm.view %ring[%s] at [%c0, 0] : !ring to !buf
        %word = memref.atomic_rmw addi %one, %rows[%kk] : (i32, memref<?xi32>) -> i32
        %row = arith.index_cast %word : i32 to index
        // expected-error @+1 {{'lpgemm.pipe_copy' op expects operands that role 'load' can compute by itself}}
        lpgemm.pipe_copy %a[%row, %kk] into %w threads signal %p[%s] {lpgemm.role = "load"} : !g to !buf, !lpgemm.pipe<2>
        %next = lpgemm.pipe_next %p[%s] : !lpgemm.pipe<2>
        scf.yield %next : !lpgemm.slot
      }
    }
  }
  gpu.return
}
}

// -----

!g = !lpgemm.global<?x?xf8E4M3FN>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x64xf32>
#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
gpu.func @bound(%a: !g, %ring: !ring, %p: !lpgemm.pipe<2>, %init: !c, %k: index, %one: i32, %rows: memref<?xi32>) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %s0 = lpgemm.pipe_start : !lpgemm.slot
      %word = memref.atomic_rmw addi %one, %rows[%c0] : (i32, memref<?xi32>) -> i32
      %n = arith.index_cast %word : i32 to index
      %r = scf.for %kk = %c0 to %n step %c128 iter_args(%s = %s0) -> (!lpgemm.slot) {
        %w = lpgemm.view %ring[%s] at [%c0, 0] : !ring to !buf
        // expected-error @+1 {{'lpgemm.pipe_copy' op expects operands that role 'load' can compute by itself}}
        lpgemm.pipe_copy %a[%c0, %kk] into %w threads signal %p[%s] {lpgemm.role = "load"} : !g to !buf, !lpgemm.pipe<2>
        %next = lpgemm.pipe_next %p[%s] : !lpgemm.pipe<2>
        scf.yield %next : !lpgemm.slot
      }
    }
  }
  gpu.return
}
}

// -----

!g = !lpgemm.global<?x?xf8E4M3FN>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x64xf32>
#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
gpu.func @stage(%a: !g, %ring: !ring, %p: !lpgemm.pipe<2>, %init: !c, %k: index, %x: !buf) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
        %d, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %x, %x, %acc : !buf, !buf, !c
        %e = lpgemm.wait %t for %d : !c {lpgemm.stage = 1 : i32}
        // expected-error @+1 {{'arith.addi' op expects to be in stage 0 of a loop with asynchronous products}}
        %i = arith.addi %kk, %kk {lpgemm.stage = 1 : i32} : index
        scf.yield %e : !c
      }
    }
  }
  gpu.return
}
}

// -----

!g = !lpgemm.global<?x?xf8E4M3FN>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x64xf32>
#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
gpu.func @used(%a: !g, %ring: !ring, %p: !lpgemm.pipe<2>, %init: !c, %k: index, %x: !buf) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
        %d, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %x, %x, %acc : !buf, !buf, !c
        // expected-error @+1 {{'lpgemm.wait' op expects to be in stage 0, unless the loop yields its results and nothing else uses them}}
        %e = lpgemm.wait %t for %d : !c {lpgemm.stage = 1 : i32}
        %f = lpgemm.promote %e, %e : !c, !c
        scf.yield %f : !c
      }
    }
  }
  gpu.return
}
}

// -----

!g = !lpgemm.global<?x?xf8E4M3FN>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x64xf32>
#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
gpu.func @not_yielded(%a: !g, %ring: !ring, %p: !lpgemm.pipe<2>, %init: !c, %k: index, %x: !buf) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
        %d, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %x, %x, %acc : !buf, !buf, !c
        // expected-error @+1 {{'lpgemm.wait' op expects to be in stage 0, unless the loop yields its results and nothing else uses them}}
        %e = lpgemm.wait %t for %d : !c {lpgemm.stage = 1 : i32}
        scf.yield %d : !c
      }
    }
  }
  gpu.return
}
}

// -----

!g = !lpgemm.global<?x?xf8E4M3FN>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
gpu.func @bound_inside(%ptr: !llvm.ptr, %pitch: i64, %ring: !ring, %p: !lpgemm.pipe<2>, %k: index) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %s = lpgemm.pipe_start : !lpgemm.slot
      scf.for %kk = %c0 to %k step %c128 {
        %a = lpgemm.bind %ptr[%k, %k] pitch %pitch : !llvm.ptr to !g
        %v = lpgemm.view %ring[%s] at [%c0, 0] : !ring to !buf
        // expected-error @+1 {{'lpgemm.pipe_copy' op expects a source that is bound in front of lpgemm.roles}}
        lpgemm.pipe_copy %a[%c0, %kk] into %v threads signal %p[%s] {lpgemm.role = "load"} : !g to !buf, !lpgemm.pipe<2>
      }
    }
  }
  gpu.return
}
}
