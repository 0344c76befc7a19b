//===- Run.cpp - execute a module and compare -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-run/Run.h"

#include "Compare.h"
#include "Inputs.h"
#include "Program.h"
#include "lpgemm/Emulator/Runtime.h"
#include "lpgemm/Tools/ToolContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

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
  Error parseOptions();
  /// Reads the module, and the one that defines what it computes.
  Error loadModules();
  Error makeArguments();
  Error fillArguments(ArrayRef<Shape> shapes);
  bool isExact() const { return init && init->kind == InitKind::Exact; }
  /// What a call computed, out of all it left behind.
  SmallVector<NpyArray> selectOutputs(CallResult &result) const;
  Expected<CallResult> callReference(bool takeAbsolute);
  Expected<SmallVector<NpyArray>> loadExpected();
  Expected<bool> compare(ArrayRef<NpyArray> outputs);
  Expected<bool> report(CallResult result);

  const RunOptions &options;
  const Device *device = nullptr;
  std::optional<InitMode> init;
  ProblemSize size;
  ToolContext context;
  OwningOpRef<ModuleOp> module, definition;
  Signature signature; // of the definition
  std::string entry;
  SmallVector<CallArgument> arguments;
  std::optional<Program> referenceProgram;
};
} // namespace

static Error setEmulatorOptions(const RunOptions &options) {
  static constexpr std::pair<StringLiteral, emulator::LaneOrder> orders[] = {
      {"forward", emulator::LaneOrder::Forward},
      {"reverse", emulator::LaneOrder::Reverse},
      {"random", emulator::LaneOrder::Random}};
  emulator::Options settings;
  settings.threads = options.emulatorThreads;
  settings.checks = options.emulatorChecks == EmulatorChecks::On;
  auto [name, seed] = StringRef(options.emulatorOrder).split(':');
  for (auto [orderName, order] : orders) {
    bool hasSeed = order == emulator::LaneOrder::Random;
    if (name != orderName ||
        (hasSeed ? seed.getAsInteger(10, settings.seed) : !seed.empty()))
      continue;
    settings.order = order;
    emulator::setOptions(settings);
    return Error::success();
  }
  return createStringError("expected --emulator-order to be forward, reverse "
                           "or random:SEED, got '" +
                           Twine(options.emulatorOrder) + "'");
}

Error Runner::parseOptions() {
  if (options.input.empty())
    return createStringError("an input file must be given, see --help");
  if (Error error = checkChip(options.chip))
    return error;
  Expected<const Device *> found = lookupDevice(options.device);
  if (!found)
    return found.takeError();
  device = *found;
  if (!options.init.empty()) {
    Expected<InitMode> mode = parseInit(options.init);
    if (!mode)
      return mode.takeError();
    init = *mode;
  }
  if (!options.size.empty()) {
    Expected<ProblemSize> parsed = parseSize(options.size);
    if (!parsed)
      return parsed.takeError();
    size = *parsed;
  }
  return setEmulatorOptions(options);
}

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
  StringRef path = options.input;
  if (options.reference.empty()) {
    definition = module->clone();
  } else {
    path = options.reference;
    parsed = context.parse(path);
    if (!parsed)
      return parsed.takeError();
    definition = std::move(*parsed);
  }
  function = findEntry(*definition, entry, path);
  if (!function)
    return function.takeError();
  Expected<Signature> found = getSignature(*function);
  if (!found)
    return found.takeError();
  signature = std::move(*found);
  if (!options.compare.empty() && signature.products.empty())
    return createStringError(path + ": @" + entry +
                             " has no lpgemm.matmul to compare with: name the "
                             "module before lowering with --reference");
  return Error::success();
}

Error Runner::fillArguments(ArrayRef<Shape> shapes) {
  int64_t k = getLargestK(signature, shapes);
  if (isExact() && k > kLargestExactK)
    return createStringError("--init=exact needs K <= " +
                             Twine(kLargestExactK) + ", got " + Twine(k));
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    argument.shape = shapes[i];
    if (argument.elements || signature.isDestination(i))
      continue;
    Expected<NpyArray> array =
        generateArgument(signature, i, argument.shape, *init);
    if (!array)
      return array.takeError();
    argument.elements = std::move(*array);
  }
  return Error::success();
}

Error Runner::makeArguments() {
  unsigned count = signature.arguments.size(), given = options.arguments.size();
  if (given > count)
    return createStringError("expected at most " + Twine(count) +
                             " --arg for @" + entry + ", got " + Twine(given));
  arguments.resize(count);
  SmallVector<std::optional<Shape>> shapes(count);
  for (unsigned i = 0; i != given; ++i) {
    Expected<NpyArray> array = readArgument(signature, i, options.arguments[i]);
    if (!array)
      return array.takeError();
    shapes[i] = Shape(array->getShape());
    arguments[i].elements = std::move(*array);
  }
  for (unsigned i = given; i != count; ++i)
    if (!init && !signature.isDestination(i))
      return createStringError(signature.describe(i) +
                               " has no --arg: pass it, or --init");
  Expected<SmallVector<Shape>> resolved =
      resolveShapes(signature, shapes, size);
  if (!resolved)
    return resolved.takeError();
  return fillArguments(*resolved);
}

