//===- Reports.cpp - collected faults -------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"

#include <cstring>

using namespace mlir::lpgemm::emulator;

std::string mlir::lpgemm::emulator::siteText(const KernelInfo &info,
                                             uint32_t site) {
  if (site >= info.numSites)
    return "the launch";
  const char *text = info.siteText;
  for (uint32_t i = 0; i < 2 * site; ++i)
    text += std::strlen(text) + 1;
  std::string op(text);
  return "'" + op + "' at " + std::string(text + op.size() + 1);
}

void ReportList::merge(const ReportList &other) {
  for (const auto &[key, entry] : other.entries) {
    auto [it, isNew] = entries.insert({key, entry});
    if (isNew)
      continue;
    it->second.report.count += entry.report.count;
    if (entry.workgroup < it->second.workgroup) {
      it->second.workgroup = entry.workgroup;
      it->second.report.message = entry.report.message;
    }
  }
}

std::vector<Report> ReportList::take() {
  std::vector<Report> result;
  for (auto &[key, entry] : entries)
    result.push_back(std::move(entry.report));
  entries.clear();
  return result;
}
