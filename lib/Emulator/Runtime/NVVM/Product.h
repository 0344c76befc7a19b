//===- Product.h - the product that tensor cores form -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_PRODUCT_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_PRODUCT_H

#include "lpgemm/Emulator/TensorCore.h"

namespace mlir::lpgemm::emulator::tensorcore {

/// Writes elements as doubles, in which all are exact: element i to
/// out[i * step]. Of tf32 the low 13 bits are ignored.
void decode(Element element, const uint8_t *bytes, unsigned count, double *out,
            unsigned step);

/// Two decoded operands, as groups of eight rows of A and columns of B.
struct Product {
  unsigned n;
  unsigned k;
  /// a[row * k + kIndex], 16 rows.
  const double *a;
  /// b[(column / 8 * k + kIndex) * 8 + column % 8].
  const double *b;
  Element typeA;
  Element typeB;
  Accumulator type;
  bool isWgmma;
};

/// D = A * B + C for the 16 rows of a warp. `c` and `d` have for each lane its
/// elements; they may be the same. Without `c`, D = A * B.
void multiply(const Product &product, const void *const *c, void *const *d,
              const Arithmetic &arithmetic);

} // namespace mlir::lpgemm::emulator::tensorcore

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_PRODUCT_H
