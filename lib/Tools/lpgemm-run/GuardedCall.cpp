//===- GuardedCall.cpp - calls that may fail ------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardedCall.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/Support/raw_ostream.h"
#include <csetjmp>
#include <string>

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::Error;
using llvm::StringRef;

/// Where `abort` continues. Host code of the module runs in the calling thread
/// alone, and one call is made at a time.
static std::jmp_buf abortTarget;

/// The last line that was put. It is an assertion's if `abort` follows.
static std::string lastLine;

static void printLastLine() {
  if (!lastLine.empty())
    llvm::outs() << lastLine << "\n";
  lastLine.clear();
}

static int putLine(const char *line) {
  printLastLine();
  lastLine = line;
  return 0;
}

[[noreturn]] static void abortCall() { std::longjmp(abortTarget, 1); }

void mlir::lpgemm::guardAssertions(ExecutionEngine &engine) {
  engine.registerSymbols([](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
    auto define = [&](StringRef name, auto *function) {
      symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                 llvm::JITSymbolFlags::Exported};
    };
    define("puts", putLine);
    define("abort", abortCall);
    return symbols;
  });
}

/// Returns false if the function aborts. Nothing here, nor in compiled code,
/// has a destructor that the jump would leave out.
static bool completes(void (*function)(void **), void **arguments) {
  if (setjmp(abortTarget))
    return false;
  function(arguments);
  return true;
}

Error mlir::lpgemm::callGuarded(StringRef name, void (*function)(void **),
                                void **arguments) {
  if (completes(function, arguments)) {
    printLastLine();
    return Error::success();
  }
  std::string line = lastLine.empty() ? "aborted" : std::move(lastLine);
  lastLine.clear();
  return llvm::createStringError("@" + name + ": " + line);
}
