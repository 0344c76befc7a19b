//===- FinalizeABI.cpp - lpgemm-finalize-abi ------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/BatchPosition.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Dialect/LPGEMM/Utils/HostCalls.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"
#include "lpgemm/Dialect/LPGEMM/Utils/SharedRows.h"
#include "lpgemm/Runtime/TensorMapRules.h"
#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_FINALIZEABIPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// What a copy wants of a tensor map
//===----------------------------------------------------------------------===//

namespace {
/// One op and its map.
struct MapUse {
  Value matrix; // an lpgemm.global
  BufType tile;
  std::array<int64_t, 2> box; // columns, rows
  int64_t swizzleBytes;
};

/// How the copy engine exchanges the pieces of 16 bytes of rows of so many
/// bytes (PTX ISA 9.0, "Swizzling Modes"; CUDA driver API, CUtensorMapSwizzle).
struct Swizzle {
  int64_t bytes, mask, shift;
};
} // namespace

static constexpr Swizzle kSwizzles[] = {{128, 7, 0}, {64, 3, 1}, {32, 1, 2}};
/// Where the pattern of any of them starts anew.
static constexpr int64_t kSwizzleAlignment = 1024;
/// Of a tile that is not swizzled (PTX ISA 9.0, "cp.async.bulk.tensor").
static constexpr int64_t kTileAlignment = 128;

static bool isSwizzled(BufType type) {
  return type.getLayout() && type.getLayout().getMask() != 0;
}

/// The swizzle that gives the layout of `type`, or 0 for none.
static FailureOr<int64_t> findSwizzle(Operation *op, BufType type) {
  SmemAttr layout = type.getLayout();
  if (!layout || (layout.getMask() == 0 && layout.getPad() == 0))
    return int64_t(0);
  int64_t rowBytes = getRowBytes(type);
  for (const Swizzle &swizzle : kSwizzles)
    if (rowBytes == swizzle.bytes && layout.getMask() == swizzle.mask &&
        layout.getShift() == swizzle.shift &&
        layout.getUnit() == kTensorMapUnit && layout.getPad() == 0)
      return swizzle.bytes;
  return op->emitOpError()
         << "expects a layout that the copy engine knows, without padding, "
            "with rows of 128, 64 or 32 bytes and unit, mask, shift of 16, 7, "
            "0, of 16, 3, 1 or of 16, 1, 2, or with mask 0, but got "
         << type;
}

/// How many workgroups share a copy.
static FailureOr<int64_t> countParts(PipeCopyOp op, ScheduleAttr schedule) {
  if (!op.getMulticast())
    return int64_t(1);
  if (!schedule)
    return op.emitOpError() << "needs attribute '" << kScheduleAttrName
                            << "' on its kernel for multicast";
  int64_t parts =
      *op.getMulticast() == 0 ? schedule.getClusterM() : schedule.getClusterN();
  int64_t rows = op.getDest().getType().getDimSize(0);
  if (rows % parts != 0)
    return op.emitOpError() << "expects the rows of the tile (" << rows
                            << ") to be a multiple of the workgroups that "
                               "share the copy ("
                            << parts << ")";
  return parts;
}

static FailureOr<MapUse> describeUse(PipeCopyOp op, ScheduleAttr schedule) {
  BufType tile = op.getDest().getType();
  if (op.getRowBlock() != 1)
    return op.emitOpError("expects row_block to be 1 with engine tma, but got ")
           << op.getRowBlock();
  if (op.getTranspose() && tile.getDimSize(1) != 1)
    return op.emitOpError("expects a transposed tile with engine tma to have "
                          "one column, but got ")
           << tile;
  FailureOr<int64_t> swizzle = findSwizzle(op, tile);
  if (failed(swizzle))
    return failure();
  FailureOr<int64_t> parts = countParts(op, schedule);
  if (failed(parts))
    return failure();
  MapUse use{op.getSource(), tile, {tile.getDimSize(1), 0}, *swizzle};
  use.box[1] = tile.getDimSize(0) / *parts;
  // A column of the tile is a row of the matrix.
  if (op.getTranspose())
    std::swap(use.box[0], use.box[1]);
  return use;
}

