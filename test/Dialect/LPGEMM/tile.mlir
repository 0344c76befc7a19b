// RUN: lpgemm-opt %s --split-input-file --lpgemm-tile | FileCheck %s

!a = !lpgemm.global<?x?xf8E4M3FN>
!s = !lpgemm.global<?x?xf8E8M0FNU>
!d = !lpgemm.global<?x?xf32>

// A workgroup's tile of 128 x 96 shared by 2 x 3 waves: 64 x 32 for each, so
// that M and N cannot be mixed up.

// CHECK-LABEL: gpu.func @kernel(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SA:.*]]: !lpgemm.global<?x?xf8E8M0FNU>, %[[SB:.*]]: !lpgemm.global<?x?xf8E8M0FNU>, %[[D:.*]]: !lpgemm.global<?x?xf32>)
// CHECK-SAME: lpgemm.schedule = #lpgemm.schedule<tile = [128, 96, 256], waves = [2, 3], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = reg>, stages = 1>
// The workgroup's tile, row by row of tiles.
// CHECK: %[[N:.*]] = lpgemm.dim %[[D]], 1
// CHECK: %[[TILE_N:.*]] = arith.constant 96 : index
// CHECK: %[[TILES_N:.*]] = arith.ceildivui %[[N]], %[[TILE_N]]
// CHECK: %[[ID:.*]] = gpu.block_id x
// CHECK: %[[I:.*]] = arith.divui %[[ID]], %[[TILES_N]]
// CHECK: %[[J:.*]] = arith.remui %[[ID]], %[[TILES_N]]
// CHECK: %[[TILE_M:.*]] = arith.constant 128 : index
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %[[TILE_M]]
// CHECK: %[[TILE_N:.*]] = arith.constant 96 : index
// CHECK: %[[COL:.*]] = arith.muli %[[J]], %[[TILE_N]]
// The wave in it.
// CHECK: %[[WAVES_N:.*]] = arith.constant 3 : index
// CHECK: %[[ID:.*]] = gpu.subgroup_id : index
// CHECK: %[[I:.*]] = arith.divui %[[ID]], %[[WAVES_N]]
// CHECK: %[[WAVE_M:.*]] = arith.constant 64 : index
// CHECK: %[[WAVE_ROW:.*]] = arith.muli %[[I]], %[[WAVE_M]]
// CHECK: %[[J:.*]] = arith.remui %[[ID]], %[[WAVES_N]]
// CHECK: %[[WAVE_N:.*]] = arith.constant 32 : index
// CHECK: %[[WAVE_COL:.*]] = arith.muli %[[J]], %[[WAVE_N]]
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[INIT:.*]] = lpgemm.splat %[[ZERO]] : f32 to <64x32xf32>
// CHECK: %[[K:.*]] = lpgemm.dim %[[A]], 1
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : index
// CHECK: %[[SUM:.*]] = scf.for %[[KK:.*]] = %[[C0]] to %[[K]] step %[[C256]] iter_args(%[[ACC:.*]] = %[[INIT]]) -> (!lpgemm.frag<64x32xf32>) {
// CHECK: %[[TA:.*]] = lpgemm.load %[[A]][%[[ROW]], %[[KK]]] at[%[[WAVE_ROW]], %c0{{.*}}] : <?x?xf8E4M3FN> to <64x256xf8E4M3FN>
// CHECK: %[[TB:.*]] = lpgemm.load %[[B]][%[[COL]], %[[KK]]] at[%[[WAVE_COL]], %c0{{.*}}] : <?x?xf8E4M3FN> to <32x256xf8E4M3FN>
// CHECK: %[[C32:.*]] = arith.constant 32 : index
// CHECK: %[[BLOCK:.*]] = arith.divui %[[KK]], %[[C32]]
// CHECK: %[[TSA:.*]] = lpgemm.load %[[SA]][%[[ROW]], %[[BLOCK]]] at[%[[WAVE_ROW]], %c0{{.*}}] : <?x?xf8E8M0FNU> to <64x8xf8E8M0FNU>
// CHECK: %[[BLOCK_B:.*]] = arith.divui %[[KK]],
// CHECK: %[[TSB:.*]] = lpgemm.load %[[SB]][%[[COL]], %[[BLOCK_B]]] at[%[[WAVE_COL]], %c0{{.*}}] : <?x?xf8E8M0FNU> to <32x8xf8E8M0FNU>
// CHECK: %[[NEXT:.*]] = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %[[TA]], %[[TB]], %[[ACC]] sa(%[[TSA]] : !lpgemm.frag<64x8xf8E8M0FNU>) sb(%[[TSB]] : !lpgemm.frag<32x8xf8E8M0FNU>)
// CHECK: scf.yield %[[NEXT]]
// CHECK: }
// CHECK: lpgemm.store %[[SUM]], %[[D]][%[[ROW]], %[[COL]]] at[%[[WAVE_ROW]], %[[WAVE_COL]]] : <64x32xf32> to <?x?xf32>
// CHECK-NOT: lpgemm.matmul
// CHECK: gpu.return
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @kernel(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <mx>) rhs_scale(%sb : !s, <mx>)
      outs(%d : !d) transpose_b
      schedule(<tile = [128, 96, 256], waves = [2, 3],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = reg>, stages = 1>)
  gpu.return
}
}

