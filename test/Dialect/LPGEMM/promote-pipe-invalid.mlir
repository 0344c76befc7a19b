// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(gpu.module(lpgemm-promote))"

#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>
!g = !lpgemm.global<?x?xf8E4M3FN>
!t = !lpgemm.frag<64x128xf8E4M3FN>
!c = !lpgemm.frag<64x64xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.func @no_role(%a: !g, %b: !g, %init: !c, %k: index) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  // expected-error @+1 {{'scf.for' op expects to be in a role of lpgemm.roles: lpgemm-tile makes it}}
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %ta = lpgemm.load %a[%c0, %kk] at [%c0, %c0] : !g to !t
    %tb = lpgemm.load %b[%c0, %kk] at [%c0, %c0] : !g to !t
    %d = lpgemm.mma <wgmma_m64k32_f32_fp8> %ta, %tb, %acc : !t, !t, !c
    scf.yield %d : !c
  }
  gpu.return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>
!g = !lpgemm.global<?x?xf8E4M3FN>
!t = !lpgemm.frag<64x128xf8E4M3FN>
!c = !lpgemm.frag<64x64xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.func @conditional(%a: !g, %b: !g, %init: !c, %k: index, %p: i1) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      scf.if %p {
        // expected-error @+1 {{'scf.for' op expects nothing but scf.for between it and lpgemm.roles, but got 'scf.if'}}
        %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
          %ta = lpgemm.load %a[%c0, %kk] at [%c0, %c0] : !g to !t
          %tb = lpgemm.load %b[%c0, %kk] at [%c0, %c0] : !g to !t
          %d = lpgemm.mma <wgmma_m64k32_f32_fp8> %ta, %tb, %acc : !t, !t, !c
          scf.yield %d : !c
        }
      }
    }
  }
  gpu.return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>
!g = !lpgemm.global<?x?xf8E4M3FN>
!t = !lpgemm.frag<64x128xf8E4M3FN>
!c = !lpgemm.frag<64x64xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.func @nested(%a: !g, %b: !g, %init: !c, %k: index) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      // expected-error @+1 {{'scf.for' op expects no loop with products in a loop with products}}
      %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
        %ta = lpgemm.load %a[%c0, %kk] at [%c0, %c0] : !g to !t
        %tb = lpgemm.load %b[%c0, %kk] at [%c0, %c0] : !g to !t
        %d = lpgemm.mma <wgmma_m64k32_f32_fp8> %ta, %tb, %acc : !t, !t, !c
        %e = scf.for %ii = %c0 to %k step %c128 iter_args(%sum = %d) -> (!c) {
          %f = lpgemm.mma <wgmma_m64k32_f32_fp8> %ta, %tb, %sum : !t, !t, !c
          scf.yield %f : !c
        }
        scf.yield %e : !c
      }
    }
  }
  gpu.return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>
!g = !lpgemm.global<?x?xf8E4M3FN>
!t = !lpgemm.frag<64x128xf8E4M3FN>
!c = !lpgemm.frag<64x64xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.func @a_outside(%a: !g, %b: !g, %init: !c, %k: index) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %ta = lpgemm.load %a[%c0, %c0] at [%c0, %c0] : !g to !t
      %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
        %tb = lpgemm.load %b[%c0, %kk] at [%c0, %c0] : !g to !t
        // expected-error @+1 {{'lpgemm.mma' op expects a to be loaded in the same loop}}
        %d = lpgemm.mma <wgmma_m64k32_f32_fp8> %ta, %tb, %acc : !t, !t, !c
        scf.yield %d : !c
      }
    }
  }
  gpu.return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>
!g = !lpgemm.global<?x?xf8E4M3FN>
!t = !lpgemm.frag<64x128xf8E4M3FN>
!c = !lpgemm.frag<64x64xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.func @b_argument(%a: !g, %b: !g, %init: !c, %k: index, %tb: !t) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
        %ta = lpgemm.load %a[%c0, %kk] at [%c0, %c0] : !g to !t
        // expected-error @+1 {{'lpgemm.mma' op expects b to be loaded in the same loop}}
        %d = lpgemm.mma <wgmma_m64k32_f32_fp8> %ta, %tb, %acc : !t, !t, !c
        scf.yield %d : !c
      }
    }
  }
  gpu.return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>
!g = !lpgemm.global<?x?xf8E4M3FN>
!t = !lpgemm.frag<64x128xf8E4M3FN>
!c = !lpgemm.frag<64x64xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.func @wave_k(%a: !g, %b: !g, %init: !c, %k: index) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
        // expected-error @+1 {{'lpgemm.load' op expects all waves to load from the same position along K}}
        %ta = lpgemm.load %a[%c0, %kk] at [%c0, %wave] : !g to !t
        %tb = lpgemm.load %b[%c0, %kk] at [%c0, %c0] : !g to !t
        %d = lpgemm.mma <wgmma_m64k32_f32_fp8> %ta, %tb, %acc : !t, !t, !c
        scf.yield %d : !c
      }
    }
  }
  gpu.return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>
!g = !lpgemm.global<?x?xf8E4M3FN>
!t = !lpgemm.frag<64x128xf8E4M3FN>
!c = !lpgemm.frag<64x64xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.func @wave_k_transpose(%a: !g, %b: !g, %init: !c, %k: index) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
        // expected-error @+1 {{'lpgemm.load' op expects all waves to load from the same position along K}}
        %ta = lpgemm.load %a[%kk, %c0] at [%wave, %c0] transpose : !g to !t
        %tb = lpgemm.load %b[%c0, %kk] at [%c0, %c0] : !g to !t
        %d = lpgemm.mma <wgmma_m64k32_f32_fp8> %ta, %tb, %acc : !t, !t, !c
        scf.yield %d : !c
      }
    }
  }
  gpu.return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>
!g = !lpgemm.global<?x?xf8E4M3FN>
!t = !lpgemm.frag<64x128xf8E4M3FN>
!c = !lpgemm.frag<64x64xf32>

gpu.module @m {
// expected-error @+1 {{'gpu.func' op needs a target: set lpgemm.target on the module or its gpu.module}}
gpu.func @target(%a: !g, %b: !g, %init: !c, %k: index) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
        %ta = lpgemm.load %a[%c0, %kk] at [%c0, %c0] : !g to !t
        %tb = lpgemm.load %b[%c0, %kk] at [%c0, %c0] : !g to !t
        %d = lpgemm.mma <wgmma_m64k32_f32_fp8> %ta, %tb, %acc : !t, !t, !c
        scf.yield %d : !c
      }
    }
  }
  gpu.return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>
!g = !lpgemm.global<?x?xf8E4M3FN>
!t = !lpgemm.frag<64x128xf8E4M3FN>
!c = !lpgemm.frag<64x64xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.func @position(%a: !g, %b: !g, %init: !c, %k: index, %rows: memref<?xindex>) kernel
    attributes {lpgemm.schedule = #schedule} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
        %row = memref.load %rows[%kk] : memref<?xindex>
        memref.store %row, %rows[%c0] : memref<?xindex>
        // expected-error @+1 {{'lpgemm.load' op expects a position that can be computed at the start of its loop}}
        %ta = lpgemm.load %a[%row, %kk] at [%c0, %c0] : !g to !t
        %tb = lpgemm.load %b[%c0, %kk] at [%c0, %c0] : !g to !t
        %d = lpgemm.mma <wgmma_m64k32_f32_fp8> %ta, %tb, %acc : !t, !t, !c
        scf.yield %d : !c
      }
    }
  }
  gpu.return
}
}
