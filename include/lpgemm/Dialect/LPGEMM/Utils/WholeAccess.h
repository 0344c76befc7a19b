//===- WholeAccess.h - windows that are whole along K -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_UTILS_WHOLEACCESS_H
#define LPGEMM_DIALECT_LPGEMM_UTILS_WHOLEACCESS_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

/// What accesses to a window that is `whole` (`lpgemm.load`) ask of the source,
/// in the terms of `lpgemm.reach`.
struct WholeAccess {
  int64_t alignment, piece;
};

/// The accesses of these ops, by a workgroup of so many threads, if their
/// window may be whole: they are words of rows of the source, or single
/// elements.
std::optional<WholeAccess> getWholeAccess(CopyOp op, int64_t threads);
std::optional<WholeAccess> getWholeAccess(FetchOp op, int64_t threads);
std::optional<WholeAccess> getWholeAccess(LoadOp op);

/// Whether memory has words of the scales that `op` loads if its window is
/// whole, for instructions that take scales: those of 32 rows and 8 blocks of
/// K, or half of them, follow each other (`ScaleAttr.cpp`).
bool loadsScaleWords(LoadOp op);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_UTILS_WHOLEACCESS_H
