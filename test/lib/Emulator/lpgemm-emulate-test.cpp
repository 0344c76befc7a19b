//===- lpgemm-emulate-test.cpp - runs a module in the emulator ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Lowers a module with GPU kernels, runs one function of it, which takes
// nothing and returns an i32, and prints that number and the emulator's
// reports.
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Emulator/Emulator.h"
#include "lpgemm/Pipelines/Pipelines.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>

using namespace mlir;
using namespace mlir::lpgemm;

static llvm::cl::opt<std::string> inputFile(llvm::cl::Positional,
                                            llvm::cl::init("-"));
static llvm::cl::opt<std::string> entryName("emulator-entry",
                                            llvm::cl::init("main"));
static llvm::cl::opt<std::string> chip("emulator-chip",
                                       llvm::cl::init("gfx950"));
static llvm::cl::opt<bool> noChecks("emulator-no-checks");
static llvm::cl::opt<bool> printStatistics("emulator-statistics");
static llvm::cl::opt<bool> printTime("emulator-time");
static llvm::cl::opt<unsigned> threads("emulator-threads", llvm::cl::init(0));
static llvm::cl::opt<emulator::LaneOrder> order(
    "emulator-order",
    llvm::cl::values(clEnumValN(emulator::LaneOrder::Forward, "forward", ""),
                     clEnumValN(emulator::LaneOrder::Reverse, "reverse", ""),
                     clEnumValN(emulator::LaneOrder::Random, "random", "")),
    llvm::cl::init(emulator::LaneOrder::Forward));
static llvm::cl::opt<emulator::LoadTime> loads(
    "emulator-loads",
    llvm::cl::values(clEnumValN(emulator::LoadTime::Late, "late", ""),
                     clEnumValN(emulator::LoadTime::Early, "early", ""),
                     clEnumValN(emulator::LoadTime::Random, "random", "")),
    llvm::cl::init(emulator::LoadTime::Late));
static llvm::cl::opt<unsigned> seed("emulator-seed", llvm::cl::init(0));

static void printResults(int32_t result) {
  llvm::outs() << "result " << result << "\n";
  for (const emulator::Report &report : emulator::takeReports())
    llvm::outs() << "report (" << report.count << "): " << report.message
                 << "\n";
  for (const emulator::LdsSiteStatistics &site : emulator::getLdsStatistics())
    llvm::outs() << site.site << ": " << site.accesses << " accesses, "
                 << site.cycles << " cycles, ideal " << site.idealCycles
                 << "\n";
  emulator::Statistics statistics = emulator::getStatistics();
  if (printStatistics)
    llvm::outs() << "workgroups " << statistics.workgroups << ", mfma "
                 << statistics.mfma << ", barriers " << statistics.barriers
                 << ", lane switches " << statistics.laneSwitches << "\n";
}

static LogicalResult run(ModuleOp module) {
  PassManager pm(module->getName());
  LowerToEmulatorOptions lowering;
  lowering.chip = chip;
  buildLowerToEmulatorPipeline(pm, lowering);
  if (failed(pm.run(module)))
    return failure();
  auto engine = emulator::createEngine(module);
  if (!engine)
    return module.emitError(llvm::toString(engine.takeError()));
  emulator::Options options;
  options.checks = !noChecks;
  options.countsLdsCycles = printStatistics;
  options.threads = threads;
  options.order = order;
  options.loads = loads;
  options.seed = seed;
  emulator::setOptions(options);
  // Compiles.
  if (auto entry = (*engine)->lookupPacked(entryName); !entry)
    return module.emitError(llvm::toString(entry.takeError()));
  auto start = std::chrono::steady_clock::now();
  llvm::Expected<int32_t> result = emulator::runFunction(**engine, entryName);
  if (!result)
    return module.emitError(llvm::toString(result.takeError()));
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  printResults(*result);
  if (printTime)
    llvm::outs() << "seconds " << seconds.count() << "\n";
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  // Lowered modules keep its attributes.
  registry.insert<lpgemm::LPGEMMDialect>();
  MLIRContext context(registry);
  std::string error;
  auto file = openInputFile(inputFile, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return 1;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  return !module || failed(run(*module));
}
