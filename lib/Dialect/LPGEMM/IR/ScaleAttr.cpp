//===- ScaleAttr.cpp - granularity and layout of scales -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Kinds (rule S-4 of docs/spec.md)
//===----------------------------------------------------------------------===//

static bool isF32(Type type) { return type.isF32(); }
static bool isF32OrBF16(Type type) { return type.isF32() || type.isBF16(); }
static bool isE8M0(Type type) { return isa<Float8E8M0FNUType>(type); }
static bool isE4M3(Type type) { return isa<Float8E4M3FNType>(type); }
static bool isBlockScale(Type type) {
  return isF32OrBF16(type) || isE8M0(type);
}

static bool isNarrow(Type type) { return type.getIntOrFloatBitWidth() <= 8; }
/// The formats of OCP Microscaling Formats v1.0, section 5.2, without INT8.
static bool isMXElement(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float6E2M3FNType,
             Float6E3M2FNType, Float4E2M1FNType>(type);
}
static bool isFP4(Type type) { return isa<Float4E2M1FNType>(type); }

namespace {
struct ScaleKindInfo {
  ScaleKind kind;
  /// Elements that share a scale, along M or N and along K; 0: all of them.
  /// Given by the attribute for `Block`.
  int64_t outerBlock, kBlock;
  bool (*takes)(Type scaleType);
  StringLiteral types;
  bool (*scales)(Type elementType);
};
} // namespace

static constexpr ScaleKindInfo kKinds[] = {
    {ScaleKind::Tensor, 0, 0, isF32, "'f32'", isNarrow},
    {ScaleKind::Row, 1, 0, isF32OrBF16, "'f32' or 'bf16'", isNarrow},
    {ScaleKind::Column, 1, 0, isF32OrBF16, "'f32' or 'bf16'", isNarrow},
    {ScaleKind::Block, -1, -1, isBlockScale, "'f32', 'bf16' or 'f8E8M0FNU'",
     isNarrow},
    {ScaleKind::MX, 1, 32, isE8M0, "'f8E8M0FNU'", isMXElement},
    {ScaleKind::NVFP4, 1, 16, isE4M3, "'f8E4M3FN'", isFP4},
    {ScaleKind::NVFP4_2D, 16, 16, isE4M3, "'f8E4M3FN'", isFP4},
};

static const ScaleKindInfo &getInfo(ScaleKind kind) {
  const ScaleKindInfo &info = kKinds[static_cast<unsigned>(kind)];
  assert(info.kind == kind && "the table is in the order of the kinds");
  return info;
}

bool ScaleAttr::takesElementType(Type type) const {
  return getInfo(getKind()).takes(type);
}

StringRef ScaleAttr::describeElementTypes() const {
  return getInfo(getKind()).types;
}

bool ScaleAttr::scalesElementType(Type type) const {
  return getInfo(getKind()).scales(type);
}

static std::string getKindName(ScaleKind kind, int64_t outerBlock,
                               int64_t kBlock) {
  if (kind != ScaleKind::Block)
    return stringifyScaleKind(kind).str();
  return std::to_string(outerBlock) + "x" + std::to_string(kBlock);
}

std::string ScaleAttr::getKindName() const {
  return ::getKindName(getKind(), getOuterBlock(), getKBlock());
}

ScaleAttr ScaleAttr::get(MLIRContext *context, ScaleKind kind,
                         ScaleLayout layout) {
  const ScaleKindInfo &info = getInfo(kind);
  return get(context, kind, info.outerBlock, info.kBlock, layout);
}

//===----------------------------------------------------------------------===//
// Layouts (rules SL-0 to SL-6 of docs/spec.md)
//===----------------------------------------------------------------------===//

