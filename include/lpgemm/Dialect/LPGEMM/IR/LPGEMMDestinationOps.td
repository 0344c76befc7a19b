//===- LPGEMMDestinationOps.td - ops that write operands ---*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMDESTINATIONOPS_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMDESTINATIONOPS_TD

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMInterfaces.td"
include "lpgemm/Dialect/LPGEMM/IR/LPGEMMTypes.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

def LPGEMM_MatrixOperand
    : AnyTypeOf<[AnyRankedTensor, AnyMemRef, LPGEMM_GlobalType],
                "tensor, memref or global matrix">;

class LPGEMM_Op<string mnemonic, list<Trait> traits = []>
    : Op<LPGEMM_Dialect, mnemonic, traits>;

/// An op on tensors or memrefs that writes its last operands.
class LPGEMM_DestinationOp<string mnemonic, list<Trait> traits = []>
    : LPGEMM_Op<mnemonic, !listconcat(traits, [
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<BufferizableOpInterface,
      ["bufferizesToMemoryRead", "bufferizesToMemoryWrite",
       "bufferizesToElementwiseAccess", "getAliasingValues", "bufferize"]>,
    DeclareOpInterfaceMethods<LPGEMM_ShapeContractInterface>])> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;
  code destinationDeclarations = [{
    /// The destinations; none for globals, which the interface does not know.
    ::mlir::MutableOperandRange getDpsInitsMutable();
    /// How many of the last operands are destinations.
    unsigned getNumDestinations();
    /// Whether what the destinations held before reaches the results.
    bool readsDestinations();
  }];
  let extraClassDeclaration = destinationDeclarations;
  code destinationDefinitions = [{
    ::mlir::MutableOperandRange $cppClass::getDpsInitsMutable() {
      return getDestinations(*this, getNumDestinations());
    }
    void $cppClass::getEffects(::llvm::SmallVectorImpl<
        ::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>>
            &effects) {
      getDestinationEffects(*this, getNumDestinations(), readsDestinations(),
                            effects);
    }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &b,
        ::mlir::ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
      return reifyDestinationShapes(b, *this, reifiedReturnShapes);
    }
    bool $cppClass::bufferizesToMemoryRead(
        ::mlir::OpOperand &operand,
        const ::mlir::bufferization::AnalysisState &) {
      return !isDpsInit(&operand) || readsDestinations();
    }
    bool $cppClass::bufferizesToMemoryWrite(
        ::mlir::OpOperand &operand,
        const ::mlir::bufferization::AnalysisState &) {
      return isDpsInit(&operand);
    }
    bool $cppClass::bufferizesToElementwiseAccess(
        const ::mlir::bufferization::AnalysisState &,
        ::llvm::ArrayRef<::mlir::OpOperand *> operands) {
      return accessesElementwise(*this, operands);
    }
    ::mlir::bufferization::AliasingValueList $cppClass::getAliasingValues(
        ::mlir::OpOperand &operand,
        const ::mlir::bufferization::AnalysisState &) {
      return getDestinationAliases(*this, operand);
    }
    ::llvm::LogicalResult $cppClass::bufferize(
        ::mlir::RewriterBase &rewriter,
        const ::mlir::bufferization::BufferizationOptions &options,
        ::mlir::bufferization::BufferizationState &state) {
      return bufferizeDestinationOp(rewriter, *this, options, state);
    }
  }];
  let extraClassDefinition = destinationDefinitions;
}

/// One whose tensor form is tiled along the extents of its shape contract.
class LPGEMM_TileableOp<string mnemonic, list<Trait> traits = []>
    : LPGEMM_DestinationOp<mnemonic, !listconcat(traits, [
    DeclareOpInterfaceMethods<TilingInterface,
      ["getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
       "getResultTilePosition", "generateResultTileValue",
       "getIterationDomainTileFromResultTile",
       "getTiledImplementationFromOperandTiles",
       "getIterationDomainTileFromOperandTiles"]>])> {
  let extraClassDefinition = destinationDefinitions # [{
    ::llvm::SmallVector<::mlir::utils::IteratorType>
    $cppClass::getLoopIteratorTypes() {
      return getTilingIterators(*this);
    }
    ::llvm::SmallVector<::mlir::Range>
    $cppClass::getIterationDomain(::mlir::OpBuilder &b) {
      return getTilingDomain(b, *this);
    }
    ::mlir::FailureOr<::mlir::TilingResult> $cppClass::getTiledImplementation(
        ::mlir::OpBuilder &b, ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return tileOp(b, *this, offsets, sizes);
    }
    ::llvm::LogicalResult $cppClass::getResultTilePosition(
        ::mlir::OpBuilder &b, unsigned resultNumber,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes,
        ::llvm::SmallVector<::mlir::OpFoldResult> &resultOffsets,
        ::llvm::SmallVector<::mlir::OpFoldResult> &resultSizes) {
      return locateResultTile(b, *this, resultNumber, offsets, sizes,
                              resultOffsets, resultSizes);
    }
    ::mlir::FailureOr<::mlir::TilingResult> $cppClass::generateResultTileValue(
        ::mlir::OpBuilder &b, unsigned resultNumber,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes) {
      return tileOpForResult(b, *this, resultNumber, offsets, sizes);
    }
    ::llvm::LogicalResult $cppClass::getIterationDomainTileFromResultTile(
        ::mlir::OpBuilder &b, unsigned resultNumber,
        ::llvm::ArrayRef<::mlir::OpFoldResult> offsets,
        ::llvm::ArrayRef<::mlir::OpFoldResult> sizes,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &iterDomainOffsets,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &iterDomainSizes) {
      return getTileOfResult(b, *this, resultNumber, offsets, sizes,
                             iterDomainOffsets, iterDomainSizes);
    }
    ::mlir::FailureOr<::mlir::TilingResult>
    $cppClass::getTiledImplementationFromOperandTiles(
        ::mlir::OpBuilder &b, ::llvm::ArrayRef<unsigned> operandNumbers,
        ::llvm::ArrayRef<::llvm::SmallVector<::mlir::OpFoldResult>> allOffsets,
        ::llvm::ArrayRef<::llvm::SmallVector<::mlir::OpFoldResult>> allSizes) {
      return tileOpForOperands(b, *this, operandNumbers, allOffsets, allSizes);
    }
    ::llvm::LogicalResult $cppClass::getIterationDomainTileFromOperandTiles(
        ::mlir::OpBuilder &b, ::llvm::ArrayRef<unsigned> operandNumbers,
        ::llvm::ArrayRef<::llvm::SmallVector<::mlir::OpFoldResult>> allOffsets,
        ::llvm::ArrayRef<::llvm::SmallVector<::mlir::OpFoldResult>> allSizes,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &iterDomainOffsets,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &iterDomainSizes) {
      return getTileOfOperands(b, *this, operandNumbers, allOffsets, allSizes,
                               iterDomainOffsets, iterDomainSizes);
    }
  }];
}

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMDESTINATIONOPS_TD
