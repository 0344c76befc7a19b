//===- Outline.cpp - lpgemm-outline ---------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelSupport.h"
#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_OUTLINEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

/// The rows of a matrix must be contiguous.
static LogicalResult verifyContiguousRows(MatmulOp op, StringRef name,
                                          Value value) {
  auto type = cast<MemRefType>(value.getType());
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return op.emitOpError() << "expects " << name
                            << " to have a strided layout, but got " << type;
  if (type.getRank() < 2 || strides.back() == 1 || type.getDimSize(1) == 1)
    return success();
  return op.emitOpError()
         << "expects " << name << " to have innermost stride 1, but got "
         << type
         << "; bufferize with lpgemm-bufferize, or one-shot-bufferize with "
            "function-boundary-type-conversion=identity-layout-map";
}

namespace {
/// An operand in host code. A vector is a matrix of one column.
struct HostOperand {
  Value ptr;   // !llvm.ptr to the first element
  Value rows;  // index; null for a single element
  Value pitch; // index, elements from one row to the next; null likewise
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
    gpu::GPUFuncOp kernel = createKernel();
    createLaunch(kernel);
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
    if (type.getRank() == 0)
      return {ptr, Value(), Value()};
    return {ptr, data.getSizes()[0], data.getStrides()[0]};
  }

  /// What the host gives for an argument; extents and pitches as an index.
  Value getHostValue(const KernelArgument &argument) {
    switch (argument.kind) {
    case KernelArgument::Kind::Address:
      return host[argument.subject].ptr;
    case KernelArgument::Kind::Extent:
      return extents[interface.findExtent(argument)];
    case KernelArgument::Kind::Pitch:
      return host[argument.subject].pitch;
    case KernelArgument::Kind::Factor:
      return factors[argument.subject];
    }
    llvm_unreachable("all kinds are handled");
  }

  Value atMost(Value v, int64_t limit) {
    return compare(arith::CmpIPredicate::ule, v, constant(limit));
  }

  /// What the 32-bit arithmetic of the kernel relies on.
  void assertRanges() {
    for (const KernelArgument &argument :
         interface.getArguments(KernelArgument::Kind::Extent))
      assertThat(atMost(getHostValue(argument), argument.atMost),
                 argument.subject + " is too large");
    assertThat(atMost(grid, interface.maxWorkgroups),
               "the result has too many tiles");
    for (const KernelArgument &argument :
         interface.getArguments(KernelArgument::Kind::Pitch))
      assertPitch(argument);
  }

  /// The pitch of a single row is never used, so that it may be anything.
  void assertPitch(const KernelArgument &argument) {
    Value single = atMost(host[argument.subject].rows, 1);
    Value fits = atMost(getHostValue(argument), argument.atMost);
    assertThat(arith::OrIOp::create(b, loc, single, fits),
               "the row pitch of an operand is too large");
  }

  void createHostPart() {
    extents = buildExtents(b, loc, contract);
    for (auto [argument, operand] :
         llvm::zip(interface.getArguments(KernelArgument::Kind::Address),
                   contract.operands))
      host[argument.subject] = describe(operand.value);
    factors = {{"alpha", op.getAlpha()}, {"beta", op.getBeta()}};
    for (AffineExpr expr : interface.tiles) {
      Value tiles = buildExtentExpr(b, loc, expr, extents);
      grid = grid ? arith::MulIOp::create(b, loc, grid, tiles) : tiles;
    }
    buildShapeAsserts(b, op, contract, extents);
    assertRanges();
  }

  int32_t numThreads() {
    const TargetRecord &record =
        *lookupTargetRecord(lookupTarget(op).getChip());
    return schedule.getNumWaves() * record.amdgpu->waveSize;
  }

