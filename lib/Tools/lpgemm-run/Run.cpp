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
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace {
/// What a function computed.
struct Output {
  NpyArray array;
  /// The number of products in each sum.
  int64_t k;
};

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
  /// What a call computed, out of all it left behind: the results, or without
  /// any the destinations.
  SmallVector<Output> selectOutputs(CallResult &result) const;
  Expected<CallResult> callReference(bool takeAbsolute);
  Expected<SmallVector<Output>> loadExpected();
  Expected<bool> compare(ArrayRef<Output> outputs);
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

/// The value that `name` has in a table.
template <typename T, size_t Size>
static std::optional<T> lookup(const std::pair<StringLiteral, T> (&table)[Size],
                               StringRef name) {
  for (auto [entryName, value] : table)
    if (entryName == name)
      return value;
  return std::nullopt;
}

static Error setEmulatorOptions(const RunOptions &options) {
  static constexpr std::pair<StringLiteral, emulator::LaneOrder> orders[] = {
      {"forward", emulator::LaneOrder::Forward},
      {"reverse", emulator::LaneOrder::Reverse},
      {"random", emulator::LaneOrder::Random}};
  static constexpr std::pair<StringLiteral, emulator::LoadTime> loads[] = {
      {"late", emulator::LoadTime::Late},
      {"early", emulator::LoadTime::Early},
      {"random", emulator::LoadTime::Random}};
  emulator::Options settings;
  settings.threads = options.emulatorThreads;
  settings.checks = options.emulatorChecks == EmulatorChecks::On;
  auto [name, seed] = StringRef(options.emulatorOrder).split(':');
  auto order = lookup(orders, name);
  bool hasSeed = order == emulator::LaneOrder::Random;
  if (!order ||
      (hasSeed ? seed.getAsInteger(10, settings.seed) : !seed.empty()))
    return createStringError("expected --emulator-order to be forward, reverse "
                             "or random:SEED, got '" +
                             Twine(options.emulatorOrder) + "'");
  auto load = lookup(loads, options.emulatorLoads);
  if (!load)
    return createStringError("expected --emulator-loads to be late, early or "
                             "random, got '" +
                             Twine(options.emulatorLoads) + "'");
  settings.order = *order;
  settings.loads = *load;
  emulator::setOptions(settings);
  return Error::success();
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
  if (options.compare && options.compare->empty())
    return createStringError(
        "expected --compare to be reference or an .npy file, got ''");
  if (options.output == "-")
    return createStringError("-o - is not possible: .npy needs a file");
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
  if (options.compare && signature.products.empty())
    return createStringError(path + ": @" + entry +
                             " has no lpgemm.matmul to compare with: name the "
                             "module before lowering with --reference");
  return Error::success();
}

/// The bytes of a dense matrix; UINT64_MAX stands for more than that.
static uint64_t computeBytes(Type elementType, ArrayRef<int64_t> shape) {
  std::optional<NpyType> type = getFileType(elementType);
  if (!type || llvm::is_contained(shape, 0))
    return 0;
  uint64_t bytes = getNpyTypeSize(*type);
  for (int64_t extent : shape)
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
  return bytes;
}

Error Runner::fillArguments(ArrayRef<Shape> shapes) {
  int64_t k = getLargestK(signature, shapes);
  if (isExact() && k > kLargestExactK)
    return createStringError("--init=exact needs K <= " +
                             Twine(kLargestExactK) + ", got " + Twine(k));
  SmallVector<uint64_t> bytes;
  for (auto [type, shape] : llvm::zip_equal(signature.arguments, shapes))
    bytes.push_back(computeBytes(type.getElementType(), shape));
  if (Error error = checkBytes(entry, bytes))
    return error;
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

SmallVector<Output> Runner::selectOutputs(CallResult &result) const {
  SmallVector<Shape> shapes;
  for (const CallArgument &argument : arguments)
    shapes.push_back(argument.shape);
  SmallVector<Output> outputs;
  for (auto [i, array] : llvm::enumerate(result.results))
    outputs.push_back({array, getResultK(signature, shapes, i)});
  if (!outputs.empty())
    return outputs;
  for (auto [i, array] : llvm::enumerate(result.arguments))
    if (signature.isDestination(i))
      outputs.push_back({array, getDestinationK(signature, shapes, i)});
  // Nothing tells which argument of a lowered function is written.
  if (outputs.empty() && !result.arguments.empty())
    outputs.push_back(
        {result.arguments.back(), getLargestK(signature, shapes)});
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

Expected<SmallVector<Output>> Runner::loadExpected() {
  if (*options.compare == "reference") {
    Expected<CallResult> result = callReference(/*takeAbsolute=*/false);
    if (!result)
      return result.takeError();
    return selectOutputs(*result);
  }
  Expected<NpyArray> array = readNpy(*options.compare);
  if (!array)
    return array.takeError();
  return SmallVector<Output>{{std::move(*array), /*k=*/0}};
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

Expected<bool> Runner::compare(ArrayRef<Output> outputs) {
  Expected<SmallVector<Output>> expected = loadExpected();
  if (!expected)
    return expected.takeError();
  if (expected->size() != outputs.size())
    return createStringError("@" + entry + " has " + Twine(outputs.size()) +
                             " results, but " + *options.compare + " has " +
                             Twine(expected->size()));
  SmallVector<Output> magnitudes;
  if (!isExact()) {
    Expected<CallResult> result = callReference(/*takeAbsolute=*/true);
    if (!result)
      return result.takeError();
    magnitudes = selectOutputs(*result);
  }
  bool ok = true;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    const NpyArray &wanted = (*expected)[i].array;
    if (Error error = checkComparable(output.array, wanted, *options.compare))
      return error;
    Comparison comparison =
        isExact() ? compareBits(output.array, wanted)
                  : compareWithinBound(output.array, wanted,
                                       magnitudes[i].array, output.k);
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
  SmallVector<Output> outputs = selectOutputs(result);
  if (options.time)
    llvm::outs() << llvm::formatv("time: {0:f3} ms on device {1}\n",
                                  result.seconds * 1e3, device->name);
  if (options.compare) {
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
  if (Error error = writeNpy(options.output, outputs.front().array))
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
