//===- ToolContext.cpp - what the tools share -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/ToolContext.h"

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVM/ROCDL/Target.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  ROCDL::registerROCDLTargetInterfaceExternalModels(registry);
  registry.insert<LPGEMMDialect>();
  return registry;
}

// The modules are small: starting threads would cost more than they save.
ToolContext::ToolContext()
    : context(makeRegistry(), MLIRContext::Threading::DISABLED),
      handler(diagnosticFiles, &context) {
  // An error is about the op that the user wrote, not about its generic form.
  context.printOpOnDiagnostic(false);
}

Expected<OwningOpRef<ModuleOp>> ToolContext::parse(StringRef path) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &message);
  if (!buffer)
    return createStringError(message);
  return parse(std::move(buffer));
}

/// Any other file is refused before an excerpt of it is shown.
static Error checkIsText(const llvm::MemoryBuffer &source) {
  if (isBytecode(source.getMemBufferRef()))
    return Error::success();
  const auto *begin =
      reinterpret_cast<const llvm::UTF8 *>(source.getBufferStart());
  const auto *bad =
      std::find(begin, begin + source.getBufferSize(), llvm::UTF8(0));
  // Moves to the byte that is wrong.
  const llvm::UTF8 *place = begin;
  if (llvm::isLegalUTF8String(&place, bad) &&
      bad == begin + source.getBufferSize())
    return Error::success();
  return createStringError(
      source.getBufferIdentifier() +
      ": neither text in UTF-8 nor MLIR bytecode: byte " +
      Twine(place - begin) + " is 0x" +
      llvm::utohexstr(*place, /*LowerCase=*/false, /*Width=*/2));
}

Expected<OwningOpRef<ModuleOp>>
ToolContext::parse(std::unique_ptr<llvm::MemoryBuffer> source) {
  if (Error error = checkIsText(*source))
    return std::move(error);
  std::string name = source->getBufferIdentifier().str();
  auto files = std::make_shared<llvm::SourceMgr>();
  files->AddNewSourceBuffer(std::move(source), llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(files, &context);
  if (!module)
    return createStringError("cannot parse " + name);
  return module;
}

Error mlir::lpgemm::checkChip(StringRef chip) {
  if (lookupTargetRecord(chip))
    return Error::success();
  return createStringError("unknown chip '" + Twine(chip) +
                           "', expected one of " + listKnownTargets());
}

Error mlir::lpgemm::checkLoweredChip(StringRef chip) {
  if (Error error = checkChip(chip))
    return error;
  const TargetRecord &record = *lookupTargetRecord(chip);
  if (record.hasLowering())
    return Error::success();
  return createStringError(describeMissingLowering(record));
}
