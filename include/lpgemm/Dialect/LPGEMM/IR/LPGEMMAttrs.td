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

def LPGEMM_ScaleLayoutParameter : EnumParameter<LPGEMM_ScaleLayout> {
  let defaultValue = "::mlir::lpgemm::ScaleLayout::Row";
}

def LPGEMM_ScaleAttr : LPGEMM_Attr<"Scale", "scale"> {
  let summary = "granularity and memory layout of an operand's scales";
  let description = [{
    Every operand scale is a *decode* scale: `x = s * q`.

    | kind | scale type  | shape for an operand of R rows and K columns |
    |------|-------------|----------------------------------------------|
    | `mx` | f8E8M0FNU   | R x ceil(K/32)                               |

    | layout | offset of (row r, block b), B blocks in a row |
    |--------|-----------------------------------------------|
    | `row`  | r * B + b, or with a row pitch r * pitch + b  |

    Example:

    ```mlir
    #lpgemm.scale<mx>
    ```
  }];
  let parameters = (ins
    EnumParameter<LPGEMM_ScaleKind>:$kind,
    LPGEMM_ScaleLayoutParameter:$layout);
  let assemblyFormat = "`<` $kind (`,` `layout` `=` $layout^)? `>`";
  let extraClassDeclaration = [{
    /// Elements along K that share one scale.
    int64_t getBlock() const;
  }];
}

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

def LPGEMM_ScheduleAttr : LPGEMM_Attr<"Schedule", "schedule"> {
  let summary = "how one matrix product is laid out on the machine";
  let description = [{
    | field   | meaning                                          | unit     |
    |---------|--------------------------------------------------|----------|
    | `tile`  | M, N, K of the tile of one workgroup             | elements |
    | `waves` | waves along M and N that share the tile          | waves    |
    | `instr` | matrix instruction                               |          |
    | `home`  | where the operands are kept                      |          |

    Chosen by `lpgemm-select-schedule`, or written by hand on the op.

    Example:

    ```mlir
    #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 2],
      instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = shared, b = shared>>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$tile, ArrayRefParameter<"int64_t">:$waves,
    EnumParameter<LPGEMM_MmaInstr>:$instr, "HomesAttr":$home);
  let assemblyFormat = [{
    `<` `tile` `=` `[` $tile `]` `,` `waves` `=` `[` $waves `]` `,`
        `instr` `=` $instr `,` `home` `=` $home `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getTileM() const { return getTile()[0]; }
    int64_t getTileN() const { return getTile()[1]; }
    int64_t getTileK() const { return getTile()[2]; }
    /// Rows and columns of the result that one wave computes.
    int64_t getWaveM() const { return getTileM() / getWaves()[0]; }
    int64_t getWaveN() const { return getTileN() / getWaves()[1]; }
    int64_t getNumWaves() const { return getWaves()[0] * getWaves()[1]; }
  }];
}

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMATTRS_TD
