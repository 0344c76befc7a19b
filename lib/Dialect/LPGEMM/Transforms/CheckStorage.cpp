//===- CheckStorage.cpp - what works on packed bytes ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedStorage.h"

#include "lpgemm/Dialect/LPGEMM/IR/ProductExtents.h"
#include "lpgemm/Dialect/LPGEMM/IR/TileBounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// Elements after which bytes begin anew: 2 of 4 bits, 4 of 6.
static int64_t getGroup(Type element) {
  return 8 / std::gcd<int64_t>(8, element.getIntOrFloatBitWidth());
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// (L-11) If only bytes tell K, it is taken up to K + 1, for an odd K: in the
/// same block only if blocks have an even length.
static LogicalResult verifyK(ProductInterface op) {
  if (op.getK() || findK(op))
    return success();
  std::pair<StringRef, std::optional<ScaleAttr>> scales[] = {
      {"lhs_scale", op.getLhsScaleKind()}, {"rhs_scale", op.getRhsScaleKind()}};
  for (auto [name, kind] : scales)
    if (kind && kind->getKBlock() % 2 != 0)
      return op->emitOpError()
             << "expects " << name
             << " to have blocks of an even length along K, or a static K, "
                "because the packed bytes of lhs and rhs do not tell an odd K, "
                "but got <"
             << kind->getKindName() << ">";
  return success();
}

/// N, if rhs and init are both packed along it.
static LogicalResult verifyColumns(ProductInterface op) {
  Type rhs = op.getRhsElementType();
  if (op.getTransposeB() || !isSubByteFloat(rhs) ||
      !isSubByteFloat(op.getInitElementType()) || op.getRhsPackedAttr() ||
      findColumnsBesideMatrices(op).source)
    return success();
  int64_t columns = cast<ShapedType>(op.getRhs().getType()).getShape().back();
  if (!ShapedType::isDynamic(columns) && columns % getGroup(rhs) == 0)
    return success();
  return op->emitOpError()
         << "expects N of rhs to be static and a multiple of " << getGroup(rhs)
         << ", or c, bias, rhs_scale of N or transpose_b, because the packed "
            "bytes of rhs and init do not tell N, but got "
         << op.getRhs().getType();
}

static LogicalResult verifyProduct(ProductInterface op) {
  return success(succeeded(verifyK(op)) && succeeded(verifyColumns(op)));
}

//===----------------------------------------------------------------------===//
// Ops of other dialects
//===----------------------------------------------------------------------===//

static LogicalResult verifyConstant(arith::ConstantOp op) {
  if (isa<DenseElementsAttr>(op.getValue()))
    return success();
  return op.emitOpError() << "expects dense elements to pack into bytes, but "
                             "got another attribute of type "
                          << op.getType();
}

static LogicalResult verifyFill(linalg::FillOp op) {
  if (getFillByte(op))
    return success();
  Type element = getElementTypeOrSelf(op.getOutputs().front());
  return op.emitOpError()
         << "expects a constant " << element
         << " that fills all packed bytes alike: 0, or, in rows of a static "
            "multiple of "
         << getGroup(element) << " elements, "
         << (isa<Float4E2M1FNType>(element) ? "any"
                                            : "the one whose bits are all 1")
         << "; but got a fill of " << op.getOutputs().front().getType();
}

static LogicalResult verifyDim(tensor::DimOp op) {
  if (op.getConstantIndex())
    return success();
  return op.emitOpError() << "expects a constant index of a dimension of "
                             "packed bytes, but got one of "
                          << op.getSource().getType()
                          << " that is known at run time only";
}

static LogicalResult verifySelect(arith::SelectOp op) {
  if (op.getCondition().getType().isInteger(1))
    return success();
  return op.emitOpError() << "expects a condition of type 'i1' to select among "
                             "packed bytes, but got "
                          << op.getCondition().getType();
}

/// Whether the elements of a slice begin and end with a byte; its end may also
/// be that of the rows of `tensor`.
static bool isWholeBytes(const RowSlice &slice, Value tensor) {
  int64_t group = getGroup(getElementTypeOrSelf(tensor));
  int64_t columns = cast<ShapedType>(tensor.getType()).getShape().back();
  int64_t divisor = getKnownDivisor(slice.offset);
  if (divisor % group != 0 || !isOneInteger(slice.stride))
    return false;
  std::optional<int64_t> offset = getConstantIntValue(slice.offset);
  std::optional<int64_t> size = getConstantIntValue(slice.size);
  return (slice.isWhole && divisor == 0) ||
         getKnownDivisor(slice.size) % group == 0 ||
         (offset && size && *offset + *size == columns);
}

static LogicalResult verifySlice(OffsetSizeAndStrideOpInterface op,
                                 Value tensor, bool dropsRows) {
  if (!dropsRows && isWholeBytes(getRowSlice(op, tensor), tensor))
    return success();
  return op->emitOpError()
         << "expects a slice of whole bytes along the last dimension: an "
            "offset and a size that are known to be multiples of "
         << getGroup(getElementTypeOrSelf(tensor))
         << ", or the whole dimension, with stride 1, which stays a dimension; "
            "but got one of "
         << tensor.getType();
}

template <typename SliceOp>
static LogicalResult verifySlice(SliceOp op, Value tensor) {
  return verifySlice(op, tensor,
                     op.getDroppedDims().test(
                         cast<ShapedType>(tensor.getType()).getRank() - 1));
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

/// What takes bytes in the place of elements.
static constexpr StringLiteral kTakers =
    "those of lpgemm, func.func, func.call, func.return, scf.for, scf.if, "
    "scf.while, tensor.empty, tensor.cast, tensor.dim, tensor.extract_slice, "
    "tensor.insert_slice, arith.constant, arith.select, linalg.fill, "
    "bufferization.alloc_tensor and bufferization.materialize_in_destination";

static LogicalResult refuse(Operation *op, Type type) {
  return op->emitOpError()
         << "does not take elements that lpgemm-materialize-storage has packed "
            "into bytes, but got "
         << type << "; ops that do are " << kTakers;
}

/// Ops whose regions or terminators only pass tensors on.
static bool passesOn(Operation *op) {
  if (isa<func::FuncOp, func::CallOp, func::ReturnOp, scf::ForOp, scf::IfOp,
          scf::WhileOp, scf::ConditionOp, tensor::CastOp, tensor::EmptyOp,
          bufferization::AllocTensorOp,
          bufferization::MaterializeInDestinationOp>(op))
    return true;
  return isa<scf::YieldOp>(op) &&
         isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op->getParentOp());
}

LogicalResult lpgemm::verifyPackable(Operation *op) {
  Type type = findUnpackedType(op);
  if (!type)
    return success();
  if (Type unpackable = findUnpackableType(op))
    return op->emitOpError()
           << "expects elements that lpgemm-materialize-storage packs into "
              "bytes to be in ranked tensors with rows and without an "
              "encoding, "
              "but got "
           << unpackable;
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](ProductInterface op) { return verifyProduct(op); })
      .Case<QuantizeOp, DequantizeOp, PackWeightsOp, UnpackWeightsOp>(
          [](auto) { return success(); })
      .Case([](arith::ConstantOp op) { return verifyConstant(op); })
      .Case([](arith::SelectOp op) { return verifySelect(op); })
      .Case([](linalg::FillOp op) { return verifyFill(op); })
      .Case([](tensor::DimOp op) { return verifyDim(op); })
      .Case([](tensor::ExtractSliceOp op) {
        return verifySlice(op, op.getSource());
      })
      .Case([](tensor::InsertSliceOp op) {
        return verifySlice(op, op.getDest());
      })
      .Default([&](Operation *op) {
        return passesOn(op) ? success() : refuse(op, type);
      });
}
