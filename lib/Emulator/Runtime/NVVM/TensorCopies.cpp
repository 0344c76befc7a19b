//===- TensorCopies.cpp - cp.async.bulk.tensor ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"
#include "NVVM/AsyncAbi.h"
#include "NVVM/BulkCopies.h"
#include "NVVM/Memory.h"
#include "NVVM/TensorReduction.h"

#include <algorithm>
#include <cstring>

using namespace mlir::lpgemm::emulator;

// PTX ISA, "cp.async.bulk.tensor", in tile mode.

static constexpr uint32_t kShared = 3, kSharedCluster = 7;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static TensorMapDesc readMap(Machine &machine, uint32_t site, const void *map,
                             uint32_t rank) {
  TensorMapDesc desc;
  std::string fault = decodeTensorMap(map, desc);
  if (fault.empty() && rank != desc.rank)
    fault = "expected " + std::to_string(desc.rank) +
            " coordinates, as the tensor map has dimensions, got " +
            std::to_string(rank);
  if (!fault.empty())
    machine.fatal(ReportKind::InvalidOperand, site, fault);
  return desc;
}

/// Ends the workgroup if the device would end the kernel.
static void checkOperands(Machine &machine, uint32_t site,
                          const TensorMapDesc &desc, uint32_t shared,
                          const int32_t *coordinates) {
  std::string fault = checkTensorCopy(desc, shared, coordinates);
  if (!fault.empty())
    machine.fatal(ReportKind::Misaligned, site, fault);
}

/// Checks the global memory, row by row.
static void checkTensor(Machine &machine, uint32_t site, TensorMapDesc desc,
                        const int32_t *coordinates, AccessKind kind) {
  desc.swizzle = TensorSwizzle::None;
  for (const TensorPiece &piece : tensorPieces(desc, 0, coordinates))
    if (piece.isInBounds())
      checkGlobal(machine, site,
                  reinterpret_cast<const void *>(piece.globalAddress),
                  piece.bytes, /*alignment=*/1, kind);
}

static uint32_t truncate(const void *address) {
  // Shared memory lies below 4 GiB.
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(address));
}

static uint8_t *sharedPointer(uint32_t address) {
  return reinterpret_cast<uint8_t *>(uintptr_t(address));
}

