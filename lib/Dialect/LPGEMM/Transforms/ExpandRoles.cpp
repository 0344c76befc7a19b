//===- ExpandRoles.cpp - waves that load, waves that multiply -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandRoles.h"

#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::lpgemm;

static bool isLoading(Operation *op) {
  auto role = op->getAttrOfType<StringAttr>(kRoleAttrName);
  return role && role.getValue() == kLoadRoleName;
}

static bool containsLoading(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isLoading(inner) ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// The part that loads
//===----------------------------------------------------------------------===//

static void keepLoading(Block *block, RewriterBase &b);

/// `loop` with nothing carried but slots.
static void keepLoading(scf::ForOp loop, RewriterBase &b) {
  SmallVector<unsigned> kept;
  SmallVector<Value> inits;
  for (auto [i, init] : llvm::enumerate(loop.getInitArgs()))
    if (isa<SlotType>(init.getType())) {
      kept.push_back(i);
      inits.push_back(init);
    }
  b.setInsertionPoint(loop);
  auto replaced =
      scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep(), inits);
  // What else was carried is not used by what loads.
  SmallVector<Value> arguments = {replaced.getInductionVar()};
  for (BlockArgument arg : loop.getRegionIterArgs())
    arguments.push_back(
        isa<SlotType>(arg.getType())
            ? replaced.getRegionIterArgs()[llvm::find(kept,
                                                      arg.getArgNumber() - 1) -
                                           kept.begin()]
            : ub::PoisonOp::create(b, loop.getLoc(), arg.getType())
                  .getResult());
  Operation *yield = loop.getBody()->getTerminator();
  auto yielded = llvm::map_to_vector(
      kept, [&](unsigned i) { return yield->getOperand(i); });
  b.eraseOp(yield);
  if (!replaced.getBody()->empty())
    b.eraseOp(replaced.getBody()->getTerminator());
  b.mergeBlocks(loop.getBody(), replaced.getBody(), arguments);
  b.setInsertionPointToEnd(replaced.getBody());
  scf::YieldOp::create(b, loop.getLoc(), yielded);
  for (auto [i, result] : llvm::zip_equal(kept, replaced.getResults()))
    b.replaceAllUsesWith(loop.getResult(i), result);
  b.eraseOp(loop);
  keepLoading(replaced.getBody(), b);
}

/// Erases what is not needed to load.
static void keepLoading(Block *block, RewriterBase &b) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block))) {
    if (isLoading(&op) || op.hasTrait<OpTrait::IsTerminator>())
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && containsLoading(loop))
      keepLoading(loop, b);
    else if (op.use_empty())
      b.eraseOp(&op);
  }
  // What the loops needed.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (isOpTriviallyDead(&op))
      b.eraseOp(&op);
}

/// Which workgroups of a cluster need the tile that `copy` makes: those of one
/// of its columns that of rhs, those of one of its rows that of lhs.
static std::optional<int64_t> getMulticast(PipeCopyOp copy,
                                           ScheduleAttr schedule) {
  BufType type = copy.getDest().getType();
  if (type.getDimSize(1) == 1)
    return std::nullopt;
  bool isLhs = false, isRhs = false;
  auto view = copy.getDest().getDefiningOp<ViewOp>();
  if (!view)
    return std::nullopt;
  for (Operation *user : view.getSource().getUsers())
    for (Operation *reader : user->getUsers())
      if (auto product = dyn_cast<AsyncMmaOp>(reader)) {
        isLhs |= product.getA().getDefiningOp() == user;
        isRhs |= product.getB().getDefiningOp() == user;
      }
  if (isRhs && schedule.getClusterM() > 1)
    return 0;
  if (isLhs && schedule.getClusterN() > 1)
    return 1;
  return std::nullopt;
}

/// The ops of `from`, less those that do not load, at the end of `to`.
static void cloneLoading(Region &from, Block *to, Value wave, RewriterBase &b) {
  IRMapping mapping;
  mapping.map(from.getArgument(0), wave);
  b.setInsertionPointToEnd(to);
  if (to->mightHaveTerminator())
    b.setInsertionPoint(to->getTerminator());
  for (Operation &op : from.front())
    b.clone(op, mapping);
  keepLoading(to, b);
}

