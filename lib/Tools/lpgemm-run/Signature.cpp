//===- Signature.cpp - what a function takes and returns ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signature.h"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

Extent Product::getExtent(Operand operand, unsigned dim) const {
  static constexpr Extent extents[NumOperands][2] = {
      {M, K}, {K, N}, {M, KBlocks}, {KBlocks, N}, {M, N}};
  bool isTransposed = transposeB && (operand == Rhs || operand == RhsScale);
  return extents[operand][isTransposed ? 1 - dim : dim];
}

std::string Signature::describe(unsigned argument) const {
  return ("argument " + Twine(argument) + " of @" + name).str();
}

bool Signature::isDestination(unsigned argument) const {
  return llvm::any_of(products, [&](const Product &product) {
    return product.arguments[Init] == argument;
  });
}

bool Signature::isOperand(unsigned argument) const {
  return llvm::any_of(products, [&](const Product &product) {
    return llvm::is_contained(product.arguments, argument);
  });
}

std::string mlir::lpgemm::formatShape(ArrayRef<int64_t> shape) {
  return shape.empty()
             ? "scalar"
             : llvm::join(llvm::map_range(shape,
                                          [](int64_t extent) {
                                            return std::to_string(extent);
                                          }),
                          "x");
}

Expected<func::FuncOp> mlir::lpgemm::findEntry(ModuleOp module, StringRef entry,
                                               StringRef path) {
  SmallVector<func::FuncOp> found;
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isEntry =
        entry.empty() ? function.isPublic() : function.getName() == entry;
    if (isEntry && !function.isExternal())
      found.push_back(function);
  }
  if (found.size() == 1)
    return found.front();
  if (!entry.empty())
    return createStringError(path + ": no func.func @" + entry);
  return createStringError(path + ": expected one public func.func, found " +
                           Twine(found.size()) + ": name it with --entry");
}

/// What a value is a cast of.
static Value lookThroughCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    bool isCast = isa<CastOpInterface>(op) ||
                  op->getName().getStringRef() == "bufferization.to_tensor" ||
                  op->getName().getStringRef() == "bufferization.to_buffer";
    if (!isCast)
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// The argument that a value is, seen through casts.
static std::optional<unsigned> findArgument(Value value, Block *entry) {
  auto argument = dyn_cast<BlockArgument>(lookThroughCasts(value));
  if (!argument || argument.getOwner() != entry)
    return std::nullopt;
  return argument.getArgNumber();
}

/// Enters the products of a function and which of them each result is.
static void collectProducts(func::FuncOp function, Signature &signature) {
  llvm::SmallDenseMap<Operation *, unsigned> indices;
  function.walk([&](MatmulOp op) {
    Value operands[NumOperands] = {op.getLhs(), op.getRhs(), op.getLhsScale(),
                                   op.getRhsScale(), op.getInit()};
    Product product{{}, op.getTransposeB(), op.getLhsScaleKind()->getBlock()};
    for (unsigned i = 0; i != NumOperands; ++i)
      product.arguments[i] =
          findArgument(operands[i], &function.getBody().front());
    indices[op] = signature.products.size();
    signature.products.push_back(product);
  });
  signature.resultProducts.resize(signature.results.size());
  if (!function.getBody().hasOneBlock())
    return;
  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [product, value] :
       llvm::zip(signature.resultProducts, terminator->getOperands()))
    if (auto found = indices.find(lookThroughCasts(value).getDefiningOp());
        found != indices.end())
      product = found->second;
}

static Expected<ShapedType> checkType(Type type, const Twine &what) {
  if (isa<RankedTensorType, MemRefType>(type))
    return cast<ShapedType>(type);
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return createStringError("expected " + what +
                           " to be a ranked tensor or memref, but it is " +
                           text);
}

Expected<Signature> mlir::lpgemm::getSignature(func::FuncOp function) {
  Signature signature;
  signature.name = function.getName();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    Expected<ShapedType> shaped = checkType(type, signature.describe(i));
    if (!shaped)
      return shaped.takeError();
    signature.arguments.push_back(*shaped);
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    Expected<ShapedType> shaped =
        checkType(type, "result " + Twine(i) + " of @" + signature.name);
    if (!shaped)
      return shaped.takeError();
    signature.results.push_back(*shaped);
  }
  collectProducts(function, signature);
  return signature;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static constexpr StringLiteral extentNames[NumExtents] = {"M", "N", "K",
                                                          "blocks of K"};

namespace {
/// The extents of one product, each with what gave it.
class ExtentTable {
public:
  ExtentTable(const Product &product, const ProblemSize &size);

  /// Enters a dimension; it must agree with what is there.
  Error enter(Extent extent, int64_t value, unsigned dim, const Twine &source);
  /// Derives the blocks of K from K.
  Error deriveBlocks();
  int64_t get(Extent extent) const { return entries[extent].value; }

private:
  struct Entry {
    int64_t value = ShapedType::kDynamic;
    std::string source;
  };
  std::array<Entry, NumExtents> entries;
  int64_t block;
};
} // namespace

ExtentTable::ExtentTable(const Product &product, const ProblemSize &size)
    : block(product.block) {
  for (auto [extent, value] : llvm::enumerate(size))
    entries[extent] = {value, "--size"};
}

Error ExtentTable::enter(Extent extent, int64_t value, unsigned dim,
                         const Twine &source) {
  Entry &entry = entries[extent];
  if (ShapedType::isDynamic(value) || entry.value == value)
    return Error::success();
  if (ShapedType::isDynamic(entry.value)) {
    entry = {value, source.str()};
    return Error::success();
  }
  return createStringError("expected dimension " + Twine(dim) + " (" +
                           extentNames[extent] + ") of " + source + " to be " +
                           Twine(entry.value) + " as given by " + entry.source +
                           ", but it is " + Twine(value));
}

