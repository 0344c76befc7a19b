//===- Emulator.h - running kernels on the host -----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What a tool needs to run a module with GPU kernels on the host:
//
//   PassManager pm(module->getName());
//   buildLowerToEmulatorPipeline(pm, options);     // Pipelines.h
//   if (failed(pm.run(module)))
//     ...
//   emulator::setOptions(...);                    // Runtime.h
//   llvm::Expected<std::unique_ptr<ExecutionEngine>> engine =
//       emulator::createEngine(module);
//   ... (*engine)->invokePacked("main", arguments) ...
//   for (const emulator::Report &report : emulator::takeReports())
//     llvm::errs() << report.message << "\n";
//
// And one to launch a kernel of a module by its name:
//
//   auto kernels = emulator::KernelModule::compile(module, {"gfx950"});
//   auto kernel = kernels->lookup("add");
//   emulator::registerBuffer(data, bytes, "x");   // Runtime.h
//   int32_t n = 64;
//   kernels->launch(**kernel, {{1, 1, 1}, {64, 1, 1}}, {&data, &n});
//   ... emulator::takeReports() ...
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_EMULATOR_H
#define LPGEMM_EMULATOR_EMULATOR_H

#include "lpgemm/Emulator/Runtime.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace mlir::lpgemm::emulator {

/// Calls `define` with the name and the address of each function that lowered
/// kernels and launches call, for a JIT to define.
void forEachRuntimeSymbol(
    llvm::function_ref<void(llvm::StringRef, void *)> define);

/// Compiles a module of the LLVM dialect for this machine, without instructions
/// whose results are not those of the IR.
llvm::Expected<std::unique_ptr<ExecutionEngine>>
createHostEngine(ModuleOp module, llvm::CodeGenOptLevel level,
                 llvm::function_ref<llvm::Error(llvm::Module *)> transformer);

/// The same, with the runtime's functions defined. Memory that the module
/// allocates is known to the emulator: malloc, aligned_alloc and free are the
/// runtime's.
llvm::Expected<std::unique_ptr<ExecutionEngine>> createEngine(ModuleOp module);

/// Calls a function that takes nothing and returns an i32.
llvm::Expected<int32_t> runFunction(ExecutionEngine &engine,
                                    llvm::StringRef name);

//===----------------------------------------------------------------------===//
// Kernels by name
//===----------------------------------------------------------------------===//

struct KernelParameter {
  Type type;
  /// What a pointer points to, if the kernel gets a copy of it.
  Type byValue;
};

struct Kernel {
  std::string name;
  SmallVector<KernelParameter> parameters;
  /// The host function that launches it: the sizes, and where the values of
  /// the parameters are.
  std::string launcher;
  void (*launch)(void **) = nullptr;
};

struct LaunchSizes {
  Dim3 grid;
  Dim3 block;
  int64_t dynamicSharedBytes = 0;
  /// Used if the module was compiled for clusters.
  Dim3 cluster;
};

struct KernelOptions {
  std::string chip;
  /// Launches name the size of a cluster.
  bool usesClusters = false;
};

/// Compiled kernels.
class KernelModule {
public:
  /// Lowers `module`, in place, and compiles it; see
  /// buildLowerEmulatorKernelsPipeline for what it may hold.
  static llvm::Expected<KernelModule> compile(ModuleOp module,
                                              const KernelOptions &options);

  KernelModule(KernelModule &&);
  ~KernelModule();

  ArrayRef<Kernel> getKernels() const { return kernels; }
  /// An error that lists the kernels if none, or more than one, has the name.
  /// Without a name it is the only one.
  llvm::Expected<const Kernel *> lookup(StringRef name) const;

  /// Runs a kernel to its end; `arguments[i]` points to the value of parameter
  /// i or, of one by value, to what is copied. Whether that went well is in
  /// takeReports.
  void launch(const Kernel &kernel, const LaunchSizes &sizes,
              ArrayRef<void *> arguments) const;

private:
  KernelModule();

  SmallVector<Kernel> kernels;
  std::unique_ptr<ExecutionEngine> engine;
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_EMULATOR_EMULATOR_H
