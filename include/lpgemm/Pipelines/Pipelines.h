//===- Pipelines.h - pipelines as functions ---------------------*- C++ -*-===//
//-*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_PIPELINES_PIPELINES_H
#define LPGEMM_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::lpgemm {

/// Options of `lpgemm-lower-to-rocdl`.
struct LowerToROCDLOptions : PassPipelineOptions<LowerToROCDLOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("Name of the chip, such as gfx950"),
                           llvm::cl::init("")};
  Option<bool> conservativeWaits{
      *this, "conservative-waits",
      llvm::cl::desc("Wait for every operation in flight, not for a count"),
      llvm::cl::init(false)};
};

/// From lpgemm.matmul on tensors to one gpu.module in the LLVM and ROCDL
/// dialects for each product, and host code that launches it. A module that is
/// part of the way there goes the rest of it.
void buildLowerToROCDLPipeline(OpPassManager &pm,
                               const LowerToROCDLOptions &options);

/// The last part of it, for a gpu.module: upstream's conversions of kernels in
/// the gpu, amdgpu, vector, memref and scf dialects. A memref that a kernel
/// takes becomes its pointer or, without `takesPointers`, its descriptor.
void buildLowerKernelsToROCDLPipeline(OpPassManager &kernels, StringRef chip,
                                      bool takesPointers = true);

/// Options of `lpgemm-lower-to-nvvm`.
struct LowerToNVVMOptions : PassPipelineOptions<LowerToNVVMOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("Name of the chip, such as sm_90a"),
                           llvm::cl::init("")};
  Option<bool> conservativeWaits{
      *this, "conservative-waits",
      llvm::cl::desc("Wait for every operation in flight, not for a count"),
      llvm::cl::init(false)};
};

/// The same as `lpgemm-lower-to-rocdl` for a chip of NVIDIA, in the NVVM
/// dialect.
void buildLowerToNVVMPipeline(OpPassManager &pm,
                              const LowerToNVVMOptions &options);

/// The part of it for a gpu.module of tile ops whose ABI is final.
void buildLowerTilesToNVVMPipeline(OpPassManager &kernels,
                                   bool conservativeWaits = false);

/// The last part of it, for kernels that may be in the nvgpu dialect. An index
/// has so many bits; 0 for those of the data layout.
void buildLowerKernelsToNVVMPipeline(OpPassManager &kernels,
                                     bool takesPointers = true,
                                     unsigned indexBits = 0);

/// Options of `lpgemm-lower-to-emulator`.
struct LowerToEmulatorOptions : PassPipelineOptions<LowerToEmulatorOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("Name of the emulated chip"),
                           llvm::cl::init("")};
};

/// From kernels of the level of the gpu, amdgpu and nvgpu dialects or below,
/// and host code that launches them, to one module in the LLVM dialect that
/// runs the kernels on the host, in the emulator.
void buildLowerToEmulatorPipeline(OpPassManager &pm,
                                  const LowerToEmulatorOptions &options);

/// From a module of kernels, written by hand at any level from the gpu dialect
/// down to the LLVM dialect, to gpu.modules of the LLVM dialect. Host code is
/// dropped. A gpu.module that is already there is left as it is; in another one
/// memrefs become pointers if all that its kernels take are static, else
/// descriptors.
void buildLowerEmulatorKernelsPipeline(OpPassManager &pm, StringRef chip);

/// The one of lpgemm-lower-to-rocdl and lpgemm-lower-to-nvvm that `chip`, which
/// has a lowering, is for.
void buildLowerToChipPipeline(OpPassManager &pm, StringRef chip);

/// Adds the implementations of interfaces on upstream dialects that the
/// pipelines rely on: bufferization and conversion to LLVM. MLIR's own
/// registerAllDialects and registerAllExtensions add them, too.
void registerPipelineInterfaces(DialectRegistry &registry);

/// Makes all pipelines known to tools by their flags.
void registerPipelines();

} // namespace mlir::lpgemm

#endif // LPGEMM_PIPELINES_PIPELINES_H
