//===- Outline.cpp - lpgemm-outline ---------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutlineChecks.h"
#include "OutlineKernel.h"
#include "SplitSum.h"
#include "StreamK.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Dialect/LPGEMM/Utils/HostCalls.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"
#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_OUTLINEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

/// What assemblers and linkers of all kinds take as a name without quotes; PTX
/// has no dot in one.
static std::string makeKernelName(StringRef function) {
  std::string name;
  for (char c : function)
    name += llvm::isAlnum(c) || StringRef("_$").contains(c) ? c : '_';
  if (!name.empty() && llvm::isDigit(name.front()))
    name.insert(0, 1, '_');
  return name + "_kernel";
}

namespace {
/// An operand in host code. A vector is a matrix of one column.
struct HostOperand {
  Value ptr;                         // !llvm.ptr to the first element
  SmallVector<Value> sizes, strides; // index; strides in elements
};

/// Moves one matrix product into a kernel and launches it.
class Outliner {
public:
  Outliner(MatmulOp op, SymbolTable &symbols, RewriterBase &rewriter)
      : op(op), symbols(symbols), b(rewriter), loc(op.getLoc()),
        schedule(*op.getSchedule()), contract(op.getShapeContract()),
        interface(KernelInterface::describe(op)) {}

  void run() {
    b.setInsertionPoint(op);
    createHostPart();
    gpu::GPUModuleOp module = createModule();
    if (op.getAmax())
      launchFill(createFill(module, "amax"), "amax");
    gpu::GPUFuncOp sum;
    if (interface.lookupWorkspace())
      sum = createSum(module);
    createLaunches(createKernel(module), sum);
    b.eraseOp(op);
  }

private:
  Value constant(int64_t v) {
    return arith::ConstantIndexOp::create(b, loc, v);
  }
  Value cast(Value v, Type type) {
    return arith::IndexCastOp::create(b, loc, type, v);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  void assertThat(Value condition, const Twine &message) {
    cf::AssertOp::create(b, loc, condition, "lpgemm.matmul: " + message.str());
  }

  HostOperand describe(Value operand) {
    auto type = ::cast<MemRefType>(operand.getType());
    auto data = memref::ExtractStridedMetadataOp::create(b, loc, operand);
    Value base =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, operand);
    Value offset = arith::MulIOp::create(
        b, loc, data.getOffset(), constant(type.getElementTypeBitWidth() / 8));
    Value address =
        cast(arith::AddIOp::create(b, loc, base, offset), b.getI64Type());
    Value ptr = LLVM::IntToPtrOp::create(
        b, loc, LLVM::LLVMPointerType::get(b.getContext()), address);
    return {ptr, data.getSizes(), data.getStrides()};
  }

  /// What the host gives for an argument; extents and pitches as an index.
  Value getHostValue(const KernelArgument &argument) {
    switch (argument.kind) {
    case KernelArgument::Kind::Address:
      return host[argument.subject].ptr;
    case KernelArgument::Kind::Extent:
      return extents[interface.findExtent(argument)];
    case KernelArgument::Kind::Pitch:
      return host[argument.subject].strides[getRowDim(argument)];
    case KernelArgument::Kind::Stride:
      return host[argument.subject].strides[getBatchDim(argument)];
    case KernelArgument::Kind::Factor:
      return factors[argument.subject];
    case KernelArgument::Kind::Workspace:
      return workspace;
    case KernelArgument::Kind::Workgroups:
      return workgroups;
    case KernelArgument::Kind::TensorMap:
      break;
    }
    llvm_unreachable("only lpgemm-finalize-abi adds tensor maps");
  }

  /// The dimension of the operand that a pitch or a stride belongs to.
  unsigned getRowDim(const KernelArgument &pitch) {
    return interface.getMatrixDims(interface.lookupAddress(pitch.subject))
        .front();
  }
  unsigned getBatchDim(const KernelArgument &stride) {
    ArrayRef<AffineExpr> shape = interface.lookupAddress(stride.subject).shape;
    return std::distance(
        shape.begin(), llvm::find(shape, b.getAffineDimExpr(stride.batchDim)));
  }

  Value atMost(Value v, int64_t limit) {
    return compare(arith::CmpIPredicate::ule, v, constant(limit));
  }

