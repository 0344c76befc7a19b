//===- TileLowering.h - what tiles become on every machine ------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_CONVERSION_TILELOWERING_H
#define LPGEMM_CONVERSION_TILELOWERING_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Target/MmaInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir {
class RewritePatternSet;
class TypeConverter;
} // namespace mlir

namespace mlir::lpgemm {

//===----------------------------------------------------------------------===//
// Arithmetic on i32 values
//===----------------------------------------------------------------------===//

Value constantI32(ImplicitLocOpBuilder &b, int64_t value);
Value addI32(ImplicitLocOpBuilder &b, Value lhs, Value rhs);
Value mulI32(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs);
Value divI32(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs);
Value remI32(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs);
Value indexToI32(ImplicitLocOpBuilder &b, Value index);

Value constantI64(ImplicitLocOpBuilder &b, int64_t value);
Value indexToI64(ImplicitLocOpBuilder &b, Value index);

/// Integer arithmetic on i32 values and constants.
struct BitOps {
  Value and_(Value x, uint32_t mask) {
    return b.createOrFold<arith::AndIOp>(x, constantI32(b, mask));
  }
  Value and_(Value x, Value y) { return arith::AndIOp::create(b, x, y); }
  Value or_(Value x, Value y) { return b.createOrFold<arith::OrIOp>(x, y); }
  Value or_(Value x, uint32_t mask) { return or_(x, constantI32(b, mask)); }
  Value xor_(Value x, uint32_t mask) {
    return b.createOrFold<arith::XOrIOp>(x, constantI32(b, mask));
  }
  Value not_(Value x) { return xor_(x, 0xFFFFFFFF); }
  Value add(Value x, uint32_t y) { return addI32(b, x, constantI32(b, y)); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, x, y); }
  Value shl(Value x, int64_t by) {
    return b.createOrFold<arith::ShLIOp>(x, constantI32(b, by));
  }
  Value shr(Value x, int64_t by) {
    return b.createOrFold<arith::ShRUIOp>(x, constantI32(b, by));
  }

  ImplicitLocOpBuilder &b;
};

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

  /// Elements of one segment: those that are neighbours in a row.
  int64_t getSegmentLength() const {
    return layout->vectorDim == 0 ? 1 : layout->chunkLen;
  }
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

/// Fails with an error at `op` unless the tile called `name` has the lanes of
/// `instr` in `role`.
LogicalResult checkLanes(Operation *op, StringRef name, FragType type,
                         MmaInstr instr, MmaRole role);

/// The same for all operands of ops on the results of an instruction; scales
/// are to be of types that can be decoded.
LogicalResult checkOperandLanes(PromoteOp op);
LogicalResult checkOperandLanes(ApplyOp op);

/// Fails unless the part starts with an atom, in the lanes of the whole.
LogicalResult checkSlice(SliceOp op);

/// One vector of the elements of `parts`, vectors of one element type.
Value joinVectors(ImplicitLocOpBuilder &b, ArrayRef<Value> parts);

/// Elements [start, start + count) of a vector. By vector.shuffle, as
/// vector.extract_strided_slice has no way to LLVM in upstream's GPU pipelines.
Value sliceVector(ImplicitLocOpBuilder &b, Value vector, int64_t start,
                  int64_t count);

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

/// The byte of the scale 1.0 (OCP Microscaling Formats 1.0, E8M0: bias 127).
inline constexpr int64_t kScaleOne = 127;

/// What `!lpgemm.global` is converted to: !llvm.ptr, index, index, i64.
struct GlobalValues {
  explicit GlobalValues(ValueRange values);

  Value ptr, rows, cols, pitch;
};

/// How the segments of a tile are loaded from global memory: whole and aligned
/// ones at once, others piece by piece. What a load is, the machine says.
class WindowLoads {
public:
  virtual ~WindowLoads();

  /// The contents of `segments`, all alike, as integers or vectors of integers;
  /// elements outside are +0, or 1.0 where the window is one of scales. Packed
  /// elements are given as bytes of rows, or as elements of columns.
  SmallVector<Value> load(ArrayRef<Segment> segments);

protected:
  explicit WindowLoads(ImplicitLocOpBuilder &b) : b(b) {}

  /// How a segment is loaded piece by piece: positions of `bits`, of which
  /// `length` fill `words` 4-byte words.
  struct Round {
    Round(int64_t bits);

    int64_t bits, length, words;
  };
  virtual Round getRound(const Segment &segment) const = 0;
  /// Whether every segment, alike this one, can be loaded at once.
  virtual Value buildWideCondition(const Segment &segment) = 0;
  virtual Value loadWide(const Segment &segment) = 0;
  /// The segment piece by piece, whatever its length.
  virtual Value loadPieces(const Segment &segment) = 0;

  ImplicitLocOpBuilder &b;

private:
  SmallVector<Value> loadInRounds(ArrayRef<Segment> segments);
};

/// What an lpgemm.load reads: with `transpose` and `row_block` undone.
class LoadPlan {
public:
  LoadPlan(ImplicitLocOpBuilder &b, LoadOp op);

  /// Of the executing lane, from the start on.
  SmallVector<Segment> getSegments(ImplicitLocOpBuilder &b, Value lane);
  /// What the window covers, as a tensor.
  RankedTensorType getCoveredType() const;

  Value row, col;

private:
  Value getBlock(ImplicitLocOpBuilder &b, const RegisterTile &tile,
                 const Segment &segment);

