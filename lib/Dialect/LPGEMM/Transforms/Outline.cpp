//===- Outline.cpp - lpgemm-outline ---------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
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
#include "llvm/Support/MathExtras.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_OUTLINEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

/// Extents stay this far below 2^31, so that a position one tile past the end
/// is still a non-negative i32.
static constexpr int64_t kMaxExtent = 0x7FFF0000;
/// So must the bytes from the first to the last row of a workgroup's tile.
static constexpr int64_t kMaxTileSpan = 0x7FFF0000;

/// The rows of a matrix must be contiguous.
static LogicalResult verifyContiguousRows(MatmulOp op, StringRef name,
                                          Value value) {
  auto type = cast<MemRefType>(value.getType());
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return op.emitOpError() << "expects " << name
                            << " to have a strided layout, but got " << type;
  if (strides.back() == 1 || type.getDimSize(1) == 1)
    return success();
  return op.emitOpError()
         << "expects " << name << " to have innermost stride 1, but got "
         << type
         << "; bufferize with lpgemm-bufferize, or one-shot-bufferize with "
            "function-boundary-type-conversion=identity-layout-map";
}

namespace {
/// A matrix operand in host code.
struct HostMatrix {
  Value ptr;   // !llvm.ptr to the first element
  Value rows;  // index
  Value pitch; // index, elements from one row to the next
  int64_t elementBytes;
  int64_t tileRows; // rows that one workgroup touches
};

/// Moves one matrix product into a kernel and launches it.
class Outliner {
public:
  Outliner(MatmulOp op, SymbolTable &symbols, RewriterBase &rewriter)
      : op(op), symbols(symbols), b(rewriter), loc(op.getLoc()),
        schedule(*op.getSchedule()) {}

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
  Value dim(Value v, unsigned d) { return memref::DimOp::create(b, loc, v, d); }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  void assertThat(Value condition, const Twine &message) {
    cf::AssertOp::create(b, loc, condition, "lpgemm.matmul: " + message.str());
  }

  /// A, B, their scales and D, in the order of the kernel's arguments.
  SmallVector<Value> matrices() {
    return {op.getLhs(), op.getRhs(), op.getLhsScale(), op.getRhsScale(),
            op.getInit()};
  }

  HostMatrix describe(Value matrix, int64_t tileRows) {
    auto type = ::cast<MemRefType>(matrix.getType());
    int64_t bytes = type.getElementType().getIntOrFloatBitWidth() / 8;
    auto data = memref::ExtractStridedMetadataOp::create(b, loc, matrix);
    Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, matrix);
    Value offset =
        arith::MulIOp::create(b, loc, data.getOffset(), constant(bytes));
    Value address =
        cast(arith::AddIOp::create(b, loc, base, offset), b.getI64Type());
    Value ptr = LLVM::IntToPtrOp::create(
        b, loc, LLVM::LLVMPointerType::get(b.getContext()), address);
    return {ptr, data.getSizes()[0], data.getStrides()[0], bytes, tileRows};
  }

  /// What the 32-bit arithmetic of the kernel relies on.
  void assertRanges() {
    auto atMost = [&](Value v, int64_t limit, const Twine &what) {
      assertThat(compare(arith::CmpIPredicate::ule, v, constant(limit)), what);
    };
    for (auto [extent, name] : {std::pair(m, "M"), {n, "N"}, {k, "K"}})
      atMost(extent, kMaxExtent, Twine(name) + " is too large");
    atMost(grid, kMaxExtent, "the result has too many tiles");
    for (const HostMatrix &matrix : host)
      assertPitch(matrix);
  }

  /// The pitch of a single row is never used, so that it may be anything.
  void assertPitch(const HostMatrix &matrix) {
    int64_t limit = kMaxTileSpan / (matrix.tileRows * matrix.elementBytes);
    auto atMost = [&](Value v, int64_t limit) {
      return compare(arith::CmpIPredicate::ule, v, constant(limit));
    };
    Value single = atMost(matrix.rows, 1), fits = atMost(matrix.pitch, limit);
    assertThat(arith::OrIOp::create(b, loc, single, fits),
               "the row pitch of an operand is too large");
  }

