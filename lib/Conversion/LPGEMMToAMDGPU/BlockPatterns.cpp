//===- BlockPatterns.cpp - blocks of results and their scales -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Target/AMDGPUMachine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm;

// Of f32 and f8E8M0FNU.
static constexpr int64_t kMantissa = 23, kBias = 127, kNaNScale = 0xFF,
                         kLargestScale = 0xFE;
static constexpr int64_t kInfinity = 0x7F800000, kNaN = 0x7FC00000;

//===----------------------------------------------------------------------===//
// Scales (S-14)
//===----------------------------------------------------------------------===//

static int64_t getBits(float value) { return llvm::bit_cast<int32_t>(value); }

/// The bits of the largest f32 x for which f32(x / qmax) is at most 2^-127:
/// half a place of a subnormal quotient more is rounded off.
static int64_t getLastOfFirstScale(double qmax) {
  double limit = qmax * (std::ldexp(1.0, -127) + std::ldexp(1.0, -150));
  float rounded = static_cast<float>(limit);
  return getBits(rounded) - (rounded > limit ? 1 : 0);
}

namespace {
/// The code of the f8E8M0FNU scale of a block, in an i32.
class ScaleFinder {
public:
  ScaleFinder(ImplicitLocOpBuilder &b, ScaleRuleMode rule, Type codeType);

  /// `amax` has the bits of the largest magnitude (S-10).
  Value find(Value amax);

private:
  Value select(arith::CmpIPredicate predicate, Value x, int64_t y, int64_t then,
               Value otherwise) {
    return arith::SelectOp::create(
        b, arith::CmpIOp::create(b, predicate, x, constantI32(b, y)),
        constantI32(b, then), otherwise);
  }
  /// (amax + added) / 2^23 - subtracted, rounded down.
  Value getExponent(Value amax, int64_t added, int64_t subtracted) {
    Value sum = addI32(b, amax, constantI32(b, added));
    sum = arith::ShRSIOp::create(b, sum, constantI32(b, kMantissa));
    return addI32(b, sum, constantI32(b, -subtracted));
  }
  Value applyRule(Value amax);

  ImplicitLocOpBuilder &b;
  ScaleRuleMode rule;
  double qmax;
  int64_t emax, mantissa;
};
} // namespace

ScaleFinder::ScaleFinder(ImplicitLocOpBuilder &b, ScaleRuleMode rule,
                         Type codeType)
    : b(b), rule(rule) {
  auto type = cast<FloatType>(codeType);
  qmax = llvm::APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  emax = std::ilogb(qmax);
  mantissa = type.getFPMantissaWidth() - 1;
}

/// The order of magnitudes is that of their bits, and a power of two is a step
/// in the exponent. A subnormal amax is below 2^(1 - 127 + emax), and its scale
/// the smallest one, whatever its bits add up to.
Value ScaleFinder::applyRule(Value amax) {
  constexpr int64_t kUp = (int64_t(1) << kMantissa) - 1;
  switch (rule) {
  case ScaleRuleMode::RCeil: {
    Value code =
        addI32(b, getExponent(amax, kUp - getBits(static_cast<float>(qmax)), 0),
               constantI32(b, kBias));
    return select(arith::CmpIPredicate::ule, amax, getLastOfFirstScale(qmax), 0,
                  code);
  }
  case ScaleRuleMode::Floor:
    return getExponent(amax, 0, emax);
  case ScaleRuleMode::Ceil:
    return getExponent(amax, kUp, emax);
  case ScaleRuleMode::Even:
    return getExponent(amax, int64_t(1) << (kMantissa - 1 - mantissa), emax);
  case ScaleRuleMode::Amax:
  case ScaleRuleMode::Pow2:
    break;
  }
  llvm_unreachable("the verifier admits rules for f8E8M0FNU only (C21)");
}

/// (S-13), (S-15)
Value ScaleFinder::find(Value amax) {
  Value code = arith::MaxSIOp::create(b, applyRule(amax), constantI32(b, 0));
  code = arith::MinSIOp::create(b, code, constantI32(b, kLargestScale));
  return select(arith::CmpIPredicate::uge, amax, kInfinity, kNaNScale, code);
}

/// 2^(127 - code), an f32; NaN for the scale NaN.
static Value buildInverse(ImplicitLocOpBuilder &b, Value code) {
  Value field = arith::SubIOp::create(b, constantI32(b, 2 * kBias), code);
  Value bits = arith::ShLIOp::create(b, field, constantI32(b, kMantissa));
  auto select = [&](int64_t scale, int64_t then) {
    Value isScale = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, code,
                                          constantI32(b, scale));
    bits = arith::SelectOp::create(b, isScale, constantI32(b, then), bits);
  };
  select(kLargestScale, int64_t(1) << (kMantissa - 1)); // subnormal: 2^-127
  select(kNaNScale, kNaN);
  return arith::BitcastOp::create(b, b.getF32Type(), bits);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// Encodes what the executing lane has of a tile.
class BlockEncoder {
public:
  BlockEncoder(ImplicitLocOpBuilder &b, EncodeBlocksOp op, ValueRange atoms,
               ValueRange within);

  void run();

