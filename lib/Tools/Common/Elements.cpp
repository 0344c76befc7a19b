//===- Elements.cpp - elements of arrays ----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/Elements.h"

#include "lpgemm/Numerics/Packing.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::lpgemm;

static std::string toText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

// Asked for each element: without the text of the type.
std::optional<ElementFormat> mlir::lpgemm::getFormat(Type type) {
  using Format = std::optional<ElementFormat>;
  return llvm::TypeSwitch<Type, Format>(type)
      .Case([](Float8E4M3FNType) { return ElementFormat::F8E4M3FN; })
      .Case([](Float8E5M2Type) { return ElementFormat::F8E5M2; })
      .Case([](Float8E4M3FNUZType) { return ElementFormat::F8E4M3FNUZ; })
      .Case([](Float8E5M2FNUZType) { return ElementFormat::F8E5M2FNUZ; })
      .Case([](Float6E2M3FNType) { return ElementFormat::F6E2M3FN; })
      .Case([](Float6E3M2FNType) { return ElementFormat::F6E3M2FN; })
      .Case([](Float4E2M1FNType) { return ElementFormat::F4E2M1FN; })
      .Case([](Float8E8M0FNUType) { return ElementFormat::F8E8M0FNU; })
      .Default(Format());
}

bool mlir::lpgemm::isNarrow(Type type) {
  std::optional<ElementFormat> format = getFormat(type);
  return format && getFormatInfo(*format).bits < 8;
}

std::optional<NumberType> mlir::lpgemm::getNumberType(Type type) {
  return parseNumberType(toText(type));
}

std::optional<NpyType> mlir::lpgemm::getFileType(Type type) {
  if (getFormat(type))
    return NpyType::U8;
  if (type.isBF16())
    return NpyType::U16;
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
  if (type.isInteger(64) || type.isIndex())
    return NpyType::I64;
  return std::nullopt;
}

StringRef mlir::lpgemm::getNumpyName(NpyType type) {
  static constexpr StringLiteral names[] = {"uint8",   "uint16", "int8",
                                            "int32",   "int64",  "float16",
                                            "float32", "float64"};
  return names[static_cast<unsigned>(type)];
}

uint8_t mlir::lpgemm::getPoisonByte(Type type) {
  std::optional<ElementFormat> format = getFormat(type);
  if (!format)
    return 0xFF; // a NaN of the IEEE formats
  unsigned numCodes = getFormatInfo(*format).getNumCodes();
  for (unsigned code = 0; code != numCodes; ++code)
    if (std::isnan(decode(*format, code)))
      return code;
  return numCodes - 1;
}

NumberView mlir::lpgemm::makeRow(const NpyArray &array, NumberType type) {
  return NumberView::getDense(type, array.getBytes().data(), 1,
                              array.getNumElements());
}

void mlir::lpgemm::setCode(NpyArray &array, int64_t index, uint64_t code) {
  size_t size = getNpyTypeSize(array.getType());
  std::memcpy(array.getBytes().data() + index * size, &code, size);
}

uint64_t mlir::lpgemm::encodeElement(Type type, double value) {
  if (std::optional<ElementFormat> format = getFormat(type))
    return encode(*format, value);
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return static_cast<int64_t>(std::nearbyint(value));
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(floatType.getFloatSemantics(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

NpyArray mlir::lpgemm::takeAbsolute(const NpyArray &array, Type type) {
  NpyArray result = array;
  std::optional<NumberType> number = getNumberType(type);
  if (!number)
    return result;
  NumberView row = makeRow(array, *number);
  bool isSigned = !getFormat(type) || getFormatInfo(*getFormat(type)).isSigned;
  const NumberInfo &info = getNumberInfo(*number);
  for (int64_t i = 0; isSigned && i != row.columns; ++i) {
    uint64_t code = row.getCode(0, i);
    uint64_t sign = uint64_t(1) << (info.bits - 1);
    bool isNegative = code & sign;
    if (info.isInteger)
      code = isNegative ? (~code + 1) & info.getCodeMask() : code;
    else if (isNegative && !std::isnan(row.getValue(0, i)))
      code &= ~sign;
    setCode(result, i, code);
  }
  return result;
}

NpyArray mlir::lpgemm::packRows(const NpyArray &codes, Type type) {
  SmallVector<int64_t> shape(codes.getShape());
  unsigned bits = type.getIntOrFloatBitWidth();
  int64_t columns = shape.back();
  int64_t rows = columns == 0 ? 0 : codes.getNumElements() / columns;
  shape.back() = getPackedRowSize(columns, bits);
  NpyArray bytes(NpyType::I8, shape);
  llvm::copy(packCodes(codes.getData<uint8_t>(), rows, columns, bits),
             reinterpret_cast<uint8_t *>(bytes.getBytes().data()));
  return bytes;
}

NpyArray mlir::lpgemm::unpackRows(const NpyArray &bytes, Type type,
                                  int64_t columns) {
  SmallVector<int64_t> shape(bytes.getShape());
  unsigned bits = type.getIntOrFloatBitWidth();
  int64_t rows = shape.back() == 0 ? 0 : bytes.getNumElements() / shape.back();
  shape.back() = columns;
  NpyArray codes(NpyType::U8, shape);
  ArrayRef<uint8_t> data(
      reinterpret_cast<const uint8_t *>(bytes.getBytes().data()),
      bytes.getBytes().size());
  llvm::copy(unpackCodes(data, rows, columns, bits),
             codes.getData<uint8_t>().begin());
  return codes;
}
