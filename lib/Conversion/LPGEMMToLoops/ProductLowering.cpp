//===- ProductLowering.cpp - the meaning of the matrix products -----------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductLowering.h"

#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

class ProductLowering {
public:
  ProductLowering(ProductInterface op, NumericFunctions &functions,
                  Accumulation accumulation)
      : op(op), functions(functions), accumulation(accumulation),
        b(op.getLoc(), op) {}

  void lower();

private:
  /// A group of rows, or of K, from `start` on.
  struct Group {
    Value g, start, size;
  };

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value ceilDiv(Value value, int64_t divisor) {
    return arith::CeilDivUIOp::create(b, value, index(divisor));
  }
  void emitInstance(const ProductInstance &instance);
  void emitBatch();
  void emitGroups(GroupedMatmulOp grouped);
  void emitContiguous(GroupedMatmulOp grouped);
  void emitKGroups(GroupedMatmulOp grouped);
  void emitMasked(GroupedMatmulOp grouped);
  Value loadGroup(GroupedMatmulOp grouped, Value g);
  void check(Value condition, const Twine &message);
  /// Loops over groups by end offsets. `step` emits a group and gives the next
  /// values of what it carries from group to group, which starts at zero.
  void emitOffsetLoop(
      GroupedMatmulOp grouped, Value limit, unsigned numCarried,
      llvm::function_ref<SmallVector<Value>(Group, ValueRange)> step);
  /// Rows that no group covers, and their scales.
  void fillUncovered();

  ProductInterface op;
  NumericFunctions &functions;
  Accumulation accumulation;
  ImplicitLocOpBuilder b;
  Value m, n, k;
};

} // namespace

void ProductLowering::emitInstance(const ProductInstance &instance) {
  FloatType type = accumulation == Accumulation::F64
                       ? FloatType(b.getF64Type())
                       : FloatType(b.getF32Type());
  // (G-12) A constant alpha of zero: lhs and rhs are not read.
  Value sums;
  if (!op.hasZeroAlpha())
    sums = emitSums(b, functions, op, instance, accumulation);
  emitEpilogue(b, functions, op, instance, type, sums);
  if (sums)
    memref::DeallocOp::create(b, sums);
}

