//===- Report.h - what a run has to tell ------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_REPORT_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_REPORT_H

#include "Compare.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace mlir::lpgemm {

struct RunOptions;

/// An argument of a call.
struct ReportedArgument {
  std::string type;
  SmallVector<int64_t> shape;
  /// A file, or how the elements were made.
  std::string source;
};

/// What a run has to tell, for people and for programs.
struct Report {
  std::string entry;
  SmallVector<ReportedArgument> arguments;
  double seconds = 0;
  /// One line each; with one, the run has failed.
  SmallVector<std::string> faults;
  /// Of each launch, where a GPU ran it.
  SmallVector<double> kernelMilliseconds;
  std::vector<Comparison> comparisons;

  bool isOk() const;
};

/// Prints how long the call took, and kernels on a GPU.
void printTimes(llvm::raw_ostream &stream, const Report &report,
                StringRef device);

/// Prints a comparison in a few lines.
void printComparison(llvm::raw_ostream &stream, const Comparison &comparison);

/// Writes the report as JSON; "-" is stdout. Numbers that JSON cannot express
/// are "inf", "-inf" and "nan". If `writeOthers` fails, there is no report.
llvm::Error writeReport(StringRef path, const Report &report,
                        const RunOptions &options,
                        function_ref<llvm::Error()> writeOthers);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_REPORT_H
