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

using namespace mlir;

/// `[1, 2, 3]`
static ParseResult parseIntegerList(AsmParser &parser,
                                    SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

static void printIntegerList(AsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << '[' << values << ']';
}

#define GET_ATTRDEF_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMAttrs.cpp.inc"

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

LogicalResult ScheduleAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> tile,
    ArrayRef<int64_t> waves, MmaInstr instr, HomesAttr home, int64_t stages,
    RolesAttr roles, ArrayRef<int64_t> cluster, int64_t raster, bool persistent,
    int64_t unroll, int64_t splitK, Strategy, ResultPath) {
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
  if (stages < 1 || stages > 16)
    return emitError() << "expects 1 to 16 stages, but got " << stages;
  if (!cluster.empty() &&
      (cluster.size() != 2 || !llvm::all_of(cluster, positive) ||
       !llvm::isPowerOf2_64(cluster[0]) || !llvm::isPowerOf2_64(cluster[1]) ||
       std::max(cluster[0], cluster[1]) > 8 || cluster[0] * cluster[1] > 8))
    return emitError() << "expects cluster to be two powers of two along M, N, "
                          "together at most 8, but got ["
                       << cluster << "]";
  for (auto [name, value] : {std::pair("raster", raster), {"unroll", unroll}})
    if (value < 1 || value > 64)
      return emitError() << "expects " << name << " from 1 to 64, but got "
                         << value;
  if (!llvm::is_contained({1, 2, 4, 8}, splitK))
    return emitError() << "expects split_k to be 1, 2, 4 or 8, but got "
                       << splitK;
  // All of a cluster would share a tile, or none of them.
  if (splitK > 1 && llvm::any_of(cluster, [](int64_t v) { return v > 1; }))
    return emitError() << "expects no cluster along M, N with split_k = "
                       << splitK << ", but got [" << cluster << "]";
  return success();
}

/// The limits of setmaxnreg (PTX ISA 9.0, "setmaxnreg").
LogicalResult RolesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                int64_t loadRegs, int64_t mmaRegs) {
  for (auto [name, value] :
       {std::pair("load_regs", loadRegs), {"mma_regs", mmaRegs}})
    if (value < 24 || value > 256 || value % 8 != 0)
      return emitError() << "expects " << name
                         << " to be a multiple of 8 from 24 to 256, but got "
                         << value;
  return success();
}

void LPGEMMDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMAttrs.cpp.inc"
      >();
}