void ProductLowering::emitBatch() {
  SmallVector<Value> batch;
  int64_t rank = cast<MemRefType>(op.getInit().getType()).getRank();
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    batch.push_back(memref::DimOp::create(b, op.getInit(), dim));
  emitLoops(b, batch, [&](ValueRange ivs) {
    ProductInstance instance;
    instance.ivs = llvm::to_vector(ivs);
    std::tie(instance.rows, instance.columns, instance.k) = std::tie(m, n, k);
    emitInstance(instance);
  });
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void ProductLowering::check(Value condition, const Twine &message) {
  cf::AssertOp::create(b, condition,
                       (op->getName().getStringRef() + ": " + message).str());
}

Value ProductLowering::loadGroup(GroupedMatmulOp grouped, Value g) {
  Value value = memref::LoadOp::create(b, grouped.getGroups(), g);
  return arith::IndexCastOp::create(b, b.getIndexType(), value);
}

void ProductLowering::emitOffsetLoop(
    GroupedMatmulOp grouped, Value limit, unsigned numCarried,
    llvm::function_ref<SmallVector<Value>(Group, ValueRange)> step) {
  OpBuilder::InsertionGuard guard(b);
  Value zero = index(0), align = index(grouped.getGroupAlign());
  SmallVector<Value> initial(numCarried + 1, zero);
  Value count = memref::DimOp::create(b, grouped.getGroups(), 0);
  auto loop = scf::ForOp::create(b, zero, count, index(1), initial);
  b.setInsertionPointToStart(loop.getBody());
  Value last = loop.getRegionIterArg(0);
  Value end = loadGroup(grouped, loop.getInductionVar());
  // (GG-2)
  using Predicate = arith::CmpIPredicate;
  check(arith::CmpIOp::create(b, Predicate::sge, end, last),
        "the offsets in groups decrease");
  check(arith::CmpIOp::create(b, Predicate::sle, end, limit),
        "an offset in groups is beyond the last row, or K");
  Value start = arith::MulIOp::create(
      b, arith::CeilDivUIOp::create(b, last, align), align);
  // An empty group may end before its aligned start.
  end = arith::MaxSIOp::create(b, end, start);
  start = arith::MinSIOp::create(b, start, limit);
  end = arith::MinSIOp::create(b, end, limit);
  Value size = arith::SubIOp::create(b, end, start);
  SmallVector<Value> next = step({loop.getInductionVar(), start, size},
                                 loop.getRegionIterArgs().drop_front());
  next.insert(next.begin(), end);
  scf::YieldOp::create(b, next);
}

void ProductLowering::emitContiguous(GroupedMatmulOp grouped) {
  // (GG-5) In layout swz128x4 the scales of a group start at a tile of its own.
  bool tiled = grouped.getLhsScaleKind() &&
               grouped.getLhsScaleKind()->getLayout() == ScaleLayout::Swz128x4;
  emitOffsetLoop(grouped, m, /*numCarried=*/1,
                 [&](Group group, ValueRange carried) -> SmallVector<Value> {
                   ProductInstance instance;
                   instance.ivs = {group.g};
                   instance.rows = group.size;
                   instance.columns = n;
                   instance.k = k;
                   instance.rowBase = group.start;
                   instance.scaleRowBase = tiled ? carried[0] : group.start;
                   emitInstance(instance);
                   Value rows = arith::MulIOp::create(
                       b, ceilDiv(group.size, 128), index(128));
                   return {arith::AddIOp::create(b, carried[0], rows)};
                 });
}

void ProductLowering::emitKGroups(GroupedMatmulOp grouped) {
  auto blockOf = [](std::optional<ScaleAttr> kind) -> int64_t {
    return kind && kind->hasKBlocks() ? kind->getKBlock() : 1;
  };
  int64_t lhsBlock = blockOf(grouped.getLhsScaleKind());
  int64_t rhsBlock = blockOf(grouped.getRhsScaleKind());
  // (GG-8) Blocks start anew with each group.
  emitOffsetLoop(grouped, k, /*numCarried=*/2,
                 [&](Group group, ValueRange carried) -> SmallVector<Value> {
                   ProductInstance instance;
                   instance.ivs = {group.g};
                   instance.rows = m;
                   instance.columns = n;
                   instance.k = group.size;
                   instance.kBase = group.start;
                   instance.lhsBlockBase = carried[0];
                   instance.rhsBlockBase = carried[1];
                   emitInstance(instance);
                   return {arith::AddIOp::create(b, carried[0],
                                                 ceilDiv(group.size, lhsBlock)),
                           arith::AddIOp::create(
                               b, carried[1], ceilDiv(group.size, rhsBlock))};
                 });
}

void ProductLowering::emitMasked(GroupedMatmulOp grouped) {
  Value count = memref::DimOp::create(b, grouped.getGroups(), 0);
  emitLoops(b, count, [&](ValueRange ivs) {
    ProductInstance instance;
    instance.ivs = {ivs[0]};
    instance.rows = loadGroup(grouped, ivs[0]);
    // Negative counts are large unsigned numbers.
    check(arith::CmpIOp::create(b, arith::CmpIPredicate::ule, instance.rows, m),
          "a count in groups is negative or beyond M");
    instance.columns = n;
    instance.k = k;
    emitInstance(instance);
  });
}

/// An integer zero with the bits of a `type`.
static Value getZeroBits(ImplicitLocOpBuilder &b, Type type) {
  return arith::ConstantOp::create(
      b, b.getZeroAttr(b.getIntegerType(type.getIntOrFloatBitWidth())));
}

void ProductLowering::fillUncovered() {
  Value init = op.getInit();
  auto type = cast<MemRefType>(init.getType());
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    extents.push_back(memref::DimOp::create(b, init, dim));
  Type element = type.getElementType();
  Value zero = getZeroBits(b, element);
  if (zero.getType() != element)
    zero = arith::BitcastOp::create(b, element, zero);
  emitLoops(b, extents, [&](ValueRange ivs) {
    memref::StoreOp::create(b, zero, init, ivs);
  });
  Value scale = op.getInitScale();
  if (!scale)
    return;
  // The padding around the scales stays what its layout wants (L-7).
  ScaleAttr kind = *op.getInitScaleKind();
  Value scaleZero =
      getZeroBits(b, cast<MemRefType>(scale.getType()).getElementType());
  Value columns = arith::DivUIOp::create(b, n, index(op.getSumsPerResult()));
  extents.back() = ceilDiv(columns, kind.getKBlock());
  emitLoops(b, extents, [&](ValueRange ivs) {
    accessScales(b, scale, kind, /*kFirst=*/false, ivs.drop_back(2))
        .store(b, scaleZero, ivs[ivs.size() - 2], ivs.back());
  });
}

void ProductLowering::emitGroups(GroupedMatmulOp grouped) {
  if (grouped.getUncovered() == Uncovered::Zero)
    fillUncovered();
  switch (grouped.getMode()) {
  case GroupMode::Contiguous:
    return emitContiguous(grouped);
  case GroupMode::Masked:
    return emitMasked(grouped);
  case GroupMode::KGrouped:
    return emitKGroups(grouped);
  }
}

void ProductLowering::lower() {
  ShapeContract contract = op.getShapeContract();
  SmallVector<Value> extents = buildExtents(b, op.getLoc(), contract);
  buildShapeAsserts(b, op, contract, extents);
  for (auto [value, extent] : llvm::zip(extents, contract.extents))
    for (auto [name, member] :
         {std::pair<StringRef, Value *>("M", &m), {"N", &n}, {"K", &k}})
      if (extent.name == name)
        *member = value;
  // (L-11) Where nothing tells N, rows of rhs are static and full bytes.
  if (!n) {
    int64_t bytes = cast<MemRefType>(op.getRhs().getType()).getShape().back();
    n = index(bytes * 8 / op.getRhsElementType().getIntOrFloatBitWidth());
  }
  // (G-14) The largest magnitude of nothing is 0.
  if (Value amax = op.getAmax())
    memref::StoreOp::create(
        b, arith::ConstantOp::create(b, b.getF32FloatAttr(0.0)), amax,
        ValueRange());
  if (Value scale = op.getInitScale())
    emitScalePadding(b, scale, *op.getInitScaleKind());
  if (auto grouped = dyn_cast<GroupedMatmulOp>(*op))
    emitGroups(grouped);
  else
    emitBatch();
  op->erase();
}

/// The limited accumulator is that of FP8 products.
static LogicalResult verifyHopper(ProductInterface op) {
  for (Type type : {op.getLhsElementType(), op.getRhsElementType()})
    if (!isa<Float8E4M3FNType, Float8E5M2Type>(type))
      return op->emitOpError() << "expects operands of 'f8E4M3FN' or 'f8E5M2' "
                                  "with accumulate=hopper, but got "
                               << type;
  uint64_t interval = op.getPromoteK().value_or(0);
  if (interval % NumericFunctions::hopperGroupSize != 0)
    return op->emitOpError() << "expects promote_k to be a multiple of "
                             << NumericFunctions::hopperGroupSize
                             << " with accumulate=hopper, but got " << interval;
  return success();
}

LogicalResult lpgemm::lowerProduct(ProductInterface op,
                                   NumericFunctions &functions,
                                   Accumulation accumulation) {
  if (accumulation == Accumulation::Hopper && failed(verifyHopper(op)))
    return failure();
  ProductLowering(op, functions, accumulation).lower();
  return success();
}
