//===- Judge.cpp - are the results right ----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EpilogueBound.h"
#include "HostProduct.h"
#include "Outputs.h"
#include "lpgemm/Tools/Elements.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

Error Judge::checkDefinition() const {
  if (!signature.ops.empty())
    return Error::success();
  return createStringError(definitionPath + ": @" + signature.name +
                           " has no lpgemm op to compare with: name the module "
                           "before lowering with --reference");
}

/// The product that an output is, if it is one.
static const ProductInfo *findProduct(const Signature &signature,
                                      const Output &output) {
  if (!output.op || !signature.ops[output.op->op].product)
    return nullptr;
  return &*signature.ops[output.op->op].product;
}

NpyArray Judge::getSpecified(const Output &output) const {
  NpyArray array = output.array;
  if (output.op)
    clearUncovered(signature, arguments.resolution, *output.op, array);
  return array;
}

//===----------------------------------------------------------------------===//
// Tolerances
//===----------------------------------------------------------------------===//

/// Where it is not known what an epilogue makes of the error of a sum, results
/// are judged as a whole. The bars are those of sums in f32 and of results
/// rounded to the type.
static Tolerance getEpilogueTolerance(NumberType type) {
  unsigned bits = getNumberInfo(type).bits;
  if (bits >= 32)
    return {{{Criterion::Sqnr, {100}}}};
  if (bits == 16)
    return {{{Criterion::Near, {0.995}}, {Criterion::Sqnr, {50}}}};
  return {{{Criterion::Equal, {0.99}}, {Criterion::Ulp, {1}}}};
}

bool Judge::isExact(const Output &output) const {
  const ProductInfo *product = findProduct(signature, output);
  return settings.isExact() && (!product || product->isExact);
}

Tolerance Judge::getTolerance(const Output &output, NumberType type,
                              bool isBounded) const {
  if (settings.tolerance)
    return *settings.tolerance;
  const ProductInfo *product = findProduct(signature, output);
  // What is no sum is the same wherever it is computed.
  if (output.op && !product)
    return {{{Criterion::Bits, {}}}};
  Tolerance tolerance = getDefaultTolerance(type, isExact(output));
  if (isExact(output) || !product || getNumberInfo(type).isInteger)
    return tolerance;
  bool isScale = product->initKind && output.op->index == 1;
  if (isScale)
    return {{{Criterion::Equal, {0.99}}, {Criterion::Ulp, {1}}}};
  if (product->initKind && output.op->index == 0)
    return {{{Criterion::Equal, {0.98}}}};
  if (!product->epilogue)
    return tolerance;
  return isBounded ? Tolerance{{{Criterion::Bound, {}}}}
                   : getEpilogueTolerance(type);
}

/// The blocks of K in a sum that are scaled on their own.
static int64_t getNumBlocks(const ProductInfo &product, int64_t k) {
  int64_t blocks = 1;
  for (const ScaledMatrix &matrix : {product.lhs, product.rhs})
    if (matrix.kind && matrix.kind.hasKBlocks())
      blocks = std::max<int64_t>(blocks,
                                 llvm::divideCeil(k, matrix.kind.getKBlock()));
  return blocks;
}

/// The sum of the absolute values of all terms of each element, in f64: the
/// result itself may have a type that cannot hold it (A-6).
std::optional<NpyArray> Judge::computeMagnitude(const Output &output) const {
  const ProductInfo *product = findProduct(signature, output);
  if (!product)
    return std::nullopt;
  SmallVector<const NpyArray *> elements = arguments.getElements();
  HostProduct host{signature, arguments.resolution, output.op->op, elements};
  host.takeAbsolute = true;
  std::optional<NpyArray> sums = multiply(host);
  std::optional<double> scale = getResultScale(host);
  if (!sums || !scale)
    return std::nullopt;
  MutableArrayRef<double> values = sums->getData<double>();
  if (output.op->index == 0) {
    for (double &value : values)
      value *= std::fabs(*scale);
    return sums;
  }
  // The largest magnitude is that of one of the elements.
  NpyArray largest(NpyType::F64, output.array.getShape());
  for (double value : values)
    largest.getData<double>()[0] =
        std::max(largest.getData<double>()[0], value);
  return largest;
}

