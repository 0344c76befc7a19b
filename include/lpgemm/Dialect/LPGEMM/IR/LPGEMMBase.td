//===- LPGEMMBase.td - lpgemm dialect definition -----------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMBASE_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMBASE_TD

include "mlir/IR/OpBase.td"

def LPGEMM_Dialect : Dialect {
  let name = "lpgemm";
  let cppNamespace = "::mlir::lpgemm";
  let summary = "Scaled low-precision matrix products";
  let description = [{
    One op says what is multiplied (element types, scales and their layout);
    passes and lowerings turn it into kernels for one chip. The numbered
    semantics are in `docs/spec.md`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  // What tiles are made of.
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMBASE_TD
