//===- OutlineChecks.cpp - what lpgemm-outline relies on ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutlineChecks.h"

#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelSupport.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// The elements of a row of a matrix must be contiguous, and so must all but
/// the first dimension of scales in a layout of tiles.
static LogicalResult
verifyContiguousRows(MatmulOp op, const KernelArgument &argument,
                     ArrayRef<unsigned> dims,
                     const ShapeContract::Operand &operand) {
  auto type = cast<MemRefType>(operand.value.getType());
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return op.emitOpError() << "expects " << operand.name
                            << " to have a strided layout, but got " << type;
  if (argument.hasTiledLayout()) {
    for (auto [dim, expected] :
         llvm::zip_equal(dims.drop_front(), argument.scale->getInnerStrides()))
      if (strides[dim] != expected && !ShapedType::isDynamic(strides[dim]) &&
          type.getDimSize(dim) != 1)
        return op.emitOpError()
               << "expects " << operand.name << " to be contiguous in layout "
               << stringifyScaleLayout(argument.scale->getLayout())
               << ", with stride " << expected << " in dimension " << dim
               << ", but got " << type;
    return success();
  }
  if (dims.size() < 2 || strides[dims[1]] == 1 || type.getDimSize(dims[1]) == 1)
    return success();
  return op.emitOpError()
         << "expects " << operand.name
         << " to have innermost stride 1, but got " << type
         << "; bufferize with lpgemm-bufferize, or one-shot-bufferize with "
            "function-boundary-type-conversion=identity-layout-map";
}

/// What is static must not be beyond what the host code will check.
static LogicalResult verifyLimits(MatmulOp op, const KernelInterface &interface,
                                  const KernelArgument &address,
                                  const ShapeContract::Operand &operand) {
  using Kind = KernelArgument::Kind;
  auto type = cast<MemRefType>(operand.value.getType());
  for (const KernelArgument &extent : interface.getArguments(Kind::Extent)) {
    AffineExpr expr =
        getAffineDimExpr(interface.findExtent(extent), op.getContext());
    for (auto [size, sizeExpr] :
         llvm::zip_equal(type.getShape(), address.shape))
      if (sizeExpr == expr && size > extent.atMost)
        return op.emitOpError()
               << "expects " << extent.subject << " to be at most "
               << extent.atMost << ", but " << operand.name << " has " << size;
  }
  for (const KernelArgument &pitch : interface.getArguments(Kind::Pitch)) {
    if (pitch.subject != address.subject)
      continue;
    unsigned row = interface.getMatrixDims(address).front();
    int64_t stride = type.getStridesAndOffset().first[row];
    bool isSingle = !address.hasTiledLayout() && type.getDimSize(row) <= 1;
    if (stride > pitch.atMost && !type.isDynamicDim(row) && !isSingle)
      return op.emitOpError()
             << "expects the row pitch of " << operand.name << " to be at most "
             << pitch.atMost << " under this schedule, but got " << type;
  }
  return success();
}

/// A device does not reach static data and the stack of the host.
static LogicalResult verifyDeviceMemory(MatmulOp op,
                                        const ShapeContract::Operand &operand) {
  Value source = operand.value;
  while (auto view = source.getDefiningOp<ViewLikeOpInterface>())
    source = view.getViewSource();
  if (!isa_and_nonnull<memref::GetGlobalOp, memref::AllocaOp>(
          source.getDefiningOp()))
    return success();
  return op.emitOpError()
         << "expects " << operand.name
         << " in memory that the device reaches, but it is a "
            "constant or on the stack of the host: copy it to "
            "a tensor of bufferization.alloc_tensor, or pass it "
            "as an argument";
}

LogicalResult lpgemm::verifyOutlining(MatmulOp op) {
  if (failed(verifyKernelSupport(op)))
    return failure();
  if (!op.getSchedule() || !isa<MemRefType>(op.getInit().getType()))
    return op.emitOpError("expects a schedule and memref operands: run "
                          "lpgemm-bufferize and lpgemm-select-schedule first");
  TargetAttr target = lookupTarget(op);
  if (!target)
    return op.emitOpError("needs a target: run lpgemm-attach-target first");
  if (failed(checkLowering(op, *lookupTargetRecord(target.getChip()))))
    return failure();
  if (!op->getParentOfType<FunctionOpInterface>())
    return op.emitOpError("expects to be in a function");
  auto interface = KernelInterface::describe(op);
  if (interface.isPersistent && interface.getNumBatch() != 0)
    return op.emitOpError("schedule: expects no persistent workgroups with "
                          "batch dimensions, of which a workgroup has one "
                          "entry");
  for (auto [argument, operand] :
       llvm::zip(interface.getArguments(KernelArgument::Kind::Address),
                 op.getShapeContract().operands))
    if (failed(verifyContiguousRows(
            op, argument, interface.getMatrixDims(argument), operand)) ||
        failed(verifyDeviceMemory(op, operand)) ||
        failed(verifyLimits(op, interface, argument, operand)))
      return failure();
  return success();
}
