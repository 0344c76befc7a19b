//===- RegisterPatterns.cpp - patterns of ops on registers ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

struct SplatPattern : OpConversionPattern<SplatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RegisterTile tile(op.getType());
    Value atom = adaptor.getValue();
    if (ScaleWords::areIn(op.getType())) {
      SmallVector<Value> atoms(tile.getNumAtoms(), atom);
      rewriter.replaceOpWithMultiple(op,
                                     {ScaleWords(op.getType()).pack(b, atoms)});
      return success();
    }
    // As integers: not every float type can be broadcast on the way to LLVM.
    if (auto type = dyn_cast<VectorType>(tile.getAtomType())) {
      IntegerType bits =
          b.getIntegerType(type.getElementType().getIntOrFloatBitWidth());
      Value integer = b.createOrFold<arith::BitcastOp>(bits, atom);
      Value splat =
          vector::BroadcastOp::create(b, type.clone(Type(bits)), integer);
      atom = vector::BitCastOp::create(b, type, splat);
    }
    SmallVector<Value> atoms(tile.getNumAtoms(), atom);
    rewriter.replaceOpWithMultiple(op, {atoms});
    return success();
  }
};

struct SlicePattern : OpConversionPattern<SliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SliceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RegisterTile source(op.getSource().getType()), result(op.getType());
    int64_t first = op.getCol() / source.getLayout().cols;
    int64_t firstRow = op.getRow() / source.getLayout().rows;
    SmallVector<Value> atoms;
    if (ScaleWords::areIn(op.getType())) {
      ImplicitLocOpBuilder b(op.getLoc(), rewriter);
      ScaleWords words(op.getSource().getType());
      for (int64_t i = 0; i != result.getGridRows(); ++i)
        for (int64_t j = 0; j != result.getGridCols(); ++j)
          atoms.push_back(
              words.extract(b, adaptor.getSource(), firstRow + i, first + j));
      rewriter.replaceOpWithMultiple(op,
                                     {ScaleWords(op.getType()).pack(b, atoms)});
      return success();
    }
    for (int64_t i = 0; i != result.getGridRows(); ++i)
      llvm::append_range(atoms,
                         adaptor.getSource().slice(
                             (firstRow + i) * source.getGridCols() + first,
                             result.getGridCols()));
    rewriter.replaceOpWithMultiple(op, {atoms});
    return success();
  }
};

struct MmaPattern : OpConversionPattern<MmaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MmaOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RegisterTile a(op.getA().getType()), acc(op.getType());
    SmallVector<Value> sums = llvm::to_vector(adaptor.getAcc());
    int64_t atomsK = a.getGridCols();
    // Sums of most of the registers leave no room for what LLVM would bring
    // forward: each K step stays behind the one before.
    bool inOrder = acc.getNumAtoms() * acc.getLayout().numElements() > 128;
    for (int64_t k = 0; k != atomsK; ++k) {
      if (inOrder)
        ROCDL::SchedBarrier::create(rewriter, op.getLoc(), /*mask=*/0);
      for (int64_t m = 0; m != acc.getGridRows(); ++m)
        for (int64_t n = 0; n != acc.getGridCols(); ++n) {
          Value &sum = sums[m * acc.getGridCols() + n];
          sum = buildAtom(rewriter, op, adaptor, m, n, k, atomsK, sum);
        }
    }
    rewriter.replaceOpWithMultiple(op, {sums});
    return success();
  }

  /// The product of two atoms: of row `m` of them in a, and `n` in b, each of
  /// which has `atomsK`. The rows of the instruction's result are those of b:
  /// the layouts of accumulators have it so (MmaInfo.cpp).
  static Value buildAtom(OpBuilder &b, MmaOp op, OneToNOpAdaptor adaptor,
                         int64_t m, int64_t n, int64_t k, int64_t atomsK,
                         Value acc) {
    const MmaInfo &info = getMmaInfo(op.getInstr());
    Value lhs = adaptor.getA()[m * atomsK + k],
          rhs = adaptor.getB()[n * atomsK + k];
    if (adaptor.getSa().empty())
      return amdgpu::MFMAOp::create(b, op.getLoc(), acc.getType(), info.n,
                                    info.m, info.k, /*blocks=*/1, rhs, lhs,
                                    acc);
    auto sa = ScaleWords(op.getSa().getType()).find(m, k);
    auto sb = ScaleWords(op.getSb().getType()).find(n, k);
    return amdgpu::ScaledMFMAOp::create(
        b, op.getLoc(), acc.getType(), info.n, info.m, info.k, rhs, lhs, acc,
        adaptor.getSb()[sb.word], adaptor.getSa()[sa.word], sb.byte, sa.byte);
  }
};

