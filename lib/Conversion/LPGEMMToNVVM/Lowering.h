//===- Lowering.h - tiles in terms of NVVM ----------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_CONVERSION_LPGEMMTONVVM_LOWERING_H
#define LPGEMM_LIB_CONVERSION_LPGEMMTONVVM_LOWERING_H

#include "lpgemm/Conversion/TileLowering.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::lpgemm::nvvm {

//===----------------------------------------------------------------------===//
// The kernel around an op
//===----------------------------------------------------------------------===//

/// A warpgroup, which is what a wave is here.
inline constexpr int64_t kWaveThreads = 128, kWaveWarps = 4, kWarpThreads = 32;

/// The waves that execute an op.
struct RoleInfo {
  int64_t index, firstWave, waves;

  int64_t getFirstWarp() const { return firstWave * kWaveWarps; }
  int64_t getFirstThread() const { return firstWave * kWaveThreads; }
  int64_t getNumThreads() const { return waves * kWaveThreads; }
};

/// Workgroups of a cluster along M, N and K, from the kernel's schedule.
struct ClusterShape {
  explicit ClusterShape(Operation *op);

  int64_t m = 1, n = 1, k = 1;
  int64_t getSize() const { return m * n * k; }
};

/// Where the chunks of a staged store come among those that a warp stores from
/// one tile of the result to the next, each a bulk group of its own.
struct ChunkSequence {
  int64_t first = 0;
  /// Of all stores of a tile; 0: not the same for all tiles.
  int64_t total = 0;
};

/// What an op becomes depends on ops around it. Found before any of them is
/// converted.
class TilePlan {
public:
  explicit TilePlan(gpu::GPUModuleOp module);

  const RoleInfo &getRole(Operation *op) const {
    return roles.find(op)->second;
  }
  bool isElected(Operation *op) const { return elected.contains(op); }
  /// Rows of each slot of a buffer that copies write; the others are read by
  /// matrix instructions only, whose results for them nobody stores.
  int64_t getCopiedRows(AllocOp op) const;
  /// Bytes that the copy engine moves to the slot that `op` commits.
  int64_t getAnnouncedBytes(PipeCommitOp op) const {
    return announcedBytes.lookup(op);
  }
  /// Whether a matrix instruction reads what threads copied to that slot.
  bool isReadByMma(PipeCommitOp op) const { return readByMma.contains(op); }
  /// Warps of one workgroup that release the slots of a pipe.
  int64_t getReleasingWarps(PipeOp op) const {
    return releasingWarps.lookup(op);
  }
  /// Arrivals of these in their workgroup: of each lane where the role reads,
  /// else of one for its warp.
  int64_t getLocalArrivals(PipeOp op) const { return localArrivals.lookup(op); }
  /// Whether all workgroups of the cluster fill and empty the slots.
  bool isOfCluster(PipeReleaseOp op) const { return ofCluster.contains(op); }
  /// Whether lanes read tiles of the role's slots to registers.
  bool hasReads(Operation *op) const { return reading.contains(op); }
  ChunkSequence getChunks(Operation *stagedStore) const {
    return chunks.lookup(stagedStore);
  }
  bool hasStagedStores(RolesOp op, unsigned role) const {
    return staging.contains({op, role});
  }

  /// Whether a vector along the rows of a tile is loaded in front of the K
  /// loop, which hides how long that takes.
  bool isLoadedAhead(LoadOp op) const { return ahead.contains(op); }

  /// Number of the executing warp in its workgroup, the same in all its lanes;
  /// known once the roles of the kernel are converted.
  Value getWarp(Operation *op) const {
    return warps.lookup(op->getParentOfType<gpu::GPUFuncOp>());
  }
  void setWarp(Operation *op, Value warp) {
    warps[op->getParentOfType<gpu::GPUFuncOp>()] = warp;
  }

private:
  void visitRole(RolesOp op, unsigned role);
  void visitCommit(PipeCommitOp op);
  void visitCopy(PipeCopyOp op);
  void visitStagedStores(ArrayRef<StagedStoreOp> ops);
  void visitLoads(gpu::GPUFuncOp func);

