//===- ProductShape.cpp - extents as models of schedules see them ---------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Schedule/ProductShape.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

// In place of an extent that is not known.
static constexpr int64_t kLargeExtent = 8192;

ProductShape ProductShape::describe(MatmulOp op) {
  ProductShape result = {};
  ShapeContract contract = op.getShapeContract();
  auto lookup = [&](StringRef name) {
    return llvm::find_if(
               contract.extents,
               [&](const auto &extent) { return extent.name == name; })
        ->getStatic();
  };
  auto orLarge = [](int64_t extent) {
    // An empty product takes any schedule.
    return ShapedType::isDynamic(extent) ? kLargeExtent
                                         : std::max<int64_t>(extent, 1);
  };
  int64_t m = lookup("M"), n = lookup("N");
  auto shape = cast<ShapedType>(op.getInit().getType()).getShape();
  result.m = orLarge(m);
  result.n = orLarge(n);
  result.k = orLarge(lookup("K"));
  result.hasDynamicGrid = ShapedType::isDynamic(m) ||
                          ShapedType::isDynamic(n) ||
                          ShapedType::isDynamicShape(shape.drop_back(2));
  result.hasDynamicN = ShapedType::isDynamic(n);
  result.isBatched = shape.size() > 2;
  result.batch = 1;
  for (int64_t extent : shape.drop_back(2))
    result.batch *=
        ShapedType::isDynamic(extent) ? 1 : std::max<int64_t>(extent, 1);
  return result;
}
