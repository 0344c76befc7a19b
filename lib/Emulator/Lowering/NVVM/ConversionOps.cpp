//===- ConversionOps.cpp - arithmetic and conversions ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CustomOps.h"

#include "../OpRules.h"
#include "lpgemm/Emulator/Mfma.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static void lowerPermute(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::PermuteOp>(operation);
  call.pass(op.getLo());
  call.passOr(op.getHi(), 0);
  call.pass(op.getSelector());
  call.passConstant(static_cast<int64_t>(op.getMode()));
  call.replace("emu_nvvm_prmt", /*isPure=*/true);
}

static Value toI32(OpCall &call, Value value) {
  OpBuilder &builder = call.getBuilder();
  return LLVM::BitcastOp::create(builder, call.getLoc(), builder.getI32Type(),
                                 value);
}

template <typename OpTy>
static void passDotTypes(OpTy op, OpCall &call, unsigned bitsOfA) {
  call.passConstant(bitsOfA);
  call.passConstant(op.getAType() == NVVM::DotAccumulateType::SIGNED);
  call.passConstant(op.getBType() == NVVM::DotAccumulateType::SIGNED);
  call.replace("emu_nvvm_dot_accumulate", /*isPure=*/true);
}

static void lowerDot4(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::DotAccumulate4WayOp>(operation);
  call.pass(toI32(call, op.getA()));
  call.pass(toI32(call, op.getB()));
  call.pass(op.getC());
  passDotTypes(op, call, /*bitsOfA=*/8);
}

static void lowerDot2(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::DotAccumulate2WayOp>(operation);
  OpBuilder &builder = call.getBuilder();
  Location loc = op.getLoc();
  Value b = toI32(call, op.getB());
  if (op.getBHi()) {
    Value half = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                          builder.getI32IntegerAttr(16));
    b = LLVM::LShrOp::create(builder, loc, b, half);
  }
  call.pass(toI32(call, op.getA()));
  call.pass(b);
  call.pass(op.getC());
  passDotTypes(op, call, /*bitsOfA=*/16);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static void lowerRcp(Operation *op, OpCall &call) {
  call.pass(op->getOperand(0));
  call.replace("emu_nvvm_rcp_approx_ftz", /*isPure=*/true);
}

/// The formats that the chips convert, none for another.
static std::optional<mfma::Format> formatOf(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return mfma::Format::Fp8;
  if (isa<Float8E5M2Type>(type))
    return mfma::Format::Bf8;
  return std::nullopt;
}

/// PTX ISA, "cvt", target ISA notes: E4M3 and E5M2 are of sm_89 and later, the
/// others of sm_100 and later.
static LogicalResult checkFloat8(Operation *op, Type type,
                                 const EmulatedChip &chip) {
  ChipSet chips = formatOf(type) ? kOnSm89 | kOnSm90a : 0;
  if (chips & setOf(chip.chip))
    return success();
  std::string text;
  llvm::raw_string_ostream(text) << "of " << type;
  return emitNoForm(op, chip, text, chips);
}

/// Passes on two floats, and replaces the operation by the two codes.
template <typename OpTy>
static void convertPair(OpTy op, OpCall &call, Value high, Value low,
                        mfma::Format format, NVVM::FPRoundingMode rounding,
                        NVVM::SaturationMode saturation, bool isRelu) {
  OpBuilder &builder = call.getBuilder();
  Location loc = op.getLoc();
  call.pass(high);
  call.pass(low);
  call.passConstant(static_cast<int64_t>(format));
  call.passConstant(static_cast<int64_t>(rounding));
  call.passConstant(saturation == NVVM::SaturationMode::SATFINITE);
  call.passConstant(isRelu);
  Value codes =
      call.call("emu_nvvm_cvt_f32x2", builder.getI32Type(), /*isPure=*/true);
  Type type = op.getType();
  unsigned bits = type.isInteger(16)
                      ? 16
                      : 2 * cast<VectorType>(type).getElementTypeBitWidth();
  if (bits == 16)
    codes = LLVM::TruncOp::create(builder, loc, builder.getI16Type(), codes);
  if (codes.getType() != type)
    codes = LLVM::BitcastOp::create(builder, loc, type, codes);
  call.replaceWith(codes);
}

static LogicalResult checkF32ToF8(Operation *op, const EmulatedChip &chip) {
  return checkFloat8(op, cast<NVVM::ConvertF32x2ToF8x2Op>(op).getDstTy(), chip);
}

static void lowerF32ToF8(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::ConvertF32x2ToF8x2Op>(operation);
  convertPair(op, call, op.getA(), op.getB(), *formatOf(op.getDstTy()),
              op.getRnd(), op.getSat(), op.getRelu());
}

static LogicalResult checkF16ToF8(Operation *op, const EmulatedChip &chip) {
  return checkFloat8(op, cast<NVVM::ConvertF16x2ToF8x2Op>(op).getDstTy(), chip);
}

