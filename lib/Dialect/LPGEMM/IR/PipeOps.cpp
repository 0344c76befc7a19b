//===- PipeOps.cpp - roles, rings and copy engines ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

#include "lpgemm/Target/MmaInfo.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define GET_OP_CLASSES
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMPipeOps.cpp.inc"

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// RolesOp
//===----------------------------------------------------------------------===//

/// `role` name `(` %wave `)` `waves` `(` n `)` (`regs` `(` n `)`)? region
static ParseResult parseRole(OpAsmParser &parser, OperationState &result,
                             SmallVectorImpl<Attribute> &names,
                             SmallVectorImpl<int64_t> &waves,
                             SmallVectorImpl<int64_t> &regs) {
  std::string name;
  OpAsmParser::Argument wave;
  wave.type = parser.getBuilder().getIndexType();
  if (parser.parseKeywordOrString(&name) || parser.parseLParen() ||
      parser.parseArgument(wave) || parser.parseRParen() ||
      parser.parseKeyword("waves") || parser.parseLParen() ||
      parser.parseInteger(waves.emplace_back()) || parser.parseRParen())
    return failure();
  names.push_back(parser.getBuilder().getStringAttr(name));
  regs.push_back(0);
  if (succeeded(parser.parseOptionalKeyword("regs")) &&
      (parser.parseLParen() || parser.parseInteger(regs.back()) ||
       parser.parseRParen()))
    return failure();
  return parser.parseRegion(*result.addRegion(), {wave});
}

ParseResult RolesOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Attribute> names;
  SmallVector<int64_t> waves, regs;
  if (parser.parseLBrace())
    return failure();
  while (succeeded(parser.parseOptionalKeyword("role")))
    if (parseRole(parser, result, names, waves, regs))
      return failure();
  if (parser.parseRBrace() || parser.parseOptionalAttrDict(result.attributes))
    return failure();
  Builder &b = parser.getBuilder();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.names = b.getArrayAttr(names);
  properties.waves = b.getDenseI64ArrayAttr(waves);
  properties.regs = b.getDenseI64ArrayAttr(regs);
  return success();
}

void RolesOp::print(OpAsmPrinter &printer) {
  printer << " {";
  printer.increaseIndent();
  for (auto [name, waves, regs, body] :
       llvm::zip_equal(getNames(), getWaves(), getRegs(), getBodies())) {
    printer.printNewline();
    printer << "role ";
    printer.printKeywordOrString(cast<StringAttr>(name).getValue());
    printer << '(';
    printer.printOperand(body.getArgument(0));
    printer << ") waves(" << waves << ") ";
    if (regs != 0)
      printer << "regs(" << regs << ") ";
    printer.printRegion(body, /*printEntryBlockArgs=*/false);
  }
  printer.decreaseIndent();
  printer.printNewline();
  printer << '}';
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"names", "waves", "regs"});
}

LogicalResult RolesOp::verify() {
  if (!isa<FunctionOpInterface>((*this)->getParentOp()))
    return emitOpError("expects to be in the body of a kernel");
  size_t roles = getBodies().size();
  if (roles == 0 || getNames().size() != roles || getWaves().size() != roles ||
      getRegs().size() != roles)
    return emitOpError("expects at least one role, each with a name, waves and "
                       "regs");
  for (auto [name, waves, body] :
       llvm::zip_equal(getNames(), getWaves(), getBodies())) {
    if (waves < 1)
      return emitOpError() << "expects at least one wave for role " << name
                           << ", but got " << waves;
    if (body.getNumArguments() != 1 || !body.getArgument(0).getType().isIndex())
      return emitOpError() << "expects the region of role " << name
                           << " to have one argument of type 'index'";
    if (llvm::count(getNames(), name) != 1)
      return emitOpError() << "expects one role of the name " << name;
  }
  return success();
}

Region *RolesOp::lookupRole(StringRef name) {
  for (auto [other, body] : llvm::zip_equal(getNames(), getBodies()))
    if (cast<StringAttr>(other).getValue() == name)
      return &body;
  return nullptr;
}

unsigned RolesOp::getRole(Operation *op) {
  Region *region = op->getParentRegion();
  while (region->getParentOp() != *this)
    region = region->getParentRegion();
  return region->getRegionNumber();
}

