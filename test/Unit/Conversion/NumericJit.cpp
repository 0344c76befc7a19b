//===- NumericJit.cpp - numeric functions that can be called --------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumericJit.h"

#include "lpgemm/Pipelines/HostPipelines.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace mlir::lpgemm;

NumericJit::NumericJit()
    : module(ModuleOp::create(UnknownLoc::get(&context.get()))),
      functions(*module) {
  context.get()
      .loadDialect<arith::ArithDialect, func::FuncDialect,
                   memref::MemRefDialect, scf::SCFDialect, LLVM::LLVMDialect>();
}

Type NumericJit::parse(StringRef type) {
  return parseType(type, &context.get());
}

void NumericJit::addFunction(StringRef name, TypeRange types, Body body) {
  ImplicitLocOpBuilder b(module->getLoc(), &context.get());
  b.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> arrays;
  for (Type type : types)
    arrays.push_back(MemRefType::get(ShapedType::kDynamic, type));
  auto function = func::FuncOp::create(b, name, b.getFunctionType(arrays, {}));
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    b.getUnitAttr());
  b.setInsertionPointToStart(function.addEntryBlock());
  body(b, function.getArguments());
  func::ReturnOp::create(b);
}

void NumericJit::addMap(StringRef name, TypeRange types, ElementBody body) {
  addFunction(name, types, [&](ImplicitLocOpBuilder &b, ValueRange arrays) {
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value one = arith::ConstantIndexOp::create(b, 1);
    Value size = memref::DimOp::create(b, arrays.back(), 0);
    auto loop = scf::ForOp::create(b, zero, size, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value iv = loop.getInductionVar();
    SmallVector<Value> elements;
    for (Value array : arrays.drop_back())
      elements.push_back(memref::LoadOp::create(b, array, iv));
    memref::StoreOp::create(b, body(b, elements, iv), arrays.back(), iv);
  });
}

void NumericJit::compile() {
  ASSERT_TRUE(succeeded(verify(*module)));
  PassManager pm(&context.get());
  buildLowerHostToLLVMPipeline(pm);
  ASSERT_TRUE(succeeded(pm.run(*module)));
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto optimize = makeOptimizingTransformer(/*optLevel=*/2, /*sizeLevel=*/0,
                                            /*targetMachine=*/nullptr);
  ExecutionEngineOptions options;
  options.transformer = optimize;
  auto created = ExecutionEngine::create(*module, options);
  ASSERT_TRUE(static_cast<bool>(created)) << toString(created.takeError());
  engine = std::move(*created);
}

void NumericJit::invoke(StringRef name, MutableArrayRef<void *> descriptors) {
  ASSERT_TRUE(engine) << "not compiled";
  SmallVector<void *> packed;
  for (void *&descriptor : descriptors)
    packed.push_back(&descriptor);
  llvm::Error error =
      engine->invokePacked(("_mlir_ciface_" + name).str(), packed);
  ASSERT_FALSE(static_cast<bool>(error)) << toString(std::move(error));
}
