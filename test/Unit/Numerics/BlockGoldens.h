//===- BlockGoldens.h - Quantized blocks ------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TEST_UNIT_NUMERICS_BLOCKGOLDENS_H
#define LPGEMM_TEST_UNIT_NUMERICS_BLOCKGOLDENS_H

#include "lpgemm/Numerics/Quantize.h"
#include <array>
#include <cfloat>

namespace mlir::lpgemm {

/// A scale code and the codes of the values.
struct BlockResult {
  uint8_t scale;
  std::vector<uint8_t> codes;
};

/// The values at the start of a block of an f8E8M0FNU scale, whose others are
/// zero, and what the rules of S-14 make of it.
struct BlockGolden {
  ElementFormat format;
  std::vector<float> values;
  BlockResult floor, rceil, ceil, even;

  std::array<std::pair<ScaleRule, BlockResult>, 4> getResults() const {
    return {{{ScaleRule::Floor, floor},
             {ScaleRule::RCeil, rceil},
             {ScaleRule::Ceil, ceil},
             {ScaleRule::Even, even}}};
  }
};

inline BlockGolden sameForAll(ElementFormat format, std::vector<float> values,
                              BlockResult result) {
  return {format, values, result, result, result, result};
}

inline const BlockGolden blockGoldens[] = {
    sameForAll(ElementFormat::F8E4M3FN, {0, 0}, {0x00, {0, 0}}),
    {ElementFormat::F8E4M3FN,
     {448, 1, -0.5f},
     {0x7F, {0x7E, 0x38, 0xB0}},
     {0x7F, {0x7E, 0x38, 0xB0}},
     {0x80, {0x76, 0x30, 0xA8}},
     {0x7F, {0x7E, 0x38, 0xB0}}},
    {ElementFormat::F8E4M3FN,
     {449, -448, 1.0625f},
     {0x7F, {0x7E, 0xFE, 0x38}},
     {0x80, {0x76, 0xF6, 0x30}},
     {0x80, {0x76, 0xF6, 0x30}},
     {0x7F, {0x7E, 0xFE, 0x38}}},
    // FLOOR clamps 480 to 448.
    {ElementFormat::F8E4M3FN,
     {480, -3},
     {0x7F, {0x7E, 0xC4}},
     {0x80, {0x77, 0xBC}},
     {0x80, {0x77, 0xBC}},
     {0x7F, {0x7E, 0xC4}}},
    {ElementFormat::F8E4M3FN,
     {0x1.c00002p8f, 7},
     {0x7F, {0x7E, 0x4E}},
     {0x80, {0x76, 0x46}},
     {0x80, {0x76, 0x46}},
     {0x7F, {0x7E, 0x4E}}},
    sameForAll(ElementFormat::F8E4M3FN, {512, 17}, {0x80, {0x78, 0x50}}),
    sameForAll(ElementFormat::F8E4M3FN, {1, -0.3f, 0.001f},
               {0x77, {0x78, 0xEA, 0x28}}),
    {ElementFormat::F8E4M3FN,
     {FLT_MAX, 1},
     {0xF6, {0x7E, 0x00}},
     {0xF7, {0x78, 0x00}},
     {0xF7, {0x78, 0x00}},
     {0xF7, {0x78, 0x00}}},
    // S-15: the scale 2^-127 and subnormal inputs.
    sameForAll(ElementFormat::F8E4M3FN, {0x1p-126f, -0x1p-127f},
               {0x00, {0x40, 0xB8}}),
    sameForAll(ElementFormat::F8E4M3FN, {1e-40f, 0x1p-149f},
               {0x00, {0x09, 0x00}}),
    {ElementFormat::F8E5M2,
     {61440, 3},
     {0x7F, {0x7B, 0x42}},
     {0x80, {0x78, 0x3E}},
     {0x80, {0x78, 0x3E}},
     {0x80, {0x78, 0x3E}}},
    {ElementFormat::F6E2M3FN,
     {7.5f, 1.0625f, -0.0625f},
     {0x7F, {0x1F, 0x08, 0x20}},
     {0x7F, {0x1F, 0x08, 0x20}},
     {0x80, {0x17, 0x04, 0x20}},
     {0x7F, {0x1F, 0x08, 0x20}}},
    {ElementFormat::F6E2M3FN,
     {7.75f, 1},
     {0x7F, {0x1F, 0x08}},
     {0x80, {0x18, 0x04}},
     {0x80, {0x18, 0x04}},
     {0x80, {0x18, 0x04}}},
    {ElementFormat::F6E3M2FN,
     {30, 1},
     {0x7F, {0x1F, 0x0C}},
     {0x80, {0x1C, 0x08}},
     {0x80, {0x1C, 0x08}},
     {0x80, {0x1C, 0x08}}},
    {ElementFormat::F4E2M1FN,
     {6, 2.5f, -5, .25f, .75f, 1.25f, 1.75f, 3.5f},
     {0x7F, {7, 4, 0xE, 0, 2, 2, 4, 6}},
     {0x7F, {7, 4, 0xE, 0, 2, 2, 4, 6}},
     {0x80, {5, 2, 0xC, 0, 1, 1, 2, 4}},
     {0x7F, {7, 4, 0xE, 0, 2, 2, 4, 6}}},
    {ElementFormat::F4E2M1FN,
     {7, 3, -1},
     {0x7F, {7, 5, 0xA}},
     {0x80, {6, 3, 9}},
     {0x80, {6, 3, 9}},
     {0x80, {6, 3, 9}}},
    {ElementFormat::F4E2M1FN,
     {4.5f, 2.5f, 0.7f},
     {0x7F, {6, 4, 1}},
     {0x7F, {6, 4, 1}},
     {0x80, {4, 2, 1}},
     {0x7F, {6, 4, 1}}},
    sameForAll(ElementFormat::F4E2M1FN, {4, -4, 1}, {0x7F, {6, 0xE, 2}}),
    {ElementFormat::F4E2M1FN,
     {0.1f, -0.02f, 0.05f},
     {0x79, {7, 0xB, 5}},
     {0x7A, {5, 9, 3}},
     {0x7A, {5, 9, 3}},
     {0x79, {7, 0xB, 5}}},
    {ElementFormat::F4E2M1FN,
     {0x1.800002p2f, 1},
     {0x7F, {7, 2}},
     {0x80, {5, 1}},
     {0x80, {5, 1}},
     {0x7F, {7, 2}}},
    {ElementFormat::F4E2M1FN,
     {5, -2.5f, 1.25f},
     {0x7F, {6, 0xC, 2}},
     {0x7F, {6, 0xC, 2}},
     {0x80, {4, 0xA, 1}},
     {0x7F, {6, 0xC, 2}}},
};

/// The same for f8E4M3FN scales under a scale of the tensor (S-16).
struct TensorGolden {
  float tensorAmax;
  std::vector<float> values;
  float encodeScale;
  uint8_t scale;
  std::vector<uint8_t> codes;
  std::vector<double> dequantized;
};

inline const TensorGolden tensorGoldens[] = {
    {2688, {6, -3, 1}, 1, 0x38, {7, 0xD, 2}, {6, -3, 1}},
    {2688, {2688, -1344}, 1, 0x7E, {7, 0xD}, {2688, -1344}},
    {1, {1, -0.5f, 0.1f}, 2688, 0x7E, {7, 0xD, 1}, {1, -0.5, 0.0833333}},
    {1, {0.01f, -0.004f}, 2688, 0x49, {7, 0xC}, {0.0100446, -0.00334821}},
    {10,
     {0.37f, -0.22f, 0.05f},
     0x1.0cccccp8f,
     0x58,
     {7, 0xE, 2},
     {0.357143, -0.238095, 0.0595238}},
    {1, {1e-6f, 5e-7f}, 2688, 0x00, {0, 0}, {0, 0}},
    {3, {0, 0}, 896, 0x00, {0, 0}, {0, 0}},
    {0, {0}, 1, 0x00, {0}, {0}},
};

} // namespace mlir::lpgemm

#endif // LPGEMM_TEST_UNIT_NUMERICS_BLOCKGOLDENS_H
