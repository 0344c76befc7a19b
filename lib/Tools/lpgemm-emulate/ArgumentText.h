//===- ArgumentText.h - arguments of a kernel as text -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_EMULATE_ARGUMENTTEXT_H
#define LPGEMM_LIB_TOOLS_LPGEMM_EMULATE_ARGUMENTTEXT_H

#include "lpgemm/Support/Npy.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>
#include <string>
#include <variant>

namespace mlir::lpgemm {

/// "i32=7".
struct ScalarText {
  Type type;
  /// Its low bytes are the value in memory.
  uint64_t bits;
};

/// How a buffer starts.
enum class InitKind : uint8_t { Zeros, Poison, Iota, Random, Codes, File };

/// "a:f32[64x64]=random:1".
struct BufferText {
  std::string name;
  Type type;
  SmallVector<int64_t> shape;
  InitKind kind;
  uint64_t seed = 0;
  std::string path;
};

/// "t:tensormap(a, box=64x128, swizzle=128)". Extents are counted from the
/// innermost dimension.
struct TensorMapText {
  std::string name;
  std::string buffer;
  SmallVector<int64_t> dims;
  SmallVector<int64_t> strides;
  SmallVector<int64_t> box;
  SmallVector<int64_t> steps;
  /// Indices into the enumerations of lpgemm/Emulator/TensorMap.h.
  unsigned swizzle = 0;
  unsigned interleave = 0;
  unsigned fill = 0;
};

struct ArgumentText {
  std::string text;
  std::variant<ScalarText, BufferText, TensorMapText> value;
};

/// Parses the value of an option, which is named in errors.
llvm::Expected<ArgumentText> parseArgument(StringRef option, StringRef text,
                                           MLIRContext *context);

/// "4x8"; none if the text is not such.
std::optional<SmallVector<int64_t>> parseExtents(StringRef text);

/// The sizes "x", "x,y" or "x,y,z" of an option.
llvm::Expected<std::array<int64_t, 3>> parseSizes(StringRef option,
                                                  StringRef text);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_EMULATE_ARGUMENTTEXT_H
