//===- CheckTileOps.cpp - what the lowering needs -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "lpgemm/Dialect/LPGEMM/Utils/WholeAccess.h"
#include "lpgemm/Target/AMDGPUMachine.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

/// `type` of an operand or result of `op` must be decided.
static LogicalResult checkType(Operation *op, Type type) {
  if (auto frag = dyn_cast<FragType>(type); frag && !frag.getLanes())
    return op->emitOpError()
           << "expects register tiles with lanes, but got " << type;
  if (auto buf = dyn_cast<BufType>(type); buf && !buf.getLayout())
    return op->emitOpError()
           << "expects buffers with a layout, but got " << type;
  return success();
}

/// A scale operand of the instruction itself.
static LogicalResult checkScale(MmaOp op, StringRef name,
                                TypedValue<FragType> scales, MmaRole role) {
  FragType type = scales.getType();
  if (!isa<Float8E8M0FNUType>(type.getElementType()))
    return op.emitOpError()
           << "expects " << name << " to be of f8E8M0FNU, but got " << type;
  int64_t block = op.getScaleBlock(scales);
  int64_t expected = getMmaInfo(op.getInstr()).scaleBlock;
  if (block != expected)
    return op.emitOpError() << "expects one scale for each " << expected
                            << " elements of K, but got one for each " << block;
  return checkLanes(op, name, type, op.getInstr(), role);
}

/// The swizzle must stay inside a row.
static LogicalResult checkSwizzle(Operation *op, BufType type) {
  SmemAttr layout = type.getLayout();
  int64_t period = (layout.getMask() + 1) * layout.getUnit();
  if (layout.getMask() == 0 || getRowBytes(type) % period == 0)
    return success();
  return op->emitOpError() << "expects rows of a multiple of " << period
                           << " bytes, the period of the swizzle, but got "
                           << type;
}

static LogicalResult check(AllocOp op) {
  return checkSwizzle(op, op.getType());
}

static LogicalResult check(ReuseOp op) {
  int64_t limit = getBufferBytes(op.getSource().getType());
  int64_t bytes = getBufferBytes(op.getType());
  if (bytes > limit)
    return op.emitOpError() << "expects a tile of at most " << limit
                            << " bytes, those of the buffer, but got " << bytes;
  return checkSwizzle(op, op.getType());
}

/// A lane takes whole bytes of a row.
static LogicalResult checkChunks(Operation *op, FragType type) {
  const LaneLayout &lanes = RegisterTile(type).getLayout();
  int64_t chunk = lanes.vectorDim == 0 ? 1 : lanes.chunkLen;
  if (chunk * type.getElementTypeBitWidth() % 8 == 0)
    return success();
  return op->emitOpError()
         << "expects whole bytes of a row for each lane, but got " << chunk
         << " elements of " << type;
}

/// Only lpgemm.load knows the layouts of scales.
static LogicalResult checkMatrix(Operation *op, StringRef name,
                                 GlobalType type) {
  if (type.getLayout() == ScaleLayout::Row)
    return success();
  return op->emitOpError() << "expects " << name
                           << " without a layout of scales, but got " << type;
}

/// The engine writes pieces of 16 bytes, of all threads, one behind the other.
static LogicalResult checkDirect(CopyOp op) {
  BufType type = op.getDest().getType();
  if (getMachine(op).directPieceBytes != DirectCopy::kPieceBytes)
    return op.emitOpError()
           << "expects a chip that loads " << DirectCopy::kPieceBytes
           << " bytes to shared memory with 'lds_dma'";
  SmemAttr layout = type.getLayout();
  int64_t round = getWorkgroupSize(op) * DirectCopy::kPieceBytes;
  if (layout.getPad() == 0 && layout.getUnit() == DirectCopy::kPieceBytes &&
      getBufferBytes(type) % round == 0 && round % getRowBytes(type) == 0)
    return success();
  return op.emitOpError() << "expects a buffer of a multiple of " << round
                          << " bytes, of whole rows that divide it, in pieces "
                             "of 16 bytes without padding with 'lds_dma', but "
                             "got "
                          << type;
}

/// Accesses to a window that is `whole` are not checked.
template <typename OpTy>
static LogicalResult checkWhole(OpTy op, BufType type) {
  if (!op.getWhole() || getWholeAccess(op, getWorkgroupSize(op)))
    return success();
  return op.emitOpError() << "expects a tile that takes words of rows of its "
                             "source with 'whole', but got "
                          << type << (op.getTranspose() ? ", transposed" : "");
}

