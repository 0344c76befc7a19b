//===- Dialect.cpp - C API: the lpgemm dialect ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm-c/Dialect.h"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "mlir/CAPI/Registration.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(LPGEMM, lpgemm, LPGEMMDialect)

//===----------------------------------------------------------------------===//
// ScaleAttr
//===----------------------------------------------------------------------===//

/// The layout called `name`, or an error at `loc`.
static std::optional<ScaleLayout> parseLayout(Location loc, StringRef name) {
  std::optional<ScaleLayout> layout = symbolizeScaleLayout(name);
  if (layout)
    return layout;
  SmallVector<StringRef> known;
  for (unsigned i = 0; i <= getMaxEnumValForScaleLayout(); ++i)
    known.push_back(stringifyScaleLayout(ScaleLayout(i)));
  emitError(loc) << "unknown scale layout '" << name << "', expected one of "
                 << llvm::join(known, ", ");
  return std::nullopt;
}

/// The same for a kind that implies its blocks.
static std::optional<ScaleKind> parseKind(Location loc, StringRef name) {
  std::optional<ScaleKind> kind = symbolizeScaleKind(name);
  if (kind && *kind != ScaleKind::Block)
    return kind;
  SmallVector<StringRef> known;
  for (unsigned i = 0; i <= getMaxEnumValForScaleKind(); ++i)
    if (ScaleKind(i) != ScaleKind::Block)
      known.push_back(stringifyScaleKind(ScaleKind(i)));
  emitError(loc) << "unknown scale kind '" << name << "', expected one of "
                 << llvm::join(known, ", ");
  return std::nullopt;
}

bool lpgemmAttributeIsAScale(MlirAttribute attr) {
  return isa<ScaleAttr>(unwrap(attr));
}

MlirAttribute lpgemmScaleAttrGetChecked(MlirLocation loc, MlirStringRef kind,
                                        MlirStringRef layout) {
  Location at = unwrap(loc);
  std::optional<ScaleKind> scaleKind = parseKind(at, unwrap(kind));
  std::optional<ScaleLayout> scaleLayout = parseLayout(at, unwrap(layout));
  if (!scaleKind || !scaleLayout)
    return wrap(Attribute());
  // With the default layout, which takes any kind, for the kind's blocks.
  auto blocks = ScaleAttr::get(at.getContext(), *scaleKind);
  return wrap(ScaleAttr::getChecked(
      [&] { return emitError(at); }, at.getContext(), *scaleKind,
      blocks.getOuterBlock(), blocks.getKBlock(), *scaleLayout));
}

MlirAttribute lpgemmScaleAttrGetBlockChecked(MlirLocation loc,
                                             int64_t outerBlock, int64_t kBlock,
                                             MlirStringRef layout) {
  Location at = unwrap(loc);
  std::optional<ScaleLayout> scaleLayout = parseLayout(at, unwrap(layout));
  if (!scaleLayout)
    return wrap(Attribute());
  return wrap(ScaleAttr::getChecked([&] { return emitError(at); },
                                    at.getContext(), ScaleKind::Block,
                                    outerBlock, kBlock, *scaleLayout));
}

MlirStringRef lpgemmScaleAttrGetKind(MlirAttribute attr) {
  return wrap(stringifyScaleKind(cast<ScaleAttr>(unwrap(attr)).getKind()));
}

MlirStringRef lpgemmScaleAttrGetLayout(MlirAttribute attr) {
  return wrap(stringifyScaleLayout(cast<ScaleAttr>(unwrap(attr)).getLayout()));
}

int64_t lpgemmScaleAttrGetOuterBlock(MlirAttribute attr) {
  return cast<ScaleAttr>(unwrap(attr)).getOuterBlock();
}

int64_t lpgemmScaleAttrGetKBlock(MlirAttribute attr) {
  return cast<ScaleAttr>(unwrap(attr)).getKBlock();
}

//===----------------------------------------------------------------------===//
// TargetAttr
//===----------------------------------------------------------------------===//

bool lpgemmAttributeIsATarget(MlirAttribute attr) {
  return isa<TargetAttr>(unwrap(attr));
}

MlirAttribute lpgemmTargetAttrGetChecked(MlirLocation loc, MlirStringRef chip) {
  Location at = unwrap(loc);
  return wrap(TargetAttr::getChecked([&] { return emitError(at); },
                                     at.getContext(), unwrap(chip)));
}

MlirStringRef lpgemmTargetAttrGetChip(MlirAttribute attr) {
  return wrap(cast<TargetAttr>(unwrap(attr)).getChip());
}
