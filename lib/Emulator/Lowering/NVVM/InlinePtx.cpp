//===- InlinePtx.cpp - operations that are spelled out --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// NVVM has no operation for some forms, and kernels spell others out. A text,
// or the call of an intrinsic, becomes the operation that it stands for, so
// that there is one rule for both.
//
//===----------------------------------------------------------------------===//

#include "InlinePtx.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

namespace {
/// What a text leaves open.
struct PtxOperands {
  ArrayRef<Value> values;
  ArrayRef<int64_t> numbers;
};

struct PtxText {
  /// White space is normalised; `#` stands for a number.
  StringLiteral text;
  /// Returns the result, if there is one.
  Value (*build)(OpBuilder &builder, Location loc, const PtxOperands &operands);
};
} // namespace

//===----------------------------------------------------------------------===//
// What the texts stand for
//===----------------------------------------------------------------------===//

template <typename OpTy>
static Value buildPlain(OpBuilder &builder, Location loc, const PtxOperands &) {
  OpTy::create(builder, loc);
  return {};
}

template <typename OpTy>
static Value buildClusterOp(OpBuilder &builder, Location loc,
                            const PtxOperands &) {
  OpTy::create(builder, loc, /*aligned=*/UnitAttr());
  return {};
}

template <NVVM::MemScopeKind kScope>
static Value buildMembar(OpBuilder &builder, Location loc,
                         const PtxOperands &) {
  NVVM::MembarOp::create(
      builder, loc, NVVM::MemScopeKindAttr::get(builder.getContext(), kScope));
  return {};
}

template <NVVM::ProxyKind kKind>
static Value buildFenceProxy(OpBuilder &builder, Location loc,
                             const PtxOperands &) {
  NVVM::SharedSpaceAttr space;
  if (kKind == NVVM::ProxyKind::async_shared)
    space = NVVM::SharedSpaceAttr::get(builder.getContext(),
                                       NVVM::SharedSpace::shared_cta);
  NVVM::FenceProxyOp::create(
      builder, loc, NVVM::ProxyKindAttr::get(builder.getContext(), kKind),
      space);
  return {};
}

/// An address may be given as a number.
template <unsigned kSpace>
static Value buildArrive(OpBuilder &builder, Location loc,
                         const PtxOperands &operands) {
  Value address = operands.values[0];
  if (!isa<LLVM::LLVMPointerType>(address.getType()))
    address = LLVM::IntToPtrOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), kSpace),
        address);
  Value count = operands.values.size() > 1 ? operands.values[1] : Value();
  // The scope that a remote arrival needs; a local one may have it.
  NVVM::MBarrierArriveOp::create(
      builder, loc, TypeRange(), address, count,
      NVVM::MemScopeKindAttr::get(builder.getContext(),
                                  NVVM::MemScopeKind::CLUSTER));
  return {};
}

template <typename OpTy>
static Value buildWait(OpBuilder &builder, Location loc,
                       const PtxOperands &operands) {
  constexpr bool kIsLong = std::is_same_v<OpTy, NVVM::WgmmaWaitGroupSyncOp>;
  int64_t number = operands.numbers[0];
  OpTy::create(builder, loc,
               kIsLong ? builder.getI64IntegerAttr(number)
                       : builder.getI32IntegerAttr(number));
  return {};
}

template <bool kIsRead>
static Value buildBulkWait(OpBuilder &builder, Location loc,
                           const PtxOperands &operands) {
  NVVM::CpAsyncBulkWaitGroupOp::create(
      builder, loc, builder.getI32IntegerAttr(operands.numbers[0]),
      kIsRead ? builder.getUnitAttr() : UnitAttr());
  return {};
}

