//===- Lowering.h - tiles in terms of values --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_CONVERSION_LPGEMMTOAMDGPU_LOWERING_H
#define LPGEMM_LIB_CONVERSION_LPGEMMTOAMDGPU_LOWERING_H

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Target/MmaInfo.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

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
// Arithmetic on i32 values
//===----------------------------------------------------------------------===//

Value constantI32(ImplicitLocOpBuilder &b, int64_t value);
Value addI32(ImplicitLocOpBuilder &b, Value lhs, Value rhs);
Value mulI32(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs);
Value divI32(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs);
Value remI32(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs);
Value indexToI32(ImplicitLocOpBuilder &b, Value index);

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
// Register tiles
//===----------------------------------------------------------------------===//

/// Consecutive elements of one row of a tile, or of one column. A position is
/// the sum of a value and a constant, so that addresses share the value. Where
/// elements are packed, memory is accessed by the bytes of a row.
struct Segment {
  Value row, col; // i32
  int64_t rowConst, colConst;
  int64_t length;
  bool downColumn = false;

  /// The segment of `length` elements that starts at `element` of this one.
  Segment slice(int64_t element, int64_t length) const;
  /// The same elements in the transposed tile.
  Segment transposed() const;
  /// The bytes that part of a row takes, of elements of so many bits.
  Segment inBytes(ImplicitLocOpBuilder &b, int64_t bits) const;
};

/// A register tile as the row-major grid of its atoms, one value each: what
/// `!lpgemm.frag` is converted to.
class RegisterTile {
public:
  explicit RegisterTile(FragType type);

  int64_t getGridRows() const { return gridRows; }
  int64_t getGridCols() const { return gridCols; }
  int64_t getNumAtoms() const { return gridRows * gridCols; }
  const LaneLayout &getLayout() const { return *layout; }

  /// vector<elements of a lane x T>, or T if there is just one.
  Type getAtomType() const;

  /// What `lane` holds, atom after atom, register after register.
  SmallVector<Segment> getSegments(ImplicitLocOpBuilder &b, Value lane) const;

  /// The atoms from the contents of the segments, given as integers or
  /// vectors of integers.
  SmallVector<Value> assemble(ImplicitLocOpBuilder &b,
                              ArrayRef<Value> segments) const;

  /// Element `index` of `atom`.
  Value extract(ImplicitLocOpBuilder &b, Value atom, int64_t index) const;

private:
  const LaneLayout *layout;
  Type elementType;
  int64_t gridRows, gridCols;
};

/// One vector of the elements of `parts`, vectors of one element type.
Value joinVectors(ImplicitLocOpBuilder &b, ArrayRef<Value> parts);

/// The words of a little-endian stream of codes, given as an i32 each (L-2,
/// L-3), or its bytes if the last word is not full.
Value packCodes(ImplicitLocOpBuilder &b, ArrayRef<Value> codes, int64_t bits);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// An access at this byte offset, less its size, is outside of every window.
inline constexpr int64_t kOutside = 0x80000000;

/// The byte of the scale 1.0 (OCP Microscaling Formats 1.0, E8M0: bias 127).
inline constexpr int64_t kScaleOne = 127;

Value constantI64(ImplicitLocOpBuilder &b, int64_t value);
Value indexToI64(ImplicitLocOpBuilder &b, Value index);

/// `position` + `constant` < `limit`, of i32.
Value isBelow(ImplicitLocOpBuilder &b, Value position, int64_t constant,
              Value limit);

/// A buffer resource of `records` bytes, i64, from `base` on.
Value buildBufferResource(ImplicitLocOpBuilder &b, Value base, Value records);

/// What `!lpgemm.global` is converted to: !llvm.ptr, index, index, i64.
struct GlobalValues {
  explicit GlobalValues(ValueRange values);

  Value ptr, rows, cols, pitch;
};

