//===- SumEmitter.cpp - the sums of a matrix product ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductLowering.h"

#include "lpgemm/Target/MmaInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// That of the kernel for Hopper that a product becomes, or null.
static ScheduleAttr getSchedule(ProductInterface op) {
  auto matmul = dyn_cast<MatmulOp>(*op);
  ScheduleAttr schedule =
      matmul ? matmul.getSchedule().value_or(ScheduleAttr()) : ScheduleAttr();
  bool isForHopper =
      schedule && getMmaInfo(schedule.getInstr()).readsSharedMemory();
  return isForHopper ? schedule : ScheduleAttr();
}

namespace {

/// What both ways to form the sums have in common.
class SumEmitter {
public:
  SumEmitter(ImplicitLocOpBuilder &b, NumericFunctions &functions,
             ProductInterface op, const ProductInstance &instance,
             FloatType type);

protected:
  /// The elements of K that share the scales of both sides; 0: all.
  int64_t getBlock();
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value zero(Type type) {
    return arith::ConstantOp::create(b, b.getZeroAttr(type));
  }
  Value alloc(Type element, ValueRange extents) {
    SmallVector<int64_t> shape(extents.size(), ShapedType::kDynamic);
    return memref::AllocOp::create(b, MemRefType::get(shape, element), extents);
  }
  void fill(Value panel, Value value, ValueRange extents) {
    emitLoops(b, extents, [&](ValueRange ivs) {
      memref::StoreOp::create(b, value, panel, ivs);
    });
  }
  MatrixAccess getLhs();
  MatrixAccess getRhs();
  /// sA * sB of each block of `block` elements: rows x blocks and blocks x
  /// columns; null for a side that has no block scales.
  void decodeScales(int64_t block, Value numBlocks);
  /// `acc` plus the scaled `partial` of one block.
  Value addBlock(Value acc, Value partial, Value row, Value kb, Value column);
  void release(ArrayRef<Value> panels) {
    for (Value panel : panels)
      if (panel)
        memref::DeallocOp::create(b, panel);
  }

  ImplicitLocOpBuilder &b;
  NumericFunctions &functions;
  ProductInterface op;
  const ProductInstance &instance;
  FloatType type;
  Value lhsScales, rhsScales;
};

/// Sums in f64 or f32, or in i32 for i8 elements, in the order of k.
class PlainSums : public SumEmitter {
public:
  using SumEmitter::SumEmitter;
  Value emit();

private:
  Value decodePanel(const MatrixAccess &matrix, Value rows, Value columns);
  /// target[..., n] += sum over k from `lower` to `upper` - 1 of
  /// lhs[row, k] * rhs[k, n].
  void addProducts(Value target, ValueRange targetIndices, Value row,
                   Value lower, Value upper);
  void emitChunks(Value sums, int64_t chunk);
  void emitBlocks(Value sums, int64_t block, Value numBlocks);

  Type panelType;
  Value lhs, rhs;
};

/// Sums as the tensor cores of Hopper form them (Accumulation in docs/spec.md),
/// in the order of a kernel with the schedule of the product, if it has one.
/// The panels have K in blocks of `paddedBlock` elements, a multiple of the 32
/// that one step adds, with zeros behind the elements of a block.
class HopperSums : public SumEmitter {
public:
  HopperSums(ImplicitLocOpBuilder &b, NumericFunctions &functions,
             ProductInterface op, const ProductInstance &instance)
      : SumEmitter(b, functions, op, instance, b.getF32Type()),
        schedule(getSchedule(op)) {}
  Value emit();

private:
  static constexpr int64_t group = NumericFunctions::hopperGroupSize;
  Value decodePanel(const MatrixAccess &matrix, Value extent, bool isLhs);
  /// `group` elements of a row of a panel.
  Value getGroup(Value panel, Value row, Value offset);
  /// Elements of K in one chain, none of which is longer than a block.
  Value getChainLength();
  /// `acc` plus what chains add of one block, from `first` to `last`.
  Value addChains(Value acc, Value row, Value column, Value kb, Value first,
                  Value last);
  /// The sum from `first` to `last`, positions in the panels.
  Value sumRange(Value row, Value column, Value first, Value last);
  /// The sum of `count` parts of K, each `step` behind the one before.
  Value sumParts(Value row, Value column, int64_t part, int64_t count,
                 int64_t step);
  Value sumChain(Value row, Value column, Value lower, Value upper);

