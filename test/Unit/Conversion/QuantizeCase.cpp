//===- QuantizeCase.cpp - a quantization to test --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantizeCase.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Wide types
//===----------------------------------------------------------------------===//

static const llvm::fltSemantics &getSemantics(llvm::StringRef type) {
  return type == "bf16"  ? llvm::APFloat::BFloat()
         : type == "f16" ? llvm::APFloat::IEEEhalf()
                         : llvm::APFloat::IEEEsingle();
}

uint32_t mlir::lpgemm::roundToBits(llvm::StringRef type, double value) {
  llvm::APFloat rounded(value);
  bool losesInfo;
  rounded.convert(getSemantics(type), llvm::APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return rounded.bitcastToAPInt().getZExtValue();
}

float mlir::lpgemm::readBits(llvm::StringRef type, uint32_t bits) {
  const llvm::fltSemantics &semantics = getSemantics(type);
  return llvm::APFloat(
             semantics,
             llvm::APInt(llvm::APFloat::getSizeInBits(semantics), bits))
      .convertToFloat();
}

static unsigned getBytes(llvm::StringRef type) { return type == "f32" ? 4 : 2; }

/// Wide values as they lie in memory.
static std::vector<uint8_t> storeValues(llvm::StringRef type,
                                        llvm::ArrayRef<float> values) {
  std::vector<uint8_t> bytes;
  for (float value : values) {
    uint32_t bits = roundToBits(type, value);
    for (unsigned byte = 0; byte != getBytes(type); ++byte)
      bytes.push_back(bits >> (8 * byte));
  }
  return bytes;
}

static std::vector<float> loadValues(llvm::StringRef type,
                                     llvm::ArrayRef<uint8_t> bytes) {
  std::vector<float> values;
  for (; !bytes.empty(); bytes = bytes.drop_front(getBytes(type))) {
    uint32_t bits = 0;
    for (unsigned byte = 0; byte != getBytes(type); ++byte)
      bits |= uint32_t(bytes[byte]) << (8 * byte);
    values.push_back(readBits(type, bits));
  }
  return values;
}

template <typename T>
static std::vector<T> transpose(llvm::ArrayRef<T> matrix, int64_t rows,
                                int64_t columns) {
  std::vector<T> result;
  for (int64_t column = 0; column != columns; ++column)
    for (int64_t row = 0; row != rows; ++row)
      result.push_back(matrix[row * columns + column]);
  return result;
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

/// The options that the op spells out.
static std::string printOptions(const QuantizeCase &c) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](llvm::StringRef name, double value) {
    os << " " << name << " = " << llvm::format("%.17e", value);
  };
  if (c.transposed)
    os << " transposed";
  if (c.options.overflow == Overflow::NoSaturate)
    os << " overflow = nosat";
  if (c.options.seed)
    os << " round = sr seed = " << static_cast<int64_t>(*c.options.seed);
  if (c.options.reciprocal)
    os << " reciprocal";
  if (c.options.scale.amaxFloor != 0)
    print("amax_floor", c.options.scale.amaxFloor);
  if (c.options.scale.minScale != 0)
    print("min_scale", c.options.scale.minScale);
  if (c.options.percentile != 1)
    print("percentile", c.options.percentile);
  if (c.saturateScale)
    os << " saturate_scale";
  return text;
}

std::string QuantizeCase::getCodeType() const {
  return getFormatInfo(options.format).name.str();
}

unsigned QuantizeCase::getCodeBits() const {
  return getFormatInfo(options.format).bits;
}

std::string QuantizeCase::getMemRef(const std::string &type) const {
  return std::string("memref<") + (batch ? "?x" : "") + "?x?x" + type + ">";
}

std::string QuantizeCase::getScaleMemRef() const {
  std::string dims = batch ? "?x" : "";
  if (kind == "row" || kind == "column")
    dims += "?x";
  else if (kind != "tensor")
    dims += "?x?x";
  if (layout == BufferLayout::MnTmaUE8M0x4)
    dims += "4x";
  if (layout == BufferLayout::Swz128x4)
    dims += "32x4x4x";
  if (layout == BufferLayout::Amd32x8)
    dims += "4x16x2x2x";
  return "memref<" + dims +
         getScaleFormatInfo(options.scale.format).name.str() + ">";
}

