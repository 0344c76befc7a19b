//===- Mfma.cpp - AMD matrix instructions ---------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Both operands are decoded to doubles with K innermost, the scales already
// multiplied in: every product of an element and a scale is exact, and so is
// every product of two of them. The sum of one instruction is a sum of doubles,
// rounded to f32 once at its end.
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/MfmaTable.h"

#include "Abi.h"
#include "Formats.h"
#include "Machine.h"

#include <cstring>

using namespace mlir::lpgemm::emulator;
using namespace mlir::lpgemm::emulator::mfma;

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static unsigned loadCode8(const uint8_t *bytes, unsigned e) { return bytes[e]; }

/// Six-bit codes are packed without gaps, the first in the lowest bits.
static unsigned loadCode6(const uint8_t *bytes, unsigned e) {
  unsigned bit = 6 * e, shift = bit % 8;
  unsigned high = shift > 2 ? bytes[bit / 8 + 1] : 0;
  return (bytes[bit / 8] | high << 8) >> shift & 63;
}

static unsigned loadCode4(const uint8_t *bytes, unsigned e) {
  return bytes[e / 2] >> 4 * (e % 2) & 15;
}

template <typename Float, unsigned loadCode(const uint8_t *, unsigned)>
static void decodeChunk(const uint8_t *bytes, unsigned first, unsigned count,
                        double scale, double *out) {
  const auto &table = Float::table();
  for (unsigned i = 0; i < count; ++i)
    out[i] = table[loadCode(bytes, first + i)] * scale;
}

template <double decode(unsigned)>
static void decodeChunk16(const uint8_t *bytes, unsigned first, unsigned count,
                          double scale, double *out) {
  for (unsigned i = 0; i < count; ++i) {
    uint16_t code;
    std::memcpy(&code, bytes + 2 * (first + i), sizeof(code));
    out[i] = decode(code) * scale;
  }
}

static void decodeIntegers(const uint8_t *bytes, unsigned first, unsigned count,
                           double scale, double *out) {
  for (unsigned i = 0; i < count; ++i)
    out[i] = static_cast<int8_t>(bytes[first + i]) * scale;
}

using DecodeFn = void (*)(const uint8_t *, unsigned, unsigned, double,
                          double *);

/// By Format.
static constexpr DecodeFn kDecoders[] = {decodeChunk<Float8E4M3, loadCode8>,
                                         decodeChunk<Float8E5M2, loadCode8>,
                                         decodeChunk<Float6E2M3, loadCode6>,
                                         decodeChunk<Float6E3M2, loadCode6>,
                                         decodeChunk<Float4E2M1, loadCode4>,
                                         decodeChunk<Float8E4M3FNUZ, loadCode8>,
                                         decodeChunk<Float8E5M2FNUZ, loadCode8>,
                                         decodeChunk16<decodeF16>,
                                         decodeChunk16<decodeBf16>,
                                         decodeIntegers};

static constexpr unsigned kMaxElements = 16 * 128;
static constexpr unsigned kMaxScales = 64;

/// One of A and B: which members of LaneOperands hold it.
struct OperandAccess {
  const uint8_t *LaneOperands::*data;
  uint8_t LaneOperands::*scale;
};

/// Writes the operand as out[row * k + k index].
static void decodeOperand(Shape shape, Format format, bool isScaled,
                          const LaneOperands *lanes, OperandAccess access,
                          double *out) {
  unsigned numBlocks = shape.k / kScaleBlock;
  double scales[kMaxScales];
  if (isScaled)
    for (unsigned row = 0; row < shape.dim; ++row)
      for (unsigned block = 0; block < numBlocks; ++block)
        scales[row * numBlocks + block] =
            decodeScale(lanes[scaleLane(shape, row, block)].*access.scale);
  DecodeFn decode = kDecoders[static_cast<unsigned>(format)];
  unsigned chunk = chunkSize(shape, format);
  unsigned elements = elementsPerLane(shape);
  for (unsigned lane = 0; lane < kWaveSize; ++lane) {
    unsigned row = operandRow(shape, lane);
    for (unsigned e = 0; e < elements; e += chunk) {
      unsigned k = operandK(shape, format, lane, e);
      double scale = isScaled ? scales[row * numBlocks + k / kScaleBlock] : 1.0;
      decode(lanes[lane].*access.data, e, chunk, scale,
             out + row * shape.k + k);
    }
  }
}

//===----------------------------------------------------------------------===//
// Multiplying
//===----------------------------------------------------------------------===//

using Vector = double __attribute__((vector_size(32)));
static constexpr unsigned kVectorSize = 4;

/// d[m * dim + n] = sum over k of a[m * K + k] * b[n * K + k]. Four partial
/// sums whatever the machine, so that the result is the same on every one.
[[gnu::always_inline]] static inline void
multiplyBody(Shape shape, const double *a, const double *b, double *d) {
  constexpr unsigned kRows = 2, kCols = 4;
  unsigned size = shape.k / kVectorSize;
  const Vector *va = reinterpret_cast<const Vector *>(a);
  const Vector *vb = reinterpret_cast<const Vector *>(b);
  for (unsigned m = 0; m < shape.dim; m += kRows)
    for (unsigned n = 0; n < shape.dim; n += kCols) {
      Vector sums[kRows][kCols] = {};
      for (unsigned k = 0; k < size; ++k)
        for (unsigned i = 0; i < kRows; ++i)
          for (unsigned j = 0; j < kCols; ++j)
            sums[i][j] += va[(m + i) * size + k] * vb[(n + j) * size + k];
      for (unsigned i = 0; i < kRows; ++i)
        for (unsigned j = 0; j < kCols; ++j) {
          Vector sum = sums[i][j];
          d[(m + i) * shape.dim + n + j] =
              (sum[0] + sum[2]) + (sum[1] + sum[3]);
        }
    }
}