  ScheduleAttr schedule; // or null
  Value block, paddedBlock, numBlocks, width, partWidth, lhs, rhs;
};

} // namespace

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static std::optional<ScaleAccess>
getScales(ImplicitLocOpBuilder &b, Value scale, std::optional<ScaleAttr> kind,
          bool kFirst, bool blocked, ValueRange ivs, Value outerBase,
          Value blockBase) {
  if (!scale || kind->hasKBlocks() != blocked)
    return std::nullopt;
  ScaleAccess access = accessScales(b, scale, *kind, kFirst, ivs);
  access.setBase(outerBase, blockBase);
  return access;
}

std::optional<ScaleAccess> lpgemm::getLhsScales(ImplicitLocOpBuilder &b,
                                                ProductInterface op,
                                                const ProductInstance &instance,
                                                bool blocked) {
  return getScales(b, op.getLhsScale(), op.getLhsScaleKind(),
                   op.getTransposeA(), blocked, instance.ivs,
                   instance.scaleRowBase, instance.lhsBlockBase);
}

std::optional<ScaleAccess> lpgemm::getRhsScales(ImplicitLocOpBuilder &b,
                                                ProductInterface op,
                                                const ProductInstance &instance,
                                                bool blocked) {
  return getScales(b, op.getRhsScale(), op.getRhsScaleKind(),
                   !op.getTransposeB(), blocked, instance.ivs,
                   /*outerBase=*/Value(), instance.rhsBlockBase);
}

SumEmitter::SumEmitter(ImplicitLocOpBuilder &b, NumericFunctions &functions,
                       ProductInterface op, const ProductInstance &instance,
                       FloatType type)
    : b(b), functions(functions), op(op), instance(instance), type(type) {}

int64_t SumEmitter::getBlock() {
  int64_t block = 0;
  for (std::optional<ScaleAttr> kind :
       {op.getLhsScaleKind(), op.getRhsScaleKind()})
    if (kind && kind->hasKBlocks())
      block = block ? std::min(block, kind->getKBlock()) : kind->getKBlock();
  return block;
}

MatrixAccess SumEmitter::getLhs() {
  MatrixAccess access(op.getLhs(),
                      getLeadingIndices(b, op.getLhs(), 2, instance.ivs),
                      op.getLhsElementType(), op.getTransposeA());
  access.setBase(instance.rowBase, instance.kBase);
  return access;
}

MatrixAccess SumEmitter::getRhs() {
  MatrixAccess access(op.getRhs(),
                      getLeadingIndices(b, op.getRhs(), 2, instance.ivs),
                      op.getRhsElementType(), op.getTransposeB());
  access.setBase(instance.kBase, /*column=*/Value());
  return access;
}

void SumEmitter::decodeScales(int64_t block, Value numBlocks) {
  auto decode = [&](std::optional<ScaleAccess> scales, ValueRange extents,
                    unsigned kDim) -> Value {
    if (!scales)
      return {};
    Value ratio = index(scales->getKind().getKBlock() / block);
    Value panel = alloc(type, extents);
    emitLoops(b, extents, [&](ValueRange ivs) {
      Value kb = arith::DivUIOp::create(b, ivs[kDim], ratio);
      memref::StoreOp::create(
          b, scales->load(b, functions, ivs[1 - kDim], kb, type), panel, ivs);
    });
    return panel;
  };
  lhsScales = decode(getLhsScales(b, op, instance, /*blocked=*/true),
                     {instance.rows, numBlocks}, 1);
  rhsScales = decode(getRhsScales(b, op, instance, /*blocked=*/true),
                     {numBlocks, instance.columns}, 0);
}

