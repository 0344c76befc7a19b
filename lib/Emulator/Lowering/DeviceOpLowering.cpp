//===- DeviceOpLowering.cpp - device operations of a kernel ---------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceOpLowering.h"

#include "DeviceGlobals.h"
#include "DeviceLibrary.h"
#include "FatPointers.h"
#include "InFlightLoads.h"
#include "LoopSteps.h"
#include "MatrixOps.h"
#include "NVVM/AccumulatorReads.h"
#include "NVVM/AtomicOps.h"
#include "NVVM/ChipRules.h"
#include "NVVM/CustomOps.h"
#include "OpRules.h"
#include "TypeRules.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

/// What the runtime does with a pointer.
enum class MemoryKind { Global, Shared, Private, Buffer, Unknown };

/// AMDGPUUsage and NVPTXUsage, "Address Spaces".
static MemoryKind getMemoryKind(unsigned addressSpace,
                                const EmulatedChip &chip) {
  switch (addressSpace) {
  case 0: // Generic.
  case 1: // Global.
  case 4: // Constant.
    return MemoryKind::Global;
  case kLdsAddressSpace:
    return MemoryKind::Shared;
  case 5:
    return MemoryKind::Private;
  case 7: // Of the cluster; a fat buffer pointer on AMD.
    return isNvidia(chip.chip) ? MemoryKind::Shared : MemoryKind::Buffer;
  default:
    return MemoryKind::Unknown;
  }
}

static constexpr unsigned kConstantAddressSpace = 4;

static unsigned getAddressSpace(Value pointer) {
  return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace();
}

template <typename AccessOp>
static LogicalResult checkAccess(AccessOp op, const EmulatedChip &chip) {
  unsigned addressSpace = getAddressSpace(op.getAddr());
  if (getMemoryKind(addressSpace, chip) == MemoryKind::Unknown)
    return op.emitError("emulator does not model address space ")
           << addressSpace;
  if (std::is_same_v<AccessOp, LLVM::StoreOp> &&
      addressSpace == kConstantAddressSpace)
    return op.emitError("expected memory that kernels may write, got that of "
                        "constants");
  if (op.getOrdering() == LLVM::AtomicOrdering::not_atomic)
    return success();
  if (isNvidia(chip.chip))
    return checkAtomicSize(op);
  return op.emitError("emulator does not model atomic accesses");
}

/// llvm.atomicrmw and llvm.cmpxchg begin with the pointer and the value.
static LogicalResult checkAtomic(Operation *op, const EmulatedChip &chip) {
  unsigned addressSpace = getAddressSpace(op->getOperand(0));
  MemoryKind kind = getMemoryKind(addressSpace, chip);
  bool isOnNvidia = isNvidia(chip.chip);
  if (kind != MemoryKind::Global && !(isOnNvidia && kind == MemoryKind::Shared))
    return op->emitError("emulator models atomic operations on global ")
           << (isOnNvidia ? "and shared " : "")
           << "memory only, got address space " << addressSpace;
  return isOnNvidia ? checkAtomicSize(op) : success();
}

static LogicalResult checkDirectCall(LLVM::CallOp op, SymbolTable &symbols) {
  std::optional<StringRef> callee = op.getCallee();
  if (!callee)
    return op.emitError("emulator does not model indirect calls");
  auto function = symbols.lookup<LLVM::LLVMFuncOp>(*callee);
  bool hasBody = function && !function.isExternal();
  if (!hasBody && findHostFunction(op).empty())
    return op.emitError("emulator does not model calls of '@")
           << *callee << "', which has no body in this module";
  return success();
}

static LogicalResult checkAddressOf(LLVM::AddressOfOp op,
                                    SymbolTable &symbols) {
  auto global = symbols.lookup<LLVM::GlobalOp>(op.getGlobalName());
  if (!global)
    return op.emitError("emulator models addresses of globals only, '@")
           << op.getGlobalName() << "' is none";
  if (isDeviceGlobal(global))
    return success();
  if (!isKernel(op->getParentOfType<LLVM::LLVMFuncOp>()))
    return op.emitError("emulator models LDS globals in kernels only");
  return success();
}

