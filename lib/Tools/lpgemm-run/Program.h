//===- Program.h - a module that can be called ------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_PROGRAM_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_PROGRAM_H

#include "Signature.h"
#include "lpgemm/Support/Npy.h"

namespace mlir {
class ExecutionEngine;
class OpPassManager;
} // namespace mlir

namespace mlir::lpgemm {

class HostMatrix;

/// A way to execute a module.
struct Device {
  llvm::StringLiteral name;
  /// Adds the passes that leave functions of memrefs to call.
  void (*buildPipeline)(OpPassManager &pm, StringRef chip);
  /// Adds the passes from there to the llvm dialect.
  void (*buildToLLVM)(OpPassManager &pm, StringRef chip);
  llvm::Expected<std::unique_ptr<ExecutionEngine>> (*createEngine)(ModuleOp);
  /// Makes the memory of an argument known under a name, and forgets it.
  void (*enter)(HostMatrix &argument, StringRef name);
  void (*leave)(HostMatrix &argument);
  /// The faults of the last call, one line each.
  SmallVector<std::string> (*takeFaults)();
};

/// The device called `name`.
llvm::Expected<const Device *> lookupDevice(StringRef name);

/// An argument of a call.
struct CallArgument {
  Shape shape;
  /// The elements; a destination that has none starts as NaN.
  std::optional<NpyArray> elements;
};

/// What a call leaves behind.
struct CallResult {
  SmallVector<NpyArray> arguments;
  SmallVector<NpyArray> results;
  /// Arguments with a write outside of their elements.
  SmallVector<unsigned> damaged;
  SmallVector<std::string> faults;
  double seconds = 0;
};

/// A function that was compiled for a device.
class Program {
public:
  /// Lowers `module`, in place, and compiles it.
  static llvm::Expected<Program> compile(ModuleOp module, StringRef entry,
                                         const Device &device, StringRef chip);

  Program(Program &&);
  ~Program();

  /// Calls the function on copies of `arguments`. With `poison`, their rows
  /// and they themselves are surrounded by NaN where their types allow it.
  llvm::Expected<CallResult> call(ArrayRef<CallArgument> arguments,
                                  bool poison);

private:
  Program(const Device &device, StringRef entry);

  const Device &device;
  std::string entry;
  SmallVector<MemRefType> arguments, results;
  std::unique_ptr<ExecutionEngine> engine;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_PROGRAM_H
