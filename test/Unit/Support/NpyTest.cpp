//===- NpyTest.cpp - NumPy .npy array files -------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Support/Npy.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <csignal>
#include <sys/resource.h>

using namespace llvm;
using namespace mlir::lpgemm;
using testing::ElementsAre;

namespace {

/// Every test has a folder of its own, which goes with its contents.
class NpyTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("lpgemm-npy", folder));
  }
  void TearDown() override { sys::fs::remove_directories(folder); }

  std::string getPath(StringRef name) const {
    SmallString<128> path(folder);
    sys::path::append(path, name);
    return path.str().str();
  }

  std::string writeFile(StringRef name, StringRef contents) const {
    std::string path = getPath(name);
    std::error_code code;
    raw_fd_ostream(path, code) << contents;
    EXPECT_FALSE(code);
    return path;
  }

  static std::string readFile(StringRef path) {
    auto buffer = MemoryBuffer::getFile(path);
    EXPECT_TRUE(buffer);
    return (*buffer)->getBuffer().str();
  }

  /// The number of entries of the folder.
  int countFiles() const {
    int count = 0;
    std::error_code code;
    for (sys::fs::directory_iterator it(folder, code), end; it != end && !code;
         it.increment(code))
      ++count;
    return count;
  }

  /// The error of reading a file, which must be one line "<path>: <message>";
  /// returns the message.
  std::string getReadError(StringRef path) const {
    Expected<NpyArray> array = readNpy(path);
    if (array)
      return "no error";
    std::string text = toString(array.takeError());
    StringRef message(text);
    EXPECT_TRUE(message.consume_front((path + ": ").str())) << text;
    EXPECT_FALSE(message.contains('\n')) << text;
    return message.str();
  }

  std::string getReadErrorOf(StringRef contents) const {
    return getReadError(writeFile("bad.npy", contents));
  }

  SmallString<128> folder;
};

/// A version 1 file with the given header and data.
std::string makeFile(StringRef header, StringRef data = "") {
  std::string file("\x93NUMPY\1\0", 8);
  file.push_back(static_cast<char>(header.size()));
  file.push_back(static_cast<char>(header.size() >> 8));
  return file + header.str() + data.str();
}

std::string makeHeaderOf(StringRef type, StringRef shape,
                         StringRef order = "False") {
  return ("{'descr': " + type + ", 'fortran_order': " + order +
          ", 'shape': " + shape + ", }\n")
      .str();
}

template <typename T>
void checkRoundTrip(const std::string &path, NpyType type) {
  NpyArray array(type, {2, 3});
  for (int i = 0; i != 6; ++i)
    array.getData<T>()[i] = static_cast<T>(40 + i);
  ASSERT_FALSE(errorToBool(writeNpy(path, array)));
  Expected<NpyArray> copy = readNpy(path);
  ASSERT_TRUE(static_cast<bool>(copy)) << toString(copy.takeError());
  EXPECT_EQ(copy->getType(), type);
  EXPECT_THAT(copy->getShape(), ElementsAre(2, 3));
  EXPECT_EQ(copy->getData<T>(), array.getData<T>());
}

} // namespace

TEST_F(NpyTest, RoundTrip) {
  std::string path = getPath("a.npy");
  checkRoundTrip<uint8_t>(path, NpyType::U8);
  checkRoundTrip<uint16_t>(path, NpyType::U16);
  checkRoundTrip<int8_t>(path, NpyType::I8);
  checkRoundTrip<int32_t>(path, NpyType::I32);
  checkRoundTrip<int64_t>(path, NpyType::I64);
  checkRoundTrip<uint16_t>(path, NpyType::F16);
  checkRoundTrip<float>(path, NpyType::F32);
  checkRoundTrip<double>(path, NpyType::F64);
  EXPECT_EQ(countFiles(), 1);
}

TEST_F(NpyTest, WritesWhatNumPyWrites) {
  NpyArray array(NpyType::U8, {3});
  array.getData<uint8_t>()[2] = 7;
  std::string path = getPath("a.npy");
  ASSERT_FALSE(errorToBool(writeNpy(path, array)));
  std::string header = "{'descr': '|u1', 'fortran_order': False, "
                       "'shape': (3,), }";
  header.resize(128 - 10 - 1, ' ');
  EXPECT_EQ(readFile(path), makeFile(header + "\n", StringRef("\0\0\7", 3)));
}

