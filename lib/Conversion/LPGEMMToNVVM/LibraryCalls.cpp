//===- LibraryCalls.cpp - functions with an instruction -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::lpgemm;

// Of f64; a name ends with f for f32 (CUDA, "libdevice User's Guide"). What
// convert-gpu-to-nvvm takes from the library whatever flags say, and the
// intrinsic for which NVPTX has an instruction. As ops of their own these are
// illegal for that conversion, which may see the kernel again.
static constexpr std::pair<StringLiteral, StringLiteral> kFunctions[] = {
    {"__nv_ceil", "llvm.ceil"},      {"__nv_copysign", "llvm.copysign"},
    {"__nv_exp2", "llvm.exp2"},      {"__nv_fabs", "llvm.fabs"},
    {"__nv_floor", "llvm.floor"},    {"__nv_fma", "llvm.fma"},
    {"__nv_fmax", "llvm.maxnum"},    {"__nv_fmin", "llvm.minnum"},
    {"__nv_rint", "llvm.roundeven"}, {"__nv_round", "llvm.round"},
    {"__nv_sqrt", "llvm.sqrt"},      {"__nv_trunc", "llvm.trunc"},
};

static StringRef lookupIntrinsic(LLVM::CallOp call) {
  StringRef name = call.getCallee().value_or("");
  if (call.getNumResults() == 1 && call.getResult().getType().isF32())
    name.consume_back("f");
  for (auto [function, intrinsic] : kFunctions)
    if (name == function)
      return intrinsic;
  return {};
}

void nvvm::inlineLibraryCalls(gpu::GPUModuleOp module) {
  IRRewriter rewriter(module.getContext());
  module.walk([&](LLVM::CallOp call) {
    StringRef intrinsic = lookupIntrinsic(call);
    if (intrinsic.empty())
      return;
    rewriter.setInsertionPoint(call);
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        call, call.getResult().getType(), rewriter.getStringAttr(intrinsic),
        call.getArgOperands());
  });
  for (auto func :
       llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (func.isExternal() && func.getName().starts_with("__nv_") &&
        SymbolTable::symbolKnownUseEmpty(func, module))
      func.erase();
}
