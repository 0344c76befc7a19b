//===- LPGEMMInterfaces.td - interfaces of the ops ---------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMINTERFACES_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMINTERFACES_TD

include "mlir/IR/OpBase.td"

def LPGEMM_ShapeContractInterface : OpInterface<"ShapeContractInterface"> {
  let cppNamespace = "::mlir::lpgemm";
  let description = [{
    An op whose operands' shapes follow from a few extents. The contract is
    written once; the verifier, the checks at run time and the lowerings read
    it.
  }];
  let methods = [
    InterfaceMethod<"The shapes of the operands.",
      "::mlir::lpgemm::ShapeContract", "getShapeContract">];
}

class LPGEMM_Accessor<string type, string name>
    : InterfaceMethod<"", type, name>;

def LPGEMM_ProductInterface : OpInterface<"ProductInterface",
    [LPGEMM_ShapeContractInterface]> {
  let cppNamespace = "::mlir::lpgemm";
  let description = [{
    What lpgemm.matmul and lpgemm.grouped_matmul have in common: a scaled
    product with the same operands, epilogue and results.
  }];
  let methods = [
    LPGEMM_Accessor<"::mlir::Value", "getLhs">,
    LPGEMM_Accessor<"::mlir::Value", "getRhs">,
    LPGEMM_Accessor<"::mlir::Value", "getLhsScale">,
    LPGEMM_Accessor<"::mlir::Value", "getRhsScale">,
    LPGEMM_Accessor<"::std::optional<::mlir::lpgemm::ScaleAttr>",
                    "getLhsScaleKind">,
    LPGEMM_Accessor<"::std::optional<::mlir::lpgemm::ScaleAttr>",
                    "getRhsScaleKind">,
    LPGEMM_Accessor<"::mlir::Value", "getLhsTensorScale">,
    LPGEMM_Accessor<"::mlir::Value", "getRhsTensorScale">,
    LPGEMM_Accessor<"::mlir::Value", "getAlpha">,
    LPGEMM_Accessor<"::mlir::Value", "getBeta">,
    LPGEMM_Accessor<"::mlir::FloatAttr", "getStaticAlphaAttr">,
    LPGEMM_Accessor<"::mlir::FloatAttr", "getStaticBetaAttr">,
    LPGEMM_Accessor<"::mlir::Value", "getC">,
    LPGEMM_Accessor<"::mlir::Value", "getCScale">,
    LPGEMM_Accessor<"::mlir::Value", "getBias">,
    LPGEMM_Accessor<"::std::optional<::mlir::lpgemm::Axis>", "getBiasAxis">,
    LPGEMM_Accessor<"::mlir::Value", "getDScale">,
    LPGEMM_Accessor<"::mlir::Value", "getK">,
    LPGEMM_Accessor<"::mlir::OperandRange", "getEpilogueOperands">,
    LPGEMM_Accessor<"::mlir::ArrayAttr", "getEpilogueMapsAttr">,
    LPGEMM_Accessor<"bool", "getPairs">,
    LPGEMM_Accessor<"::mlir::Region &", "getEpilogue">,
    LPGEMM_Accessor<"::mlir::Value", "getInit">,
    LPGEMM_Accessor<"::mlir::Value", "getInitScale">,
    LPGEMM_Accessor<"::std::optional<::mlir::lpgemm::ScaleAttr>",
                    "getInitScaleKind">,
    LPGEMM_Accessor<"::std::optional<::mlir::lpgemm::ScaleRuleMode>",
                    "getInitScaleRule">,
    LPGEMM_Accessor<"::mlir::Value", "getAmax">,
    LPGEMM_Accessor<"bool", "getTransposeA">,
    LPGEMM_Accessor<"bool", "getTransposeB">,
    LPGEMM_Accessor<"::mlir::lpgemm::OverflowMode", "getOverflow">,
    LPGEMM_Accessor<"::std::optional<uint64_t>", "getPromoteK">,
    LPGEMM_Accessor<"::mlir::TypeAttr", "getLhsPackedAttr">,
    LPGEMM_Accessor<"::mlir::TypeAttr", "getRhsPackedAttr">,
    LPGEMM_Accessor<"::mlir::TypeAttr", "getInitPackedAttr">,
    LPGEMM_Accessor<"bool", "getDeterministic">];
  let extraClassDeclaration = [{
    /// The type of an element of lhs, rhs or init: of a code, where they are
    /// packed bytes.
    ::mlir::Type getLhsElementType();
    ::mlir::Type getRhsElementType();
    ::mlir::Type getInitElementType();
    bool hasEpilogue() { return !getEpilogue().empty(); }
    /// Columns of T of which the epilogue makes one of the result.
    int64_t getSumsPerResult() { return getPairs() ? 2 : 1; }
    /// Whether a constant alpha or beta is zero: then lhs and rhs, or C, are not
    /// read (G-12).
    bool hasZeroAlpha();
    bool hasZeroBeta();
    /// Names of the operands for messages, one for each operand.
    ::llvm::SmallVector<::llvm::StringRef> getOperandNames();
  }];
}

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMINTERFACES_TD
