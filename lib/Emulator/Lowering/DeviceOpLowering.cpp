//===- DeviceOpLowering.cpp - device operations of a kernel ---------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceOpLowering.h"

#include "InFlightLoads.h"
#include "MatrixOps.h"
#include "OpRules.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

/// What the runtime does with a pointer of an AMD address space.
enum class MemoryKind { Global, Lds, Private, Unknown };

/// AMDGPUUsage, "Address Spaces".
static MemoryKind getMemoryKind(unsigned addressSpace) {
  switch (addressSpace) {
  case 0: // Generic.
  case 1: // Global.
  case 4: // Constant.
    return MemoryKind::Global;
  case kLdsAddressSpace:
    return MemoryKind::Lds;
  case 5:
    return MemoryKind::Private;
  default:
    return MemoryKind::Unknown;
  }
}

template <typename AccessOp>
static LogicalResult checkAccess(AccessOp op) {
  unsigned addressSpace =
      cast<LLVM::LLVMPointerType>(op.getAddr().getType()).getAddressSpace();
  if (getMemoryKind(addressSpace) == MemoryKind::Unknown)
    return op.emitError("emulator does not model address space ")
           << addressSpace;
  if (op.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return op.emitError("emulator does not model atomic accesses");
  return success();
}

/// llvm.atomicrmw and llvm.cmpxchg begin with the pointer and the value.
static LogicalResult checkAtomic(Operation *op) {
  auto pointer = cast<LLVM::LLVMPointerType>(op->getOperand(0).getType());
  if (getMemoryKind(pointer.getAddressSpace()) == MemoryKind::Global)
    return success();
  return op->emitError("emulator models atomic operations on global memory "
                       "only, got address space ")
         << pointer.getAddressSpace();
}

static LogicalResult checkDirectCall(LLVM::CallOp op, SymbolTable &symbols) {
  std::optional<StringRef> callee = op.getCallee();
  if (!callee)
    return op.emitError("emulator does not model indirect calls");
  auto function = symbols.lookup<LLVM::LLVMFuncOp>(*callee);
  if (!function || function.isExternal())
    return op.emitError("emulator does not model calls of '@")
           << *callee << "', which has no body in this module";
  return success();
}

static LogicalResult checkAddressOf(LLVM::AddressOfOp op,
                                    SymbolTable &symbols) {
  auto global = symbols.lookup<LLVM::GlobalOp>(op.getGlobalName());
  if (!global || global.getAddrSpace() != kLdsAddressSpace)
    return op.emitError("emulator models addresses of LDS globals only, '@")
           << op.getGlobalName() << "' is none";
  if (!op->getParentOfType<LLVM::LLVMFuncOp>()->hasAttr("gpu.kernel"))
    return op.emitError("emulator models LDS globals in kernels only");
  return success();
}

/// Operations outside of the table may be there if they only compute.
static LogicalResult checkUnlisted(Operation *op) {
  bool isHostArithmetic =
      isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()) &&
      isMemoryEffectFree(op) &&
      !isa<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp>(op);
  if (!isHostArithmetic)
    return op->emitError("emulator does not model op '")
           << op->getName() << "'";
  return success();
}

/// Pointers that a runtime function can use.
static LogicalResult checkPointers(Operation *op) {
  constexpr unsigned kBufferResource = 8;
  for (Type type :
       llvm::concat<Type>(op->getOperandTypes(), op->getResultTypes())) {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
    if (pointer && pointer.getAddressSpace() != kBufferResource &&
        getMemoryKind(pointer.getAddressSpace()) == MemoryKind::Unknown)
      return op->emitError("emulator does not model address space ")
             << pointer.getAddressSpace();
  }
  return success();
}

static LogicalResult checkOp(Operation *op, SymbolTable &symbols,
                             const EmulatedChip &chip) {
  const OpEntry *entry = lookupOp(op->getName().getStringRef());
  if (!entry)
    return checkUnlisted(op);
  switch (entry->kind) {
  case OpKind::Load:
    return checkAccess(cast<LLVM::LoadOp>(op));
  case OpKind::Store:
    return checkAccess(cast<LLVM::StoreOp>(op));
  case OpKind::DirectCall:
    return checkDirectCall(cast<LLVM::CallOp>(op), symbols);
  case OpKind::AddressOf:
    return checkAddressOf(cast<LLVM::AddressOfOp>(op), symbols);
  case OpKind::Mfma:
  case OpKind::ScaledMfma:
    return selectInstruction(op, chip);
  case OpKind::Atomic:
    return checkAtomic(op);
  default:
    if (entry->handler.empty())
      return success();
    return failure(failed(checkPointers(op)) ||
                   failed(checkRules(op, *entry, chip)));
  }
}

LogicalResult DeviceOpLowering::check(LLVM::LLVMFuncOp function,
                                      SymbolTable &symbols,
                                      const EmulatedChip &chip) {
  // All faults at once, not only the first.
  bool isGood = true;
  function.walk(
      [&](Operation *op) { isGood &= succeeded(checkOp(op, symbols, chip)); });
  return success(isGood);
}

//===----------------------------------------------------------------------===//
// Passing values
//===----------------------------------------------------------------------===//

/// Bytes of a value in memory. A vector of three words has twelve, unlike its
/// allocation.
static uint64_t getBytes(Operation *op, Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return llvm::divideCeil(
        vector.getNumElements() * vector.getElementTypeBitWidth(), 8);
  return DataLayout::closest(op).getTypeSize(type);
}

/// Types that are passed to the runtime and returned by it as they are.
static bool isPassedDirectly(Type type) {
  return type.isInteger(32) || type.isInteger(64) || type.isF32() ||
         isa<LLVM::LLVMPointerType>(type);
}

