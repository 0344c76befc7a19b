//===- QuantizeFile.cpp - Quantize the matrix of a file -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-quantize/QuantizeFile.h"

#include "lpgemm/Numerics/Quantize.h"
#include "lpgemm/Support/Npy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace mlir::lpgemm;

/// Codes of eight bits fill a byte and codes of four bits half of one.
static bool hasByteLayout(const FormatInfo &info) {
  return info.isSigned && info.bits != 6;
}

static Expected<ElementFormat> getFormat(StringRef name) {
  std::optional<ElementFormat> format = parseElementFormat(name);
  if (format && hasByteLayout(getFormatInfo(*format)))
    return *format;
  auto supported = make_filter_range(getFormatInfos(), hasByteLayout);
  auto names = map_range(supported, [](auto &info) { return info.name; });
  return createStringError((format ? "unsupported" : "unknown") +
                           Twine(" element format '") + name +
                           "', expected one of " + join(names, " "));
}

static Expected<NpyArray> readMatrix(StringRef path) {
  Expected<NpyArray> array = readNpy(path);
  if (!array)
    return array.takeError();
  if (!is_contained({NpyType::F32, NpyType::F16}, array->getType()))
    return createStringError(path + ": expected data type " +
                             getNpyTypeName(NpyType::F32) + " or " +
                             getNpyTypeName(NpyType::F16) + ", found " +
                             getNpyTypeName(array->getType()));
  if (array->getShape().size() != 2)
    return createStringError(path + ": expected 2 dimensions, found " +
                             Twine(array->getShape().size()));
  return array;
}

static NpyArray makeBytes(ArrayRef<uint8_t> bytes, int64_t rows,
                          int64_t columns) {
  NpyArray array(NpyType::U8, {rows, columns});
  copy(bytes, array.getData<uint8_t>().begin());
  return array;
}

static Error checkPresence(const QuantizeFileOptions &options) {
  const std::pair<StringRef, StringRef> values[] = {
      {"an input file", options.input},
      {"--format", options.format},
      {"-o", options.output},
      {"--scales", options.scales}};
  for (auto [name, value] : values)
    if (value.empty())
      return createStringError(name + " must be given, see --help");
  return Error::success();
}

/// The path of a file that need not exist, in a folder without links.
static SmallString<128> resolveFolder(StringRef path) {
  SmallString<128> absolute(path), folder;
  sys::fs::make_absolute(absolute);
  if (sys::fs::real_path(sys::path::parent_path(absolute), folder))
    return absolute;
  sys::path::append(folder, sys::path::filename(absolute));
  return folder;
}

static bool namesSameFile(StringRef first, StringRef second) {
  // False for files that do not exist.
  bool isSame = false;
  return resolveFolder(first) == resolveFolder(second) ||
         (!sys::fs::equivalent(first, second, isSame) && isSame);
}

Error mlir::lpgemm::quantizeFile(const QuantizeFileOptions &options) {
  if (Error error = checkPresence(options))
    return error;
  Expected<ElementFormat> format = getFormat(options.format);
  if (!format)
    return format.takeError();
  std::optional<ScaleRule> rule = parseScaleRule(options.rule);
  if (!rule)
    return createStringError("unknown scale rule '" + Twine(options.rule) +
                             "', expected one of rceil floor ceil even");
  if (namesSameFile(options.output, options.scales))
    return createStringError(Twine(options.scales) +
                             ": named for both the codes and the scales");
  Expected<NpyArray> input = readMatrix(options.input);
  if (!input)
    return input.takeError();

  int64_t rows = input->getShape()[0], columns = input->getShape()[1];
  MXMatrix matrix =
      quantizeMX(input->toFloats(), rows, columns, *format, *rule);
  int64_t codeColumns = columns;
  if (getFormatInfo(*format).bits == 4) {
    matrix.codes = packNibbles(matrix.codes, rows, columns);
    codeColumns = divideCeil(columns, 2);
  }
  return writeNpyFiles(
      {{options.output, makeBytes(matrix.codes, rows, codeColumns)},
       {options.scales,
        makeBytes(matrix.scales, rows, divideCeil(columns, mxBlockSize))}});
}
