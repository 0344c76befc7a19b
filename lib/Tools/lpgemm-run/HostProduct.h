//===- HostProduct.h - products in f64 on the host --------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_HOSTPRODUCT_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_HOSTPRODUCT_H

#include "Shapes.h"
#include "lpgemm/Support/Npy.h"
#include <array>

namespace mlir::lpgemm {

/// A product of a function and what it is computed from.
struct HostProduct {
  const Signature &signature;
  const Resolution &resolution;
  unsigned op;
  /// The elements of each argument, or null.
  ArrayRef<const NpyArray *> arguments;
  /// lhs and rhs before they were quantized, f32, in place of codes and scales;
  /// or null.
  std::array<const NpyArray *, 2> unquantized = {};
  /// All terms are their absolute values.
  bool takeAbsolute = false;
};

/// alpha * A * B + beta * sC * C + bias, f64, with the shape of the result, in
/// the order of K; without the epilogue, d_scale and the conversion. Rows that
/// no group covers are 0. None if not all operands are arguments.
std::optional<NpyArray> multiply(const HostProduct &product);

/// The value of d_scale; 1 if there is none, and none if it is not known.
std::optional<double> getResultScale(const HostProduct &product);

/// The values that the codes of a block-quantized result stand for under its
/// scales, f64.
NpyArray dequantizeResult(const HostProduct &product, const NpyArray &codes,
                          const NpyArray &scales);

/// Sets what `uncovered = undef` leaves open, in a result of an op, to zero.
void clearUncovered(const Signature &signature, const Resolution &resolution,
                    OpOutput output, NpyArray &array);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_HOSTPRODUCT_H
