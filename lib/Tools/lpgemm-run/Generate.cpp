//===- Generate.cpp - arguments that are made -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generate.h"

#include "Generator.h"
#include "lpgemm/Numerics/Quantize.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace {
/// Pieces that share their scales, and the values of each, R x K.
struct SharedPieces {
  SmallVector<Piece> pieces;
  std::vector<std::vector<float>> values;

  /// Of each place, the value of the largest magnitude.
  std::vector<float> getLargest() const {
    std::vector<float> largest = values.front();
    for (const std::vector<float> &next : ArrayRef(values).drop_front())
      for (auto [value, other] : llvm::zip_equal(largest, next))
        if (std::fabs(other) > std::fabs(value))
          value = other;
    return largest;
  }
};
} // namespace

namespace {
class ArgumentMaker {
public:
  ArgumentMaker(const Signature &signature, const Resolution &resolution,
                ArrayRef<bool> isNeeded, InitMode mode)
      : signature(signature), resolution(resolution), isNeeded(isNeeded),
        mode(mode), made(signature.arguments.size()) {}

  Error make();
  SmallVector<std::optional<GeneratedArgument>> take() {
    return std::move(made);
  }

private:
  /// Whether a slot is an argument that is still to be made.
  bool isOpen(std::optional<Slot> slot) const {
    return slot && signature.isArgument(*slot) && isNeeded[*slot] &&
           !made[*slot];
  }
  /// Enters an argument of zeros.
  NpyArray &start(Slot slot);
  Error makeProduct(unsigned op);
  Error makeMatrix(const ScaledMatrix &matrix, ArrayRef<Piece> pieces,
                   bool isPartial);
  Error quantizeMatrix(const ScaledMatrix &matrix, ArrayRef<Piece> pieces);
  Error quantizePieces(const ScaledMatrix &matrix, ArrayRef<Piece> pieces,
                       QuantizeOptions options, const NpyArray &values);
  void storeQuantized(const ScaledMatrix &matrix, const SharedPieces &group,
                      const QuantizedMatrix &quantized,
                      const QuantizeOptions &options);
  void fillElements(const ScaledMatrix &matrix, ArrayRef<Piece> pieces,
                    bool isPartial);
  void fillScales(const ScaledMatrix &matrix, ArrayRef<Piece> pieces);
  void makeFactors(std::optional<Slot> slot, double unit, bool isSigned);
  Error makeRest(Slot slot);
  SmallVector<Piece> getBatchPieces(const ScaledMatrix &matrix) const;

  const Signature &signature;
  const Resolution &resolution;
  ArrayRef<bool> isNeeded;
  InitMode mode;
  SmallVector<std::optional<GeneratedArgument>> made;
};
} // namespace

NpyArray &ArgumentMaker::start(Slot slot) {
  NpyType type = *getFileType(signature.getElementType(slot));
  made[slot] = GeneratedArgument{NpyArray(type, resolution.slots[slot]), {}};
  return made[slot]->elements;
}

//===----------------------------------------------------------------------===//
// Quantized matrices
//===----------------------------------------------------------------------===//

/// How the project quantizes for such scales.
static QuantizeOptions getQuantizeOptions(const ScaledMatrix &matrix,
                                          ElementFormat format) {
  QuantizeOptions options;
  options.format = format;
  options.block = {matrix.kind.getOuterBlock(), matrix.kind.getKBlock()};
  std::string name;
  llvm::raw_string_ostream(name) << matrix.scaleType;
  options.scale.format = *parseScaleFormat(name);
  options.scale.rule =
      options.scale.format == ScaleFormat::F8E8M0FNU ? ScaleRule::RCeil
      : matrix.tensorScale && options.scale.format == ScaleFormat::F8E4M3FN
          ? ScaleRule::NVFP4
          : ScaleRule::Amax;
  return options;
}

static std::optional<ElementFormat> getCodeFormat(Type type) {
  return type.isInteger(8) ? std::optional(ElementFormat::I8) : getFormat(type);
}

static std::vector<float> readPiece(const Piece &piece,
                                    const ElementIndex &index,
                                    ArrayRef<float> values) {
  std::vector<float> result;
  result.reserve(piece.rows.size() * piece.k.size());
  for (int64_t r = piece.rows.begin; r != piece.rows.end; ++r)
    for (int64_t k = piece.k.begin; k != piece.k.end; ++k)
      result.push_back(values[index.get(piece.slice, r, k)]);
  return result;
}

