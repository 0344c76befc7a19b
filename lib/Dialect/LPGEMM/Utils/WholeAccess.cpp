//===- WholeAccess.cpp - windows that are whole along K -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/WholeAccess.h"

#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Target/MmaInfo.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// Words of rows at least; pieces of rows of a transposed one, which must not
/// be cut by the end of a row.
static WholeAccess getPieces(int64_t bytes, bool transpose) {
  return {std::min<int64_t>(bytes, 4), transpose ? bytes : 1};
}

/// Copies take pieces of rows, unless they have to pack elements anew.
static std::optional<WholeAccess> getCopyAccess(BufType type, bool transpose,
                                                int64_t threads) {
  if (!type.getLayout())
    return std::nullopt;
  CopyPlan plan(type, transpose, threads);
  if (plan.downColumn || plan.pieceBytes % 4 != 0)
    return std::nullopt;
  return getPieces(plan.pieceBytes, transpose);
}

std::optional<WholeAccess> lpgemm::getWholeAccess(CopyOp op, int64_t threads) {
  return getCopyAccess(op.getDest().getType(), op.getTranspose(), threads);
}

std::optional<WholeAccess> lpgemm::getWholeAccess(FetchOp op, int64_t threads) {
  return getCopyAccess(op.getDestType(), op.getTranspose(), threads);
}

bool lpgemm::loadsScaleWords(LoadOp op) {
  FragType type = op.getResult().getType();
  LanesAttr lanes = type.getLanes();
  if (op.getSource().getType().getLayout() != ScaleLayout::AMD32x8 || !lanes ||
      !llvm::is_contained({MmaRole::SA, MmaRole::SB}, lanes.getRole()) ||
      getMmaInfo(lanes.getInstr()).scale.rows != 16)
    return false;
  int64_t cols = type.getDimSize(1);
  return type.getDimSize(0) % 32 == 0 && (cols == 4 || cols % 8 == 0);
}

/// A lane loads words of a row, or single elements. What it has of a column are
/// neighbours in a row of the source with `transpose`.
std::optional<WholeAccess> lpgemm::getWholeAccess(LoadOp op) {
  if (loadsScaleWords(op))
    return getPieces(4, op.getTranspose());
  FragType type = op.getResult().getType();
  if (!type.getLanes() ||
      op.getSource().getType().getLayout() != ScaleLayout::Row)
    return std::nullopt;
  int64_t bits = type.getElementTypeBitWidth();
  const LaneLayout &lanes =
      getMmaInfo(type.getLanes().getInstr())
          .layout(type.getLanes().getRole(), type.getElementType());
  bool downColumn = lanes.vectorDim == 0;
  bool joinsColumn = downColumn && op.getTranspose() && op.getRowBlock() == 1;
  int64_t length = downColumn && !joinsColumn ? 1 : lanes.chunkLen;
  int64_t bytes = length * bits / 8;
  bool isElement = length == 1 && bits % 8 == 0;
  bool isWords =
      (joinsColumn || !op.getTranspose()) && bytes != 0 && bytes % 4 == 0;
  if (!isElement && !isWords)
    return std::nullopt;
  return getPieces(bytes, op.getTranspose());
}