/// The form with .rn.satfinite is the only one. Halves stay where they are.
static void lowerF16ToF8(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::ConvertF16x2ToF8x2Op>(operation);
  OpBuilder &builder = call.getBuilder();
  Location loc = op.getLoc();
  auto extract = [&](int64_t index) -> Value {
    Value position = LLVM::ConstantOp::create(
        builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(index));
    Value half =
        LLVM::ExtractElementOp::create(builder, loc, op.getA(), position);
    return LLVM::FPExtOp::create(builder, loc, builder.getF32Type(), half);
  };
  Value low = extract(0), high = extract(1);
  convertPair(op, call, high, low, *formatOf(op.getDstTy()),
              NVVM::FPRoundingMode::RN, NVVM::SaturationMode::SATFINITE,
              op.getRelu());
}

template <typename OpTy>
static LogicalResult checkF32ToHalf(Operation *op, const EmulatedChip &chip) {
  if (cast<OpTy>(op).getRnd() != NVVM::FPRoundingMode::RS)
    return success();
  return emitNoForm(op, chip, "with stochastic rounding", /*chips=*/0);
}

template <typename OpTy, mfma::Format kFormat>
static void lowerF32ToHalf(Operation *operation, OpCall &call) {
  auto op = cast<OpTy>(operation);
  convertPair(op, call, op.getSrcHi(), op.getSrcLo(), kFormat, op.getRnd(),
              op.getSat(), op.getRelu());
}

static LogicalResult checkF8ToF16(Operation *op, const EmulatedChip &chip) {
  return checkFloat8(op, cast<NVVM::ConvertF8x2ToF16x2Op>(op).getSrcType(),
                     chip);
}

static void lowerF8ToF16(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::ConvertF8x2ToF16x2Op>(operation);
  OpBuilder &builder = call.getBuilder();
  call.pass(LLVM::BitcastOp::create(builder, op.getLoc(), builder.getI16Type(),
                                    op.getSrc()));
  call.passConstant(static_cast<int64_t>(*formatOf(op.getSrcType())));
  call.passConstant(op.getRelu());
  Value halves = call.call("emu_nvvm_cvt_f8x2_f16x2", builder.getI32Type(),
                           /*isPure=*/true);
  call.replaceWith(
      LLVM::BitcastOp::create(builder, op.getLoc(), op.getType(), halves));
}

/// LLVM, NVPTXInstrInfo.td, CVT_to_tf32.
static LogicalResult checkTf32(Operation *operation, const EmulatedChip &chip) {
  auto op = cast<NVVM::ConvertFloatToTF32Op>(operation);
  bool isAway = op.getRnd() == NVVM::FPRoundingMode::RNA;
  bool saturates = op.getSat() == NVVM::SaturationMode::SATFINITE;
  ChipSet chips = isAway ? (saturates ? kOnSm89 | kOnSm90a : kOnNvidia)
                         : (saturates ? 0 : kOnSm90a);
  if (chips & setOf(chip.chip))
    return success();
  std::string form = ("with rounding " + stringifyEnum(op.getRnd()) +
                      (saturates ? " and satfinite" : ""))
                         .str();
  return emitNoForm(op, chip, form, chips);
}

static void lowerTf32(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::ConvertFloatToTF32Op>(operation);
  call.pass(op.getSrc());
  call.passConstant(static_cast<int64_t>(op.getRnd()));
  call.passConstant(op.getSat() == NVVM::SaturationMode::SATFINITE);
  call.passConstant(op.getRelu());
  call.replace("emu_nvvm_cvt_tf32", /*isPure=*/true);
}

ArrayRef<CustomOp> mlir::lpgemm::emulator::getConversionOps() {
  using ToF16 = NVVM::ConvertF32x2ToF16x2Op;
  using ToBF16 = NVVM::ConvertF32x2ToBF16x2Op;
  static constexpr CustomOp kOps[] = {
      {"nvvm.prmt", lowerPermute},
      {"nvvm.dot.accumulate.4way", lowerDot4},
      {"nvvm.dot.accumulate.2way", lowerDot2},
      {"nvvm.rcp.approx.ftz.f", lowerRcp},
      {"nvvm.convert.f32x2.to.f8x2", lowerF32ToF8, checkF32ToF8},
      {"nvvm.convert.f16x2.to.f8x2", lowerF16ToF8, checkF16ToF8},
      {"nvvm.convert.f8x2.to.f16x2", lowerF8ToF16, checkF8ToF16},
      {"nvvm.convert.f32x2.to.f16x2", lowerF32ToHalf<ToF16, mfma::Format::F16>,
       checkF32ToHalf<ToF16>},
      {"nvvm.convert.f32x2.to.bf16x2",
       lowerF32ToHalf<ToBF16, mfma::Format::Bf16>, checkF32ToHalf<ToBF16>},
      {"nvvm.convert.float.to.tf32", lowerTf32, checkTf32},
  };
  return kOps;
}