std::string QuantizeCase::getName() const {
  std::string name = "q_" + kind + "_" + getCodeType() + "_" +
                     getScaleFormatInfo(options.scale.format).name.str() + "_" +
                     getScaleRuleName(options.scale.rule).str() + "_" +
                     getBufferLayoutInfo(layout).name.str() + "_" + inputType +
                     (scalesGiven ? "_given" : "") +
                     std::to_string(static_cast<int>(tensorScale)) +
                     (batch ? "_batch" : "") + printOptions(*this);
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

std::string QuantizeCase::getScaleAttr() const {
  std::string name = getBufferLayoutInfo(layout).name.str();
  return "<" + kind +
         (layout == BufferLayout::Row ? "" : ", layout = " + name) + ">";
}

std::string QuantizeCase::getQuantizeOp() const {
  std::string values = getMemRef(inputType), scales = getScaleMemRef();
  std::string codes = getMemRef(isPacked() ? "i8" : getCodeType());
  ScaleRule rule = options.scale.rule;
  std::string text = "lpgemm.quantize ins(%x : " + values + ")";
  if (scalesGiven)
    text += " scale(%s : " + scales + ")";
  if (tensorScale == TensorScaleSource::Given)
    text += " tensor_scale(%g : memref<f32>)";
  text += " outs(%q : " + codes + ")";
  if (!scalesGiven)
    text += " scale_outs(%s : " + scales + ", " +
            (rule == ScaleRule::NVFP4 ? "amax" : getScaleRuleName(rule)).str() +
            ")";
  if (tensorScale == TensorScaleSource::Found)
    text += " tensor_scale_outs(%g : memref<f32>)";
  text += " amax(%a : memref<f32>) " + getScaleAttr() + printOptions(*this);
  return text + (isPacked() ? " {init_packed = " + getCodeType() + "}" : "");
}

std::string QuantizeCase::getDequantizeOp() const {
  std::string text = "lpgemm.dequantize ins(%q : " +
                     getMemRef(isPacked() ? "i8" : getCodeType()) +
                     ") scale(%s : " + getScaleMemRef() + ")";
  if (tensorScale != TensorScaleSource::None)
    text += " tensor_scale(%g : memref<f32>)";
  text += " outs(%x : " + getMemRef(inputType) + ") " + getScaleAttr() +
          (transposed ? " transposed" : "");
  return text + (isPacked() ? " {input_packed = " + getCodeType() + "}" : "");
}

std::string QuantizeCase::getFunctions() const {
  std::string arguments =
      "(%x: " + getMemRef(inputType) +
      ", %q: " + getMemRef(isPacked() ? "i8" : getCodeType()) +
      ", %s: " + getScaleMemRef() + ", %g: memref<f32>, %a: memref<f32>) {\n  ";
  std::string end = "\n  return\n}\n";
  return "func.func @" + getName() + arguments + getQuantizeOp() + end +
         "func.func @" + getName() + "_back" + arguments + getDequantizeOp() +
         end;
}

//===----------------------------------------------------------------------===//
// What is expected
//===----------------------------------------------------------------------===//

std::vector<int64_t> QuantizeCase::getShape(int64_t rows,
                                            int64_t columns) const {
  std::vector<int64_t> shape = {transposed ? columns : rows,
                                transposed ? rows : columns};
  if (batch)
    shape.insert(shape.begin(), batch);
  return shape;
}

/// The number of pieces of `size` in `extent`.
static int64_t ceilDiv(int64_t extent, int64_t size) {
  return (extent + size - 1) / size;
}

/// The shape of `r` x `b` scales of `bytes`.
static std::vector<int64_t> getLayoutShape(BufferLayout layout, int64_t r,
                                           int64_t b, unsigned bytes) {
  switch (layout) {
  case BufferLayout::Row:
    return {r, b};
  case BufferLayout::Col:
    return {b, ceilDiv(r, 4) * 4};
  case BufferLayout::MnTma:
    return {b, ceilDiv(r * bytes, 16) * 16 / bytes};
  case BufferLayout::MnTmaUE8M0x4:
    return {ceilDiv(b, 4), ceilDiv(r, 4) * 4, 4};
  case BufferLayout::Blk128x128:
    return {r, ceilDiv(b, 4) * 4};
  case BufferLayout::Swz128x4:
    return {ceilDiv(r, 128), ceilDiv(b, 4), 32, 4, 4};
  case BufferLayout::Amd32x8:
    return {8 * ceilDiv(r, 256), ceilDiv(b, 8), 4, 16, 2, 2};
  }
  llvm_unreachable("unknown layout of scales");
}

std::vector<int64_t> QuantizeCase::getScaleShape(int64_t rows,
                                                 int64_t columns) const {
  int64_t r = options.block.getNumBlockRows(rows);
  int64_t b = options.block.getNumBlockColumns(columns);
  std::vector<int64_t> shape;
  if (options.block.columns != 0)
    shape = getLayoutShape(layout, r, b,
                           getScaleFormatInfo(options.scale.format).bytes);
  else if (options.block.rows != 0)
    shape = {r};
  if (layout == BufferLayout::Row && transposed && shape.size() == 2)
    std::swap(shape[0], shape[1]);
  if (batch)
    shape.insert(shape.begin(), batch);
  return shape;
}

std::vector<uint8_t>
QuantizeCase::storeCodes(const QuantizedMatrix &matrix) const {
  if (!transposed)
    return packCodes(matrix.codes, matrix.rows, matrix.columns, getCodeBits());
  return packCodes(
      transpose<uint8_t>(matrix.codes, matrix.rows, matrix.columns),
      matrix.columns, matrix.rows, getCodeBits());
}

/// The layouts in which whole blocks follow each other with `pitch` scales from
/// one to the next.
static std::vector<float> layOutByBlock(llvm::ArrayRef<float> scales,
                                        int64_t rows, int64_t blocks,
                                        int64_t pitch) {
  std::vector<float> result(blocks * pitch);
  for (int64_t row = 0; row != rows; ++row)
    for (int64_t block = 0; block != blocks; ++block)
      result[block * pitch + row] = scales[row * blocks + block];
  return result;
}

std::vector<uint8_t>
QuantizeCase::storeScales(const QuantizedMatrix &matrix) const {
  int64_t rows = options.block.getNumBlockRows(matrix.rows);
  int64_t blocks = options.block.getNumBlockColumns(matrix.columns);
  ScaleFormat format = options.scale.format;
  unsigned size = getScaleFormatInfo(format).bytes;
  std::vector<float> scales = matrix.scales;
  int64_t multiple = layout == BufferLayout::Col     ? 4
                     : layout == BufferLayout::MnTma ? 16 / size
                                                     : 0;
  bool byBlock = multiple != 0;
  if (layout == BufferLayout::Row && transposed)
    multiple = 1;
  if (multiple != 0)
    scales = layOutByBlock(scales, rows, blocks, llvm::alignTo(rows, multiple));
  std::vector<uint8_t> bytes = lpgemm::storeScales(format, scales);
  // E8M0 has no zero: padding is a byte of zeros.
  if (byBlock && format == ScaleFormat::F8E8M0FNU)
    for (int64_t i = 0, pitch = llvm::alignTo(rows, multiple), e = bytes.size();
         i != e; ++i)
      if (i % pitch >= rows)
        bytes[i] = 0;
  if (multiple != 0 || layout == BufferLayout::Row)
    return bytes;
  return packScales(layout, bytes, {matrix.rows, blocks, size});
}

std::vector<float> QuantizeCase::makeScales(int64_t count) const {
  std::mt19937 engine(count);
  std::normal_distribution<float> normal;
  std::vector<float> scales;
  for (int64_t i = 0; i != count; ++i) {
    float scale = std::ldexp(normal(engine), i % 60 - 30);
    if (i % 7 == 3)
      scale = 0;
    if (i % 11 == 5)
      scale = std::nanf("");
    scales.push_back(roundScale(options.scale.format, scale));
  }
  return scales;
}

QuantizeOptions QuantizeCase::getHostOptions(int64_t index, int64_t size,
                                             float tensorAmax) const {
  QuantizeOptions host = options;
  if (host.seed) // each matrix continues the numbers of those before
    *host.seed += 0x9E3779B97F4A7C15 * index * size;
  if (options.scale.rule != ScaleRule::NVFP4)
    return host;
  switch (tensorScale) {
  case TensorScaleSource::None:
    host.tensorAmax = 2688.0f; // a factor of 1
    break;
  case TensorScaleSource::Found:
    host.tensorAmax = tensorAmax;
    break;
  case TensorScaleSource::Given:
    // Powers of two, which both directions give exactly.
    host.tensorAmax = 2688.0f * givenTensorScale;
    break;
  }
  return host;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static bool isSame(float lhs, float rhs) {
  return std::isnan(lhs) ? std::isnan(rhs)
                         : lhs == rhs && std::signbit(lhs) == std::signbit(rhs);
}

/// The memory of one call, and what it must hold afterwards.
struct QuantizeCase::Run {
  Buffer values, codes, scales, tensorScale, amax;
  std::vector<uint8_t> expectedCodes, expectedScales;
  std::vector<float> expectedValues;
  float expectedAmax, expectedTensorScale;
};

/// NaN if one of them is (S-10).
static float maxMagnitude(llvm::ArrayRef<float> values) {
  float amax = 0;
  for (float value : values)
    amax = std::isnan(value) || std::isnan(amax)
               ? std::nanf("")
               : std::max(amax, std::fabs(value));
  return amax;
}

template <typename T>
static void append(std::vector<T> &all, std::vector<T> part) {
  all.insert(all.end(), part.begin(), part.end());
}

/// The number of the first difference, or -1.
static int64_t findDifference(llvm::ArrayRef<uint8_t> lhs,
                              llvm::ArrayRef<uint8_t> rhs) {
  auto [l, r] = std::mismatch(lhs.begin(), lhs.end(), rhs.begin(), rhs.end());
  return l == lhs.end() && r == rhs.end() ? -1 : l - lhs.begin();
}

QuantizeCase::Run QuantizeCase::makeRun(llvm::ArrayRef<float> values,
                                        int64_t rows, int64_t columns) const {
  std::vector<int64_t> codeShape = getShape(rows, columns);
  codeShape.back() = getPackedRowSize(codeShape.back(), getCodeBits());
  unsigned scaleBytes = getScaleFormatInfo(options.scale.format).bytes;
  Run run{{getShape(rows, columns), getBytes(inputType)},
          {codeShape, 1},
          {getScaleShape(rows, columns), scaleBytes},
          {{}, std::vector<float>{givenTensorScale}},
          {{}, sizeof(float)},
          {},
          {},
          {},
          maxMagnitude(values),
          givenTensorScale};
  std::vector<float> stored;
  int64_t size = rows * columns;
  for (int64_t index = 0; index != std::max<int64_t>(batch, 1); ++index) {
    llvm::ArrayRef<float> part = values.slice(index * size, size);
    QuantizeOptions host = getHostOptions(index, size, run.expectedAmax);
    std::vector<float> given =
        makeScales(options.block.getNumBlockRows(rows) *
                   options.block.getNumBlockColumns(columns));
    if (scalesGiven)
      host.givenScales = given;
    QuantizedMatrix matrix = quantize(part, rows, columns, host);
    if (tensorScale == TensorScaleSource::Found)
      run.expectedTensorScale = matrix.tensorScale;
    std::vector<float> back;
    for (double value : dequantize(matrix, host))
      back.push_back(readBits(inputType, roundToBits(inputType, value)));
    append(run.expectedCodes, storeCodes(matrix));
    append(run.expectedScales, storeScales(matrix));
    append(stored, transposed ? transpose(part, rows, columns) : part.vec());
    append(run.expectedValues,
           transposed ? transpose<float>(back, rows, columns) : back);
  }
  run.values.set(storeValues(inputType, stored));
  if (scalesGiven)
    run.scales.set(run.expectedScales);
  return run;
}

void QuantizeCase::check(OpJit &jit, std::vector<float> values, int64_t rows,
                         int64_t columns) const {
  SCOPED_TRACE(getName() + " " + std::to_string(rows) + "x" +
               std::to_string(columns));
  for (float &value : values)
    value = readBits(inputType, roundToBits(inputType, value));
  Run run = makeRun(values, rows, columns);
  Buffer *buffers[] = {&run.values, &run.codes, &run.scales, &run.tensorScale,
                       &run.amax};
  jit.call(getName(), buffers);
  EXPECT_EQ(findDifference(run.codes.bytes, run.expectedCodes), -1);
  EXPECT_EQ(findDifference(run.scales.bytes, run.expectedScales), -1);
  EXPECT_TRUE(isSame(run.amax.get<float>()[0], run.expectedAmax));
  EXPECT_TRUE(isSame(run.tensorScale.get<float>()[0], run.expectedTensorScale));

  run.values = Buffer(run.values.shape, getBytes(inputType));
  jit.call(getName() + "_back", buffers);
  std::vector<float> back = loadValues(inputType, run.values.bytes);
  ASSERT_EQ(back.size(), run.expectedValues.size());
  for (size_t i = 0; i != back.size(); ++i)
    ASSERT_TRUE(isSame(back[i], run.expectedValues[i]))
        << i << ": " << back[i] << ", not " << run.expectedValues[i];
}
