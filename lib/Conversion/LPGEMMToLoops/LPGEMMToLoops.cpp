//===- LPGEMMToLoops.cpp - the reference lowering -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/Passes.h"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"
#include "lpgemm/Numerics/Formats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_CONVERTLPGEMMTOLOOPSPASS
#include "lpgemm/Conversion/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

/// The decode tables of a module: 256 f64 for each format in use.
class DecodeTables {
public:
  explicit DecodeTables(ModuleOp module) : symbols(module) {}

  /// The table of the format of `type`.
  memref::GlobalOp lookup(Type type);

private:
  SymbolTable symbols;
  DenseMap<Type, memref::GlobalOp> tables;
};

/// A matrix in memory with the table of its codes.
struct CodeMatrix {
  Value memref;
  Value table;
  /// Whether its second dimension is the first index of an access: B, which is
  /// K x N, is read as if it were N x K.
  bool transposed = false;
};

/// Emits the loops of one op.
class MatmulEmitter {
public:
  MatmulEmitter(MatmulOp op, DecodeTables &tables)
      : op(op), tables(tables), b(op.getLoc(), op) {}

  void emit();

private:
  using Body = function_ref<Value(Value iv)>;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  CodeMatrix load(Value memref, bool transposed);
  /// The value of element (row, column).
  Value decodeAt(const CodeMatrix &matrix, Value row, Value column);
  /// The f64 sum, from `lower` to `upper` - 1, of what `body` emits.
  Value sum(Value lower, Value upper, Body body);
  /// Element (m, n) of the result in f64.
  Value dot(Value m, Value n);

  MatmulOp op;
  DecodeTables &tables;
  ImplicitLocOpBuilder b;
  CodeMatrix lhs, rhs, lhsScale, rhsScale;
  Value k, numBlocks;
};

struct ConvertLPGEMMToLoops
    : lpgemm::impl::ConvertLPGEMMToLoopsPassBase<ConvertLPGEMMToLoops> {
  void runOnOperation() override;
};

} // namespace

memref::GlobalOp DecodeTables::lookup(Type type) {
  memref::GlobalOp &table = tables[type];
  if (table)
    return table;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  std::optional<ElementFormat> format = parseElementFormat(name);
  assert(format && "the verifier of lpgemm.matmul admits formats only");
  SmallVector<double> values;
  for (unsigned code = 0; code != 256; ++code)
    values.push_back(decode(*format, code));

  OpBuilder b(type.getContext());
  auto tableType = RankedTensorType::get(256, b.getF64Type());
  table = memref::GlobalOp::create(
      b, symbols.getOp()->getLoc(), "__lpgemm_decode_" + name,
      b.getStringAttr("private"), MemRefType::get(256, b.getF64Type()),
      DenseElementsAttr::get<double>(tableType, values), /*constant=*/true,
      /*alignment=*/IntegerAttr());
  symbols.insert(table, cast<ModuleOp>(symbols.getOp()).getBody()->begin());
  return table;
}

CodeMatrix MatmulEmitter::load(Value memref, bool transposed) {
  Type type = cast<MemRefType>(memref.getType()).getElementType();
  memref::GlobalOp table = tables.lookup(type);
  return {memref,
          memref::GetGlobalOp::create(b, table.getType(), table.getSymName()),
          transposed};
}

Value MatmulEmitter::decodeAt(const CodeMatrix &matrix, Value row,
                              Value column) {
  if (matrix.transposed)
    std::swap(row, column);
  Value element =
      memref::LoadOp::create(b, matrix.memref, ValueRange{row, column});
  Value code = arith::BitcastOp::create(b, b.getI8Type(), element);
  code = arith::IndexCastUIOp::create(b, b.getIndexType(), code);
  return memref::LoadOp::create(b, matrix.table, code);
}

Value MatmulEmitter::sum(Value lower, Value upper, Body body) {
  Value zero = arith::ConstantOp::create(b, b.getF64FloatAttr(0.0));
  auto loop = scf::ForOp::create(b, lower, upper, index(1), zero);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value term = body(loop.getInductionVar());
  Value next = arith::AddFOp::create(b, loop.getRegionIterArg(0), term);
  scf::YieldOp::create(b, next);
  return loop.getResult(0);
}

Value MatmulEmitter::dot(Value m, Value n) {
  Value block = index(op.getLhsScaleKind()->getBlock());
  return sum(index(0), numBlocks, [&](Value kb) {
    Value lower = arith::MulIOp::create(b, kb, block);
    Value upper = arith::AddIOp::create(b, lower, block);
    upper = arith::MinSIOp::create(b, upper, k);
    Value partial = sum(lower, upper, [&](Value k) -> Value {
      Value lhsValue = decodeAt(lhs, m, k);
      return arith::MulFOp::create(b, lhsValue, decodeAt(rhs, n, k));
    });
    Value scale = decodeAt(lhsScale, m, kb);
    scale = arith::MulFOp::create(b, scale, decodeAt(rhsScale, n, kb));
    return arith::MulFOp::create(b, partial, scale);
  });
}

void MatmulEmitter::emit() {
  bool rhsIsKByN = !op.getTransposeB();
  lhs = load(op.getLhs(), false);
  rhs = load(op.getRhs(), rhsIsKByN);
  lhsScale = load(op.getLhsScale(), false);
  rhsScale = load(op.getRhsScale(), rhsIsKByN);
  k = memref::DimOp::create(b, op.getLhs(), 1);
  Value block = index(op.getLhsScaleKind()->getBlock());
  numBlocks = arith::CeilDivUIOp::create(b, k, block);
  Value rows = memref::DimOp::create(b, op.getLhs(), 0);
  Value columns = memref::DimOp::create(b, op.getRhs(), op.getRhsNDim());
  buildShapeAsserts(b, op, rows, columns, k);

  Value zero = index(0), one = index(1);
  SmallVector<scf::ForOp> loops;
  for (unsigned dim : {0, 1}) {
    Value extent = memref::DimOp::create(b, op.getInit(), dim);
    loops.push_back(scf::ForOp::create(b, zero, extent, one));
    b.setInsertionPointToStart(loops.back().getBody());
  }
  Value m = loops[0].getInductionVar(), n = loops[1].getInductionVar();
  Value result = arith::TruncFOp::create(b, b.getF32Type(), dot(m, n));
  memref::StoreOp::create(b, result, op.getInit(), ValueRange{m, n});
  op.erase();
}

void ConvertLPGEMMToLoops::runOnOperation() {
  DecodeTables tables(getOperation());
  WalkResult result = getOperation().walk([&](MatmulOp op) {
    Type form = op.getInit().getType();
    if (isa<RankedTensorType>(form)) {
      op.emitOpError() << "expects init to be a memref, but got " << form
                       << ": bufferize first";
      return WalkResult::interrupt();
    }
    if (isa<MemRefType>(form))
      MatmulEmitter(op, tables).emit();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