Value DeviceOpLowering::site(Operation *op) {
  return calls.constant(op->getLoc(), sites.add(op));
}

void DeviceOpLowering::passByAddress(Operation *op, Value value, unsigned index,
                                     SmallVectorImpl<Value> &arguments) {
  uint64_t bytes = getBytes(op, value.getType());
  Value slot = calls.slot(op, bytes, index);
  LLVM::StoreOp::create(builder, op->getLoc(), value, slot);
  arguments.push_back(slot);
  arguments.push_back(calls.constant(op->getLoc(), bytes));
}

void DeviceOpLowering::passOperand(Operation *op, unsigned index,
                                   bool byAddress,
                                   SmallVectorImpl<Value> &arguments) {
  Location loc = op->getLoc();
  Value value = op->getOperand(index);
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(value.getType())) {
    if (pointer.getAddressSpace() != 0)
      value = LLVM::AddrSpaceCastOp::create(
          builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
          value);
    arguments.push_back(value);
    return;
  }
  auto integer = dyn_cast<IntegerType>(value.getType());
  if (!byAddress && integer && integer.getWidth() < 32)
    value = LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), value);
  if (!byAddress && isPassedDirectly(value.getType()))
    arguments.push_back(value);
  else
    passByAddress(op, value, /*index=*/index + 1, arguments);
}

/// Whether both scale operands are the constant 0: then the back end selects
/// the unscaled instruction.
static bool isUnscaled(Operation *op) {
  constexpr unsigned kScaleA = 6, kScaleB = 8;
  return matchPattern(op->getOperand(kScaleA), m_Zero()) &&
         matchPattern(op->getOperand(kScaleB), m_Zero());
}

void DeviceOpLowering::lowerCall(Operation *op, const OpEntry &entry) {
  Location loc = op->getLoc();
  bool isPure = entry.kind == OpKind::Pure;
  bool isTwoData = entry.kind == OpKind::CallTwoData;
  bool isData = entry.kind == OpKind::CallData || isTwoData;
  bool isMatrix =
      entry.kind == OpKind::Mfma || entry.kind == OpKind::ScaledMfma;
  unsigned numByAddress = isMatrix || isTwoData ? 2 : isData ? 1 : 0;
  SmallVector<Value> arguments;
  if (!isPure)
    arguments.push_back(site(op));
  Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
  Value slot;
  if (type && (isData || !isPassedDirectly(type))) {
    uint64_t bytes = getBytes(op, type);
    slot = calls.slot(op, bytes, /*index=*/0);
    arguments.push_back(slot);
    arguments.push_back(calls.constant(loc, bytes));
  }
  for (unsigned i = 0, e = op->getNumOperands(); i < e; ++i)
    passOperand(op, i, /*byAddress=*/i < numByAddress, arguments);
  SmallVector<StringRef> names;
  entry.attributes.split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    auto value = op->getAttrOfType<IntegerAttr>(name);
    arguments.push_back(calls.constant(loc, value.getInt()));
  }
  if (entry.kind == OpKind::CallOfChip)
    arguments.push_back(calls.constant(loc, static_cast<int64_t>(chip->chip)));
  if (isMatrix)
    arguments.push_back(calls.constant(loc, *selectInstruction(op, *chip)));
  if (entry.kind == OpKind::ScaledMfma)
    arguments.push_back(calls.constant(loc, !isUnscaled(op)));
  auto pointer = dyn_cast_or_null<LLVM::LLVMPointerType>(type);
  Type callType = slot ? Type() : type;
  if (pointer)
    callType = LLVM::LLVMPointerType::get(builder.getContext());
  Value result = calls.call(loc, entry.handler, callType, arguments, isPure);
  if (slot)
    result = LLVM::LoadOp::create(builder, loc, type, slot);
  else if (pointer && pointer.getAddressSpace() != 0)
    result = LLVM::AddrSpaceCastOp::create(builder, loc, type, result);
  if (type)
    op->getResult(0).replaceAllUsesWith(result);
  op->erase();
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
  // The runtime checks what the device needs; the host must not trap.
  op->setAttr("alignment", builder.getI64IntegerAttr(1));
  MemoryKind kind = getMemoryKind(
      cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace());
  if (kind == MemoryKind::Private)
    return;
  Location loc = op->getLoc();
  if (kind == MemoryKind::Lds ||
      cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace() != 0)
    address = LLVM::AddrSpaceCastOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
        address);
  StringRef handler =
      kHandlers[static_cast<unsigned>(kind)][isa<LLVM::StoreOp>(op)];
  if (kind == MemoryKind::Global && isa<LLVM::LoadOp>(op) &&
      startsCompareAndSwap(cast<LLVM::LoadOp>(op)))
    handler = "emu_global_atomic";
  if (loadsAcrossBarriers.contains(op))
    handler = "emu_lds_load_across_barrier";
  calls.call(loc, handler, Type(),
             {site(op), address, calls.constant(loc, getBytes(op, type))});
}

/// The host's own operation is atomic too, among the threads that run
/// workgroups.
void DeviceOpLowering::lowerAtomic(Operation *op) {
  Location loc = op->getLoc();
  Value address = op->getOperand(0);
  if (cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace() != 0)
    address = LLVM::AddrSpaceCastOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
        address);
  uint64_t bytes = getBytes(op, op->getOperand(1).getType());
  calls.call(loc, "emu_global_atomic", Type(),
             {site(op), address, calls.constant(loc, bytes)});
  // Scopes are names of the device's.
  op->removeAttr("syncscope");
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
  default:
    return;
  }
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
  for (Operation *op : ops) {
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
