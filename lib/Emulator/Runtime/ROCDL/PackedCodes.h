//===- PackedCodes.h - codes without gaps -----------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_ROCDL_PACKEDCODES_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_ROCDL_PACKEDCODES_H

#include <algorithm>
#include <cstdint>

namespace mlir::lpgemm::emulator {

/// Calls a function for each part of a code that lies in one byte: with the
/// byte's index, the part's first bit in the byte and in the code, and its
/// mask.
template <typename Fn>
void forEachPart(unsigned index, unsigned bits, Fn &&visit) {
  for (unsigned done = 0; done < bits;) {
    unsigned bit = index * bits + done;
    unsigned count = std::min(8 - bit % 8, bits - done);
    visit(bit / 8, bit % 8, done, (1u << count) - 1);
    done += count;
  }
}

/// Code number `index` of `bits` bits each, at most 16, the lowest first.
inline unsigned readCode(const void *codes, unsigned index, unsigned bits) {
  unsigned code = 0;
  forEachPart(index, bits,
              [&](unsigned byte, unsigned bit, unsigned done, unsigned mask) {
                unsigned value = static_cast<const uint8_t *>(codes)[byte];
                code |= (value >> bit & mask) << done;
              });
  return code;
}

inline void writeCode(void *codes, unsigned index, unsigned bits,
                      unsigned code) {
  forEachPart(index, bits,
              [&](unsigned byte, unsigned bit, unsigned done, unsigned mask) {
                uint8_t &value = static_cast<uint8_t *>(codes)[byte];
                value = (value & ~(mask << bit)) | (code >> done & mask) << bit;
              });
}

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_ROCDL_PACKEDCODES_H
