//===- Contracts.cpp - the ops of a function ------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EpilogueBound.h"

#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// Enters ops into a signature.
class Collector {
public:
  Collector(func::FuncOp function, Signature &signature)
      : function(function), signature(signature) {}

  void collect();

private:
  /// The op and the destination that a value is, seen through casts.
  std::optional<OpOutput> findResult(Value value) const;
  Slot getSlot(Value value);
  std::optional<Slot> findSlot(Value value) {
    return value ? std::optional(getSlot(value)) : std::nullopt;
  }
  void addContract(ShapeContractInterface op, OpInfo &info);
  ScaledMatrix makeMatrix(Value elements, Value scale, Value tensorScale,
                          std::optional<ScaleAttr> kind, bool kFirst,
                          Type codeType);
  void addProduct(ProductInterface op, OpInfo &info);
  void addMatrices(Operation *op, OpInfo &info);
  void addOp(ShapeContractInterface op);

  func::FuncOp function;
  Signature &signature;
  DenseMap<Value, Slot> slots;
  DenseMap<Operation *, unsigned> indices;
};
} // namespace

static bool haveSameRank(Type a, Type b) {
  auto shapedA = dyn_cast<ShapedType>(a), shapedB = dyn_cast<ShapedType>(b);
  return shapedA && shapedB && shapedA.hasRank() && shapedB.hasRank() &&
         shapedA.getRank() == shapedB.getRank();
}

/// What a value is a cast of.
static Value lookThroughCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    bool isCast = isa<CastOpInterface>(op) ||
                  op->getName().getStringRef() == "bufferization.to_tensor" ||
                  op->getName().getStringRef() == "bufferization.to_buffer";
    if (!isCast || !haveSameRank(op->getOperand(0).getType(), value.getType()))
      break;
    value = op->getOperand(0);
  }
  return value;
}

std::optional<OpOutput> Collector::findResult(Value value) const {
  auto result = dyn_cast<mlir::OpResult>(lookThroughCasts(value));
  if (!result)
    return std::nullopt;
  auto found = indices.find(result.getOwner());
  if (found == indices.end())
    return std::nullopt;
  return OpOutput{found->second, result.getResultNumber()};
}

/// The result of an op has the slot of the destination that it is.
Slot Collector::getSlot(Value value) {
  value = lookThroughCasts(value);
  if (std::optional<OpOutput> result = findResult(value))
    return signature.ops[result->op].destinations[result->index];
  auto [entry, isNew] = slots.try_emplace(value, signature.slots.size());
  if (isNew)
    signature.slots.push_back(value.getType());
  return entry->second;
}

void Collector::addContract(ShapeContractInterface op, OpInfo &info) {
  ShapeContract contract = op.getShapeContract();
  SmallVector<Value> inits =
      cast<DestinationStyleOpInterface>(*op).getDpsInits();
  for (const ShapeContract::Extent &extent : contract.extents) {
    bool isIndex = extent.source.getType().isIndex();
    info.extents.push_back({extent.name.str(), extent.getStatic(),
                            isIndex ? findSlot(extent.source) : std::nullopt});
  }
  static constexpr StringLiteral destinations[] = {"init", "scale_outs",
                                                   "tensor_scale_outs", "amax"};
  for (const ShapeContract::Operand &operand : contract.operands) {
    // A value may be both an input and a destination: the name tells.
    OpOperandShape shape{
        operand.name.str(), getSlot(operand.value), operand.dims, {}, false};
    shape.isDestination = llvm::is_contained(destinations, operand.name) &&
                          llvm::is_contained(inits, operand.value);
    for (AffineExpr expr : operand.dims)
      shape.texts.push_back(expr ? contract.describe(expr, ShapedType::kDynamic)
                                 : "");
    info.operands.push_back(std::move(shape));
  }
}

ScaledMatrix Collector::makeMatrix(Value elements, Value scale,
                                   Value tensorScale,
                                   std::optional<ScaleAttr> kind, bool kFirst,
                                   Type codeType) {
  ScaledMatrix matrix;
  matrix.elements = findSlot(elements);
  matrix.scale = findSlot(scale);
  matrix.tensorScale = findSlot(tensorScale);
  matrix.kFirst = kFirst;
  matrix.codeType = codeType;
  if (!scale || !kind)
    return matrix;
  matrix.kind = *kind;
  matrix.scaleType = getElementTypeOrSelf(scale.getType());
  return matrix;
}

static double getFactor(FloatAttr attr) {
  return attr ? attr.getValueAsDouble() : 1;
}