struct ApplyPattern : OpConversionPattern<ApplyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ApplyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RegisterTile result(op.getType());
    int64_t length = result.getLayout().numElements();
    SmallVector<Value> atoms;
    for (int64_t m = 0; m != result.getGridRows(); ++m)
      for (int64_t n = 0; n != result.getGridCols(); ++n) {
        SmallVector<Value> elements;
        for (int64_t e = 0; e != length; ++e)
          elements.push_back(buildElement(b, op, adaptor, m, n, e));
        atoms.push_back(
            vector::FromElementsOp::create(b, result.getAtomType(), elements));
      }
    rewriter.replaceOpWithMultiple(op, {atoms});
    return success();
  }

  /// The body for element `e` of the atom in row `m` and column `n` of atoms.
  static Value buildElement(ImplicitLocOpBuilder &b, ApplyOp op,
                            OneToNOpAdaptor adaptor, int64_t m, int64_t n,
                            int64_t e) {
    RegisterTile result(op.getType());
    Block &body = op.getBody().front();
    IRMapping mapping;
    auto arg = body.args_begin();
    for (ValueRange atoms : adaptor.getTiles())
      mapping.map(*arg++,
                  result.extract(b, atoms[m * result.getGridCols() + n], e));
    const MmaInfo &info = getMmaInfo(op.getType().getLanes().getInstr());
    for (ValueRange atoms : adaptor.getRows())
      mapping.map(*arg++, result.extract(b, atoms[m], info.getRowElement(e)));
    for (ValueRange atoms : adaptor.getCols())
      mapping.map(*arg++, result.extract(b, atoms[n], info.getColElement(e)));
    for (Operation &inner : body.without_terminator())
      b.clone(inner, mapping);
    return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
  }
};

struct BarrierPattern : OpConversionPattern<BarrierOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ROCDL::SBarrierOp>(op);
    return success();
  }
};

struct SchedFencePattern : OpConversionPattern<SchedFenceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SchedFenceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ROCDL::SchedBarrier>(op, /*mask=*/0);
    return success();
  }
};

struct PriorityPattern : OpConversionPattern<PriorityOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PriorityOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ROCDL::SetPrioOp>(op, op.getLevel());
    return success();
  }
};

struct UnzipPattern : OpConversionPattern<UnzipOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(UnzipOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RegisterTile source(op.getSource().getType()), half(op.getEven().getType());
    SmallVector<Value> columns[2];
    for (Value atom : adaptor.getSource())
      for (int64_t first : {0, 1}) {
        SmallVector<Value> elements;
        for (int64_t e = first; e < source.getLayout().numElements(); e += 2)
          elements.push_back(source.extract(b, atom, e));
        columns[first].push_back(
            vector::FromElementsOp::create(b, half.getAtomType(), elements));
      }
    rewriter.replaceOpWithMultiple(op, {columns[0], columns[1]});
    return success();
  }
};

/// The number of the wave is the same in all of its lanes; readfirstlane says
/// so to LLVM, which keeps what depends on it in scalar registers.
struct SubgroupIdPattern : OpConversionPattern<gpu::SubgroupIdOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(gpu::SubgroupIdOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value wave = ROCDL::ReadfirstlaneOp::create(
        b, b.getI32Type(), divI32(b, buildThread(b), getMachine(op).waveSize));
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, b.getIndexType(), wave);
    return success();
  }
};

} // namespace

void lpgemm::populateRegisterPatterns(const TypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<ApplyPattern, BarrierPattern, MmaPattern, PriorityPattern,
               SchedFencePattern, SlicePattern, SplatPattern, SubgroupIdPattern,
               UnzipPattern>(converter, patterns.getContext());
}
