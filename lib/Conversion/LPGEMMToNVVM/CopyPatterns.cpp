//===- CopyPatterns.cpp - global to shared memory -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

//===----------------------------------------------------------------------===//
// By the copy engine
//===----------------------------------------------------------------------===//

namespace {
/// The part of a tile that this workgroup copies to all that need the tile.
struct MulticastPart {
  MulticastPart(ImplicitLocOpBuilder &b, PipeCopyOp op);

  int64_t rows;
  Value firstRow, mask; // i32, i16; null if there is one part
};
} // namespace

/// Along M workgroups follow each other in steps of the cluster's N.
MulticastPart::MulticastPart(ImplicitLocOpBuilder &b, PipeCopyOp op)
    : rows(op.getDest().getType().getDimSize(0)) {
  ClusterShape cluster(op);
  if (!op.getMulticast())
    return;
  bool isColumn = *op.getMulticast() == 0;
  int64_t parts = isColumn ? cluster.m : cluster.n;
  if (parts == 1)
    return;
  Value rank = NVVM::ClusterId::create(b, b.getI32Type());
  Value m = divI32(b, rank, cluster.n), n = remI32(b, rank, cluster.n);
  rows /= parts;
  firstRow = mulI32(b, isColumn ? m : n, rows);
  int64_t bits = 0;
  for (int64_t i = 0; i != parts; ++i)
    bits |= int64_t(1) << (isColumn ? i * cluster.n : i);
  Value shift = isColumn ? n : mulI32(b, m, cluster.n);
  mask = arith::TruncIOp::create(
      b, b.getI16Type(), arith::ShLIOp::create(b, constantI32(b, bits), shift));
}

static Value buildPointer(ImplicitLocOpBuilder &b, Value offset,
                          NVVM::NVVMMemorySpace space) {
  auto type =
      LLVM::LLVMPointerType::get(b.getContext(), static_cast<unsigned>(space));
  return LLVM::AddrSpaceCastOp::create(b, type, buildSharedPtr(b, offset));
}

/// `row` and `col` are those of the window in the source; `entry` may be null.
static void buildTensorCopy(ImplicitLocOpBuilder &b, PipeCopyOp op, Value map,
                            Value entry, Value dest, Value full, Value row,
                            Value col) {
  Value y = indexToI32(b, row), x = indexToI32(b, col);
  MulticastPart part(b, op);
  if (part.mask) {
    Value &along = op.getTranspose() ? x : y;
    along = addI32(b, along, part.firstRow);
    int64_t pitch = getPitchBytes(op.getDest().getType());
    dest = addI32(b, dest, mulI32(b, part.firstRow, pitch));
  }
  SmallVector<Value> position = {x, y};
  if (entry)
    position.push_back(indexToI32(b, entry));
  // NVVM takes the address of a cluster only.
  Value to = buildPointer(b, dest, NVVM::NVVMMemorySpace::SharedCluster);
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      b, to, map, position, full, /*im2colOffsets=*/ValueRange(), part.mask,
      /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE,
      /*isCTAOnly=*/false, /*group=*/nullptr, /*predicate=*/Value());
}

//===----------------------------------------------------------------------===//
// By threads
//===----------------------------------------------------------------------===//

namespace {
/// A copy by `threads` threads, of which this one is number `thread`. Memory
/// outside of the matrix is not touched, whatever its base and pitch.
class ThreadCopy {
public:
  ThreadCopy(ImplicitLocOpBuilder &b, PipeCopyOp op, const GlobalValues &source,
             Value dest, Value row, Value col)
      : b(b), op(op), type(op.getDest().getType()),
        source(b, source, op.getSource().getType()), dest(dest), row(row),
        col(col), unitBytes(this->source.getUnitBytes()) {}

  void build(Value thread, int64_t threads);

private:
  void copyElement(Value tileRow, Value tileCol);
  void copyPiece(Value tileRow, Value piece, int64_t bytes);
  Value getDest(Value tileRow, Value byte) {
    return buildSharedPtr(
        b, addI32(b, dest, buildTileOffset(b, type, tileRow, byte)));
  }
  Value add(Value index, Value offset) {
    return b.createOrFold<arith::AddIOp>(index, i32ToIndex(b, offset));
  }

  ImplicitLocOpBuilder &b;
  PipeCopyOp op;
  BufType type;
  GlobalTile source;
  Value dest, row, col; // the window's in the source: index
  int64_t unitBytes;
};
} // namespace

/// Threads take turns.
static void buildLoop(ImplicitLocOpBuilder &b, Value thread, int64_t threads,
                      int64_t count, function_ref<void(Value)> body) {
  scf::ForOp::create(b, thread, constantI32(b, count), constantI32(b, threads),
                     ValueRange(),
                     [&](OpBuilder &, Location, Value id, ValueRange) {
                       body(id);
                       scf::YieldOp::create(b);
                     });
}

