//===- Lowering.h - tiles in terms of values --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_CONVERSION_LPGEMMTOAMDGPU_LOWERING_H
#define LPGEMM_LIB_CONVERSION_LPGEMMTOAMDGPU_LOWERING_H

#include "lpgemm/Conversion/TileLowering.h"
#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"

namespace mlir {
class ConversionTarget;
class RewritePatternSet;
class TypeConverter;

namespace gpu {
class GPUModuleOp;
} // namespace gpu
} // namespace mlir

namespace mlir::lpgemm {
struct AMDGPUMachine;

//===----------------------------------------------------------------------===//
// The kernel around an op
//===----------------------------------------------------------------------===//

/// The record of the target of `op`; its existence has been checked.
const AMDGPUMachine &getMachine(Operation *op);

/// Threads of a workgroup of the kernel around `op`, all along x.
int64_t getWorkgroupSize(Operation *op);

/// Number of the executing thread in its workgroup, and in its wave.
Value buildThread(ImplicitLocOpBuilder &b);
Value buildLane(ImplicitLocOpBuilder &b, Operation *op);

//===----------------------------------------------------------------------===//
// Vectors of registers
//===----------------------------------------------------------------------===//

/// The words of a little-endian stream of codes, given as an i32 each (L-2,
/// L-3), or its bytes if the last word is not full.
Value packCodes(ImplicitLocOpBuilder &b, ArrayRef<Value> codes, int64_t bits);

/// (C-1) to (C-7) The code of `type` next to an f32, in an i32, for `op`: by an
/// instruction where the chip has one.
Value encodeOnChip(ImplicitLocOpBuilder &b, Operation *op, Value value,
                   Type type, bool nosat);

/// Where a load, a store or an amax starts in its global.
template <typename OpTy>
std::pair<Value, Value> getStart(ImplicitLocOpBuilder &b, OpTy op) {
  return {b.createOrFold<arith::AddIOp>(op.getRow(), op.getWaveRow()),
          b.createOrFold<arith::AddIOp>(op.getCol(), op.getWaveCol())};
}

/// The elements of each segment of a register tile, as a vector.
SmallVector<Value> splitAtoms(ImplicitLocOpBuilder &b, const RegisterTile &tile,
                              ValueRange atoms);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// An access at this byte offset, less its size, is outside of every window.
inline constexpr int64_t kOutside = 0x80000000;

/// `position` + `constant` < `limit`, of i32.
Value isBelow(ImplicitLocOpBuilder &b, Value position, int64_t constant,
              Value limit);

/// A buffer resource of `records` bytes, i64, from `base` on.
Value buildBufferResource(ImplicitLocOpBuilder &b, Value base, Value records);

/// The part of [start, start + size) that is below `extent`, as i64.
Value buildLeft(ImplicitLocOpBuilder &b, Value extent, Value start,
                int64_t size);

/// A tile of a matrix in global memory, cut at the extents of the matrix.
class GlobalWindow : public WindowLoads {
public:
  /// The window that the tile `type` covers from (`row`, `col`) on, given as
  /// index values: with `transpose` as many columns as the tile has rows.
  GlobalWindow(ImplicitLocOpBuilder &b, const GlobalValues &global, Value row,
               Value col, ShapedType type, bool transpose = false);

  /// Writes the vectors `values` to `segments`, all alike, as far as they are
  /// inside.
  void store(ArrayRef<Segment> segments, ArrayRef<Value> values);

  /// Whether a segment of one element, not of a byte of packed ones, is inside.
  Value isInside(const Segment &segment);

private:
  Round getRound(const Segment &segment) const override;
  Value buildWideCondition(const Segment &segment) override;
  Value loadWide(const Segment &segment) override;
  Value loadPieces(const Segment &segment) override;
  bool isColumnOfCodes(const Segment &segment) const;

  Value getOffset(const Segment &segment);
  Value isInsideRows(const Segment &segment);
  Value isInsideCols(const Segment &segment);
  Value selectOffset(Value inside, const Segment &segment);
  Value buildLoad(Type type, Value offset);
  Value loadUnit(const Segment &segment);
  Value clearPadding(const Segment &segment, Value byte);
  Value loadCode(const Segment &segment);
  void buildStore(Value value, Value offset);
  void storeWide(const Segment &segment, Value value);
  void storePieces(ArrayRef<Segment> segments, ArrayRef<Value> values);

  SmallVector<int64_t, 2> shape; // in elements
  int64_t bits, unitBytes;       // of an element, of a position in a row
  bool isPacked, fillsOne, checksRows;
  Value pitchBytes, base; // i64, !llvm.ptr
  Value rowsLeft, colsLeft, unitsLeft, pitchBytes32, resource;
};

/// A tile of a matrix in global memory that is whole along K, which are its
/// columns, or with `transpose` its rows (`whole` of lpgemm.load).
class WholeWindow {
public:
  /// The window from (`row`, `col`) on, `distance` further along K. `checksK`:
  /// segments may be beyond the tile, where there are fewer than threads.
  WholeWindow(ImplicitLocOpBuilder &b, const GlobalValues &global, Value row,
              Value col, ShapedType type, bool transpose, Value distance,
              bool checksK = false);

