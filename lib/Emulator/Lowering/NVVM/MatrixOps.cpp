//===- MatrixOps.cpp - matrix operations ----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../OpRules.h"
#include "CustomOps.h"

#include "lpgemm/Emulator/MmaSync.h"
#include "lpgemm/Emulator/Wgmma.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;
using namespace mlir::lpgemm::emulator::tensorcore;

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

static std::optional<Element> getElement(std::optional<NVVM::MMATypes> type) {
  if (!type)
    return std::nullopt;
  switch (*type) {
  case NVVM::MMATypes::f16:
    return Element::F16;
  case NVVM::MMATypes::bf16:
    return Element::Bf16;
  case NVVM::MMATypes::tf32:
    return Element::Tf32;
  case NVVM::MMATypes::e4m3:
    return Element::E4m3;
  case NVVM::MMATypes::e5m2:
    return Element::E5m2;
  case NVVM::MMATypes::s8:
    return Element::S8;
  case NVVM::MMATypes::u8:
    return Element::U8;
  default:
    return std::nullopt;
  }
}

static std::optional<Accumulator> getAccumulator(NVVM::MMATypes type) {
  switch (type) {
  case NVVM::MMATypes::f32:
    return Accumulator::F32;
  case NVVM::MMATypes::f16:
    return Accumulator::F16;
  case NVVM::MMATypes::s32:
    return Accumulator::S32;
  default:
    return std::nullopt;
  }
}

/// MLIR infers no type of A and B that is not that of the registers.
static std::optional<Element>
getElement(std::optional<NVVM::MMATypes> attribute, ValueRange operands) {
  if (attribute || operands.empty())
    return getElement(attribute);
  return getElement(NVVM::MmaOp::inferOperandMMAType(operands.front().getType(),
                                                     /*isAccumulator=*/false));
}

/// 32-bit registers that the operands need; the registers of C and D are those
/// of 16 x 8 elements.
static LogicalResult checkRegisters(NVVM::MmaOp op, ValueRange operands,
                                    StringRef name, unsigned expected) {
  unsigned got = operands.size();
  if (got == expected)
    return success();
  return op.emitError("emulator expects ")
         << expected << " registers of " << name << ", got " << got;
}

static LogicalResult checkMmaSync(Operation *operation,
                                  const EmulatedChip &chip) {
  auto op = cast<NVVM::MmaOp>(operation);
  auto shape = op.getShape();
  auto a = getElement(op.getMultiplicandAPtxType(), op.getOperandA());
  auto b = getElement(op.getMultiplicandBPtxType(), op.getOperandB());
  auto type = getAccumulator(op.accumPtxType());
  bool isModelled = a && b && type && shape.getM() == 16 && shape.getN() == 8 &&
                    mmasync::isShape(shape.getK(), *a) &&
                    byteWidth(*a) == byteWidth(*b) &&
                    op.getLayoutA() == NVVM::MMALayout::row &&
                    op.getLayoutB() == NVVM::MMALayout::col &&
                    op.accumPtxType() == op.resultPtxType();
  if (!isModelled)
    return op.emitError("emulator models mma.sync of m16n8 with 16 or 32 bytes "
                        "of K, of row-major A and column-major B of f16, bf16, "
                        "tf32, e4m3, e5m2, s8 or u8");
  // PTX ISA, "mma", "Target ISA Notes".
  if (isFloat8(*a) && chip.chip == Chip::Sm80)
    return emitNotOfChip(op, chip, kOnNvidia & ~setOf(Chip::Sm80));
  unsigned bytes = shape.getK() * byteWidth(*a);
  return failure(
      failed(checkRegisters(op, op.getOperandA(), "A", bytes / 8)) ||
      failed(checkRegisters(op, op.getOperandB(), "B", bytes / 16)) ||
      failed(checkRegisters(op, op.getOperandC(), "C", byteWidth(*type))));
}

