//===- PackedStorageTest.cpp - codes of four and six bits in bytes --------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumericJit.h"

#include "lpgemm/Conversion/PackedStorage.h"
#include "llvm/Support/Memory.h"
#include "llvm/Support/Process.h"
#include "gmock/gmock.h"
#include <random>
#include <sys/mman.h>

using namespace mlir;
using namespace mlir::lpgemm;
using testing::ElementsAre;

namespace {

class PackedStorageTest : public testing::Test {
protected:
  void SetUp() override {
    Type i8 = jit.parse("i8"), i64 = jit.parse("i64");
    for (unsigned bits : {4, 6, 8}) {
      jit.addFunction("load" + std::to_string(bits), {i8, i64, i8},
                      [&](ImplicitLocOpBuilder &b, ValueRange arrays) {
                        forEachPlace(b, arrays, [&](Value place, Value iv) {
                          Value code =
                              loadPackedCode(b, {arrays[0], {}, bits}, place);
                          memref::StoreOp::create(b, code, arrays[2], iv);
                        });
                      });
      jit.addFunction("store" + std::to_string(bits), {i8, i64, i8},
                      [&](ImplicitLocOpBuilder &b, ValueRange arrays) {
                        forEachPlace(b, arrays, [&](Value place, Value iv) {
                          Value code = memref::LoadOp::create(b, arrays[2], iv);
                          storePackedCode(b, {arrays[0], {}, bits}, place,
                                          code);
                        });
                      });
    }
    jit.addFunction("second_row", {i8, i8},
                    [&](ImplicitLocOpBuilder &b, ValueRange arrays) {
                      loadSecondRow(b, arrays[0], arrays[1]);
                    });
    jit.compile();
  }

  std::vector<uint8_t> load(unsigned bits, std::vector<uint8_t> bytes,
                            std::vector<int64_t> places) {
    std::vector<uint8_t> codes(places.size());
    jit.call("load" + std::to_string(bits), bytes, places, codes);
    return codes;
  }
  std::vector<uint8_t> store(unsigned bits, std::vector<uint8_t> bytes,
                             std::vector<int64_t> places,
                             std::vector<uint8_t> codes) {
    jit.call("store" + std::to_string(bits), bytes, places, codes);
    return bytes;
  }

