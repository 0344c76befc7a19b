//===- LPGEMMAttrs.td - attributes -------------------------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMATTRS_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMATTRS_TD

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMEnums.td"
include "mlir/IR/AttrTypeBase.td"

class LPGEMM_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<LPGEMM_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def LPGEMM_ScaleAttr : LPGEMM_Attr<"Scale", "scale"> {
  let summary = "granularity and memory layout of an operand's scales";
  let description = [{
    Every operand scale is a *decode* scale: `x = s * q`. R is the operand's
    extent along M (lhs) or N (rhs); a block of `<RxG>` spans R of it and G
    elements of K. B = ceil(K / G) is the number of blocks along K.

    Elements of i8 have no f8E8M0FNU scales.

    | kind        | scale type           | scales                             |
    |-------------|----------------------|------------------------------------|
    | `tensor`    | f32                  | one                                |
    | `row`       | f32, bf16            | one for each row of lhs            |
    | `column`    | f32, bf16            | one for each column of rhs         |
    | `1xG`       | f32, bf16, f8E8M0FNU | R x B                              |
    | `GxG`       | f32, bf16, f8E8M0FNU | ceil(R / G) x B                    |
    | `mx`        | f8E8M0FNU            | R x ceil(K / 32)                   |
    | `nvfp4`     | f8E4M3FN             | R x ceil(K / 16)                   |
    | `nvfp4_2d`  | f8E4M3FN             | ceil(R / 16) x ceil(K / 16)        |

    The layout gives the shape of the scale tensor and where in it the scale of
    outer block r and K block b lies (rules SL-0 to SL-6 of `docs/spec.md`; R
    now counts outer blocks):

    | layout           | shape                                     | index                                                          | padding |
    |------------------|-------------------------------------------|----------------------------------------------------------------|---------|
    | `row`            | R x B, stored as its operand is           | r, b                                                           | none    |
    | `col`            | B x ceil4(R)                              | b, r                                                           | 0       |
    | `mn_tma`         | B x R to 16 bytes                         | b, r                                                           | 0       |
    | `mn_tma_ue8m0x4` | ceil(B/4) x ceil4(R) x 4                  | b/4, r, b%4                                                    | 0       |
    | `blk128x128`     | R x ceil4(B)                              | r, b                                                           | 0       |
    | `swz128x4`       | ceil(R/128) x ceil(B/4) x 32 x 4 x 4      | r/128, b/4, r%32, (r%128)/32, b%4                              | 0       |
    | `amd32x8`        | 8 ceil(R/256) x ceil(B/8) x 4 x 16 x 2 x 2| r/32, b/8, b%4, r%16, (b%8)/4, (r%32)/16                       | 0x7F    |

    Example:

    ```mlir
    #lpgemm.scale<mx>
    #lpgemm.scale<1x128, layout = mn_tma>
    #lpgemm.scale<128x128>
    ```
  }];
  let parameters = (ins
    EnumParameter<LPGEMM_ScaleKind>:$kind,
    "int64_t":$outerBlock, "int64_t":$kBlock,
    EnumParameter<LPGEMM_ScaleLayout>:$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// A kind whose block sizes follow from its name: any but `Block`.
    static ScaleAttr get(::mlir::MLIRContext *context, ScaleKind kind,
                         ScaleLayout layout = ScaleLayout::Row);
    /// Whether K is cut into blocks. Otherwise one scale spans all of K, and
    /// `getKBlock()` is 0.
    bool hasKBlocks() const { return getKBlock() != 0; }
    /// Whether a scale may have this type.
    bool takesElementType(::mlir::Type type) const;
    /// "'f32' or 'bf16'": the types that a scale may have, for diagnostics.
    ::llvm::StringRef describeElementTypes() const;
    /// The same for the layout.
    bool layoutTakesElementType(::mlir::Type type) const;
    ::llvm::StringRef describeLayoutElementTypes() const;
    /// Whether elements of this type may have such scales.
    bool scalesElementType(::mlir::Type type) const;
    /// What a message calls the kind: "mx", "1x128".
    ::std::string getKindName() const;
    /// Dimensions of a scale tensor for an operand of `outer` by `k` elements,
    /// as expressions of these. `kFirst`: the operand is stored with K in the
    /// first dimension, which matters to layout `row` only. `type`: the scale's.
    ::llvm::SmallVector<::mlir::AffineExpr>
    getStorageShape(::mlir::AffineExpr outer, ::mlir::AffineExpr k, bool kFirst,
                    ::mlir::Type type) const;
    /// The same for `rows` by `blocks` scales.
    ::llvm::SmallVector<::mlir::AffineExpr>
    getLayoutShape(::mlir::AffineExpr rows, ::mlir::AffineExpr blocks,
                   bool kFirst, ::mlir::Type type) const;
    /// The position, in the scale tensor, of the scale of outer block `r` and K
    /// block `b`.
    ::llvm::SmallVector<::mlir::AffineExpr>
    getStorageIndex(::mlir::AffineExpr r, ::mlir::AffineExpr b,
                    bool kFirst) const;
    /// Whether the layout is more than a matrix, such as tiles of one.
    bool hasTiledLayout() const;
    /// Of such a layout: the strides of all dimensions but the first, whose
    /// stride depends on the extents.
    ::llvm::SmallVector<int64_t> getInnerStrides() const;
    /// Whether the scales of an operand are a matrix with a row for each block
    /// of K. `kFirst`: the operand is stored with K in the first dimension.
    bool isStoredKFirst(bool kFirst) const;
    /// What is not padding of the layout, as a matrix of outer blocks by blocks
    /// of K, or the other way round, or as in `getStorageShape`.
    ::llvm::SmallVector<::mlir::AffineExpr>
    getMatrixShape(::mlir::AffineExpr outer, ::mlir::AffineExpr k,
                   bool kFirst) const;
    /// What a byte of padding holds (L-7).
    uint8_t getPaddingByte() const;
  }];
}

