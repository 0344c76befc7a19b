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
#include <cstdint>
#include <optional>
#include <string>

namespace mlir::lpgemm {

/// What lpgemm-quantize does, in the words of its command line, whose help says
/// what they mean.
struct QuantizeFileOptions {
  /// An .npy file of a matrix of f32 or f16.
  std::string input;

  std::string format;
  std::string scale = "mx";
  /// Empty: as the scaling asks for.
  std::string scaleType;
  std::string rule;
  bool reciprocal = false;
  float amaxFloor = 0;
  float minScale = 0;
  std::string nonFinite = "nan";
  double percentile = 1;
  std::optional<float> tensorAmax;
  std::optional<std::string> givenScales;

  std::string overflow = "sat";
  std::string round = "rne";
  std::optional<uint64_t> seed;

  bool packed = false;
  std::string codeLayout = "row";
  std::string layout = "row";

  /// Receives the codes.
  std::string output;
  /// Receives the scales.
  std::string scales;
  /// Receives the scale of the tensor.
  std::optional<std::string> tensorScale;
  /// Receives the largest magnitude.
  std::optional<std::string> amax;
};

/// The options of a command line; exits on one that is malformed.
QuantizeFileOptions parseQuantizeFileOptions(int argc, char **argv);

/// Quantizes a file. On an error, which is one line, no file is written.
llvm::Error quantizeFile(const QuantizeFileOptions &options);

} // namespace mlir::lpgemm

#endif // LPGEMM_TOOLS_LPGEMM_QUANTIZE_QUANTIZEFILE_H
