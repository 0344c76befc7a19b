//===- ExchangePatterns.cpp - sums of a cluster ---------------------------===//
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

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

// Warp w of a role has its sums in workgroup w % S of the cluster. In the
// others it writes its registers to shared memory and arrives at the barrier of
// that one, where warp w waits for all of them, reads and adds. A thread reads
// what the thread of its number in another workgroup wrote: pieces of 16 bytes,
// those of neighbours side by side.

/// Registers of a piece.
static constexpr int64_t kPiece = 4, kPieceBytes = 16;

static VectorType getPieceType(ImplicitLocOpBuilder &b) {
  return VectorType::get(kPiece, b.getF32Type());
}

/// Where `address` of this workgroup lies in that of `rank`.
static Value buildRemotePtr(ImplicitLocOpBuilder &b, Value address,
                            Value rank) {
  auto type = LLVM::LLVMPointerType::get(
      b.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  return NVVM::MapaOp::create(b, type, address, rank);
}

/// Until the first phase is over, with all that was written in the cluster
/// before. (nvvm.mbarrier.try_wait.parity has the scope of a workgroup.)
static void buildClusterWait(ImplicitLocOpBuilder &b, Value barrier) {
  auto loop = scf::WhileOp::create(b, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getBefore());
  Value isOver = NVVM::MBarrierTryWaitOp::create(
      b, b.getI1Type(), barrier, /*stateOrPhase=*/constantI32(b, 0),
      /*ticks=*/Value(), NVVM::MemScopeKind::CLUSTER, /*relaxed=*/false);
  Value isOpen = arith::XOrIOp::create(
      b, isOver, arith::ConstantOp::create(b, b.getBoolAttr(true)));
  scf::ConditionOp::create(b, isOpen, ValueRange());
  b.createBlock(&loop.getAfter());
  scf::YieldOp::create(b);
}

namespace {
class Exchange {
public:
  Exchange(ImplicitLocOpBuilder &b, const RoleInfo &role, Value warp,
           int64_t workgroups, Value buffer, Value pipe);

  Value getIsHere() const { return isHere; }
  /// The sums of `values`, or `values` themselves where they are not.
  ValueRange build(ValueRange values);

private:
  /// Offset of piece `i` of a thread from its first one.
  int64_t getOffset(int64_t i) const {
    return i * role.getNumThreads() * kPieceBytes;
  }
  void give(ValueRange values);
  SmallVector<Value> take(ValueRange values);
  SmallVector<Value> addPieces(ArrayRef<Value> others, int64_t offset,
                               int64_t count, int64_t step);
  SmallVector<Value> loadPiece(Value first, int64_t offset);

  ImplicitLocOpBuilder &b;
  const RoleInfo &role;
  int64_t workgroups;
  Value rank, owner, isHere; // i32, i32, i1
  Value own, barrier;        // pointers
};
} // namespace

Exchange::Exchange(ImplicitLocOpBuilder &b, const RoleInfo &role, Value warp,
                   int64_t workgroups, Value buffer, Value pipe)
    : b(b), role(role), workgroups(workgroups) {
  Value number = addI32(b, warp, constantI32(b, -role.getFirstWarp()));
  Value thread =
      addI32(b, buildThread(b), constantI32(b, -role.getFirstThread()));
  rank = indexToI32(b, gpu::ClusterBlockIdOp::create(b, gpu::Dimension::x));
  owner = remI32(b, number, workgroups);
  isHere = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, owner, rank);
  own = buildSharedPtr(b, addI32(b, buffer, mulI32(b, thread, kPieceBytes)));
  barrier = buildFullBarrier(b, pipe, number);
}

/// One lane arrives for its warp, with the scope that makes what the warp wrote
/// known in the cluster.
void Exchange::give(ValueRange values) {
  for (int64_t i = 0, e = values.size() / kPiece; i != e; ++i) {
    Value piece = vector::FromElementsOp::create(
        b, getPieceType(b), values.slice(i * kPiece, kPiece));
    Value ptr = LLVM::GEPOp::create(b, own.getType(), b.getI8Type(), own,
                                    LLVM::GEPArg(getOffset(i)));
    LLVM::StoreOp::create(b, piece, ptr, kPieceBytes);
  }
  NVVM::SyncWarpOp::create(b, constantI32(b, -1));
  NVVM::InlinePtxOp::create(
      b, TypeRange(), buildRemotePtr(b, barrier, owner), ValueRange(),
      b.getStringAttr(
          "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$0];"),
      isEqual(b, buildLane(b), 0));
}

