//===- LPGEMMTypes.cpp - types of the dialect -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

#include "lpgemm/Target/MmaInfo.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// `MxNxT` of a type with a shape; with `slots` also `SxMxNxT`.
static ParseResult parseShape(AsmParser &parser, SmallVectorImpl<int64_t> &dims,
                              Type &elementType, bool slots = false) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(dims, /*allowDynamic=*/false) ||
      parser.parseType(elementType))
    return failure();
  if (dims.size() == 2 || (slots && dims.size() == 3))
    return success();
  return parser.emitError(loc) << "expects two " << (slots ? "or three " : "")
                               << "dimensions, but got " << dims.size();
}

static void printShape(AsmPrinter &printer, ArrayRef<int64_t> shape,
                       Type elementType) {
  printer.printDimensionList(shape);
  if (!shape.empty())
    printer << 'x';
  printer << elementType;
}

/// A tile has elements.
static LogicalResult
verifyPositive(function_ref<InFlightDiagnostic()> emitError,
               ArrayRef<int64_t> shape) {
  if (llvm::all_of(shape, [](int64_t extent) { return extent > 0; }))
    return success();
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "expects positive extents, but got ";
  llvm::interleave(shape, diagnostic, "x");
  return diagnostic;
}

#define GET_TYPEDEF_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMTypes.cpp.inc"

//===----------------------------------------------------------------------===//
// GlobalType
//===----------------------------------------------------------------------===//

Type GlobalType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  FailureOr<ScaleLayout> layout = ScaleLayout::Row;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/true) ||
      parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      failed(layout = FieldParser<ScaleLayout>::parse(parser)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<GlobalType>(loc, parser.getContext(), shape,
                                       elementType, *layout);
}

void GlobalType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElementType());
  if (getLayout() != ScaleLayout::Row)
    printer << ", " << stringifyScaleLayout(getLayout());
  printer << '>';
}

ShapedType GlobalType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                                 Type elementType) const {
  return get(getContext(), shape.value_or(getShape()), elementType,
             getLayout());
}

LogicalResult GlobalType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType,
                                 ScaleLayout layout) {
  if (shape.size() > 2)
    return emitError() << "expects at most two dimensions, but got "
                       << shape.size();
  if (layout == ScaleLayout::Row)
    return success();
  bool isTiled = llvm::is_contained(
      {ScaleLayout::MNTMAUE8M0x4, ScaleLayout::Swz128x4, ScaleLayout::AMD32x8},
      layout);
  if (!isTiled)
    return emitError() << "expects a layout of scales that is no matrix, "
                          "mn_tma_ue8m0x4, swz128x4 or amd32x8, but got "
                       << stringifyScaleLayout(layout);
  auto scale = ScaleAttr::get(elementType.getContext(), ScaleKind::MX, layout);
  if (shape.size() != 2)
    return emitError() << "expects two dimensions in layout "
                       << stringifyScaleLayout(layout) << ", but got "
                       << shape.size();
  if (!scale.layoutTakesElementType(elementType))
    return emitError() << "expects an element type of "
                       << scale.describeLayoutElementTypes() << " in layout "
                       << stringifyScaleLayout(layout) << ", but got "
                       << elementType;
  return success();
}

//===----------------------------------------------------------------------===//
// BufType
//===----------------------------------------------------------------------===//

Type BufType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SmemAttr layout;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parseShape(parser, shape, elementType, /*slots=*/true) ||
      parser.parseComma())
    return {};
  FailureOr<MemorySpace> space = FieldParser<MemorySpace>::parse(parser);
  if (failed(space))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      parser.parseCustomAttributeWithFallback(layout))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<BufType>(loc, parser.getContext(), shape,
                                    elementType, *space, layout);
}

void BufType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElementType());
  printer << ", " << stringifyMemorySpace(getSpace());
  if (getLayout()) {
    printer << ", ";
    printer.printStrippedAttrOrType(getLayout());
  }
  printer << '>';
}

ShapedType BufType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                              Type elementType) const {
  return get(getContext(), shape.value_or(getShape()), elementType, getSpace(),
             getLayout());
}

LogicalResult BufType::verify(function_ref<InFlightDiagnostic()> emitError,
                              ArrayRef<int64_t> shape, Type elementType,
                              MemorySpace space, SmemAttr layout) {
  if (failed(verifyPositive(emitError, shape)))
    return failure();
  if (!elementType.isIntOrFloat() ||
      !llvm::is_contained({4u, 6u, 8u, 16u, 32u},
                          elementType.getIntOrFloatBitWidth()))
    return emitError()
           << "expects an element type of 4, 6, 8, 16 or 32 bits, but got "
           << elementType;
  int64_t bits = elementType.getIntOrFloatBitWidth();
  if (shape.back() * bits % 8 != 0)
    return emitError() << "expects a row to be of whole bytes, but got "
                       << shape.back() << " elements of " << elementType;
  if (!layout)
    return success();
  int64_t rowBytes = shape.back() * bits / 8,
          units = rowBytes / layout.getUnit();
  if (rowBytes % layout.getUnit() != 0)
    return emitError() << "expects a row (" << rowBytes
                       << " bytes) to be a multiple of the layout's unit ("
                       << layout.getUnit() << ")";
  if (layout.getMask() >= units)
    return emitError() << "expects the layout's mask (" << layout.getMask()
                       << ") to be less than the units of a row (" << units
                       << ")";
  for (int64_t bytes : {layout.getUnit(), layout.getPad()})
    if (bytes * 8 % bits != 0 && bits > 8)
      return emitError() << "expects the layout's unit and pad to be multiples "
                            "of an element's bytes ("
                         << bits / 8 << "), but got " << bytes;
  return success();
}

//===----------------------------------------------------------------------===//
// FragType
//===----------------------------------------------------------------------===//

Type FragType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  LanesAttr lanes;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseShape(parser, shape, elementType))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      parser.parseCustomAttributeWithFallback(lanes))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<FragType>(loc, parser.getContext(), shape,
                                     elementType, lanes);
}

void FragType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElementType());
  if (getLanes()) {
    printer << ", ";
    printer.printStrippedAttrOrType(getLanes());
  }
  printer << '>';
}

ShapedType FragType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                               Type elementType) const {
  return get(getContext(), shape.value_or(getShape()), elementType, getLanes());
}

LogicalResult FragType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType,
                               LanesAttr lanes) {
  if (failed(verifyPositive(emitError, shape)))
    return failure();
  if (!elementType.isIntOrFloat())
    return emitError() << "expects an integer or float element type, but got "
                       << elementType;
  if (!lanes)
    return success();
  const LaneLayout &layout =
      getMmaInfo(lanes.getInstr()).layout(lanes.getRole(), elementType);
  if (layout.rows == 0)
    return emitError() << stringifyMmaInstr(lanes.getInstr())
                       << " has no operand '"
                       << stringifyMmaRole(lanes.getRole()) << "'";
  if (shape[0] % layout.rows != 0 || shape[1] % layout.cols != 0)
    return emitError() << "expects the tile (" << shape[0] << "x" << shape[1]
                       << ") to be a multiple of the atom of operand '"
                       << stringifyMmaRole(lanes.getRole()) << "' of "
                       << stringifyMmaInstr(lanes.getInstr()) << " ("
                       << layout.rows << "x" << layout.cols << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// PipeType
//===----------------------------------------------------------------------===//

LogicalResult PipeType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t slots) {
  if (slots >= 1 && slots <= 16)
    return success();
  return emitError() << "expects 1 to 16 slots, but got " << slots;
}

void LPGEMMDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMTypes.cpp.inc"
      >();
}
