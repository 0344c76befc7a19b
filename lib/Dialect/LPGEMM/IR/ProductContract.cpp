//===- ProductContract.cpp - shapes of the matrix products ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductContract.h"

#include "lpgemm/Dialect/LPGEMM/IR/ProductExtents.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace mlir::lpgemm;

using Exprs = SmallVector<AffineExpr>;

namespace {
class ContractBuilder {
public:
  ContractBuilder(ProductInterface op, const LeadingDims &leading,
                  ShapeContract &contract)
      : op(op), leading(leading), contract(contract) {}

  void build();

private:
  void addExtents();
  AffineExpr addColumns();
  void addScales();
  void addResult();
  void addMatrix(StringRef name, Value value, ArrayRef<AffineExpr> lead,
                 bool broadcast, AffineExpr rows, AffineExpr columns,
                 TypeAttr packed = {});
  void addScale(StringRef name, Value value, std::optional<ScaleAttr> kind,
                ArrayRef<AffineExpr> lead, AffineExpr outer, AffineExpr inner,
                bool innerFirst, ArrayRef<AffineExpr> unknown = {});
  void addBroadcast(StringRef name, Value value, ArrayRef<AffineExpr> lead,
                    ArrayRef<AffineExpr> trailing);

  ProductInterface op;
  const LeadingDims &leading;
  ShapeContract &contract;
  AffineExpr m, n, k;
};
} // namespace

/// A dimension of a stored matrix, counted behind the leading ones.
static int64_t matrixDim(Value matrix, unsigned dim) {
  return cast<ShapedType>(matrix.getType()).getRank() - 2 + dim;
}

ShapeContract::Extent lpgemm::findColumnsBesideMatrices(ProductInterface op) {
  if (Value c = op.getC())
    return {"N", c, matrixDim(c, 1), "c"};
  if (Value bias = op.getBias(); bias && op.getBiasAxis() == Axis::N)
    return {"N", bias, cast<ShapedType>(bias.getType()).getRank() - 1, "bias"};
  if (!op.getRhsScale() || !op.getRhsScaleKind())
    return {"N", {}, 0, ""};
  auto scale = cast<ShapedType>(op.getRhsScale().getType());
  AffineExpr n = getAffineDimExpr(0, op.getContext());
  AffineExpr k = getAffineDimExpr(1, op.getContext());
  Exprs shape = op.getRhsScaleKind()->getStorageShape(n, k, !op.getTransposeB(),
                                                      scale.getElementType());
  auto *position = llvm::find(shape, n);
  if (position == shape.end())
    return {"N", {}, 0, ""};
  int64_t behind = std::distance(position, shape.end());
  return {"N", op.getRhsScale(), scale.getRank() - behind, "rhs_scale"};
}

/// N, if neither rhs nor init tells it, from another operand, or as the most
/// elements that the bytes of rhs hold.
AffineExpr ContractBuilder::addColumns() {
  Value rhs = op.getRhs(), init = op.getInit();
  TypeAttr rhsPacked = op.getRhsPackedAttr();
  if (!rhsPacked || op.getTransposeB())
    return contract.addExtent(
        "N", rhs, matrixDim(rhs, op.getTransposeB() ? 0 : 1), "rhs");
  if (!op.getInitPackedAttr() && !op.getPairs())
    return contract.addExtent("N", init, matrixDim(init, 1), "init");
  ShapeContract::Extent beside = findColumnsBesideMatrices(op);
  if (beside.source)
    return contract.addExtent(beside.name, beside.source, beside.dim,
                              beside.sourceName);
  AffineExpr bytes =
      contract.addExtent("bytes of N", rhs, matrixDim(rhs, 1), "rhs");
  return (bytes * 8).floorDiv(rhsPacked.getValue().getIntOrFloatBitWidth());
}

void ContractBuilder::addExtents() {
  Value lhs = op.getLhs(), rhs = op.getRhs(), init = op.getInit();
  unsigned lhsK = op.getTransposeA() ? 0 : 1, rhsK = op.getTransposeB() ? 1 : 0;
  // The extent along the packed dimension is not that of the stored bytes.
  bool lhsPacked = op.getLhsPackedAttr() != nullptr;
  if (lhsPacked && lhsK == 0)
    m = contract.addExtent("M", init, matrixDim(init, 0), "init");
  else
    m = contract.addExtent("M", lhs, matrixDim(lhs, 1 - lhsK), "lhs");
  n = addColumns();
  if (Value extent = op.getK())
    k = contract.addExtent("K", extent, 0, "k");
  else if (lhsPacked && lhsK == 1)
    k = contract.addExtent("K", rhs, matrixDim(rhs, rhsK), "rhs");
  else
    k = contract.addExtent("K", lhs, matrixDim(lhs, lhsK), "lhs");
}

void ContractBuilder::addMatrix(StringRef name, Value value,
                                ArrayRef<AffineExpr> lead, bool broadcast,
                                AffineExpr rows, AffineExpr columns,
                                TypeAttr packed) {
  if (!value)
    return;
  Exprs dims = broadcast ? broadcastBatch(value, 2, lead) : Exprs(lead);
  if (packed)
    columns = (columns * packed.getValue().getIntOrFloatBitWidth()).ceilDiv(8);
  dims.append({rows, columns});
  contract.addOperand(name, value, dims);
}