/// (A-9) Of results behind an epilogue; amax is that of one of them. A bound
/// that is not finite would let everything pass.
std::optional<Magnitude> Judge::boundBehindEpilogue(const Output &output,
                                                    int64_t &unbounded) const {
  const ProductInfo *product = findProduct(signature, output);
  // Other sums than in f64 are not those that the epilogue is examined at.
  if (!product || !product->epilogue || product->initKind ||
      settings.device->accumulate != Accumulation::F64)
    return std::nullopt;
  SmallVector<const NpyArray *> elements = arguments.getElements();
  HostProduct host{signature, arguments.resolution, output.op->op, elements};
  std::optional<NpyArray> sums = multiply(host);
  std::optional<double> scale = getResultScale(host);
  host.takeAbsolute = true;
  std::optional<NpyArray> magnitudes = multiply(host);
  if (!sums || !scale || !magnitudes)
    return std::nullopt;
  ErrorBound bound{makeRow(*magnitudes, NumberType::F64), output.k,
                   getNumBlocks(*product, output.k)};
  std::vector<double> errors(magnitudes->getNumElements());
  for (auto [i, error] : llvm::enumerate(errors))
    error = bound.get(0, i);
  std::optional<NpyArray> bounds = boundEpilogue(host, *sums, errors);
  if (!bounds)
    return std::nullopt;
  MutableArrayRef<double> values = bounds->getData<double>();
  if (output.op->index == 0)
    for (double &value : values)
      value *= std::fabs(*scale);
  unbounded =
      llvm::count_if(values, [](double v) { return !std::isfinite(v); });
  if (unbounded != 0)
    return std::nullopt;
  if (output.op->index == 0)
    return Magnitude{std::move(*bounds), NumberType::F64, 0, /*isBound=*/true};
  NpyArray largest(NpyType::F64, output.array.getShape());
  for (double value : values)
    largest.getData<double>()[0] =
        std::max(largest.getData<double>()[0], value);
  return Magnitude{std::move(largest), NumberType::F64, 0, /*isBound=*/true};
}

Expected<Magnitude> Judge::getMagnitude(unsigned index, const Output &output,
                                        int64_t unbounded) const {
  if (Error error = checkDefinition())
    return error;
  const ProductInfo *product = findProduct(signature, output);
  if (product && product->epilogue) {
    std::string where =
        unbounded ? " in " + std::to_string(unbounded) + " elements" : "";
    return createStringError("the bound of @" + signature.name +
                             " is not known behind its epilogue" + where +
                             ": give another --tolerance");
  }
  int64_t blocks = 0;
  for (const OpInfo &op : signature.ops)
    if (op.product && (!product || product == &*op.product))
      blocks = std::max(blocks, getNumBlocks(*op.product, output.k));
  if (std::optional<NpyArray> sums = computeMagnitude(output))
    return Magnitude{std::move(*sums), NumberType::F64, blocks};
  if (llvm::any_of(signature.ops, [](const OpInfo &op) {
        return op.product && op.product->isPacked;
      }))
    return createStringError(
        "the bound of @" + signature.name +
        " is not known, because bytes of its operands hold several elements: "
        "give --tolerance, or the module before packing with --reference");
  Expected<ArrayRef<Output>> absolute = getReference(ReferenceKind::Magnitude);
  if (!absolute)
    return absolute.takeError();
  return Magnitude{getSpecified((*absolute)[index]),
                   *getNumberType(output.type), blocks};
}

//===----------------------------------------------------------------------===//
// The error of the kernel
//===----------------------------------------------------------------------===//

Expected<SmallVector<Output>> Judge::loadExpected() const {
  if (*options.compare == "reference") {
    Expected<ArrayRef<Output>> outputs = getReference(ReferenceKind::Device);
    if (!outputs)
      return outputs.takeError();
    return SmallVector<Output>(*outputs);
  }
  SmallVector<Output> outputs;
  for (StringRef path : llvm::split(StringRef(*options.compare), ',')) {
    Expected<NpyArray> array = readNpy(path);
    if (!array)
      return array.takeError();
    outputs.push_back({std::move(*array), Type(), /*k=*/0, {}});
  }
  return outputs;
}

/// What is compared must have the shape and the type of the result.
static Expected<NumberType> checkComparable(const Output &output,
                                            const NpyArray &expected,
                                            StringRef source) {
  const NpyArray &result = output.array;
  std::optional<NumberType> type;
  if (output.type && getFileType(output.type) == result.getType())
    type = getNumberType(output.type);
  if (type && result.getType() == expected.getType() &&
      result.getShape() == expected.getShape())
    return *type;
  return createStringError("cannot compare the result, " +
                           getNumpyName(result.getType()) + " " +
                           formatShape(result.getShape()) + ", with " + source +
                           ", " + getNumpyName(expected.getType()) + " " +
                           formatShape(expected.getShape()));
}

Error Judge::compareOutput(unsigned index, const Output &output,
                           const Output &expected) {
  Expected<NumberType> type =
      checkComparable(output, expected.array, *options.compare);
  if (!type)
    return type.takeError();
  bool mayUseBound = settings.tolerance
                         ? settings.tolerance->uses(Criterion::Bound)
                         : !isExact(output);
  std::optional<Magnitude> magnitude;
  int64_t unbounded = 0;
  if (mayUseBound)
    magnitude = boundBehindEpilogue(output, unbounded);
  Tolerance tolerance = getTolerance(output, *type, magnitude.has_value());
  if (!magnitude && tolerance.uses(Criterion::Bound)) {
    Expected<Magnitude> found = getMagnitude(index, output, unbounded);
    if (!found)
      return found.takeError();
    magnitude = std::move(*found);
  }
  // A file has nothing to say of what is not specified, either.
  NpyArray wanted =
      getSpecified({expected.array, output.type, output.k, output.op});
  NpyArray result = getSpecified(output);
  comparisons.push_back(compareArrays(
      {ComparisonKind::Implementation, index, result, *type, wanted, *type,
       options.device, *options.compare, settings.accuracy, tolerance,
       magnitude ? &*magnitude : nullptr, output.k,
       /*isDequantized=*/false, unbounded}));
  return Error::success();
}

