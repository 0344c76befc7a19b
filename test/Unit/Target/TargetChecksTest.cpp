//===- TargetChecksTest.cpp - tests of what chips refuse ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
class TargetChecksTest : public testing::Test {
protected:
  TargetChecksTest()
      : op(ModuleOp::create(FileLineColLoc::get(&context, "f.mlir", 3, 5))),
        handler(&context, [&](Diagnostic &diagnostic) {
          llvm::raw_string_ostream(error)
              << diagnostic.getLocation() << " " << diagnostic;
          return success();
        }) {}

  /// What is said about a product on `chip`; empty if it is accepted.
  std::string check(StringRef chip, Type lhs, Type rhs) {
    error.clear();
    bool accepted =
        succeeded(checkTypesOnTarget(*op, lhs, rhs, *lookupTargetRecord(chip)));
    EXPECT_EQ(accepted, error.empty());
    return error;
  }

  MLIRContext context;
  Builder b{&context};
  Type e4m3 = b.getType<Float8E4M3FNType>();
  Type e4m3fnuz = b.getType<Float8E4M3FNUZType>();
  Type e2m3 = b.getType<Float6E2M3FNType>();
  Type e2m1 = b.getType<Float4E2M1FNType>();
  OwningOpRef<ModuleOp> op;
  std::string error;
  ScopedDiagnosticHandler handler;
};

TEST_F(TargetChecksTest, ProductsAreAccepted) {
  EXPECT_EQ(check("sm_90a", e4m3, e4m3), "");
  EXPECT_EQ(check("gfx950", e2m3, e2m1), "");
  EXPECT_EQ(check("gfx942", e4m3, e4m3fnuz), "");
  EXPECT_EQ(check("sm_80", b.getF16Type(), e4m3), "");
}

TEST_F(TargetChecksTest, LhsIsUnknown) {
  EXPECT_EQ(check("sm_90a", e2m3, e4m3),
            "loc(\"f.mlir\":3:5) 'builtin.module' op expects lhs and rhs of "
            "element types that sm_90a multiplies, both of one of {f16}, "
            "{bf16}, {i8}, {f8E4M3FN, f8E5M2}, but got 'f6E2M3FN' x "
            "'f8E4M3FN'; 'f8E4M3FN' goes with f8E4M3FN, f8E5M2");
}

TEST_F(TargetChecksTest, BothAreUnknown) {
  EXPECT_EQ(check("sm_89", e2m3, b.getF32Type()),
            "loc(\"f.mlir\":3:5) 'builtin.module' op expects lhs and rhs of "
            "element types that sm_89 multiplies, both of one of {f16}, "
            "{bf16}, {i8}, {f8E4M3FN, f8E5M2}, but got 'f6E2M3FN' x 'f32'");
}

TEST_F(TargetChecksTest, BothAreKnownButNotTogether) {
  EXPECT_EQ(check("sm_120a", b.getBF16Type(), e2m1),
            "loc(\"f.mlir\":3:5) 'builtin.module' op expects lhs and rhs of "
            "element types that sm_120a multiplies, both of one of {f16}, "
            "{bf16}, {i8}, {f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN, f4E2M1FN}, "
            "but got 'bf16' x 'f4E2M1FN'; 'bf16' goes with bf16");
}

TEST_F(TargetChecksTest, ConversionsAreNamed) {
  EXPECT_EQ(check("gfx942", e4m3, b.getF16Type()),
            "loc(\"f.mlir\":3:5) 'builtin.module' op expects lhs and rhs of "
            "element types that gfx942 multiplies, both of one of {f16}, "
            "{bf16}, {i8}, {f8E4M3FNUZ, f8E5M2FNUZ} with f8E4M3FN as "
            "f8E4M3FNUZ (C-17), f8E5M2 as f8E5M2FNUZ (C-17), f8E4M3FN as bf16 "
            "(C-10), f8E5M2 as bf16 (C-10), f8E4M3FNUZ as bf16 (C-10), "
            "f8E5M2FNUZ as bf16 (C-10), f6E2M3FN as bf16 (C-10), f6E3M2FN as "
            "bf16 (C-10), f4E2M1FN as bf16 (C-10), but got 'f8E4M3FN' x 'f16'; "
            "'f8E4M3FN' goes with bf16, f8E4M3FN, f8E5M2, f8E4M3FNUZ, "
            "f8E5M2FNUZ, f6E2M3FN, f6E3M2FN, f4E2M1FN");
}

TEST_F(TargetChecksTest, Lowering) {
  EXPECT_TRUE(succeeded(checkLowering(*op, *lookupTargetRecord("gfx950"))));
  EXPECT_EQ(error, "");
  EXPECT_TRUE(succeeded(checkLowering(*op, *lookupTargetRecord("sm_90a"))));
  EXPECT_EQ(error, "");
  EXPECT_TRUE(failed(checkLowering(*op, *lookupTargetRecord("sm_100a"))));
  EXPECT_EQ(error, "loc(\"f.mlir\":3:5) 'builtin.module' op has no lowering "
                   "for sm_100a yet; there is one for gfx942, gfx950, "
                   "sm_80, sm_89, sm_90a");
}
} // namespace
