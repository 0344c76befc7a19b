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
  Type (*make)(MLIRContext *);
};
} // namespace

/// Of a type that its class alone tells.
template <typename T>
static constexpr ElementKindInfo infoOf(StringLiteral name) {
  return {name, [](Type type) { return isa<T>(type); },
          [](MLIRContext *context) -> Type { return T::get(context); }};
}

// By ElementKind.
static constexpr ElementKindInfo kInfos[] = {
    infoOf<Float16Type>("f16"),
    infoOf<BFloat16Type>("bf16"),
    {"i8", [](Type type) { return type.isSignlessInteger(8); },
     [](MLIRContext *context) -> Type { return IntegerType::get(context, 8); }},
    infoOf<Float8E4M3FNType>("f8E4M3FN"),
    infoOf<Float8E5M2Type>("f8E5M2"),
    infoOf<Float8E4M3FNUZType>("f8E4M3FNUZ"),
    infoOf<Float8E5M2FNUZType>("f8E5M2FNUZ"),
    infoOf<Float6E2M3FNType>("f6E2M3FN"),
    infoOf<Float6E3M2FNType>("f6E3M2FN"),
    infoOf<Float4E2M1FNType>("f4E2M1FN"),
    infoOf<Float8E8M0FNUType>("f8E8M0FNU"),
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

Type lpgemm::getElementType(ElementKind kind, MLIRContext *context) {
  return kInfos[llvm::to_underlying(kind)].make(context);
}

StringRef lpgemm::stringifyElementKind(ElementKind kind) {
  return kInfos[llvm::to_underlying(kind)].name;
}

std::string lpgemm::listElementKinds(ArrayRef<ElementKind> kinds) {
  return llvm::join(llvm::map_range(kinds, stringifyElementKind), ", ");
}
