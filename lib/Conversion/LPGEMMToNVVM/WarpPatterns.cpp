//===- WarpPatterns.cpp - patterns of kernels without roles ---------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static NVVM::MMATypes getMmaType(Type type) {
  return llvm::TypeSwitch<Type, NVVM::MMATypes>(type)
      .Case([](Float8E4M3FNType) { return NVVM::MMATypes::e4m3; })
      .Case([](Float8E5M2Type) { return NVVM::MMATypes::e5m2; })
      .Case([](BFloat16Type) { return NVVM::MMATypes::bf16; })
      .Case([](Float16Type) { return NVVM::MMATypes::f16; })
      .Case([](IntegerType) { return NVVM::MMATypes::s8; });
}

/// Of an atom of A or B, in the type that NVVM wants them in.
static SmallVector<Value> getRegisters(ImplicitLocOpBuilder &b, Value atom) {
  auto type = cast<VectorType>(atom.getType());
  int64_t words = type.getNumElements() * type.getElementTypeBitWidth() / 32;
  Value joined = b.createOrFold<vector::BitCastOp>(
      VectorType::get(words, b.getI32Type()), atom);
  SmallVector<Value> registers;
  for (int64_t i = 0; i != words; ++i) {
    Value word = b.createOrFold<vector::ExtractOp>(joined, i);
    if (type.getElementType().isF16())
      word =
          LLVM::BitcastOp::create(b, VectorType::get(2, b.getF16Type()), word);
    registers.push_back(word);
  }
  return registers;
}

namespace {

struct MmaPattern : OpConversionPattern<MmaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MmaOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RegisterTile a(op.getA().getType()), acc(op.getType());
    int64_t atomsK = a.getGridCols(), atomsN = acc.getGridCols();
    int64_t perAtom = acc.getLayout().numElements();
    auto toRegisters = [&](Value atom) { return getRegisters(b, atom); };
    auto lhs = llvm::map_to_vector(adaptor.getA(), toRegisters);
    auto rhs = llvm::map_to_vector(adaptor.getB(), toRegisters);
    SmallVector<Value> sums = llvm::to_vector(adaptor.getAcc());
    for (int64_t k = 0; k != atomsK; ++k)
      for (int64_t m = 0; m != acc.getGridRows(); ++m)
        for (int64_t n = 0; n != atomsN; ++n)
          buildAtom(
              b, op, lhs[m * atomsK + k], rhs[n * atomsK + k],
              MutableArrayRef(sums).slice((m * atomsN + n) * perAtom, perAtom));
    rewriter.replaceOpWithMultiple(op, {sums});
    return success();
  }

  /// The op of NVVM does not take FP8.
  static Value buildFP8(ImplicitLocOpBuilder &b, Type resultType,
                        ArrayRef<NVVM::MMATypes> types, ValueRange lhs,
                        ValueRange rhs, ValueRange sums) {
    std::string name =
        ("llvm.nvvm.mma.m16n8k32.row.col.f32." + NVVM::stringifyEnum(types[0]) +
         "." + NVVM::stringifyEnum(types[1]) + ".f32")
            .str();
    SmallVector<Value> arguments(lhs);
    llvm::append_range(arguments, rhs);
    llvm::append_range(arguments, sums);
    return LLVM::CallIntrinsicOp::create(b, resultType, b.getStringAttr(name),
                                         arguments)
        .getResult(0);
  }

  /// Adds the product of two atoms to `sums`.
  static void buildAtom(ImplicitLocOpBuilder &b, MmaOp op, ValueRange lhs,
                        ValueRange rhs, MutableArrayRef<Value> sums) {
    const MmaInfo &info = getMmaInfo(op.getInstr());
    SmallVector<Type> types = llvm::to_vector(ValueRange(sums).getTypes());
    auto resultType = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
    std::optional<NVVM::MMAIntOverflow> overflow;
    if (types.front().isInteger(32)) // (G-3)
      overflow = NVVM::MMAIntOverflow::wrapped;
    std::array<NVVM::MMATypes, 2> operands = {
        getMmaType(op.getA().getType().getElementType()),
        getMmaType(op.getB().getType().getElementType())};
    std::array<NVVM::MMALayout, 2> layouts = {NVVM::MMALayout::row,
                                              NVVM::MMALayout::col};
    Value product;
    if (llvm::is_contained(info.operands, ElementKind::F8E4M3FN))
      product = buildFP8(b, resultType, operands, lhs, rhs, sums);
    else
      product = NVVM::MmaOp::create(b, resultType, lhs, rhs, ValueRange(sums),
                                    ArrayRef<int64_t>{info.m, info.n, info.k},
                                    /*b1Op=*/std::nullopt, overflow, operands,
                                    layouts);
    for (auto [i, sum] : llvm::enumerate(sums))
      sum = LLVM::ExtractValueOp::create(b, product, i);
  }
};

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

