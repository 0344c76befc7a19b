//===- WorkgroupOrder.cpp - what workgroups have in common ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkgroupOrder.h"

#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

WorkgroupOrder::WorkgroupOrder(const ProductShape &shape, ScheduleAttr schedule,
                               const AMDGPUMachine &machine)
    : schedule(schedule), batch(shape.batch),
      tilesM(llvm::divideCeil(shape.m, schedule.getTileM())),
      tilesN(llvm::divideCeil(shape.n, schedule.getTileN())),
      kTiles(
          std::max<int64_t>(llvm::divideCeil(shape.k, schedule.getTileK()), 1)),
      dies(machine.rates.dies), computeUnits(machine.rates.computeUnits),
      numTiles(batch * tilesM * tilesN) {
  // Columns that are not known are odd: no die has some of its own by chance.
  if (shape.hasDynamicN)
    tilesN |= 1;
}

StreamShares WorkgroupOrder::getStreamShares() const {
  StreamShares shares;
  int64_t all = getNumTiles() * kTiles;
  // A tile has no more parts than its workspace.
  shares.each = std::max(llvm::divideCeil(all, computeUnits),
                         llvm::divideCeil(kTiles, schedule.getSplitK() - 1));
  shares.workgroups = llvm::divideCeil(all, shares.each);
  // The last K tile of a tile that a workgroup may begin with.
  int64_t step = std::gcd(shares.each, kTiles);
  shares.tiles = llvm::divideCeil(kTiles - step + shares.each, kTiles);
  // Workgroups that begin inside a tile make two parts of it.
  int64_t later = shares.workgroups - 1;
  shares.parts = getNumTiles() + later - later / (kTiles / step);
  return shares;
}

int64_t WorkgroupOrder::getNumWorkgroups() const {
  return isStreamK(schedule) ? getStreamShares().workgroups
                             : getNumTiles() * schedule.getSplitK();
}

/// As in lpgemm-tile: a die has tiles that follow each other.
int64_t WorkgroupOrder::dealToDies(int64_t tile) const {
  int64_t apart = std::max<int64_t>(dies / schedule.getSplitK(), 1);
  int64_t tiles = tilesM * tilesN;
  int64_t die = tile % apart;
  return die * (tiles / apart) + std::min(die, tiles % apart) + tile / apart;
}

WorkgroupOrder::Place WorkgroupOrder::locate(int64_t workgroup) const {
  int64_t raster = schedule.getRaster();
  int64_t tile = workgroup / schedule.getSplitK();
  int64_t part = workgroup % schedule.getSplitK();
  if (isStreamK(schedule)) {
    int64_t first = workgroup * getStreamShares().each;
    tile = first / kTiles;
    part = first % kTiles;
  }
  int64_t entry = tile / (tilesM * tilesN);
  tile %= tilesM * tilesN;
  if (raster == 1)
    return {entry * tilesM + tile / tilesN, entry * tilesN + tile % tilesN,
            part};
  tile = dealToDies(tile);
  int64_t band = tilesN * raster;
  int64_t first = tile / band * raster, inBand = tile % band;
  int64_t rows = std::min(tilesM - first, raster);
  return {entry * tilesM + first + inBand % rows,
          entry * tilesN + inBand / rows, part};
}

/// How many different ones there are.
static int64_t countDifferent(SmallVectorImpl<int64_t> &values) {
  llvm::sort(values);
  return std::distance(values.begin(), llvm::unique(values));
}

RunningTiles WorkgroupOrder::countRunningTiles() const {
  int64_t running = std::min(getNumWorkgroups(), computeUnits);
  int64_t parts = std::max(kTiles, schedule.getSplitK());
  RunningTiles result = {running, 0, 0, 0};
  SmallVector<int64_t> allRows, rows, columns;
  for (int64_t die = 0; die < std::min(dies, running); ++die) {
    rows.clear();
    columns.clear();
    for (int64_t workgroup = die; workgroup < running; workgroup += dies) {
      Place place = locate(workgroup);
      rows.push_back(place.row * parts + place.part);
      columns.push_back(place.column * parts + place.part);
      allRows.push_back(place.row);
    }
    result.rows += countDifferent(rows);
    result.columns += countDifferent(columns);
  }
  result.chipRows = countDifferent(allRows);
  return result;
}
