//===- LPGEMMDialect.cpp - lpgemm dialect ---------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMOpsDialect.cpp.inc"

using namespace mlir;
using namespace mlir::lpgemm;

void LPGEMMDialect::initialize() {}
