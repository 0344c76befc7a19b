//===- QuantizeLowering.h - loops that quantize -----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_CONVERSION_LPGEMMTOLOOPS_QUANTIZELOWERING_H
#define LPGEMM_CONVERSION_LPGEMMTOLOOPS_QUANTIZELOWERING_H

#include "lpgemm/Conversion/NumericFunctions.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

/// Replaces an op on memrefs by checks of its extents and loops.
void lowerQuantize(QuantizeOp op, NumericFunctions &functions);
void lowerDequantize(DequantizeOp op, NumericFunctions &functions);

} // namespace mlir::lpgemm

#endif // LPGEMM_CONVERSION_LPGEMMTOLOOPS_QUANTIZELOWERING_H
