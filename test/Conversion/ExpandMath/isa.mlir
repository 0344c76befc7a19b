// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-expand-math))" \
// RUN:   | mlir-opt --pass-pipeline="builtin.module(rocdl-attach-target{chip=gfx950 O=3},gpu.module(convert-gpu-to-rocdl{chipset=gfx950 runtime=HIP index-bitwidth=32},canonicalize,cse,reconcile-unrealized-casts),gpu-module-to-binary{format=isa})" > %t
// RUN: FileCheck %s --check-prefix=FAST < %t
// RUN: FileCheck %s --check-prefix=EXACT < %t
// RUN: FileCheck %s --check-prefix=GELU < %t

// With flags SiLU is one v_exp_f32 and one v_rcp_f32 among five instructions;
// without them the division is that of IEEE 754.

// FAST: silu_fast:
// FAST-NOT: v_div_scale_f32
// FAST: v_mul_f32
// FAST: v_exp_f32
// FAST-NOT: v_exp_f32
// FAST-NOT: v_div_scale_f32
// FAST: v_add_f32
// FAST: v_rcp_f32
// FAST-NOT: v_div_scale_f32
// FAST-NOT: v_rcp_f32
// FAST: s_endpgm

// EXACT: silu_exact:
// EXACT: v_exp_f32
// EXACT: v_div_scale_f32
// EXACT: v_div_fixup_f32
// EXACT: s_endpgm

// GELU: gelu_fast:
// GELU: v_exp_f32
// GELU-NOT: v_exp_f32
// GELU: v_rcp_f32
// GELU-NOT: v_div_scale_f32
// GELU: s_endpgm
gpu.module @m {
  gpu.func @silu_fast(%p: !llvm.ptr) kernel {
    %one = arith.constant 1.0 : f32
    %x = llvm.load %p : !llvm.ptr -> f32
    %0 = arith.negf %x : f32
    %1 = math.exp %0 fastmath<afn> : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %x, %2 fastmath<arcp> : f32
    llvm.store %3, %p : f32, !llvm.ptr
    gpu.return
  }
  gpu.func @silu_exact(%p: !llvm.ptr) kernel {
    %one = arith.constant 1.0 : f32
    %x = llvm.load %p : !llvm.ptr -> f32
    %0 = arith.negf %x : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %x, %2 : f32
    llvm.store %3, %p : f32, !llvm.ptr
    gpu.return
  }
  gpu.func @gelu_fast(%p: !llvm.ptr) kernel {
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %a = arith.constant 0.7978845608 : f32
    %b = arith.constant 0.0356774081 : f32
    %x = llvm.load %p : !llvm.ptr -> f32
    %0 = arith.mulf %x, %x : f32
    %1 = math.fma %0, %b, %a : f32
    %2 = arith.mulf %x, %1 : f32
    %3 = math.tanh %2 fastmath<afn> : f32
    %4 = arith.addf %3, %one : f32
    %5 = arith.mulf %x, %half : f32
    %6 = arith.mulf %4, %5 : f32
    llvm.store %6, %p : f32, !llvm.ptr
    gpu.return
  }
}
