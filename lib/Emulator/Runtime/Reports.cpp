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

const char *mlir::lpgemm::emulator::getKindName(ReportKind kind) {
  switch (kind) {
#define LPGEMM_KIND(name)                                                      \
  case ReportKind::name:                                                       \
    return #name;
    LPGEMM_KIND(SharedRace)
    LPGEMM_KIND(SharedUnwaitedWrite)
    LPGEMM_KIND(SharedUnwaitedRead)
    LPGEMM_KIND(SharedUninitialized)
    LPGEMM_KIND(SharedOutOfBounds)
    LPGEMM_KIND(GlobalOutOfBounds)
    LPGEMM_KIND(GlobalRace)
    LPGEMM_KIND(Misaligned)
    LPGEMM_KIND(DivergentWaveOp)
    LPGEMM_KIND(DivergentBarrier)
    LPGEMM_KIND(NonUniform)
    LPGEMM_KIND(MissingProxyFence)
    LPGEMM_KIND(PendingAtExit)
    LPGEMM_KIND(Deadlock)
    LPGEMM_KIND(InvalidOperand)
    LPGEMM_KIND(InvalidLaunch)
    LPGEMM_KIND(Crash)
    LPGEMM_KIND(NoProgress)
#undef LPGEMM_KIND
  }
  return "";
}

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
