//===- Shapes.cpp - the shapes of arguments -------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Resolution
//===----------------------------------------------------------------------===//

std::optional<int64_t> Resolution::getExtent(const Signature &signature,
                                             unsigned op,
                                             StringRef name) const {
  std::optional<unsigned> position = signature.ops[op].findExtent(name);
  if (!position || ShapedType::isDynamic(extents[op][*position]))
    return std::nullopt;
  return extents[op][*position];
}

MatrixExtents Resolution::getMatrixExtents(const Signature &signature,
                                           unsigned op, bool isLhs) const {
  MatrixExtents result;
  for (auto [extent, value] :
       llvm::zip_equal(signature.ops[op].extents, extents[op]))
    if (StringRef(extent.name).starts_with("batch"))
      result.leading.push_back(value);
  StringRef rows = isLhs ? "M" : "N";
  result.rows = getExtent(signature, op, rows).value_or(ShapedType::kDynamic);
  result.k = getExtent(signature, op, "K").value_or(ShapedType::kDynamic);
  return result;
}

MatrixShapes Resolution::getShapes(const ScaledMatrix &matrix) const {
  auto get = [&](std::optional<Slot> slot) {
    return slot ? slots[*slot] : Shape();
  };
  return {get(matrix.elements), get(matrix.scale), get(matrix.tensorScale)};
}

std::optional<SmallVector<Piece>>
Resolution::getProductPieces(const Signature &signature, unsigned op,
                             bool isLhs) const {
  const ProductInfo &product = *signature.ops[op].product;
  MatrixExtents matrix = getMatrixExtents(signature, op, isLhs);
  bool isKnown = llvm::none_of(extents[op], ShapedType::isDynamic) &&
                 (!product.groups || ranges[op]) && !product.isPacked;
  if (!isKnown)
    return std::nullopt;
  const ScaledMatrix &side = isLhs ? product.lhs : product.rhs;
  return getPieces(side, isLhs, product.groups, ranges[op].value_or(Ranges()),
                   matrix, getShapes(side));
}

//===----------------------------------------------------------------------===//
// Solving
//===----------------------------------------------------------------------===//

/// "M" for M, "B" for a dimension of the batch.
static std::string abbreviate(StringRef name) {
  return std::string(1, llvm::toUpper(name.front()));
}

namespace {
class Resolver {
public:
  Resolver(const Signature &signature, ArrayRef<const NpyArray *> given,
           const ProblemSize &size)
      : signature(signature), given(given), size(size) {}

  Expected<Resolution> resolve();

private:
  /// An extent of an op and what gave it.
  struct Entry {
    int64_t value = ShapedType::kDynamic;
    std::string source;
  };

  Error enterShapes();
  Error enterSizes();
  Error enterSize(unsigned op);
  /// Enters the extents that operands show, and gives operands their extents,
  /// until nothing changes.
  Error propagate();
  void enterExtents(unsigned op);
  bool fillOperands(unsigned op);
  bool isKnown(unsigned op, AffineExpr expr) const;
  Error checkDims() const;
  Error resolveGroups(unsigned op);
  Error resolveGroupedScales(unsigned op);
  Error checkResolved(unsigned argument) const;
  Shape getValues(unsigned op) const;
  std::string describeDim(unsigned op, const OpOperandShape &operand,
                          unsigned dim) const;
  /// "MxNxK", the extents that --size gives to an op.
  std::string getSizeForm(unsigned op) const;

  const Signature &signature;
  ArrayRef<const NpyArray *> given;
  const ProblemSize &size;
  Resolution result;
  SmallVector<SmallVector<Entry>> entries;
  bool hasChanged = false;
};
} // namespace

/// The shape of a file must be one of the type's.
static Error checkGiven(const Signature &signature, unsigned argument,
                        ArrayRef<int64_t> given) {
  auto type = dyn_cast<ShapedType>(signature.arguments[argument]);
  ArrayRef<int64_t> shape = type ? type.getShape() : ArrayRef<int64_t>();
  if (succeeded(verifyCompatibleShape(shape, given)))
    return Error::success();
  std::string text;
  llvm::raw_string_ostream(text) << signature.arguments[argument];
  return createStringError(signature.describe(argument) + " is " + text +
                           ", but its file has shape " + formatShape(given));
}

