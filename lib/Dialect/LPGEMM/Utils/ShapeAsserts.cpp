//===- ShapeAsserts.cpp - checks of extents at run time -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::lpgemm;

void lpgemm::buildShapeAsserts(OpBuilder &b, MatmulOp op, Value m, Value n,
                               Value k) {
  Location loc = op.getLoc();
  auto same = [&](Value matrix, unsigned d, Value expected, StringRef what) {
    Value extent = memref::DimOp::create(b, loc, matrix, d);
    Value equal = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        extent, expected);
    cf::AssertOp::create(b, loc, equal, "lpgemm.matmul: " + what.str());
  };
  Value block =
      arith::ConstantIndexOp::create(b, loc, op.getLhsScaleKind()->getBlock());
  Value blocks = arith::CeilDivUIOp::create(b, loc, k, block);
  unsigned kDim = op.getRhsKDim(), nDim = op.getRhsNDim();
  same(op.getRhs(), kDim, k, "K of rhs differs from K of lhs");
  same(op.getInit(), 0, m, "M of init differs from M of lhs");
  same(op.getInit(), 1, n, "N of init differs from N of rhs");
  same(op.getLhsScale(), 0, m, "rows of lhs_scale differ from M of lhs");
  same(op.getLhsScale(), 1, blocks, "lhs_scale is not ceil(K/32) wide");
  same(op.getRhsScale(), nDim, n,
       op.getTransposeB() ? "rows of rhs_scale differ from N of rhs"
                          : "columns of rhs_scale differ from N of rhs");
  same(op.getRhsScale(), kDim, blocks,
       op.getTransposeB() ? "rhs_scale is not ceil(K/32) wide"
                          : "rhs_scale is not ceil(K/32) high");
}