/// The registers one after the other in memory.
static Value packRegisters(OpCall &call, ValueRange registers) {
  OpBuilder &builder = call.getBuilder();
  Location loc = call.getLoc();
  Type type =
      LLVM::LLVMArrayType::get(registers.front().getType(), registers.size());
  Value packed = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [i, value] : llvm::enumerate(registers))
    packed = LLVM::InsertValueOp::create(builder, loc, packed, value,
                                         ArrayRef<int64_t>(i));
  return packed;
}

static void lowerMmaSync(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::MmaOp>(operation);
  call.passSite();
  call.passResult();
  for (ValueRange registers :
       {op.getOperandA(), op.getOperandB(), op.getOperandC()})
    call.pass(packRegisters(call, registers), /*byAddress=*/true);
  call.passConstant(op.getShape().getK());
  call.passConstant(static_cast<int64_t>(
      *getElement(op.getMultiplicandAPtxType(), op.getOperandA())));
  call.passConstant(static_cast<int64_t>(
      *getElement(op.getMultiplicandBPtxType(), op.getOperandB())));
  call.passConstant(static_cast<int64_t>(*getAccumulator(op.accumPtxType())));
  call.passConstant(op.getIntOverflowBehavior() ==
                    NVVM::MMAIntOverflow::satfinite);
  call.replace("emu_nvvm_mma_sync");
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix
//===----------------------------------------------------------------------===//

template <typename OpTy>
static LogicalResult checkMatrices(Operation *operation, const EmulatedChip &) {
  auto op = cast<OpTy>(operation);
  if (op.getEltType() == NVVM::LdStMatrixEltType::B16 &&
      op.getShape().getM() == 8 && op.getShape().getN() == 8)
    return success();
  return op.emitError("emulator models matrices of 8 x 8 elements of 16 bits");
}

/// PTX ISA, "stmatrix", "Target ISA Notes".
static LogicalResult checkStMatrix(Operation *op, const EmulatedChip &chip) {
  if (chip.chip != Chip::Sm90a)
    return emitNotOfChip(op, chip, kOnSm90a);
  return checkMatrices<NVVM::StMatrixOp>(op, chip);
}

static void passMatrices(OpCall &call, Value address, unsigned num,
                         NVVM::MMALayout layout) {
  call.passConstant(
      cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace());
  call.passConstant(num);
  call.passConstant(layout == NVVM::MMALayout::col);
}

static void lowerLdMatrix(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::LdMatrixOp>(operation);
  call.passSite();
  call.passResult();
  call.pass(op.getPtr());
  passMatrices(call, op.getPtr(), op.getNum(), op.getLayout());
  call.replace("emu_nvvm_ldmatrix");
}

static void lowerStMatrix(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::StMatrixOp>(operation);
  call.passSite();
  call.pass(op.getPtr());
  call.pass(packRegisters(call, op.getSources()), /*byAddress=*/true);
  passMatrices(call, op.getPtr(), op.getSources().size(), op.getLayout());
  call.replace("emu_nvvm_stmatrix");
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

static std::optional<Element> getElement(NVVM::WGMMATypes type) {
  switch (type) {
  case NVVM::WGMMATypes::f16:
    return Element::F16;
  case NVVM::WGMMATypes::bf16:
    return Element::Bf16;
  case NVVM::WGMMATypes::tf32:
    return Element::Tf32;
  case NVVM::WGMMATypes::e4m3:
    return Element::E4m3;
  case NVVM::WGMMATypes::e5m2:
    return Element::E5m2;
  case NVVM::WGMMATypes::s8:
    return Element::S8;
  case NVVM::WGMMATypes::u8:
    return Element::U8;
  default:
    return std::nullopt;
  }
}

static Accumulator getAccumulator(NVVM::WGMMATypes type) {
  return type == NVVM::WGMMATypes::f32   ? Accumulator::F32
         : type == NVVM::WGMMATypes::f16 ? Accumulator::F16
                                         : Accumulator::S32;
}

static LogicalResult checkWgmma(Operation *operation, const EmulatedChip &) {
  auto op = cast<NVVM::WgmmaMmaAsyncOp>(operation);
  if (!getElement(op.getTypeA()) || !getElement(op.getTypeB()))
    return op.emitError("emulator does not model wgmma of b1");
  // The result is read as the registers lie in memory.
  uint64_t expected = uint64_t(resultsPerLane(op.getShape().getN())) *
                      byteWidth(getAccumulator(op.getTypeD()));
  uint64_t got = getBytes(op, op.getInouts().getType());
  if (got == expected)
    return success();
  return op.emitError("emulator expects accumulators of ")
         << expected << " bytes, got " << got;
}

/// B of NVVM is transposed where its layout is that of rows.
static int64_t getFlags(NVVM::WgmmaMmaAsyncOp op) {
  int64_t flags = 0;
  auto add = [&](bool condition, wgmma::WgmmaFlag flag) {
    flags |= condition ? flag : 0;
  };
  add(op.getScaleD() == NVVM::WGMMAScaleOut::one, wgmma::kWgmmaAccumulates);
  add(op.getScaleA() == NVVM::WGMMAScaleIn::neg, wgmma::kWgmmaNegatesA);
  add(op.getScaleB() == NVVM::WGMMAScaleIn::neg, wgmma::kWgmmaNegatesB);
  add(op.getLayoutA() == NVVM::MMALayout::col, wgmma::kWgmmaMnMajorA);
  add(op.getLayoutB() == NVVM::MMALayout::row, wgmma::kWgmmaMnMajorB);
  add(op.getSatfinite() == NVVM::MMAIntOverflow::satfinite,
      wgmma::kWgmmaSaturates);
  return flags;
}

static void lowerWgmma(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::WgmmaMmaAsyncOp>(operation);
  call.passSite();
  call.passResult();
  call.pass(op.getInouts(), /*byAddress=*/true);
  call.pass(op.getDescriptorA());
  call.pass(op.getDescriptorB());
  call.passConstant(op.getShape().getN());
  call.passConstant(static_cast<int64_t>(*getElement(op.getTypeA())));
  call.passConstant(static_cast<int64_t>(*getElement(op.getTypeB())));
  call.passConstant(static_cast<int64_t>(getAccumulator(op.getTypeD())));
  call.passConstant(getFlags(op));
  call.replace("emu_nvvm_wgmma");
}

static void lowerWgmmaFence(Operation *, OpCall &call) {
  call.passSite();
  call.replace("emu_nvvm_wgmma_fence");
}

static void lowerWgmmaCommit(Operation *, OpCall &call) {
  call.passSite();
  call.replace("emu_nvvm_wgmma_commit_group");
}

/// PTX ISA, "wgmma.wait_group": up to 7.
static LogicalResult checkWgmmaWait(Operation *op, const EmulatedChip &) {
  constexpr int64_t kMaxGroups = 7;
  int64_t n = cast<NVVM::WgmmaWaitGroupSyncOp>(op).getGroup();
  return n >= 0 && n <= kMaxGroups
             ? success()
             : op->emitError("expected 0 to 7 groups, got ") << n;
}

static void lowerWgmmaWait(Operation *op, OpCall &call) {
  call.passSite();
  call.passConstant(cast<NVVM::WgmmaWaitGroupSyncOp>(op).getGroup());
  call.replace("emu_nvvm_wgmma_wait_group");
}

ArrayRef<CustomOp> mlir::lpgemm::emulator::getMatrixOps() {
  static constexpr CustomOp kOps[] = {
      {"nvvm.mma.sync", lowerMmaSync, checkMmaSync},
      {"nvvm.ldmatrix", lowerLdMatrix, checkMatrices<NVVM::LdMatrixOp>},
      {"nvvm.stmatrix", lowerStMatrix, checkStMatrix},
      {"nvvm.wgmma.mma_async", lowerWgmma, checkWgmma},
      {"nvvm.wgmma.fence.aligned", lowerWgmmaFence},
      {"nvvm.wgmma.commit.group.sync.aligned", lowerWgmmaCommit},
      {"nvvm.wgmma.wait.group.sync.aligned", lowerWgmmaWait, checkWgmmaWait},
  };
  return kOps;
}
