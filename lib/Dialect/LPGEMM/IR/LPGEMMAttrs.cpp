//===- LPGEMMAttrs.cpp - attributes of the dialect ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

#include "lpgemm/Target/KnownTargets.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMAttrs.cpp.inc"

using namespace mlir;
using namespace mlir::lpgemm;

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef chip) {
  if (lookupTargetRecord(chip))
    return success();
  return emitError() << "unknown chip '" << chip << "', expected one of "
                     << listKnownTargets();
}

LogicalResult SmemAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t pad, int64_t unit, int64_t mask,
                               int64_t shift) {
  if (pad < 0)
    return emitError() << "expects pad of at least 0 bytes, but got " << pad;
  if (unit <= 0 || !llvm::isPowerOf2_64(unit))
    return emitError() << "expects unit to be a power of two, but got " << unit;
  if (mask < 0 || !llvm::isPowerOf2_64(mask + 1))
    return emitError() << "expects mask to be a power of two less 1, but got "
                       << mask;
  if (shift < 0 || shift > 62)
    return emitError() << "expects shift from 0 to 62, but got " << shift;
  return success();
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> tile,
                                   ArrayRef<int64_t> waves, MmaInstr instr,
                                   HomesAttr home, int64_t stages) {
  auto positive = [](int64_t v) { return v > 0; };
  if (tile.size() != 3 || !llvm::all_of(tile, positive))
    return emitError() << "expects tile to be three positive extents M, N, K";
  if (waves.size() != 2 || !llvm::all_of(waves, positive))
    return emitError() << "expects waves to be two positive counts along M, N";
  // Far above what any machine holds, and below what products overflow.
  constexpr int64_t limit = 65536;
  for (int64_t extent : llvm::concat<const int64_t>(tile, waves))
    if (extent > limit)
      return emitError() << "expects extents of tile and waves of at most "
                         << limit << ", but got " << extent;
  static constexpr StringLiteral names[] = {"M", "N"};
  for (auto [dim, name] : llvm::enumerate(names))
    if (tile[dim] % waves[dim] != 0)
      return emitError() << "expects the tile's " << name << " (" << tile[dim]
                         << ") to be a multiple of the waves along it ("
                         << waves[dim] << ")";
  if (stages != 1 && stages != 2)
    return emitError() << "expects 1 or 2 stages, but got " << stages;
  return success();
}

void LPGEMMDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMAttrs.cpp.inc"
      >();
}
