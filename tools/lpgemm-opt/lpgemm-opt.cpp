//===- lpgemm-opt.cpp - optimizer driver ----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Emulator/Emulator.h"
#include "lpgemm/Emulator/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlir::lpgemm::registerEmulatorPasses();
  mlir::lpgemm::emulator::registerEmulatorPipelines();
  registry.insert<mlir::lpgemm::LPGEMMDialect>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "LPGEMM optimizer driver\n", registry));
}
