//===- LdsShadow.h - checks of LDS accesses ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For each word of LDS the last write and the last read. The time is the
// number of the interval between two barriers (the epoch); it never goes back,
// so that starting a workgroup clears nothing.
//
// A write takes effect for other lanes once its lane has waited for it and then
// passed a barrier: AMD's s_barrier alone waits for no memory operation on
// targets with FeatureBackOffBarrier, gfx950 among them (LLVM, AMDGPU.td). A
// load from global memory to LDS is a write of its wave, which the lanes of
// the wave may use as soon as they have waited for it.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_LDSSHADOW_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_LDSSHADOW_H

#include "Reports.h"

#include <memory>

namespace mlir::lpgemm::emulator {

class Machine;
struct Launch;

class LdsShadow {
public:
  /// Marks what lies between the objects of the kernel.
  void begin(const Launch &launch);
  void startWorkgroup();
  /// All lanes have reached a barrier.
  void endEpoch();
  void load(Machine &machine, uint32_t site, uint64_t offset, uint32_t bytes);
  void store(Machine &machine, uint32_t site, uint64_t offset, uint32_t bytes);
  /// `lane` takes part in the wave's load number `load`, which writes LDS.
  void loadToLds(Machine &machine, uint32_t site, uint32_t lane,
                 uint64_t offset, uint32_t bytes, uint32_t load);
  /// The lane's last load is not used before the next barrier: unless the lane
  /// waits for it, it is in flight until after the barrier.
  void keepInFlight(uint32_t lane, uint32_t site, uint64_t offset,
                    uint32_t bytes);
  /// The lane issues an operation that uses no memory of LDS.
  void count(uint32_t lane) { ++queues[lane].issued; }
  /// The lane waits until at most `left` of its LDS operations are in flight.
  void wait(uint32_t lane, uint32_t left);
  /// The lane waits for its wave's loads to LDS up to number `load`.
  void waitForLoads(uint32_t lane, uint32_t load);

private:
  enum class Kind { Load, Store, LoadToLds };

  /// Several lanes as the reader of a cell: those of one wave (plus the wave's
  /// number), or others.
  static constexpr uint16_t kLanesOfWave = 0x8000;
  static constexpr uint16_t kManyLanes = 0xffff;
  /// In Cell::writeNumber: it numbers the wave's loads to LDS.
  static constexpr uint32_t kIsLoad = 0x80000000;
  /// Write epoch of a word that belongs to no object.
  static constexpr uint32_t kRedZone = ~0u;

  struct Cell {
    uint32_t writeEpoch = 0;
    /// Number of the write among the writer's LDS operations, or kIsLoad plus
    /// that among its wave's loads to LDS.
    uint32_t writeNumber = 0;
    uint32_t writeSite = kNoSite;
    uint32_t readEpoch = 0;
    uint32_t readSite = kNoSite;
    uint16_t writer = 0;
    uint16_t reader = 0;
  };

  /// A lane's LDS operations. They finish in order (MI300 ISA, "Memory
  /// operation ordering": LDS instructions return in the order issued).
  struct Queue {
    uint32_t issued = 0;
    /// Operations up to this one were waited for ...
    uint32_t waited = 0;
    /// ... and up to this one before the last barrier.
    uint32_t published = 0;
    /// The same for loads to LDS.
    uint32_t loadsIssued = 0;
    uint32_t loadsWaited = 0;
    uint32_t loadsPublished = 0;
  };

  /// The last load of a word that is not used before the next barrier.
  struct LoadInFlight {
    uint32_t epoch = 0;
    /// Among the lane's LDS operations.
    uint32_t number = 0;
    uint32_t site = kNoSite;
    uint16_t lane = 0;
    /// Bit i: byte i of the word.
    uint8_t bytes = 0;
  };

  /// What is wrong with an access of a cell.
  struct Fault {
    ReportKind kind;
    const char *what;
    uint32_t otherSite;
    uint32_t otherLane;
  };

  /// An access of the current lane or, for LoadToLds, of any lane.
  struct Access {
    uint32_t site;
    uint32_t lane;
    uint64_t offset;
    uint32_t bytes;
    /// What it writes as Cell::writeNumber.
    uint32_t number;
  };

  template <Kind K>
  void access(Machine &machine, const Access &access);
  template <Kind K>
  bool checkCell(const Cell &cell, uint32_t lane, Fault &fault) const;
  bool checkWriter(const Cell &cell, uint32_t lane, bool isStore,
                   Fault &fault) const;
  template <Kind K>
  bool isReadByOthers(const Cell &cell, uint32_t lane) const;
  template <Kind K>
  void updateCell(Cell &cell, const Access &access);
  bool isPublished(const Cell &cell) const;
  bool overwritesLoad(const Access &access, uint64_t &at, Fault &fault) const;
  void splitWord(size_t word);
  void reportFault(Machine &machine, uint32_t site, uint64_t offset,
                   const Fault &fault) const;

  uint32_t waveOf(uint32_t lane) const { return lane / waveSize; }

  uint32_t waveSize = 1;
  uint32_t epoch = 1;
  /// The epoch in which the workgroup started.
  uint32_t startEpoch = 1;
  /// All writes up to this epoch were waited for before a barrier.
  uint32_t cleanEpoch = 0;
  /// One cell for each word; for a split word, one for each byte.
  std::vector<Cell> words;
  std::unique_ptr<Cell[]> bytesOfSplit;
  std::vector<uint8_t> isSplit;
  std::vector<Queue> queues;
  /// One for each word, once there is any.
  std::vector<LoadInFlight> loadsInFlight;
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_LDSSHADOW_H
