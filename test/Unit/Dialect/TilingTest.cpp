//===- TilingTest.cpp - tiles that follow from tiles of operands ----------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// A product of which operands 0, 1 and 2 are lhs, rhs and C.
constexpr StringLiteral kProduct = R"(
  func.func @f(%a: tensor<64x128xf16>, %b: tensor<96x128xf16>,
      %c: tensor<64x96xf32>, %d: tensor<64x96xf32>)
      -> tensor<64x96xf32> {
    %0 = lpgemm.matmul ins(%a, %b : tensor<64x128xf16>, tensor<96x128xf16>)
        c(%c : tensor<64x96xf32>)
        outs(%d : tensor<64x96xf32>) transpose_b -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  })";

/// One whose scales are cut at 32 columns.
constexpr StringLiteral kScaledResult = R"(
  func.func @f(%a: tensor<64x128xf16>, %b: tensor<128x96xf16>,
      %d: tensor<64x96xf8E4M3FN>, %s: tensor<64x3xf8E8M0FNU>) {
    %0:2 = lpgemm.matmul ins(%a, %b : tensor<64x128xf16>, tensor<128x96xf16>)
        outs(%d : tensor<64x96xf8E4M3FN>)
        scale_outs(%s : tensor<64x3xf8E8M0FNU>, <mx>, rceil)
        -> tensor<64x96xf8E4M3FN>, tensor<64x3xf8E8M0FNU>
    return
  })";

class TilingTest : public ::testing::Test {
protected:
  TilingTest() {
    context.loadDialect<func::FuncDialect, LPGEMMDialect>();
    parse(kProduct);
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  }

  void parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    module->walk([&](MatmulOp op) { product = op; });
  }

  SmallVector<OpFoldResult> pair(int64_t first, int64_t second) {
    Builder b(&context);
    return {b.getIndexAttr(first), b.getIndexAttr(second)};
  }

  /// The tile that takes [offset, offset + size) of each operand.
  FailureOr<TilingResult> tile(ArrayRef<unsigned> operands,
                               ArrayRef<SmallVector<OpFoldResult>> offsets,
                               ArrayRef<SmallVector<OpFoldResult>> sizes) {
    OpBuilder b(product);
    return cast<TilingInterface>(*product)
        .getTiledImplementationFromOperandTiles(b, operands, offsets, sizes);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  MatmulOp product;
  std::string message;
};
} // namespace

TEST_F(TilingTest, RowsOfLhsGiveRowsOfTheResult) {
  auto result = tile({0}, {pair(32, 0)}, {pair(16, 128)});
  ASSERT_TRUE(succeeded(result));
  auto tiled = cast<MatmulOp>(result->tiledOps.front());
  EXPECT_TRUE(succeeded(verify(*module)));
  auto lhs = tiled.getLhs().getDefiningOp<tensor::ExtractSliceOp>();
  EXPECT_EQ(lhs.getStaticOffsets(), ArrayRef<int64_t>({32, 0}));
  auto c = tiled.getC().getDefiningOp<tensor::ExtractSliceOp>();
  EXPECT_EQ(c.getStaticOffsets(), ArrayRef<int64_t>({32, 0}));
  EXPECT_EQ(c.getStaticSizes(), ArrayRef<int64_t>({16, 96}));
  EXPECT_EQ(tiled.getRhs(), product.getRhs());
}

TEST_F(TilingTest, TilesOfTwoOperandsMeet) {
  auto result =
      tile({0, 1}, {pair(32, 0), pair(48, 0)}, {pair(16, 128), pair(24, 128)});
  ASSERT_TRUE(succeeded(result));
  auto tiled = cast<MatmulOp>(result->tiledOps.front());
  EXPECT_EQ(cast<ShapedType>(tiled.getResult(0).getType()).getShape(),
            ArrayRef<int64_t>({16, 24}));
}

TEST_F(TilingTest, TilesThatDisagree) {
  EXPECT_TRUE(failed(
      tile({0, 2}, {pair(32, 0), pair(16, 0)}, {pair(16, 128), pair(16, 96)})));
  EXPECT_EQ(message,
            "'lpgemm.matmul' op expects one tile of M, but got another "
            "one with c");
}

TEST_F(TilingTest, PartOfK) {
  EXPECT_TRUE(failed(tile({0}, {pair(32, 64)}, {pair(16, 64)})));
  EXPECT_EQ(message,
            "'lpgemm.matmul' op expects tiles to span all of K (tile size 0), "
            "because init is a reduction over it that does not start with what "
            "init holds (C12): tile it as a partial reduction, one tile after "
            "the other, but got 64");
}

TEST_F(TilingTest, ResultTilePosition) {
  Builder builder(&context);
  OpBuilder b(product);
  SmallVector<OpFoldResult> offsets, sizes;
  for (int64_t offset : {16, 32, 0})
    offsets.push_back(builder.getIndexAttr(offset));
  for (int64_t size : {8, 24, 128})
    sizes.push_back(builder.getIndexAttr(size));
  SmallVector<OpFoldResult> resultOffsets, resultSizes;
  ASSERT_TRUE(succeeded(cast<TilingInterface>(*product).getResultTilePosition(
      b, 0, offsets, sizes, resultOffsets, resultSizes)));
  EXPECT_EQ(resultOffsets, pair(16, 32));
  EXPECT_EQ(resultSizes, pair(8, 24));
}

TEST_F(TilingTest, PartOfABlockOfTheResult) {
  parse(kScaledResult);
  OpBuilder b(product);
  auto tile = [&](int64_t offset, int64_t size) {
    return cast<TilingInterface>(*product).generateResultTileValue(
        b, 0, pair(0, offset), pair(64, size));
  };
  EXPECT_TRUE(succeeded(tile(32, 64)));
  EXPECT_TRUE(failed(tile(0, 48)));
  EXPECT_EQ(message, "'lpgemm.matmul' op expects tiles of N to be multiples of "
                     "32, where scale_outs can be cut, but got 48; the nearest "
                     "is 64");
  EXPECT_TRUE(failed(tile(16, 32)));
  EXPECT_EQ(message, "'lpgemm.matmul' op expects tiles of N to be multiples of "
                     "32, where scale_outs can be cut, but got 32 behind an "
                     "offset that is a multiple of 16 only");
}

TEST_F(TilingTest, TileOfScales) {
  parse(kScaledResult);
  OpBuilder b(product);
  EXPECT_TRUE(failed(cast<TilingInterface>(*product).generateResultTileValue(
      b, 1, pair(0, 1), pair(64, 1))));
  EXPECT_EQ(message,
            "'lpgemm.matmul' op expects a tile of an operand that is stored by "
            "M, N or K to find the tile of the others, but got one of "
            "scale_outs");
}