using MultiplyFn = void (*)(Shape, const double *, const double *, double *);

static void multiplyGeneric(Shape shape, const double *a, const double *b,
                            double *d) {
  multiplyBody(shape, a, b, d);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] static void
multiplyAvx2(Shape shape, const double *a, const double *b, double *d) {
  multiplyBody(shape, a, b, d);
}

static MultiplyFn selectMultiply() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
             ? multiplyAvx2
             : multiplyGeneric;
}
#else
static MultiplyFn selectMultiply() { return multiplyGeneric; }
#endif

/// D in register `i` of a lane: a sum of doubles and C, as T. An integer sum is
/// exact and keeps its lower 32 bits.
template <typename T>
static void writeResult(const LaneOperands &lane, unsigned i, double sum) {
  T c, d;
  std::memcpy(&c, static_cast<const T *>(lane.c) + i, sizeof(c));
  if constexpr (std::is_integral_v<T>)
    d = static_cast<T>(static_cast<int64_t>(sum) + c);
  else
    d = static_cast<T>(sum + c);
  std::memcpy(static_cast<T *>(lane.d) + i, &d, sizeof(d));
}

template <typename T>
static void writeResults(Shape shape, const LaneOperands *lanes,
                         const double *d) {
  for (unsigned lane = 0; lane < kWaveSize; ++lane)
    for (unsigned i = 0; i < resultsPerLane(shape); ++i)
      writeResult<T>(
          lanes[lane], i,
          d[resultRow(shape, lane, i) * shape.dim + resultCol(shape, lane)]);
}

void mlir::lpgemm::emulator::mfma::execute(Shape shape, Format formatA,
                                           Format formatB, bool isScaled,
                                           const LaneOperands *lanes) {
  static const MultiplyFn multiply = selectMultiply();
  alignas(64) double a[kMaxElements], b[kMaxElements], d[32 * 32];
  decodeOperand(shape, formatA, isScaled, lanes,
                {&LaneOperands::a, &LaneOperands::scaleA}, a);
  decodeOperand(shape, formatB, isScaled, lanes,
                {&LaneOperands::b, &LaneOperands::scaleB}, b);
  multiply(shape, a, b, d);
  if (formatA == Format::I8)
    writeResults<int32_t>(shape, lanes, d);
  else
    writeResults<float>(shape, lanes, d);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

static void runMfma(uint32_t site, Shape shape, Format formatA, Format formatB,
                    bool isScaled, const LaneOperands &operands) {
  waveOperation(site, operands, [&](Machine &machine) {
    LaneOperands lanes[kWaveSize];
    for (unsigned lane = 0; lane < kWaveSize; ++lane)
      lanes[lane] = operandsOf<LaneOperands>(machine, lane);
    ++machine.statistics.mfma;
    execute(shape, formatA, formatB, isScaled, lanes);
  });
}

static void checkWholeWave(uint32_t site) {
  Machine &machine = Machine::current();
  if (machine.wave().size != kWaveSize)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "needs a wave of 64 lanes, got " +
                      std::to_string(machine.wave().size));
}

/// A lane's own check: `bytes` holds enough elements of the format that the
/// cbsz or blgp operand gives.
static Format checkFormat(uint32_t site, Shape shape, const char *name,
                          uint32_t code, uint32_t bytes) {
  Machine &machine = Machine::current();
  if (code > static_cast<uint32_t>(Format::Fp4))
    machine.fatal(ReportKind::InvalidOperand, site,
                  std::string(name) + ": expected a format from 0 to 4, got " +
                      std::to_string(code));
  Format format = static_cast<Format>(code);
  uint32_t needed = elementsPerLane(shape) * bitWidth(format) / 8;
  if (bytes < needed)
    machine.fatal(ReportKind::InvalidOperand, site,
                  std::string(name) + ": expected an operand of at least " +
                      std::to_string(needed) + " bytes, got " +
                      std::to_string(bytes));
  return format;
}

static uint8_t selectScale(uint32_t scales, uint32_t opsel) {
  return scales >> 8 * (opsel & 3);
}

void emu_mfma_scale(uint32_t site, void *d, uint32_t, const uint8_t *a,
                    uint32_t aBytes, const uint8_t *b, uint32_t bBytes,
                    const void *c, uint32_t, uint32_t cbsz, uint32_t blgp,
                    uint32_t opselA, uint32_t scaleA, uint32_t opselB,
                    uint32_t scaleB, uint32_t instruction, uint32_t scaled) {
  Shape shape = kInstructions[instruction].shape;
  checkWholeWave(site);
  Format formatA = checkFormat(site, shape, "cbsz", cbsz, aBytes);
  Format formatB = checkFormat(site, shape, "blgp", blgp, bBytes);
  runMfma(
      site, shape, formatA, formatB, scaled != 0,
      {d, a, b, c, selectScale(scaleA, opselA), selectScale(scaleB, opselB)});
}

/// cbsz, abid and blgp of these instructions permute and broadcast lanes.
void emu_mfma(uint32_t site, void *d, uint32_t, const uint8_t *a, uint32_t,
              const uint8_t *b, uint32_t, const void *c, uint32_t,
              uint32_t cbsz, uint32_t abid, uint32_t blgp,
              uint32_t instruction) {
  const Instruction &entry = kInstructions[instruction];
  checkWholeWave(site);
  if (cbsz | abid | blgp)
    Machine::current().fatal(ReportKind::InvalidOperand, site,
                             "expected cbsz, abid and blgp of 0");
  runMfma(site, entry.shape, entry.a, entry.b, /*isScaled=*/false,
          {d, a, b, c, 0, 0});
}
