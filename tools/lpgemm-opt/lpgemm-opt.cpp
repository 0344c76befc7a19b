//===- lpgemm-opt.cpp - optimizer driver ----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/InitAll.h"
#include "lpgemm/Version.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

/// Runs MlirOptMain. It empties its output before it reads its input, and
/// removes it on failure; here a file that was there stays until all went well.
static llvm::LogicalResult run(int argc, char **argv,
                               mlir::DialectRegistry &registry) {
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "LPGEMM optimizer driver\n", registry);
  llvm::SmallString<128> temp;
  if (!llvm::sys::fs::is_regular_file(output) ||
      llvm::sys::fs::getPotentiallyUniqueTempFileName("lpgemm-opt", "mlir",
                                                      temp))
    return mlir::MlirOptMain(argc, argv, input, output, registry);
  llvm::FileRemover remover(temp);
  if (failed(mlir::MlirOptMain(argc, argv, input, temp, registry)))
    return llvm::failure();
  if (!llvm::sys::fs::exists(temp)) // For example --show-dialects.
    return llvm::success();
  if (std::error_code error = llvm::sys::fs::copy_file(temp, output)) {
    llvm::errs() << output << ": error: " << error.message() << "\n";
    return llvm::failure();
  }
  return llvm::success();
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  mlir::registerAllPasses();
  mlir::lpgemm::registerAllDialects(registry);
  mlir::lpgemm::registerAllPasses();
  mlir::lpgemm::registerAllPipelines();
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "LPGEMM version " LPGEMM_VERSION_STRING "\n";
  });
  return mlir::asMainReturnCode(run(argc, argv, registry));
}
