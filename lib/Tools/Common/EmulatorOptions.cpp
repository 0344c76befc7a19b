//===- EmulatorOptions.cpp - options of the emulator ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/EmulatorOptions.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace mlir::lpgemm;
using emulator::LaneOrder;
using emulator::LoadTime;
using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace cl = llvm::cl;

EmulatorCommandLine::EmulatorCommandLine(EmulatorWords &words,
                                         cl::OptionCategory &category)
    : checks("emulator-checks",
             cl::desc("Check memory accesses and data races:"),
             cl::values(clEnumValN(EmulatorChecks::On, "on", "Yes (default)"),
                        clEnumValN(EmulatorChecks::Off, "off", "No")),
             cl::location(words.checks), cl::cat(category)),
      threads("emulator-threads", cl::value_desc("n"),
              cl::desc("Threads of the emulator (default: one for each core)"),
              cl::location(words.threads), cl::cat(category)),
      order("emulator-order", cl::value_desc("order"),
            cl::desc("Order in which lanes run: forward (default), reverse or "
                     "random:SEED"),
            cl::location(words.order), cl::cat(category)),
      loads("emulator-loads", cl::value_desc("time"),
            cl::desc("When asynchronous copies take effect between their issue "
                     "and the wait for them: late (default), early or random, "
                     "by the seed of --emulator-order"),
            cl::location(words.loads), cl::cat(category)),
      warps(
          "emulator-warps",
          cl::desc("What orders the lanes of an NVIDIA warp:"),
          cl::values(clEnumValN(emulator::WarpOrder::Independent, "independent",
                                "What the PTX ISA says (default)"),
                     clEnumValN(emulator::WarpOrder::Converged, "converged",
                                "Every operation of the whole warp, too")),
          cl::location(words.warps), cl::cat(category)),
      multiprocessors(
          "emulator-multiprocessors", cl::value_desc("n"),
          cl::desc("Multiprocessors that the host is told of (default: 4), "
                   "which is how many persistent workgroups it launches"),
          cl::location(words.multiprocessors), cl::cat(category)) {}

Expected<emulator::Options>
mlir::lpgemm::parseEmulatorOptions(const EmulatorWords &words) {
  emulator::Options options;
  options.threads = words.threads;
  options.checks = words.checks == EmulatorChecks::On;
  auto [name, seed] = StringRef(words.order).split(':');
  auto order = llvm::StringSwitch<std::optional<LaneOrder>>(name)
                   .Case("forward", LaneOrder::Forward)
                   .Case("reverse", LaneOrder::Reverse)
                   .Case("random", LaneOrder::Random)
                   .Default(std::nullopt);
  bool hasSeed = order == LaneOrder::Random;
  if (!order || (hasSeed ? seed.getAsInteger(10, options.seed) : !seed.empty()))
    return createStringError("expected --emulator-order to be forward, reverse "
                             "or random:SEED, got '" +
                             Twine(words.order) + "'");
  auto time = llvm::StringSwitch<std::optional<LoadTime>>(words.loads)
                  .Case("late", LoadTime::Late)
                  .Case("early", LoadTime::Early)
                  .Case("random", LoadTime::Random)
                  .Default(std::nullopt);
  if (!time)
    return createStringError("expected --emulator-loads to be late, early or "
                             "random, got '" +
                             Twine(words.loads) + "'");
  options.order = *order;
  options.loads = *time;
  options.warps = words.warps;
  if (words.multiprocessors == 0)
    return createStringError("expected --emulator-multiprocessors to be at "
                             "least 1, got 0");
  options.multiprocessors = words.multiprocessors;
  return options;
}

void mlir::lpgemm::printLdsStatistics(llvm::raw_ostream &os) {
  constexpr size_t kMaxSites = 5;
  auto sites = emulator::getLdsStatistics();
  emulator::LdsSiteStatistics sum;
  sum.site = "LDS";
  for (const emulator::LdsSiteStatistics &site : sites) {
    sum.accesses += site.accesses;
    sum.cycles += site.cycles;
    sum.idealCycles += site.idealCycles;
  }
  auto print = [&](const emulator::LdsSiteStatistics &site) {
    os << llvm::formatv("{0}: {1} accesses of waves, {2} cycles, {3} without "
                        "bank conflicts\n",
                        site.site, site.accesses, site.cycles,
                        site.idealCycles);
  };
  print(sum);
  for (const emulator::LdsSiteStatistics &site :
       llvm::ArrayRef(sites).take_front(kMaxSites))
    if (site.cycles > site.idealCycles)
      print(site);
}
