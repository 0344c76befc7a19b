//===- HostProduct.cpp - products in f64 on the host ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostProduct.h"

#include "lpgemm/Tools/Elements.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm;

static const ProductInfo &getInfo(const HostProduct &product) {
  return *product.signature.ops[product.op].product;
}

namespace {
/// An operand that may be left out; `read` needs it to be known.
class Operand {
public:
  Operand(const HostProduct &product, std::optional<Slot> slot) : slot(slot) {
    if (!slot || !product.signature.isArgument(*slot))
      return;
    array = product.arguments[*slot];
    type = getNumberType(product.signature.getElementType(*slot));
  }

  bool isGiven() const { return slot.has_value(); }
  bool isKnown() const { return !slot || (array && type); }
  ArrayRef<int64_t> getShape() const {
    return array ? array->getShape() : ArrayRef<int64_t>();
  }
  double read(int64_t index) const {
    return makeRow(*array, *type).getValue(0, index);
  }
  double readOr(double other) const { return slot ? read(0) : other; }

private:
  std::optional<Slot> slot;
  const NpyArray *array = nullptr;
  std::optional<NumberType> type;
};

/// The sum of a product and what is added to it.
class Multiplier {
public:
  explicit Multiplier(const HostProduct &product)
      : product(product), info(getInfo(product)), c(product, info.c),
        cScale(product, info.cScale), bias(product, info.bias),
        alpha(product, info.alpha), beta(product, info.beta) {}

  std::optional<NpyArray> run();

private:
  bool isKnown(bool isLhs) const;
  /// One piece of an operand, R x K, or K x R.
  std::vector<double> readPiece(bool isLhs, const Piece &piece) const;
  void applyScales(const ScaledMatrix &matrix, const Piece &piece,
                   MutableArrayRef<double> values) const;
  void addProduct(const Piece &lhs, const Piece &rhs, double *sums) const;
  void finish(int64_t index, const Piece &lhs, int64_t columns,
              double *sums) const;
  double sign(double value) const {
    return product.takeAbsolute ? std::fabs(value) : value;
  }

  const HostProduct &product;
  const ProductInfo &info;
  Operand c, cScale, bias, alpha, beta;
};
} // namespace

bool Multiplier::isKnown(bool isLhs) const {
  const ScaledMatrix &matrix = isLhs ? info.lhs : info.rhs;
  if (product.unquantized[!isLhs])
    return true;
  return llvm::all_of(
      ArrayRef{matrix.elements, matrix.scale, matrix.tensorScale},
      [&](std::optional<Slot> slot) {
        return Operand(product, slot).isKnown();
      });
}

void Multiplier::applyScales(const ScaledMatrix &matrix, const Piece &piece,
                             MutableArrayRef<double> values) const {
  if (matrix.kind) {
    Operand scales(product, matrix.scale);
    bool isUnsigned = isa<Float8E4M3FNType>(matrix.scaleType);
    forEachScale(matrix, piece, scales.getShape(),
                 [&](int64_t offset, Span rows, Span k) {
                   double scale = scales.read(offset);
                   scale = isUnsigned ? std::fabs(scale) : scale;
                   for (int64_t r = rows.begin; r != rows.end; ++r)
                     for (int64_t i = k.begin; i != k.end; ++i)
                       values[(r - piece.rows.begin) * piece.k.size() + i -
                              piece.k.begin] *= scale;
                 });
  }
  if (!matrix.tensorScale)
    return;
  double scale = Operand(product, matrix.tensorScale).read(piece.tensorSlice);
  for (double &value : values)
    value *= scale;
}

std::vector<double> Multiplier::readPiece(bool isLhs,
                                          const Piece &piece) const {
  const ScaledMatrix &matrix = isLhs ? info.lhs : info.rhs;
  const NpyArray *source = product.unquantized[!isLhs];
  bool isQuantized = !source;
  NumberType type = NumberType::F32;
  if (isQuantized) {
    source = product.arguments[*matrix.elements];
    type = *getNumberType(product.signature.getElementType(*matrix.elements));
  }
  NumberView row = makeRow(*source, type);
  ElementIndex index(matrix, source->getShape());
  std::vector<double> values;
  values.reserve(piece.rows.size() * piece.k.size());
  for (int64_t r = piece.rows.begin; r != piece.rows.end; ++r)
    for (int64_t k = piece.k.begin; k != piece.k.end; ++k)
      values.push_back(row.getValue(0, index.get(piece.slice, r, k)));
  if (isQuantized)
    applyScales(matrix, piece, values);
  for (double &value : values)
    value = sign(value);
  return values;
}