/// Codes under scales that follow from other pieces as well.
static std::vector<uint8_t> encodeUnder(ArrayRef<float> values, int64_t columns,
                                        const QuantizedMatrix &scales,
                                        const QuantizeOptions &options) {
  std::vector<uint8_t> codes;
  int64_t blockColumns = options.block.getNumBlockColumns(columns);
  for (auto [i, value] : llvm::enumerate(values)) {
    int64_t row = i / columns, column = i % columns;
    int64_t blockRow = options.block.rows ? row / options.block.rows : 0;
    int64_t block = options.block.columns ? column / options.block.columns : 0;
    float scale = scales.scales[blockRow * blockColumns + block];
    double divisor = double(scale) * scales.tensorScale;
    codes.push_back(
        divisor == 0 ? 0 : encode(options.format, float(value / divisor)));
  }
  return codes;
}

void ArgumentMaker::storeQuantized(const ScaledMatrix &matrix,
                                   const SharedPieces &group,
                                   const QuantizedMatrix &quantized,
                                   const QuantizeOptions &options) {
  const Piece &first = group.pieces.front();
  NpyArray &scales = made[*matrix.scale]->elements;
  int64_t block = 0, columns = first.k.size();
  forEachScale(
      matrix, first, scales.getShape(), [&](int64_t offset, Span, Span) {
        setCode(scales, offset,
                encodeElement(matrix.scaleType, quantized.scales[block++]));
      });
  if (matrix.tensorScale)
    setCode(made[*matrix.tensorScale]->elements, first.tensorSlice,
            encodeElement(Float32Type::get(matrix.scaleType.getContext()),
                          quantized.tensorScale));
  if (matrix.codeType != signature.getElementType(*matrix.elements))
    return; // Values are an input.
  NpyArray &elements = made[*matrix.elements]->elements;
  ElementIndex index(matrix, elements.getShape());
  for (auto [piece, data] : llvm::zip_equal(group.pieces, group.values)) {
    std::vector<uint8_t> codes =
        group.pieces.size() == 1
            ? quantized.codes
            : encodeUnder(data, columns, quantized, options);
    for (int64_t i = 0, e = codes.size(); i != e; ++i)
      setCode(elements,
              index.get(piece.slice, piece.rows.begin + i / columns,
                        piece.k.begin + i % columns),
              codes[i]);
  }
}

Error ArgumentMaker::quantizePieces(const ScaledMatrix &matrix,
                                    ArrayRef<Piece> pieces,
                                    QuantizeOptions options,
                                    const NpyArray &values) {
  ElementIndex index(matrix, values.getShape());
  std::map<std::array<int64_t, 4>, SharedPieces> shared;
  std::map<int64_t, float> amaxes;
  for (const Piece &piece : pieces) {
    // Nothing reads the scales of an empty group, which starts where the next
    // one does.
    if (piece.rows.size() == 0 || piece.k.size() == 0)
      continue;
    SharedPieces &group = shared[{piece.scaleSlice, piece.tensorSlice,
                                  piece.scaleRow, piece.scaleBlock}];
    group.pieces.push_back(piece);
    group.values.push_back(readPiece(piece, index, values.getData<float>()));
    float &amax = amaxes[piece.tensorSlice];
    for (float value : group.values.back())
      amax = std::max(amax, std::fabs(value));
  }
  for (auto &[key, group] : shared) {
    const Piece &first = group.pieces.front();
    int64_t rows = first.rows.size(), columns = first.k.size();
    if (options.scale.rule == ScaleRule::NVFP4)
      options.tensorAmax = amaxes[first.tensorSlice];
    if (Error error = checkQuantizeOptions(options, rows, columns))
      return error;
    storeQuantized(matrix, group,
                   quantize(group.getLargest(), rows, columns, options),
                   options);
  }
  return Error::success();
}

/// Normal values whose blocks differ in size, quantized. Values that are an
/// input themselves are only rounded.
Error ArgumentMaker::quantizeMatrix(const ScaledMatrix &matrix,
                                    ArrayRef<Piece> pieces) {
  Slot slot = *matrix.elements;
  Type type = signature.getElementType(slot);
  NpyArray &elements = start(slot);
  if (type == matrix.codeType)
    llvm::fill(elements.getBytes(), static_cast<char>(getPoisonByte(type)));
  NpyArray &scales = start(*matrix.scale);
  llvm::fill(scales.getBytes(),
             static_cast<char>(matrix.kind.getPaddingByte()));
  if (matrix.tensorScale)
    start(*matrix.tensorScale);
  NpyArray values(NpyType::F32, resolution.slots[slot]);
  MutableArrayRef<float> data = values.getData<float>();
  Generator generator(mode, slot), sizes(mode, *matrix.scale);
  for (float &value : data)
    value = generator.normal();
  ElementIndex index(matrix, values.getShape());
  for (const Piece &piece : pieces)
    forEachScale(matrix, piece, scales.getShape(),
                 [&](int64_t, Span rows, Span k) {
                   float power = sizes.power(-3, 3);
                   for (int64_t r = rows.begin; r != rows.end; ++r)
                     for (int64_t i = k.begin; i != k.end; ++i)
                       data[index.get(piece.slice, r, i)] *= power;
                 });
  made[slot]->unquantized = values;
  if (type != matrix.codeType)
    for (auto [i, value] : llvm::enumerate(data))
      setCode(elements, i, encodeElement(type, value));
  QuantizeOptions options =
      getQuantizeOptions(matrix, *getCodeFormat(matrix.codeType));
  return quantizePieces(matrix, pieces, options, values);
}

