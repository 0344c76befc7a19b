//===- Outputs.h - what a function computed ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_OUTPUTS_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_OUTPUTS_H

#include "Arguments.h"
#include "Compare.h"

namespace mlir::lpgemm {

/// What a function computed.
struct Output {
  NpyArray array;
  /// Null if the definition does not have as many.
  Type type;
  /// The number of products in each sum.
  int64_t k;
  /// The destination of an op that it is, if it is one.
  std::optional<OpOutput> op;
};

/// What a call computed, out of all it left behind: the results, or without any
/// the destinations.
SmallVector<Output> selectOutputs(const Signature &signature,
                                  const RunArguments &arguments,
                                  CallResult result);

/// What the reference computes.
enum class ReferenceKind {
  /// The definition: sums in f64.
  Definition,
  /// The same for the absolute values of the operands.
  Magnitude,
  /// Sums as the device forms them, which its results are compared with.
  Device
};

/// Compares outputs.
class Judge {
public:
  using Reference =
      function_ref<llvm::Expected<ArrayRef<Output>>(ReferenceKind)>;

  Judge(const Signature &signature, const RunArguments &arguments,
        const RunOptions &options, const Settings &settings,
        Reference getReference, StringRef definitionPath)
      : signature(signature), arguments(arguments), options(options),
        settings(settings), getReference(getReference),
        definitionPath(definitionPath) {}

  /// The error of the kernel, and that of quantization.
  llvm::Error compareImplementation(ArrayRef<Output> outputs);
  llvm::Error compareQuantization(ArrayRef<Output> outputs);

  /// Whether there is an op to compare with.
  llvm::Error checkDefinition() const;

  std::vector<Comparison> comparisons;

private:
  llvm::Expected<SmallVector<Output>> loadExpected() const;
  llvm::Error compareOutput(unsigned index, const Output &output,
                            const Output &expected);
  /// Codes and scales of block-quantized results as values.
  llvm::Error compareValues(ArrayRef<Output> outputs,
                            ArrayRef<Output> expected);
  /// Whether equal bits are asked for (G-9).
  bool isExact(const Output &output) const;
  /// `isBounded`: whether the error behind an epilogue is.
  Tolerance getTolerance(const Output &output, NumberType type,
                         bool isBounded) const;
  /// What the bound A-6 is made of. Behind an epilogue `unbounded` elements
  /// have none.
  llvm::Expected<Magnitude> getMagnitude(unsigned index, const Output &output,
                                         int64_t unbounded) const;
  std::optional<NpyArray> computeMagnitude(const Output &output) const;
  /// None if it is not known, be it for a number of elements.
  std::optional<Magnitude> boundBehindEpilogue(const Output &output,
                                               int64_t &unbounded) const;
  /// The array without what is not specified.
  NpyArray getSpecified(const Output &output) const;
  /// The f64 product of what the operands were quantized from, if known.
  std::optional<NpyArray> multiplyUnquantized(const Output &output) const;

  const Signature &signature;
  const RunArguments &arguments;
  const RunOptions &options;
  const Settings &settings;
  Reference getReference;
  StringRef definitionPath;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_OUTPUTS_H
