//===- OpJit.cpp - ops that can be run ------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpJit.h"

#include "lpgemm/Conversion/Passes.h"
#include "lpgemm/Pipelines/HostPipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::lpgemm;

Buffer::Buffer(std::vector<int64_t> shape, unsigned elementBytes)
    : shape(std::move(shape)) {
  int64_t size = elementBytes;
  for (int64_t extent : this->shape)
    size *= extent;
  bytes.assign(size, 0xA5);
}

void OpJit::compile(const std::string &functions) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(functions, &context.get());
  ASSERT_TRUE(module) << functions;
  auto wrapper = LLVM::LLVMDialect::getEmitCWrapperAttrName();
  for (auto function : module->getOps<func::FuncOp>())
    function->setAttr(wrapper, UnitAttr::get(&context.get()));
  PassManager pm(&context.get());
  pm.addPass(createConvertLPGEMMToLoopsPass());
  buildLowerHostToLLVMPipeline(pm);
  ASSERT_TRUE(succeeded(pm.run(*module)));
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto created = ExecutionEngine::create(*module, ExecutionEngineOptions());
  ASSERT_TRUE(static_cast<bool>(created)) << toString(created.takeError());
  engine = std::move(*created);
}

/// What stands for a memref in a call through the C interface: two pointers, an
/// offset, sizes and strides.
static std::vector<int64_t> getDescriptor(Buffer &buffer) {
  auto data = reinterpret_cast<int64_t>(buffer.bytes.data());
  std::vector<int64_t> words = {data, data, 0};
  llvm::append_range(words, buffer.shape);
  int64_t stride = 1;
  std::vector<int64_t> strides;
  for (int64_t extent : llvm::reverse(buffer.shape)) {
    strides.push_back(stride);
    stride *= extent;
  }
  llvm::append_range(words, llvm::reverse(strides));
  return words;
}

void OpJit::call(StringRef name, ArrayRef<Buffer *> buffers) {
  ASSERT_TRUE(engine) << "not compiled";
  std::vector<std::vector<int64_t>> descriptors;
  for (Buffer *buffer : buffers)
    descriptors.push_back(getDescriptor(*buffer));
  std::vector<void *> pointers;
  for (std::vector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  std::vector<void *> arguments;
  for (void *&pointer : pointers)
    arguments.push_back(&pointer);
  llvm::Error error =
      engine->invokePacked(("_mlir_ciface_" + name).str(), arguments);
  ASSERT_FALSE(static_cast<bool>(error)) << toString(std::move(error));
}
