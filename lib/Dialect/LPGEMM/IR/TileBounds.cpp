//===- TileBounds.cpp - places and sizes of tiles -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/TileBounds.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

// A value may be used again and again by those that it is computed of: how far
// they are followed is limited.
static constexpr int kMaxDepth = 8;

static int64_t getDivisor(OpFoldResult value, int depth);

/// The largest number that is known to divide all results of `map`.
static int64_t getResultDivisor(AffineMap map, ValueRange operands, int depth) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> dims, symbols;
  for (Value operand : operands) {
    int64_t divisor = getDivisor(operand, depth);
    if (dims.size() < map.getNumDims())
      dims.push_back(getAffineDimExpr(dims.size(), context) * divisor);
    else
      symbols.push_back(getAffineSymbolExpr(symbols.size(), context) * divisor);
  }
  int64_t divisor = 0;
  for (AffineExpr result : map.getResults())
    divisor = std::gcd(
        divisor,
        result.replaceDimsAndSymbols(dims, symbols).getLargestKnownDivisor());
  return divisor;
}

/// Of the counter of a loop, from where the loop starts and how it steps.
static int64_t getCounterDivisor(BlockArgument counter, int depth) {
  auto loop = dyn_cast_if_present<LoopLikeOpInterface>(
      counter.getOwner()->getParentOp());
  if (!loop)
    return 1;
  auto counters = loop.getLoopInductionVars();
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds();
  auto steps = loop.getLoopSteps();
  if (!counters || !lower || !upper || !steps)
    return 1;
  auto *found = llvm::find(*counters, counter);
  if (found == counters->end())
    return 1;
  size_t i = found - counters->begin();
  int64_t divisor = getDivisor((*lower)[i], depth);
  auto first = getConstantIntValue((*lower)[i]),
       end = getConstantIntValue((*upper)[i]),
       step = getConstantIntValue((*steps)[i]);
  bool runsOnce = first && end && step && *end - *first <= *step;
  return runsOnce ? divisor : std::gcd(divisor, getDivisor((*steps)[i], depth));
}

/// The largest power of two that divides `divisor`, or 0: what holds of a
/// result that may have wrapped around. At most 2^62.
static int64_t getPowerOfTwo(uint64_t divisor) {
  if (divisor == 0)
    return 0;
  return int64_t(1) << std::min(llvm::countr_zero(divisor), 62);
}

static int64_t getDivisor(OpFoldResult value, int depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return std::abs(*constant);
  if (depth-- == 0)
    return 1;
  auto dynamic = cast<Value>(value);
  if (auto argument = dyn_cast<BlockArgument>(dynamic))
    return getCounterDivisor(argument, depth);
  return TypeSwitch<Operation *, int64_t>(dynamic.getDefiningOp())
      .Case<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          [&](auto op) {
            return getResultDivisor(op.getAffineMap(), op.getOperands(), depth);
          })
      .Case<arith::AddIOp, arith::SubIOp>([&](auto op) {
        return getPowerOfTwo(std::gcd(getDivisor(op.getLhs(), depth),
                                      getDivisor(op.getRhs(), depth)));
      })
      .Case([&](arith::MulIOp op) {
        // Unsigned, as the product may be too large.
        return getPowerOfTwo(uint64_t(getDivisor(op.getLhs(), depth)) *
                             uint64_t(getDivisor(op.getRhs(), depth)));
      })
      .Default([](Operation *) { return 1; });
}

int64_t lpgemm::getKnownDivisor(OpFoldResult value) {
  return getDivisor(value, kMaxDepth);
}

namespace {
/// Where a size comes from: a dimension, or a value that is not one (`dim` -1).
struct SizeSource {
  Value value;
  int64_t dim;

  bool operator==(const SizeSource &other) const {
    return value == other.value && dim == other.dim;
  }
};
} // namespace

