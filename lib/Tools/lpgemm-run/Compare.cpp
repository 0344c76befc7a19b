//===- Compare.cpp - is a result right ------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"

using namespace mlir;
using namespace mlir::lpgemm;

StringRef mlir::lpgemm::getKindName(ComparisonKind kind) {
  return kind == ComparisonKind::Implementation ? "implementation"
                                                : "quantization";
}

static NumberView makeView(const NpyArray &array, NumberType type) {
  ArrayRef<int64_t> shape = array.getShape();
  int64_t columns = shape.empty() ? 1 : shape.back();
  int64_t rows = columns == 0 ? 0 : array.getNumElements() / columns;
  return NumberView::getDense(type, array.getBytes().data(), rows, columns);
}

SmallVector<int64_t> mlir::lpgemm::getPosition(ArrayRef<int64_t> shape,
                                               int64_t row, int64_t column) {
  SmallVector<int64_t> position(shape.size());
  if (shape.empty())
    return position;
  position.back() = column;
  for (unsigned dim = shape.size() - 1; dim-- != 0; row /= shape[dim])
    position[dim] = row % shape[dim];
  return position;
}

Comparison mlir::lpgemm::compareArrays(const ComparisonRequest &request) {
  NumberView result = makeView(request.result, request.resultType);
  NumberView expected = makeView(request.expected, request.expectedType);
  AccuracyOptions options = request.options;
  ArrayRef<int64_t> shape = request.result.getShape();
  if (shape.size() > 2)
    options.matrixRows = shape[shape.size() - 2];
  Accuracy accuracy = measureAccuracy(result, expected, options);
  std::optional<ErrorBound> bound;
  if (request.magnitude)
    bound = {makeView(request.magnitude->sums, request.magnitude->type),
             request.k, request.magnitude->blocks, request.magnitude->isBound};
  ToleranceVerdict verdict = judge(request.tolerance, result, expected,
                                   accuracy, bound ? &*bound : nullptr);
  return {request.kind,
          request.output,
          request.resultType,
          SmallVector<int64_t>(request.result.getShape()),
          request.resultName,
          request.expectedName,
          request.k,
          request.tolerance,
          request.isDequantized,
          request.unbounded,
          accuracy,
          std::move(verdict)};
}
