//===- ArgumentText.cpp - arguments of a kernel as text -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentText.h"

#include "lpgemm/Tools/Elements.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// The error of an argument.
static Error fail(StringRef text, const Twine &what) {
  return createStringError("'" + text + "': " + what);
}

/// Null if the text is no type.
static Type parseTypeName(StringRef text, MLIRContext *context) {
  ScopedDiagnosticHandler silence(context,
                                  [](Diagnostic &) { return success(); });
  // What may follow a type would be ignored.
  bool isName = !text.empty() && llvm::all_of(text, llvm::isAlnum);
  return isName ? parseType(text, context) : Type();
}

std::optional<SmallVector<int64_t>> mlir::lpgemm::parseExtents(StringRef text) {
  constexpr int64_t kLargestExtent = int64_t(1) << 40;
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  SmallVector<int64_t> extents;
  for (StringRef part : parts) {
    int64_t extent;
    if (part.getAsInteger(10, extent) || extent < 0 || extent > kLargestExtent)
      return std::nullopt;
    extents.push_back(extent);
  }
  return extents;
}

Expected<std::array<int64_t, 3>> mlir::lpgemm::parseSizes(StringRef option,
                                                          StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  std::array<int64_t, 3> sizes = {1, 1, 1};
  bool isGood = parts.size() <= sizes.size();
  for (unsigned i = 0; isGood && i != parts.size(); ++i)
    isGood = !parts[i].getAsInteger(10, sizes[i]) && sizes[i] > 0 &&
             sizes[i] <= INT32_MAX;
  if (isGood)
    return sizes;
  return createStringError("expected --" + option +
                           " to be X, X,Y or X,Y,Z, each from 1 to 2147483647, "
                           "got '" +
                           text + "'");
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static Expected<ScalarText> parseInteger(StringRef text, StringRef number,
                                         Type type) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  int64_t value;
  uint64_t bits;
  if (!number.getAsInteger(0, value)) {
    bits = value;
    bool fits = width == 64 || (value >= -(int64_t(1) << (width - 1)) &&
                                value < int64_t(1) << width);
    if (fits)
      return ScalarText{type, bits};
  } else if (width == 64 && !number.getAsInteger(0, bits)) {
    return ScalarText{type, bits};
  }
  return fail(text, "expected an integer of " + Twine(width) + " bits, got '" +
                        number + "'");
}

static Expected<ScalarText> parseScalar(StringRef text, MLIRContext *context) {
  auto [typeName, number] = text.split('=');
  Type type = parseTypeName(typeName, context);
  bool isScalar =
      type && (type.isIndex() || type.isInteger(1) || type.isInteger(8) ||
               type.isInteger(16) || type.isInteger(32) || type.isInteger(64) ||
               isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type));
  if (!isScalar)
    return fail(text, "expected a scalar to be of i1, i8, i16, i32, i64, "
                      "index, f16, bf16, f32 or f64, got '" +
                          typeName + "'");
  if (type.isIntOrIndex())
    return parseInteger(text, number, type);
  llvm::APFloat value(cast<FloatType>(type).getFloatSemantics());
  auto status =
      value.convertFromString(number, llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return fail(text, "expected a number, got '" + number + "'");
  }
  return ScalarText{type, value.bitcastToAPInt().getZExtValue()};
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static Error parseInit(StringRef text, StringRef init, BufferText &buffer) {
  auto [kind, seed] = init.split(':');
  auto found = llvm::StringSwitch<std::optional<InitKind>>(kind)
                   .Case("zeros", InitKind::Zeros)
                   .Case("poison", InitKind::Poison)
                   .Case("iota", InitKind::Iota)
                   .Case("random", InitKind::Random)
                   .Case("codes", InitKind::Codes)
                   .Default(std::nullopt);
  if (!found && init.ends_with(".npy")) {
    buffer.kind = InitKind::File;
    buffer.path = init.str();
    return Error::success();
  }
  bool hasSeed = found == InitKind::Random || found == InitKind::Codes;
  bool isGood = found && (hasSeed ? !seed.getAsInteger(10, buffer.seed)
                                  : kind.size() == init.size());
  if (!isGood)
    return fail(text, "expected a buffer to be zeros, poison, iota, "
                      "random:SEED, codes:SEED or FILE.npy, got '" +
                          init + "'");
  buffer.kind = *found;
  return Error::success();
}