static FailureOr<MapUse> describeUse(StagedStoreOp op, ScheduleAttr schedule) {
  BufType stage = op.getStage().getType();
  FailureOr<int64_t> swizzle = findSwizzle(op, stage);
  if (failed(swizzle))
    return failure();
  int64_t rows = getStoredRows(schedule && schedule.getSplitK() > 1);
  return MapUse{op.getDest(), stage, {stage.getDimSize(1), rows}, *swizzle};
}

/// CUDA driver API, cuTensorMapEncodeTiled, and the alignment of what a copy
/// writes.
static LogicalResult verifyUse(Operation *op, const MapUse &use) {
  constexpr int64_t kMaxBox = 256;
  Type element = use.tile.getElementType();
  if (!hasTensorElement(element))
    return op->emitOpError() << "expects elements of 8 bits, 'f16', 'bf16' or "
                                "'f32' for a tensor map, but got "
                             << element;
  auto [cols, rows] = use.box;
  int64_t rowBytes = cols * element.getIntOrFloatBitWidth() / 8;
  if (cols > kMaxBox || rows > kMaxBox)
    return op->emitOpError()
           << "expects a tensor map to move at most " << kMaxBox << " rows and "
           << kMaxBox << " columns, but got " << rows << " x " << cols;
  if (rowBytes % kTensorMapUnit != 0)
    return op->emitOpError()
           << "expects rows of a multiple of " << kTensorMapUnit
           << " bytes for a tensor map, but got " << rowBytes;
  int64_t alignment = use.swizzleBytes ? use.swizzleBytes * 8 : kTileAlignment;
  if (rowBytes * rows % alignment != 0)
    return op->emitOpError()
           << "expects a tensor map to move a multiple of " << alignment
           << " bytes into this layout, but got " << rowBytes * rows;
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
class KernelFinalizer {
public:
  KernelFinalizer(gpu::GPUFuncOp kernel, const TargetRecord &record,
                  std::optional<KernelInterface> interface)
      : kernel(kernel), record(record), interface(std::move(interface)),
        schedule(kernel->getAttrOfType<ScheduleAttr>(kScheduleAttrName)),
        start(OpBuilder::atBlockBegin(&kernel.getBody().front())) {}

  LogicalResult run();

private:
  /// The operand that a matrix is all of, or an entry of where it has one
  /// dimension of a batch; null if there is none.
  const KernelArgument *lookupOperand(Value matrix);
  void foldMissingMaps();
  void completeMapTests();
  ArrayRef<Value> getExtents();
  Value bindEntries(const KernelArgument &operand, unsigned stride);
  Value buildEntry(const KernelArgument &operand);
  template <typename OpTy>
  LogicalResult addMap(OpTy op);
  LogicalResult addMaps();
  void updateSignature();
  LogicalResult layOutSharedMemory();

  gpu::GPUFuncOp kernel;
  const TargetRecord &record;
  std::optional<KernelInterface> interface;
  ScheduleAttr schedule;
  /// By the number of the argument.
  llvm::MapVector<Operation *, unsigned> maps;
  /// Where the entries of an operand start.
  llvm::StringMap<Value> entries;
  /// At the start of the kernel, in front of what it had.
  OpBuilder start;
  SmallVector<Value> extents, batchPosition; // index
};
} // namespace

const KernelArgument *KernelFinalizer::lookupOperand(Value matrix) {
  auto bind = matrix.getDefiningOp<BindOp>();
  if (!interface || !bind)
    return nullptr;
  // lpgemm-outline moves the address to the entry.
  auto moved = bind.getPtr().getDefiningOp<LLVM::GEPOp>();
  auto argument =
      dyn_cast<BlockArgument>(moved ? moved.getBase() : bind.getPtr());
  if (!argument || argument.getOwner() != &kernel.getBody().front() ||
      argument.getArgNumber() >= interface->arguments.size())
    return nullptr;
  const KernelArgument &found = interface->arguments[argument.getArgNumber()];
  bool isMatrix =
      interface->findStrides(found.subject).size() == (moved ? 1 : 0);
  return found.kind == KernelArgument::Kind::Address && isMatrix ? &found
                                                                 : nullptr;
}

