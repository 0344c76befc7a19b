//===- lpgemm-run.cpp - execute a module and compare ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-run/Run.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  mlir::lpgemm::RunOptions options = mlir::lpgemm::parseRunOptions(argc, argv);
  bool ok =
      ExitOnError("lpgemm-run: error: ")(mlir::lpgemm::runModule(options));
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