void Multiplier::addProduct(const Piece &lhs, const Piece &rhs,
                            double *sums) const {
  std::vector<double> a = readPiece(true, lhs), b = readPiece(false, rhs);
  int64_t rows = lhs.rows.size(), columns = rhs.rows.size();
  int64_t length = lhs.k.size();
  std::vector<double> transposed(b.size());
  for (int64_t n = 0; n != columns; ++n)
    for (int64_t k = 0; k != length; ++k)
      transposed[k * columns + n] = b[n * length + k];
  // Along N the sums are independent: the loop becomes vector code.
  for (int64_t m = 0; m != rows; ++m) {
    double *row = sums + (lhs.rows.begin + m) * columns;
    for (int64_t k = 0; k != length; ++k) {
      double factor = a[m * length + k];
      const double *values = transposed.data() + k * columns;
      for (int64_t n = 0; n != columns; ++n)
        row[n] += factor * values[n];
    }
  }
}

/// Multiplies by alpha and adds C and the bias.
void Multiplier::finish(int64_t index, const Piece &lhs, int64_t columns,
                        double *sums) const {
  Shape leading;
  if (info.groups)
    leading = {
        static_cast<int64_t>(product.resolution.ranges[product.op]->size())};
  else
    leading =
        product.resolution.getMatrixExtents(product.signature, product.op, true)
            .leading;
  double alphaValue = sign(alpha.readOr(info.staticAlpha));
  double betaValue = sign(beta.readOr(info.staticBeta) * cScale.readOr(1));
  // A constant zero leaves C unread (G-12).
  bool readsC = c.isGiven() && (beta.isGiven() || info.staticBeta != 0);
  int64_t matrixRows = c.isGiven() ? c.getShape()[c.getShape().size() - 2] : 0;
  int64_t cFirst =
      !c.isGiven() ? 0
                   : broadcastSlice(c.getShape().drop_back(2), leading, index) *
                         matrixRows * columns;
  int64_t biasFirst =
      !bias.isGiven()
          ? 0
          : broadcastSlice(bias.getShape().drop_back(1), leading, index) *
                bias.getShape().back();
  for (int64_t m = lhs.rows.begin; m != lhs.rows.end; ++m) {
    for (int64_t n = 0; n != columns; ++n) {
      double &sum = sums[m * columns + n];
      sum *= alphaValue;
      if (readsC)
        sum += betaValue * sign(c.read(cFirst + m * columns + n));
      if (bias.isGiven())
        sum += sign(bias.read(biasFirst + (info.biasAxis == Axis::M ? m : n)));
    }
  }
}

std::optional<NpyArray> Multiplier::run() {
  auto lhs = product.resolution.getProductPieces(product.signature, product.op,
                                                 /*isLhs=*/true);
  auto rhs = product.resolution.getProductPieces(product.signature, product.op,
                                                 /*isLhs=*/false);
  bool allKnown = lhs && rhs && isKnown(true) && isKnown(false);
  for (const Operand &operand : {c, cScale, bias, alpha, beta})
    allKnown &= operand.isKnown();
  Slot init = product.signature.ops[product.op].destinations.front();
  const Shape &shape = product.resolution.slots[init];
  if (!allKnown || ShapedType::isDynamicShape(shape))
    return std::nullopt;
  // Of pairs there are twice as many sums as results (G-15).
  Shape sumShape = shape;
  if (info.sumsPerResult != 1 && !rhs->empty())
    sumShape.back() = rhs->front().rows.size();
  NpyArray result(NpyType::F64, sumShape);
  int64_t rows = sumShape[shape.size() - 2], columns = sumShape.back();
  // The groups of contiguous rows are parts of one matrix.
  bool isOneMatrix = info.groups && info.groups->mode == GroupMode::Contiguous;
  // A constant zero leaves lhs and rhs unread (G-12).
  bool readsInputs = alpha.isGiven() || info.staticAlpha != 0;
  for (auto [i, left, right] : llvm::enumerate(*lhs, *rhs)) {
    double *sums = result.getData<double>().data() +
                   (isOneMatrix ? 0 : i * rows * columns);
    if (readsInputs)
      addProduct(left, right, sums);
    finish(i, left, columns, sums);
  }
  return result;
}

std::optional<NpyArray> mlir::lpgemm::multiply(const HostProduct &product) {
  return Multiplier(product).run();
}