/// Elements that no group covers are never read: they are NaN.
void ArgumentMaker::fillElements(const ScaledMatrix &matrix,
                                 ArrayRef<Piece> pieces, bool isPartial) {
  Slot slot = *matrix.elements;
  Type type = signature.getElementType(slot);
  NpyArray &elements = start(slot);
  Generator generator(mode, slot);
  bool isNormal = mode.kind == InitKind::Normal && !matrix.kind;
  NpyArray values(NpyType::F32, isNormal ? resolution.slots[slot] : Shape{0});
  auto fill = [&](int64_t i) {
    if (!isNormal)
      return setCode(elements, i, generator.element(type));
    values.getData<float>()[i] = generator.value(type);
    setCode(elements, i, encodeElement(type, values.getData<float>()[i]));
  };
  if (!isPartial) {
    for (int64_t i = 0, e = elements.getNumElements(); i != e; ++i)
      fill(i);
  } else {
    llvm::fill(elements.getBytes(), static_cast<char>(getPoisonByte(type)));
    ElementIndex index(matrix, elements.getShape());
    for (const Piece &piece : pieces)
      for (int64_t r = piece.rows.begin; r != piece.rows.end; ++r)
        for (int64_t k = piece.k.begin; k != piece.k.end; ++k)
          fill(index.get(piece.slice, r, k));
  }
  if (isNormal)
    made[slot]->unquantized = std::move(values);
}

void ArgumentMaker::fillScales(const ScaledMatrix &matrix,
                               ArrayRef<Piece> pieces) {
  NpyArray &scales = start(*matrix.scale);
  Generator generator(mode, *matrix.scale);
  llvm::fill(scales.getBytes(),
             static_cast<char>(matrix.kind.getPaddingByte()));
  for (const Piece &piece : pieces)
    forEachScale(matrix, piece, scales.getShape(),
                 [&](int64_t offset, Span, Span) {
                   setCode(scales, offset, generator.scale(matrix.scaleType));
                 });
}