/// Copies by the copy engine, those that it cannot make by one thread.
static void useCopyEngine(Block *block,
                          ArrayRef<std::optional<int64_t>> shared) {
  unsigned i = 0;
  block->walk([&](PipeCopyOp copy) {
    std::optional<int64_t> multicast = shared[i++];
    if (!copy.fitsCopyEngine())
      return;
    copy.setEngine(CopyEngine::TMA);
    copy.setMulticast(multicast);
  });
}

/// `lpgemm.roles` with one more role, the body of which is empty.
static RolesOp addRole(RolesOp roles, int64_t regs, RewriterBase &b) {
  SmallVector<Attribute> names = llvm::to_vector(roles.getNames());
  SmallVector<int64_t> waves = llvm::to_vector(roles.getWaves()),
                       allRegs = llvm::to_vector(roles.getRegs());
  names.push_back(b.getStringAttr(kLoadRoleName));
  waves.push_back(1);
  allRegs.push_back(regs);
  b.setInsertionPoint(roles);
  auto replaced = RolesOp::create(b, roles.getLoc(), b.getArrayAttr(names),
                                  waves, allRegs, names.size());
  for (auto [from, to] : llvm::zip(roles.getBodies(), replaced.getBodies()))
    to.takeBody(from);
  b.createBlock(&replaced.getBodies().back(), {}, b.getIndexType(),
                roles.getLoc());
  b.eraseOp(roles);
  return replaced;
}

namespace {
/// Checks that a role of its own can do what the ops of role "load" need.
class LoadingVerifier {
public:
  LoadingVerifier(RolesOp roles)
      : roles(roles), role(roles.lookupRole(kMmaRoleName)) {}

  LogicalResult verify();

private:
  LogicalResult verifyOp(Operation *op);
  LogicalResult verifyLoop(Operation *user, scf::ForOp loop);
  LogicalResult verifyOperand(Operation *user, Value value);

  RolesOp roles;
  Region *role;
  llvm::SmallPtrSet<Operation *, 16> seen;
};
} // namespace

/// It can be made twice, of values that can; or it is a slot.
LogicalResult LoadingVerifier::verifyOperand(Operation *user, Value value) {
  if (!role->isAncestor(value.getParentRegion()))
    return success();
  bool isSlot = isa<SlotType>(value.getType());
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (loop && (isSlot || arg == loop.getInductionVar()))
      return success();
  } else {
    Operation *op = value.getDefiningOp();
    if (isSlot && isa<scf::ForOp>(op) && containsLoading(op))
      return success();
    if (op->getNumRegions() == 0 && wouldOpBeTriviallyDead(op)) {
      if (!seen.insert(op).second)
        return success();
      return success(llvm::all_of(op->getOperands(), [&](Value operand) {
        return succeeded(verifyOperand(user, operand));
      }));
    }
  }
  return user->emitOpError() << "expects operands that role '" << kLoadRoleName
                             << "' can compute by itself";
}

LogicalResult LoadingVerifier::verifyLoop(Operation *user, scf::ForOp loop) {
  SmallVector<Value> needed = {loop.getLowerBound(), loop.getUpperBound(),
                               loop.getStep()};
  for (Value value :
       llvm::concat<Value>(llvm::to_vector(loop.getInitArgs()),
                           llvm::to_vector(loop.getYieldedValues())))
    if (isa<SlotType>(value.getType()))
      needed.push_back(value);
  return success(llvm::all_of(needed, [&](Value value) {
    return succeeded(verifyOperand(user, value));
  }));
}

LogicalResult LoadingVerifier::verifyOp(Operation *op) {
  if (!isa<PipeAcquireOp, PipeCopyOp, PipeCommitOp>(op))
    return op->emitOpError() << "cannot be of role '" << kLoadRoleName
                             << "': only lpgemm.pipe_acquire, lpgemm.pipe_copy "
                                "and lpgemm.pipe_commit can";
  if (!role || !role->isAncestor(op->getParentRegion()))
    return op->emitOpError()
           << "expects to be in role '" << kMmaRoleName
           << "', to be moved to role '" << kLoadRoleName << "'";
  // The role asks whether the copy engine can address it, before any loop.
  if (auto copy = dyn_cast<PipeCopyOp>(op);
      copy && role->isAncestor(copy.getSource().getParentRegion()))
    return op->emitOpError(
        "expects a source that is bound in front of lpgemm.roles");
  for (Value operand : op->getOperands())
    if (failed(verifyOperand(op, operand)))
      return failure();
  Operation *parent = op->getParentOp();
  for (; parent != roles; parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      return op->emitOpError()
             << "expects nothing but scf.for between it and lpgemm.roles, but "
                "got '"
             << parent->getName() << "'";
    if (failed(verifyLoop(op, loop)))
      return failure();
  }
  return success();
}

