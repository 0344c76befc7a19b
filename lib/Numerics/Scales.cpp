//===- Scales.cpp - Scales of quantized blocks ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Scales.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace llvm;
using namespace mlir::lpgemm;

using SF = ScaleFormat;

static constexpr float nan32 = std::numeric_limits<float>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static constexpr ScaleFormatInfo scaleFormatInfos[] = {
    {SF::F32, "f32", 4},
    {SF::BF16, "bf16", 2},
    {SF::F8E8M0FNU, "f8E8M0FNU", 1},
    {SF::F8E4M3FN, "f8E4M3FN", 1},
};

ArrayRef<ScaleFormatInfo> mlir::lpgemm::getScaleFormatInfos() {
  return scaleFormatInfos;
}

const ScaleFormatInfo &mlir::lpgemm::getScaleFormatInfo(ScaleFormat format) {
  const ScaleFormatInfo &info = scaleFormatInfos[static_cast<unsigned>(format)];
  assert(info.format == format && "the table is not in the enum's order");
  return info;
}

std::optional<ScaleFormat> mlir::lpgemm::parseScaleFormat(StringRef name) {
  for (const ScaleFormatInfo &info : scaleFormatInfos)
    if (info.name == name)
      return info.format;
  return std::nullopt;
}

float mlir::lpgemm::decodeScale(ScaleFormat format, uint32_t code) {
  switch (format) {
  case SF::F32:
    return bit_cast<float>(code);
  case SF::BF16:
    return bit_cast<float>(code << 16);
  case SF::F8E8M0FNU:
    return decode(ElementFormat::F8E8M0FNU, code);
  case SF::F8E4M3FN:
    return decode(ElementFormat::F8E4M3FN, code & 0x7F);
  }
  llvm_unreachable("unknown type of scales");
}

static uint32_t encodeBF16(float value) {
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &losesInfo);
  return rounded.bitcastToAPInt().getZExtValue();
}

uint32_t mlir::lpgemm::encodeScale(ScaleFormat format, float value) {
  switch (format) {
  case SF::F32:
    return bit_cast<uint32_t>(value);
  case SF::BF16:
    return encodeBF16(value);
  case SF::F8E8M0FNU:
    return encodeE8M0(value, PowerRounding::Up);
  case SF::F8E4M3FN:
    return encode(ElementFormat::F8E4M3FN, std::fabs(value));
  }
  llvm_unreachable("unknown type of scales");
}

float mlir::lpgemm::roundScale(ScaleFormat format, float value) {
  return decodeScale(format, encodeScale(format, value));
}

float mlir::lpgemm::doubleScale(ScaleFormat format, float scale) {
  if (format == SF::F8E8M0FNU && 2 * scale > decodeScale(format, 0xFE))
    return nan32;
  return roundScale(format, 2 * scale);
}

std::vector<uint8_t> mlir::lpgemm::storeScales(ScaleFormat format,
                                               ArrayRef<float> scales) {
  std::vector<uint8_t> bytes;
  bytes.reserve(scales.size() * getScaleFormatInfo(format).bytes);
  for (float scale : scales) {
    uint32_t code = encodeScale(format, scale);
    for (unsigned byte = 0; byte != getScaleFormatInfo(format).bytes; ++byte)
      bytes.push_back(code >> (8 * byte));
  }
  return bytes;
}

std::vector<float> mlir::lpgemm::loadScales(ScaleFormat format,
                                            ArrayRef<uint8_t> bytes) {
  unsigned size = getScaleFormatInfo(format).bytes;
  assert(bytes.size() % size == 0 && "a part of a scale");
  std::vector<float> scales;
  for (; !bytes.empty(); bytes = bytes.drop_front(size)) {
    uint32_t code = 0;
    for (unsigned byte = 0; byte != size; ++byte)
      code |= uint32_t(bytes[byte]) << (8 * byte);
    scales.push_back(decodeScale(format, code));
  }
  return scales;
}

//===----------------------------------------------------------------------===//
// Powers of two (S-14, S-15)
//===----------------------------------------------------------------------===//

static uint8_t computeRCeil(float amax, const FormatInfo &info) {
  // The quotient is one of f32, as in the implementations that define the rule.
  return encodeE8M0(amax / static_cast<float>(info.qmax), PowerRounding::Up);
}

static uint8_t computeFloor(float amax, const FormatInfo &info) {
  return encodeE8M0(std::ldexp(double(amax), -info.emax), PowerRounding::Down);
}

static uint8_t computeCeil(float amax, const FormatInfo &info) {
  return encodeE8M0(std::ldexp(double(amax), -info.emax), PowerRounding::Up);
}

