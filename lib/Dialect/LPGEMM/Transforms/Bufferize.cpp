//===- Bufferize.cpp - lpgemm-bufferize -----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_BUFFERIZEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

/// A memref whose rows are contiguous; everything else is left to run time.
static bufferization::BufferLikeType
getRowPitchedType(bufferization::TensorLikeType type, Attribute memorySpace,
                  func::FuncOp, const bufferization::BufferizationOptions &) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return cast<bufferization::BufferLikeType>(UnrankedMemRefType::get(
        cast<TensorType>(type).getElementType(), memorySpace));
  SmallVector<int64_t> strides(tensor.getRank(), ShapedType::kDynamic);
  if (!strides.empty())
    strides.back() = 1;
  auto layout =
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return cast<bufferization::BufferLikeType>(MemRefType::get(
      tensor.getShape(), tensor.getElementType(), layout, memorySpace));
}

namespace {
struct Bufferize : lpgemm::impl::BufferizePassBase<Bufferize> {
  void runOnOperation() override {
    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.functionArgTypeConverterFn = getRowPitchedType;
    // A loop may carry another buffer than it began with, such as partial sums.
    options.allowReturnAllocsFromLoops = true;
    // Rows with a pitch are copied by loops: memref.copy would need a function
    // of MLIR's runtime library.
    options.memCpyFn = [](OpBuilder &b, Location loc, Value from, Value to) {
      linalg::CopyOp::create(b, loc, from, to);
      return success();
    };
    bufferization::BufferizationState state;
    if (failed(bufferization::runOneShotModuleBufferize(getOperation(), options,
                                                        state)))
      signalPassFailure();
  }
};
} // namespace