Error Resolver::enterShapes() {
  for (auto [slot, type] : llvm::enumerate(signature.slots)) {
    auto shaped = dyn_cast<ShapedType>(type);
    Shape shape = shaped ? Shape(shaped.getShape()) : Shape();
    if (signature.isArgument(slot) && given[slot]) {
      if (Error error = checkGiven(signature, slot, given[slot]->getShape()))
        return error;
      shape = Shape(given[slot]->getShape());
    }
    result.slots.push_back(shape);
  }
  return Error::success();
}

std::string Resolver::getSizeForm(unsigned op) const {
  SmallVector<std::string> names;
  for (const OpExtent &extent : signature.ops[op].extents)
    if (extent.name != "G")
      names.push_back(abbreviate(extent.name));
  return llvm::join(names, "x");
}

Error Resolver::enterSize(unsigned op) {
  const OpInfo &info = signature.ops[op];
  SmallVector<unsigned> positions;
  for (auto [i, extent] : llvm::enumerate(info.extents))
    if (extent.name != "G")
      positions.push_back(i);
  if (positions.size() != size.extents.size())
    return createStringError("expected --size to be " + getSizeForm(op) +
                             " for " + info.name + ", got " +
                             formatShape(size.extents));
  for (auto [position, value] : llvm::zip_equal(positions, size.extents))
    entries[op][position] = {value, "--size"};
  return Error::success();
}

Error Resolver::enterSizes() {
  bool hasProduct = signature.hasProduct(), hasGroups = false;
  for (auto [i, op] : llvm::enumerate(signature.ops)) {
    entries.emplace_back(op.extents.size());
    if (!size.extents.empty() && (op.product || !hasProduct))
      if (Error error = enterSize(i))
        return error;
    if (!op.product || !op.product->groups)
      continue;
    hasGroups = true;
    Slot groups = op.product->groups->groups;
    if (!size.groups)
      continue;
    if (!signature.isArgument(groups) || given[groups])
      return createStringError(
          "--groups is for groups that have no --arg, but "
          "those of " +
          op.name + " " +
          (signature.isArgument(groups) ? "have one" : "are no argument"));
    entries[i][*op.findExtent("G")] = {
        static_cast<int64_t>(size.groups->size()), "--groups"};
  }
  if (size.groups && !hasGroups)
    return createStringError("--groups needs an lpgemm.grouped_matmul, but @" +
                             signature.name + " has none");
  return Error::success();
}

Shape Resolver::getValues(unsigned op) const {
  Shape values;
  for (const Entry &entry : entries[op])
    values.push_back(entry.value);
  return values;
}

bool Resolver::isKnown(unsigned op, AffineExpr expr) const {
  for (auto [i, entry] : llvm::enumerate(entries[op]))
    if (ShapedType::isDynamic(entry.value) && expr.isFunctionOfDim(i))
      return false;
  return true;
}

std::string Resolver::describeDim(unsigned op, const OpOperandShape &operand,
                                  unsigned dim) const {
  return ("dimension " + Twine(dim) + " (" + operand.texts[dim] + ") of " +
          signature.describe(operand.slot) + ", " + operand.name + " of " +
          signature.ops[op].name)
      .str();
}

void Resolver::enterExtents(unsigned op) {
  const OpInfo &info = signature.ops[op];
  auto enter = [&](unsigned position, int64_t value, const Twine &source) {
    Entry &entry = entries[op][position];
    if (ShapedType::isDynamic(value) || !ShapedType::isDynamic(entry.value))
      return;
    entry = {value, source.str()};
    hasChanged = true;
  };
  for (const OpOperandShape &operand : info.operands)
    for (auto [expr, value] :
         llvm::zip_equal(operand.dims, result.slots[operand.slot]))
      if (auto dim = dyn_cast_or_null<AffineDimExpr>(expr))
        enter(dim.getPosition(), value, signature.describe(operand.slot));
  for (auto [i, extent] : llvm::enumerate(info.extents)) {
    enter(i, extent.size, info.name);
    if (extent.index && signature.isArgument(*extent.index) &&
        given[*extent.index])
      enter(i, given[*extent.index]->getData<int64_t>()[0],
            signature.describe(*extent.index));
  }
}

