//===- SharedTile.cpp - a tile of shared memory ---------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

static int64_t getRowBytes(BufType type) {
  return type.getDimSize(1); // elements of 8 bits
}

static int64_t getPitchBytes(BufType type) {
  return getRowBytes(type) + type.getLayout().getPad();
}

SharedTile::SharedTile(ImplicitLocOpBuilder &b, BufType type, Value memref)
    : b(b), type(type), memref(memref) {}

int64_t SharedTile::getBytes(BufType type) {
  return type.getDimSize(0) * getPitchBytes(type);
}

CopyPlan::CopyPlan(BufType type, bool transpose, int64_t threads) {
  int64_t rowBytes = transpose ? type.getDimSize(0) : getRowBytes(type);
  // 16 bytes is the widest access of a thread.
  pieceBytes = std::gcd<int64_t>(16, rowBytes);
  // A piece that is transposed is stored byte by byte, whatever the layout.
  if (!transpose)
    for (int64_t bytes : {type.getLayout().getUnit(), getPitchBytes(type)})
      pieceBytes = std::gcd(pieceBytes, bytes);
  piecesPerRow = rowBytes / pieceBytes;
  numPieces = type.getNumElements() / pieceBytes;
  piecesPerThread = llvm::divideCeil(numPieces, threads);
}

/// Byte address of the first element, as an index.
Value SharedTile::getAddress(const Segment &s) {
  SmemAttr layout = type.getLayout();
  Value row = addI32(b, s.row, constantI32(b, s.rowConst));
  Value byte = addI32(b, s.col, constantI32(b, s.colConst));
  if (layout.getMask() != 0) {
    Value key = b.createOrFold<arith::AndIOp>(
        b.createOrFold<arith::ShRUIOp>(row, constantI32(b, layout.getShift())),
        constantI32(b, layout.getMask()));
    Value piece =
        b.createOrFold<arith::XOrIOp>(divI32(b, byte, layout.getUnit()), key);
    byte = addI32(b, mulI32(b, piece, layout.getUnit()),
                  remI32(b, byte, layout.getUnit()));
  }
  Value address = addI32(b, mulI32(b, row, getPitchBytes(type)), byte);
  return arith::IndexCastOp::create(b, b.getIndexType(), address);
}

Value SharedTile::load(const Segment &s, int64_t alignment) {
  Value address = getAddress(s);
  if (s.length == 1)
    return memref::LoadOp::create(b, memref, address);
  return vector::LoadOp::create(b, VectorType::get(s.length, b.getI8Type()),
                                memref, address, /*nontemporal=*/false,
                                llvm::Align(alignment));
}

void SharedTile::store(const Segment &s, Value value, int64_t alignment) {
  if (s.length == 1) {
    memref::StoreOp::create(b, value, memref, getAddress(s));
    return;
  }
  auto bytes = VectorType::get(s.length, b.getI8Type());
  if (!s.downColumn) {
    Value address = getAddress(s);
    vector::StoreOp::create(b, b.createOrFold<vector::BitCastOp>(bytes, value),
                            memref, address, /*nontemporal=*/false,
                            llvm::Align(alignment));
    return;
  }
  Value elements = b.createOrFold<vector::BitCastOp>(bytes, value);
  for (int64_t e = 0; e != s.length; ++e)
    store(s.slice(e, 1), b.createOrFold<vector::ExtractOp>(elements, e),
          /*alignment=*/1);
}