/// One half of the cluster after the other is added to what is in registers,
/// then what is left of each quarter, ..: all registers at each step, as ptxas
/// loads what it can ahead of the additions.
SmallVector<Value> Exchange::take(ValueRange values) {
  buildClusterWait(b, barrier);
  SmallVector<Value> others = {Value()};
  for (int64_t distance = 1; distance != workgroups; ++distance)
    others.push_back(buildRemotePtr(
        b, own,
        remI32(b, addI32(b, rank, constantI32(b, distance)), workgroups)));
  SmallVector<Value> sums(values);
  for (int64_t step = workgroups / 2; step != 0; step /= 2)
    for (int64_t i = 0, e = values.size() / kPiece; i != e; ++i) {
      SmallVector<Value> piece =
          addPieces(ArrayRef(others).drop_front(step), getOffset(i),
                    workgroups / (2 * step), 2 * step);
      for (int64_t j = 0; j != kPiece; ++j) {
        Value &sum = sums[i * kPiece + j];
        sum = arith::AddFOp::create(b, sum, piece[j]);
      }
    }
  return sums;
}

/// The sum of the pieces of `count` workgroups, the first of `others` and each
/// that is `step` behind the one before.
SmallVector<Value> Exchange::addPieces(ArrayRef<Value> others, int64_t offset,
                                       int64_t count, int64_t step) {
  if (count == 1)
    return loadPiece(others.front(), offset);
  SmallVector<Value> sums = addPieces(others, offset, count / 2, 2 * step);
  for (auto [sum, other] :
       llvm::zip_equal(sums, addPieces(others.drop_front(step), offset,
                                       count / 2, 2 * step)))
    sum = arith::AddFOp::create(b, sum, other);
  return sums;
}

SmallVector<Value> Exchange::loadPiece(Value first, int64_t offset) {
  Value ptr = LLVM::GEPOp::create(b, first.getType(), b.getI8Type(), first,
                                  LLVM::GEPArg(offset));
  Value piece = LLVM::LoadOp::create(b, getPieceType(b), ptr, kPieceBytes);
  SmallVector<Value> values;
  for (int64_t i = 0; i != kPiece; ++i)
    values.push_back(vector::ExtractOp::create(b, piece, i));
  return values;
}

ValueRange Exchange::build(ValueRange values) {
  auto ifOp =
      scf::IfOp::create(b, values.getTypes(), isHere, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  scf::YieldOp::create(b, take(values));
  b.setInsertionPointToStart(ifOp.elseBlock());
  give(values);
  scf::YieldOp::create(b, values);
  return ifOp.getResults();
}

namespace {
struct ClusterReducePattern : OpConversionPattern<ClusterReduceOp> {
  ClusterReducePattern(const TypeConverter &converter, MLIRContext *context,
                       TilePlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(ClusterReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> values;
    for (ValueRange tile : adaptor.getTiles())
      llvm::append_range(values, tile);
    Exchange exchange(b, plan.getRole(op), plan.getWarp(op), ClusterShape(op).k,
                      adaptor.getBuffer().front(), adaptor.getPipe().front());
    ValueRange left = exchange.build(values);
    SmallVector<ValueRange> results;
    for (ValueRange tile : adaptor.getTiles()) {
      results.push_back(left.take_front(tile.size()));
      left = left.drop_front(tile.size());
    }
    Value isHere = exchange.getIsHere();
    results.push_back(isHere);
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }

  TilePlan &plan;
};
} // namespace

void nvvm::populateExchangePatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns,
                                    TilePlan &plan) {
  patterns.add<ClusterReducePattern>(converter, patterns.getContext(), plan);
}
