//===- NumericFunctions.cpp - functions and tables of a module ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/NumericFunctions.h"

#include "NumericTypes.h"
#include "ScalarExpr.h"

using namespace mlir;
using namespace mlir::lpgemm;

std::string mlir::lpgemm::printType(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

Value NumericFunctions::call(ImplicitLocOpBuilder &b, const Twine &name,
                             Type result, ValueRange arguments, Body body) {
  std::string fullName = ("__lpgemm_" + name).str();
  if (!definitions.contains(fullName)) {
    OpBuilder::InsertionGuard guard(b);
    b.clearInsertionPoint();
    auto type = b.getFunctionType(arguments.getTypes(), result);
    auto function = func::FuncOp::create(b, fullName, type);
    function.setPrivate();
    // What the body uses may be created, and found in the table, meanwhile.
    symbols.insert(function, symbols.getOp()->getRegion(0).front().begin());
    b.setInsertionPointToStart(function.addEntryBlock());
    func::ReturnOp::create(b, body(b, function.getArguments()));
    definitions[fullName] = function;
  }
  auto function = cast<func::FuncOp>(definitions[fullName]);
  return func::CallOp::create(b, function, arguments).getResult(0);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// A table has an entry for each value of a byte, so that no byte makes the
/// program read beyond it.
static constexpr unsigned tableSize = 256;

memref::GlobalOp NumericFunctions::getDecodeTable(ElementFormat format,
                                                  FloatType type) {
  const FormatInfo &info = getFormatInfo(format);
  std::string name = ("__lpgemm_decode_" + info.name + "_").str();
  name += printType(type);
  Operation *&table = definitions[name];
  if (table)
    return cast<memref::GlobalOp>(table);
  SmallVector<APFloat> values;
  for (unsigned code = 0; code != tableSize; ++code) {
    bool losesInfo;
    values.emplace_back(lpgemm::decode(format, code % info.getNumCodes()));
    values.back().convert(type.getFloatSemantics(),
                          APFloat::rmNearestTiesToEven, &losesInfo);
  }
  OpBuilder b(type.getContext());
  auto global = memref::GlobalOp::create(
      b, symbols.getOp()->getLoc(), name, b.getStringAttr("private"),
      MemRefType::get(tableSize, type),
      DenseElementsAttr::get(RankedTensorType::get(tableSize, type), values),
      /*constant=*/true, /*alignment=*/IntegerAttr());
  symbols.insert(global, symbols.getOp()->getRegion(0).front().begin());
  table = global;
  return global;
}

Value NumericFunctions::decode(ImplicitLocOpBuilder &b, Type type,
                               Value element, FloatType resultType) {
  if (type.isInteger(8))
    return ScalarExpr(b, element).fromSigned(resultType);
  if (auto format = parseElementFormat(printType(type))) {
    memref::GlobalOp table = getDecodeTable(*format, resultType);
    Value code = element;
    if (isa<FloatType>(code.getType()))
      code = arith::BitcastOp::create(
          b, b.getIntegerType(type.getIntOrFloatBitWidth()), code);
    code = arith::IndexCastUIOp::create(b, b.getIndexType(), code);
    Value values =
        memref::GetGlobalOp::create(b, table.getType(), table.getSymName());
    return memref::LoadOp::create(b, values, code);
  }
  assert(type.getIntOrFloatBitWidth() <= resultType.getWidth() &&
         "decoding must be exact");
  return type == resultType ? element
                            : ScalarExpr(b, element).extendFloat(resultType);
}