  /// gpu.module @<function>_kernel with gpu.func of the same name.
  gpu::GPUFuncOp createKernel() {
    OpBuilder::InsertionGuard guard(b);
    auto func = op->getParentOfType<FunctionOpInterface>();
    b.setInsertionPoint(func);
    std::string name =
        (SymbolTable::getSymbolName(func).getValue() + "_kernel").str();
    auto module = gpu::GPUModuleOp::create(b, loc, name);
    symbols.insert(module);
    module->setAttr(kTargetAttrName, lookupTarget(op));

    auto types = llvm::map_to_vector(interface.arguments, [&](auto &argument) {
      return argument.getType(b.getContext());
    });
    b.setInsertionPointToStart(module.getBody());
    auto kernel = gpu::GPUFuncOp::create(b, loc, module.getName(),
                                         b.getFunctionType(types, {}));
    kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
    kernel->setAttr(kKernelAttrName, interface.toAttribute(b.getContext()));
    kernel.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({numThreads(), 1, 1}));
    b.setInsertionPointToStart(&kernel.getBody().front());
    createKernelBody(kernel);
    return kernel;
  }

  /// The globals of the operands, from the kernel's arguments.
  SmallVector<Value> bindOperands(gpu::GPUFuncOp kernel) {
    SmallVector<Value> sizes(interface.extents.size());
    llvm::StringMap<Value> pitches;
    for (auto [argument, value] :
         llvm::zip_equal(interface.arguments, kernel.getArguments())) {
      if (argument.kind == KernelArgument::Kind::Extent)
        sizes[interface.findExtent(argument)] = cast(value, b.getIndexType());
      if (argument.kind == KernelArgument::Kind::Pitch)
        pitches[argument.subject] = value;
    }
    // Operands share their extents.
    llvm::DenseMap<AffineExpr, Value> built;
    auto build = [&](AffineExpr expr) {
      Value &value = built[expr];
      if (!value)
        value = buildExtentExpr(b, loc, expr, sizes);
      return value;
    };
    SmallVector<Value> globals;
    for (auto [argument, value] :
         llvm::zip(interface.arguments, kernel.getArguments())) {
      if (argument.kind != KernelArgument::Kind::Address)
        continue;
      auto [rows, cols] = getMatrixShape(argument);
      Value rowCount = build(rows), colCount = build(cols);
      Value pitch = pitches.lookup(argument.subject);
      if (!pitch)
        pitch = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
      globals.push_back(BindOp::create(b, loc, getGlobalType(argument), value,
                                       rowCount, colCount, pitch));
    }
    return globals;
  }

  GlobalType getGlobalType(const KernelArgument &argument) {
    SmallVector<int64_t> shape(argument.shape.size(), ShapedType::kDynamic);
    return GlobalType::get(b.getContext(), shape, argument.elementType);
  }

  /// Rows and columns of an operand in the kernel. A single element stands for
  /// a column of as many equal ones as the result has rows.
  std::pair<AffineExpr, AffineExpr>
  getMatrixShape(const KernelArgument &argument) {
    ArrayRef<AffineExpr> shape = argument.shape;
    return {shape.empty() ? interface.lookupAddress("init").shape[0] : shape[0],
            shape.size() < 2 ? b.getAffineConstantExpr(1) : shape[1]};
  }

  void createKernelBody(gpu::GPUFuncOp kernel) {
    SmallVector<Value> globals = bindOperands(kernel), factorsInKernel;
    for (auto [argument, value] :
         llvm::zip(interface.arguments, kernel.getArguments()))
      if (argument.kind == KernelArgument::Kind::Factor)
        factorsInKernel.push_back(value);
    // The op has both in the order of the interface, in between each other.
    SmallVector<Value> inKernel;
    auto *global = globals.begin(), *factor = factorsInKernel.begin();
    for (Value operand : op.getOperands())
      inKernel.push_back(operand.getType().isF32() ? *factor++ : *global++);
    cloneOnto(b, op, inKernel);
    gpu::ReturnOp::create(b, loc);
  }

  void createLaunch(gpu::GPUFuncOp kernel) {
    Value positive = compare(arith::CmpIPredicate::ugt, grid, constant(0));
    auto guarded = scf::IfOp::create(b, loc, positive);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(guarded.thenBlock());
    SmallVector<Value> args;
    for (const KernelArgument &argument : interface.arguments) {
      Value value = getHostValue(argument);
      Type type = argument.getType(b.getContext());
      args.push_back(value.getType() == type ? value : cast(value, type));
    }
    Value one = constant(1);
    gpu::LaunchFuncOp::create(b, loc, kernel, gpu::KernelDim3{grid, one, one},
                              gpu::KernelDim3{constant(numThreads()), one, one},
                              /*dynamicSharedMemorySize=*/Value(), args);
  }

  MatmulOp op;
  SymbolTable &symbols;
  RewriterBase &b;
  Location loc;
  ScheduleAttr schedule;
  ShapeContract contract;
  KernelInterface interface;
  SmallVector<Value> extents; // of the contract
  llvm::StringMap<HostOperand> host;
  llvm::StringMap<Value> factors; // null where they are constants
  Value grid;
};

struct Outline : lpgemm::impl::OutlinePassBase<Outline> {
  /// `op` can be outlined as it is.
  LogicalResult verify(MatmulOp op) {
    if (failed(verifyKernelSupport(op)))
      return failure();
    if (!op.getSchedule() || !isa<MemRefType>(op.getInit().getType()))
      return op.emitOpError(
          "expects a schedule and memref operands: run "
          "lpgemm-bufferize and lpgemm-select-schedule first");
    TargetAttr target = lookupTarget(op);
    if (!target)
      return op.emitOpError("needs a target: run lpgemm-attach-target first");
    if (failed(checkAMDGPULowering(op, *lookupTargetRecord(target.getChip()))))
      return failure();
    if (!op->getParentOfType<FunctionOpInterface>())
      return op.emitOpError("expects to be in a function");
    for (const ShapeContract::Operand &operand : op.getShapeContract().operands)
      if (failed(verifyContiguousRows(op, operand.name, operand.value)))
        return failure();
    return success();
  }

  void runOnOperation() override {
    SmallVector<MatmulOp> ops;
    getOperation().walk([&](MatmulOp op) {
      if (!op->getParentOfType<gpu::GPUModuleOp>())
        ops.push_back(op);
    });
    SymbolTableCollection symbols;
    IRRewriter rewriter(&getContext());
    for (MatmulOp op : ops) {
      if (failed(verify(op)))
        return signalPassFailure();
      auto module = op->getParentOfType<ModuleOp>();
      Outliner(op, symbols.getSymbolTable(module), rewriter).run();
      module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                      UnitAttr::get(&getContext()));
    }
  }
};
} // namespace