def LPGEMM_ScaleRuleAttr
    : EnumAttr<LPGEMM_Dialect, LPGEMM_ScaleRuleMode, "scale_rule">;
def LPGEMM_OverflowAttr : EnumAttr<LPGEMM_Dialect, LPGEMM_OverflowMode, "overflow">;
def LPGEMM_RoundingAttr : EnumAttr<LPGEMM_Dialect, LPGEMM_RoundingMode, "rounding">;
def LPGEMM_AxisAttr : EnumAttr<LPGEMM_Dialect, LPGEMM_Axis, "axis">;
def LPGEMM_GroupModeAttr : EnumAttr<LPGEMM_Dialect, LPGEMM_GroupMode, "group_mode">;
def LPGEMM_UncoveredAttr : EnumAttr<LPGEMM_Dialect, LPGEMM_Uncovered, "uncovered">;
def LPGEMM_WeightLayoutAttr
    : EnumAttr<LPGEMM_Dialect, LPGEMM_WeightLayout, "weight_layout">;

def LPGEMM_TargetAttr : LPGEMM_Attr<"Target", "target"> {
  let summary = "the chip that a module is compiled for";
  let description = [{
    Names a record in the table of known chips
    (`lib/Target/KnownTargets.cpp`). Passes ask the record and never compare
    chip names. An unknown chip is an error that lists the known ones.

    Example:

    ```mlir
    #lpgemm.target<"gfx950">
    ```
  }];
  let parameters = (ins StringRefParameter<"chip">:$chip);
  let assemblyFormat = "`<` $chip `>`";
  let genVerifyDecl = 1;
}

def LPGEMM_MmaAttr : EnumAttr<LPGEMM_Dialect, LPGEMM_MmaInstr, "mma"> {
  let summary = "a matrix instruction";
  let assemblyFormat = "`<` $value `>`";
}