/// `isPartial`: the pieces do not cover the elements.
Error ArgumentMaker::makeMatrix(const ScaledMatrix &matrix,
                                ArrayRef<Piece> pieces, bool isPartial) {
  bool isWhole = isOpen(matrix.elements) && isOpen(matrix.scale) &&
                 (!matrix.tensorScale || isOpen(matrix.tensorScale)) &&
                 matrix.elements != matrix.scale;
  bool isQuantized = isWhole && mode.kind == InitKind::Normal &&
                     getCodeFormat(matrix.codeType);
  if (isQuantized)
    return quantizeMatrix(matrix, pieces);
  if (isOpen(matrix.elements))
    fillElements(matrix, pieces, isPartial);
  if (isOpen(matrix.scale))
    fillScales(matrix, pieces);
  makeFactors(matrix.tensorScale, 1, /*isSigned=*/false);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

void ArgumentMaker::makeFactors(std::optional<Slot> slot, double unit,
                                bool isSigned) {
  if (!isOpen(slot))
    return;
  Generator generator(mode, *slot);
  NpyArray &array = start(*slot);
  for (int64_t i = 0, e = array.getNumElements(); i != e; ++i)
    setCode(array, i,
            encodeElement(signature.getElementType(*slot),
                          unit * generator.factor(isSigned)));
}

Error ArgumentMaker::makeProduct(unsigned op) {
  const OpInfo &info = signature.ops[op];
  const ProductInfo &product = *info.product;
  if (product.groups && isOpen(product.groups->groups) &&
      resolution.groups[op]) {
    NpyArray &array = start(product.groups->groups);
    for (auto [i, value] : llvm::enumerate(*resolution.groups[op]))
      setCode(array, i, value);
  }
  for (bool isLhs : {true, false}) {
    const ScaledMatrix &matrix = isLhs ? product.lhs : product.rhs;
    auto pieces = resolution.getProductPieces(signature, op, isLhs);
    if (!pieces && !product.isPacked)
      return createStringError(
          "cannot generate " + signature.describe(*matrix.elements) + ", " +
          (isLhs ? "lhs" : "rhs") + " of " + info.name +
          ", whose groups are no argument: pass it with --arg");
    if (!pieces)
      continue;
    if (Error error = makeMatrix(matrix, *pieces, product.groups.has_value()))
      return error;
  }
  // Sums over K grow with its root: a result shall neither saturate nor vanish.
  double k = resolution.getExtent(signature, op, "K").value_or(1);
  Type type = getElementTypeOrSelf(signature.slots[info.destinations.front()]);
  std::optional<ElementFormat> format = getFormat(type);
  bool isScaled = mode.kind == InitKind::Normal && format;
  makeFactors(product.dScale,
              isScaled ? getFormatInfo(*format).qmax / (16 * std::sqrt(k + 1))
                       : 1,
              /*isSigned=*/false);
  makeFactors(product.cScale, 1, /*isSigned=*/false);
  makeFactors(product.alpha, 1, /*isSigned=*/true);
  makeFactors(product.beta, 1, /*isSigned=*/true);
  return Error::success();
}

/// The matrices of a batch, of which lpgemm.quantize and others take one each.
SmallVector<Piece>
ArgumentMaker::getBatchPieces(const ScaledMatrix &matrix) const {
  MatrixShapes shapes = resolution.getShapes(matrix);
  if (!matrix.elements)
    return {};
  ArrayRef<int64_t> shape = shapes.elements;
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  MatrixExtents extents{Shape(shape.drop_back(2)),
                        matrix.kFirst ? columns : rows,
                        matrix.kFirst ? rows : columns};
  return getPieces(matrix, /*isLhs=*/true, std::nullopt, {}, extents, shapes);
}

/// The extent that an index operand stands for.
static std::optional<int64_t>
findIndex(const Signature &signature, const Resolution &resolution, Slot slot) {
  for (auto [op, extents] : llvm::zip_equal(signature.ops, resolution.extents))
    for (auto [extent, value] : llvm::zip_equal(op.extents, extents))
      if (extent.index == slot && !ShapedType::isDynamic(value))
        return value;
  return std::nullopt;
}

Error ArgumentMaker::makeRest(Slot slot) {
  Type type = signature.getElementType(slot);
  bool isScalar = !isa<ShapedType>(signature.arguments[slot]);
  if (isScalar && isa<IndexType>(type)) {
    std::optional<int64_t> value = findIndex(signature, resolution, slot);
    if (!value)
      return createStringError("cannot generate " + signature.describe(slot) +
                               ", an index: pass it with --arg=" + Twine(slot) +
                               "=VALUE");
    setCode(start(slot), 0, *value);
    return Error::success();
  }
  if (!getFileType(type) || !getNumberType(type)) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return createStringError("cannot generate " + signature.describe(slot) +
                             ", whose elements are " + text +
                             ": pass it with --arg");
  }
  if (isScalar) {
    makeFactors(slot, 1, /*isSigned=*/true);
    return Error::success();
  }
  Generator generator(mode, slot);
  NpyArray &array = start(slot);
  bool isScale = isa<Float8E8M0FNUType>(type);
  for (int64_t i = 0, e = array.getNumElements(); i != e; ++i)
    setCode(array, i,
            isScale ? generator.scale(type) : generator.element(type));
  return Error::success();
}

Error ArgumentMaker::make() {
  for (auto [i, op] : llvm::enumerate(signature.ops)) {
    if (op.product)
      if (Error error = makeProduct(i))
        return error;
    for (const ScaledMatrix &matrix : op.matrices)
      if (isOpen(matrix.elements))
        if (Error error = makeMatrix(matrix, getBatchPieces(matrix),
                                     /*isPartial=*/false))
          return error;
  }
  for (Slot slot = 0, e = signature.arguments.size(); slot != e; ++slot)
    if (isOpen(slot))
      if (Error error = makeRest(slot))
        return error;
  return Error::success();
}

Expected<SmallVector<std::optional<GeneratedArgument>>>
mlir::lpgemm::generateArguments(const Signature &signature,
                                const Resolution &resolution,
                                ArrayRef<bool> isNeeded, InitMode mode) {
  ArgumentMaker maker(signature, resolution, isNeeded, mode);
  if (Error error = maker.make())
    return error;
  return maker.take();
}