// -----

// An instruction without scales: the product still has them, for a later pass.

!a = !lpgemm.global<?x?xf8E4M3FN>
!s = !lpgemm.global<?x?xf8E8M0FNU>
!d = !lpgemm.global<?x?xf32>

// CHECK-LABEL: gpu.func @unscaled(
// CHECK: lpgemm.mma <mfma_f32_16x16x32_fp8> {{.*}} sa({{.*}} : !lpgemm.frag<16x2xf8E8M0FNU>) sb({{.*}} : !lpgemm.frag<48x2xf8E8M0FNU>) : <16x64xf8E4M3FN>, <48x64xf8E4M3FN>, <16x48xf32>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @unscaled(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <mx>) rhs_scale(%sb : !s, <mx>)
      outs(%d : !d) transpose_b
      schedule(<tile = [16, 48, 64], waves = [1, 1],
                instr = mfma_f32_16x16x32_fp8,
                home = <a = reg, b = reg>, stages = 1>)
  gpu.return
}
}

// -----

// Two products with one schedule in one kernel.

!a = !lpgemm.global<?x?xf8E4M3FN>
!s = !lpgemm.global<?x?xf8E8M0FNU>
!d = !lpgemm.global<?x?xf32>
#schedule = #lpgemm.schedule<tile = [16, 16, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>

// CHECK-LABEL: gpu.func @two(
// CHECK-COUNT-2: lpgemm.store
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @two(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d, %e: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <mx>) rhs_scale(%sb : !s, <mx>)
      outs(%d : !d) transpose_b schedule(#schedule)
  lpgemm.matmul ins(%b, %a : !a, !a)
      lhs_scale(%sb : !s, <mx>) rhs_scale(%sa : !s, <mx>)
      outs(%e : !d) transpose_b schedule(#schedule)
  gpu.return
}
}

// -----

// rhs stored K x N: it and its scales are loaded transposed; the positions are
// those of what is stored.

!a = !lpgemm.global<?x?xf8E4M3FN>
!s = !lpgemm.global<?x?xf8E8M0FNU>
!d = !lpgemm.global<?x?xf32>

// CHECK-LABEL: gpu.func @k_by_n(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SA:.*]]: !lpgemm.global<?x?xf8E8M0FNU>, %[[SB:.*]]: !lpgemm.global<?x?xf8E8M0FNU>, %[[D:.*]]: !lpgemm.global<?x?xf32>)
// CHECK: scf.for %[[KK:.*]] = {{.*}} iter_args
// CHECK: %[[TA:.*]] = lpgemm.load %[[A]][%[[ROW:.*]], %[[KK]]] at[%[[WAVE_ROW:.*]], %c0{{.*}}] : <?x?xf8E4M3FN> to <64x256xf8E4M3FN>
// CHECK: %[[TB:.*]] = lpgemm.load %[[B]][%[[KK]], %[[COL:.*]]] at[%c0{{.*}}, %[[WAVE_COL:.*]]] transpose : <?x?xf8E4M3FN> to <32x256xf8E4M3FN>
// CHECK: %[[BLOCK:.*]] = arith.divui %[[KK]],
// CHECK: %[[TSA:.*]] = lpgemm.load %[[SA]][%[[ROW]], %[[BLOCK]]] at[%[[WAVE_ROW]], %c0{{.*}}] : <?x?xf8E8M0FNU> to <64x8xf8E8M0FNU>
// CHECK: %[[BLOCK_B:.*]] = arith.divui %[[KK]],
// CHECK: %[[TSB:.*]] = lpgemm.load %[[SB]][%[[BLOCK_B]], %[[COL]]] at[%c0{{.*}}, %[[WAVE_COL]]] transpose : <?x?xf8E8M0FNU> to <32x8xf8E8M0FNU>
// CHECK: lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %[[TA]], %[[TB]], %{{.*}} sa(%[[TSA]] : !lpgemm.frag<64x8xf8E8M0FNU>) sb(%[[TSB]] : !lpgemm.frag<32x8xf8E8M0FNU>)
// CHECK: lpgemm.store %{{.*}}, %[[D]][%[[ROW]], %[[COL]]] at[%[[WAVE_ROW]], %[[WAVE_COL]]]
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @k_by_n(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <mx>) rhs_scale(%sb : !s, <mx>)
      outs(%d : !d)
      schedule(<tile = [128, 96, 256], waves = [2, 3],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = reg>, stages = 1>)
  gpu.return
}
}

// -----

// (I-1) Scales along rows and columns, alpha, C, bias and the epilogue are
// applied to the sum in one function, which rounds once at its end. Operands of
// rows come in front of those of columns; a single element is one of rows.