namespace {
using Exprs = SmallVector<AffineExpr>;
struct ScaleLayoutInfo {
  ScaleLayout layout;
  /// Shape for `rows` outer blocks, `blocks` blocks of K and scales of `bytes`.
  Exprs (*shape)(AffineExpr rows, AffineExpr blocks, int64_t bytes);
  Exprs (*index)(AffineExpr r, AffineExpr b);
  /// What the layout can hold: a scale type, and the blocks of a kind.
  bool (*takes)(Type scaleType);
  StringLiteral types;
  bool (*fits)(int64_t outerBlock, int64_t kBlock);
  StringLiteral kinds;
  uint8_t padding;
};
} // namespace

static AffineExpr roundUp(AffineExpr x, int64_t multiple) {
  return x.ceilDiv(multiple) * multiple;
}
static AffineExpr constant(AffineExpr x, int64_t value) {
  return getAffineConstantExpr(value, x.getContext());
}

static bool anyScale(Type) { return true; }
static bool isByte(Type type) { return isE8M0(type) || isE4M3(type); }
static bool hasBlocks(int64_t, int64_t kBlock) { return kBlock != 0; }
static bool hasRowBlocks(int64_t outerBlock, int64_t kBlock) {
  return outerBlock == 1 && kBlock != 0;
}
static bool is128x128(int64_t outerBlock, int64_t kBlock) {
  return outerBlock == 128 && kBlock == 128;
}
static bool is1x32(int64_t outerBlock, int64_t kBlock) {
  return outerBlock == 1 && kBlock == 32;
}

// Sources: cuBLAS documentation, "Narrow precision data types usage" (col,
// blk128x128, swz128x4); DeepGEMM, utils/layout and csrc/jit_kernels (mn_tma,
// mn_tma_ue8m0x4); ROCm/aiter, utility/fp4_utils (amd32x8).
static constexpr ScaleLayoutInfo kLayouts[] = {
    {ScaleLayout::Row,
     [](AffineExpr rows, AffineExpr blocks, int64_t) {
       return Exprs{rows, blocks};
     },
     [](AffineExpr r, AffineExpr b) { return Exprs{r, b}; }, anyScale, "any",
     [](int64_t, int64_t) { return true; }, "any blocks", 0},
    {ScaleLayout::Col,
     [](AffineExpr rows, AffineExpr blocks, int64_t) {
       return Exprs{blocks, roundUp(rows, 4)};
     },
     [](AffineExpr r, AffineExpr b) { return Exprs{b, r}; }, anyScale, "any",
     hasBlocks, "blocks along K", 0},
    {ScaleLayout::MNTMA,
     [](AffineExpr rows, AffineExpr blocks, int64_t bytes) {
       return Exprs{blocks, roundUp(rows, 16 / bytes)};
     },
     [](AffineExpr r, AffineExpr b) { return Exprs{b, r}; }, isF32OrBF16,
     "'f32' or 'bf16'", hasBlocks, "blocks along K", 0},
    {ScaleLayout::MNTMAUE8M0x4,
     [](AffineExpr rows, AffineExpr blocks, int64_t) {
       return Exprs{blocks.ceilDiv(4), roundUp(rows, 4), constant(rows, 4)};
     },
     [](AffineExpr r, AffineExpr b) { return Exprs{b.floorDiv(4), r, b % 4}; },
     isE8M0, "'f8E8M0FNU'", hasRowBlocks, "1xG blocks", 0},
    {ScaleLayout::Blk128x128,
     [](AffineExpr rows, AffineExpr blocks, int64_t) {
       return Exprs{rows, roundUp(blocks, 4)};
     },
     [](AffineExpr r, AffineExpr b) { return Exprs{r, b}; }, isF32, "'f32'",
     is128x128, "128x128 blocks", 0},
    {ScaleLayout::Swz128x4,
     [](AffineExpr rows, AffineExpr blocks, int64_t) {
       return Exprs{rows.ceilDiv(128), blocks.ceilDiv(4), constant(rows, 32),
                    constant(rows, 4), constant(rows, 4)};
     },
     [](AffineExpr r, AffineExpr b) {
       return Exprs{r.floorDiv(128), b.floorDiv(4), r % 32,
                    (r % 128).floorDiv(32), b % 4};
     },
     isByte, "'f8E8M0FNU' or 'f8E4M3FN'", hasRowBlocks, "1xG blocks", 0},
    {ScaleLayout::AMD32x8,
     [](AffineExpr rows, AffineExpr blocks, int64_t) {
       return Exprs{rows.ceilDiv(256) * 8, blocks.ceilDiv(8),
                    constant(rows, 4),     constant(rows, 16),
                    constant(rows, 2),     constant(rows, 2)};
     },
     [](AffineExpr r, AffineExpr b) {
       return Exprs{r.floorDiv(32), b.floorDiv(8),       b % 4,
                    r % 16,         (b % 8).floorDiv(4), (r % 32).floorDiv(16)};
     },
     isE8M0, "'f8E8M0FNU'", is1x32, "1x32 blocks", 0x7F},
};

