//===- SplitEpilogue.cpp - lpgemm-split-epilogue --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_SPLITEPILOGUEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// What is split
//===----------------------------------------------------------------------===//

static bool hasKBlocks(std::optional<ScaleAttr> kind) {
  return kind && kind->hasKBlocks();
}

/// Sums of i8 stay in i32 until a scale comes in between; scales that are
/// constant along K need not.
static bool isIntegerSum(MatmulOp op) {
  ProductInterface product = op;
  return product.getLhsElementType().isSignlessInteger(8) &&
         !hasKBlocks(op.getLhsScaleKind()) && !hasKBlocks(op.getRhsScaleKind());
}

static bool isPlainSum(MatmulOp op) {
  Type type = getElementTypeOrSelf(op.getInit());
  return !op.getAlpha() && !op.getStaticAlphaAttr() && !op.getC() &&
         !op.getBias() && !op.getDScale() && op.getEpilogue().empty() &&
         !op.getInitScale() && !op.getAmax() &&
         (isIntegerSum(op) ? type.isSignlessInteger(32) : type.isF32());
}

static LogicalResult verifySplittable(MatmulOp op) {
  if (op->getNumResults() == 0)
    return op.emitOpError("expects tensors to split the epilogue off, but got "
                          "no result: split before bufferization");
  if (cast<ProductInterface>(*op).hasZeroAlpha())
    return op.emitOpError("expects alpha other than the constant 0, with which "
                          "lhs and rhs are not read, to split the epilogue "
                          "off, but got 0");
  if (op.getPairs())
    return op.emitOpError("expects an epilogue of single columns to split it "
                          "off, but got one of pairs");
  if (op.getDScale() && op.getInitScale())
    return op.emitOpError("expects no d_scale with scale_outs to split the "
                          "epilogue off, because d_scale * D_temp would be "
                          "rounded in front of its quantization, but got both");
  return success();
}

namespace {
/// The parts of one product, in front of it.
class Splitter {
public:
  Splitter(MatmulOp op, RewriterBase &rewriter)
      : op(op), rewriter(rewriter), b(op.getLoc(), op),
        isInteger(isIntegerSum(op)) {}

  void split();

private:
  using Body = function_ref<Value(OpBuilder &, Location, ValueRange)>;

  Value createSum();
  Value inlineEpilogue(OpBuilder &nested, Value t, ValueRange args);
  Value createTemp(Value sum);
  Value createAmax(Value temp);
  SmallVector<Value> createResult(Value temp);

  /// Adds an input, which a map takes from (batch, m, n).
  void addInput(Value value, AffineMap map);
  void addInput(StringRef name, Value value);
  Value createElementwise(Value init, Body body);
  Value createEmpty(Type type) {
    return tensor::EmptyOp::create(b, sizes, type);
  }
  /// A scale of kind tensor for each matrix of a batch like that of `matrix`.
  Value createTensorScale(Value matrix, Value scale);
  Value createC();

  MatmulOp op;
  RewriterBase &rewriter;
  ImplicitLocOpBuilder b;
  ShapeContract contract;
  /// Of the result.
  SmallVector<OpFoldResult> sizes;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  unsigned rank = 0, numEpilogueInputs = 0;
  bool isInteger;
};

struct SplitEpilogue : lpgemm::impl::SplitEpiloguePassBase<SplitEpilogue> {
  void runOnOperation() override;
};
} // namespace

//===----------------------------------------------------------------------===//
// The sum
//===----------------------------------------------------------------------===//

