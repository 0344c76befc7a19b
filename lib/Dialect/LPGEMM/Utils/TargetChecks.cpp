//===- TargetChecks.cpp - what a chip can do for an op --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// The types with which the chip multiplies an operand of type `kind`, in the
/// order of ElementKind.
static SmallVector<ElementKind> getPartners(const TargetRecord &record,
                                            ElementKind kind) {
  SmallVector<ElementKind> partners;
  for (ElementKind other : getElementKinds())
    if (record.lookupProduct(kind, other))
      partners.push_back(other);
  return partners;
}

LogicalResult lpgemm::checkTypesOnTarget(Operation *op, Type lhs, Type rhs,
                                         const TargetRecord &record) {
  if (record.multiplies(lhs, rhs))
    return success();
  InFlightDiagnostic diagnostic =
      op->emitOpError() << "expects lhs and rhs of element types that "
                        << record.chip << " multiplies, both of one of "
                        << record.listMixes();
  if (!record.conversions.empty())
    diagnostic << " with " << record.listConversions();
  diagnostic << ", but got " << lhs << " x " << rhs;
  // The nearest legal form keeps the operand that the chip knows.
  for (Type type : {lhs, rhs}) {
    std::optional<ElementKind> kind = getElementKind(type);
    if (!kind)
      continue;
    SmallVector<ElementKind> partners = getPartners(record, *kind);
    if (partners.empty())
      continue;
    diagnostic << "; " << type << " goes with " << listElementKinds(partners);
    break;
  }
  return diagnostic;
}

LogicalResult lpgemm::checkLowering(Operation *op, const TargetRecord &record) {
  if (record.hasLowering())
    return success();
  return op->emitOpError() << "has " << describeMissingLowering(record);
}