  DenseMap<Operation *, RoleInfo> roles;
  DenseSet<Operation *> ahead, elected, readByMma, ofCluster, reading;
  DenseSet<std::pair<Operation *, unsigned>> staging;
  DenseMap<Operation *, int64_t> announcedBytes, releasingWarps, localArrivals,
      copiedRows;
  DenseMap<Operation *, Value> warps;
  DenseMap<Operation *, ChunkSequence> chunks;
};

/// The copies to the slot that `op` commits, since its acquire.
SmallVector<PipeCopyOp> getCopies(PipeCommitOp op);

/// Threads of the workgroup of the kernel around `op`, all along x.
int64_t getWorkgroupSize(Operation *op);

/// Number of the executing thread in its workgroup, in the wave that holds a
/// tile of this type, and in its warp.
Value buildThread(ImplicitLocOpBuilder &b);
Value buildThreadOfWave(ImplicitLocOpBuilder &b, FragType type);
Value buildLane(ImplicitLocOpBuilder &b);
/// That of the executing warp; the same in all its lanes, and known to be.
Value buildUniformWarp(ImplicitLocOpBuilder &b);

Value isEqual(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs);
Value i32ToIndex(ImplicitLocOpBuilder &b, Value value);

/// As early in `block` as `values` are known.
void setInsertionPointBehind(ImplicitLocOpBuilder &b, Block *block,
                             ArrayRef<Value> values);

/// As early in its block as the position of `op` is known.
void setInsertionPointAhead(ImplicitLocOpBuilder &b, RewriterBase &rewriter,
                            LoadOp op);

/// Executes `build` where `condition` holds.
void buildIf(ImplicitLocOpBuilder &b, Value condition,
             function_ref<void()> build);

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The name of the dynamic shared memory of the kernels of a module.
inline constexpr StringLiteral kSharedName = "lpgemm_shared";

/// A buffer or a part of one is an offset in shared memory, an i32.
Value buildSharedPtr(ImplicitLocOpBuilder &b, Value offset);
/// The address of an offset as an i32.
Value buildSharedAddress(ImplicitLocOpBuilder &b, Value offset);
/// Of a tile, or of one slot of a buffer of several.
int64_t getTileBytes(BufType type);

/// A tile at an offset of the shared memory.
class TileAtOffset : public SharedTile {
public:
  TileAtOffset(ImplicitLocOpBuilder &b, BufType type, Value offset)
      : SharedTile(b, type), start(offset) {}

private:
  Value loadBytes(Value offset, int64_t bytes) override;
  void storeBytes(Value offset, Value value, int64_t bytes) override;

  Value start;
};

/// Reads an operand of a warp: atom after atom, in matrices of 8 rows of 16
/// bytes where its layout has them.
SmallVector<Value> readOperand(ImplicitLocOpBuilder &b, ReadOp op,
                               Value offset);

/// The mbarriers of a slot.
Value buildFullBarrier(ImplicitLocOpBuilder &b, Value pipe, Value slot);
Value buildEmptyBarrier(ImplicitLocOpBuilder &b, PipeType type, Value pipe,
                        Value slot);

/// Orders what this thread wrote to shared memory before what the copy engine
/// and matrix instructions do.
void buildProxyFence(ImplicitLocOpBuilder &b);
/// What warps of one role wait for.
void buildRoleBarrier(ImplicitLocOpBuilder &b, const RoleInfo &role);

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

/// A tile of a matrix in global memory, cut at the extents of the matrix.
/// Positions are index values.
class GlobalTile {
public:
  GlobalTile(ImplicitLocOpBuilder &b, const GlobalValues &global,
             GlobalType type);

