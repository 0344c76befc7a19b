//===- PackCodes.cpp - codes in words -------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lpgemm;

Value lpgemm::packCodes(ImplicitLocOpBuilder &b, ArrayRef<Value> codes,
                        int64_t bits) {
  int64_t numBits = codes.size() * bits;
  SmallVector<Value> words(llvm::divideCeil(numBits, 32), constantI32(b, 0));
  auto add = [&](int64_t word, Value part) {
    words[word] = b.createOrFold<arith::OrIOp>(part, words[word]);
  };
  for (auto [i, code] : llvm::enumerate(codes)) {
    int64_t word = i * bits / 32, shift = i * bits % 32;
    add(word, b.createOrFold<arith::ShLIOp>(code, constantI32(b, shift)));
    if (shift + bits > 32)
      add(word + 1,
          b.createOrFold<arith::ShRUIOp>(code, constantI32(b, 32 - shift)));
  }
  Value packed = vector::FromElementsOp::create(
      b, VectorType::get(words.size(), b.getI32Type()), words);
  if (numBits % 32 == 0)
    return packed;
  Value bytes = vector::BitCastOp::create(
      b, VectorType::get(4 * words.size(), b.getI8Type()), packed);
  auto mask = llvm::to_vector(llvm::seq(numBits / 8));
  return vector::ShuffleOp::create(b, bytes, bytes, mask);
}
