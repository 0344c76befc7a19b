//===- SharedShadow.h - checks of shared memory accesses --------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For each word of the shared memory of a cluster the last write, and the reads
// since then. Every access must be ordered after those of them that it
// conflicts with, as far as the lane that does or issues it knows (Clocks.h).
//
// The words of a tile are read by the same agents: sets of reads are stored
// once, and a word has the number of its set.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_SHAREDSHADOW_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_SHAREDSHADOW_H

#include "NVVM/Clocks.h"
#include "Reports.h"

#include <unordered_map>

namespace mlir::lpgemm::emulator {

class Machine;
struct Launch;

/// Through which an access goes.
enum class Proxy : uint8_t { Generic, Async };

/// Whether an access is atomic: an update reads and writes.
enum class Atomicity : uint8_t { None, Single, Update };

/// Who accesses shared memory. For what a lane does itself, `agent` is the
/// lane; what it issues is done by an agent that others wait for.
struct SharedAccess {
  uint32_t site;
  /// Its knowledge counts.
  uint32_t lane;
  Agent agent;
  Time time;
  Proxy proxy;
  Atomicity atomicity = Atomicity::None;

  bool isAtomic() const { return atomicity != Atomicity::None; }
};

/// Sets of reads, each stored once. Atomic writes that another atomic write
/// followed, in no order, are kept in them.
class ReadSets {
public:
  enum class Kind : uint8_t { Plain, Atomic, AtomicWrite };
  struct Read {
    Agent agent;
    Time time;
    uint32_t site;
    Kind kind;
  };

  static constexpr uint32_t kEmpty = 0;

  ReadSets() { clear(); }
  void clear();
  size_t size() const { return sets.size(); }
  const std::vector<Read> &get(uint32_t set) const { return sets[set]; }
  /// The set with a read more, and without those that it is ordered after.
  uint32_t add(uint32_t set, const Read &read, uint32_t lane,
               const Clocks &clocks);
  uint32_t insert(std::vector<Read> reads);

private:
  struct Key {
    uint32_t set;
    Read read;
    bool operator==(const Key &other) const;
  };
  struct Hash {
    size_t operator()(const Key &key) const;
  };
  std::vector<std::vector<Read>> sets;
  std::unordered_map<Key, uint32_t, Hash> additions;
  Key lastKey{};
  uint32_t lastResult = 0;
};

class SharedShadow {
public:
  /// Marks what lies between the objects of the kernel.
  void begin(const Launch &launch, uint32_t numWorkgroups);
  void start();

  // Offsets are from the shared memory of the first workgroup of the cluster.
  // An access outside of every object ends the workgroup.
  void read(Machine &machine, const SharedAccess &access, uint64_t offset,
            uint64_t bytes);
  void write(Machine &machine, const SharedAccess &access, uint64_t offset,
             uint64_t bytes);

  /// The bytes hold an mbarrier object, which ordinary accesses must not touch;
  /// or they are not initialised again.
  void makeOpaque(uint64_t offset, uint64_t bytes);
  void forget(uint64_t offset, uint64_t bytes);

private:
  struct Cell {
    Agent writer = kNobody;
    Time writeTime = 0;
    uint32_t writeSite = kNoSite;
    uint32_t reads : 30;
    uint32_t isAsync : 1;
    uint32_t isAtomic : 1;
    Cell() : reads(ReadSets::kEmpty), isAsync(0), isAtomic(0) {}
  };
  // In place of a writer.
  static constexpr Agent kNobody = ~0u;
  static constexpr Agent kRedZone = ~0u - 1;
  static constexpr Agent kOpaque = ~0u - 2;

  struct Fault {
    ReportKind kind;
    const char *what;
    uint32_t otherSite = kNoSite;
    Agent other = kNobody;
  };

  template <bool kIsWrite>
  void access(Machine &machine, const SharedAccess &access, uint64_t offset,
              uint64_t bytes);
  template <bool kIsWrite>
  bool check(Machine &machine, const SharedAccess &access, const Cell &cell,
             Fault &fault);
  bool checkWriter(Machine &machine, const SharedAccess &access,
                   const Cell &cell, bool isWrite, Fault &fault) const;
  bool checkReads(const Clocks &clocks, const SharedAccess &access,
                  uint32_t set, bool isWrite, Fault &fault);
  void update(Machine &machine, const SharedAccess &access, Cell &cell,
              bool isWrite);
  template <typename Fn>
  void forEachCell(uint64_t offset, uint64_t bytes, Fn &&fn);
  void markObject(std::vector<Cell> &cells, uint64_t offset, uint64_t bytes);
  void splitWord(size_t word);
  void collectReadSets();
  void report(Machine &machine, const SharedAccess &access, uint64_t offset,
              const Fault &fault) const;

  const Launch *launch = nullptr;
  uint32_t numWorkgroups = 0;
  /// Words of one workgroup that the kernel may use, and cells for them.
  size_t usedWords = 0;
  std::vector<Cell> initial;
  /// One cell for each word; for a split word, one for each byte.
  std::vector<Cell> words;
  std::vector<Cell> bytesOfSplit;
  std::vector<uint8_t> isSplit;
  ReadSets readSets;
  /// The last set of reads that was found to be ordered, and before what.
  uint32_t orderedSet = ReadSets::kEmpty;
  uint32_t orderedLane = 0;
  Time orderedTime = 0;
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_SHAREDSHADOW_H