static LogicalResult check(CopyOp op) {
  if (failed(checkMatrix(op, "a source", op.getSource().getType())) ||
      failed(checkWhole(op, op.getDest().getType())))
    return failure();
  return op.getLdsDma() ? checkDirect(op) : success();
}

static LogicalResult check(FetchOp op) {
  if (failed(checkType(op, op.getDestType())) ||
      failed(checkMatrix(op, "a source", op.getSource().getType())) ||
      failed(checkWhole(op, op.getDestType())))
    return failure();
  return checkPieces(op, getWorkgroupSize(op));
}

static LogicalResult check(PutOp op) {
  return checkPieces(op, getWorkgroupSize(op));
}

static LogicalResult check(LoadOp op) {
  FragType type = op.getResult().getType();
  if (!llvm::is_contained({4, 6, 8, 16, 32},
                          static_cast<int>(type.getElementTypeBitWidth())))
    return op.emitOpError()
           << "expects elements of 4, 6, 8, 16 or 32 bits, but got " << type;
  if (failed(checkChunks(op, type)))
    return failure();
  if (!op.getWhole() || getWholeAccess(op))
    return success();
  return op.emitOpError()
         << "expects a tile that takes words of rows of its source, single "
            "elements, or words of scales in layout amd32x8 with 'whole', but "
            "got "
         << type << (op.getTranspose() ? ", transposed, from " : " from ")
         << op.getSource().getType();
}

/// Columns of packed elements start with a byte, which a constant shows.
static LogicalResult check(ReadOp op) {
  FragType type = op.getResult().getType();
  if (failed(checkChunks(op, type)))
    return failure();
  Type element = type.getElementType();
  if (!isSubByteFloat(element))
    return success();
  int64_t unit = std::lcm(8, element.getIntOrFloatBitWidth()) /
                 element.getIntOrFloatBitWidth();
  APInt col;
  if (matchPattern(op.getCol(), m_ConstantInt(&col)) &&
      col.getSExtValue() % unit == 0)
    return success();
  return op.emitOpError() << "expects the column to be a constant multiple of "
                          << unit << ", which are whole bytes of " << element;
}

static bool isResult(LanesAttr lanes) {
  return llvm::is_contained({MmaRole::C, MmaRole::CPair}, lanes.getRole());
}

/// A tile that becomes a result.
static LogicalResult checkSums(Operation *op, FragType type) {
  if (isResult(type.getLanes()))
    return success();
  return checkLanes(op, "the tile", type, type.getLanes().getInstr(),
                    MmaRole::C);
}

/// A tile of a result.
static LogicalResult checkResult(Operation *op, FragType type) {
  Type element = type.getElementType();
  if ((isWideFloat(element) || isLowPrecisionFloat(element) ||
       element.isInteger(32)) &&
      isResult(type.getLanes()))
    return success();
  return op->emitOpError() << "expects a tile of f32, bf16, f16, FP8, FP6, FP4 "
                              "or i32 in lanes of c or c_pair, but got "
                           << type;
}

static LogicalResult check(StoreOp op) {
  if (failed(checkMatrix(op, "a destination", op.getDest().getType())))
    return failure();
  FragType type = op.getValue().getType();
  // Scales of a result.
  if (isa<Float8E8M0FNUType>(type.getElementType()) &&
      type.getLanes().getRole() == MmaRole::CRow)
    return success();
  return checkResult(op, type);
}

/// Lanes have whole blocks among them.
static LogicalResult check(EncodeBlocksOp op) {
  FragType type = op.getValue().getType(), scales = op.getScales().getType();
  MmaInstr instr = type.getLanes().getInstr();
  int64_t cols = RegisterTile(type).getLayout().cols;
  if (op.getBlock() % cols != 0)
    return op.emitOpError()
           << "expects blocks of a multiple of " << cols
           << " columns, those of an atom, but got " << op.getBlock();
  if (failed(checkSums(op, type)) ||
      failed(checkLanes(op, "the codes", op.getCodes().getType(), instr,
                        type.getLanes().getRole())))
    return failure();
  return checkLanes(op, "the scales", scales, instr, MmaRole::CRow);
}

static LogicalResult check(WriteOp op) {
  return checkResult(op, op.getValue().getType());
}

/// A thread takes whole words.
static LogicalResult check(CopyOutOp op) {
  BufType type = op.getSource().getType();
  if (getRowBytes(type) % 4 != 0)
    return op.emitOpError()
           << "expects rows of a multiple of 4 bytes, but got " << type;
  return checkMatrix(op, "a destination", op.getDest().getType());
}