TEST_F(NpyTest, ScalarsAndEmptyArrays) {
  for (SmallVector<int64_t> shape :
       {SmallVector<int64_t>{}, {0}, {3, 0}, {0, INT64_MAX, 4}}) {
    NpyArray array(NpyType::F32, shape);
    EXPECT_EQ(array.getNumElements(), shape.empty() ? 1 : 0);
    std::string path = getPath("a.npy");
    ASSERT_FALSE(errorToBool(writeNpy(path, array)));
    Expected<NpyArray> copy = readNpy(path);
    ASSERT_TRUE(static_cast<bool>(copy)) << toString(copy.takeError());
    EXPECT_EQ(copy->getShape(), ArrayRef(shape));
  }
}

TEST_F(NpyTest, LongHeadersTakeVersionTwo) {
  NpyArray array(NpyType::U8, SmallVector<int64_t>(30000, 1));
  std::string path = getPath("a.npy");
  ASSERT_FALSE(errorToBool(writeNpy(path, array)));
  EXPECT_EQ(readFile(path).substr(6, 2), std::string("\2\0", 2));
  Expected<NpyArray> copy = readNpy(path);
  ASSERT_TRUE(static_cast<bool>(copy)) << toString(copy.takeError());
  EXPECT_EQ(copy->getShape().size(), 30000u);
}

TEST_F(NpyTest, ReadsOtherSpellings) {
  // Any order of keys, either quote, no trailing comma.
  std::string path =
      writeFile("a.npy", makeFile("{\"shape\":(1,2),\"fortran_order\":False ,"
                                  "\"descr\":\"<i4\"}",
                                  StringRef("\1\0\0\0\2\0\0\0", 8)));
  Expected<NpyArray> array = readNpy(path);
  ASSERT_TRUE(static_cast<bool>(array)) << toString(array.takeError());
  EXPECT_THAT(array->getData<int32_t>(), ElementsAre(1, 2));
}

TEST_F(NpyTest, ToFloats) {
  NpyArray halfs(NpyType::F16, {4});
  copy(ArrayRef<uint16_t>{0x3C00, 0xC000, 0x0001, 0x7C00},
       halfs.getData<uint16_t>().begin());
  EXPECT_THAT(halfs.toFloats(), ElementsAre(1.0f, -2.0f, 0x1p-24f, INFINITY));
  NpyArray bytes(NpyType::I8, {1});
  bytes.getData<int8_t>()[0] = -5;
  EXPECT_THAT(bytes.toFloats(), ElementsAre(-5.0f));
}

TEST_F(NpyTest, UnreadableFiles) {
  EXPECT_EQ(getReadError(getPath("none.npy")),
            "cannot read: No such file or directory");
  EXPECT_EQ(getReadError(folder), "cannot read: Is a directory");
  EXPECT_EQ(getReadError("/dev/zero"), "cannot read: not a regular file");
  EXPECT_EQ(getReadErrorOf(""), "not an .npy file");
  EXPECT_EQ(getReadErrorOf("PK\3\4 a zip archive"), "not an .npy file");
}

TEST_F(NpyTest, MalformedHeaders) {
  StringRef prefix = "malformed .npy header: ";
  const std::pair<std::string, StringRef> cases[] = {
      {"\x93NUMPY", "the file ends after the magic"},
      {std::string("\x93NUMPY\1\0\x10", 9),
       "the file ends inside the header length"},
      {std::string("\x93NUMPY\1\0\x10\0{", 11), "expected 16 bytes, found 1"},
      {std::string("\x93NUMPY\2\0\xFF\xFF\xFF\xFF{", 13),
       "expected 4294967295 bytes, found 1"},
      {makeFile("descr"), "expected '{'"},
      {makeFile("{}"), "missing key 'descr'"},
      {makeFile("{'descr': '|u1', 'shape': ()}"),
       "missing key 'fortran_order'"},
      {makeFile("{'descr': '|u1', 'fortran_order': False}"),
       "missing key 'shape'"},
      {makeFile("{'descr': '|u1"), "unterminated string"},
      {makeFile("{'descr' '|u1'}"), "expected ':'"},
      {makeFile("{3: 4}"), "expected a string"},
      {makeFile("{'x': 4}"), "unknown key 'x'"},
      {makeFile("{'descr': '|u1' 'shape': ()}"), "expected '}'"},
      {makeFile(makeHeaderOf("'|u1'", "(3)")), "the shape is not a tuple"},
      {makeFile(makeHeaderOf("'|u1'", "(-3,)")),
       "expected an extent of the shape"},
      {makeFile(makeHeaderOf("'|u1'", "(3 4)")), "the shape is not a tuple"},
      {makeFile(makeHeaderOf("'|u1'", "(3, 4 5)")), "expected ')'"},
      {makeFile(makeHeaderOf("'|u1'", "(3, 4")),
       "expected an extent of the shape"},
      {makeFile(makeHeaderOf("'|u1'", "3")), "expected '('"},
      {makeFile(makeHeaderOf("'|u1'", "()", "0")), "expected True or False"},
      {makeFile(makeHeaderOf("'|u1'", "()") + "x"),
       "text after the dictionary"},
  };
  for (const auto &[contents, message] : cases)
    EXPECT_EQ(getReadErrorOf(contents), (prefix + message).str());
}

