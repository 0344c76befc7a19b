//===- MemoryPatterns.cpp - memory to registers and back ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColumnLoop.h"
#include "Lowering.h"

#include "lpgemm/Runtime/TensorMapRules.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

/// The elements of a tile in the order of their registers, each a segment.
static SmallVector<Segment> getElements(ImplicitLocOpBuilder &b,
                                        FragType type) {
  SmallVector<Segment> elements;
  for (const Segment &segment :
       RegisterTile(type).getSegments(b, buildThreadOfWave(b, type)))
    for (int64_t e = 0; e != segment.length; ++e)
      elements.push_back(segment.slice(e, 1));
  return elements;
}

static Value getRow(ImplicitLocOpBuilder &b, const Segment &s) {
  return addI32(b, s.row, constantI32(b, s.rowConst));
}

static Value getCol(ImplicitLocOpBuilder &b, const Segment &s) {
  return addI32(b, s.col, constantI32(b, s.colConst));
}

namespace {
/// Positions in a matrix of the elements of a tile, as index values.
class Window {
public:
  template <typename OpTy>
  Window(ImplicitLocOpBuilder &b, OpTy op)
      : b(b), row(b.createOrFold<arith::AddIOp>(op.getRow(), op.getWaveRow())),
        col(b.createOrFold<arith::AddIOp>(op.getCol(), op.getWaveCol())) {}

  Value getRow(const Segment &s) { return add(row, ::getRow(b, s)); }
  Value getCol(const Segment &s) { return add(col, ::getCol(b, s)); }

private:
  Value add(Value start, Value position) {
    return b.createOrFold<arith::AddIOp>(start, i32ToIndex(b, position));
  }

  ImplicitLocOpBuilder &b;
  Value row, col;
};
} // namespace

/// (C25) Whether the kernel writes the matrix, too. A lane must not read an
/// element there that another one writes, even if it drops what it read.
static bool isStored(Value global) {
  return llvm::any_of(global.getUsers(), llvm::IsaPred<StoreOp, StagedStoreOp>);
}

/// Those outside of the matrix have the fill value, or some value if it
/// `isAny`.
static SmallVector<Value> loadElements(ImplicitLocOpBuilder &b, LoadOp op,
                                       ArrayRef<Segment> elements,
                                       GlobalTile &source, bool isAny) {
  Window window(b, op);
  Value block = arith::ConstantIndexOp::create(b, op.getRowBlock());
  bool isInPlace = isStored(op.getSource());
  SmallVector<Value> values;
  for (Segment element : elements) {
    if (op.getTranspose())
      element = element.transposed();
    Value row = window.getRow(element), col = window.getCol(element);
    Value &along = op.getTranspose() ? col : row;
    if (op.getRowBlock() != 1)
      along = b.createOrFold<arith::DivUIOp>(along, block);
    Value bits = isInPlace ? source.loadIfInside(row, col)
                 : isAny   ? source.loadNearest(row, col)
                           : source.load(row, col);
    values.push_back(bits);
  }
  return values;
}

static SmallVector<Value> toElements(ImplicitLocOpBuilder &b, FragType type,
                                     ArrayRef<Value> bits) {
  return llvm::map_to_vector(bits, [&](Value value) -> Value {
    return b.createOrFold<arith::BitcastOp>(type.getElementType(), value);
  });
}

SmallVector<Value> nvvm::loadColumns(ImplicitLocOpBuilder &b, LoadOp op,
                                     const GlobalValues &global, FragType type,
                                     Value firstCol) {
  SmallVector<Segment> elements = getElements(b, type);
  for (Segment &element : elements) {
    // A vector stands up.
    bool isVector = type.getLanes().getRole() == MmaRole::CCol;
    Value &along = isVector ? element.row : element.col;
    along = addI32(b, along, firstCol);
  }
  GlobalTile source(b, global, op.getSource().getType());
  return toElements(b, type,
                    loadElements(b, op, elements, source, /*isAny=*/true));
}