/// The shared memory of pieces. Those of a box that fills its rows, which come
/// one after the other but for the swizzle, are one range.
static std::vector<SharedRange> listRanges(Machine &machine,
                                           const std::vector<TensorPiece> &all,
                                           bool isWrite) {
  uint32_t begin = ~0u, end = 0;
  uint64_t sum = 0;
  std::vector<SharedRange> ranges;
  auto rangeOf = [&](uint32_t address, uint64_t bytes) -> SharedRange {
    return {machine.sharedOffset(sharedPointer(address)), bytes};
  };
  for (const TensorPiece &piece : all) {
    if (!isWrite && !piece.isInBounds())
      continue;
    begin = std::min(begin, piece.sharedAddress);
    end = std::max(end, piece.sharedAddress + piece.bytes);
    sum += piece.bytes;
    ranges.push_back(rangeOf(piece.sharedAddress, piece.bytes));
  }
  if (sum != 0 && sum == end - begin)
    return {rangeOf(begin, sum)};
  return ranges;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

void emu_nvvm_tensor_load(uint32_t site, void *target, uint32_t space,
                          const void *map, const void *barrier, uint32_t mask,
                          uint32_t predicate, uint32_t rank, int32_t c0,
                          int32_t c1, int32_t c2, int32_t c3, int32_t c4) {
  if (!predicate)
    return;
  Machine &machine = Machine::current();
  const int32_t coordinates[] = {c0, c1, c2, c3, c4};
  BulkLoad load{};
  load.map = readMap(machine, site, map, rank);
  checkOperands(machine, site, load.map, truncate(target), coordinates);
  if (machine.checks())
    checkTensor(machine, site, load.map, coordinates, AccessKind::Read);
  load.site = site;
  load.target = target;
  load.targetSpace = space;
  load.barrier = barrier;
  load.barrierSpace = space == kShared ? kShared : kSharedCluster;
  load.mask = mask;
  load.bytes = tensorBoxBytes(load.map);
  std::vector<TensorPiece> pieces =
      tensorPieces(load.map, truncate(target), coordinates);
  for (const TensorPiece &piece : pieces)
    load.pieces.push_back(
        {sharedPointer(piece.sharedAddress),
         reinterpret_cast<const uint8_t *>(piece.globalAddress), piece.bytes});
  load.ranges = listRanges(machine, pieces, /*isWrite=*/true);
  startBulkLoad(machine, std::move(load));
}

void emu_nvvm_tensor_prefetch(uint32_t site, const void *map, uint32_t rank,
                              int32_t c0, int32_t c1, int32_t c2, int32_t c3,
                              int32_t c4) {
  Machine &machine = Machine::current();
  const int32_t coordinates[] = {c0, c1, c2, c3, c4};
  TensorMapDesc desc = readMap(machine, site, map, rank);
  checkOperands(machine, site, desc, /*shared=*/0, coordinates);
}

/// What a host passes for a matrix that no map can describe.
static bool isZeroMap(const void *map) {
  const uint8_t zeros[kTensorMapBytes] = {};
  return std::memcmp(map, zeros, sizeof(zeros)) == 0;
}

/// The H200 goes on after a prefetch of zeros.
void emu_nvvm_prefetch_tensormap(uint32_t site, const void *map,
                                 uint32_t predicate) {
  if (!predicate || (map && isZeroMap(map)))
    return;
  TensorMapDesc desc;
  std::string fault = decodeTensorMap(map, desc);
  if (!fault.empty())
    Machine::current().fatal(ReportKind::InvalidOperand, site, fault);
}

//===----------------------------------------------------------------------===//
// Stores and reductions
//===----------------------------------------------------------------------===//

namespace {
struct TensorStore : AsyncOperation {
  std::vector<BulkPiece> pieces;

  void complete(Machine &) override {
    for (const BulkPiece &piece : pieces)
      std::memcpy(piece.target, piece.source, piece.bytes);
  }
};

struct TensorReduce : AsyncOperation {
  std::vector<BulkPiece> pieces;
  TensorType type;
  TensorReduction reduction;

  void complete(Machine &) override {
    for (const BulkPiece &piece : pieces)
      reduceTensor(type, reduction, piece.target, piece.source, piece.bytes);
  }
};
} // namespace

/// Checks the operands of a copy to global memory and returns its pieces there.
static std::vector<BulkPiece>
prepareStore(Machine &machine, uint32_t site, const TensorMapDesc &desc,
             const void *source, const int32_t *coordinates, AccessKind kind,
             std::vector<SharedRange> &ranges) {
  checkSharedAddress(machine, site, source, kShared);
  checkOperands(machine, site, desc, truncate(source), coordinates);
  if (machine.checks())
    checkTensor(machine, site, desc, coordinates, kind);
  std::vector<TensorPiece> pieces =
      tensorPieces(desc, truncate(source), coordinates);
  ranges = listRanges(machine, pieces, /*isWrite=*/false);
  std::vector<BulkPiece> result;
  for (const TensorPiece &piece : pieces)
    if (piece.isInBounds())
      result.push_back({reinterpret_cast<uint8_t *>(piece.globalAddress),
                        sharedPointer(piece.sharedAddress), piece.bytes});
  return result;
}

void emu_nvvm_tensor_store(uint32_t site, const void *map, const void *source,
                           uint32_t predicate, uint32_t rank, int32_t c0,
                           int32_t c1, int32_t c2, int32_t c3, int32_t c4) {
  if (!predicate)
    return;
  Machine &machine = Machine::current();
  const int32_t coordinates[] = {c0, c1, c2, c3, c4};
  TensorMapDesc desc = readMap(machine, site, map, rank);
  std::vector<SharedRange> ranges;
  auto store = std::make_shared<TensorStore>();
  store->pieces = prepareStore(machine, site, desc, source, coordinates,
                               AccessKind::Write, ranges);
  startBulkStore(machine, site, ranges, std::move(store));
}

void emu_nvvm_tensor_reduce(uint32_t site, const void *map, const void *source,
                            uint32_t kind, uint32_t rank, int32_t c0,
                            int32_t c1, int32_t c2, int32_t c3, int32_t c4) {
  Machine &machine = Machine::current();
  const int32_t coordinates[] = {c0, c1, c2, c3, c4};
  TensorMapDesc desc = readMap(machine, site, map, rank);
  auto reduction = static_cast<TensorReduction>(kind);
  std::string fault = checkTensorReduction(desc.type, reduction);
  if (!fault.empty())
    machine.fatal(ReportKind::InvalidOperand, site, fault);
  std::vector<SharedRange> ranges;
  auto reduce = std::make_shared<TensorReduce>();
  reduce->type = desc.type;
  reduce->reduction = reduction;
  reduce->pieces = prepareStore(machine, site, desc, source, coordinates,
                                AccessKind::Atomic, ranges);
  startBulkStore(machine, site, ranges, std::move(reduce));
}
