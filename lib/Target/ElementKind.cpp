//===- ElementKind.cpp - element types of matrix operands -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Target/ElementKind.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
struct ElementKindInfo {
  StringLiteral name;
  bool (*is)(Type);
};
} // namespace

/// llvm::isa takes any class, so its address is ambiguous.
template <typename T>
static bool is(Type type) {
  return isa<T>(type);
}

// By ElementKind.
static constexpr ElementKindInfo kInfos[] = {
    {"f16", is<Float16Type>},
    {"bf16", is<BFloat16Type>},
    {"i8", [](Type type) { return type.isSignlessInteger(8); }},
    {"f8E4M3FN", is<Float8E4M3FNType>},
    {"f8E5M2", is<Float8E5M2Type>},
    {"f8E4M3FNUZ", is<Float8E4M3FNUZType>},
    {"f8E5M2FNUZ", is<Float8E5M2FNUZType>},
    {"f6E2M3FN", is<Float6E2M3FNType>},
    {"f6E3M2FN", is<Float6E3M2FNType>},
    {"f4E2M1FN", is<Float4E2M1FNType>},
    {"f8E8M0FNU", is<Float8E8M0FNUType>},
};

static constexpr ElementKind kKinds[] = {
    ElementKind::F16,        ElementKind::BF16,      ElementKind::I8,
    ElementKind::F8E4M3FN,   ElementKind::F8E5M2,    ElementKind::F8E4M3FNUZ,
    ElementKind::F8E5M2FNUZ, ElementKind::F6E2M3FN,  ElementKind::F6E3M2FN,
    ElementKind::F4E2M1FN,   ElementKind::F8E8M0FNU,
};
static_assert(std::size(kInfos) == std::size(kKinds));

ArrayRef<ElementKind> lpgemm::getElementKinds() { return kKinds; }

std::optional<ElementKind> lpgemm::getElementKind(Type type) {
  for (ElementKind kind : kKinds)
    if (kInfos[llvm::to_underlying(kind)].is(type))
      return kind;
  return std::nullopt;
}

StringRef lpgemm::stringifyElementKind(ElementKind kind) {
  return kInfos[llvm::to_underlying(kind)].name;
}

std::string lpgemm::listElementKinds(ArrayRef<ElementKind> kinds) {
  return llvm::join(llvm::map_range(kinds, stringifyElementKind), ", ");
}
