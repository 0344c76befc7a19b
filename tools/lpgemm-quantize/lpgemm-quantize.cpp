//===- lpgemm-quantize.cpp - quantize a matrix ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-quantize/QuantizeFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;

static const char overview[] =
    "LPGEMM quantizer\n\n"
    "Reads a row-major matrix [rows][K] of f32 or f16 and writes the codes of\n"
    "its elements and the f8E8M0FNU codes of its scales, one scale for each "
    "32\n"
    "elements of a row. Both are arrays of bytes: codes[rows][K] and\n"
    "scales[rows][ceil(K / 32)]. Codes of f4E2M1FN are packed two to a byte,\n"
    "even K in the low half: codes[rows][ceil(K / 2)].\n";

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  enum class Scaling { MX };
  cl::OptionCategory category("lpgemm-quantize options");
  mlir::lpgemm::QuantizeFileOptions options;
  cl::opt<std::string, true> input(cl::Positional, cl::desc("<input .npy>"),
                                   cl::location(options.input),
                                   cl::cat(category));
  cl::opt<std::string, true> format(
      "format", cl::value_desc("type"), cl::location(options.format),
      cl::desc("Element format: f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ or "
               "f4E2M1FN"),
      cl::cat(category));
  cl::opt<Scaling> scale(
      "scale", cl::desc("Scaling scheme:"), cl::init(Scaling::MX),
      cl::values(clEnumValN(Scaling::MX, "mx",
                            "Power-of-two scales of blocks of 32 (default)")),
      cl::cat(category));
  cl::opt<std::string, true> rule(
      "rule", cl::value_desc("name"), cl::location(options.rule),
      cl::desc("Scale from the largest magnitude: rceil (default), floor, ceil "
               "or even"),
      cl::cat(category));
  cl::opt<std::string, true> output(
      "o", cl::value_desc("file"), cl::desc("Codes, .npy"),
      cl::location(options.output), cl::cat(category));
  cl::opt<std::string, true> scales(
      "scales", cl::value_desc("file"), cl::desc("Scales, .npy"),
      cl::location(options.scales), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  ExitOnError("lpgemm-quantize: error: ")(mlir::lpgemm::quantizeFile(options));
}
