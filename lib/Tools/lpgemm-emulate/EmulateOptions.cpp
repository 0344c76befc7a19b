//===- EmulateOptions.cpp - command line of lpgemm-emulate ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-emulate/Emulate.h"

#include "lpgemm/Tools/CommandLine.h"

using namespace llvm;
using namespace mlir::lpgemm;

static const char overview[] =
    "LPGEMM emulator\n\n"
    "Launches one kernel, written in the LLVM dialect with ROCDL or NVVM ops "
    "or above,\n"
    "on the CPU, and reports what a GPU would silently get wrong. Exits with 0 "
    "if there\n"
    "is no report and every --expect holds.\n\n"
    "The input has gpu.modules, or functions with rocdl.kernel, nvvm.kernel "
    "or\n"
    "gpu.kernel. Host code beside gpu.modules is not run.\n\n"
    "Arguments, in the order of the kernel's parameters:\n"
    "  TYPE=NUMBER           a scalar: i1, i8, i16, i32, i64, index, f16, "
    "bf16, f32, f64\n"
    "  NAME:TYPE[DIMS]=INIT  a buffer, such as a:f8E4M3FN[64x128]=random:1: "
    "its pointer,\n"
    "                        or all parameters of a memref's descriptor\n"
    "  NAME:tensormap(BUFFER, box=DIMS, ...)\n"
    "                        a tensor map of a buffer\n"
    "                        of --arg or --buffer\n\n"
    "Types of buffers: f64, f32, f16, bf16, f8E4M3FN, f8E5M2, f8E4M3FNUZ, "
    "f8E5M2FNUZ,\n"
    "f8E8M0FNU, f6E2M3FN, f6E3M2FN, f4E2M1FN, i8, i32, i64. Rows of FP6 and "
    "FP4 "
    "are\n"
    "packed in memory; in files every code is one byte.\n\n"
    "INIT is one of\n"
    "  zeros        zero bits\n"
    "  poison       NaN, or bits all ones\n"
    "  iota         0, 1, 2, ..., rounded to the type\n"
    "  random:SEED  numbers of [-1, 1), integers of [-8, 8), f8E8M0FNU of "
    "2^-4 to 2^4\n"
    "  codes:SEED   every finite code with the same probability\n"
    "  FILE.npy     an array of the same shape\n\n"
    "A tensor map is of the buffer's elements; options, with commas between:\n"
    "  box=DIMS              extents of the box, innermost first as in CUDA\n"
    "  dims=DIMS             extents of the tensor, innermost first (default: "
    "the\n"
    "                        buffer's)\n"
    "  strides=BYTES         of the dimensions from 1 on (default: dense)\n"
    "  steps=DIMS            element strides (default: 1)\n"
    "  swizzle=none|32|64|128, interleave=none|16|32, fill=zeros|nan\n\n"
    "--expect compares with the criteria of lpgemm-run's --tolerance, such as\n"
    "bits (default), abs:X, rel:X, ulp:N or sqnr:DB.\n";

namespace {
struct CommandLine {
  EmulateOptions options;
  cl::OptionCategory category{"lpgemm-emulate options"};
  cl::opt<std::string, true> input{cl::Positional, cl::desc("<input .mlir>"),
                                   cl::location(options.input),
                                   cl::cat(category)};
  TextOption kernel{"kernel", cl::value_desc("name"),
                    cl::desc("Kernel to launch (default: the only one)"),
                    cl::location(options.kernel), cl::cat(category)};
  TextOption chip{"chip", cl::value_desc("name"),
                  cl::desc("Chip to emulate (default: gfx950)"),
                  cl::location(options.chip), cl::cat(category)};
  TextOption grid{"grid", cl::value_desc("x,y,z"),
                  cl::desc("Workgroups (default: 1)"),
                  cl::location(options.grid), cl::cat(category)};
  TextOption block{"block", cl::value_desc("x,y,z"),
                   cl::desc("Work items of a workgroup (default: 1)"),
                   cl::location(options.block), cl::cat(category)};
  cl::opt<std::string> cluster{"cluster", cl::value_desc("x,y,z"),
                               cl::desc("Workgroups of a cluster"),
                               cl::cat(category)};
  cl::opt<int64_t, true> dynamicShared{
      "dynamic-shared", cl::value_desc("bytes"),
      cl::desc("Dynamic shared memory of a workgroup (default: 0)"),
      cl::location(options.dynamicSharedBytes), cl::cat(category)};
  cl::list<std::string> arguments{"arg", cl::value_desc("argument"),
                                  cl::desc("Next argument, see above"),
                                  cl::cat(category)};
  cl::list<std::string> buffers{
      "buffer", cl::value_desc("buffer"),
      cl::desc("A buffer of no parameter, for tensor maps"), cl::cat(category)};
  cl::list<std::string> saved{"save", cl::value_desc("name=file"),
                              cl::desc("Write a buffer after the launch, .npy"),
                              cl::cat(category)};
  cl::list<std::string> expected{"expect", cl::value_desc("name=file"),
                                 cl::desc("Compare a buffer with an .npy file"),
                                 cl::cat(category)};
  cl::opt<std::string> tolerance{
      "tolerance", cl::value_desc("criteria"),
      cl::desc("What --expect demands, with commas between (default: bits)"),
      cl::cat(category)};
  cl::list<std::string> printed{
      "print", cl::value_desc("name"),
      cl::desc("Print the first elements of a buffer after the launch"),
      cl::cat(category)};
  cl::opt<bool, true> statistics{
      "statistics",
      cl::desc("Print what the emulator counts, and the cycles of LDS accesses "
               "with the operations that lose most to bank conflicts"),
      cl::location(options.statistics), cl::cat(category)};
  TextOption json{"json", cl::value_desc("file"),
                  cl::desc("Reports, comparisons and statistics, JSON; - is "
                           "stdout, and all else goes to stderr"),
                  cl::location(options.json), cl::cat(category)};
  EmulatorCommandLine emulator{options.emulator, category};
  cl::opt<emulator::Numerics, true> numerics{
      "numerics",
      cl::desc("How matrix instructions on floats form their sums:"),
      cl::values(
          clEnumValN(emulator::Numerics::Exact, "exact",
                     "Exactly, rounded once (default)"),
          clEnumValN(emulator::Numerics::F32, "f32",
                     "In f32, one product after the other"),
          clEnumValN(emulator::Numerics::Hw, "hw", "As an NVIDIA chip does")),
      cl::location(options.numerics), cl::cat(category)};
  cl::opt<uint64_t> stepBudget{
      "step-budget", cl::value_desc("n"),
      cl::desc("Passes through loops that the work items of a workgroup may "
               "take together before it counts as hung (default: 2^32)"),
      cl::cat(category)};
};
} // namespace

EmulateOptions mlir::lpgemm::parseEmulateOptions(int argc, char **argv) {
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  line.options.arguments = line.arguments;
  line.options.buffers = line.buffers;
  line.options.saved = line.saved;
  line.options.expected = line.expected;
  line.options.printed = line.printed;
  if (line.cluster.getNumOccurrences())
    line.options.cluster = line.cluster;
  if (line.tolerance.getNumOccurrences())
    line.options.tolerance = line.tolerance;
  if (line.stepBudget.getNumOccurrences())
    line.options.stepBudget = line.stepBudget;
  return line.options;
}
