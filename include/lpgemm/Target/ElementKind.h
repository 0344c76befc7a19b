//===- ElementKind.h - element types of matrix operands ---------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TARGET_ELEMENTKIND_H
#define LPGEMM_TARGET_ELEMENTKIND_H

#include "mlir/IR/Types.h"
#include "mlir/Support/LLVM.h"
#include <optional>

namespace mlir::lpgemm {

/// The element types of operands and scales that tables of chips speak about.
/// A table is static data, which an MLIR type, owned by a context, cannot be.
enum class ElementKind : uint8_t {
  F16,
  BF16,
  I8,
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
  F6E2M3FN,
  F6E3M2FN,
  F4E2M1FN,
  F8E8M0FNU
};

/// All of them, in the order of the enumeration.
ArrayRef<ElementKind> getElementKinds();

/// None for a type that no table speaks about.
std::optional<ElementKind> getElementKind(Type type);

Type getElementType(ElementKind kind, MLIRContext *context);

/// The type as MLIR spells it, such as "f8E4M3FN".
StringRef stringifyElementKind(ElementKind kind);

/// "f16, bf16".
std::string listElementKinds(ArrayRef<ElementKind> kinds);

} // namespace mlir::lpgemm

#endif // LPGEMM_TARGET_ELEMENTKIND_H
