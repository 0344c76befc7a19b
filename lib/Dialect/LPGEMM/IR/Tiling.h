//===- Tiling.h - tiles of ops on tensors -----------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The bodies of TilingInterface. The loops of an op are the extents of its
// shape contract, in their order; what a tile needs of an operand follows from
// the expressions of its dimensions (docs/architecture.md).

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_IR_TILING_H
#define LPGEMM_LIB_DIALECT_LPGEMM_IR_TILING_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

using FoldResults = ArrayRef<OpFoldResult>;
using FoldResultLists = ArrayRef<SmallVector<OpFoldResult>>;

SmallVector<utils::IteratorType> getTilingIterators(ShapeContractInterface op);
SmallVector<Range> getTilingDomain(OpBuilder &b, ShapeContractInterface op);

/// The op on a tile. Errors name the extent and the nearest legal size.
FailureOr<TilingResult> tileOp(OpBuilder &b, ShapeContractInterface op,
                               FoldResults offsets, FoldResults sizes);
LogicalResult locateResultTile(OpBuilder &b, ShapeContractInterface op,
                               unsigned resultNumber, FoldResults offsets,
                               FoldResults sizes,
                               SmallVectorImpl<OpFoldResult> &resultOffsets,
                               SmallVectorImpl<OpFoldResult> &resultSizes);

/// The tile that gives a tile of a result, or that takes tiles of operands.
LogicalResult getTileOfResult(OpBuilder &b, ShapeContractInterface op,
                              unsigned resultNumber, FoldResults offsets,
                              FoldResults sizes,
                              SmallVectorImpl<OpFoldResult> &domainOffsets,
                              SmallVectorImpl<OpFoldResult> &domainSizes);
LogicalResult getTileOfOperands(OpBuilder &b, ShapeContractInterface op,
                                ArrayRef<unsigned> operandNumbers,
                                FoldResultLists offsets, FoldResultLists sizes,
                                SmallVectorImpl<OpFoldResult> &domainOffsets,
                                SmallVectorImpl<OpFoldResult> &domainSizes);
FailureOr<TilingResult> tileOpForResult(OpBuilder &b, ShapeContractInterface op,
                                        unsigned resultNumber,
                                        FoldResults offsets, FoldResults sizes);
FailureOr<TilingResult> tileOpForOperands(OpBuilder &b,
                                          ShapeContractInterface op,
                                          ArrayRef<unsigned> operandNumbers,
                                          FoldResultLists offsets,
                                          FoldResultLists sizes);

/// Checks that the operands can be cut where the tile begins and ends.
LogicalResult verifyTileUnits(ShapeContractInterface op, FoldResults offsets,
                              FoldResults sizes);
/// The op on a tile that was checked, with `operands` in place of its own.
TilingResult createTile(OpBuilder &b, ShapeContractInterface op,
                        ValueRange operands, FoldResults offsets,
                        FoldResults sizes);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_IR_TILING_H
