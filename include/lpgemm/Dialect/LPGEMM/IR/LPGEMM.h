//===- LPGEMM.h - lpgemm dialect --------------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMM_H
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMM_H

#include "mlir/IR/Dialect.h"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMOpsDialect.h.inc"

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMM_H
