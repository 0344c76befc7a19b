//===- ProductSyntax.cpp - syntax that the products share -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductSyntax.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"

using namespace mlir;
using namespace mlir::lpgemm;

ParseResult
lpgemm::parseFactor(OpAsmParser &parser,
                    std::optional<OpAsmParser::UnresolvedOperand> &operand,
                    FloatAttr &constant) {
  OpAsmParser::UnresolvedOperand value;
  OptionalParseResult parsed = parser.parseOptionalOperand(value);
  if (parsed.has_value()) {
    operand = value;
    return *parsed;
  }
  APFloat number(0.0f);
  if (parser.parseFloat(APFloat::IEEEsingle(), number))
    return failure();
  constant = FloatAttr::get(parser.getBuilder().getF32Type(), number);
  return success();
}

void lpgemm::printFactor(OpAsmPrinter &printer, Operation *, Value operand,
                         FloatAttr constant) {
  if (operand)
    printer << operand;
  else
    printer.printAttributeWithoutType(constant);
}

/// The map that an operand has without a `by`: all dimensions of the result.
static AffineMap getDefaultMap(Type type) {
  return AffineMap::getMultiDimIdentityMap(cast<ShapedType>(type).getRank(),
                                           type.getContext());
}

/// `%residual : tensor<?x?xbf16> by affine_map<...>`, behind `%r = `.
static ParseResult parseExtraOperand(OpAsmParser &parser, SMLoc loc,
                                     OpAsmParser::Argument &argument,
                                     OpAsmParser::UnresolvedOperand &operand,
                                     Type &type, Attribute &map) {
  if (parser.parseOperand(operand) || parser.parseColonType(type))
    return failure();
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return parser.emitError(loc)
           << "expects a tensor, memref or global, but got " << type;
  argument.type = shaped.getElementType();
  if (failed(parser.parseOptionalKeyword("by"))) {
    map = AffineMapAttr::get(getDefaultMap(type));
    return success();
  }
  AffineMapAttr given;
  if (parser.parseAttribute(given))
    return failure();
  map = given;
  return success();
}

ParseResult
lpgemm::parseEpilogue(OpAsmParser &parser,
                      SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                      SmallVectorImpl<Type> &types, ArrayAttr &maps,
                      UnitAttr &pairs, Region &region) {
  SmallVector<OpAsmParser::Argument> arguments(1);
  SmallVector<Attribute> mapAttrs;
  Builder &b = parser.getBuilder();
  if (parser.parseLParen() || parser.parseArgument(arguments.front()))
    return failure();
  arguments.front().type = b.getF32Type();
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    bool isSecond = arguments.size() == 1;
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument))
      return failure();
    // One without an operand is the other element of a pair.
    if (failed(parser.parseOptionalEqual())) {
      if (!isSecond)
        return parser.emitError(parser.getCurrentLocation(), "expected '='");
      pairs = b.getUnitAttr();
      argument.type = b.getF32Type();
      continue;
    }
    if (parseExtraOperand(parser, loc, argument, operands.emplace_back(),
                          types.emplace_back(), mapAttrs.emplace_back()))
      return failure();
  }
  if (parser.parseRParen() || parser.parseRegion(region, arguments))
    return failure();
  if (!mapAttrs.empty())
    maps = b.getArrayAttr(mapAttrs);
  return success();
}

void lpgemm::printEpilogue(OpAsmPrinter &printer, Operation *,
                           OperandRange operands, TypeRange types,
                           ArrayAttr maps, UnitAttr pairs, Region &region) {
  printer << "(";
  unsigned numSums = pairs ? 2 : 1;
  if (!region.empty() && region.getNumArguments() >= numSums)
    llvm::interleaveComma(region.getArguments().take_front(numSums), printer);
  for (auto [i, operand, type] : llvm::enumerate(operands, types)) {
    printer << ", " << region.getArgument(numSums + i) << " = " << operand
            << " : " << type;
    auto map = cast<AffineMapAttr>(maps[i]);
    if (map.getValue() != getDefaultMap(type))
      printer << " by " << map;
  }
  printer << ") ";
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}
