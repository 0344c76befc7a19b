//===- Emulate.cpp - run one kernel in the emulator -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-emulate/Emulate.h"

#include "Binding.h"
#include "Results.h"
#include "lpgemm/Emulator/Passes.h"
#include "lpgemm/Support/OutputFiles.h"
#include "lpgemm/Tools/JsonFile.h"
#include "lpgemm/Tools/ToolContext.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace {
/// "NAME=FILE.npy" of an option.
struct NamedFile {
  std::string name;
  std::string path;
};

/// One execution of lpgemm-emulate.
class Emulation {
public:
  explicit Emulation(const EmulateOptions &options) : options(options) {}

  Expected<bool> run();

private:
  /// Where text goes.
  llvm::raw_ostream &out() const {
    return options.json == "-" ? llvm::errs() : llvm::outs();
  }
  Error parseOptions();
  Error parseLaunch();
  Error parseArguments();
  Error parseNamedFiles(StringRef option, ArrayRef<std::string> texts,
                        SmallVectorImpl<NamedFile> &files) const;
  Error checkName(StringRef option, StringRef name) const;
  Error checkOutputs() const;
  Error makeBuffers();
  Error readExpectations();
  Expected<emulator::KernelModule> compile();
  bool judgeResults();
  Error writeResults();

  const EmulateOptions &options;
  ToolContext context;
  emulator::LaunchSizes sizes;
  Tolerance tolerance;
  std::vector<ArgumentText> arguments, hidden;
  SmallVector<NamedFile> saved, expected;
  /// What the arguments name.
  llvm::StringSet<> names;
  OwningOpRef<ModuleOp> module;
  BufferList buffers;
  std::vector<emulator::Report> reports;
  SmallVector<Expectation> expectations;
};
} // namespace

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static Error parseDims(StringRef option, StringRef text, emulator::Dim3 &dims) {
  auto parsed = parseSizes(option, text);
  if (!parsed)
    return parsed.takeError();
  dims = {(*parsed)[0], (*parsed)[1], (*parsed)[2]};
  return Error::success();
}

Error Emulation::parseLaunch() {
  if (Error error = parseDims("grid", options.grid, sizes.grid))
    return error;
  if (Error error = parseDims("block", options.block, sizes.block))
    return error;
  if (options.cluster)
    if (Error error = parseDims("cluster", *options.cluster, sizes.cluster))
      return error;
  if (options.dynamicSharedBytes < 0 || options.dynamicSharedBytes > INT32_MAX)
    return createStringError(
        "expected --dynamic-shared to be from 0 to 2147483647, got " +
        Twine(options.dynamicSharedBytes));
  sizes.dynamicSharedBytes = options.dynamicSharedBytes;
  auto settings = parseEmulatorOptions(options.emulator);
  if (!settings)
    return settings.takeError();
  settings->countsLdsCycles = options.statistics || !options.json.empty();
  settings->numerics = options.numerics;
  if (options.stepBudget)
    settings->maxSteps = *options.stepBudget;
  emulator::setOptions(*settings);
  return Error::success();
}

Error Emulation::parseArguments() {
  auto parse = [&](StringRef option, ArrayRef<std::string> texts,
                   std::vector<ArgumentText> &parsed) -> Error {
    for (StringRef text : texts) {
      auto argument = parseArgument(option, text, &context.get());
      if (!argument)
        return argument.takeError();
      if (const auto *buffer = std::get_if<BufferText>(&argument->value))
        if (!names.insert(buffer->name).second)
          return createStringError("two buffers are called '" + buffer->name +
                                   "'");
      parsed.push_back(std::move(*argument));
    }
    return Error::success();
  };
  if (Error error = parse("arg", options.arguments, arguments))
    return error;
  if (Error error = parse("buffer", options.buffers, hidden))
    return error;
  for (const ArgumentText &argument : hidden)
    if (!std::holds_alternative<BufferText>(argument.value))
      return createStringError("--buffer: '" + argument.text +
                               "': expected NAME:TYPE[DIMS]=INIT");
  for (const ArgumentText &argument : arguments)
    if (const auto *map = std::get_if<TensorMapText>(&argument.value))
      if (Error error = checkName("arg", map->buffer))
        return error;
  return Error::success();
}

Error Emulation::checkName(StringRef option, StringRef name) const {
  if (names.contains(name))
    return Error::success();
  return createStringError("--" + option + ": no buffer is called '" + name +
                           "'");
}

Error Emulation::parseNamedFiles(StringRef option, ArrayRef<std::string> texts,
                                 SmallVectorImpl<NamedFile> &files) const {
  for (StringRef text : texts) {
    auto [name, path] = text.split('=');
    if (path.empty() || path == "-")
      return createStringError("expected --" + option +
                               " to be NAME=FILE.npy, got '" + text + "'");
    if (Error error = checkName(option, name))
      return error;
    files.push_back({name.str(), path.str()});
  }
  return Error::success();
}

