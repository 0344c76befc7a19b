//===- Arguments.cpp - the arguments of a run -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "Generate.h"
#include "lpgemm/Tools/Elements.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

SmallVector<const NpyArray *> RunArguments::getElements() const {
  return llvm::to_vector(llvm::map_range(values, [](const CallArgument &value) {
    return value.elements ? &*value.elements : nullptr;
  }));
}

namespace {
class ArgumentBuilder {
public:
  ArgumentBuilder(const Signature &signature, const RunOptions &options,
                  const Settings &settings)
      : signature(signature), options(options), settings(settings) {}

  Expected<RunArguments> build();

private:
  Error readFiles();
  void markDense();
  /// Whether an argument without a file must be made.
  bool isNeeded(unsigned argument) const;
  Error checkInit() const;
  Error checkMemory() const;
  Error generate();
  Error readUnquantized(bool isLhs, StringRef option, StringRef path);

  const Signature &signature;
  const RunOptions &options;
  const Settings &settings;
  RunArguments arguments;
};
} // namespace

Error ArgumentBuilder::readFiles() {
  auto given = assignArguments(signature, options.arguments);
  if (!given)
    return given.takeError();
  for (auto [i, argument] : llvm::enumerate(*given)) {
    CallArgument value;
    value.type = signature.getElementType(i);
    arguments.sources.push_back(argument ? argument->text : "destination");
    if (argument) {
      Expected<NpyArray> array = readArgument(signature, i, *argument);
      if (!array)
        return array.takeError();
      value.elements = std::move(*array);
    }
    arguments.values.push_back(std::move(value));
  }
  return Error::success();
}

/// Kernels take scales in a layout of tiles only as they lie in it.
void ArgumentBuilder::markDense() {
  for (const OpInfo &op : signature.ops) {
    if (!op.product)
      continue;
    for (const ScaledMatrix *matrix : {&op.product->lhs, &op.product->rhs})
      if (matrix->kind && matrix->kind.hasTiledLayout() && matrix->scale &&
          *matrix->scale < arguments.values.size())
        arguments.values[*matrix->scale].isDense = true;
  }
}

/// A scalar is never written: it is an input even if no op takes it.
bool ArgumentBuilder::isNeeded(unsigned argument) const {
  return !arguments.values[argument].elements &&
         !signature.isDestination(argument);
}

Error ArgumentBuilder::checkInit() const {
  for (unsigned i = 0, e = signature.arguments.size(); i != e; ++i)
    if (isNeeded(i) && !settings.init)
      return createStringError(signature.describe(i) +
                               " has no --arg: pass it, or --init");
  return Error::success();
}

/// The bytes of a dense array; UINT64_MAX stands for more than that.
static uint64_t computeBytes(Type elementType, ArrayRef<int64_t> shape) {
  std::optional<NpyType> type = getFileType(elementType);
  if (!type || llvm::is_contained(shape, 0))
    return 0;
  uint64_t bytes = getNpyTypeSize(*type);
  for (int64_t extent : shape)
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
  return bytes;
}

Error ArgumentBuilder::checkMemory() const {
  int64_t k = getLargestK(signature, arguments.resolution);
  // What is added to a sum takes a bit of it.
  bool hasAddends = llvm::any_of(signature.ops, [](const OpInfo &op) {
    return op.product && (op.product->c || op.product->bias);
  });
  int64_t largest = kLargestExactK >> hasAddends;
  if (settings.isExact() && k > largest)
    return createStringError("--init=exact needs K <= " + Twine(largest) +
                             ", got " + Twine(k));
  SmallVector<uint64_t> bytes;
  for (unsigned i = 0, e = signature.arguments.size(); i != e; ++i)
    bytes.push_back(computeBytes(signature.getElementType(i),
                                 arguments.resolution.slots[i]));
  return checkBytes(signature.name, bytes);
}

Error ArgumentBuilder::generate() {
  SmallVector<bool> needed;
  for (unsigned i = 0, e = signature.arguments.size(); i != e; ++i)
    needed.push_back(isNeeded(i));
  arguments.unquantized.resize(needed.size());
  if (!settings.init)
    return Error::success();
  auto made = generateArguments(signature, arguments.resolution, needed,
                                *settings.init);
  if (!made)
    return made.takeError();
  for (auto [i, argument] : llvm::enumerate(*made)) {
    if (!argument)
      continue;
    arguments.values[i].elements = std::move(argument->elements);
    arguments.unquantized[i] = std::move(argument->unquantized);
    arguments.sources[i] = options.init;
  }
  return Error::success();
}

/// Reads the values that an operand of the only product was quantized from.
Error ArgumentBuilder::readUnquantized(bool isLhs, StringRef option,
                                       StringRef path) {
  if (path.empty())
    return Error::success();
  SmallVector<const ProductInfo *> products;
  for (const OpInfo &op : signature.ops)
    if (op.product)
      products.push_back(&*op.product);
  if (products.size() != 1)
    return createStringError(option +
                             " needs a function with one product, but @" +
                             signature.name + " has " + Twine(products.size()));
  const ScaledMatrix &matrix = isLhs ? products[0]->lhs : products[0]->rhs;
  if (!signature.isArgument(*matrix.elements))
    return createStringError(
        option + " needs an operand that is an argument of @" + signature.name);
  Expected<NpyArray> array = readNpy(path);
  if (!array)
    return array.takeError();
  if (array->getType() != NpyType::F32)
    return createStringError(option + " expects dtype float32 but " + path +
                             " has " + getNumpyName(array->getType()));
  ArrayRef<int64_t> shape = arguments.resolution.slots[*matrix.elements];
  if (array->getShape() != shape)
    return createStringError(option + " expects shape " + formatShape(shape) +
                             " as the operand has, but " + path +
                             " has shape " + formatShape(array->getShape()));
  arguments.unquantized[*matrix.elements] = std::move(*array);
  return Error::success();
}

Expected<RunArguments> ArgumentBuilder::build() {
  if (Error error = readFiles())
    return error;
  markDense();
  if (Error error = checkInit())
    return error;
  Expected<Resolution> resolution =
      resolveShapes(signature, arguments.getElements(), settings.size);
  if (!resolution)
    return resolution.takeError();
  arguments.resolution = std::move(*resolution);
  if (Error error = checkMemory())
    return error;
  if (Error error = generate())
    return error;
  for (auto [i, value] : llvm::enumerate(arguments.values))
    value.shape = arguments.resolution.slots[i];
  if (Error error =
          readUnquantized(true, "--lhs-unquantized", options.lhsUnquantized))
    return error;
  if (Error error =
          readUnquantized(false, "--rhs-unquantized", options.rhsUnquantized))
    return error;
  return std::move(arguments);
}

Expected<RunArguments> mlir::lpgemm::makeArguments(const Signature &signature,
                                                   const RunOptions &options,
                                                   const Settings &settings) {
  return ArgumentBuilder(signature, options, settings).build();
}
