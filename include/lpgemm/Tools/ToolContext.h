//===- ToolContext.h - what the tools share ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TOOLS_TOOLCONTEXT_H
#define LPGEMM_TOOLS_TOOLCONTEXT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include <memory>

namespace mlir::lpgemm {

/// A context with every dialect and translation that a module of LPGEMM may
/// need at any stage. Diagnostics go to stderr with the line they are about.
class ToolContext {
public:
  ToolContext();

  MLIRContext &get() { return context; }

  /// Reads a module, text or bytecode; `-` is stdin.
  llvm::Expected<OwningOpRef<ModuleOp>> parse(llvm::StringRef path);
  /// The same from memory. Diagnostics call it by the name of the buffer.
  llvm::Expected<OwningOpRef<ModuleOp>>
  parse(std::unique_ptr<llvm::MemoryBuffer> source);

private:
  MLIRContext context;
  llvm::SourceMgr diagnosticFiles;
  SourceMgrDiagnosticHandler handler;
};

/// An error that lists the known chips if `chip` is none of them.
llvm::Error checkChip(llvm::StringRef chip);

/// The same, and an error if there is no lowering for the chip.
llvm::Error checkLoweredChip(llvm::StringRef chip);

} // namespace mlir::lpgemm

#endif // LPGEMM_TOOLS_TOOLCONTEXT_H
