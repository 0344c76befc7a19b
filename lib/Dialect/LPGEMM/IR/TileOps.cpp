//===- TileOps.cpp - ops of the tile level --------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

#include "DestinationOps.h"
#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Target/MmaInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"

#define GET_OP_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMTileOps.cpp.inc"

using namespace mlir;
using namespace mlir::lpgemm;

/// `source` and `dest` of a transfer must agree in their element type.
static LogicalResult verifySameElementType(Operation *op, ShapedType source,
                                           ShapedType dest) {
  if (source.getElementType() == dest.getElementType())
    return success();
  return op->emitOpError() << "expects one element type on both sides, but got "
                           << source.getElementType() << " and "
                           << dest.getElementType();
}

static LogicalResult verifyShape(Operation *op, StringRef name, ShapedType type,
                                 int64_t rows, int64_t cols) {
  if (type.getShape() == ArrayRef<int64_t>{rows, cols})
    return success();
  return op->emitOpError() << "expects " << name << " to be " << rows << "x"
                           << cols << ", but got " << type.getDimSize(0) << "x"
                           << type.getDimSize(1);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

LogicalResult BindOp::verify() {
  auto ptr = dyn_cast<LLVM::LLVMPointerType>(getPtr().getType());
  if (ptr && ptr.getAddressSpace() == 0)
    return success();
  return emitOpError() << "expects a pointer of type '!llvm.ptr', but got "
                       << getPtr().getType();
}

LogicalResult DimOp::verify() {
  if (getDim() < 2)
    return success();
  return emitOpError() << "expects dimension 0 or 1, but got " << getDim();
}

namespace {
/// dim(bind %p[%rows, %cols]) is %rows or %cols.
struct DimOfBind : OpRewritePattern<DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DimOp op,
                                PatternRewriter &rewriter) const override {
    auto bind = op.getSource().getDefiningOp<BindOp>();
    if (!bind)
      return rewriter.notifyMatchFailure(op, "source is not a bind");
    rewriter.replaceOp(op, op.getDim() == 0 ? bind.getRows() : bind.getCols());
    return success();
  }
};
} // namespace

void DimOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<DimOfBind>(context);
}

LogicalResult ReachOp::verify() {
  ArrayRef<int64_t> step = getStep();
  if (step.size() == 2 && llvm::all_of(step, [](int64_t s) { return s >= 0; }))
    return success();
  return emitOpError() << "expects a step of rows and columns, 0 or more, but "
                          "got ["
                       << step << "]";
}

LogicalResult LoadOp::verify() {
  return verifySameElementType(*this, getSource().getType(),
                               getResult().getType());
}

LogicalResult SlotOp::verify() {
  BufType source = getSource().getType(), result = getResult().getType();
  if (source.getRank() != 3)
    return emitOpError() << "expects a buffer of slots, but got " << source;
  auto expected = cast<BufType>(source.cloneWith(source.getShape().drop_front(),
                                                 source.getElementType()));
  if (result == expected)
    return success();
  return emitOpError() << "expects a result of type " << expected
                       << ", but got " << result;
}

LogicalResult StoreOp::verify() {
  return verifySameElementType(*this, getValue().getType(),
                               getDest().getType());
}

LogicalResult AmaxOp::verify() {
  if (!getValue().getType().getElementType().isF32())
    return emitOpError() << "expects a tile of 'f32', but got "
                         << getValue().getType();
  GlobalType dest = getDest().getType();
  if (dest.getRank() == 0 && dest.getElementType().isF32())
    return success();
  return emitOpError() << "expects a single 'f32' to update, but got " << dest;
}

/// A tile, not slots of them.
static LogicalResult verifyMatrix(Operation *op, BufType type) {
  if (type.getRank() == 2)
    return success();
  return op->emitOpError() << "expects a tile of two extents, but got " << type;
}

LogicalResult CopyOp::verify() {
  if (failed(verifyMatrix(*this, getDest().getType())))
    return failure();
  if (getLdsDma() && (!getWhole() || getTranspose()))
    return emitOpError("expects 'whole' and no 'transpose' with 'lds_dma'");
  return verifySameElementType(*this, getSource().getType(),
                               getDest().getType());
}