SmallVector<NpyArray> Runner::selectOutputs(CallResult &result) const {
  SmallVector<NpyArray> outputs;
  for (unsigned i = 0, e = result.arguments.size(); i != e; ++i)
    if (signature.isDestination(i))
      outputs.push_back(result.arguments[i]);
  if (outputs.empty())
    outputs = result.results;
  // Nothing tells which argument of a lowered function is written.
  if (outputs.empty() && !result.arguments.empty())
    outputs.push_back(result.arguments.back());
  return outputs;
}

Expected<CallResult> Runner::callReference(bool takeAbsolute) {
  if (!referenceProgram) {
    Expected<Program> program = Program::compile(
        *definition, entry, **lookupDevice("reference"), options.chip);
    if (!program)
      return program.takeError();
    referenceProgram.emplace(std::move(*program));
  }
  SmallVector<CallArgument> values(arguments);
  if (takeAbsolute)
    for (auto [argument, type] : llvm::zip_equal(values, signature.arguments))
      if (argument.elements)
        argument.elements = mlir::lpgemm::takeAbsolute(*argument.elements,
                                                       type.getElementType());
  return referenceProgram->call(values, /*poison=*/false);
}

Expected<SmallVector<NpyArray>> Runner::loadExpected() {
  if (options.compare == "reference") {
    Expected<CallResult> result = callReference(/*takeAbsolute=*/false);
    if (!result)
      return result.takeError();
    return selectOutputs(*result);
  }
  Expected<NpyArray> array = readNpy(options.compare);
  if (!array)
    return array.takeError();
  return SmallVector<NpyArray>{std::move(*array)};
}

/// What is compared must be f32 of the same shape.
static Error checkComparable(const NpyArray &result, const NpyArray &expected,
                             StringRef source) {
  if (result.getType() == NpyType::F32 && expected.getType() == NpyType::F32 &&
      result.getShape() == expected.getShape())
    return Error::success();
  return createStringError("cannot compare the result, " +
                           getNumpyName(result.getType()) + " " +
                           formatShape(result.getShape()) + ", with " + source +
                           ", " + getNumpyName(expected.getType()) + " " +
                           formatShape(expected.getShape()));
}

Expected<bool> Runner::compare(ArrayRef<NpyArray> outputs) {
  Expected<SmallVector<NpyArray>> expected = loadExpected();
  if (!expected)
    return expected.takeError();
  if (expected->size() != outputs.size())
    return createStringError("@" + entry + " has " + Twine(outputs.size()) +
                             " results, but " + options.compare + " has " +
                             Twine(expected->size()));
  SmallVector<NpyArray> magnitudes;
  if (!isExact()) {
    Expected<CallResult> result = callReference(/*takeAbsolute=*/true);
    if (!result)
      return result.takeError();
    magnitudes = selectOutputs(*result);
  }
  SmallVector<Shape> shapes;
  for (const CallArgument &argument : arguments)
    shapes.push_back(argument.shape);
  int64_t k = getLargestK(signature, shapes);
  bool ok = true;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    const NpyArray &wanted = (*expected)[i];
    if (Error error = checkComparable(output, wanted, options.compare))
      return error;
    Comparison comparison =
        isExact() ? compareBits(output, wanted)
                  : compareWithinBound(output, wanted, magnitudes[i], k);
    llvm::outs() << comparison.text << "\n";
    ok &= comparison.ok;
  }
  return ok;
}

Expected<bool> Runner::report(CallResult result) {
  bool ok = result.faults.empty() && result.damaged.empty();
  for (StringRef fault : result.faults)
    llvm::outs() << fault << "\n";
  for (unsigned argument : result.damaged)
    llvm::outs() << "FAILED: " << signature.describe(argument)
                 << " was written outside of its elements\n";
  SmallVector<NpyArray> outputs = selectOutputs(result);
  if (options.time)
    llvm::outs() << llvm::formatv("time: {0:f3} ms on device {1}\n",
                                  result.seconds * 1e3, device->name);
  if (!options.compare.empty()) {
    Expected<bool> equal = compare(outputs);
    if (!equal)
      return equal;
    ok &= *equal;
  }
  if (!ok || options.output.empty())
    return ok;
  if (outputs.size() != 1)
    return createStringError("-o takes one result, but @" + entry + " has " +
                             Twine(outputs.size()));
  if (Error error = writeNpy(options.output, outputs.front()))
    return error;
  return true;
}

Expected<bool> Runner::run() {
  for (auto step :
       {&Runner::parseOptions, &Runner::loadModules, &Runner::makeArguments})
    if (Error error = (this->*step)())
      return error;
  Expected<Program> program =
      Program::compile(*module, entry, *device, options.chip);
  if (!program)
    return program.takeError();
  Expected<CallResult> result = program->call(arguments, options.poison);
  if (!result)
    return result.takeError();
  return report(std::move(*result));
}

Expected<bool> mlir::lpgemm::runModule(const RunOptions &options) {
  return Runner(options).run();
}
