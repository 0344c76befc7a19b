//===- KernelInfoBuilder.cpp - constants that describe the kernels --------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelInfoBuilder.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

/// Adds a constant whose value is an attribute, under a free name.
static LLVM::GlobalOp buildConstant(ModuleOp module, OpBuilder &builder,
                                    StringRef name, Type type,
                                    Attribute value) {
  OpBuilder::InsertionGuard guard(builder);
  builder.clearInsertionPoint();
  auto global = LLVM::GlobalOp::create(builder, module.getLoc(), type,
                                       /*isConstant=*/true,
                                       LLVM::Linkage::Internal, name, value);
  SymbolTable(module).insert(global);
  return global;
}

LLVM::GlobalOp mlir::lpgemm::emulator::buildText(ModuleOp module,
                                                 OpBuilder &builder,
                                                 StringRef name,
                                                 StringRef text) {
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
  return buildConstant(module, builder, name, type,
                       builder.getStringAttr(text));
}

Type mlir::lpgemm::emulator::getPassedType(LLVM::LLVMFuncOp kernel,
                                           unsigned index) {
  auto byValue = kernel.getArgAttrOfType<TypeAttr>(
      index, LLVM::LLVMDialect::getByValAttrName());
  return byValue ? byValue.getValue() : kernel.getArgumentTypes()[index];
}

/// void entry(void **args): calls the kernel with what the args point to.
void mlir::lpgemm::emulator::buildKernelEntry(ModuleOp module,
                                              OpBuilder &builder,
                                              RuntimeCalls &calls,
                                              LoweredKernel &kernel) {
  OpBuilder::InsertionGuard guard(builder);
  builder.clearInsertionPoint();
  Location loc = kernel.function.getLoc();
  MLIRContext *context = builder.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  kernel.entry = LLVM::LLVMFuncOp::create(
      builder, loc, (kernel.function.getSymName() + "_entry").str(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer}),
      LLVM::Linkage::Internal);
  SymbolTable(module).insert(kernel.entry);
  Block *block = kernel.entry.addEntryBlock(builder);
  builder.setInsertionPointToStart(block);
  SmallVector<Value> arguments;
  for (auto [i, type] : llvm::enumerate(kernel.function.getArgumentTypes())) {
    Value place = LLVM::GEPOp::create(
        builder, loc, pointer, pointer, block->getArgument(0),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    place = LLVM::LoadOp::create(builder, loc, pointer, place);
    Type passedType = kernel.passedTypes[i];
    if (passedType == type) {
      arguments.push_back(LLVM::LoadOp::create(builder, loc, type, place));
      continue;
    }
    // By value: the kernel may read what the host has passed.
    uint64_t bytes =
        DataLayout::closest(kernel.function).getTypeSize(passedType);
    calls.call(loc, "emu_parameter", Type(),
               {place, calls.constant(loc, bytes, /*width=*/64)});
    arguments.push_back(place);
  }
  LLVM::CallOp::create(builder, loc, kernel.function, arguments);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

/// The members of KernelInfo (lpgemm/Emulator/Runtime.h), in their order.
void mlir::lpgemm::emulator::buildKernelInfo(ModuleOp module,
                                             OpBuilder &builder,
                                             LoweredKernel &kernel,
                                             const SiteList &sites,
                                             LLVM::GlobalOp siteText) {
  OpBuilder::InsertionGuard guard(builder);
  std::string base = kernel.function.getSymName().str();
  auto word = builder.getI32Type();
  // Never empty: a constant of no elements cannot be written as an attribute.
  SmallVector<int32_t> objects = kernel.ldsObjects;
  objects.append({0, 0});
  LLVM::GlobalOp pointees[] = {
      buildText(module, builder, base + "_name", kernel.name + '\0'), siteText,
      buildText(module, builder, base + "_lds_names", kernel.ldsNames + '\0'),
      buildConstant(module, builder, base + "_lds_objects",
                    LLVM::LLVMArrayType::get(word, objects.size()),
                    builder.getI32TensorAttr(objects))};
  const LdsLayout &layout = kernel.layout;
  int64_t words[] = {sites.size(),
                     static_cast<int64_t>(layout.objects.size()),
                     layout.deviceBytes,
                     layout.dynamicOffset,
                     kernel.chip->ldsBytes,
                     kernel.chip->waveSize,
                     kernel.requiredBlock[0],
                     kernel.requiredBlock[1],
                     kernel.requiredBlock[2],
                     kernel.maxLanes,
                     kernel.cluster[0],
                     kernel.cluster[1],
                     kernel.cluster[2],
                     static_cast<int64_t>(kernel.chip->chip)};
  SmallVector<Type> members(std::size(pointees),
                            LLVM::LLVMPointerType::get(builder.getContext()));
  members.append(std::size(words), word);
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), members);
  kernel.info =
      buildConstant(module, builder, base + "_info", type, Attribute());
  builder.createBlock(&kernel.info.getInitializerRegion());
  Location loc = kernel.info.getLoc();
  Value value = LLVM::PoisonOp::create(builder, loc, type);
  int64_t position = 0;
  auto insert = [&](Value member) {
    value =
        LLVM::InsertValueOp::create(builder, loc, value, member, position++);
  };
  for (LLVM::GlobalOp pointee : pointees)
    insert(LLVM::AddressOfOp::create(builder, loc, pointee));
  for (int64_t member : words)
    insert(LLVM::ConstantOp::create(builder, loc, word,
                                    builder.getI32IntegerAttr(member)));
  LLVM::ReturnOp::create(builder, loc, value);
}
