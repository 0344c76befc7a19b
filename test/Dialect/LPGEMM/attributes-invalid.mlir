// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expects the kind of a scale: tensor, row, column, 1xG, GxG, mx, nvfp4 or nvfp4_2d, but got 'nvfp8'}}
func.func private @scale_sc1_nvfp8() attributes {x = #lpgemm.scale<nvfp8>}

// -----

// expected-error @+1 {{expects the kind of a scale: tensor, row, column, 1xG, GxG, mx, nvfp4 or nvfp4_2d, but got 'block'}}
func.func private @scale_sc1_block() attributes {x = #lpgemm.scale<block>}

// -----

// expected-error @+1 {{expects blocks of 1xG or GxG, such as 1x32, but got 0 numbers}}
func.func private @scale_sc1_empty() attributes {x = #lpgemm.scale<>}

// -----

// expected-error @+1 {{expects blocks of 1xG or GxG, such as 1x32, but got 1 numbers}}
func.func private @scale_sc1_32() attributes {x = #lpgemm.scale<32>}

// -----

// expected-error @+1 {{expects blocks of 1xG or GxG, such as 1x32, but got 3 numbers}}
func.func private @scale_sc1_1x2x32() attributes {x = #lpgemm.scale<1x2x32>}

// -----

// expected-error @+1 {{expects blocks of 1xG or GxG, such as 1x32, but got 1x0}}
func.func private @scale_sc1_1x0() attributes {x = #lpgemm.scale<1x0>}

// -----

// expected-error @+1 {{expects blocks of 1xG or GxG, such as 1x32, but got 2x32}}
func.func private @scale_sc1_2x32() attributes {x = #lpgemm.scale<2x32>}

// -----

// expected-error @+1 {{expects blocks of 1xG or GxG, such as 1x1, but got 128x1}}
func.func private @scale_sc1_128x1() attributes {x = #lpgemm.scale<128x1>}

// -----

// expected-error @+1 {{expected static shape}}
func.func private @scale_sc1_1x() attributes {x = #lpgemm.scale<1x?>}

// -----

// expected-error @+1 {{expects blocks of 1xG or GxG, such as 1x32, but got 0x32}}
func.func private @scale_sc1_0x32() attributes {x = #lpgemm.scale<0x32>}

// -----

// expected-error @+1 {{invalid dimension}}
func.func private @scale_sc1_1x_32() attributes {x = #lpgemm.scale<1x-32>}

// -----

// expected-error @+1 {{invalid dimension}}
func.func private @scale_sc1_1x99999999999999999999() attributes {x = #lpgemm.scale<1x99999999999999999999>}

// -----

// expected-error @+1 {{expected one of [row, col, mn_tma, mn_tma_ue8m0x4, blk128x128, swz128x4, amd32x8] for memory layout of a scale tensor, got: swizzled}}
func.func private @scale_sc1_mx_layout_swizzled() attributes {x = #lpgemm.scale<mx, layout = swizzled>}

// -----

// expected-error @+1 {{expected 'layout'}}
func.func private @scale_sc1_mx_row() attributes {x = #lpgemm.scale<mx, row>}

// -----

// expected-error @+1 {{expected '>'}}
func.func private @scale_sc1_mx_layout_row_1() attributes {x = #lpgemm.scale<mx, layout = row, 1>}

// -----

// expected-error @+1 {{expects layout swz128x4 with 1xG blocks, but got kind tensor}}
func.func private @scale_sc2_tensor_layout_swz128x4() attributes {x = #lpgemm.scale<tensor, layout = swz128x4>}

// -----

// expected-error @+1 {{expects layout col with blocks along K, but got kind row}}
func.func private @scale_sc2_row_layout_col() attributes {x = #lpgemm.scale<row, layout = col>}

// -----

// expected-error @+1 {{expects layout mn_tma with blocks along K, but got kind column}}
func.func private @scale_sc2_column_layout_mn_tma() attributes {x = #lpgemm.scale<column, layout = mn_tma>}

// -----

// expected-error @+1 {{expects layout swz128x4 with 1xG blocks, but got kind 128x128}}
func.func private @scale_sc2_128x128_layout_swz128x4() attributes {x = #lpgemm.scale<128x128, layout = swz128x4>}

// -----

// expected-error @+1 {{expects layout mn_tma_ue8m0x4 with 1xG blocks, but got kind nvfp4_2d}}
func.func private @scale_sc2_nvfp4_2d_layout_mn_tma_ue8m0x4() attributes {x = #lpgemm.scale<nvfp4_2d, layout = mn_tma_ue8m0x4>}

// -----

// expected-error @+1 {{expects layout blk128x128 with 128x128 blocks, but got kind 1x128}}
func.func private @scale_sc2_1x128_layout_blk128x128() attributes {x = #lpgemm.scale<1x128, layout = blk128x128>}

// -----

// expected-error @+1 {{expects layout amd32x8 with 1x32 blocks, but got kind nvfp4}}
func.func private @scale_sc2_nvfp4_layout_amd32x8() attributes {x = #lpgemm.scale<nvfp4, layout = amd32x8>}

// -----

// expected-error @+2 {{failed to parse LPGEMM_ScaleRuleAttr parameter 'value' which is to be a `::mlir::lpgemm::ScaleRuleMode`}}
// expected-error @+1 {{expected one of [amax, rceil, floor, ceil, even, pow2] for how a decode scale follows from the largest magnitude of a block, got: nearest}}
func.func private @enum_scale_rule_nearest() attributes {x = #lpgemm<scale_rule nearest>}

// -----

// expected-error @+2 {{failed to parse LPGEMM_OverflowAttr parameter 'value' which is to be a `::mlir::lpgemm::OverflowMode`}}
// expected-error @+1 {{expected one of [sat, nosat] for what becomes of a value beyond the range of a type, got: clamp}}
func.func private @enum_overflow_clamp() attributes {x = #lpgemm<overflow clamp>}

// -----

// expected-error @+2 {{failed to parse LPGEMM_RoundingAttr parameter 'value' which is to be a `::mlir::lpgemm::RoundingMode`}}
// expected-error @+1 {{expected one of [rne, sr] for how a value between two codes is rounded, got: rtz}}
func.func private @enum_rounding_rtz() attributes {x = #lpgemm<rounding rtz>}

// -----

// expected-error @+2 {{failed to parse LPGEMM_AxisAttr parameter 'value' which is to be a `::mlir::lpgemm::Axis`}}
// expected-error @+1 {{expected one of [m, n] for axis of a matrix product, got: k}}
func.func private @enum_axis_k() attributes {x = #lpgemm<axis k>}

// -----

// expected-error @+2 {{failed to parse LPGEMM_GroupModeAttr parameter 'value' which is to be a `::mlir::lpgemm::GroupMode`}}
// expected-error @+1 {{expected one of [contiguous, masked, k_grouped] for what the groups of a grouped product partition, got: ragged}}
func.func private @enum_group_mode_ragged() attributes {x = #lpgemm<group_mode ragged>}

// -----

// expected-error @+2 {{failed to parse LPGEMM_UncoveredAttr parameter 'value' which is to be a `::mlir::lpgemm::Uncovered`}}
// expected-error @+1 {{expected one of [undef, zero, keep] for what rows that no group covers hold, got: ones}}
func.func private @enum_uncovered_ones() attributes {x = #lpgemm<uncovered ones>}

// -----

// expected-error @+2 {{failed to parse LPGEMM_WeightLayoutAttr parameter 'value' which is to be a `::mlir::lpgemm::WeightLayout`}}
// expected-error @+1 {{expected one of [w16x16] for memory layout of pre-shuffled weights, got: w32x32}}
func.func private @enum_weight_layout_w32x32() attributes {x = #lpgemm<weight_layout w32x32>}

// -----

// expected-error @+1 {{unknown chip 'gfx000', expected one of gfx942, gfx950, gfx1250, sm_80, sm_89, sm_90a, sm_100a, sm_103a, sm_120a, sm_121a}}
module attributes {lpgemm.target = #lpgemm.target<"gfx000">} {
}

// -----

// expected-error @+1 {{'builtin.module' op expects attribute 'lpgemm.target' to be a #lpgemm.target, but got "gfx950"}}
module attributes {lpgemm.target = "gfx950"} {
}

// -----

// expected-error @+1 {{expects tile to be three positive extents M, N, K}}
#schedule = #lpgemm.schedule<tile = [128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 1>

// -----

// expected-error @+1 {{expects waves to be two positive counts along M, N}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 0], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 1>

// -----

// expected-error @+1 {{expects the tile's N (128) to be a multiple of the waves along it (3)}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 3], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 1>

// -----

// expected-error @+1 {{expects 1 to 16 stages, but got 0}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 0>

// -----

// expected-error @+1 {{expects 1 to 16 stages, but got 17}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 17>

// -----

// expected-error @+1 {{expects mask to be a power of two less 1, but got 6}}
#smem = #lpgemm.smem<pad = 0, unit = 16, mask = 6, shift = 0>

// -----

// expected-error @+1 {{expects unit to be a power of two, but got 12}}
#smem = #lpgemm.smem<pad = 0, unit = 12, mask = 7, shift = 0>

// -----

// expected-error @+1 {{expects extents of tile and waves of at most 65536, but got 4611686018427387904}}
#schedule = #lpgemm.schedule<tile = [128, 128, 4611686018427387904], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 1>

// -----

// expected-error @+1 {{expects split_k to be 1, 2, 4 or 8, but got 3}}
func.func private @split_k() attributes {s = #lpgemm.schedule<
  tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8,
  home = <a = shared, b = shared>, stages = 4, split_k = 3>}

// -----

// expected-error @+1 {{expects no cluster along M, N with split_k = 4, but got [1, 2]}}
func.func private @split_k_in_cluster() attributes {s = #lpgemm.schedule<
  tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8,
  home = <a = shared, b = shared>, stages = 4, cluster = [1, 2], split_k = 4>}