namespace {

struct LoadPattern : OpConversionPattern<LoadOp> {
  LoadPattern(const TypeConverter &converter, MLIRContext *context,
              TilePlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FragType type = op.getResult().getType();
    GlobalValues global(adaptor.getSource());
    if (isOperand(type)) {
      rewriter.replaceOpWithMultiple(op, {loadOperand(b, op, global)});
      return success();
    }
    // What is behind the last row is multiplied, but not stored.
    bool isAhead = plan.isLoadedAhead(op);
    if (isAhead)
      setInsertionPointAhead(b, rewriter, op);
    GlobalTile source(b, global, op.getSource().getType());
    auto load = [&] {
      return loadElements(b, op, getElements(b, type), source, isAhead);
    };
    // Without roles it runs ahead of its iteration, and there may be none.
    bool mayBeEmpty =
        !getMmaInfo(type.getLanes().getInstr()).readsSharedMemory();
    rewriter.replaceOpWithMultiple(
        op,
        {toElements(b, type, mayBeEmpty ? source.ifNotEmpty(load) : load())});
    return success();
  }

  static SmallVector<Value> loadOperand(ImplicitLocOpBuilder &b, LoadOp op,
                                        const GlobalValues &global) {
    FragType type = op.getResult().getType();
    LoadPlan plan(b, op);
    OperandWindow window(b, global, plan.row, plan.col, plan.getCoveredType(),
                         op.getTranspose());
    return RegisterTile(type).assemble(
        b, window.load(plan.getSegments(b, buildThreadOfWave(b, type))));
  }

  TilePlan &plan;
};

/// How an element was rounded to a narrow type, if an instruction does that.
class Rounding {
public:
  explicit Rounding(Value rounded) : source(rounded) {
    while (Operation *op = source.getDefiningOp()) {
      if (!isa<arith::BitcastOp, arith::TruncFOp, arith::TruncIOp,
               NVVM::ConvertF32x2ToF8x2Op>(op))
        break;
      ops.push_back(op);
      source = op->getOperand(0);
    }
  }

  /// What was rounded.
  Value getSource() const { return source; }
  /// Rounds `value` in the same way.
  Value apply(OpBuilder &b, Value value) const {
    IRMapping mapping;
    mapping.map(source, value);
    for (Operation *op : llvm::reverse(ops))
      value = b.clone(*op, mapping)->getResult(0);
    return value;
  }

private:
  Value source;
  SmallVector<Operation *, 3> ops;
};

/// Element by element, which takes as many branches.
struct StorePattern : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FragType type = op.getValue().getType();
    GlobalTile dest(b, GlobalValues(adaptor.getDest()), op.getDest().getType());
    Window window(b, op);
    SmallVector<Segment> elements = getElements(b, type);
    ColumnLoop loop{RegisterTile(type)};
    ValueRange values = adaptor.getValue();
    // Rounded in the loop, as the rest may be where they are staged.
    auto sources = llvm::map_to_vector(
        values, [](Value value) { return Rounding(value).getSource(); });
    bool isRounded = llvm::all_equal(ValueRange(sources).getTypes());
    loop.build(b, isRounded ? ValueRange(sources) : values,
               [&](Value col, ValueRange part) {
                 for (auto [i, value] : llvm::zip_equal(loop.getFirst(), part))
                   store(b, dest, window, elements[i], col,
                         isRounded ? Rounding(values[i]).apply(b, value)
                                   : value);
                 return SmallVector<Value>(part);
               });
    rewriter.eraseOp(op);
    return success();
  }

  static void store(ImplicitLocOpBuilder &b, GlobalTile &dest, Window &window,
                    Segment element, Value firstCol, Value value) {
    element.col = addI32(b, element.col, firstCol);
    Value row = window.getRow(element), col = window.getCol(element);
    Value bits = b.createOrFold<arith::BitcastOp>(dest.getBitsType(), value);
    // The same for all elements of a row.
    int64_t behind = std::exchange(element.colConst, 0);
    Value start = dest.getAddress(row, window.getCol(element));
    buildIf(b, dest.isInside(row, col), [&] {
      LLVM::StoreOp::create(b, bits, dest.getBehind(start, behind));
    });
  }
};

struct AmaxPattern : OpConversionPattern<AmaxOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AmaxOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    GlobalTile within(b, GlobalValues(adaptor.getWithin()),
                      op.getWithin().getType());
    Window window(b, op);
    Value zero = constantI32(b, 0), largest = zero;
    SmallVector<Segment> elements = getElements(b, op.getValue().getType());
    for (auto [element, value] :
         llvm::zip_equal(elements, adaptor.getValue())) {
      Value magnitude = buildMagnitude(b, value);
      Value isInside =
          within.isInside(window.getRow(element), window.getCol(element));
      magnitude = arith::SelectOp::create(b, isInside, magnitude, zero);
      largest = arith::MaxUIOp::create(b, largest, magnitude);
    }
    LLVM::AtomicRMWOp::create(
        b, LLVM::AtomicBinOp::umax, GlobalValues(adaptor.getDest()).ptr,
        canonicalizeNaN(b, largest), LLVM::AtomicOrdering::monotonic, "device");
    rewriter.eraseOp(op);
    return success();
  }
};

