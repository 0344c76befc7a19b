//===- Manifest.h - what a compilation made ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_COMPILE_MANIFEST_H
#define LPGEMM_COMPILE_MANIFEST_H

#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "lpgemm/Target/AMDGPUMachine.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::lpgemm {

/// How many waves each resource leaves room for on a SIMD, and the chip.
struct Occupancy {
  int64_t vectorRegisters, scalarRegisters, sharedMemory, chip;

  int64_t getWaves() const;
};

/// What a compiled object says about a kernel (LLVM AMDGPUUsage, "Code Object
/// V3 Metadata").
struct KernelResources {
  int64_t vectorRegisters; // of a lane, with those for accumulation
  int64_t accumulationRegisters;
  int64_t scalarRegisters; // of a wave
  int64_t vectorSpills;
  int64_t scalarSpills;
  int64_t sharedMemoryBytes; // of a workgroup
  int64_t scratchBytes;      // of a lane
  int64_t waveSize;

  /// With workgroups of `threads`.
  Occupancy getOccupancy(const AMDGPUMachine &machine, int64_t threads) const;
};

struct KernelRecord {
  std::string name;
  /// Of the op, as in a diagnostic; empty if it is not known.
  std::string location;
  /// What lpgemm-outline and lpgemm-tile say; kernels by hand may lack it.
  std::optional<KernelInterface> interface;
  ScheduleAttr schedule;
  SmallVector<int32_t, 3> block;
  std::optional<KernelResources> resources;
};

/// docs/manifest.md describes it. The attributes in it live as long as the
/// context of the module.
class Manifest {
public:
  /// What the kernels of a lowered module say, before they are compiled. An
  /// error is emitted at the kernel.
  static FailureOr<Manifest> collect(ModuleOp module, StringRef chip,
                                     StringRef emission);

  /// Adds what a code object says about the kernels in it.
  llvm::Error addResources(StringRef object);

  ArrayRef<KernelRecord> getKernels() const { return kernels; }

  /// The file.
  std::string toJson() const;
  /// For people: a few lines for each kernel.
  void printReport(llvm::raw_ostream &stream) const;

private:
  std::optional<Occupancy> getOccupancy(const KernelRecord &kernel) const;

  std::string chip, emission;
  std::vector<KernelRecord> kernels;

  friend class ManifestWriter;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_COMPILE_MANIFEST_H
