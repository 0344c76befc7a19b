//===- KernelModuleTest.cpp - tests of launching by name ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/Emulator.h"
#include "lpgemm/Tools/ToolContext.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::emulator;

namespace {

constexpr llvm::StringLiteral kSource = R"mlir(
llvm.func @scale(%x: !llvm.ptr, %factor: f32) attributes {rocdl.kernel} {
  %group = rocdl.workgroup.id.x : i32
  %item = rocdl.workitem.id.x : i32
  %size = rocdl.workgroup.dim.x : i32
  %start = llvm.mul %group, %size : i32
  %index = llvm.add %start, %item : i32
  %place = llvm.getelementptr %x[%index] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %value = llvm.load %place : !llvm.ptr -> f32
  %scaled = llvm.fmul %value, %factor : f32
  llvm.store %scaled, %place : f32, !llvm.ptr
  llvm.return
}
llvm.func @copy(%x: !llvm.ptr, %from: !llvm.ptr {llvm.byval = !llvm.array<2 x i32>}) attributes {gpu.kernel} {
  %last = llvm.getelementptr %from[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %value = llvm.load %last : !llvm.ptr -> i32
  llvm.store %value, %x : i32, !llvm.ptr
  llvm.return
}
llvm.func @beyond(%x: !llvm.ptr, %from: !llvm.ptr {llvm.byval = !llvm.array<2 x i32>}) attributes {gpu.kernel} {
  %next = llvm.getelementptr %from[2] : (!llvm.ptr) -> !llvm.ptr, i32
  %value = llvm.load %next : !llvm.ptr -> i32
  llvm.store %value, %x : i32, !llvm.ptr
  llvm.return
}
)mlir";

/// An array that kernels may access.
template <typename T>
class Array {
public:
  explicit Array(std::vector<T> values) : values(std::move(values)) {
    registerBuffer(this->values.data(), this->values.size() * sizeof(T), "x");
  }
  ~Array() { unregisterBuffer(values.data()); }

  std::vector<T> values;
};

class KernelModuleTest : public testing::Test {
protected:
  void SetUp() override {
    setOptions({});
    takeReports();
  }

  llvm::Expected<KernelModule> compile(StringRef source, StringRef chip) {
    auto parsed = context.parse(llvm::MemoryBuffer::getMemBuffer(source, "k"));
    EXPECT_TRUE(static_cast<bool>(parsed));
    module = std::move(*parsed);
    return KernelModule::compile(*module, {chip.str()});
  }

  ToolContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(KernelModuleTest, LaunchesByName) {
  auto kernels = compile(kSource, "gfx942");
  ASSERT_TRUE(static_cast<bool>(kernels));
  auto kernel = kernels->lookup("scale");
  ASSERT_TRUE(static_cast<bool>(kernel));
  ASSERT_EQ((*kernel)->parameters.size(), 2u);
  EXPECT_TRUE(isa<LLVM::LLVMPointerType>((*kernel)->parameters[0].type));
  EXPECT_TRUE((*kernel)->parameters[1].type.isF32());
  Array<float> x({1, 2, 3, 4, 5, 6});
  void *pointer = x.values.data();
  float factor = 2.5;
  kernels->launch(**kernel, {{2, 1, 1}, {3, 1, 1}, 0, {}}, {&pointer, &factor});
  EXPECT_TRUE(takeReports().empty());
  EXPECT_EQ(x.values, (std::vector<float>{2.5, 5, 7.5, 10, 12.5, 15}));
  // One work item too many.
  kernels->launch(**kernel, {{1, 1, 1}, {7, 1, 1}, 0, {}}, {&pointer, &factor});
  std::vector<Report> reports = takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::GlobalOutOfBounds);
}

TEST_F(KernelModuleTest, CopiesByValue) {
  auto kernels = compile(kSource, "gfx950");
  ASSERT_TRUE(static_cast<bool>(kernels));
  auto kernel = kernels->lookup("copy");
  ASSERT_TRUE(static_cast<bool>(kernel));
  EXPECT_FALSE((*kernel)->parameters[0].byValue);
  EXPECT_TRUE(isa<LLVM::LLVMArrayType>((*kernel)->parameters[1].byValue));
  Array<int32_t> x({0});
  void *pointer = x.values.data();
  std::vector<int32_t> from = {7, 8};
  kernels->launch(**kernel, {}, {&pointer, from.data()});
  EXPECT_TRUE(takeReports().empty());
  EXPECT_EQ(x.values[0], 8);
  kernel = kernels->lookup("beyond");
  ASSERT_TRUE(static_cast<bool>(kernel));
  kernels->launch(**kernel, {}, {&pointer, from.data()});
  std::vector<Report> reports = takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::GlobalOutOfBounds);
}

TEST_F(KernelModuleTest, NamesWhatThereIs) {
  auto kernels = compile(kSource, "gfx950");
  ASSERT_TRUE(static_cast<bool>(kernels));
  auto none = kernels->lookup("other");
  ASSERT_FALSE(static_cast<bool>(none));
  EXPECT_EQ(llvm::toString(none.takeError()),
            "no kernel @other, expected one of @scale, @copy, @beyond");
  auto only = kernels->lookup("");
  ASSERT_FALSE(static_cast<bool>(only));
  EXPECT_EQ(llvm::toString(only.takeError()),
            "the module has 3 kernels, name one of @scale, @copy, @beyond");
}

} // namespace
