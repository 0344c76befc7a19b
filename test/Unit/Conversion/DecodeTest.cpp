//===- DecodeTest.cpp - emitted decoding ----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumericJit.h"

#include "llvm/ADT/APFloat.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

/// The formats of elements and of scales.
std::vector<FormatInfo> getCodeInfos() {
  std::vector<FormatInfo> infos = getElementInfos();
  infos.push_back(getFormatInfo(ElementFormat::F8E8M0FNU));
  return infos;
}

/// All bytes, also those with bits above the codes of short formats.
std::vector<uint8_t> getAllBytes() {
  std::vector<uint8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), 0);
  return bytes;
}

/// All bit patterns of 16 bits.
std::vector<uint16_t> getAllHalves() {
  std::vector<uint16_t> halves(0x10000);
  std::iota(halves.begin(), halves.end(), 0);
  return halves;
}

/// Decodes every element with the function `name`, whose result type is T.
template <typename T, typename Code>
std::vector<T> decodeAll(NumericJit &jit, StringRef name,
                         std::vector<Code> codes) {
  std::vector<T> values(codes.size());
  jit.call(name, codes, values);
  return values;
}

/// Adds the function "<format> <result>" for elements in memory as `stored`.
void addDecode(NumericJit &jit, StringRef format, StringRef stored,
               StringRef result, StringRef name) {
  auto resultType = cast<FloatType>(jit.parse(result));
  jit.addMap(name, {jit.parse(stored), resultType},
             [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
               return jit.getFunctions().decode(b, jit.parse(format),
                                                elements[0], resultType);
             });
}

} // namespace

TEST(DecodeTest, EveryCodeOfEveryFormat) {
  NumericJit jit;
  for (const FormatInfo &info : getCodeInfos())
    for (StringRef result : {"f32", "f64"})
      addDecode(jit, info.name, "i8", result, (info.name + "_" + result).str());
  jit.compile();
  for (const FormatInfo &info : getCodeInfos()) {
    auto singles =
        decodeAll<float>(jit, (info.name + "_f32").str(), getAllBytes());
    auto doubles =
        decodeAll<double>(jit, (info.name + "_f64").str(), getAllBytes());
    for (unsigned byte = 0; byte != 256; ++byte) {
      SCOPED_TRACE(info.name.str() + " byte " + std::to_string(byte));
      double expected = decode(info.format, byte % info.getNumCodes());
      EXPECT_TRUE(isSameFloat(doubles[byte], expected));
      // C-10: exact, also the subnormal f32 of f8E8M0FNU code 0.
      EXPECT_TRUE(isSameFloat(double(singles[byte]), expected));
    }
  }
}

TEST(DecodeTest, ElementsOfTheirOwnType) {
  // What a program holds are memrefs of the formats, not of i8.
  NumericJit jit;
  for (const FormatInfo &info : getCodeInfos())
    addDecode(jit, info.name, info.name, "f64", info.name);
  jit.compile();
  for (const FormatInfo &info : getCodeInfos()) {
    std::vector<uint8_t> codes = getAllBytes();
    codes.resize(info.getNumCodes());
    auto values = decodeAll<double>(jit, info.name, codes);
    for (uint8_t code : codes)
      EXPECT_TRUE(isSameFloat(values[code], decode(info.format, code)))
          << info.name.str() << " code " << unsigned(code);
  }
}

TEST(DecodeTest, WiderTypes) {
  NumericJit jit;
  for (StringRef type : {"i8", "bf16", "f16"})
    for (StringRef result : {"f32", "f64"})
      addDecode(jit, type, type, result, (type + "_" + result).str());
  addDecode(jit, "f32", "f32", "f64", "f32_f64");
  addDecode(jit, "f64", "f64", "f64", "f64_f64");
  jit.compile();
  auto integers = decodeAll<float>(jit, "i8_f32", getAllBytes());
  auto wideIntegers = decodeAll<double>(jit, "i8_f64", getAllBytes());
  for (unsigned byte = 0; byte != 256; ++byte) {
    EXPECT_EQ(integers[byte], static_cast<int8_t>(byte));
    EXPECT_EQ(wideIntegers[byte], static_cast<int8_t>(byte));
  }
  const std::pair<std::string, const llvm::fltSemantics &> halfTypes[] = {
      {"bf16", llvm::APFloat::BFloat()}, {"f16", llvm::APFloat::IEEEhalf()}};
  for (const auto &[name, semantics] : halfTypes) {
    auto singles = decodeAll<float>(jit, name + "_f32", getAllHalves());
    auto doubles = decodeAll<double>(jit, name + "_f64", getAllHalves());
    for (unsigned bits = 0; bits != 0x10000; ++bits) {
      double expected =
          llvm::APFloat(semantics, llvm::APInt(16, bits)).convertToDouble();
      ASSERT_TRUE(isSameFloat(doubles[bits], expected)) << name << " " << bits;
      ASSERT_TRUE(isSameFloat(double(singles[bits]), expected));
    }
  }
  EXPECT_EQ(decodeAll<double>(jit, "f32_f64", std::vector<float>{0x1p-149f})[0],
            0x1p-149);
  EXPECT_EQ(decodeAll<double>(jit, "f64_f64", std::vector<double>{0.1})[0],
            0.1);
}