static uint8_t computeEven(float amax, const FormatInfo &info) {
  // Half a place of the mantissa carries into the exponent field exactly if
  // amax rounds to the next power of two.
  uint32_t bits = bit_cast<uint32_t>(amax) + (1u << (22 - info.mantissaBits));
  return std::clamp(static_cast<int>(bits >> 23) - info.emax, 0, 0xFE);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

namespace {
struct RuleInfo {
  StringLiteral name;
  /// The types that the rule writes.
  ArrayRef<ScaleFormat> formats;
  /// The exponent code of the scale, for rules that make powers of two.
  uint8_t (*computePower)(float amax, const FormatInfo &info);
};
} // namespace

static constexpr ScaleFormat powerFormats[] = {SF::F8E8M0FNU};
static constexpr ScaleFormat wideFormats[] = {SF::F32, SF::BF16};
static constexpr ScaleFormat fractionFormats[] = {SF::F32, SF::BF16,
                                                  SF::F8E4M3FN};
static constexpr ScaleFormat nvfp4Formats[] = {SF::F8E4M3FN};

/// Indexed by ScaleRule.
static constexpr RuleInfo ruleInfos[] = {
    {"rceil", powerFormats, computeRCeil},
    {"floor", powerFormats, computeFloor},
    {"ceil", powerFormats, computeCeil},
    {"even", powerFormats, computeEven},
    {"amax", fractionFormats, nullptr},
    {"pow2", wideFormats, computeRCeil},
    {"nvfp4", nvfp4Formats, nullptr},
};

static const RuleInfo &getRuleInfo(ScaleRule rule) {
  return ruleInfos[static_cast<unsigned>(rule)];
}

std::optional<ScaleRule> mlir::lpgemm::parseScaleRule(StringRef name) {
  for (auto [index, info] : enumerate(ruleInfos))
    if (info.name == name)
      return static_cast<ScaleRule>(index);
  return std::nullopt;
}

StringRef mlir::lpgemm::getScaleRuleName(ScaleRule rule) {
  return getRuleInfo(rule).name;
}

std::string mlir::lpgemm::listScaleRules() {
  return join(map_range(ruleInfos, [](auto &info) { return info.name; }), " ");
}

/// Whether `value` is finite and not negative.
static bool isLimit(float value) { return value >= 0 && std::isfinite(value); }

Error mlir::lpgemm::checkScaleOptions(const ScaleOptions &options,
                                      ElementFormat element) {
  const RuleInfo &rule = getRuleInfo(options.rule);
  StringRef type = getScaleFormatInfo(options.format).name;
  if (!is_contained(rule.formats, options.format)) {
    auto names = map_range(rule.formats, [](ScaleFormat format) {
      return getScaleFormatInfo(format).name;
    });
    return createStringError("scale rule '" + rule.name +
                             "' expects scales of " + join(names, " or ") +
                             ", got " + type);
  }
  if (options.rule == ScaleRule::NVFP4 && element != ElementFormat::F4E2M1FN)
    return createStringError("scale rule 'nvfp4' expects elements of "
                             "f4E2M1FN, got " +
                             getFormatInfo(element).name);
  if (!isLimit(options.amaxFloor) || !isLimit(options.minScale))
    return createStringError(Twine(isLimit(options.amaxFloor)
                                       ? "the smallest scale"
                                       : "the floor of amax") +
                             " must be finite and not negative");
  if (options.minScale != 0 && rule.computePower)
    return createStringError("scale rule '" + rule.name +
                             "' has no smallest scale, only amax and nvfp4 do");
  return Error::success();
}

ElementFormat mlir::lpgemm::getScaledFormat(ElementFormat element,
                                            ScaleFormat scale) {
  return element == ElementFormat::I8 && scale == SF::F8E8M0FNU
             ? ElementFormat::MXI8
             : element;
}

/// The scale where amax is infinite or NaN (S-13).
static float computeNonFiniteScale(float amax, const ScaleOptions &options) {
  if (options.nonFinite == NonFinite::Poison)
    return nan32;
  if (is_contained(wideFormats, options.format))
    return 1.0f;
  return roundScale(options.format, amax);
}

float mlir::lpgemm::computeScale(float amax, ElementFormat element,
                                 const ScaleOptions &options,
                                 float tensorEncodeScale) {
  element = getScaledFormat(element, options.format);
  const FormatInfo &info = getFormatInfo(element);
  const RuleInfo &rule = getRuleInfo(options.rule);
  if (!std::isfinite(amax))
    return computeNonFiniteScale(amax, options);
  amax = std::max(amax, options.amaxFloor);
  if (amax == 0 && is_contained(wideFormats, options.format))
    return 1.0f; // S-12; zero in the other types
  if (rule.computePower)
    return decodeScale(SF::F8E8M0FNU, rule.computePower(amax, info));
  float qmax = info.qmax;
  float scale = options.rule == ScaleRule::NVFP4
                    ? amax * (tensorEncodeScale / qmax)
                    : amax / qmax;
  return roundScale(options.format, std::max(scale, options.minScale));
}

float mlir::lpgemm::computeTensorEncodeScale(float amax, NonFinite nonFinite) {
  if (!std::isfinite(amax))
    return nonFinite == NonFinite::Poison ? nan32 : 1.0f;
  if (amax == 0)
    return 1.0f;
  float largest = getFormatInfo(ElementFormat::F8E4M3FN).qmax *
                  getFormatInfo(ElementFormat::F4E2M1FN).qmax;
  return std::min(largest / amax, std::numeric_limits<float>::max());
}
