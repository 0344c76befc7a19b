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
#include "lpgemm/Target/NVIDIAMachine.h"
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

/// What ptxas says about a kernel.
struct NVIDIAResources {
  int64_t registers; // of a thread, at its start
  int64_t spillStoreBytes;
  int64_t spillLoadBytes;
  int64_t stackBytes; // of a thread
  int64_t staticSharedMemoryBytes;
  int64_t barriers;

  /// How many workgroups of `threads`, each with so many bytes of dynamic
  /// shared memory, a multiprocessor holds.
  int64_t getWorkgroups(const NVIDIAMachine &machine, int64_t threads,
                        int64_t dynamicBytes) const;
};

struct KernelRecord {
  std::string name;
  /// Of the op, as in a diagnostic; empty if it is not known.
  std::string location;
  /// What lpgemm-outline and lpgemm-tile say; kernels by hand may lack it.
  std::optional<KernelInterface> interface;
  ScheduleAttr schedule;
  SmallVector<int32_t, 3> block;
  /// Empty on chips without clusters.
  SmallVector<int32_t, 3> cluster;
  int64_t dynamicSharedMemoryBytes = 0;
  /// Of a chip of AMD, and of NVIDIA.
  std::optional<KernelResources> resources;
  std::optional<NVIDIAResources> nvidiaResources;
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
  /// The same of what `ptxas -v` says.
  llvm::Error addAssemblerLog(StringRef log);

  ArrayRef<KernelRecord> getKernels() const { return kernels; }

  /// The file.
  std::string toJson() const;
  /// For people: a few lines for each kernel.
  void printReport(llvm::raw_ostream &stream) const;

private:
  std::optional<Occupancy> getOccupancy(const KernelRecord &kernel) const;
  /// Of an NVIDIA multiprocessor.
  std::optional<int64_t> getWorkgroups(const KernelRecord &kernel) const;

  std::string chip, emission;
  std::vector<KernelRecord> kernels;

  friend class ManifestWriter;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_COMPILE_MANIFEST_H
