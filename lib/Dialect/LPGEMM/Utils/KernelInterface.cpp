//===- KernelInterface.cpp - what a host must know of a kernel ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"

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

/// How each kind of argument is called in the attribute; in the order of Kind.
static constexpr StringLiteral kKindNames[] = {"address", "extent", "pitch",
                                               "factor"};

std::string KernelArgument::getName() const {
  return subject.str() + (kind == Kind::Pitch ? "_pitch" : "");
}

Type KernelArgument::getType(MLIRContext *context) const {
  switch (kind) {
  case Kind::Address:
    return LLVM::LLVMPointerType::get(context);
  case Kind::Extent:
    return IntegerType::get(context, 32);
  case Kind::Pitch:
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

static SmallVector<KernelArgument> describeArguments(MatmulOp op) {
  using Kind = KernelArgument::Kind;
  ShapeContract contract = op.getShapeContract();
  SmallVector<KernelArgument> result, pitches;
  for (auto [name, operand] :
       llvm::zip_equal(nameOperands(op, contract), contract.operands)) {
    Type element = cast<MemRefType>(operand.value.getType()).getElementType();
    result.push_back({Kind::Address, name, element, operand.dims,
                      lookupScale(op, name), name == "init"});
    if (operand.dims.empty())
      continue;
    KernelArgument &pitch =
        pitches.emplace_back(KernelArgument{Kind::Pitch, name});
    int64_t rows = getTileExtent(operand.dims[0], contract, *op.getSchedule());
    pitch.atMost = kMaxTileSpan / (rows * element.getIntOrFloatBitWidth() / 8);
  }
  for (const ShapeContract::Extent &extent : contract.extents)
    result.emplace_back(KernelArgument{Kind::Extent, extent.name}).atMost =
        kMaxExtent;
  llvm::append_range(result, pitches);
  for (auto [name, factor] :
       {std::pair<StringRef, Value>("alpha", op.getAlpha()),
        {"beta", op.getBeta()}})
    if (factor)
      result.push_back({Kind::Factor, name});
  return result;
}

KernelInterface KernelInterface::describe(MatmulOp op) {
  KernelInterface result;
  result.op = op->getName().getStringRef();
  auto function = op->getParentOfType<FunctionOpInterface>();
  result.function = SymbolTable::getSymbolName(function).getValue();
  for (const ShapeContract::Extent &extent : op.getShapeContract().extents)
    result.extents.push_back(extent.name);
  result.arguments = describeArguments(op);

  const KernelArgument &init = result.lookupAddress("init");
  ScheduleAttr schedule = *op.getSchedule();
  result.tiles = {init.shape[0].ceilDiv(schedule.getTileM()),
                  init.shape[1].ceilDiv(schedule.getTileN())};
  result.maxWorkgroups = kMaxExtent;
  return result;
}

const KernelArgument &KernelInterface::lookupAddress(StringRef operand) const {
  return *llvm::find_if(arguments, [&](const KernelArgument &argument) {
    return argument.kind == KernelArgument::Kind::Address &&
           argument.subject == operand;
  });
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
  return llvm::join(
      llvm::map_range(tiles, [&](AffineExpr expr) { return print(expr); }),
      " * ");
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
  /// Expressions of so many extents.
  ArrayRef<AffineExpr> getExprs(StringRef name, unsigned numExtents) {
    auto attr = get<AffineMapAttr>(name);
    if (!attr)
      return {};
    AffineMap map = attr.getValue();
    isValid &= map.getNumDims() == numExtents && map.getNumSymbols() == 0;
    return map.getResults();
  }
  /// A positive number.
  int64_t getLimit(StringRef name) {
    auto attr = get<IntegerAttr>(name);
    if (!attr || !attr.getType().isInteger(64))
      return isValid = false;
    isValid &= attr.getInt() > 0;
    return attr.getInt();
  }

  DictionaryAttr dictionary;
  bool isValid = true;
};
} // namespace

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
  if (argument.kind == KernelArgument::Kind::Address) {
    if (auto element = reader.get<TypeAttr>("element"))
      argument.elementType = element.getValue();
    argument.shape = llvm::to_vector(reader.getExprs("shape", numExtents));
    reader.isValid &= argument.shape.size() <= 2;
    if (reader.dictionary.contains("scale"))
      argument.scale = reader.get<ScaleAttr>("scale");
    argument.isWritten = reader.dictionary.contains("written");
  } else if (argument.kind != KernelArgument::Kind::Factor) {
    argument.atMost = reader.getLimit("at_most");
  }
  return reader.isValid ? std::optional(argument) : std::nullopt;
}

/// Names are unique, and what an extent or a pitch is of is there.
static bool isConsistent(const KernelInterface &interface) {
  using Kind = KernelArgument::Kind;
  llvm::StringSet<> names, withRows;
  for (const KernelArgument &argument : interface.arguments) {
    if (!names.insert(argument.getName()).second)
      return false;
    if (argument.kind == Kind::Address && !argument.shape.empty())
      withRows.insert(argument.subject);
  }
  return llvm::all_of(interface.getArguments(Kind::Extent),
                      [&](const KernelArgument &argument) {
                        return llvm::is_contained(interface.extents,
                                                  argument.subject);
                      }) &&
         llvm::all_of(interface.getArguments(Kind::Pitch),
                      [&](const KernelArgument &argument) {
                        return withRows.contains(argument.subject);
                      });
}

static std::optional<KernelInterface> readInterface(Attribute attr) {
  EntryReader reader{dyn_cast<DictionaryAttr>(attr)};
  if (!reader.dictionary)
    return std::nullopt;
  KernelInterface result;
  result.op = reader.getString("op");
  result.function = reader.getString("function");
  auto extents = reader.get<ArrayAttr>("extents");
  auto arguments = reader.get<ArrayAttr>("arguments");
  if (!reader.isValid)
    return std::nullopt;
  for (Attribute extent : extents) {
    auto name = dyn_cast<StringAttr>(extent);
    if (!name)
      return std::nullopt;
    result.extents.push_back(name.getValue());
  }
  for (Attribute entry : arguments) {
    auto argument = readArgument(entry, result.extents.size());
    if (!argument)
      return std::nullopt;
    result.arguments.push_back(*argument);
  }
  result.tiles =
      llvm::to_vector(reader.getExprs("tiles", result.extents.size()));
  result.maxWorkgroups = reader.getLimit("max_workgroups");
  if (!reader.isValid || result.tiles.empty() || !isConsistent(result))
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