  Value isInside(Value row, Value col);
  /// Address of an element. 64 bits: the offset may not fit 32.
  Value getAddress(Value row, Value col);
  /// Address of the element that is `count` behind one of the same row.
  Value getBehind(Value address, int64_t count);
  /// The bits of an element; outside, where nothing is read, those of the fill
  /// value. Without branches.
  Value load(Value row, Value col);
  /// The same, but outside the bits of some element, for values that nobody
  /// uses: nothing waits for the load.
  Value loadNearest(Value row, Value col);
  /// The same by a branch: for a matrix that may have no elements, or that is
  /// written, too.
  Value loadIfInside(Value row, Value col);
  /// What `build` loads, but fill values of a matrix that has no elements: one
  /// branch for all of them.
  SmallVector<Value> ifNotEmpty(function_ref<SmallVector<Value>()> build);

  int64_t getUnitBytes() const { return unitBytes; }
  Type getBitsType() { return b.getIntegerType(8 * unitBytes); }

private:
  Value getFill();

  ImplicitLocOpBuilder &b;
  GlobalValues global;
  Type elementType;
  int64_t unitBytes;
};

/// A tile of an operand in global memory. Positions in it are i32.
class OperandWindow : public WindowLoads {
public:
  /// The window that the tile `covered` has from (`row`, `col`) on, given as
  /// index values: with `transpose` as many columns as the tile has rows.
  OperandWindow(ImplicitLocOpBuilder &b, const GlobalValues &global, Value row,
                Value col, ShapedType covered, bool transpose);

  SmallVector<Value> load(ArrayRef<Segment> segments);
  /// Whether base and pitch are multiples of so many bytes.
  Value isAligned(int64_t bytes);
  /// The address of a segment along a row, and how many of its bytes are
  /// inside; an address in the matrix or its base if none are.
  std::pair<Value, Value> getInside(const Segment &segment);

private:
  Round getRound(const Segment &segment) const override;
  Value buildWideCondition(const Segment &segment) override;
  Value loadWide(const Segment &segment) override;
  Value loadPieces(const Segment &segment) override;
  Value getRow(const Segment &segment);
  Value getCol(const Segment &segment);

  GlobalValues global;
  GlobalTile source;
  Value row, col;
  int64_t cols; // of the window
};

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// Whether a tile is A or B of an instruction that takes them in registers:
/// then it is converted to a vector for each atom.
bool isOperand(FragType type);
/// Number of registers of a lane for any other tile, which is converted to so
/// many elements, atom after atom.
int64_t getNumElements(FragType type);

/// Makes calls of libdevice that one instruction does that instruction: a
/// module that calls none needs no library.
void inlineLibraryCalls(gpu::GPUModuleOp module);

/// Puts what makes the elements of a result behind the wait for their sums in
/// front of the stores that need it, which take them in parts.
void sinkToStores(gpu::GPUModuleOp module);

/// Reports tile ops in `module` that cannot be lowered, each at its location.
LogicalResult checkPipeOps(gpu::GPUModuleOp module);

void populateColumnLoadPattern(const TypeConverter &converter,
                               RewritePatternSet &patterns);
void populateCopyPatterns(const TypeConverter &converter,
                          RewritePatternSet &patterns, TilePlan &plan);
void populateExchangePatterns(const TypeConverter &converter,
                              RewritePatternSet &patterns, TilePlan &plan);
void populateMemoryPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns, TilePlan &plan);
void populateMmaPatterns(const TypeConverter &converter,
                         RewritePatternSet &patterns);
void populatePipePatterns(const TypeConverter &converter,
                          RewritePatternSet &patterns, TilePlan &plan);
void populateRegisterPatterns(const TypeConverter &converter,
                              RewritePatternSet &patterns);
void populateRolePatterns(const TypeConverter &converter,
                          RewritePatternSet &patterns, TilePlan &plan);
/// Patterns of what kernels without roles have.
void populateWarpPatterns(const TypeConverter &converter,
                          RewritePatternSet &patterns);
void populateStagedStorePattern(const TypeConverter &converter,
                                RewritePatternSet &patterns, TilePlan &plan);

} // namespace mlir::lpgemm::nvvm

#endif // LPGEMM_LIB_CONVERSION_LPGEMMTONVVM_LOWERING_H
