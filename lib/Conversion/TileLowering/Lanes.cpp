//===- Lanes.cpp - the lanes that ops on register tiles expect ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/TileLowering.h"

using namespace mlir;
using namespace mlir::lpgemm;

LogicalResult lpgemm::checkLanes(Operation *op, StringRef name, FragType type,
                                 MmaInstr instr, MmaRole role) {
  auto expected = LanesAttr::get(op->getContext(), instr, role);
  if (type.getLanes() == expected)
    return success();
  return op->emitOpError() << "expects " << name << " in lanes " << expected
                           << ", but got " << type.getLanes();
}

LogicalResult lpgemm::checkOperandLanes(PromoteOp op) {
  MmaInstr instr = op.getType().getLanes().getInstr();
  struct {
    StringRef name;
    Value value;
    MmaRole role;
  } operands[] = {{"acc", op.getAcc(), MmaRole::C},
                  {"part", op.getPart(), MmaRole::C},
                  {"sa", op.getSa(), MmaRole::CRow},
                  {"sb", op.getSb(), MmaRole::CCol}};
  for (auto &[name, value, role] : operands) {
    if (!value)
      continue;
    auto type = cast<FragType>(value.getType());
    if (failed(checkLanes(op, name, type, instr, role)))
      return failure();
    if (role != MmaRole::C && !isDecodableScale(type.getElementType()))
      return op.emitOpError()
             << "expects " << name
             << " to be of f32, bf16, f8E8M0FNU or f8E4M3FN, but got " << type;
  }
  return success();
}

LogicalResult lpgemm::checkOperandLanes(ApplyOp op) {
  MmaInstr instr = op.getType().getLanes().getInstr();
  bool isPair = op.getType().getLanes().getRole() == MmaRole::CPair;
  MmaRole tile = isPair ? MmaRole::CPair : MmaRole::C;
  struct {
    StringRef name;
    OperandRange operands;
    MmaRole role;
  } groups[] = {{"a tile", op.getTiles(), tile},
                {"an operand of rows", op.getRows(), MmaRole::CRow},
                {"an operand of cols", op.getCols(),
                 isPair ? MmaRole::CPairCol : MmaRole::CCol}};
  for (auto &group : groups)
    for (Type type : group.operands.getTypes())
      if (failed(checkLanes(op, group.name, cast<FragType>(type), instr,
                            group.role)))
        return failure();
  return checkLanes(op, "the result", op.getType(), instr, tile);
}

LogicalResult lpgemm::checkSlice(SliceOp op) {
  LanesAttr source = op.getSource().getType().getLanes();
  if (source != op.getType().getLanes())
    return op.emitOpError() << "expects the lanes of the source, " << source
                            << ", but got " << op.getType().getLanes();
  const LaneLayout &layout = RegisterTile(op.getType()).getLayout();
  const std::tuple<StringRef, int64_t, int64_t> starts[] = {
      {"row", op.getRow(), layout.rows}, {"column", op.getCol(), layout.cols}};
  for (auto [name, start, unit] : starts)
    if (start % unit != 0)
      return op.emitOpError()
             << "expects the " << name << " to be a multiple of " << unit
             << ", the " << name << "s of an atom, but got " << start;
  return success();
}
