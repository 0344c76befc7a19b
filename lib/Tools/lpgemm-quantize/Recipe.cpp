//===- Recipe.cpp - how to quantize a matrix ------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recipe.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace mlir::lpgemm;

static Error makeUnknownError(StringRef what, StringRef word,
                              const Twine &expected) {
  return createStringError("unknown " + what + " '" + word +
                           "', expected one of " + expected);
}

/// The names of infos, with a blank between them.
template <typename Range>
static std::string listNames(Range &&infos) {
  return join(map_range(infos, [](auto &info) { return info.name; }), " ");
}

/// Which of two words `word` is.
static Expected<bool> parseChoice(StringRef what, StringRef word,
                                  StringRef ifFalse, StringRef ifTrue) {
  if (word != ifFalse && word != ifTrue)
    return makeUnknownError(what, word, ifFalse + " " + ifTrue);
  return word == ifTrue;
}

//===----------------------------------------------------------------------===//
// Elements and scales
//===----------------------------------------------------------------------===//

/// MXI8 is what I8 becomes under scales of its own.
static bool isElement(const FormatInfo &info) {
  return info.isSigned && info.format != ElementFormat::MXI8;
}

static Expected<ElementFormat> parseFormat(StringRef name) {
  std::optional<ElementFormat> format = parseElementFormat(name);
  if (format && isElement(getFormatInfo(*format)))
    return *format;
  return makeUnknownError(
      "element format", name,
      listNames(make_filter_range(getFormatInfos(), isElement)));
}

namespace {
struct Scaling {
  StringLiteral name;
  BlockShape block;
  ScaleFormat format;
  ScaleRule rule;
  /// Whether the scaling stands for this type alone.
  bool fixesFormat;
};
} // namespace

static constexpr Scaling scalings[] = {
    {"mx", {1, mxBlockSize}, ScaleFormat::F8E8M0FNU, ScaleRule::RCeil, true},
    {"nvfp4",
     {1, nvfp4BlockSize},
     ScaleFormat::F8E4M3FN,
     ScaleRule::NVFP4,
     true},
    {"nvfp4_2d",
     {nvfp4BlockSize, nvfp4BlockSize},
     ScaleFormat::F8E4M3FN,
     ScaleRule::NVFP4,
     true},
    {"tensor", {0, 0}, ScaleFormat::F32, ScaleRule::Amax, false},
    {"row", {1, 0}, ScaleFormat::F32, ScaleRule::Amax, false},
    {"column", {0, 1}, ScaleFormat::F32, ScaleRule::Amax, false},
};

static Expected<Scaling> parseScaling(StringRef name) {
  for (const Scaling &scaling : scalings)
    if (scaling.name == name)
      return scaling;
  auto [rowsText, columnsText] = name.split('x');
  int64_t rows, columns;
  if (!to_integer(rowsText, rows, 10) ||
      !to_integer(columnsText, columns, 10) || rows <= 0 || columns <= 0)
    return makeUnknownError("scaling", name,
                            listNames(ArrayRef(scalings)) +
                                " or a block such as 1x128");
  return Scaling{
      "block", {rows, columns}, ScaleFormat::F32, ScaleRule::Amax, false};
}

static Error parseScaleType(Scaling &scaling, StringRef name) {
  if (name.empty())
    return Error::success();
  std::optional<ScaleFormat> format = parseScaleFormat(name);
  if (!format)
    return makeUnknownError("scale type", name,
                            listNames(getScaleFormatInfos()));
  if (scaling.fixesFormat && *format != scaling.format)
    return createStringError(
        "scaling '" + scaling.name + "' expects scales of " +
        getScaleFormatInfo(scaling.format).name + ", got " + name);
  if (*format == ScaleFormat::F8E8M0FNU)
    scaling.rule = ScaleRule::RCeil;
  scaling.format = *format;
  return Error::success();
}

static Error parseRule(Scaling &scaling, StringRef name) {
  if (name.empty())
    return Error::success();
  std::optional<ScaleRule> rule = parseScaleRule(name);
  if (!rule)
    return makeUnknownError("scale rule", name, listScaleRules());
  bool isNVFP4 = scaling.rule == ScaleRule::NVFP4;
  if (isNVFP4 != (*rule == ScaleRule::NVFP4))
    return createStringError("scaling '" + scaling.name +
                             "' does not go with "
                             "scale rule '" +
                             name + "'");
  scaling.rule = *rule;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Everything
//===----------------------------------------------------------------------===//

static Error parseScales(const QuantizeFileOptions &words,
                         QuantizeOptions &options) {
  Expected<Scaling> scaling = parseScaling(words.scale);
  if (!scaling)
    return scaling.takeError();
  if (Error error = parseScaleType(*scaling, words.scaleType))
    return error;
  if (Error error = parseRule(*scaling, words.rule))
    return error;
  Expected<bool> saturates =
      parseChoice("mode of --non-finite", words.nonFinite, "nan", "sat");
  if (!saturates)
    return saturates.takeError();
  options.block = scaling->block;
  options.scale = {scaling->format, scaling->rule,
                   *saturates ? NonFinite::Saturate : NonFinite::Poison,
                   words.amaxFloor, words.minScale};
  options.reciprocal = words.reciprocal;
  options.percentile = words.percentile;
  options.tensorAmax = words.tensorAmax;
  return Error::success();
}

static Error parseConversion(const QuantizeFileOptions &words,
                             QuantizeOptions &options) {
  Expected<bool> overflows =
      parseChoice("mode of --overflow", words.overflow, "sat", "nosat");
  if (!overflows)
    return overflows.takeError();
  options.overflow = *overflows ? Overflow::NoSaturate : Overflow::Saturate;
  Expected<bool> isStochastic =
      parseChoice("mode of --round", words.round, "rne", "stochastic");
  if (!isStochastic)
    return isStochastic.takeError();
  if (words.seed && !*isStochastic)
    return createStringError("--seed expects --round=stochastic");
  if (*isStochastic)
    options.seed = words.seed.value_or(0);
  return Error::success();
}

Expected<Recipe> mlir::lpgemm::makeRecipe(const QuantizeFileOptions &words) {
  Recipe recipe;
  Expected<ElementFormat> format = parseFormat(words.format);
  if (!format)
    return format.takeError();
  recipe.options.format = *format;
  if (Error error = parseScales(words, recipe.options))
    return error;
  if (Error error = parseConversion(words, recipe.options))
    return error;
  std::optional<BufferLayout> layout = parseBufferLayout(words.layout);
  if (!layout)
    return makeUnknownError("scale layout", words.layout,
                            listNames(getBufferLayoutInfos()));
  recipe.layout = *layout;
  Expected<bool> shuffles =
      parseChoice("code layout", words.codeLayout, "row", "w16x16");
  if (!shuffles)
    return shuffles.takeError();
  recipe.shuffles = *shuffles;
  return recipe;
}
