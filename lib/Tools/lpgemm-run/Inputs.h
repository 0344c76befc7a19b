//===- Inputs.h - arguments from files and generators -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_INPUTS_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_INPUTS_H

#include "Signature.h"
#include "lpgemm/Numerics/Formats.h"
#include "lpgemm/Support/Npy.h"

namespace mlir::lpgemm {

/// How elements are generated; see the overview of lpgemm-run.
enum class InitKind { Normal, Codes, Exact };

/// Longer sums are not exact with InitKind::Exact.
constexpr int64_t kLargestExactK = 1 << 16;

struct InitMode {
  InitKind kind;
  uint64_t seed;
};

/// Reads "KIND:SEED".
llvm::Expected<InitMode> parseInit(StringRef text);

/// Reads "MxNxK".
llvm::Expected<ProblemSize> parseSize(StringRef text);

/// The format of an 8-bit floating point type.
std::optional<ElementFormat> getFormat(Type type);

/// The type that elements of `type` have in a file.
std::optional<NpyType> getFileType(Type type);

/// "uint8": the name that NumPy gives a type.
StringRef getNumpyName(NpyType type);

/// A byte that, repeated, makes an element a NaN if its type has one.
uint8_t getPoisonByte(Type type);

/// Reads the file of an argument and checks its element type.
llvm::Expected<NpyArray> readArgument(const Signature &signature,
                                      unsigned argument, StringRef path);

/// Makes the elements of an argument; they differ for each argument.
llvm::Expected<NpyArray> generateArgument(const Signature &signature,
                                          unsigned argument,
                                          ArrayRef<int64_t> shape,
                                          InitMode mode);

/// The same array with the sign of every code cleared.
NpyArray takeAbsolute(const NpyArray &array, Type type);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_INPUTS_H
