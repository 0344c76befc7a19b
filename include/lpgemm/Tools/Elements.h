//===- Elements.h - elements of arrays --------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TOOLS_ELEMENTS_H
#define LPGEMM_TOOLS_ELEMENTS_H

#include "lpgemm/Numerics/AccuracyView.h"
#include "lpgemm/Support/Npy.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::lpgemm {

/// The format of a floating point type of at most 8 bits.
std::optional<ElementFormat> getFormat(Type type);

/// Whether elements of `type` are narrower than a byte.
bool isNarrow(Type type);

/// The type that elements of `type` are compared as.
std::optional<NumberType> getNumberType(Type type);

/// The type that elements of `type` have in a file.
std::optional<NpyType> getFileType(Type type);

/// "uint8": the name that NumPy gives a type.
StringRef getNumpyName(NpyType type);

/// A byte that, repeated, makes an element a NaN if its type has one.
uint8_t getPoisonByte(Type type);

/// All elements of an array as one row.
NumberView makeRow(const NpyArray &array, NumberType type);

/// The code of an element.
void setCode(NpyArray &array, int64_t index, uint64_t code);

/// The code of the element of `type` nearest to `value`.
uint64_t encodeElement(Type type, double value);

/// The same array with the sign of every element cleared.
NpyArray takeAbsolute(const NpyArray &array, Type type);

/// Rows of codes, one in a byte, to rows of bytes without gaps, and back. The
/// codes are those of a narrow type.
NpyArray packRows(const NpyArray &codes, Type type);
NpyArray unpackRows(const NpyArray &bytes, Type type, int64_t columns);

} // namespace mlir::lpgemm

#endif // LPGEMM_TOOLS_ELEMENTS_H