/// Follows a dimension through slices, and through loops, which carry tensors
/// of one shape.
static SizeSource getSizeSource(SizeSource source) {
  while (true) {
    OpFoldResult size;
    if (source.dim < 0) {
      size = source.value;
    } else if (auto argument = dyn_cast<BlockArgument>(source.value)) {
      auto loop = dyn_cast_if_present<LoopLikeOpInterface>(
          argument.getOwner()->getParentOp());
      OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
      if (!init)
        return source;
      source.value = init->get();
      continue;
    } else if (auto slice =
                   source.value.getDefiningOp<tensor::ExtractSliceOp>();
               slice && slice.getDroppedDims().none()) {
      size = slice.getMixedSizes()[source.dim];
    }
    auto value = dyn_cast_if_present<Value>(size);
    if (!value)
      return source;
    auto dim = value.getDefiningOp<tensor::DimOp>();
    if (!dim || !dim.getConstantIndex())
      return {value, -1};
    source = {dim.getSource(), *dim.getConstantIndex()};
  }
}

/// Whether `size` is known to be the extent itself.
static bool isExtent(const ShapeContract::Extent &extent, OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return *constant == extent.getStatic();
  bool isShaped = isa<ShapedType>(extent.source.getType());
  return getSizeSource({cast<Value>(size), -1}) ==
         getSizeSource({extent.source, isShaped ? extent.dim : -1});
}

bool lpgemm::spansAll(const ShapeContract::Extent &extent, OpFoldResult offset,
                      OpFoldResult size) {
  return getKnownDivisor(offset) == 0 && isExtent(extent, size);
}

/// Whether `offset` + `result` of `min` is known to be the extent.
static bool reachesEnd(const ShapeContract::Extent &extent, OpFoldResult offset,
                       affine::AffineMinOp min, AffineExpr result) {
  MLIRContext *context = min.getContext();
  AffineMap minMap = min.getAffineMap();
  SmallVector<Value> operands(min.getOperands());
  // All are dimensions, so that a value is itself wherever it is used.
  SmallVector<AffineExpr> dims;
  for (unsigned dim = 0; dim <= operands.size(); ++dim)
    dims.push_back(getAffineDimExpr(dim, context));
  AffineExpr sum = result.replaceDimsAndSymbols(
      ArrayRef(dims).take_front(minMap.getNumDims()),
      ArrayRef(dims).drop_front(minMap.getNumDims()));
  if (auto constant = getConstantIntValue(offset)) {
    sum = sum + *constant;
  } else {
    sum = sum + dims.back();
    operands.push_back(cast<Value>(offset));
  }
  AffineMap end = AffineMap::get(operands.size(), /*symbolCount=*/0, sum);
  affine::fullyComposeAffineMapAndOperands(&end, &operands);
  affine::canonicalizeMapAndOperands(&end, &operands);
  sum = simplifyAffineMap(end).getResult(0);
  if (auto constant = dyn_cast<AffineConstantExpr>(sum))
    return constant.getValue() == extent.getStatic();
  if (auto dim = dyn_cast<AffineDimExpr>(sum))
    return isExtent(extent, operands[dim.getPosition()]);
  auto symbol = dyn_cast<AffineSymbolExpr>(sum);
  return symbol &&
         isExtent(extent, operands[end.getNumDims() + symbol.getPosition()]);
}

bool lpgemm::endsWithUnit(const ShapeContract::Extent &extent,
                          OpFoldResult offset, OpFoldResult size,
                          int64_t unit) {
  if (getKnownDivisor(size) % unit == 0 || isExtent(extent, size))
    return true;
  auto start = getConstantIntValue(offset), length = getConstantIntValue(size);
  if (start && length)
    return *start + *length == extent.getStatic();
  auto value = dyn_cast<Value>(size);
  auto min = value ? value.getDefiningOp<affine::AffineMinOp>()
                   : affine::AffineMinOp();
  if (!min)
    return false;
  AffineMap map = min.getAffineMap();
  return llvm::all_of(map.getResults(), [&](AffineExpr result) {
    AffineMap one =
        AffineMap::get(map.getNumDims(), map.getNumSymbols(), result);
    return getResultDivisor(one, min.getOperands(), kMaxDepth) % unit == 0 ||
           reachesEnd(extent, offset, min, result);
  });
}
