//===- ScaleWords.cpp - scales of instructions, four in a register --------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Dialect/LPGEMM/Utils/WholeAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lpgemm;

bool ScaleWords::areIn(FragType type) {
  LanesAttr lanes = type.getLanes();
  return lanes &&
         llvm::is_contained({MmaRole::SA, MmaRole::SB}, lanes.getRole());
}

ScaleWords::ScaleWords(FragType type) {
  RegisterTile tile(type);
  gridRows = tile.getGridRows();
  gridCols = tile.getGridCols();
}

Type ScaleWords::getWordType(MLIRContext *context) {
  return VectorType::get(4, Float8E8M0FNUType::get(context));
}

ScaleWords::Place ScaleWords::find(int64_t row, int64_t col) const {
  return {row / 2 * ((gridCols + 1) / 2) + col / 2, 2 * (col % 2) + row % 2};
}

SmallVector<Value> ScaleWords::pack(ImplicitLocOpBuilder &b,
                                    ArrayRef<Value> atoms) const {
  Value zero = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
  SmallVector<SmallVector<Value>> bytes(getNumWords(),
                                        SmallVector<Value>(4, zero));
  for (int64_t row = 0; row != gridRows; ++row)
    for (int64_t col = 0; col != gridCols; ++col) {
      Place place = find(row, col);
      bytes[place.word][place.byte] = b.createOrFold<arith::BitcastOp>(
          b.getI8Type(), atoms[row * gridCols + col]);
    }
  auto type = VectorType::get(4, b.getI8Type());
  return llvm::map_to_vector(bytes, [&](ArrayRef<Value> word) -> Value {
    Value packed = vector::FromElementsOp::create(b, type, word);
    return vector::BitCastOp::create(b, getWordType(b.getContext()), packed);
  });
}

Value ScaleWords::extract(ImplicitLocOpBuilder &b, ValueRange words,
                          int64_t row, int64_t col) const {
  Place place = find(row, col);
  auto type = VectorType::get(4, b.getI8Type());
  Value bytes = b.createOrFold<vector::BitCastOp>(type, words[place.word]);
  return b.createOrFold<vector::ExtractOp>(bytes, place.byte);
}

/// `amd32x8` has the scales of 32 rows and 8 blocks of K in 256 bytes, 4 for
/// each lane of the instruction: those of two rows of atoms, in two columns of
/// them. Loads that are `whole` start with such a tile, or with its second
/// half.
bool ScaleWords::areStored(LoadOp op) {
  return op.getWhole() && loadsScaleWords(op);
}

SmallVector<Value> ScaleWords::load(ImplicitLocOpBuilder &b, LoadOp op,
                                    const GlobalValues &global) const {
  constexpr int64_t tileRows = 32, tileCols = 8, tileBytes = 256;
  auto tiles = [&](Value position, int64_t size) -> Value {
    return b.createOrFold<arith::DivUIOp>(
        position, arith::ConstantIndexOp::create(b, size));
  };
  Value row = b.createOrFold<arith::AddIOp>(op.getRow(), op.getWaveRow());
  Value from = tiles(op.getWhole(), tileCols);
  Value offset = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(indexToI64(b, tiles(row, tileRows)),
                                    global.pitch),
      b.createOrFold<arith::MulIOp>(indexToI64(b, from),
                                    constantI64(b, tileBytes)));
  Value base = LLVM::GEPOp::create(b, global.ptr.getType(), b.getI8Type(),
                                   global.ptr, offset);
  // Tiles below the last row are out of bounds.
  Value end = b.createOrFold<arith::MaxSIOp>(global.rows, row);
  Value left = tiles(b.createOrFold<arith::AddIOp>(
                         b.createOrFold<arith::SubIOp>(end, row),
                         arith::ConstantIndexOp::create(b, tileRows - 1)),
                     tileRows);
  left = b.createOrFold<arith::MinSIOp>(
      left, arith::ConstantIndexOp::create(b, gridRows / 2));
  Value records =
      b.createOrFold<arith::MulIOp>(indexToI64(b, left), global.pitch);
  Value resource = buildBufferResource(b, base, records);

  Value lane = mulI32(b, buildLane(b, op), 4);
  Value pitch = b.createOrFold<arith::TruncIOp>(b.getI32Type(), global.pitch);
  Value soffset = mulI32(b,
                         indexToI32(b, b.createOrFold<arith::SubIOp>(
                                           tiles(op.getCol(), tileCols), from)),
                         tileBytes);
  // One column of atoms has either half of each word.
  bool isHalf = gridCols == 1;
  if (isHalf) {
    Value half =
        BitOps{b}.and_(BitOps{b}.shr(indexToI32(b, op.getCol()), 1), 2);
    soffset = addI32(b, soffset, half);
  }
  Type type = b.getIntegerType(isHalf ? 16 : 32);
  SmallVector<Value> words;
  for (int64_t i = 0; i != gridRows / 2; ++i)
    for (int64_t j = 0; j < gridCols; j += 2) {
      Value voffset = addI32(b, lane, mulI32(b, pitch, i));
      Value word = ROCDL::RawPtrBufferLoadOp::create(
          b, type, resource, voffset,
          addI32(b, soffset, constantI32(b, j / 2 * tileBytes)),
          constantI32(b, 0), ArrayAttr(), ArrayAttr(), ArrayAttr());
      words.push_back(toWord(b, word));
    }
  return words;
}

Value ScaleWords::toWord(ImplicitLocOpBuilder &b, Value word) {
  // Of a half the load itself makes a word.
  if (word.getType() != b.getI32Type())
    word = arith::ExtUIOp::create(b, b.getI32Type(), word);
  Value vector =
      vector::BroadcastOp::create(b, VectorType::get(1, b.getI32Type()), word);
  return vector::BitCastOp::create(b, getWordType(b.getContext()), vector);
}
