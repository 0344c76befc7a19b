//===- KernelInterface.cpp - what a host must know of a kernel ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"

#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Dialect/LPGEMM/Utils/MmaOperands.h"
#include "lpgemm/Dialect/LPGEMM/Utils/SharedRows.h"
#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// Extents stay this far below 2^31, so that a position one tile past the end
/// is still a non-negative i32.
static constexpr int64_t kMaxExtent = 0x7FFF0000;
/// So must the bytes from the first to the last row of a workgroup's tile.
static constexpr int64_t kMaxTileSpan = 0x7FFF0000;
/// Threads along one dimension of a grid (HIP, hipModuleLaunchKernel: below
/// 2^32; HSA, kernel dispatch packet: grid_size_x has 32 bits). Along y and z
/// devices have fewer workgroups (hipDeviceProp_t::maxGridSize), so that all
/// are along x.
static constexpr int64_t kMaxGridThreads = 0xFFFFFFFF;

/// CUDA driver API, CUtensorMap.
static constexpr int64_t kTensorMapBytes = 128;

Type lpgemm::getTensorMapType(MLIRContext *context) {
  return LLVM::LLVMArrayType::get(IntegerType::get(context, 8),
                                  kTensorMapBytes);
}

std::string KernelArgument::getName() const {
  switch (kind) {
  case Kind::Pitch:
    return subject.str() + "_pitch";
  case Kind::Stride:
    return subject.str() + "_stride_" + std::to_string(batchDim);
  case Kind::TensorMap:
    return subject.str() + "_map" +
           (mapNumber ? "_" + std::to_string(mapNumber) : "");
  default:
    return subject.str();
  }
}

