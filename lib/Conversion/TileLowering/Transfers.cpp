//===- Transfers.cpp - loads, reads, fetches and puts ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/TileLowering.h"

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Dialect/LPGEMM/IR/TileBounds.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Global memory to lanes
//===----------------------------------------------------------------------===//

LoadPlan::LoadPlan(ImplicitLocOpBuilder &b, LoadOp op)
    : row(b.createOrFold<arith::AddIOp>(op.getRow(), op.getWaveRow())),
      col(b.createOrFold<arith::AddIOp>(op.getCol(), op.getWaveCol())), op(op),
      shape(op.getResult().getType().getShape()) {
  Value whole = op.getWhole();
  if (whole && op.getSource().getType().getLayout() == ScaleLayout::Row) {
    Value &position = op.getTranspose() ? row : col;
    Value waveStart = op.getTranspose() ? op.getWaveRow() : op.getWaveCol();
    position = b.createOrFold<arith::AddIOp>(whole, waveStart);
  }
  int64_t rowBlock = op.getRowBlock();
  if (rowBlock == 1)
    return;
  Value &start = op.getTranspose() ? col : row;
  sameBlock = std::gcd(getKnownDivisor(start), rowBlock);
  Value size = arith::ConstantIndexOp::create(b, rowBlock);
  inBlock = indexToI32(b, b.createOrFold<arith::RemUIOp>(start, size));
  start = b.createOrFold<arith::DivUIOp>(start, size);
  // The most blocks of which so many rows have a part.
  shape[0] = (shape[0] + rowBlock - 2) / rowBlock + 1;
}

RankedTensorType LoadPlan::getCoveredType() const {
  LoadOp load = op;
  return RankedTensorType::get(shape,
                               load.getResult().getType().getElementType());
}

/// The block of a segment, which lies in one row of the tile. Rows of one block
/// get it by the same operations, so that one load serves all of them.
Value LoadPlan::getBlock(ImplicitLocOpBuilder &b, const RegisterTile &tile,
                         const Segment &s) {
  const LaneLayout &layout = tile.getLayout();
  bool alongRows = layout.vectorDim == 0;
  Value position = inBlock;
  int64_t constant = s.rowConst;
  if (sameBlock % layout.rows == 0) {
    constant -= constant % sameBlock;
  } else {
    position = addI32(b, position, s.row);
    if (alongRows && sameBlock % layout.chunkLen == 0)
      constant -= constant % layout.chunkLen;
  }
  return divI32(b, addI32(b, position, constantI32(b, constant)),
                op.getRowBlock());
}

/// With `transpose`, what a lane holds down a column are neighbours in a row of
/// the source, and one segment.
static SmallVector<Segment> joinColumns(ArrayRef<Segment> segments,
                                        int64_t length) {
  SmallVector<Segment> joined;
  for (; !segments.empty(); segments = segments.drop_front(length)) {
    joined.push_back(segments.front());
    joined.back().length = length;
    joined.back().downColumn = true;
  }
  return joined;
}

SmallVector<Segment> LoadPlan::getSegments(ImplicitLocOpBuilder &b,
                                           Value lane) {
  RegisterTile tile(op.getResult().getType());
  SmallVector<Segment> segments = tile.getSegments(b, lane);
  bool isMatrix = op.getSource().getType().getLayout() == ScaleLayout::Row;
  if (op.getTranspose() && isMatrix && !inBlock &&
      tile.getLayout().vectorDim == 0)
    segments = joinColumns(segments, tile.getLayout().chunkLen);
  for (Segment &s : segments) {
    if (inBlock) {
      s.row = getBlock(b, tile, s);
      s.rowConst = 0;
    }
    Type element = op.getResult().getType().getElementType();
    if (op.getTranspose())
      s = s.transposed();
    else if (isSubByteFloat(element))
      s = s.inBytes(b, element.getIntOrFloatBitWidth());
  }
  return segments;
}

//===----------------------------------------------------------------------===//
// Global memory to shared memory
//===----------------------------------------------------------------------===//

TileCopy::TileCopy(ImplicitLocOpBuilder &b, BufType type, bool transpose,
                   Value thread, int64_t threads)
    : b(b), type(type), transpose(transpose), thread(thread), threads(threads),
      plan(type, transpose, threads) {}

/// Those of the executing thread: `thread`, `thread + threads`, ..
SmallVector<Segment> TileCopy::getPieces() {
  int64_t perRow = plan.piecesPerRow, length = plan.pieceLength;
  int64_t rowStep = plan.downColumn ? length : 1;
  int64_t colStep = plan.downColumn ? 1 : length;
  // Where a round covers whole rows, the rounds differ by a constant.
  bool wholeRows = threads % perRow == 0;
  SmallVector<Segment> pieces;
  for (int64_t q = 0; q != plan.piecesPerThread; ++q) {
    Value id =
        wholeRows ? thread : addI32(b, thread, constantI32(b, q * threads));
    Value row = mulI32(b, divI32(b, id, perRow), rowStep);
    Value col = mulI32(b, remI32(b, id, perRow), colStep);
    int64_t rowConst = wholeRows ? q * (threads / perRow) * rowStep : 0;
    pieces.push_back(
        {row, col, rowConst, /*colConst=*/0, length, plan.downColumn});
  }
  return pieces;
}

