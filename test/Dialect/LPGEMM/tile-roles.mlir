// RUN: lpgemm-opt %s --split-input-file --pass-pipeline="builtin.module(lpgemm-outline,gpu.module(lpgemm-tile,canonicalize,cse))" | FileCheck %s

// Tiles of machines whose waves have roles: which tile a workgroup takes, and
// what parts of it a wave has.

!a = !lpgemm.global<?x?xbf16>
!d = !lpgemm.global<?x?xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
// Each row of atoms of a wave has an accumulator of its own; the wave is that of
// the role. Its part of rhs is loaded once.

// CHECK-LABEL: gpu.func @parts(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xbf16>, %[[B:.*]]: !lpgemm.global<?x?xbf16>, %[[D:.*]]: !lpgemm.global<?x?xf32>)
// CHECK: lpgemm.roles {
// CHECK: role mma(%[[WAVE:.*]]) waves(4) regs(152) {
// CHECK: %[[DIM0:.*]] = lpgemm.dim %[[D]], 1 : <?x?xf32>
// CHECK: %[[TILES:.*]] = arith.ceildivui %[[DIM0]], %c96 : index
// CHECK: %[[ID:.*]] = gpu.block_id  x
// CHECK: %[[DIV0:.*]] = arith.divui %[[ID]], %[[TILES]] : index
// CHECK: %[[REM0:.*]] = arith.remui %[[ID]], %[[TILES]] : index
// CHECK: %[[MUL0:.*]] = arith.muli %[[DIV0]], %c256 : index
// CHECK: %[[MUL1:.*]] = arith.muli %[[REM0]], %c96 : index
// CHECK: %[[DIV1:.*]] = arith.divui %[[WAVE]], %c2 : index
// CHECK: %[[MUL2:.*]] = arith.muli %[[DIV1]], %c128 : index
// CHECK: %[[REM1:.*]] = arith.remui %[[WAVE]], %c2 : index
// CHECK: %[[MUL3:.*]] = arith.muli %[[REM1]], %c48 : index
// CHECK: %[[ZERO:.*]] = lpgemm.splat %{{.*}} : f32 to <64x48xf32>
// CHECK: %[[DIM1:.*]] = lpgemm.dim %[[A]], 1 : <?x?xbf16>
// CHECK: %[[LOOP:.*]]:2 = scf.for %[[I:.*]] = %c0 to %[[DIM1]] step %c64 iter_args(%[[ACC:.*]] = %[[ZERO]], %[[ARG21:.*]] = %[[ZERO]]) -> (!lpgemm.frag<64x48xf32>, !lpgemm.frag<64x48xf32>) {
// CHECK: %[[LOAD0:.*]] = lpgemm.load %[[A]][%[[MUL0]], %[[I]]] at[%[[MUL2]], %c0] : <?x?xbf16> to <64x64xbf16>
// CHECK: %[[LOAD1:.*]] = lpgemm.load %[[B]][%[[MUL1]], %[[I]]] at[%[[MUL3]], %c0] : <?x?xbf16> to <48x64xbf16>
// CHECK: %[[SUM0:.*]] = lpgemm.mma <wgmma_m64k16_f32_bf16> %[[LOAD0]], %[[LOAD1]], %[[ACC]] : <64x64xbf16>, <48x64xbf16>, <64x48xf32>
// CHECK: %[[ADD0:.*]] = arith.addi %[[MUL2]], %c64 : index
// CHECK: %[[LOAD2:.*]] = lpgemm.load %[[A]][%[[MUL0]], %[[I]]] at[%[[ADD0]], %c0] : <?x?xbf16> to <64x64xbf16>
// CHECK: %[[SUM1:.*]] = lpgemm.mma <wgmma_m64k16_f32_bf16> %[[LOAD2]], %[[LOAD1]], %[[ARG21]] : <64x64xbf16>, <48x64xbf16>, <64x48xf32>
// CHECK: scf.yield %[[SUM0]], %[[SUM1]] : !lpgemm.frag<64x48xf32>, !lpgemm.frag<64x48xf32>
// CHECK: lpgemm.store %[[LOOP]]#0, %[[D]][%[[MUL0]], %[[MUL1]]] at[%[[MUL2]], %[[MUL3]]] : <64x48xf32> to <?x?xf32>
// CHECK: %[[ADD1:.*]] = arith.addi %[[MUL2]], %c64 : index
// CHECK: lpgemm.store %[[LOOP]]#1, %[[D]][%[[MUL0]], %[[MUL1]]] at[%[[ADD1]], %[[MUL3]]] : <64x48xf32> to <?x?xf32>
gpu.func @parts(%a: !a, %b: !a, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a) outs(%d : !d) transpose_b
      schedule(<tile = [256, 96, 64], waves = [2, 2],
        instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 24, mma_regs = 152>>)
  gpu.return
}