/// One element, or zero.
void ThreadCopy::copyElement(Value tileRow, Value tileCol) {
  Value i = tileRow, j = tileCol;
  if (op.getTranspose())
    std::swap(i, j);
  Value x = add(col, j), y = add(row, i);
  LLVM::StoreOp::create(b, source.loadIfInside(y, x),
                        getDest(tileRow, mulI32(b, tileCol, unitBytes)));
}

/// Part of a row: at once where it is inside and aligned, else element by
/// element.
void ThreadCopy::copyPiece(Value tileRow, Value piece, int64_t bytes) {
  int64_t length = bytes / unitBytes;
  Value tileCol = mulI32(b, piece, length);
  Value y = add(row, tileRow), x = add(col, tileCol);
  Value last = add(x, constantI32(b, length - 1));
  Value address = source.getAddress(y, x);
  Value number = LLVM::PtrToIntOp::create(b, b.getI64Type(), address);
  Value isAligned = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq,
      arith::AndIOp::create(b, number, constantI64(b, bytes - 1)),
      constantI64(b, 0));
  Value atOnce = arith::AndIOp::create(b, source.isInside(y, last), isAligned);
  scf::IfOp::create(
      b, atOnce,
      [&](OpBuilder &, Location) {
        Type words = bytes < 4 ? Type(b.getIntegerType(8 * bytes))
                               : VectorType::get(bytes / 4, b.getI32Type());
        Value loaded = LLVM::LoadOp::create(b, words, address, bytes);
        LLVM::StoreOp::create(b, loaded,
                              getDest(tileRow, mulI32(b, piece, bytes)), bytes);
        scf::YieldOp::create(b);
      },
      [&](OpBuilder &, Location) {
        buildLoop(b, constantI32(b, 0), 1, length, [&](Value e) {
          copyElement(tileRow, addI32(b, tileCol, e));
        });
        scf::YieldOp::create(b);
      });
}

void ThreadCopy::build(Value thread, int64_t threads) {
  int64_t rows = type.getDimSize(0), rowBytes = getRowBytes(type);
  int64_t bytes = std::gcd<int64_t>(16, rowBytes);
  if (type.getLayout().getMask() != 0)
    bytes = std::gcd(bytes, type.getLayout().getUnit());
  // Of a transposed window neighbours in memory are rows apart in the tile.
  if (op.getTranspose()) {
    buildLoop(b, thread, threads, rows * type.getDimSize(1), [&](Value id) {
      copyElement(remI32(b, id, rows), divI32(b, id, rows));
    });
    return;
  }
  int64_t perRow = rowBytes / bytes;
  buildLoop(b, thread, threads, rows * perRow, [&](Value id) {
    Value tileRow = divI32(b, id, perRow), piece = remI32(b, id, perRow);
    if (bytes == unitBytes)
      copyElement(tileRow, piece);
    else
      copyPiece(tileRow, piece, bytes);
  });
}

/// Where the window starts in the source, each row of which serves a block.
static void divideByBlock(ImplicitLocOpBuilder &b, PipeCopyOp op, Value &row,
                          Value &col) {
  if (op.getRowBlock() == 1)
    return;
  Value &along = op.getTranspose() ? col : row;
  along = b.createOrFold<arith::DivUIOp>(
      along, arith::ConstantIndexOp::create(b, op.getRowBlock()));
}

/// A few elements by one thread, without branches. They are loaded as soon as
/// their position is known: in front of the wait for the slot, which takes
/// about as long as a load.
static SmallVector<Value> loadElements(ImplicitLocOpBuilder &b, PipeCopyOp op,
                                       const GlobalValues &values, Value row,
                                       Value col) {
  OpBuilder::InsertionGuard guard(b);
  setInsertionPointBehind(b, op->getBlock(), {row, col});
  divideByBlock(b, op, row, col);
  BufType type = op.getDest().getType();
  GlobalTile source(b, values, op.getSource().getType());
  SmallVector<Value> elements;
  for (int64_t i = 0; i != type.getNumElements(); ++i) {
    Value y = arith::ConstantIndexOp::create(b, i / type.getDimSize(1)),
          x = arith::ConstantIndexOp::create(b, i % type.getDimSize(1));
    if (op.getTranspose())
      std::swap(y, x);
    elements.push_back(source.load(b.createOrFold<arith::AddIOp>(row, y),
                                   b.createOrFold<arith::AddIOp>(col, x)));
  }
  return elements;
}

static void storeElements(ImplicitLocOpBuilder &b, BufType type, Value dest,
                          ArrayRef<Value> elements) {
  int64_t unitBytes = getUnitBytes(type.getElementType());
  for (auto [i, element] : llvm::enumerate(elements)) {
    int64_t row = i / type.getDimSize(1), col = i % type.getDimSize(1);
    Value offset = buildTileOffset(b, type, constantI32(b, row),
                                   constantI32(b, col * unitBytes));
    LLVM::StoreOp::create(b, element,
                          buildSharedPtr(b, addI32(b, dest, offset)));
  }
}

