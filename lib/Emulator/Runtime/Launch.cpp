//===- Launch.cpp - launching kernels, and the state of the process -------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "Machine.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

using namespace mlir::lpgemm::emulator;

//===----------------------------------------------------------------------===//
// State of the process
//===----------------------------------------------------------------------===//

namespace {
struct State {
  /// Held for the length of a launch; guards the next two.
  std::mutex launchMutex;
  uint32_t numLaunches = 0;
  /// One for each thread, kept for the next launch.
  std::vector<std::unique_ptr<Machine>> machines;

  /// Guards all below.
  std::mutex mutex;
  Options options;
  /// By begin.
  std::map<uintptr_t, Buffer> buffers;
  ReportList reports;
  Statistics statistics;
  /// By the text of the site.
  std::map<std::string, LdsSiteStatistics> ldsSites;
};
} // namespace

static State &state() {
  static State instance;
  return instance;
}

void mlir::lpgemm::emulator::setOptions(const Options &options) {
  std::lock_guard<std::mutex> lock(state().mutex);
  state().options = options;
}

Options mlir::lpgemm::emulator::getOptions() {
  std::lock_guard<std::mutex> lock(state().mutex);
  return state().options;
}

void mlir::lpgemm::emulator::registerBuffer(const void *data, size_t bytes,
                                            std::string_view name) {
  std::lock_guard<std::mutex> lock(state().mutex);
  uintptr_t begin = reinterpret_cast<uintptr_t>(data);
  state().buffers[begin] = {begin, begin + bytes, std::string(name)};
}

void mlir::lpgemm::emulator::unregisterBuffer(const void *data) {
  std::lock_guard<std::mutex> lock(state().mutex);
  state().buffers.erase(reinterpret_cast<uintptr_t>(data));
}

std::vector<Report> mlir::lpgemm::emulator::takeReports() {
  std::lock_guard<std::mutex> lock(state().mutex);
  return state().reports.take();
}

Statistics mlir::lpgemm::emulator::getStatistics() {
  std::lock_guard<std::mutex> lock(state().mutex);
  return state().statistics;
}

std::vector<LdsSiteStatistics> mlir::lpgemm::emulator::getLdsStatistics() {
  std::lock_guard<std::mutex> lock(state().mutex);
  std::multimap<uint64_t, LdsSiteStatistics, std::greater<>> byLoss;
  for (const auto &[text, site] : state().ldsSites)
    byLoss.emplace(site.cycles - site.idealCycles, site);
  std::vector<LdsSiteStatistics> result;
  for (const auto &[loss, site] : byLoss)
    result.push_back(site);
  return result;
}

void mlir::lpgemm::emulator::resetStatistics() {
  std::lock_guard<std::mutex> lock(state().mutex);
  state().statistics = Statistics();
  state().ldsSites.clear();
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

static constexpr int64_t kMaxLanes = 1024;

static std::string formatDims(int64_t x, int64_t y, int64_t z) {
  return std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z);
}

static std::string formatDims(const Dim3 &dims) {
  return formatDims(dims.x, dims.y, dims.z);
}

static bool isPositive(const Dim3 &dims) {
  return dims.x > 0 && dims.y > 0 && dims.z > 0;
}

static int64_t volume(const Dim3 &dims) { return dims.x * dims.y * dims.z; }

static std::string checkBlock(const KernelInfo &info, const Dim3 &block) {
  int64_t limit = info.maxLanes ? info.maxLanes : kMaxLanes;
  if (!isPositive(block) || block.x > limit || block.y > limit ||
      block.z > limit || volume(block) > limit)
    return "expected a block of 1 to " + std::to_string(limit) +
           " work items, got " + formatDims(block);
  const uint32_t *required = info.requiredBlock;
  if (required[0] && (block.x != required[0] || block.y != required[1] ||
                      block.z != required[2]))
    return "expected the block " +
           formatDims(required[0], required[1], required[2]) + ", got " +
           formatDims(block);
  return "";
}

static std::string checkCluster(const KernelInfo &info, const Dim3 &grid,
                                const Dim3 &cluster) {
  if (!isPositive(cluster) || cluster.x > kMaxClusterSize ||
      cluster.y > kMaxClusterSize || cluster.z > kMaxClusterSize ||
      volume(cluster) > kMaxClusterSize)
    return "expected a cluster of 1 to " + std::to_string(kMaxClusterSize) +
           " workgroups, got " + formatDims(cluster);
  Dim3 own = {info.cluster[0], info.cluster[1], info.cluster[2]};
  if (own.x && formatDims(own) != formatDims(cluster))
    return "expected the cluster " + formatDims(own) + " of the kernel, got " +
           formatDims(cluster);
  if (volume(cluster) > 1 && info.chip != Chip::Sm90a)
    return "expected no cluster on this chip, got " + formatDims(cluster);
  if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
    return "expected a grid of whole clusters of " + formatDims(cluster) +
           ", got " + formatDims(grid);
  return "";
}

