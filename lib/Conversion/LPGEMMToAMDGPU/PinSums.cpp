//===- PinSums.cpp - lpgemm-pin-sums --------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/Passes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_PINSUMSPASS
#include "lpgemm/Conversion/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

// An instruction can name 256 vector registers and as many accumulation
// registers (AMD "CDNA3 ISA", VGPR Usage). Sums that need more than half of the
// former leave too few of them for the operands.
static constexpr int64_t kMaxVectorSums = 128;
static constexpr StringLiteral kAccumulationRegisters = "256";

/// Of each loop, or condition, of `func` its results that are sums of matrix
/// instructions.
static llvm::SetVector<Value> collectSums(gpu::GPUFuncOp func) {
  SmallVector<Value> worklist;
  func.walk([&](Operation *op) {
    if (isa<amdgpu::MFMAOp, amdgpu::ScaledMFMAOp>(op))
      worklist.push_back(op->getResult(0));
  });
  llvm::SetVector<Value> sums;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      if (!isa<scf::YieldOp>(use.getOwner()))
        continue;
      Value result =
          use.getOwner()->getParentOp()->getResult(use.getOperandNumber());
      if (sums.insert(result))
        worklist.push_back(result);
    }
  }
  return sums;
}

/// The empty text of an instruction that may change `value` in its register.
static Value pin(OpBuilder &b, Value value, StringRef constraints) {
  return LLVM::InlineAsmOp::create(
             b, value.getLoc(), value.getType(), value, /*asm_string=*/"",
             constraints, /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

static int64_t countRegisters(ValueRange values) {
  return llvm::sum_of(llvm::map_range(values, [](Value value) {
    return cast<VectorType>(value.getType()).getNumElements();
  }));
}

static bool pinSums(gpu::GPUFuncOp func) {
  llvm::MapVector<Operation *, SmallVector<Value>> sums;
  for (Value sum : collectSums(func))
    if (sum.getDefiningOp()->getParentOp() == func)
      sums[sum.getDefiningOp()].push_back(sum);
  bool found = false;
  for (auto &[op, results] : sums) {
    if (countRegisters(results) <= kMaxVectorSums)
      continue;
    found = true;
    OpBuilder b(func.getContext());
    b.setInsertionPointAfter(op);
    for (Value result : results) {
      Value pinned = pin(b, result, "=a,0");
      result.replaceAllUsesExcept(pinned, pinned.getDefiningOp());
    }
  }
  return found;
}

/// Whether the operation is in a branch or a loop of `func`.
static bool isNested(OpOperand &use, gpu::GPUFuncOp func) {
  return use.getOwner()->getParentOp() != func;
}

/// The elements of `op` in words, if they are several.
static VectorType getWords(vector::FromElementsOp op) {
  VectorType type = op.getType();
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  if (type.getElementTypeBitWidth() >= 32 || bits % 32 != 0 || bits == 32)
    return {};
  return VectorType::get(bits / 32, IntegerType::get(op.getContext(), 32));
}

/// What one of two branches stores, the one in words, the other one element by
/// element, is words until then: LLVM would have a register for each element.
static void pinResults(gpu::GPUFuncOp func) {
  auto isNestedUse = [&](OpOperand &use) { return isNested(use, func); };
  for (auto op :
       llvm::make_early_inc_range(func.getOps<vector::FromElementsOp>())) {
    VectorType words = getWords(op);
    if (!words || llvm::none_of(op->getUses(), isNestedUse))
      continue;
    ImplicitLocOpBuilder b(op.getLoc(), op->getContext());
    b.setInsertionPointAfter(op);
    Value pinned = pin(b, vector::BitCastOp::create(b, words, op), "=v,0");
    Value packed = vector::BitCastOp::create(b, op.getType(), pinned);
    op.getResult().replaceUsesWithIf(packed, isNestedUse);
    for (auto [i, element] : llvm::enumerate(op.getElements()))
      for (OpOperand &use : llvm::make_early_inc_range(element.getUses())) {
        if (!isNestedUse(use))
          continue;
        b.setInsertionPoint(use.getOwner());
        use.set(vector::ExtractOp::create(b, packed, i));
      }
  }
}

namespace {
struct PinSums : lpgemm::impl::PinSumsPassBase<PinSums> {
  void runOnOperation() override {
    Builder b(&getContext());
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>()) {
      if (!pinSums(func))
        continue;
      pinResults(func);
      func->setAttr("passthrough",
                    b.getArrayAttr(b.getStrArrayAttr(
                        {"amdgpu-agpr-alloc", kAccumulationRegisters})));
    }
  }
};
} // namespace
