//===- Lowering.h - tiles in terms of values --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_CONVERSION_LPGEMMTOAMDGPU_LOWERING_H
#define LPGEMM_LIB_CONVERSION_LPGEMMTOAMDGPU_LOWERING_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
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

/// Bytes of an element.
int64_t getElementBytes(Type elementType);

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
/// the sum of a value and a constant, so that addresses share the value.
struct Segment {
  Value row, col; // i32
  int64_t rowConst, colConst;
  int64_t length;
  bool downColumn = false;

  /// The segment of `length` elements that starts at `element` of this one.
  Segment slice(int64_t element, int64_t length) const;
  /// The same elements in the transposed tile.
  Segment transposed() const;
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

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

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

  /// The contents of `segments` as integers or vectors of integers; elements
  /// outside are `fill`, +0 or 1.0.
  SmallVector<Value> load(ArrayRef<Segment> segments);

  /// Writes `value` to a segment of one element, if that is inside.
  void store(const Segment &segment, Value value);

private:
  Value getOffset(const Segment &segment);
  Value isInsideRows(const Segment &segment);
  Value isInsideCols(const Segment &segment);
  Value getCheckedOffset(const Segment &segment);
  Value buildWideCondition();
  Value loadWide(const Segment &segment);
  Value loadElements(const Segment &segment);
  Value loadElement(const Segment &segment);
  SmallVector<Value> loadByWords(ArrayRef<Segment> segments);

  ImplicitLocOpBuilder &b;
  SmallVector<int64_t, 2> shape;
  Type elementType;
  int64_t elementBytes;
  bool fillsOne, checksRows;
  Value pitchBytes, base; // i64, !llvm.ptr
  Value rowsLeft, colsLeft, pitchBytes32, resource;
};

/// A tile in shared memory: a workgroup attribution of bytes and its layout.
class SharedTile {
public:
  SharedTile(ImplicitLocOpBuilder &b, BufType type, Value memref);

  /// Bytes of `type` in shared memory.
  static int64_t getBytes(BufType type);

  /// The contents of `segment`, part of a row, as an integer or a vector of
  /// bytes. `alignment` in bytes is known of its address.
  Value load(const Segment &segment, int64_t alignment);
  void store(const Segment &segment, Value value, int64_t alignment);

private:
  Value getAddress(const Segment &segment);

  ImplicitLocOpBuilder &b;
  BufType type;
  Value memref;
};

/// How the threads of a workgroup share the copy of a tile: in pieces of the
/// rows of the window of the source, which is transposed to the tile or not.
struct CopyPlan {
  CopyPlan(BufType type, bool transpose, int64_t threads);

  int64_t pieceBytes, piecesPerRow, numPieces, piecesPerThread;
};

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// Reports tile ops in `module` that cannot be lowered, each at its location.
LogicalResult checkTileOps(gpu::GPUModuleOp module);

void populateMemoryPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns);
void populateRegisterPatterns(const TypeConverter &converter,
                              RewritePatternSet &patterns);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_CONVERSION_LPGEMMTOAMDGPU_LOWERING_H
