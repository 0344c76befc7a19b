//===- EpilogueBound.cpp - errors behind an epilogue ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EpilogueBound.h"

#include "lpgemm/Tools/Elements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double kLargest = std::numeric_limits<float>::max();
/// Half a place of an f32 of one, for the kernel, and as much for the
/// reference.
static constexpr double kPlace = 0x1p-23;
/// The smallest f32: what rounding costs below the normal numbers.
static constexpr double kSmallest = 0x1p-149;

namespace {
/// A value in f64, and how far from each other the kernel's and the reference's
/// may be. Of an i1 the error is infinite where they may differ, else 0.
struct Bounded {
  double value = 0, error = 0;
};

/// A function of one number that never falls, or never rises, and the error of
/// its value on both sides together, in places of f32.
struct Monotone {
  double (*function)(double);
  double places;
};

/// One op of the region.
struct Step {
  Bounded (*apply)(const Step &, ArrayRef<Bounded>) = nullptr;
  SmallVector<unsigned, 3> operands;
  Monotone monotone = {};
  /// Of a conversion: the stored bits of the result's significand.
  unsigned mantissaBits = 23;
  int64_t predicate = 0;
  double constant = 0;
  /// With the flag afn, or arcp of a division.
  bool isFast = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// What an op gives that both sides round, to f32, with an error of so many
/// places.
static Bounded rounded(double value, double error, double places = 1) {
  double size = std::fabs(value) + error;
  if (!(size <= kLargest))
    return {value, infinity};
  return {value, error + places * kPlace * size + kSmallest};
}

static Bounded applyAdd(const Step &, ArrayRef<Bounded> in) {
  return rounded(in[0].value + in[1].value, in[0].error + in[1].error);
}

static Bounded applySub(const Step &, ArrayRef<Bounded> in) {
  return rounded(in[0].value - in[1].value, in[0].error + in[1].error);
}

static double getProductError(Bounded x, Bounded y) {
  auto part = [](double error, double size) {
    return error == 0 ? 0 : error * size; // 0 times infinity
  };
  return part(x.error, std::fabs(y.value)) + part(y.error, std::fabs(x.value)) +
         part(x.error, y.error);
}

static Bounded applyMul(const Step &, ArrayRef<Bounded> in) {
  return rounded(in[0].value * in[1].value, getProductError(in[0], in[1]));
}

static Bounded applyFma(const Step &, ArrayRef<Bounded> in) {
  return rounded(in[0].value * in[1].value + in[2].value,
                 getProductError(in[0], in[1]) + in[2].error);
}

/// A reciprocal by an instruction is some places off.
static Bounded applyDiv(const Step &step, ArrayRef<Bounded> in) {
  double quotient = in[0].value / in[1].value;
  double least = std::fabs(in[1].value) - in[1].error;
  double error = least > 0
                     ? (in[0].error + std::fabs(quotient) * in[1].error) / least
                     : infinity;
  return rounded(quotient, error, step.isFast ? 4 : 1);
}

static Bounded applyNeg(const Step &, ArrayRef<Bounded> in) {
  return {-in[0].value, in[0].error};
}
static Bounded applyAbs(const Step &, ArrayRef<Bounded> in) {
  return {std::fabs(in[0].value), in[0].error};
}
static Bounded applySame(const Step &, ArrayRef<Bounded> in) { return in[0]; }
static Bounded applyConstant(const Step &step, ArrayRef<Bounded>) {
  return {step.constant, 0};
}

/// NaN stays NaN, in both kinds of an op.
template <bool isLargest>
static Bounded applyExtremum(const Step &, ArrayRef<Bounded> in) {
  double value = isLargest ? std::max(in[0].value, in[1].value)
                           : std::min(in[0].value, in[1].value);
  if (std::isnan(in[0].value) || std::isnan(in[1].value))
    return {value, infinity};
  return {value, std::max(in[0].error, in[1].error)};
}

static Bounded applySelect(const Step &, ArrayRef<Bounded> in) {
  Bounded chosen = in[0].value != 0 ? in[1] : in[2];
  if (in[0].error == 0)
    return chosen;
  // Either of them.
  return {chosen.value, std::fabs(in[1].value - in[2].value) +
                            std::max(in[1].error, in[2].error)};
}

/// The comparison, which is known where both ranges do not touch, or are
/// numbers.
static Bounded applyCompare(const Step &step, ArrayRef<Bounded> in) {
  llvm::APFloat x(in[0].value), y(in[1].value);
  auto predicate = static_cast<arith::CmpFPredicate>(step.predicate);
  bool holds = arith::applyCmpPredicate(predicate, x, y);
  double error = in[0].error + in[1].error;
  bool isKnown = error == 0 || std::fabs(in[0].value - in[1].value) > error;
  return {double(holds), isKnown ? 0 : infinity};
}

static Bounded applyTruncate(const Step &step, ArrayRef<Bounded> in) {
  double places = std::ldexp(1.0, 23 - int(step.mantissaBits));
  // Types with fewer exponents than f32 have larger smallest numbers.
  Bounded result = rounded(in[0].value, in[0].error, places);
  result.error += step.mantissaBits == 10 ? 0x1p-24 : 0;
  return result;
}

/// The ends of the range that the argument may lie in go to those of the value.
static Bounded applyMonotone(const Step &step, ArrayRef<Bounded> in) {
  auto [value, error] = in[0];
  double middle = step.monotone.function(value);
  double spread = 0;
  if (error != 0)
    for (double end : {value - error, value + error})
      spread =
          std::max(spread, std::fabs(step.monotone.function(end) - middle));
  if (!(spread < infinity)) // NaN as well
    return {middle, infinity};
  return rounded(middle, spread, step.monotone.places);
}

/// The argument of exp2 is rounded to so many places.
static Bounded applyFastExp(const Step &step, ArrayRef<Bounded> in) {
  Bounded result = applyMonotone(step, in);
  return rounded(result.value, result.error, 2 * std::fabs(in[0].value) + 2);
}

/// The error is that of a number next to one.
static Bounded applyFastTanh(const Step &step, ArrayRef<Bounded> in) {
  Bounded result = applyMonotone(step, in);
  result.error += 4 * kPlace;
  return result;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// By the name of the op. The places are those of lpgemm-expand-math's table
/// (docs/reference/conversions.md), rounded up, and one of the C library.
static const struct {
  StringLiteral name;
  Monotone monotone;
} kFunctions[] = {
    {"math.exp", {[](double x) { return std::exp(x); }, 3}},
    {"math.exp2", {[](double x) { return std::exp2(x); }, 3}},
    {"math.expm1", {[](double x) { return std::expm1(x); }, 6}},
    {"math.log", {[](double x) { return std::log(x); }, 2}},
    {"math.log2", {[](double x) { return std::log2(x); }, 3}},
    {"math.log10", {[](double x) { return std::log10(x); }, 4}},
    {"math.log1p", {[](double x) { return std::log1p(x); }, 4}},
    {"math.sqrt", {[](double x) { return std::sqrt(x); }, 2}},
    {"math.rsqrt", {[](double x) { return 1 / std::sqrt(x); }, 3}},
    {"math.tanh", {[](double x) { return std::tanh(x); }, 6}},
    {"math.erf", {[](double x) { return std::erf(x); }, 6}},
};

static const struct {
  StringLiteral name;
  decltype(Step::apply) apply;
} kArithmetic[] = {
    {"arith.addf", applyAdd},
    {"arith.subf", applySub},
    {"arith.mulf", applyMul},
    {"arith.divf", applyDiv},
    {"arith.negf", applyNeg},
    {"arith.extf", applySame},
    {"arith.truncf", applyTruncate},
    {"arith.select", applySelect},
    {"arith.cmpf", applyCompare},
    {"arith.maximumf", applyExtremum<true>},
    {"arith.maxnumf", applyExtremum<true>},
    {"arith.minimumf", applyExtremum<false>},
    {"arith.minnumf", applyExtremum<false>},
    {"math.absf", applyAbs},
    {"math.fma", applyFma},
};

namespace {
/// The ops of a region, in their order.
class RegionBound {
public:
  /// None if there is an op that is not known.
  static std::optional<RegionBound> compile(Block &body);

  /// What is yielded for these arguments.
  Bounded evaluate(ArrayRef<Bounded> arguments);

private:
  bool add(Operation &op);

  llvm::DenseMap<Value, unsigned> numbers;
  std::vector<Step> steps;
  unsigned result = 0;
  std::vector<Bounded> values;
};
} // namespace

static bool hasFlag(Operation &op, arith::FastMathFlags flag) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = fast ? fast.getFastMathFlagsAttr() : arith::FastMathFlagsAttr();
  return flags && bitEnumContainsAny(flags.getValue(), flag);
}

/// The step that an op is; none without `apply`.
static Step makeStep(Operation &op) {
  Step step;
  StringRef name = op.getName().getStringRef();
  bool isApproximate = hasFlag(op, arith::FastMathFlags::afn);
  for (const auto &function : kFunctions)
    if (name == function.name) {
      step.monotone = function.monotone;
      step.apply = !isApproximate                 ? applyMonotone
                   : isa<math::TanhOp>(op)        ? applyFastTanh
                   : name.starts_with("math.exp") ? applyFastExp
                                                  : applyMonotone;
    }
  for (const auto &arithmetic : kArithmetic)
    if (name == arithmetic.name)
      step.apply = arithmetic.apply;
  step.isFast = hasFlag(op, arith::FastMathFlags::arcp);
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    step.predicate = static_cast<int64_t>(compare.getPredicate());
  if (isa<arith::TruncFOp>(op))
    step.mantissaBits =
        cast<FloatType>(op.getResult(0).getType()).getFPMantissaWidth() - 1;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (auto number = dyn_cast<FloatAttr>(constant.getValue())) {
      step.apply = applyConstant;
      step.constant = number.getValueAsDouble();
    }
  return step;
}

bool mlir::lpgemm::isEpilogueExact(Block &epilogue) {
  static constexpr StringLiteral kExactFunctions[] = {
      "math.absf", "math.ceil",  "math.copysign",  "math.floor",
      "math.fma",  "math.round", "math.roundeven", "math.trunc"};
  constexpr arith::FastMathFlags kOtherOps =
      arith::FastMathFlags::afn | arith::FastMathFlags::arcp |
      arith::FastMathFlags::contract | arith::FastMathFlags::reassoc;
  return llvm::all_of(epilogue, [&](Operation &op) {
    bool isFunction = isa_and_nonnull<math::MathDialect>(op.getDialect());
    return !hasFlag(op, kOtherOps) &&
           (!isFunction ||
            llvm::is_contained(kExactFunctions, op.getName().getStringRef()));
  });
}

bool RegionBound::add(Operation &op) {
  auto isKnown = [](Type type) {
    return type.isF32() || type.isF16() || type.isBF16() || type.isInteger(1);
  };
  Step step = makeStep(op);
  if (!step.apply || !llvm::all_of(op.getOperandTypes(), isKnown) ||
      !llvm::all_of(op.getResultTypes(), isKnown))
    return false;
  for (Value operand : op.getOperands()) {
    auto known = numbers.find(operand);
    if (known == numbers.end()) // from outside of the region
      return false;
    step.operands.push_back(known->second);
  }
  numbers[op.getResult(0)] = numbers.size();
  steps.push_back(std::move(step));
  return true;
}

std::optional<RegionBound> RegionBound::compile(Block &body) {
  RegionBound region;
  for (BlockArgument argument : body.getArguments())
    region.numbers[argument] = region.numbers.size();
  for (Operation &op : body.without_terminator())
    if (!region.add(op))
      return std::nullopt;
  auto yielded = region.numbers.find(body.getTerminator()->getOperand(0));
  if (yielded == region.numbers.end())
    return std::nullopt;
  region.result = yielded->second;
  return region;
}

Bounded RegionBound::evaluate(ArrayRef<Bounded> arguments) {
  values.assign(arguments.begin(), arguments.end());
  for (const Step &step : steps) {
    SmallVector<Bounded, 3> operands;
    for (unsigned operand : step.operands)
      operands.push_back(values[operand]);
    values.push_back(step.apply(step, operands));
  }
  return values[result];
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {
/// An operand of the region.
struct RegionOperand {
  /// Where the element of a result is.
  int64_t getOffset(int64_t index, ArrayRef<int64_t> shape) const {
    int64_t offset = 0;
    for (unsigned dim = shape.size(); dim-- != 0; index /= shape[dim])
      offset += index % shape[dim] * strides[dim];
    return offset;
  }

  NumberView row;
  /// By the dimensions of the result, in elements.
  SmallVector<int64_t> strides;
};
} // namespace

/// None if the operand is no argument, or has elements that are no floats.
static std::optional<RegionOperand> makeOperand(const HostProduct &product,
                                                Slot slot, AffineMap map) {
  const NpyArray *array =
      product.signature.isArgument(slot) ? product.arguments[slot] : nullptr;
  if (!array)
    return std::nullopt;
  std::optional<NumberType> type =
      getNumberType(product.signature.getElementType(slot));
  if (!type || getNumberInfo(*type).isInteger)
    return std::nullopt;
  RegionOperand operand{makeRow(*array, *type), {}};
  operand.strides.assign(map.getNumDims(), 0);
  int64_t stride = 1;
  for (unsigned i = map.getNumResults(); i-- != 0;) {
    int64_t extent = array->getShape()[i];
    if (auto dim = dyn_cast<AffineDimExpr>(map.getResult(i)); dim && extent > 1)
      operand.strides[dim.getPosition()] += stride;
    stride *= extent;
  }
  return operand;
}

std::optional<NpyArray> mlir::lpgemm::boundEpilogue(const HostProduct &product,
                                                    const NpyArray &sums,
                                                    ArrayRef<double> errors) {
  const ProductInfo &info = *product.signature.ops[product.op].product;
  std::optional<RegionBound> region = RegionBound::compile(*info.epilogue);
  if (!region)
    return std::nullopt;
  SmallVector<RegionOperand> operands;
  for (auto [slot, map] : info.epilogueOperands) {
    std::optional<RegionOperand> operand = makeOperand(product, slot, map);
    if (!operand)
      return std::nullopt;
    operands.push_back(std::move(*operand));
  }
  SmallVector<int64_t> shape = llvm::to_vector(sums.getShape());
  int64_t columns = shape.back();
  shape.back() /= info.sumsPerResult;
  NpyArray bounds(NpyType::F64, shape);
  for (auto [i, bound] : llvm::enumerate(bounds.getData<double>())) {
    int64_t first =
        i / shape.back() * columns + i % shape.back() * info.sumsPerResult;
    SmallVector<Bounded> arguments;
    for (int64_t j = first; j != first + info.sumsPerResult; ++j)
      arguments.push_back(rounded(sums.getData<double>()[j], errors[j]));
    for (const RegionOperand &operand : operands)
      arguments.push_back(
          {operand.row.getValue(0, operand.getOffset(i, shape)), 0});
    double error = region->evaluate(arguments).error;
    bound = std::isnan(error) ? infinity : error;
  }
  return bounds;
}