/// A tile of a matrix in global memory, cut at the extents of the matrix.
class GlobalWindow {
public:
  /// The window that the tile `type` covers from (`row`, `col`) on, given as
  /// index values: with `transpose` as many columns as the tile has rows.
  GlobalWindow(ImplicitLocOpBuilder &b, const GlobalValues &global, Value row,
               Value col, ShapedType type, bool transpose = false);

  /// The contents of `segments`, all alike, as integers or vectors of integers;
  /// elements outside are +0, or 1.0 where the window is one of scales. Packed
  /// elements are given as bytes of rows, or as elements of columns.
  SmallVector<Value> load(ArrayRef<Segment> segments);

  /// Writes `value` to a segment of one element, if that is inside.
  void store(const Segment &segment, Value value);

  /// Whether a segment of one element is inside.
  Value isInside(const Segment &segment);

private:
  /// How a segment is loaded piece by piece: positions of `bits`, of which
  /// `length` fill `words` 4-byte words.
  struct Round {
    int64_t bits, length, words;
  };
  Round getRound(const Segment &segment) const;
  bool isColumnOfCodes(const Segment &segment) const;

  Value getOffset(const Segment &segment);
  Value isInsideRows(const Segment &segment);
  Value isInsideCols(const Segment &segment);
  Value selectOffset(Value inside, const Segment &segment);
  Value buildWideCondition();
  Value buildLoad(Type type, Value offset);
  Value loadWide(const Segment &segment);
  Value loadPieces(const Segment &segment);
  Value loadUnit(const Segment &segment);
  Value clearPadding(const Segment &segment, Value byte);
  Value loadCode(const Segment &segment);
  SmallVector<Value> loadInRounds(ArrayRef<Segment> segments);

  ImplicitLocOpBuilder &b;
  SmallVector<int64_t, 2> shape; // in elements
  int64_t bits, unitBytes;       // of an element, of a position in a row
  bool isPacked, fillsOne, checksRows;
  Value pitchBytes, base; // i64, !llvm.ptr
  Value rowsLeft, colsLeft, unitsLeft, pitchBytes32, resource;
};

/// A tile of a matrix of scales that is stored in a layout of tiles.
class ScaleWindow {
public:
  /// The window that starts at (`row`, `col`), outer block and block of K.
  ScaleWindow(ImplicitLocOpBuilder &b, const GlobalValues &global, Value row,
              Value col, GlobalType type);

  /// As of GlobalWindow; the padding of the layout is outside.
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

/// A tile in shared memory: a workgroup attribution of bytes and its layout.
class SharedTile {
public:
  SharedTile(ImplicitLocOpBuilder &b, BufType type, Value memref);

  /// Bytes of `type` in shared memory.
  static int64_t getBytes(BufType type);

  /// The contents of `segment`, part of a row, as an integer or a vector of
  /// integers. `alignment` in bytes is known of its address.
  Value load(const Segment &segment, int64_t alignment);
  void store(const Segment &segment, Value value, int64_t alignment);

private:
  Value getAddress(const Segment &segment, int64_t byte);
  Value loadAccess(Value address, int64_t bytes);
  void storeAccess(Value address, Value value, int64_t bytes);
  void storeColumn(const Segment &segment, Value value);

  ImplicitLocOpBuilder &b;
  BufType type;
  int64_t unitBytes;
  Value memref;
};

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// Reports tile ops in `module` that cannot be lowered, each at its location.
LogicalResult checkTileOps(gpu::GPUModuleOp module);

/// Whether lpgemm.promote takes scales of this type.
bool isDecodableScale(Type type);

/// The f32 value of a narrow float (C-10).
Value decodeElement(ImplicitLocOpBuilder &b, Value element);

void populateCastPattern(const TypeConverter &converter,
                         RewritePatternSet &patterns);
void populateElementPatterns(const TypeConverter &converter,
                             RewritePatternSet &patterns);
void populatePromotePattern(const TypeConverter &converter,
                            RewritePatternSet &patterns);
void populateMemoryPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns);
void populateRegisterPatterns(const TypeConverter &converter,
                              RewritePatternSet &patterns);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_CONVERSION_LPGEMMTOAMDGPU_LOWERING_H