Value Splitter::createSum() {
  Value init =
      createEmpty(isInteger ? Type(b.getI32Type()) : Type(b.getF32Type()));
  auto sum = cast<MatmulOp>(
      cloneOnto(b, op, op->getOperands(), TypeRange(init.getType())));
  // One at a time: a range is that of the operands of its making.
  for (auto clause :
       {&MatmulOp::getAlphaMutable, &MatmulOp::getBetaMutable,
        &MatmulOp::getCMutable, &MatmulOp::getCScaleMutable,
        &MatmulOp::getBiasMutable, &MatmulOp::getDScaleMutable,
        &MatmulOp::getEpilogueOperandsMutable, &MatmulOp::getInitScaleMutable,
        &MatmulOp::getAmaxMutable})
    (sum.*clause)().clear();
  if (isInteger) {
    sum.getLhsScaleMutable().clear();
    sum.getRhsScaleMutable().clear();
    sum.removeLhsScaleKindAttr();
    sum.removeRhsScaleKindAttr();
  }
  sum.getInitMutable().set(init);
  for (StringAttr clause :
       {sum.getStaticAlphaAttrName(), sum.getStaticBetaAttrName(),
        sum.getBiasAxisAttrName(), sum.getInitScaleKindAttrName(),
        sum.getInitScaleRuleAttrName(), sum.getEpilogueMapsAttrName(),
        sum.getInitPackedAttrName()})
    sum->removeAttr(clause);
  sum.setOverflow(OverflowMode::Sat);
  if (!sum.getEpilogue().empty())
    sum.getEpilogue().front().erase();
  return sum.getResult(0);
}

//===----------------------------------------------------------------------===//
// D_temp
//===----------------------------------------------------------------------===//

void Splitter::addInput(Value value, AffineMap map) {
  inputs.push_back(value);
  maps.push_back(map);
}

void Splitter::addInput(StringRef name, Value value) {
  bool isEpilogue = name == "epilogue operand";
  unsigned skip = isEpilogue ? numEpilogueInputs++ : 0;
  for (const ShapeContract::Operand &operand : contract.operands) {
    // Epilogue operands are counted: "epilogue operand 0".
    bool isNamed =
        isEpilogue ? operand.name.contains(name) : operand.name == name;
    if (!isNamed || skip-- != 0)
      continue;
    // The first extents are the loops; what is 1 is broadcast.
    SmallVector<AffineExpr> dims = operand.dims;
    for (AffineExpr &dim : dims)
      if (isa<AffineConstantExpr>(dim))
        dim = b.getAffineConstantExpr(0);
    return addInput(value, AffineMap::get(rank, 0, dims, b.getContext()));
  }
  llvm_unreachable("the contract has every shaped operand");
}

Value Splitter::createElementwise(Value init, Body body) {
  SmallVector<AffineMap> allMaps = maps;
  allMaps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, TypeRange(init.getType()), inputs, init, allMaps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        linalg::YieldOp::create(nested, loc, body(nested, loc, args));
      });
  inputs.clear();
  maps.clear();
  return generic.getResult(0);
}

Value Splitter::createTensorScale(Value matrix, Value scale) {
  auto type = cast<RankedTensorType>(matrix.getType());
  SmallVector<OpFoldResult> batch =
      tensor::getMixedSizes(b, b.getLoc(), matrix);
  batch.resize(type.getRank() - 2);
  Value value =
      scale ? tensor::ExtractOp::create(b, scale, ValueRange()).getResult()
            : arith::ConstantOp::create(b, b.getF32FloatAttr(1.0)).getResult();
  Value init = tensor::EmptyOp::create(b, batch, b.getF32Type());
  return linalg::FillOp::create(b, value, init).getResult(0);
}

/// C, decoded and scaled if it is of FP8.
Value Splitter::createC() {
  Value c = op.getC();
  if (!isFP8(getElementTypeOrSelf(c)))
    return c;
  Value init = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), c), b.getF32Type());
  return DequantizeOp::create(
             b, TypeRange(init.getType()), c,
             createTensorScale(c, op.getCScale()), /*tensor_scale=*/Value(),
             init, ScaleAttr::get(b.getContext(), ScaleKind::Tensor),
             /*transposed=*/UnitAttr(), /*input_packed=*/TypeAttr())
      .getResult(0);
}

/// In f32, exactly.
static Value widen(OpBuilder &b, Location loc, Value value) {
  if (value.getType().isF32())
    return value;
  if (isa<IntegerType>(value.getType())) // Rounded once (C-9).
    return arith::SIToFPOp::create(b, loc, b.getF32Type(), value);
  return arith::ExtFOp::create(b, loc, b.getF32Type(), value);
}

