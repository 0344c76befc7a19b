//===- Dialect.h - the lpgemm dialect -----------------------------*- C -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_C_DIALECT_H
#define LPGEMM_C_DIALECT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(LPGEMM, lpgemm);

//===----------------------------------------------------------------------===//
// #lpgemm.scale
//===----------------------------------------------------------------------===//

/// Whether the attribute is a #lpgemm.scale.
MLIR_CAPI_EXPORTED bool lpgemmAttributeIsAScale(MlirAttribute attr);

/// The attribute of a kind that implies its blocks, such as "mx", and a layout,
/// such as "row", both named as in the text. A null attribute, and an error at
/// `loc`, if there is none such.
MLIR_CAPI_EXPORTED MlirAttribute lpgemmScaleAttrGetChecked(
    MlirLocation loc, MlirStringRef kind, MlirStringRef layout);

/// The same for blocks of `outerBlock` elements along M or N and `kBlock` along
/// K, written <1x128> in the text.
MLIR_CAPI_EXPORTED MlirAttribute lpgemmScaleAttrGetBlockChecked(
    MlirLocation loc, int64_t outerBlock, int64_t kBlock, MlirStringRef layout);

/// The name of the kind; "block" if the attribute itself gives the blocks.
MLIR_CAPI_EXPORTED MlirStringRef lpgemmScaleAttrGetKind(MlirAttribute attr);

/// The name of the layout.
MLIR_CAPI_EXPORTED MlirStringRef lpgemmScaleAttrGetLayout(MlirAttribute attr);

/// Elements along M or N that share a scale; 0: all of them.
MLIR_CAPI_EXPORTED int64_t lpgemmScaleAttrGetOuterBlock(MlirAttribute attr);

/// Elements along K that share a scale; 0: all of them.
MLIR_CAPI_EXPORTED int64_t lpgemmScaleAttrGetKBlock(MlirAttribute attr);

//===----------------------------------------------------------------------===//
// #lpgemm.target
//===----------------------------------------------------------------------===//

/// Whether the attribute is a #lpgemm.target.
MLIR_CAPI_EXPORTED bool lpgemmAttributeIsATarget(MlirAttribute attr);

/// The attribute for a chip, such as "gfx950". A null attribute, and an error
/// at `loc` that lists the known chips, if there is none such.
MLIR_CAPI_EXPORTED MlirAttribute lpgemmTargetAttrGetChecked(MlirLocation loc,
                                                            MlirStringRef chip);

/// The name of the chip.
MLIR_CAPI_EXPORTED MlirStringRef lpgemmTargetAttrGetChip(MlirAttribute attr);

#ifdef __cplusplus
}
#endif

#endif // LPGEMM_C_DIALECT_H