struct ReadPattern : OpConversionPattern<ReadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    if (isOperand(op.getResult().getType())) {
      rewriter.replaceOpWithMultiple(
          op, {readOperand(b, op, adaptor.getSource().front())});
      return success();
    }
    // One read for all elements of a block.
    llvm::MapVector<std::pair<int64_t, int64_t>, Value> read;
    SmallVector<Value> values;
    for (const Segment &element : getElements(b, op.getResult().getType())) {
      Segment first = getFirstOfBlock(op, element);
      Value &value = read[{first.rowConst, first.colConst}];
      if (!value)
        value = buildRead(b, op, adaptor.getSource().front(), first);
      values.push_back(value);
    }
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }

  /// The element that stands for `element`: the first of those that have the
  /// block in common wherever the tile starts. Where these are whole atoms, the
  /// lane takes no part in the address: the row is null.
  static Segment getFirstOfBlock(ReadOp op, Segment element) {
    FragType type = op.getResult().getType();
    int64_t common = std::gcd(op.getRowBlock(), op.getRowUnit());
    if (op.getRowBlock() == 1 ||
        common % RegisterTile(type).getLayout().rows != 0)
      return element;
    element.rowConst -= element.rowConst % common;
    element.row = Value();
    return element;
  }

  static Value buildRead(ImplicitLocOpBuilder &b, ReadOp op, Value source,
                         const Segment &element) {
    BufType type = op.getSource().getType();
    Type elementType = type.getElementType();
    int64_t unitBytes = getUnitBytes(elementType);
    Value row = addI32(b, indexToI32(b, op.getRow()),
                       element.row ? getRow(b, element)
                                   : constantI32(b, element.rowConst));
    if (op.getRowBlock() != 1)
      row = divI32(b, row, op.getRowBlock());
    Value col = mulI32(b, indexToI32(b, op.getCol()), unitBytes);
    Value byte = addI32(b, col, mulI32(b, getCol(b, element), unitBytes));
    Value offset = buildTileOffset(b, type, row, byte);
    Value ptr = buildSharedPtr(b, addI32(b, source, offset));
    return b.createOrFold<arith::BitcastOp>(
        op.getResult().getType().getElementType(),
        LLVM::LoadOp::create(b, b.getIntegerType(8 * unitBytes), ptr));
  }
};

struct HasMapPattern : OpConversionPattern<HasMapOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(HasMapOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value bits = constantI64(b, 0), pitches = constantI64(b, 0);
    for (auto [matrix, values] :
         llvm::zip_equal(op.getMatrices(), adaptor.getMatrices())) {
      GlobalValues global(values);
      Type element = cast<GlobalType>(matrix.getType()).getElementType();
      Value pitch = b.createOrFold<arith::MulIOp>(
          global.pitch, constantI64(b, getUnitBytes(element)));
      Value address = LLVM::PtrToIntOp::create(b, b.getI64Type(), global.ptr);
      for (Value number : {address, pitch})
        bits = b.createOrFold<arith::OrIOp>(bits, number);
      pitches = b.createOrFold<arith::OrIOp>(pitches, pitch);
    }
    auto hasNone = [&](Value number, int64_t mask) -> Value {
      return arith::CmpIOp::create(
          b, arith::CmpIPredicate::eq,
          arith::AndIOp::create(b, number, constantI64(b, mask)),
          constantI64(b, 0));
    };
    rewriter.replaceOpWithNewOp<arith::AndIOp>(
        op, hasNone(bits, kTensorMapUnit - 1),
        hasNone(pitches, -kMaxTensorMapStride));
    return success();
  }
};

} // namespace

void nvvm::populateMemoryPatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns, TilePlan &plan) {
  patterns.add<AmaxPattern, HasMapPattern, ReadPattern, StorePattern>(
      converter, patterns.getContext());
  patterns.add<LoadPattern>(converter, patterns.getContext(), plan);
}