Type KernelArgument::getType(MLIRContext *context) const {
  switch (kind) {
  case Kind::Address:
  case Kind::TensorMap:
  case Kind::Workspace:
    return LLVM::LLVMPointerType::get(context);
  case Kind::Extent:
  case Kind::Workgroups:
    return IntegerType::get(context, 32);
  case Kind::Pitch:
  case Kind::Stride:
    return IntegerType::get(context, 64);
  case Kind::Factor:
    return Float32Type::get(context);
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// From a product
//===----------------------------------------------------------------------===//

/// The value of `expr` for what one workgroup has at hand at a time.
static int64_t getTileExtent(AffineExpr expr, const ShapeContract &contract,
                             ScheduleAttr schedule) {
  auto tile = llvm::map_to_vector(contract.extents, [&](auto &extent) {
    return getAffineConstantExpr(llvm::StringSwitch<int64_t>(extent.name)
                                     .Case("M", schedule.getTileM())
                                     .Case("N", schedule.getTileN())
                                     .Default(schedule.getTileK()),
                                 expr.getContext());
  });
  return cast<AffineConstantExpr>(expr.replaceDims(tile)).getValue();
}

static std::optional<ScaleAttr> lookupScale(MatmulOp op, StringRef operand) {
  if (operand == "lhs_scale")
    return op.getLhsScaleKind();
  if (operand == "rhs_scale")
    return op.getRhsScaleKind();
  if (operand == "scale_outs")
    return op.getInitScaleKind();
  return std::nullopt;
}

/// The type of the elements of an operand of packed bytes (C24).
static TypeAttr lookupPackedType(MatmulOp op, StringRef operand) {
  if (operand == "lhs")
    return op.getLhsPackedAttr();
  if (operand == "rhs")
    return op.getRhsPackedAttr();
  if (operand == "init")
    return op.getInitPackedAttr();
  return {};
}

/// How many there are in a row of lhs, rhs or init, whose last dimension counts
/// bytes.
static AffineExpr getRowElements(MatmulOp op, StringRef operand,
                                 const ShapeContract &contract) {
  bool isAlongK = operand == "lhs"   ? !op.getTransposeA()
                  : operand == "rhs" ? bool(op.getTransposeB())
                                     : false;
  StringRef name = isAlongK ? "K" : operand == "lhs" ? "M" : "N";
  const auto *extent = llvm::find_if(
      contract.extents, [&](const auto &e) { return e.name == name; });
  AffineExpr elements = getAffineDimExpr(
      std::distance(contract.extents.begin(), extent), op.getContext());
  return operand == "init" && op.getPairs()
             ? elements.floorDiv(ProductInterface(op).getSumsPerResult())
             : elements;
}

/// The operands of `contract` as a program may call them: those of the epilogue
/// by their numbers.
static SmallVector<StringRef> nameOperands(MatmulOp op,
                                           const ShapeContract &contract) {
  int64_t numEpilogue = 0;
  return llvm::map_to_vector(contract.operands, [&](auto &operand) {
    if (!operand.name.contains("epilogue operand"))
      return operand.name;
    return StringAttr::get(op.getContext(), "epilogue_" + Twine(numEpilogue++))
        .getValue();
  });
}

/// Which of the first `numBatch` extents a dimension is; if it is broadcast,
/// `numBatch`; nothing if it is no batch dimension.
static std::optional<unsigned> getBatchDim(AffineExpr expr, unsigned numBatch) {
  if (isa<AffineConstantExpr>(expr) &&
      cast<AffineConstantExpr>(expr).getValue() == 1)
    return numBatch;
  auto dim = dyn_cast<AffineDimExpr>(expr);
  if (dim && dim.getPosition() < numBatch)
    return dim.getPosition();
  return std::nullopt;
}

namespace {
/// The arguments of a product, by the order of their kinds.
struct ArgumentLists {
  void addOperand(MatmulOp op, StringRef name,
                  const ShapeContract::Operand &operand);

  const ShapeContract &contract;
  unsigned numBatch;
  SmallVector<KernelArgument> addresses = {}, pitches = {}, strides = {};
};
} // namespace

void ArgumentLists::addOperand(MatmulOp op, StringRef name,
                               const ShapeContract::Operand &operand) {
  using Kind = KernelArgument::Kind;
  Type element = cast<MemRefType>(operand.value.getType()).getElementType();
  SmallVector<AffineExpr> shape = operand.dims;
  if (TypeAttr packed = lookupPackedType(op, name)) {
    element = packed.getValue();
    shape.back() = getRowElements(op, name, contract);
  }
  KernelArgument &address = addresses.emplace_back(
      KernelArgument{Kind::Address, name, element, shape, lookupScale(op, name),
                     llvm::is_contained({"init", "scale_outs", "amax"}, name)});
  AffineExpr first;
  for (AffineExpr expr : operand.dims) {
    std::optional<unsigned> batchDim = getBatchDim(expr, numBatch);
    if (!batchDim)
      first = first ? first : expr;
    else if (*batchDim < numBatch)
      strides.emplace_back(KernelArgument{Kind::Stride, name}).batchDim =
          *batchDim;
  }
  if (!first)
    return;
  int64_t rows = getTileExtent(first, contract, *op.getSchedule());
  // A tile of the product need not start with one of the layout.
  if (address.hasTiledLayout())
    ++rows;
  pitches.emplace_back(KernelArgument{Kind::Pitch, name}).atMost =
      kMaxTileSpan / (rows * getUnitBytes(element));
}

/// Those of the batch as a program may call them.
static SmallVector<StringRef>
nameExtents(MatmulOp op, const ShapeContract &contract, unsigned numBatch) {
  SmallVector<StringRef> names;
  for (const ShapeContract::Extent &extent : contract.extents)
    names.push_back(
        names.size() < numBatch
            ? StringAttr::get(op.getContext(), "batch_" + Twine(names.size()))
                  .getValue()
            : extent.name);
  return names;
}

/// Where a role copies lhs, and has one tile of a known number of rows, it
/// copies no more than these, in whole swizzles.
static int64_t getLargestExtent(ScheduleAttr schedule,
                                const ShapeContract::Extent &extent) {
  int64_t rows = extent.getStatic();
  bool isOneTile = extent.name == "M" && !ShapedType::isDynamic(rows) &&
                   rows <= schedule.getTileM();
  return schedule.getRoles() && isOneTile
             ? llvm::alignTo(std::max<int64_t>(rows, 1), kSwizzleRows)
             : kMaxExtent;
}

static SmallVector<KernelArgument>
describeArguments(MatmulOp op, ArrayRef<StringRef> extents, unsigned numBatch) {
  using Kind = KernelArgument::Kind;
  ShapeContract contract = op.getShapeContract();
  ArgumentLists lists{contract, numBatch};
  for (auto [name, operand] :
       llvm::zip_equal(nameOperands(op, contract), contract.operands))
    lists.addOperand(op, name, operand);
  SmallVector<KernelArgument> result = std::move(lists.addresses);
  for (auto [name, extent] : llvm::zip_equal(extents, contract.extents))
    result.emplace_back(KernelArgument{Kind::Extent, name}).atMost =
        getLargestExtent(*op.getSchedule(), extent);
  llvm::append_range(result, lists.pitches);
  llvm::append_range(result, lists.strides);
  for (auto [name, factor] :
       {std::pair<StringRef, Value>("alpha", op.getAlpha()),
        {"beta", op.getBeta()}})
    if (factor)
      result.push_back({Kind::Factor, name});
  return result;
}

static bool isForAMDGPU(MatmulOp op) {
  return lookupTargetRecord(lookupTarget(op).getChip())->amdgpu != nullptr;
}

/// Whether K is split without clusters, in which workgroups could add.
static bool needsWorkspace(MatmulOp op) {
  return op.getSchedule()->getSplitK() > 1 && isForAMDGPU(op);
}

/// Rows of the workspace are those of the result, so that their pitch is N.
static void addWorkspace(MatmulOp op, KernelInterface &interface) {
  ScheduleAttr schedule = *op.getSchedule();
  KernelArgument workspace{KernelArgument::Kind::Workspace, "workspace"};
  workspace.elementType = getSumType(op, schedule.getInstr());
  workspace.shape = {
      getAffineConstantExpr(schedule.getSplitK(), op.getContext())};
  llvm::append_range(workspace.shape, interface.lookupAddress("init").shape);
  int64_t maxPitch = kMaxTileSpan / (schedule.getTileM() *
                                     getUnitBytes(workspace.elementType));
  for (KernelArgument &argument : interface.arguments)
    if (argument.kind == KernelArgument::Kind::Extent &&
        argument.subject == "N")
      argument.atMost = std::min(argument.atMost, maxPitch);
  interface.arguments.push_back(workspace);
}

int64_t lpgemm::getNumThreads(MatmulOp op) {
  const TargetRecord &record = *lookupTargetRecord(lookupTarget(op).getChip());
  return op.getSchedule()->getAllWaves() *
         record.getWaveSize(op.getSchedule()->getInstr());
}

KernelInterface KernelInterface::describe(MatmulOp op) {
  KernelInterface result;
  result.op = op->getName().getStringRef();
  auto function = op->getParentOfType<FunctionOpInterface>();
  result.function = SymbolTable::getSymbolName(function).getValue();
  unsigned numBatch = cast<ShapedType>(op.getInit().getType()).getRank() - 2;
  result.extents = nameExtents(op, op.getShapeContract(), numBatch);
  result.arguments = describeArguments(op, result.extents, numBatch);

  ScheduleAttr schedule = *op.getSchedule();
  result.tiles = result.lookupAddress("init").shape;
  // Whole clusters: those at an edge have workgroups without a tile.
  const int64_t tileExtents[] = {schedule.getTileM(),
                                 schedule.getTileN() /
                                     ProductInterface(op).getSumsPerResult()};
  const int64_t clusters[] = {schedule.getClusterM(), schedule.getClusterN()};
  for (auto [extent, tile, cluster] : llvm::zip_equal(
           MutableArrayRef(result.tiles).take_back(2), tileExtents, clusters))
    extent = extent.ceilDiv(tile * cluster) * cluster;
  result.tiles.back() = result.tiles.back() * schedule.getSplitK();
  result.maxWorkgroups = kMaxGridThreads / getNumThreads(op);
  if (needsWorkspace(op))
    addWorkspace(op, result);
  else
    result.clusterSize = schedule.getClusterSize();
  result.isPersistent = schedule.getPersistent();
  // No register of an AMD GPU has the extent of the grid.
  if (result.isPersistent && isForAMDGPU(op))
    result.arguments.push_back(
        {KernelArgument::Kind::Workgroups, "workgroups"});
  return result;
}

KernelInterface KernelInterface::describeFill(StringRef operand) const {
  KernelInterface result;
  result.op = op;
  result.function = function;
  result.arguments = {lookupAddress(operand)};
  AffineExpr one = getAffineConstantExpr(1, tiles.front().getContext());
  result.tiles = {one, one};
  result.maxWorkgroups = 1;
  return result;
}

ScheduleAttr lpgemm::getSumSchedule(ScheduleAttr schedule) {
  // Low tiles, so that small results as well have many workgroups, of waves
  // that load whole lines together.
  constexpr int64_t kWaves = 4;
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  MLIRContext *context = schedule.getContext();
  return ScheduleAttr::get(context, {info.m, kWaves * info.n, info.k},
                           {1, kWaves}, info.instr,
                           HomesAttr::get(context, Home::Reg, Home::Reg),
                           /*stages=*/1);
}

KernelInterface KernelInterface::describeSum(ScheduleAttr schedule,
                                             int64_t threads) const {
  KernelInterface result = *this;
  result.fills.clear();
  result.isPersistent = false;
  result.maxWorkgroups = kMaxGridThreads / threads;
  ArrayRef<AffineExpr> matrix =
      ArrayRef(lookupAddress("init").shape).take_back(2);
  result.tiles.end()[-2] = matrix[0].ceilDiv(schedule.getTileM());
  result.tiles.end()[-1] = matrix[1].ceilDiv(schedule.getTileN());
  return result;
}

/// The only argument of this kind, or null.
static const KernelArgument *lookupOnly(ArrayRef<KernelArgument> arguments,
                                        KernelArgument::Kind kind) {
  const auto *found = llvm::find_if(
      arguments, [kind](auto &argument) { return argument.kind == kind; });
  return found == arguments.end() ? nullptr : found;
}

const KernelArgument *KernelInterface::lookupWorkspace() const {
  return lookupOnly(arguments, KernelArgument::Kind::Workspace);
}

const KernelArgument *KernelInterface::lookupWorkgroups() const {
  return lookupOnly(arguments, KernelArgument::Kind::Workgroups);
}

SmallVector<unsigned>
KernelInterface::getMatrixDims(const KernelArgument &address) const {
  SmallVector<unsigned> dims;
  for (auto [i, expr] : llvm::enumerate(address.shape))
    if (!getBatchDim(expr, getNumBatch()))
      dims.push_back(i);
  return dims;
}

const KernelArgument &KernelInterface::lookupAddress(StringRef operand) const {
  return *llvm::find_if(arguments, [&](const KernelArgument &argument) {
    return argument.kind == KernelArgument::Kind::Address &&
           argument.subject == operand;
  });
}

int64_t KernelInterface::getLargest(StringRef extent) const {
  for (const KernelArgument &argument :
       getArguments(KernelArgument::Kind::Extent))
    if (argument.subject == extent)
      return argument.atMost;
  return std::numeric_limits<int64_t>::max();
}

SmallVector<unsigned> KernelInterface::findStrides(StringRef operand) const {
  SmallVector<unsigned> numbers;
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (argument.kind == KernelArgument::Kind::Stride &&
        argument.subject == operand)
      numbers.push_back(i);
  return numbers;
}

unsigned KernelInterface::addTensorMap(StringRef operand,
                                       std::array<int64_t, 2> box,
                                       int64_t swizzleBytes) {
  int64_t number = 0;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    if (argument.kind != KernelArgument::Kind::TensorMap ||
        argument.subject != operand)
      continue;
    if (argument.box == box && argument.swizzleBytes == swizzleBytes)
      return i;
    ++number;
  }
  KernelArgument &map = arguments.emplace_back(
      KernelArgument{KernelArgument::Kind::TensorMap, operand});
  map.box = box;
  map.swizzleBytes = swizzleBytes;
  map.mapNumber = number;
  return arguments.size() - 1;
}

size_t KernelInterface::findExtent(const KernelArgument &argument) const {
  return std::distance(extents.begin(), llvm::find(extents, argument.subject));
}

std::string KernelInterface::print(AffineExpr expr) const {
  ShapeContract names;
  for (StringRef extent : extents)
    names.extents.push_back({extent, Value(), 0, ""});
  return names.describe(expr, ShapedType::kDynamic);
}

std::string KernelInterface::printWorkspaceBytes() const {
  const KernelArgument *workspace = lookupWorkspace();
  if (!workspace)
    return "";
  int64_t bytes = getUnitBytes(workspace->elementType);
  SmallVector<std::string> factors;
  for (AffineExpr expr : workspace->shape) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      bytes *= constant.getValue();
    else
      factors.push_back(print(expr));
  }
  factors.insert(factors.begin(), std::to_string(bytes));
  return llvm::join(factors, " * ");
}

std::string KernelInterface::printGrid() const {
  SmallVector<std::string> factors;
  for (AffineExpr expr : tiles)
    if (!isa<AffineConstantExpr>(expr))
      factors.push_back(print(expr));
  return factors.empty() ? "1" : llvm::join(factors, " * ");
}
