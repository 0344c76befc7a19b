//===- CopyPlan.cpp - copies to shared memory -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

int64_t lpgemm::getUnitBytes(Type elementType) {
  return isSubByteFloat(elementType) ? 1
                                     : elementType.getIntOrFloatBitWidth() / 8;
}

int64_t lpgemm::getRowBytes(BufType type) {
  return type.getShape().back() * type.getElementTypeBitWidth() / 8;
}

int64_t lpgemm::getPitchBytes(BufType type) {
  SmemAttr layout = type.getLayout();
  return getRowBytes(type) + (layout ? layout.getPad() : 0);
}

int64_t lpgemm::getBufferBytes(BufType type) {
  return type.getNumElements() / type.getShape().back() * getPitchBytes(type);
}

int64_t lpgemm::getRowAlignment(BufType type) {
  // 16 bytes is the alignment of a buffer, and the widest access of a thread.
  return std::gcd(16,
                  std::gcd(type.getLayout().getUnit(), getPitchBytes(type)));
}

CopyPlan::CopyPlan(BufType type, bool transpose, int64_t threads)
    : downColumn(transpose && isSubByteFloat(type.getElementType())) {
  int64_t rows = type.getDimSize(0), cols = type.getDimSize(1);
  int64_t bits = type.getElementTypeBitWidth();
  int64_t unitBytes = getUnitBytes(type.getElementType());
  alignment = getRowAlignment(type);
  if (downColumn) {
    pieceLength = std::gcd(std::lcm<int64_t>(32, bits) / bits, cols);
    pieceBytes = pieceLength * bits / 8;
    alignment = std::gcd(alignment, pieceBytes);
    piecesPerRow = rows;
    numPieces = rows * (cols / pieceLength);
  } else {
    int64_t rowBytes = transpose ? rows * unitBytes : getRowBytes(type);
    pieceBytes = std::gcd<int64_t>(16, rowBytes);
    pieceLength = pieceBytes / unitBytes;
    alignment = std::gcd(alignment, pieceBytes);
    piecesPerRow = rowBytes / pieceBytes;
    numPieces = (transpose ? cols : rows) * piecesPerRow;
  }
  piecesPerThread = llvm::divideCeil(numPieces, threads);
}

VectorType CopyPlan::getPieceType(MLIRContext *context) const {
  int64_t width = pieceBytes % 4 == 0 ? 4 : 1;
  return VectorType::get(pieceBytes / width,
                         IntegerType::get(context, 8 * width));
}

int64_t lpgemm::getStageRows(int64_t rows, int64_t unit, int64_t rowBits,
                             int64_t room) {
  for (int64_t part = rows; part >= unit; part -= unit)
    if (rows % part == 0 && part * rowBits <= 8 * room)
      return part;
  return 0;
}

void lpgemm::splitCopy(RewriterBase &rewriter, CopyOp copy, int64_t threads) {
  BufType type = copy.getDest().getType();
  CopyPlan plan(type, copy.getTranspose(), threads);
  SmallVector<Type> pieces(plan.piecesPerThread,
                           plan.getPieceType(copy.getContext()));
  rewriter.setInsertionPoint(copy);
  auto fetch = FetchOp::create(rewriter, copy.getLoc(), pieces,
                               copy.getSource(), copy.getRow(), copy.getCol(),
                               type, copy.getTranspose(), copy.getWhole());
  rewriter.replaceOpWithNewOp<PutOp>(copy, fetch.getPieces(), copy.getDest(),
                                     copy.getTranspose());
}