bool Resolver::fillOperands(unsigned op) {
  Shape values = getValues(op);
  bool changed = false;
  for (const OpOperandShape &operand : signature.ops[op].operands)
    for (auto [expr, value] :
         llvm::zip_equal(operand.dims, result.slots[operand.slot]))
      if (expr && ShapedType::isDynamic(value) && isKnown(op, expr)) {
        value = evaluate(expr, values);
        changed = true;
      }
  return changed;
}

Error Resolver::propagate() {
  do {
    hasChanged = false;
    for (unsigned op = 0, e = signature.ops.size(); op != e; ++op) {
      enterExtents(op);
      hasChanged |= fillOperands(op);
    }
  } while (hasChanged);
  return Error::success();
}

Error Resolver::checkDims() const {
  for (auto [i, op] : llvm::enumerate(signature.ops)) {
    Shape values = getValues(i);
    for (const OpOperandShape &operand : op.operands) {
      for (auto [dim, expr] : llvm::enumerate(operand.dims)) {
        int64_t actual = result.slots[operand.slot][dim];
        if (!expr || ShapedType::isDynamic(actual) || !isKnown(i, expr) ||
            evaluate(expr, values) == actual)
          continue;
        std::string sources;
        for (auto [j, entry] : llvm::enumerate(entries[i]))
          if (expr.isFunctionOfDim(j))
            sources += (sources.empty() ? " with " : ", ") +
                       op.extents[j].name + " = " +
                       std::to_string(entry.value) + " of " + entry.source;
        return createStringError("expected " + describeDim(i, operand, dim) +
                                 ", to be " + Twine(evaluate(expr, values)) +
                                 sources + ", but it is " + Twine(actual));
      }
    }
  }
  return Error::success();
}

/// Integers of either width.
static Shape readIntegers(const NpyArray &array) {
  if (array.getType() == NpyType::I64)
    return Shape(array.getData<int64_t>());
  return llvm::to_vector(llvm::map_range(
      array.getData<int32_t>(), [](int32_t value) { return int64_t(value); }));
}

Error Resolver::resolveGroups(unsigned op) {
  const OpInfo &info = signature.ops[op];
  result.groups.emplace_back();
  result.ranges.emplace_back();
  if (!info.product || !info.product->groups)
    return Error::success();
  const GroupInfo &groups = *info.product->groups;
  std::optional<unsigned> limit =
      info.findExtent(groups.mode == GroupMode::KGrouped ? "K" : "M");
  int64_t extent = entries[op][*limit].value;
  if (!signature.isArgument(groups.groups) || ShapedType::isDynamic(extent))
    return Error::success();
  Shape values;
  if (given[groups.groups]) {
    values = readIntegers(*given[groups.groups]);
  } else if (size.groups) {
    int64_t end = 0;
    for (int64_t count : *size.groups) {
      end = groups.mode == GroupMode::Masked
                ? count
                : llvm::alignTo(end, groups.align) + count;
      values.push_back(end);
    }
  } else {
    return createStringError(signature.describe(groups.groups) +
                             ", groups of " + info.name +
                             ", has no --arg: pass it, or --groups");
  }
  Expected<Ranges> ranges =
      computeRanges(groups, values, extent,
                    given[groups.groups] ? signature.describe(groups.groups) +
                                               ", groups of " + info.name
                                         : "--groups");
  if (!ranges)
    return ranges.takeError();
  result.groups.back() = values;
  result.ranges.back() = std::move(*ranges);
  return Error::success();
}