  /// Rows of each matrix that one workgroup has at hand at a time.
  SmallVector<int64_t> getTileRows() {
    int64_t tileM = schedule.getTileM(), tileN = schedule.getTileN(),
            tileK = schedule.getTileK();
    if (op.getTransposeB())
      return {tileM, tileN, tileM, tileN, tileM};
    int64_t block = op.getRhsScaleKind()->getKBlock();
    return {tileM, tileK, tileM, llvm::divideCeilSigned(tileK, block), tileM};
  }

  void createHostPart() {
    m = dim(op.getLhs(), 0);
    n = dim(op.getRhs(), op.getRhsNDim());
    k = dim(op.getLhs(), 1);
    int64_t tileM = schedule.getTileM(), tileN = schedule.getTileN();
    for (auto [matrix, rows] : llvm::zip_equal(matrices(), getTileRows()))
      host.push_back(describe(matrix, rows));
    Value tilesM = arith::CeilDivUIOp::create(b, loc, m, constant(tileM));
    Value tilesN = arith::CeilDivUIOp::create(b, loc, n, constant(tileN));
    grid = arith::MulIOp::create(b, loc, tilesM, tilesN);
    ShapeContract contract = op.getShapeContract();
    buildShapeAsserts(b, op, contract, buildExtents(b, loc, contract));
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

    Type ptr = LLVM::LLVMPointerType::get(b.getContext());
    SmallVector<Type> types(host.size(), ptr);
    types.append(3, b.getI32Type());
    types.append(host.size(), b.getI64Type());
    b.setInsertionPointToStart(module.getBody());
    auto kernel = gpu::GPUFuncOp::create(b, loc, module.getName(),
                                         b.getFunctionType(types, {}));
    kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
    kernel.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({numThreads(), 1, 1}));
    b.setInsertionPointToStart(&kernel.getBody().front());
    createKernelBody(kernel);
    return kernel;
  }

  void createKernelBody(gpu::GPUFuncOp kernel) {
    auto args = kernel.getArguments();
    unsigned count = host.size();
    auto size = [&](unsigned i) {
      return cast(args[count + i], b.getIndexType());
    };
    Value m = size(0), n = size(1), k = size(2);
    Value blocks = arith::CeilDivUIOp::create(
        b, loc, k, constant(op.getLhsScaleKind()->getKBlock()));
    std::pair<Value, Value> extents[] = {
        {m, k}, {n, k}, {m, blocks}, {n, blocks}, {m, n}};
    if (!op.getTransposeB())
      for (unsigned rhs : {1, 3})
        std::swap(extents[rhs].first, extents[rhs].second);
    SmallVector<Value> globals;
    for (auto [i, matrix] : llvm::enumerate(matrices())) {
      auto type = ::cast<MemRefType>(matrix.getType());
      auto global = GlobalType::get(
          b.getContext(), {ShapedType::kDynamic, ShapedType::kDynamic},
          type.getElementType());
      auto [rows, cols] = extents[i];
      globals.push_back(BindOp::create(b, loc, global, args[i], rows, cols,
                                       args[count + 3 + i]));
    }
    cloneOnto(b, op, globals);
    gpu::ReturnOp::create(b, loc);
  }

  void createLaunch(gpu::GPUFuncOp kernel) {
    Value positive = compare(arith::CmpIPredicate::ugt, grid, constant(0));
    auto guarded = scf::IfOp::create(b, loc, positive);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(guarded.thenBlock());
    SmallVector<Value> args;
    for (const HostMatrix &matrix : host)
      args.push_back(matrix.ptr);
    for (Value extent : {m, n, k})
      args.push_back(cast(extent, b.getI32Type()));
    for (const HostMatrix &matrix : host)
      args.push_back(cast(matrix.pitch, b.getI64Type()));
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
  SmallVector<HostMatrix> host;
  Value m, n, k, grid;
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
    for (auto [name, value] : {std::pair<StringRef, Value>("lhs", op.getLhs()),
                               {"rhs", op.getRhs()},
                               {"lhs_scale", op.getLhsScale()},
                               {"rhs_scale", op.getRhsScale()},
                               {"init", op.getInit()}})
      if (failed(verifyContiguousRows(op, name, value)))
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
