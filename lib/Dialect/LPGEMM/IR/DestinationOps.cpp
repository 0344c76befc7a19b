//===- DestinationOps.cpp - ops that write their last operands ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::lpgemm;

Operation *lpgemm::cloneOnto(OpBuilder &b, Operation *op, ValueRange operands,
                             TypeRange results) {
  OperationState state(op->getLoc(), op->getName(), operands, results,
                       op->getAttrs());
  IRMapping mapping;
  for (Region &region : op->getRegions())
    region.cloneInto(state.addRegion(), mapping);
  return b.create(state);
}

MutableOperandRange lpgemm::getDestinations(Operation *op,
                                            unsigned numDestinations) {
  unsigned start = op->getNumOperands() - numDestinations;
  if (isa<GlobalType>(op->getOperand(start).getType()))
    return MutableOperandRange(op, /*start=*/0, /*length=*/0);
  return MutableOperandRange(op, start, numDestinations);
}

void lpgemm::getDestinationEffects(
    Operation *op, unsigned numDestinations, bool readsDestinations,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  unsigned start = op->getNumOperands() - numDestinations;
  Type form = op->getOperand(start).getType();
  if (isa<RankedTensorType>(form))
    return;
  SideEffects::Resource *resource =
      isa<GlobalType>(form)
          ? static_cast<SideEffects::Resource *>(GlobalMemory::get())
          : SideEffects::DefaultResource::get();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<ShapedType>(operand.get().getType()))
      continue;
    bool isDestination = operand.getOperandNumber() >= start;
    if (!isDestination || readsDestinations)
      effects.emplace_back(MemoryEffects::Read::get(), &operand, resource);
    if (isDestination)
      effects.emplace_back(MemoryEffects::Write::get(), &operand, resource);
  }
}

LogicalResult lpgemm::reifyDestinationShapes(
    OpBuilder &b, DestinationStyleOpInterface op,
    ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  for (Value init : op.getDpsInits())
    reifiedReturnShapes.push_back(tensor::getMixedSizes(b, op.getLoc(), init));
  return success();
}

bool lpgemm::accessesElementwise(DestinationStyleOpInterface op,
                                 ArrayRef<OpOperand *> operands) {
  return llvm::all_of(operands, [&](OpOperand *operand) {
    return op.isDpsInit(operand) ? operand == op.getDpsInitOperand(0)
                                 : isReadWhereWritten(*operand);
  });
}

bufferization::AliasingValueList
lpgemm::getDestinationAliases(DestinationStyleOpInterface op,
                              OpOperand &operand) {
  if (!op.isDpsInit(&operand))
    return {};
  return {{op.getTiedOpResult(&operand),
           bufferization::BufferRelation::Equivalent}};
}

