//===- Run.cpp - execute a module and compare -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-run/Run.h"

#include "Outputs.h"
#include "Report.h"
#include "lpgemm/Tools/Elements.h"
#include "lpgemm/Tools/ToolContext.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace {
/// One execution of lpgemm-run.
class Runner {
public:
  explicit Runner(const RunOptions &options) : options(options) {}

  Expected<bool> run();

private:
  /// Where text goes.
  llvm::raw_ostream &out() const {
    return options.json == "-" ? llvm::errs() : llvm::outs();
  }
  StringRef getDefinitionPath() const {
    return options.reference.empty() ? options.input : options.reference;
  }
  /// Reads the module, and the one that defines what it computes.
  Error loadModules();
  /// Whether the error of quantization is told.
  bool wantsQuantization() const;
  Expected<CallResult> callReference(ReferenceKind kind);
  Expected<ArrayRef<Output>> getReference(ReferenceKind kind);
  void describeCall(const CallResult &result);
  Error compare(ArrayRef<Output> outputs);
  Error writeOutputs(ArrayRef<Output> outputs);
  Expected<bool> finish(CallResult result);

  const RunOptions &options;
  Settings settings;
  ToolContext context;
  OwningOpRef<ModuleOp> module, definition;
  Signature signature; // of the definition
  std::string entry;
  RunArguments arguments;
  /// By the numbers in which they form sums.
  std::map<Accumulation, Program> referencePrograms;
  std::map<ReferenceKind, SmallVector<Output>> references;
  Report report;
};
} // namespace

Error Runner::loadModules() {
  Expected<OwningOpRef<ModuleOp>> parsed = context.parse(options.input);
  if (!parsed)
    return parsed.takeError();
  module = std::move(*parsed);
  Expected<func::FuncOp> function =
      findEntry(*module, options.entry, options.input);
  if (!function)
    return function.takeError();
  entry = function->getName();
  if (options.reference.empty()) {
    definition = module->clone();
  } else {
    parsed = context.parse(options.reference);
    if (!parsed)
      return parsed.takeError();
    definition = std::move(*parsed);
  }
  function = findEntry(*definition, entry, getDefinitionPath());
  if (!function)
    return function.takeError();
  Expected<Signature> found = getSignature(*function);
  if (!found)
    return found.takeError();
  signature = std::move(*found);
  return Error::success();
}

Expected<CallResult> Runner::callReference(ReferenceKind kind) {
  // The judge adds as the device does, whatever the program at hand adds in.
  Lowering lowering = settings.lowering;
  lowering.accumulate = Accumulation::F64;
  if (kind == ReferenceKind::Device) {
    lowering.accumulate = settings.deviceAccumulate;
    // Of another module it is not known which schedules its kernels have.
    if (options.reference.empty())
      lowering.orderedAs = options.chip;
  }
  auto found = referencePrograms.find(lowering.accumulate);
  if (found == referencePrograms.end()) {
    OwningOpRef<ModuleOp> lowered = definition->clone();
    Expected<Program> program = Program::compile(
        *lowered, entry, **lookupDevice("reference"), lowering);
    if (!program)
      return program.takeError();
    found = referencePrograms.emplace(lowering.accumulate, std::move(*program))
                .first;
  }
  SmallVector<CallArgument> values(arguments.values);
  if (kind == ReferenceKind::Magnitude)
    for (CallArgument &value : values)
      if (value.elements)
        value.elements =
            mlir::lpgemm::takeAbsolute(*value.elements, value.type);
  return found->second.call(values, /*poison=*/false);
}

