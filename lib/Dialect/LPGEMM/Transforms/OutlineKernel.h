//===- OutlineKernel.h - the body of an outlined kernel ---------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_OUTLINEKERNEL_H
#define LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_OUTLINEKERNEL_H

#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::lpgemm {

/// Writes the body of a kernel for one product at the insertion point.
class KernelBody {
public:
  KernelBody(OpBuilder &b, MatmulOp op, const KernelInterface &interface,
             gpu::GPUFuncOp kernel)
      : b(b), op(op), loc(op.getLoc()), interface(interface), kernel(kernel) {}

  /// The op on globals of the operands.
  MatmulOp createProduct();
  /// A part of the workspace, of the workgroup's entry of the batch; without
  /// `part` that of this workgroup, which is one of as many as there are parts.
  /// `product` has the extents of the result.
  Value bindPart(MatmulOp product, Value part = {});

  /// Null if the kernel is not told.
  Value getNumWorkgroups();

private:
  Value cast(Value v, Type type);
  SmallVector<Value> bindOperands();
  llvm::StringMap<Value> buildBatchOffsets();
  Value advance(Value ptr, Value units, Type elementType);
  GlobalType getGlobalType(const KernelArgument &argument, size_t rank);
  SmallVector<AffineExpr> getMatrixShape(const KernelArgument &argument);
  std::pair<AffineExpr, AffineExpr> getExtents(ArrayRef<AffineExpr> shape);
  MatmulOp cloneProduct(ValueRange operands);
  void joinInPlace(MatmulOp product);
  void simplifyEpilogueMaps(MatmulOp inKernel);

  OpBuilder &b;
  MatmulOp op;
  Location loc;
  const KernelInterface &interface;
  gpu::GPUFuncOp kernel;
  SmallVector<Value> sizes; // of the extents
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_OUTLINEKERNEL_H
