//===- Npy.cpp - NumPy .npy array files -----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Support/Npy.h"

#include "lpgemm/Support/OutputFiles.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SwapByteOrder.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <optional>

using namespace llvm;
using namespace mlir::lpgemm;

static_assert(sys::IsLittleEndianHost,
              "array data are used as they lie in the file");

//===----------------------------------------------------------------------===//
// Element types and arrays
//===----------------------------------------------------------------------===//

namespace {
struct TypeInfo {
  StringLiteral name;
  unsigned size;
};
} // namespace

/// Indexed by NpyType.
static constexpr TypeInfo typeInfos[] = {
    {"|u1", 1}, {"<u2", 2}, {"|i1", 1}, {"<i4", 4},
    {"<i8", 8}, {"<f2", 2}, {"<f4", 4}, {"<f8", 8},
};

StringRef mlir::lpgemm::getNpyTypeName(NpyType type) {
  return typeInfos[static_cast<unsigned>(type)].name;
}

unsigned mlir::lpgemm::getNpyTypeSize(NpyType type) {
  return typeInfos[static_cast<unsigned>(type)].size;
}

/// The number of bytes of an array, unless it does not fit into int64_t. An
/// extent of zero makes the array empty whatever the other extents are.
static std::optional<int64_t> computeNumBytes(NpyType type,
                                              ArrayRef<int64_t> shape) {
  if (is_contained(shape, 0))
    return 0;
  std::optional<int64_t> numBytes = getNpyTypeSize(type);
  for (int64_t extent : shape)
    if (numBytes)
      numBytes = checkedMul<int64_t>(*numBytes, extent);
  return numBytes;
}

NpyArray::NpyArray(NpyType type, ArrayRef<int64_t> shape)
    : type(type), shape(shape) {
  std::optional<int64_t> numBytes = computeNumBytes(type, shape);
  assert(numBytes && "the size of the array overflows");
  data.resize(*numBytes);
}

template <typename T>
static std::vector<float> castToFloats(ArrayRef<T> values) {
  return std::vector<float>(values.begin(), values.end());
}

static std::vector<float> convertHalfs(ArrayRef<uint16_t> values) {
  std::vector<float> result;
  result.reserve(values.size());
  for (uint16_t bits : values)
    result.push_back(
        APFloat(APFloat::IEEEhalf(), APInt(16, bits)).convertToFloat());
  return result;
}

