//===- NumericJit.h - numeric functions that can be called ------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles what NumericFunctions emits for the host, so that tests compare it
// with the library's own conversions.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TEST_UNIT_CONVERSION_NUMERICJIT_H
#define LPGEMM_TEST_UNIT_CONVERSION_NUMERICJIT_H

#include "lpgemm/Conversion/NumericFunctions.h"
#include "lpgemm/Tools/ToolContext.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/ExecutionEngine/CRunnerUtils.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <vector>

namespace mlir::lpgemm {

/// A module of functions over arrays, and its code.
class NumericJit {
public:
  using Body =
      llvm::function_ref<void(ImplicitLocOpBuilder &b, ValueRange arrays)>;
  /// The element of the last array from those of the others.
  using ElementBody = llvm::function_ref<Value(
      ImplicitLocOpBuilder &b, ValueRange elements, Value index)>;

  NumericJit();

  NumericFunctions &getFunctions() { return functions; }
  Type parse(StringRef type);

  /// Adds a function whose arguments are arrays of `types`.
  void addFunction(StringRef name, TypeRange types, Body body);
  /// Adds a function that sets each element of the last array.
  void addMap(StringRef name, TypeRange types, ElementBody body);

  /// Compiles all functions.
  void compile();

  /// Calls a function. An array of the elements' codes stands for memref<?xT>.
  template <typename... Ts>
  void call(StringRef name, std::vector<Ts> &...arrays) {
    callOn(name, MutableArrayRef<Ts>(arrays)...);
  }
  template <typename... Ts>
  void callOn(StringRef name, MutableArrayRef<Ts>... arrays) {
    std::tuple<StridedMemRefType<Ts, 1>...> descriptors{
        StridedMemRefType<Ts, 1>{arrays.data(),
                                 arrays.data(),
                                 0,
                                 {static_cast<int64_t>(arrays.size())},
                                 {1}}...};
    std::apply(
        [&](auto &...descriptor) {
          std::array<void *, sizeof...(Ts)> pointers{&descriptor...};
          invoke(name, pointers);
        },
        descriptors);
  }

private:
  void invoke(StringRef name, MutableArrayRef<void *> descriptors);

  ToolContext context;
  OwningOpRef<ModuleOp> module;
  NumericFunctions functions;
  std::unique_ptr<ExecutionEngine> engine;
};

/// The formats of elements that are types. MXI8, which is not, is i8 with
/// another unit.
inline std::vector<FormatInfo> getElementInfos() {
  std::vector<FormatInfo> infos;
  for (const FormatInfo &info : getFormatInfos())
    if (info.isSigned && info.format != ElementFormat::MXI8)
      infos.push_back(info);
  return infos;
}

/// The same bits, or NaN both.
template <typename T>
bool isSameFloat(T lhs, T rhs) {
  if (std::isnan(lhs) || std::isnan(rhs))
    return std::isnan(lhs) && std::isnan(rhs);
  return lhs == rhs && std::signbit(lhs) == std::signbit(rhs);
}

} // namespace mlir::lpgemm

#endif // LPGEMM_TEST_UNIT_CONVERSION_NUMERICJIT_H