static const ScaleLayoutInfo &getInfo(ScaleLayout layout) {
  const ScaleLayoutInfo &info = kLayouts[static_cast<unsigned>(layout)];
  assert(info.layout == layout && "the table is in the order of the layouts");
  return info;
}

SmallVector<AffineExpr> ScaleAttr::getStorageShape(AffineExpr outer,
                                                   AffineExpr k, bool kFirst,
                                                   Type type) const {
  if (getKind() == ScaleKind::Tensor)
    return {};
  if (!hasKBlocks())
    return {outer};
  return getLayoutShape(outer.ceilDiv(getOuterBlock()), k.ceilDiv(getKBlock()),
                        kFirst, type);
}

SmallVector<AffineExpr> ScaleAttr::getLayoutShape(AffineExpr rows,
                                                  AffineExpr blocks,
                                                  bool kFirst,
                                                  Type type) const {
  int64_t bytes = type.getIntOrFloatBitWidth() / 8;
  Exprs shape = getInfo(getLayout()).shape(rows, blocks, bytes);
  if (kFirst && getLayout() == ScaleLayout::Row)
    std::swap(shape[0], shape[1]);
  return shape;
}

SmallVector<AffineExpr> ScaleAttr::getStorageIndex(AffineExpr r, AffineExpr b,
                                                   bool kFirst) const {
  if (getKind() == ScaleKind::Tensor)
    return {};
  if (!hasKBlocks())
    return {r};
  Exprs index = getInfo(getLayout()).index(r, b);
  if (kFirst && getLayout() == ScaleLayout::Row)
    std::swap(index[0], index[1]);
  return index;
}

SmallVector<AffineExpr>
ScaleAttr::getMatrixShape(AffineExpr outer, AffineExpr k, bool kFirst) const {
  if (getKind() == ScaleKind::Tensor)
    return {};
  if (!hasKBlocks())
    return {outer};
  Exprs shape = {outer.ceilDiv(getOuterBlock()), k.ceilDiv(getKBlock())};
  if (isStoredKFirst(kFirst))
    std::swap(shape[0], shape[1]);
  return shape;
}

bool ScaleAttr::hasTiledLayout() const {
  AffineExpr zero = getAffineConstantExpr(0, getContext());
  return hasKBlocks() && getInfo(getLayout()).index(zero, zero).size() > 2;
}

SmallVector<int64_t> ScaleAttr::getInnerStrides() const {
  AffineExpr r = getAffineDimExpr(0, getContext());
  AffineExpr b = getAffineDimExpr(1, getContext());
  Exprs shape = getInfo(getLayout()).shape(r, b, 1);
  SmallVector<int64_t> strides = {1};
  for (AffineExpr size : llvm::reverse(ArrayRef(shape).drop_front(2)))
    strides.push_back(strides.back() *
                      cast<AffineConstantExpr>(size).getValue());
  std::reverse(strides.begin(), strides.end());
  return strides;
}