template <NVVM::SetMaxRegisterAction kAction>
static Value buildSetMaxRegister(OpBuilder &builder, Location loc,
                                 const PtxOperands &operands) {
  NVVM::SetMaxRegisterOp::create(
      builder, loc, builder.getI32IntegerAttr(operands.numbers[0]),
      NVVM::SetMaxRegisterActionAttr::get(builder.getContext(), kAction));
  return {};
}

template <NVVM::GridDepActionKind kKind>
static Value buildGridDep(OpBuilder &builder, Location loc,
                          const PtxOperands &) {
  NVVM::GriddepcontrolOp::create(
      builder, loc,
      NVVM::GridDepActionKindAttr::get(builder.getContext(), kKind));
  return {};
}

template <typename OpTy>
static Value buildWithOperand(OpBuilder &builder, Location loc,
                              const PtxOperands &operands) {
  OpTy::create(builder, loc, operands.values[0]);
  return {};
}

static Value buildRcp(OpBuilder &builder, Location loc,
                      const PtxOperands &operands) {
  return NVVM::RcpApproxFtzF32Op::create(builder, loc, builder.getF32Type(),
                                         operands.values[0]);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr unsigned kShared = 3, kSharedCluster = 7;
using NVVM::MemScopeKind;
using NVVM::ProxyKind;

// clang-format off
static constexpr PtxText kTexts[] = {
    {"mbarrier.arrive.shared.b64 _, [$0];", buildArrive<kShared>},
    {"mbarrier.arrive.shared::cta.b64 _, [$0];", buildArrive<kShared>},
    {"mbarrier.arrive.shared::cta.b64 _, [$0], $1;", buildArrive<kShared>},
    {"mbarrier.arrive.release.cta.shared::cta.b64 _, [$0];", buildArrive<kShared>},
    {"mbarrier.arrive.shared::cluster.b64 _, [$0];", buildArrive<kSharedCluster>},
    {"mbarrier.arrive.shared::cluster.b64 _, [$0], $1;", buildArrive<kSharedCluster>},
    {"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$0];", buildArrive<kSharedCluster>},
    {"wgmma.fence.sync.aligned;", buildPlain<NVVM::WgmmaFenceAlignedOp>},
    {"wgmma.commit_group.sync.aligned;", buildPlain<NVVM::WgmmaGroupSyncAlignedOp>},
    {"wgmma.wait_group.sync.aligned #;", buildWait<NVVM::WgmmaWaitGroupSyncOp>},
    {"cp.async.commit_group;", buildPlain<NVVM::CpAsyncCommitGroupOp>},
    {"cp.async.wait_group #;", buildWait<NVVM::CpAsyncWaitGroupOp>},
    {"cp.async.bulk.commit_group;", buildPlain<NVVM::CpAsyncBulkCommitGroupOp>},
    {"cp.async.bulk.wait_group #;", buildBulkWait<false>},
    {"cp.async.bulk.wait_group.read #;", buildBulkWait<true>},
    {"fence.proxy.async;", buildFenceProxy<ProxyKind::async>},
    {"fence.proxy.async.global;", buildFenceProxy<ProxyKind::async_global>},
    {"fence.proxy.async.shared::cta;", buildFenceProxy<ProxyKind::async_shared>},
    {"fence.proxy.alias;", buildFenceProxy<ProxyKind::alias>},
    {"fence.mbarrier_init.release.cluster;", buildPlain<NVVM::FenceMbarrierInitOp>},
    {"fence.sc.cluster;", buildPlain<NVVM::FenceScClusterOp>},
    {"fence.acq_rel.cta;", buildMembar<MemScopeKind::CTA>},
    {"fence.acq_rel.cluster;", buildMembar<MemScopeKind::CLUSTER>},
    {"fence.acq_rel.gpu;", buildMembar<MemScopeKind::GPU>},
    {"fence.acq_rel.sys;", buildMembar<MemScopeKind::SYS>},
    {"membar.cta;", buildMembar<MemScopeKind::CTA>},
    {"membar.gl;", buildMembar<MemScopeKind::GPU>},
    {"membar.sys;", buildMembar<MemScopeKind::SYS>},
    {"bar.sync 0;", buildPlain<NVVM::Barrier0Op>},
    {"barrier.sync.aligned 0;", buildPlain<NVVM::Barrier0Op>},
    {"bar.warp.sync $0;", buildWithOperand<NVVM::SyncWarpOp>},
    {"barrier.cluster.arrive;", buildClusterOp<NVVM::ClusterArriveOp>},
    {"barrier.cluster.arrive.aligned;", buildClusterOp<NVVM::ClusterArriveOp>},
    {"barrier.cluster.arrive.release.aligned;", buildClusterOp<NVVM::ClusterArriveOp>},
    {"barrier.cluster.arrive.relaxed.aligned;", buildClusterOp<NVVM::ClusterArriveRelaxedOp>},
    {"barrier.cluster.wait;", buildClusterOp<NVVM::ClusterWaitOp>},
    {"barrier.cluster.wait.aligned;", buildClusterOp<NVVM::ClusterWaitOp>},
    {"barrier.cluster.wait.acquire.aligned;", buildClusterOp<NVVM::ClusterWaitOp>},
    {"setmaxnreg.inc.sync.aligned.u32 #;", buildSetMaxRegister<NVVM::SetMaxRegisterAction::increase>},
    {"setmaxnreg.dec.sync.aligned.u32 #;", buildSetMaxRegister<NVVM::SetMaxRegisterAction::decrease>},
    {"griddepcontrol.wait;", buildGridDep<NVVM::GridDepActionKind::wait>},
    {"griddepcontrol.launch_dependents;", buildGridDep<NVVM::GridDepActionKind::launch_dependents>},
    {"nanosleep.u32 $0;", buildWithOperand<NVVM::NanosleepOp>},
    {"rcp.approx.ftz.f32 $0, $1;", buildRcp},
    {"exit;", buildPlain<NVVM::Exit>},
};
// clang-format on

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// One space between words, and none where PTX needs none.
static std::string normalize(StringRef text) {
  SmallVector<StringRef> words;
  llvm::SplitString(text, words, " \t\n\r\f\v");
  std::string joined = llvm::join(words, " "), result;
  for (char c : joined) {
    bool isTight = StringRef(",;]").contains(c);
    if (isTight && StringRef(result).ends_with(" "))
      result.pop_back();
    if (c == ' ' && StringRef(result).ends_with("["))
      continue;
    if (c != ' ' && StringRef(result).ends_with(","))
      result += ' ';
    result += c;
  }
  return result;
}

/// Whether `text` is what `pattern` says; takes out its numbers.
static bool matches(StringRef pattern, StringRef text,
                    SmallVectorImpl<int64_t> &numbers) {
  numbers.clear();
  while (!pattern.empty()) {
    if (pattern.consume_front("#")) {
      int64_t number;
      if (text.consumeInteger(10, number))
        return false;
      numbers.push_back(number);
      continue;
    }
    if (text.empty() || pattern.front() != text.front())
      return false;
    pattern = pattern.drop_front();
    text = text.drop_front();
  }
  return text.empty();
}

static const PtxText *lookup(StringRef text,
                             SmallVectorImpl<int64_t> &numbers) {
  for (const PtxText &entry : kTexts)
    if (matches(entry.text, text, numbers))
      return &entry;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Expansion
//===----------------------------------------------------------------------===//

static bool isNumberOrAddress(Type type) {
  return isa<LLVM::LLVMPointerType>(type) || type.isInteger(32) ||
         type.isInteger(64) || type.isF32();
}

/// Checks that the operation has what the text refers to. What it reads and
/// writes but the text does not name is a wait for registers.
static LogicalResult checkOperands(NVVM::InlinePtxOp op, const PtxText &entry) {
  size_t expected = entry.text.count('$');
  size_t numResults = op.getNumResults();
  size_t actual = op.getReadOnlyArgs().size() + numResults;
  bool isWait = entry.text.starts_with("wgmma.");
  if (expected != actual || (!isWait && !op.getReadWriteArgs().empty()))
    return op.emitError("PTX '")
           << entry.text << "' expects " << expected << " operands and results"
           << (isWait ? " beside its registers" : "") << ", got " << actual
           << " and " << op.getReadWriteArgs().size()
           << " that are read and written";
  for (Type type : op.getReadOnlyArgs().getTypes())
    if (!isNumberOrAddress(type))
      return op.emitError("PTX '")
             << entry.text << "' expects numbers and addresses, got " << type;
  if (numResults != 0 && op.getPredicate())
    return op.emitError("emulator does not model PTX with a result and a "
                        "predicate");
  return success();
}

/// Starts a block that is executed under the predicate of `op`, in front of it.
static void startPredicated(OpBuilder &builder, NVVM::InlinePtxOp op) {
  Location loc = op.getLoc();
  Block *before = op->getBlock();
  Block *after = before->splitBlock(op);
  Block *inside = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, op.getPredicate(), inside, after);
  builder.setInsertionPointToEnd(inside);
  LLVM::BrOp::create(builder, loc, ValueRange(), after);
  builder.setInsertionPointToStart(inside);
}

static LogicalResult expand(NVVM::InlinePtxOp op) {
  std::string text = normalize(op.getPtxCode());
  SmallVector<int64_t> numbers;
  const PtxText *entry = lookup(text, numbers);
  if (!entry)
    return op.emitError("emulator does not model PTX '")
           << text << "'; what it models is in the table of InlinePtx.cpp";
  if (failed(checkOperands(op, *entry)))
    return failure();
  OpBuilder builder(op);
  if (op.getPredicate())
    startPredicated(builder, op);
  SmallVector<Value> values(op.getReadOnlyArgs());
  Value result = entry->build(builder, op.getLoc(), {values, numbers});
  if (op.getNumResults() != 0)
    op.getResult(0).replaceAllUsesWith(result);
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

/// mma.sync of FP8, which the op of NVVM has the attributes for, but refuses
/// when it is verified.
static void expandIntrinsic(LLVM::CallIntrinsicOp op) {
  StringRef name = op.getIntrin();
  if (!name.consume_front("llvm.nvvm.mma.m16n8k32.row.col.f32.") ||
      !name.consume_back(".f32") || op.getArgs().size() != 10)
    return;
  auto [a, b] = name.split('.');
  std::optional<NVVM::MMATypes> typeA = NVVM::symbolizeMMATypes(a),
                                typeB = NVVM::symbolizeMMATypes(b);
  if (!typeA || !typeB)
    return;
  OpBuilder builder(op);
  ValueRange args = op.getArgs();
  std::array<NVVM::MMATypes, 2> types = {*typeA, *typeB};
  std::array<NVVM::MMALayout, 2> layouts = {NVVM::MMALayout::row,
                                            NVVM::MMALayout::col};
  Value product = NVVM::MmaOp::create(
      builder, op.getLoc(), op.getResult(0).getType(), args.slice(0, 4),
      args.slice(4, 2), args.slice(6, 4), ArrayRef<int64_t>{16, 8, 32},
      /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt, types, layouts);
  op.getResult(0).replaceAllUsesWith(product);
  op.erase();
}

LogicalResult mlir::lpgemm::emulator::expandSpelledOps(Operation *module) {
  module->walk([](LLVM::CallIntrinsicOp op) { expandIntrinsic(op); });
  SmallVector<NVVM::InlinePtxOp> ops;
  module->walk([&](NVVM::InlinePtxOp op) { ops.push_back(op); });
  bool isGood = true;
  for (NVVM::InlinePtxOp op : ops)
    isGood &= succeeded(expand(op));
  return success(isGood);
}