/// x times a factor that is a value, a constant or not given.
static Value scale(OpBuilder &b, Location loc, Value x, Value factor,
                   FloatAttr constant = {}) {
  if (constant)
    factor = arith::ConstantOp::create(b, loc, constant);
  return factor ? arith::MulFOp::create(b, loc, x, factor) : x;
}

/// What the epilogue makes of T and of elements of its operands.
Value Splitter::inlineEpilogue(OpBuilder &nested, Value t, ValueRange args) {
  if (op.getEpilogue().empty())
    return t;
  IRMapping mapping;
  Block &block = op.getEpilogue().front();
  mapping.map(block.getArgument(0), t);
  mapping.map(block.getArguments().drop_front(), args);
  for (Operation &inner : block.without_terminator())
    nested.clone(inner, mapping);
  return mapping.lookup(cast<YieldOp>(block.getTerminator()).getValue());
}

Value Splitter::createTemp(Value sum) {
  // Each clause takes its element from the next argument of the body.
  bool readsC = op.getC() && !cast<ProductInterface>(*op).hasZeroBeta();
  addInput(sum, b.getMultiDimIdentityMap(rank));
  std::pair<StringRef, Value> clauses[] = {
      {"lhs_scale", isInteger ? op.getLhsScale() : Value()},
      {"rhs_scale", isInteger ? op.getRhsScale() : Value()},
      {"c", readsC ? createC() : Value()},
      {"c_scale", readsC && !isFP8(getElementTypeOrSelf(op.getC()))
                      ? op.getCScale()
                      : Value()},
      {"bias", op.getBias()}};
  for (auto [name, value] : clauses)
    if (value)
      addInput(name, value);
  for (Value operand : op.getEpilogueOperands())
    addInput("epilogue operand", operand);
  bool isF32 = getElementTypeOrSelf(op.getInit()).isF32();
  Value init = isF32 ? op.getInit() : createEmpty(b.getF32Type());
  return createElementwise(
      init, [&](OpBuilder &nested, Location loc, ValueRange args) -> Value {
        auto next = [&](bool given) -> Value {
          if (!given)
            return {};
          Value arg = widen(nested, loc, args.front());
          args = args.drop_front();
          return arg;
        };
        Value t = next(true);
        for (auto [name, value] : ArrayRef(clauses).take_front(2))
          t = scale(nested, loc, t, next(bool(value)));
        t = scale(nested, loc, t, op.getAlpha(), op.getStaticAlphaAttr());
        if (Value c = next(bool(clauses[2].second))) {
          c = scale(nested, loc, c, next(bool(clauses[3].second)));
          c = scale(nested, loc, c, op.getBeta(), op.getStaticBetaAttr());
          t = arith::AddFOp::create(nested, loc, t, c);
        }
        if (Value bias = next(bool(clauses[4].second)))
          t = arith::AddFOp::create(nested, loc, t, bias);
        return inlineEpilogue(nested, t, args);
      });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// (G-14) NaN is larger than all numbers; without elements it is 0.
Value Splitter::createAmax(Value temp) {
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  Value init = linalg::FillOp::create(b, zero, op.getAmax()).getResult(0);
  AffineMap maps[] = {b.getMultiDimIdentityMap(rank),
                      AffineMap::get(rank, 0, b.getContext())};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             b, TypeRange(init.getType()), temp, init, maps, iterators,
             [](OpBuilder &nested, Location loc, ValueRange args) {
               Value magnitude = math::AbsFOp::create(nested, loc, args[0]);
               Value most =
                   arith::MaximumFOp::create(nested, loc, magnitude, args[1]);
               linalg::YieldOp::create(nested, loc, most);
             })
      .getResult(0);
}