LogicalResult lpgemm::bufferizeDestinationOp(
    RewriterBase &rewriter, DestinationStyleOpInterface op,
    const bufferization::BufferizationOptions &options,
    bufferization::BufferizationState &state) {
  if (!op.hasPureTensorSemantics())
    return success();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (isa<TensorType>(operand.getType())) {
      FailureOr<Value> buffer =
          bufferization::getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      operand = *buffer;
    }
    operands.push_back(operand);
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  cloneOnto(rewriter, op, operands);
  bufferization::replaceOpWithBufferizedValues(
      rewriter, op, ArrayRef(operands).take_back(op.getNumDpsInits()));
  return success();
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// "tensor", "memref" or "global".
static StringRef formOf(Type type) {
  return isa<RankedTensorType>(type) ? "tensor"
         : isa<MemRefType>(type)     ? "memref"
                                     : "global";
}

/// (C11, L-11) MLIR 22 gives each FP6 and FP4 element of a memref a byte of its
/// own, and lowers some ops as if it did not.
static LogicalResult verifyMemRef(Operation *op, StringRef name,
                                  MemRefType type) {
  if (Attribute space = type.getMemorySpace())
    return op->emitOpError()
           << "expects " << name
           << " to be in the default memory space, but got " << space;
  if (!type.isStrided())
    return op->emitOpError() << "expects " << name
                             << " to have a strided layout, but got " << type;
  Type element = type.getElementType();
  if (!isa<FloatType>(element) || element.getIntOrFloatBitWidth() >= 8)
    return success();
  return op->emitOpError()
         << "expects " << name << " to hold its " << element
         << " elements as packed bytes, but got " << type
         << ": run lpgemm-materialize-storage before bufferization";
}

SmallVector<StringRef>
lpgemm::getSegmentNames(Operation *op, ArrayRef<StringLiteral> segments) {
  auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  SmallVector<StringRef> names;
  for (auto [name, size] : llvm::zip_equal(segments, sizes.asArrayRef()))
    names.append(size, name);
  return names;
}

LogicalResult lpgemm::verifyRequiredOperands(Operation *op,
                                             ArrayRef<StringRef> names,
                                             ArrayRef<StringRef> required) {
  for (StringRef name : required)
    if (auto count = llvm::count(names, name); count != 1)
      return op->emitOpError()
             << "expects one " << name << ", but got " << count;
  return success();
}

SmallVector<AffineExpr> lpgemm::addBatchExtents(ShapeContract &contract,
                                                Value matrix, StringRef name) {
  static constexpr StringLiteral kNames[] = {
      "batch dimension 0", "batch dimension 1", "batch dimension 2",
      "batch dimension 3", "a batch dimension"};
  SmallVector<AffineExpr> batch;
  int64_t rank = cast<ShapedType>(matrix.getType()).getRank();
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    batch.push_back(contract.addExtent(
        kNames[std::min<int64_t>(dim, std::size(kNames) - 1)], matrix, dim,
        name));
  return batch;
}

std::string lpgemm::describeScaleKinds(Type elementType,
                                       ArrayRef<ScaleKind> vectorKinds) {
  MLIRContext *context = elementType.getContext();
  std::string text = "tensor";
  for (ScaleKind kind : vectorKinds)
    text += ", " + stringifyScaleKind(kind).str();
  text += ", 1xG";
  StringRef last = "GxG";
  for (ScaleKind kind :
       {ScaleKind::MX, ScaleKind::NVFP4, ScaleKind::NVFP4_2D}) {
    if (!ScaleAttr::get(context, kind).scalesElementType(elementType))
      continue;
    text += ", " + last.str();
    last = stringifyScaleKind(kind);
  }
  return text + " or " + last.str();
}

LogicalResult lpgemm::verifyOperandForms(Operation *op,
                                         ArrayRef<StringRef> names) {
  StringRef form, first;
  for (auto [operand, name] : llvm::zip_equal(op->getOperands(), names)) {
    Type type = operand.getType();
    if (!isa<ShapedType>(type))
      continue;
    if (form.empty())
      std::tie(form, first) = std::pair(formOf(type), name);
    if (formOf(type) != form)
      return op->emitOpError() << "expects " << name << " to be a " << form
                               << " like " << first << ", but got " << type;
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      if (Attribute encoding = tensor.getEncoding())
        return op->emitOpError()
               << "expects " << name << " to have no encoding, but got "
               << encoding;
    if (auto memref = dyn_cast<MemRefType>(type))
      if (failed(verifyMemRef(op, name, memref)))
        return failure();
  }
  return success();
}

LogicalResult lpgemm::verifyDestinationMemory(Operation *op,
                                              ArrayRef<StringRef> names,
                                              unsigned numDestinations) {
  MutableArrayRef<OpOperand> operands = op->getOpOperands();
  // Tensors are values.
  if (isa<RankedTensorType>(operands.back().get().getType()))
    return success();
  MutableArrayRef<OpOperand> inits = operands.take_back(numDestinations);
  for (OpOperand &destination : inits)
    for (OpOperand &other : operands) {
      if (&other == &destination || other.get() != destination.get() ||
          (&destination == inits.begin() && isReadWhereWritten(other)))
        continue;
      return op->emitOpError()
             << "expects " << names[destination.getOperandNumber()]
             << " to be memory that nothing else is read from or written to, "
                "but got that of "
             << names[other.getOperandNumber()];
    }
  return success();
}

LogicalResult lpgemm::verifyDestinationResults(Operation *op,
                                               ArrayRef<StringRef> names) {
  auto destinations = op->getOperands().take_back(names.size());
  bool tensors = isa<RankedTensorType>(destinations.front().getType());
  unsigned expected = tensors ? names.size() : 0;
  if (op->getNumResults() != expected)
    return op->emitOpError()
           << "expects " << expected << " result" << (expected == 1 ? "" : "s")
           << " with a " << formOf(destinations.front().getType()) << " "
           << names.front() << ", but got " << op->getNumResults();
  for (auto [result, destination, name] :
       llvm::zip(op->getResults(), destinations, names))
    if (result.getType() != destination.getType())
      return op->emitOpError()
             << "expects the type of result " << result.getResultNumber()
             << " to be that of " << name << ", " << destination.getType()
             << ", but got " << result.getType();
  return success();
}

LogicalResult lpgemm::verifyScaleRule(Operation *op, Type scaleType,
                                      ScaleRuleMode rule) {
  static constexpr struct {
    ScaleRuleMode rule;
    bool e8m0;
  } kRules[] = {
      {ScaleRuleMode::Amax, false}, {ScaleRuleMode::RCeil, true},
      {ScaleRuleMode::Floor, true}, {ScaleRuleMode::Ceil, true},
      {ScaleRuleMode::Even, true},  {ScaleRuleMode::Pow2, false},
  };
  bool e8m0 = isa<Float8E8M0FNUType>(scaleType);
  bool e4m3 = isa<Float8E4M3FNType>(scaleType);
  if (kRules[static_cast<unsigned>(rule)].e8m0 == e8m0 &&
      !(e4m3 && rule == ScaleRuleMode::Pow2))
    return success();
  return op->emitOpError() << "expects scale rule "
                           << (e8m0   ? "rceil, floor, ceil or even"
                               : e4m3 ? "amax"
                                      : "amax or pow2")
                           << " with scales of type " << scaleType
                           << ", but got " << stringifyScaleRuleMode(rule);
}