  LoadOp op;
  /// Of the tile without `transpose`, whose rows are those of the source.
  SmallVector<int64_t, 2> shape;
  Value inBlock; // the start in a block of rows, i32
  /// So many rows, from each multiple of it on, are known to be in one block.
  int64_t sameBlock = 1;
};

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Offset in the tile `type` of the byte `byte` of a row, all i32.
Value buildTileOffset(ImplicitLocOpBuilder &b, BufType type, Value row,
                      Value byte);

/// A tile in shared memory and its layout. How bytes are accessed, the machine
/// says.
class SharedTile {
public:
  virtual ~SharedTile();

  /// The contents of `segment`, part of a row, as an integer or a vector of
  /// integers. `alignment` in bytes is known of its address.
  Value load(const Segment &segment, int64_t alignment);
  /// A piece of a copy. One of 16 bytes by one access, also where words of it
  /// are exchanged, which are neighbours all the same; what the layout may tear
  /// apart otherwise by accesses that it does not.
  Value loadPiece(const Segment &segment, const CopyPlan &plan);
  /// Of several segments, which are alike.
  void store(ArrayRef<Segment> segments, ValueRange values, int64_t alignment);

protected:
  SharedTile(ImplicitLocOpBuilder &b, BufType type);

  /// An i8, or a vector of so many, at an offset in the tile that is a multiple
  /// of `bytes`, a power of two.
  virtual Value loadBytes(Value offset, int64_t bytes) = 0;
  virtual void storeBytes(Value offset, Value value, int64_t bytes) = 0;

  ImplicitLocOpBuilder &b;

private:
  Value getOffset(const Segment &segment, int64_t byte);
  Value loadAccess(Value offset, int64_t bytes);
  void storeAccess(Value offset, Value value, int64_t bytes);
  void storeColumn(const Segment &segment, Value value);

  BufType type;
  int64_t unitBytes;
};

/// The part of one thread in the copy of a tile by the threads of a workgroup.
class TileCopy {
public:
  TileCopy(ImplicitLocOpBuilder &b, BufType type, bool transpose, Value thread,
           int64_t threads);

  const CopyPlan &getPlan() const { return plan; }
  SmallVector<Segment> getPieces();
  /// Builds what becomes of each piece, by its number and its place in the
  /// window, where the thread has such a piece.
  void forEachPiece(function_ref<void(int64_t, const Segment &)> build);
  /// Whether some threads have a piece that is beyond the tile.
  bool hasSpareThreads() const {
    return plan.piecesPerThread * threads > plan.numPieces;
  }
  /// The pieces from a window of a matrix, as lpgemm.fetch has them.
  template <typename Window>
  SmallVector<Value> load(Window &window) {
    return toPieces(window.load(getPieces()));
  }
  /// Stores such pieces.
  void store(SharedTile &shared, ArrayRef<Value> pieces);

private:
  SmallVector<Value> toPieces(SmallVector<Value> loaded);

  ImplicitLocOpBuilder &b;
  BufType type;
  bool transpose;
  Value thread;
  int64_t threads;
  CopyPlan plan;
};

/// The atoms of `op`, of one lane.
SmallVector<Value> readAtoms(ImplicitLocOpBuilder &b, ReadOp op,
                             SharedTile &shared, Value lane);

/// Fails unless the pieces are those of so many threads.
LogicalResult checkPieces(FetchOp op, int64_t threads);
LogicalResult checkPieces(PutOp op, int64_t threads);

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The bits of the code's value as a bf16, in an i32 (C-10). `code` is an i32
/// with zeros above the bits of `type`, a narrow float.
Value decodeCode(ImplicitLocOpBuilder &b, Value code, Type type);

/// Whether a chip has a conversion to an FP8 type: one with matrix instructions
/// for the type does.
bool isConvertedByChip(Operation *op, Type type);

/// The f32 value of a narrow float (C-10).
Value decodeElement(ImplicitLocOpBuilder &b, Value element);

/// The code of the FP8 type next to an f32, in the low bits of an i32 (C-1).
Value encodeElement(ImplicitLocOpBuilder &b, Value value, Type type,
                    bool nosat);

/// Whether lpgemm.promote takes scales of this type.
bool isDecodableScale(Type type);

/// The f32 value of a scale (S-4, S-5).
Value decodeScale(ImplicitLocOpBuilder &b, Value scale);

/// 2^exponent * unit: the value of a f8E8M0FNU scale, which f32 may not have
/// once it is multiplied with another one. The unit is 1 or NaN.
struct PowerOfTwo {
  Value exponent; // i32
  Value unit;     // f32
};
PowerOfTwo decodePowerOfTwo(ImplicitLocOpBuilder &b, Value scale);

Value constantF32(ImplicitLocOpBuilder &b, double value);

/// The bits of the magnitude of an f32, in an i32. As unsigned integers these
/// are in the order of the magnitudes, NaN above all.
Value buildMagnitude(ImplicitLocOpBuilder &b, Value value);

/// (G-14) The bits of a magnitude, where every NaN is 0x7FC00000.
Value canonicalizeNaN(ImplicitLocOpBuilder &b, Value magnitude);

/// Pattern of lpgemm.cast of tiles whose atoms are vectors.
void populateCastPattern(const TypeConverter &converter,
                         RewritePatternSet &patterns);

/// Patterns of lpgemm.bind and lpgemm.dim.
void populateGlobalPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns);

} // namespace mlir::lpgemm

#endif // LPGEMM_CONVERSION_TILELOWERING_H