/// x * y in f32, rounded to odd: of the two neighbours of a product that is not
/// exact, the one whose last bit is 1. Rounding that to a format with at least
/// two bits less gives what rounding the product would.
static Value multiplyToOdd(OpBuilder &builder, Location loc, Value x, Value y) {
  ImplicitLocOpBuilder b(loc, builder);
  Type f64 = b.getF64Type(), i32 = b.getI32Type();
  auto integer = [&](int32_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  Value exact = arith::MulFOp::create(b, arith::ExtFOp::create(b, f64, x),
                                      arith::ExtFOp::create(b, f64, y));
  Value nearest = arith::TruncFOp::create(b, b.getF32Type(), exact);
  Value back = arith::ExtFOp::create(b, f64, nearest);
  Value isInexact =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, exact);
  Value isLow = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                                      math::AbsFOp::create(b, back),
                                      math::AbsFOp::create(b, exact));
  Value bits = arith::BitcastOp::create(b, i32, nearest);
  // Codes of one sign are in the order of their magnitudes.
  Value other = arith::AddIOp::create(
      b, bits, arith::SelectOp::create(b, isLow, integer(1), integer(-1)));
  Value isEven = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq, arith::AndIOp::create(b, bits, integer(1)),
      integer(0));
  Value moves = arith::AndIOp::create(b, isInexact, isEven);
  bits = arith::SelectOp::create(b, moves, other, bits);
  return arith::BitcastOp::create(b, b.getF32Type(), bits);
}

SmallVector<Value> Splitter::createResult(Value temp) {
  Value init = op.getInit(), scaleInit = op.getInitScale();
  Type type = getElementTypeOrSelf(init);
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  if (!scaleInit && type.isF32())
    return {temp};
  if (!scaleInit && type.getIntOrFloatBitWidth() == 16) {
    addInput(temp, identity);
    return {createElementwise(
        init, [&](OpBuilder &nested, Location loc, ValueRange args) -> Value {
          return arith::TruncFOp::create(nested, loc, type, args[0]);
        })};
  }
  if (op.getDScale()) {
    addInput(temp, identity);
    addInput("d_scale", op.getDScale());
    temp =
        createElementwise(createEmpty(b.getF32Type()),
                          [](OpBuilder &nested, Location loc, ValueRange args) {
                            return multiplyToOdd(nested, loc, args[0], args[1]);
                          });
  }
  SmallVector<Type> types = {init.getType()};
  if (scaleInit)
    types.push_back(scaleInit.getType());
  ScaleAttr kind = scaleInit
                       ? *op.getInitScaleKind()
                       : ScaleAttr::get(b.getContext(), ScaleKind::Tensor);
  Value scale = scaleInit ? Value() : createTensorScale(init, Value());
  auto quantize = QuantizeOp::create(
      b, types, temp, scale, /*tensor_scale=*/Value(), init, scaleInit,
      /*tensor_scale_init=*/Value(), /*amax=*/Value(), kind,
      op.getInitScaleRuleAttr(), /*transposed=*/UnitAttr(),
      op.getOverflowAttr(),
      RoundingModeAttr::get(b.getContext(), RoundingMode::RNE),
      /*seed=*/IntegerAttr(), /*reciprocal=*/UnitAttr(),
      /*amax_floor=*/FloatAttr(), /*min_scale=*/FloatAttr(),
      /*percentile=*/FloatAttr(), /*saturate_scale=*/UnitAttr(),
      op.getInitPackedAttr());
  return llvm::to_vector_of<Value>(quantize.getResults());
}

void Splitter::split() {
  contract = op.getShapeContract();
  rank = cast<ShapedType>(op.getInit().getType()).getRank();
  SmallVector<Range> domain = cast<TilingInterface>(*op).getIterationDomain(b);
  for (const Range &range : ArrayRef(domain).take_front(rank))
    sizes.push_back(range.size);
  Value temp = createTemp(createSum());
  SmallVector<Value> results = createResult(temp);
  if (op.getAmax())
    results.push_back(createAmax(temp));
  rewriter.replaceOp(op, results);
}

void SplitEpilogue::runOnOperation() {
  SmallVector<MatmulOp> ops;
  WalkResult walk = getOperation()->walk([&](MatmulOp op) {
    if (isPlainSum(op))
      return WalkResult::advance();
    ops.push_back(op);
    return failed(verifySplittable(op)) ? WalkResult::interrupt()
                                        : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return signalPassFailure();
  IRRewriter rewriter(&getContext());
  for (MatmulOp op : ops)
    Splitter(op, rewriter).split();
}
