//===- DirectCopy.cpp - copies that do not pass through registers ---------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Target/AMDGPUMachine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// Offset of rows that are outside. Public sources differ on whether the scalar
/// offset takes part in the range check (LLVM, IntrinsicsAMDGPU.td: it does
/// not; AMD "CDNA3 ISA", Buffer range checking: num_records - sgpr_offset):
/// less than 2^30 beside offsets below 2^31, it makes no difference here.
static constexpr int64_t kRowsOutside = 0xC0000000;

/// The pointer of a workgroup attribution. Not by way of an integer, or LLVM
/// would take the copy to write any buffer, and have reads of the others wait
/// for it: instead, the descriptor that the conversion to LLVM will make.
static Value buildSharedPointer(ImplicitLocOpBuilder &b, Value memref) {
  MLIRContext *context = b.getContext();
  auto pointer = LLVM::LLVMPointerType::get(
      context, ROCDL::ROCDLDialect::kSharedMemoryAddressSpace);
  auto extents = LLVM::LLVMArrayType::get(b.getI32Type(), 1);
  auto descriptor = LLVM::LLVMStructType::getLiteral(
      context, {pointer, pointer, b.getI32Type(), extents, extents});
  Value converted =
      UnrealizedConversionCastOp::create(b, descriptor, memref).getResult(0);
  constexpr int64_t alignedPointer = 1;
  return LLVM::ExtractValueOp::create(b, converted, alignedPointer);
}

DirectCopy::DirectCopy(ImplicitLocOpBuilder &b, CopyOp op,
                       const GlobalValues &global)
    : b(b), op(op), type(op.getDest().getType()),
      threads(getWorkgroupSize(op)) {
  int64_t rows = type.getDimSize(0);
  Value left = b.createOrFold<arith::SubIOp>(
      b.createOrFold<arith::MaxSIOp>(global.rows, op.getRow()), op.getRow());
  rowsLeft = indexToI32(b, b.createOrFold<arith::MinSIOp>(
                               left, arith::ConstantIndexOp::create(b, rows)));
  Value pitchBytes = b.createOrFold<arith::MulIOp>(
      global.pitch, constantI64(b, getUnitBytes(type.getElementType())));
  pitch = b.createOrFold<arith::TruncIOp>(b.getI32Type(), pitchBytes);
  Value offset = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(indexToI64(b, op.getRow()), pitchBytes),
      toBytes(indexToI64(b, op.getWhole())));
  Value base = LLVM::GEPOp::create(b, global.ptr.getType(), b.getI8Type(),
                                   global.ptr, offset);
  resource = buildBufferResource(b, base, constantI64(b, kRowsOutside));
  soffset = b.createOrFold<arith::TruncIOp>(
      b.getI32Type(), toBytes(indexToI64(b, b.createOrFold<arith::SubIOp>(
                                                op.getCol(), op.getWhole()))));
}

/// The bytes of so many elements of a row, whole ones.
Value DirectCopy::toBytes(Value elements) {
  int64_t bits = type.getElementTypeBitWidth();
  Value all = b.createOrFold<arith::MulIOp>(elements, constantI64(b, bits));
  return b.createOrFold<arith::ShRUIOp>(all, constantI64(b, 3));
}

/// Where piece `thread` of a round lies in the source: pieces of the buffer
/// follow each other, and its layout says which of the row each one is.
Value DirectCopy::buildOffset(Value thread, int64_t firstRow) {
  SmemAttr layout = type.getLayout();
  int64_t perRow = getRowBytes(type) / kPieceBytes;
  Value row = addI32(b, divI32(b, thread, perRow), constantI32(b, firstRow));
  Value piece = remI32(b, thread, perRow);
  if (layout.getMask() != 0) {
    Value key =
        b.createOrFold<arith::ShRUIOp>(row, constantI32(b, layout.getShift()));
    piece = b.createOrFold<arith::XOrIOp>(
        piece,
        b.createOrFold<arith::AndIOp>(key, constantI32(b, layout.getMask())));
  }
  Value inside =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, row, rowsLeft);
  return arith::SelectOp::create(
      b, inside,
      addI32(b, b.createOrFold<arith::MulIOp>(row, pitch),
             mulI32(b, piece, kPieceBytes)),
      constantI32(b, static_cast<int32_t>(kRowsOutside)));
}

void DirectCopy::run(Value memref) {
  int64_t waveSize = getMachine(op).waveSize;
  Value thread = buildThread(b);
  // The same in all lanes of a wave: the engine adds the lane.
  Value wave = ROCDL::ReadfirstlaneOp::create(b, b.getI32Type(),
                                              divI32(b, thread, waveSize));
  Value start = mulI32(b, wave, waveSize * kPieceBytes);
  Value shared = buildSharedPointer(b, memref), zero = constantI32(b, 0);
  int64_t roundBytes = threads * kPieceBytes;
  int64_t rounds = getBufferBytes(type) / roundBytes;
  for (int64_t i = 0; i != rounds; ++i) {
    Value dest =
        LLVM::GEPOp::create(b, shared.getType(), b.getI8Type(), shared,
                            addI32(b, start, constantI32(b, i * roundBytes)));
    ROCDL::RawPtrBufferLoadLdsOp::create(
        b, resource, dest, constantI32(b, kPieceBytes),
        buildOffset(thread, i * roundBytes / getRowBytes(type)), soffset, zero,
        zero, ArrayAttr(), ArrayAttr(), ArrayAttr());
  }
}
