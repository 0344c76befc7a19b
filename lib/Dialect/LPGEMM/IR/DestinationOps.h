//===- DestinationOps.h - ops that write their last operands ----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the ops on tensors and memrefs share: effects and bufferization.

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_IR_DESTINATIONOPS_H
#define LPGEMM_LIB_DIALECT_LPGEMM_IR_DESTINATIONOPS_H

#include "Tiling.h"

namespace mlir::lpgemm {

/// The last operands of `op`, one for each destination; none for globals, which
/// the interface does not know.
MutableOperandRange getDestinations(Operation *op, unsigned numDestinations);

/// Reads of the shaped operands and writes of the last `numDestinations`, which
/// are read as well if `readsDestinations`.
void getDestinationEffects(
    Operation *op, unsigned numDestinations, bool readsDestinations,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects);

/// Shapes of the results: those of the destinations.
LogicalResult
reifyDestinationShapes(OpBuilder &b, DestinationStyleOpInterface op,
                       ReifiedRankedShapedTypeDims &reifiedReturnShapes);

/// (C25) Whether an element of `operand`, which is one of a product, is read
/// for the result at the same position alone, and before that is written.
bool isReadWhereWritten(OpOperand &operand);

/// Whether the op reads an element of `operands` only for the one that it
/// writes at the same position.
bool accessesElementwise(DestinationStyleOpInterface op,
                         ArrayRef<OpOperand *> operands);

/// The result that a destination becomes.
bufferization::AliasingValueList
getDestinationAliases(DestinationStyleOpInterface op, OpOperand &operand);

/// Puts the op on memrefs in the place of `op`.
LogicalResult
bufferizeDestinationOp(RewriterBase &rewriter, DestinationStyleOpInterface op,
                       const bufferization::BufferizationOptions &options,
                       bufferization::BufferizationState &state);

/// What messages call the operands, one name for each: `segments[i]` for each
/// operand of segment i.
SmallVector<StringRef> getSegmentNames(Operation *op,
                                       ArrayRef<StringLiteral> segments);

/// Each of `required` names one operand. Sizes of segments are checked for
/// optional operands only.
LogicalResult verifyRequiredOperands(Operation *op, ArrayRef<StringRef> names,
                                     ArrayRef<StringRef> required);

/// Adds the dimensions of `matrix` in front of its last two as extents.
SmallVector<AffineExpr> addBatchExtents(ShapeContract &contract, Value matrix,
                                        StringRef name);

/// "tensor, row, 1xG, GxG or mx": the kinds of scale that elements of this type
/// of at most 8 bits may have. `vectorKinds`: which of row and column.
std::string describeScaleKinds(Type elementType,
                               ArrayRef<ScaleKind> vectorKinds);

/// (C1), (C11) One form for all shaped operands, and no memory that a lowering
/// would have to drop. `names[i]` is what messages call operand i.
LogicalResult verifyOperandForms(Operation *op, ArrayRef<StringRef> names);

/// (C25) No destination in memory is another operand too, but one that is read
/// where it is written. `names[i]` is what messages call operand i.
LogicalResult verifyDestinationMemory(Operation *op, ArrayRef<StringRef> names,
                                      unsigned numDestinations);

/// (C10) A result of its type for each tensor destination, otherwise none.
LogicalResult verifyDestinationResults(Operation *op,
                                       ArrayRef<StringRef> names);

/// (C21) `rule` gives scales of type `scaleType`.
LogicalResult verifyScaleRule(Operation *op, Type scaleType,
                              ScaleRuleMode rule);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_IR_DESTINATIONOPS_H
