//===- OutlineKernel.cpp - the body of an outlined kernel -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutlineKernel.h"

#include "lpgemm/Dialect/LPGEMM/Utils/BatchPosition.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::lpgemm;

Value KernelBody::cast(Value v, Type type) {
  return arith::IndexCastOp::create(b, loc, type, v);
}

Value KernelBody::bindPart(MatmulOp product, Value part) {
  int64_t numParts = op.getSchedule()->getSplitK();
  auto count = arith::ConstantIndexOp::create(b, loc, numParts);
  if (!part)
    part = arith::RemUIOp::create(
        b, loc, gpu::BlockIdOp::create(b, loc, gpu::Dimension::x), count);
  const KernelArgument &argument = *interface.lookupWorkspace();
  Value ptr =
      kernel.getArgument(std::distance(interface.arguments.begin(), &argument));
  Value rows = DimOp::create(b, loc, product.getInit(), 0);
  Value cols = DimOp::create(b, loc, product.getInit(), 1);
  if (Value entry = buildBatchEntry(b, loc, interface, sizes))
    part = arith::AddIOp::create(
        b, loc, arith::MulIOp::create(b, loc, entry, count), part);
  Value pitch = cast(cols, b.getI64Type());
  Value offset = arith::MulIOp::create(b, loc, cast(part, b.getI64Type()),
                                       cast(rows, b.getI64Type()));
  offset = arith::MulIOp::create(b, loc, offset, pitch);
  return BindOp::create(b, loc, getGlobalType(argument, /*rank=*/2),
                        advance(ptr, offset, argument.elementType), rows, cols,
                        pitch);
}

Value KernelBody::getNumWorkgroups() {
  const KernelArgument *argument = interface.lookupWorkgroups();
  if (!argument)
    return {};
  unsigned number = std::distance(interface.arguments.begin(), argument);
  return cast(kernel.getArgument(number), b.getIndexType());
}

/// The globals of the operands, from the kernel's arguments.
SmallVector<Value> KernelBody::bindOperands() {
  sizes.assign(interface.extents.size(), Value());
  llvm::StringMap<Value> pitches;
  for (auto [argument, value] :
       llvm::zip_equal(interface.arguments, kernel.getArguments())) {
    if (argument.kind == KernelArgument::Kind::Extent)
      sizes[interface.findExtent(argument)] = cast(value, b.getIndexType());
    if (argument.kind == KernelArgument::Kind::Pitch)
      pitches[argument.subject] = value;
  }
  llvm::StringMap<Value> offsets = buildBatchOffsets();
  // Operands share their extents.
  llvm::DenseMap<AffineExpr, Value> built;
  auto build = [&](AffineExpr expr) {
    Value &value = built[expr];
    if (!value)
      value = buildExtentExpr(b, loc, expr, sizes);
    return value;
  };
  SmallVector<Value> globals;
  for (auto [argument, value] :
       llvm::zip(interface.arguments, kernel.getArguments())) {
    if (argument.kind != KernelArgument::Kind::Address)
      continue;
    SmallVector<AffineExpr> shape = getMatrixShape(argument);
    auto [rows, cols] = getExtents(shape);
    Value rowCount = build(rows), colCount = build(cols);
    Value pitch = pitches.lookup(argument.subject);
    if (!pitch)
      pitch = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
    Value ptr =
        advance(value, offsets.lookup(argument.subject), argument.elementType);
    globals.push_back(BindOp::create(b, loc,
                                     getGlobalType(argument, shape.size()), ptr,
                                     rowCount, colCount, pitch));
  }
  return globals;
}

/// Where the workgroup's entry of the batch starts in each operand that has
/// batch dimensions, in elements, as i64.
llvm::StringMap<Value> KernelBody::buildBatchOffsets() {
  llvm::StringMap<Value> offsets;
  SmallVector<Value> position = buildBatchPosition(b, loc, interface, sizes);
  for (auto [argument, stride] :
       llvm::zip_equal(interface.arguments, kernel.getArguments())) {
    if (argument.kind != KernelArgument::Kind::Stride)
      continue;
    Value &offset = offsets[argument.subject];
    Value part = arith::MulIOp::create(
        b, loc, cast(position[argument.batchDim], b.getI64Type()), stride);
    offset = offset ? arith::AddIOp::create(b, loc, offset, part) : part;
  }
  return offsets;
}

/// 64 bits: an operand may be larger than what 32 address.
Value KernelBody::advance(Value ptr, Value units, Type elementType) {
  if (!units)
    return ptr;
  Value size = arith::ConstantOp::create(
      b, loc, b.getI64IntegerAttr(getUnitBytes(elementType)));
  Value bytes = arith::MulIOp::create(b, loc, units, size);
  return LLVM::GEPOp::create(b, loc, ptr.getType(), b.getI8Type(), ptr, bytes);
}

