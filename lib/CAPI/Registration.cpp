//===- Registration.cpp - C API: registers all of LPGEMM ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm-c/Registration.h"

#include "lpgemm/InitAll.h"
#include "mlir/CAPI/IR.h"
#include <mutex>

using namespace mlir;

void lpgemmRegisterAllDialects(MlirDialectRegistry registry) {
  lpgemm::registerAllDialects(*unwrap(registry));
}

void lpgemmRegisterAllPasses() {
  static std::once_flag once;
  std::call_once(once, lpgemm::registerAllPasses);
}

void lpgemmRegisterAllPipelines() {
  static std::once_flag once;
  std::call_once(once, lpgemm::registerAllPipelines);
}
