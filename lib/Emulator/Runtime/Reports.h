//===- Reports.h - collected faults -----------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_REPORTS_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_REPORTS_H

#include "lpgemm/Emulator/Runtime.h"

#include <map>
#include <tuple>

namespace mlir::lpgemm::emulator {

/// In place of a site where there is none.
constexpr uint32_t kNoSite = ~0u;

/// `op at location` of a site.
std::string siteText(const KernelInfo &info, uint32_t site);

/// Faults by kind and pair of sites. A map, so that the order is fixed.
class ReportList {
public:
  /// Counts a fault; `makeMessage` is called for the first of its key.
  template <typename Fn>
  void add(const KernelInfo &info, ReportKind kind, uint32_t site,
           uint32_t other, int64_t workgroup, Fn &&makeMessage) {
    Entry &entry = entries[Key(info.name, kind, site, other)];
    if (entry.report.count++ == 0)
      entry = {{kind, makeMessage(), 1}, workgroup};
  }

  /// Of two messages the one of the first workgroup stays, whichever thread
  /// was faster.
  void merge(const ReportList &other);
  bool empty() const { return entries.empty(); }
  std::vector<Report> take();

private:
  using Key = std::tuple<std::string, ReportKind, uint32_t, uint32_t>;
  struct Entry {
    Report report{};
    int64_t workgroup = 0;
  };
  std::map<Key, Entry> entries;
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_REPORTS_H
