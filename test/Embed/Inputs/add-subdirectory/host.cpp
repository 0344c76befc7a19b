//===- host.cpp - parses a module in a host compiler ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

int main(int argc, char **argv) {
  if (argc != 2)
    return 1;
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, mlir::lpgemm::LPGEMMDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  module->print(llvm::outs());
  return 0;
}