void ContractBuilder::addBroadcast(StringRef name, Value value,
                                   ArrayRef<AffineExpr> lead,
                                   ArrayRef<AffineExpr> trailing) {
  if (!value)
    return;
  Exprs dims = broadcastBatch(value, trailing.size(), lead);
  llvm::append_range(dims, trailing);
  contract.addOperand(name, value, dims);
}

/// `unknown`: extents of which the shape says nothing, because blocks start
/// anew with each group.
void ContractBuilder::addScale(StringRef name, Value value,
                               std::optional<ScaleAttr> kind,
                               ArrayRef<AffineExpr> lead, AffineExpr outer,
                               AffineExpr inner, bool innerFirst,
                               ArrayRef<AffineExpr> unknown) {
  if (!value || !kind)
    return;
  Exprs shape =
      kind->getStorageShape(outer, inner, innerFirst,
                            cast<ShapedType>(value.getType()).getElementType());
  // In a kernel the padding of the layout is outside.
  if (isa<GlobalType>(value.getType()))
    shape = kind->getMatrixShape(outer, inner, innerFirst);
  for (AffineExpr &dim : shape)
    for (AffineExpr extent : unknown)
      if (dim && dim.isFunctionOfDim(cast<AffineDimExpr>(extent).getPosition()))
        dim = {};
  addBroadcast(name, value, lead, shape);
}

void ContractBuilder::addScales() {
  Exprs lhsUnknown, rhsUnknown;
  auto blocked = [](std::optional<ScaleAttr> kind) {
    return kind && kind->hasKBlocks();
  };
  Exprs lhsLead = leading.lhsScale, rhsLead = leading.rhsScale;
  if (leading.rowGroups && op.getLhsScaleKind()) {
    if (op.getLhsScaleKind()->getKind() != ScaleKind::Tensor)
      lhsLead.clear();
    if (op.getLhsScaleKind()->getLayout() == ScaleLayout::Swz128x4)
      lhsUnknown.push_back(m);
  }
  if (leading.kGroups) {
    lhsUnknown.push_back(k);
    rhsUnknown.push_back(k);
    if (blocked(op.getLhsScaleKind()))
      lhsLead.clear();
    if (blocked(op.getRhsScaleKind()))
      rhsLead.clear();
  }
  addScale("lhs_scale", op.getLhsScale(), op.getLhsScaleKind(), lhsLead, m, k,
           op.getTransposeA(), lhsUnknown);
  addScale("rhs_scale", op.getRhsScale(), op.getRhsScaleKind(), rhsLead, n, k,
           !op.getTransposeB(), rhsUnknown);
  addBroadcast("lhs_tensor_scale", op.getLhsTensorScale(), leading.lhsScale,
               {});
  addBroadcast("rhs_tensor_scale", op.getRhsTensorScale(), leading.rhsScale,
               {});
}

void ContractBuilder::addResult() {
  addMatrix("c", op.getC(), leading.init, leading.broadcast, m, n);
  addBroadcast("c_scale", op.getCScale(), {}, {});
  if (op.getBiasAxis())
    addBroadcast("bias", op.getBias(), leading.bias,
                 {*op.getBiasAxis() == Axis::M ? m : n});
  addBroadcast("d_scale", op.getDScale(), {}, {});
  static constexpr StringLiteral kNames[] = {
      "epilogue operand 0", "epilogue operand 1", "epilogue operand 2",
      "epilogue operand 3", "an epilogue operand"};
  // (G-15) Where it takes pairs the epilogue leaves half of the columns.
  AffineExpr columns = op.getPairs() ? n.floorDiv(op.getSumsPerResult()) : n;
  Exprs result = leading.init;
  result.append({m, columns});
  for (auto [i, operand] : llvm::enumerate(op.getEpilogueOperands())) {
    auto map = cast<AffineMapAttr>(op.getEpilogueMapsAttr()[i]).getValue();
    Exprs dims;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      dims.push_back(dim ? result[dim.getPosition()]
                         : getAffineConstantExpr(1, op->getContext()));
    }
    contract.addOperand(kNames[std::min<size_t>(i, std::size(kNames) - 1)],
                        operand, dims);
  }
  addMatrix("init", op.getInit(), leading.init, /*broadcast=*/false, m, columns,
            op.getInitPackedAttr());
  addScale("scale_outs", op.getInitScale(), op.getInitScaleKind(), leading.init,
           m, columns, /*innerFirst=*/false);
  addBroadcast("amax", op.getAmax(), {}, {});
}

/// (C3), (C4), (C9): all shapes in terms of M, N, K and the leading dimensions.
void ContractBuilder::build() {
  addExtents();
  addMatrix("lhs", op.getLhs(), leading.lhs, leading.broadcast,
            op.getTransposeA() ? k : m, op.getTransposeA() ? m : k,
            op.getLhsPackedAttr());
  addMatrix("rhs", op.getRhs(), leading.rhs, leading.broadcast,
            op.getTransposeB() ? n : k, op.getTransposeB() ? k : n,
            op.getRhsPackedAttr());
  addScales();
  addResult();
}

void lpgemm::buildProductContract(ProductInterface op,
                                  const LeadingDims &leading,
                                  ShapeContract &contract) {
  ContractBuilder(op, leading, contract).build();
}