int64_t RolesOp::getFirstWave(unsigned role) {
  int64_t first = 0;
  for (int64_t waves : getWaves().take_front(role))
    first += waves;
  return first;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LogicalResult verifyElementTypes(Operation *op, ShapedType source,
                                        ShapedType dest) {
  if (source.getElementType() == dest.getElementType())
    return success();
  return op->emitOpError() << "expects one element type on both sides, but got "
                           << source.getElementType() << " and "
                           << dest.getElementType();
}

static LogicalResult verifyTile(Operation *op, StringRef name, BufType type) {
  if (type.getRank() == 2)
    return success();
  return op->emitOpError() << "expects " << name
                           << " to be a tile of two extents, but got " << type;
}

LogicalResult ViewOp::verify() {
  BufType source = getSource().getType(), result = getResult().getType();
  if (source.getRank() != 3)
    return emitOpError() << "expects a buffer of slots, but got " << source;
  if (failed(verifyTile(*this, "the result", result)))
    return failure();
  if (source.getLayout() != result.getLayout())
    return emitOpError() << "expects the layout of the buffer, " << source
                         << ", but got " << result;
  if (result.getDimSize(0) > source.getDimSize(1) ||
      getCol() + result.getDimSize(1) >
          static_cast<uint64_t>(source.getDimSize(2)))
    return emitOpError() << "expects a part of a slot of " << source
                         << ", but got " << result << " from column "
                         << getCol() << " on";
  return verifyElementTypes(*this, source, result);
}

LogicalResult PipeCopyOp::verify() {
  if (failed(verifyTile(*this, "the destination", getDest().getType())))
    return failure();
  if (getMulticast() && *getMulticast() > 1)
    return emitOpError() << "expects multicast to be 0 or 1, but got "
                         << static_cast<int64_t>(*getMulticast());
  if (getEngine() == CopyEngine::TMA && !(*this)->getParentOfType<ElectOp>())
    return emitOpError("expects to be in lpgemm.elect with engine tma");
  return verifyElementTypes(*this, getSource().getType(), getDest().getType());
}

bool PipeCopyOp::fitsCopyEngine() {
  BufType type = getDest().getType();
  int64_t bits = type.getElementTypeBitWidth();
  if (getRowBlock() != 1 || bits < 8)
    return false;
  // PTX ISA 9.0, "cp.async.bulk.tensor": rows of whole 16 bytes, to addresses
  // that are multiples of 128. The slots of a column follow each other.
  if (getTranspose())
    return type.getDimSize(1) == 1 && type.getDimSize(0) * bits % 1024 == 0;
  return type.getDimSize(1) * bits % 128 == 0;
}

LogicalResult StagedStoreOp::verify() {
  if (failed(verifyTile(*this, "the stage", getStage().getType())) ||
      failed(verifyElementTypes(*this, getValue().getType(),
                                getStage().getType())))
    return failure();
  return verifyElementTypes(*this, getValue().getType(), getDest().getType());
}

LogicalResult ClusterReduceOp::verify() {
  if (getTiles().empty())
    return emitOpError("expects at least one tile");
  for (Type type : getTiles().getTypes())
    if (!cast<FragType>(type).getElementType().isF32())
      return emitOpError() << "expects tiles of f32, but got " << type;
  if (!getBuffer() != !getPipe())
    return emitOpError("expects a buffer together with a pipe");
  if (!getBuffer())
    return success();
  BufType buffer = getBuffer().getType();
  if (failed(verifyTile(*this, "the buffer", buffer)))
    return failure();
  if (buffer.getElementType().isF32())
    return success();
  return emitOpError() << "expects a buffer of f32, but got " << buffer;
}

//===----------------------------------------------------------------------===//
// AsyncMmaOp
//===----------------------------------------------------------------------===//

LogicalResult AsyncMmaOp::verify() {
  BufType a = getA().getType(), b = getB().getType();
  FragType acc = getAcc().getType();
  if (failed(verifyTile(*this, "a", a)) || failed(verifyTile(*this, "b", b)))
    return failure();
  int64_t m = acc.getDimSize(0), n = acc.getDimSize(1), k = a.getDimSize(1);
  if (a.getDimSize(0) != m || b.getDimSize(0) != n || b.getDimSize(1) != k)
    return emitOpError() << "expects a to be " << m << "xK and b to be " << n
                         << "xK, but got " << a << " and " << b;
  const MmaInfo &info = getMmaInfo(getInstr());
  if (!info.readsSharedMemory())
    return emitOpError() << "expects an instruction that reads shared memory, "
                            "but got "
                         << stringifyMmaInstr(getInstr());
  if (m % info.m || n % info.n || k % info.k)
    return emitOpError() << "expects M, N, K (" << m << ", " << n << ", " << k
                         << ") to be multiples of those of the instruction ("
                         << info.m << ", " << info.n << ", " << info.k << ")";
  if (!info.acceptsElementTypes(a.getElementType(), b.getElementType()) ||
      acc.getElementType() != info.getAccumulatorType(getContext()))
    return emitOpError() << "has no form of the instruction for "
                         << a.getElementType() << " x " << b.getElementType()
                         << " -> " << acc.getElementType();
  LanesAttr lanes = acc.getLanes();
  auto expected = LanesAttr::get(getContext(), getInstr(), MmaRole::C);
  if (!lanes || lanes == expected)
    return success();
  return emitOpError() << "expects acc in lanes " << expected << ", but got "
                       << lanes;
}
