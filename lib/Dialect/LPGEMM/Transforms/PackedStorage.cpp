//===- PackedStorage.cpp - elements of less than a byte -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedStorage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool isUnpacked(Type type) {
  return isa<TensorType, BaseMemRefType>(type) &&
         isSubByteFloat(cast<ShapedType>(type).getElementType());
}

/// The type itself, or one within it, such as an argument of a function type.
template <typename AttrOrType>
static Type findWithin(AttrOrType outer, function_ref<bool(Type)> isWanted) {
  Type found;
  outer.walk([&](Type type) {
    if (!isWanted(type))
      return WalkResult::advance();
    found = type;
    return WalkResult::interrupt();
  });
  return found;
}

/// A type of an operand, a result, an argument of a block or in an attribute.
static Type findType(Operation *op, function_ref<bool(Type)> isWanted) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  for (Type type : types)
    if (Type found = findWithin(type, isWanted))
      return found;
  for (NamedAttribute attribute : op->getAttrs())
    if (Type found = findWithin(attribute.getValue(), isWanted))
      return found;
  return {};
}

Type lpgemm::findUnpackedType(Operation *op) {
  return findType(op, isUnpacked);
}

Type lpgemm::findUnpackableType(Operation *op) {
  return findType(op, [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return isUnpacked(type) && !(tensor && getPackedType(tensor));
  });
}

static int64_t bitsOf(Type element) { return element.getIntOrFloatBitWidth(); }

RankedTensorType lpgemm::getPackedType(RankedTensorType type) {
  if (type.getRank() == 0 || type.getEncoding())
    return {};
  SmallVector<int64_t> shape(type.getShape());
  if (!ShapedType::isDynamic(shape.back()))
    shape.back() =
        llvm::divideCeil(shape.back() * bitsOf(type.getElementType()), 8);
  return RankedTensorType::get(shape, IntegerType::get(type.getContext(), 8));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Puts a code at a bit of a row of bytes, which are zero there.
static void putCode(MutableArrayRef<int8_t> row, int64_t bit, unsigned code) {
  unsigned shifted = code << (bit % 8);
  row[bit / 8] |= shifted;
  if (shifted > 0xFF)
    row[bit / 8 + 1] |= shifted >> 8;
}

static unsigned codeOf(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

DenseElementsAttr lpgemm::packElements(DenseElementsAttr elements) {
  auto type = cast<RankedTensorType>(elements.getType());
  RankedTensorType packed = getPackedType(type);
  int64_t columns = type.getShape().back(),
          bits = bitsOf(type.getElementType());
  int64_t rowBytes = packed.getShape().back();
  SmallVector<int8_t> bytes(packed.getNumElements());
  for (auto [i, value] : llvm::enumerate(elements.getValues<APFloat>())) {
    int64_t row = i / columns, column = i % columns;
    putCode(MutableArrayRef(bytes).slice(row * rowBytes, rowBytes),
            column * bits, codeOf(value));
  }
  if (!bytes.empty() && llvm::all_equal(bytes))
    bytes.truncate(1);
  return DenseElementsAttr::get<int8_t>(packed, bytes);
}

std::optional<uint8_t> lpgemm::getFillByte(linalg::FillOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getOutputs().front().getType());
  FloatAttr value;
  if (!type || !matchPattern(op.getInputs().front(), m_Constant(&value)) ||
      value.getType() != type.getElementType())
    return std::nullopt;
  unsigned code = codeOf(value.getValue());
  if (code == 0)
    return 0;
  int64_t columns = type.getShape().back(),
          bits = bitsOf(type.getElementType());
  if (ShapedType::isDynamic(columns) || columns * bits % 8 != 0)
    return std::nullopt;
  // Codes of 4 and of 6 bits fit into 3 bytes without a rest.
  std::array<int8_t, 3> bytes = {};
  for (int64_t bit = 0; bit != 24; bit += bits)
    putCode(bytes, bit, code);
  if (!llvm::all_equal(bytes))
    return std::nullopt;
  return bytes.front();
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

OpFoldResult lpgemm::packExtent(OpBuilder &b, Location loc,
                                OpFoldResult elements, Type element) {
  int64_t bits = bitsOf(element);
  if (std::optional<int64_t> size = getConstantIntValue(elements))
    return b.getIndexAttr(llvm::divideCeil(*size * bits, 8));
  Value value = cast<Value>(elements);
  value = arith::MulIOp::create(b, loc, value,
                                arith::ConstantIndexOp::create(b, loc, bits));
  return arith::CeilDivUIOp::create(b, loc, value,
                                    arith::ConstantIndexOp::create(b, loc, 8))
      .getResult();
}

OpFoldResult lpgemm::unpackExtent(OpBuilder &b, Location loc,
                                  OpFoldResult bytes, Type element) {
  int64_t bits = bitsOf(element);
  if (std::optional<int64_t> size = getConstantIntValue(bytes))
    return b.getIndexAttr(*size * 8 / bits);
  Value value = cast<Value>(bytes);
  value = arith::MulIOp::create(b, loc, value,
                                arith::ConstantIndexOp::create(b, loc, 8));
  return arith::DivUIOp::create(b, loc, value,
                                arith::ConstantIndexOp::create(b, loc, bits))
      .getResult();
}

/// The tensor whose shape `tensor` has, one op further up; null if none is
/// seen.
static Value findShapeSource(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getSource().getType()) ? cast.getSource()
                                                             : Value();
  if (auto allocation = dyn_cast_or_null<bufferization::AllocTensorOp>(op))
    return allocation.getCopy();
  if (auto destination = dyn_cast_or_null<DestinationStyleOpInterface>(op))
    return destination.getTiedOpOperand(cast<OpResult>(tensor))->get();
  return {};
}

std::optional<OpFoldResult> lpgemm::findRowExtent(Value tensor) {
  for (; tensor; tensor = findShapeSource(tensor)) {
    int64_t size = cast<RankedTensorType>(tensor.getType()).getShape().back();
    if (!ShapedType::isDynamic(size))
      return OpFoldResult(
          IntegerAttr::get(IndexType::get(tensor.getContext()), size));
    if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>())
      return OpFoldResult(empty.getDynamicSizes().back());
    if (auto allocation = tensor.getDefiningOp<bufferization::AllocTensorOp>())
      if (!allocation.getCopy())
        return OpFoldResult(allocation.getDynamicSizes().back());
  }
  return std::nullopt;
}