/// Returns what is wrong with a launch, or nothing.
static std::string checkLaunch(const KernelInfo &info, const Launch &launch,
                               int64_t dynamicLdsBytes) {
  if (!isPositive(launch.grid))
    return "expected a grid of positive sizes, got " + formatDims(launch.grid);
  // CUDA C++ Programming Guide, "Compute Capabilities".
  constexpr int64_t kMaxGridYZ = 65535, kMaxBlockZ = 64;
  if (launch.isNvidia() &&
      (launch.grid.y > kMaxGridYZ || launch.grid.z > kMaxGridYZ))
    return "expected a grid of at most 65535 in y and z, got " +
           formatDims(launch.grid);
  if (launch.isNvidia() && launch.block.z > kMaxBlockZ)
    return "expected a block of at most 64 in z, got " +
           formatDims(launch.block);
  std::string fault = checkBlock(info, launch.block);
  if (fault.empty())
    fault = checkCluster(info, launch.grid, launch.cluster);
  if (!fault.empty())
    return fault;
  if (!launch.isNvidia() && launch.options.numerics != Numerics::Exact)
    return "expected exact numerics, for no rule of this chip's sums is "
           "public";
  int64_t ldsBytes = info.ldsStaticBytes + dynamicLdsBytes;
  if (dynamicLdsBytes < 0 || ldsBytes > info.ldsCapacity)
    return "expected at most " + std::to_string(info.ldsCapacity) +
           " bytes of " + (isNvidia(info.chip) ? "shared memory" : "LDS") +
           ", got " + std::to_string(ldsBytes);
  return "";
}

/// Clusters are taken in order, by whichever thread is free.
static void runWorkgroups(Machine &machine, const Launch &launch,
                          std::atomic<int64_t> &next, std::atomic<bool> &stop) {
  const Dim3 grid = launch.numClusters();
  int64_t total = volume(grid);
  CrashStack crashStack;
  machine.begin(launch);
  while (!stop) {
    int64_t index = next++;
    if (index >= total)
      return;
    if (!machine.run(index % grid.x, index / grid.x % grid.y,
                     index / (grid.x * grid.y)))
      stop = true;
  }
}

void mlir::lpgemm::emulator::forEachCounter(
    const std::function<void(const char *, uint64_t Statistics::*)> &visit) {
#define LPGEMM_COUNTER(name) visit(#name, &Statistics::name);
  LPGEMM_COUNTER(launches)
  LPGEMM_COUNTER(workgroups)
  LPGEMM_COUNTER(mfma)
  LPGEMM_COUNTER(barriers)
  LPGEMM_COUNTER(waveOps)
  LPGEMM_COUNTER(laneSwitches)
  LPGEMM_COUNTER(ldsLoads)
  LPGEMM_COUNTER(ldsStores)
  LPGEMM_COUNTER(globalLoads)
  LPGEMM_COUNTER(globalStores)
  LPGEMM_COUNTER(bufferLoads)
  LPGEMM_COUNTER(bufferStores)
  LPGEMM_COUNTER(globalAtomics)
  LPGEMM_COUNTER(bufferAtomics)
  LPGEMM_COUNTER(ldsLoadsFromGlobal)
  LPGEMM_COUNTER(bufferClipped)
#undef LPGEMM_COUNTER
}

static void addStatistics(Statistics &sum, const Statistics &part) {
  forEachCounter([&](const char *, uint64_t Statistics::*counter) {
    sum.*counter += part.*counter;
  });
}

static void addLdsStatistics(State &s, const Launch &launch,
                             const LdsTraffic &traffic) {
  for (const auto &[index, part] : traffic.getSites()) {
    std::string text = siteText(*launch.info, index);
    LdsSiteStatistics &sum = s.ldsSites[text];
    sum.site = text;
    sum.accesses += part.accesses;
    sum.cycles += part.cycles;
    sum.idealCycles += part.idealCycles;
  }
}