/// What is written must not be what is read, and no file is written twice.
Error Emulation::checkOutputs() const {
  SmallVector<std::pair<StringRef, StringRef>> taken = {
      {"the input", options.input}};
  for (const auto *list : {&arguments, &hidden})
    for (const ArgumentText &argument : *list)
      if (const auto *buffer = std::get_if<BufferText>(&argument.value))
        taken.push_back({"a buffer's file", buffer->path});
  for (const NamedFile &file : expected)
    taken.push_back({"--expect", file.path});
  SmallVector<std::pair<StringRef, StringRef>> outputs;
  for (const NamedFile &file : saved)
    outputs.push_back({"--save", file.path});
  if (options.json != "-")
    outputs.push_back({"--json", options.json});
  for (auto [option, path] : outputs) {
    for (auto [other, otherPath] : taken)
      if (!path.empty() && !otherPath.empty() && namesSameFile(path, otherPath))
        return createStringError(option + " would overwrite " + other + ", " +
                                 otherPath);
    taken.push_back({option, path});
  }
  return Error::success();
}

Error Emulation::parseOptions() {
  if (options.input.empty())
    return createStringError("an input file must be given, see --help");
  if (Error error = emulator::checkChip(options.chip))
    return error;
  if (Error error = parseLaunch())
    return error;
  if (Error error = parseArguments())
    return error;
  if (Error error = parseNamedFiles("save", options.saved, saved))
    return error;
  if (Error error = parseNamedFiles("expect", options.expected, expected))
    return error;
  for (StringRef name : options.printed)
    if (Error error = checkName("print", name))
      return error;
  if (options.tolerance && expected.empty())
    return createStringError("--tolerance needs --expect");
  auto parsed = parseTolerance(options.tolerance.value_or("bits"));
  if (!parsed)
    return createStringError("--tolerance: " +
                             llvm::toString(parsed.takeError()));
  tolerance = std::move(*parsed);
  if (tolerance.uses(Criterion::Bound))
    return createStringError("--tolerance: 'bound' needs a definition of the "
                             "result, which lpgemm-run has");
  return checkOutputs();
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

Error Emulation::makeBuffers() {
  for (const auto *list : {&arguments, &hidden})
    for (const ArgumentText &argument : *list) {
      const auto *text = std::get_if<BufferText>(&argument.value);
      if (!text)
        continue;
      auto buffer = DeviceBuffer::create(*text);
      if (!buffer)
        return buffer.takeError();
      buffers.push_back(std::move(*buffer));
    }
  return Error::success();
}

Error Emulation::readExpectations() {
  for (const NamedFile &file : expected) {
    Expected<NpyArray> array = readNpy(file.path);
    if (!array)
      return array.takeError();
    const DeviceBuffer &buffer = *findBuffer(buffers, file.name);
    if (Error error = checkArray(*array, file.path, buffer.getType(),
                                 buffer.getShape(), file.name))
      return error;
    expectations.push_back({file.name, file.path, std::move(*array)});
  }
  return Error::success();
}

Expected<emulator::KernelModule> Emulation::compile() {
  auto parsed = context.parse(options.input);
  if (!parsed)
    return parsed.takeError();
  module = std::move(*parsed);
  return emulator::KernelModule::compile(
      *module, {options.chip, options.cluster.has_value()});
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

bool Emulation::judgeResults() {
  for (const emulator::Report &report : reports)
    out() << emulator::getKindName(report.kind) << " (" << report.count
          << "): " << report.message << "\n";
  bool isOk = reports.empty();
  for (Expectation &expectation : expectations) {
    const DeviceBuffer &buffer = *findBuffer(buffers, expectation.name);
    compare(expectation, buffer.read(), buffer.getType(), tolerance);
    printExpectation(out(), expectation);
    isOk &= expectation.isMet;
  }
  for (StringRef name : options.printed) {
    const DeviceBuffer &buffer = *findBuffer(buffers, name);
    printElements(out(), name, buffer.read(), buffer.getType());
  }
  if (options.statistics) {
    printStatistics(out());
    printLdsStatistics(out());
  }
  return isOk;
}

Error Emulation::writeResults() {
  SmallVector<NpyArray> arrays;
  for (const NamedFile &file : saved)
    arrays.push_back(findBuffer(buffers, file.name)->read());
  SmallVector<NpyOutput> outputs;
  for (auto [file, array] : llvm::zip_equal(saved, arrays))
    outputs.push_back({file.path, array});
  auto write = [&] { return writeNpyFiles(outputs); };
  return options.json.empty()
             ? write()
             : writeJson(options.json, toJson(reports, expectations), write);
}

Expected<bool> Emulation::run() {
  if (Error error = parseOptions())
    return error;
  if (Error error = makeBuffers())
    return error;
  if (Error error = readExpectations())
    return error;
  Expected<emulator::KernelModule> kernels = compile();
  if (!kernels)
    return kernels.takeError();
  auto kernel = kernels->lookup(options.kernel);
  if (!kernel)
    return createStringError(options.input + ": " +
                             llvm::toString(kernel.takeError()));
  Binding binding;
  if (Error error = binding.bind(**kernel, arguments, buffers))
    return error;
  kernels->launch(**kernel, sizes, binding.getPointers());
  reports = emulator::takeReports();
  bool isOk = judgeResults();
  if (Error error = writeResults())
    return error;
  return isOk;
}

Expected<bool> mlir::lpgemm::emulateKernel(const EmulateOptions &options) {
  return Emulation(options).run();
}
