//===- lpgemm-plugin.cpp - plugin for a stock mlir-opt --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/InitAll.h"
#include "lpgemm/Version.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

static void registerPasses() {
  mlir::lpgemm::registerAllPasses();
  mlir::lpgemm::registerAllPipelines();
}

/// Called by --load-dialect-plugin.
extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "LPGEMM", LPGEMM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            mlir::lpgemm::registerAllDialects(*registry);
          }};
}

/// Called by --load-pass-plugin.
extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "LPGEMM", LPGEMM_VERSION_STRING,
          registerPasses};
}
