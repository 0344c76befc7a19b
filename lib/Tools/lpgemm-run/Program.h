//===- Program.h - a module that can be called ------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_PROGRAM_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_PROGRAM_H

#include "Shapes.h"
#include "lpgemm/Conversion/Passes.h"
#include "lpgemm/Support/Npy.h"

namespace mlir {
class ExecutionEngine;
class OpPassManager;
} // namespace mlir

namespace mlir::lpgemm {

class HostMatrix;

/// What a module is lowered for.
struct Lowering {
  std::string chip;
  /// The numbers in which the reference forms sums.
  Accumulation accumulate = Accumulation::F64;
  /// The chip in the order of whose kernels the reference forms sums of the
  /// limited accumulator; empty: in the order of K.
  std::string orderedAs;
};

/// What a device tells of a call.
struct DeviceReport {
  /// One line each.
  SmallVector<std::string> faults;
  /// What each launch took by the clock of a GPU, once.
  SmallVector<double> kernelMilliseconds;
};

/// A way to execute a module.
struct Device {
  llvm::StringLiteral name;
  /// The numbers in which it forms sums of FP8 unless options say otherwise.
  Accumulation accumulate;
  /// An error for a chip that modules cannot be lowered to.
  llvm::Error (*checkChip)(StringRef chip);
  /// Adds the passes that leave functions of memrefs to call.
  void (*buildPipeline)(OpPassManager &pm, const Lowering &lowering);
  /// Adds the passes from there to the llvm dialect.
  void (*buildToLLVM)(OpPassManager &pm, const Lowering &lowering);
  llvm::Expected<std::unique_ptr<ExecutionEngine>> (*createEngine)(ModuleOp);
  /// Begins a call.
  void (*start)();
  /// Makes the memory of an argument known under a name. Its descriptor is then
  /// the one to call with.
  llvm::Error (*enter)(HostMatrix &argument, StringRef name);
  /// Ends a call; all memory is as it left it.
  llvm::Expected<DeviceReport> (*finish)();
  /// Forgets the memory of an argument; its descriptor is the host's again.
  void (*leave)(HostMatrix &argument);
  /// Where the host has what a result points to, up to the next call.
  char *(*findOnHost)(char *address);
};

/// The device called `name`.
llvm::Expected<const Device *> lookupDevice(StringRef name);

/// An argument of a call.
struct CallArgument {
  Shape shape;
  /// The type of an element before lowering.
  Type type;
  /// The elements; a destination that has none starts as NaN.
  std::optional<NpyArray> elements;
  /// Whether rows follow each other even if they are poisoned.
  bool isDense = false;
};

/// What a call leaves behind. Results of narrow types are rows of bytes, where
/// lowering packs them.
struct CallResult {
  SmallVector<NpyArray> arguments;
  SmallVector<NpyArray> results;
  /// Arguments with a write outside of their elements.
  SmallVector<unsigned> damaged;
  DeviceReport device;
  double seconds = 0;
};

/// A function that was compiled for a device.
class Program {
public:
  /// Lowers `module`, in place, and compiles it.
  static llvm::Expected<Program> compile(ModuleOp module, StringRef entry,
                                         const Device &device,
                                         const Lowering &lowering);

  Program(Program &&);
  ~Program();

  /// Calls the function on copies of `arguments`, packed where the lowered
  /// function takes bytes for a narrow type. With `poison`, their rows and they
  /// themselves are surrounded by NaN where their types allow it.
  llvm::Expected<CallResult> call(ArrayRef<CallArgument> arguments,
                                  bool poison);

private:
  Program(const Device &device, StringRef entry);

  /// Whether an argument is passed as rows of packed codes.
  bool isPacked(unsigned argument, const CallArgument &value) const;
  SmallVector<CallArgument> pack(ArrayRef<CallArgument> given) const;
  /// Calls, and enters how that went.
  llvm::Error callPacked(ArrayRef<std::unique_ptr<HostMatrix>> matrices,
                         MutableArrayRef<void *> packed, CallResult &outcome);

  const Device &device;
  std::string entry;
  /// Memrefs or scalars, and memrefs.
  SmallVector<Type> arguments;
  SmallVector<MemRefType> results;
  std::unique_ptr<ExecutionEngine> engine;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_PROGRAM_H
