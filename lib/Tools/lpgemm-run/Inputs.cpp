//===- Inputs.cpp - arguments from files and generators -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Expected;

static std::string toText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

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

Expected<ProblemSize> mlir::lpgemm::parseSize(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  ProblemSize size;
  for (StringRef part : parts) {
    int64_t extent;
    if (!part.getAsInteger(10, extent) && extent >= 0)
      size.push_back(extent);
  }
  bool isComplete = parts.size() == 3 && size.size() == 3;
  if (isComplete && *llvm::max_element(size) > kLargestExtent)
    return createStringError("expected the extents of --size to be at most " +
                             Twine(kLargestExtent) + ", got '" + text + "'");
  if (isComplete)
    return size;
  return createStringError("expected --size to be MxNxK, got '" + text + "'");
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::optional<ElementFormat> mlir::lpgemm::getFormat(Type type) {
  std::optional<ElementFormat> format = parseElementFormat(toText(type));
  if (format && getFormatInfo(*format).bits == 8)
    return format;
  return std::nullopt;
}

std::optional<NpyType> mlir::lpgemm::getFileType(Type type) {
  if (getFormat(type))
    return NpyType::U8;
  if (type.isF16())
    return NpyType::F16;
  if (type.isF32())
    return NpyType::F32;
  if (type.isF64())
    return NpyType::F64;
  if (type.isInteger(8))
    return NpyType::I8;
  if (type.isInteger(32))
    return NpyType::I32;
  if (type.isInteger(64))
    return NpyType::I64;
  return std::nullopt;
}

StringRef mlir::lpgemm::getNumpyName(NpyType type) {
  static constexpr StringLiteral names[] = {
      "uint8", "int8", "int32", "int64", "float16", "float32", "float64"};
  return names[static_cast<unsigned>(type)];
}

uint8_t mlir::lpgemm::getPoisonByte(Type type) {
  std::optional<ElementFormat> format = getFormat(type);
  if (!format)
    return 0xFF; // a NaN of the IEEE formats
  for (unsigned code = 0; code != 256; ++code)
    if (std::isnan(decode(*format, code)))
      return code;
  return 0xFF;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

Expected<NpyArray> mlir::lpgemm::readArgument(const Signature &signature,
                                              unsigned argument,
                                              StringRef path) {
  Expected<NpyArray> array = readNpy(path);
  if (!array)
    return array;
  ShapedType type = signature.arguments[argument];
  std::string intro = signature.describe(argument) + " is " + toText(type);
  std::optional<NpyType> expected = getFileType(type.getElementType());
  if (!expected)
    return createStringError(intro + ", whose elements no file can hold");
  if (array->getType() == *expected)
    return array;
  bool isCodes = getFormat(type.getElementType()).has_value();
  bool isFloat = llvm::is_contained({NpyType::F16, NpyType::F32, NpyType::F64},
                                    array->getType());
  return createStringError(
      intro + ", expects dtype " + getNumpyName(*expected) +
      (isCodes ? " (codes)" : "") + " but " + path + " has " +
      getNumpyName(array->getType()) +
      (isCodes && isFloat ? ": quantize it with lpgemm-quantize" : ""));
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

namespace {
/// The same numbers with every standard library, which only the engine is.
class Generator {
public:
  explicit Generator(uint64_t seed) : engine(seed) {}

  /// Uniform in [low, high].
  int64_t integer(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % (high - low + 1));
  }
  /// Standard normal, by the method of Box and Muller.
  double normal() {
    double u = (engine() >> 11) + 1.0, v = engine() >> 11;
    return std::sqrt(-2 * std::log(std::ldexp(u, -53))) *
           std::cos(2 * M_PI * std::ldexp(v, -53));
  }
  uint8_t finiteCode(ElementFormat format) {
    uint8_t code;
    do
      code = engine() % 256;
    while (!std::isfinite(decode(format, code)));
    return code;
  }

private:
  std::mt19937_64 engine;
};
} // namespace

/// An element of a matrix. The deviation of Normal leaves room for the largest
/// of many elements; Exact keeps to integers that two bits hold.
static uint8_t generateElement(ElementFormat format, InitKind kind,
                               Generator &generator) {
  switch (kind) {
  case InitKind::Normal:
    return encode(format, 64 * generator.normal());
  case InitKind::Codes:
    return generator.finiteCode(format);
  case InitKind::Exact:
    return encode(format, generator.integer(-2, 2));
  }
  llvm_unreachable("unknown kind");
}

/// A block scale. With Exact, sums over K <= 2^16 of products of at most 4 and
/// of two scales that span 2^3 each fit into the 24 bits of an f32: such a sum
/// is exact in every order.
static uint8_t generateScale(InitKind kind, Generator &generator) {
  return kind == InitKind::Exact ? generator.integer(124, 127)
                                 : generator.integer(120, 134);
}

Expected<NpyArray> mlir::lpgemm::generateArgument(const Signature &signature,
                                                  unsigned argument,
                                                  ArrayRef<int64_t> shape,
                                                  InitMode mode) {
  Type type = signature.arguments[argument].getElementType();
  std::optional<ElementFormat> format = getFormat(type);
  if (!format)
    return createStringError("cannot generate " + signature.describe(argument) +
                             ", whose elements are " + toText(type) +
                             ": pass it with --arg");
  Generator generator(mode.seed * 1000003 + argument);
  NpyArray array(NpyType::U8, shape);
  bool isScale = !getFormatInfo(*format).isSigned;
  for (uint8_t &code : array.getData<uint8_t>())
    code = isScale ? generateScale(mode.kind, generator)
                   : generateElement(*format, mode.kind, generator);
  return array;
}

NpyArray mlir::lpgemm::takeAbsolute(const NpyArray &array, Type type) {
  NpyArray result = array;
  if (std::optional<ElementFormat> format = getFormat(type))
    for (uint8_t &code : result.getData<uint8_t>())
      code &= ~getFormatInfo(*format).getSignMask();
  return result;
}