  /// The contents of `segments`, as integers or vectors of integers: elements,
  /// or words of a row.
  SmallVector<Value> load(ArrayRef<Segment> segments);

private:
  Value getOffset(const Segment &segment);
  Value buildLoad(Type type, Value offset);
  Value loadSegment(const Segment &segment);

  ImplicitLocOpBuilder &b;
  int64_t unitBytes;
  // A window that is not transposed has no rows behind those of the tile.
  bool isTransposed, checksK;
  int64_t kLength; // in elements
  Value resource;
  Value scalarOffset, rowsLeft, pitch32; // i32; rows of the tile
};

/// A tile of a matrix of scales that is stored in a layout of tiles.
class ScaleWindow {
public:
  /// The window that starts at (`row`, `col`), outer block and block of K.
  ScaleWindow(ImplicitLocOpBuilder &b, const GlobalValues &global, Value row,
              Value col, GlobalType type);

  /// As of WindowLoads; the padding of the layout is outside.
  SmallVector<Value> load(ArrayRef<Segment> segments);

private:
  Value buildOffset(Value row, Value col);
  Value loadElement(const Segment &segment);

  ImplicitLocOpBuilder &b;
  bool fillsOne;
  /// Position in the first dimension of the layout, and elements from there,
  /// for a row and a block of K.
  AffineExpr first, inner;
  Value startRow, startCol, rowsLeft, colsLeft, pitch32, resource; // i32
};

/// A register tile of scales of an instruction: of each word, which is one
/// register, the bytes are the scales of two rows of atoms, in one column of
/// them and then in the next.
class ScaleWords {
public:
  /// Whether tiles of `type` are kept so.
  static bool areIn(FragType type);
  static Type getWordType(MLIRContext *context);

  explicit ScaleWords(FragType type);

  int64_t getNumWords() const {
    return llvm::divideCeil(gridRows, 2) * llvm::divideCeil(gridCols, 2);
  }

  /// Where the scale of an atom is.
  struct Place {
    int64_t word, byte;
  };
  Place find(int64_t row, int64_t col) const;

  /// The words of so many scales, one for each atom.
  SmallVector<Value> pack(ImplicitLocOpBuilder &b, ArrayRef<Value> atoms) const;
  /// The scale of an atom, as an i8.
  Value extract(ImplicitLocOpBuilder &b, ValueRange words, int64_t row,
                int64_t col) const;

  /// Whether memory has the words that `op` loads.
  static bool areStored(LoadOp op);
  /// Loads them.
  SmallVector<Value> load(ImplicitLocOpBuilder &b, LoadOp op,
                          const GlobalValues &global) const;

private:
  static Value toWord(ImplicitLocOpBuilder &b, Value word);

  int64_t gridRows, gridCols;
};

/// A copy by the engine that loads to LDS: each wave issues loads of pieces of
/// 16 bytes, one for each lane, which follow each other in LDS.
class DirectCopy {
public:
  static constexpr int64_t kPieceBytes = 16;

  DirectCopy(ImplicitLocOpBuilder &b, CopyOp op, const GlobalValues &global);

  void run(Value memref);

private:
  Value toBytes(Value elements);
  Value buildOffset(Value thread, int64_t firstRow);

  ImplicitLocOpBuilder &b;
  CopyOp op;
  BufType type;
  int64_t threads;
  Value resource, rowsLeft, pitch, soffset; // of i32 but for the first
};

/// A tile in a workgroup attribution of bytes.
class LdsTile : public SharedTile {
public:
  LdsTile(ImplicitLocOpBuilder &b, BufType type, Value memref)
      : SharedTile(b, type), memref(memref) {}

private:
  Value loadBytes(Value offset, int64_t bytes) override;
  void storeBytes(Value offset, Value value, int64_t bytes) override;

  Value memref;
};

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// Reports tile ops in `module` that cannot be lowered, each at its location.
LogicalResult checkTileOps(gpu::GPUModuleOp module);

/// Patterns of lpgemm.decode and lpgemm.encode.
void populateElementPatterns(const TypeConverter &converter,
                             RewritePatternSet &patterns);
void populatePromotePattern(const TypeConverter &converter,
                            RewritePatternSet &patterns);
void populateMemoryPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns);
void populateRegisterPatterns(const TypeConverter &converter,
                              RewritePatternSet &patterns);
void populateBlockPatterns(const TypeConverter &converter,
                           RewritePatternSet &patterns);
/// Patterns of the way of a result through shared memory.
void populateStagePatterns(const TypeConverter &converter,
                           RewritePatternSet &patterns);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_CONVERSION_LPGEMMTOAMDGPU_LOWERING_H