/// Whether every chip has it, and it only computes.
static bool isHostIntrinsic(LLVM::CallIntrinsicOp op) {
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(op.getIntrin());
  if (id == llvm::Intrinsic::not_intrinsic ||
      llvm::Intrinsic::isTargetIntrinsic(id))
    return false;
  llvm::LLVMContext context;
  return llvm::Intrinsic::getFnAttributes(context, id)
      .getMemoryEffects()
      .doesNotAccessMemory();
}

/// Whether it is no instruction, but says what registers its operand is in.
static bool isPin(Operation *op) {
  auto text = dyn_cast<LLVM::InlineAsmOp>(op);
  return text && text.getAsmString().empty() && op->getNumOperands() == 1 &&
         op->getResultTypes() == op->getOperandTypes();
}

/// Operations outside of the table may be there if they only compute.
static LogicalResult checkUnlisted(Operation *op, const EmulatedChip &chip) {
  if (isPin(op))
    return success();
  if (failed(checkUnmodelled(op, chip)))
    return failure();
  auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op);
  bool isHostArithmetic =
      intrinsic ? isHostIntrinsic(intrinsic)
                : isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()) &&
                      isMemoryEffectFree(op) && !isa<LLVM::InlineAsmOp>(op);
  if (!isHostArithmetic)
    return op->emitError("emulator does not model op '")
           << op->getName() << "'";
  return success();
}

/// Pointers that a runtime function can use.
static LogicalResult checkPointers(Operation *op, const EmulatedChip &chip) {
  constexpr unsigned kBufferResource = 8;
  for (Type type :
       llvm::concat<Type>(op->getOperandTypes(), op->getResultTypes())) {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
    if (pointer && pointer.getAddressSpace() != kBufferResource &&
        getMemoryKind(pointer.getAddressSpace(), chip) == MemoryKind::Unknown)
      return op->emitError("emulator does not model address space ")
             << pointer.getAddressSpace();
  }
  return success();
}

/// Each vendor's chips have the operations of one dialect, and of NVVM those
/// that their version has.
static LogicalResult checkDialect(Operation *op, const EmulatedChip &chip) {
  bool isNVVM = isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect());
  bool isROCDL = isa_and_nonnull<ROCDL::ROCDLDialect>(op->getDialect());
  if (isNVVM && chip.chip == Chip::Unknown)
    return op->emitError("emulator must know the chip of '")
           << op->getName() << "': give the gpu.module an #nvvm.target";
  if ((isNVVM && !isNvidia(chip.chip)) || (isROCDL && isNvidia(chip.chip)))
    return emitNotOfChip(op, chip, isNVVM ? kOnNvidia : kOnBoth);
  ChipSet chips = isNVVM ? getChipsWith(op) : kOnNvidia;
  return !isNVVM || chips & setOf(chip.chip) ? success()
                                             : emitNotOfChip(op, chip, chips);
}

static LogicalResult checkOp(Operation *op, SymbolTable &symbols,
                             const EmulatedChip &chip) {
  // Of what no chip has there is no entry, either.
  if (failed(checkTypes(op)) || failed(checkDialect(op, chip)) ||
      (!isNvidia(chip.chip) && failed(checkFatPointers(op))))
    return failure();
  const OpEntry *entry = lookupOp(op->getName().getStringRef());
  if (!entry)
    return checkUnlisted(op, chip);
  switch (entry->kind) {
  case OpKind::Load:
    return checkAccess(cast<LLVM::LoadOp>(op), chip);
  case OpKind::Store:
    return checkAccess(cast<LLVM::StoreOp>(op), chip);
  case OpKind::DirectCall:
    return checkDirectCall(cast<LLVM::CallOp>(op), symbols);
  case OpKind::AddressOf:
    return checkAddressOf(cast<LLVM::AddressOfOp>(op), symbols);
  case OpKind::Mfma:
  case OpKind::ScaledMfma:
    return selectInstruction(op, chip);
  case OpKind::Atomic:
    return checkAtomic(op, chip);
  case OpKind::Custom:
    return failure(failed(checkPointers(op, chip)) ||
                   failed(checkCustomOp(op, chip)));
  default:
    if (entry->handler.empty())
      return success();
    return failure(failed(checkPointers(op, chip)) ||
                   failed(checkRules(op, *entry, chip)));
  }
}