std::vector<float> NpyArray::toFloats() const {
  switch (type) {
  case NpyType::U8:
    return castToFloats(getData<uint8_t>());
  case NpyType::U16:
    return castToFloats(getData<uint16_t>());
  case NpyType::I8:
    return castToFloats(getData<int8_t>());
  case NpyType::I32:
    return castToFloats(getData<int32_t>());
  case NpyType::I64:
    return castToFloats(getData<int64_t>());
  case NpyType::F16:
    return convertHalfs(getData<uint16_t>());
  case NpyType::F32:
    return castToFloats(getData<float>());
  case NpyType::F64:
    return castToFloats(getData<double>());
  }
  llvm_unreachable("unknown element type");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static constexpr StringLiteral magic("\x93NUMPY");

static Error makeError(StringRef path, const Twine &message) {
  return createStringError(path + ": " + message);
}

static Error makeHeaderError(StringRef path, const Twine &message) {
  return makeError(path, "malformed .npy header: " + message);
}

/// Takes the magic, the version and the header off the front of `contents` and
/// returns the header, a dictionary in Python's notation.
static Expected<StringRef> takeHeader(StringRef path, StringRef &contents) {
  if (!contents.consume_front(magic))
    return makeError(path, "not an .npy file");
  if (contents.size() < 2)
    return makeHeaderError(path, "the file ends after the magic");
  uint8_t major = contents[0], minor = contents[1];
  contents = contents.drop_front(2);
  if ((major != 1 && major != 2) || minor != 0)
    return makeError(
        path, "unsupported .npy version " + Twine(unsigned(major)) + "." +
                  Twine(unsigned(minor)) + ", expected 1.0 or 2.0");
  // The length has two bytes in version 1 and four in version 2.
  size_t lengthSize = major == 1 ? 2 : 4;
  if (contents.size() < lengthSize)
    return makeHeaderError(path, "the file ends inside the header length");
  uint64_t length = major == 1 ? support::endian::read16le(contents.data())
                               : support::endian::read32le(contents.data());
  contents = contents.drop_front(lengthSize);
  if (contents.size() < length)
    return makeHeaderError(path, "expected " + Twine(length) +
                                     " bytes, found " + Twine(contents.size()));
  StringRef header = contents.take_front(length);
  contents = contents.drop_front(length);
  return header;
}

namespace {
/// What a header says.
struct Header {
  std::optional<NpyType> type;
  std::optional<bool> fortranOrder;
  std::optional<SmallVector<int64_t>> shape;
};

/// Parses the dictionary literal of a header. The keys come in any order.
class HeaderParser {
public:
  HeaderParser(StringRef path, StringRef text) : path(path), rest(text) {}

  Error parse(Header &header);

private:
  bool consume(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  Error expect(StringRef token) {
    if (consume(token))
      return Error::success();
    return makeHeaderError(path, "expected '" + token + "'");
  }
  Error parseString(StringRef &value);
  Error parseEntry(Header &header);
  Error parseType(std::optional<NpyType> &type);
  Error parseBool(std::optional<bool> &value);
  Error parseShape(std::optional<SmallVector<int64_t>> &shape);

  StringRef path;
  StringRef rest;
};
} // namespace

Error HeaderParser::parse(Header &header) {
  if (Error error = expect("{"))
    return error;
  while (!consume("}")) {
    if (Error error = parseEntry(header))
      return error;
    if (!consume(",")) {
      if (Error error = expect("}"))
        return error;
      break;
    }
  }
  if (!rest.trim().empty())
    return makeHeaderError(path, "text after the dictionary");
  const std::pair<StringRef, bool> keys[] = {
      {"descr", header.type.has_value()},
      {"fortran_order", header.fortranOrder.has_value()},
      {"shape", header.shape.has_value()}};
  for (auto [key, isPresent] : keys)
    if (!isPresent)
      return makeHeaderError(path, "missing key '" + key + "'");
  return Error::success();
}

Error HeaderParser::parseString(StringRef &value) {
  StringRef quote = consume("'") ? "'" : "\"";
  if (quote != "'" && !consume(quote))
    return makeHeaderError(path, "expected a string");
  size_t end = rest.find(quote);
  // The text comes from outside: nothing but printable characters may reach
  // an error message.
  if (end == StringRef::npos || !all_of(rest.take_front(end), isPrint))
    return makeHeaderError(path, "unterminated string");
  value = rest.take_front(end);
  rest = rest.drop_front(end + 1);
  return Error::success();
}

Error HeaderParser::parseEntry(Header &header) {
  StringRef key;
  if (Error error = parseString(key))
    return error;
  if (Error error = expect(":"))
    return error;
  if (key == "descr")
    return parseType(header.type);
  if (key == "fortran_order")
    return parseBool(header.fortranOrder);
  if (key == "shape")
    return parseShape(header.shape);
  return makeHeaderError(path, "unknown key '" + key + "'");
}

Error HeaderParser::parseType(std::optional<NpyType> &type) {
  if (rest.ltrim().starts_with("["))
    return makeError(path, "unsupported structured data type");
  StringRef name;
  if (Error error = parseString(name))
    return error;
  if (name.starts_with(">"))
    return makeError(path, "unsupported big-endian data type '" + name + "'");
  const auto *info = find_if(
      typeInfos, [&](const TypeInfo &info) { return info.name == name; });
  if (info == std::end(typeInfos))
    return makeError(
        path,
        "unsupported data type '" + name + "', expected one of " +
            join(map_range(typeInfos, [](auto &info) { return info.name; }),
                 " "));
  type = static_cast<NpyType>(info - std::begin(typeInfos));
  return Error::success();
}

Error HeaderParser::parseBool(std::optional<bool> &value) {
  if (consume("False"))
    value = false;
  else if (consume("True"))
    value = true;
  else
    return makeHeaderError(path, "expected True or False");
  return Error::success();
}

Error HeaderParser::parseShape(std::optional<SmallVector<int64_t>> &shape) {
  if (Error error = expect("("))
    return error;
  shape.emplace();
  while (!consume(")")) {
    rest = rest.ltrim();
    StringRef digits = rest.take_while(isDigit);
    int64_t extent;
    if (digits.empty())
      return makeHeaderError(path, "expected an extent of the shape");
    if (digits.getAsInteger(10, extent))
      return makeError(path, "the shape overflows: extent " + digits);
    rest = rest.drop_front(digits.size());
    shape->push_back(extent);
    if (consume(","))
      continue;
    // In Python's notation "(3)" is a number, not a tuple.
    if (shape->size() == 1)
      return makeHeaderError(path, "the shape is not a tuple");
    if (Error error = expect(")"))
      return error;
    break;
  }
  return Error::success();
}

Expected<NpyArray> mlir::lpgemm::readNpy(StringRef path) {
  // A device may never end.
  sys::fs::file_status status;
  if (!sys::fs::status(path, status) && !sys::fs::is_regular_file(status) &&
      !sys::fs::is_directory(status))
    return makeError(path, "cannot read: not a regular file");
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError(path, "cannot read: " + buffer.getError().message());
  StringRef contents = (*buffer)->getBuffer();
  Expected<StringRef> text = takeHeader(path, contents);
  if (!text)
    return text.takeError();
  Header header;
  if (Error error = HeaderParser(path, *text).parse(header))
    return error;
  if (*header.fortranOrder)
    return makeError(path, "unsupported Fortran order, expected C order");
  std::optional<int64_t> numBytes =
      computeNumBytes(*header.type, *header.shape);
  if (!numBytes)
    return makeError(path,
                     "the shape overflows: " +
                         formatv("{0:$[x]}", make_range(header.shape->begin(),
                                                        header.shape->end()))
                             .str());
  uint64_t expected = *numBytes;
  if (contents.size() != expected)
    return makeError(path,
                     (contents.size() < expected ? "truncated" : "trailing") +
                         Twine(" data: expected ") + Twine(expected) +
                         " bytes, found " + Twine(contents.size()));
  NpyArray array(*header.type, *header.shape);
  copy(contents, array.getBytes().begin());
  return array;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The bytes in front of the data. As NumPy does, the header is padded so that
/// the data start at a multiple of 64.
static std::string makeHeader(const NpyArray &array) {
  std::string text;
  raw_string_ostream os(text);
  os << "{'descr': '" << getNpyTypeName(array.getType())
     << "', 'fortran_order': False, 'shape': (";
  interleaveComma(array.getShape(), os);
  os << (array.getShape().size() == 1 ? ",), }" : "), }");

  // Version 1 limits the length to 16 bits.
  bool isShort = text.size() + 128 <= UINT16_MAX;
  size_t prefixSize = magic.size() + 2 + (isShort ? 2 : 4);
  size_t size = alignTo(prefixSize + text.size() + 1, 64) - prefixSize;
  text.resize(size - 1, ' ');
  text.push_back('\n');

  std::string prefix(magic);
  prefix += isShort ? StringRef("\1\0", 2) : StringRef("\2\0", 2);
  for (unsigned byte = 0; byte != (isShort ? 2 : 4); ++byte)
    prefix.push_back(static_cast<char>(size >> (8 * byte)));
  return prefix + text;
}

Error mlir::lpgemm::writeNpyFiles(ArrayRef<NpyOutput> outputs) {
  SmallVector<std::string> headers =
      map_to_vector(outputs, [](const NpyOutput &output) {
        return makeHeader(output.array);
      });
  SmallVector<OutputFile> files;
  for (auto [output, header] : zip_equal(outputs, headers)) {
    ArrayRef<char> bytes = output.array.getBytes();
    files.push_back(
        {output.path.str(), {header, StringRef(bytes.data(), bytes.size())}});
  }
  return writeFilesTogether(files);
}

Error mlir::lpgemm::writeNpy(StringRef path, const NpyArray &array) {
  return writeNpyFiles({{path, array}});
}
