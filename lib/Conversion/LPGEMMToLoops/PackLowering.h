//===- PackLowering.h - loops that pack scales and weights ------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_CONVERSION_LPGEMMTOLOOPS_PACKLOWERING_H
#define LPGEMM_CONVERSION_LPGEMMTOLOOPS_PACKLOWERING_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

/// Replaces an op on memrefs by checks of its extents and loops.
void lowerPackScales(PackScalesOp op);
void lowerUnpackScales(UnpackScalesOp op);
void lowerPackWeights(PackWeightsOp op);
void lowerUnpackWeights(UnpackWeightsOp op);

} // namespace mlir::lpgemm

#endif // LPGEMM_CONVERSION_LPGEMMTOLOOPS_PACKLOWERING_H