Value SumEmitter::addBlock(Value acc, Value partial, Value row, Value kb,
                           Value column) {
  Value scale;
  if (lhsScales)
    scale = memref::LoadOp::create(b, lhsScales, ValueRange{row, kb});
  if (rhsScales) {
    Value other = memref::LoadOp::create(b, rhsScales, ValueRange{kb, column});
    scale = scale ? arith::MulFOp::create(b, scale, other).getResult() : other;
  }
  if (partial.getType().isInteger())
    partial = arith::SIToFPOp::create(b, b.getF32Type(), partial);
  if (partial.getType() != type)
    partial = arith::ExtFOp::create(b, type, partial);
  // (I-2) One rounding for each block in f32.
  if (type.isF32())
    return math::FmaOp::create(b, scale, partial, acc);
  Value term = arith::MulFOp::create(b, partial, scale);
  return arith::AddFOp::create(b, acc, term);
}

//===----------------------------------------------------------------------===//
// PlainSums
//===----------------------------------------------------------------------===//

Value PlainSums::decodePanel(const MatrixAccess &matrix, Value rows,
                             Value columns) {
  Value panel = alloc(panelType, {rows, columns});
  emitLoops(b, {rows, columns}, [&](ValueRange ivs) {
    Value element =
        panelType.isInteger()
            ? arith::ExtSIOp::create(b, panelType,
                                     matrix.loadElement(b, ivs[0], ivs[1]))
                  .getResult()
            : matrix.load(b, functions, ivs[0], ivs[1], type);
    memref::StoreOp::create(b, element, panel, ivs);
  });
  return panel;
}

void PlainSums::addProducts(Value target, ValueRange targetIndices, Value row,
                            Value lower, Value upper) {
  OpBuilder::InsertionGuard guard(b);
  auto loop = scf::ForOp::create(b, lower, upper, index(1));
  b.setInsertionPointToStart(loop.getBody());
  Value k = loop.getInductionVar();
  Value lhsElement = memref::LoadOp::create(b, lhs, ValueRange{row, k});
  emitLoops(b, instance.columns, [&](ValueRange ivs) {
    SmallVector<Value> indices(targetIndices);
    indices.push_back(ivs[0]);
    Value rhsElement = memref::LoadOp::create(b, rhs, ValueRange{k, ivs[0]});
    Value sum = memref::LoadOp::create(b, target, indices);
    if (panelType.isInteger()) {
      Value product = arith::MulIOp::create(b, lhsElement, rhsElement);
      sum = arith::AddIOp::create(b, sum, product);
    } else {
      Value product = arith::MulFOp::create(b, lhsElement, rhsElement);
      sum = arith::AddFOp::create(b, sum, product);
    }
    memref::StoreOp::create(b, sum, target, indices);
  });
}

/// Emits a loop over the parts of K of `size` elements, the last one short.
static void
emitParts(ImplicitLocOpBuilder &b, Value k, int64_t size,
          llvm::function_ref<void(Value part, Value lower, Value upper)> body) {
  Value step = arith::ConstantIndexOp::create(b, size);
  Value count = arith::CeilDivUIOp::create(b, k, step);
  emitLoops(b, count, [&](ValueRange ivs) {
    Value lower = arith::MulIOp::create(b, ivs[0], step);
    Value upper = arith::AddIOp::create(b, lower, step);
    upper = arith::MinUIOp::create(b, upper, k);
    body(ivs[0], lower, upper);
  });
}

void PlainSums::emitChunks(Value sums, int64_t chunk) {
  emitParts(b, instance.k, chunk, [&](Value, Value lower, Value upper) {
    emitLoops(b, instance.rows, [&](ValueRange row) {
      addProducts(sums, row, row[0], lower, upper);
    });
  });
}

void PlainSums::emitBlocks(Value sums, int64_t block, Value numBlocks) {
  decodeScales(block, numBlocks);
  Value partial = alloc(panelType, instance.columns);
  emitParts(b, instance.k, block, [&](Value kb, Value lower, Value upper) {
    emitLoops(b, instance.rows, [&](ValueRange row) {
      fill(partial, zero(panelType), instance.columns);
      addProducts(partial, {}, row[0], lower, upper);
      emitLoops(b, instance.columns, [&](ValueRange column) {
        Value position[] = {row[0], column[0]};
        Value acc = memref::LoadOp::create(b, sums, position);
        Value term = memref::LoadOp::create(b, partial, column);
        acc = addBlock(acc, term, row[0], kb, column[0]);
        memref::StoreOp::create(b, acc, sums, position);
      });
    });
  });
  release({partial, lhsScales, rhsScales});
}

