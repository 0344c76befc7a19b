//===- EpilogueBound.h - errors behind an epilogue --------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_EPILOGUEBOUND_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_EPILOGUEBOUND_H

#include "HostProduct.h"

namespace mlir::lpgemm {

/// Whether the ops of an epilogue round what is exact once, in one way (IEEE
/// 754): no functions that only come near, nor ops that may be replaced by
/// others.
bool isEpilogueExact(Block &epilogue);

/// How far D_temp of a kernel may be from that of the reference, for each
/// element of the result of a product that has an epilogue, f64. `sums` are T,
/// and `errors` how far apart those of both may be; infinite where nothing is
/// known. None if the epilogue has an op that is not known.
std::optional<NpyArray> boundEpilogue(const HostProduct &product,
                                      const NpyArray &sums,
                                      ArrayRef<double> errors);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_EPILOGUEBOUND_H
