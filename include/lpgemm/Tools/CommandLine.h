//===- CommandLine.h - options of the tools ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TOOLS_COMMANDLINE_H
#define LPGEMM_TOOLS_COMMANDLINE_H

#include "llvm/Support/CommandLine.h"
#include <string>

namespace mlir::lpgemm {

/// Reads a text that is not empty, which stands for an option that is absent.
class TextParser : public llvm::cl::parser<std::string> {
public:
  using parser::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef /*name*/,
             llvm::StringRef text, std::string &value) {
    value = text.str();
    return text.empty() && option.error("needs a value");
  }
};

/// An option whose value, if it is given, is a text; stored elsewhere.
using TextOption =
    llvm::cl::opt<std::string, /*ExternalStorage=*/true, TextParser>;

} // namespace mlir::lpgemm

#endif // LPGEMM_TOOLS_COMMANDLINE_H
