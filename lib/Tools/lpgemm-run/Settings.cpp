//===- Settings.cpp - what the options mean -------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settings.h"

#include "lpgemm/Support/OutputFiles.h"
#include "lpgemm/Target/KnownTargets.h"
#include "lpgemm/Target/MmaInfo.h"
#include "lpgemm/Tools/ToolContext.h"
#include "lpgemm/Tools/lpgemm-run/Run.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// The value that `name` has in a table.
template <typename T, size_t Size>
static std::optional<T> lookup(const std::pair<StringLiteral, T> (&table)[Size],
                               StringRef name) {
  for (auto [entryName, value] : table)
    if (entryName == name)
      return value;
  return std::nullopt;
}

/// The reference has no use for them.
static Error checkEmulatorOptions(const RunOptions &options) {
  const RunOptions defaults;
  const std::pair<StringLiteral, bool> given[] = {
      {"checks", options.emulator.checks != defaults.emulator.checks},
      {"threads", options.emulator.threads != defaults.emulator.threads},
      {"order", options.emulator.order != defaults.emulator.order},
      {"loads", options.emulator.loads != defaults.emulator.loads},
      {"warps", options.emulator.warps != defaults.emulator.warps},
      {"multiprocessors",
       options.emulator.multiprocessors != defaults.emulator.multiprocessors},
      {"numerics", options.emulatorNumerics != defaults.emulatorNumerics},
      {"statistics",
       options.emulatorStatistics != defaults.emulatorStatistics}};
  for (auto [name, isGiven] : given)
    if (isGiven && options.device != "emulate")
      return createStringError(
          "--emulator-" + Twine(name) +
          " is of --device=emulate only, got --device=" + options.device);
  auto isKnown = [](MmaInstr instr) {
    return getMmaInfo(instr).readsSharedMemory();
  };
  if (options.emulatorNumerics == emulator::Numerics::Hw &&
      llvm::none_of(lookupTargetRecord(options.chip)->getInstructions(),
                    isKnown))
    return createStringError("--emulator-numerics=hw is of chips with wgmma "
                             "only, such as sm_90a, got --chip=" +
                             options.chip);
  return Error::success();
}

static Error setEmulatorOptions(const RunOptions &options) {
  Expected<emulator::Options> parsed = parseEmulatorOptions(options.emulator);
  if (!parsed)
    return parsed.takeError();
  parsed->countsLdsCycles = options.emulatorStatistics;
  parsed->numerics = options.emulatorNumerics;
  emulator::setOptions(*parsed);
  return checkEmulatorOptions(options);
}

namespace {
/// A file that an option names.
struct OptionFile {
  StringRef option;
  StringRef path;
};
} // namespace

/// What is written must not be what is read, and no file is written twice.
static Error checkFiles(const RunOptions &options, const Settings &settings) {
  SmallVector<OptionFile> taken = {
      {"the input", options.input},
      {"--reference", options.reference},
      {"--lhs-unquantized", options.lhsUnquantized},
      {"--rhs-unquantized", options.rhsUnquantized}};
  for (StringRef argument : options.arguments)
    taken.push_back({"--arg", argument});
  for (StringRef argument : options.arguments)
    taken.push_back({"--arg", argument.split('=').second});
  if (options.compare && *options.compare != "reference")
    for (StringRef path : llvm::split(StringRef(*options.compare), ','))
      taken.push_back({"--compare", path});
  SmallVector<OptionFile> outputs;
  for (StringRef path : settings.outputs)
    outputs.push_back({"-o", path});
  outputs.push_back({"--json", options.json});
  for (const OptionFile &output : outputs) {
    if (output.path.empty() || output.path == "-")
      continue;
    for (const OptionFile &other : taken)
      if (!other.path.empty() && namesSameFile(output.path, other.path))
        return createStringError(output.option + " would overwrite " +
                                 other.option + ", " + other.path);
    taken.push_back(output);
  }
  return Error::success();
}

static Error parseTolerances(const RunOptions &options, Settings &settings) {
  if (options.tolerance) {
    Expected<Tolerance> parsed = parseTolerance(*options.tolerance);
    if (!parsed)
      return createStringError("--tolerance: " +
                               llvm::toString(parsed.takeError()));
    if (!options.compare)
      return createStringError("--tolerance needs --compare");
    settings.tolerance = std::move(*parsed);
  }
  if (!options.quantizationTolerance)
    return Error::success();
  Expected<Tolerance> parsed = parseTolerance(*options.quantizationTolerance);
  if (!parsed)
    return createStringError("--quantization-tolerance: " +
                             llvm::toString(parsed.takeError()));
  for (const ToleranceTerm &term : parsed->terms)
    if (term.comparesCodes())
      return createStringError("--quantization-tolerance: '" + term.str() +
                               "' compares codes, but the product of "
                               "unquantized operands is f64");
  settings.quantizationTolerance = std::move(*parsed);
  return Error::success();
}

/// Enters what `parse` reads from an option, unless that is empty.
template <typename T, typename U>
static Error parseOption(StringRef text, Expected<T> (*parse)(StringRef),
                         U &value) {
  if (text.empty())
    return Error::success();
  Expected<T> parsed = parse(text);
  if (!parsed)
    return parsed.takeError();
  value = std::move(*parsed);
  return Error::success();
}

Expected<Settings> mlir::lpgemm::parseSettings(const RunOptions &options) {
  Settings settings;
  if (options.input.empty())
    return createStringError("an input file must be given, see --help");
  Expected<const Device *> device = lookupDevice(options.device);
  if (!device)
    return device.takeError();
  settings.device = *device;
  if (Error error = settings.device->checkChip(options.chip))
    return error;
  static constexpr std::pair<StringLiteral, Accumulation> accumulations[] = {
      {"f64", Accumulation::F64},
      {"f32", Accumulation::F32},
      {"hopper", Accumulation::Hopper}};
  auto accumulate = lookup(accumulations, options.accumulate);
  if (!accumulate)
    return createStringError("expected --accumulate to be f64, f32 or hopper, "
                             "got '" +
                             Twine(options.accumulate) + "'");
  if (*accumulate != Accumulation::F64 && options.device != "reference")
    return createStringError(
        "--accumulate=" + Twine(options.accumulate) +
        " is of --device=reference only, got --device=" + options.device);
  settings.lowering = {options.chip, *accumulate, /*orderedAs=*/""};
  settings.deviceAccumulate = options.emulatorNumerics == emulator::Numerics::Hw
                                  ? Accumulation::Hopper
                                  : settings.device->accumulate;
  if (Error error = parseOption(options.init, parseInit, settings.init))
    return error;
  if (Error error = parseOption(options.size, parseSize, settings.size.extents))
    return error;
  if (Error error =
          parseOption(options.groups, parseGroups, settings.size.groups))
    return error;
  if (options.compare && options.compare->empty())
    return createStringError(
        "expected --compare to be reference or an .npy file, got ''");
  if (Error error = parseTolerances(options, settings))
    return error;
  Expected<AccuracyOptions> accuracy = parseTile(options.tile);
  if (!accuracy)
    return accuracy.takeError();
  settings.accuracy = *accuracy;
  if (!options.output.empty())
    llvm::append_range(settings.outputs,
                       llvm::split(StringRef(options.output), ','));
  for (StringRef path : settings.outputs)
    if (path.empty() || path == "-")
      return createStringError("-o " + options.output +
                               " is not possible: .npy needs a file");
  if (Error error = checkFiles(options, settings))
    return error;
  if (Error error = setEmulatorOptions(options))
    return error;
  return settings;
}
