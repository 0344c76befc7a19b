//===- dialect.c - test of the dialect under C --------------------*- C -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Run by dialect.test.
//
//===----------------------------------------------------------------------===//

#include "lpgemm-c/Dialect.h"
#include "lpgemm-c/Registration.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <string.h>

static const char *program =
    "func.func @f(%a: tensor<4x32xf8E4M3FN>, %b: tensor<8x32xf8E4M3FN>,\n"
    "    %d: tensor<4x8xf32>, %sa: tensor<4x1xf8E8M0FNU>,\n"
    "    %sb: tensor<8x1xf8E8M0FNU>) -> tensor<4x8xf32> {\n"
    "  %0 = lpgemm.matmul\n"
    "      ins(%a, %b : tensor<4x32xf8E4M3FN>, tensor<8x32xf8E4M3FN>)\n"
    "      lhs_scale(%sa : tensor<4x1xf8E8M0FNU>, <mx>)\n"
    "      rhs_scale(%sb : tensor<8x1xf8E8M0FNU>, <mx>)\n"
    "      outs(%d : tensor<4x8xf32>) transpose_b\n"
    "      schedule(<tile = [32, 32, 128], waves = [2, 2],\n"
    "                instr = mfma_scale_f32_16x16x128_f8f6f4,\n"
    "                home = <a = shared, b = shared>, stages = 1>)\n"
    "      -> tensor<4x8xf32>\n"
    "  return %0 : tensor<4x8xf32>\n"
    "}\n";

static MlirStringRef refer(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

static void print(MlirStringRef string, void *data) {
  (void)data;
  printf("%.*s", (int)string.length, string.data);
}

static MlirLogicalResult printError(MlirDiagnostic diagnostic, void *data) {
  (void)data;
  printf("error: ");
  mlirDiagnosticPrint(diagnostic, print, NULL);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static void testHandle(MlirContext context) {
  MlirDialectHandle handle = mlirGetDialectHandle__lpgemm__();
  print(mlirDialectHandleGetNamespace(handle), NULL);
  printf(", loaded as ");
  print(mlirDialectGetNamespace(mlirDialectHandleLoadDialect(handle, context)),
        NULL);
  printf("\n");
}

static void printScale(MlirAttribute attr) {
  if (mlirAttributeIsNull(attr)) {
    printf("null\n");
    return;
  }
  mlirAttributePrint(attr, print, NULL);
  printf(": ");
  print(lpgemmScaleAttrGetKind(attr), NULL);
  printf(" %dx%d ", (int)lpgemmScaleAttrGetOuterBlock(attr),
         (int)lpgemmScaleAttrGetKBlock(attr));
  print(lpgemmScaleAttrGetLayout(attr), NULL);
  printf(", scale %d, target %d\n", lpgemmAttributeIsAScale(attr),
         lpgemmAttributeIsATarget(attr));
}

static void testScales(MlirContext context) {
  MlirLocation loc = mlirLocationUnknownGet(context);
  MlirStringRef row = refer("row");
  printScale(lpgemmScaleAttrGetChecked(loc, refer("mx"), row));
  printScale(lpgemmScaleAttrGetBlockChecked(loc, 1, 128, refer("mn_tma")));
  // The one that is in the text is the same.
  MlirAttribute parsed =
      mlirAttributeParseGet(context, refer("#lpgemm.scale<nvfp4>"));
  printf("equal: %d\n",
         mlirAttributeEqual(
             parsed, lpgemmScaleAttrGetChecked(loc, refer("nvfp4"), row)));

  printScale(lpgemmScaleAttrGetChecked(loc, refer("block"), row));
  printScale(lpgemmScaleAttrGetChecked(loc, refer("mx"), refer("zig")));
  printScale(lpgemmScaleAttrGetChecked(loc, refer("mx"), refer("blk128x128")));
  printScale(lpgemmScaleAttrGetBlockChecked(loc, 2, 128, row));
  printScale(lpgemmScaleAttrGetBlockChecked(loc, 1, 128, refer("zag")));
}

static void testTargets(MlirContext context) {
  MlirLocation loc = mlirLocationUnknownGet(context);
  MlirAttribute target = lpgemmTargetAttrGetChecked(loc, refer("gfx950"));
  mlirAttributePrint(target, print, NULL);
  printf(": ");
  print(lpgemmTargetAttrGetChip(target), NULL);
  printf(", scale %d, target %d\n", lpgemmAttributeIsAScale(target),
         lpgemmAttributeIsATarget(target));
  target = lpgemmTargetAttrGetChecked(loc, refer("gfx1"));
  printf("null: %d\n", mlirAttributeIsNull(target));
}

/// A pipeline of LPGEMM in a pass manager of the host.
static void testPipeline(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, refer(program));
  MlirPassManager pm = mlirPassManagerCreate(context);
  MlirLogicalResult parsed = mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(pm),
      refer("builtin.module(lpgemm-attach-target{chip=gfx950},"
            "lpgemm-lower-to-rocdl{chip=gfx950})"),
      print, NULL);
  MlirOperation op = mlirModuleGetOperation(module);
  printf("parsed: %d, ", mlirLogicalResultIsSuccess(parsed));
  MlirLogicalResult ran = mlirPassManagerRunOnOp(pm, op);
  printf("ran: %d\n", mlirLogicalResultIsSuccess(ran));
  mlirOperationPrint(op, print, NULL);
  mlirPassManagerDestroy(pm);
  mlirModuleDestroy(module);
}

int main(void) {
  // Twice: it has no further effect.
  for (int i = 0; i != 2; ++i) {
    lpgemmRegisterAllPasses();
    lpgemmRegisterAllPipelines();
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  lpgemmRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, printError, NULL, NULL);

  testHandle(context);
  testScales(context);
  testTargets(context);
  testPipeline(context);
  mlirContextDestroy(context);
  return 0;
}