GlobalType KernelBody::getGlobalType(const KernelArgument &argument,
                                     size_t rank) {
  SmallVector<int64_t> shape(rank, ShapedType::kDynamic);
  return GlobalType::get(b.getContext(), shape, argument.elementType,
                         argument.hasTiledLayout() ? argument.scale->getLayout()
                                                   : ScaleLayout::Row);
}

/// The dimensions of an operand in the kernel: without those of the batch,
/// and of scales what is no padding of their layout.
SmallVector<AffineExpr>
KernelBody::getMatrixShape(const KernelArgument &argument) {
  if (!argument.scale)
    return llvm::map_to_vector(
        interface.getMatrixDims(argument),
        [&](unsigned dim) { return argument.shape[dim]; });
  bool isLhs = argument.subject == "lhs_scale";
  ArrayRef<AffineExpr> matrix =
      ArrayRef(interface.lookupAddress("init").shape).take_back(2);
  if (argument.subject == "scale_outs")
    return argument.scale->getMatrixShape(matrix[0], matrix[1],
                                          /*kFirst=*/false);
  auto getExtent = [&](StringRef name) {
    return b.getAffineDimExpr(std::distance(
        interface.extents.begin(), llvm::find(interface.extents, name)));
  };
  return argument.scale->getMatrixShape(
      getExtent(isLhs ? "M" : "N"), getExtent("K"),
      isLhs ? op.getTransposeA() : !op.getTransposeB());
}

/// Rows and columns of a matrix. A single element stands for a column of as
/// many equal ones as the result has rows.
std::pair<AffineExpr, AffineExpr>
KernelBody::getExtents(ArrayRef<AffineExpr> shape) {
  AffineExpr rows = interface.lookupAddress("init").shape.end()[-2];
  return {shape.empty() ? rows : shape[0],
          shape.size() < 2 ? b.getAffineConstantExpr(1) : shape[1]};
}

/// The op on globals, which know the type and the extents of their elements
/// where they are packed (C24).
MatmulOp KernelBody::cloneProduct(ValueRange operands) {
  auto product = ::cast<MatmulOp>(b.clone(*op));
  product.getKMutable().clear();
  product.removeLhsPackedAttr();
  product.removeRhsPackedAttr();
  product.removeInitPackedAttr();
  product->setOperands(operands);
  joinInPlace(product);
  return product;
}

/// (C25) What is read where the result is written is one matrix with it, so
/// that loads see the stores.
void KernelBody::joinInPlace(MatmulOp product) {
  Value init = product.getInit();
  if (op.getC() == op.getInit())
    product.getCMutable().assign(init);
  for (auto [outside, inside] : llvm::zip_equal(
           op.getEpilogueOperands(), product.getEpilogueOperandsMutable()))
    if (outside == op.getInit() && inside.get().getType() == init.getType())
      inside.set(init);
}

MatmulOp KernelBody::createProduct() {
  SmallVector<Value> globals = bindOperands(), factorsInKernel;
  for (auto [argument, value] :
       llvm::zip(interface.arguments, kernel.getArguments()))
    if (argument.kind == KernelArgument::Kind::Factor)
      factorsInKernel.push_back(value);
  // The op has both in the order of the interface, in between each other.
  SmallVector<Value> inKernel;
  auto *global = globals.begin(), *factor = factorsInKernel.begin();
  for (Value operand : op.getOperands())
    if (operand != op.getK())
      inKernel.push_back(operand.getType().isF32() ? *factor++ : *global++);
  MatmulOp product = cloneProduct(inKernel);
  simplifyEpilogueMaps(product);
  return product;
}

/// A kernel's operands have neither batch dimensions nor such of extent 1, so
/// that the maps of an epilogue are those of a row and a column.
void KernelBody::simplifyEpilogueMaps(MatmulOp inKernel) {
  ArrayAttr oldMaps = inKernel.getEpilogueMapsAttr();
  if (!oldMaps) // no operands
    return;
  unsigned numBatch = interface.getNumBatch();
  auto maps = llvm::map_to_vector(oldMaps, [&](Attribute attr) -> Attribute {
    AffineMap map = ::cast<AffineMapAttr>(attr).getValue();
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr);
          dim && dim.getPosition() >= numBatch)
        results.push_back(b.getAffineDimExpr(dim.getPosition() - numBatch));
    return AffineMapAttr::get(AffineMap::get(2, 0, results, b.getContext()));
  });
  inKernel.setEpilogueMapsAttr(b.getArrayAttr(maps));
}