/// A buffer resource lives for a workgroup.
static LogicalResult checkParameters(LLVM::LLVMFuncOp function,
                                     const EmulatedChip &chip) {
  if (isNvidia(chip.chip) || !isKernel(function))
    return success();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (holdsFatPointer(type))
      return function.emitError("emulator expects buffer fat pointers to be "
                                "made in the kernel, got parameter ")
             << i << " of type " << type;
  return success();
}

LogicalResult DeviceOpLowering::check(LLVM::LLVMFuncOp function,
                                      SymbolTable &symbols,
                                      const EmulatedChip &chip) {
  // All faults at once, not only the first.
  bool isGood = succeeded(checkParameters(function, chip));
  function.walk(
      [&](Operation *op) { isGood &= succeeded(checkOp(op, symbols, chip)); });
  isGood &= succeeded(checkAccumulatorReads(function));
  return success(isGood);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Whether both scale operands are the constant 0: then the back end selects
/// the unscaled instruction.
static bool isUnscaled(Operation *op) {
  constexpr unsigned kScaleA = 6, kScaleB = 8;
  return matchPattern(op->getOperand(kScaleA), m_Zero()) &&
         matchPattern(op->getOperand(kScaleB), m_Zero());
}

void DeviceOpLowering::lowerCall(Operation *op, const OpEntry &entry) {
  bool isPure = entry.kind == OpKind::Pure;
  bool isTwoData = entry.kind == OpKind::CallTwoData;
  bool isData = entry.kind == OpKind::CallData || isTwoData;
  bool isMatrix =
      entry.kind == OpKind::Mfma || entry.kind == OpKind::ScaledMfma;
  unsigned numByAddress = isMatrix || isTwoData ? 2 : isData ? 1 : 0;
  OpCall call(op, builder, calls, sites);
  if (!isPure)
    call.passSite();
  if (call.needsResultSlot() || (isData && op->getNumResults() != 0))
    call.passResult();
  for (unsigned i = 0, e = op->getNumOperands(); i < e; ++i)
    call.pass(op->getOperand(i), /*byAddress=*/i < numByAddress);
  SmallVector<StringRef> names;
  entry.attributes.split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef name : names)
    call.passConstant(op->getAttrOfType<IntegerAttr>(name).getInt());
  if (entry.kind == OpKind::CallOfChip)
    call.passConstant(static_cast<int64_t>(chip->chip));
  if (isMatrix)
    call.passConstant(*selectInstruction(op, *chip));
  if (entry.kind == OpKind::LdsRead)
    call.passConstant(loadsAcrossBarriers.contains(op));
  if (entry.kind == OpKind::ScaledMfma)
    call.passConstant(!isUnscaled(op));
  bool isOfFatPointer = isa<ROCDL::LoadToLDSOp>(op) &&
                        holdsFatPointer(op->getOperand(0).getType());
  call.replace(isOfFatPointer ? "emu_fat_buffer_load_lds" : entry.handler,
               isPure);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Whether a load gives the first value to compare to a loop of
/// compare-and-swap, which memref.generic_atomic_rmw becomes. An old value does
/// no harm there, so that the load need not be ordered.
static bool startsCompareAndSwap(LLVM::LoadOp load) {
  return llvm::any_of(load.getAddr().getUsers(), [&](Operation *user) {
    auto swap = dyn_cast<LLVM::AtomicCmpXchgOp>(user);
    return swap && swap.getPtr() == load.getAddr() &&
           swap.getVal().getType() == load.getType();
  });
}

void DeviceOpLowering::lowerAccess(Operation *op, Value address, Type type) {
  // By MemoryKind, for a load and for a store.
  static constexpr StringLiteral kHandlers[][2] = {
      {"emu_global_load", "emu_global_store"},
      {"emu_lds_load", "emu_lds_store"}};
  if (isNvidia(chip->chip) && isAtomicAccess(op))
    return lowerAtomic(op);
  auto alignment = op->getAttrOfType<IntegerAttr>("alignment");
  // The runtime checks what the device needs; the host must not trap.
  op->setAttr("alignment", builder.getI64IntegerAttr(1));
  unsigned addressSpace = getAddressSpace(address);
  MemoryKind kind = getMemoryKind(addressSpace, *chip);
  // Without bytes there is no access.
  if (kind == MemoryKind::Private || getBytes(op, type) == 0)
    return;
  OpCall call(op, builder, calls, sites);
  if (kind == MemoryKind::Buffer)
    return lowerFatPointerAccess(op, call);
  call.passSite();
  call.pass(address);
  call.passConstant(getBytes(op, type));
  bool isStore = isa<LLVM::StoreOp>(op);
  if (isNvidia(chip->chip)) {
    call.passConstant(alignment ? alignment.getInt() : 0);
    call.passConstant(addressSpace);
    call.call(isStore ? "emu_nvvm_store" : "emu_nvvm_load", Type());
    return;
  }
  StringRef handler = kHandlers[static_cast<unsigned>(kind)][isStore];
  if (kind == MemoryKind::Global && !isStore &&
      startsCompareAndSwap(cast<LLVM::LoadOp>(op)))
    handler = "emu_global_atomic";
  if (loadsAcrossBarriers.contains(op))
    handler = "emu_lds_load_across_barrier";
  call.call(handler, Type());
}

/// The host's own operation is atomic too, among the threads that run
/// workgroups.
void DeviceOpLowering::lowerAtomic(Operation *op) {
  OpCall call(op, builder, calls, sites);
  if (isNvidia(chip->chip))
    return callAtomic(op, call);
  call.passSite();
  call.pass(op->getOperand(0));
  call.passConstant(getBytes(op, op->getOperand(1).getType()));
  call.call("emu_global_atomic", Type());
  // Scopes are names of the device's.
  op->removeAttr("syncscope");
}

void DeviceOpLowering::lowerDirectCall(LLVM::CallOp op) {
  auto callee = symbols->lookup<LLVM::LLVMFuncOp>(*op.getCallee());
  std::string name = findHostFunction(op);
  if ((callee && !callee.isExternal()) || name.empty())
    return;
  Type type = op.getResult().getType();
  Value result = calls.call(op.getLoc(), name, type, op.getOperands(),
                            /*isPure=*/true);
  op.getResult().replaceAllUsesWith(result);
  op.erase();
}

/// Objects of private memory are on the lane's own stack.
void DeviceOpLowering::lowerAlloca(LLVM::AllocaOp op) {
  auto hostType = LLVM::LLVMPointerType::get(builder.getContext());
  if (op.getType() == hostType)
    return;
  auto alloca =
      LLVM::AllocaOp::create(builder, op.getLoc(), hostType, op.getElemType(),
                             op.getArraySize(), op.getAlignment().value_or(0));
  auto cast =
      LLVM::AddrSpaceCastOp::create(builder, op.getLoc(), op.getType(), alloca);
  op.replaceAllUsesWith(cast.getResult());
  op.erase();
}

void DeviceOpLowering::lowerAddressOf(LLVM::AddressOfOp op) {
  Location loc = op.getLoc();
  auto hostType = LLVM::LLVMPointerType::get(builder.getContext());
  auto global = symbols->lookup<LLVM::GlobalOp>(op.getGlobalName());
  if (isDeviceGlobal(global)) {
    Value address =
        LLVM::AddressOfOp::create(builder, loc, hostType, op.getGlobalName());
    if (op.getType() != hostType)
      address =
          LLVM::AddrSpaceCastOp::create(builder, loc, op.getType(), address);
    op.replaceAllUsesWith(address);
    op.erase();
    return;
  }
  int32_t offset = layout->offsetOf(global);
  Value base = calls.call(loc, "emu_lds_base", hostType, {}, /*isPure=*/true);
  Value address =
      LLVM::GEPOp::create(builder, loc, hostType, builder.getI8Type(), base,
                          ArrayRef<LLVM::GEPArg>{offset});
  address = LLVM::AddrSpaceCastOp::create(builder, loc, op.getType(), address);
  op.replaceAllUsesWith(address);
  op.erase();
}

/// A release fence waits for the lane's memory operations. An acquire fence
/// does nothing here: no load is early.
void DeviceOpLowering::lowerFence(LLVM::FenceOp op) {
  if (isNvidia(chip->chip)) {
    OpCall call(op, builder, calls, sites);
    return lowerNvidiaFence(op, call);
  }
  LLVM::AtomicOrdering ordering = op.getOrdering();
  StringRef scope = op.getSyncscope().value_or("");
  bool isOfWave =
      scope.starts_with("wavefront") || scope.starts_with("singlethread");
  if (ordering != LLVM::AtomicOrdering::acquire && !isOfWave)
    calls.call(op.getLoc(), "emu_release_fence", Type(), {});
  op.erase();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void DeviceOpLowering::lowerOp(Operation *op, OpKind kind) {
  switch (kind) {
  case OpKind::NoOp:
    op->erase();
    return;
  case OpKind::Alloca:
    return lowerAlloca(cast<LLVM::AllocaOp>(op));
  case OpKind::AddressOf:
    return lowerAddressOf(cast<LLVM::AddressOfOp>(op));
  case OpKind::GetElementPtr:
    if (!isNvidia(chip->chip))
      lowerFatPointerOffset(builder, cast<LLVM::GEPOp>(op));
    return;
  case OpKind::DirectCall:
    return lowerDirectCall(cast<LLVM::CallOp>(op));
  case OpKind::Load:
    return lowerAccess(op, cast<LLVM::LoadOp>(op).getAddr(),
                       op->getResult(0).getType());
  case OpKind::Store:
    return lowerAccess(op, cast<LLVM::StoreOp>(op).getAddr(),
                       cast<LLVM::StoreOp>(op).getValue().getType());
  case OpKind::Fence:
    return lowerFence(cast<LLVM::FenceOp>(op));
  case OpKind::Atomic:
    return lowerAtomic(op);
  case OpKind::Unreachable: {
    OpCall call(op, builder, calls, sites);
    call.passSite();
    call.call("emu_unreachable", Type());
    return;
  }
  case OpKind::Custom: {
    OpCall call(op, builder, calls, sites);
    return lowerCustomOp(op, call);
  }
  default:
    return;
  }
}

/// Calls that let the runtime end what does not end by itself, and tell what
/// the host cannot do.
void DeviceOpLowering::insertSteps(ArrayRef<Operation *> ops) {
  auto insertStep = [&](Operation *named) {
    OpCall call(named, builder, calls, sites);
    call.passSite();
    call.call("emu_step", Type());
  };
  for (LoopEdge edge : findLoopEdges(ops)) {
    builder.setInsertionPointToStart(edge.head);
    insertStep(edge.branch);
  }
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    if (isa<LLVM::CallOp>(op))
      insertStep(op);
    else if (mayTrap(op))
      insertDivisorCheck(op);
  }
}

/// The division takes the divisor from the check, which so comes first.
void DeviceOpLowering::insertDivisorCheck(Operation *op) {
  Location loc = op->getLoc();
  Value divisor = op->getOperand(1);
  auto vector = dyn_cast<VectorType>(divisor.getType());
  if (!vector) {
    op->setOperand(1, checkDivisor(op, divisor));
    return;
  }
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    Value index = calls.constant(loc, i);
    Value element =
        LLVM::ExtractElementOp::create(builder, loc, divisor, index);
    divisor = LLVM::InsertElementOp::create(builder, loc, divisor,
                                            checkDivisor(op, element), index);
  }
  op->setOperand(1, divisor);
}

