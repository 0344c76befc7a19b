//===- RunOptions.cpp - command line of lpgemm-run ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-run/Run.h"

#include "lpgemm/Tools/CommandLine.h"

using namespace llvm;
using namespace mlir::lpgemm;

static const char overview[] =
    "LPGEMM runner\n\n"
    "Calls a function of a module and compares the result.\n\n"
    "Arguments are those of --arg: .npy files in the order of the arguments, "
    "or\n"
    "N=FILE for argument N, or N=NUMBER for a scalar or a rank-0 argument N.\n"
    "Destinations of lpgemm ops may be left out, and with --init all others.\n"
    "An array has the shape of its argument and, by the type of an element:\n"
    "  FP8, FP6, FP4, f8E8M0FNU  uint8, one code in a byte; FP6 and FP4 are "
    "packed\n"
    "                            on the way to the function\n"
    "  bf16                      uint16, the bits; as an input also float32, "
    "if no\n"
    "                            element needs rounding\n"
    "  f16, f32, f64             float16, float32, float64\n"
    "  i8, i32, i64 and index    int8, int32, int64\n"
    "Results are written the same way, one file for each.\n\n"
    "--init makes arguments:\n"
    "  normal:SEED  normally distributed values, quantized to elements and "
    "scales\n"
    "               that belong together: with the scale rule rceil for "
    "f8E8M0FNU\n"
    "               scales, nvfp4 under a tensor scale, else amax. Blocks "
    "that\n"
    "               share a scale differ in size by powers of two\n"
    "  codes:SEED   every finite code with the same probability, random "
    "scales\n"
    "  exact:SEED   small integers and scales whose sums are exact in f32;\n"
    "               a comparison then demands equal bits\n"
    "What no group covers is NaN.\n\n"
    "A comparison judges the error of the kernel. The error of quantization "
    "is that\n"
    "of the reference to the f64 product of unquantized operands: those of\n"
    "--lhs-unquantized and --rhs-unquantized, or what --init=normal rounds to "
    "the\n"
    "elements. It is told beside, for products without an epilogue.\n\n"
    "A block-quantized result is compared as codes, as scales and as the "
    "values\n"
    "that they stand for. Rows that are not specified are not compared.\n\n"
    "Criteria of a tolerance, of which all must hold:\n"
    "  bits            equal bits\n"
    "  bound           within the error bound of sums in f32, for types "
    "narrower than\n"
    "                  f32 plus 1 ULP\n"
    "  abs:X rel:X     largest error, absolute or relative to the expected "
    "element\n"
    "  allclose:A:R    |err| <= A * rms(expected) + R * |expected|\n"
    "  ulp:N           largest distance in codes\n"
    "  equal:F near:F  least fraction of equal codes, of codes at most 1 "
    "apart\n"
    "  sqnr:DB         least ratio of signal to error in dB\n"
    "  cosine:X        least cosine similarity\n"
    "  calc_diff:X     largest 1 - 2 * sum(xy) / sum(x^2 + y^2)\n";