/// Whether all sums of a module are of FP8, which some devices form in numbers
/// of their own.
static bool hasOnlyFP8Sums(ModuleOp module) {
  auto isFP8 = [](Value matrix) {
    return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(matrix));
  };
  WalkResult result = module.walk([&](MatmulOp op) {
    return isFP8(op.getLhs()) && isFP8(op.getRhs()) ? WalkResult::advance()
                                                    : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

Expected<ArrayRef<Output>> Runner::getReference(ReferenceKind kind) {
  if (kind == ReferenceKind::Device &&
      (settings.deviceAccumulate == Accumulation::F64 ||
       !hasOnlyFP8Sums(*definition)))
    kind = ReferenceKind::Definition;
  auto found = references.find(kind);
  if (found == references.end()) {
    Expected<CallResult> result = callReference(kind);
    if (!result)
      return result.takeError();
    SmallVector<Output> outputs =
        selectOutputs(signature, arguments, std::move(*result));
    found = references.emplace(kind, std::move(outputs)).first;
  }
  return ArrayRef(found->second);
}

bool Runner::wantsQuantization() const {
  return options.compare || !options.json.empty() ||
         options.quantizationTolerance || !options.lhsUnquantized.empty() ||
         !options.rhsUnquantized.empty() || options.device == "reference";
}

void Runner::describeCall(const CallResult &result) {
  report.entry = entry;
  report.seconds = result.seconds;
  report.faults = result.device.faults;
  report.kernelMilliseconds = result.device.kernelMilliseconds;
  for (unsigned argument : result.damaged)
    report.faults.push_back("FAILED: " + signature.describe(argument) +
                            " was written outside of its elements");
  for (auto [value, source] :
       llvm::zip_equal(arguments.values, arguments.sources)) {
    std::string type;
    llvm::raw_string_ostream(type) << value.type;
    report.arguments.push_back({type, value.shape, source});
  }
  for (StringRef fault : report.faults)
    out() << fault << "\n";
  if (options.time)
    printTimes(out(), report, options.device);
  if (options.emulatorStatistics)
    printLdsStatistics(out());
}

Error Runner::compare(ArrayRef<Output> outputs) {
  auto reference = [&](ReferenceKind kind) { return getReference(kind); };
  Judge judge(signature, arguments, options, settings, reference,
              getDefinitionPath());
  if (options.compare)
    if (Error error = judge.compareImplementation(outputs))
      return error;
  if (wantsQuantization())
    if (Error error = judge.compareQuantization(outputs))
      return error;
  report.comparisons = std::move(judge.comparisons);
  return Error::success();
}

Error Runner::writeOutputs(ArrayRef<Output> outputs) {
  if (!report.isOk() || settings.outputs.empty())
    return Error::success();
  SmallVector<NpyOutput> files;
  for (auto [path, output] : llvm::zip_equal(settings.outputs, outputs))
    files.push_back({path, output.array});
  return writeNpyFiles(files);
}

Expected<bool> Runner::finish(CallResult result) {
  describeCall(result);
  SmallVector<Output> outputs =
      selectOutputs(signature, arguments, std::move(result));
  if (!settings.outputs.empty() && outputs.size() != settings.outputs.size())
    return createStringError("@" + entry + " has " + Twine(outputs.size()) +
                             " results, but -o names " +
                             Twine(settings.outputs.size()) +
                             ": give a file for each, with commas between");
  // The result of the reference need not be computed again.
  if (options.device == "reference" && options.reference.empty() &&
      settings.lowering.accumulate == Accumulation::F64)
    references.emplace(ReferenceKind::Definition, outputs);
  if (Error error = compare(outputs))
    return error;
  for (const Comparison &comparison : report.comparisons)
    printComparison(out(), comparison);
  auto write = [&] { return writeOutputs(outputs); };
  if (Error error = options.json.empty()
                        ? write()
                        : writeReport(options.json, report, options, write))
    return error;
  return report.isOk();
}

Expected<bool> Runner::run() {
  Expected<Settings> parsed = parseSettings(options);
  if (!parsed)
    return parsed.takeError();
  settings = std::move(*parsed);
  if (Error error = loadModules())
    return error;
  if (options.compare && *options.compare == "reference" &&
      signature.ops.empty())
    return createStringError(getDefinitionPath() + ": @" + entry +
                             " has no lpgemm op to compare with: name the "
                             "module before lowering with --reference");
  Expected<RunArguments> made = makeArguments(signature, options, settings);
  if (!made)
    return made.takeError();
  arguments = std::move(*made);
  Expected<Program> program =
      Program::compile(*module, entry, *settings.device, settings.lowering);
  if (!program)
    return program.takeError();
  Expected<CallResult> result = program->call(arguments.values, options.poison);
  if (!result)
    return result.takeError();
  return finish(std::move(*result));
}

Expected<bool> mlir::lpgemm::runModule(const RunOptions &options) {
  return Runner(options).run();
}