// Down the columns of eight rows of tiles, or of those that are left.

// CHECK-LABEL: gpu.func @raster(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xbf16>, %[[B:.*]]: !lpgemm.global<?x?xbf16>, %[[D:.*]]: !lpgemm.global<?x?xf32>)
// CHECK: lpgemm.roles {
// CHECK: role mma(%[[WAVE:.*]]) waves(1) regs(240) {
// CHECK: %[[DIM0:.*]] = lpgemm.dim %[[D]], 1 : <?x?xf32>
// CHECK: %[[TILES0:.*]] = arith.ceildivui %[[DIM0]], %c96 : index
// CHECK: %[[ID:.*]] = gpu.block_id  x
// CHECK: %[[DIM1:.*]] = lpgemm.dim %[[D]], 0 : <?x?xf32>
// CHECK: %[[TILES1:.*]] = arith.ceildivui %[[DIM1]], %c64 : index
// CHECK: %[[MUL0:.*]] = arith.muli %[[TILES0]], %c8 : index
// CHECK: %[[DIV0:.*]] = arith.divui %[[ID]], %[[MUL0]] : index
// CHECK: %[[REM0:.*]] = arith.remui %[[ID]], %[[MUL0]] : index
// CHECK: %[[MUL1:.*]] = arith.muli %[[DIV0]], %c8 : index
// CHECK: %[[LEFT:.*]] = arith.subi %[[TILES1]], %[[MUL1]] : index
// CHECK: %[[ROWS:.*]] = arith.minui %[[LEFT]], %c8 : index
// CHECK: %[[DIV1:.*]] = arith.divui %[[REM0]], %[[ROWS]] : index
// CHECK: %[[REM1:.*]] = arith.remui %[[REM0]], %[[ROWS]] : index
// CHECK: %[[ADD:.*]] = arith.addi %[[MUL1]], %[[REM1]] : index
// CHECK: %[[MUL2:.*]] = arith.muli %[[ADD]], %c64 : index
// CHECK: %[[MUL3:.*]] = arith.muli %[[DIV1]], %c96 : index
// CHECK: %[[MUL4:.*]] = arith.muli %[[WAVE]], %c64 : index
// CHECK: %[[LOOP:.*]] = scf.for %[[I:.*]] = %c0 to %{{.*}} step %c64 iter_args(%[[ACC:.*]] = %{{.*}}) -> (!lpgemm.frag<64x96xf32>) {
// CHECK: %[[LOAD0:.*]] = lpgemm.load %[[A]][%[[MUL2]], %[[I]]] at[%[[MUL4]], %c0] : <?x?xbf16> to <64x64xbf16>
// CHECK: %[[LOAD1:.*]] = lpgemm.load %[[B]][%[[MUL3]], %[[I]]] at[%c0, %c0] : <?x?xbf16> to <96x64xbf16>
// CHECK: lpgemm.store %[[LOOP]], %[[D]][%[[MUL2]], %[[MUL3]]] at[%[[MUL4]], %c0] : <64x96xf32> to <?x?xf32>
gpu.func @raster(%a: !a, %b: !a, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a) outs(%d : !d) transpose_b
      schedule(<tile = [64, 96, 64], waves = [1, 1],
        instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 24, mma_regs = 240>, raster = 8>)
  gpu.return
}