Value DeviceOpLowering::checkDivisor(Operation *op, Value divisor) {
  Location loc = op->getLoc();
  Type type = divisor.getType(), word = builder.getI64Type();
  if (type != word)
    divisor = LLVM::ZExtOp::create(builder, loc, word, divisor);
  OpCall call(op, builder, calls, sites);
  call.passSite();
  call.pass(divisor);
  divisor = call.call("emu_divisor", word);
  if (type != word)
    divisor = LLVM::TruncOp::create(builder, loc, type, divisor);
  return divisor;
}

void DeviceOpLowering::lower(LLVM::LLVMFuncOp function, SymbolTable &newSymbols,
                             const EmulatedChip &newChip,
                             const LdsLayout *newLayout) {
  symbols = &newSymbols;
  chip = &newChip;
  layout = newLayout;
  loadsAcrossBarriers = findLoadsAcrossBarriers(function);
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });
  insertSteps(ops);
  for (Operation *op : ops) {
    if (isPin(op)) {
      op->replaceAllUsesWith(op->getOperands());
      op->erase();
      continue;
    }
    const OpEntry *entry = lookupOp(op->getName().getStringRef());
    if (!entry)
      continue;
    builder.setInsertionPoint(op);
    if (entry->handler.empty())
      lowerOp(op, entry->kind);
    else
      lowerCall(op, *entry);
  }
}