/// Dimensions of scales that depend on the groups are the smallest ones; a file
/// may have more.
Error Resolver::resolveGroupedScales(unsigned op) {
  const OpInfo &info = signature.ops[op];
  if (!result.ranges[op])
    return Error::success();
  for (bool isLhs : {true, false}) {
    const ScaledMatrix &matrix = isLhs ? info.product->lhs : info.product->rhs;
    if (!matrix.kind || !matrix.kind.hasKBlocks())
      continue;
    const OpOperandShape &operand = *info.findOperand(*matrix.scale);
    MatrixExtents extents = result.getMatrixExtents(signature, op, isLhs);
    Shape wanted =
        getGroupedScaleShape(matrix, isLhs, *info.product->groups,
                             *result.ranges[op], extents.rows, extents.k);
    Shape &shape = result.slots[*matrix.scale];
    unsigned lead = shape.size() - wanted.size();
    for (auto [i, extent] : llvm::enumerate(wanted)) {
      int64_t &actual = shape[lead + i];
      if (operand.dims[lead + i])
        continue;
      if (ShapedType::isDynamic(actual))
        actual = extent;
      if (actual < extent)
        return createStringError("expected dimension " + Twine(lead + i) +
                                 " of " + signature.describe(*matrix.scale) +
                                 ", " + operand.name + " of " + info.name +
                                 ", to be at least " + Twine(extent) +
                                 " for its groups, but it is " + Twine(actual));
    }
  }
  return Error::success();
}

/// A shape must be known and its extents must be in range.
Error Resolver::checkResolved(unsigned argument) const {
  ArrayRef<int64_t> shape = result.slots[argument];
  if (ShapedType::isDynamicShape(shape)) {
    std::string advice = "it is no operand of an lpgemm op, pass it with --arg";
    for (unsigned op = signature.ops.size(); op-- != 0;)
      if (signature.isOperand(argument) &&
          (signature.ops[op].product || !signature.hasProduct()))
        advice = "give --size=" + getSizeForm(op);
    for (auto [op, info] : llvm::enumerate(signature.ops))
      if (std::optional<unsigned> g = info.findExtent("G");
          g && ShapedType::isDynamic(entries[op][*g].value))
        advice = "give --groups=SIZES";
    return createStringError("the shape of " + signature.describe(argument) +
                             " is not known: " + advice);
  }
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (extent > kLargestExtent)
      return createStringError("expected dimension " + Twine(dim) + " of " +
                               signature.describe(argument) +
                               " to be at most " + Twine(kLargestExtent) +
                               ", but it is " + Twine(extent));
  return Error::success();
}

Expected<Resolution> Resolver::resolve() {
  for (auto step :
       {&Resolver::enterShapes, &Resolver::enterSizes, &Resolver::propagate})
    if (Error error = (this->*step)())
      return error;
  if (Error error = checkDims())
    return error;
  for (unsigned op = 0, e = signature.ops.size(); op != e; ++op) {
    result.extents.push_back(getValues(op));
    if (Error error = resolveGroups(op))
      return error;
    if (Error error = resolveGroupedScales(op))
      return error;
  }
  for (unsigned i = 0, e = signature.arguments.size(); i != e; ++i)
    if (Error error = checkResolved(i))
      return error;
  return std::move(result);
}

Expected<Resolution>
mlir::lpgemm::resolveShapes(const Signature &signature,
                            ArrayRef<const NpyArray *> given,
                            const ProblemSize &size) {
  return Resolver(signature, given, size).resolve();
}

int64_t mlir::lpgemm::getLargestK(const Signature &signature,
                                  const Resolution &resolution) {
  int64_t largest = 0;
  for (auto [i, op] : llvm::enumerate(signature.ops))
    if (op.product)
      largest = std::max(largest,
                         resolution.getExtent(signature, i, "K").value_or(0));
  return largest;
}

Error mlir::lpgemm::checkBytes(StringRef name, ArrayRef<uint64_t> bytes) {
  uint64_t sum = 0;
  for (uint64_t next : bytes)
    sum = llvm::SaturatingAdd(sum, next);
  if (sum <= kLargestBytes)
    return Error::success();
  return createStringError("@" + name + " needs " +
                           (sum == UINT64_MAX ? "more than " : "") +
                           Twine(sum) + " bytes for its arguments, expected " +
                           "at most " + Twine(kLargestBytes));
}