// Tile after tile, as many further as there are workgroups.

// CHECK-LABEL: gpu.func @persistent(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xbf16>, %[[B:.*]]: !lpgemm.global<?x?xbf16>, %[[D:.*]]: !lpgemm.global<?x?xf32>)
// CHECK: lpgemm.roles {
// CHECK: role mma(%[[WAVE:.*]]) waves(1) regs(240) {
// CHECK: %[[DIM0:.*]] = lpgemm.dim %[[D]], 1 : <?x?xf32>
// CHECK: %[[TILES0:.*]] = arith.ceildivui %[[DIM0]], %c96 : index
// CHECK: %[[ID:.*]] = gpu.block_id  x
// CHECK: %[[DIM1:.*]] = lpgemm.dim %[[D]], 0 : <?x?xf32>
// CHECK: %[[TILES1:.*]] = arith.ceildivui %[[DIM1]], %c64 : index
// CHECK: %[[MUL0:.*]] = arith.muli %[[TILES1]], %[[TILES0]] : index
// CHECK: %[[GRID:.*]] = gpu.grid_dim  x
// CHECK: scf.for %[[I0:.*]] = %[[ID]] to %[[MUL0]] step %[[GRID]] {
// CHECK: %[[DIV:.*]] = arith.divui %[[I0]], %[[TILES0]] : index
// CHECK: %[[REM:.*]] = arith.remui %[[I0]], %[[TILES0]] : index
// CHECK: %[[MUL1:.*]] = arith.muli %[[DIV]], %c64 : index
// CHECK: %[[MUL2:.*]] = arith.muli %[[REM]], %c96 : index
// CHECK: %[[MUL3:.*]] = arith.muli %[[WAVE]], %c64 : index
// CHECK: %[[LOOP:.*]] = scf.for %[[I1:.*]] = %c0 to %{{.*}} step %c64 iter_args(%[[ACC:.*]] = %{{.*}}) -> (!lpgemm.frag<64x96xf32>) {
// CHECK: %[[LOAD0:.*]] = lpgemm.load %[[A]][%[[MUL1]], %[[I1]]] at[%[[MUL3]], %c0] : <?x?xbf16> to <64x64xbf16>
// CHECK: %[[LOAD1:.*]] = lpgemm.load %[[B]][%[[MUL2]], %[[I1]]] at[%c0, %c0] : <?x?xbf16> to <96x64xbf16>
// CHECK: lpgemm.store %[[LOOP]], %[[D]][%[[MUL1]], %[[MUL2]]] at[%[[MUL3]], %c0] : <64x96xf32> to <?x?xf32>
gpu.func @persistent(%a: !a, %b: !a, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a) outs(%d : !d) transpose_b
      schedule(<tile = [64, 96, 64], waves = [1, 1],
        instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 24, mma_regs = 240>,
        persistent = true>)
  gpu.return
}

// With a raster each tile takes two divisions, by numbers that are the same for
// all tiles but those of the last band: products with their reciprocals, which
// may be 1 too small.

