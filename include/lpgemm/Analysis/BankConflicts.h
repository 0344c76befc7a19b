//===- BankConflicts.h - cost of shared memory reads ------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_ANALYSIS_BANKCONFLICTS_H
#define LPGEMM_ANALYSIS_BANKCONFLICTS_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Target/AMDGPUMachine.h"
#include "lpgemm/Target/NVIDIAMachine.h"

namespace mlir::lpgemm {

/// Offset of a byte of `row` in a buffer of rows of `rowBytes` with this
/// layout.
int64_t getSharedOffset(SmemAttr layout, int64_t rowBytes, int64_t row,
                        int64_t byte);

/// Extra phases, beyond one for each group of lanes that the chip serves
/// together, that a wave needs to read one atom in `lanes` from a buffer of
/// `cols` columns with this layout: 0 is free of conflicts. A lane reads its
/// chunk in the widest accesses that all are aligned. Nothing if the record
/// does not know how the chip serves reads of this width.
std::optional<int64_t> countBankConflicts(const AMDGPUMachine &machine,
                                          SmemAttr layout, int64_t cols,
                                          LanesAttr lanes, Type elementType);

/// Whether a tile in `lanes` of mma.sync can be read in matrices of 8 rows of
/// 16 bytes (PTX ISA 9.0, "ldmatrix"): a lane has four bytes of each, and the
/// layout keeps the bytes of a row together and aligned.
bool readsMatrices(SmemAttr layout, int64_t cols, LanesAttr lanes,
                   Type elementType);

/// The same of a chip whose operands lie as mma.sync has them: one matrix is
/// read at a time, or all lanes read a chunk together.
int64_t countBankConflicts(const NVIDIAMachine &machine, SmemAttr layout,
                           int64_t cols, LanesAttr lanes, Type elementType);

/// The same for a tile of the result on its way out: extra phases that a wave
/// needs to write one atom in `lanes` to such a buffer, and another one to read
/// a piece of 16 bytes for each lane, row after row.
std::optional<int64_t> countStageConflicts(const AMDGPUMachine &machine,
                                           SmemAttr layout, int64_t cols,
                                           LanesAttr lanes, Type elementType);

} // namespace mlir::lpgemm

#endif // LPGEMM_ANALYSIS_BANKCONFLICTS_H
