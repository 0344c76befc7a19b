//===- LdsLayout.cpp - where the LDS objects of a kernel are --------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LdsLayout.h"

#include "TypeRules.h"
#include "lpgemm/Emulator/Runtime.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

/// At least this much is unused after each object.
static constexpr uint64_t kRedZoneBytes = 16;
static constexpr uint64_t kMinAlignment = 16;
static constexpr uint64_t kDynamicAlignment = 1024;

bool mlir::lpgemm::emulator::isKernel(LLVM::LLVMFuncOp function) {
  return function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
         function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) ||
         function->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName());
}

FailureOr<LdsLayout>
mlir::lpgemm::emulator::layOutLds(LLVM::LLVMFuncOp kernel, SymbolTable &symbols,
                                  const EmulatedChip &chip) {
  uint64_t capacity = chip.ldsBytes;
  StringRef memoryName = isNvidia(chip.chip) ? "shared memory" : "LDS";
  LdsLayout layout;
  DataLayout dataLayout = DataLayout::closest(kernel);
  uint64_t end = 0, deviceEnd = 0;
  kernel.walk([&](LLVM::AddressOfOp op) {
    auto global = symbols.lookup<LLVM::GlobalOp>(op.getGlobalName());
    if (!global || global.getAddrSpace() != kLdsAddressSpace ||
        layout.objects.contains(global))
      return;
    // Of more elements than there is memory the size may not fit a number.
    uint64_t bytes = isHuge(global.getGlobalType())
                         ? capacity + 1
                         : dataLayout.getTypeSize(global.getGlobalType());
    if (bytes == 0)
      return;
    uint64_t alignment =
        std::max(global.getAlignment().value_or(1), kMinAlignment);
    uint64_t offset = llvm::alignTo(end, alignment);
    layout.objects[global] = {static_cast<uint32_t>(offset),
                              static_cast<uint32_t>(bytes)};
    end = offset + bytes + kRedZoneBytes;
    deviceEnd = llvm::alignTo(deviceEnd, alignment) + bytes;
  });
  if (deviceEnd > capacity)
    return kernel.emitError("kernel needs ")
           << deviceEnd << " bytes of " << memoryName << ", expected at most "
           << capacity;
  layout.dynamicOffset = llvm::alignTo(end, kDynamicAlignment);
  layout.deviceBytes = deviceEnd;
  uint64_t needed = layout.dynamicOffset + (capacity - deviceEnd);
  if (needed > kLdsArenaBytes)
    return kernel.emitError(memoryName)
           << " with unused space between its objects needs " << needed
           << " bytes, expected at most " << kLdsArenaBytes;
  return layout;
}
