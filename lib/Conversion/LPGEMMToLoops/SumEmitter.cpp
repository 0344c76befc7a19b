//===- SumEmitter.cpp - the sums of a matrix product ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::lpgemm;

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

/// Sums as the tensor cores of Hopper form them (Accumulation in docs/spec.md).
/// The panels have K in blocks of `paddedBlock` elements, a multiple of the 32
/// that one step adds, with zeros behind the elements of a block.
class HopperSums : public SumEmitter {
public:
  HopperSums(ImplicitLocOpBuilder &b, NumericFunctions &functions,
             ProductInterface op, const ProductInstance &instance)
      : SumEmitter(b, functions, op, instance, b.getF32Type()) {}
  Value emit();

private:
  static constexpr int64_t group = NumericFunctions::hopperGroupSize;
  Value decodePanel(const MatrixAccess &matrix, Value extent, bool isLhs);
  /// `group` elements of a row of a panel.
  Value getGroup(Value panel, Value row, Value offset);
  /// The sum of one block, promoted to f32 every promote_k elements.
  Value sumBlock(Value row, Value column, Value offset);
  Value sumChain(Value row, Value column, Value lower, Value upper);

  Value block, paddedBlock, numBlocks, lhs, rhs;
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
  Value width = arith::MulIOp::create(b, numBlocks, paddedBlock);
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

Value HopperSums::sumBlock(Value row, Value column, Value offset) {
  OpBuilder::InsertionGuard guard(b);
  Value end = arith::AddIOp::create(b, offset, paddedBlock);
  // (G-8)
  constexpr uint64_t defaultInterval = 128;
  uint64_t interval = op.getPromoteK().value_or(defaultInterval);
  if (interval == 0)
    return sumChain(row, column, offset, end);
  Value step = index(interval);
  auto loop = scf::ForOp::create(b, offset, end, step, zero(type));
  b.setInsertionPointToStart(loop.getBody());
  Value lower = loop.getInductionVar();
  Value upper = arith::AddIOp::create(b, lower, step);
  upper = arith::MinUIOp::create(b, upper, end);
  Value next = arith::AddFOp::create(b, loop.getRegionIterArg(0),
                                     sumChain(row, column, lower, upper));
  scf::YieldOp::create(b, next);
  return loop.getResult(0);
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
  lhs = decodePanel(getLhs(), instance.rows, /*isLhs=*/true);
  rhs = decodePanel(getRhs(), instance.columns, /*isLhs=*/false);
  if (scaleBlock)
    decodeScales(scaleBlock, numBlocks);
  Value sums = alloc(type, {instance.rows, instance.columns});
  emitLoops(b, {instance.rows, instance.columns}, [&](ValueRange ivs) {
    OpBuilder::InsertionGuard guard(b);
    auto loop =
        scf::ForOp::create(b, index(0), numBlocks, index(1), zero(type));
    memref::StoreOp::create(b, loop.getResult(0), sums, ivs);
    b.setInsertionPointToStart(loop.getBody());
    Value kb = loop.getInductionVar(), acc = loop.getRegionIterArg(0);
    Value offset = arith::MulIOp::create(b, kb, paddedBlock);
    Value partial = sumBlock(ivs[0], ivs[1], offset);
    acc = scaleBlock ? addBlock(acc, partial, ivs[0], kb, ivs[1])
                     : arith::AddFOp::create(b, acc, partial).getResult();
    scf::YieldOp::create(b, acc);
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
