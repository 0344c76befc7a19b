//===- CommandLine.cpp - command line of lpgemm-quantize ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-quantize/QuantizeFile.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace mlir::lpgemm;

static const char overview[] = R"(LPGEMM quantizer

Reads a row-major matrix [rows][K] of f32 or f16 and writes its quantized
form: a value is about scale times element. A right operand is read as its
transpose, [columns][K].

  codes         uint8 [rows][K], one code in a byte, in its lowest bits. With
                --packed uint8 [rows][ceil(K * bits / 8)]: a stream of bits,
                the first code lowest; every row starts with a byte.
  scales        float32 for f32 and bf16, uint8 codes for the others.
                [ceil(rows / block rows)][ceil(K / block columns)] in row
                layout; in other layouts a 1-D array, the buffer as it lies
                in memory with its padding.
  tensor scale  float32, rank 0; with nvfp4 a value is about tensor scale times
                scale times element.
  amax          float32, rank 0, the largest magnitude of the matrix.

i8 under scales of f8E8M0FNU counts multiples of 2^-6 (MXINT8).
)";

/// An option that is absent unless it is on the command line.
template <typename T>
static std::optional<T> getIfGiven(const cl::opt<T> &option) {
  if (option.getNumOccurrences() == 0)
    return std::nullopt;
  return option.getValue();
}

namespace {
using StringOption = cl::opt<std::string, true>;

struct CommandLine {
  QuantizeFileOptions options;
  cl::OptionCategory category{"lpgemm-quantize options"};
  StringOption input{cl::Positional, cl::desc("<input .npy>"),
                     cl::location(options.input), cl::cat(category)};

  StringOption format{
      "format", cl::value_desc("type"), cl::location(options.format),
      cl::desc("Elements: f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ, f6E2M3FN, "
               "f6E3M2FN, f4E2M1FN, i8 or i4"),
      cl::cat(category)};
  StringOption scale{
      "scale", cl::value_desc("scaling"), cl::location(options.scale),
      cl::desc("What shares a scale: mx (default), 32 of a row; nvfp4, 16 of a "
               "row, or nvfp4_2d, 16x16, under a scale of the tensor; tensor; "
               "row; column; or blocks of RxC, such as 1x128 or 128x128"),
      cl::cat(category)};
  StringOption scaleType{
      "scale-type", cl::value_desc("type"), cl::location(options.scaleType),
      cl::desc("Scales: f32, bf16, f8E8M0FNU or f8E4M3FN (default: that of mx "
               "and nvfp4, otherwise f32)"),
      cl::cat(category)};
  StringOption rule{
      "rule", cl::value_desc("name"), cl::location(options.rule),
      cl::desc("Scale from the largest magnitude: rceil, floor, ceil or even "
               "for f8E8M0FNU; amax for the others; pow2, a power of two, for "
               "f32 and bf16 (default: rceil or amax)"),
      cl::cat(category)};
  cl::opt<bool, true> reciprocal{
      "recip", cl::location(options.reciprocal),
      cl::desc("Multiply by the reciprocal of a scale instead of dividing"),
      cl::cat(category)};
  cl::opt<float, true> amaxFloor{
      "amax-floor", cl::value_desc("x"), cl::location(options.amaxFloor),
      cl::desc("Let no largest magnitude count less"), cl::cat(category)};
  cl::opt<float, true> minScale{
      "min-scale", cl::value_desc("x"), cl::location(options.minScale),
      cl::desc("Make no scale smaller"), cl::cat(category)};
  StringOption nonFinite{
      "non-finite", cl::value_desc("mode"), cl::location(options.nonFinite),
      cl::desc("Scale of a block with infinity or NaN: nan (default), which "
               "makes it NaN, or sat, the largest or 1"),
      cl::cat(category)};
  cl::opt<double, true> percentile{
      "percentile", cl::value_desc("p"), cl::location(options.percentile),
      cl::desc("Part of the magnitudes that the scale of a tensor covers "
               "(default: 1)"),
      cl::cat(category)};
  cl::opt<float> tensorAmax{
      "tensor-amax", cl::value_desc("x"),
      cl::desc("Largest magnitude to make the scale of the tensor for "
               "(default: that of the matrix)"),
      cl::cat(category)};
  cl::opt<std::string> givenScales{
      "given-scales", cl::value_desc("file"),
      cl::desc("Scales to use, as --scales writes them in row layout"),
      cl::cat(category)};

  StringOption overflow{
      "overflow", cl::value_desc("mode"), cl::location(options.overflow),
      cl::desc("Elements that are too large: sat (default), the largest "
               "finite; or nosat, infinity or NaN"),
      cl::cat(category)};
  StringOption round{"round", cl::value_desc("mode"),
                     cl::location(options.round),
                     cl::desc("rne (default): to nearest, ties to even; or "
                              "stochastic"),
                     cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::value_desc("n"),
                         cl::desc("Seed of --round=stochastic (default: 0)"),
                         cl::cat(category)};

  cl::opt<bool, true> packed{"packed", cl::location(options.packed),
                             cl::desc("Write codes without gaps"),
                             cl::cat(category)};
  StringOption codeLayout{
      "code-layout", cl::value_desc("name"), cl::location(options.codeLayout),
      cl::desc("Order of the bytes of the codes: row (default) or w16x16, "
               "shuffled for AMD's matrix instructions"),
      cl::cat(category)};
  StringOption layout{
      "layout", cl::value_desc("name"), cl::location(options.layout),
      cl::desc("Order of the scales: row (default), col, mn_tma, "
               "mn_tma_ue8m0x4, blk128x128, swz128x4 or amd32x8"),
      cl::cat(category)};

  StringOption output{"o", cl::value_desc("file"), cl::desc("Codes, .npy"),
                      cl::location(options.output), cl::cat(category)};
  StringOption scales{"scales", cl::value_desc("file"),
                      cl::desc("Scales, .npy"), cl::location(options.scales),
                      cl::cat(category)};
  cl::opt<std::string> tensorScale{"tensor-scale", cl::value_desc("file"),
                                   cl::desc("Scale of the tensor, .npy"),
                                   cl::cat(category)};
  cl::opt<std::string> amax{"amax", cl::value_desc("file"),
                            cl::desc("Largest magnitude, .npy"),
                            cl::cat(category)};
};
} // namespace

QuantizeFileOptions mlir::lpgemm::parseQuantizeFileOptions(int argc,
                                                           char **argv) {
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  line.options.tensorAmax = getIfGiven(line.tensorAmax);
  line.options.givenScales = getIfGiven(line.givenScales);
  line.options.seed = getIfGiven(line.seed);
  line.options.tensorScale = getIfGiven(line.tensorScale);
  line.options.amax = getIfGiven(line.amax);
  return line.options;
}