  /// What the 32-bit arithmetic of the kernel relies on.
  void assertRanges() {
    for (const KernelArgument &argument :
         interface.getArguments(KernelArgument::Kind::Extent))
      assertThat(atMost(getHostValue(argument), argument.atMost),
                 argument.subject + " is above " + Twine(argument.atMost));
    assertThat(atMost(grid, interface.maxWorkgroups),
               "the result has more than " + Twine(interface.maxWorkgroups) +
                   " tiles");
    if (isStreamK(schedule))
      assertKTiles();
    for (const KernelArgument &argument :
         interface.getArguments(KernelArgument::Kind::Pitch))
      assertPitch(argument);
  }

  /// Those of all parts that tiles can have are counted together.
  void assertKTiles() {
    constexpr int64_t limit = std::numeric_limits<int32_t>::max();
    const KernelArgument *k =
        llvm::find_if(interface.arguments, [](const KernelArgument &argument) {
          return argument.kind == KernelArgument::Kind::Extent &&
                 argument.subject == "K";
        });
    Value kTiles =
        arith::CeilDivUIOp::create(b, loc, extents[interface.findExtent(*k)],
                                   constant(schedule.getTileK()));
    Value all = arith::MulIOp::create(b, loc, grid, kTiles);
    assertThat(atMost(all, limit), "the parts of the result have more than " +
                                       Twine(limit) + " K tiles");
  }

  /// The pitch of a single row is never used, so that it may be anything.
  void assertPitch(const KernelArgument &argument) {
    const KernelArgument &operand = interface.lookupAddress(argument.subject);
    if (operand.hasTiledLayout()) {
      assertTiledLayout(operand, argument);
      return;
    }
    Value rows = host[argument.subject].sizes[getRowDim(argument)];
    Value single = atMost(rows, 1);
    Value fits = atMost(getHostValue(argument), argument.atMost);
    assertThat(arith::OrIOp::create(b, loc, single, fits),
               "the row pitch of " + argument.subject + " is above " +
                   Twine(argument.atMost));
  }

  /// What the verifier has not settled of the strides of such a layout.
  void assertTiledLayout(const KernelArgument &operand,
                         const KernelArgument &pitch) {
    assertThat(atMost(getHostValue(pitch), pitch.atMost),
               "the pitch of " + operand.subject + " is above " +
                   Twine(pitch.atMost));
    HostOperand &scales = host[operand.subject];
    SmallVector<unsigned> dims = interface.getMatrixDims(operand);
    for (auto [dim, expected] : llvm::zip_equal(
             ArrayRef(dims).drop_front(), operand.scale->getInnerStrides())) {
      Value single = atMost(scales.sizes[dim], 1);
      Value fits = compare(arith::CmpIPredicate::eq, scales.strides[dim],
                           constant(expected));
      assertThat(arith::OrIOp::create(b, loc, single, fits),
                 operand.subject + " is not contiguous in dimension " +
                     Twine(dim));
    }
  }

  /// The number of workgroups. Two of the factors do not overflow; more are
  /// cut off where there are too many already, unless another one is 0.
  void buildGrid() {
    for (AffineExpr expr : interface.tiles) {
      Value tiles = buildExtentExpr(b, loc, expr, extents);
      if (grid && interface.getNumBatch() != 0)
        grid = arith::MinUIOp::create(b, loc, grid,
                                      constant(interface.maxWorkgroups + 1));
      grid = grid ? arith::MulIOp::create(b, loc, grid, tiles) : tiles;
    }
  }

  void createHostPart() {
    extents = buildExtents(b, loc, contract);
    for (auto [argument, operand] :
         llvm::zip(interface.getArguments(KernelArgument::Kind::Address),
                   contract.operands))
      host[argument.subject] = describe(operand.value);
    factors = {{"alpha", op.getAlpha()}, {"beta", op.getBeta()}};
    buildGrid();
    buildShapeAsserts(b, op, contract, extents);
    assertRanges();
  }

  /// gpu.module @<function>_kernel.
  gpu::GPUModuleOp createModule() {
    OpBuilder::InsertionGuard guard(b);
    auto func = op->getParentOfType<FunctionOpInterface>();
    b.setInsertionPoint(func);
    auto module = gpu::GPUModuleOp::create(
        b, loc, makeKernelName(SymbolTable::getSymbolName(func).getValue()));
    symbols.insert(module);
    module->setAttr(kTargetAttrName, lookupTarget(op));
    return module;
  }

