//===- ColumnLoop.h - loops over columns of a register tile -----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_CONVERSION_LPGEMMTONVVM_COLUMNLOOP_H
#define LPGEMM_LIB_CONVERSION_LPGEMMTONVVM_COLUMNLOOP_H

#include "lpgemm/Conversion/TileLowering.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::lpgemm::nvvm {

/// A loop over the columns of a register tile: one piece of code, instead of
/// one for each of hundreds of registers. As these have no index, columns of
/// atoms take turns to be the first ones.
class ColumnLoop {
public:
  /// An iteration has some columns of atoms, of which a lane has at most so
  /// many elements if a single one has no more: ptxas needs registers for all
  /// of them, besides the rest of the tile.
  explicit ColumnLoop(const RegisterTile &tile, int64_t maxElements = 16);

  int64_t getNumIterations() const { return cols / colsAtOnce; }
  /// Columns in an iteration.
  int64_t getColsAtOnce() const { return colsAtOnce; }
  /// The numbers of the registers that the first iteration has.
  ArrayRef<size_t> getFirst() const {
    return ArrayRef(order).take_front(order.size() / getNumIterations());
  }

  /// `body` gets the first column of an iteration, an i32, and its registers in
  /// the order of a tile of so many columns, and gives as many of the result.
  using Body = function_ref<SmallVector<Value>(Value col, ValueRange part)>;
  /// The registers of the result.
  SmallVector<Value> build(ImplicitLocOpBuilder &b, ValueRange tile,
                           Body body) const;

private:
  int64_t cols, colsAtOnce;
  /// The registers of one iteration after the other.
  SmallVector<size_t> order;
};

/// Which elements of vectors along the rows and columns of a tile go with one
/// of its registers.
class RegisterPosition {
public:
  RegisterPosition(FragType type, int64_t number)
      : info(getMmaInfo(type.getLanes().getInstr())) {
    RegisterTile tile(type);
    int64_t perAtom = tile.getLayout().numElements();
    int64_t atom = number / perAtom;
    e = number % perAtom;
    m = atom / tile.getGridCols();
    n = atom % tile.getGridCols();
  }

  Value getRow(ValueRange rows) const {
    return rows[m * info.result.row.numElements() + info.getRowElement(e)];
  }
  Value getCol(ValueRange cols) const {
    return cols[n * info.result.col.numElements() + info.getColElement(e)];
  }

private:
  const MmaInfo &info;
  int64_t m, n, e;
};

/// Which lpgemm.apply go through their tiles by parts, some columns at a time.
/// What only such an op takes is loaded there, by parts, too.
class ApplyPlan {
public:
  explicit ApplyPlan(gpu::GPUModuleOp module);

  bool isByParts(ApplyOp op) const { return parted.contains(op); }
  bool isByParts(LoadOp op) const { return sources.contains(op); }
  /// What the matrix of a load by parts is converted to: known as soon as the
  /// load is converted.
  void setSource(LoadOp op, ValueRange values) {
    sources[op] = llvm::to_vector(values);
  }
  GlobalValues getSource(LoadOp op) const {
    return GlobalValues(sources.find(op)->second);
  }

private:
  DenseSet<Operation *> parted;
  DenseMap<Operation *, SmallVector<Value>> sources;
};

/// Patterns of lpgemm.apply and of loads by parts.
void populateApplyPatterns(const TypeConverter &converter,
                           RewritePatternSet &patterns, ApplyPlan &plan);

/// Part of what `op` loads for an lpgemm.apply: a tile of this type from a
/// column on, an i32. What is outside of the matrix has some value, as nobody
/// stores what comes of it.
SmallVector<Value> loadColumns(ImplicitLocOpBuilder &b, LoadOp op,
                               const GlobalValues &global, FragType type,
                               Value firstCol);

} // namespace mlir::lpgemm::nvvm

#endif // LPGEMM_LIB_CONVERSION_LPGEMMTONVVM_COLUMNLOOP_H
