//===- KernelInterfaceAttr.cpp - interfaces as attributes -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// How each kind of argument is called in the attribute; in the order of Kind.
static constexpr StringLiteral kKindNames[] = {
    "address", "extent",     "pitch",     "stride",
    "factor",  "tensor_map", "workspace", "workgroups"};

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
  if (argument.kind != KernelArgument::Kind::Address &&
      argument.kind != KernelArgument::Kind::Workspace)
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
  if (!sums.empty())
    attrs.set("sums", b.getStrArrayAttr(sums));
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
  case Kind::Workspace:
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
  case Kind::Workgroups:
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
  if (reader.dictionary.contains("sums"))
    result.sums = reader.getStrings("sums");
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