  /// A gpu.func at the end of `module`, with what is said in `description`; the
  /// insertion point is then in it.
  gpu::GPUFuncOp createFunc(gpu::GPUModuleOp module, StringRef name,
                            const KernelInterface &description,
                            int64_t threads) {
    auto types =
        llvm::map_to_vector(description.arguments, [&](auto &argument) {
          return argument.getType(b.getContext());
        });
    b.setInsertionPointToEnd(module.getBody());
    auto kernel =
        gpu::GPUFuncOp::create(b, loc, name, b.getFunctionType(types, {}));
    kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
    kernel->setAttr(kKernelAttrName, description.toAttribute(b.getContext()));
    auto alongX = [&](int64_t size) {
      return b.getDenseI32ArrayAttr({static_cast<int32_t>(size), 1, 1});
    };
    kernel.setKnownBlockSizeAttr(alongX(threads));
    if (description.clusterSize != 1)
      kernel.setKnownClusterSizeAttr(alongX(description.clusterSize));
    b.setInsertionPointToStart(&kernel.getBody().front());
    return kernel;
  }

  /// The function of the same name.
  gpu::GPUFuncOp createKernel(gpu::GPUModuleOp module) {
    OpBuilder::InsertionGuard guard(b);
    gpu::GPUFuncOp kernel =
        createFunc(module, module.getName(), interface, getNumThreads(op));
    KernelBody body(b, op, interface, kernel);
    MatmulOp product = body.createProduct();
    gpu::ReturnOp::create(b, loc);
    if (interface.lookupWorkspace()) {
      b.setInsertionPoint(product);
      // The workgroups of stream-K have some of several.
      Value first = isStreamK(schedule) ? constant(0) : Value();
      keepSumOnly(product, body.bindPart(product, first));
    }
    return kernel;
  }

  /// (G-14) What is a reduction over all workgroups starts as +0. The pointer
  /// is the device's, so that a kernel of its own writes it.
  gpu::GPUFuncOp createFill(gpu::GPUModuleOp module, StringRef operand) {
    OpBuilder::InsertionGuard guard(b);
    auto name = b.getStringAttr(module.getName() + "_fill_" + operand);
    interface.fills.push_back(name.getValue());
    gpu::GPUFuncOp fill =
        createFunc(module, name.getValue(), interface.describeFill(operand),
                   /*threads=*/1);
    Value zero = arith::ConstantOp::create(
        b, loc, b.getZeroAttr(interface.lookupAddress(operand).elementType));
    LLVM::StoreOp::create(b, loc, zero, fill.getArgument(0));
    gpu::ReturnOp::create(b, loc);
    return fill;
  }

  void launchFill(gpu::GPUFuncOp fill, StringRef operand) {
    Value one = constant(1);
    gpu::KernelDim3 single{one, one, one};
    gpu::LaunchFuncOp::create(b, loc, fill, single, single,
                              /*dynamicSharedMemorySize=*/Value(),
                              host[operand].ptr);
  }

  /// What adds the parts of the workspace and does what follows the sum.
  gpu::GPUFuncOp createSum(gpu::GPUModuleOp module) {
    OpBuilder::InsertionGuard guard(b);
    auto name = b.getStringAttr(module.getName() + "_sum");
    ScheduleAttr sumSchedule = getSumSchedule(schedule);
    sumInterface = interface.describeSum(sumSchedule, getSumThreads());
    interface.sums.push_back(name.getValue());
    gpu::GPUFuncOp kernel =
        createFunc(module, name.getValue(), sumInterface, getSumThreads());
    kernel->setAttr(kScheduleAttrName, sumSchedule);
    KernelBody body(b, op, sumInterface, kernel);
    MatmulOp product = body.createProduct();
    SmallVector<Value> parts;
    for (int64_t part = 0; part < schedule.getSplitK(); ++part)
      parts.push_back(body.bindPart(product, constant(part)));
    createSumOfParts(b, product, parts, sumSchedule,
                     interface.getNumBatch() != 0, body.getNumWorkgroups());
    // C may be init (C25).
    llvm::SmallSetVector<Value, 16> operands(product.operand_begin(),
                                             product.operand_end());
    b.eraseOp(product);
    for (Value operand : operands)
      if (auto bind = operand.getDefiningOp<BindOp>();
          bind && operand.use_empty())
        b.eraseOp(bind);
    gpu::ReturnOp::create(b, loc);
    return kernel;
  }

  int64_t getSumThreads() {
    const TargetRecord &record =
        *lookupTargetRecord(lookupTarget(op).getChip());
    ScheduleAttr sum = getSumSchedule(schedule);
    return sum.getNumWaves() * record.getWaveSize(sum.getInstr());
  }