  SmallVector<Value> codes, scales; // atoms

private:
  Value getElement(int64_t atom, int64_t element);
  Value findAmax(ArrayRef<Value> elements);
  void encode(int64_t row, int64_t block);
  Value buildCodes(ArrayRef<Value> elements, Value amax, Value inverse);

  ImplicitLocOpBuilder &b;
  EncodeBlocksOp op;
  RegisterTile tile;
  ValueRange atoms;
  Value lane;
  GlobalWindow window;
  SmallVector<Segment> segments;
  ScaleFinder finder;
};
} // namespace

/// That of the codes.
static GlobalWindow makeWindow(ImplicitLocOpBuilder &b, EncodeBlocksOp op,
                               ValueRange within) {
  auto [row, col] = getStart(b, op);
  return GlobalWindow(b, GlobalValues(within), row, col,
                      op.getCodes().getType());
}

BlockEncoder::BlockEncoder(ImplicitLocOpBuilder &b, EncodeBlocksOp op,
                           ValueRange atoms, ValueRange within)
    : b(b), op(op), tile(op.getValue().getType()), atoms(atoms),
      lane(buildLane(b, op)), window(makeWindow(b, op, within)),
      segments(tile.getSegments(b, lane)),
      finder(b, op.getRule(), op.getCodes().getType().getElementType()) {}

/// (S-7) Zero outside.
Value BlockEncoder::getElement(int64_t atom, int64_t element) {
  int64_t length = tile.getSegmentLength();
  int64_t number = atom * tile.getLayout().numElements() + element;
  Segment one = segments[number / length].slice(number % length, 1);
  return arith::SelectOp::create(b, window.isInside(one),
                                 tile.extract(b, atoms[atom], element),
                                 constantF32(b, 0));
}

/// (S-10) Of all lanes that have the same row: those that are a multiple of
/// `outerLanes` apart.
Value BlockEncoder::findAmax(ArrayRef<Value> elements) {
  Value amax = constantI32(b, 0);
  for (Value element : elements)
    amax = arith::MaxUIOp::create(b, amax, buildMagnitude(b, element));
  for (int64_t distance = tile.getLayout().outerLanes,
               all = getMachine(op).waveSize;
       distance < all; distance *= 2) {
    Value other = arith::XOrIOp::create(b, lane, constantI32(b, distance));
    other = ROCDL::DsBpermuteOp::create(b, b.getI32Type(), mulI32(b, other, 4),
                                        amax);
    amax = arith::MaxUIOp::create(b, amax, other);
  }
  return amax;
}

/// (S-12), (S-15) The product is exact where it does not become a zero of the
/// format.
Value BlockEncoder::buildCodes(ArrayRef<Value> elements, Value amax,
                               Value inverse) {
  Type type = op.getCodes().getType().getElementType();
  int64_t bits = type.getIntOrFloatBitWidth();
  Value mask = constantI32(b, (int64_t(1) << bits) - 1);
  Value isZero = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, amax,
                                       constantI32(b, 0));
  SmallVector<Value> codes;
  for (Value element : elements) {
    Value scaled = arith::MulFOp::create(b, element, inverse);
    scaled = arith::SelectOp::create(b, isZero, constantF32(b, 0), scaled);
    Value code = encodeOnChip(b, op, scaled, type, op.getNosat());
    codes.push_back(arith::AndIOp::create(b, code, mask));
  }
  return vector::BitCastOp::create(b, VectorType::get(codes.size(), type),
                                   packCodes(b, codes, bits));
}

void BlockEncoder::encode(int64_t row, int64_t block) {
  int64_t perBlock = op.getBlock() / tile.getLayout().cols;
  int64_t perAtom = tile.getLayout().numElements();
  int64_t first = row * tile.getGridCols() + block * perBlock;
  SmallVector<Value> elements;
  for (int64_t atom = first; atom != first + perBlock; ++atom)
    for (int64_t e = 0; e != perAtom; ++e)
      elements.push_back(getElement(atom, e));
  Value amax = findAmax(elements);
  Value scale = finder.find(amax), inverse = buildInverse(b, scale);
  for (ArrayRef<Value> rest = elements; !rest.empty();
       rest = rest.drop_front(perAtom))
    codes.push_back(buildCodes(rest.take_front(perAtom), amax, inverse));
  scales.push_back(arith::BitcastOp::create(
      b, op.getScales().getType().getElementType(),
      arith::TruncIOp::create(b, b.getI8Type(), scale)));
}

void BlockEncoder::run() {
  for (int64_t row = 0; row != tile.getGridRows(); ++row)
    for (int64_t block = 0; block != op.getScales().getType().getDimSize(1);
         ++block)
      encode(row, block);
}

namespace {
struct EncodeBlocksPattern : OpConversionPattern<EncodeBlocksOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(EncodeBlocksOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    BlockEncoder encoder(b, op, adaptor.getValue(), adaptor.getWithin());
    encoder.run();
    rewriter.replaceOpWithMultiple(op, {encoder.codes, encoder.scales});
    return success();
  }
};
} // namespace

void lpgemm::populateBlockPatterns(const TypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<EncodeBlocksPattern>(converter, patterns.getContext());
}