// CHECK-LABEL: gpu.func @persistent_raster(
// CHECK: role mma(
// CHECK: %[[TILES_N:.*]] = arith.ceildivui %{{.*}}, %c96 : index
// CHECK: %[[TILES_M:.*]] = arith.ceildivui %{{.*}}, %c64 : index
// CHECK: %[[BAND:.*]] = arith.muli %[[TILES_N]], %c8 : index
// CHECK: %[[SOME:.*]] = arith.maxui %[[BAND]], %c1 : index
// CHECK: %[[FITTING:.*]] = arith.minui %[[SOME]], %c2147483648 : index
// CHECK: %[[BAND32:.*]] = arith.index_castui %[[FITTING]] : index to i32
// CHECK: %[[OF_BAND:.*]] = arith.divui %c-1_i32, %[[BAND32]] : i32
// CHECK: %[[BEFORE:.*]] = arith.addi %[[TILES_M]], %c7 : index
// CHECK: %[[REST:.*]] = arith.remui %[[BEFORE]], %c8 : index
// CHECK: %[[LAST:.*]] = arith.addi %[[REST]], %c1 : index
// CHECK: %[[LAST32:.*]] = arith.index_castui %[[LAST]] : index to i32
// CHECK: %[[OF_LAST:.*]] = arith.divui %c-1_i32, %[[LAST32]] : i32
// CHECK: scf.for %[[TILE:.*]] =
// CHECK-NOT: {{div|rem}}ui
// CHECK: %[[TILE32:.*]] = arith.index_castui %[[TILE]] : index to i32
// CHECK: %{{.*}}, %[[HIGH:.*]] = arith.mului_extended %[[TILE32]], %[[OF_BAND]] : i32
// CHECK: %[[Q:.*]] = arith.index_castui %[[HIGH]] : i32 to index
// CHECK: %[[MUL:.*]] = arith.muli %[[Q]], %[[BAND]] : index
// CHECK: %[[SUB:.*]] = arith.subi %[[TILE]], %[[MUL]] : index
// CHECK: %[[IS_SMALL:.*]] = arith.cmpi uge, %[[SUB]], %[[BAND]] : index
// CHECK: %[[ADD:.*]] = arith.addi %[[Q]], %c1 : index
// CHECK: %[[NUMBER:.*]] = arith.select %[[IS_SMALL]], %[[ADD]], %[[Q]] : index
// CHECK: %[[LESS:.*]] = arith.subi %[[SUB]], %[[BAND]] : index
// CHECK: %[[IN_BAND:.*]] = arith.select %[[IS_SMALL]], %[[LESS]], %[[SUB]] : index
// CHECK: %[[FIRST:.*]] = arith.muli %[[NUMBER]], %c8 : index
// CHECK: %[[LEFT:.*]] = arith.subi %[[TILES_M]], %[[FIRST]] : index
// CHECK: %[[ROWS:.*]] = arith.minui %[[LEFT]], %c8 : index
// CHECK: %[[IS_LAST:.*]] = arith.cmpi ult, %[[LEFT]], %c8 : index
// CHECK: %[[OF_ROWS:.*]] = arith.select %[[IS_LAST]], %[[OF_LAST]], %c536870911_i32 : i32
// CHECK: arith.mului_extended %{{.*}}, %[[OF_ROWS]] : i32
// CHECK-NOT: {{div|rem}}ui
// CHECK: lpgemm.load
gpu.func @persistent_raster(%a: !a, %b: !a, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a) outs(%d : !d) transpose_b
      schedule(<tile = [64, 96, 64], waves = [1, 1],
        instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 24, mma_regs = 240>, raster = 8,
        persistent = true>)
  gpu.return
}

// A cluster takes 2 x 4 tiles: its workgroups follow each other along N first.