RowSlice lpgemm::getRowSlice(OffsetSizeAndStrideOpInterface slice,
                             Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  RowSlice row{slice.getMixedOffsets().back(), slice.getMixedSizes().back(),
               slice.getMixedStrides().back(), /*isWhole=*/false};
  std::optional<int64_t> size = getConstantIntValue(row.size);
  if (size) {
    row.isWhole = *size == type.getShape().back();
    return row;
  }
  auto dim = cast<Value>(row.size).getDefiningOp<tensor::DimOp>();
  row.isWhole = dim && dim.getSource() == tensor &&
                dim.getConstantIndex() == type.getRank() - 1;
  return row;
}

int64_t ProductSide::getKPosition() const {
  return cast<ShapedType>(value.getType()).getRank() - 2 + kDim;
}

SmallVector<ProductSide, 2> lpgemm::getSides(ProductInterface op) {
  return {{op.getLhs(), op.getLhsPackedAttr(), op.getLhsElementType(),
           op.getTransposeA() ? 0u : 1u},
          {op.getRhs(), op.getRhsPackedAttr(), op.getRhsElementType(),
           op.getTransposeB() ? 1u : 0u}};
}

ProductExtent lpgemm::findK(ProductInterface op) {
  SmallVector<ProductSide, 2> sides = getSides(op);
  for (const ProductSide &side : sides) {
    int64_t size =
        cast<ShapedType>(side.value.getType()).getDimSize(side.getKPosition());
    bool isBytes = side.packed && side.isPackedAlongK();
    if (!ShapedType::isDynamic(size) && !isBytes)
      return {IntegerAttr::get(IndexType::get(op.getContext()), size), {}, 0};
  }
  for (const ProductSide &side : sides)
    if (!side.isPackedAlongK())
      return {{}, side.value, side.getKPosition()};
  for (const ProductSide &side : sides)
    if (!side.packed)
      if (std::optional<OpFoldResult> size = findRowExtent(side.value))
        return {*size, {}, 0};
  return {};
}
