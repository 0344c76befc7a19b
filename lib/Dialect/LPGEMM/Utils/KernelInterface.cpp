//===- KernelInterface.cpp - what a host must know of a kernel ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"

#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// Extents stay this far below 2^31, so that a position one tile past the end
/// is still a non-negative i32.
static constexpr int64_t kMaxExtent = 0x7FFF0000;
/// So must the bytes from the first to the last row of a workgroup's tile.
static constexpr int64_t kMaxTileSpan = 0x7FFF0000;
/// Threads along one dimension of a grid (HIP, hipModuleLaunchKernel: below
/// 2^32; HSA, kernel dispatch packet: grid_size_x has 32 bits). Along y and z
/// devices have fewer workgroups (hipDeviceProp_t::maxGridSize), so that all
/// are along x.
static constexpr int64_t kMaxGridThreads = 0xFFFFFFFF;

/// How each kind of argument is called in the attribute; in the order of Kind.
static constexpr StringLiteral kKindNames[] = {
    "address", "extent", "pitch", "stride", "factor", "tensor_map"};

/// CUDA driver API, CUtensorMap.
static constexpr int64_t kTensorMapBytes = 128;

Type lpgemm::getTensorMapType(MLIRContext *context) {
  return LLVM::LLVMArrayType::get(IntegerType::get(context, 8),
                                  kTensorMapBytes);
}

std::string KernelArgument::getName() const {
  switch (kind) {
  case Kind::Pitch:
    return subject.str() + "_pitch";
  case Kind::Stride:
    return subject.str() + "_stride_" + std::to_string(batchDim);
  case Kind::TensorMap:
    return subject.str() + "_map" +
           (mapNumber ? "_" + std::to_string(mapNumber) : "");
  default:
    return subject.str();
  }
}