/// A block whose scale is next to a power of two may round to either side, and
/// then all its codes differ: what counts is what they stand for. Codes that
/// differ by one place in one of fifty leave more than this.
Error Judge::compareValues(ArrayRef<Output> outputs,
                           ArrayRef<Output> expected) {
  SmallVector<const NpyArray *> elements = arguments.getElements();
  for (unsigned i = 0, e = outputs.size(); i != e; ++i) {
    const Output &codes = outputs[i];
    const ProductInfo *product = findProduct(signature, codes);
    if (!product || !product->initKind || codes.op->index != 0)
      continue;
    const auto *scales = llvm::find_if(outputs, [&](const Output &other) {
      return other.op && other.op->op == codes.op->op && other.op->index == 1;
    });
    if (scales == outputs.end())
      continue;
    unsigned j = scales - outputs.begin();
    HostProduct host{signature, arguments.resolution, codes.op->op, elements};
    auto decode = [&](ArrayRef<Output> from) {
      return dequantizeResult(
          host, getSpecified({from[i].array, codes.type, codes.k, codes.op}),
          getSpecified({from[j].array, scales->type, scales->k, scales->op}));
    };
    NpyArray result = decode(outputs), wanted = decode(expected);
    Tolerance tolerance = isExact(codes) ? Tolerance{{{Criterion::Bits, {}}}}
                                         : Tolerance{{{Criterion::Sqnr, {25}}}};
    comparisons.push_back(compareArrays(
        {ComparisonKind::Implementation, i, result, NumberType::F64, wanted,
         NumberType::F64, options.device, *options.compare, settings.accuracy,
         tolerance, nullptr, codes.k,
         /*isDequantized=*/true}));
  }
  return Error::success();
}

Error Judge::compareImplementation(ArrayRef<Output> outputs) {
  Expected<SmallVector<Output>> expected = loadExpected();
  if (!expected)
    return expected.takeError();
  if (expected->size() != outputs.size())
    return createStringError("@" + signature.name + " has " +
                             Twine(outputs.size()) + " results, but " +
                             *options.compare + " has " +
                             Twine(expected->size()));
  for (auto [i, output, wanted] : llvm::enumerate(outputs, *expected))
    if (Error error = compareOutput(i, output, wanted))
      return error;
  return compareValues(outputs, *expected);
}

//===----------------------------------------------------------------------===//
// The error of quantization
//===----------------------------------------------------------------------===//

/// Nothing is known of what an epilogue does.
std::optional<NpyArray> Judge::multiplyUnquantized(const Output &output) const {
  const ProductInfo *product = findProduct(signature, output);
  if (!product || product->epilogue || output.op->index != 0 ||
      product->initKind)
    return std::nullopt;
  SmallVector<const NpyArray *> elements = arguments.getElements();
  HostProduct host{signature, arguments.resolution, output.op->op, elements};
  const auto matrices = {product->lhs, product->rhs};
  for (auto [i, matrix] : llvm::enumerate(matrices)) {
    Slot slot = *matrix.elements;
    if (!signature.isArgument(slot) || !arguments.unquantized[slot])
      return std::nullopt;
    host.unquantized[i] = &*arguments.unquantized[slot];
  }
  std::optional<NpyArray> sums = multiply(host);
  std::optional<double> scale = getResultScale(host);
  if (!sums || !scale)
    return std::nullopt;
  for (double &value : sums->getData<double>())
    value *= *scale;
  return sums;
}

Error Judge::compareQuantization(ArrayRef<Output> outputs) {
  bool isDemanded = options.quantizationTolerance ||
                    !options.lhsUnquantized.empty() ||
                    !options.rhsUnquantized.empty();
  bool isDone = false;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    std::optional<NpyArray> exact = multiplyUnquantized(output);
    if (!exact)
      continue;
    Expected<ArrayRef<Output>> reference =
        getReference(ReferenceKind::Definition);
    if (!reference)
      return reference.takeError();
    std::optional<NumberType> type = getNumberType(output.type);
    NpyArray quantized = getSpecified((*reference)[i]);
    clearUncovered(signature, arguments.resolution, *output.op, *exact);
    comparisons.push_back(
        compareArrays({ComparisonKind::Quantization, unsigned(i), quantized,
                       *type, *exact, NumberType::F64, "reference",
                       "f64 product of unquantized operands", settings.accuracy,
                       settings.quantizationTolerance, nullptr, output.k}));
    isDone = true;
  }
  if (isDone || !isDemanded)
    return Error::success();
  return createStringError(
      "the error of quantization of @" + signature.name +
      " is not known: give --lhs-unquantized and --rhs-unquantized, or "
      "--init=normal for both operands of a product without an epilogue");
}
