//===- NumericFunctions.h - conversions of numbers as IR --------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conversions, scales and sums that the executable reference consists of,
// as functions and constants of the module that it lowers. They manipulate bits
// in the arith dialect: `arith.extf` and `arith.truncf` are not used on types
// of eight or fewer bits, where what they do depends on their lowering (C-14).
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_CONVERSION_NUMERICFUNCTIONS_H
#define LPGEMM_CONVERSION_NUMERICFUNCTIONS_H

#include "lpgemm/Numerics/Formats.h"
#include "lpgemm/Numerics/Scales.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::lpgemm {

/// Emits uses of the numeric functions of a module and creates each function,
/// private, when it is first used.
///
/// A low-precision element is handled as its code, an i8 with zeros above the
/// bits of the format. `type` below is the element type: a type of Formats.h,
/// which includes i8 and i4, bf16, f16, f32 or f64.
class NumericFunctions {
public:
  explicit NumericFunctions(ModuleOp module) : symbols(module) {}

  /// The value of an element in f32 or f64, exactly (C-10). `element` has type
  /// `type` or is a code; above the bits of the format it may hold anything.
  Value decode(ImplicitLocOpBuilder &b, Type type, Value element,
               FloatType resultType);

  /// The element next to an f64 by one rounding (C-1 to C-9): a code, or a
  /// value if `type` has sixteen or more bits. To nearest, ties to even, or,
  /// for the formats of Formats.h, stochastically if there are 32 `random` bits
  /// (C-16). `overflow` is about the FP8 formats: integers, FP6 and FP4 always
  /// saturate, the wider types never do.
  Value encode(ImplicitLocOpBuilder &b, Type type, Value value,
               Overflow overflow = Overflow::Saturate, Value random = {});

  /// 32 random bits for the element with linear index `index` (C-16): the upper
  /// half of the finalizer of splitmix64, applied to the i64
  /// `seed + 0x9E3779B97F4A7C15 * (index + 1)`.
  Value drawRandomBits(ImplicitLocOpBuilder &b, Value seed, Value index);

  /// The f8E8M0FNU code of the scale of a block of elements of `type` whose
  /// largest magnitude is the f32 `amax` (S-12 to S-15). An i8 element counts
  /// 1/64 (E-4).
  Value computeE8M0Scale(ImplicitLocOpBuilder &b, Type type, ScaleRule rule,
                         Value amax);

  /// The f32 scale amax / qmax (S-11), 1 for amax = 0 (S-12), NaN for an
  /// infinite amax (S-13).
  Value computeF32Scale(ImplicitLocOpBuilder &b, Type type, Value amax);

  /// amax / qmax up to a power of two that f8E8M0FNU has, as f32 (S-14), except
  /// that amax = 0 gives 1 (S-12). An i8 element counts 1.
  Value computePow2Scale(ImplicitLocOpBuilder &b, Type type, Value amax);

  /// The f32 encode factor of a tensor with f8E4M3FN block scales and f4E2M1FN
  /// elements, 448 * 6 / amax of the tensor (S-16); NaN for an infinite amax.
  Value computeTensorFactor(ImplicitLocOpBuilder &b, Value tensorAmax);

  /// That factor for a decode scale of the tensor, 1 / scale.
  Value invertTensorScale(ImplicitLocOpBuilder &b, Value scale);

  /// The f8E4M3FN code of a block scale, at least `minScale`, under such a
  /// factor (S-16); NaN for an infinite amax (S-13).
  Value computeE4M3Scale(ImplicitLocOpBuilder &b, Value tensorFactor,
                         Value amax, float minScale = 0);

  /// An f32 divided by its scale, a decoded f32, in f64 and ready for encode.
  /// By an f32 scale the quotient is rounded to f32; with `reciprocal` it is
  /// the product with the rounded reciprocal (S-11). By an f8E8M0FNU scale it
  /// is exact (S-15), in units of 1/64 for i8 (E-4). By an f8E4M3FN scale it is
  /// the product with f32(tensorFactor / scale) (S-16). By a scale of zero
  /// every number gives zero (S-3); a zero has the sign of its quotient.
  ///
  /// A block with amax = 0 has zero codes (S-12) also where an element is -0,
  /// which is left to the caller.
  Value scaleByF32(ImplicitLocOpBuilder &b, Value value, Value scale,
                   bool reciprocal);
  Value scaleByE8M0(ImplicitLocOpBuilder &b, Type type, Value value,
                    Value scale);
  Value scaleByE4M3(ImplicitLocOpBuilder &b, Value value, Value tensorFactor,
                    Value scale);

  /// The number of products that one step of the Hopper accumulator adds.
  static constexpr int64_t hopperGroupSize = 32;

  /// The f32 accumulator of a Hopper FP8 tensor core after one step: `acc` plus
  /// the products of hopperGroupSize elements, which have the FP8 types
  /// `lhsType` and `rhsType` and are given decoded, as f64 in memrefs of rank 1
  /// (Accumulation in docs/spec.md).
  Value accumulateHopper(ImplicitLocOpBuilder &b, Type lhsType, Type rhsType,
                         Value acc, Value lhs, Value rhs);

private:
  using Body =
      llvm::function_ref<Value(ImplicitLocOpBuilder &b, ValueRange arguments)>;

  /// Calls the function `name`, which `body` defines unless it exists.
  Value call(ImplicitLocOpBuilder &b, const Twine &name, Type result,
             ValueRange arguments, Body body);
  /// The values of the codes of `format` as f32 or f64.
  memref::GlobalOp getDecodeTable(ElementFormat format, FloatType type);

  SymbolTable symbols;
  llvm::StringMap<Operation *> definitions;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_CONVERSION_NUMERICFUNCTIONS_H
