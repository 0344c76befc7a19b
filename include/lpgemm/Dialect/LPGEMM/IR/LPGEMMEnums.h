//===- LPGEMMEnums.h - enumerations of the dialect --------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMENUMS_H
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMENUMS_H

#include "mlir/IR/BuiltinAttributes.h"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMEnums.h.inc"

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMENUMS_H