Type KernelArgument::getType(MLIRContext *context) const {
  switch (kind) {
  case Kind::Address:
  case Kind::TensorMap:
    return LLVM::LLVMPointerType::get(context);
  case Kind::Extent:
    return IntegerType::get(context, 32);
  case Kind::Pitch:
  case Kind::Stride:
    return IntegerType::get(context, 64);
  case Kind::Factor:
    return Float32Type::get(context);
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// From a product
//===----------------------------------------------------------------------===//

/// The value of `expr` for what one workgroup has at hand at a time.
static int64_t getTileExtent(AffineExpr expr, const ShapeContract &contract,
                             ScheduleAttr schedule) {
  auto tile = llvm::map_to_vector(contract.extents, [&](auto &extent) {
    return getAffineConstantExpr(llvm::StringSwitch<int64_t>(extent.name)
                                     .Case("M", schedule.getTileM())
                                     .Case("N", schedule.getTileN())
                                     .Default(schedule.getTileK()),
                                 expr.getContext());
  });
  return cast<AffineConstantExpr>(expr.replaceDims(tile)).getValue();
}

static std::optional<ScaleAttr> lookupScale(MatmulOp op, StringRef operand) {
  if (operand == "lhs_scale")
    return op.getLhsScaleKind();
  if (operand == "rhs_scale")
    return op.getRhsScaleKind();
  return std::nullopt;
}

/// The type of the elements of an operand of packed bytes (C24).
static TypeAttr lookupPackedType(MatmulOp op, StringRef operand) {
  if (operand == "lhs")
    return op.getLhsPackedAttr();
  if (operand == "rhs")
    return op.getRhsPackedAttr();
  return {};
}

/// How many there are in a row of lhs or rhs, whose last dimension counts
/// bytes.
static AffineExpr getRowElements(MatmulOp op, StringRef operand,
                                 const ShapeContract &contract) {
  bool isKFirst = operand == "lhs" ? op.getTransposeA() : !op.getTransposeB();
  StringRef name = !isKFirst ? "K" : operand == "lhs" ? "M" : "N";
  const auto *extent = llvm::find_if(
      contract.extents, [&](const auto &e) { return e.name == name; });
  return getAffineDimExpr(std::distance(contract.extents.begin(), extent),
                          op.getContext());
}

/// The operands of `contract` as a program may call them: those of the epilogue
/// by their numbers.
static SmallVector<StringRef> nameOperands(MatmulOp op,
                                           const ShapeContract &contract) {
  int64_t numEpilogue = 0;
  return llvm::map_to_vector(contract.operands, [&](auto &operand) {
    if (!operand.name.contains("epilogue operand"))
      return operand.name;
    return StringAttr::get(op.getContext(), "epilogue_" + Twine(numEpilogue++))
        .getValue();
  });
}

/// Which of the first `numBatch` extents a dimension is; if it is broadcast,
/// `numBatch`; nothing if it is no batch dimension.
static std::optional<unsigned> getBatchDim(AffineExpr expr, unsigned numBatch) {
  if (isa<AffineConstantExpr>(expr) &&
      cast<AffineConstantExpr>(expr).getValue() == 1)
    return numBatch;
  auto dim = dyn_cast<AffineDimExpr>(expr);
  if (dim && dim.getPosition() < numBatch)
    return dim.getPosition();
  return std::nullopt;
}

namespace {
/// The arguments of a product, by the order of their kinds.
struct ArgumentLists {
  void addOperand(MatmulOp op, StringRef name,
                  const ShapeContract::Operand &operand);

  const ShapeContract &contract;
  unsigned numBatch;
  SmallVector<KernelArgument> addresses = {}, pitches = {}, strides = {};
};
} // namespace

void ArgumentLists::addOperand(MatmulOp op, StringRef name,
                               const ShapeContract::Operand &operand) {
  using Kind = KernelArgument::Kind;
  Type element = cast<MemRefType>(operand.value.getType()).getElementType();
  SmallVector<AffineExpr> shape = operand.dims;
  if (TypeAttr packed = lookupPackedType(op, name)) {
    element = packed.getValue();
    shape.back() = getRowElements(op, name, contract);
  }
  KernelArgument &address = addresses.emplace_back(
      KernelArgument{Kind::Address, name, element, shape, lookupScale(op, name),
                     name == "init" || name == "amax"});
  AffineExpr first;
  for (AffineExpr expr : operand.dims) {
    std::optional<unsigned> batchDim = getBatchDim(expr, numBatch);
    if (!batchDim)
      first = first ? first : expr;
    else if (*batchDim < numBatch)
      strides.emplace_back(KernelArgument{Kind::Stride, name}).batchDim =
          *batchDim;
  }
  if (!first)
    return;
  int64_t rows = getTileExtent(first, contract, *op.getSchedule());
  // A tile of the product need not start with one of the layout.
  if (address.hasTiledLayout())
    ++rows;
  pitches.emplace_back(KernelArgument{Kind::Pitch, name}).atMost =
      kMaxTileSpan / (rows * getUnitBytes(element));
}

/// Those of the batch as a program may call them.
static SmallVector<StringRef>
nameExtents(MatmulOp op, const ShapeContract &contract, unsigned numBatch) {
  SmallVector<StringRef> names;
  for (const ShapeContract::Extent &extent : contract.extents)
    names.push_back(
        names.size() < numBatch
            ? StringAttr::get(op.getContext(), "batch_" + Twine(names.size()))
                  .getValue()
            : extent.name);
  return names;
}

static SmallVector<KernelArgument>
describeArguments(MatmulOp op, ArrayRef<StringRef> extents, unsigned numBatch) {
  using Kind = KernelArgument::Kind;
  ShapeContract contract = op.getShapeContract();
  ArgumentLists lists{contract, numBatch};
  for (auto [name, operand] :
       llvm::zip_equal(nameOperands(op, contract), contract.operands))
    lists.addOperand(op, name, operand);
  SmallVector<KernelArgument> result = std::move(lists.addresses);
  for (StringRef extent : extents)
    result.emplace_back(KernelArgument{Kind::Extent, extent}).atMost =
        kMaxExtent;
  llvm::append_range(result, lists.pitches);
  llvm::append_range(result, lists.strides);
  for (auto [name, factor] :
       {std::pair<StringRef, Value>("alpha", op.getAlpha()),
        {"beta", op.getBeta()}})
    if (factor)
      result.push_back({Kind::Factor, name});
  return result;
}

int64_t lpgemm::getNumThreads(MatmulOp op) {
  const TargetRecord &record = *lookupTargetRecord(lookupTarget(op).getChip());
  return op.getSchedule()->getAllWaves() * record.getWaveSize();
}

KernelInterface KernelInterface::describe(MatmulOp op) {
  KernelInterface result;
  result.op = op->getName().getStringRef();
  auto function = op->getParentOfType<FunctionOpInterface>();
  result.function = SymbolTable::getSymbolName(function).getValue();
  unsigned numBatch = cast<ShapedType>(op.getInit().getType()).getRank() - 2;
  result.extents = nameExtents(op, op.getShapeContract(), numBatch);
  result.arguments = describeArguments(op, result.extents, numBatch);

  ScheduleAttr schedule = *op.getSchedule();
  result.tiles = result.lookupAddress("init").shape;
  // Whole clusters: those at an edge have workgroups without a tile.
  const int64_t tileExtents[] = {schedule.getTileM(), schedule.getTileN()};
  const int64_t clusters[] = {schedule.getClusterM(), schedule.getClusterN()};
  for (auto [extent, tile, cluster] : llvm::zip_equal(
           MutableArrayRef(result.tiles).take_back(2), tileExtents, clusters))
    extent = extent.ceilDiv(tile * cluster) * cluster;
  result.tiles.back() = result.tiles.back() * schedule.getSplitK();
  result.maxWorkgroups = kMaxGridThreads / getNumThreads(op);
  result.clusterSize = schedule.getClusterSize();
  result.isPersistent = schedule.getPersistent();
  return result;
}

KernelInterface KernelInterface::describeFill(StringRef operand) const {
  KernelInterface result;
  result.op = op;
  result.function = function;
  result.arguments = {lookupAddress(operand)};
  AffineExpr one = getAffineConstantExpr(1, tiles.front().getContext());
  result.tiles = {one, one};
  result.maxWorkgroups = 1;
  return result;
}

SmallVector<unsigned>
KernelInterface::getMatrixDims(const KernelArgument &address) const {
  SmallVector<unsigned> dims;
  for (auto [i, expr] : llvm::enumerate(address.shape))
    if (!getBatchDim(expr, getNumBatch()))
      dims.push_back(i);
  return dims;
}

const KernelArgument &KernelInterface::lookupAddress(StringRef operand) const {
  return *llvm::find_if(arguments, [&](const KernelArgument &argument) {
    return argument.kind == KernelArgument::Kind::Address &&
           argument.subject == operand;
  });
}

SmallVector<unsigned> KernelInterface::findStrides(StringRef operand) const {
  SmallVector<unsigned> numbers;
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (argument.kind == KernelArgument::Kind::Stride &&
        argument.subject == operand)
      numbers.push_back(i);
  return numbers;
}

unsigned KernelInterface::addTensorMap(StringRef operand,
                                       std::array<int64_t, 2> box,
                                       int64_t swizzleBytes) {
  int64_t number = 0;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    if (argument.kind != KernelArgument::Kind::TensorMap ||
        argument.subject != operand)
      continue;
    if (argument.box == box && argument.swizzleBytes == swizzleBytes)
      return i;
    ++number;
  }
  KernelArgument &map = arguments.emplace_back(
      KernelArgument{KernelArgument::Kind::TensorMap, operand});
  map.box = box;
  map.swizzleBytes = swizzleBytes;
  map.mapNumber = number;
  return arguments.size() - 1;
}

size_t KernelInterface::findExtent(const KernelArgument &argument) const {
  return std::distance(extents.begin(), llvm::find(extents, argument.subject));
}

std::string KernelInterface::print(AffineExpr expr) const {
  ShapeContract names;
  for (StringRef extent : extents)
    names.extents.push_back({extent, Value(), 0, ""});
  return names.describe(expr, ShapedType::kDynamic);
}

std::string KernelInterface::printGrid() const {
  SmallVector<std::string> factors;
  for (AffineExpr expr : tiles)
    if (!isa<AffineConstantExpr>(expr))
      factors.push_back(print(expr));
  return factors.empty() ? "1" : llvm::join(factors, " * ");
}

//===----------------------------------------------------------------------===//
// To the attribute
//===----------------------------------------------------------------------===//

static Attribute toAttribute(const KernelArgument &argument,
                             unsigned numExtents, Builder &b) {
  NamedAttrList attrs;
  attrs.set(kKindNames[llvm::to_underlying(argument.kind)],
            b.getStringAttr(argument.subject));
  if (argument.atMost)
    attrs.set("at_most", b.getI64IntegerAttr(argument.atMost));
  if (argument.kind == KernelArgument::Kind::Stride)
    attrs.set("batch_dim", b.getI64IntegerAttr(argument.batchDim));
  if (argument.kind == KernelArgument::Kind::TensorMap) {
    attrs.set("box", b.getDenseI64ArrayAttr(argument.box));
    attrs.set("swizzle", b.getI64IntegerAttr(argument.swizzleBytes));
    if (argument.mapNumber)
      attrs.set("number", b.getI64IntegerAttr(argument.mapNumber));
  }
  if (argument.kind != KernelArgument::Kind::Address)
    return attrs.getDictionary(b.getContext());
  attrs.set("element", TypeAttr::get(argument.elementType));
  attrs.set("shape", AffineMapAttr::get(AffineMap::get(
                         numExtents, 0, argument.shape, b.getContext())));
  if (argument.scale)
    attrs.set("scale", *argument.scale);
  if (argument.isWritten)
    attrs.set("written", b.getUnitAttr());
  return attrs.getDictionary(b.getContext());
}

DictionaryAttr KernelInterface::toAttribute(MLIRContext *context) const {
  Builder b(context);
  auto list = llvm::map_to_vector(arguments, [&](auto &argument) {
    return ::toAttribute(argument, extents.size(), b);
  });
  NamedAttrList attrs;
  attrs.set("op", b.getStringAttr(op));
  attrs.set("function", b.getStringAttr(function));
  attrs.set("extents", b.getStrArrayAttr(extents));
  attrs.set("arguments", b.getArrayAttr(list));
  attrs.set("tiles", AffineMapAttr::get(
                         AffineMap::get(extents.size(), 0, tiles, context)));
  attrs.set("max_workgroups", b.getI64IntegerAttr(maxWorkgroups));
  if (clusterSize != 1)
    attrs.set("cluster", b.getI64IntegerAttr(clusterSize));
  if (isPersistent)
    attrs.set("persistent", b.getUnitAttr());
  if (!fills.empty())
    attrs.set("fills", b.getStrArrayAttr(fills));
  return attrs.getDictionary(context);
}

//===----------------------------------------------------------------------===//
// From the attribute
//===----------------------------------------------------------------------===//

namespace {
/// Reads entries of a dictionary; `isValid` is false after one was missing.
struct EntryReader {
  template <typename Attr>
  Attr get(StringRef name) {
    auto attr = dictionary.getAs<Attr>(name);
    isValid &= attr != nullptr;
    return attr;
  }
  StringRef getString(StringRef name) {
    auto attr = get<StringAttr>(name);
    return attr ? attr.getValue() : StringRef();
  }
  SmallVector<StringRef> getStrings(StringRef name) {
    SmallVector<StringRef> texts;
    auto list = get<ArrayAttr>(name);
    for (Attribute attr : list ? list.getValue() : ArrayRef<Attribute>()) {
      auto text = dyn_cast<StringAttr>(attr);
      isValid &= text != nullptr;
      texts.push_back(text ? text.getValue() : StringRef());
    }
    return texts;
  }
  /// Expressions of so many extents.
  ArrayRef<AffineExpr> getExprs(StringRef name, unsigned numExtents) {
    auto attr = get<AffineMapAttr>(name);
    if (!attr)
      return {};
    AffineMap map = attr.getValue();
    isValid &= map.getNumDims() == numExtents && map.getNumSymbols() == 0;
    return map.getResults();
  }
  int64_t getNumber(StringRef name, int64_t atLeast) {
    auto attr = get<IntegerAttr>(name);
    if (!attr || !attr.getType().isInteger(64))
      return isValid = false;
    isValid &= attr.getInt() >= atLeast;
    return attr.getInt();
  }

  DictionaryAttr dictionary;
  bool isValid = true;
};
} // namespace

/// What an argument has besides its kind and name.
static void readProperties(EntryReader &reader, KernelArgument &argument,
                           unsigned numExtents) {
  using Kind = KernelArgument::Kind;
  switch (argument.kind) {
  case Kind::Address:
    if (auto element = reader.get<TypeAttr>("element"))
      argument.elementType = element.getValue();
    argument.shape = llvm::to_vector(reader.getExprs("shape", numExtents));
    if (reader.dictionary.contains("scale"))
      argument.scale = reader.get<ScaleAttr>("scale");
    argument.isWritten = reader.dictionary.contains("written");
    return;
  case Kind::Extent:
  case Kind::Pitch:
    argument.atMost = reader.getNumber("at_most", 1);
    return;
  case Kind::Stride:
    argument.batchDim = reader.getNumber("batch_dim", 0);
    return;
  case Kind::TensorMap:
    if (auto box = reader.get<DenseI64ArrayAttr>("box")) {
      reader.isValid &= box.size() == 2 && box[0] > 0 && box[1] > 0;
      if (reader.isValid)
        llvm::copy(box.asArrayRef(), argument.box.begin());
    }
    argument.swizzleBytes = reader.getNumber("swizzle", 0);
    if (reader.dictionary.contains("number"))
      argument.mapNumber = reader.getNumber("number", 1);
    return;
  case Kind::Factor:
    return;
  }
}

static std::optional<KernelArgument> readArgument(Attribute attr,
                                                  unsigned numExtents) {
  EntryReader reader{dyn_cast<DictionaryAttr>(attr)};
  if (!reader.dictionary)
    return std::nullopt;
  const auto *kind = llvm::find_if(kKindNames, [&](StringRef name) {
    return reader.dictionary.contains(name);
  });
  if (kind == std::end(kKindNames))
    return std::nullopt;
  KernelArgument argument{
      static_cast<KernelArgument::Kind>(kind - std::begin(kKindNames)),
      reader.getString(*kind)};
  readProperties(reader, argument, numExtents);
  return reader.isValid ? std::optional(argument) : std::nullopt;
}

/// An operand is a matrix, or less, behind its batch dimensions.
static bool isConsistent(const KernelInterface &interface,
                         const KernelArgument &address) {
  SmallVector<unsigned> dims = interface.getMatrixDims(address);
  return dims.size() <= 2 || address.hasTiledLayout();
}

/// Names are unique, and what an extent, a pitch or a stride is of is there.
static bool isConsistent(const KernelInterface &interface) {
  using Kind = KernelArgument::Kind;
  llvm::StringSet<> names, withRows, operands;
  for (const KernelArgument &argument : interface.arguments) {
    if (!names.insert(argument.getName()).second)
      return false;
    if (argument.kind != Kind::Address)
      continue;
    if (!isConsistent(interface, argument))
      return false;
    operands.insert(argument.subject);
    if (!interface.getMatrixDims(argument).empty())
      withRows.insert(argument.subject);
  }
  return llvm::all_of(interface.arguments, [&](const KernelArgument &argument) {
    switch (argument.kind) {
    case Kind::Extent:
      return llvm::is_contained(interface.extents, argument.subject);
    case Kind::Pitch:
    case Kind::TensorMap:
      return withRows.contains(argument.subject);
    case Kind::Stride:
      return operands.contains(argument.subject) &&
             argument.batchDim < interface.getNumBatch();
    default:
      return true;
    }
  });
}

static std::optional<KernelInterface> readInterface(Attribute attr) {
  EntryReader reader{dyn_cast<DictionaryAttr>(attr)};
  if (!reader.dictionary)
    return std::nullopt;
  KernelInterface result;
  result.op = reader.getString("op");
  result.function = reader.getString("function");
  result.extents = reader.getStrings("extents");
  if (reader.dictionary.contains("fills"))
    result.fills = reader.getStrings("fills");
  auto arguments = reader.get<ArrayAttr>("arguments");
  if (!reader.isValid)
    return std::nullopt;
  for (Attribute entry : arguments) {
    auto argument = readArgument(entry, result.extents.size());
    if (!argument)
      return std::nullopt;
    result.arguments.push_back(*argument);
  }
  result.tiles =
      llvm::to_vector(reader.getExprs("tiles", result.extents.size()));
  result.maxWorkgroups = reader.getNumber("max_workgroups", 1);
  if (reader.dictionary.contains("cluster"))
    result.clusterSize = reader.getNumber("cluster", 1);
  result.isPersistent = reader.dictionary.contains("persistent");
  if (!reader.isValid || result.tiles.size() < 2 || !isConsistent(result))
    return std::nullopt;
  return result;
}

FailureOr<std::optional<KernelInterface>>
KernelInterface::lookup(FunctionOpInterface kernel) {
  Attribute attr = kernel->getDiscardableAttr(kKernelAttrName);
  if (!attr)
    return std::optional<KernelInterface>();
  std::optional<KernelInterface> found = readInterface(attr);
  if (!found)
    return kernel.emitOpError()
           << "expects attribute '" << kKernelAttrName
           << "' to be as lpgemm-outline makes it, but got " << attr;
  auto types = llvm::map_to_vector(found->arguments, [&](auto &argument) {
    return argument.getType(kernel.getContext());
  });
  if (!llvm::equal(types, kernel.getArgumentTypes()))
    return kernel.emitOpError()
           << "expects arguments of types " << types << ", which attribute '"
           << kKernelAttrName << "' describes, but has "
           << kernel.getArgumentTypes();
  return found;
}