!a = !lpgemm.global<?x?xf8E4M3FN>
!d = !lpgemm.global<?x?xbf16>

// CHECK-LABEL: gpu.func @epilogue(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SA:[a-z0-9]+]]: !lpgemm.global<?xf32>, %[[SB:[a-z0-9]+]]: !lpgemm.global<?xbf16>, %[[ALPHA:[a-z0-9]+]]: f32, %[[C:[a-z0-9]+]]: !lpgemm.global<?x?xf16>, %[[SC:[a-z0-9]+]]: !lpgemm.global<f32>, %[[X:[a-z0-9]+]]: !lpgemm.global<?x?xf32>, %[[D:[a-z0-9]+]]: !lpgemm.global<?x?xbf16>)
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %{{.*}}, %{{.*}}, %{{.*}} : <64x128xf8E4M3FN>, <32x128xf8E4M3FN>, <64x32xf32>
// CHECK: %[[FSA:.*]] = lpgemm.load %[[SA]][%[[ROW:.*]], %c0{{.*}}] at[%[[WAVE_ROW:.*]], %c0{{.*}}] : <?xf32> to <64x1xf32>
// CHECK: %[[FSB:.*]] = lpgemm.load %[[SB]][%[[COL:.*]], %c0{{.*}}] at[%[[WAVE_COL:.*]], %c0{{.*}}] : <?xbf16> to <32x1xbf16>
// CHECK: %[[FSC:.*]] = lpgemm.load %[[SC]][%[[ROW]], %c0{{.*}}] at[%[[WAVE_ROW]], %c0{{.*}}] : <f32> to <64x1xf32>
// CHECK: %[[FC:.*]] = lpgemm.load %[[C]][%[[ROW]], %[[COL]]] at[%[[WAVE_ROW]], %[[WAVE_COL]]] : <?x?xf16> to <64x32xf16>
// CHECK: %[[FX:.*]] = lpgemm.load %[[X]][%[[COL]], %[[ROW]]] at[%[[WAVE_COL]], %[[WAVE_ROW]]] transpose : <?x?xf32> to <64x32xf32>
// CHECK: %[[RESULT:.*]] = lpgemm.apply %[[SUM]], %[[FC]], %[[FX]] rows(%[[FSA]], %[[FSC]] : !lpgemm.frag<64x1xf32>, !lpgemm.frag<64x1xf32>) cols(%[[FSB]] : !lpgemm.frag<32x1xbf16>) {
// CHECK-NEXT: ^bb0(%[[T:.*]]: f32, %[[C16:.*]]: f16, %[[XX:.*]]: f32, %[[SAA:.*]]: f32, %[[SCC:.*]]: f32, %[[SB16:.*]]: bf16):
// CHECK-NEXT: %[[SBB:.*]] = arith.extf %[[SB16]] : bf16 to f32
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[SAA]], %[[SBB]] : f32
// CHECK-NEXT: %[[F:.*]] = arith.mulf %[[ALPHA]], %[[S]] : f32
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[F]], %[[T]] : f32
// CHECK-NEXT: %[[CC:.*]] = arith.extf %[[C16]] : f16 to f32
// CHECK-NEXT: %[[ADDEND:.*]] = arith.mulf %[[SCC]], %[[CC]] : f32
// CHECK-NEXT: %[[ADDED:.*]] = arith.addf %[[SCALED]], %[[ADDEND]] : f32
// CHECK-NEXT: %[[Y:.*]] = arith.subf %[[ADDED]], %[[XX]] : f32
// CHECK-NEXT: %[[Z:.*]] = arith.truncf %[[Y]] : f32 to bf16
// CHECK-NEXT: lpgemm.yield %[[Z]] : bf16
// CHECK: lpgemm.store %[[RESULT]], %[[D]][%[[ROW]], %[[COL]]] at[%[[WAVE_ROW]], %[[WAVE_COL]]] : <64x32xbf16> to <?x?xbf16>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @epilogue(%a: !a, %sa: !lpgemm.global<?xf32>,
                   %sb: !lpgemm.global<?xbf16>, %alpha: f32,
                   %c: !lpgemm.global<?x?xf16>, %sc: !lpgemm.global<f32>,
                   %x: !lpgemm.global<?x?xf32>, %d: !d) kernel {
  lpgemm.matmul ins(%a, %a : !a, !a)
      lhs_scale(%sa : !lpgemm.global<?xf32>, <row>)
      rhs_scale(%sb : !lpgemm.global<?xbf16>, <column>) alpha(%alpha)
      c(%c : !lpgemm.global<?x?xf16>) c_scale(%sc : !lpgemm.global<f32>)
      outs(%d : !d) transpose_b
      schedule(<tile = [128, 96, 128], waves = [2, 3],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = reg>, stages = 1>)
      epilogue(%t, %y = %x : !lpgemm.global<?x?xf32>
                   by affine_map<(m, n) -> (n, m)>) {
        %0 = arith.subf %t, %y : f32
        lpgemm.yield %0 : f32
      }
  gpu.return
}
}