Error ExtentTable::deriveBlocks() {
  int64_t k = get(K);
  if (ShapedType::isDynamic(k))
    return Error::success();
  int64_t blocks = llvm::divideCeil(k, block);
  const Entry &entry = entries[KBlocks];
  if (!ShapedType::isDynamic(entry.value) && entry.value != blocks)
    return createStringError("expected " + entry.source + " to have " +
                             Twine(blocks) + " blocks of K for the K of " +
                             Twine(k) + " given by " + entries[K].source +
                             ", but it has " + Twine(entry.value));
  entries[KBlocks] = {blocks, entries[K].source};
  return Error::success();
}

/// Collects the extents of a product and fills the open dimensions.
static Error resolveProduct(const Signature &signature, const Product &product,
                            const ProblemSize &size,
                            MutableArrayRef<Shape> shapes) {
  ExtentTable table(product, size);
  for (unsigned operand = 0; operand != NumOperands; ++operand) {
    std::optional<unsigned> argument = product.arguments[operand];
    if (!argument)
      continue;
    for (auto [dim, extent] : llvm::enumerate(shapes[*argument]))
      if (Error error = table.enter(product.getExtent(Operand(operand), dim),
                                    extent, dim, signature.describe(*argument)))
        return error;
  }
  if (Error error = table.deriveBlocks())
    return error;
  for (unsigned operand = 0; operand != NumOperands; ++operand)
    if (std::optional<unsigned> argument = product.arguments[operand])
      for (auto [dim, extent] : llvm::enumerate(shapes[*argument]))
        extent = table.get(product.getExtent(Operand(operand), dim));
  return Error::success();
}

/// The shape of a file must be one of the type's.
static Error checkGiven(const Signature &signature, unsigned argument,
                        ArrayRef<int64_t> given) {
  ShapedType type = signature.arguments[argument];
  if (succeeded(verifyCompatibleShape(type.getShape(), given)))
    return Error::success();
  std::string text;
  llvm::raw_string_ostream(text) << Type(type);
  return createStringError(signature.describe(argument) + " is " + text +
                           ", but its file has shape " + formatShape(given));
}

/// A shape must be known and its extents must be in range.
static Error checkResolved(const Signature &signature, unsigned argument,
                           ArrayRef<int64_t> shape) {
  if (ShapedType::isDynamicShape(shape))
    return createStringError("the shape of " + signature.describe(argument) +
                             " is not known: " +
                             (signature.isOperand(argument)
                                  ? "give --size=MxNxK"
                                  : "it is no operand of an lpgemm.matmul, "
                                    "pass it with --arg"));
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (extent > kLargestExtent)
      return createStringError("expected dimension " + Twine(dim) + " of " +
                               signature.describe(argument) +
                               " to be at most " + Twine(kLargestExtent) +
                               ", but it is " + Twine(extent));
  return Error::success();
}

Expected<SmallVector<Shape>>
mlir::lpgemm::resolveShapes(const Signature &signature,
                            ArrayRef<std::optional<Shape>> given,
                            const ProblemSize &size) {
  SmallVector<Shape> shapes;
  for (auto [i, type] : llvm::enumerate(signature.arguments)) {
    if (given[i])
      if (Error error = checkGiven(signature, i, *given[i]))
        return error;
    shapes.push_back(given[i] ? *given[i] : Shape(type.getShape()));
  }
  for (const Product &product : signature.products)
    if (Error error = resolveProduct(signature, product, size, shapes))
      return error;
  for (auto [i, shape] : llvm::enumerate(shapes))
    if (Error error = checkResolved(signature, i, shape))
      return error;
  return shapes;
}

Error mlir::lpgemm::checkBytes(StringRef name, ArrayRef<uint64_t> bytes) {
  uint64_t sum = 0;
  for (uint64_t next : bytes)
    sum = llvm::SaturatingAdd(sum, next);
  if (sum <= kLargestBytes)
    return Error::success();
  return createStringError("@" + name + " needs " +
                           (sum == UINT64_MAX ? "more than " : "") +
                           Twine(sum) + " bytes for its arguments, expected " +
                           "at most " + Twine(kLargestBytes));
}

/// The K of a product, if an argument has it.
static std::optional<int64_t> getK(const Product &product,
                                   ArrayRef<Shape> shapes) {
  for (Operand operand : {Lhs, Rhs})
    if (std::optional<unsigned> argument = product.arguments[operand])
      for (unsigned dim : {0, 1})
        if (product.getExtent(operand, dim) == K)
          return shapes[*argument][dim];
  return std::nullopt;
}

int64_t mlir::lpgemm::getLargestK(const Signature &signature,
                                  ArrayRef<Shape> shapes) {
  int64_t largest = 0;
  for (const Product &product : signature.products)
    largest = std::max(largest, getK(product, shapes).value_or(0));
  return largest;
}

int64_t mlir::lpgemm::getResultK(const Signature &signature,
                                 ArrayRef<Shape> shapes, unsigned result) {
  std::optional<int64_t> k;
  if (result < signature.resultProducts.size())
    if (std::optional<unsigned> product = signature.resultProducts[result])
      k = getK(signature.products[*product], shapes);
  return k ? *k : getLargestK(signature, shapes);
}

int64_t mlir::lpgemm::getDestinationK(const Signature &signature,
                                      ArrayRef<Shape> shapes,
                                      unsigned argument) {
  int64_t largest = 0;
  for (const Product &product : signature.products) {
    if (product.arguments[Init] != argument)
      continue;
    std::optional<int64_t> k = getK(product, shapes);
    if (!k)
      return getLargestK(signature, shapes);
    largest = std::max(largest, *k);
  }
  return largest;
}
