//===- NVIDIASupport.cpp - what has a lowering to NVIDIA GPUs -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/KernelSupport.h"

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/MmaOperands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

// What a K tile has along K, so that no block of scales ends inside one.
static constexpr int64_t kBlockUnit = 128;
static constexpr ScaleLayout kScaleLayouts[] = {
    ScaleLayout::Row, ScaleLayout::Col, ScaleLayout::MNTMA};

static InFlightDiagnostic emitMissing(ProductInterface op,
                                      const TargetRecord &record) {
  return op->emitOpError() << "has no lowering to kernels of " << record.chip
                           << " ";
}

static LogicalResult verifyTypes(ProductInterface op,
                                 const TargetRecord &record) {
  Type lhs = op.getLhsElementType(), rhs = op.getRhsElementType();
  auto instructions =
      llvm::make_filter_range(record.getInstructions(), [](MmaInstr instr) {
        return getMmaInfo(instr).readsSharedMemory();
      });
  if (llvm::any_of(instructions, [&](MmaInstr instr) {
        return getMmaInfo(instr).acceptsElementTypes(lhs, rhs);
      }))
    return success();
  auto sets = llvm::map_range(instructions, [](MmaInstr instr) {
    return "{" + listElementKinds(getMmaInfo(instr).operands) + "}";
  });
  return emitMissing(op, record)
         << "for " << lhs << " x " << rhs << " yet: only for both of one of "
         << llvm::join(sets, ", ");
}

/// K is contiguous in both.
static LogicalResult verifyStorage(ProductInterface op,
                                   const TargetRecord &record) {
  if (op.getTransposeA())
    return emitMissing(op, record)
           << "with transpose_a yet: only for lhs stored M x K";
  if (!op.getTransposeB())
    return emitMissing(op, record)
           << "without transpose_b yet: only for rhs stored N x K";
  return success();
}

static LogicalResult verifyBlock(ProductInterface op,
                                 const TargetRecord &record, StringRef name,
                                 std::optional<ScaleAttr> scale) {
  if (!scale || !scale->hasKBlocks() ||
      (scale->getKind() == ScaleKind::Block &&
       scale->getKBlock() % kBlockUnit == 0))
    return success();
  return emitMissing(op, record)
         << "for " << name << " of kind " << scale->getKindName()
         << " yet: only for tensor, row, column and blocks of a multiple of "
         << kBlockUnit << " elements of K";
}

static LogicalResult verifyLayout(ProductInterface op,
                                  const TargetRecord &record, StringRef name,
                                  std::optional<ScaleAttr> scale) {
  if (!scale || !scale->hasKBlocks() ||
      llvm::is_contained(kScaleLayouts, scale->getLayout()))
    return success();
  return emitMissing(op, record)
         << "for " << name << " in layout "
         << stringifyScaleLayout(scale->getLayout()) << " yet: only in "
         << llvm::join(llvm::map_range(kScaleLayouts, stringifyScaleLayout),
                       ", ");
}

/// (G-8) A sum of FP8 products ends with a K tile.
static LogicalResult verifyPromotion(ProductInterface op,
                                     const TargetRecord &record) {
  uint64_t interval = op.getPromoteK().value_or(0);
  if (interval % kBlockUnit == 0 || !isFP8(op.getLhsElementType()))
    return success();
  return emitMissing(op, record)
         << "with promote_k = " << interval << " yet: only with multiples of "
         << kBlockUnit << ", such as " << llvm::alignTo(interval, kBlockUnit);
}

/// What an instruction that reads shared memory does not take.
static LogicalResult verifyWarpgroups(ProductInterface op,
                                      const TargetRecord &record) {
  if (failed(verifyTypes(op, record)) || failed(verifyStorage(op, record)) ||
      failed(verifyBlock(op, record, "lhs_scale", op.getLhsScaleKind())) ||
      failed(verifyBlock(op, record, "rhs_scale", op.getRhsScaleKind())))
    return failure();
  return verifyPromotion(op, record);
}

LogicalResult lpgemm::verifyNVIDIASupport(MatmulOp op,
                                          const TargetRecord &record) {
  if (op.getInitScale())
    return emitMissing(op, record) << "with scale_outs yet";
  if (op.getPairs())
    return emitMissing(op, record)
           << "with an epilogue of pairs of columns yet: only of single ones, "
              "such as that of a second product, which takes the first one";
  bool readsSharedMemory =
      getMmaInfo(getPreferredInstr(op, record)).readsSharedMemory();
  if ((readsSharedMemory && failed(verifyWarpgroups(op, record))) ||
      failed(verifyLayout(op, record, "lhs_scale", op.getLhsScaleKind())))
    return failure();
  return verifyLayout(op, record, "rhs_scale", op.getRhsScaleKind());
}