Value PlainSums::emit() {
  panelType = op.getLhsElementType().isInteger() ? Type(b.getI32Type()) : type;
  lhs = decodePanel(getLhs(), instance.rows, instance.k);
  rhs = decodePanel(getRhs(), instance.k, instance.columns);
  int64_t block = getBlock();
  Value sums =
      alloc(block ? Type(type) : panelType, {instance.rows, instance.columns});
  fill(sums, zero(block ? Type(type) : panelType),
       {instance.rows, instance.columns});
  // Without blocks the parts change nothing but what the caches hold.
  constexpr int64_t chunk = 128;
  if (block)
    emitBlocks(sums, block,
               arith::CeilDivUIOp::create(b, instance.k, index(block)));
  else
    emitChunks(sums, chunk);
  release({lhs, rhs});
  return sums;
}

//===----------------------------------------------------------------------===//
// HopperSums
//===----------------------------------------------------------------------===//

Value HopperSums::decodePanel(const MatrixAccess &matrix, Value extent,
                              bool isLhs) {
  Value panel = alloc(b.getF64Type(), {extent, width});
  fill(panel, zero(b.getF64Type()), {extent, width});
  emitLoops(b, {extent, instance.k}, [&](ValueRange ivs) {
    Value k = ivs[1];
    Value element = isLhs
                        ? matrix.load(b, functions, ivs[0], k, b.getF64Type())
                        : matrix.load(b, functions, k, ivs[0], b.getF64Type());
    Value kb = arith::DivUIOp::create(b, k, block);
    Value offset = arith::MulIOp::create(b, kb, paddedBlock);
    offset =
        arith::AddIOp::create(b, offset, arith::RemUIOp::create(b, k, block));
    memref::StoreOp::create(b, element, panel, ValueRange{ivs[0], offset});
  });
  return panel;
}

Value HopperSums::getGroup(Value panel, Value row, Value offset) {
  auto type = MemRefType::get(
      group, b.getF64Type(),
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, 1));
  return memref::SubViewOp::create(
      b, type, panel, ArrayRef<OpFoldResult>{row, offset},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1), b.getIndexAttr(group)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1), b.getIndexAttr(1)});
}

Value HopperSums::sumChain(Value row, Value column, Value lower, Value upper) {
  OpBuilder::InsertionGuard guard(b);
  auto chain = scf::ForOp::create(b, lower, upper, index(group), zero(type));
  b.setInsertionPointToStart(chain.getBody());
  Value offset = chain.getInductionVar();
  Value next = functions.accumulateHopper(
      b, op.getLhsElementType(), op.getRhsElementType(),
      chain.getRegionIterArg(0), getGroup(lhs, row, offset),
      getGroup(rhs, column, offset));
  scf::YieldOp::create(b, next);
  return chain.getResult(0);
}

/// (G-8) Kernels promote behind each K tile, which is no longer than promote_k.
Value HopperSums::getChainLength() {
  constexpr uint64_t defaultInterval = 128;
  uint64_t interval = op.getPromoteK().value_or(defaultInterval);
  if (schedule && (interval != 0 || getBlock() != 0))
    interval = schedule.getTileK();
  return interval == 0 ? paddedBlock : index(interval);
}

Value HopperSums::addChains(Value acc, Value row, Value column, Value kb,
                            Value first, Value last) {
  OpBuilder::InsertionGuard guard(b);
  Value step = getChainLength();
  auto loop = scf::ForOp::create(b, first, last, step, acc);
  b.setInsertionPointToStart(loop.getBody());
  Value lower = loop.getInductionVar(), sum = loop.getRegionIterArg(0);
  Value upper = arith::AddIOp::create(b, lower, step);
  upper = arith::MinUIOp::create(b, upper, last);
  Value partial = sumChain(row, column, lower, upper);
  Value next = getBlock() ? addBlock(sum, partial, row, kb, column)
                          : arith::AddFOp::create(b, sum, partial).getResult();
  scf::YieldOp::create(b, next);
  return loop.getResult(0);
}

