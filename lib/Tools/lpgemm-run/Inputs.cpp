//===- Inputs.cpp - arguments from the command line -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"

#include "lpgemm/Tools/Elements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

Expected<InitMode> mlir::lpgemm::parseInit(StringRef text) {
  static constexpr std::pair<StringLiteral, InitKind> kinds[] = {
      {"normal", InitKind::Normal},
      {"codes", InitKind::Codes},
      {"exact", InitKind::Exact}};
  auto [name, seed] = text.split(':');
  for (auto [kindName, kind] : kinds) {
    InitMode mode{kind, 0};
    if (name == kindName && !seed.getAsInteger(10, mode.seed))
      return mode;
  }
  return createStringError("expected --init to be normal:SEED, codes:SEED or "
                           "exact:SEED, got '" +
                           text + "'");
}

/// Extents with `separator` between them; none if the text is not such.
static std::optional<Shape> parseExtents(StringRef text, char separator) {
  SmallVector<StringRef> parts;
  text.split(parts, separator);
  Shape extents;
  for (StringRef part : parts) {
    int64_t extent;
    if (part.getAsInteger(10, extent) || extent < 0)
      return std::nullopt;
    extents.push_back(extent);
  }
  return extents;
}

Expected<Shape> mlir::lpgemm::parseSize(StringRef text) {
  std::optional<Shape> size = parseExtents(text, 'x');
  if (!size)
    return createStringError("expected --size to be MxNxK, got '" + text + "'");
  if (*llvm::max_element(*size) > kLargestExtent)
    return createStringError("expected the extents of --size to be at most " +
                             Twine(kLargestExtent) + ", got '" + text + "'");
  return *size;
}

Expected<Shape> mlir::lpgemm::parseGroups(StringRef text) {
  std::optional<Shape> sizes = parseExtents(text, ',');
  if (sizes && *llvm::max_element(*sizes) <= kLargestExtent)
    return *sizes;
  return createStringError("expected --groups to be sizes such as 3,0,5, each "
                           "at most " +
                           Twine(kLargestExtent) + ", got '" + text + "'");
}

Expected<AccuracyOptions> mlir::lpgemm::parseTile(StringRef text) {
  AccuracyOptions options;
  auto [rows, columns] = text.split('x');
  if (!rows.getAsInteger(10, options.tileRows) &&
      !columns.getAsInteger(10, options.tileColumns) && options.tileRows > 0 &&
      options.tileColumns > 0)
    return options;
  return createStringError("expected --tile to be ROWSxCOLUMNS, both at least "
                           "1, got '" +
                           text + "'");
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Whether an argument is one number: a scalar, or of rank 0.
static bool isOneNumber(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return !shaped || shaped.getRank() == 0;
}

Expected<SmallVector<std::optional<GivenArgument>>>
mlir::lpgemm::assignArguments(const Signature &signature,
                              ArrayRef<std::string> texts) {
  unsigned count = signature.arguments.size();
  SmallVector<std::optional<GivenArgument>> given(count);
  if (texts.size() > count)
    return createStringError("expected at most " + Twine(count) +
                             " --arg for @" + signature.name + ", got " +
                             Twine(texts.size()));
  SmallVector<StringRef> files;
  for (StringRef text : texts) {
    auto [name, value] = text.split('=');
    unsigned argument;
    if (value.empty() || name.getAsInteger(10, argument)) {
      files.push_back(text);
      continue;
    }
    if (argument >= count)
      return createStringError("--arg=" + text + " names no argument of @" +
                               signature.name + ", which has " + Twine(count));
    if (given[argument])
      return createStringError("--arg names " + signature.describe(argument) +
                               " twice");
    double number;
    bool isNumber = isOneNumber(signature.arguments[argument]) &&
                    !value.getAsDouble(number);
    given[argument] = {value.str(), isNumber};
  }
  unsigned next = 0;
  for (StringRef file : files) {
    while (given[next])
      ++next;
    given[next] = {file.str(), false};
  }
  return given;
}

static std::string toText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// One number, as an element of the type.
static Expected<NpyArray> readNumber(Type type, NpyType fileType,
                                     StringRef text, const Twine &intro) {
  NpyArray array(fileType, {});
  double number;
  int64_t integer;
  bool isInteger = !isa<FloatType>(type);
  if (isInteger ? text.getAsInteger(10, integer) : text.getAsDouble(number))
    return createStringError(intro + ", expected a number of it, got '" + text +
                             "'");
  unsigned bits = 8 * getNpyTypeSize(fileType);
  if (isInteger && !llvm::isIntN(bits, integer))
    return createStringError(intro + ", which cannot hold " + text);
  setCode(array, 0,
          isInteger ? static_cast<uint64_t>(integer)
                    : encodeElement(type, number));
  return array;
}

/// Bits above those of a narrow code must be zero.
static llvm::Error checkCodes(const NpyArray &array, Type type, StringRef path,
                              const Twine &intro) {
  if (!isNarrow(type))
    return llvm::Error::success();
  unsigned last = getFormatInfo(*getFormat(type)).getNumCodes() - 1;
  for (auto [i, code] : llvm::enumerate(array.getData<uint8_t>()))
    if (code > last)
      return createStringError(intro + ", whose codes are at most " +
                               Twine(last) + ", but element " + Twine(i) +
                               " of " + path + " is " + Twine(unsigned(code)));
  return llvm::Error::success();
}

/// bf16 from f32 that has no more bits.
static Expected<NpyArray> narrowFloats(const NpyArray &array, StringRef path,
                                       const Twine &intro) {
  NpyArray result(NpyType::U16, array.getShape());
  auto source = array.getData<uint32_t>();
  for (auto [i, bits] : llvm::enumerate(source)) {
    if (bits & 0xFFFF)
      return createStringError(intro + ", but element " + Twine(i) + " of " +
                               path + ", float32, is no value of bf16");
    result.getData<uint16_t>()[i] = bits >> 16;
  }
  return result;
}

Expected<NpyArray> mlir::lpgemm::readArgument(const Signature &signature,
                                              unsigned argument,
                                              const GivenArgument &given) {
  Type type = signature.getElementType(argument);
  std::string intro = signature.describe(argument) + " is " +
                      toText(signature.arguments[argument]);
  std::optional<NpyType> expected = getFileType(type);
  if (!given.isNumber && !expected) {
    if (Expected<NpyArray> array = readNpy(given.text); !array)
      return array;
  }
  if (!expected)
    return createStringError(intro + ", whose elements no file can hold");
  if (given.isNumber)
    return readNumber(type, *expected, given.text, intro);
  Expected<NpyArray> array = readNpy(given.text);
  if (!array)
    return array;
  if (array->getType() == *expected) {
    if (llvm::Error error = checkCodes(*array, type, given.text, intro))
      return error;
    return array;
  }
  if (type.isBF16() && array->getType() == NpyType::F32)
    return narrowFloats(*array, given.text, intro);
  bool isCodes = getFormat(type).has_value();
  bool isFloat = llvm::is_contained({NpyType::F16, NpyType::F32, NpyType::F64},
                                    array->getType());
  return createStringError(
      intro + ", expects dtype " + getNumpyName(*expected) +
      (isCodes         ? " (codes)"
       : type.isBF16() ? " (bits) or float32"
                       : "") +
      " but " + given.text + " has " + getNumpyName(array->getType()) +
      (isCodes && isFloat ? ": quantize it with lpgemm-quantize" : ""));
}
