//===- LPGEMMToLoops.cpp - the reference lowering -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/Passes.h"

#include "PackLowering.h"
#include "ProductLowering.h"
#include "QuantizeLowering.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_CONVERTLPGEMMTOLOOPSPASS
#include "lpgemm/Conversion/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
struct ConvertLPGEMMToLoops
    : lpgemm::impl::ConvertLPGEMMToLoopsPassBase<ConvertLPGEMMToLoops> {
  using ConvertLPGEMMToLoopsPassBase::ConvertLPGEMMToLoopsPassBase;

  LogicalResult lower(DestinationStyleOpInterface op,
                      NumericFunctions &functions) {
    Type form = op->getOperands().back().getType();
    if (isa<RankedTensorType>(form))
      return op.emitOpError()
             << "expects memrefs, but got " << form << ": bufferize first";
    if (auto product = dyn_cast<ProductInterface>(*op))
      return lowerProduct(product, functions, accumulate);
    TypeSwitch<Operation *>(op)
        .Case([&](QuantizeOp op) { lowerQuantize(op, functions); })
        .Case([&](DequantizeOp op) { lowerDequantize(op, functions); })
        .Case(lowerPackScales)
        .Case(lowerUnpackScales)
        .Case(lowerPackWeights)
        .Case(lowerUnpackWeights);
    return success();
  }

  void runOnOperation() override {
    // Products on globals are code of a device.
    SmallVector<DestinationStyleOpInterface> ops;
    getOperation().walk([&](ShapeContractInterface op) {
      if (!isa<GlobalType>(op->getOperands().back().getType()))
        ops.push_back(cast<DestinationStyleOpInterface>(*op));
    });
    NumericFunctions functions(getOperation());
    for (DestinationStyleOpInterface op : ops)
      if (failed(lower(op, functions)))
        return signalPassFailure();
  }
};
} // namespace