/// Runs the grid on as many threads as are useful.
static void runGrid(State &s, const Launch &launch) {
  // A process has about 65000 mappings, each lane needs two for its stack.
  constexpr int64_t kMaxStacks = 24 * 1024;
  int64_t threads = launch.options.threads;
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  int64_t stacks = launch.numLanes * launch.clusterSize();
  threads = std::min({threads, volume(launch.numClusters()),
                      std::max<int64_t>(kMaxStacks / stacks, 1)});
  while (s.machines.size() < static_cast<size_t>(threads))
    s.machines.push_back(std::make_unique<Machine>());
  CrashHandlers crashHandlers;
  std::atomic<int64_t> next{0};
  std::atomic<bool> stop{false};
  auto work = [&](int64_t i) {
    runWorkgroups(*s.machines[i], launch, next, stop);
  };
  std::vector<std::thread> others;
  for (int64_t i = 1; i < threads; ++i)
    others.emplace_back(work, i);
  work(0);
  for (std::thread &thread : others)
    thread.join();
  std::lock_guard<std::mutex> lock(s.mutex);
  for (int64_t i = 0; i < threads; ++i) {
    addStatistics(s.statistics, s.machines[i]->statistics);
    addLdsStatistics(s, launch, s.machines[i]->ldsTraffic);
    s.reports.merge(s.machines[i]->reports);
  }
}

bool mlir::lpgemm::emulator::launch(const KernelInfo &info, KernelEntry entry,
                                    Dim3 grid, Dim3 block,
                                    int64_t dynamicLdsBytes, void **args,
                                    Dim3 cluster) {
  State &s = state();
  std::lock_guard<std::mutex> launchLock(s.launchMutex);
  Launch launch{};
  launch.number = s.numLaunches++;
  launch.info = &info;
  launch.entry = entry;
  launch.args = args;
  launch.grid = grid;
  launch.block = block;
  launch.cluster = cluster;
  if (info.cluster[0] && volume(cluster) == 1)
    launch.cluster = {info.cluster[0], info.cluster[1], info.cluster[2]};
  launch.dynamicLdsBytes = dynamicLdsBytes;
  {
    std::lock_guard<std::mutex> lock(s.mutex);
    ++s.statistics.launches;
    launch.options = s.options;
    std::string fault = checkLaunch(info, launch, dynamicLdsBytes);
    if (!fault.empty()) {
      s.reports.add(info, ReportKind::InvalidLaunch, kNoSite, kNoSite,
                    /*workgroup=*/0, [&] {
                      return "launch of kernel " + std::string(info.name) +
                             ": " + fault;
                    });
      return false;
    }
    for (const auto &entry : s.buffers)
      launch.buffers.push_back(entry.second);
  }
  if (launch.options.checks)
    launch.shadow = std::make_unique<GlobalShadow>(launch.buffers);
  launch.numLanes = volume(block);
  runGrid(s, launch);
  bool isGood = true;
  for (const std::unique_ptr<Machine> &machine : s.machines) {
    isGood &= machine->reports.empty();
    machine->reports = ReportList();
  }
  return isGood;
}

void emu_launch(const KernelInfo *info, KernelEntry entry, int64_t gridX,
                int64_t gridY, int64_t gridZ, int64_t blockX, int64_t blockY,
                int64_t blockZ, int64_t clusterX, int64_t clusterY,
                int64_t clusterZ, int64_t dynamicLdsBytes, void **args) {
  launch(*info, entry, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
         dynamicLdsBytes, args, {clusterX, clusterY, clusterZ});
}

void emu_add_global(const void *data, int64_t bytes, const char *name) {
  registerBuffer(data, bytes, name);
}

void emu_remove_global(const void *data) { unregisterBuffer(data); }

void *emu_lds_base() { return Machine::current().ownShared(); }

//===----------------------------------------------------------------------===//
// Memory of the host part
//===----------------------------------------------------------------------===//

void *lpgemm_emu_aligned_alloc(size_t alignment, size_t bytes) {
  alignment = std::max(alignment, alignof(std::max_align_t));
  size_t padded = (bytes + alignment - 1) / alignment * alignment;
  void *data = std::aligned_alloc(alignment, padded);
  if (!data)
    return nullptr;
  // Not zero, so that a program cannot rely on it: NaN in most formats.
  std::memset(data, 0xff, padded);
  registerBuffer(data, bytes, "allocation of the host");
  return data;
}

void *lpgemm_emu_alloc(size_t bytes) {
  return lpgemm_emu_aligned_alloc(alignof(std::max_align_t), bytes);
}

void lpgemm_emu_free(void *data) {
  unregisterBuffer(data);
  std::free(data);
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

const RuntimeSymbol *mlir::lpgemm::emulator::getRuntimeSymbols() {
#define LPGEMM_EMULATED_CALL(name, kind, handler, attributes)                  \
  {#handler, reinterpret_cast<void *>(handler)},
#define LPGEMM_EMULATOR_SERVICE(symbol)                                        \
  {#symbol, reinterpret_cast<void *>(symbol)},
  static const RuntimeSymbol symbols[] = {
#include "lpgemm/Emulator/EmulatorOps.def"
      {nullptr, nullptr}};
  return symbols;
}