/// The extents of the interface.
ArrayRef<Value> KernelFinalizer::getExtents() {
  if (!extents.empty())
    return extents;
  extents.resize(interface->extents.size());
  for (auto [argument, value] :
       llvm::zip(interface->arguments, kernel.getArguments()))
    if (argument.kind == KernelArgument::Kind::Extent)
      extents[interface->findExtent(argument)] = arith::IndexCastOp::create(
          start, kernel.getLoc(), start.getIndexType(), value);
  return extents;
}

/// The matrix of the first elements of the entries of an operand.
Value KernelFinalizer::bindEntries(const KernelArgument &operand,
                                   unsigned stride) {
  Value &bound = entries[operand.subject];
  if (bound)
    return bound;
  Location loc = kernel.getLoc();
  Value count = getExtents()[interface->arguments[stride].batchDim];
  Value one = arith::ConstantIndexOp::create(start, loc, 1);
  auto type = GlobalType::get(kernel.getContext(),
                              {ShapedType::kDynamic, ShapedType::kDynamic},
                              operand.elementType, ScaleLayout::Row);
  unsigned address = &operand - interface->arguments.data();
  bound = BindOp::create(start, loc, type, kernel.getArgument(address), count,
                         one, kernel.getArgument(stride));
  return bound;
}

/// A map of a batch needs what a map of a matrix needs also of the way from one
/// entry to the next.
void KernelFinalizer::completeMapTests() {
  if (!interface)
    return;
  kernel.walk([&](HasMapOp op) {
    SmallVector<Value> matrices(op.getMatrices());
    for (Value matrix : op.getMatrices()) {
      const KernelArgument *operand = lookupOperand(matrix);
      for (unsigned stride : interface->findStrides(operand->subject))
        matrices.push_back(bindEntries(*operand, stride));
    }
    op.getMatricesMutable().assign(matrices);
  });
}

/// Which entry of an operand the workgroup has; null if there is but one.
Value KernelFinalizer::buildEntry(const KernelArgument &operand) {
  SmallVector<unsigned> strides = interface->findStrides(operand.subject);
  if (strides.empty())
    return {};
  if (batchPosition.empty())
    batchPosition =
        buildBatchPosition(start, kernel.getLoc(), *interface, getExtents());
  return batchPosition[interface->arguments[strides.front()].batchDim];
}

/// There is no map of a batch with several dimensions, nor of what is no
/// operand: what a kernel does without maps is all that is left.
void KernelFinalizer::foldMissingMaps() {
  if (!interface)
    return;
  IRRewriter rewriter(kernel.getContext());
  bool isFolded = false;
  kernel.walk([&](HasMapOp op) {
    if (!llvm::any_of(op.getMatrices(),
                      [&](Value matrix) { return !lookupOperand(matrix); }))
      return;
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   rewriter.getBoolAttr(false));
    isFolded = true;
  });
  if (!isFolded)
    return;
  RewritePatternSet patterns(kernel.getContext());
  scf::IfOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  // Cannot fail: it only stops early, and what is left is valid.
  (void)applyPatternsGreedily(kernel, std::move(patterns));
}

template <typename OpTy>
LogicalResult KernelFinalizer::addMap(OpTy op) {
  if (op.getMap())
    return success();
  FailureOr<MapUse> use = describeUse(op, schedule);
  if (failed(use) || failed(verifyUse(op, *use)))
    return failure();
  const KernelArgument *operand = lookupOperand(use->matrix);
  if (!operand)
    return op.emitOpError("expects a matrix that is all of an operand of the "
                          "kernel in attribute '")
           << kKernelAttrName << "': there is no tensor map of another one";
  if (operand->hasTiledLayout())
    return op.emitOpError("has no tensor map of scales in layout ")
           << stringifyScaleLayout(operand->scale->getLayout());
  if (Value entry = buildEntry(*operand))
    op.getEntryMutable().assign(entry);
  maps[op] =
      interface->addTensorMap(operand->subject, use->box, use->swizzleBytes);
  return success();
}

