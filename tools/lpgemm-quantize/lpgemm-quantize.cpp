//===- lpgemm-quantize.cpp - quantize a matrix ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-quantize/QuantizeFile.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  ExitOnError("lpgemm-quantize: error: ")(mlir::lpgemm::quantizeFile(
      mlir::lpgemm::parseQuantizeFileOptions(argc, argv)));
}