std::optional<double> mlir::lpgemm::getResultScale(const HostProduct &product) {
  Operand scale(product, getInfo(product).dScale);
  if (!scale.isKnown())
    return std::nullopt;
  return scale.readOr(1);
}

/// A block-quantized result as a matrix whose blocks lie along N.
static ScaledMatrix getResultMatrix(const Signature &signature, unsigned op) {
  const OpInfo &info = signature.ops[op];
  ScaledMatrix matrix;
  matrix.elements = info.destinations[0];
  matrix.scale = info.destinations[1];
  matrix.kind = info.product->initKind;
  matrix.codeType = getElementTypeOrSelf(signature.slots[*matrix.elements]);
  matrix.scaleType = getElementTypeOrSelf(signature.slots[*matrix.scale]);
  return matrix;
}

/// The matrices of a result, M x N each.
static SmallVector<Piece> getResultPieces(const ScaledMatrix &matrix,
                                          ArrayRef<int64_t> elements,
                                          ArrayRef<int64_t> scales) {
  MatrixExtents extents{Shape(elements.drop_back(2)),
                        elements[elements.size() - 2], elements.back()};
  return getPieces(matrix, /*isLhs=*/true, std::nullopt, {}, extents,
                   {Shape(elements), Shape(scales), {}});
}

NpyArray mlir::lpgemm::dequantizeResult(const HostProduct &product,
                                        const NpyArray &codes,
                                        const NpyArray &scales) {
  ScaledMatrix matrix = getResultMatrix(product.signature, product.op);
  NpyArray result(NpyType::F64, codes.getShape());
  NumberView codeRow = makeRow(codes, *getNumberType(matrix.codeType));
  NumberView scaleRow = makeRow(scales, *getNumberType(matrix.scaleType));
  ElementIndex index(matrix, codes.getShape());
  for (const Piece &piece :
       getResultPieces(matrix, codes.getShape(), scales.getShape()))
    forEachScale(matrix, piece, scales.getShape(),
                 [&](int64_t offset, Span rows, Span k) {
                   double scale = scaleRow.getValue(0, offset);
                   for (int64_t r = rows.begin; r != rows.end; ++r)
                     for (int64_t i = k.begin; i != k.end; ++i) {
                       int64_t place = index.get(piece.slice, r, i);
                       result.getData<double>()[place] =
                           scale * codeRow.getValue(0, place);
                     }
                 });
  return result;
}

//===----------------------------------------------------------------------===//
// What is not specified
//===----------------------------------------------------------------------===//

/// Whether each row of D, over all its matrices, belongs to a group.
static std::vector<bool> findCovered(const GroupInfo &groups,
                                     ArrayRef<Span> ranges, int64_t rows,
                                     int64_t slices) {
  std::vector<bool> covered(rows * slices);
  for (auto [g, range] : llvm::enumerate(ranges)) {
    int64_t first = groups.mode == GroupMode::Masked ? g * rows : 0;
    for (int64_t row = range.begin; row != range.end; ++row)
      covered[first + row] = true;
  }
  return covered;
}

void mlir::lpgemm::clearUncovered(const Signature &signature,
                                  const Resolution &resolution, OpOutput output,
                                  NpyArray &array) {
  const OpInfo &op = signature.ops[output.op];
  if (!op.product || !op.product->groups || !resolution.ranges[output.op])
    return;
  const GroupInfo &groups = *op.product->groups;
  if (groups.mode == GroupMode::KGrouped ||
      groups.uncovered != Uncovered::Undef)
    return;
  const Shape &shape = resolution.slots[op.destinations[0]];
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  std::vector<bool> covered =
      findCovered(groups, *resolution.ranges[output.op], rows,
                  ShapedType::getNumElements(ArrayRef(shape).drop_back(2)));
  bool isScale = output.index == 1 && op.product->initKind;
  if (output.index == 0)
    for (int64_t i = 0, e = array.getNumElements(); i != e; ++i)
      if (!covered[i / columns])
        setCode(array, i, 0);
  if (!isScale)
    return;
  ScaledMatrix matrix = getResultMatrix(signature, output.op);
  for (const Piece &piece : getResultPieces(matrix, shape, array.getShape()))
    forEachScale(matrix, piece, array.getShape(),
                 [&](int64_t offset, Span range, Span) {
                   if (!covered[piece.slice * rows + range.begin])
                     setCode(array, offset, 0);
                 });
}
