//===- InsertWaits.cpp - tokens to counted waits --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_INSERTWAITSPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

/// What is known of a token at a point of the program, over all paths there.
struct TokenState {
  /// Least number of vector-memory operations since the commit, if it is of
  /// counter `load` on some path.
  std::optional<int64_t> load;
  bool ds = false;
  /// The same for counters `wgmma` and `cp_async`: groups committed since.
  std::optional<int64_t> wgmma, cpAsync;
  /// Nothing has waited for it on some path.
  bool pending = true;

  bool operator==(const TokenState &other) const {
    return load == other.load && ds == other.ds && wgmma == other.wgmma &&
           cpAsync == other.cpAsync && pending == other.pending;
  }
};

using State = llvm::MapVector<Value, TokenState>;

} // namespace

static std::optional<int64_t> joinCounts(std::optional<int64_t> a,
                                         std::optional<int64_t> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

/// What holds for a token that is in either of two states.
static TokenState join(const TokenState &a, const TokenState &b) {
  TokenState joined = a;
  joined.ds |= b.ds;
  joined.pending |= b.pending;
  joined.load = joinCounts(a.load, b.load);
  joined.wgmma = joinCounts(a.wgmma, b.wgmma);
  joined.cpAsync = joinCounts(a.cpAsync, b.cpAsync);
  return joined;
}

/// Joins `other`, the state at the end of another path, into `state`.
static void joinInto(State &state, const State &other) {
  for (const auto &[token, info] : other) {
    auto [it, isNew] = state.insert({token, info});
    if (!isNew)
      it->second = join(it->second, info);
  }
}

/// LLVM may merge accesses of 1 to 3 words at neighbouring addresses
/// (SILoadStoreOptimizer), so that fewer instructions are issued.
static bool mayBeMerged(Type type) {
  int64_t bits = 0;
  if (auto vector = dyn_cast<VectorType>(type))
    bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  else if (type.isIntOrFloat())
    bits = type.getIntOrFloatBitWidth();
  return bits != 8 && bits != 16 && bits != 128;
}

/// Whether `op` is sure to issue one instruction that vmcnt counts. On gfx9
/// that includes stores (AMD "CDNA3 ISA", s_waitcnt). Loads to registers are
/// not asked for.
static bool issuesVectorMemory(Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case([](ROCDL::RawPtrBufferStoreOp op) {
        return !mayBeMerged(op.getVdata().getType());
      })
      .Case<ROCDL::RawPtrBufferLoadLdsOp, ROCDL::LoadToLDSOp,
            ROCDL::GlobalLoadLDSOp>([](auto) { return true; })
      .Default(false);
}

namespace {
/// Follows the tokens of one function and finds the counts of its waits.
class TokenAnalysis {
public:
  LogicalResult run(FunctionOpInterface func);

  /// Operands of the `amdgpu.memory_counter_wait` for `op`.
  std::optional<int64_t> getLoadCount(WaitOp op) const {
    return waits.lookup(op).load;
  }
  /// Of the groups of products that may still be under way after it.
  std::optional<int64_t> getWgmmaCount(WaitOp op) const {
    return waits.lookup(op).wgmma;
  }
  /// Of the groups of copies.
  std::optional<int64_t> getCopyCount(WaitOp op) const {
    return waits.lookup(op).cpAsync;
  }
  bool waitsForDS(WaitOp op) const {
    return op.getTokens().empty() || waits.lookup(op).ds;
  }

private:
  LogicalResult visit(Block &block, State &state);
  void visit(CommitOp op, State &state);
  LogicalResult visit(WaitOp op, State &state);
  LogicalResult visit(scf::IfOp op, State &state);
  LogicalResult visit(scf::ForOp op, State &state);
  LogicalResult visitOp(Operation *op, State &state);

  /// The tokens among `operands` under the names `names`, in the block after
  /// or inside the region op; the operands are not pending any more.
  static State transfer(State &state, ValueRange operands, ValueRange names);
  /// Removes what `block` defines; reports what is still pending of it.
  static LogicalResult leave(Block &block, State &state);

  DenseMap<Operation *, TokenState> waits;
};

} // namespace

static bool isToken(Value value) { return isa<TokenType>(value.getType()); }

State TokenAnalysis::transfer(State &state, ValueRange operands,
                              ValueRange names) {
  State result;
  for (auto [operand, name] : llvm::zip_equal(operands, names))
    if (isToken(operand)) {
      TokenState &info = state[operand];
      result.insert({name, info});
      info.pending = false;
    }
  return result;
}

LogicalResult TokenAnalysis::leave(Block &block, State &state) {
  for (auto &[token, info] : state)
    if (info.pending && token.getParentBlock() == &block)
      return emitError(token.getLoc(),
                       "expects the token to be waited for on every path");
  state.remove_if(
      [&](auto &entry) { return entry.first.getParentBlock() == &block; });
  return success();
}

LogicalResult TokenAnalysis::visit(WaitOp op, State &state) {
  TokenState all;
  for (Value token : op.getTokens()) {
    TokenState &info = state[token];
    all = join(all, info);
    info.pending = false;
  }
  auto [it, isNew] = waits.insert({op, all});
  if (!isNew) // a further round of a loop
    it->second = join(it->second, all);
  return success();
}

LogicalResult TokenAnalysis::visit(scf::IfOp op, State &state) {
  State joined;
  for (Region &region : op->getRegions()) {
    State path = state;
    if (region.empty()) {
      joinInto(joined, path);
      continue;
    }
    Block &block = region.front();
    if (failed(visit(block, path)))
      return failure();
    State results =
        transfer(path, block.getTerminator()->getOperands(), op.getResults());
    if (failed(leave(block, path)))
      return failure();
    joinInto(joined, path);
    joinInto(joined, results);
  }
  state = std::move(joined);
  return success();
}

LogicalResult TokenAnalysis::visit(scf::ForOp op, State &state) {
  Block &body = *op.getBody();
  std::optional<APInt> trips = op.getStaticTripCount();
  bool mayBeSkipped = !trips || trips->isZero();
  State carried = transfer(state, op.getInitArgs(), op.getRegionIterArgs());
  State results;
  if (mayBeSkipped)
    for (auto [arg, result] :
         llvm::zip_equal(op.getRegionIterArgs(), op.getResults()))
      if (isToken(arg))
        results.insert({result, carried[arg]});
  // Counts only fall from round to round, and no further than 0.
  for (State entry = carried;; entry = carried) {
    State path = state;
    joinInto(path, entry);
    if (failed(visit(body, path)))
      return failure();
    ValueRange yielded = body.getTerminator()->getOperands();
    State ends = path;
    joinInto(carried, transfer(path, yielded, op.getRegionIterArgs()));
    State after = transfer(ends, yielded, op.getResults());
    if (failed(leave(body, path)))
      return failure();
    if (llvm::equal(carried, entry)) {
      joinInto(results, after);
      if (!mayBeSkipped)
        state = path;
      joinInto(state, path);
      joinInto(state, results);
      return success();
    }
  }
}

/// Another group is committed, of which a token has number 0.
static void commitGroup(State &state, TokenState &info,
                        std::optional<int64_t> TokenState::*count) {
  for (auto &[token, other] : state)
    if (other.*count)
      ++*(other.*count);
  info.*count = 0;
}

void TokenAnalysis::visit(CommitOp op, State &state) {
  TokenState info;
  switch (op.getCounter()) {
  case Counter::Load:
    info.load = 0;
    break;
  case Counter::DS:
    info.ds = true;
    break;
  case Counter::Wgmma:
    commitGroup(state, info, &TokenState::wgmma);
    break;
  case Counter::CpAsync:
    commitGroup(state, info, &TokenState::cpAsync);
    break;
  }
  state[op.getToken()] = info;
}

LogicalResult TokenAnalysis::visitOp(Operation *op, State &state) {
  if (auto commit = dyn_cast<CommitOp>(op)) {
    visit(commit, state);
    return success();
  }
  if (auto wait = dyn_cast<WaitOp>(op))
    return visit(wait, state);
  if (auto ifOp = dyn_cast<scf::IfOp>(op))
    return visit(ifOp, state);
  if (auto forOp = dyn_cast<scf::ForOp>(op))
    return visit(forOp, state);
  // LLVM waits for a load where its registers are used, in the order of all of
  // them: one wait does for it and the copies in front of it.
  bool loadsRegisters = isa<ROCDL::RawPtrBufferLoadOp>(op);
  if (loadsRegisters || issuesVectorMemory(op))
    for (auto &[token, info] : state)
      if (info.load)
        info.load = loadsRegisters ? 0 : *info.load + 1;
  bool hidesTokens =
      op->getNumRegions() != 0 && op->walk([](Operation *inner) {
                                      return isa<CommitOp, WaitOp>(inner)
                                                 ? WalkResult::interrupt()
                                                 : WalkResult::advance();
                                    }).wasInterrupted();
  if (!op->hasTrait<OpTrait::IsTerminator>() &&
      (hidesTokens || llvm::any_of(op->getOperands(), isToken) ||
       llvm::any_of(op->getResults(), isToken)))
    return op->emitOpError("expects no tokens: they are followed through "
                           "scf.for and scf.if only");
  return success();
}

LogicalResult TokenAnalysis::visit(Block &block, State &state) {
  for (Operation &op : block)
    if (failed(visitOp(&op, state)))
      return failure();
  return success();
}

LogicalResult TokenAnalysis::run(FunctionOpInterface func) {
  Region &body = func.getFunctionBody();
  if (!func.walk([](Operation *op) {
             return isa<CommitOp, WaitOp>(op) ? WalkResult::interrupt()
                                              : WalkResult::advance();
           })
           .wasInterrupted())
    return success();
  if (!body.hasOneBlock() || llvm::any_of(body.getArguments(), isToken))
    return func.emitOpError("expects tokens in structured control flow, and "
                            "none among the arguments");
  State state;
  if (failed(visit(body.front(), state)))
    return failure();
  return leave(body.front(), state);
}

namespace {

/// A token becomes no value at all, also where a loop carries it.
struct TokenTypeConverter : TypeConverter {
  TokenTypeConverter() {
    addConversion([](Type type) { return type; });
    addConversion([](TokenType, SmallVectorImpl<Type> &) { return success(); });
  }
};

struct CommitPattern : OpConversionPattern<CommitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CommitOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getCounter() == Counter::Wgmma)
      NVVM::WgmmaGroupSyncAlignedOp::create(rewriter, op.getLoc());
    if (op.getCounter() == Counter::CpAsync)
      NVVM::CpAsyncCommitGroupOp::create(rewriter, op.getLoc());
    rewriter.replaceOpWithMultiple(op, {ValueRange()});
    return success();
  }
};

