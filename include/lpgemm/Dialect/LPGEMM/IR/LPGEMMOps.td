//===- LPGEMMOps.td - ops on tensors and memrefs -----------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMOPS_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMOPS_TD

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMBase.td"


#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMOPS_TD