// CHECK-LABEL: gpu.func @cluster(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xbf16>, %[[B:.*]]: !lpgemm.global<?x?xbf16>, %[[D:.*]]: !lpgemm.global<?x?xf32>)
// CHECK: lpgemm.roles {
// CHECK: role mma(%[[WAVE:.*]]) waves(1) regs(240) {
// CHECK: %[[DIM0:.*]] = lpgemm.dim %[[D]], 1 : <?x?xf32>
// CHECK: %[[TILES0:.*]] = arith.ceildivui %[[DIM0]], %c384 : index
// CHECK: %[[ID:.*]] = gpu.block_id  x
// CHECK: %[[DIV0:.*]] = arith.divui %[[ID]], %c8 : index
// CHECK: %[[DIM1:.*]] = lpgemm.dim %[[D]], 0 : <?x?xf32>
// CHECK: %[[TILES1:.*]] = arith.ceildivui %[[DIM1]], %c128 : index
// CHECK: %[[MUL0:.*]] = arith.muli %[[TILES1]], %[[TILES0]] : index
// CHECK: %[[GRID:.*]] = gpu.grid_dim  x
// CHECK: %[[DIV1:.*]] = arith.divui %[[GRID]], %c8 : index
// CHECK: scf.for %[[I0:.*]] = %[[DIV0]] to %[[MUL0]] step %[[DIV1]] {
// CHECK: %[[DIV2:.*]] = arith.divui %[[I0]], %[[TILES0]] : index
// CHECK: %[[REM1:.*]] = arith.remui %[[I0]], %[[TILES0]] : index
// CHECK: %[[RANK:.*]] = gpu.cluster_block_id  x
// CHECK: %[[DIV3:.*]] = arith.divui %[[RANK]], %c4 : index
// CHECK: %[[REM0:.*]] = arith.remui %[[DIV3]], %c2 : index
// CHECK: %[[MUL1:.*]] = arith.muli %[[DIV2]], %c2 : index
// CHECK: %[[ADD0:.*]] = arith.addi %[[MUL1]], %[[REM0]] : index
// CHECK: %[[MUL2:.*]] = arith.muli %[[ADD0]], %c64 : index
// CHECK: %[[REM2:.*]] = arith.remui %[[RANK]], %c4 : index
// CHECK: %[[MUL3:.*]] = arith.muli %[[REM1]], %c4 : index
// CHECK: %[[ADD1:.*]] = arith.addi %[[MUL3]], %[[REM2]] : index
// CHECK: %[[MUL4:.*]] = arith.muli %[[ADD1]], %c96 : index
// CHECK: %[[MUL5:.*]] = arith.muli %[[WAVE]], %c64 : index
// CHECK: %[[LOOP:.*]] = scf.for %[[I1:.*]] = %c0 to %{{.*}} step %c64 iter_args(%[[ACC:.*]] = %{{.*}}) -> (!lpgemm.frag<64x96xf32>) {
// CHECK: %[[LOAD0:.*]] = lpgemm.load %[[A]][%[[MUL2]], %[[I1]]] at[%[[MUL5]], %c0] : <?x?xbf16> to <64x64xbf16>
// CHECK: %[[LOAD1:.*]] = lpgemm.load %[[B]][%[[MUL4]], %[[I1]]] at[%c0, %c0] : <?x?xbf16> to <96x64xbf16>
// CHECK: lpgemm.store %[[LOOP]], %[[D]][%[[MUL2]], %[[MUL4]]] at[%[[MUL5]], %c0] : <64x96xf32> to <?x?xf32>
gpu.func @cluster(%a: !a, %b: !a, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a) outs(%d : !d) transpose_b
      schedule(<tile = [64, 96, 64], waves = [1, 1],
        instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 24, mma_regs = 240>,
        cluster = [2, 4], persistent = true>)
  gpu.return
}

// Along M only, in bands of four rows of clusters.

