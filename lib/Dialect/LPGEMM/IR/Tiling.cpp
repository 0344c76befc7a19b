//===- Tiling.cpp - tiles of ops on tensors -------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiling.h"
#include "lpgemm/Dialect/LPGEMM/IR/TileBounds.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// What the shapes allow
//===----------------------------------------------------------------------===//

namespace {
/// A tile of an extent starts at multiples of `size`, because of `operand`.
struct Unit {
  int64_t size = 1;
  StringRef operand;
};
} // namespace

static bool dependsOn(AffineExpr expr, unsigned extent) {
  return expr && expr.isFunctionOfDim(extent);
}

static bool dependsOn(const ShapeContract::Operand &operand, unsigned extent) {
  return llvm::any_of(operand.dims,
                      [&](AffineExpr expr) { return dependsOn(expr, extent); });
}

/// The least number at whose multiples x `expr(x + y) = expr(x) + expr(y)`:
/// there the storage of an operand can be cut.
static int64_t getUnit(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 1;
  int64_t unit = std::lcm(getUnit(binary.getLHS()), getUnit(binary.getRHS()));
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!divisor || (expr.getKind() != AffineExprKind::CeilDiv &&
                   expr.getKind() != AffineExprKind::FloorDiv))
    return unit;
  AffineExpr step = binary.getLHS();
  for (unsigned dim = 0; !isa<AffineConstantExpr>(step); ++dim)
    step = step.replace(getAffineDimExpr(dim, expr.getContext()),
                        getAffineConstantExpr(unit, expr.getContext()));
  return unit * divisor.getValue() /
         std::gcd(cast<AffineConstantExpr>(step).getValue(),
                  divisor.getValue());
}

/// Of dimension `dim` of an operand, whose rows are whole bytes (L-2).
static int64_t getUnit(const ShapeContract::Operand &operand, unsigned dim) {
  AffineExpr expr = operand.dims[dim];
  Type type = cast<ShapedType>(operand.value.getType()).getElementType();
  if (dim + 1 == operand.dims.size() && type.isIntOrFloat() &&
      type.getIntOrFloatBitWidth() < 8)
    expr = (expr * type.getIntOrFloatBitWidth()).ceilDiv(8);
  return getUnit(expr);
}

static Unit getUnit(ArrayRef<const ShapeContract::Operand *> operands,
                    unsigned extent) {
  Unit unit;
  for (const ShapeContract::Operand *operand : operands)
    for (auto [dim, expr] : llvm::enumerate(operand->dims))
      if (dependsOn(expr, extent))
        if (int64_t size = std::lcm(unit.size, getUnit(*operand, dim));
            size != unit.size)
          unit = {size, operand->name};
  return unit;
}

/// The entries of the contract, one for each operand of `op`; null for those
/// that have no shape.
static SmallVector<const ShapeContract::Operand *>
matchOperands(Operation *op, const ShapeContract &contract) {
  llvm::SmallBitVector taken(contract.operands.size());
  SmallVector<const ShapeContract::Operand *> matched(op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands())
    for (auto [i, entry] : llvm::enumerate(contract.operands))
      if (!taken[i] && entry.value == operand.get()) {
        matched[operand.getOperandNumber()] = &entry;
        taken.set(i);
        break;
      }
  return matched;
}

/// The entries of the destinations.
static SmallVector<const ShapeContract::Operand *>
matchDestinations(Operation *op, const ShapeContract &contract) {
  SmallVector<const ShapeContract::Operand *> operands =
      matchOperands(op, contract);
  return llvm::to_vector(ArrayRef(operands).take_back(op->getNumResults()));
}

