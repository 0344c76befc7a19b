//===- Signature.h - what a function takes and returns ----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_SIGNATURE_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_SIGNATURE_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace mlir::lpgemm {

/// A value that ops take or write: slot i below the number of arguments is
/// argument i, the others lie inside of the function.
using Slot = unsigned;

/// An extent of an op, such as M.
struct OpExtent {
  std::string name;
  /// Dynamic unless the op says it.
  int64_t size;
  /// The index that is the extent, if it is one.
  std::optional<Slot> index;
};

/// An operand of an op and its dimensions in terms of the op's extents.
struct OpOperandShape {
  std::string name;
  Slot slot;
  /// Null where nothing is asked.
  SmallVector<AffineExpr> dims;
  /// The same in words.
  SmallVector<std::string> texts;
  bool isDestination = false;
};

/// Codes and their scales, or values that scales are for.
struct ScaledMatrix {
  std::optional<Slot> elements, scale, tensorScale;
  /// Null without block scales.
  ScaleAttr kind;
  /// Stored with K first.
  bool kFirst = false;
  /// The codes that the scales are for, and the type of the scales.
  Type codeType, scaleType;
};

/// How rows or K are divided into groups.
struct GroupInfo {
  GroupMode mode;
  Slot groups;
  int64_t align;
  Uncovered uncovered;
};

/// What a matrix product computes around its sum.
struct ProductInfo {
  ScaledMatrix lhs, rhs;
  std::optional<GroupInfo> groups;
  std::optional<Slot> alpha, beta, c, cScale, bias, dScale;
  double staticAlpha = 1, staticBeta = 1;
  Axis biasAxis = Axis::N;
  /// Of the epilogue, null without one, and where its operands are.
  Block *epilogue = nullptr;
  int64_t sumsPerResult = 1;
  SmallVector<std::pair<Slot, AffineMap>> epilogueOperands;
  /// Of lhs, rhs and init, bytes with packed codes.
  bool isPacked = false;
  /// The scales of a block-quantized result.
  ScaleAttr initKind;
  /// Whether its results are exact if its arguments are those of G-9: not where
  /// the epilogue, or one in front of an operand, only comes near.
  bool isExact = true;

  bool isKGrouped() const {
    return groups && groups->mode == GroupMode::KGrouped;
  }
};

/// An op in the terms of its function.
struct OpInfo {
  std::string name;
  SmallVector<OpExtent> extents;
  SmallVector<OpOperandShape> operands;
  /// Scaled matrices that are no operands of a product.
  SmallVector<ScaledMatrix> matrices;
  std::optional<ProductInfo> product;
  /// The destinations in the order of the results, and which of them are read.
  SmallVector<Slot> destinations;
  bool readsDestinations = false;

  /// The position of the extent called `name`, if there is one.
  std::optional<unsigned> findExtent(StringRef name) const;
  const OpOperandShape *findOperand(Slot slot) const;
};

/// One of the destinations of an op.
struct OpOutput {
  unsigned op;
  unsigned index;
};

/// The largest extent and stride: products of two, and the sum of one and what
/// rounds it up, are far from the end of their types.
constexpr int64_t kLargestExtent = (int64_t(1) << 31) - (1 << 16);

/// The most memory that arguments may take.
constexpr uint64_t kLargestBytes = uint64_t(16) << 30;

/// What is known of a function from its text.
struct Signature {
  std::string name;
  /// Ranked tensors, memrefs, f32, i32, i64 or index.
  SmallVector<Type> arguments;
  SmallVector<ShapedType> results;
  std::vector<OpInfo> ops;
  /// The types of all slots.
  SmallVector<Type> slots;
  /// The slot and the op that each result is, if it is one.
  SmallVector<std::optional<Slot>> resultSlots;
  SmallVector<std::optional<OpOutput>> resultOps;

  /// "argument 2 of @name".
  std::string describe(Slot slot) const;
  bool isArgument(Slot slot) const { return slot < arguments.size(); }
  /// The type of an element, or that of a scalar.
  Type getElementType(unsigned argument) const {
    return getElementTypeOrSelf(arguments[argument]);
  }
  /// Whether an argument is an operand of an op.
  bool isOperand(unsigned argument) const;
  /// Whether an argument is only written, before anything reads it.
  bool isDestination(unsigned argument) const;
  /// The ops that write an argument.
  SmallVector<OpOutput> findWriters(unsigned argument) const;
  bool hasProduct() const;
};

/// The function called `entry`, or the only public one if that is empty.
llvm::Expected<func::FuncOp> findEntry(ModuleOp module, StringRef entry,
                                       StringRef path);

/// The signature of a function of tensors, memrefs and scalars.
llvm::Expected<Signature> getSignature(func::FuncOp function);

/// Enters the ops of a function, and what its results are.
void collectOps(func::FuncOp function, Signature &signature);

using Shape = SmallVector<int64_t>;

/// "130x257".
std::string formatShape(ArrayRef<int64_t> shape);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_SIGNATURE_H
