//===- Signature.h - what a function takes and returns ----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_SIGNATURE_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <array>
#include <optional>

namespace mlir::lpgemm {

/// The operands of lpgemm.matmul.
enum Operand { Lhs, Rhs, LhsScale, RhsScale, Init, NumOperands };

/// The extents of lpgemm.matmul; KBlocks is that of the scales.
enum Extent { M, N, K, KBlocks, NumExtents };

/// An lpgemm.matmul in the terms of its function.
struct Product {
  /// The argument that each operand is, if it is one.
  std::array<std::optional<unsigned>, NumOperands> arguments;
  bool transposeB;
  int64_t block; // elements of K that share a scale

  /// The extent that dimension `dim` of `operand` has.
  Extent getExtent(Operand operand, unsigned dim) const;
};

/// The largest extent and stride: products of two, and the sum of one and what
/// rounds it up, are far from the end of their types.
constexpr int64_t kLargestExtent = (int64_t(1) << 31) - (1 << 16);

/// The most memory that arguments may take.
constexpr uint64_t kLargestBytes = uint64_t(16) << 30;

/// What is known of a function from its text.
struct Signature {
  std::string name;
  SmallVector<ShapedType> arguments;
  SmallVector<ShapedType> results;
  SmallVector<Product> products;
  /// The product that each result is, if it is one.
  SmallVector<std::optional<unsigned>> resultProducts;

  /// "argument 2 of @name".
  std::string describe(unsigned argument) const;
  /// Whether an argument is an operand of a product.
  bool isOperand(unsigned argument) const;
  /// Whether an argument is the destination of a product.
  bool isDestination(unsigned argument) const;
};

/// The function called `entry`, or the only public one if that is empty.
llvm::Expected<func::FuncOp> findEntry(ModuleOp module, StringRef entry,
                                       StringRef path);

/// The signature of a function of tensors and memrefs.
llvm::Expected<Signature> getSignature(func::FuncOp function);

using Shape = SmallVector<int64_t>;
/// M, N, K; empty if not given.
using ProblemSize = SmallVector<int64_t, 3>;

/// The shape of every argument. `given` has the shapes of the files; the other
/// arguments follow from the types, from the products and from `size`. Whatever
/// does not fit together is an error.
llvm::Expected<SmallVector<Shape>>
resolveShapes(const Signature &signature, ArrayRef<std::optional<Shape>> given,
              const ProblemSize &size);

/// The K of the largest product.
int64_t getLargestK(const Signature &signature, ArrayRef<Shape> shapes);

/// The K of the product that a result is, or else of the largest one.
int64_t getResultK(const Signature &signature, ArrayRef<Shape> shapes,
                   unsigned result);

/// The K of the largest product into a destination.
int64_t getDestinationK(const Signature &signature, ArrayRef<Shape> shapes,
                        unsigned argument);

/// Whether the arguments of @`name`, each of `bytes`, fit into memory.
/// UINT64_MAX stands for more than that.
llvm::Error checkBytes(StringRef name, ArrayRef<uint64_t> bytes);

/// "130x257".
std::string formatShape(ArrayRef<int64_t> shape);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_SIGNATURE_H
