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

/// `%r = %residual : tensor<?x?xbf16> by affine_map<...>`
static ParseResult parseExtraOperand(OpAsmParser &parser,
                                     OpAsmParser::Argument &argument,
                                     OpAsmParser::UnresolvedOperand &operand,
                                     Type &type, Attribute &map) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseArgument(argument) || parser.parseEqual() ||
      parser.parseOperand(operand) || parser.parseColonType(type))
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
                      Region &region) {
  SmallVector<OpAsmParser::Argument> arguments(1);
  SmallVector<Attribute> mapAttrs;
  if (parser.parseLParen() || parser.parseArgument(arguments.front()))
    return failure();
  arguments.front().type = parser.getBuilder().getF32Type();
  while (succeeded(parser.parseOptionalComma()))
    if (parseExtraOperand(parser, arguments.emplace_back(),
                          operands.emplace_back(), types.emplace_back(),
                          mapAttrs.emplace_back()))
      return failure();
  if (parser.parseRParen() || parser.parseRegion(region, arguments))
    return failure();
  if (!mapAttrs.empty())
    maps = parser.getBuilder().getArrayAttr(mapAttrs);
  return success();
}

void lpgemm::printEpilogue(OpAsmPrinter &printer, Operation *,
                           OperandRange operands, TypeRange types,
                           ArrayAttr maps, Region &region) {
  printer << "(";
  if (!region.empty() && region.getNumArguments() != 0)
    printer << region.getArgument(0);
  for (auto [i, operand, type] : llvm::enumerate(operands, types)) {
    printer << ", " << region.getArgument(i + 1) << " = " << operand << " : "
            << type;
    auto map = cast<AffineMapAttr>(maps[i]);
    if (map.getValue() != getDefaultMap(type))
      printer << " by " << map;
  }
  printer << ") ";
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}