/// Why an extent cannot be tiled though its operands can be cut; empty if it
/// can.
static StringRef getObstacle(Operation *op, StringRef extent) {
  if (auto quantize = dyn_cast<QuantizeOp>(op))
    return quantize.getRound() == RoundingMode::Stochastic
               ? "random bits follow the place of an element (C-16)"
               : "";
  auto grouped = dyn_cast<GroupedMatmulOp>(op);
  if (!grouped)
    return "";
  static constexpr struct {
    GroupMode mode;
    StringLiteral extent, reason;
  } kObstacles[] = {
      {GroupMode::Contiguous, "M", "groups holds offsets of rows of all of M"},
      {GroupMode::Contiguous, "G", "a group starts where another one ends"},
      {GroupMode::Masked, "M", "groups counts the rows of all of M"},
      {GroupMode::KGrouped, "G", "a group starts where another one ends"},
  };
  for (const auto &obstacle : kObstacles)
    if (obstacle.mode == grouped.getMode() && obstacle.extent == extent)
      return obstacle.reason;
  return "";
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// 32 of a tile of 32, also of one that is shorter at the end.
static std::optional<int64_t> getGivenSize(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return constant;
  if (auto min = cast<Value>(size).getDefiningOp<affine::AffineMinOp>())
    for (AffineExpr result : min.getAffineMap().getResults())
      if (auto constant = dyn_cast<AffineConstantExpr>(result))
        return constant.getValue();
  return std::nullopt;
}

static std::string describeSize(OpFoldResult size) {
  std::optional<int64_t> given = getGivenSize(size);
  return given ? std::to_string(*given) : "a size known at run time only";
}

static LogicalResult emitSpanError(Operation *op, StringRef extent,
                                   const Twine &reason, OpFoldResult size) {
  return op->emitOpError() << "expects tiles to span all of " << extent
                           << " (tile size 0), because " << reason
                           << ", but got " << describeSize(size);
}

static LogicalResult emitUnitError(Operation *op, StringRef extent,
                                   const Unit &unit, OpFoldResult offset,
                                   OpFoldResult size) {
  InFlightDiagnostic error = op->emitOpError()
                             << "expects tiles of " << extent
                             << " to be multiples of " << unit.size
                             << ", where " << unit.operand
                             << " can be cut, but got " << describeSize(size);
  std::optional<int64_t> given = getGivenSize(size);
  if (!given)
    return error;
  if (*given % unit.size == 0)
    return error << " behind an offset that is a multiple of "
                 << getKnownDivisor(offset) << " only";
  int64_t units = (*given + unit.size / 2) / unit.size;
  return error << "; the nearest is "
               << std::max<int64_t>(units, 1) * unit.size;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// A destination that does not depend on an extent is a reduction over it.
static LogicalResult verifyTileSpans(Operation *op,
                                     const ShapeContract &contract,
                                     FoldResults offsets, FoldResults sizes) {
  auto destinations = matchDestinations(op, contract);
  for (auto [i, extent] : llvm::enumerate(contract.extents)) {
    if (spansAll(extent, offsets[i], sizes[i]))
      continue;
    if (StringRef obstacle = getObstacle(op, extent.name); !obstacle.empty())
      return emitSpanError(op, extent.name, obstacle, sizes[i]);
    for (const ShapeContract::Operand *destination : destinations) {
      if (dependsOn(*destination, i))
        continue;
      bool isSum = isa<MatmulOp>(op) && extent.name == "K";
      return emitSpanError(
          op, extent.name,
          destination->name + " is a reduction over it" +
              (isSum ? " that does not start with what init holds (C12): tile "
                       "it as a partial reduction, one tile after the other"
                     : ""),
          sizes[i]);
    }
  }
  return success();
}

LogicalResult lpgemm::verifyTileUnits(ShapeContractInterface op,
                                      FoldResults offsets, FoldResults sizes) {
  ShapeContract contract = op.getShapeContract();
  auto operands = matchOperands(op, contract);
  llvm::erase(operands, nullptr);
  auto destinations = matchDestinations(op, contract);
  for (auto [i, extent] : llvm::enumerate(contract.extents)) {
    if (getGivenSize(sizes[i]).value_or(0) < 0)
      return op->emitOpError() << "expects tiles of " << extent.name
                               << " to have a size of at least 0, but got "
                               << describeSize(sizes[i]);
    Unit unit = getUnit(operands, i);
    if (getKnownDivisor(offsets[i]) % unit.size != 0)
      return emitUnitError(op, extent.name, unit, offsets[i], sizes[i]);
    // What is written must not reach into a unit of the next tile.
    Unit written = getUnit(destinations, i);
    if (!endsWithUnit(extent, offsets[i], sizes[i], written.size))
      return emitUnitError(op, extent.name, written, offsets[i], sizes[i]);
  }
  return success();
}

static LogicalResult verifyTensors(Operation *op) {
  if (op->getNumResults() != 0)
    return success();
  return op->emitOpError("expects tensors, because only they are tiled, but "
                         "got no result: tile before bufferization");
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType>
lpgemm::getTilingIterators(ShapeContractInterface op) {
  ShapeContract contract = op.getShapeContract();
  SmallVector<utils::IteratorType> iterators(contract.extents.size(),
                                             utils::IteratorType::parallel);
  if (op->getNumResults() == 0)
    return iterators;
  const ShapeContract::Operand *first = matchDestinations(op, contract).front();
  for (auto [i, iterator] : llvm::enumerate(iterators))
    if (!dependsOn(*first, i))
      iterator = utils::IteratorType::reduction;
  return iterators;
}

SmallVector<Range> lpgemm::getTilingDomain(OpBuilder &b,
                                           ShapeContractInterface op) {
  SmallVector<Range> domain;
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  for (const ShapeContract::Extent &extent : op.getShapeContract().extents) {
    OpFoldResult size = extent.source;
    Type type = extent.source.getType();
    if (isa<RankedTensorType>(type))
      size = tensor::getMixedSize(b, op.getLoc(), extent.source, extent.dim);
    else if (isa<ShapedType>(type)) // Of which no tile is made.
      size = one;
    domain.push_back({zero, size, one});
  }
  return domain;
}

/// Where the tile lies in dimension `dim` of an operand, which is `value`, and
/// how much of it it takes. What is given is used as it is, so that the slice
/// that is read and the one that is written are seen to be the same.
static std::pair<OpFoldResult, OpFoldResult>
locateTile(OpBuilder &b, Location loc, const ShapeContract &contract,
           AffineExpr expr, Value value, unsigned dim, FoldResults offsets,
           FoldResults sizes) {
  OpFoldResult zero = b.getIndexAttr(0);
  auto extent = dyn_cast_if_present<AffineDimExpr>(expr);
  bool isWhole = true;
  for (auto [i, extent] : llvm::enumerate(contract.extents))
    isWhole &= !dependsOn(expr, i) || spansAll(extent, offsets[i], sizes[i]);
  auto type = cast<RankedTensorType>(value.getType());
  if (isWhole && (!extent || !type.isDynamicDim(dim)))
    return {zero, tensor::getMixedSize(b, loc, value, dim)};
  if (extent)
    return {isWhole ? zero : offsets[extent.getPosition()],
            sizes[extent.getPosition()]};
  return {affine::makeComposedFoldedAffineApply(b, loc, expr, offsets),
          affine::makeComposedFoldedAffineApply(b, loc, expr, sizes)};
}

static void locateTile(OpBuilder &b, Location loc,
                       const ShapeContract &contract,
                       const ShapeContract::Operand &operand, Value value,
                       FoldResults offsets, FoldResults sizes,
                       SmallVectorImpl<OpFoldResult> &operandOffsets,
                       SmallVectorImpl<OpFoldResult> &operandSizes) {
  for (auto [dim, expr] : llvm::enumerate(operand.dims)) {
    auto [offset, size] =
        locateTile(b, loc, contract, expr, value, dim, offsets, sizes);
    operandOffsets.push_back(offset);
    operandSizes.push_back(size);
  }
}

/// Whether the tile takes all of an operand.
static bool takesAll(const ShapeContract &contract,
                     const ShapeContract::Operand &operand, FoldResults offsets,
                     FoldResults sizes) {
  for (auto [i, extent] : llvm::enumerate(contract.extents))
    if (dependsOn(operand, i) && !spansAll(extent, offsets[i], sizes[i]))
      return false;
  return true;
}

TilingResult lpgemm::createTile(OpBuilder &b, ShapeContractInterface op,
                                ValueRange operands, FoldResults offsets,
                                FoldResults sizes) {
  Location loc = op.getLoc();
  ShapeContract contract = op.getShapeContract();
  unsigned numDestinations = op->getNumResults();
  SmallVector<Value> tiled;
  TilingResult result;
  for (auto [entry, own, value] : llvm::zip_equal(
           matchOperands(op, contract), op->getOperands(), operands)) {
    tiled.push_back(value);
    if (!entry) {
      // An extent that is a value of its own.
      for (auto [i, extent] : llvm::enumerate(contract.extents))
        if (extent.source == own)
          tiled.back() = getValueOrCreateConstantIndexOp(b, loc, sizes[i]);
      continue;
    }
    // Destinations are always cut: bufferization sees that what is inserted is
    // what was cut, not that a tensor is inserted into itself.
    bool isDestination = tiled.size() > op->getNumOperands() - numDestinations;
    if (!isDestination && takesAll(contract, *entry, offsets, sizes))
      continue;
    SmallVector<OpFoldResult> sliceOffsets, sliceSizes;
    locateTile(b, loc, contract, *entry, value, offsets, sizes, sliceOffsets,
               sliceSizes);
    SmallVector<OpFoldResult> strides(sliceSizes.size(), b.getIndexAttr(1));
    auto slice = tensor::ExtractSliceOp::create(b, loc, value, sliceOffsets,
                                                sliceSizes, strides);
    tiled.back() = slice;
    result.generatedSlices.push_back(slice);
  }
  Operation *tile = cloneOnto(
      b, op, tiled,
      ValueRange(ArrayRef(tiled).take_back(numDestinations)).getTypes());
  result.tiledOps.push_back(tile);
  llvm::append_range(result.tiledValues, tile->getResults());
  return result;
}

FailureOr<TilingResult> lpgemm::tileOp(OpBuilder &b, ShapeContractInterface op,
                                       FoldResults offsets, FoldResults sizes) {
  if (failed(verifyTensors(op)) ||
      failed(verifyTileSpans(op, op.getShapeContract(), offsets, sizes)) ||
      failed(verifyTileUnits(op, offsets, sizes)))
    return failure();
  return createTile(b, op, op->getOperands(), offsets, sizes);
}

LogicalResult
lpgemm::locateResultTile(OpBuilder &b, ShapeContractInterface op,
                         unsigned resultNumber, FoldResults offsets,
                         FoldResults sizes,
                         SmallVectorImpl<OpFoldResult> &resultOffsets,
                         SmallVectorImpl<OpFoldResult> &resultSizes) {
  ShapeContract contract = op.getShapeContract();
  const ShapeContract::Operand &destination =
      *matchDestinations(op, contract)[resultNumber];
  locateTile(b, op.getLoc(), contract, destination, destination.value, offsets,
             sizes, resultOffsets, resultSizes);
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles of producers and consumers
//===----------------------------------------------------------------------===//

LogicalResult
lpgemm::getTileOfOperands(OpBuilder &b, ShapeContractInterface op,
                          ArrayRef<unsigned> operandNumbers,
                          FoldResultLists offsets, FoldResultLists sizes,
                          SmallVectorImpl<OpFoldResult> &domainOffsets,
                          SmallVectorImpl<OpFoldResult> &domainSizes) {
  ShapeContract contract = op.getShapeContract();
  auto operands = matchOperands(op, contract);
  for (const Range &range : getTilingDomain(b, op)) {
    domainOffsets.push_back(range.offset);
    domainSizes.push_back(range.size);
  }
  llvm::SmallBitVector given(domainOffsets.size());
  for (auto [number, operandOffsets, operandSizes] :
       llvm::zip_equal(operandNumbers, offsets, sizes)) {
    const ShapeContract::Operand &operand = *operands[number];
    for (auto [expr, offset, size] :
         llvm::zip_equal(operand.dims, operandOffsets, operandSizes)) {
      if (expr && isa<AffineConstantExpr>(expr))
        continue;
      auto extent = dyn_cast_if_present<AffineDimExpr>(expr);
      if (!extent)
        return op->emitOpError()
               << "expects a tile of an operand that is stored by M, N or K to "
                  "find the tile of the others, but got one of "
               << operand.name;
      unsigned i = extent.getPosition();
      if (given[i] && !(isEqualConstantIntOrValue(domainOffsets[i], offset) &&
                        isEqualConstantIntOrValue(domainSizes[i], size)))
        return op->emitOpError()
               << "expects one tile of " << contract.extents[i].name
               << ", but got another one with " << operand.name;
      given.set(i);
      domainOffsets[i] = offset;
      domainSizes[i] = size;
    }
  }
  return success();
}

LogicalResult
lpgemm::getTileOfResult(OpBuilder &b, ShapeContractInterface op,
                        unsigned resultNumber, FoldResults offsets,
                        FoldResults sizes,
                        SmallVectorImpl<OpFoldResult> &domainOffsets,
                        SmallVectorImpl<OpFoldResult> &domainSizes) {
  unsigned operand = op->getNumOperands() - op->getNumResults() + resultNumber;
  return getTileOfOperands(b, op, operand, {llvm::to_vector(offsets)},
                           {llvm::to_vector(sizes)}, domainOffsets,
                           domainSizes);
}

FailureOr<TilingResult> lpgemm::tileOpForResult(OpBuilder &b,
                                                ShapeContractInterface op,
                                                unsigned resultNumber,
                                                FoldResults offsets,
                                                FoldResults sizes) {
  SmallVector<OpFoldResult> domainOffsets, domainSizes;
  if (failed(getTileOfResult(b, op, resultNumber, offsets, sizes, domainOffsets,
                             domainSizes)))
    return failure();
  FailureOr<TilingResult> tile = tileOp(b, op, domainOffsets, domainSizes);
  if (succeeded(tile))
    tile->tiledValues = {tile->tiledValues[resultNumber]};
  return tile;
}

FailureOr<TilingResult>
lpgemm::tileOpForOperands(OpBuilder &b, ShapeContractInterface op,
                          ArrayRef<unsigned> operandNumbers,
                          FoldResultLists offsets, FoldResultLists sizes) {
  SmallVector<OpFoldResult> domainOffsets, domainSizes;
  if (failed(getTileOfOperands(b, op, operandNumbers, offsets, sizes,
                               domainOffsets, domainSizes)))
    return failure();
  return tileOp(b, op, domainOffsets, domainSizes);
}
