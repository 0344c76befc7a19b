//===- PinAccumulators.cpp - lpgemm-pin-accumulators ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_PINACCUMULATORSPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// Products one behind the other, the sums of which have the same registers.
struct Chain {
  FragType type;
  SmallVector<AsyncMmaOp> ops;
};

/// Registers by the tile that they hold and the chain of such tiles.
using Registers = llvm::MapVector<std::pair<Type, unsigned>, Value>;
} // namespace

static bool startsFromZero(AsyncMmaOp op) {
  auto splat = op.getAcc().getDefiningOp<SplatOp>();
  return splat && matchPattern(splat.getValue(), m_AnyZeroFloat());
}

/// What the wait for `op` in its block gives: the sum itself before it is
/// complete.
static Value getSum(AsyncMmaOp op) {
  for (Operation *user : op.getToken().getUsers())
    if (auto wait = dyn_cast<WaitOp>(user);
        wait && wait->getBlock() == op->getBlock())
      for (auto [value, result] :
           llvm::zip_equal(wait.getValues(), wait.getResults()))
        if (value == op.getResult())
          return result;
  return {};
}

/// The products of `loop` that start from zero, each in the first chain whose
/// last sum comes before it.
static SmallVector<Chain> collectChains(scf::ForOp loop) {
  SmallVector<Chain> chains;
  for (auto op : loop.getOps<AsyncMmaOp>()) {
    if (!startsFromZero(op) || !getSum(op))
      continue;
    auto *chain = llvm::find_if(chains, [&](Chain &c) {
      return c.type == op.getAcc().getType() &&
             getSum(c.ops.back()).getDefiningOp()->isBeforeInBlock(op);
    });
    if (chain == chains.end()) {
      chains.push_back({op.getAcc().getType(), {}});
      chain = &chains.back();
    }
    chain->ops.push_back(op);
  }
  return chains;
}

/// A zero in front of `loop`.
static Value createZero(scf::ForOp loop, FragType type, IRRewriter &b) {
  b.setInsertionPoint(loop);
  return SplatOp::create(
      b, loop.getLoc(), type,
      arith::ConstantOp::create(b, loop.getLoc(),
                                b.getZeroAttr(type.getElementType())));
}

/// Threads the registers of sums through the products of `loop` that start from
/// zero; `registers` are those before it, and then those behind.
static void pin(scf::ForOp loop, Registers &registers, IRRewriter &b) {
  SmallVector<Chain> chains = collectChains(loop);
  if (chains.empty())
    return;
  SmallVector<Value> inits;
  SmallVector<Value *> behind;
  llvm::MapVector<Type, unsigned> numbers; // of chains of a type so far
  for (Chain &chain : chains)
    registers.insert({{chain.type, numbers[chain.type]++}, Value()});
  numbers.clear();
  for (Chain &chain : chains) {
    Value &value = registers[{chain.type, numbers[chain.type]++}];
    if (!value)
      value = createZero(loop, chain.type, b);
    inits.push_back(value);
    behind.push_back(&value);
  }
  size_t first = loop.getNumRegionIterArgs();
  auto replaced = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      b, inits, /*replaceInitOperandUsesInLoop=*/false,
      [](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
        return llvm::to_vector_of<Value>(args);
      }));
  Operation *yield = replaced.getBody()->getTerminator();
  for (auto [i, chain] : llvm::enumerate(chains)) {
    Value current = replaced.getRegionIterArg(first + i);
    for (AsyncMmaOp op : chain.ops) {
      op.getAccMutable().assign(current);
      op.setZero(true);
      current = getSum(op);
    }
    yield->setOperand(first + i, current);
    *behind[i] = replaced.getResult(first + i);
  }
}

namespace {
struct PinAccumulators
    : lpgemm::impl::PinAccumulatorsPassBase<PinAccumulators> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    getOperation()->walk([&](Block *block) {
      Registers registers;
      for (auto loop : llvm::to_vector(block->getOps<scf::ForOp>()))
        pin(loop, registers, b);
    });
  }
};
} // namespace