LogicalResult LoadingVerifier::verify() {
  WalkResult result = roles.walk([&](Operation *op) {
    return isLoading(op) && failed(verifyOp(op)) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult lpgemm::splitRoles(RolesOp roles, ScheduleAttr schedule) {
  if (!containsLoading(roles))
    return success();
  if (roles.lookupRole(kLoadRoleName))
    return roles.emitOpError()
           << "expects no role '" << kLoadRoleName
           << "' yet, as an op has attribute '" << kRoleAttrName << "'";
  if (failed(LoadingVerifier(roles).verify()))
    return failure();
  IRRewriter b(roles.getContext());
  Location loc = roles.getLoc();
  roles = addRole(roles, schedule.getRoles().getLoadRegs(), b);
  Region &from = *roles.lookupRole(kMmaRoleName);
  SmallVector<std::optional<int64_t>> shared;
  SmallVector<Value> matrices;
  from.walk([&](PipeCopyOp copy) {
    shared.push_back(getMulticast(copy, schedule));
    if (copy.fitsCopyEngine() &&
        !llvm::is_contained(matrices, copy.getSource()))
      matrices.push_back(copy.getSource());
  });
  Block *load = &roles.lookupRole(kLoadRoleName)->front();
  b.setInsertionPointToStart(load);
  Value hasMaps = HasMapOp::create(b, loc, b.getI1Type(), matrices);
  auto ifOp = scf::IfOp::create(b, loc, hasMaps, /*withElseRegion=*/true);
  b.setInsertionPointToStart(ifOp.thenBlock());
  auto elect = ElectOp::create(b, loc);
  Block *one = b.createBlock(&elect.getBody());
  cloneLoading(from, one, load->getArgument(0), b);
  useCopyEngine(one, shared);
  cloneLoading(from, ifOp.elseBlock(), load->getArgument(0), b);
  from.walk([&](Operation *op) {
    if (isLoading(op))
      b.eraseOp(op);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Products in flight
//===----------------------------------------------------------------------===//

static bool isDeferred(Operation *op) {
  auto stage = op->getAttrOfType<IntegerAttr>(kStageAttrName);
  return stage && stage.getInt() == 1;
}

namespace {
/// Writes a loop whose stage 1 runs an iteration late.
class Deferral {
public:
  Deferral(scf::ForOp loop, RewriterBase &b)
      : loop(loop), b(b), loc(loop.getLoc()) {}

  void run();

private:
  void collectCarried();
  SmallVector<Value> cloneIssue(IRMapping &mapping, bool isFirst);
  void cloneDeferred(IRMapping &mapping, bool isLast);
  SmallVector<Value> createPipelined();

  scf::ForOp loop;
  RewriterBase &b;
  Location loc;
  SmallVector<Value> carried; // by stage 1 from the iteration before
};
} // namespace

void Deferral::collectCarried() {
  llvm::SmallSetVector<Value, 4> values;
  for (Operation &op : *loop.getBody()) {
    if (!isDeferred(&op))
      continue;
    auto wait = dyn_cast<WaitOp>(op);
    for (Value operand :
         wait ? ValueRange(wait.getTokens()) : ValueRange(op.getOperands()))
      if (operand.getParentBlock() == loop.getBody())
        values.insert(operand);
  }
  carried = values.takeVector();
}

/// Stage 0 of one iteration; gives what it yields. In the first one products
/// start from 0, if the loop does.
SmallVector<Value> Deferral::cloneIssue(IRMapping &mapping, bool isFirst) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto wait = dyn_cast<WaitOp>(op); wait && isDeferred(wait)) {
      for (auto [value, result] :
           llvm::zip_equal(wait.getValues(), wait.getResults()))
        mapping.map(result, mapping.lookup(value));
      continue;
    }
    if (isDeferred(&op))
      continue;
    Operation *clone = b.clone(op, mapping);
    if (auto product = dyn_cast<AsyncMmaOp>(clone); product && isFirst)
      if (auto splat = product.getAcc().getDefiningOp<SplatOp>();
          splat && matchPattern(splat.getValue(), m_AnyZeroFloat()))
        product.setZero(true);
  }
  return llvm::map_to_vector(loop.getYieldedValues(), [&](Value value) {
    return mapping.lookupOrDefault(value);
  });
}

/// Stage 1 of the iteration before. A wait gives its values at the end only, as
/// the products after it go on with them in flight.
void Deferral::cloneDeferred(IRMapping &mapping, bool isLast) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!isDeferred(&op))
      continue;
    auto wait = dyn_cast<WaitOp>(op);
    if (!wait) {
      b.clone(op, mapping)->removeAttr(kStageAttrName);
      continue;
    }
    auto lookup = [&](Value value) { return mapping.lookupOrDefault(value); };
    auto tokens = llvm::map_to_vector(wait.getTokens(), lookup);
    SmallVector<Value> values;
    if (isLast)
      values = llvm::map_to_vector(wait.getValues(), lookup);
    auto late = WaitOp::create(b, wait.getLoc(), tokens, values);
    if (isLast)
      mapping.map(wait.getResults(), late.getResults());
  }
}

