//===- Outputs.cpp - what a function computed -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outputs.h"

#include "lpgemm/Tools/Elements.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
class OutputSelector {
public:
  OutputSelector(const Signature &signature, const RunArguments &arguments)
      : signature(signature), resolution(arguments.resolution) {}

  SmallVector<Output> select(CallResult result);

private:
  int64_t getK(std::optional<OpOutput> op) const;
  Output makeResult(unsigned index, NpyArray array) const;
  Output makeDestination(unsigned argument, NpyArray array) const;

  const Signature &signature;
  const Resolution &resolution;
};
} // namespace

/// The K of the product that an output is, or else of the largest one.
int64_t OutputSelector::getK(std::optional<OpOutput> op) const {
  std::optional<int64_t> k;
  if (op && signature.ops[op->op].product)
    k = resolution.getExtent(signature, op->op, "K");
  return k ? *k : getLargestK(signature, resolution);
}

Output OutputSelector::makeResult(unsigned index, NpyArray array) const {
  if (index >= signature.results.size())
    return {std::move(array), Type(), getK({}), {}};
  Type type = signature.results[index].getElementType();
  if (isNarrow(type) && array.getType() == NpyType::I8) {
    // Bytes alone do not tell how many codes they hold.
    int64_t columns =
        array.getShape().back() * 8 / type.getIntOrFloatBitWidth();
    int64_t known = signature.results[index].getShape().back();
    if (std::optional<Slot> slot = signature.resultSlots[index])
      known = resolution.slots[*slot].back();
    array =
        unpackRows(array, type, ShapedType::isDynamic(known) ? columns : known);
  }
  return {std::move(array), type, getK(signature.resultOps[index]),
          signature.resultOps[index]};
}

/// Of several ops that write an argument none is what it holds.
Output OutputSelector::makeDestination(unsigned argument,
                                       NpyArray array) const {
  SmallVector<OpOutput> writers = signature.findWriters(argument);
  int64_t k = writers.empty() ? getK({}) : 0;
  for (OpOutput writer : writers)
    k = std::max(k, getK(writer));
  return {std::move(array), signature.getElementType(argument), k,
          writers.size() == 1 ? std::optional(writers.front()) : std::nullopt};
}

SmallVector<Output> OutputSelector::select(CallResult result) {
  SmallVector<Output> outputs;
  for (auto [i, array] : llvm::enumerate(result.results))
    outputs.push_back(makeResult(i, std::move(array)));
  if (!outputs.empty())
    return outputs;
  for (auto [i, array] : llvm::enumerate(result.arguments))
    if (!signature.findWriters(i).empty())
      outputs.push_back(makeDestination(i, array));
  // Nothing tells which argument of a lowered function is written.
  if (outputs.empty() && !result.arguments.empty())
    outputs.push_back(
        makeDestination(result.arguments.size() - 1, result.arguments.back()));
  return outputs;
}

SmallVector<Output> mlir::lpgemm::selectOutputs(const Signature &signature,
                                                const RunArguments &arguments,
                                                CallResult result) {
  return OutputSelector(signature, arguments).select(std::move(result));
}