Value HopperSums::sumRange(Value row, Value column, Value first, Value last) {
  OpBuilder::InsertionGuard guard(b);
  auto loop = scf::ForOp::create(
      b, arith::DivUIOp::create(b, first, paddedBlock),
      arith::CeilDivUIOp::create(b, last, paddedBlock), index(1), zero(type));
  b.setInsertionPointToStart(loop.getBody());
  Value kb = loop.getInductionVar();
  Value start = arith::MulIOp::create(b, kb, paddedBlock);
  Value end = arith::AddIOp::create(b, start, paddedBlock);
  start = arith::MaxUIOp::create(b, start, first);
  end = arith::MinUIOp::create(b, end, last);
  scf::YieldOp::create(
      b, addChains(loop.getRegionIterArg(0), row, column, kb, start, end));
  return loop.getResult(0);
}

/// As the workgroups of a cluster add what each has: all in one order,
/// whichever of them does it.
Value HopperSums::sumParts(Value row, Value column, int64_t part, int64_t count,
                           int64_t step) {
  if (count > 1) {
    Value first = sumParts(row, column, part, count / 2, 2 * step);
    Value second = sumParts(row, column, part + step, count / 2, 2 * step);
    return arith::AddFOp::create(b, first, second);
  }
  auto getBound = [&](int64_t part) -> Value {
    return arith::MinUIOp::create(
        b, arith::MulIOp::create(b, partWidth, index(part)), width);
  };
  return sumRange(row, column, getBound(part), getBound(part + 1));
}

Value HopperSums::emit() {
  int64_t scaleBlock = getBlock();
  // The only block of K = 0 is one of padding.
  block = scaleBlock
              ? index(scaleBlock)
              : arith::MaxUIOp::create(b, instance.k, index(1)).getResult();
  Value groups = arith::CeilDivUIOp::create(b, block, index(group));
  paddedBlock = arith::MulIOp::create(b, groups, index(group));
  numBlocks = arith::CeilDivUIOp::create(b, instance.k, block);
  width = arith::MulIOp::create(b, numBlocks, paddedBlock);
  lhs = decodePanel(getLhs(), instance.rows, /*isLhs=*/true);
  rhs = decodePanel(getRhs(), instance.columns, /*isLhs=*/false);
  if (scaleBlock)
    decodeScales(scaleBlock, numBlocks);
  // Parts are whole K tiles, and have as many of them but for the last ones.
  int64_t parts = schedule ? schedule.getSplitK() : 1;
  partWidth = width;
  if (parts > 1) {
    Value tileK = index(schedule.getTileK());
    Value tiles = arith::CeilDivUIOp::create(b, instance.k, tileK);
    partWidth = arith::MulIOp::create(
        b, arith::CeilDivUIOp::create(b, tiles, index(parts)), tileK);
  }
  Value sums = alloc(type, {instance.rows, instance.columns});
  emitLoops(b, {instance.rows, instance.columns}, [&](ValueRange ivs) {
    Value sum = sumParts(ivs[0], ivs[1], /*part=*/0, parts, /*step=*/1);
    memref::StoreOp::create(b, sum, sums, ivs);
  });
  release({lhs, rhs, lhsScales, rhsScales});
  return sums;
}

Value lpgemm::emitSums(ImplicitLocOpBuilder &b, NumericFunctions &functions,
                       ProductInterface op, const ProductInstance &instance,
                       Accumulation accumulation) {
  if (accumulation == Accumulation::Hopper)
    return HopperSums(b, functions, op, instance).emit();
  FloatType type = accumulation == Accumulation::F64
                       ? FloatType(b.getF64Type())
                       : FloatType(b.getF32Type());
  return PlainSums(b, functions, op, instance, type).emit();
}
