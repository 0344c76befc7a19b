//===- LowerToChip.cpp - the pipeline of a chip ---------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Pipelines/Pipelines.h"
#include "lpgemm/Target/KnownTargets.h"

using namespace mlir;
using namespace mlir::lpgemm;

void lpgemm::buildLowerToChipPipeline(OpPassManager &pm, StringRef chip) {
  const TargetRecord *record = lookupTargetRecord(chip);
  if (record && record->nvidia) {
    LowerToNVVMOptions options;
    options.chip = chip.str();
    return buildLowerToNVVMPipeline(pm, options);
  }
  LowerToROCDLOptions options;
  options.chip = chip.str();
  buildLowerToROCDLPipeline(pm, options);
}
