//===- RunOptions.cpp - command line of lpgemm-run ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-run/Run.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace mlir::lpgemm;

static const char overview[] =
    "LPGEMM runner\n\n"
    "Calls a function of a module, on the CPU, and compares the result.\n\n"
    "Arguments are the --arg files in order; codes of 8-bit formats are "
    "uint8.\n"
    "Destinations of lpgemm.matmul may be left out. With --init, inputs may "
    "be\n"
    "left out as well:\n"
    "  normal:SEED  normally distributed elements, random scales\n"
    "  codes:SEED   every finite code with the same probability\n"
    "  exact:SEED   small integers and scales whose sums are exact in f32;\n"
    "               a comparison then demands equal bits\n";

namespace {
struct CommandLine {
  RunOptions options;
  cl::OptionCategory category{"lpgemm-run options"};
  cl::opt<std::string, true> input{cl::Positional, cl::desc("<input .mlir>"),
                                   cl::location(options.input),
                                   cl::cat(category)};
  cl::opt<std::string, true> entry{
      "entry", cl::value_desc("name"),
      cl::desc("Function to call (default: the only public one)"),
      cl::location(options.entry), cl::cat(category)};
  cl::opt<std::string, true> chip{"chip",
                                  cl::value_desc("name"),
                                  cl::desc("Chip to lower for"),
                                  cl::location(options.chip),
                                  cl::init("gfx950"),
                                  cl::cat(category)};
  cl::opt<std::string, true> device{
      "device",
      cl::value_desc("name"),
      cl::desc("reference (default): the definition of the ops in f64; "
               "emulate: the lowered kernels in the emulator"),
      cl::location(options.device),
      cl::init("reference"),
      cl::cat(category)};
  cl::list<std::string> arguments{"arg", cl::value_desc("file"),
                                  cl::desc("Next argument, .npy"),
                                  cl::cat(category)};
  cl::opt<std::string, true> init{
      "init", cl::value_desc("kind:seed"),
      cl::desc("Make the arguments that have no file"),
      cl::location(options.init), cl::cat(category)};
  cl::opt<std::string, true> size{
      "size", cl::value_desc("MxNxK"),
      cl::desc("Extents that neither types nor files give"),
      cl::location(options.size), cl::cat(category)};
  cl::opt<bool, true> poison{
      "poison", cl::desc("Surround every row and every argument by NaN"),
      cl::location(options.poison), cl::cat(category)};
  cl::opt<std::string> compare{
      "compare", cl::value_desc("reference|file"),
      cl::desc("Compare the result with the reference or an .npy file"),
      cl::cat(category)};
  cl::opt<std::string, true> reference{
      "reference", cl::value_desc("file"),
      cl::desc("Module that defines the result (default: the input)"),
      cl::location(options.reference), cl::cat(category)};
  cl::opt<std::string, true> output{
      "o", cl::value_desc("file"), cl::desc("Result, .npy"),
      cl::location(options.output), cl::cat(category)};
  cl::opt<EmulatorChecks, true> checks{
      "emulator-checks", cl::desc("Check memory accesses and data races:"),
      cl::values(clEnumValN(EmulatorChecks::On, "on", "Yes (default)"),
                 clEnumValN(EmulatorChecks::Off, "off", "No")),
      cl::location(options.emulatorChecks), cl::cat(category)};
  cl::opt<unsigned, true> threads{
      "emulator-threads", cl::value_desc("n"),
      cl::desc("Threads of the emulator (default: one for each core)"),
      cl::location(options.emulatorThreads), cl::cat(category)};
  cl::opt<std::string, true> order{
      "emulator-order", cl::value_desc("order"),
      cl::desc("Order in which lanes run: forward (default), reverse or "
               "random:SEED"),
      cl::location(options.emulatorOrder), cl::cat(category)};
  cl::opt<std::string, true> loads{
      "emulator-loads", cl::value_desc("time"),
      cl::desc("When loads to LDS take effect between their issue and the wait "
               "for them: late (default), early or random, by the seed of "
               "--emulator-order"),
      cl::location(options.emulatorLoads), cl::cat(category)};
  cl::opt<bool, true> time{"time", cl::desc("Print how long the call took"),
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
  return line.options;
}