/// So many elements are few.
static constexpr int64_t kMaxElementsByOne = 8;

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

struct AllocPattern : OpConversionPattern<AllocOp> {
  AllocPattern(const TypeConverter &converter, MLIRContext *context,
               TilePlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(AllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value offset = constantI32(b, *op.getOffset());
    int64_t copied = plan.getCopiedRows(op);
    if (copied != getTileRows(op.getType()))
      buildFill(b, op, offset, copied);
    rewriter.replaceOp(op, offset);
    return success();
  }

  static int64_t getTileRows(BufType type) {
    return type.getShape().take_back(2).front();
  }

  /// Zeros in the rows of all slots that no copy writes, by all threads. They
  /// wait for each other in front of the roles.
  static void buildFill(ImplicitLocOpBuilder &b, AllocOp op, Value offset,
                        int64_t copied) {
    constexpr int64_t kPieceBytes = 16;
    BufType type = op.getType();
    int64_t pitch = getTileBytes(type) / getTileRows(type);
    int64_t rows = getTileRows(type) - copied;
    int64_t slots = type.getRank() == 3 ? type.getDimSize(0) : 1;
    int64_t pieces = rows * pitch / kPieceBytes;
    int64_t threads =
        op->getParentOfType<gpu::GPUFuncOp>().getKnownBlockSize()->front();
    auto words = VectorType::get(kPieceBytes / 4, b.getI32Type());
    Value zeros = arith::ConstantOp::create(b, b.getZeroAttr(words));
    buildLoop(b, buildThread(b), threads, slots * pieces, [&](Value id) {
      Value slot = mulI32(b, divI32(b, id, pieces), getTileBytes(type));
      Value piece = mulI32(b, remI32(b, id, pieces), kPieceBytes);
      Value at = addI32(b, addI32(b, slot, piece),
                        addI32(b, offset, constantI32(b, copied * pitch)));
      LLVM::StoreOp::create(b, zeros, buildSharedPtr(b, at), kPieceBytes);
    });
    buildProxyFence(b);
  }

  TilePlan &plan;
};

struct ViewPattern : OpConversionPattern<ViewOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ViewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    BufType source = op.getSource().getType();
    int64_t tileBytes = getTileBytes(source);
    int64_t pitch = tileBytes / source.getDimSize(1);
    int64_t col = op.getCol() * source.getElementTypeBitWidth() / 8;
    Value offset = addI32(b, adaptor.getSource().front(),
                          mulI32(b, indexToI32(b, op.getRow()), pitch));
    offset = addI32(b, offset, constantI32(b, col));
    // The slot comes last: the rest is the same in every round of a loop.
    rewriter.replaceOp(
        op, addI32(b, offset, mulI32(b, adaptor.getSlot().front(), tileBytes)));
    return success();
  }
};

struct PipeCopyPattern : OpConversionPattern<PipeCopyOp> {
  PipeCopyPattern(const TypeConverter &converter, MLIRContext *context,
                  TilePlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(PipeCopyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value row = adaptor.getRow().front(), col = adaptor.getCol().front();
    Value dest = adaptor.getDest().front();
    if (op.getEngine() == CopyEngine::TMA) {
      Value full = buildFullBarrier(b, adaptor.getPipe().front(),
                                    adaptor.getSlot().front());
      ValueRange entry = adaptor.getEntry();
      buildTensorCopy(b, op, adaptor.getMap().front(),
                      entry.empty() ? Value() : entry.front(), dest, full, row,
                      col);
    } else if (plan.isElected(op) &&
               op.getDest().getType().getNumElements() <= kMaxElementsByOne) {
      storeElements(
          b, op.getDest().getType(), dest,
          loadElements(b, op, GlobalValues(adaptor.getSource()), row, col));
    } else {
      divideByBlock(b, op, row, col);
      ThreadCopy copy(b, op, GlobalValues(adaptor.getSource()), dest, row, col);
      const RoleInfo &role = plan.getRole(op);
      if (plan.isElected(op))
        copy.build(constantI32(b, 0), 1);
      else
        copy.build(
            addI32(b, buildThread(b), constantI32(b, -role.getFirstThread())),
            role.getNumThreads());
    }
    rewriter.eraseOp(op);
    return success();
  }

  TilePlan &plan;
};

} // namespace

void nvvm::populateCopyPatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns, TilePlan &plan) {
  patterns.add<ViewPattern>(converter, patterns.getContext());
  patterns.add<AllocPattern, PipeCopyPattern>(converter, patterns.getContext(),
                                              plan);
}
