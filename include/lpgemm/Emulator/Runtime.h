//===- Runtime.h - what runs emulated kernels -------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The run-time half of the emulator. It has no dependency on MLIR: generated
// code calls it through the symbols of `EmulatorOps.def`, tools and unit tests
// through this header.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_RUNTIME_H
#define LPGEMM_EMULATOR_RUNTIME_H

#include "lpgemm/Emulator/Chip.h"
#include "lpgemm/Emulator/Numerics.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mlir::lpgemm::emulator {

/// The order in which the waves of a workgroup, and the lanes of a wave, run
/// between two points where they must meet.
enum class LaneOrder { Forward, Reverse, Random };

/// When an asynchronous copy takes effect, which it may do at any time between
/// its issue and the wait for it.
enum class LoadTime { Late, Early, Random };

/// What orders the lanes of an NVIDIA warp. By the PTX ISA only operations that
/// say so, such as bar.warp.sync. On devices the lanes also come together at
/// operations of the whole warp, and what each has read or written in shared
/// memory before is done then: kernels in use rely on that.
enum class WarpOrder { Independent, Converged };

/// How kernels are run. One setting for the process.
struct Options {
  /// OS threads; each runs one workgroup at a time. 0: one for each core.
  unsigned threads = 0;
  /// Check memory accesses, alignment and data races.
  bool checks = true;
  /// Count the cycles of LDS accesses.
  bool countsLdsCycles = false;
  LaneOrder order = LaneOrder::Forward;
  LoadTime loads = LoadTime::Late;
  WarpOrder warps = WarpOrder::Independent;
  /// How the matrix instructions of NVIDIA chips form sums; those of AMD chips
  /// do it exactly.
  Numerics numerics = Numerics::Exact;
  /// Of the random choices.
  uint64_t seed = 0;
  /// Stack of one lane, without its guard. The frame of a kernel with many
  /// tiles in registers takes more than 64 KiB.
  size_t stackBytes = 1024 * 1024;
  /// Passes through loops that the lanes of a workgroup may take together; one
  /// that takes more is hung.
  uint64_t maxSteps = uint64_t(1) << 32;
  /// What the host is told of the device. Few, so that persistent workgroups go
  /// on with other tiles in small products, too.
  uint32_t multiprocessors = 4;
};

/// What a report is about.
enum class ReportKind {
  SharedRace,
  SharedUnwaitedWrite,
  SharedUnwaitedRead,
  SharedUninitialized,
  SharedOutOfBounds,
  GlobalOutOfBounds,
  GlobalRace,
  Misaligned,
  DivergentWaveOp,
  DivergentBarrier,
  NonUniform,
  /// Ordinary writes are read through the async proxy without a proxy fence.
  MissingProxyFence,
  /// A workgroup ends while something that it started is in flight.
  PendingAtExit,
  /// No lane can run, and nothing is in flight.
  Deadlock,
  InvalidOperand,
  InvalidLaunch,
  Crash,
  NoProgress,
};

/// "SharedRace".
const char *getKindName(ReportKind kind);

/// One fault of a kernel. Faults of one kind at the same pair of operations
/// are one report.
struct Report {
  ReportKind kind;
  /// One line: what, where (operation and source location), which lane.
  std::string message;
  /// How often it was seen.
  uint64_t count;
};

/// Counters, summed over launches. One wave-wide operation counts once, an
/// access of one lane counts once.
struct Statistics {
  uint64_t launches = 0;
  uint64_t workgroups = 0;
  uint64_t mfma = 0;
  uint64_t barriers = 0;
  uint64_t waveOps = 0;
  uint64_t laneSwitches = 0;
  uint64_t ldsLoads = 0;
  uint64_t ldsStores = 0;
  uint64_t globalLoads = 0;
  uint64_t globalStores = 0;
  uint64_t bufferLoads = 0;
  uint64_t bufferStores = 0;
  uint64_t globalAtomics = 0;
  uint64_t bufferAtomics = 0;
  uint64_t ldsLoadsFromGlobal = 0;
  /// Accesses of which the buffer resource's range cut something off.
  uint64_t bufferClipped = 0;
};

/// Calls `visit` with the name of each counter and with its member.
void forEachCounter(
    const std::function<void(const char *, uint64_t Statistics::*)> &visit);

/// What one operation costs in LDS, summed over the waves that do it.
struct LdsSiteStatistics {
  /// Operation and source location.
  std::string site;
  /// Of waves.
  uint64_t accesses = 0;
  uint64_t cycles = 0;
  /// Without bank conflicts.
  uint64_t idealCycles = 0;
};

void setOptions(const Options &options);
Options getOptions();

/// Allows kernels to access `bytes` bytes at `data`. An access outside of all
/// registered buffers is an error. `name` appears in messages.
void registerBuffer(const void *data, size_t bytes, std::string_view name);
void unregisterBuffer(const void *data);

/// The reports since the last call, in a fixed order. A launch failed if and
/// only if it left a report.
std::vector<Report> takeReports();

Statistics getStatistics();
/// The operations that access LDS, those that lose most to bank conflicts
/// first. Empty unless Options::countsLdsCycles is set.
std::vector<LdsSiteStatistics> getLdsStatistics();
void resetStatistics();

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

/// Shared memory of one workgroup. Aligned to its size and below 2 GiB, so
/// that a pointer cut to 32 bits stays valid and its low bits are the offset.
/// Those of a cluster follow each other.
constexpr size_t kLdsArenaBytes = 256 * 1024;
/// Workgroups of a cluster (PTX ISA, "Cluster of Cooperative Thread Arrays":
/// 8 on any chip, 16 on some).
constexpr uint32_t kMaxClusterSize = 16;

/// What the lowering knows about a kernel. Generated code holds one as a
/// constant, so the layout is part of the interface.
struct KernelInfo {
  const char *name;
  /// For each site its operation and its location, each ended by a zero byte.
  const char *siteText;
  /// The names of the LDS objects, each ended by a zero byte.
  const char *ldsNames;
  /// For each LDS object its offset and its size, in bytes.
  const uint32_t *ldsObjects;
  uint32_t numSites;
  uint32_t numLdsObjects;
  /// LDS bytes that the static objects take on the device.
  uint32_t ldsStaticBytes;
  /// Where dynamic LDS starts in the emulated layout.
  uint32_t ldsDynamicOffset;
  /// LDS bytes of a workgroup on this chip.
  uint32_t ldsCapacity;
  uint32_t waveSize;
  /// The block size that the kernel requires, 0 where it requires none.
  uint32_t requiredBlock[3];
  /// The lanes of the largest block that it allows.
  uint32_t maxLanes;
  /// The workgroups of a cluster, 0 where the launch says.
  uint32_t cluster[3];
  Chip chip;
};

/// The packed entry of a kernel: `args[i]` points to argument i.
using KernelEntry = void (*)(void **args);

struct Dim3 {
  int64_t x = 1, y = 1, z = 1;
};

/// Runs a grid and returns when it is done. Returns false if a fault was
/// reported.
/// Clusters have `cluster` workgroups, unless the kernel has a size of its own.
bool launch(const KernelInfo &info, KernelEntry entry, Dim3 grid, Dim3 block,
            int64_t dynamicLdsBytes, void **args, Dim3 cluster = Dim3());

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

struct RuntimeSymbol {
  const char *name;
  void *address;
};

/// What generated code may call, ended by an entry without a name.
const RuntimeSymbol *getRuntimeSymbols();

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_EMULATOR_RUNTIME_H