/// At least one iteration; gives the results of the loop.
SmallVector<Value> Deferral::createPipelined() {
  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  first.map(loop.getRegionIterArgs(), loop.getInitArgs());
  SmallVector<Value> inits = cloneIssue(first, /*isFirst=*/true);
  size_t numResults = inits.size();
  for (Value value : carried)
    inits.push_back(first.lookupOrDefault(value));
  Value second =
      b.createOrFold<arith::AddIOp>(loc, loop.getLowerBound(), loop.getStep());
  auto rest = scf::ForOp::create(b, loc, second, loop.getUpperBound(),
                                 loop.getStep(), inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(rest.getBody());
    IRMapping issue, deferred;
    ValueRange args = rest.getRegionIterArgs();
    issue.map(loop.getInductionVar(), rest.getInductionVar());
    issue.map(loop.getRegionIterArgs(), args.take_front(numResults));
    deferred.map(carried, args.drop_front(numResults));
    SmallVector<Value> yielded = cloneIssue(issue, /*isFirst=*/false);
    for (Value value : carried)
      yielded.push_back(issue.lookupOrDefault(value));
    cloneDeferred(deferred, /*isLast=*/false);
    scf::YieldOp::create(b, loc, yielded);
  }
  // The waits take the accumulators as the loop leaves them.
  IRMapping last;
  last.map(carried, ValueRange(rest.getResults()).drop_front(numResults));
  SmallVector<Value> results(rest.getResults().take_front(numResults));
  for (auto [i, value] : llvm::enumerate(loop.getYieldedValues()))
    if (auto wait = value.getDefiningOp<WaitOp>(); wait && isDeferred(wait))
      last.map(wait.getValues()[cast<OpResult>(value).getResultNumber()],
               results[i]);
  cloneDeferred(last, /*isLast=*/true);
  for (auto [i, value] : llvm::enumerate(loop.getYieldedValues()))
    if (auto wait = value.getDefiningOp<WaitOp>(); wait && isDeferred(wait))
      results[i] = last.lookup(value);
  return results;
}

void Deferral::run() {
  collectCarried();
  b.setInsertionPoint(loop);
  Value hasIterations =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  auto ifOp = scf::IfOp::create(b, loc, loop.getResultTypes(), hasIterations,
                                /*withElseRegion=*/true);
  b.setInsertionPointToStart(ifOp.thenBlock());
  scf::YieldOp::create(b, loc, createPipelined());
  b.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(b, loc, loop.getInitArgs());
  b.replaceOp(loop, ifOp.getResults());
}

LogicalResult lpgemm::deferWaits(scf::ForOp loop) {
  auto ops = loop.getBody()->without_terminator();
  if (llvm::none_of(ops, [](Operation &op) { return isDeferred(&op); }))
    return success();
  for (Operation &op : ops) {
    if (!isDeferred(&op))
      continue;
    if (!isa<WaitOp, PipeReleaseOp>(op))
      return op.emitOpError() << "expects to be in stage 0 of a loop with "
                                 "asynchronous products";
    // It takes place when the next product is under way.
    for (Value result : op.getResults())
      if (!result.hasOneUse() ||
          *result.user_begin() != loop.getBody()->getTerminator())
        return op.emitOpError("expects to be in stage 0, unless the loop "
                              "yields its results and nothing else uses them");
  }
  IRRewriter b(loop.getContext());
  Deferral(loop, b).run();
  return success();
}
