//===- DeviceGlobals.cpp - globals of a kernel's module -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceGlobals.h"

#include "KernelInfoBuilder.h"
#include "LdsLayout.h"
#include "OpCall.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

/// Generic, global and constant (NVPTXUsage and AMDGPUUsage, "Address Spaces").
static constexpr unsigned kDeviceSpaces[] = {0, 1, 4};

bool mlir::lpgemm::emulator::isDeviceGlobal(LLVM::GlobalOp global) {
  return llvm::is_contained(kDeviceSpaces, global.getAddrSpace());
}

LogicalResult
mlir::lpgemm::emulator::checkGlobalVariable(LLVM::GlobalOp global) {
  if (global.getAddrSpace() == kLdsAddressSpace)
    return success();
  if (!isDeviceGlobal(global))
    return global.emitError("emulator models globals of address spaces 0, 1, 3 "
                            "and 4 only, got one of address space ")
           << global.getAddrSpace();
  if (!global.getValueAttr() && global.getInitializerRegion().empty())
    return global.emitError("emulator models globals outside of shared memory "
                            "with an initial value only, '@")
           << global.getSymName() << "' has none";
  bool refersToOthers =
      global.getInitializerRegion()
          .walk([](LLVM::AddressOfOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (refersToOthers)
    return global.emitError("emulator does not model the address of a symbol "
                            "in an initial value");
  return success();
}

DeviceGlobal mlir::lpgemm::emulator::makeHostGlobal(ModuleOp module,
                                                    OpBuilder &builder,
                                                    LLVM::GlobalOp global) {
  std::string name = global.getSymName().str();
  DeviceGlobal result{
      global, buildText(module, builder, "emu_global_name", name + '\0'),
      getBytes(global, global.getGlobalType())};
  global.setAddrSpace(0);
  global.setLinkage(LLVM::Linkage::Internal);
  SmallVector<NamedAttribute> attributes(global->getDiscardableAttrs());
  for (NamedAttribute attribute : attributes)
    global->removeDiscardableAttr(attribute.getName());
  return result;
}

void mlir::lpgemm::emulator::buildAddGlobal(RuntimeCalls &calls,
                                            OpBuilder &builder, Location loc,
                                            const DeviceGlobal &global) {
  Value address = LLVM::AddressOfOp::create(builder, loc, global.global);
  Value name = LLVM::AddressOfOp::create(builder, loc, global.name);
  calls.call(loc, "emu_add_global", Type(),
             {address, calls.constant(loc, global.bytes, /*width=*/64), name});
}

void mlir::lpgemm::emulator::buildRemoveGlobal(RuntimeCalls &calls,
                                               OpBuilder &builder, Location loc,
                                               const DeviceGlobal &global) {
  Value address = LLVM::AddressOfOp::create(builder, loc, global.global);
  calls.call(loc, "emu_remove_global", Type(), address);
}
