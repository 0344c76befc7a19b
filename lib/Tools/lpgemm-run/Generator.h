//===- Generator.h - random elements ----------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_GENERATOR_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_GENERATOR_H

#include "Inputs.h"
#include "lpgemm/Tools/Elements.h"
#include <random>

namespace mlir::lpgemm {

/// Random elements; the same with every standard library, since the engine is.
class Generator {
public:
  Generator(InitMode mode, unsigned argument)
      : kind(mode.kind), engine(mode.seed * 1000003 + argument) {}

  /// Uniform in [low, high].
  int64_t integer(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % (high - low + 1));
  }
  /// Standard normal, by the method of Box and Muller.
  double normal();
  /// 2^e with e from `low` to `high`.
  double power(int low, int high);

  /// The code of an element that has no scale.
  uint64_t element(Type type);
  /// What element() encodes with InitKind::Normal: the deviation leaves room
  /// for the largest of many.
  double value(Type type);
  /// A decode scale of a block, not of the largest elements.
  uint64_t scale(Type type);
  /// A factor such as alpha, with a sign if `isSigned`.
  double factor(bool isSigned);

private:
  uint64_t randomCode(Type type);

  InitKind kind;
  std::mt19937_64 engine;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_GENERATOR_H