// CHECK-LABEL: gpu.func @cluster_m(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xbf16>, %[[B:.*]]: !lpgemm.global<?x?xbf16>, %[[D:.*]]: !lpgemm.global<?x?xf32>)
// CHECK: lpgemm.roles {
// CHECK: role mma(%[[WAVE:.*]]) waves(1) regs(240) {
// CHECK: %[[DIM0:.*]] = lpgemm.dim %[[D]], 1 : <?x?xf32>
// CHECK: %[[TILES0:.*]] = arith.ceildivui %[[DIM0]], %c96 : index
// CHECK: %[[ID:.*]] = gpu.block_id  x
// CHECK: %[[DIV0:.*]] = arith.divui %[[ID]], %c2 : index
// CHECK: %[[DIM1:.*]] = lpgemm.dim %[[D]], 0 : <?x?xf32>
// CHECK: %[[TILES1:.*]] = arith.ceildivui %[[DIM1]], %c128 : index
// CHECK: %[[MUL0:.*]] = arith.muli %[[TILES0]], %c4 : index
// CHECK: %[[DIV1:.*]] = arith.divui %[[DIV0]], %[[MUL0]] : index
// CHECK: %[[REM0:.*]] = arith.remui %[[DIV0]], %[[MUL0]] : index
// CHECK: %[[MUL1:.*]] = arith.muli %[[DIV1]], %c4 : index
// CHECK: %[[LEFT:.*]] = arith.subi %[[TILES1]], %[[MUL1]] : index
// CHECK: %[[ROWS:.*]] = arith.minui %[[LEFT]], %c4 : index
// CHECK: %[[DIV2:.*]] = arith.divui %[[REM0]], %[[ROWS]] : index
// CHECK: %[[REM1:.*]] = arith.remui %[[REM0]], %[[ROWS]] : index
// CHECK: %[[ADD0:.*]] = arith.addi %[[MUL1]], %[[REM1]] : index
// CHECK: %[[RANK:.*]] = gpu.cluster_block_id  x
// CHECK: %[[REM2:.*]] = arith.remui %[[RANK]], %c2 : index
// CHECK: %[[MUL2:.*]] = arith.muli %[[ADD0]], %c2 : index
// CHECK: %[[ADD1:.*]] = arith.addi %[[MUL2]], %[[REM2]] : index
// CHECK: %[[MUL3:.*]] = arith.muli %[[ADD1]], %c64 : index
// CHECK: %[[MUL4:.*]] = arith.muli %[[DIV2]], %c96 : index
// CHECK: %[[MUL5:.*]] = arith.muli %[[WAVE]], %c64 : index
// CHECK: %[[LOOP:.*]] = scf.for %[[I:.*]] = %c0 to %{{.*}} step %c64 iter_args(%[[ACC:.*]] = %{{.*}}) -> (!lpgemm.frag<64x96xf32>) {
// CHECK: %[[LOAD0:.*]] = lpgemm.load %[[A]][%[[MUL3]], %[[I]]] at[%[[MUL5]], %c0] : <?x?xbf16> to <64x64xbf16>
// CHECK: %[[LOAD1:.*]] = lpgemm.load %[[B]][%[[MUL4]], %[[I]]] at[%c0, %c0] : <?x?xbf16> to <96x64xbf16>
// CHECK: lpgemm.store %[[LOOP]], %[[D]][%[[MUL3]], %[[MUL4]]] at[%[[MUL5]], %c0] : <64x96xf32> to <?x?xf32>
gpu.func @cluster_m(%a: !a, %b: !a, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a) outs(%d : !d) transpose_b
      schedule(<tile = [64, 96, 64], waves = [1, 1],
        instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 24, mma_regs = 240>,
        cluster = [2, 1], raster = 4>)
  gpu.return
}

// Workgroup r of four that share a tile multiplies K tiles from r times a quarter
// on, of which there may be none; what follows is done where the sums are.

// CHECK-LABEL: gpu.func @split(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xbf16>, %[[B:.*]]: !lpgemm.global<?x?xbf16>, %[[D:.*]]: !lpgemm.global<?x?xf32>)
// CHECK: %[[ID:.*]] = gpu.block_id  x
// CHECK: %[[TILE:.*]] = arith.divui %[[ID]], %c4 : index
// CHECK: arith.divui %[[TILE]], %{{.*}} : index
// CHECK: %[[K:.*]] = lpgemm.dim %[[A]], 1 : <?x?xbf16>
// CHECK: %[[TILES:.*]] = arith.ceildivui %[[K]], %c64 : index
// CHECK: %[[QUARTER:.*]] = arith.ceildivui %[[TILES]], %c4 : index
// CHECK: %[[EACH:.*]] = arith.muli %[[QUARTER]], %c64 : index
// CHECK: %[[RANK:.*]] = gpu.cluster_block_id  x
// CHECK: %[[FIRST:.*]] = arith.muli %[[RANK]], %[[EACH]] : index
// CHECK: %[[LAST:.*]] = arith.addi %[[FIRST]], %[[EACH]] : index
// CHECK: %[[FROM:.*]] = arith.minui %[[FIRST]], %[[K]] : index
// CHECK: %[[TO:.*]] = arith.minui %[[LAST]], %[[K]] : index
// CHECK: %[[LOOP:.*]]:2 = scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %c64 iter_args
// CHECK: %[[SUMS:.*]]:2, %[[HERE:.*]] = lpgemm.cluster_reduce %[[LOOP]]#0, %[[LOOP]]#1 : (!lpgemm.frag<64x96xf32>, !lpgemm.frag<64x96xf32>)
// CHECK: scf.if %[[HERE]] {
// CHECK: lpgemm.store %[[SUMS]]#0, %[[D]]
// CHECK: lpgemm.store %[[SUMS]]#1, %[[D]]
// CHECK-NEXT: }
gpu.func @split(%a: !a, %b: !a, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a) outs(%d : !d) transpose_b
      schedule(<tile = [128, 96, 64], waves = [1, 1],
        instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 24, mma_regs = 240>, split_k = 4>)
  gpu.return
}
}

