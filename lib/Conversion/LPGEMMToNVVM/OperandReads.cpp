//===- OperandReads.cpp - operands from shared memory ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Analysis/BankConflicts.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

//===----------------------------------------------------------------------===//
// By threads
//===----------------------------------------------------------------------===//

Value TileAtOffset::loadBytes(Value offset, int64_t bytes) {
  Value ptr = buildSharedPtr(b, addI32(b, start, offset));
  Type type = b.getI8Type();
  return LLVM::LoadOp::create(
      b, bytes == 1 ? type : Type(VectorType::get(bytes, type)), ptr, bytes);
}

void TileAtOffset::storeBytes(Value offset, Value value, int64_t bytes) {
  LLVM::StoreOp::create(b, value, buildSharedPtr(b, addI32(b, start, offset)),
                        bytes);
}

//===----------------------------------------------------------------------===//
// By matrices
//===----------------------------------------------------------------------===//

namespace {
/// Where a matrix of 8 rows of 16 bytes starts in the tile of a wave.
struct Matrix {
  int64_t row, byte;
};

/// The matrices of a tile, of which an instruction reads up to four: lane l
/// gives the address of row l % 8 of matrix l / 8, and holds four bytes of each
/// (PTX ISA 9.0, "ldmatrix").
class MatrixReads {
public:
  MatrixReads(ImplicitLocOpBuilder &b, BufType type, Value offset, Value row,
              Value byte)
      : b(b), type(type), offset(offset), row(row), byte(byte),
        lane(buildLane(b)) {}

  /// A word of each matrix.
  SmallVector<Value> read(ArrayRef<Matrix> matrices);

private:
  void readTogether(ArrayRef<Matrix> matrices, SmallVectorImpl<Value> &words);
  Value select(Value number, ArrayRef<int64_t> offsets);

  ImplicitLocOpBuilder &b;
  BufType type;
  Value offset, row, byte, lane;
};
} // namespace

/// The offset of this number of up to four, which bits of the number add to.
Value MatrixReads::select(Value number, ArrayRef<int64_t> offsets) {
  Value sum = constantI32(b, offsets[0]);
  BitOps bits{b};
  for (size_t bit = 1, i = 0; bit < offsets.size(); bit *= 2, ++i)
    sum = addI32(b, sum,
                 mulI32(b, bits.and_(bits.shr(number, i), 1),
                        offsets[bit] - offsets[0]));
  return sum;
}

void MatrixReads::readTogether(ArrayRef<Matrix> matrices,
                               SmallVectorImpl<Value> &words) {
  Value number = remI32(b, divI32(b, lane, 8), matrices.size());
  auto offsets = [&](int64_t Matrix::*member) {
    return llvm::map_to_vector(matrices,
                               [&](const Matrix &m) { return m.*member; });
  };
  Value tileRow = addI32(b, addI32(b, row, remI32(b, lane, 8)),
                         select(number, offsets(&Matrix::row)));
  Value tileByte = addI32(b, byte, select(number, offsets(&Matrix::byte)));
  Value ptr = buildSharedPtr(
      b, addI32(b, offset, buildTileOffset(b, type, tileRow, tileByte)));
  int64_t count = matrices.size();
  Type word = b.getI32Type();
  Type result = count == 1
                    ? word
                    : Type(LLVM::LLVMStructType::getLiteral(
                          b.getContext(), SmallVector<Type>(count, word)));
  Value loaded = NVVM::LdMatrixOp::create(
      b, result, ptr, count, NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  for (int64_t i = 0; i != count; ++i)
    words.push_back(
        count == 1 ? loaded
                   : LLVM::ExtractValueOp::create(b, loaded, i).getResult());
}

/// Whether bits of the number select among the first `count`.
static bool isRegular(ArrayRef<Matrix> m, size_t count) {
  return count < 4 || (m[3].row == m[1].row + m[2].row - m[0].row &&
                       m[3].byte == m[1].byte + m[2].byte - m[0].byte);
}

SmallVector<Value> MatrixReads::read(ArrayRef<Matrix> matrices) {
  SmallVector<Value> words;
  while (!matrices.empty()) {
    size_t count = 4;
    while (count > matrices.size() || !isRegular(matrices, count))
      count /= 2;
    readTogether(matrices.take_front(count), words);
    matrices = matrices.drop_front(count);
  }
  return words;
}

/// In the order of the words of a lane, atom after atom.
static SmallVector<Matrix> getMatrices(FragType type) {
  RegisterTile tile(type);
  const LaneLayout &layout = tile.getLayout();
  int64_t bits = type.getElementTypeBitWidth();
  SmallVector<Matrix> matrices;
  for (int64_t i = 0; i != tile.getGridRows(); ++i)
    for (int64_t j = 0; j != tile.getGridCols(); ++j)
      for (int64_t q = 0; q != layout.numChunks; ++q)
        matrices.push_back(
            {i * layout.rows + layout.chunkStart[q],
             (j * layout.cols + layout.alongStart[q]) * bits / 8});
  return matrices;
}

SmallVector<Value> nvvm::readOperand(ImplicitLocOpBuilder &b, ReadOp op,
                                     Value offset) {
  BufType source = op.getSource().getType();
  FragType type = op.getResult().getType();
  if (!readsMatrices(source.getLayout(), source.getDimSize(1), type.getLanes(),
                     type.getElementType())) {
    TileAtOffset tile(b, source, offset);
    return readAtoms(b, op, tile, buildLane(b));
  }
  int64_t unitBytes = getUnitBytes(type.getElementType());
  MatrixReads reads(b, source, offset, indexToI32(b, op.getRow()),
                    mulI32(b, indexToI32(b, op.getCol()), unitBytes));
  SmallVector<Value> words = reads.read(getMatrices(type));
  for (Value &word : words)
    word = vector::BroadcastOp::create(b, VectorType::get(1, b.getI32Type()),
                                       word);
  return RegisterTile(type).assemble(b, words);
}