struct WaitPattern : OpConversionPattern<WaitOp> {
  WaitPattern(const TypeConverter &converter, MLIRContext *context,
              const TokenAnalysis &analysis, bool conservative)
      : OpConversionPattern(converter, context), analysis(analysis),
        conservative(conservative) {}

  LogicalResult
  matchAndRewrite(WaitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values;
    for (ValueRange value : adaptor.getValues())
      llvm::append_range(values, value);
    if (std::optional<int64_t> count = analysis.getWgmmaCount(op))
      buildWgmmaWait(rewriter, op.getLoc(), conservative ? 0 : *count, values);
    if (std::optional<int64_t> count = analysis.getCopyCount(op))
      NVVM::CpAsyncWaitGroupOp::create(rewriter, op.getLoc(),
                                       conservative ? 0 : *count);
    if (!isNVIDIA(op))
      buildMemoryWait(rewriter, op);
    rewriter.replaceOpWithMultiple(op, adaptor.getValues());
    return success();
  }

private:
  static bool isNVIDIA(Operation *op) {
    TargetAttr target = lookupTarget(op);
    return target && lookupTargetRecord(target.getChip())->nvidia;
  }

  /// The values are what the products write: the wait reads and writes them, so
  /// that what uses them stays behind it. The op of NVVM has no operands.
  static void buildWgmmaWait(OpBuilder &b, Location loc, int64_t count,
                             ValueRange values) {
    if (values.empty()) {
      NVVM::WgmmaWaitGroupSyncOp::create(b, loc, count);
      return;
    }
    std::string text =
        ("wgmma.wait_group.sync.aligned " + Twine(count) + ";").str();
    NVVM::InlinePtxOp::create(b, loc, TypeRange(), ValueRange(), values, text,
                              /*predicate=*/Value());
  }

