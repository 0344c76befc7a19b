//===- QuantizeFile.h - Quantize the matrix of a file -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TOOLS_LPGEMM_QUANTIZE_QUANTIZEFILE_H
#define LPGEMM_TOOLS_LPGEMM_QUANTIZE_QUANTIZEFILE_H

#include "llvm/Support/Error.h"
#include <string>

namespace mlir::lpgemm {

/// What lpgemm-quantize does, in the words of its command line.
struct QuantizeFileOptions {
  /// An .npy file of a matrix of f32 or f16.
  std::string input;
  /// The name of an element format, such as "f8E4M3FN".
  std::string format;
  /// The name of a scale rule, such as "rceil".
  std::string rule = "rceil";
  /// Receives the codes: bytes of [rows][columns], or [rows][ceil(columns / 2)]
  /// for a four-bit format.
  std::string output;
  /// Receives the scales: bytes of [rows][ceil(columns / 32)].
  std::string scales;
};

/// Quantizes a file with MX scales along the columns. On an error, which is one
/// line, no file is written.
llvm::Error quantizeFile(const QuantizeFileOptions &options);

} // namespace mlir::lpgemm

#endif // LPGEMM_TOOLS_LPGEMM_QUANTIZE_QUANTIZEFILE_H
