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
    SmallVector<Value> atoms;
    for (int64_t i = 0; i != source.getGridRows(); ++i)
      llvm::append_range(
          atoms, adaptor.getSource().slice(i * source.getGridCols() + first,
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
    const MmaInfo &info = getMmaInfo(op.getInstr());
    RegisterTile a(op.getA().getType()), acc(op.getType());
    SmallVector<Value> sums = llvm::to_vector(adaptor.getAcc());
    int64_t atomsK = a.getGridCols();
    for (int64_t k = 0; k != atomsK; ++k)
      for (int64_t m = 0; m != acc.getGridRows(); ++m)
        for (int64_t n = 0; n != acc.getGridCols(); ++n) {
          Value &sum = sums[m * acc.getGridCols() + n];
          sum = buildAtom(rewriter, op.getLoc(), info, adaptor, m * atomsK + k,
                          n * atomsK + k, sum);
        }
    rewriter.replaceOpWithMultiple(op, {sums});
    return success();
  }

  /// The product of two atoms, given by their indices in a and b. The rows of
  /// the instruction's result are those of b: the layouts of accumulators have
  /// it so (MmaInfo.cpp).
  static Value buildAtom(OpBuilder &b, Location loc, const MmaInfo &info,
                         OneToNOpAdaptor adaptor, int64_t indexA,
                         int64_t indexB, Value acc) {
    Value lhs = adaptor.getA()[indexA], rhs = adaptor.getB()[indexB];
    if (adaptor.getSa().empty())
      return amdgpu::MFMAOp::create(b, loc, acc.getType(), info.n, info.m,
                                    info.k, /*blocks=*/1, rhs, lhs, acc);
    return amdgpu::ScaledMFMAOp::create(
        b, loc, acc.getType(), info.n, info.m, info.k, rhs, lhs, acc,
        adaptor.getSb()[indexB], adaptor.getSa()[indexA],
        /*scalesIdxA=*/0, /*scalesIdxB=*/0);
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
  patterns.add<ApplyPattern, BarrierPattern, MmaPattern, SlicePattern,
               SplatPattern, SubgroupIdPattern>(converter,
                                                patterns.getContext());
}
