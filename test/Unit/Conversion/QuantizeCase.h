//===- QuantizeCase.h - a quantization to test ------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An lpgemm.quantize and the lpgemm.dequantize of its results, with what the
// host library, which shares no code with the lowering, makes of the same
// values.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TEST_UNIT_CONVERSION_QUANTIZECASE_H
#define LPGEMM_TEST_UNIT_CONVERSION_QUANTIZECASE_H

#include "OpJit.h"
#include "lpgemm/Numerics/Layouts.h"
#include "lpgemm/Numerics/Packing.h"
#include "lpgemm/Numerics/Quantize.h"

namespace mlir::lpgemm {

/// Where the f32 scale of a tensor comes from.
enum class TensorScaleSource { None, Found, Given };

struct QuantizeCase {
  std::string kind;
  /// With the block of the kind.
  QuantizeOptions options;
  BufferLayout layout = BufferLayout::Row;
  std::string inputType = "f32";
  bool transposed = false;
  /// Scales of every kind are given, also zero, negative and NaN.
  bool scalesGiven = false;
  bool saturateScale = false;
  TensorScaleSource tensorScale = TensorScaleSource::None;
  /// The tensor scale that is given.
  float givenTensorScale = 1;
  int64_t batch = 0;

  /// A name for messages and functions.
  std::string getName() const;
  /// The functions "<name>" and "<name>_back".
  std::string getFunctions() const;
  /// Runs both on a matrix, or as many as the batch has, of values of the input
  /// type, row by row, and compares each bit.
  void check(OpJit &jit, std::vector<float> values, int64_t rows,
             int64_t columns) const;

private:
  struct Run;
  std::string getCodeType() const;
  std::string getScaleAttr() const;
  std::string getQuantizeOp() const;
  std::string getDequantizeOp() const;
  std::string getScaleMemRef() const;
  std::string getMemRef(const std::string &type) const;
  unsigned getCodeBits() const;
  bool isPacked() const { return getCodeBits() < 8; }
  std::vector<int64_t> getShape(int64_t rows, int64_t columns) const;
  std::vector<int64_t> getScaleShape(int64_t rows, int64_t columns) const;
  std::vector<float> makeScales(int64_t count) const;
  Run makeRun(llvm::ArrayRef<float> values, int64_t rows,
              int64_t columns) const;
  /// The options for matrix `index` of the batch.
  QuantizeOptions getHostOptions(int64_t index, int64_t size,
                                 float tensorAmax) const;
  std::vector<uint8_t> storeCodes(const QuantizedMatrix &matrix) const;
  std::vector<uint8_t> storeScales(const QuantizedMatrix &matrix) const;
};

/// A value of f32, bf16 or f16 next to `value`, and its bits.
uint32_t roundToBits(llvm::StringRef type, double value);
float readBits(llvm::StringRef type, uint32_t bits);

} // namespace mlir::lpgemm

#endif // LPGEMM_TEST_UNIT_CONVERSION_QUANTIZECASE_H