void TileCopy::forEachPiece(
    function_ref<void(int64_t, const Segment &)> build) {
  SmallVector<Segment> pieces = getPieces();
  for (size_t q = 0; q != pieces.size(); ++q) {
    const Segment &piece = pieces[q];
    int64_t rest = plan.numPieces - q * threads;
    if (rest >= threads) {
      build(q, piece);
      continue;
    }
    Value mine = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread,
                                       constantI32(b, rest));
    scf::IfOp::create(b, mine, [&](OpBuilder &, Location) {
      build(q, piece);
      scf::YieldOp::create(b);
    });
  }
}

SmallVector<Value> TileCopy::toPieces(SmallVector<Value> pieces) {
  VectorType pieceType = plan.getPieceType(b.getContext());
  for (Value &piece : pieces) {
    if (!isa<VectorType>(piece.getType()))
      piece = vector::BroadcastOp::create(
          b, VectorType::get(1, piece.getType()), piece);
    piece = b.createOrFold<vector::BitCastOp>(pieceType, piece);
  }
  return pieces;
}

/// Two rounds at a time; of the last one some threads may have no piece.
void TileCopy::store(SharedTile &shared, ArrayRef<Value> values) {
  SmallVector<Segment> pieces = getPieces();
  for (Segment &piece : pieces) {
    if (transpose)
      piece = piece.transposed();
    if (plan.downColumn)
      piece = piece.inBytes(b, type.getElementTypeBitWidth());
  }
  size_t whole = plan.numPieces / threads;
  for (size_t q = 0; q < whole; q += 2) {
    size_t count = std::min<size_t>(2, whole - q);
    shared.store(ArrayRef(pieces).slice(q, count), values.slice(q, count),
                 plan.alignment);
  }
  if (whole == pieces.size())
    return;
  Value mine = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread,
                                     constantI32(b, plan.numPieces % threads));
  scf::IfOp::create(b, mine, [&](OpBuilder &, Location) {
    shared.store(pieces.back(), values.back(), plan.alignment);
    scf::YieldOp::create(b);
  });
}

template <typename OpTy>
static LogicalResult checkPieces(OpTy op, BufType buffer, int64_t threads) {
  CopyPlan plan(buffer, op.getTranspose(), threads);
  SmallVector<Type> expected(plan.piecesPerThread,
                             plan.getPieceType(op.getContext()));
  if (llvm::equal(op.getPieces().getTypes(), expected))
    return success();
  return op.emitOpError() << "expects " << expected.size() << " pieces of "
                          << expected.front() << ", but got "
                          << op.getPieces().size() << " of "
                          << op.getPieces().getTypes();
}

LogicalResult lpgemm::checkPieces(FetchOp op, int64_t threads) {
  return ::checkPieces(op, op.getDestType(), threads);
}

LogicalResult lpgemm::checkPieces(PutOp op, int64_t threads) {
  return ::checkPieces(op, op.getDest().getType(), threads);
}

//===----------------------------------------------------------------------===//
// Shared memory to lanes
//===----------------------------------------------------------------------===//

/// What is known of the alignment of every segment.
static int64_t getAlignment(ReadOp op, const RegisterTile &tile) {
  BufType type = op.getSource().getType();
  int64_t bits = type.getElementTypeBitWidth();
  APInt col;
  if (!matchPattern(op.getCol(), m_ConstantInt(&col)))
    return getUnitBytes(type.getElementType());
  int64_t alignment = getRowAlignment(type);
  for (int64_t elements : {tile.getLayout().chunkLen, col.getSExtValue()})
    alignment = std::gcd(alignment, elements * bits / 8);
  return alignment;
}

SmallVector<Value> lpgemm::readAtoms(ImplicitLocOpBuilder &b, ReadOp op,
                                     SharedTile &shared, Value lane) {
  BufType type = op.getSource().getType();
  RegisterTile tile(op.getResult().getType());
  Value row = indexToI32(b, op.getRow()), col = indexToI32(b, op.getCol());
  int64_t alignment = getAlignment(op, tile);
  SmallVector<Value> values;
  for (Segment segment : tile.getSegments(b, lane)) {
    segment.row = addI32(b, segment.row, row);
    segment.col = addI32(b, segment.col, col);
    if (isSubByteFloat(type.getElementType()))
      segment = segment.inBytes(b, type.getElementTypeBitWidth());
    values.push_back(shared.load(segment, alignment));
  }
  return tile.assemble(b, values);
}