static LogicalResult check(AmaxOp op) {
  return checkSums(op, op.getValue().getType());
}

static LogicalResult check(UnzipOp op) {
  MmaInstr instr = op.getSource().getType().getLanes().getInstr();
  if (failed(checkLanes(op, "the source", op.getSource().getType(), instr,
                        MmaRole::C)))
    return failure();
  return checkLanes(op, "the result", op.getEven().getType(), instr,
                    MmaRole::CPair);
}

static LogicalResult check(MmaOp op) {
  if (!op.getSa() && !op.getSb())
    return success();
  MmaInstr instr = op.getInstr();
  if (getMmaInfo(instr).scaleBlock == 0)
    return op.emitOpError() << "expects no scales: " << stringifyMmaInstr(instr)
                            << " has no scale operands";
  if (!op.getSa() || !op.getSb() || op.getExponent() != 0)
    return op.emitOpError("expects scales on both sides and no exponent: run "
                          "lpgemm-split-subchannels first");
  if (failed(checkScale(op, "sa", op.getSa(), MmaRole::SA)))
    return failure();
  return checkScale(op, "sb", op.getSb(), MmaRole::SB);
}

static LogicalResult checkOp(Operation *op) {
  if (!isa_and_nonnull<LPGEMMDialect>(op->getDialect()) && !op->getNumRegions())
    return success();
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes())))
    if (failed(checkType(op, type)))
      return failure();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<AllocOp, AmaxOp, CopyOp, CopyOutOp, EncodeBlocksOp, FetchOp, LoadOp,
            MmaOp, PutOp, ReadOp, ReuseOp, StoreOp, UnzipOp, WriteOp>(
          [](auto op) { return check(op); })
      .Case<ApplyOp, PromoteOp>([](auto op) { return checkOperandLanes(op); })
      .Case([](SliceOp op) { return checkSlice(op); })
      .Case([](MatmulOp op) {
        return op.emitOpError("expects to be lowered to tile ops before");
      })
      .Default(success());
}

/// All buffers of a kernel live at once.
static LogicalResult checkSharedMemory(gpu::GPUFuncOp func,
                                       const TargetRecord &record) {
  int64_t bytes = 0;
  func.walk([&](AllocOp op) { bytes += getBufferBytes(op.getType()); });
  if (bytes <= record.amdgpu->sharedMemoryBytes)
    return success();
  return func.emitOpError()
         << "expects at most " << record.amdgpu->sharedMemoryBytes
         << " bytes of shared memory on " << record.chip << ", but got "
         << bytes;
}

static LogicalResult checkKernel(gpu::GPUFuncOp func) {
  auto usesThreads = [](Operation *op) {
    return isa_and_nonnull<LPGEMMDialect>(op->getDialect()) ||
           isa<gpu::SubgroupIdOp>(op);
  };
  if (!func.walk([&](Operation *op) {
             return usesThreads(op) ? WalkResult::interrupt()
                                    : WalkResult::advance();
           })
           .wasInterrupted())
    return success();
  TargetAttr target = lookupTarget(func);
  if (!target)
    return func.emitOpError() << "expects attribute '" << kTargetAttrName
                              << "' on itself or an enclosing module";
  const TargetRecord &record = *lookupTargetRecord(target.getChip());
  if (failed(checkLowering(func, record)))
    return failure();
  if (!record.amdgpu)
    return func.emitOpError()
           << "expects a chip with rocdl ops, but got " << record.chip;
  std::optional<ArrayRef<int32_t>> size = func.getKnownBlockSize();
  if (!size || (*size)[1] != 1 || (*size)[2] != 1)
    return func.emitOpError(
        "expects 'known_block_size' with threads along x only");
  if (func.walk([](Operation *op) {
            return failed(checkOp(op)) ? WalkResult::interrupt()
                                       : WalkResult::advance();
          })
          .wasInterrupted())
    return failure();
  for (Type type : func.getArgumentTypes())
    if (isa<LPGEMMDialect>(type.getDialect()))
      return func.emitOpError()
             << "expects no tiles among its arguments, but got " << type;
  return checkSharedMemory(func, record);
}

LogicalResult lpgemm::checkTileOps(gpu::GPUModuleOp module) {
  for (auto func : module.getOps<gpu::GPUFuncOp>())
    if (failed(checkKernel(func)))
      return failure();
  return success();
}