namespace {
struct CommandLine {
  RunOptions options;
  cl::OptionCategory category{"lpgemm-run options"};
  cl::opt<std::string, true> input{cl::Positional, cl::desc("<input .mlir>"),
                                   cl::location(options.input),
                                   cl::cat(category)};
  TextOption entry{"entry", cl::value_desc("name"),
                   cl::desc("Function to call (default: the only public one)"),
                   cl::location(options.entry), cl::cat(category)};
  cl::opt<std::string, true> chip{
      "chip",
      cl::value_desc("name"),
      cl::desc("Chip to lower for (default: gfx950); --device=reference is the "
               "same for all"),
      cl::location(options.chip),
      cl::init("gfx950"),
      cl::cat(category)};
  cl::opt<std::string, true> device{
      "device",
      cl::value_desc("name"),
      cl::desc("reference (default): the definition of the ops in f64; "
               "emulate: the lowered kernels in the emulator; cuda: the same "
               "on GPU 0 of this machine, through the CUDA driver"),
      cl::location(options.device),
      cl::init("reference"),
      cl::cat(category)};
  cl::opt<std::string, true> accumulate{
      "accumulate",
      cl::value_desc("numbers"),
      cl::desc("What --device=reference forms sums in: f64 (default), f32 in "
               "the order of K, or hopper, the limited accumulator of FP8 "
               "tensor cores. A comparison is always with sums in f64"),
      cl::location(options.accumulate),
      cl::init("f64"),
      cl::cat(category)};
  cl::list<std::string> arguments{
      "arg", cl::value_desc("file|N=file|N=number"),
      cl::desc("Next argument, or argument N, .npy"), cl::cat(category)};
  TextOption init{"init", cl::value_desc("kind:seed"),
                  cl::desc("Make the arguments that have no file"),
                  cl::location(options.init), cl::cat(category)};
  TextOption size{
      "size", cl::value_desc("MxNxK"),
      cl::desc(
          "Extents that neither types nor files give: those of the batch, "
          "M, N and K of products; without one, of all lpgemm ops, such as "
          "RxK"),
      cl::location(options.size), cl::cat(category)};
  TextOption groups{
      "groups", cl::value_desc("sizes"),
      cl::desc("Sizes of the groups of lpgemm.grouped_matmul, such as 3,0,5; "
               "makes its groups operand"),
      cl::location(options.groups), cl::cat(category)};
  cl::opt<bool, true> poison{
      "poison", cl::desc("Surround every row and every argument by NaN"),
      cl::location(options.poison), cl::cat(category)};
  cl::opt<std::string> compare{
      "compare", cl::value_desc("reference|files"),
      cl::desc(
          "Compare the results with the reference or with .npy files, one "
          "for each, with commas between. The reference forms sums in f64, "
          "for --device=cuda and --emulator-numerics=hw those of FP8 as tensor "
          "cores of Hopper do, in the order of the kernel"),
      cl::cat(category)};
  cl::opt<std::string> tolerance{
      "tolerance", cl::value_desc("criteria"),
      cl::desc("What a comparison demands, with commas between (default: bound "
               "for f32, bound,near:0.995 for f16 and bf16, bound,equal:0.99 "
               "for narrower types, bits for integers and what is no product)"),
      cl::cat(category)};
  cl::opt<std::string, true> tile{"tile",
                                  cl::value_desc("RxC"),
                                  cl::desc("Tiles of which the worst is told"),
                                  cl::location(options.tile),
                                  cl::init("128x128"),
                                  cl::cat(category)};
  TextOption lhsUnquantized{
      "lhs-unquantized", cl::value_desc("file"),
      cl::desc("lhs before it was quantized, .npy of float32"),
      cl::location(options.lhsUnquantized), cl::cat(category)};
  TextOption rhsUnquantized{
      "rhs-unquantized", cl::value_desc("file"),
      cl::desc("rhs before it was quantized, stored as rhs is"),
      cl::location(options.rhsUnquantized), cl::cat(category)};
  cl::opt<std::string> quantizationTolerance{
      "quantization-tolerance", cl::value_desc("criteria"),
      cl::desc("What the error of quantization must fulfil"),
      cl::cat(category)};
  TextOption json{
      "json", cl::value_desc("file"),
      cl::desc("All measures, JSON; - is stdout, and all else goes to stderr"),
      cl::location(options.json), cl::cat(category)};
  TextOption reference{
      "reference", cl::value_desc("file"),
      cl::desc("Module that defines the result (default: the input)"),
      cl::location(options.reference), cl::cat(category)};
  TextOption output{
      "o", cl::value_desc("files"),
      cl::desc("Results, .npy, one file for each, with commas between"),
      cl::location(options.output), cl::cat(category)};
  EmulatorCommandLine emulator{options.emulator, category};
  cl::opt<emulator::Numerics, true> numerics{
      "emulator-numerics",
      cl::desc("How tensor cores of NVIDIA form sums of floats:"),
      cl::values(clEnumValN(emulator::Numerics::Exact, "exact",
                            "In double precision (default)"),
                 clEnumValN(emulator::Numerics::F32, "f32", "In f32"),
                 clEnumValN(emulator::Numerics::Hw, "hw",
                            "As the chip does; the reference of products of "
                            "FP8 then adds as wgmma does")),
      cl::location(options.emulatorNumerics), cl::cat(category)};
  cl::opt<bool, true> statistics{
      "emulator-statistics",
      cl::desc("Print the cycles of LDS accesses, and the operations that lose "
               "most to bank conflicts"),
      cl::location(options.emulatorStatistics), cl::cat(category)};
  cl::opt<bool, true> time{
      "time", cl::desc("Print how long the call took, and kernels on a GPU"),
      cl::location(options.time), cl::cat(category)};
};
} // namespace

RunOptions mlir::lpgemm::parseRunOptions(int argc, char **argv) {
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  line.options.arguments = line.arguments;
  if (line.compare.getNumOccurrences())
    line.options.compare = line.compare;
  if (line.tolerance.getNumOccurrences())
    line.options.tolerance = line.tolerance;
  if (line.quantizationTolerance.getNumOccurrences())
    line.options.quantizationTolerance = line.quantizationTolerance;
  return line.options;
}
