//===- lpgemm-emulate.cpp - run one kernel in the emulator ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-emulate/Emulate.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  mlir::lpgemm::EmulateOptions options =
      mlir::lpgemm::parseEmulateOptions(argc, argv);
  bool ok = ExitOnError("lpgemm-emulate: error: ")(
      mlir::lpgemm::emulateKernel(options));
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