// -----

// Entry of the batch after entry: a tile is found among those of its entry.

// CHECK-LABEL: gpu.func @batch_kernel(
// CHECK: %[[ID:.*]] = gpu.block_id  x
// CHECK: %[[TILES0:.*]] = arith.ceildivui %{{.*}}, %c64 : index
// CHECK: %[[DIV0:.*]] = arith.divui %[[ID]], %[[TILES0]] : index
// CHECK: %[[TILES1:.*]] = arith.ceildivui %{{.*}}, %c96 : index
// CHECK: %[[DIV1:.*]] = arith.divui %[[DIV0]], %[[TILES1]] : index
// CHECK: lpgemm.roles {
// CHECK: role mma(%[[WAVE:.*]]) waves(1) regs(240) {
// CHECK: %[[MUL0:.*]] = arith.muli %[[TILES0]], %[[TILES1]] : index
// CHECK: %[[REM0:.*]] = arith.remui %[[ID]], %[[MUL0]] : index
// CHECK: %[[MUL1:.*]] = arith.muli %[[TILES1]], %c8 : index
// CHECK: %[[DIV2:.*]] = arith.divui %[[REM0]], %[[MUL1]] : index
// CHECK: %[[REM1:.*]] = arith.remui %[[REM0]], %[[MUL1]] : index
// CHECK: %[[MUL2:.*]] = arith.muli %[[DIV2]], %c8 : index
// CHECK: %[[LEFT:.*]] = arith.subi %[[TILES0]], %[[MUL2]] : index
// CHECK: %[[ROWS:.*]] = arith.minui %[[LEFT]], %c8 : index
// CHECK: %[[DIV3:.*]] = arith.divui %[[REM1]], %[[ROWS]] : index
// CHECK: %[[REM2:.*]] = arith.remui %[[REM1]], %[[ROWS]] : index
// CHECK: %[[ADD:.*]] = arith.addi %[[MUL2]], %[[REM2]] : index
// CHECK: %[[MUL3:.*]] = arith.muli %[[ADD]], %c64 : index
// CHECK: %[[MUL4:.*]] = arith.muli %[[DIV3]], %c96 : index
// CHECK: %[[MUL5:.*]] = arith.muli %[[WAVE]], %c64 : index
// CHECK: %[[LOAD0:.*]] = lpgemm.load %{{.*}}[%[[MUL3]], %{{.*}}] at[%[[MUL5]], %c0] : <?x?xbf16> to <64x64xbf16>
// CHECK: %[[LOAD1:.*]] = lpgemm.load %{{.*}}[%[[MUL4]], %{{.*}}] at[%c0, %c0] : <?x?xbf16> to <96x64xbf16>
// CHECK: lpgemm.store %{{.*}}, %{{.*}}[%[[MUL3]], %[[MUL4]]] at[%[[MUL5]], %c0] : <64x96xf32> to <?x?xf32>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @batch(%a: memref<?x?x?xbf16>, %b: memref<?x?xbf16>,
                 %d: memref<?x?x?xf32>) {
  lpgemm.matmul ins(%a, %b : memref<?x?x?xbf16>, memref<?x?xbf16>)
      outs(%d : memref<?x?x?xf32>) transpose_b
      schedule(<tile = [64, 96, 64], waves = [1, 1],
        instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 24, mma_regs = 240>, raster = 8>)
  return
}
}
