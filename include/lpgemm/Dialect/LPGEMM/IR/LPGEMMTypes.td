//===- LPGEMMTypes.td - types of the tile level ------------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMTYPES_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMTYPES_TD

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMAttrs.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class LPGEMM_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<LPGEMM_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

/// A type that prints as `<2x3xT` followed by its other parameters.
class LPGEMM_ShapedType<string name, string typeMnemonic>
    : LPGEMM_Type<name, typeMnemonic, [ShapedTypeInterface]> {
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    ::mlir::ShapedType
    cloneWith(::std::optional<::llvm::ArrayRef<int64_t>> shape,
              ::mlir::Type elementType) const;
  }];
}

def LPGEMM_GlobalType : LPGEMM_ShapedType<"Global", "global"> {
  let summary = "window on a row-major matrix in global memory";
  let description = [{
    Knows its base, extents and row pitch. Elements of a row are contiguous.
    A vector, of one dimension, is accessed as a matrix of one column; so is a
    single element, of none, all of whose rows are the same (pitch 0).
    A read outside the extents gives the fill value (+0, or 1.0 for a scale),
    a write outside does nothing; bytes outside are never used.

    A matrix of scales, of outer blocks by blocks of K, may be stored in a
    layout of scales that is more than a matrix (`docs/spec.md`, SL-3, SL-5,
    SL-6). Its pitch is then the elements from one index of the first dimension
    of that layout to the next; the others are contiguous. The padding of the
    layout is outside.

    Example: `!lpgemm.global<?x?xf8E4M3FN>`,
    `!lpgemm.global<?x?xf8E8M0FNU, swz128x4>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        EnumParameter<LPGEMM_ScaleLayout>:$layout);
  let builders = [
    TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape,
                     "::mlir::Type":$elementType), [{
      return $_get($_ctxt, shape, elementType, ScaleLayout::Row);
    }]>];
  let genVerifyDecl = 1;
}

def LPGEMM_BufType : LPGEMM_ShapedType<"Buf", "buf"> {
  let summary = "tile in on-chip memory";
  let description = [{
    Of 4, 6, 8, 16 or 32 bits for each element, packed along a row of whole
    bytes. `layout` absent: not decided yet; rows follow each other without
    padding. With three extents the first one counts the slots, each a tile.

    Example: `!lpgemm.buf<128x128xf8E4M3FN, shared>`,
    `!lpgemm.buf<4x128x128xf8E4M3FN, shared>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        EnumParameter<LPGEMM_MemorySpace>:$space,
                        OptionalParameter<"SmemAttr">:$layout);
  let genVerifyDecl = 1;
}

def LPGEMM_FragType : LPGEMM_ShapedType<"Frag", "frag"> {
  let summary = "register tile of one wave";
  let description = [{
    An immutable value. `lanes` absent: not decided yet.

    Example:
    `!lpgemm.frag<64x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        OptionalParameter<"LanesAttr">:$lanes);
  let genVerifyDecl = 1;
}

def LPGEMM_PipeType : LPGEMM_Type<"Pipe", "pipe"> {
  let summary = "ring of slots that waves fill and empty in turn";
  let description = [{
    Example: `!lpgemm.pipe<4>`
  }];
  let parameters = (ins "int64_t":$slots);
  let assemblyFormat = "`<` $slots `>`";
  let genVerifyDecl = 1;
}

def LPGEMM_SlotType : LPGEMM_Type<"Slot", "slot"> {
  let summary = "a slot of a ring, and how often the ring went around";
}

def LPGEMM_TokenType : LPGEMM_Type<"Token", "token"> {
  let summary = "completion of asynchronous work issued by this thread";
}

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMTYPES_TD