/// (SL-1, SL-2) Of the other matrices two have the blocks of K first.
bool ScaleAttr::isStoredKFirst(bool kFirst) const {
  switch (getLayout()) {
  case ScaleLayout::Row:
    return kFirst;
  case ScaleLayout::Col:
  case ScaleLayout::MNTMA:
    return true;
  default:
    return false;
  }
}

uint8_t ScaleAttr::getPaddingByte() const {
  return getInfo(getLayout()).padding;
}

bool ScaleAttr::layoutTakesElementType(Type type) const {
  return getInfo(getLayout()).takes(type);
}

StringRef ScaleAttr::describeLayoutElementTypes() const {
  return getInfo(getLayout()).types;
}

//===----------------------------------------------------------------------===//
// Verifier and syntax
//===----------------------------------------------------------------------===//

/// (SC1), (SC2)
LogicalResult ScaleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                ScaleKind kind, int64_t outerBlock,
                                int64_t kBlock, ScaleLayout layout) {
  const ScaleKindInfo &info = getInfo(kind);
  if (kind != ScaleKind::Block) {
    if (outerBlock != info.outerBlock || kBlock != info.kBlock)
      return emitError() << "expects the blocks of kind "
                         << stringifyScaleKind(kind) << " to be "
                         << info.outerBlock << "x" << info.kBlock
                         << ", but got " << outerBlock << "x" << kBlock;
  } else if (kBlock < 1 || (outerBlock != 1 && outerBlock != kBlock)) {
    return emitError() << "expects blocks of 1xG or GxG, such as 1x"
                       << (kBlock < 1 ? 32 : kBlock) << ", but got "
                       << outerBlock << "x" << kBlock;
  }
  const ScaleLayoutInfo &layoutInfo = getInfo(layout);
  if (!layoutInfo.fits(outerBlock, kBlock))
    return emitError() << "expects layout " << stringifyScaleLayout(layout)
                       << " with " << layoutInfo.kinds << ", but got kind "
                       << ::getKindName(kind, outerBlock, kBlock);
  return success();
}

/// The name of a kind, or the sizes of its blocks.
static ParseResult parseKind(AsmParser &parser, ScaleKind &kind,
                             SmallVectorImpl<int64_t> &block) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (succeeded(parser.parseOptionalKeyword(&name))) {
    std::optional<ScaleKind> named = symbolizeScaleKind(name);
    if (!named || *named == ScaleKind::Block)
      return parser.emitError(loc)
             << "expects the kind of a scale: tensor, row, column, 1xG, GxG, "
                "mx, nvfp4 or nvfp4_2d, but got '"
             << name << "'";
    kind = *named;
    block.assign({getInfo(kind).outerBlock, getInfo(kind).kBlock});
    return success();
  }
  kind = ScaleKind::Block;
  if (parser.parseDimensionList(block, /*allowDynamic=*/false,
                                /*withTrailingX=*/false))
    return failure();
  if (block.size() != 2)
    return parser.emitError(loc)
           << "expects blocks of 1xG or GxG, such as 1x32, but got "
           << block.size() << " numbers";
  return success();
}

Attribute ScaleAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  ScaleKind kind;
  SmallVector<int64_t, 2> block;
  if (parser.parseLess() || failed(parseKind(parser, kind, block)))
    return {};
  FailureOr<ScaleLayout> layout = ScaleLayout::Row;
  if (succeeded(parser.parseOptionalComma()))
    if (parser.parseKeyword("layout") || parser.parseEqual() ||
        failed(layout = FieldParser<ScaleLayout>::parse(parser)))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ScaleAttr>(loc, parser.getContext(), kind, block[0],
                                      block[1], *layout);
}

void ScaleAttr::print(AsmPrinter &printer) const {
  printer << "<" << getKindName();
  if (getLayout() != ScaleLayout::Row)
    printer << ", layout = " << stringifyScaleLayout(getLayout());
  printer << ">";
}