LogicalResult KernelFinalizer::addMaps() {
  WalkResult result = kernel.walk([&](Operation *op) {
    LogicalResult added = success();
    if (auto copy = dyn_cast<PipeCopyOp>(op);
        copy && copy.getEngine() == CopyEngine::TMA)
      added = addMap(copy);
    if (auto store = dyn_cast<StagedStoreOp>(op))
      added = addMap(store);
    return failed(added) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// One argument for each map.
void KernelFinalizer::updateSignature() {
  if (maps.empty())
    return;
  MLIRContext *context = kernel.getContext();
  SmallVector<int32_t> numbers;
  for (auto [i, argument] : llvm::enumerate(interface->arguments)) {
    if (argument.kind != KernelArgument::Kind::TensorMap)
      continue;
    numbers.push_back(i);
    if (i < kernel.getNumArguments())
      continue;
    // Cannot fail: a kernel takes arguments of any type.
    (void)kernel.insertArgument(i, argument.getType(context), {},
                                kernel.getLoc());
  }
  for (auto [op, number] : maps) {
    Value map = kernel.getArgument(number);
    if (auto copy = dyn_cast<PipeCopyOp>(op))
      copy.getMapMutable().assign(map);
    else
      cast<StagedStoreOp>(op).getMapMutable().assign(map);
  }
  Builder b(context);
  kernel->setAttr(kKernelAttrName, interface->toAttribute(context));
  kernel->setAttr(kTensorMapsAttrName, b.getDenseI32ArrayAttr(numbers));
}

/// Buffers whose layout depends on their address come first, barriers last.
LogicalResult KernelFinalizer::layOutSharedMemory() {
  // Of a slot: two mbarriers (PTX ISA 9.0, "Size and alignment of mbarrier
  // object").
  constexpr int64_t kSlotBytes = 16;
  int64_t end = 0;
  auto place = [&](auto op, int64_t bytes, int64_t alignment) {
    end = llvm::alignTo(end, alignment);
    op.setOffset(end);
    end += bytes;
  };
  for (bool swizzled : {true, false})
    kernel.walk([&](AllocOp op) {
      BufType type = op.getResult().getType();
      if (isSwizzled(type) == swizzled)
        place(op, getBufferBytes(type),
              swizzled ? kSwizzleAlignment : kTileAlignment);
    });
  kernel.walk([&](PipeOp op) {
    place(op, op.getResult().getType().getSlots() * kSlotBytes, kSlotBytes);
  });
  kernel->setAttr(kSharedMemoryAttrName,
                  Builder(kernel.getContext()).getI64IntegerAttr(end));
  if (end <= record.getSharedMemoryBytes())
    return success();
  return kernel.emitOpError() << "expects buffers and barriers of at most "
                              << record.getSharedMemoryBytes()
                              << " bytes of shared memory in a workgroup of "
                              << record.chip << ", but they take " << end;
}

LogicalResult KernelFinalizer::run() {
  foldMissingMaps();
  completeMapTests();
  if (failed(addMaps()))
    return failure();
  updateSignature();
  return layOutSharedMemory();
}

/// Finalizes a kernel that has something to be decided.
static LogicalResult finalizeKernel(gpu::GPUFuncOp kernel) {
  TargetAttr target = lookupTarget(kernel);
  const TargetRecord *record =
      target ? lookupTargetRecord(target.getChip()) : nullptr;
  bool isOpen = kernel
                    .walk([](Operation *op) {
                      return isa<AllocOp, PipeOp, StagedStoreOp>(op)
                                 ? WalkResult::interrupt()
                                 : WalkResult::advance();
                    })
                    .wasInterrupted();
  if (!record || !record->nvidia || !isOpen ||
      kernel->hasAttr(kSharedMemoryAttrName))
    return success();
  FailureOr<std::optional<KernelInterface>> interface =
      KernelInterface::lookup(kernel);
  if (failed(interface))
    return failure();
  return KernelFinalizer(kernel, *record, std::move(*interface)).run();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {
/// What a launch passes that has no operands for tensor maps yet.
class LaunchValues {
public:
  LaunchValues(OpBuilder &b, gpu::LaunchFuncOp launch,
               const KernelInterface &interface);

  /// The address of an encoded map.
  Value buildMap(const KernelArgument &map);

private:
  OpBuilder &b;
  Location loc;
  const KernelInterface &interface;
  SmallVector<Value> extents; // index
  llvm::StringMap<Value> addresses, pitches;
  llvm::StringMap<std::pair<Value, Value>> batches; // entries, stride
};
} // namespace

LaunchValues::LaunchValues(OpBuilder &b, gpu::LaunchFuncOp launch,
                           const KernelInterface &interface)
    : b(b), loc(launch.getLoc()), interface(interface),
      extents(interface.extents.size()) {
  using Kind = KernelArgument::Kind;
  for (auto [argument, value] :
       llvm::zip(interface.arguments, launch.getKernelOperands())) {
    if (argument.kind == Kind::Address)
      addresses[argument.subject] = value;
    if (argument.kind == Kind::Pitch)
      pitches[argument.subject] = value;
    if (argument.kind == Kind::Extent)
      extents[interface.findExtent(argument)] =
          arith::IndexCastUIOp::create(b, loc, b.getIndexType(), value);
    // The extents come before.
    if (argument.kind == Kind::Stride)
      batches[argument.subject] = {extents[argument.batchDim], value};
  }
}

Value LaunchValues::buildMap(const KernelArgument &map) {
  const KernelArgument &operand = interface.lookupAddress(map.subject);
  SmallVector<unsigned> dims = interface.getMatrixDims(operand);
  auto extent = [&](unsigned i) {
    AffineExpr expr =
        i < dims.size() ? operand.shape[dims[i]] : b.getAffineConstantExpr(1);
    return buildExtentExpr(b, loc, expr, extents);
  };
  Value unit = arith::ConstantOp::create(
      b, loc, b.getI64IntegerAttr(getUnitBytes(operand.elementType)));
  HostMatrixValues matrix{
      addresses[map.subject], extent(1), extent(0),
      arith::MulIOp::create(b, loc, pitches[map.subject], unit),
      operand.elementType};
  if (auto batch = batches.find(map.subject); batch != batches.end()) {
    auto [entries, stride] = batch->second;
    matrix.entries = entries;
    matrix.entryBytes = arith::MulIOp::create(b, loc, stride, unit);
  }
  return buildTensorMap(b, loc, interface.op, map, matrix);
}

/// Gives a launch of a finalized kernel what it lacks.
static LogicalResult completeLaunch(gpu::LaunchFuncOp launch,
                                    gpu::GPUFuncOp kernel) {
  auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedMemoryAttrName);
  FailureOr<std::optional<KernelInterface>> interface =
      KernelInterface::lookup(kernel);
  if (failed(interface))
    return failure();
  OpBuilder b(launch);
  if (bytes && !launch.getDynamicSharedMemorySize()) {
    Value size = arith::ConstantOp::create(b, launch.getLoc(),
                                           b.getI32IntegerAttr(bytes.getInt()));
    launch.getDynamicSharedMemorySizeMutable().assign(size);
  }
  size_t numGiven = launch.getNumKernelOperands();
  if (!*interface || numGiven >= (*interface)->arguments.size())
    return success();
  LaunchValues values(b, launch, **interface);
  for (const KernelArgument &map :
       ArrayRef((*interface)->arguments).drop_front(numGiven))
    launch.getKernelOperandsMutable().append(values.buildMap(map));
  return success();
}

namespace {
struct FinalizeABI : lpgemm::impl::FinalizeABIPassBase<FinalizeABI> {
  void runOnOperation() override {
    SmallVector<gpu::GPUFuncOp> kernels;
    SmallVector<gpu::LaunchFuncOp> launches;
    getOperation().walk([&](Operation *op) {
      if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
          kernel && kernel.isKernel())
        kernels.push_back(kernel);
      if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
        launches.push_back(launch);
    });
    for (gpu::GPUFuncOp kernel : kernels)
      if (failed(finalizeKernel(kernel)))
        return signalPassFailure();
    SymbolTableCollection symbols;
    for (gpu::LaunchFuncOp launch : launches) {
      auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
          launch, launch.getKernelAttr());
      if (kernel && failed(completeLaunch(launch, kernel)))
        return signalPassFailure();
    }
  }
};
} // namespace