TEST_F(NpyTest, UnsupportedContents) {
  const std::pair<std::string, StringRef> cases[] = {
      {std::string("\x93NUMPY\3\0\0\0\0\0", 12),
       "unsupported .npy version 3.0, expected 1.0 or 2.0"},
      {std::string("\x93NUMPY\xFF\1", 8),
       "unsupported .npy version 255.1, expected 1.0 or 2.0"},
      {makeFile(makeHeaderOf("'>f4'", "()")),
       "unsupported big-endian data type '>f4'"},
      {makeFile(makeHeaderOf("'<c8'", "()")),
       "unsupported data type '<c8', expected one of |u1 <u2 |i1 <i4 <i8 <f2 "
       "<f4 <f8"},
      {makeFile(makeHeaderOf("[('a', '<f4')]", "()")),
       "unsupported structured data type"},
      {makeFile(makeHeaderOf("'<f4'", "(2, 3)", "True"), std::string(24, 0)),
       "unsupported Fortran order, expected C order"},
  };
  for (const auto &[contents, message] : cases)
    EXPECT_EQ(getReadErrorOf(contents), message);
}

TEST_F(NpyTest, WrongAmountsOfData) {
  std::string header = makeHeaderOf("'<f4'", "(2, 3)");
  EXPECT_EQ(getReadErrorOf(makeFile(header, std::string(23, 0))),
            "truncated data: expected 24 bytes, found 23");
  EXPECT_EQ(getReadErrorOf(makeFile(header, std::string(25, 0))),
            "trailing data: expected 24 bytes, found 25");
  // Nothing of that size may be allocated.
  EXPECT_EQ(getReadErrorOf(makeFile(
                makeHeaderOf("'<f4'", "(1000000000, 1000000000)"), "x")),
            "truncated data: expected 4000000000000000000 bytes, found 1");
  EXPECT_EQ(getReadErrorOf(
                makeFile(makeHeaderOf("'<f8'", "(1099511627776, 1048576)"))),
            "the shape overflows: 1099511627776x1048576");
  EXPECT_EQ(getReadErrorOf(
                makeFile(makeHeaderOf("'|u1'", "(99999999999999999999,)"))),
            "the shape overflows: extent 99999999999999999999");
}

TEST_F(NpyTest, FailedWritesLeaveNothing) {
  std::string kept = writeFile("kept.npy", "old");
  std::string missing = getPath("none/b.npy");
  NpyArray array(NpyType::U8, {3});
  Error error = writeNpyFiles({{kept, array}, {missing, array}});
  EXPECT_EQ(toString(std::move(error)),
            missing + ": cannot write: No such file or directory");
  error = writeNpyFiles({{kept, array}, {folder, array}});
  EXPECT_EQ(toString(std::move(error)),
            folder.str().str() + ": cannot write: not a regular file");
  EXPECT_EQ(readFile(kept), "old");
  EXPECT_EQ(countFiles(), 1);
}

TEST_F(NpyTest, FullDisksLeaveNothing) {
  // A limit on the size of files stands for a full disk.
  std::string kept = writeFile("kept.npy", "old");
  NpyArray array(NpyType::U8, {1 << 20});
  rlimit saved;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &saved), 0);
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = {4096, saved.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  Error error = writeNpy(kept, array);
  setrlimit(RLIMIT_FSIZE, &saved);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(toString(std::move(error)),
            kept + ": cannot write: File too large");
  EXPECT_EQ(readFile(kept), "old");
  EXPECT_EQ(countFiles(), 1);
}