def LPGEMM_LanesAttr : LPGEMM_Attr<"Lanes", "lanes"> {
  let summary = "how the lanes of a wave hold a register tile";
  let description = [{
    Names an instruction and a role in it; the map from lane and register to
    element is looked up in the instruction table (`lib/Target/MmaInfo.cpp`)
    and nowhere else. A tile larger than the instruction's own is a row-major
    grid of atoms.

    Example:

    ```mlir
    #lpgemm.lanes<mfma_scale_f32_16x16x128_f8f6f4, a>
    ```
  }];
  let parameters = (ins
    EnumParameter<LPGEMM_MmaInstr>:$instr,
    EnumParameter<LPGEMM_MmaRole>:$role);
  let assemblyFormat = "`<` $instr `,` $role `>`";
}

def LPGEMM_SmemAttr : LPGEMM_Attr<"Smem", "smem"> {
  let summary = "how a tile lies in shared memory";
  let description = [{
    Rows follow each other, `pad` bytes apart. In row r, the `unit`-byte piece
    p is stored at piece p xor ((r >> shift) & mask). `mask = 0` leaves the
    pieces in order.

    Example:

    ```mlir
    #lpgemm.smem<pad = 0, unit = 16, mask = 7, shift = 1>
    ```
  }];
  let parameters = (ins "int64_t":$pad, "int64_t":$unit, "int64_t":$mask,
                        "int64_t":$shift);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def LPGEMM_HomesAttr : LPGEMM_Attr<"Homes", "homes"> {
  let summary = "where the operands of the matrix product are kept";
  let description = [{
    `reg`: loaded from global memory into the registers of the wave that uses
    it. `shared`: copied to shared memory by the workgroup, read from there.
    Scales and the accumulator are always in registers.

    Example:

    ```mlir
    #lpgemm.homes<a = shared, b = shared>
    ```
  }];
  let parameters = (ins
    EnumParameter<LPGEMM_Home>:$a, EnumParameter<LPGEMM_Home>:$b);
  let assemblyFormat = "`<` struct(params) `>`";
}

def LPGEMM_RolesAttr : LPGEMM_Attr<"Roles", "roles"> {
  let summary = "waves of their own that load, and the registers of each role";
  let description = [{
    One more wave (a warpgroup) copies tiles to shared memory, for those that
    multiply. `load_regs` and `mma_regs`: registers of a thread.

    Example:

    ```mlir
    #lpgemm.roles<load_regs = 40, mma_regs = 232>
    ```
  }];
  let parameters = (ins "int64_t":$load_regs, "int64_t":$mma_regs);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def LPGEMM_StrategyParameter : EnumParameter<LPGEMM_Strategy> {
  let defaultValue = "::mlir::lpgemm::Strategy::Together";
}

def LPGEMM_ResultPathParameter : EnumParameter<LPGEMM_ResultPath> {
  let defaultValue = "::mlir::lpgemm::ResultPath::Direct";
}

def LPGEMM_ScheduleAttr : LPGEMM_Attr<"Schedule", "schedule"> {
  let summary = "how one matrix product is laid out on the machine";
  let description = [{
    | field   | meaning                                          | unit     |
    |---------|--------------------------------------------------|----------|
    | `tile`  | M, N, K of the tile of one workgroup             | elements |
    | `waves` | waves along M and N that share the tile          | waves    |
    | `instr` | matrix instruction                               |          |
    | `home`  | where the operands are kept                      |          |
    | `stages`| K tiles in flight: with 2 the next one is fetched while one is multiplied, with more, and where an engine copies, shared memory has so many slots | K tiles |
    | `roles` | whether waves of their own load, and what they take |  |
    | `cluster` | workgroups along M and N that share copies of operands; 1, 1 if it is not there | workgroups |
    | `raster` | rows of tiles (of a cluster) that are gone through together, column by column | tiles |
    | `persistent` | each workgroup goes on with another tile, until there is none | |
    | `unroll` | K tiles of one iteration of the K loop | K tiles |
    | `strategy` | `together`, or `ping_pong`: one half of the waves multiplies while the other one reads | |
    | `split_k` | workgroups that share a tile, a cluster on NVIDIA GPUs: each multiplies a part of its K tiles | workgroups |
    | `epilogue` | `direct`: each lane stores what it has of the result; `staged`: it goes through the shared memory of the K tiles, and rows leave in pieces of 16 bytes | |

    Chosen by `lpgemm-select-schedule`, or written by hand on the op.

    Example:

    ```mlir
    #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 2],
      instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = shared, b = shared>, stages = 2>
    #lpgemm.schedule<tile = [128, 256, 128], waves = [2, 1],
      instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>,
      stages = 4, roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 1],
      raster = 8, persistent = true>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$tile, ArrayRefParameter<"int64_t">:$waves,
    EnumParameter<LPGEMM_MmaInstr>:$instr, "HomesAttr":$home,
    "int64_t":$stages, OptionalParameter<"RolesAttr">:$roles,
    OptionalArrayRefParameter<"int64_t">:$cluster,
    DefaultValuedParameter<"int64_t", "1">:$raster,
    DefaultValuedParameter<"bool", "false">:$persistent,
    DefaultValuedParameter<"int64_t", "1">:$unroll,
    DefaultValuedParameter<"int64_t", "1">:$split_k,
    LPGEMM_StrategyParameter:$strategy,
    LPGEMM_ResultPathParameter:$epilogue);
  let assemblyFormat = [{
    `<` struct(custom<IntegerList>($tile), custom<IntegerList>($waves), $instr,
               $home, $stages, $roles, custom<IntegerList>($cluster), $raster,
               $persistent, $unroll, $split_k, $strategy, $epilogue) `>`
  }];
  let builders = [AttrBuilder<(ins
    "::llvm::ArrayRef<int64_t>":$tile, "::llvm::ArrayRef<int64_t>":$waves,
    "MmaInstr":$instr, "HomesAttr":$home, "int64_t":$stages,
    CArg<"Strategy", "Strategy::Together">:$strategy), [{
    return $_get($_ctxt, tile, waves, instr, home, stages, RolesAttr(),
                 ::llvm::ArrayRef<int64_t>(), 1, false, 1, 1, strategy,
                 ResultPath::Direct);
  }]>, AttrBuilder<(ins
    "::llvm::ArrayRef<int64_t>":$tile, "::llvm::ArrayRef<int64_t>":$waves,
    "MmaInstr":$instr, "HomesAttr":$home, "int64_t":$stages,
    "RolesAttr":$roles, "::llvm::ArrayRef<int64_t>":$cluster,
    "int64_t":$raster, "bool":$persistent, "int64_t":$unroll,
    "int64_t":$split_k), [{
    return $_get($_ctxt, tile, waves, instr, home, stages, roles, cluster,
                 raster, persistent, unroll, split_k, Strategy::Together,
                 ResultPath::Direct);
  }]>];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getTileM() const { return getTile()[0]; }
    int64_t getTileN() const { return getTile()[1]; }
    int64_t getTileK() const { return getTile()[2]; }
    /// Rows and columns of the result that one wave computes.
    int64_t getWaveM() const { return getTileM() / getWaves()[0]; }
    int64_t getWaveN() const { return getTileN() / getWaves()[1]; }
    int64_t getNumWaves() const { return getWaves()[0] * getWaves()[1]; }
    /// Parts along M, and along N, of a wave's part of the result, each of which
    /// is multiplied on its own.
    int64_t getParts() const {
      return getStrategy() == Strategy::PingPong ? 2 : 1;
    }
    /// On AMD chips: whether an engine copies to one of `stages` slots. With two
    /// stages data go through registers to the only one.
    bool copiesDirectly() const {
      return !getRoles() &&
             (getStages() > 2 || getStrategy() == Strategy::PingPong);
    }
    /// With those that load.
    int64_t getAllWaves() const { return getNumWaves() + (getRoles() ? 1 : 0); }
    int64_t getClusterM() const {
      return getCluster().empty() ? 1 : getCluster()[0];
    }
    int64_t getClusterN() const {
      return getCluster().empty() ? 1 : getCluster()[1];
    }
    /// Whether workgroups copy tiles of an operand for each other.
    bool sharesCopies() const { return getClusterM() * getClusterN() > 1; }
    int64_t getClusterSize() const {
      return getClusterM() * getClusterN() * getSplitK();
    }
  }];
}

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMATTRS_TD
