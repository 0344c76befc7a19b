//===- lpgemm-compile.cpp - ahead-of-time compiler ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/CommandLine.h"
#include "lpgemm/Tools/lpgemm-compile/CompileFile.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::OptionCategory category("lpgemm-compile options");
  mlir::lpgemm::CompileFileOptions options;
  cl::opt<std::string, true> input(cl::Positional, cl::desc("<input .mlir>"),
                                   cl::location(options.input),
                                   cl::cat(category));
  cl::opt<std::string, true> chip(
      "chip", cl::value_desc("name"), cl::desc("Chip to compile for"),
      cl::location(options.chip), cl::init("gfx950"), cl::cat(category));
  cl::opt<std::string, true> emit(
      "emit", cl::value_desc("what"), cl::location(options.emit),
      cl::init("binary"),
      cl::desc("mlir: host code and lowered kernels; of the kernels alone, "
               "llvm: LLVM IR; isa: assembly, or PTX; binary (default): an "
               "HSACO, or a cubin"),
      cl::cat(category));
  mlir::lpgemm::TextOption output(
      "o", cl::value_desc("file"), cl::desc("Result (default: stdout)"),
      cl::location(options.output), cl::init("-"), cl::cat(category));
  mlir::lpgemm::TextOption manifest(
      "manifest", cl::value_desc("file"), cl::location(options.manifest),
      cl::desc("Manifest of the kernels, as JSON: arguments, grid, resources "
               "(default: with -o, its file and \".json\"). The resources are "
               "known, and not null, with --emit=binary only"),
      cl::cat(category));
  cl::opt<bool, true> quiet(
      "quiet", cl::desc("Do not print the resources of the kernels"),
      cl::location(options.quiet), cl::cat(category));
  mlir::lpgemm::TextOption toolkit(
      "toolkit", cl::value_desc("path"),
      cl::desc("ROCm installation whose linker is used, with --emit=binary "
               "(default: ROCM_PATH, or else LLVM's linker), or CUDA toolkit "
               "whose ptxas is (default: CUDA_PATH, /usr/local/cuda, PATH)"),
      cl::location(options.toolkit), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "LPGEMM compiler\n\nCompiles the matrix products of a module, tensors "
      "or lowered, to kernels.\n");
  ExitOnError("lpgemm-compile: error: ")(mlir::lpgemm::compileFile(options));
}
