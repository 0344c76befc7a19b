//===- MatrixOps.cpp - choosing matrix instructions -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixOps.h"

#include "OpRules.h"
#include "lpgemm/Emulator/MfmaTable.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

/// Bits of an integer, a float or a vector of those; 0 for other types.
static int64_t getBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth();
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

static LogicalResult checkBits(Operation *op, const Twine &value, Type type,
                               int64_t expected) {
  int64_t bits = getBits(type);
  if (bits == expected)
    return success();
  return op->emitError("emulator expects ")
         << value << " of " << expected << " bits, got " << type;
}

/// MLIR's operations take any operands of any type.
static LogicalResult checkOperands(Operation *op,
                                   const mfma::Instruction &instruction) {
  constexpr unsigned kNumOperands[] = {6, 9};
  unsigned expected = kNumOperands[instruction.isScaled];
  if (op->getNumOperands() != expected)
    return op->emitError("emulator expects ")
           << expected << " operands, got " << op->getNumOperands();
  int64_t perLane = mfma::elementsPerLane(instruction.shape);
  int64_t bits[] = {perLane * mfma::bitWidth(instruction.a),
                    perLane * mfma::bitWidth(instruction.b),
                    32 * mfma::resultsPerLane(instruction.shape)};
  // The size that a scaled instruction needs depends on operands.
  for (unsigned i = instruction.isScaled ? 2 : 0; i < expected; ++i)
    if (failed(checkBits(op, "operand " + Twine(i), op->getOperand(i).getType(),
                         i < 3 ? bits[i] : 32)))
      return failure();
  return checkBits(op, "a result", op->getResult(0).getType(), bits[2]);
}

FailureOr<unsigned>
mlir::lpgemm::emulator::selectInstruction(Operation *op,
                                          const EmulatedChip &chip) {
  StringRef name = op->getName().getStringRef();
  ChipSet havingIt = 0;
  SmallVector<unsigned> found;
  for (unsigned i = 0; i < mfma::kNumInstructions; ++i) {
    const mfma::Instruction &instruction = mfma::kInstructions[i];
    if (name != instruction.name)
      continue;
    havingIt |= instruction.chips;
    if (chip.chip == Chip::Unknown || instruction.chips & setOf(chip.chip))
      found.push_back(i);
  }
  if (found.empty())
    return emitNotOfChip(op, chip, havingIt);
  if (found.size() > 1)
    return emitChipNeeded(op, havingIt);
  if (failed(checkOperands(op, mfma::kInstructions[found.front()])))
    return failure();
  return found.front();
}
