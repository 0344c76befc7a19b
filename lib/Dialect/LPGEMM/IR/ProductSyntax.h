//===- ProductSyntax.h - syntax that the products share ---------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_IR_PRODUCTSYNTAX_H
#define LPGEMM_LIB_DIALECT_LPGEMM_IR_PRODUCTSYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::lpgemm {

/// `%alpha` or `0.5`.
ParseResult parseFactor(OpAsmParser &parser,
                        std::optional<OpAsmParser::UnresolvedOperand> &operand,
                        FloatAttr &constant);
void printFactor(OpAsmPrinter &printer, Operation *op, Value operand,
                 FloatAttr constant);

/// `(%t, %r = %residual : tensor<?x?xbf16>, %s = %x : tensor<?xf32> by
/// affine_map<(m, n) -> (n)>) { region }`. Without a map an operand has the
/// shape of the destination.
ParseResult
parseEpilogue(OpAsmParser &parser,
              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
              SmallVectorImpl<Type> &types, ArrayAttr &maps, UnitAttr &pairs,
              Region &region);
void printEpilogue(OpAsmPrinter &printer, Operation *op, OperandRange operands,
                   TypeRange types, ArrayAttr maps, UnitAttr pairs,
                   Region &region);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_IR_PRODUCTSYNTAX_H