struct FetchPattern : OpConversionPattern<FetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(FetchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    OperandWindow window(b, GlobalValues(adaptor.getSource()), op.getRow(),
                         op.getCol(), op.getDestType(), op.getTranspose());
    TileCopy copy(b, op.getDestType(), op.getTranspose(), buildThread(b),
                  getWorkgroupSize(op));
    rewriter.replaceOp(op, copy.load(window));
    return success();
  }
};

struct PutPattern : OpConversionPattern<PutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PutOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    BufType type = op.getDest().getType();
    TileAtOffset shared(b, type, adaptor.getDest().front());
    SmallVector<Value> pieces;
    for (ValueRange piece : adaptor.getPieces())
      pieces.push_back(piece.front());
    TileCopy(b, type, op.getTranspose(), buildThread(b), getWorkgroupSize(op))
        .store(shared, pieces);
    rewriter.replaceOpWithNewOp<CommitOp>(op, op.getToken().getType(),
                                          Counter::DS);
    return success();
  }
};

/// Asynchronous where 16 bytes of a row lie together on both sides: bytes
/// outside are filled with zeros (PTX ISA 9.0, "cp.async", src-size). Else by
/// way of registers.
struct CopyPattern : OpConversionPattern<CopyOp> {
  using OpConversionPattern::OpConversionPattern;

  static constexpr int64_t kBytes = 16;

  LogicalResult
  matchAndRewrite(CopyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    BufType type = op.getDest().getType();
    Value dest = adaptor.getDest().front();
    OperandWindow window(b, GlobalValues(adaptor.getSource()),
                         adaptor.getRow().front(), adaptor.getCol().front(),
                         type, op.getTranspose());
    TileCopy copy(b, type, op.getTranspose(), buildThread(b),
                  getWorkgroupSize(op));
    auto copyByRegisters = [&] {
      TileAtOffset shared(b, type, dest);
      copy.store(shared, copy.load(window));
    };
    const CopyPlan &plan = copy.getPlan();
    if (op.getTranspose() || plan.pieceBytes != kBytes ||
        plan.alignment != kBytes)
      copyByRegisters();
    else
      scf::IfOp::create(
          b, window.isAligned(kBytes),
          [&](OpBuilder &, Location) {
            copy.forEachPiece([&](int64_t, const Segment &piece) {
              copyPiece(b, type, dest, window, piece);
            });
            scf::YieldOp::create(b);
          },
          [&](OpBuilder &, Location) {
            copyByRegisters();
            scf::YieldOp::create(b);
          });
    rewriter.replaceOpWithNewOp<CommitOp>(op, op.getToken().getType(),
                                          Counter::CpAsync);
    return success();
  }

  static void copyPiece(ImplicitLocOpBuilder &b, BufType type, Value dest,
                        OperandWindow &window, const Segment &piece) {
    auto [address, bytes] = window.getInside(piece);
    Value row = addI32(b, piece.row, constantI32(b, piece.rowConst));
    Value byte = mulI32(b, addI32(b, piece.col, constantI32(b, piece.colConst)),
                        getUnitBytes(type.getElementType()));
    Value to =
        buildSharedPtr(b, addI32(b, dest, buildTileOffset(b, type, row, byte)));
    auto global = LLVM::LLVMPointerType::get(
        b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
    Value from = LLVM::AddrSpaceCastOp::create(b, global, address);
    NVVM::CpAsyncOp::create(b, to, from, kBytes,
                            NVVM::LoadCacheModifierKind::CG, bytes);
  }
};

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

struct BarrierPattern : OpConversionPattern<BarrierOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BarrierOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    NVVM::BarrierOp::create(b);
    rewriter.eraseOp(op);
    return success();
  }
};

struct SlotPattern : OpConversionPattern<SlotOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SlotOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value start = mulI32(b, indexToI32(b, adaptor.getIndex().front()),
                         getBufferBytes(op.getResult().getType()));
    rewriter.replaceOp(op, addI32(b, adaptor.getSource().front(), start));
    return success();
  }
};

struct SubgroupIdPattern : OpConversionPattern<gpu::SubgroupIdOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(gpu::SubgroupIdOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, i32ToIndex(b, buildUniformWarp(b)));
    return success();
  }
};

} // namespace

void nvvm::populateWarpPatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<BarrierPattern, CopyPattern, FetchPattern, MmaPattern,
               PutPattern, SlotPattern, SubgroupIdPattern>(
      converter, patterns.getContext());
}