/// "f32[64x64]=zeros"; `text` is the whole argument.
static Expected<BufferText> parseBuffer(StringRef text, StringRef name,
                                        StringRef rest, MLIRContext *context) {
  BufferText buffer;
  buffer.name = name.str();
  size_t open = rest.find('['), close = rest.find("]=");
  if (open == StringRef::npos || close == StringRef::npos || close < open)
    return fail(text, "expected NAME:TYPE[DIMS]=INIT or NAME:tensormap(...)");
  StringRef typeName = rest.take_front(open);
  buffer.type = parseTypeName(typeName, context);
  if (!buffer.type || buffer.type.isIndex() || !getFileType(buffer.type))
    return fail(text, "a buffer cannot be of '" + typeName +
                          "', see --help for its types");
  StringRef dims = rest.slice(open + 1, close);
  auto shape = parseExtents(dims);
  if (!shape)
    return fail(text, "expected extents such as 64x128, got '" + dims + "'");
  buffer.shape = std::move(*shape);
  if (Error error = parseInit(text, rest.drop_front(close + 2), buffer))
    return error;
  return buffer;
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// Enters the index of `value` among `names`.
static bool parseChoice(StringRef value, ArrayRef<StringRef> names,
                        unsigned &index) {
  const auto *found = llvm::find(names, value);
  index = found - names.begin();
  return found != names.end();
}

static bool parseList(StringRef value, SmallVectorImpl<int64_t> &list) {
  auto extents = parseExtents(value);
  if (extents)
    list.assign(extents->begin(), extents->end());
  return extents.has_value();
}

/// Enters one option of a tensor map; false if it is none.
static bool parseMapOption(StringRef key, StringRef value, TensorMapText &map) {
  if (key == "swizzle")
    return parseChoice(value, {"none", "32", "64", "128"}, map.swizzle);
  if (key == "interleave")
    return parseChoice(value, {"none", "16", "32"}, map.interleave);
  if (key == "fill")
    return parseChoice(value, {"zeros", "nan"}, map.fill);
  auto *list = llvm::StringSwitch<SmallVector<int64_t> *>(key)
                   .Case("box", &map.box)
                   .Case("dims", &map.dims)
                   .Case("strides", &map.strides)
                   .Case("steps", &map.steps)
                   .Default(nullptr);
  return list && parseList(value, *list);
}

static Expected<TensorMapText> parseTensorMap(StringRef text, StringRef name,
                                              StringRef rest) {
  TensorMapText map;
  map.name = name.str();
  if (!rest.consume_back(")"))
    return fail(text, "expected a ')' at the end");
  SmallVector<StringRef> parts;
  rest.split(parts, ',');
  map.buffer = parts.front().trim().str();
  for (StringRef part : ArrayRef(parts).drop_front()) {
    auto [key, value] = part.trim().split('=');
    if (!parseMapOption(key, value, map))
      return fail(text, "'" + part.trim() +
                            "' is no option of a tensor map, see --help");
  }
  if (map.box.empty())
    return fail(text, "a tensor map needs a box");
  return map;
}

static Expected<ArgumentText> parseAny(StringRef text, MLIRContext *context) {
  auto wrap = [&](auto parsed) -> Expected<ArgumentText> {
    if (!parsed)
      return parsed.takeError();
    return ArgumentText{text.str(), std::move(*parsed)};
  };
  size_t colon = text.find(':'), equal = text.find('=');
  if (colon == StringRef::npos && equal == StringRef::npos)
    return fail(text, "expected TYPE=NUMBER, NAME:TYPE[DIMS]=INIT or "
                      "NAME:tensormap(...)");
  if (equal < colon)
    return wrap(parseScalar(text, context));
  auto [name, rest] = text.split(':');
  bool isName = !name.empty() && llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || c == '_';
  });
  if (!isName)
    return fail(text,
                "expected a name of letters, digits and _, got '" + name + "'");
  if (rest.consume_front("tensormap("))
    return wrap(parseTensorMap(text, name, rest));
  return wrap(parseBuffer(text, name, rest, context));
}

Expected<ArgumentText> mlir::lpgemm::parseArgument(StringRef option,
                                                   StringRef text,
                                                   MLIRContext *context) {
  Expected<ArgumentText> parsed = parseAny(text, context);
  if (!parsed)
    return createStringError("--" + option + ": " +
                             llvm::toString(parsed.takeError()));
  return parsed;
}