LogicalResult FetchOp::verify() {
  return verifySameElementType(*this, getSource().getType(), getDestType());
}

LogicalResult CopyOutOp::verify() {
  if (failed(verifyMatrix(*this, getSource().getType())))
    return failure();
  return verifySameElementType(*this, getSource().getType(),
                               getDest().getType());
}

LogicalResult WriteOp::verify() {
  BufType dest = getDest().getType();
  FragType value = getValue().getType();
  if (failed(verifyMatrix(*this, dest)))
    return failure();
  for (unsigned dim : {0, 1})
    if (value.getDimSize(dim) > dest.getDimSize(dim))
      return emitOpError() << "expects dimension " << dim
                           << " of the value to be at most "
                           << dest.getDimSize(dim)
                           << ", that of the buffer, but got "
                           << value.getDimSize(dim);
  return verifySameElementType(*this, value, dest);
}

LogicalResult ReadOp::verify() {
  BufType source = getSource().getType();
  FragType result = getResult().getType();
  if (failed(verifyMatrix(*this, source)))
    return failure();
  if (getRowBlock() % getRowUnit() != 0)
    return emitOpError() << "expects row_block (" << getRowBlock()
                         << ") to be a multiple of row_unit (" << getRowUnit()
                         << ")";
  for (unsigned dim : {0, 1}) {
    if (dim == 0 && getRowBlock() != 1)
      continue;
    if (result.getDimSize(dim) > source.getDimSize(dim))
      return emitOpError() << "expects dimension " << dim
                           << " of the result to be at most "
                           << source.getDimSize(dim)
                           << ", that of the buffer, but got "
                           << result.getDimSize(dim);
  }
  return verifySameElementType(*this, source, result);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

LogicalResult SplatOp::verify() {
  if (getValue().getType() == getResult().getType().getElementType())
    return success();
  return emitOpError() << "expects the value to have the element type of the "
                          "result, "
                       << getResult().getType().getElementType() << ", but got "
                       << getValue().getType();
}

LogicalResult SliceOp::verify() {
  FragType source = getSource().getType(), result = getResult().getType();
  if (source.getElementType() != result.getElementType())
    return verifySameElementType(*this, source, result);
  const std::tuple<StringRef, uint64_t, unsigned> parts[] = {
      {"rows", getRow(), 0}, {"columns", getCol(), 1}};
  for (auto [name, first, dim] : parts) {
    // Unsigned: `first` may be the largest number there is.
    uint64_t end = first + result.getDimSize(dim);
    if (end > static_cast<uint64_t>(source.getDimSize(dim)))
      return emitOpError() << "expects " << name << " up to "
                           << source.getDimSize(dim) << ", but got " << name
                           << " " << first << " to " << end;
  }
  return success();
}

LogicalResult UnzipOp::verify() {
  FragType source = getSource().getType(), half = getEven().getType();
  if (source.getElementType() != half.getElementType())
    return verifySameElementType(*this, source, half);
  if (source.getDimSize(0) == half.getDimSize(0) &&
      source.getDimSize(1) == 2 * half.getDimSize(1))
    return success();
  return emitOpError() << "expects half of the columns of " << source
                       << ", but got " << half;
}

LogicalResult EncodeBlocksOp::verify() {
  FragType value = getValue().getType(), codes = getCodes().getType(),
           scales = getScales().getType();
  if (!value.getElementType().isF32())
    return emitOpError() << "expects a tile of 'f32', but got " << value;
  if (codes.getShape() != value.getShape())
    return emitOpError() << "expects codes for the elements of " << value
                         << ", but got " << codes;
  if (!isFP8(codes.getElementType()) && !isSubByteFloat(codes.getElementType()))
    return emitOpError() << "expects codes of FP8, FP6 or FP4, but got "
                         << codes;
  if (!isa<Float8E8M0FNUType>(scales.getElementType()))
    return emitOpError() << "expects scales of 'f8E8M0FNU', but got " << scales;
  if (failed(verifyScaleRule(*this, scales.getElementType(), getRule())))
    return failure();
  if (scales.getDimSize(0) == value.getDimSize(0) &&
      value.getDimSize(1) % scales.getDimSize(1) == 0)
    return success();
  return emitOpError() << "expects a scale for each row of "
                       << value.getDimSize(0)
                       << ", and columns that divide the "
                       << value.getDimSize(1) << " of the tile, but got "
                       << scales;
}

/// The lanes of `value`, where decided, must be those of `role` in `instr`.
static LogicalResult verifyLanes(Operation *op, StringRef name, Value value,
                                 MmaInstr instr, MmaRole role) {
  LanesAttr lanes = cast<FragType>(value.getType()).getLanes();
  auto expected = LanesAttr::get(op->getContext(), instr, role);
  if (!lanes || lanes == expected)
    return success();
  return op->emitOpError() << "expects " << name << " in lanes " << expected
                           << ", but got " << lanes;
}

/// f32 behind scales, else what the instruction adds up in.
static Type getSumType(MmaOp op) {
  if (op.getSa() || op.getSb())
    return Float32Type::get(op.getContext());
  return getMmaInfo(op.getInstr()).getAccumulatorType(op.getContext());
}

static LogicalResult verifyMmaScales(MmaOp op) {
  int64_t k = op.getA().getType().getDimSize(1);
  struct {
    StringRef name;
    TypedValue<FragType> scales;
    int64_t rows;
  } sides[] = {{"sa", op.getSa(), op.getType().getDimSize(0)},
               {"sb", op.getSb(), op.getType().getDimSize(1)}};
  for (auto &[name, scales, rows] : sides) {
    if (!scales)
      continue;
    int64_t blocks = scales.getType().getDimSize(1);
    if (k % blocks)
      return op.emitOpError()
             << "expects K (" << k << ") to be a multiple of the columns of "
             << name << " (" << blocks << ")";
    if (failed(verifyShape(op, name, scales.getType(), rows, blocks)))
      return failure();
  }
  if (!op.getSa() && !op.getSb()) {
    if (op.getExponent() != 0)
      return op.emitOpError("expects scales with an exponent");
    return success();
  }
  if (!op.getSa() || !op.getSb())
    return success();
  int64_t blockA = op.getScaleBlock(op.getSa()),
          blockB = op.getScaleBlock(op.getSb());
  if (blockA % blockB == 0 || blockB % blockA == 0)
    return success();
  return op.emitOpError() << "expects one of the scale blocks, " << blockA
                          << " and " << blockB
                          << " elements of K, to be a multiple of the other";
}

LogicalResult MmaOp::verify() {
  FragType a = getA().getType(), b = getB().getType(), acc = getAcc().getType();
  int64_t m = acc.getDimSize(0), n = acc.getDimSize(1), k = a.getDimSize(1);
  if (failed(verifyShape(*this, "a", a, m, k)) ||
      failed(verifyShape(*this, "b", b, n, k)))
    return failure();
  const MmaInfo &info = getMmaInfo(getInstr());
  if (m % info.m || n % info.n || k % info.k)
    return emitOpError() << "expects M, N, K (" << m << ", " << n << ", " << k
                         << ") to be multiples of those of the instruction ("
                         << info.m << ", " << info.n << ", " << info.k << ")";
  if (!info.acceptsElementTypes(a.getElementType(), b.getElementType()) ||
      acc.getElementType() != getSumType(*this))
    return emitOpError() << "has no form of the instruction for "
                         << a.getElementType() << " x " << b.getElementType()
                         << " -> " << acc.getElementType();
  if (failed(verifyLanes(*this, "a", getA(), getInstr(), MmaRole::A)) ||
      failed(verifyLanes(*this, "b", getB(), getInstr(), MmaRole::B)) ||
      failed(verifyLanes(*this, "acc", getAcc(), getInstr(), MmaRole::C)))
    return failure();
  return verifyMmaScales(*this);
}

LogicalResult CastOp::verify() {
  FragType source = getSource().getType(), result = getType();
  Type from = source.getElementType(), to = result.getElementType();
  if (source.getShape() != result.getShape() ||
      source.getLanes() != result.getLanes())
    return emitOpError() << "expects shape and lanes of the source, " << source
                         << ", but got " << result;
  bool isOCPFP8 = isa<Float8E4M3FNType, Float8E5M2Type>(from);
  if ((to.isBF16() && isLowPrecisionFloat(from)) || (to.isF16() && isOCPFP8) ||
      (isa<Float8E4M3FNType>(from) && isa<Float8E4M3FNUZType>(to)) ||
      (isa<Float8E5M2Type>(from) && isa<Float8E5M2FNUZType>(to)))
    return success();
  return emitOpError() << "expects FP8, FP6 or FP4 to 'bf16', 'f8E4M3FN' or "
                          "'f8E5M2' to 'f16', 'f8E4M3FN' to 'f8E4M3FNUZ', or "
                          "'f8E5M2' to 'f8E5M2FNUZ', but got "
                       << from << " to " << to;
}

LogicalResult PromoteOp::verify() {
  FragType acc = getAcc().getType(), part = getPart().getType();
  if (!acc.getElementType().isF32() ||
      !(part.getElementType().isF32() || part.getElementType().isInteger(32)))
    return emitOpError() << "expects an accumulator of 'f32' and a part of "
                            "'f32' or 'i32', but got "
                         << acc.getElementType() << " and "
                         << part.getElementType();
  if (failed(verifyShape(*this, "part", part, acc.getDimSize(0),
                         acc.getDimSize(1))))
    return failure();
  if (getSa() &&
      failed(verifyShape(*this, "sa", getSa().getType(), acc.getDimSize(0), 1)))
    return failure();
  if (!getSb())
    return success();
  return verifyShape(*this, "sb", getSb().getType(), acc.getDimSize(1), 1);
}

static LogicalResult verifyFP8(Operation *op, Type type) {
  if (isFP8(type))
    return success();
  return op->emitOpError() << "expects 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ' or "
                              "'f8E5M2FNUZ', but got "
                           << type;
}

LogicalResult DecodeOp::verify() {
  return verifyFP8(*this, getSource().getType());
}

LogicalResult EncodeOp::verify() {
  return verifyFP8(*this, getResult().getType());
}

//===----------------------------------------------------------------------===//
// ApplyOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyApplyShapes(ApplyOp op) {
  int64_t m = op.getType().getDimSize(0), n = op.getType().getDimSize(1);
  if (op.getTiles().empty())
    return op.emitOpError("expects at least one tile");
  struct {
    StringRef name;
    OperandRange operands;
    int64_t rows, cols;
  } groups[] = {{"a tile", op.getTiles(), m, n},
                {"an operand of rows", op.getRows(), m, 1},
                {"an operand of cols", op.getCols(), n, 1}};
  for (auto &group : groups)
    for (Type type : group.operands.getTypes())
      if (failed(verifyShape(op, group.name, cast<FragType>(type), group.rows,
                             group.cols)))
        return failure();
  return success();
}

LogicalResult ApplyOp::verifyRegions() {
  if (failed(verifyApplyShapes(*this)))
    return failure();
  auto elementType = [](Type type) {
    return cast<FragType>(type).getElementType();
  };
  Block &block = getBody().front();
  auto expected = llvm::map_to_vector(getOperandTypes(), elementType);
  if (block.getArgumentTypes() != TypeRange(expected))
    return emitOpError() << "expects arguments of types ("
                         << TypeRange(expected) << "), but got ("
                         << block.getArgumentTypes() << ")";
  auto yield = dyn_cast_or_null<YieldOp>(
      block.mightHaveTerminator() ? block.getTerminator() : nullptr);
  if (!yield || yield.getValue().getType() != elementType(getType()))
    return emitOpError() << "expects lpgemm.yield of a value of type "
                         << elementType(getType());
  for (Operation &inner : block.without_terminator())
    if (!isMemoryEffectFree(&inner))
      return inner.emitOpError("expects no effects in the body of "
                               "lpgemm.apply");
  return success();
}