  /// The workspace lives as long as the launches take.
  void createLaunches(gpu::GPUFuncOp kernel, gpu::GPUFuncOp sum) {
    Value positive = compare(arith::CmpIPredicate::ugt, grid, constant(0));
    auto guarded = scf::IfOp::create(b, loc, positive);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(guarded.thenBlock());
    if (sum)
      assertThat(atMost(buildSumGrid(), sumInterface.maxWorkgroups),
                 "the result has more than " +
                     Twine(sumInterface.maxWorkgroups) + " tiles to add");
    Value memory = sum ? allocateWorkspace() : Value();
    createLaunch(kernel);
    if (!sum)
      return;
    Value one = constant(1);
    gpu::LaunchFuncOp::create(
        b, loc, sum, gpu::KernelDim3{buildSumGrid(), one, one},
        gpu::KernelDim3{constant(getSumThreads()), one, one},
        /*dynamicSharedMemorySize=*/Value(), buildArguments());
    gpu::DeallocOp::create(b, loc, /*asyncToken=*/Type(),
                           /*asyncDependencies=*/ValueRange(), memory);
  }

  /// Memory of the device for the parts, whose address the kernels get.
  Value allocateWorkspace() {
    const KernelArgument &argument = *interface.lookupWorkspace();
    Value elements = constant(1);
    for (AffineExpr expr : argument.shape)
      elements = arith::MulIOp::create(b, loc, elements,
                                       buildExtentExpr(b, loc, expr, extents));
    auto type = MemRefType::get({ShapedType::kDynamic}, argument.elementType);
    Value memory =
        gpu::AllocOp::create(b, loc, type, /*asyncToken=*/Type(),
                             /*asyncDependencies=*/ValueRange(), elements,
                             /*symbolOperands=*/ValueRange())
            .getMemref();
    workspace = describe(memory).ptr;
    return memory;
  }

  Value buildSumGrid() {
    Value tiles = constant(1);
    for (AffineExpr expr : sumInterface.tiles)
      tiles = arith::MulIOp::create(b, loc, tiles,
                                    buildExtentExpr(b, loc, expr, extents));
    return tiles;
  }

  SmallVector<Value> buildArguments() {
    SmallVector<Value> args;
    for (const KernelArgument &argument : interface.arguments) {
      Value value = getHostValue(argument);
      Type type = argument.getType(b.getContext());
      args.push_back(value.getType() == type ? value : cast(value, type));
    }
    return args;
  }

  void createLaunch(gpu::GPUFuncOp kernel) {
    workgroups = buildWorkgroups();
    SmallVector<Value> args = buildArguments();
    Value one = constant(1);
    std::optional<gpu::KernelDim3> cluster;
    if (interface.clusterSize != 1)
      cluster = {constant(interface.clusterSize), one, one};
    gpu::LaunchFuncOp::create(
        b, loc, kernel, gpu::KernelDim3{workgroups, one, one},
        gpu::KernelDim3{constant(getNumThreads(op)), one, one},
        /*dynamicSharedMemorySize=*/Value(), args,
        /*asyncTokenType=*/Type(),
        /*asyncDependencies=*/{}, cluster);
  }

  /// How many are launched: of persistent ones those that the device holds at
  /// once, in whole clusters, of which there is one at least.
  Value buildWorkgroups() {
    if (!interface.isPersistent)
      return grid;
    Value held = buildMultiprocessorCount(b, loc, "lpgemm.matmul");
    Value cluster = constant(interface.clusterSize);
    Value rest = arith::RemUIOp::create(b, loc, held, cluster);
    held = arith::SubIOp::create(b, loc, held, rest);
    held = arith::MaxUIOp::create(b, loc, held, cluster);
    return arith::MinUIOp::create(b, loc, grid, held);
  }

  MatmulOp op;
  SymbolTable &symbols;
  RewriterBase &b;
  Location loc;
  ScheduleAttr schedule;
  ShapeContract contract;
  KernelInterface interface, sumInterface;
  SmallVector<Value> extents; // of the contract
  llvm::StringMap<HostOperand> host;
  llvm::StringMap<Value> factors; // null where they are constants
  Value grid, workgroups, workspace;
};

struct Outline : lpgemm::impl::OutlinePassBase<Outline> {
  void runOnOperation() override {
    SmallVector<MatmulOp> ops;
    getOperation().walk([&](MatmulOp op) {
      if (!op->getParentOfType<gpu::GPUModuleOp>())
        ops.push_back(op);
    });
    SymbolTableCollection symbols;
    IRRewriter rewriter(&getContext());
    for (MatmulOp op : ops) {
      if (failed(verifyOutlining(op)))
        return signalPassFailure();
      auto module = op->getParentOfType<ModuleOp>();
      Outliner(op, symbols.getSymbolTable(module), rewriter).run();
      module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                      UnitAttr::get(&getContext()));
    }
  }
};
} // namespace