void Collector::addProduct(ProductInterface op, OpInfo &info) {
  ProductInfo &product = info.product.emplace();
  product.lhs = makeMatrix(op.getLhs(), op.getLhsScale(),
                           op.getLhsTensorScale(), op.getLhsScaleKind(),
                           op.getTransposeA(), op.getLhsElementType());
  product.rhs = makeMatrix(op.getRhs(), op.getRhsScale(),
                           op.getRhsTensorScale(), op.getRhsScaleKind(),
                           !op.getTransposeB(), op.getRhsElementType());
  product.alpha = findSlot(op.getAlpha());
  product.beta = findSlot(op.getBeta());
  product.c = findSlot(op.getC());
  product.cScale = findSlot(op.getCScale());
  product.bias = findSlot(op.getBias());
  product.dScale = findSlot(op.getDScale());
  product.staticAlpha = getFactor(op.getStaticAlphaAttr());
  product.staticBeta = getFactor(op.getStaticBetaAttr());
  product.biasAxis = op.getBiasAxis().value_or(Axis::N);
  if (op.hasEpilogue())
    product.epilogue = &op.getEpilogue().front();
  product.isExact = !product.epilogue || isEpilogueExact(*product.epilogue);
  for (const OpInfo &earlier : signature.ops)
    if (earlier.product && !earlier.product->isExact)
      product.isExact &= llvm::none_of(info.operands, [&](const auto &operand) {
        return !operand.isDestination &&
               llvm::is_contained(earlier.destinations, operand.slot);
      });
  product.sumsPerResult = op.getSumsPerResult();
  for (auto [i, operand] : llvm::enumerate(op.getEpilogueOperands())) {
    auto map = cast<AffineMapAttr>(op.getEpilogueMapsAttr()[i]);
    product.epilogueOperands.push_back({getSlot(operand), map.getValue()});
  }
  product.isPacked =
      op.getLhsPackedAttr() || op.getRhsPackedAttr() || op.getInitPackedAttr();
  product.initKind = op.getInitScaleKind().value_or(ScaleAttr());
  if (auto grouped = dyn_cast<GroupedMatmulOp>(*op))
    product.groups = {grouped.getMode(), getSlot(grouped.getGroups()),
                      static_cast<int64_t>(grouped.getGroupAlign()),
                      grouped.getUncovered()};
}

void Collector::addMatrices(Operation *op, OpInfo &info) {
  if (auto quantize = dyn_cast<QuantizeOp>(op))
    if (!quantize.getInitPackedAttr())
      info.matrices.push_back(makeMatrix(
          quantize.getInput(), quantize.getScale(), quantize.getTensorScale(),
          quantize.getKind(), quantize.getTransposed(),
          getElementTypeOrSelf(quantize.getInit())));
  if (auto dequantize = dyn_cast<DequantizeOp>(op))
    if (!dequantize.getInputPackedAttr())
      info.matrices.push_back(
          makeMatrix(dequantize.getInput(), dequantize.getScale(),
                     dequantize.getTensorScale(), dequantize.getKind(),
                     dequantize.getTransposed(),
                     getElementTypeOrSelf(dequantize.getInput())));
}

void Collector::addOp(ShapeContractInterface op) {
  OpInfo info;
  info.name = op->getName().getStringRef();
  addContract(op, info);
  if (auto product = dyn_cast<ProductInterface>(*op))
    addProduct(product, info);
  else
    addMatrices(op, info);
  auto destinations = cast<DestinationStyleOpInterface>(*op);
  for (Value init : destinations.getDpsInits())
    info.destinations.push_back(getSlot(init));
  if (auto grouped = dyn_cast<GroupedMatmulOp>(*op))
    info.readsDestinations = grouped.readsDestinations();
  indices[op] = signature.ops.size();
  signature.ops.push_back(std::move(info));
}

void Collector::collect() {
  for (Value argument : function.getArguments())
    getSlot(argument);
  function.walk([&](ShapeContractInterface op) {
    // Tiles in a kernel have no destinations.
    if (isa<DestinationStyleOpInterface>(*op) &&
        llvm::all_of(op->getOperandTypes(),
                     [](Type type) { return !isa<GlobalType>(type); }))
      addOp(op);
  });
  signature.resultSlots.resize(signature.results.size());
  signature.resultOps.resize(signature.results.size());
  if (!function.getBody().hasOneBlock())
    return;
  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    signature.resultSlots[i] = getSlot(value);
    signature.resultOps[i] = findResult(value);
  }
}

void mlir::lpgemm::collectOps(func::FuncOp function, Signature &signature) {
  Collector(function, signature).collect();
}