  void buildMemoryWait(OpBuilder &b, WaitOp op) const {
    IntegerAttr zero = b.getI32IntegerAttr(0), load, ds;
    if (std::optional<int64_t> count = analysis.getLoadCount(op))
      load = b.getI32IntegerAttr(*count);
    // Scalar loads share lgkmcnt with LDS accesses and may return out of
    // order: no other value than 0 says which ones are complete (AMD "CDNA3
    // ISA", s_waitcnt).
    if (analysis.waitsForDS(op))
      ds = zero;
    // Also for what it has no token of.
    if (conservative && (load || ds))
      load = ds = zero;
    if (load || ds)
      amdgpu::MemoryCounterWaitOp::create(b, op.getLoc(), load,
                                          /*store=*/nullptr, ds,
                                          /*exp=*/nullptr, /*tensor=*/nullptr);
  }

  const TokenAnalysis &analysis;
  bool conservative;
};

struct InsertWaits : lpgemm::impl::InsertWaitsPassBase<InsertWaits> {
  using InsertWaitsPassBase::InsertWaitsPassBase;

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> funcs;
    getOperation()->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
      funcs.push_back(func);
      return WalkResult::skip();
    });
    for (FunctionOpInterface func : funcs)
      if (failed(convert(func)))
        return signalPassFailure();
  }

  LogicalResult convert(FunctionOpInterface func) {
    TokenAnalysis analysis;
    if (failed(analysis.run(func)))
      return failure();
    TokenTypeConverter converter;
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<CommitOp, WaitOp>();
    patterns.add<CommitPattern>(converter, &getContext());
    patterns.add<WaitPattern>(converter, &getContext(), analysis, conservative);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    return applyPartialConversion(func, target, std::move(patterns));
  }
};

} // namespace
