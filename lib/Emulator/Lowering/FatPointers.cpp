//===- FatPointers.cpp - buffer fat pointers ------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FatPointers.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

static constexpr unsigned kFatPointer = 7;
static constexpr unsigned kBufferResource = 8;
static constexpr unsigned kPrivate = 5;
static constexpr unsigned kOffsetBits = 32;

static unsigned getAddressSpace(Type type) {
  return cast<LLVM::LLVMPointerType>(type).getAddressSpace();
}

bool mlir::lpgemm::emulator::holdsFatPointer(Type type) {
  return TypeSwitch<Type, bool>(type)
      .Case([](LLVM::LLVMPointerType pointer) {
        return pointer.getAddressSpace() == kFatPointer;
      })
      .Case([](VectorType vector) {
        return holdsFatPointer(vector.getElementType());
      })
      .Case([](LLVM::LLVMArrayType array) {
        return holdsFatPointer(array.getElementType());
      })
      .Case([](LLVM::LLVMStructType structure) {
        return llvm::any_of(structure.getBody(), holdsFatPointer);
      })
      .Default([](Type) { return false; });
}

/// The lane's own stack is of the host, as the pointers are.
static LogicalResult checkStored(Operation *op, Type value, Value address) {
  unsigned addressSpace = getAddressSpace(address.getType());
  if (!holdsFatPointer(value) || addressSpace == kPrivate)
    return success();
  return op->emitError("emulator models buffer fat pointers in registers and "
                       "private memory only, got address space ")
         << addressSpace;
}

static LogicalResult emitNotModelled(Operation *op) {
  return op->emitError("emulator does not model '")
         << op->getName() << "' of buffer fat pointers";
}

static LogicalResult checkCast(LLVM::AddrSpaceCastOp op) {
  Type from = op.getArg().getType(), to = op.getType();
  if (isa<LLVM::LLVMPointerType>(from) &&
      getAddressSpace(from) == kBufferResource &&
      getAddressSpace(to) == kFatPointer)
    return success();
  return op.emitError("emulator models casts from a buffer resource to a "
                      "buffer fat pointer, '!llvm.ptr<8>' to '!llvm.ptr<7>', "
                      "got ")
         << from << " to " << to;
}

static LogicalResult checkOffset(LLVM::PtrToIntOp op) {
  auto type = dyn_cast<IntegerType>(op.getType());
  if (type && type.getWidth() <= kOffsetBits)
    return success();
  return op.emitError("emulator models 'llvm.ptrtoint' of a buffer fat pointer "
                      "to its offset of at most 32 bits, got ")
         << op.getType();
}

LogicalResult mlir::lpgemm::emulator::checkFatPointers(Operation *op) {
  if (llvm::none_of(op->getOperandTypes(), holdsFatPointer) &&
      llvm::none_of(op->getResultTypes(), holdsFatPointer))
    return success();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](LLVM::LoadOp load) {
        return checkStored(load, load.getType(), load.getAddr());
      })
      .Case([](LLVM::StoreOp store) {
        return checkStored(store, store.getValue().getType(), store.getAddr());
      })
      .Case([](LLVM::AddrSpaceCastOp cast) { return checkCast(cast); })
      .Case([](LLVM::PtrToIntOp cast) { return checkOffset(cast); })
      .Case([](LLVM::GEPOp gep) {
        bool isOne = isa<LLVM::LLVMPointerType>(gep.getType());
        return isOne ? success() : emitNotModelled(gep);
      })
      // The rest only moves them, or is lowered by what it does.
      .Case<LLVM::ICmpOp, LLVM::SelectOp, LLVM::FreezeOp, LLVM::InsertValueOp,
            LLVM::ExtractValueOp, LLVM::PoisonOp, LLVM::UndefOp, LLVM::ZeroOp,
            LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp, LLVM::CallOp,
            LLVM::ReturnOp, ROCDL::MakeBufferRsrcOp, ROCDL::LoadToLDSOp>(
          [](Operation *) { return success(); })
      .Default(emitNotModelled);
}

void mlir::lpgemm::emulator::lowerFatPointerOffset(OpBuilder &builder,
                                                   LLVM::GEPOp op) {
  if (!holdsFatPointer(op.getType()))
    return;
  Location loc = op.getLoc();
  Type word = builder.getI64Type();
  // On the host the pointer does wrap.
  op.setNoWrapFlags(LLVM::GEPNoWrapFlags::none);
  builder.setInsertionPointAfter(op);
  auto mask = [&](Value value, int64_t bits) -> Value {
    Value kept = LLVM::ConstantOp::create(builder, loc, word,
                                          builder.getI64IntegerAttr(bits));
    return LLVM::AndOp::create(builder, loc, value, kept);
  };
  constexpr int64_t kOffset = (int64_t(1) << kOffsetBits) - 1;
  Value base = LLVM::PtrToIntOp::create(builder, loc, word, op.getBase());
  auto moved = LLVM::PtrToIntOp::create(builder, loc, word, op.getResult());
  Value bits = LLVM::OrOp::create(builder, loc, mask(base, ~kOffset),
                                  mask(moved, kOffset));
  Value result = LLVM::IntToPtrOp::create(builder, loc, op.getType(), bits);
  op.getResult().replaceAllUsesExcept(result, moved);
}

void mlir::lpgemm::emulator::lowerFatPointerAccess(Operation *op,
                                                   OpCall &call) {
  call.passSite();
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    call.pass(store.getValue(), /*byAddress=*/true);
    call.pass(store.getAddr());
    return call.replace("emu_fat_buffer_store");
  }
  call.passResult();
  call.pass(cast<LLVM::LoadOp>(op).getAddr());
  call.replace("emu_fat_buffer_load");
}
