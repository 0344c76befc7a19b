//===- MmaOperands.cpp - operands of matrix instructions ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/MmaOperands.h"

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

bool lpgemm::appliesScales(MmaInstr instr, int64_t kBlock, Type type) {
  return isa<Float8E8M0FNUType>(type) && getMmaInfo(instr).scaleBlock == kBlock;
}

static bool isPromoted(const MmaOperand &operand, MmaInstr instr) {
  return operand.scales && !appliesScales(instr, operand.kBlock,
                                          getElementTypeOrSelf(operand.scales));
}

int64_t MmaOperands::getShortestPromotedBlock(MmaInstr instr) const {
  int64_t shortest = 0;
  for (const MmaOperand *side : {&lhs, &rhs})
    if (isPromoted(*side, instr) && (shortest == 0 || side->kBlock < shortest))
      shortest = side->kBlock;
  return shortest;
}

static MmaOperand describe(Value matrix, bool isKFirst, Type stored,
                           ElementKind multiplied, Value scales,
                           std::optional<ScaleAttr> kind) {
  MmaOperand result = {};
  result.matrix = matrix;
  result.isKFirst = isKFirst;
  result.stored = stored;
  result.multiplied = getElementType(multiplied, stored.getContext());
  // (C-17) The codes of OCP formats stand for half as much in FNUZ formats.
  if (stored != result.multiplied && isFP8(result.multiplied))
    result.exponent = 1;
  if (!kind || !kind->hasKBlocks())
    return result;
  result.scales = scales;
  result.areScalesKFirst = kind->isStoredKFirst(isKFirst);
  result.scaleLayout = kind->getLayout();
  result.kBlock = kind->getKBlock();
  result.outerBlock = kind->getOuterBlock();
  return result;
}

MmaInstr lpgemm::getPreferredInstr(MatmulOp op, const TargetRecord &record) {
  return op.getSchedule() ? op.getSchedule()->getInstr()
                          : record.getInstructions().front();
}

Type lpgemm::getSumType(MatmulOp op, MmaInstr instr) {
  for (std::optional<ScaleAttr> kind :
       {op.getLhsScaleKind(), op.getRhsScaleKind()})
    if (kind && kind->hasKBlocks())
      return Float32Type::get(op.getContext());
  return getMmaInfo(instr).getAccumulatorType(op.getContext());
}

std::optional<MmaOperands> lpgemm::getMmaOperands(ProductInterface op,
                                                  MmaInstr instr,
                                                  const TargetRecord &record) {
  Type lhs = op.getLhsElementType(), rhs = op.getRhsElementType();
  std::optional<ElementKind> l = getElementKind(lhs), r = getElementKind(rhs);
  if (!l || !r)
    return std::nullopt;
  std::optional<OperandKinds> kinds =
      record.lookupProduct(*l, *r, getMmaInfo(instr));
  if (!kinds)
    return std::nullopt;
  return MmaOperands{describe(op.getLhs(), op.getTransposeA(), lhs, kinds->lhs,
                              op.getLhsScale(), op.getLhsScaleKind()),
                     describe(op.getRhs(), !op.getTransposeB(), rhs, kinds->rhs,
                              op.getRhsScale(), op.getRhsScaleKind())};
}

/// The scales of one side go with the instruction and the K of the tile.
static LogicalResult checkScales(ProductInterface op, const MmaOperand &side,
                                 ScheduleAttr schedule) {
  int64_t block = side.kBlock, k = schedule.getTileK();
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  if (isPromoted(side, info.instr) && block % info.k != 0)
    return op->emitOpError() << "schedule: expects a scale block (" << block
                             << ") that is a multiple of the K of "
                             << stringifyMmaInstr(info.instr) << " (" << info.k
                             << "), which has no scales of that block";
  if (k % block == 0 || (isPromoted(side, info.instr) && block % k == 0))
    return success();
  return op->emitOpError() << "schedule: expects the K of the tile (" << k
                           << ") to be a multiple of the scale block (" << block
                           << ") or to divide it";
}

FailureOr<MmaOperands> lpgemm::checkMmaOperands(ProductInterface op,
                                                ScheduleAttr schedule,
                                                const TargetRecord &record) {
  MmaInstr instr = schedule.getInstr();
  StringRef name = stringifyMmaInstr(instr);
  if (!llvm::is_contained(record.getInstructions(), instr))
    return op->emitOpError()
           << "schedule: " << record.chip << " has no instruction " << name;
  std::optional<MmaOperands> operands = getMmaOperands(op, instr, record);
  if (!operands)
    return op->emitOpError()
           << "schedule: " << name << " does not take "
           << op.getLhsElementType() << " x " << op.getRhsElementType();
  for (const MmaOperand *side : {&operands->lhs, &operands->rhs})
    if (side->scales && failed(checkScales(op, *side, schedule)))
      return failure();
  return *operands;
}
