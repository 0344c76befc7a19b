//===- QuantizeFile.cpp - Quantize the matrix of a file -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-quantize/QuantizeFile.h"

#include "Recipe.h"
#include "lpgemm/Numerics/Packing.h"
#include "lpgemm/Support/Npy.h"
#include "lpgemm/Support/OutputFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Names of files
//===----------------------------------------------------------------------===//

static Error checkPresence(const QuantizeFileOptions &options) {
  const std::pair<StringRef, std::optional<StringRef>> values[] = {
      {"an input file", options.input},
      {"--format", options.format},
      {"-o", options.output},
      {"--scales", options.scales},
      {"the file of --given-scales", options.givenScales},
      {"the file of --tensor-scale", options.tensorScale},
      {"the file of --amax", options.amax}};
  for (auto [name, value] : values)
    if (value && value->empty())
      return createStringError(name + " must be given, see --help");
  return Error::success();
}

/// No file may be written twice, or be read and written.
static Error checkFiles(const QuantizeFileOptions &options) {
  struct File {
    StringRef meaning;
    std::optional<StringRef> path;
    bool isOutput;
  };
  const File files[] = {{"the input", options.input, false},
                        {"the given scales", options.givenScales, false},
                        {"the codes", options.output, true},
                        {"the scales", options.scales, true},
                        {"the scale of the tensor", options.tensorScale, true},
                        {"the largest magnitude", options.amax, true}};
  for (const File &file : files)
    for (const File &earlier : ArrayRef(files, &file))
      if (file.isOutput && file.path && earlier.path &&
          namesSameFile(*earlier.path, *file.path))
        return createStringError(*file.path + ": named for both " +
                                 earlier.meaning + " and " + file.meaning);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static Error checkType(StringRef path, const NpyArray &array,
                       ArrayRef<NpyType> types) {
  if (is_contained(types, array.getType()))
    return Error::success();
  return createStringError(path + ": expected data type " +
                           join(map_range(types, getNpyTypeName), " or ") +
                           ", found " + getNpyTypeName(array.getType()));
}

static Expected<NpyArray> readMatrix(StringRef path, ArrayRef<NpyType> types) {
  Expected<NpyArray> array = readNpy(path);
  if (!array)
    return array.takeError();
  if (Error error = checkType(path, *array, types))
    return error;
  if (array->getShape().size() != 2)
    return createStringError(path + ": expected 2 dimensions, found " +
                             Twine(array->getShape().size()));
  return array;
}

/// The type of an .npy file of scales: bf16 scales are exact in f32.
static NpyType getScaleNpyType(ScaleFormat format) {
  return getScaleFormatInfo(format).bytes == 1 ? NpyType::U8 : NpyType::F32;
}

static Expected<std::vector<float>> readScales(StringRef path,
                                               const QuantizeOptions &options,
                                               int64_t rows, int64_t columns) {
  ScaleFormat format = options.scale.format;
  Expected<NpyArray> array = readMatrix(path, getScaleNpyType(format));
  if (!array)
    return array.takeError();
  int64_t expected[] = {options.block.getNumBlockRows(rows),
                        options.block.getNumBlockColumns(columns)};
  ArrayRef<int64_t> shape = array->getShape();
  if (shape != ArrayRef(expected))
    return createStringError(path + ": expected shape " + Twine(expected[0]) +
                             "x" + Twine(expected[1]) + ", found " +
                             Twine(shape[0]) + "x" + Twine(shape[1]));
  return array->getType() == NpyType::U8
             ? loadScales(format, array->getData<uint8_t>())
             : array->toFloats();
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

static NpyArray makeArray(NpyType type, ArrayRef<int64_t> shape,
                          ArrayRef<uint8_t> bytes) {
  NpyArray array(type, shape);
  copy(bytes, array.getBytes().begin());
  return array;
}

static NpyArray makeFloat(float value) {
  NpyArray array(NpyType::F32, {});
  array.getData<float>().front() = value;
  return array;
}

static Expected<NpyArray> makeCodes(const QuantizedMatrix &matrix,
                                    const Recipe &recipe, bool packed) {
  const FormatInfo &info = getFormatInfo(recipe.options.format);
  unsigned bits = packed ? info.bits : 8;
  int64_t rowBytes = getPackedRowSize(matrix.columns, bits);
  std::vector<uint8_t> bytes =
      packCodes(matrix.codes, matrix.rows, matrix.columns, bits);
  if (recipe.shuffles) {
    if (bits != info.bits)
      return createStringError("--code-layout=w16x16 with elements of " +
                               info.name + " expects --packed");
    if (Error error = checkShuffledWeight(matrix.rows, rowBytes))
      return error;
    bytes = shuffleWeight(bytes, matrix.rows, rowBytes);
  }
  return makeArray(NpyType::U8, {matrix.rows, rowBytes}, bytes);
}

/// Whether the layout takes the rows of a matrix of scales as they are. The
/// others have scales for a certain number of rows of the operand.
static bool isMatrixLayout(BufferLayout layout) {
  return layout == BufferLayout::Row || layout == BufferLayout::Col;
}

/// How often each row of scales stands in a layout.
static Expected<int64_t> getRowRepeat(BufferLayout layout, BlockShape block) {
  if (isMatrixLayout(layout))
    return 1;
  const BufferLayoutInfo &info = getBufferLayoutInfo(layout);
  if (block.rows != 0 && block.rows % info.rowsPerScale == 0)
    return block.rows / info.rowsPerScale;
  return createStringError(
      "scale layout '" + info.name + "' expects blocks of a multiple of " +
      Twine(info.rowsPerScale) + (info.rowsPerScale == 1 ? " row" : " rows") +
      ", got " + (block.rows == 0 ? "all" : Twine(block.rows).str()));
}

static std::vector<uint8_t> repeatRows(ArrayRef<uint8_t> bytes,
                                       int64_t rowBytes, int64_t rows,
                                       int64_t repeat) {
  if (rowBytes == 0)
    return {}; // the number of rows means no work, however large
  std::vector<uint8_t> result;
  result.reserve(rows * rowBytes);
  for (int64_t row = 0; row != rows; ++row)
    append_range(result, bytes.slice(row / repeat * rowBytes, rowBytes));
  return result;
}

static Expected<NpyArray> makeScales(const QuantizedMatrix &matrix,
                                     const Recipe &recipe) {
  BlockShape block = recipe.options.block;
  ScaleFormat format = recipe.options.scale.format;
  int64_t scaleRows = block.getNumBlockRows(matrix.rows);
  int64_t blocks = block.getNumBlockColumns(matrix.columns);
  Expected<int64_t> repeat = getRowRepeat(recipe.layout, block);
  if (!repeat)
    return repeat.takeError();
  ScaleExtents extents{isMatrixLayout(recipe.layout) ? scaleRows : matrix.rows,
                       blocks, getScaleFormatInfo(format).bytes};
  if (Error error = checkBufferLayout(recipe.layout, extents))
    return error;

  NpyType type = getScaleNpyType(format);
  bool isFloat = type == NpyType::F32;
  extents.scaleBytes = getNpyTypeSize(type);
  std::vector<uint8_t> bytes =
      storeScales(isFloat ? ScaleFormat::F32 : format, matrix.scales);
  if (recipe.layout == BufferLayout::Row)
    return makeArray(type, {scaleRows, blocks}, bytes);
  int64_t rows = divideCeil(extents.outer,
                            getBufferLayoutInfo(recipe.layout).rowsPerScale);
  int64_t rowBytes = blocks * extents.scaleBytes;
  bytes = packScales(recipe.layout, repeatRows(bytes, rowBytes, rows, *repeat),
                     extents);
  int64_t count = bytes.size() / extents.scaleBytes;
  return makeArray(type, {count}, bytes);
}

//===----------------------------------------------------------------------===//
// Everything
//===----------------------------------------------------------------------===//

static Error checkTensorScale(const QuantizeFileOptions &words,
                              const Recipe &recipe) {
  bool isNVFP4 = recipe.options.scale.rule == ScaleRule::NVFP4;
  if (isNVFP4 == words.tensorScale.has_value())
    return Error::success();
  return createStringError(
      isNVFP4 ? "scaling '" + Twine(words.scale) + "' expects --tensor-scale"
              : "--tensor-scale expects scaling 'nvfp4' or "
                "'nvfp4_2d', got '" +
                    Twine(words.scale) + "'");
}

/// A matrix without elements may have scales, but no more than a tool should
/// have to write for nothing.
static Error checkEmptyMatrix(StringRef path, int64_t rows, int64_t columns,
                              BlockShape block) {
  constexpr int64_t limit = 1 << 20;
  if (rows != 0 && columns != 0)
    return Error::success();
  int64_t count =
      block.getNumBlockRows(rows) * block.getNumBlockColumns(columns);
  if (count <= limit)
    return Error::success();
  return createStringError(path + ": a matrix without elements has " +
                           Twine(count) + " scales, expected at most " +
                           Twine(limit));
}

static Error writeMatrix(const QuantizedMatrix &matrix, const Recipe &recipe,
                         const QuantizeFileOptions &words) {
  Expected<NpyArray> codes = makeCodes(matrix, recipe, words.packed);
  if (!codes)
    return codes.takeError();
  Expected<NpyArray> scales = makeScales(matrix, recipe);
  if (!scales)
    return scales.takeError();
  NpyArray tensorScale = makeFloat(matrix.tensorScale);
  NpyArray amax = makeFloat(matrix.amax);
  SmallVector<NpyOutput> outputs = {{words.output, *codes},
                                    {words.scales, *scales}};
  if (words.tensorScale)
    outputs.push_back({*words.tensorScale, tensorScale});
  if (words.amax)
    outputs.push_back({*words.amax, amax});
  return writeNpyFiles(outputs);
}

Error mlir::lpgemm::quantizeFile(const QuantizeFileOptions &words) {
  if (Error error = checkPresence(words))
    return error;
  Expected<Recipe> recipe = makeRecipe(words);
  if (!recipe)
    return recipe.takeError();
  if (Error error = checkTensorScale(words, *recipe))
    return error;
  if (Error error = checkFiles(words))
    return error;
  Expected<NpyArray> input =
      readMatrix(words.input, {NpyType::F32, NpyType::F16});
  if (!input)
    return input.takeError();
  int64_t rows = input->getShape()[0], columns = input->getShape()[1];
  QuantizeOptions &options = recipe->options;
  if (Error error = checkQuantizeOptions(options, rows, columns))
    return error;
  if (Error error = checkEmptyMatrix(words.input, rows, columns, options.block))
    return error;
  std::vector<float> givenScales;
  if (words.givenScales) {
    Expected<std::vector<float>> scales =
        readScales(*words.givenScales, options, rows, columns);
    if (!scales)
      return scales.takeError();
    givenScales = std::move(*scales);
    options.givenScales = givenScales;
    if (Error error = checkQuantizeOptions(options, rows, columns))
      return createStringError(Twine(*words.givenScales) + ": " +
                               toString(std::move(error)));
  }
  return writeMatrix(quantize(input->toFloats(), rows, columns, options),
                     *recipe, words);
}
