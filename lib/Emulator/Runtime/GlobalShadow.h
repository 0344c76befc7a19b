//===- GlobalShadow.h - races in global memory ------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For each word of the registered buffers the last write and the reads of one
// launch. Threads run workgroups at the same time and share it: an access first
// enters itself, then looks for the others, so that of two at the same time at
// least one sees the other.
//
// Accesses of less than a word have cells of their own, one for each byte. A
// word's cell then need not be split, which threads could not do together.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_GLOBALSHADOW_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_GLOBALSHADOW_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::lpgemm::emulator {

class Machine;

/// Memory that kernels may access.
struct Buffer {
  uintptr_t begin;
  uintptr_t end;
  std::string name;
};

/// Atomic accesses write, but for an AtomicRead.
enum class AccessKind : uint8_t { Read, Write, Atomic, AtomicRead };

class GlobalShadow {
public:
  explicit GlobalShadow(const std::vector<Buffer> &buffers);
  ~GlobalShadow();
  GlobalShadow(const GlobalShadow &) = delete;
  GlobalShadow &operator=(const GlobalShadow &) = delete;

  /// Enters an access of the current lane and reports it if it races with
  /// another. Two accesses race if they are of different workgroups, or of
  /// different waves (NVIDIA: lanes) and nothing orders them, if at least one
  /// writes, and if not both are atomic.
  void access(Machine &machine, uint32_t site, size_t buffer, uintptr_t address,
              uint32_t bytes, AccessKind kind);

private:
  /// Who accessed, as one word; see GlobalShadow.cpp. Zero: nobody.
  using Tag = uint64_t;
  struct Cell {
    std::atomic<Tag> write;
    std::atomic<Tag> read;
  };
  /// The cells of a buffer, of pages that are taken when they are used.
  struct Cells {
    Cell *words = nullptr;
    Cell *bytes = nullptr;
    size_t numWords = 0;
    std::atomic<bool> usesBytes{false};
  };

  /// Each returns the tag of an access that races, or zero.
  static Tag enter(Machine &machine, Cell &cell, Tag tag, AccessKind kind);
  static Tag look(Machine &machine, const Cell &cell, Tag tag, AccessKind kind);
  static Tag accessWord(Machine &machine, Cells &cells, size_t word, Tag tag,
                        AccessKind kind);
  static Tag accessByte(Machine &machine, Cells &cells, size_t byte, Tag tag,
                        AccessKind kind);
  void report(Machine &machine, uint32_t site, const Buffer &buffer,
              uint64_t offset, AccessKind kind, Tag tag, Tag other) const;

  const std::vector<Buffer> &buffers;
  std::vector<Cells> cells;
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_GLOBALSHADOW_H
