//===- MmaPatterns.cpp - matrix products of shared memory -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

static NVVM::WGMMATypes getWgmmaType(Type type) {
  return llvm::TypeSwitch<Type, NVVM::WGMMATypes>(type)
      .Case([](Float8E4M3FNType) { return NVVM::WGMMATypes::e4m3; })
      .Case([](Float8E5M2Type) { return NVVM::WGMMATypes::e5m2; })
      .Case([](BFloat16Type) { return NVVM::WGMMATypes::bf16; })
      .Case([](Float16Type) { return NVVM::WGMMATypes::f16; });
}

namespace {

/// Rows of 128 bytes with their swizzle, K along a row (PTX ISA, "Matrix
/// descriptor"): the leading offset is not used, groups of eight rows are 1024
/// bytes apart. Only the low word depends on the address.
class Descriptor {
public:
  static constexpr int64_t kRowBytes = 128;

  /// A multiple that is added to the offset last, such as that of a slot, is
  /// added to the descriptor instead: what is left of it in a loop is one
  /// operation, in front of which an instruction would wait for four.
  Descriptor(ImplicitLocOpBuilder &b, Value offset) : b(b) {
    auto sum = offset.getDefiningOp<arith::AddIOp>();
    auto slot = sum ? sum.getRhs().getDefiningOp<arith::MulIOp>() : nullptr;
    APInt stride;
    if (!slot || !matchPattern(slot.getRhs(), m_ConstantInt(&stride)) ||
        stride.getSExtValue() % kUnit != 0) {
      low = getLow(offset);
      return;
    }
    low = addI32(b, getLow(sum.getLhs()),
                 mulI32(b, slot.getLhs(), stride.getSExtValue() / kUnit));
  }

  /// Of the tile that starts so many bytes behind this one.
  Value get(int64_t bytes) {
    Value word = addI32(b, low, constantI32(b, bytes >> 4));
    constexpr int64_t kHigh = (int64_t(1) << 62) | (int64_t(1024 >> 4) << 32);
    return arith::OrIOp::create(b,
                                arith::ExtUIOp::create(b, b.getI64Type(), word),
                                constantI64(b, kHigh));
  }

private:
  /// Of addresses.
  static constexpr int64_t kUnit = 16;

  Value getLow(Value offset) {
    BitOps bits{b};
    return bits.or_(bits.shr(buildSharedAddress(b, offset), 4), 1 << 16);
  }

  ImplicitLocOpBuilder &b;
  Value low;
};

struct AsyncMmaPattern : OpConversionPattern<AsyncMmaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AsyncMmaOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    const MmaInfo &info = getMmaInfo(op.getInstr());
    RegisterTile acc(op.getAcc().getType());
    Descriptor lhs(b, adaptor.getA().front()), rhs(b, adaptor.getB().front());
    int64_t perAtom = acc.getLayout().numElements();
    int64_t maxAtoms = info.maxN / info.n;
    NVVM::WgmmaFenceAlignedOp::create(b);
    SmallVector<Value> sums;
    for (int64_t m = 0; m != acc.getGridRows(); ++m)
      for (int64_t n = 0; n < acc.getGridCols(); n += maxAtoms) {
        int64_t atoms = std::min(maxAtoms, acc.getGridCols() - n);
        ValueRange part = adaptor.getAcc().slice(
            (m * acc.getGridCols() + n) * perAtom, atoms * perAtom);
        int64_t lhsStart = m * info.m * Descriptor::kRowBytes,
                rhsStart = n * info.n * Descriptor::kRowBytes;
        append(sums, buildChain(b, op, {lhs, lhsStart}, {rhs, rhsStart}, part));
      }
    Value token = CommitOp::create(b, op.getToken().getType(), Counter::Wgmma);
    rewriter.replaceOpWithMultiple(op, {ValueRange(sums), ValueRange(token)});
    return success();
  }

private:
  struct Operand {
    Descriptor &tile;
    int64_t start; // bytes
  };

  static void append(SmallVectorImpl<Value> &values, Value structure) {
    OpBuilder b(structure.getContext());
    b.setInsertionPointAfterValue(structure);
    auto type = cast<LLVM::LLVMStructType>(structure.getType());
    for (int64_t i = 0, e = type.getBody().size(); i != e; ++i)
      values.push_back(
          LLVM::ExtractValueOp::create(b, structure.getLoc(), structure, i));
  }

  /// The instructions of all of K, one behind the other on the same registers:
  /// a struct of the sums.
  static Value buildChain(ImplicitLocOpBuilder &b, AsyncMmaOp op, Operand lhs,
                          Operand rhs, ValueRange acc) {
    const MmaInfo &info = getMmaInfo(op.getInstr());
    BufType a = op.getA().getType();
    int64_t stepBytes = info.k * a.getElementTypeBitWidth() / 8;
    auto type = LLVM::LLVMStructType::getLiteral(
        b.getContext(), llvm::to_vector(acc.getTypes()));
    Value sum = LLVM::UndefOp::create(b, type);
    for (auto [i, value] : llvm::enumerate(acc))
      sum = LLVM::InsertValueOp::create(b, sum, value, i);
    // A lane has m * n / 128 registers.
    auto shape = NVVM::MMAShapeAttr::get(
        b.getContext(), info.m, acc.size() * kWaveThreads / info.m, info.k);
    for (int64_t k = 0; k != a.getDimSize(1) / info.k; ++k)
      sum = NVVM::WgmmaMmaAsyncOp::create(
          b, type, sum, lhs.tile.get(lhs.start + k * stepBytes),
          rhs.tile.get(rhs.start + k * stepBytes), shape,
          getWgmmaType(a.getElementType()),
          getWgmmaType(op.getB().getType().getElementType()),
          NVVM::WGMMATypes::f32,
          op.getZero() && k == 0 ? NVVM::WGMMAScaleOut::zero
                                 : NVVM::WGMMAScaleOut::one,
          NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one,
          NVVM::MMALayout::row, NVVM::MMALayout::col, /*satfinite=*/nullptr);
    return sum;
  }
};

/// The registers of the values, which lpgemm-insert-waits ties to the wait.
struct WaitPattern : OpConversionPattern<WaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(WaitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> tokens, values;
    for (ValueRange token : adaptor.getTokens())
      llvm::append_range(tokens, token);
    for (ValueRange value : adaptor.getValues())
      llvm::append_range(values, value);
    auto wait = WaitOp::create(rewriter, op.getLoc(), tokens, values);
    SmallVector<ValueRange> results;
    ValueRange rest = wait.getResults();
    for (ValueRange value : adaptor.getValues()) {
      results.push_back(rest.take_front(value.size()));
      rest = rest.drop_front(value.size());
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
};

} // namespace

void nvvm::populateMmaPatterns(const TypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<AsyncMmaPattern, WaitPattern>(converter, patterns.getContext());
}