  NumericJit jit;

private:
  /// Emits `body` for each element of the second array.
  static void
  forEachPlace(ImplicitLocOpBuilder &b, ValueRange arrays,
               llvm::function_ref<void(Value place, Value iv)> body) {
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value one = arith::ConstantIndexOp::create(b, 1);
    Value size = memref::DimOp::create(b, arrays[1], 0);
    auto loop = scf::ForOp::create(b, zero, size, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value iv = loop.getInductionVar();
    Value place = memref::LoadOp::create(b, arrays[1], iv);
    body(arith::IndexCastOp::create(b, b.getIndexType(), place), iv);
  }

  /// The four FP6 codes in the second row of a matrix of 2 x 3 bytes.
  static void loadSecondRow(ImplicitLocOpBuilder &b, Value bytes, Value codes) {
    auto type = MemRefType::get({2, 3}, b.getI8Type());
    Value matrix = memref::ReinterpretCastOp::create(
        b, type, bytes, /*offset=*/0, ArrayRef<int64_t>{2, 3},
        ArrayRef<int64_t>{3, 1});
    Value row = arith::ConstantIndexOp::create(b, 1);
    for (int64_t i : {0, 1, 2, 3}) {
      Value index = arith::ConstantIndexOp::create(b, i);
      Value code = loadPackedCode(b, {matrix, {row}, 6}, index);
      memref::StoreOp::create(b, code, codes, index);
    }
  }
};

} // namespace

TEST_F(PackedStorageTest, EvenIndicesAreLowNibbles) {
  // L-2: 1.0, -6.0, 0.5 are the codes 2, F, 1.
  EXPECT_THAT(store(4, {0, 0}, {0, 1, 2}, {0x2, 0xF, 0x1}),
              ElementsAre(0xF2, 0x01));
  EXPECT_THAT(load(4, {0xF2, 0x01}, {0, 1, 2, 3}), ElementsAre(2, 0xF, 1, 0));
}

TEST_F(PackedStorageTest, SixBitsAreALittleEndianStream) {
  // L-3.
  EXPECT_THAT(store(6, {0, 0, 0}, {0, 1, 2, 3}, {1, 2, 3, 4}),
              ElementsAre(0x81, 0x30, 0x10));
  EXPECT_THAT(load(6, {0x3F, 0x50, 0xA9}, {0, 1, 2, 3}),
              ElementsAre(0x3F, 0x00, 0x15, 0x2A));
}

TEST_F(PackedStorageTest, RowsAreIndexed) {
  std::vector<uint8_t> bytes = {0xFF, 0xFF, 0xFF, 0x81, 0x30, 0x10};
  std::vector<uint8_t> codes(4);
  jit.call("second_row", bytes, codes);
  EXPECT_THAT(codes, ElementsAre(1, 2, 3, 4));
}

TEST_F(PackedStorageTest, AnyLengthAndOrder) {
  std::mt19937 engine(3);
  for (unsigned bits : {4, 6, 8})
    for (unsigned size = 1; size != 20; ++size) {
      std::vector<uint8_t> bytes((size * bits + 7) / 8), codes(size);
      std::vector<int64_t> places(size);
      for (unsigned i = 0; i != size; ++i) {
        codes[i] = engine() % (1 << bits);
        places[i] = i;
      }
      std::shuffle(places.begin(), places.end(), engine);
      std::vector<uint8_t> expected(bytes.size());
      for (unsigned i = 0; i != size; ++i)
        for (unsigned bit = 0; bit != bits; ++bit) {
          unsigned position = places[i] * bits + bit;
          expected[position / 8] |= (codes[i] >> bit & 1) << position % 8;
        }
      // Over what was there; bits behind the last code stay as they are.
      for (uint8_t before : {0x00, 0xFF}) {
        bytes.assign(bytes.size(), before);
        auto actual = store(bits, bytes, places, codes);
        EXPECT_EQ(load(bits, actual, places), codes) << bits << " x " << size;
        if (before == 0)
          EXPECT_EQ(actual, expected) << bits << " x " << size;
      }
    }
}

TEST_F(PackedStorageTest, NoByteBehindTheRowIsTouched) {
  // A row that ends where the memory of the process does.
  std::error_code error;
  size_t pageSize = llvm::sys::Process::getPageSizeEstimate();
  llvm::sys::OwningMemoryBlock block(llvm::sys::Memory::allocateMappedMemory(
      2 * pageSize, nullptr,
      llvm::sys::Memory::MF_READ | llvm::sys::Memory::MF_WRITE, error));
  ASSERT_FALSE(error) << error.message();
  auto *pages = static_cast<uint8_t *>(block.base());
  ASSERT_EQ(mprotect(pages + pageSize, pageSize, PROT_NONE), 0);
  for (unsigned bits : {4, 6, 8})
    for (int64_t size = 1; size != 9; ++size) {
      size_t rowBytes = (size * bits + 7) / 8;
      MutableArrayRef<uint8_t> row(pages + pageSize - rowBytes, rowBytes);
      for (int64_t place = 0; place != size; ++place) {
        std::vector<int64_t> places = {place};
        std::vector<uint8_t> code = {static_cast<uint8_t>(place + 1)};
        std::vector<uint8_t> loaded(1);
        jit.callOn("store" + std::to_string(bits), row,
                   MutableArrayRef<int64_t>(places),
                   MutableArrayRef<uint8_t>(code));
        jit.callOn("load" + std::to_string(bits), row,
                   MutableArrayRef<int64_t>(places),
                   MutableArrayRef<uint8_t>(loaded));
        EXPECT_EQ(loaded, code);
      }
    }
}
